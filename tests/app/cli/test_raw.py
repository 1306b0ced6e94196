#!/usr/bin/env python3
"""Raw data against what the vendor's own engine makes of it: slices, flows and kernels; cut slices and truncated tails."""

import csv
import glob
import json
import os
import shutil
import tempfile
import unittest
from collections import Counter
from decimal import Decimal

from support import CliTest, needs_captures, run

RAW = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw")
READ = ("CANN", "Ascend Hardware")
LISTS = ("Input Shapes", "Input Data Types", "Input Formats", "Output Shapes", "Output Data Types", "Output Formats")


def ns(microseconds):
    return int((Decimal(str(microseconds)) * 1000).to_integral_value())


def query(capture, sql):
    done = run("query", capture, "--no-cache", "--sql", sql, "--format", "json")
    assert done.returncode == 0, done.stderr
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def codes(capture):
    found = json.loads(run("info", capture, "--no-cache", "--json").stdout)["diagnostics"]
    return {(one["code"], one["count"]) for one in found}


class Expected:
    """What the vendor wrote, read without any code of ours."""

    def __init__(self, name):
        folder = os.path.join(RAW, name, "expected")
        texts = glob.glob(os.path.join(folder, "*", "msprof_*.json")) + glob.glob(os.path.join(folder, "*", "trace_view.json"))
        with open(texts[0], encoding="utf-8") as file:
            events = json.load(file, parse_float=Decimal)
        processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        self.slices = Counter()
        at = {}
        for e in events:
            if e["ph"] != "X" or processes[e["pid"]] not in READ:
                continue
            self.slices[(processes[e["pid"]], threads[e["pid"], e["tid"]], e["name"], ns(e["ts"]), ns(e["dur"]))] += 1
            at[(e["pid"], e["tid"], e["ts"])] = (e["name"], ns(e["ts"]))
        place = {"s": {}, "f": {}}
        for e in events:
            if e["ph"] in "sf" and e.get("cat") == "HostToDevice" and processes[e["pid"]] in READ:
                place[e["ph"]].setdefault(e["id"], []).append(at[e["pid"], e["tid"], e["ts"]])
        self.flows = Counter(place["s"][i][0] + end for i, ends in place["f"].items() if i in place["s"] for end in ends)
        tables = glob.glob(os.path.join(folder, "*", "op_summary_*.csv")) + glob.glob(os.path.join(folder, "*", "kernel_details.csv"))
        with open(tables[0], encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.kernels = Counter()
        for row in rows:
            def cell(*names):
                text = next(row[n] for n in names if n in row).strip().strip('"')
                return None if text == "N/A" else text
            if cell("Task Type", "Accelerator Core") == "COMMUNICATION":
                continue
            self.kernels[(cell("Op Name", "Name"), cell("OP Type", "Type"), cell("Task Type", "Accelerator Core"), int(cell("Stream ID")),
                          ns(cell("Task Start Time(us)", "Start Time(us)")), ns(cell("Task Duration(us)", "Duration(us)")),
                          int(cell("Block Num"))) + tuple(cell(n) for n in LISTS)] += 1


def shown(capture):
    slices = query(capture, "SELECT t.process, t.thread, s.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id)")
    flows = query(capture, "SELECT a.name AS a, a.ts AS b, z.name AS c, z.ts AS d FROM flow f JOIN slice a ON a.slice_id = f.from_slice "
                           "JOIN slice z ON z.slice_id = f.to_slice WHERE f.category = 'HostToDevice'")
    kernels = query(capture, "SELECT name, type, accelerator_core, stream, ts, dur, block_num, input_shapes, input_types, input_formats, "
                             "output_shapes, output_types, output_formats FROM kernel WHERE kind = 'compute'")
    return Counter(slices), Counter(flows), Counter(kernels)


class Raw(CliTest):
    def check(self, capture, expected):
        slices, flows, kernels = shown(capture)
        for found, wanted in ((slices, expected.slices), (flows, expected.flows), (kernels, expected.kernels)):
            self.assertEqual((list(found - wanted)[:3], list(wanted - found)[:3]), ([], []))
        self.assertGreater(len(slices), 0)

    @needs_captures
    def test_as_the_vendor(self):
        for name in ("small", "flip_ffts", "torch"):
            with self.subTest(name):
                self.check(os.path.join(RAW, name, "input"), Expected(name))

    def copied(self, folder, name):
        capture = os.path.join(folder, "input")
        shutil.copytree(os.path.join(RAW, name, "input"), capture)
        for path, folders, files in os.walk(capture):
            for one in folders + files:
                os.chmod(os.path.join(path, one), 0o755)
        os.chmod(capture, 0o755)
        return capture

    @needs_captures
    def test_records_over_the_borders_of_slices(self):
        for cut in (1, 17, 63, 100, 321):
            with tempfile.TemporaryDirectory() as folder, self.subTest(cut):
                capture = self.copied(folder, "small")
                for path in glob.glob(os.path.join(capture, "PROF*", "*", "data", "*.slice_0")):
                    if "stars_soc" not in path and "compact" not in path and "api_event" not in path:
                        continue
                    with open(path, "rb") as file:
                        whole = file.read()
                    for number, part in enumerate((whole[:cut], whole[cut:cut * 2], whole[cut * 2:])):
                        with open(path[:-1] + str(number), "wb") as file:
                            file.write(part)
                self.check(capture, Expected("small"))

    @needs_captures
    def test_a_tail_that_is_cut_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            path = glob.glob(os.path.join(capture, "PROF*", "device_0", "data", "stars_soc.data.0.slice_0"))[0]
            os.truncate(path, os.path.getsize(path) - 30)
            self.assertLessEqual({("raw.cut", 1), ("raw.unpaired", 1)}, codes(capture))

    @needs_captures
    def test_marks_and_slices_that_are_lost_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "flip_ffts")
            data = glob.glob(os.path.join(capture, "PROF*", "device_0", "data"))[0]
            os.remove(os.path.join(data, "stars_soc.data.0.slice_0"))
            with open(os.path.join(data, "stars_soc.data.0.slice_1"), "r+b") as file:
                file.seek(66)
                file.write(b"\0\0")
            self.assertLessEqual({("raw.slice_missing", 1), ("raw.bad_record", 1)}, codes(capture))

    @needs_captures
    def test_what_is_not_read_is_named(self):
        found = {code for code, _ in codes(os.path.join(RAW, "torch", "input"))}
        self.assertLessEqual({"raw.read", "raw.not_read", "raw.no_collectives"}, found)


if __name__ == "__main__":
    unittest.main()
