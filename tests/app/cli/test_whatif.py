#!/usr/bin/env python3
"""What a cause costs is what a run of the same seed without it takes less."""

import csv
import gzip
import json
import os
import random
import shutil
import unittest

from support import OK, SHARED, WRONG_USAGE, CliTest, check_schema, needs_captures, run

STRAGGLERS = os.path.join(SHARED, "straggler")
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

    def rows(self, folder, sql):
        done = run("query", folder, "--format", "json", "--sql", sql)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout)

    def test_parts_that_are_slow_are_named(self):
        clean = self.account(self.make("sound", "--ranks", "16"))
        found = self.account(self.make("slow", "--ranks", "16", "--plant", "slow-rank=9:30"))
        by = found["slowdown_by"]
        self.assertEqual(list(by["stage"]), ["0", "1"])
        self.assertEqual(list(by["dp"]), ["0", "1", "2", "3"])
        self.assertEqual(list(by["rank"]), [str(rank) for rank in range(16)])
        # What a run without the fault wins is all that its rank, stage and place cost.
        won = found["steps"]["recorded"] / clean["steps"]["recorded"]
        self.assertEqual(found["worst_ranks"]["ranks"], [9])
        for part in (by["rank"]["9"], by["stage"]["1"], by["dp"]["0"], by["type"]["compute"]):
            self.assertLess(abs(part - won), 0.02 * won)
        for part in (by["rank"]["0"], by["stage"]["0"], by["dp"]["1"], by["host"]["9"]):
            self.assertLess(part, 1 + 0.2 * (won - 1))
            self.assertGreaterEqual(part, 1)
        for share in (found["worst_ranks"], found["last_stage"]):
            self.assertGreater(share["removal"], 0.8)
            self.assertGreater(share["addition"], 0.8)

    def test_paths_are_as_long_as_their_steps(self):
        folder = self.make("paths", "--ranks", "4", "--plant", "slow-rank=1:20", "--clock-offset-us", "700")
        steps = self.rows(folder, "SELECT step, sum(dur) AS ns, count(*) AS pieces, max(position) AS last FROM critical_path GROUP BY step")
        self.assertEqual(len(steps), 4)
        recorded = self.account(folder)["steps"]["recorded"]
        self.assertEqual(sum(row["ns"] for row in steps) // 4, recorded)
        for row in steps:
            self.assertEqual(row["pieces"], row["last"] + 1)
        # The slow rank is what the steps hang on: nearly all computing on the path is its.
        shares = {row["rank_id"]: row["ns"] for row in self.rows(
            folder, "SELECT rank_id, sum(dur) AS ns FROM critical_path WHERE kind = 'compute' GROUP BY rank_id")}
        self.assertGreater(shares[1], 0.9 * sum(shares.values()))
        # Slices on the path are those of its pieces.
        wrong = self.rows(folder, "SELECT p.* FROM critical_path p JOIN slice s USING (slice_id) WHERE p.rank_id IS NOT s.rank_id "
                                  "OR p.ts < s.ts - 2 OR p.ts + p.dur > s.ts + s.dur + 2")
        self.assertEqual(wrong, [])
        # The last one of a collective that a step hangs on may not come later; the others as late as it at least.
        late = self.rows(folder, "SELECT instance, min(slack) AS least, count(*) AS ranks FROM slack GROUP BY instance")
        self.assertTrue(all(row["least"] >= 0 and row["ranks"] == 2 for row in late), late)
        self.assertTrue(any(row["least"] == 0 for row in late))
        self.assertEqual(self.rows(folder, "SELECT count(*) AS n FROM slack WHERE instance NOT IN (SELECT instance FROM collective)"),
                         [{"n": 0}])

    def test_groups_of_a_job(self):
        folder = self.make("grid", "--ranks", "16")
        groups = self.rows(folder, "SELECT kind, \"index\" AS number, ranks, source FROM parallel_group")
        self.assertEqual({row["source"] for row in groups}, {"recorded"})
        of = {(row["kind"], row["number"]): json.loads(row["ranks"]) for row in groups}
        # Tensors over neighbours, stages over halves, data in between.
        self.assertEqual({kind: sum(1 for one, _ in of if one == kind) for kind, _ in of}, {"tp": 8, "pp": 8, "dp": 4, "ep": 4})
        for index in range(8):
            self.assertEqual(of["tp", index], [2 * index, 2 * index + 1])
            self.assertEqual(of["pp", index], [index, index + 8])
        self.assertEqual(of["dp", 3], [9, 11, 13, 15])
        # What is not there follows from what is.
        for rank in range(1, 16):
            shutil.rmtree(os.path.join(folder, f"rank{rank}_ascend_pt"))
        again = self.rows(folder, "SELECT kind, \"index\" AS number, ranks, source FROM parallel_group")
        self.assertEqual({(row["kind"], row["number"]): json.loads(row["ranks"]) for row in again}, of)
        self.assertEqual({row["source"] for row in again if 0 not in json.loads(row["ranks"])}, {"computed"})

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


class Tables(CliTest):
    """Tables of operations, as StragglerAnalysis has them."""

    HEADING = ("dp_rank", "stage", "rank", "step", "optype", "start_ts", "duration", "seq_id", "mc", "mb_id", "gmc")

    def write(self, name, rows):
        path = self.path(name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([self.HEADING, *rows])
        return path

    def account(self, path, *options):
        done = run("whatif", path, "--json", *options)
        self.assertEqual(done.returncode, OK, done.stderr)
        check_schema(self, "whatif", done.stdout)
        return json.loads(done.stdout)

    @needs_captures
    def test_published_results(self):
        for name, sizes, worst in (("ST", "dp=2,pp=4,tp=1,cp=1,vpp=1", [7]), ("AR", "dp=4,pp=4,tp=4,cp=1,vpp=1", [0])):
            with self.subTest(name=name):
                path = self.path(name + ".csv")
                with gzip.open(os.path.join(STRAGGLERS, f"trace-{name}.csv.gz")) as packed, open(path, "wb") as file:
                    file.write(packed.read())
                found = self.account(path, "--parallel", sizes)

                def published(kind, name=name):
                    with open(os.path.join(STRAGGLERS, f"{kind}-{name}.json"), encoding="utf-8") as file:
                        return json.load(file)
                result = published("result")
                self.assertAlmostEqual(found["slowdown"], result["blocking_slowdown"], delta=1e-9)
                for mine, theirs in (("type", "optype"), ("stage", "stage"), ("dp", "dp_rank")):
                    wanted = result[f"blocking_decompose_by_{theirs}"]
                    self.assertEqual(found["slowdown_by"][mine].keys(), wanted.keys())
                    for key, value in wanted.items():
                        self.assertAlmostEqual(found["slowdown_by"][mine][key], value, delta=1e-9)
                for mine, kind in (("worst_ranks", "mw"), ("last_stage", "ms")):
                    for part, theirs in (("removal", "rem"), ("addition", "add")):
                        self.assertAlmostEqual(found[mine][part], published(kind)[theirs], delta=1e-6)
                self.assertEqual(found["worst_ranks"]["ranks"], worst)
                self.assertLess(found["replay_error"], 1e-6)

    def rows(self, slow=0.0):
        """Two dp ranks of one stage, three steps, without transfers: computing, a sum over both, the optimizer. By hand."""
        rows = []
        for step in range(3):
            for dp in range(2):
                forward = 1 + (slow if dp == 1 else 0)
                last = 1 + slow + 2
                rows += [(dp, 0, dp, step, "forward-compute", 0, forward, 0, 0, 0, 0),
                         (dp, 0, dp, step, "backward-compute", forward, 2, 0, 0, 0, 0),
                         (dp, 0, dp, step, "gc", forward + 2, 0, 0, -1, -1, -1),
                         (dp, 0, dp, step, "optimizer-clip-main-grad", forward + 2, last + 0.5 - forward - 2, 0, -1, -1, -1),
                         (dp, 0, dp, step, "optimizer", last + 0.5, 0.25, 0, -1, -1, -1)]
        return rows

    def test_by_hand(self):
        found = self.account(self.write("even.csv", self.rows()))
        self.assertEqual(found["steps"], {name: 3_750_000_000 for name in ("recorded", "replayed", "without_launch_delay", "ideal")})
        self.assertEqual(found["slowdown"], 1)
        # The slow rank's second more is half a second of the mean.
        found = self.account(self.write("slow.csv", self.rows(1)), "--parallel", "dp=2")
        self.assertEqual(found["steps"]["recorded"], 4_750_000_000)
        self.assertEqual(found["steps"]["ideal"], 4_250_000_000)
        self.assertAlmostEqual(found["slowdown"], 4.75 / 4.25)
        self.assertAlmostEqual(found["slowdown_by"]["dp"]["1"], 4.75 / 4.25)
        self.assertAlmostEqual(found["slowdown_by"]["dp"]["0"], 1)
        self.assertEqual(found["worst_ranks"], {"ranks": [1], "removal": 1, "addition": 1})

    def test_what_is_no_table(self):
        rows = self.rows()
        for name, changed, options, word in (
                ("lacks", rows[:-1], (), "Each step of each dp rank needs each operation once"),
                ("twice", [*rows, rows[3]], (), "needs each operation once"),
                ("odd", [*rows, (0, 0, 0, 0, "gc", "soon", 1, 1, 0, 0, 0)], (), "row 32: this is no operation"),
                ("huge", [*rows, (9 ** 9, 0, 0, 0, "gc", 0, 1, 1, 0, 0, 0)], (), "this is no operation"),
                ("far", [*rows, (900_000, 0, 0, 0, "gc", 0, 1, 1, 0, 0, 0)], (), "needs each operation once"),
                ("sizes", rows, ("--parallel", "dp=4"), "dp=2, pp=1, vpp=1"),
                ("sends", [*rows, (0, 0, 0, 0, "forward-send", 0.5, 9, 0, -1, -1, -1)], (), "needs each operation once"),
                ("none", [], (), "no rows of operations")):
            with self.subTest(name=name):
                done = run("whatif", self.write(name + ".csv", changed), *options)
                self.assertNotEqual(done.returncode, OK)
                self.assertIn(word, done.stderr)
        self.assertEqual(run("whatif", self.write("whole.csv", rows), "--parallel", "dp").returncode, WRONG_USAGE)


if __name__ == "__main__":
    unittest.main()
