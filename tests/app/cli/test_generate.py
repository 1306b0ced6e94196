#!/usr/bin/env python3
"""`generate`: the same options give the same bytes, and what was written is what comes out again."""

import json
import os
import sys
import unittest

from support import FAILED, CliTest, counted, info, result, rows, run, write


def contents(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Generate(CliTest):
    def generate(self, name, *words):
        result("generate", self.path(name), "--quiet", *words)
        return self.path(name)

    def test_same_options_same_bytes(self):
        words = ("--ranks", "3", "--steps", "2", "--layers", "1", "--seed", "7")
        first = contents(self.generate("first", *words))
        self.assertEqual(contents(self.generate("again", *words, "--jobs", "1")), first)
        other = contents(self.generate("other", *words[:-1], "8"))
        self.assertEqual(sorted(other), sorted(first))
        self.assertNotEqual(other, first)

    def test_what_was_written_comes_out_again(self):
        run_folder = self.generate("run", "--ranks", "2", "--steps", "3", "--layers", "2")
        with open(os.path.join(run_folder, "truth.json"), encoding="utf-8") as file:
            truth = json.load(file)
        self.assertTrue(truth)
        found = info(run_folder)
        self.assertEqual((found["state"], [rank["rank_id"] for rank in found["ranks"]]), ("ok", [0, 1]))
        self.assertEqual({len(rank["steps"]) for rank in found["ranks"]}, {3})
        expected = [counted(os.path.join(run_folder, rank["path"], "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
                    for rank in found["ranks"]]
        self.assertEqual(rows(run_folder, "SELECT count(*), sum(dur) FROM slice GROUP BY rank_id ORDER BY rank_id"),
                         [(count["slices"], sum(count["dur"].values())) for count in expected])
        self.assertEqual([diagnostic for diagnostic in found["diagnostics"] if diagnostic["severity"] != "info"], [])

    def test_size(self):
        folder = self.generate("sized", "--ranks", "1", "--size", "3M")
        size = sum(len(data) for name, data in contents(folder).items() if name != "truth.json")
        self.assertTrue(2_000_000 < size < 4_500_000, size)

    def test_a_folder_with_something_in_it_is_left_alone(self):
        keep = write(self.path("full", "keep.txt"), "mine")
        self.assert_message(run("generate", os.path.dirname(keep)), FAILED, self.path("full"))
        self.assertEqual(contents(self.path("full")), {"keep.txt": b"mine"})

    def test_a_place_that_cannot_be_written(self):
        file = write(self.path("file"), "")
        self.assert_message(run("generate", os.path.join(file, "new")), FAILED, "new")


if __name__ == "__main__":
    sys.exit(unittest.main())
