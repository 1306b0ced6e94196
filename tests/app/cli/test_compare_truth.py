#!/usr/bin/env python3
"""compare: of twins with one planted fault the first significant difference is that fault, with the size that truth.json
says; twins without a fault show nothing. ALTI_ALL_PLANTS=1 takes 20 seeds of each, else each has one."""

import json
import os
import shutil
import tempfile
import unittest

from support import CliTest, check_schema, result

ALL = bool(os.environ.get("ALTI_ALL_PLANTS"))
SEEDS = range(1, 21)
SIZES = ("--ranks", "4", "--steps", "8", "--layers", "2")


def truth_of(capture):
    with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
        return json.load(file)


def mean_of_steps(truth, part):
    steps = [step[part] for rank in truth["ranks"] for step in rank["steps"]]
    return sum(steps) / len(steps)


def per_step(truth, rank=None, unit="ns"):
    """What is planted into a step: the mean over all steps, and over the ranks or of one of them."""
    ranks = [r for r in truth["ranks"] if rank is None or r["rank_id"] == rank]
    planted = sum(p[unit] for p in truth["plants"] if rank is None or p["rank"] == rank)
    return planted / sum(len(r["steps"]) for r in ranks)


class Plant:
    """A fault, the difference that it makes, and where truth.json says its size. With `part` that is by how much more of
    this part of a step the run has than the same run without the fault: what other collectives hide costs nothing."""

    def __init__(self, words, dimension, key, rank=None, unit="ns", truth_rank=None, only_in=None, part=None):
        self.words, self.dimension, self.key, self.rank, self.unit = words, dimension, key, rank, unit
        self.truth_rank, self.only_in, self.part = rank if truth_rank is None else truth_rank, only_in, part

    def is_it(self, found):
        return (found["dimension"] == self.dimension and found["rank_id"] == self.rank and
                found["only_in"] == self.only_in and self.key in found["key"])

    def size(self, truth):
        return per_step(truth, self.truth_rank, "bytes" if self.unit == "bytes" else "ns")


PLANTS = (
    Plant("slow-rank=3:20", "category", "computing", rank=3),
    Plant("slow-rank=0:5", "category", "computing", rank=0),
    Plant("slow-link=0-1:4", "link", "HCCS", truth_rank=0),
    Plant("slow-link=1-3:3", "link", "HCCS", truth_rank=1),
    Plant("leak=20000000", "memory", "growth_allocated", unit="bytes"),
    Plant("host-bound", "category", "free"),
    Plant("ai-cpu=Cumsum", "kernel", "Cumsum", only_in="current"),
    Plant("ai-cpu=Swish", "kernel", "Swish"),
    Plant("frequency-drop=25", "category", "computing"),
    Plant("frequency-drop=10", "category", "computing"),
    Plant("gc-pause=20", "operator", "GC", only_in="current"),
    Plant("small-packets", "category", "exposed_communication", part="not_overlapped"),
    Plant("no-overlap", "category", "exposed_communication"),
    Plant("no-overlap", "category", "exposed_communication", part="not_overlapped"),
)

TWO, EIGHT, SIXTEEN = ("--ranks", "2"), ("--ranks", "8"), ("--ranks", "16")
OTHERS = (
    (Plant("slow-rank=1:20", "category", "computing", rank=1), (*TWO, "--steps", "5", "--layers", "2")),
    (Plant("slow-rank=5:20", "category", "computing", rank=5), (*EIGHT, "--steps", "6", "--layers", "1", "--format", "db")),
    (Plant("slow-rank=9:30", "category", "computing", rank=9), (*SIXTEEN, "--steps", "6", "--layers", "2")),
    (Plant("slow-rank=2:30", "category", "computing", rank=2), (*EIGHT, "--steps", "6", "--model", "resnet")),
    (Plant("slow-link=0-1:4", "link", "HCCS", truth_rank=0), (*TWO, "--steps", "6", "--layers", "2", "--format", "db")),
    (Plant("slow-link=2-6:4", "link", "HCCS", truth_rank=2), (*EIGHT, "--steps", "6", "--layers", "1")),
    (Plant("frequency-drop=25", "category", "computing"), (*TWO, "--steps", "12", "--layers", "2", "--format", "db")),
    (Plant("frequency-drop=25", "category", "computing"), (*EIGHT, "--steps", "7", "--model", "resnet")),
    (Plant("gc-pause=20", "operator", "GC", only_in="current"), (*TWO, "--steps", "6", "--layers", "2", "--format", "db")),
    (Plant("gc-pause=50", "operator", "GC", only_in="current"), (*EIGHT, "--steps", "8", "--layers", "1")),
    (Plant("host-bound", "category", "free"), (*TWO, "--steps", "6", "--layers", "2", "--format", "db")),
    (Plant("no-overlap", "category", "exposed_communication"), (*TWO, "--steps", "6", "--layers", "4")),
    (Plant("leak=8000000", "memory", "growth_allocated", unit="bytes"), (*TWO, "--steps", "12", "--layers", "1", "--format", "db")),
)


