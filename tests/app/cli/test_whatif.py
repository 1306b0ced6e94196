#!/usr/bin/env python3
"""What a cause costs is what a run of the same seed without it takes less."""

import json
import os
import random
import unittest

from support import OK, SHARED, WRONG_USAGE, CliTest, check_schema, run

RUN = ("--steps", "4", "--layers", "2", "--seed", "301")


class Whatif(CliTest):
    def make(self, name, *options):
        self.assertEqual(run("generate", self.path(name), *RUN, *options).returncode, OK)
        return self.path(name)

    def account(self, folder):
        done = run("whatif", folder, "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        check_schema(self, "whatif", done.stdout)
        return json.loads(done.stdout)

    def test_plants_cost_what_runs_without_them_win(self):
        plants = {("slow-rank=1:20",): ("kernel", 1), ("slow-link=2-3:4",): ("transfer", None), ("gc-pause=20",): ("gc", None),
                  ("host-bound=300",): ("host", None), ("ai-cpu=Mul",): ("kernel", None),
                  ("frequency-drop=20",): ("frequency", None)}
        clean = self.account(self.make("clean", "--ranks", "4"))
        step = clean["steps"]["recorded"]
        for cause in clean["causes"]:
            self.assertLess(cause["removal"], 0.007 * step, cause)
        for plant, (word, rank) in plants.items():
            with self.subTest(plant=plant):
                options = [part for one in plant for part in ("--plant", one)]
                found = self.account(self.make(plant[0].split("=")[0], "--ranks", "4", *options))
                won = found["steps"]["recorded"] - step
                first = found["causes"][0]
                self.assertEqual(first["cause"], word)
                if rank is not None:
                    self.assertEqual(first["rank_id"], rank)
                self.assertLess(abs(first["removal"] - won), 0.02 * won)
                self.assertLess(found["replay_error"], 0.001)
                total = sum(cause["removal"] for cause in found["causes"])
                self.assertLess(abs(step + won - found["steps"]["ideal"] - total), 10)

    def test_waits_and_packets_cost_what_truth_says(self):
        for plant, ranks in (("no-overlap", "4"), ("small-packets", "4"), ("no-overlap", "8"), ("small-packets", "8")):
            with self.subTest(plant=plant, ranks=ranks):
                folder = self.make(f"{plant}{ranks}", "--ranks", ranks, "--plant", plant)
                with open(os.path.join(folder, "truth.json"), encoding="utf-8") as file:
                    gains = {entry["step"]: entry["gain"] for entry in json.load(file)["plants"]}
                first = self.account(folder)["causes"][0]
                self.assertEqual(first["cause"], "transfer")
                won = sum(gains.values()) / len(gains)
                self.assertLess(abs(first["removal"] - won), 0.05 * won)

    def test_two_causes_cost_each_ns_once(self):
        clean = self.account(self.make("healthy", "--ranks", "4"))
        both = self.account(self.make("both", "--ranks", "4", "--plant", "slow-rank=1:20", "--plant", "gc-pause=20",
                                      "--clock-offset-us", "2000", "--clock-drift-ppm", "20"))
        won = both["steps"]["recorded"] - clean["steps"]["recorded"]
        named = {cause["cause"]: cause["removal"] for cause in both["causes"][:2]}
        self.assertEqual(set(named), {"gc", "kernel"})
        self.assertLess(abs(sum(named.values()) - won), 0.02 * won)

    def test_paths_of_waits_lead_over_the_ranks_between(self):
        folder = self.make("pipeline", "--ranks", "16", "--plant", "slow-rank=1:40")
        sql = ("SELECT rank_id, cause, cause_rank, cause_slice, hops, path, coverage, recoverable, op_name FROM blame WHERE "
               "op_name IS NOT NULL")
        done = run("query", folder, "--format", "json", "--sql", sql)
        self.assertEqual(done.returncode, OK, done.stderr)
        rows = json.loads(done.stdout)
        slow = [row for row in rows if row["cause"] == "kernel" and row["cause_rank"] == 1]
        self.assertGreater(len(slow), 10)
        for row in rows:
            path = json.loads(row["path"])
            self.assertEqual(len(path), row["hops"])
            if path:
                self.assertEqual((path[-1]["rank_id"], path[-1]["slice_id"]), (row["cause_rank"], row["cause_slice"]))
        # Ranks that never meet the slow one wait for it behind others.
        self.assertTrue(any(row["hops"] > 1 for row in slow))
        for row in slow:
            hops = [hop["rank_id"] for hop in json.loads(row["path"])]
            self.assertTrue(all(hop["ns"] > 0 for hop in json.loads(row["path"])), row)
            self.assertEqual(hops[-1], 1)
        bubbles = [row for row in rows if row["cause"] == "bubble"]
        self.assertGreater(len(bubbles), 0)
        for row in bubbles:
            self.assertIn("receive", row["op_name"])
            self.assertEqual(row["recoverable"], 0)
            self.assertGreaterEqual(row["coverage"], 0.8)

    def test_claims_of_findings_add_up(self):
        causes = {"slow_rank", "slow_link", "ai_cpu", "frequency_drop", "gc_pause", "data_loading", "memory_calls", "small_packets",
                  "operator_compilation", "slow_launches", "exposed_communication", "collective_wait"}
        limits = {"idle_cores", "cube_efficiency", "vector_efficiency", "fusible_sequence", "tiny_kernels", "synchronizations",
                  "unbalanced_stages", "pipeline_bubble", "free_time"}
        plants = ("slow-rank=1:20", "slow-link=0-1:3", "gc-pause=20", "host-bound=300", "ai-cpu=Mul", "frequency-drop=20",
                  "small-packets", "no-overlap")
        draw = random.Random(11)
        for number, ranks in enumerate(("2", "4", "8", "16")):
            chosen = draw.sample(plants, 3)
            with self.subTest(ranks=ranks, plants=chosen):
                options = [part for plant in chosen for part in ("--plant", plant)]
                folder = self.path(f"random{number}")
                made = run("generate", folder, "--ranks", ranks, "--steps", "3", "--layers", "2", "--seed", str(draw.randrange(1000)),
                           *options)
                self.assertEqual(made.returncode, OK, made.stderr)
                steps = self.account(folder)["steps"]
                done = run("query", folder, "--format", "json", "--sql", "SELECT rule, recoverable FROM finding WHERE step IS NULL")
                found = json.loads(done.stdout)
                claimed = sum(row["recoverable"] for row in found if row["rule"] in causes)
                self.assertGreater(claimed, 0)
                self.assertLessEqual(claimed, steps["recorded"] - steps["ideal"] + 10, found)
                for row in found:
                    if row["rule"] in limits:
                        self.assertLessEqual(row["recoverable"], steps["ideal"], row)

    def test_a_table_alone_has_a_reason(self):
        self.assertEqual(run("generate", self.path("cluster"), "--format", "cluster").returncode, OK)
        found = self.account(self.path("cluster"))
        self.assertIsNone(found["replay_error"])
        self.assertIn("timeline", found["reason"])
        self.assertNotIn("causes", found)

    def test_real_captures(self):
        folder = os.path.join(SHARED, "torch_text")
        if not os.path.isdir(folder):
            self.skipTest("real captures are not installed (ALTI_SHARED_DATA)")
        self.assertLess(self.account(os.path.join(folder, "level1"))["replay_error"], 0.003)
        self.assertIn("waits for the device", self.account(os.path.join(folder, "level0"))["reason"])

    def test_usage(self):
        self.assertEqual(run("whatif").returncode, WRONG_USAGE)
        self.assertEqual(run("whatif", "a", "b").returncode, WRONG_USAGE)


if __name__ == "__main__":
    unittest.main()
