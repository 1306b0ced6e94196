#!/usr/bin/env python3
"""compare: one change that was planted into a generated twin is found with its size, in times and in the order of kernels."""

import csv
import json
import os
import shutil
import tempfile
import unittest
from collections import Counter

from support import CliTest, result

OUTPUT = "ASCEND_PROFILER_OUTPUT"
SEEDS = (21, 22)
STEPS = 12


class ComparePlants(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = folder.name
        cls.bases = [cls.generated(f"base{seed}", "--seed", str(seed)) for seed in SEEDS]
        cls.twins = [cls.generated(f"twin{seed}", "--seed", str(seed + 100)) for seed in SEEDS]

    @classmethod
    def generated(cls, name, *words):
        out = os.path.join(cls.place, name)
        result("generate", out, "--ranks", "2", "--steps", str(STEPS), "--layers", "2", "--quiet", *words)
        return out

    def compared(self, base, current):
        return json.loads(result("compare", base, current, "--json"))

    def edited(self, capture, name, change):
        """A copy whose kernels went through `change`: a list of rows of a rank, each a dictionary, to such a list."""
        out = self.path(name)
        shutil.copytree(capture, out)
        for rank in (0, 1):
            table = os.path.join(out, f"rank{rank}_ascend_pt", OUTPUT, "kernel_details.csv")
            with open(table, encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                columns, rows = reader.fieldnames, list(reader)
            with open(table, "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(change(rows))
        return out

    def kernels(self, capture):
        """Time of a step by name, type and shapes: the mean over ranks and steps, ns; and the rows of rank 0."""
        times, rows = {}, []
        for rank in (0, 1):
            table = os.path.join(capture, f"rank{rank}_ascend_pt", OUTPUT, "kernel_details.csv")
            with open(table, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    if row["Accelerator Core"] in ("HCCL", "COMMUNICATION") or row["Name"].startswith("hcom_"):
                        continue
                    key = self.key(row)
                    times[key] = times.get(key, 0) + float(row["Duration(us)"]) * 1000 / (2 * STEPS)
                    if rank == 0:
                        rows.append(row)
        return times, rows

    def key(self, row):
        """As compare has it."""
        return " | ".join((row["Name"], row["Type"], row["Input Shapes"].strip('"')))

    def common(self, capture):
        """Of the kernels that run most often in a step the one that takes most time."""
        times, rows = self.kernels(capture)
        counts = Counter(self.key(row) for row in rows)
        return max(times, key=lambda key: (counts[key], times[key]))

    def firstSignificant(self, found):
        return next(d for d in found["differences"] if d["significant"] and d["dimension"] in ("kernel", "category"))

    def test_noise_alone_changes_no_order(self):
        for base, twin in zip(self.bases, self.twins):
            found = self.compared(base, twin)
            self.assertEqual([d for d in found["differences"] if d["significant"]], [])
            order = found["order"]
            self.assertEqual((order["rows"], order["omitted"], order["longest"]), ([], 0, True))
            self.assertEqual(order["same"], order["base"]["kernels"])
            self.assertGreater(order["same"], 50)

    def test_kernel_that_takes_three_percent_longer_comes_first(self):
        for base, twin in zip(self.bases, self.twins):
            key = self.common(base)
            planted = 0.03 * self.kernels(twin)[0][key]

            def slower(rows):
                for row in rows:
                    if self.key(row) == key:
                        row["Duration(us)"] = f"{float(row['Duration(us)']) * 1.03:.3f}"
                return rows
            slow = self.edited(twin, "slow", slower)
            found = self.compared(base, slow)
            first = self.firstSignificant(found)
            self.assertEqual((first["dimension"], first["key"]), ("kernel", key))
            self.assertAlmostEqual(first["change"], planted, delta=0.1 * planted + self.noise(base, twin, key))
            self.assertEqual(found["order"]["rows"], [])
            shutil.rmtree(slow)

    def noise(self, base, twin, key):
        """By how much the twins differ without any plant."""
        return abs(self.kernels(base)[0][key] - self.kernels(twin)[0][key])

    def test_changed_shape_is_one_kernel_gone_and_one_new(self):
        for base, twin in zip(self.bases[:1], self.twins):
            key = self.common(base)

            def reshape(rows):
                for row in rows:
                    if self.key(row) == key:
                        row["Input Shapes"] = '"7,7;7,7"'
                return rows
            other = self.edited(twin, "shape", reshape)
            found = self.compared(base, other)
            significant = [d for d in found["differences"] if d["significant"]]
            self.assertEqual({(d["key"].rsplit(" | ", 1)[0], d["only_in"]) for d in significant},
                             {(key.rsplit(" | ", 1)[0], "base"), (key.rsplit(" | ", 1)[0], "current")})
            time = self.kernels(base)[0][key]
            for d in significant:
                self.assertAlmostEqual(abs(d["change"]), time, delta=0.1 * time)
            row, = found["order"]["rows"]
            self.assertEqual((row["kind"], row["base_keys"]), ("reshaped", [key]))
            count = sum(self.key(r) == key for r in self.kernels(base)[1]) / STEPS
            self.assertEqual(row["count"], count)
            shutil.rmtree(other)

    def test_added_and_removed_operator(self):
        for base, seed in zip(self.bases[:1], SEEDS):
            more = self.generated(f"more{seed}", "--seed", str(seed + 200), "--plant", "ai-cpu=Cumsum")
            for words, kind, side in (((base, more), "added", "current"), ((more, base), "removed", "base")):
                found = self.compared(*words)
                time = next(t for key, t in self.kernels(more)[0].items() if "Cumsum" in key)
                first = next(d for d in found["differences"] if d["significant"] and d["dimension"] == "kernel")
                self.assertIn("Cumsum", first["key"])
                self.assertEqual(first["only_in"], side)
                self.assertAlmostEqual(abs(first["change"]), time, delta=0.1 * time)
                row, = found["order"]["rows"]
                self.assertEqual((row["kind"], row["count"]), (kind, 1))
                keys = row["current_keys"] if kind == "added" else row["base_keys"]
                self.assertIn("Cumsum", keys[0])

    def test_moved_fused_and_split_kernels_are_found_as_such(self):
        base, twin = self.bases[0], self.twins[0]
        steps = {}
        for row in self.kernels(base)[1]:
            steps.setdefault(row["Step Id"], []).append(row)
        one = sorted(next(iter(steps.values())), key=lambda r: float(r["Start Time(us)"]))
        names = [r["Name"] + r["Input Shapes"] for r in one]
        # Kernels that occur once in a step: what becomes of them is one row.
        single = [i for i in range(len(one) - 2) if names.count(names[i]) == 1 == names.count(names[i + 1])]
        at = next(i for i in single if one[i]["Type"] != one[i + 1]["Type"])

        def fuse(rows):
            kept = []
            for row in rows:
                if self.sameKernel(row, one[at]):
                    row = {**row, "Name": "FusedPair", "Type": "FusedPair"}
                elif self.sameKernel(row, one[at + 1]):
                    continue
                kept.append(row)
            return kept
        fused = self.edited(twin, "fused", fuse)
        row, = self.compared(base, fused)["order"]["rows"]
        self.assertEqual((row["kind"], row["count"], len(row["base_keys"]), len(row["current_keys"])), ("fused", 1, 2, 1))
        self.assertIn("FusedPair", row["current_keys"][0])
        row, = self.compared(fused, base)["order"]["rows"]
        self.assertEqual((row["kind"], len(row["base_keys"]), len(row["current_keys"])), ("split", 1, 2))

        def move(rows):
            for row in rows:
                if self.sameKernel(row, one[at]):
                    # Behind everything else of its step.
                    last = max(float(r["Start Time(us)"]) for r in rows if r["Step Id"] == row["Step Id"])
                    row["Start Time(us)"] = f"{last + 1:.3f}"
            return rows
        moved = self.edited(twin, "moved", move)
        row, = self.compared(base, moved)["order"]["rows"]
        self.assertEqual((row["kind"], row["count"], row["base_keys"]), ("moved", 1, row["current_keys"]))
        self.assertGreater(row["current_place"], row["base_place"])
        text = result("compare", base, moved)
        self.assertIn("order of kernels", text)
        self.assertIn(" moved ", text)

    def test_shapes_that_one_side_did_not_record_are_no_change_of_order(self):
        def forget(rows):
            return [{**row, "Input Shapes": "N/A"} for row in rows]
        bare = self.edited(self.twins[0], "bare", forget)
        order = self.compared(self.bases[0], bare)["order"]
        self.assertEqual((order["rows"], order["same"]), ([], order["base"]["kernels"]))

    def sameKernel(self, row, other):
        return self.key(row) == self.key(other)


if __name__ == "__main__":
    unittest.main()
