-- title: Kernel time by type
-- title[zh_CN]: 按类型统计的 NPU 算子时间
-- about: How often each type of kernel ran, how long in all, and its share of the kernels of its kind.
-- about[zh_CN]: 每种类型的 NPU 算子运行了多少次、共多长时间，以及在同类 NPU 算子中的占比。
SELECT kind, type, accelerator_core, count(*) AS count, sum(dur) / 1e6 AS total_ms,
       round(100.0 * sum(dur) / sum(sum(dur)) OVER (PARTITION BY kind), 2) AS share_percent,
       avg(dur) / 1e3 AS avg_us, max(dur) / 1e3 AS max_us
FROM kernel
GROUP BY kind, type, accelerator_core
ORDER BY total_ms DESC
