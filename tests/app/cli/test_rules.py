#!/usr/bin/env python3
"""Faults put into the files of generated captures: the rules that look for them, their times counted again from the files."""

import collections
import csv
import glob
import json
import os
import shutil
import unittest

from support import CliTest, result, rows

LONG = 20  # us: kernels from here on are judged by what they do with their cores


def parts(capture, rank, name):
    """The files of a name in a rank's folder."""
    return glob.glob(os.path.join(capture, f"rank{rank}_ascend_pt", "**", name), recursive=True)


def edit_kernels(capture, rank, change):
    """Passes each row of a rank's kernels, as a dictionary, to `change`; returns them all."""
    path, = parts(capture, rank, "kernel_details.csv")
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        kernels = list(reader)
    for kernel in kernels:
        change(kernel)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, reader.fieldnames)
        writer.writeheader()
        writer.writerows(kernels)
    return kernels


def edit_communication(capture, rank, change):
    """Passes the bandwidths and times of each collective of a rank to `change(name, collective)`."""
    path, = parts(capture, rank, "communication.json")
    with open(path, encoding="utf-8") as file:
        steps = json.load(file)
    for kinds in steps.values():
        for collectives in kinds.values():
            for name, collective in collectives.items():
                if not name.startswith("Total"):
                    change(name, collective)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(steps, file)


def per_step(kernels, saved):
    """Mean over the steps of what kernels of LONG and more would save, in ns; `saved` gives the share of one's time."""
    steps = collections.defaultdict(float)
    for kernel in kernels:
        time = float(kernel["Duration(us)"])
        if time >= LONG:
            steps[kernel["Step Id"]] += time * saved(kernel) * 1000
    return sum(steps.values()) / len(steps)


