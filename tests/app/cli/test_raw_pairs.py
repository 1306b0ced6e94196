#!/usr/bin/env python3
"""altiscope-cli analyse: raw captures and what the vendor's own engine makes of them, cell by cell. What differs is listed here
with its reason: a fault of the vendor, or what is still open."""

import glob
import os
import re
import sys
import tarfile
import tempfile
import unittest

from support import SOURCE, CliTest, needs_captures, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from compare_deliverables import compare  # noqa: E402

PAIRS = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw", "pairs")

# Tables whose rows equal the vendor's in every pair with a database.
WHOLE_TABLES = ("CANN_API", "AICORE_FREQ", "HBM", "HOST_INFO", "StepTraceTime")


class RawPairs(CliTest):
    def differences(self, name):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(os.path.join(PAIRS, name + ".tar.xz")) as archive:
                archive.extractall(folder)
            out = os.path.join(folder, "out")
            run("analyse", os.path.join(folder, name, "input"), "--out", out, "--export-type", "text", "--export-type", "db")
            return compare(os.path.join(folder, name, "expected"), out)

    @needs_captures
    def test_times_of_samples_are_those_of_the_vendor(self):
        """Sums of two rounded reals: multiples of 256 ns that depend on the host's monotonic clock."""
        found = self.differences("c01")
        hbm = [name for name in found if re.search(r"(^|/)hbm\.csv$", name)]
        self.assertEqual(len(hbm), 1, sorted(found))
        self.assertEqual(found[hbm[0]], [])
        tables = [one for name, all_of in found.items() if name.endswith(".db") for one in all_of if "HBM" in str(one)]
        self.assertEqual(tables, [])

    @needs_captures
    def test_first_task_after_a_flip_has_its_operator(self):
        for name in ("c01", "c02"):
            found = self.differences(name)
            for file in found:
                # Folders of PyTorch have the files of msprof beside the framework's with the vendor alone.
                if found[file] != ["missing"] and re.search(r"(^|/)(op_summary|kernel_details|task_time)\.csv$", file):
                    self.assertEqual(found[file], [], f"{name} {file}")

    @needs_captures
    def test_operators_and_steps_of_databases_are_those_of_the_vendor(self):
        names = [os.path.basename(path)[:-len(".tar.xz")] for path in sorted(glob.glob(os.path.join(PAIRS, "c*.tar.xz")))]
        self.assertTrue(names)
        for name in ("c02", "c04", "c20"):
            self.assertIn(name, names)
            for file, found in self.differences(name).items():
                if not file.endswith(".db"):
                    continue
                wrong = [one for one in found if any(re.search(rf"\b{table}\b", str(one)) for table in WHOLE_TABLES)]
                self.assertEqual(wrong, [], f"{name} {file}")


if __name__ == "__main__":
    unittest.main()
