-- title: Collectives whose ranks start far apart
-- title[zh_CN]: 各卡开始时间相差最大的集合通信
-- about: For each collective the difference of waiting between its ranks: the rank that waits least came last.
-- about[zh_CN]: 每个集合通信中各卡等待时间之差：等待最少的卡最后到达。
SELECT step, group_name, op_name, count(DISTINCT rank_id) AS ranks, (max(wait) - min(wait)) / 1e6 AS spread_ms,
       max(wait) / 1e6 AS longest_wait_ms, max(elapsed) / 1e6 AS longest_ms
FROM collective
GROUP BY step, group_name, op_name
HAVING count(DISTINCT rank_id) > 1
ORDER BY spread_ms DESC
LIMIT 100
