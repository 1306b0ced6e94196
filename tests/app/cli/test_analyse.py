#!/usr/bin/env python3
"""altiscope-cli analyse: what it writes equals what the vendor's own engine wrote; folders, exit status, cancel."""

import glob
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from support import CANCELLED, FAILED, OK, PARTIAL, PATIENCE, SOURCE, WRONG_USAGE, CliTest, check_schema, needs_captures, run, start, tree_hash, write

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from compare_deliverables import compare  # noqa: E402

RAW = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw")
PROF = "PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP"


def raw(name):
    return os.path.join(RAW, name, "input")


def copied(folder, name, called="input"):
    capture = os.path.join(folder, called)
    shutil.copytree(raw(name), capture)
    for path, folders, files in os.walk(capture):
        for one in folders + files:
            os.chmod(os.path.join(path, one), 0o755)
    os.chmod(capture, 0o755)
    return capture


def tlv(kind, value):
    return struct.pack("<HI", kind, len(value)) + value


def made_up(parent, name="host_1_20260101000000000_ascend_pt", operators=20):
    """A rank of PyTorch without devices: what the framework recorded, and its clock. Ticks of 10 ns."""
    rank = os.path.join(parent, name)
    records = b"".join(tlv(1, struct.pack("<QQqQQQQ2x", 5_000_000 + i * 100, 5_000_050 + i * 100, -1, 1, 1, 1, 0) +
                           tlv(2, f"aten::add{i}".encode())) for i in range(operators))
    write(os.path.join(rank, "FRAMEWORK", "torch.op_range"), records)
    write(os.path.join(rank, "profiler_info_0.json"), json.dumps({
        "config": {"common_config": {}, "experimental_config": {"_profiler_level": "Level1"}}, "rank_id": 0,
        "start_info": {"syscnt_enable": True, "freq": 100.0, "start_cnt": 5_000_000, "start_monotonic": 1_000_000_000_000},
        "end_info": {"collectionTimeEnd": 1_767_225_601_000_000_000, "MonotonicTimeEnd": 1_001_000_000_000}}))
    return rank


