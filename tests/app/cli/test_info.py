#!/usr/bin/env python3
"""`info`: the object for scripts to the letter (resources/help/reference/json.md), and that the text for people tells the same."""

import json
import os
import sys
import unittest
from decimal import ROUND_FLOOR, Decimal

from support import (FAILED, GOLDEN, SHARED, TORCH_TEXT, TWO_RANKS, CliTest, counted, info, needs_captures, result, rows, run,
                     tree_hash, write)

KEYS = ["schema", "path", "state", "ranks", "tables", "sealed", "window", "findings", "versions", "diagnostics"]
RANK_KEYS = ["rank_id", "device_id", "host", "framework", "source", "path", "state", "start_ts", "end_ts", "steps", "missing",
             "alternatives"]
DIAGNOSTIC_KEYS = ["severity", "code", "count", "file", "place", "message"]


def nanoseconds(microseconds):
    return int((Decimal(microseconds) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def time_span(trace):
    """First and last time in a trace file."""
    with open(trace, encoding="utf-8") as file:
        events = [event for event in json.load(file, parse_float=Decimal) if event["ph"] in "XCi"]
    starts = [nanoseconds(event["ts"]) for event in events]
    ends = [start + nanoseconds(event.get("dur", 0)) for start, event in zip(starts, events)]
    return min(starts), max(ends)


class Json(CliTest):
    def check_form(self, capture):
        """Keys, their order and the types of the values; and the numbers of rows against the tables themselves."""
        found = info(capture)
        self.assertEqual([key for key in found if key != "absent_ranks"], KEYS)
        self.assertEqual((found["schema"], found["path"]), (1, capture))
        self.assertIn(found["state"], ("ok", "partial", "failed"))
        self.assertIs(found["sealed"], True)
        for rank in found["ranks"]:
            self.assertEqual(list(rank), RANK_KEYS)
            self.assertIn(rank["framework"], ("torch", "mindspore", "cann", "chrome"))
            self.assertIn(rank["source"], ("text", "db", "raw", "cluster"))
            self.assertIn(rank["state"], ("ok", "partial", "raw", "listed"))
            self.assertTrue(all(isinstance(step, int) for step in rank["steps"]))
            for missing in rank["missing"]:
                self.assertEqual(list(missing), ["what", "switch"])
        for diagnostic in found["diagnostics"]:
            self.assertEqual(list(diagnostic), DIAGNOSTIC_KEYS)
            self.assertIn(diagnostic["severity"], ("info", "repaired", "lost"))
            self.assertGreater(len(diagnostic["message"]), 20)
        schema = json.loads(result("query", "--schema", "--json"))
        self.assertEqual(list(found["tables"]), [table["table"] for table in schema if "kind" not in table])
        counts = rows(capture, "SELECT " + ", ".join(f'(SELECT count(*) FROM "{table}")' for table in found["tables"]))
        self.assertEqual(tuple(found["tables"].values()), counts[0])
        severities = dict(rows(capture, "SELECT severity, count(*) FROM finding GROUP BY 1"))
        self.assertEqual(found["findings"], {key: severities.get(key, 0) for key in ("high", "medium", "low")})
        columns = ("rank_id", "device_id", "host", "framework", "source", "path", "start_ts", "end_ts")
        self.assertEqual([tuple(rank[column] for column in columns) for rank in found["ranks"]],
                         rows(capture, f"SELECT {', '.join(columns)} FROM rank"))
        return found

    def test_every_golden_capture(self):
        states = {"interrupted": "partial", "monitor_lines": "partial", "raw_only": "partial"}
        for name in sorted(os.listdir(GOLDEN)):
            with self.subTest(name=name):
                found = self.check_form(os.path.join(GOLDEN, name, "capture"))
                self.assertEqual(found["state"], states.get(name, "ok"))
                self.assertTrue(found["ranks"])

    def test_values(self):
        found = info(TWO_RANKS)
        self.assertEqual(found["versions"], {"torch_npu": "2.7.1", "cann": "8.3.RC1"})
        for number, rank in enumerate(found["ranks"]):
            folder = f"node-1_42{number}_2026010112000012{number}_ascend_pt"
            start, end = time_span(os.path.join(TWO_RANKS, folder, "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
            missing = rank.pop("missing")
            self.assertEqual(rank, {
                "rank_id": number, "device_id": 4 + number, "host": "node-1", "framework": "torch", "source": "text",
                "path": folder, "state": "ok", "start_ts": start, "end_ts": end, "steps": [5], "alternatives": []})
            self.assertIn({"what": "memory", "switch": "profile_memory"}, missing)
            self.assertIn({"what": "l2_cache", "switch": "l2_cache"}, missing)
        tables = {name: count for name, count in found["tables"].items() if count}
        self.assertGreater(tables.pop("metadata"), 0)
        tables.pop("diagnostic", None)
        self.assertEqual(tables, {"rank": 2, "track": 10, "slice": 12, "counter": 6, "flow": 2, "step": 2, "name_stat": 12,
                                  "step_breakdown": 4, "comm_group": 1, "gap": 4, "parallel_group": 1, "finding": 1})

    def test_diagnostic_of_a_cut_file(self):
        found = info(os.path.join(GOLDEN, "interrupted", "capture"))
        self.assertEqual([{**entry, "message": ""} for entry in found["diagnostics"]], [{
            "severity": "lost", "code": "trace.unclosed", "count": 1, "place": "byte 235", "message": "",
            "file": "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"}])
        self.assertEqual(found["ranks"][0]["state"], "partial")

    def test_absent_values_are_null(self):
        rank = info(os.path.join(GOLDEN, "chrome_object", "capture"))["ranks"][0]
        self.assertEqual((rank["rank_id"], rank["device_id"], rank["host"]), (None, None, None))
        write(self.path("trace_view.json"), "[]")
        rank = self.check_form(self.folder)["ranks"][0]
        self.assertEqual((rank["start_ts"], rank["end_ts"]), (None, None))

    def test_capture_that_cannot_be_opened(self):
        done = run("info", self.path("nowhere"), "--json")
        self.assertEqual(done.returncode, FAILED)
        found = json.loads(done.stdout)
        self.assertEqual(list(found), KEYS)
        self.assertEqual((found["schema"], found["path"], found["state"], found["ranks"]),
                         (1, self.path("nowhere"), "failed", []))
        self.assertEqual([list(entry) for entry in found["diagnostics"]], [DIAGNOSTIC_KEYS])
        self.assertEqual(found["diagnostics"][0]["code"], "capture.missing")
        self.assertTrue(done.stderr.startswith("altiscope-cli: "))

    def test_folder_that_holds_no_readable_trace(self):
        write(self.path("trace_view.json"), "no JSON")
        done = run("info", self.folder, "--json")
        self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
        found = json.loads(done.stdout)
        self.assertEqual((list(found), found["state"]), (KEYS, "failed"))
        self.assertEqual(found["diagnostics"][0]["code"], "trace.not_json")

    def test_names_that_json_must_escape(self):
        folder = self.path('a "quoted"\tname\n训练')
        write(os.path.join(folder, "trace_view.json"), '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]')
        self.check_form(folder)
        # Names of files may be any bytes, JSON is UTF-8.
        odd = os.path.join(os.fsencode(self.folder), b"rank\xff")
        os.rename(folder, odd)
        self.assertEqual(json.loads(run("info", odd, "--json").stdout)["path"], self.folder + "/rank\ufffd")

    def test_window_is_the_range_that_was_read(self):
        whole = info(TWO_RANKS)
        self.assertIsNone(whole["window"])
        begin = whole["ranks"][0]["start_ts"]
        part = json.loads(result("info", TWO_RANKS, "--json", "--range", f"{begin}..{begin + 1000}"))
        self.assertEqual(part["window"], {"start_ts": begin, "end_ts": begin + 1000})
        self.assertLess(part["tables"]["slice"], whole["tables"]["slice"])

    @needs_captures
    def test_real_runs(self):
        for level in ("level0", "level1"):
            capture = os.path.join(TORCH_TEXT, level)
            before = tree_hash(capture)
            found = self.check_form(capture)
            self.assertEqual(found["state"], "ok")
            self.assertEqual([rank["rank_id"] for rank in found["ranks"]], [0, 1])
            expected = {"slices": 0, "counters": 0, "flows": 0}
            for rank in found["ranks"]:
                trace = os.path.join(capture, rank["path"], "ASCEND_PROFILER_OUTPUT", "trace_view.json")
                self.assertEqual((rank["start_ts"], rank["end_ts"]), time_span(trace))
                self.assertEqual(rank["steps"], [50])
                numbers = counted(trace)
                expected = {name: count + numbers[name] for name, count in expected.items()}
            tables = found["tables"]
            frames = rows(capture, "SELECT count(*) FROM slice JOIN track USING(track_id) WHERE kind = 'stack'")[0][0]
            self.assertEqual({"slices": tables["slice"] - frames, "counters": tables["counter"], "flows": tables["flow"]}, expected)
            self.assertEqual(tree_hash(capture), before)


class Text(CliTest):
    def test_what_people_look_for(self):
        text = result("info", TWO_RANKS)
        found = info(TWO_RANKS)
        lines = text.splitlines()
        self.assertEqual(lines[0], f"{TWO_RANKS}: ok, 2 ranks")
        self.assertIn("torch_npu 2.7.1", lines)
        self.assertIn("cann 8.3.RC1", lines)
        for rank in found["ranks"]:
            self.assertIn(f"rank {rank['rank_id']}, device {rank['device_id']}, host node-1: ok, torch text, {rank['path']}",
                          lines)
            self.assertIn(f"{rank['start_ts']} .. {rank['end_ts']} ns", text)
            for missing in rank["missing"]:
                self.assertIn(f"{missing['what']} (recorded with {missing['switch']})", text)
        for name, count in found["tables"].items():
            if count:
                self.assertRegex(text, rf"(?m)^  {name} +{count}$")
        for entry in found["diagnostics"]:
            self.assertIn(f"{entry['severity']} {entry['code']}, {entry['count']} x, {entry['file']}", text)
            self.assertIn(entry["message"], text)

    def test_names_cannot_command_a_terminal(self):
        folder = self.path("red\x1b[31m")
        write(os.path.join(folder, "trace_view.json"), "[]")
        for words in (["info", folder], ["info", self.path("nowhere\x1b[31m")]):
            done = run(*words)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
            self.assertIn("\\x1b[31m", done.stdout + done.stderr)

    def test_the_capture_stays_as_it_is(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            before = tree_hash(capture)
            run("info", capture)
            run("query", capture, "--sql", "SELECT * FROM slice")
            self.assertEqual(tree_hash(capture), before)


if __name__ == "__main__":
    sys.exit(unittest.main())
