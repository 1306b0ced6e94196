#!/usr/bin/env python3
"""`info`: the keys of `--json` to the letter (product.md, section 3), and that the text tells the same."""

import os
import sys
import unittest

from support import GOLDEN, TORCH_TEXT, TWO_RANKS, CliTest, counted, info, needs_captures, result, rows, tree_hash

TOP = ["schema", "path", "state", "ranks", "tables", "sealed", "versions", "diagnostics"]
RANK = ["rank_id", "device_id", "host", "framework", "source", "path", "state", "start_ts", "end_ts", "steps", "missing",
        "alternatives"]
DIAGNOSTIC = ["severity", "code", "count", "file", "place", "message"]


class Info(CliTest):
    def test_keys(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            if not os.path.isdir(capture):
                continue
            with self.subTest(name):
                found = info(capture)
                self.assertEqual(list(found), TOP)
                self.assertEqual((found["schema"], found["path"]), (1, capture))
                self.assertIn(found["state"], ("ok", "partial"))
                for rank in found["ranks"]:
                    self.assertEqual(list(rank), RANK)
                    self.assertIn(rank["framework"], ("torch", "mindspore", "cann", "chrome"))
                    self.assertIn(rank["source"], ("text", "db", "raw", "cluster"))
                    self.assertIn(rank["state"], ("ok", "partial", "raw", "listed"))
                    for missing in rank["missing"]:
                        self.assertEqual(list(missing), ["what", "switch"])
                for diagnostic in found["diagnostics"]:
                    self.assertEqual(list(diagnostic), DIAGNOSTIC)
                    self.assertIn(diagnostic["severity"], ("info", "repaired", "lost"))
                    self.assertGreater(len(diagnostic["message"]), 20)

    def test_rows_per_table_are_what_a_query_counts(self):
        tables = info(TWO_RANKS)["tables"]
        for table, count in tables.items():
            with self.subTest(table):
                self.assertEqual(rows(TWO_RANKS, f'SELECT count(*) FROM "{table}"'), [(count,)])

    def test_ranks_are_what_a_query_shows(self):
        found = [tuple(rank[key] for key in ("rank_id", "device_id", "host", "framework", "source", "path", "start_ts",
                                             "end_ts")) for rank in info(TWO_RANKS)["ranks"]]
        self.assertEqual(found, rows(TWO_RANKS, """SELECT rank_id, device_id, host, framework, source, path, start_ts, end_ts
            FROM rank ORDER BY rank_id"""))
        self.assertEqual([rank["steps"] for rank in info(TWO_RANKS)["ranks"]], [[5], [5]])

    def test_text(self):
        text = result("info", TWO_RANKS)
        for word in ("node-1", "torch_npu", "2.7.1", "8.3.RC1", "slice", "profile_memory"):
            self.assertIn(word, text)

    def test_partial(self):
        found = info(os.path.join(GOLDEN, "interrupted", "capture"))
        self.assertEqual(found["state"], "partial")
        self.assertIn("lost", [diagnostic["severity"] for diagnostic in found["diagnostics"]])

    @needs_captures
    def test_real_run(self):
        capture = os.path.join(TORCH_TEXT, "level1")
        before = tree_hash(capture)
        found = info(capture)
        self.assertEqual(found["state"], "ok")
        counts = [counted(os.path.join(capture, rank["path"], "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
                  for rank in found["ranks"]]
        for table, key in (("slice", "slices"), ("counter", "counters"), ("flow", "flows")):
            self.assertEqual(found["tables"][table], sum(count[key] for count in counts))
        self.assertEqual(tree_hash(capture), before)


if __name__ == "__main__":
    sys.exit(unittest.main())
