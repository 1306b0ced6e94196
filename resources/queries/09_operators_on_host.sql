-- title: Operators by time on the host
-- title[zh_CN]: 按主机时间统计的算子
-- about: Framework operators by their own time on the host, beside what they cause on the device.
-- about[zh_CN]: 框架算子在主机上的自身耗时，以及它们在设备上引起的时间。
SELECT name, count(*) AS count, sum(self_dur) / 1e6 AS host_self_ms, sum(dur) / 1e6 AS host_ms,
       sum(device_dur) / 1e6 AS device_ms
FROM operator
GROUP BY name
ORDER BY host_self_ms DESC
LIMIT 100
