#!/usr/bin/env python3
"""Which recording of a rank counts: newer folders without data, roles with the same rank numbers, ranks that are not here,
timelines that were cut off."""

import io
import json
import os
import shutil
import tarfile
import tempfile
import unittest

from support import FAILED, CliTest, info, result, rows, run, write

OLD, NEW = "host_100_20251203171000000_ascend_pt", "host_100_20251203172000000_ascend_pt"
STEPS = "SELECT rank_id, step, computing, not_overlapped, free FROM step_breakdown WHERE origin = 'computed' ORDER BY 1, 2"


class WhichRecording(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.base = os.path.join(folder.name, "base")
        result("generate", cls.base, "--ranks", "4", "--steps", "3", "--layers", "2", "--seed", "9", "--quiet")

    def copied(self, rank, *place):
        target = self.path(*place) if len(place) == 1 else os.path.join(self.path(place[0]), *place[1:])
        shutil.copytree(os.path.join(self.base, f"rank{rank}_ascend_pt"), target)
        return target

    def newer(self, name, **files):
        """The older folder of rank 0 whole, and a newer one of it that holds these files alone."""
        run_folder = self.path(name)
        self.copied(0, name, OLD)
        later = os.path.join(run_folder, NEW)
        os.makedirs(later)
        shutil.copy(os.path.join(self.base, "rank0_ascend_pt", "profiler_info_0.json"), later)
        for path, text in files.items():
            place = os.path.join(later, *path.split("__"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            write(place, text)
        return run_folder

    def check_older_is_shown(self, capture, why):
        found = info(capture)
        self.assertEqual([rank["path"] for rank in found["ranks"]], [OLD])
        said = [(one["severity"], one["code"], one["file"]) for one in found["diagnostics"] if one["severity"] != "info"]
        self.assertEqual(said, [("repaired", "newer_folder." + why, NEW)])
        self.assertEqual(rows(capture, STEPS), rows(self.base, STEPS.replace("WHERE", "WHERE rank_id = 0 AND")))

    def test_newer_folder_is_empty(self):
        self.check_older_is_shown(self.newer("empty", **{"ASCEND_PROFILER_OUTPUT__trace_view.json": "[]"}), "empty")

    def test_newer_folder_was_never_analysed(self):
        self.check_older_is_shown(self.newer("raw", **{"FRAMEWORK__torch.op_range": "x",
                                                       "PROF_000001_20251203172000000_AB__host__info.json": "{}"}), "raw")

    def test_newer_folder_was_cut(self):
        trace = os.path.join(self.base, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")
        with open(trace, encoding="utf-8") as file:
            text = file.read()
        cut = self.newer("cut", **{"ASCEND_PROFILER_OUTPUT__trace_view.json": text[:len(text) // 2]})
        self.check_older_is_shown(cut, "cut")

    def roles(self):
        for role in ("rollout", "train"):
            for rank in (0, 1):
                self.copied(rank, "roles", role, f"rank{rank}_ascend_pt")
        return self.path("roles")

    def test_roles_with_the_same_rank_numbers_are_not_averaged(self):
        capture = self.roles()
        self.assertEqual(rows(capture, "SELECT recording, rank_id FROM rank ORDER BY 1, 2"),
                         [("rollout", 0), ("rollout", 1), ("train", 0), ("train", 1)])
        out = self.path("r.json")
        result("report", capture, "--out", out, "--sections", "steps")
        with open(out, encoding="utf-8") as file:
            section, = json.load(file)["sections"]
        tables = section["tables"]
        self.assertEqual(tables[0]["rows"], [])
        self.assertEqual([row[0] for row in tables[1]["rows"]], ["rollout", "train"])
        self.assertEqual([row[0] for row in tables[3]["rows"]], ["rollout · 0", "rollout · 1", "train · 0", "train · 1"])
        self.assertIn("several recordings", section["text"])
        gate = write(self.path("gate"), "step >= 0\n")
        for done in (run("report", capture, "--gate", gate), run("compare", capture, self.base)):
            self.assertEqual(done.returncode, FAILED)
            self.assertIn("2 recordings of the same ranks (rollout, train)", done.stderr)
        for title, in rows(capture, "SELECT title FROM finding WHERE severity <> 'low'"):
            self.fail(title)

    def test_ranks_that_are_not_here_are_named(self):
        for rank in (0, 1, 3):
            self.copied(rank, "absent", f"rank{rank}_ascend_pt")
        self.assertEqual(info(self.path("absent"))["absent_ranks"], [2])
        self.assertIn("absent: rank 2 (3 of 4 are here)", result("info", self.path("absent")))
        self.assertNotIn("absent_ranks", info(self.base))

    def test_a_rank_cut_short_idles_no_longer_than_others(self):
        """A truncated archive: "One rank idles longer, +3606 %", high."""
        whole = io.BytesIO()
        with tarfile.open(fileobj=whole, mode="w:gz") as archive:
            archive.add(self.base, "run")
        for part in (5, 6, 7, 8, 9):
            cut = self.path(f"cut{part}.tar.gz")
            with open(cut, "wb") as file:
                file.write(whole.getvalue()[:len(whole.getvalue()) * part // 10])
            found = info(cut)
            partial = [rank["rank_id"] for rank in found["ranks"] if rank["state"] == "partial"]
            for rule, rank, title in rows(cut, "SELECT rule, rank_id, title FROM finding WHERE severity <> 'low'"):
                self.assertNotIn(rank, partial, f"{part}: {rule}, {title}")


if __name__ == "__main__":
    unittest.main()