class Analyse(CliTest):
    def analysis(self, capture, *words, status=OK):
        done = run("analyse", capture, "--json", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        check_schema(self, "analyse", done.stdout)
        return json.loads(done.stdout), done.stderr

    def analysed(self, capture, *words, status=OK, **place):
        done = run("analyse", capture, "--json", *words, **place)
        self.assertEqual(done.returncode, status, done.stderr)
        check_schema(self, "analyse", done.stdout)
        return json.loads(done.stdout)["captures"]

    @needs_captures
    def test_equals_what_the_vendor_wrote(self):
        for name in ("small", "flip_ffts", "torch"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                (one,) = self.analysed(raw(name), "--out", out)
                self.assertEqual((one["state"], one["reason"]), ("done", None))
                made = os.path.join(out, os.listdir(out)[0])
                self.assertEqual(made, one["folder"])
                results = compare(os.path.join(RAW, name, "expected"), made)
                self.assertGreater(len(results), 5)
                self.assertEqual({file: found[:3] for file, found in results.items() if found}, {})
                self.assertEqual(sorted(one["files"]), sorted(os.path.relpath(path, made) for path in
                                                              glob.glob(os.path.join(made, "*", "*"))))

    @needs_captures
    def test_databases_equal_what_the_vendor_wrote(self):
        for name in ("small", "flip_ffts"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                (one,) = self.analysed(raw(name), "--out", os.path.join(folder, "out"), "--export-type", "db")
                self.assertEqual((one["state"], one["reason"]), ("done", None))
                results = compare(os.path.join(RAW, name, "expected"), one["folder"])
                self.assertEqual(sorted(results), ["analyze/communication_analyzer.db", "msprof.db"])
                self.assertEqual({file: found[:3] for file, found in results.items() if found}, {})

    @needs_captures
    def test_what_it_writes_opens_like_the_raw_data(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            self.analysed(raw("torch"), "--out", out)
            sql = "SELECT t.process, s.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id) WHERE t.origin = 'recorded' ORDER BY 1, 3, 2, 4"
            first, second = (run("query", one, "--no-cache", "--sql", sql, "--format", "csv").stdout for one in (raw("torch"), out))
            self.assertGreater(first.count("\n"), 100)
            self.assertEqual(first, second)

    @needs_captures
    def test_many_captures_of_which_one_is_broken(self):
        with tempfile.TemporaryDirectory() as folder:
            parent, out = os.path.join(folder, "runs"), os.path.join(folder, "out")
            for host in ("a", "b"):
                copied(os.path.join(parent, host), "small")
            broken = copied(os.path.join(parent, "c"), "small")
            prof = glob.glob(os.path.join(broken, "PROF*"))[0]
            shutil.rmtree(os.path.join(prof, "host"))
            shutil.rmtree(os.path.join(prof, "device_0", "data"))
            captures = self.analysed(parent, "--out", out, "--jobs", "2", status=FAILED)
            self.assertEqual([one["state"] for one in captures], ["done", "done", "failed"])
            self.assertTrue(captures[2]["reason"])
            self.assertEqual(len(os.listdir(out)), 2)
            self.assertEqual({len(one["files"]) for one in captures[:2]}, {8})

    @needs_captures
    def test_lost_data_makes_it_partial(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = copied(folder, "small")
            path = glob.glob(os.path.join(capture, "PROF*", "device_0", "data", "stars_soc.data.0.slice_0"))[0]
            os.truncate(path, os.path.getsize(path) - 30)
            (one,) = self.analysed(capture, "--out", os.path.join(folder, "out"))
            self.assertEqual(one["state"], "partial")
            self.assertIn("raw.cut", one["reason"])
            self.analysed(capture, "--out", os.path.join(folder, "again"), "--strict", status=PARTIAL)

    @needs_captures
    def test_in_place_overwrites_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = copied(folder, "torch")
            before = {path for path, _, _ in os.walk(capture)}
            (one,) = self.analysed(capture, "--in-place")
            made = {path for path, _, _ in os.walk(capture)} - before
            self.assertEqual({os.path.basename(path) for path in made}, {"ASCEND_PROFILER_OUTPUT"})
            self.assertEqual(os.path.dirname(made.pop()), one["folder"])
            after = tree_hash(capture)
            (again,) = self.analysed(capture, "--in-place", status=FAILED)
            self.assertIn("overwritten", again["reason"])
            self.assertEqual(tree_hash(capture), after)

    @needs_captures
    def test_the_folder_must_be_empty_and_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            capture, out = copied(folder, "small"), os.path.join(folder, "out")
            os.mkdir(out)
            with open(os.path.join(out, "file"), "w", encoding="utf-8"):
                pass
            before = tree_hash(capture)
            for place in (out, os.path.join(capture, "out"), os.path.join(capture, os.listdir(capture)[0], "out")):
                self.assertEqual(run("analyse", capture, "--out", place).returncode, FAILED, place)
            self.assertEqual(os.listdir(out), ["file"])
            self.assertEqual(tree_hash(capture), before)

    def test_default_folder_of_a_PROF_folder_is_no_capture(self):
        """Its name began as that of raw data does, so that nothing was written without --out."""
        with tempfile.TemporaryDirectory() as folder:
            runs, here = os.path.join(folder, "runs"), os.path.join(folder, "here")
            os.mkdir(here)
            for name, default in ((PROF, "analysed_" + PROF), ("run_ascend_pt", "run_ascend_pt_analysed")):
                with self.subTest(name):
                    prof = os.path.join(runs, name, *([] if name == PROF else [PROF]))
                    os.makedirs(os.path.join(prof, "host"))
                    # The message about a folder that is in use names it.
                    write(os.path.join(here, default, "file"), "")
                    done = run("analyse", os.path.join(runs, name), cwd=here)
                    self.assert_message(done, FAILED, default, "not an empty folder")
                    shutil.rmtree(os.path.join(here, default))
                    (one,) = self.analysed(os.path.join(runs, name), status=FAILED, cwd=here)
                    self.assertEqual(one["path"], ".")
                    self.assertEqual(os.listdir(here), [])

    @needs_captures
    def test_default_folder_is_in_the_current_one(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.listdir(raw("small"))[0]
            (one,) = self.analysed(os.path.join(raw("small"), name), cwd=folder)
            self.assertEqual(one["state"], "done")
            self.assertEqual(os.listdir(folder), ["analysed_" + name])

    def test_made_up_rank(self):
        rank, out = made_up(self.path("run")), self.path("out")
        before = tree_hash(rank)
        (one,) = self.analysed(rank, "--out", out)
        self.assertEqual((one["state"], one["reason"], one["path"]), ("done", None, "."))
        self.assertIn("ASCEND_PROFILER_OUTPUT/trace_view.json", one["files"])
        self.assertEqual(sorted(os.listdir(os.path.join(one["folder"], "ASCEND_PROFILER_OUTPUT"))),
                         sorted(os.path.basename(file) for file in one["files"]))
        with open(os.path.join(one["folder"], "ASCEND_PROFILER_OUTPUT", "trace_view.json"), encoding="utf-8") as file:
            self.assertEqual(sum(event.get("name", "").startswith("aten::add") for event in json.load(file)), 20)
        self.assertEqual(tree_hash(rank), before)

    def test_cut_file_of_a_made_up_rank_is_partial(self):
        rank = made_up(self.path("run"))
        path = os.path.join(rank, "FRAMEWORK", "torch.op_range")
        os.truncate(path, os.path.getsize(path) - 3)
        (one,) = self.analysed(rank, "--out", self.path("out"))
        self.assertEqual(one["state"], "partial")
        self.assertIn("raw.cut", one["reason"])
        self.analysed(rank, "--out", self.path("again"), "--strict", status=PARTIAL)

    def test_arguments_that_are_absent_above_a_size_make_it_partial(self):
        rank = made_up(self.path("run"))
        # Without blocks on the disk; not read, but part of the size.
        with open(os.path.join(rank, "FRAMEWORK", "torch.other"), "wb") as file:
            file.truncate((2 << 30) + 1)
        (one,) = self.analysed(rank, "--out", self.path("out"))
        self.assertEqual(one["state"], "partial")
        self.assertIn("raw_analysis.no_arguments (1)", one["reason"])

    def test_made_up_rank_in_place_and_once_more_elsewhere(self):
        """What the first analysis wrote was taken for the data, of which there was no raw data then."""
        rank, outs = made_up(self.path("run")), [self.path("first"), self.path("second")]
        before = set(os.listdir(rank))
        self.analysed(rank, "--out", outs[0])
        self.analysed(rank, "--in-place")
        self.assertEqual(set(os.listdir(rank)) - before, {"ASCEND_PROFILER_OUTPUT"})
        after = tree_hash(rank)
        (again,) = self.analysed(rank, "--in-place", status=FAILED)
        self.assertIn("overwritten", again["reason"])
        (one,) = self.analysed(rank, "--out", outs[1])
        self.assertEqual(one["state"], "done")
        self.assertEqual(tree_hash(rank), after)
        made = [os.path.join(out, os.path.basename(rank), "ASCEND_PROFILER_OUTPUT") for out in outs]
        made.append(os.path.join(rank, "ASCEND_PROFILER_OUTPUT"))
        for other in made[1:]:
            self.assertEqual(sorted(os.listdir(made[0])), sorted(os.listdir(other)))
            for name in os.listdir(other):
                with open(os.path.join(made[0], name), "rb") as wanted, open(os.path.join(other, name), "rb") as found:
                    self.assertEqual(wanted.read(), found.read(), name)

    @needs_captures
    def test_PROF_folder_analysed_in_place_is_analysed_once_more(self):
        capture = copied(self.folder, "small")
        prof = os.path.join(capture, os.listdir(capture)[0])
        self.analysed(prof, "--in-place")
        (one,) = self.analysed(prof, "--out", self.path("out"))
        self.assertEqual(one["state"], "done")
        self.assertEqual({file: found[:3] for file, found in compare(os.path.join(RAW, "small", "expected"), one["folder"]).items()
                          if found}, {})

    def test_failure_leaves_no_folders_around_out(self):
        os.makedirs(self.path("runs", PROF, "host"))
        os.mkdir(self.path("deep"))
        for out in (self.path("deep", "a", "b", "c"), self.path("deep", "a", "b", "")):
            (one,) = self.analysed(self.path("runs"), "--out", out, status=FAILED)
            self.assertEqual(one["state"], "failed")
            self.assertEqual(os.listdir(self.path("deep")), [])

    def test_captures_far_below_are_found(self):
        made_up(self.path("runs", "x"))
        made_up(self.path("runs", *"1234567"))
        captures = self.analysed(self.path("runs"), "--out", self.path("out"))
        self.assertEqual([os.path.dirname(one["path"]) for one in captures], ["1/2/3/4/5/6/7", "x"])
        self.assertEqual({one["state"] for one in captures}, {"done"})

    def test_search_that_ends_early_is_reported(self):
        made_up(self.path("runs", "x"))
        os.makedirs(self.path("runs", *["d"] * 80))
        found, said = self.analysis(self.path("runs"), "--out", self.path("out"))
        self.assertEqual([one["state"] for one in found["captures"]], ["done"])
        self.assertEqual(len(found["lost"]), 1)
        self.assertIn("64 levels", found["lost"][0])
        self.assertIn(found["lost"][0], said)
        self.analysis(self.path("runs"), "--out", self.path("again"), "--strict", status=PARTIAL)
        self.assert_message(run("analyse", self.path("runs", "d"), "--out", self.path("none")), FAILED, "64 levels")

    def test_nothing_to_analyse(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("analyse", folder, "--out", os.path.join(folder, "out"))
            self.assert_message(done, FAILED, "no raw data")
            self.assertEqual(os.listdir(folder), [])

    def test_a_folder_that_is_not_there(self):
        done = run("analyse", self.path("nowhere"))
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assertIn("nowhere does not exist", done.stderr)

    @needs_captures
    def test_words_of_the_vendors_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            done = run("analyse", "--profiler-path", raw("small"), "--max-process-number", "2", "--export-type", "text", "--out", out)
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn("done", done.stdout)
            self.assertEqual(len(os.listdir(out)), 1)

    def test_an_archive_is_called_a_file_not_a_folder_without_rights(self):
        write(self.path("run.zip"), b"PK\x05\x06" + bytes(18))
        done = run("analyse", self.path("run.zip"))
        self.assertEqual(done.returncode, WRONG_USAGE)
        self.assertIn("unpacked", done.stderr)

    def test_wrong_usage(self):
        for words in ((), ("a", "b"), ("a", "--export-type", "pdf"), ("a", "--out", "x", "--in-place"),
                      ("a", "--max-process-number", "0"), ("a", "--profiler-path", "b")):
            with self.subTest(words):
                self.assertEqual(run("analyse", *words).returncode, WRONG_USAGE)

    def test_cancel_leaves_nothing(self):
        """With more captures where the program was done before the signal came."""
        (whole,) = self.analysed(made_up(self.path("one")), "--out", self.path("whole"))
        for count in (30, 120, 480, 480, 480):
            place = tempfile.mkdtemp(dir=self.folder)
            parent, out = os.path.join(place, "runs"), os.path.join(place, "out", "below")
            for number in range(count):
                made_up(parent, f"run{number}_ascend_pt", operators=500)
            process = start("analyse", parent, "--out", out, "--jobs", "1", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.send_signal(signal.SIGINT)
            text = process.communicate(timeout=PATIENCE)[0].decode()
            # Whole captures or nothing.
            made = os.listdir(out) if os.path.exists(out) else []
            for one in made:
                self.assertEqual(len(os.listdir(os.path.join(out, one, "ASCEND_PROFILER_OUTPUT"))), len(whole["files"]), one)
            if process.returncode == CANCELLED:
                self.assertLess(len(made), count)
                self.assertEqual(os.path.exists(os.path.dirname(out)), bool(made))
                # What is there is said, beside what is not.
                states = [line.split()[1] for line in text.splitlines()[1:]]
                self.assertEqual(states.count("done") + states.count("partial"), len(made))
                if made:
                    self.assertEqual(states.count("cancelled"), count - len(made))
                return
            self.assertEqual((process.returncode, len(made)), (OK, count))
        self.fail("never cancelled in time")

    def test_killed_analysis_leaves_nothing_for_ever(self):
        """In place and below --out: the next analysis takes away what a killed one left, and says so."""
        for where in ("capture", "out"):
            rank, out = made_up(self.path(where), operators=20000), self.path(where, "made")
            words = ("--in-place",) if where == "capture" else ("--out", out)
            parent = rank if where == "capture" else out

            def left():
                return [name for name in (os.listdir(parent) if os.path.isdir(parent) else ())
                        if name.startswith(".altiscope-scratch-")]

            for _ in range(20):
                process = start("analyse", rank, *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                while process.poll() is None and not left():
                    time.sleep(0.001)
                process.kill()
                process.communicate(timeout=PATIENCE)
                if left():
                    break
                shutil.rmtree(out if where == "out" else os.path.join(rank, "ASCEND_PROFILER_OUTPUT"), ignore_errors=True)
            self.assertEqual(len(left()), 1)
            if where == "capture":
                seen = run("info", rank, "--json", "--diagnostics")
                self.assertIn("scan.left_over", seen.stdout)
            found = run("analyse", rank, *words)
            self.assertEqual(found.returncode, OK, found.stderr)
            self.assertIn("an analysis that was killed had left it there", found.stderr)
            self.assertEqual(left(), [])
            self.assertNotIn("killed", run("analyse", rank, "--out", self.path(where, "again")).stderr)


if __name__ == "__main__":
    unittest.main()
