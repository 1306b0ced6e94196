#!/usr/bin/env python3
"""Clocks of ranks that are laid upon each other by their collectives, against the generator's truth."""

import json
import pathlib
import unittest

from support import CliTest, result, rows

WITHIN = 1000  # ns


class Clocks(CliTest):
    def generate(self, ranks, *words):
        capture = self.path("-".join((str(ranks),) + words).replace("/", "_"))
        result("generate", capture, "--ranks", str(ranks), "--steps", "3", "--layers", "2", *words)
        truth = json.loads(pathlib.Path(capture, "truth.json").read_text())
        return capture, {rank["rank_id"]: rank["clock_offset_ns"] for rank in truth["ranks"]}

    def compare(self, ranks, *words, within=WITHIN):
        capture, truth = self.generate(ranks, *words)
        found = rows(capture, "SELECT rank_id, clock_offset, clock_residual FROM rank ORDER BY rank_id")
        self.assertEqual(len(found), ranks)
        for rank, offset, residual in found:
            self.assertIsNotNone(offset, (words, rank))
            self.assertLessEqual(abs(offset - truth[rank]), within, (words, rank))
            self.assertGreaterEqual(residual, 0)
        return found

    def test_offsets_of_any_number_of_ranks(self):
        for ranks in (2, 3, 4, 8, 16):
            for rank, _, residual in self.compare(ranks, "--clock-offset-us", "5000000"):
                self.assertLessEqual(residual, WITHIN, (ranks, rank))

    def test_a_slow_rank_and_uneven_warmups(self):
        self.compare(4, "--clock-offset-us", "80000", "--uneven-warmup")
        self.compare(8, "--clock-offset-us", "80000", "--uneven-warmup", "--plant", "slow-rank=3:40")

    def test_drift(self):
        for ppm in (20, 100):
            words = ("--clock-offset-us", "9000", "--clock-drift-ppm", str(ppm), "--uneven-warmup")
            # The middle of the truth is that of the recording, ours that of its events: they may be 50 ms apart.
            found = self.compare(4, *words, within=WITHIN + ppm * 50)
            # By the offset alone, clocks that drift are right in the middle only, and the residual says so.
            self.assertTrue(any(residual > 1 for _, _, residual in found), words)

    def test_databases(self):
        self.compare(4, "--format", "db", "--clock-offset-us", "80000", "--uneven-warmup")

    def test_one_rank_is_not_aligned(self):
        capture, _ = self.generate(1)
        self.assertEqual(rows(capture, "SELECT clock_offset, clock_residual FROM rank"), [(None, None)])


if __name__ == "__main__":
    unittest.main()
