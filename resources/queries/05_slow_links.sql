-- title: Slowest links
-- title[zh_CN]: 最慢的链路
-- about: Bandwidth between ranks over everything that they sent, the slowest first; links with less than :least bytes are left out.
-- about[zh_CN]: 各卡之间全部传输的带宽，最慢的在前；传输少于 :least 字节的链路不列出。
-- :least = 1000000
SELECT src_rank, dst_rank, transport, sum(size) AS bytes, sum(transit) / 1e6 AS transit_ms,
       sum(size) * 1.0 / sum(transit) AS gb_per_s
FROM link
WHERE selection IN (SELECT CASE max(selection = 'total') WHEN 1 THEN 'total' ELSE 'single' END FROM link)
      AND src_rank <> dst_rank
GROUP BY src_rank, dst_rank, transport
HAVING sum(transit) > 0 AND sum(size) >= :least
ORDER BY gb_per_s
