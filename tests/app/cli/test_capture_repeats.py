#!/usr/bin/env python3
"""`capture start --repeat` and `--slower-than`: captures of a running job again and again, or once a step was slow."""

import json
import os
import signal
import sys
import time
import unittest

from capture_support import CaptureTest, read, until
from support import CANCELLED, FAILED, WRONG_USAGE, info


class Repeats(CaptureTest):
    def setUp(self):
        super().setUp()
        self.file = self.config()
        self.before = self.state_of(self.file)

    def words(self, *more):
        return ("start", "torch-dynamic", "--target", self.TARGET, "--file", self.file, "--workdir", self.work, "--set", "start_step=-1",
                "--set", f"prof_dir={self.path('out')}", "--set", "active=2", "--set", "analyse=true", *more)

    def listed(self):
        return json.loads(self.capture("list", "--json"))

    def test_three_times_with_pauses(self):
        self.job("dynprof", "--config", os.path.dirname(self.file))
        begin = time.monotonic()
        out, errors = self.end(self.begin(*self.words("--repeat", "3", "--pause", "2", "--fetch", self.path("fetched"))), 0)
        self.assertGreater(time.monotonic() - begin, 4)
        ids = out.split()
        self.assertEqual(len(set(ids)), 3)
        self.assertEqual(errors.count("may start in 2 s"), 2)
        self.assertEqual([(one["id"], one["state"]) for one in self.listed()], [(one, "done") for one in reversed(ids)])
        self.assertEqual(sorted(os.listdir(self.path("fetched"))), sorted(ids))
        for one in ids:  # each has its own result, not that of another
            self.assertEqual(len(os.listdir(self.path("fetched", one, self.PLACE))), 1)
            self.assertEqual(len(info(self.path("fetched", one))["ranks"]), 1)
        self.assertEqual(len({os.listdir(self.path("fetched", one, self.PLACE))[0] for one in ids}), 3)
        self.assertEqual(self.state_of(self.file), self.before)

    def test_once_a_step_is_slow(self):
        """Steps that were slow before do not count; the capture begins after the first slow one from now on."""
        self.job("dynprof", "--config", os.path.dirname(self.file), "--slow-every", "150", "--slow-ms", "400", "--step-ms", "20")
        until(lambda: b"(ms): 400.0" in read(os.path.join(self.work, "job.log")), "a slow step")
        start = self.begin(*self.words("--slower-than", "300", "--step-log", "job.log", "--repeat", "2", "--pause", "2"))
        until(lambda: "Waiting until a step" in start.stderr.readline(), "the waiting")
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.state_of(self.file), self.before)
        out, errors = self.end(start, 0)
        self.assertEqual(len(out.split()), 2)
        self.assertEqual(errors.count("took 400 ms"), 2)

    def test_no_step_is_slow(self):
        """It waits, changes nothing, and ends when the user wants that."""
        self.job("dynprof", "--config", os.path.dirname(self.file), "--slow-every", "10", "--slow-ms", "100")
        start = self.begin(*self.words("--slower-than", "300", "--step-log", "job.log"))
        until(lambda: "Waiting until a step" in start.stderr.readline(), "the waiting")
        time.sleep(2.5)
        self.assertIsNone(start.poll())
        start.send_signal(signal.SIGINT)
        begin = time.monotonic()
        self.end(start, CANCELLED)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.state_of(self.file), self.before)

    def test_interrupted_between_and_while_it_records(self):
        self.job("dynprof", "--config", os.path.dirname(self.file))
        start = self.begin(*self.words("--repeat", "1000", "--pause", "600"))
        until(lambda: "may start in 600 s" in start.stderr.readline(), "the pause")
        start.send_signal(signal.SIGINT)
        self.end(start, CANCELLED)
        self.assertEqual([one["state"] for one in self.listed()], ["done"])
        start = self.begin(*self.words("--repeat", "1000", "--pause", "2", "--set", "active=100000"))
        until(lambda: "recording" in start.stderr.readline(), "the recording")
        start.send_signal(signal.SIGINT)
        self.end(start, CANCELLED)
        self.assertEqual([one["state"] for one in self.listed()], ["cancelled", "done"])
        self.assertEqual(self.state_of(self.file), self.before)

    def test_the_first_failure_ends_it(self):
        self.job("dynprof", "--config", os.path.dirname(self.file), "--fault", "parse-error")
        _, errors = self.end(self.begin(*self.words("--repeat", "3", "--pause", "2")), FAILED)
        self.assertIn("remaining 2", errors)
        self.assertEqual(len(self.listed()), 1)

    def test_log_that_is_begun_anew(self):
        """As after a rotation: what it has then is new; a line without its end is not read by half."""
        log = os.path.join(self.work, "steps.log")
        line = "per step time: 900.5 ms\n"
        with open(log, "w", encoding="utf-8") as file:
            file.write(line * 1000)
        self.job("dynprof", "--config", os.path.dirname(self.file))
        start = self.begin(*self.words("--slower-than", "300", "--step-log", "steps.log"))
        until(lambda: "Waiting until a step" in start.stderr.readline(), "the waiting")
        os.remove(log)
        until(lambda: "was not found" in start.stderr.readline(), "the message")
        with open(log, "w", encoding="utf-8") as file:
            file.write("x\0\x1b[2J\nper step time: 299 ms\nper step time: 9")
        time.sleep(2.5)
        self.assertEqual(self.listed(), [])
        with open(log, "a", encoding="utf-8") as file:
            file.write("00.5 ms\n")
        _, errors = self.end(start, 0)
        self.assertIn("took 900.5 ms", errors)

    def test_log_that_is_rotated_to_a_longer_one(self):
        """Another file under its name is read from its beginning, also where it is longer than the one before."""
        log = os.path.join(self.work, "steps.log")
        with open(log, "w", encoding="utf-8") as file:
            file.write("per step time: 1 ms\n")
        self.job("dynprof", "--config", os.path.dirname(self.file))
        start = self.begin(*self.words("--slower-than", "300", "--step-log", "steps.log"))
        until(lambda: "Waiting until a step" in start.stderr.readline(), "the waiting")
        with open(log + ".new", "w", encoding="utf-8") as file:
            file.write("per step time: 900.5 ms\n" + "per step time: 2 ms\n" * 100)
        os.replace(log + ".new", log)
        _, errors = self.end(start, 0)
        self.assertIn("took 900.5 ms", errors)

    def test_a_step_that_the_configuration_names(self):
        """It is over when the second capture begins, which would be armed for ever."""
        self.file = self.config('{"start_step": 60, "mine": [1.50]}\n')
        self.before = self.state_of(self.file)
        self.job("dynprof", "--config", os.path.dirname(self.file))
        words = [word for word in self.words("--repeat", "2", "--pause", "2") if word != "start_step=-1"]
        words.remove("--set")
        out, _ = self.end(self.begin(*words), 0)
        self.assertEqual([dict(self.session(one)["settings"])["start_step"] for one in out.split()], ["-1", "-1"])
        self.assertEqual(self.state_of(self.file), self.before)

    def test_what_cannot_be_repeated(self):
        _, errors = self.end(self.begin(*self.words("--slower-than", "300", "--step-log", "none.log")), FAILED)
        self.assertIn("none.log", errors)
        for words in (("--repeat", "0"), ("--repeat", "1001"), ("--repeat", "x"), ("--repeat", "2", "--pause", "1"), ("--pause", "5"),
                      ("--slower-than", "300"), ("--step-log", "x"), ("--slower-than", "-1", "--step-log", "x"), ("--repeat", "2", "--open"),
                      ("--repeat", "2", "--launch", "true"), ("--repeat", "2", "--set", "start_step=7")):
            self.end(self.begin(*self.words(*words)), WRONG_USAGE)
        for method in ("mm-static", "mindspore-dynamic"):
            self.end(self.begin("start", method, "--target", "local", "--file", self.file, "--repeat", "2"), WRONG_USAGE)
        self.assertEqual(self.state_of(self.file), self.before)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
