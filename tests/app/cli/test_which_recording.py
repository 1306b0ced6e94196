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
        won = write(self.path("won"), "slow_rank.recoverable >= 0\n")
        for done in (run("report", capture, "--gate", gate), run("report", capture, "--gate", won),
                     run("compare", capture, self.base)):
            self.assertEqual(done.returncode, FAILED)
            self.assertIn("2 recordings of the same ranks (rollout, train)", done.stderr)
        for title, in rows(capture, "SELECT title FROM finding WHERE severity <> 'low'"):
            self.fail(title)

    def test_report_of_roles_sums_up_each_by_itself(self):
        """Each number of a role is that of its folder alone."""
        capture, out = self.roles(), self.path("all.json")
        sections = "operators,communication,memory"

        def tables(of):
            result("report", of, "--out", out, "--sections", sections)
            with open(out, encoding="utf-8") as file:
                return {(section["id"], table["title"]): table["rows"]
                        for section in json.load(file)["sections"] for table in section["tables"]}
        both, alone = tables(capture), tables(os.path.join(capture, "train"))
        self.assertEqual(set(both), set(alone))
        for key, expected in alone.items():
            found = [row for row in both[key] if str(row[0]).startswith("train · ")]
            # Of a list that is cut both roles have a part.
            self.assertTrue(found or not expected, key)
            wanted = {str(row[0]) + str(row[1]): row[1:] for row in expected}
            for row in found:
                name = row[0].removeprefix("train · ")
                self.assertEqual(row[1:], wanted[name + str(row[1])], key)

    def test_ranks_that_are_not_here_are_named(self):
        for rank in (0, 1, 3):
            self.copied(rank, "absent", f"rank{rank}_ascend_pt")
        self.assertEqual(info(self.path("absent"))["absent_ranks"], [2])
        self.assertIn("absent: rank 2 (3 of 4 are here)", result("info", self.path("absent")))
        self.assertNotIn("absent_ranks", info(self.base))

    def without_kernels(self, name, rank, step):
        """The run with a step of which the device's tasks were deleted, from the timeline and from the table of kernels."""
        capture = self.path(name)
        shutil.copytree(self.base, capture)
        (begin, end), = rows(capture, f"SELECT min(ts), max(ts + dur) FROM kernel WHERE rank_id = {rank} AND step = {step}")
        output = os.path.join(capture, f"rank{rank}_ascend_pt", "ASCEND_PROFILER_OUTPUT")
        with open(os.path.join(output, "trace_view.json"), encoding="utf-8") as file:
            events = json.load(file)
        device, = [one["pid"] for one in events if one.get("name") == "process_name" and one["args"]["name"] == "Ascend Hardware"]

        def is_gone(one):
            whole, _, fraction = str(one.get("ts", "0")).strip().partition(".")
            return one["pid"] == device and one["ph"] in "Xf" and begin <= int(whole) * 1000 + int((fraction + "000")[:3]) < end
        write(os.path.join(output, "trace_view.json"), json.dumps([one for one in events if not is_gone(one)]))
        with open(os.path.join(output, "kernel_details.csv"), encoding="utf-8") as file:
            lines = file.readlines()
        write(os.path.join(output, "kernel_details.csv"), "".join(line for line in lines if not line.startswith(f"{step},")))
        return capture, output

    def check_left_out(self, capture, expected):
        """Steps are left out of reports and gates alike, no rule speaks of them, and it is said how many."""
        self.assertEqual(rows(capture, "SELECT rank_id, step, left_out FROM step_breakdown WHERE origin = 'computed' AND left_out IS NOT NULL "
                              "ORDER BY 1, 2"), [one for one in expected if one[2]])
        out, gate = self.path("out.json"), write(self.path("gate"), "step > 1000000000000\n")
        done = run("report", capture, "--gate", gate, "--out", out, "--sections", "steps")
        with open(out, encoding="utf-8") as file:
            section, = json.load(file)["sections"]
        mean, = section["tables"][0]["rows"]
        gone = " ".join(f"AND NOT (rank_id = {rank} AND step = {step})" for rank, step, _ in expected)
        (wanted,), = rows(capture, "SELECT avg(computing + not_overlapped + free) FROM step_breakdown WHERE origin = 'computed' " + gone)
        self.assertEqual(mean[0], 4 * 3 - len(expected))
        self.assertAlmostEqual(mean[5], wanted, delta=1)
        self.assertIn(f"it is {wanted:.3f} ns", done.stdout)
        for severity, rule, title in rows(capture, "SELECT severity, rule, title FROM finding WHERE severity <> 'low'"):
            self.fail(f"{severity} {rule}: {title}")
        (detail,), = rows(capture, "SELECT detail FROM finding WHERE rule = 'missing_data'")
        self.assertIn(f"left out of all means and comparisons: {len(expected)}.", detail)

    def test_a_step_whose_launches_have_no_kernels_is_left_out(self):
        """Without a recorded time to disagree with: the launches say it."""
        capture, output = self.without_kernels("no_kernels", 2, 6)
        os.remove(os.path.join(output, "step_trace_time.csv"))
        # Where the last gap of step 5 ended is not known either.
        self.check_left_out(capture, [(2, 5, "no_kernels"), (2, 6, "no_kernels")])

    def test_a_step_whose_parts_disagree_is_left_out(self):
        """Recorded and computed totals are equal, but for 5 ms that moved from computing to free."""
        capture = self.path("differs")
        shutil.copytree(self.base, capture)
        table = os.path.join(capture, "rank2_ascend_pt", "ASCEND_PROFILER_OUTPUT", "step_trace_time.csv")
        with open(table, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split(",") for line in file]
        heads = lines[0]
        for line in lines[1:]:
            if line[heads.index("Step")] == "6":
                for column, by in (("Computing", -5000), ("Free", 5000)):
                    place = heads.index(column)
                    line[place] = f"{float(line[place]) + by:.3f}"
        write(table, "".join(",".join(line) + "\n" for line in lines))
        self.check_left_out(capture, [(2, 6, "differs")])

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
            for rule, rank, title in rows(cut, "SELECT rule, rank_id, title FROM finding WHERE severity <> 'low' "
                                                "AND rule <> 'cut_timeline'"):
                self.assertNotIn(rank, partial, f"{part}: {rule}, {title}")


if __name__ == "__main__":
    unittest.main()