class Rules(CliTest):
    def generate(self, *words):
        capture = self.path("run")
        shutil.rmtree(capture, ignore_errors=True)
        result("generate", capture, "--ranks", "2", "--steps", "3", "--layers", "2", "--seed", "11", *words)
        return capture

    def finding(self, capture, rule):
        """Severity, rank, recoverable and detail; the evidence leads to rows that are there."""
        found = rows(capture, f"SELECT severity, rank_id, recoverable, detail, evidence FROM finding WHERE rule = '{rule}'")
        self.assertEqual(len(found), 1, (rule, rows(capture, "SELECT rule FROM finding")))
        evidence = json.loads(found[0][4])
        self.assertTrue(any(evidence.values()), rule)
        for slice_id in evidence["slices"]:
            self.assertEqual(rows(capture, f"SELECT count(*) FROM slice WHERE slice_id = {slice_id}"), [(1,)], rule)
        for part in evidence["rows"]:
            self.assertGreater(rows(capture, f"SELECT count(*) FROM {part['table']} WHERE {part['where']}")[0][0], 0, (rule, part))
        return found[0][:4]

    def check_absent(self, capture, *rules):
        found = {rule for rule, in rows(capture, "SELECT rule FROM finding")}
        self.assertFalse(found & set(rules), found)

    def test_clean(self):
        capture = self.generate()
        self.check_absent(capture, "idle_cores", "unaligned_packets", "lost_packets", "contention", "dynamic_shapes")
        # Its model multiplies what silu gives, and nothing else of it could be fused.
        severity, _, recoverable, detail = self.finding(capture, "affinity_api")
        self.assertEqual((severity, recoverable), ("low", None))
        self.assertRegex(detail, r": npu_swiglu \(\d+\)\. ")
        self.assertEqual(rows(capture, "SELECT rule FROM finding WHERE severity <> 'low'"), [])

    def test_rows_that_were_lost_make_no_high_comparison(self):
        def severity(*damaged):
            capture = self.generate("--ranks", "4", "--plant", "slow-rank=1:30")
            for name in damaged:
                path, = parts(capture, 2, name)
                with open(path, "r+b") as file:
                    file.seek(os.path.getsize(path) // 2)
                    file.write(bytes(2000))
            return rows(capture, "SELECT severity, detail FROM finding WHERE rule = 'slow_rank'")[0]

        note = "Some data could not be read"
        whole, detail = severity()
        self.assertEqual((whole, note in detail), ("high", False))
        # A peer's kernels are what the rank is compared with; its operators' shapes are not.
        lost, detail = severity("kernel_details.csv")
        self.assertEqual((lost, note in detail), ("medium", True))
        other, detail = severity("operator_details.csv")
        self.assertEqual((other, note in detail), ("high", False))

    def test_rows_of_evidence_count_each_collective_once(self):
        capture = self.generate("--ranks", "4", "--plant", "slow-rank=1:40")
        shutil.rmtree(os.path.join(capture, "rank1_ascend_pt"))
        self.finding(capture, "collective_wait")
        (evidence,), = rows(capture, "SELECT evidence FROM finding WHERE rule = 'collective_wait'")
        # The ranks that wait have no cause of it.
        (absent, named), = rows(capture, "SELECT count(*), count(cause_rank) FROM blame WHERE cause = 'absent'")
        self.assertTrue(absent > 0 and named == 0, (absent, named))
        for where in [part["where"] for part in json.loads(evidence)["rows"] if part["table"] == "collective"]:
            self.assertEqual(rows(capture, f"SELECT count(*) - count(DISTINCT ts) FROM collective WHERE {where}"), [(0,)], where)

    def test_idle_cores(self):
        def few_blocks(kernel):
            if kernel["Type"] == "FlashAttentionScoreGrad":
                kernel["Block Dim"] = "5"

        capture = self.generate()
        kernels = edit_kernels(capture, 1, few_blocks)
        # All others take as long, and would be waited for.
        self.check_absent(capture, "idle_cores")
        edit_kernels(capture, 0, few_blocks)
        severity, _, recoverable, detail = self.finding(capture, "idle_cores")
        self.assertEqual(severity, "low")
        expected = per_step(kernels, lambda k: 0.75 if k["Type"] == "FlashAttentionScoreGrad" else 0)
        # A part of it would be waits for collectives.
        self.assertGreater(recoverable, expected * 0.4)
        self.assertLess(recoverable, expected * 1.01)
        self.assertIn("(20 for matrices, 40 for vectors)", detail)
        self.assertIn("(FlashAttentionScoreGrad)", detail)
        self.check_absent(self.generate(), "idle_cores")

    def test_efficiency_of_kernels(self):
        def wait(kernel):
            if kernel["Accelerator Core"] in ("AI_CORE", "AI_VECTOR_CORE"):
                for column in kernel:
                    if column.endswith("_ratio") and float(kernel[column]) > 0:
                        kernel[column] = "0.2"

        capture = self.generate()
        kernels = edit_kernels(capture, 0, wait)
        edit_kernels(capture, 1, wait)
        for rule, core, busy in (("cube_efficiency", "AI_CORE", 0.8), ("vector_efficiency", "AI_VECTOR_CORE", 0.7)):
            severity, _, recoverable, _ = self.finding(capture, rule)
            self.assertEqual(severity, "low")
            expected = per_step(kernels, lambda k, core=core, busy=busy: 1 - 0.2 / busy if k["Accelerator Core"] == core else 0)
            # Other matrix kernels are not all busy either; and not all kernels are what a step waits for.
            self.assertGreater(recoverable, expected * 0.4, rule)
            self.assertLess(recoverable, expected * 1.05, rule)

    def test_dynamic_shapes(self):
        def reshape(kernel):
            if kernel["Accelerator Core"] == "AI_VECTOR_CORE":
                kernel["Input Shapes"] = kernel["Input Shapes"].replace("4096", f"40{kernel['Step Id']}")

        capture = self.generate()
        edit_kernels(capture, 1, reshape)
        severity, rank, recoverable, _ = self.finding(capture, "dynamic_shapes")
        self.assertEqual((severity, rank, recoverable), ("low", 1, None))

    def test_unaligned_packets(self):
        def misalign(_, collective):
            for transport, moved in collective.get("Communication Bandwidth Info", {}).items():
                if transport in ("HCCS", "SDMA"):
                    moved["Size Distribution"] = {str(float(size) + 0.0001): packets for size, packets in moved["Size Distribution"].items()}

        capture = self.generate()
        edit_communication(capture, 0, misalign)
        severity, rank, _, detail = self.finding(capture, "unaligned_packets")
        # The packets of the other rank are aligned and as fast.
        self.assertEqual((severity, rank), ("low", 0))
        self.assertIn("Compared with aligned packets", detail)
        edit_communication(capture, 1, misalign)
        severity, _, recoverable, detail = self.finding(capture, "unaligned_packets")
        self.assertEqual((severity, recoverable), ("low", None))
        self.assertIn("No packets are aligned", detail)

    def test_slow_unaligned_packets_win_what_a_step_would(self):
        """Half of what rank 0 sends in unaligned packets takes three times as long: what steps would win is replayed."""
        lost = collections.Counter()

        def misalign(name, collective):
            moved = collective["Communication Bandwidth Info"]["HCCS"]
            sizes = {}
            for size, (count, time) in moved["Size Distribution"].items():
                sizes[size] = [count, time]
                if float(size) < 1.1:
                    continue
                sizes[size] = [count / 2, time / 4]
                sizes[str(float(size) + 0.0001)] = [count / 2, time * 3 / 4]
                lost[step_of[name]] += time / 2 * 1e6
            moved["Size Distribution"] = sizes

        capture = self.generate()
        path, = parts(capture, 0, "communication.json")
        with open(path, encoding="utf-8") as file:
            step_of = {name: step for step, kinds in json.load(file).items() for kind in kinds.values() for name in kind}
        for rank in (0, 1):
            lost.clear()
            edit_communication(capture, rank, misalign)
        _, _, recoverable, detail = self.finding(capture, "unaligned_packets")
        self.assertIn("would save at most", detail)
        # Packets over several planes take their time side by side, and computing hides a part of it.
        self.assertGreater(recoverable, 0)
        self.assertLessEqual(recoverable, max(lost.values()))

    def test_lost_packets(self):
        longest = collections.Counter()

        def lose(name, collective):
            network = collective["Communication Bandwidth Info"]["RDMA"]
            if "allReduce" in name and network["Transit Time(ms)"] > 0 and not longest[rank]:
                longest[rank] = 1
                collective["Communication Time Info"]["Elapse Time(ms)"] = 5000
                network["Transit Time(ms)"] = 4500

        capture = self.generate("--ranks", "16", "--model", "resnet", "--steps", "2")
        self.check_absent(capture, "lost_packets")
        for rank in range(16):
            edit_communication(capture, rank, lose)
        severity, _, recoverable, detail = self.finding(capture, "lost_packets")
        self.assertEqual(severity, "high")
        self.assertIn("up to 4.5 s", detail)
        exposed = max(ns for ns, in rows(capture, "SELECT not_overlapped FROM step_breakdown WHERE origin = 'computed'"))
        self.assertLessEqual(recoverable, exposed)



if __name__ == "__main__":
    unittest.main()
