-- title: Step time
-- title[zh_CN]: 每步用时
-- about: Computing, exposed communication and free time of each step and rank, in ms; recorded by the profiler and computed from the events.
-- about[zh_CN]: 每个步、每张卡的计算、未掩盖通信和空闲时间（毫秒）；包括采集器记录的值和由事件计算的值。
SELECT rank_id, step, origin, computing / 1e6 AS computing_ms, not_overlapped / 1e6 AS exposed_ms,
       overlapped / 1e6 AS overlapped_ms, free / 1e6 AS free_ms, bubble / 1e6 AS bubble_ms
FROM step_breakdown
ORDER BY step, rank_id, origin
