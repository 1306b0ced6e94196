#!/usr/bin/env python3
"""Self times of the host's calls in a trace JSON file, by the recorded events alone: a call is called by the last to
begin that wholly contains it, one of CANN else by the last of Python to begin before it that still runs. count_flame.py
FILE prints {"self": {path: ns}, "device": {path: ns}}, the second of tasks by the call of Python that an async_npu flow
leads from."""
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
paths = {}
for tid, calls in threads.items():
    calls.sort()
    children = defaultdict(list)
    for i, (place, begin, end, at, name) in enumerate(calls):
        around = [j for j in range(i) if calls[j][0] == place and calls[j][2] <= end]
        if not around and place == 1:
            around = [j for j in range(i) if calls[j][0] == 0 and calls[j][1] <= begin < -calls[j][2]]
        parent = max(around, key=lambda j: (calls[j][1], j), default=None)
        paths[at] = name if parent is None else paths[calls[parent][3]] + "/" + name
        children[parent].append((begin, min(-end, -calls[parent][2]) if parent is not None else -end))
    for i, call in enumerate(calls):
        covered = call[1]
        rest = -call[2] - call[1]
        for begin, end in sorted(children[i]):
            rest -= max(0, end - max(begin, covered))
            covered = max(covered, end)
        own[paths[call[3]]] += rest
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
    call = max((c for c in threads[start["tid"]] if c[0] == 0 and c[1] <= when < -c[2]), key=lambda c: (c[1], c[2], c[3]))
    device[paths[call[3]]] += tasks[task]
print(json.dumps({"self": {p: t for p, t in own.items() if t > 0}, "device": dict(device)}))
