#!/usr/bin/env python3
"""altiscope-cli analyse: raw captures and what the vendor's own engine makes of them, cell by cell. What differs is a fault of the
vendor's that its own files or the raw data prove, or stands among what is open: tests/support/vendor_faults.py has them all, and
nothing else may differ."""

import csv
import glob
import os
import shutil
import sys
import tarfile
import tempfile
import unittest

from support import SOURCE, CliTest, needs_captures, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from compare_deliverables import compare  # noqa: E402
from vendor_faults import FAULTS, UNREAD  # noqa: E402

PAIRS = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw", "pairs")


class Pair:
    def __init__(self, name, folder):
        self.name = name
        with tarfile.open(os.path.join(PAIRS, name + ".tar.xz")) as archive:
            archive.extractall(folder, filter="data")
        self.folder, self.out = os.path.join(folder, name), os.path.join(folder, "out")
        self.input, self.expected = os.path.join(self.folder, "input"), os.path.join(self.folder, "expected")
        for unread in UNREAD.get(name, ()):
            (path,) = glob.glob(os.path.join(self.input, unread))
            shutil.rmtree(path)

    def analysed(self, raw, out, expected):
        done = run("analyse", raw, "--out", out, "--export-type", "text", "--export-type", "db")
        assert done.returncode == 0, (self.name, done.stdout, done.stderr)
        return compare(expected, out)

    def differences(self):
        """Name of a file and what differs in it, for each difference."""
        found = self.analysed(self.input, self.out, self.expected)
        frameworks = [os.path.dirname(path) for path in sorted(glob.glob(os.path.join(self.input, "*", "FRAMEWORK")))]
        for framework in frameworks:
            # Beside the framework's files the vendor keeps those of msprof, which an analysis of that folder makes.
            rank = os.path.basename(framework)
            found = {file: all_of for file, all_of in found.items() if not file.startswith(os.path.join(rank, "PROF_"))}
            for expected in sorted(glob.glob(os.path.join(self.expected, rank, "PROF_*"))):
                prof = os.path.basename(expected)
                one = self.analysed(os.path.join(framework, prof), self.out + f"_{len(found)}", os.path.dirname(expected))
                # The framework's database holds that of msprof.
                found.update({os.path.join(rank, file): all_of for file, all_of in one.items()
                              if file.startswith(prof) and not file.endswith("msprof.db")})
        return [(file, str(one)) for file, all_of in found.items() for one in all_of]


class RawPairs(CliTest):
    @needs_captures
    def test_all_pairs_are_there(self):
        names = {os.path.basename(path)[:-len(".tar.xz")] for path in glob.glob(os.path.join(PAIRS, "*.tar.xz"))}
        self.assertGreaterEqual(len(names), 29)
        self.assertLessEqual({name for fault in FAULTS for name in fault.pairs} | set(UNREAD), names)

    @needs_captures
    def test_unread_folders_left_nothing(self):
        """No task of theirs is among the vendor's, and each of the others is."""
        def begins(folder, column):
            found = []
            for path in glob.glob(os.path.join(folder, "**", "*.csv"), recursive=True):
                if os.path.basename(path).startswith(("op_summary", "kernel_details")):
                    with open(path, encoding="utf-8", newline="") as file:
                        found += [row[column].strip() for row in csv.DictReader(file)]
            return found

        for name, patterns in UNREAD.items():
            with tempfile.TemporaryDirectory() as folder, tarfile.open(os.path.join(PAIRS, name + ".tar.xz")) as archive:
                archive.extractall(folder, filter="data")
                profs = sorted(glob.glob(os.path.join(folder, name, "input", "*", "PROF_*")))
                unread = {path for pattern in patterns for path in glob.glob(os.path.join(folder, name, "input", pattern))}
                (vendor,) = glob.glob(os.path.join(folder, name, "expected", "*", "ASCEND_PROFILER_OUTPUT"))
                expected = begins(vendor, "Start Time(us)")
                self.assertTrue(unread and unread < set(profs))
                for number, prof in enumerate(profs):
                    # apart from its rank, whose folders are else read together
                    alone, out = (os.path.join(folder, f"{part}_{number}") for part in ("alone", "out"))
                    shutil.copytree(prof, os.path.join(alone, os.path.basename(prof)))
                    self.assertEqual(run("analyse", alone, "--out", out).returncode, 0)
                    own = begins(out, "Task Start Time(us)")
                    self.assertGreater(len(own), 10)
                    self.assertEqual([time for time in own if (time in expected) == (prof in unread)], [], prof)

    def check(self, name):
        with tempfile.TemporaryDirectory() as folder:
            pair = Pair(name, folder)
            left = pair.differences()
            for fault in FAULTS:
                mine = [one for one in left if fault.covers(*one)] if name in fault.pairs else []
                if name in fault.pairs:
                    self.assertEqual(len(mine), fault.pairs[name], f"{fault.name}: {mine[:3]}")
                    self.assertIsNone(fault.proof(pair.folder, mine), fault.name)
                left = [one for one in left if one not in mine]
            self.assertEqual(left[:10], [], f"{len(left)} differences")


def add_tests():
    """One for each pair."""
    for path in sorted(glob.glob(os.path.join(PAIRS, "*.tar.xz"))):
        name = os.path.basename(path)[:-len(".tar.xz")]

        def test(self, name=name):
            self.check(name)
        setattr(RawPairs, f"test_{name}_equals_the_vendor", needs_captures(test))


add_tests()

if __name__ == "__main__":
    unittest.main()
