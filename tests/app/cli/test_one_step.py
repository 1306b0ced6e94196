#!/usr/bin/env python3
"""A step and its parts are one number each, wherever they are said: SQL, report, compare, gates, findings, MCP."""

import json
import os
import sys
import tempfile
import unittest

from support import TORCH_TEXT, CliTest, result, rows, run, write

# By hand, from the columns of the profiler's own table (core/import/csv/FORMAT.md section 7).
PARTS = {
    "step": "computing + not_overlapped + free",
    "computing": "computing",
    "communication": "communication",
    "exposed_communication": "not_overlapped_excl_receive",
    "bubble": "not_overlapped - not_overlapped_excl_receive",
    "free": "free",
    "preparing": "preparing",
}
WHOLE = ("computing", "exposed_communication", "bubble", "free")


def by_hand(capture):
    """Mean of each part over ranks and steps: of computed rows, of a rank without any the recorded ones."""
    columns = ", ".join(f"avg({sql})" for sql in PARTS.values())
    chosen = "(SELECT rank_id, min(origin) AS origin FROM step_breakdown GROUP BY rank_id) USING (rank_id, origin)"
    return dict(zip(PARTS, rows(capture, f"SELECT {columns} FROM step_breakdown JOIN {chosen}")[0]))


class OneStep(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = folder.name
        cls.captures = {}
        for name, words in {
                "tensors": ("--ranks", "2", "--seed", "11"),
                "pipeline": ("--ranks", "16", "--model", "transformer", "--seed", "12"),
                "slow pipeline": ("--ranks", "16", "--model", "transformer", "--seed", "12", "--plant", "slow-rank=1:30"),
                "paused": ("--ranks", "2", "--seed", "14", "--plant", "gc-pause=20")}.items():
            out = os.path.join(cls.place, name.replace(" ", "_"))
            result("generate", out, "--steps", "3", "--layers", "2", "--quiet", *words)
            cls.captures[name] = out
        for level in ("level0", "level1"):
            capture = os.path.join(TORCH_TEXT, level)
            if os.path.isdir(capture):
                cls.captures[level] = capture
            else:
                print(f"skipped: {level}, no shared data", file=sys.stderr)

    def said(self, capture):
        """Each place that says the mean of a part."""
        out = self.path("report.json")
        result("report", capture, "--out", out, "--sections", "steps")
        with open(out, encoding="utf-8") as file:
            section, = json.load(file)["sections"]
        mean = section["tables"][0]
        report = dict(zip((column["name"] for column in mean["columns"]), mean["rows"][0]))
        yield "report", report
        again, = rows(capture, mean["sql"])
        yield "the report's own statement", dict(zip(report, again))
        gate = json.loads(run("report", capture, "--json", "--gate",
                              write(self.path("gate"), "".join(f"{part} >= -1\n" for part in PARTS))).stdout)
        yield "gates", {rule["rule"].removesuffix(" >= -1"): rule["value"] for rule in gate["gate"]["rules"]}

    def test_every_place_says_the_same(self):
        for name, capture in self.captures.items():
            hand = by_hand(capture)
            self.assertEqual(len(hand), len(PARTS))
            self.assertAlmostEqual(hand["step"], sum(hand[part] for part in WHOLE), delta=1, msg=name)
            for place, values in self.said(capture):
                for part, value in hand.items():
                    if part == "communication" and place != "gates":
                        continue  # No column of the report.
                    self.assertAlmostEqual(values[part], value, delta=1, msg=f"{name}: {part} of {place}")

    def test_the_captures_have_what_is_compared(self):
        self.assertGreater(by_hand(self.captures["pipeline"])["bubble"], 1_000_000)
        self.assertEqual(by_hand(self.captures["tensors"])["bubble"], 0)
        for capture in self.captures.values():
            self.assertGreater(by_hand(capture)["preparing"], 0)

    def test_compare_says_the_same(self):
        base, current = self.captures["pipeline"], self.captures["slow pipeline"]
        found = json.loads(result("compare", base, current, "--json"))
        sides = {"base": by_hand(base), "current": by_hand(current)}
        means = {d["key"]: d for d in found["differences"] if d["dimension"] == "category" and d["rank_id"] is None}
        self.assertLessEqual({"computing", "bubble"}, set(means))
        for side, hand in sides.items():
            self.assertAlmostEqual(found["step"][side], hand["step"], delta=1)
            for part, difference in means.items():
                self.assertAlmostEqual(difference[side], hand[part], delta=1, msg=f"{part} of {side}")

    def test_findings_say_the_same(self):
        capture = self.captures["pipeline"]
        found = rows(capture, "SELECT rank_id, parameters FROM finding WHERE rule = 'pipeline_bubble'")
        self.assertEqual(len(found), 1)
        rank, parameters = found[0]
        bubble, step = rows(capture, f"SELECT avg({PARTS['bubble']}), avg({PARTS['step']}) FROM step_breakdown "
                                     f"WHERE origin = 'computed' AND rank_id = {rank}")[0]
        said = json.loads(parameters)
        self.assertEqual((said["bubble"], said["step"]), (f"{bubble / 1e6:.1f} ms", f"{step / 1e6:.1f} ms"))
        self.assertEqual(said["bubble_share"], f"{100 * bubble / step:.1f} %")

    def test_exposed_communication_of_a_finding_is_that_of_the_bar(self):
        for name, capture in self.captures.items():
            for rank, parameters in rows(capture, "SELECT rank_id, parameters FROM finding WHERE rule = 'exposed_communication'"):
                said = json.loads(parameters)
                exposed, = rows(capture, f"SELECT avg({PARTS['exposed_communication']}) FROM step_breakdown "
                                         f"WHERE origin = 'computed' AND rank_id = {rank}")[0]
                self.assertEqual(said["not_overlapped"], f"{exposed / 1e6:.1f} ms", msg=name)


if __name__ == "__main__":
    unittest.main()
