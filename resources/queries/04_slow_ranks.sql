-- title: Ranks that others wait for
-- title[zh_CN]: 其他卡在等待的卡
-- about: Waiting in collectives by rank and step. Who waits least is who the others wait for.
-- about[zh_CN]: 各卡各步在集合通信中的等待时间。等待最少的卡就是其他卡在等的卡。
SELECT step, rank_id, count(*) AS collectives, sum(wait) / 1e6 AS wait_ms, sum(transit) / 1e6 AS transit_ms,
       sum(elapsed) / 1e6 AS elapsed_ms
FROM collective
GROUP BY step, rank_id
ORDER BY step, wait_ms
