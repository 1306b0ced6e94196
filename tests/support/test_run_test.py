#!/usr/bin/env python3
"""Self-test of run_test.py and of the evidence guard: test_run_test.py [GUARD PROBE]

Every forbidden call that the probe knows must be caught before anything changes; what a viewer may do must pass; skips
without a listed reason must fail. Without arguments (sanitizer builds have no guard) only the latter is tested.
"""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD, PROBE = (sys.argv[1:3] + [None, None])[:2]


def run(arguments, **environment):
    command = [sys.executable, os.path.join(HERE, "run_test.py"), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)


def hashes(*arguments):
    command = [sys.executable, os.path.join(HERE, "evidence", "hashes.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Skips(unittest.TestCase):
    REASON = "real captures are not installed (ALTI_SHARED_DATA)"

    def status(self, line, captures):
        return run(["--", "printf", "%s\\n", line], ALTI_SHARED_DATA=captures).returncode

    def test_listed_reason_passes_without_captures(self):
        self.assertEqual(self.status(f"SKIP   : TestA::b(row (1) x) {self.REASON}", "/nowhere"), 0)

    def test_reason_does_not_count_where_captures_are(self):
        self.assertEqual(self.status(f"SKIP   : TestA::b() {self.REASON}", HERE), 1)

    def test_unlisted_reason_fails(self):
        self.assertEqual(self.status("SKIP   : TestA::b() too tired", "/nowhere"), 1)

    def test_an_empty_folder_is_none_with_captures(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(self.status(f"SKIP   : TestA::b() {self.REASON}", empty), 0)

    def unittest_run(self, skip):
        """The status of a run whose one test skips by these words of Python."""
        program = ("import sys, unittest\nclass A(unittest.TestCase):\n    def test(self):\n"
                   f"        {skip}\nunittest.main()")
        return run(["--", sys.executable, "-c", program], ALTI_SHARED_DATA="/nowhere").returncode

    def test_a_skip_of_unittest_needs_a_line_that_says_why(self):
        self.assertEqual(self.unittest_run("pass"), 0)
        self.assertEqual(self.unittest_run("self.skipTest('too tired')"), 1)
        with_line = "print('SKIP   : cli::test() {}', file=sys.stderr); self.skipTest('said')"
        self.assertEqual(self.unittest_run(with_line.format(self.REASON)), 0)
        self.assertEqual(self.unittest_run(with_line.format("too tired")), 1)

    def test_skips_count_beside_failures(self):
        words = "FAILED (failures=1, skipped=2, expected failures=1)"
        self.assertIn("2 of unittest", run(["--", "echo", words]).stdout)

    def test_status_of_the_program_counts(self):
        self.assertEqual(run(["--", "false"]).returncode, 1)
        self.assertEqual(run(["--", "true"]).returncode, 0)

    def test_a_crash_is_named(self):
        result = run(["--", "sh", "-c", "kill -SEGV $$"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("SIGSEGV", result.stdout)

    def test_a_flood_is_ended(self):
        for words in ("yes " + "x" * 1000, "cat /dev/zero"):
            result = run(["--", "sh", "-c", words])
            self.assertEqual(result.returncode, 1)
            self.assertIn("more than", result.stdout[-200:])
            self.assertLess(len(result.stdout), 17 << 20)

    def test_a_crash_starts_no_debugger(self):
        self.assertEqual(run(["--", "sh", "-c", "echo dump $QTEST_DISABLE_STACK_DUMP"]).stdout.strip(), "dump 1")


@unittest.skipIf(GUARD is None, "sanitizer builds have no guard")
class Evidence(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.scratch.name, "captures")
        self.state = os.path.join(self.scratch.name, "state")
        self.log = os.path.join(self.scratch.name, "log")
        os.mkdir(self.folder)
        with open(os.path.join(self.folder, "file"), "w", encoding="utf-8") as file:
            file.write("evidence\n")
        hashes("before", self.folder, self.state, self.log)

    def tearDown(self):
        self.scratch.cleanup()

    def probe(self, call):
        return run(["--guard", GUARD, "--", PROBE, call, self.folder], ALTI_SHARED_DATA=self.folder,
                   ALTI_EVIDENCE_LOG=self.log, TMPDIR=self.scratch.name)

    def after(self):
        return hashes("after", self.folder, self.state, self.log)

    def test_reading_and_writing_elsewhere_passes(self):
        self.assertEqual(self.probe("allowed").returncode, 0)
        self.assertEqual(self.after().returncode, 0)

    def test_every_change_is_caught_before_it_happens(self):
        calls = subprocess.run([PROBE, "--list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(calls), 20)
        for call in calls:
            with self.subTest(call):
                result = self.probe(call)
                self.assertIn("evidence guard: ", result.stdout)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(hashes("after", self.folder, self.state).returncode, 0)

    def test_a_catch_counts_even_if_nobody_looked(self):
        self.probe("unlink")
        self.assertEqual(self.after().returncode, 1)

    def test_hashes_see_what_the_guard_cannot(self):
        def append(path):
            with open(path, "a", encoding="utf-8") as file:
                file.write("x")

        def touch_same_time(path):
            info = os.stat(path)
            os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))

        path = os.path.join(self.folder, "file")
        for name, change in (("append", append), ("touch", touch_same_time), ("rights", lambda p: os.chmod(p, 0o640)),
                             ("new file", lambda p: append(p + "-journal")), ("removed", os.remove)):
            with self.subTest(name):
                hashes("before", self.folder, self.state, self.log)
                change(path)
                self.assertEqual(self.after().returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
