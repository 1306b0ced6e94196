#!/usr/bin/env python3
"""The way of each enqueued task in a trace JSON file to the device, by the recorded events alone:
count_dispatch.py FILE prints [[begin, prepare, python API, enqueue, queue, pipeline 2, launch, end to end]...] in ns, by begin."""
import json
import re
import sys
from decimal import ROUND_FLOOR, Decimal

def ns(us):  # exact halves up
    return int((Decimal(us) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file, parse_float=Decimal)
cann = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name" and e["args"]["name"] == "CANN"}
slices = [(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]), e["name"], e["pid"], e["tid"]) for e in events if e["ph"] == "X"]
queue = [e for e in events if e.get("cat") == "async_task_queue"]
taken = {e["id"]: (ns(e["ts"]), e["pid"], e["tid"]) for e in queue if e["ph"] == "f"}
puts = {(ns(e["ts"]), e["pid"], e["tid"]): taken.get(e["id"]) for e in queue if e["ph"] == "s"}
rows = []
for begin, end, name, pid, tid in slices:
    if not name.startswith("Enqueue"):
        continue
    around = [s for s in slices if s[3:] == (pid, tid) and s[0] <= begin and s[1] >= end]
    calls = [max((s for s in around if s[2].startswith("<built-in")), default=None),
             min((s for s in around if re.match(r"(?!autograd::)\w+::", s[2])), default=None)]
    python = calls[0] or calls[1]
    there = puts.get((begin, pid, tid))
    dequeue = next((s for s in slices if there and s[0] == there[0] and s[3:] == there[1:] and s[2].startswith("Dequeue")), None)
    launches = [s for s in slices if dequeue and s[3] in cann and s[4] == dequeue[4] and s[2] == "Node@launch" and dequeue[0] <= s[0] < dequeue[1]]
    last = max((s[1] for s in launches), default=dequeue and dequeue[1])
    rows.append([begin, python and begin - python[0], python and python[1] - python[0], end - begin, dequeue and dequeue[0] - end,
                 dequeue and last - dequeue[0], sum(s[1] - s[0] for s in launches) if launches else None,
                 python and dequeue and last - python[0]])
print(json.dumps(sorted(rows)))
