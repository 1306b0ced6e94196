-- title: Slices by a part of their name
-- title[zh_CN]: 按名称片段查找切片
-- about: All slices whose name holds :part, the longest first. A row leads to the timeline.
-- about[zh_CN]: 名称中含有 :part 的所有切片，最长的在前。每行可跳转到时间线。
-- :part = MatMul
SELECT slice.rank_id, track.process, track.name AS track, slice.name, slice.ts, slice.dur, slice.self_dur, slice.slice_id
FROM slice JOIN track ON track.track_id = slice.track_id
WHERE slice.name LIKE '%' || :part || '%'
ORDER BY slice.dur DESC
LIMIT 1000
