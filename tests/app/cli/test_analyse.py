#!/usr/bin/env python3
"""altiscope-cli analyse: what it writes equals what the vendor's own engine wrote; folders, exit status, cancel."""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from support import CANCELLED, FAILED, OK, PARTIAL, SOURCE, WRONG_USAGE, CliTest, needs_captures, run, start, tree_hash, write

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


class Analyse(CliTest):
    def analysed(self, capture, *words, status=OK, **place):
        done = run("analyse", capture, "--json", *words, **place)
        self.assertEqual(done.returncode, status, done.stderr)
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
            for one in glob.glob(os.path.join(prof, "device_0", "data", "stars*")):
                os.remove(one)
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

    def test_nothing_to_analyse(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("analyse", folder, "--out", os.path.join(folder, "out"))
            self.assert_message(done, FAILED, "no raw data")
            self.assertEqual(os.listdir(folder), [])

    @needs_captures
    def test_words_of_the_vendors_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            done = run("analyse", "--profiler-path", raw("small"), "--max-process-number", "2", "--export-type", "text", "--out", out)
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn("done", done.stdout)
            self.assertEqual(len(os.listdir(out)), 1)

    def test_wrong_usage(self):
        for words in ((), ("a", "b"), ("a", "--export-type", "pdf"), ("a", "--out", "x", "--in-place"),
                      ("a", "--max-process-number", "0"), ("a", "--profiler-path", "b")):
            with self.subTest(words):
                self.assertEqual(run("analyse", *words).returncode, WRONG_USAGE)

    @needs_captures
    def test_cancel_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            parent, out = os.path.join(folder, "runs"), os.path.join(folder, "out")
            for number in range(40):
                copied(parent, "small", f"run{number}")
            process = start("analyse", parent, "--out", out, "--jobs", "1", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            if process.returncode == OK:
                self.assertEqual(len(os.listdir(out)), 40)
                return
            self.assertEqual(process.returncode, CANCELLED)
            # Whole captures or nothing.
            for one in os.listdir(out) if os.path.exists(out) else []:
                self.assertEqual(len(glob.glob(os.path.join(out, one, "*", "*"))), 8, one)


if __name__ == "__main__":
    unittest.main()