class CompareTruth(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = folder.name

    def generated(self, name, *words):
        out = os.path.join(self.place, name)
        shutil.rmtree(out, ignore_errors=True)
        result("generate", out, "--quiet", *words)
        return out

    def twin(self, seed, *words):
        """A run without a fault, made and read once for all that are compared with it."""
        name = "-".join(["twin", str(seed), *(word.lstrip("-") for word in words)])
        path = os.path.join(self.place, name)
        return path if os.path.isdir(path) else self.generated(name, "--seed", str(seed), *words)

    def compared(self, base, current):
        text = result("compare", base, current, "--json", "--cache-dir", os.path.join(self.place, "cache"))
        return json.loads(text)

    def first(self, found):
        return next((d for d in found["differences"] if d["significant"]), None)

    def check_plant(self, plant, seed, *sizes):
        # Reading a capture takes most of the time: where few are compared, many have one base.
        base = self.generated("base", "--seed", str(seed), *sizes) if ALL else self.twin(1, *sizes)
        current = self.generated("planted", "--seed", str(seed + 1000), "--plant", plant.words, *sizes)
        size = plant.size(truth_of(current))
        if plant.part:
            clean = self.generated("clean", "--seed", str(seed + 1000), *sizes)
            size = mean_of_steps(truth_of(current), plant.part) - mean_of_steps(truth_of(clean), plant.part)
        found = self.compared(base, current)
        first = self.first(found)
        where = (plant.words, seed, sizes, first)
        self.assertIsNotNone(first, where)
        self.assertTrue(plant.is_it(first), where)
        if os.environ.get("ALTI_SHOW_PLANTS"):
            print(plant.words, seed, f"{first['change'] / size - 1:+.1%}", flush=True)
        self.assertAlmostEqual(first["change"], size, delta=size / 10, msg=where)
        return found

    def test_the_planted_fault_comes_first_with_its_size(self):
        for number, plant in enumerate(PLANTS):
            for seed in SEEDS:
                if ALL or seed == number % len(SEEDS) + 1:
                    with self.subTest(plant=plant.words, seed=seed):
                        self.check_plant(plant, seed, *SIZES)


    def test_twins_without_a_fault_show_nothing(self):
        # One of twenty may, by chance.
        sizes = (SIZES, ("--ranks", "2", "--steps", "12", "--layers", "1"), ("--ranks", "2", "--steps", "5", "--model", "resnet"),
                 ("--ranks", "8", "--steps", "6", "--layers", "1", "--format", "db"))
        for number, words in enumerate(sizes):
            alarms = []
            for seed in SEEDS if ALL else (number + 1,):
                base = self.generated("base", "--seed", str(seed), *words)
                twin = self.generated("twin", "--seed", str(seed + 500), *words)
                found = self.compared(base, twin)
                alarms += [(seed, self.first(found))] if found["step"]["significant"] or self.first(found) else []
            self.assertLessEqual(len(alarms), 1 if ALL else 0, (words, alarms))

    def test_other_sizes_models_and_formats(self):
        for number, (words, sizes) in enumerate(OTHERS):
            for seed in SEEDS if ALL else (number + 3,):
                with self.subTest(plant=words.words, sizes=sizes, seed=seed):
                    self.check_plant(words, seed, *sizes)

    def names(self, found, places):
        return {(found["differences"][i]["key"], found["differences"][i]["rank_id"]) for i in places}

    def test_waiting_follows_from_the_rank_that_is_waited_for(self):
        found = self.check_plant(PLANTS[0], 1, *SIZES)
        cause = found["differences"].index(self.first(found))
        follows = self.names(found, [e["difference"] for e in found["explained"] if e["by"] == cause])
        waiting = {("exposed_communication", rank) for rank in (None, 0, 1, 2)}
        self.assertLessEqual(waiting | {("computing", None), ("hcom_allReduce", None)}, follows)
        for entry in found["explained"]:
            self.assertFalse(found["differences"][entry["difference"]]["significant"], entry)
            self.assertTrue(found["differences"][entry["by"]]["significant"], entry)
        self.assertRegex(found["sentence"], r"Rank 3 computes 1\d\.\d ms longer, and the other ranks wait for it\.")
        text = json.dumps(found)
        check_schema(self, "compare", text)

    def test_slow_link_says_what_reaches_the_step(self):
        found = self.check_plant(PLANTS[2], 2, *SIZES)
        self.assertRegex(found["sentence"], r"All of it is exposed communication: link [01]-[01] HCCS takes 4\d\.\d ms longer\.")

    def test_second_slow_link_is_named_beside_a_slower_one(self):
        base = self.twin(1, *SIZES)
        two = self.generated("two", "--seed", "1003", "--plant", "slow-link=0-1:4", "--plant", "slow-link=2-3:3", *SIZES)
        found = self.compared(base, two)
        links = [d["key"].split(" ")[0] for d in found["differences"] if d["significant"] and d["dimension"] == "link"]
        self.assertEqual([sorted(link.split("-")) for link in links], [["0", "1"], ["2", "3"]])

    def test_slow_rank_is_named_beside_a_kernel_that_all_run(self):
        base = self.twin(1, *SIZES)
        both = self.generated("both", "--seed", "1003", "--plant", "ai-cpu=Swish", "--plant", "slow-rank=3:20", *SIZES)
        found = self.compared(base, both)
        first = self.first(found)
        self.assertEqual((first["key"], first["rank_id"]), ("computing", 3))
        kernels = [d["key"] for d in found["differences"] if d["significant"] and d["dimension"] == "kernel"]
        self.assertIn("Swish", kernels[0])

    def test_holes_are_reserved_and_not_allocated(self):
        base = self.twin(1, *SIZES)
        holes = self.generated("holes", "--seed", "8", "--plant", "fragmentation", *SIZES)
        found = self.compared(base, holes)
        first = self.first(found)
        self.assertEqual((first["dimension"], first["key"], first["rank_id"]), ("memory", "peak_reserved", None))
        allocated = next(d["change"] for d in found["differences"] if (d["key"], d["rank_id"]) == ("peak_allocated", None))
        planted = truth_of(holes)["plants"][0]["bytes"]
        self.assertAlmostEqual(first["change"] - allocated, planted, delta=planted / 100)

    def test_half_of_the_steps_are_slower(self):
        found = self.check_plant(PLANTS[8], 3, *SIZES)
        step, = [a for a in found["steps_apart"] if a["difference"] is None]
        self.assertEqual((step["side"], step["count"], step["steps"]), ("current", 4, 8))
        self.assertAlmostEqual(step["change"], 2 * found["step"]["change"], delta=0.1 * step["change"])
        self.assertRegex(found["sentence"], r"4 of 8 steps take 1\d\.\d ms longer\.")
        check_schema(self, "compare", json.dumps(found))

    def test_a_mended_fault_is_found_as_well(self):
        fast = self.twin(1, *SIZES)
        for plant in (PLANTS[0], PLANTS[2], PLANTS[8]):
            slow = self.generated("slow", "--seed", "6", "--plant", plant.words, *SIZES)
            size = plant.size(truth_of(slow))
            first = self.first(self.compared(slow, fast))
            self.assertTrue(plant.is_it(first), (plant.words, first))
            self.assertAlmostEqual(-first["change"], size, delta=size / 10, msg=plant.words)


if __name__ == "__main__":
    unittest.main()
