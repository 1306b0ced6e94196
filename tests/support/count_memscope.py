#!/usr/bin/env python3
"""Prints what the tables must hold of a dump of msMemScope, from Python's sqlite3 alone.

count_memscope.py FILE... prints for each file its name, then samples, allocations with their uses, and per device the last totals of
the history, how many entries of each action it has, and the sums of blocks by state; cells with | between them, - where absent."""

import collections
import os
import re
import sqlite3
import sys


def cell(value):
    return "-" if value is None else str(value)


def show(*cells):
    print("|".join(cell(one) for one in cells))


def events_of(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    table, = [t for t, in connection.execute("SELECT name FROM sqlite_master WHERE name IN ('memscope_dump', 'leaks_dump')")]
    rows = connection.execute(f'SELECT Event, "Event Type", "Timestamp(ns)", "Device Id", Ptr, Attr FROM {table} '
                              f'WHERE Event IN ("MALLOC", "FREE", "ACCESS", "SNAPSHOT") ORDER BY "Timestamp(ns)", ID')
    for event, kind, time, device, ptr, attr in rows:
        pairs = dict(re.findall(r'"?(\w+)"?:"?((?:\[[^]]*\]|[^",}])*)', attr))
        number = lambda key, pairs=pairs: int(pairs[key]) if key in pairs else None
        yield event, pairs.get("type", kind) if event == "ACCESS" else kind, time, None if device in ("cpu", "N/A") else int(device), \
            None if ptr == "N/A" else int(ptr, 16), number, pairs.get("owner")


def count(path):
    live, done, levels, samples = {}, [], collections.Counter(), []
    events = list(events_of(path))
    for event, kind, time, device, ptr, number, owner in events:  # what was there before
        key = (device, kind, ptr)
        if event == "MALLOC":
            live[key] = True
        elif event == "FREE" and not live.pop(key, False):
            levels[device, kind] += number("size")
    live = {}
    segments = lambda device: [b for (d, k, _), b in live.items() if d == device and k == "HAL"]
    inside = lambda block, at: block["address"] <= at < block["address"] + block["size"]
    actions = collections.Counter()
    for event, kind, time, device, ptr, number, owner in events:
        key = (device, kind, ptr)
        if event == "SNAPSHOT":
            samples.append(("PTA", time, number("allocated"), number("reserved"), device))
            continue
        if event == "ACCESS":
            block = next((b for b in live.values() if b["device"] == device and b["kind"] == kind and inside(b, ptr)), None)
            actions[device, "access"] += 1
            if block:
                block["uses"].append(time)
            continue
        if event == "MALLOC":
            block = {"device": device, "kind": kind, "address": ptr, "size": number("size"), "begin": time, "end": None, "owner": owner, "uses": [],
                     "cut": False}
            if kind not in ("HAL", "HOST_PINNED"):
                for segment in segments(device):
                    segment["cut"] = segment["cut"] or inside(segment, ptr)
            live[key] = block
            done.append(block)
        else:
            block = live.pop(key, None)
            if block is None:
                block = {"device": device, "kind": kind, "address": ptr, "size": number("size"), "begin": None, "owner": None, "uses": [], "cut": False}
                done.append(block)
            block["end"] = time
        levels[device, kind] += number("size") * (1 if event == "MALLOC" else -1)
        used = number("used") if number("used") is not None else levels[device, kind]
        samples.append((kind, time, None if kind == "HAL" else used, levels[device, kind] if kind == "HAL" else number("total"), device))
    for one in sorted(samples, key=lambda one: (one[4] is not None, one[4])):
        show("sample", *one)
    states = collections.Counter()
    for block in done:
        if block["cut"]:
            continue
        uses = block["uses"]
        first = uses[0] - block["begin"] if uses and block["begin"] is not None else None
        last = block["end"] - uses[-1] if uses and block["end"] is not None else None
        idle = max((b - a for a, b in zip(uses, uses[1:])), default=0) if uses else None
        show("allocation", block["owner"] or block["kind"], block["size"], block["begin"], block["end"], block["device"], first, idle, last)
        states[block["device"], "active_allocated" if block["end"] is None else "freed"] += block["size"]
        if block["begin"] is not None:
            actions[block["device"], "alloc"] += 1
        if block["end"] is not None:
            actions[block["device"], "free_requested"] += 1
            actions[block["device"], "free_completed"] += 1
    for block in done:
        if block["kind"] in ("HAL", "HOST_PINNED"):
            if block["begin"] is not None:
                actions[block["device"], "segment_alloc"] += 1
            if block["end"] is not None:
                actions[block["device"], "segment_free"] += 1
        if block["cut"] and block["end"] is None:
            holes = block["size"] - sum(b["size"] for b in live.values() if b["device"] == block["device"] and b["kind"] != "HAL" and inside(block, b["address"]))
            states[block["device"], "inactive"] += holes
    for (device, state), size in sorted(states.items(), key=lambda one: (one[0][0] is not None, one[0])):
        show("blocks", device, state, size)
    for (device, action), entries in sorted(actions.items(), key=lambda one: (one[0][0] is not None, one[0])):
        show("entries", device, action, entries)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("file", os.path.basename(name))
        count(name)
