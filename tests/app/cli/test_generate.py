#!/usr/bin/env python3
"""`generate`: the same options give the same bytes, and what was written is what comes out again (resources/help/reference/command-line.md)."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from support import (CANCELLED, FAILED, PATIENCE, WRONG_USAGE, CliTest, counted, info, result, rows, run, start, write)

RANK_FILES = {"trace_view.json", "kernel_details.csv", "operator_details.csv", "op_statistic.csv", "api_statistic.csv",
              "step_trace_time.csv", "memory_record.csv", "operator_memory.csv", "npu_module_mem.csv", "communication.json",
              "communication_matrix.json"}
SMALL = ("--ranks", "2", "--steps", "1", "--layers", "1")


def contents(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Generate(CliTest):
    def generate(self, name, *words):
        result("generate", self.path(name), *words)
        return self.path(name)

    def test_same_options_same_bytes(self):
        words = ("--ranks", "3", "--steps", "2", "--layers", "1", "--seed", "7")
        first = contents(self.generate("first", *words))
        self.assertEqual(contents(self.generate("again", *words, "--jobs", "1")), first)
        os.mkdir(self.path("empty"))
        self.assertEqual(contents(self.generate("empty", "--jobs=3", *words)), first)

    def test_another_seed_is_another_run(self):
        first = contents(self.generate("first", *SMALL, "--seed", "7"))
        other = contents(self.generate("other", *SMALL, "--seed", "8"))
        self.assertEqual(sorted(other), sorted(first))
        for name in first:
            if name.endswith(("trace_view.json", "kernel_details.csv", "truth.json")):
                self.assertNotEqual(other[name], first[name], name)

    def test_layout(self):
        expected = {"truth.json"}
        for rank in range(3):
            folder = f"rank{rank}_ascend_pt"
            expected |= {f"{folder}/profiler_info_{rank}.json", f"{folder}/profiler_metadata.json"}
            expected |= {f"{folder}/ASCEND_PROFILER_OUTPUT/{name}" for name in RANK_FILES}
        files = contents(self.generate("run", "--ranks", "3", "--steps=1", "--layers=1", "--format", "text"))
        self.assertEqual(set(files), expected)
        for name, data in files.items():
            if name.endswith(".json"):
                json.loads(data)

    def test_what_was_written_comes_out_again(self):
        words = ["--ranks", "2", "--steps", "3", "--layers", "2"]
        capture = self.generate("run", *words)
        with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
            truth = json.load(file)
        self.assertEqual(list(truth), ["schema", "args", "ranks", "links", "plants"])
        self.assertEqual((truth["schema"], truth["args"], truth["plants"]), (1, words, []))
        found = info(capture)
        self.assertEqual((found["state"], len(found["ranks"])), ("ok", 2))
        self.assertEqual({entry["severity"] for entry in found["diagnostics"]} - {"info"}, set())
        for said, rank in zip(truth["ranks"], found["ranks"], strict=True):
            number = said["rank_id"]
            self.assertEqual((rank["rank_id"], rank["path"]), (number, f"rank{number}_ascend_pt"))
            self.assertEqual(rank["steps"], [step["step"] for step in said["steps"]])
            self.assertEqual(
                rows(capture, f"""SELECT process, thread, count(*), sum(dur) FROM slice JOIN track USING(track_id)
                                  WHERE track.rank_id = {number} AND origin = 'recorded' GROUP BY 1, 2 ORDER BY 1, 2"""),
                sorted((track["process"], track["thread"], track["slices"], track["dur"]) for track in said["tracks"]))
            self.assertEqual(rows(capture, f"SELECT count(*) FROM counter WHERE rank_id = {number}"), [(said["counters"],)])
            self.assertEqual(rows(capture, f"""SELECT count(*) FROM flow JOIN slice ON slice_id = coalesce(to_slice, from_slice)
                                               WHERE rank_id = {number}"""), [(said["flows"],)])
            self.assertEqual(rows(capture, f"SELECT step, start_ts, end_ts FROM step WHERE rank_id = {number} ORDER BY step"),
                             [(step["step"], step["start_ts"], step["end_ts"]) for step in said["steps"]])
            # The overlap lanes of the timeline are what the steps say.
            lanes = dict(rows(capture, f"""SELECT thread, sum(dur) FROM slice JOIN track USING(track_id) WHERE process =
                'Overlap Analysis' AND track.rank_id = {number} GROUP BY 1"""))
            for lane, key in (("Computing", "computing"), ("Communication", "communication"),
                              ("Communication(Not Overlapped)", "not_overlapped"), ("Free", "free")):
                self.assertEqual(lanes[lane], sum(step[key] for step in said["steps"]), lane)
            # The truth is not only told by the program itself.
            independent = counted(os.path.join(capture, rank["path"], "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
            self.assertEqual(independent["slices"], sum(track["slices"] for track in said["tracks"]))
            self.assertEqual(sum(independent["dur"].values()), sum(track["dur"] for track in said["tracks"]))
            self.assertEqual((independent["counters"], independent["flows"]), (said["counters"], said["flows"]))

    def test_size(self):
        for number, (words, size) in enumerate(((["--size", "3M"], 3_000_000), (["--size=1500000"], 1_500_000),
                                                (["--size", "4M", "--layers", "2"], 4_000_000))):
            with self.subTest(words=words):
                files = contents(self.generate(f"sized{number}", "--ranks", "1", *words))
                written = sum(len(data) for name, data in files.items() if name != "truth.json")
                self.assertTrue(0.75 * size < written < 1.25 * size, written)

    def test_result(self):
        folder = self.path("run")
        told = json.loads(result("generate", folder, *SMALL, "--json"))
        written = sum(map(len, contents(folder).values()))
        self.assertEqual(told, {"path": folder, "ranks": 2, "steps": 1, "layers": 1, "bytes": written})
        self.assertEqual(result("generate", folder + "2", *SMALL),
                         f"{folder}2: ranks 2, steps 1, layers 1, {written / 1e6:.1f} MB\n")


class Refused(CliTest):
    def test_a_folder_with_something_in_it_is_left_alone(self):
        keep = write(self.path("full", "keep.txt"), "mine")
        self.assert_message(run("generate", os.path.dirname(keep)), FAILED, self.path("full"), "not empty")
        self.assertEqual(contents(self.path("full")), {"keep.txt": b"mine"})

    def test_a_place_that_cannot_be_written(self):
        file = write(self.path("file"), "")
        self.assert_message(run("generate", file), FAILED, file)
        self.assert_message(run("generate", os.path.join(file, "new")), FAILED, "new")

    def test_faults_that_cannot_be_planted(self):
        for plant in ("slow-rank", "slow-rank=9", "slow-rank=0:-5", "slow-link=0", "slow-link=0-0", "leak=much", "gc-pause",
                      "frequency-drop=100", "no-such-fault"):
            with self.subTest(plant=plant):
                done = run("generate", self.path("new"), "--ranks", "2", "--plant", plant)
                self.assertEqual((done.returncode, done.stdout), (WRONG_USAGE, ""), done.stderr)
                self.assertIn(plant, done.stderr)
        self.assertFalse(os.path.exists(self.path("new")))


class Interrupted(CliTest):
    def test_nothing_is_left_behind(self):
        folder = self.path("run")
        process = start("generate", folder, "--ranks", "2", "--size", "2G", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process:
            deadline = time.monotonic() + PATIENCE
            while not os.path.isdir(folder) and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            out, message = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out, message), (CANCELLED, b"", b""))
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    sys.exit(unittest.main())
