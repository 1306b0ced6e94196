#!/usr/bin/env python3
"""compare and gates where something was not recorded: that is unknown, so neither 0 nor a change, and fails a gate."""

import json
import os
import shutil
import tempfile
import unittest

from support import FAILED, GATE_NOT_MET, CliTest, result, rows, run, write

OUTPUT = "ASCEND_PROFILER_OUTPUT"
MEMORY = ("memory_record.csv", "operator_memory.csv", "npu_module_mem.csv")


class CompareGaps(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = folder.name
        cls.full = os.path.join(cls.place, "full")
        result("generate", cls.full, "--ranks", "2", "--steps", "4", "--layers", "1", "--seed", "5", "--plant", "leak=50000000", "--quiet")
        cls.steps = [step for step, in rows(cls.full, "SELECT DISTINCT step FROM step_breakdown ORDER BY 1")]

    def without(self, name, ranks, files):
        """A copy of the run in which some ranks lack some files."""
        out = self.path(name)
        shutil.copytree(self.full, out)
        for rank in ranks:
            for file in files:
                os.remove(os.path.join(out, f"rank{rank}_ascend_pt", OUTPUT, file))
        return out

    def small(self, name, ranks):
        """Step times in us and one kernel a step, by rank and step."""
        for rank, times in ranks.items():
            place = self.path(name, f"rank{rank}_ascend_pt")
            write(os.path.join(place, f"profiler_info_{rank}.json"), "{}")
            lines = ["Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free"]
            kernels = ["Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"]
            for step, time in times.items():
                lines.append(f"{step},{time},10,0,10,1")
                kernels.append(f"{step},MatMul,MatMulV2,AI_CORE,{1000 * step}.000,{time}.0,0,20")
            write(os.path.join(place, OUTPUT, "step_trace_time.csv"), "\n".join(lines) + "\n")
            write(os.path.join(place, OUTPUT, "kernel_details.csv"), "\n".join(kernels) + "\n")
        return self.path(name)

    def compared(self, base, current, *words):
        return json.loads(result("compare", base, current, "--json", *words))

    def values(self, metrics, capture, *words, status=0):
        """Values of metrics, by compare with steps."""
        gate = write(self.path("values.gate"), "".join(f"{metric} >= 0\n" for metric in metrics))
        found = json.loads(result("compare", capture, capture, "--json", "--gate", gate, *words, status=status))
        return [rule["value"] for rule in found["gate"]["rules"]]

    def of(self, found, *dimensions):
        return [d for d in found["differences"] if d["dimension"] in dimensions]

    def test_memory_that_one_side_did_not_record_is_not_gone(self):
        for words in ((self.full, self.without("none", (0, 1), MEMORY)), (self.path("none"), self.full)):
            found = self.compared(*words)
            self.assertEqual(self.of(found, "memory"), [])
            side = "current" if words[0] == self.full else "base"
            self.assertEqual([(u["dimension"], u["side"]) for u in found["unrecorded"]], [("memory", side)])
            self.assertIn("memory", found["sentence"])
        self.assertEqual(self.compared(self.full, self.full)["unrecorded"], [])

    def test_operators_kernels_and_calls_without_their_files_are_not_gone(self):
        bare = self.without("bare", (0, 1), ("trace_view.json", "kernel_details.csv", "operator_details.csv"))
        found = self.compared(self.full, bare)
        self.assertEqual(self.of(found, "operator", "kernel", "api"), [])
        self.assertLessEqual({"operator", "kernel", "api"}, {u["dimension"] for u in found["unrecorded"] if u["side"] == "current"})

    def test_steps_whose_events_and_records_disagree_are_in_no_mean(self):
        doubt = self.without("doubt", (), ())
        table = os.path.join(doubt, "rank0_ascend_pt", OUTPUT, "step_trace_time.csv")
        with open(table, encoding="utf-8") as file:
            head, first, *lines = file.read().splitlines()
        cells = first.split(",")
        column, step = head.split(",").index("Computing"), int(cells[head.split(",").index("Step")])
        cells[column] = f"{float(cells[column]) * 2:.3f}"
        write(table, "\n".join([head, ",".join(cells), *lines]) + "\n")
        found = self.compared(self.full, doubt)
        self.assertIn("On the current side, times of steps whose events do not add up to what the profiler recorded are left out (1).",
                      found["sentence"])
        self.assertNotIn("left out", self.compared(self.full, self.full)["sentence"])
        kept = [value for rank, number, value in rows(doubt, "SELECT rank_id, step, computing FROM step_breakdown WHERE origin = 'computed'")
                if (rank, number) != (0, step)]
        value, = self.values(["computing"], doubt)
        self.assertAlmostEqual(value, sum(kept) / len(kept), delta=1)
        own = [value for rank, number, value in rows(doubt, "SELECT rank_id, step, computing FROM step_breakdown WHERE origin = 'computed'")
               if rank == 0 and number != step]
        of_rank = next(d for d in found["differences"] if (d["key"], d["rank_id"]) == ("computing", 0))
        self.assertAlmostEqual(of_rank["current"], sum(own) / len(own), delta=1)

    def test_mean_is_of_the_ranks_that_recorded_memory(self):
        found = self.compared(self.full, self.without("one", (1,), MEMORY))
        for d in self.of(found, "memory"):
            self.assertLess(abs(d["change"]), 0.2 * d["base"], d)
            self.assertIsNone(d["rank_id"])
        self.assertEqual([u["dimension"] for u in found["unrecorded"]], ["memory"])

    def test_step_that_a_rank_lacks_does_not_count_as_zero(self):
        steps = {step: 200 for step in (5, 6, 7)}
        full = self.small("full", {0: steps, 1: steps})
        gap = self.small("gap", {0: steps, 1: {5: 200, 7: 200}})
        found = self.compared(full, gap)
        self.assertEqual(self.of(found, "category", "kernel"), [])
        self.assertEqual(found["step"]["change"], 0)

    def test_kernel_that_is_gone_in_recorded_steps_is_zero(self):
        base = self.small("base", {0: {5: 200, 6: 200, 7: 200}})
        now = self.small("now", {0: {5: 200, 6: 200, 7: 200}})
        table = os.path.join(now, "rank0_ascend_pt", OUTPUT, "kernel_details.csv")
        with open(table, encoding="utf-8") as file:
            write(table, file.read().replace("MatMul,MatMulV2", "Add,Add"))
        found = {d["key"].split(" ")[0]: d for d in self.of(self.compared(base, now), "kernel")}
        self.assertEqual((found["MatMul"]["only_in"], found["MatMul"]["current"], found["MatMul"]["significant"]), ("base", 0, True))
        self.assertEqual((found["Add"]["only_in"], found["Add"]["base"], found["Add"]["current"]), ("current", 0, 200000))

    def test_ranks_against_one_of_them(self):
        found = self.compared(self.full, self.full, "--ranks", "0")
        self.assertEqual([d for d in found["differences"] if d["rank_id"] is not None], [])
        self.assertEqual([d for d in self.of(found, "category", "link", "memory") if d["only_in"]], [])
        self.assertFalse(found["step"]["significant"])

    def test_growth_of_chosen_steps_looks_at_the_step_before(self):
        first, second, third = self.steps[:3]
        found = self.compared(self.full, self.full, "--base-steps", str(second), "--steps", f"{second},{third}")
        growth = [d for d in self.of(found, "memory") if d["key"] == "growth_allocated"]
        self.assertEqual([d for d in growth if d["only_in"] or abs(d["change"]) > 5e6], [])
        found = self.compared(self.full, self.full, "--base-steps", str(first), "--steps", str(second))
        self.assertEqual([d for d in self.of(found, "memory") if d["key"].startswith("growth")], [])
        self.assertIn(("memory", "base"), [(u["dimension"], u["side"]) for u in found["unrecorded"]])

    def test_memory_gates_look_at_the_chosen_steps(self):
        first, = self.values(["peak_allocated"], self.full, "--steps", str(self.steps[0]))
        last, = self.values(["peak_allocated"], self.full, "--steps", str(self.steps[-1]))
        whole, = self.values(["peak_allocated"], self.full)
        self.assertGreater(last, first + 100e6)
        self.assertGreaterEqual(whole, last)
        change = write(self.path("change"), "change(peak_allocated) > 100 MB\n")
        result("compare", self.full, self.full, "--base-steps", str(self.steps[0]), "--steps", str(self.steps[-1]), "--gate", change)

    def test_metric_of_cells_that_are_empty_fails(self):
        empty = self.without("empty", (1,), MEMORY)
        table = os.path.join(empty, "rank0_ascend_pt", OUTPUT, "memory_record.csv")
        with open(table, encoding="utf-8") as file:
            head, *lines = file.read().splitlines()
        write(table, "\n".join([head, *(line for line in lines if line.startswith("APP,"))]) + "\n")
        self.assertEqual(rows(empty, "SELECT count(*) > 0, count(allocated) FROM memory_sample"), [(1, 0)])
        gate = write(self.path("gate"), "peak_allocated < 1 GB\npeak_reserved > 0\nmissing_data.count > 0\nmissing_data.recoverable < 1 s\n"
                                        "slow_rank.recoverable = 0\n")
        text = result("report", empty, "--gate", gate, status=GATE_NOT_MET)
        self.assertIn("peak_allocated < 1 GB: the capture has no data", text)
        self.assertIn("missing_data.recoverable < 1 s: the capture has no data", text)
        self.assertIn("gate: 3 of 5 rules met", text)

    def test_kernels_are_of_the_device_of_the_step_times(self):
        for name, faster in (("slow", 1), ("fast", 2)):
            place = self.path(name, "x_ascend_pt")
            write(os.path.join(place, "profiler_info_0.json"), "{}")
            lines = ["Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free"]
            kernels = ["Step Id,Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"]
            for step in (5, 6):
                for device in range(4):
                    # The busiest is the same on both sides, the others change.
                    time = 400 if device == 3 else 100 * (device + 1) // faster
                    lines.append(f"{device},{step},{time},10,0,10,1")
                    kernels.append(f"{step},{device},MatMul,MatMulV2,AI_CORE,{1000 * step}.000,{time}.0,0,20")
            write(os.path.join(place, OUTPUT, "step_trace_time.csv"), "\n".join(lines) + "\n")
            write(os.path.join(place, OUTPUT, "kernel_details.csv"), "\n".join(kernels) + "\n")
        self.assertEqual(self.of(self.compared(self.path("slow"), self.path("fast")), "category", "kernel"), [])

    def test_ranks_and_steps_that_are_not_there_are_named(self):
        for words, what in ((("--ranks", "0,99"), "no rank 99"), (("--base-ranks", "0,1,7"), "no rank 7"),
                            (("--steps", f"{self.steps[0]},999"), "no step 999")):
            done = run("compare", self.full, self.full, *words)
            self.assert_message(done, FAILED, what)

    def test_equal_single_steps_are_not_slower(self):
        one = self.small("one", {0: {5: 200}})
        self.assertTrue(self.compared(one, one)["sentence"].startswith("A step takes 211.0 µs on both sides."))


if __name__ == "__main__":
    unittest.main()
