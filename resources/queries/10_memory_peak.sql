-- title: Largest allocations alive at the peak
-- title[zh_CN]: 峰值时存活的最大分配
-- about: For each rank the moment of the most allocated memory, and what was alive then.
-- about[zh_CN]: 每张卡已分配内存最多的时刻，以及此时存活的分配。
WITH peak AS (
    SELECT rank_id, alloc_ts AS at, max(alloc_allocated) AS allocated
    FROM allocation
    GROUP BY rank_id)
SELECT allocation.rank_id, allocation.name, allocation.size, allocation.alloc_ts, allocation.release_ts,
       peak.allocated AS allocated_at_peak
FROM peak JOIN allocation ON allocation.rank_id IS peak.rank_id
WHERE allocation.alloc_ts <= peak.at AND (allocation.release_ts IS NULL OR allocation.release_ts > peak.at)
ORDER BY allocation.rank_id, allocation.size DESC
LIMIT 500
