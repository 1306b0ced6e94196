#!/usr/bin/env python3
"""Passes of micro-batches on the stages of a pipeline are those of its schedule."""

import json
import unittest

from support import OK, CliTest, run


class Pipeline(CliTest):
    def rows(self, folder, sql):
        done = run("query", folder, "--format", "json", "--sql", sql)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout)

    def make(self, name, *options):
        self.assertEqual(run("generate", self.path(name), "--seed", "5", *options).returncode, OK)
        return self.path(name)

    def test_passes_follow_each_other_over_the_stages(self):
        folder = self.make("stages", "--ranks", "16", "--steps", "2", "--layers", "2", "--size", "9000000", "--clock-offset-us", "400")
        offsets = {row["rank_id"]: row["clock_offset"] for row in self.rows(folder, "SELECT rank_id, clock_offset FROM rank")}
        transfers = {(row["rank_id"], row["step"]): row["n"] for row in self.rows(
            folder, "SELECT rank_id, step, count(*) AS n FROM collective WHERE kind = 'p2p' AND origin = 'recorded' GROUP BY 1, 2")}
        blocks = {}
        for row in self.rows(folder, "SELECT * FROM pipeline_block"):
            key = row["rank_id"], row["step"], row["direction"], row["micro_batch"]
            begin = row["ts"] + offsets[row["rank_id"]]
            self.assertNotIn(key, blocks)
            blocks[key] = begin, begin + row["dur"]
            self.assertEqual(row["stage"], row["rank_id"] // 8)
        self.assertEqual(len(transfers), 32)
        micro_batches = transfers[0, 5] // 2
        self.assertGreater(micro_batches, 1)
        for (rank, step), count in transfers.items():
            # Each pass sends or receives once on the first and the last stage.
            self.assertEqual(count, 2 * micro_batches)
            for direction in ("forward", "backward"):
                self.assertEqual([key[3] for key in sorted(blocks) if key[:3] == (rank, step, direction)], list(range(micro_batches)))
            own = sorted(times for key, times in blocks.items() if key[:2] == (rank, step))
            for (_, end), (begin, _) in zip(own, own[1:]):
                self.assertLessEqual(end, begin)
        # Clocks are aligned to some 10 us.
        for (rank, step, direction, number), (begin, end) in blocks.items():
            if rank >= 8:
                continue
            other = blocks[rank + 8, step, direction, number]
            if direction == "forward":
                self.assertLessEqual(end, other[0] + 20_000)
            else:
                self.assertLessEqual(other[1], begin + 20_000)
        for row in self.rows(folder, "SELECT * FROM pipeline_bubble"):
            step = [times for key, times in blocks.items() if key[1] == row["step"]]
            busy = sum(end - begin for key, (begin, end) in blocks.items() if key[:2] == (row["rank_id"], row["step"]))
            self.assertEqual((row["stage"], row["micro_batches"], row["busy"]), (row["rank_id"] // 8, micro_batches, busy))
            self.assertEqual(row["bubble"], max(end for _, end in step) - min(begin for begin, _ in step) - busy)
            self.assertGreater(row["bubble"], 0)

    def test_stages_that_work_at_once_have_the_bubble_of_their_schedule(self):
        folder = self.make("at_once", "--ranks", "16", "--steps", "2", "--layers", "2", "--micro-batches", "8", "--clock-offset-us", "400")
        with open(f"{folder}/truth.json", encoding="utf-8") as file:
            truth = {(rank["rank_id"], step["step"]): step for rank in json.load(file)["ranks"] for step in rank["steps"]}
        rows = self.rows(folder, "SELECT * FROM pipeline_bubble")
        self.assertEqual(len(rows), 32)
        blocks = self.rows(folder, "SELECT * FROM pipeline_block ORDER BY rank_id, step, ts")
        for row in rows:
            own = [b for b in blocks if (b["rank_id"], b["step"]) == (row["rank_id"], row["step"])]
            # The first stage is one forward pass ahead, the last one takes turns.
            order = "".join(block["direction"][0] for block in own)
            self.assertEqual(order, "f" + 7 * "fb" + "b" if row["stage"] == 0 else 8 * "fb")
            for letter, direction in ("f", "forward"), ("b", "backward"):
                mine = [b for b in own if b["direction"] == direction]
                self.assertEqual([b["micro_batch"] for b in mine], list(range(8)))
                self.assertAlmostEqual(row[direction], sum(b["dur"] for b in mine) / 8, delta=1)
            self.assertEqual(row["micro_batches"], 8)
        for step in 5, 6:
            of_step = [row for row in rows if row["step"] == step]
            stages = [[r for r in of_step if r["stage"] == s] for s in (0, 1)]
            length = [[sum(r[d] for r in s) / len(s) for d in ("forward", "backward")] for s in stages]
            forward, backward = ((length[0][i] + length[1][i]) / 2 for i in (0, 1))
            for row in of_step:
                self.assertAlmostEqual(row["ideal_1f1b"], forward + backward, delta=2)
                self.assertGreaterEqual(row["micro_batches"], 2)
                self.assertAlmostEqual(row["ideal_interleaved"], (forward + backward) / 2, delta=2)
                self.assertAlmostEqual(row["ideal_zero_bubble"], forward, delta=2)
                self.assertEqual(row["is_slowest"], int(sum(length[row["stage"]]) > sum(length[1 - row["stage"]])))
                self.assertAlmostEqual(row["equal_cut"], 7 * abs(sum(length[0]) - sum(length[1])) / 2, delta=20)
                # A rank waits for the other stage, and for its host between the passes.
                self.assertGreater(row["bubble"], 0.7 * row["ideal_1f1b"])
                self.assertGreater(truth[row["rank_id"], step]["bubble"], 0)
                self.assertLess(truth[row["rank_id"], step]["bubble"], row["bubble"] + row["ideal_1f1b"])

    def test_working_at_once_is_shorter_than_taking_turns(self):
        """Eight micro-batches, the same work: the first stage does not wait for each of them to come back."""
        at_once = self.make("together", "--ranks", "16", "--steps", "1", "--layers", "2", "--micro-batches", "8")
        turns = self.make("turns", "--ranks", "16", "--steps", "1", "--layers", "2")
        def share(folder):
            rows = self.rows(folder, "SELECT bubble, busy FROM pipeline_bubble")
            return sum(r["bubble"] for r in rows) / sum(r["bubble"] + r["busy"] for r in rows)
        self.assertLess(share(at_once), 0.6 * share(turns))

    def test_passes_hold_the_kernels_of_their_operators(self):
        folder = self.make("kernels", "--ranks", "16", "--steps", "1", "--layers", "2")
        # All between the first and the last matrix multiplication of a pass is in it; the optimizer is in none.
        inside = ("SELECT count(*) AS n FROM kernel k JOIN pipeline_block b ON b.rank_id = k.rank_id AND k.ts >= b.ts AND "
                  "k.ts + k.dur <= b.ts + b.dur WHERE k.type {} AND k.kind = 'compute'")
        matrices = self.rows(folder, "SELECT count(*) AS n FROM kernel WHERE type = 'MatMulV2' AND kind = 'compute'")
        self.assertGreater(matrices[0]["n"], 50)
        self.assertEqual(self.rows(folder, inside.format("= 'MatMulV2'")), matrices)
        self.assertEqual(self.rows(folder, inside.format("LIKE '%Adam%'")), [{"n": 0}])

    def test_schedules_that_need_more_micro_batches_have_no_bubble(self):
        """One micro-batch on two stages: neither parts of stages nor gradients of weights can fill the wait."""
        folder = self.make("one", "--ranks", "16", "--steps", "1", "--layers", "2", "--micro-batches", "1")
        rows = self.rows(folder, "SELECT micro_batches, ideal_1f1b, ideal_interleaved, ideal_zero_bubble FROM pipeline_bubble")
        self.assertEqual(len(rows), 16)
        for row in rows:
            self.assertEqual((row["micro_batches"], row["ideal_interleaved"], row["ideal_zero_bubble"]), (1, None, None))
            self.assertGreater(row["ideal_1f1b"], 0)

    def test_without_a_pipeline_there_is_none(self):
        folder = self.make("single", "--ranks", "2", "--steps", "1", "--layers", "1")
        self.assertEqual(self.rows(folder, "SELECT * FROM pipeline_block"), [])
        self.assertEqual(self.rows(folder, "SELECT * FROM pipeline_bubble"), [])


if __name__ == "__main__":
    unittest.main()
