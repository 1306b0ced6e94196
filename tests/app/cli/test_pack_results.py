#!/usr/bin/env python3
"""pack: what a pack says of all of its ranks together is what they give, and info reads none of them for it."""

import json
import os
import shutil
import unittest

from pack_bytes import RESULTS, STORE, content_of, sections_of
from support import GOLDEN, OK, PARTIAL, TWO_RANKS, CliTest, result, rows, run


class ResultsTest(CliTest):
    def pack(self, capture, *words, name="x.altipack"):
        out = self.path(name)
        result("pack", capture, "--out", out, *words)
        return out

    def generated(self, *words):
        out = self.path("run" + "".join(words).replace("-", ""))
        result("generate", out, "--ranks", "3", "--steps", "3", "--seed", "7", "--plant", "slow-rank=1:40", *words)
        return out

    def said(self, capture, *words):
        """What info says, but for the place of the capture; what else a rank could be read from stayed there."""
        said = json.loads(result("info", capture, "--json", *words))
        del said["path"]
        for rank in said["ranks"]:
            del rank["alternatives"]
        text = result("info", capture, *words).split("\n", 1)[1]
        return said, [line for line in text.split("\n") if not line.startswith("  also ")]

    @staticmethod
    def has_results(pack):
        with open(pack, "rb") as file:
            return any(section[0] == RESULTS for section in sections_of(file.read()))

    @staticmethod
    def damage(pack, kind):
        with open(pack, "rb") as file:
            data = bytearray(file.read())
        for section in sections_of(data):
            if section[0] == kind:
                data[section[3]] ^= 0x40
        with open(pack, "wb") as file:
            file.write(data)


class Info(ResultsTest):
    def check(self, capture):
        expected, pack = self.said(capture), self.pack(capture)
        self.assertTrue(self.has_results(pack))
        self.assertEqual(self.said(pack), expected)
        # Every rank is damaged, and nobody looks.
        self.damage(pack, STORE)
        self.assertEqual(self.said(pack), expected)

    def test_info_of_a_pack_says_what_its_capture_says_and_reads_no_rank(self):
        for words in (("--format", "text"), ("--format", "db"), ("--format", "text", "--format", "cluster")):
            with self.subTest(words):
                self.check(self.generated(*words))

    def test_golden_captures(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            if not os.path.exists(capture) or run("info", capture).returncode != OK:
                continue
            with self.subTest(name):
                # What the findings call a rank without a number is the name of its capture's folder.
                pack = self.pack(capture, name=os.path.basename(capture) + ".altipack")
                self.assertEqual(self.said(pack), self.said(capture))
                numbers = [number for number, in rows(capture, "SELECT rank_id FROM rank")]
                self.assertEqual(self.has_results(pack), bool(numbers) and None not in numbers)

    def test_limits_of_lists(self):
        capture = self.generated()
        self.assertEqual(self.said(self.pack(capture), "--limit", "1", "--offset", "1"), self.said(capture, "--limit", "1", "--offset", "1"))

    def test_losses_show_with_strict(self):
        pack = self.pack(TWO_RANKS)
        self.assertEqual(run("info", pack, "--strict").returncode, run("info", TWO_RANKS, "--strict").returncode)
        with open(pack, "rb") as file:
            data = bytearray(file.read())
        data[next(section for section in sections_of(data) if section[0] == STORE)[3]] ^= 1
        with open(pack, "wb") as file:
            file.write(data)
        self.assertEqual(run("info", pack).returncode, OK)
        done = run("info", pack, "--strict")
        self.assertEqual(done.returncode, PARTIAL)
        self.assertIn("pack.rank_lost", done.stdout)

    def test_ranks_are_read_where_results_are_missing_damaged_or_cut(self):
        capture = self.generated()
        expected = self.said(capture)
        without = self.pack(capture, "--without", "results", name="without.altipack")
        self.assertFalse(self.has_results(without))
        self.assertEqual(self.said(without), expected)
        pack = self.pack(capture)
        self.damage(pack, RESULTS)
        self.assertEqual(self.said(pack), expected)
        pack = self.pack(capture)
        with open(pack, "rb") as file:
            data = file.read()
        last = [section for section in sections_of(data) if section[0] == STORE][-1]
        with open(pack, "wb") as file:
            file.write(data[:last[2]])
        self.assertIn("pack.rank_lost", result("info", pack))

    def test_results_follow_what_the_pack_holds(self):
        capture = self.generated()
        pack = self.pack(capture, "--ranks", "0,2", "--without", "args", name="two.altipack")
        self.assertTrue(self.has_results(pack))
        expected = self.said(self.pack(capture, "--ranks", "0,2", "--without", "args,results"))
        self.assertEqual(self.said(pack), expected)

    def test_the_same_bytes_again_and_nothing_else_changes(self):
        capture = self.generated()
        packs = [self.pack(capture, "--jobs", jobs, name=jobs + ".altipack") for jobs in ("1", "4")]
        content = []
        for pack in packs:
            with open(pack, "rb") as file:
                content.append(file.read())
        self.assertTrue(content[0] == content[1])
        with open(self.pack(capture, "--without", "results", name="without.altipack"), "rb") as file:
            without = file.read()
        kept = [section for section in sections_of(content[0]) if section[0] != RESULTS]
        self.assertEqual([section[:2] for section in kept], [section[:2] for section in sections_of(without)])
        for mine, theirs in zip(kept, sections_of(without)):
            self.assertTrue(content_of(content[0], mine) == content_of(without, theirs), mine[:2])

    def test_a_pack_that_was_renamed(self):
        capture = self.generated()
        expected, pack = self.said(capture), self.pack(capture)
        moved = self.path("elsewhere")
        shutil.move(pack, moved)
        self.assertEqual(self.said(moved), expected)


if __name__ == "__main__":
    unittest.main()
