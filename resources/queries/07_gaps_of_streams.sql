-- title: Longest gaps between tasks of a stream
-- title[zh_CN]: 同一流中任务之间的最长空隙
-- about: Where a stream of the device had nothing to run for at least :us microseconds. A row leads to the gap in the timeline.
-- about[zh_CN]: 设备的流至少空闲 :us 微秒的地方。每行可跳转到时间线中的空隙。
-- :us = 100
WITH task AS (
    SELECT slice.rank_id, slice.track_id, track.name AS stream, slice.name, slice.ts,
           max(slice.ts + slice.dur) OVER (PARTITION BY slice.track_id ORDER BY slice.ts
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_end
    FROM slice JOIN track ON track.track_id = slice.track_id
    WHERE track.kind = 'hardware' AND slice.depth = 0)
SELECT rank_id, stream, last_end AS ts, ts - last_end AS dur, name AS next_task, track_id
FROM task
WHERE ts - last_end >= :us * 1000
ORDER BY dur DESC
LIMIT 200
