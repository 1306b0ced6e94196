-- title: Many short kernels
-- title[zh_CN]: 大量短 NPU 算子
-- about: Kernels that run for less than :us microseconds on average and often: fusing them saves launches.
-- about[zh_CN]: 平均时长小于 :us 微秒且次数很多的 NPU 算子：融合它们可以减少下发。
-- :us = 20
SELECT name, type, count(*) AS count, avg(dur) / 1e3 AS avg_us, sum(dur) / 1e6 AS total_ms, sum(wait) / 1e6 AS wait_ms
FROM kernel
WHERE kind = 'compute'
GROUP BY name, type
HAVING avg(dur) < :us * 1000
ORDER BY count DESC
LIMIT 100
