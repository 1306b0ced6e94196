#!/usr/bin/env python3
"""Counts what a trace JSON file holds, by the rules of the documented tables and nothing of the program's code:
count_trace.py FILE prints {"slices": N, "dur": {process: ns}, "counters": N, "flows": N}."""
import json
import sys
from decimal import ROUND_FLOOR, Decimal

def ns(us):  # exact halves up
    return int((Decimal(us) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file, parse_float=Decimal)
name = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
starts = {(e.get("cat"), str(e["id"])) for e in events if e["ph"] == "s"}
slices = [e for e in events if e["ph"] == "X"]
dur = {}
for e in slices:
    dur[name[e["pid"]]] = dur.get(name[e["pid"]], 0) + ns(e["dur"])
values = [k for e in events if e["ph"] == "C" for k, v in e["args"].items()
          if isinstance(v, (int, Decimal)) and not k.endswith("_id") and k not in ("PA Link ID", "PCIE ID")]
ends = [e for e in events if e["ph"] in "ft" and (e.get("cat"), str(e["id"])) in starts]
print(json.dumps({"slices": len(slices), "dur": dur, "counters": len(values), "flows": len(ends)}))
