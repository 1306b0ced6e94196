#!/usr/bin/env python3
"""Prints states of the pool, totals and sums by call stack of memory snapshots, from Python's own unpickler.

count_pool.py FILE... undoes each device's history from the segments on; states are those before the history, at its end, and twenty between."""

import collections
import os
import sys

from count_snapshot import loaded, text, workspaces

COLUMNS = 37


def rounded(size):
    return max(512, -(-size // 512) * 512)


def end_of(segments, pools):
    live, ranges, padded = {}, {}, 0
    for segment in segments:
        at = segment["address"]
        ranges[at] = segment["total_size"]
        for block in segment["blocks"]:
            at = block.get("address", at)
            last = block.get("history", [{}])[0]
            block = {"requested_size": last.get("real_size"), "frames": last.get("frames"), **block}
            wanted, size, state = block.get("requested_size"), block["size"], block["state"]
            if at in pools:
                live[at] = [size, size, False, text(block["frames"])]
            elif state != "inactive":
                live[at] = [size if wanted is None else wanted, size, state != "active_allocated", text(block["frames"])]
                if wanted and rounded(wanted) != rounded(wanted + 32):
                    padded += 1 if size >= rounded(wanted + 32) else -1
            at += block["size"]
    return live, ranges, 32 if padded > 0 else 0


def undo(event, live, ranges, stacks, number):
    action, address, size = event["action"], event.get("addr"), event["size"]
    if action == "alloc":
        live.pop(address)
    elif action == "free_completed":
        live[address] = [size, None, True, stacks[number]]
    elif action == "free_requested":
        live[address][2] = False
    elif action == "segment_alloc":
        ranges.pop(address)
    elif action == "segment_free":
        ranges[address] = size
    elif action == "segment_map":
        base = max(a for a in ranges if a <= address)
        end = base + ranges.pop(base)
        for first, last in ((base, address), (address + size, end)):
            if first < last:
                ranges[first] = last - first
    elif action == "segment_unmap":
        ranges[address] = size
        if address + size in ranges:
            ranges[address] += ranges.pop(address + size)
        before = [a for a in ranges if a + ranges[a] == address]
        if before:
            ranges[before[0]] += ranges.pop(address)


def parts(live, ranges, padding):
    for base in sorted(ranges):
        end = base + ranges[base]
        yield "segment", base, ranges[base]
        at = base
        inside = sorted(a for a in live if base <= a < end)
        for here, following in zip(inside, inside[1:] + [end]):
            wanted, size, waits, _ = live[here]
            size = min(rounded(wanted + padding) if size is None else size, following - here)
            if here > at:
                yield "part", at, here - at, 0, "hole"
            yield "part", here, size, wanted, "waits" if waits else "allocated"
            at = here + size
        if at < end:
            yield "part", at, end - at, 0, "hole"


def show(device, segments, trace):
    pools = workspaces(trace)
    live, ranges, padding = end_of(segments, pools)
    opened, stacks = {}, {}
    for number, event in enumerate(trace):  # which allocation a release ends
        if event["action"] == "alloc":
            opened[event["addr"]] = text(event.get("frames", []))
        elif event["action"] == "free_completed":
            stacks[number] = opened.pop(event["addr"], "-")
    for address, block in live.items():
        if block[3] == "-":
            block[3] = opened.get(address, "-")
    count = len(trace)
    wanted = {-1, count - 1} | {i * count // 20 for i in range(20)}
    totals, shown = [None] * (count + 1), {}
    for number in range(count - 1, -2, -1):
        totals[number + 1] = (sum(b[0] for b in live.values() if not b[2]), sum(b[0] for b in live.values()), sum(ranges.values()))
        if number in wanted:
            shown[number] = [("state", device, number, *totals[number + 1]), *parts(live, ranges, padding)]
            sums = collections.defaultdict(lambda: [0, 0])
            for size, _, _, stack in live.values():
                sums[stack][0] += size
                sums[stack][1] += 1
            shown[number] += sorted(("stack", s.replace("\n", "|"), *of) for s, of in sums.items())
        if number >= 0:
            undo(trace[number], live, ranges, stacks, number)
    lines = [line for number in sorted(shown) for line in shown[number]]
    highest = max(t[0] for t in totals)
    lines.append(("peak", [t[0] for t in totals].index(highest) - 1, highest))
    for column in range(COLUMNS):
        first = -1 + (count + 1) // COLUMNS * column + (count + 1) % COLUMNS * column // COLUMNS
        last = -1 + (count + 1) // COLUMNS * (column + 1) + (count + 1) % COLUMNS * (column + 1) // COLUMNS
        values = totals[first + 1:max(first + 1, last) + 1]
        lines.append(("column", column, *(f(t[i] for t in values) for i in range(3) for f in (min, max))))
    for line in lines:
        print(*line)


for path in sys.argv[1:]:
    whole = loaded(path)
    whole = {"device_traces": [], **(whole if isinstance(whole, dict) else {"segments": whole})}
    print("file", os.path.basename(path))
    for n in range(max(len(whole["device_traces"]), 1 + max((s["device"] for s in whole["segments"]), default=0))):
        segments = [s for s in whole["segments"] if s["device"] == n]
        trace = whole["device_traces"][n] if n < len(whole["device_traces"]) else []
        if segments or trace:
            show(n, segments, trace)
