-- title: Findings by recoverable time
-- title[zh_CN]: 按可节省时间排列的诊断结论
-- about: What the rules found, with the recoverable time of a step.
-- about[zh_CN]: 规则得出的诊断结论，以及可以节省的时间。
SELECT severity, rule, rank_id, step, recoverable / 1e6 AS recoverable_ms, title, detail
FROM finding
ORDER BY recoverable DESC
