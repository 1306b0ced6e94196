-- title: Memory at the end of each step
-- title[zh_CN]: 每步结束时的内存
-- about: The most reserved and allocated memory within each step: growth from step to step is a leak.
-- about[zh_CN]: 每个步内保留和已分配内存的最大值：逐步增长说明有泄漏。
SELECT step.rank_id, step.step, memory_sample.component, max(memory_sample.allocated) / 1048576.0 AS allocated_mib,
       max(memory_sample.reserved) / 1048576.0 AS reserved_mib
FROM step
JOIN memory_sample ON memory_sample.rank_id IS step.rank_id
                  AND memory_sample.ts >= step.start_ts AND memory_sample.ts < step.end_ts
GROUP BY step.rank_id, step.step, memory_sample.component
ORDER BY step.rank_id, memory_sample.component, step.step
