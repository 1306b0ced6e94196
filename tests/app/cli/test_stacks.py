#!/usr/bin/env python3
"""Tracks of kind stack: what SQL says of them against the rule of core/analysis/FORMULAS.md section G, applied here to
the call stacks in the files themselves."""

import json
import os
import sqlite3
import unittest
from collections import defaultdict
from decimal import ROUND_FLOOR, Decimal

from support import SHARED, CliTest, info, needs_captures, result, rows, traces_below

SQL = ("SELECT t.process, t.thread, s.depth, s.ts, s.ts + s.dur, s.name FROM slice s JOIN track t USING (track_id) "
       "WHERE t.kind = 'stack' AND t.rank_id IS ?1")


def ns(us):  # exact, halves up
    return int((Decimal(us) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def operators_of_text(trace):
    with open(trace, encoding="utf-8") as file:
        events = json.load(file, parse_float=Decimal)
    if isinstance(events, dict):
        events = events["traceEvents"]
    process = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    thread = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    found = defaultdict(list)
    for e in events:
        stack = e.get("args", {}).get("Call stack") if e["ph"] == "X" and e.get("cat") == "cpu_op" else None
        if stack:
            frames = [frame for frame in stack.split(";\r\n") if frame]
            found[process[e["pid"]], thread.get((e["pid"], e["tid"]), f"Thread {e['tid']}")].append(
                (ns(e["ts"]), ns(e["dur"]), frames[::-1]))
    return found


def operators_of_database(path):
    found = defaultdict(list)
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        texts = dict(database.execute("SELECT id, value FROM STRING_IDS"))
        chains = defaultdict(list)
        for chain, frame in database.execute("SELECT id, stack FROM PYTORCH_CALLCHAINS ORDER BY id, stackDepth DESC"):
            chains[chain].append(texts[frame])
        for begin, end, thread, chain in database.execute("SELECT startNs, endNs, globalTid, callchainId FROM PYTORCH_API"):
            if chain in chains:
                found["Python", f"Thread {thread & 0xffffffff}"].append((int(begin), int(end) - int(begin), chains[chain]))
    return found


def frames_of(threads):
    """Frames as (process, thread, depth, begin, end, name), one depth after the other."""
    frames = []
    for names, operators in threads.items():
        operators = sorted((one for one in operators if one[1] > 0), key=lambda one: (one[0], -one[1]))
        for depth in range(max(len(stack) for _, _, stack in operators)):
            run = None  # frames down to this depth, begin, end
            for begin, duration, stack in operators:
                here = stack[:depth + 1] if len(stack) > depth else None
                if run and run[0] != here:
                    frames.append((*names, depth, run[1], min(run[2], begin), run[0][-1]))
                    run = None
                if here:
                    run = (here, run[1] if run else begin, max(run[2] if run else 0, begin + duration))
            if run:
                frames.append((*names, depth, run[1], run[2], run[0][-1]))
    return sorted(frame for frame in frames if frame[3] < frame[4])


def shown(capture, rank, *words):
    return sorted(rows(capture, SQL.replace("?1", str(rank)), *words))


def generate(folder, *words):
    result("generate", folder, "--format", "text", "--format", "db", "--steps", "2", "--layers", "2", *words)
    return folder


def files_below(folder, ending):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.endswith(ending))


class Stacks(CliTest):
    def check(self, capture, rank, operators, *words):
        expected = frames_of(operators)
        self.assertGreater(len(expected), 1)
        self.assertEqual(shown(capture, rank, *words), expected)

    def test_twins_of_a_generated_run(self):
        for model in "transformer", "resnet":
            capture = generate(self.path(model), "--ranks", "2", "--model", model)
            for rank in 0, 1:
                text = traces_below(os.path.join(capture, f"rank{rank}_ascend_pt"))[0]
                database, = files_below(os.path.join(capture, f"rank{rank}_ascend_pt"), f"profiler_{rank}.db")
                self.check(capture, rank, operators_of_text(text), "--no-cache", "--prefer", "text")
                self.check(capture, rank, operators_of_database(database), "--no-cache", "--prefer", "db")
                self.assertEqual(shown(capture, rank, "--prefer", "text"), shown(capture, rank, "--prefer", "db"))

    def test_tracks_say_what_they_are(self):
        capture = generate(self.path("run"), "--ranks", "1")
        for source in "text", "db":
            stacks = rows(capture, "SELECT process, thread, name, origin FROM track WHERE kind = 'stack'", "--prefer", source)
            self.assertTrue(stacks)
            for process, thread, name, origin in stacks:
                self.assertEqual((name, origin), (thread, "computed"))
                # Directly below its thread.
                order = rows(capture, f"SELECT kind FROM track WHERE process = '{process}' AND thread = '{thread}' ORDER BY sort_index",
                             "--prefer", source)
                self.assertEqual(order, [("python",), ("stack",)])
            others = rows(capture, "SELECT DISTINCT origin FROM track WHERE kind <> 'stack'", "--prefer", source)
            self.assertEqual(others, [("recorded",)])

    def test_depths_parents_and_own_times(self):
        capture = generate(self.path("run"), "--ranks", "1")
        bad = rows(capture, "SELECT s.slice_id FROM slice s JOIN track t USING (track_id) LEFT JOIN slice p ON p.slice_id = s.parent_id "
                            "WHERE t.kind = 'stack' AND CASE WHEN s.depth = 0 THEN p.slice_id IS NOT NULL ELSE p.slice_id IS NULL "
                            "OR p.depth <> s.depth - 1 OR p.track_id <> s.track_id OR p.ts > s.ts OR p.ts + p.dur < s.ts + s.dur END")
        self.assertEqual(bad, [])
        bad = rows(capture, "WITH f AS (SELECT s.* FROM slice s JOIN track t USING (track_id) WHERE t.kind = 'stack') SELECT p.slice_id "
                            "FROM f p LEFT JOIN f c ON c.parent_id = p.slice_id GROUP BY p.slice_id "
                            "HAVING p.self_dur <> p.dur - coalesce(sum(c.dur), 0)")
        self.assertEqual(bad, [])
        self.assertEqual(rows(capture, "SELECT count(args) FROM slice JOIN track USING (track_id) WHERE kind = 'stack'"), [(0,)])

    def test_parts_of_the_time_and_the_cache_say_the_same(self):
        capture, cache = generate(self.path("run"), "--ranks", "1"), self.path("cache")
        every = ("SELECT s.slice_id, s.track_id, s.name, s.ts, s.dur, s.depth, s.self_dur, s.parent_id FROM slice s "
                 "JOIN track t USING (track_id) WHERE t.kind = 'stack' ORDER BY s.slice_id")
        for source in "text", "db":
            whole = rows(capture, every, "--no-cache", "--prefer", source)
            for _ in range(2):
                self.assertEqual(rows(capture, every, "--cache-dir", cache, "--prefer", source), whole)
            self.assertEqual(rows(capture, every, "--no-cache", "--jobs", "1", "--prefer", source), whole)
            low, high = min(row[3] for row in whole), max(row[3] + row[4] for row in whole)
            begin, end = low + (high - low) // 3, low + (high - low) // 2
            inside = [row for row in whole if row[3] < end and row[3] + row[4] >= begin]
            self.assertNotIn(len(inside), (0, len(whole)))
            self.assertEqual(rows(capture, every, "--no-cache", "--prefer", source, "--range", f"{begin}..{end}"), inside)

    def test_they_are_counted_and_not_exported_as_recorded(self):
        capture = generate(self.path("run"), "--ranks", "1")
        frames = len(shown(capture, 0))
        slices, = rows(capture, "SELECT count(*) FROM slice")[0]
        self.assertEqual(info(capture)["tables"]["slice"], slices)
        sizes = []
        for words in (), ("--computed",):
            out = self.path(f"clean{len(words)}.json")
            result("export", capture, "--what", "trace", "--out", out, *words)
            with open(out, encoding="utf-8") as file:
                events = json.load(file)
            events = events if isinstance(events, list) else events["traceEvents"]
            sizes.append(sum(e["ph"] == "X" for e in events))
        self.assertEqual(sizes, [slices - frames, slices])

    @needs_captures
    def test_real_captures(self):
        texts = traces_below(os.path.join(SHARED, "torch_text")) + traces_below(os.path.join(SHARED, "raw", "torch", "expected"))
        databases = files_below(os.path.join(SHARED, "torch_db"), ".db")
        self.assertTrue(texts and databases)
        checked = 0
        for path in texts + [path for path in databases if "profiler_" in path]:
            operators = operators_of_text(path) if path.endswith(".json") else operators_of_database(path)
            found = sorted(rows(path, SQL.replace("t.rank_id IS ?1", "1"), "--no-cache"))
            self.assertEqual(found, frames_of(operators), path)
            checked += len(found)
        self.assertGreater(checked, 500)


if __name__ == "__main__":
    unittest.main()
