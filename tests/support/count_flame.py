#!/usr/bin/env python3
"""Self times of the host's calls in a trace JSON file, by the recorded events alone: between any two borders of calls of
a thread the innermost one runs, calls of CANN within those of Python. count_flame.py FILE prints {"self": {path: ns},
"device": {path: ns}}, the second of tasks by the call of Python that an async_npu flow leads from."""
import json
import re
import sys
from collections import defaultdict
from decimal import ROUND_FLOOR, Decimal

def ns(us):  # exact halves up
    return int((Decimal(us) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file, parse_float=Decimal)
process = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
threads, tasks = defaultdict(list), {}
for at, e in enumerate(events):
    if e["ph"] != "X":
        continue
    begin, end = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
    name = re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", re.sub(r"^ProfilerStep#.*", "ProfilerStep#", e["name"]))
    place = {"Python": 0, "CANN": 1}.get(process.get(e["pid"]))
    if place is None:
        tasks.setdefault((e["pid"], e["tid"], begin), end - begin)
    else:
        threads[e["tid"]].append((place, begin, -end, at, name))
own, device = defaultdict(int), defaultdict(int)
for tid, calls in threads.items():
    calls.sort()
    borders = sorted({c[1] for c in calls} | {-c[2] for c in calls})
    for begin, end in zip(borders, borders[1:]):
        path = "/".join(c[4] for c in calls if c[1] <= begin and -c[2] >= end)
        own[path] += end - begin
starts = {e["id"]: e for e in events if e["ph"] == "s" and e.get("cat") == "async_npu"}
seen = set()
for e in events:
    if e["ph"] != "f" or e.get("cat") != "async_npu" or e["id"] not in starts:
        continue
    task, start = (e["pid"], e["tid"], ns(e["ts"])), starts[e["id"]]
    if task not in tasks or task in seen:
        continue
    seen.add(task)
    when = ns(start["ts"])
    path = "/".join(c[4] for c in threads[start["tid"]] if c[0] == 0 and c[1] <= when < -c[2])
    device[path] += tasks[task]
own.pop("", None)
print(json.dumps({"self": {p: t for p, t in own.items() if t > 0}, "device": dict(device)}))
