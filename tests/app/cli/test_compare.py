#!/usr/bin/env python3
"""compare: what was planted into one of two generated runs is found with its size; what is noise is not called a change."""

import json
import os
import tempfile
import unittest

from support import GATE_NOT_MET, WRONG_USAGE, CliTest, result, rows, run, write


class Compare(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = folder.name
        cls.base = cls.generated("base", "--seed", "11")
        cls.twin = cls.generated("twin", "--seed", "12")
        cls.slow = cls.generated("slow", "--seed", "13", "--plant", "slow-rank=1:30")

    @classmethod
    def generated(cls, name, *words):
        out = os.path.join(cls.place, name)
        result("generate", out, "--ranks", "2", "--steps", "6", "--layers", "2", "--quiet", *words)
        return out

    def compared(self, base, current, *words):
        return json.loads(result("compare", base, current, "--json", *words))

    def test_noise_is_no_change(self):
        found = self.compared(self.base, self.twin)
        self.assertEqual([d for d in found["differences"] if d["significant"]], [])
        self.assertFalse(found["step"]["significant"])
        self.assertLessEqual(found["step"]["low"], found["step"]["change"])
        self.assertIn("did not change beyond noise", found["sentence"])

    def test_pages_are_the_whole_list(self):
        whole = self.compared(self.base, self.slow)
        self.assertNotIn("lists", whole)
        pages, offset = [], 0
        while offset is not None:
            part = self.compared(self.base, self.slow, "--limit", "40", "--offset", str(offset))
            self.assertLessEqual(len(part["differences"]), 40)
            pages += part["differences"]
            offset = part["lists"]["differences"]["next_offset"]
        self.assertEqual(pages, whole["differences"])
        self.assertGreater(len(pages), 40)

    def test_planted_slow_rank_comes_first(self):
        with open(os.path.join(self.slow, "truth.json"), encoding="utf-8") as file:
            planted = [plant["ns"] for plant in json.load(file)["plants"] if plant["fault"] == "slow-rank"]
        mean = sum(planted) / len(planted)
        found = self.compared(self.base, self.slow)
        first = next(d for d in found["differences"] if d["significant"])
        self.assertEqual((first["dimension"], first["key"], first["rank_id"]), ("category", "computing", 1))
        self.assertAlmostEqual(first["change"], mean, delta=0.1 * mean)
        self.assertLess(first["low"], first["change"])
        self.assertGreater(first["high"], first["change"])
        new = [d for d in found["differences"] if d["dimension"] == "finding" and d["key"] == "slow_rank"]
        self.assertEqual([(d["only_in"], d["base"], d["low"]) for d in new], [("current", 0, None)])

    def test_ranks_do_not_hide_the_step(self):
        paused = self.generated("paused", "--seed", "600", "--plant", "gc-pause=30")
        found = self.compared(self.base, paused)
        self.assertGreater(found["step"]["low"], 0.3 * found["step"]["change"])
        self.assertTrue(found["step"]["significant"])
        self.assertIn("A step became", found["sentence"])

    def test_leak_grows_by_what_was_planted(self):
        leak = self.generated("leak", "--seed", "14", "--plant", "leak=50000000")
        found = self.compared(self.base, leak)
        growth = next(d for d in found["differences"] if (d["key"], d["rank_id"]) == ("growth_allocated", None))
        self.assertEqual((growth["dimension"], growth["unit"], growth["significant"]), ("memory", "bytes", True))
        self.assertAlmostEqual(growth["change"], 50e6, delta=5e6)

    def test_shape_and_order(self):
        found = self.compared(self.base, self.slow)
        self.assertEqual((found["schema"], found["base"], found["current"]), (1, self.base, self.slow))
        self.assertEqual(set(found["step"]), {"base", "current", "change", "low", "high", "significant"})
        dimensions = {d["dimension"] for d in found["differences"]}
        self.assertLessEqual({"category", "operator", "kernel", "api", "collective", "link", "finding"}, dimensions)
        for unit in ("ns", "bytes", "count"):
            sizes = [abs(d["change"]) for d in found["differences"] if d["unit"] == unit]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
        for d in found["differences"]:
            self.assertEqual(d["change"], d["current"] - d["base"])

    def test_values_are_those_of_sql(self):
        found = self.compared(self.base, self.slow)
        for side, capture in (("base", self.base), ("current", self.slow)):
            step, computing = rows(capture, "SELECT avg(computing + not_overlapped + free), avg(computing) FROM step_breakdown "
                                            "WHERE origin = 'computed'")[0]
            self.assertAlmostEqual(found["step"][side], step, delta=1)
            mean = next(d for d in found["differences"] if (d["dimension"], d["key"], d["rank_id"]) == ("category", "computing", None))
            self.assertAlmostEqual(mean[side], computing, delta=1)
            kernel = next(d for d in found["differences"] if d["dimension"] == "kernel")
            name, kind, shapes = kernel["key"].split(" | ")
            total, = rows(capture, f"SELECT sum(dur) / 12.0 FROM kernel WHERE kind = 'compute' AND step IS NOT NULL AND name = '{name}' "
                                   f"AND type = '{kind}' AND coalesce(input_shapes, '') = '{shapes}'")[0]
            self.assertAlmostEqual(kernel[side], total, delta=1)

    def test_two_ranks_and_two_steps_of_one_run(self):
        ranks = self.compared(self.slow, self.slow, "--base-ranks", "0", "--ranks", "1")
        first = next(d for d in ranks["differences"] if (d["dimension"], d["key"]) == ("category", "computing"))
        self.assertTrue(first["significant"] and first["change"] > 0)
        numbers = [step for step, in rows(self.slow, "SELECT DISTINCT step FROM step_breakdown ORDER BY 1")]
        steps = self.compared(self.slow, self.slow, "--base-steps", str(numbers[0]), "--steps", str(numbers[1]))
        self.assertIsNone(steps["step"]["low"])
        self.assertFalse(any(d["significant"] for d in steps["differences"]))
        self.assertIn("nothing can be said about noise", steps["sentence"])

    def test_gates_on_changes(self):
        gate = write(self.path("gate"), "change(step) < 1 %\nsignificant.count = 0\nchange(max(step)) > 0 ns\nstep > 0\n")
        text = result("compare", self.base, self.slow, "--gate", gate, status=GATE_NOT_MET)
        self.assertIn("FAILED  change(step) < 1 %: it is ", text)
        self.assertIn("FAILED  significant.count = 0: it is ", text)
        self.assertIn("gate: 2 of 4 rules met", text)
        found = json.loads(result("compare", self.base, self.twin, "--json", "--gate", write(self.path("g"), "significant.count = 0\n")))
        self.assertTrue(found["gate"]["met"])
        # Nothing waits in a pipeline here, in both runs.
        self.assertEqual(rows(self.base, "SELECT max(bubble), count(*) > 0 FROM step_breakdown"), [(0, 1)])
        still = result("compare", self.base, self.twin, "--gate", write(self.path("g"), "change(bubble) < 3 %\nchange(bubble) = 0 %\n"))
        self.assertIn("gate: 2 of 2 rules met", still)

    def test_files(self):
        out = self.path("c.json")
        result("compare", self.base, self.slow, "--out", out)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(json.load(file), self.compared(self.base, self.slow))
        page = self.path("c.html")
        result("compare", self.base, self.slow, "--out", page)
        with open(page, encoding="utf-8") as file:
            self.assertIn("slow compared with base", file.read())
        for words in (("compare", self.base, self.slow), ("report", self.slow, "--base", self.base)):
            page = self.path("c.md")
            result(*words, "--out", page)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("# "), text[:80])
            self.assertIn(self.compared(self.base, self.slow)["sentence"].split(",")[0], text.replace("\\", ""))
        report = self.path("r.json")
        result("report", self.slow, "--base", self.base, "--out", report, "--sections", "compare")
        with open(report, encoding="utf-8") as file:
            section, = json.load(file)["sections"]
        # What the tables leave out is counted below them.
        differences = self.compared(self.base, self.slow)["differences"]
        found = sum(len(table["rows"]) + table["omitted"] for table in section["tables"][2:-1])
        self.assertEqual(found, len(differences))
        self.assertTrue(any(table["omitted"] for table in section["tables"][2:]))
        self.assertEqual((section["id"], section["text"]), ("compare", self.compared(self.base, self.slow)["sentence"]))

    def test_a_finding_on_another_rank_did_not_come_and_go(self):
        other = self.generated("other", "--seed", "15", "--plant", "slow-rank=0:30")
        found = [d for d in self.compared(self.slow, other)["differences"]
                 if d["dimension"] == "finding" and d["key"] == "slow_rank"]
        each = []
        for capture in (self.slow, other):
            each += rows(capture, "SELECT rank_id, recoverable FROM finding WHERE rule = 'slow_rank'")
        self.assertEqual([rank for rank, _ in each], [1, 0])
        self.assertEqual([(d["rank_id"], d["base"], d["current"], d["only_in"]) for d in found],
                         [(None, each[0][1], each[1][1], None)])
        self.assertIn("slow_rank (ranks 1 -> 0)", result("compare", self.slow, other))

    def test_ranks_are_summed_up_by_the_role_in_their_metadata(self):
        sides = []
        for name, faults in (("roles", ()), ("slow_roles", ("--plant", "slow-rank=1:30"))):
            capture = self.generated(name, "--seed", "16", *faults)
            for rank, role in enumerate(("actor", "rollout")):
                file = os.path.join(capture, f"rank{rank}_ascend_pt", "profiler_metadata.json")
                with open(file, encoding="utf-8") as stream:
                    metadata = json.load(stream)
                with open(file, "w", encoding="utf-8") as stream:
                    json.dump({**metadata, "role": role}, stream)
            sides.append(capture)
        found = {d["key"]: d for d in self.compared(*sides)["differences"] if d["dimension"] == "role"}
        self.assertEqual(set(found), {"actor", "rollout"})
        for difference in found.values():
            self.assertTrue(difference["significant"] and difference["change"] > 0)
        without = self.compared(self.base, self.slow)["differences"]
        self.assertEqual([d for d in without if d["dimension"] == "role"], [])

    def test_the_page_has_the_order_of_kernels(self):
        page = self.path("order.html")
        result("compare", self.base, self.slow, "--out", page)
        order = self.compared(self.base, self.slow)["order"]
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("<h3>Order of kernels</h3>", text)
        self.assertIn(f"{order['same']} kernels are the same in the same order, of {order['base']['kernels']} and "
                      f"{order['current']['kernels']}.", text)

    def test_wrong_words(self):
        for words in ((self.base,), (self.base, self.slow, self.twin), (self.base, self.slow, "--ranks", "a"),
                      (self.base, self.slow, "--out", "x.txt")):
            self.assertEqual(run("compare", *words).returncode, WRONG_USAGE)
        self.assertEqual(run("compare", self.base, self.slow, "--ranks", "77").returncode, 1)


if __name__ == "__main__":
    unittest.main()
