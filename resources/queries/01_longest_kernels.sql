-- title: Longest kernels
-- title[zh_CN]: 最长的 NPU 算子
-- about: The 100 longest tasks of the device, over all ranks and steps. A row leads to the timeline.
-- about[zh_CN]: 所有卡和步中设备上最长的 100 个任务。每行可跳转到时间线。
SELECT rank_id, step, name, type, accelerator_core, ts, dur, input_shapes, slice_id
FROM kernel
ORDER BY dur DESC
LIMIT 100
