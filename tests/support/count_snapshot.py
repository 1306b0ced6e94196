#!/usr/bin/env python3
"""Prints what the tables snapshot_event and snapshot_block must hold, from Python's own unpickler.

count_snapshot.py FILE... prints for each file its name and the rows, cells with | between them and - where absent."""

import fractions
import math
import os
import pickle
import sys
import zipfile

CHANGE = {"alloc": (1, 0), "free_requested": (-1, 0), "segment_alloc": (0, 1), "segment_free": (0, -1), "segment_map": (0, 1), "segment_unmap": (0, -1)}


class Strict(pickle.Unpickler):
    def find_class(self, module, name):
        if module == "torch.jit._pickle" and name == "restore_type_tag":
            return lambda value, kind: value
        raise pickle.UnpicklingError(f"{module}.{name}")


def loaded(path):
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive, archive.open("archive/data.pkl") as file:
            return Strict(file).load()
    with open(path, "rb") as file:
        return Strict(file).load()


def written(file, number, name):
    """Without a known file just the function."""
    return name if name and number == 0 and file in ("", "??") else f"{file}({number}): {name}"


def line(frame):
    """Of a dictionary, or of a tuple: (file, line, function, ...) or (function, file, line)."""
    if isinstance(frame, dict):
        return written(frame["filename"], frame["line"], frame["name"])
    if not isinstance(frame, tuple):
        return None
    file, number, name = (frame[1], frame[2], frame[0]) if isinstance(frame[2], int) else frame[:3]
    return written(file, number, name)


def text(stack):
    lines = [line(frame) for frame in stack] if isinstance(stack, (list, tuple)) else []
    return "\n".join(each for each in lines if each is not None) or "-"


def ranges(borders):
    """Begin and end of what PyTorch's record_function named: an end is of the last open one of its name."""
    rows = []
    for border in borders:
        if not isinstance(border, dict) or "name" not in border or nanoseconds(border.get("time_us")) is None:
            continue
        name, time, stage = border["name"], nanoseconds(border["time_us"]), border.get("stage")
        device = border.get("device")
        opened = [row for row in rows if row[1] == name and row[4]]
        if stage == "END" and opened:
            opened[-1][3:] = [time, False]
        elif stage == "END":
            rows.append([device if device in range(1024) else None, name, None, time, False])
        else:
            rows.append([device if device in range(1024) else None, name, time, None, stage == "START"])
    return [row[:4] for row in rows]


def nanoseconds(us):
    """None of what is no time; nearest, halves up."""
    if not isinstance(us, (int, float)) or not 0 <= us < float("inf"):
        return None
    time = math.floor(fractions.Fraction(us) * 1000 + fractions.Fraction(1, 2))
    return time if time < 1 << 62 else None


def annotation(value):
    return value if isinstance(value, str) and value else None


def pool(value):
    return None if value is None else f"({value[0]}, {value[1]})"


def show(table, *cells):
    print(table, "|".join("-" if cell is None else str(int(cell)) if isinstance(cell, bool) else str(cell) for cell in cells))


def workspaces(trace):
    count = 0
    while [e["action"] for e in trace[count:count + 3]] == ["workspace_snapshot", "segment_alloc", "alloc"]:
        count += 3
    return {trace[i]["addr"] for i in range(0, count, 3)}


def owners_of(segments, trace):
    """The segment of each released block, by undoing the history."""
    ranges, owners = {s["address"]: s["total_size"] for s in segments}, {}

    def holding(address):
        return next((base for base, size in ranges.items() if base <= address < base + size), None)

    for number, event in reversed(list(enumerate(trace))):
        action, address, size = event["action"], event.get("addr"), event["size"]
        if action == "free_completed":
            owners[number] = holding(address)
        elif action == "segment_alloc":
            ranges.pop(address, None)
        elif action in ("segment_free", "segment_unmap"):
            ranges[address] = size
        elif action == "segment_map" and holding(address) is not None:
            base = holding(address)
            behind = base + ranges.pop(base) - address - size
            for start, rest in ((base, address - base), (address + size, behind)):
                if rest:
                    ranges[start] = rest
    return owners


def rows_of(device, segments, trace):
    pools = workspaces(trace)
    blocks = []
    for segment in segments:
        at = segment["address"]
        for block in segment["blocks"]:
            at = block.get("address", at)
            last = block.get("history", [{}])[0]
            blocks.append({"requested_size": last.get("real_size"), "frames": last.get("frames"), **block, "address": at, "segment": segment["address"],
                           "of": (segment.get("stream"), pool(segment.get("segment_pool_id")), segment.get("is_expandable"))})
            at += block["size"]
    used = sum(b["size"] if b["address"] in pools else b["requested_size"]
               for b in blocks if b["state"] == "active_allocated" or b["address"] in pools)
    totals = [used, sum(s["total_size"] for s in segments)]
    for event in trace:
        for i, sign in enumerate(CHANGE.get(event["action"], (0, 0))):
            totals[i] -= sign * event["size"]
    events, past, opened = [], [], {}
    owners = owners_of(segments, trace)
    for number, event in enumerate(trace):
        for i, sign in enumerate(CHANGE.get(event["action"], (0, 0))):
            totals[i] += sign * event["size"]
        address, stack = event.get("addr"), text(event.get("frames", []))
        events.append((device, number, event["action"], address, event["size"], event["stream"], *totals, stack,
                       nanoseconds(event.get("time_us")), annotation(event.get("user_metadata")), event.get("device_free"),
                       pool(event.get("pool_id"))))
        if event["action"] == "alloc":
            opened[address] = (number, stack)
        if event["action"] == "free_completed":
            made, where = opened.pop(address, (None, "-"))
            past.append((device, address, None, event["size"], "freed", owners.get(number), made, number, where, None, None, None))
    present = []
    for block in blocks:
        made, where = opened.get(block["address"], (None, "-"))
        if block["state"] == "inactive" and block["address"] not in pools:
            made = None
        stack = text(block["frames"])
        present.append((device, block["address"], block["size"], block["requested_size"], block["state"], block["segment"], made, None,
                        where if stack == "-" and made is not None else stack, *block["of"]))
    return events, present + past


def main():
    for path in sys.argv[1:]:
        whole = loaded(path)
        whole = {"device_traces": [], **(whole if isinstance(whole, dict) else {"segments": whole})}
        numbers = range(max(len(whole["device_traces"]), 1 + max((s["device"] for s in whole["segments"]), default=0)))
        tables = [rows_of(n, [s for s in whole["segments"] if s["device"] == n],
                          whole["device_traces"][n] if n < len(whole["device_traces"]) else []) for n in numbers]
        print("file", os.path.basename(path))
        for table in range(2):
            for rows in tables:
                for row in rows[table]:
                    show(("snapshot_event", "snapshot_block")[table], *row)
        for row in ranges(whole.get("external_annotations", [])):
            show("snapshot_annotation", *row)


if __name__ == "__main__":
    main()
