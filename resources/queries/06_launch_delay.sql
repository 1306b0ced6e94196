-- title: Kernels that waited longest for the device
-- title[zh_CN]: 下发后等待最久的 NPU 算子
-- about: Time from the start of a launch on the host to the start of its task, by the arrows of the timeline: long delays mean that the device is busy, short ones that it waits for the host.
-- about[zh_CN]: 从主机下发开始到任务开始的时间（按时间线上的连线）：延迟长说明设备繁忙，短则说明设备在等主机。
-- :rows = 100
SELECT launch.rank_id, launch.name AS launch, task.name AS task, (task.ts - launch.ts) / 1e3 AS delay_us,
       task.ts, task.dur, task.slice_id
FROM flow
JOIN slice AS launch ON launch.slice_id = flow.from_slice
JOIN slice AS task ON task.slice_id = flow.to_slice
JOIN track ON track.track_id = task.track_id
WHERE track.kind = 'hardware'
ORDER BY delay_us DESC
LIMIT :rows
