#!/usr/bin/env python3
"""pack: answers of a pack equal those of its capture, for every table; what is whole of a damaged pack is given, the rest is named."""

import concurrent.futures
import json
import os
import shutil
import struct
import unittest

from pack_bytes import ARGUMENTS, DIAGNOSTICS, GROUPS, PROVENANCE, RANKS, RESULTS, STORE, SUMS, sections_of
from support import (FAILED, GOLDEN, OK, PARTIAL, SHARED, TWO_RANKS, WRONG_USAGE, CliTest, needs_captures, result, rows, run, tree_hash)

def all_tables():
    """Tables and views; functions need arguments."""
    return [table["table"] for table in json.loads(result("query", "--schema", "--json")) if table.get("kind") != "function"]


class PackTest(CliTest):
    def pack(self, capture, *words, name="x.altipack"):
        out = self.path(name)
        result("pack", capture, "--out", out, *words)
        return out

    def answers(self, capture, sql, *words):
        done = run("query", capture, "--sql", sql, "--format", "json", *words, text=False)
        return done.returncode, done.stdout

    def check_equal(self, capture):
        # What the findings call a rank without a number is the name of its capture's folder.
        pack = self.pack(capture, name=os.path.basename(capture) + ".altipack")
        statements = [f'SELECT * FROM "{table}"' for table in all_tables()] + [
            "SELECT slice_id, name FROM slice WHERE args LIKE '%stream%' OR args GLOB '*Size*' ORDER BY 1",
            "SELECT count(*), sum(length(args)) FROM slice", "SELECT * FROM slice ORDER BY ts DESC, slice_id LIMIT 20"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            pairs = pool.map(lambda sql: (sql, self.answers(capture, sql), self.answers(pack, sql)), statements)
            for sql, of_capture, of_pack in pairs:
                self.assertEqual(of_capture[0], OK, sql)
                self.assertTrue(of_capture == of_pack, f"{capture}: {sql}\n{of_capture[1][:400]}\n{of_pack[1][:400]}")


class Equal(PackTest):
    def test_golden_captures(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            if os.path.exists(capture) and run("info", capture).returncode == OK:
                with self.subTest(name):
                    self.check_equal(capture)

    def test_generated_runs(self):
        for words in (("--format", "text"), ("--format", "db"), ("--format", "mindspore"), ("--format", "raw"), ("--format", "snapshot"),
                      ("--format", "text", "--format", "cluster")):
            out = self.path("run" + "".join(words[1::2]))
            result("generate", out, "--ranks", "2", "--steps", "2", "--seed", "5", *words)
            with self.subTest(words):
                self.check_equal(out)

    @needs_captures
    def test_real_captures(self):
        for name in ("torch_db", "torch_text", "mindspore_legacy", "memscope", "snapshot", "torch_cluster_level2", "msprof_db", "serving",
                     "straggler", "test_ranks", "cluster_text", "raw"):
            with self.subTest(name):
                self.check_equal(os.path.join(SHARED, name))

    def test_without_its_capture(self):
        copy = self.path("copy")
        shutil.copytree(TWO_RANKS, copy)
        pack = self.pack(copy)
        sql = "SELECT name, ts, args FROM slice ORDER BY slice_id"
        before = self.answers(copy, sql)
        shutil.rmtree(copy)
        self.assertEqual(self.answers(pack, sql), before)

    def test_of_a_pack(self):
        pack = self.pack(TWO_RANKS)
        again = self.pack(pack, name="again.altipack")
        sql = "SELECT slice_id, args FROM slice ORDER BY 1"
        self.assertEqual(self.answers(again, sql), self.answers(pack, sql))

    def test_same_capture_same_bytes_and_untouched(self):
        before = tree_hash(TWO_RANKS)
        one, other = self.pack(TWO_RANKS), self.pack(TWO_RANKS, "--jobs", "1", name="y.altipack")
        with open(one, "rb") as a, open(other, "rb") as b:
            self.assertTrue(a.read() == b.read())
        self.assertEqual(tree_hash(TWO_RANKS), before)


class Parts(PackTest):
    def test_ranks(self):
        ranks = [rank for rank, in rows(TWO_RANKS, "SELECT rank_id FROM rank ORDER BY 1")]
        pack = self.pack(TWO_RANKS, "--ranks", str(ranks[1]))
        self.assertEqual(rows(pack, "SELECT rank_id FROM rank"), [(ranks[1],)])
        sql = f"SELECT * FROM slice WHERE rank_id = {ranks[1]} ORDER BY slice_id"
        self.assertEqual(self.answers(pack, sql), self.answers(TWO_RANKS, sql))
        self.assertEqual(run("pack", TWO_RANKS, "--out", self.path("n.altipack"), "--ranks", "77").returncode, FAILED)
        self.assertFalse(os.path.exists(self.path("n.altipack")))
        done = run("pack", TWO_RANKS, "--out", self.path("n.altipack"), "--ranks", f"{ranks[1]},77")
        self.assertEqual(done.returncode, OK)
        self.assertIn("none of these ranks: 77.", done.stderr)

    def test_without_arguments(self):
        pack = self.pack(TWO_RANKS, "--without", "args")
        self.assertEqual(rows(pack, "SELECT count(args) FROM slice"), [(0,)])
        sql = "SELECT slice_id, name, ts, dur, parent_id FROM slice ORDER BY 1"
        self.assertEqual(self.answers(pack, sql), self.answers(TWO_RANKS, sql))
        self.assertLess(os.path.getsize(pack), os.path.getsize(self.pack(TWO_RANKS, name="all.altipack")))

    def test_sizes_are_said(self):
        out = self.path("x.altipack")
        said = json.loads(result("pack", TWO_RANKS, "--out", out, "--json"))
        self.assertEqual((said["path"], said["ranks"], said["bytes"]), (out, 2, os.path.getsize(out)))
        self.assertGreater(said["bytes"], said["argument_bytes"])

    def test_a_range_is_read_whole_and_that_is_said(self):
        pack = self.pack(TWO_RANKS)
        done = run("query", pack, "--sql", "SELECT count(*) FROM slice", "--range", "1..2", "--format", "csv")
        self.assertIn("is read whole", done.stderr)
        self.assertEqual(done.stdout, result("query", pack, "--sql", "SELECT count(*) FROM slice", "--format", "csv"))

    def test_wrong_usage(self):
        for text, words in (("A capture is missing", ()), ("pack needs --out", (TWO_RANKS,)),
                            ("ends with .altipack", (TWO_RANKS, "--out", "x.zip")),
                            ("--ranks takes", (TWO_RANKS, "--out", "x.altipack", "--ranks", "a")),
                            ("--without takes args", (TWO_RANKS, "--out", "x.altipack", "--without", "names"))):
            done = run("pack", *words)
            self.assertEqual(done.returncode, WRONG_USAGE)
            self.assertIn(text, done.stderr)

    def test_nothing_in_the_capture_and_nothing_half(self):
        copy = self.path("copy")
        shutil.copytree(TWO_RANKS, copy)
        before = tree_hash(copy)
        self.assertEqual(run("pack", copy, "--out", os.path.join(copy, "x.altipack")).returncode, FAILED)
        self.assertEqual(tree_hash(copy), before)
        self.assertEqual(run("pack", copy, "--out", self.path("none/x.altipack")).returncode, FAILED)


class Damaged(PackTest):
    def setUp(self):
        super().setUp()
        with open(self.pack(TWO_RANKS, name="whole.altipack"), "rb") as file:
            self.data = file.read()
        self.slices = rows(TWO_RANKS, "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1")

    def written(self, data, name="bad.altipack"):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def flipped(self, at):
        return self.written(self.data[:at] + bytes([self.data[at] ^ 0x40]) + self.data[at + 1:])

    def codes(self, pack):
        return {code for code, in rows(pack, "SELECT code FROM diagnostic WHERE code LIKE 'pack.%'")}

    def test_each_section(self):
        expected = {SUMS: set(), DIAGNOSTICS: {"pack.notes_lost"}, PROVENANCE: set(), GROUPS: {"pack.groups_lost"},
                    STORE: {"pack.rank_lost"},
                    ARGUMENTS: set(), RESULTS: set()}
        for kind, rank, _, block, _ in sections_of(self.data):
            with self.subTest(kind=kind, rank=rank):
                pack = self.flipped(block)
                if kind == RANKS:
                    done = run("info", pack)
                    self.assertEqual(done.returncode, FAILED)
                    self.assertIn("is damaged", done.stderr)
                    continue
                self.assertEqual(self.codes(pack), expected[kind])
                left = [entry for i, entry in enumerate(self.slices) if kind != STORE or i != rank]
                self.assertEqual(rows(pack, "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1"), left)
                if expected[kind]:
                    self.assertEqual(run("info", pack, "--strict").returncode, PARTIAL)
                if kind == ARGUMENTS:
                    done = run("query", pack, "--sql", "SELECT count(args) FROM slice", "--format", "csv", "--strict")
                    self.assertEqual(done.returncode, PARTIAL)
                    self.assertIn("pack.damaged", done.stderr)

    def test_headers_of_sections(self):
        for kind, rank, place, _, _ in sections_of(self.data):
            # The directory has another copy of the header: what the walk reads is not needed.
            with self.subTest(kind=kind, rank=rank):
                self.assertEqual(self.codes(self.flipped(place)), set())

    def test_cut(self):
        sections = sections_of(self.data)
        last = sections[-1][4]
        pack = self.written(self.data[:len(self.data) - 1])
        self.assertEqual(self.codes(pack), {"pack.cut"})
        self.assertEqual(rows(pack, "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1"), self.slices)
        self.assertEqual(self.answers(pack, "SELECT args FROM slice ORDER BY slice_id"),
                         self.answers(TWO_RANKS, "SELECT args FROM slice ORDER BY slice_id"))
        self.assertEqual(self.codes(self.written(self.data[:last - 1])), {"pack.cut", "pack.arguments_lost"})
        first_store = next(s for s in sections if s[0] == STORE)
        pack = self.written(self.data[:first_store[4] + 8])
        self.assertEqual(self.codes(pack), {"pack.cut", "pack.arguments_lost", "pack.rank_lost"})
        self.assertEqual(rows(pack, "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1"), self.slices[:1])
        for size in (0, 7, 31, 32, 60, sections[0][4] - 1, sections[1][4] - 1):
            done = run("info", self.written(self.data[:size]))
            self.assertEqual(done.returncode, FAILED, size)
            self.assertIn("is damaged", done.stderr)

    def test_any_byte(self):
        for at in range(0, len(self.data), max(1, len(self.data) // 60)):
            done = run("info", self.flipped(at), "--quiet")
            self.assertIn(done.returncode, (OK, FAILED), (at, done.stderr))

    def test_spliced_from_another_pack(self):
        other = self.pack(TWO_RANKS, "--without", "args", name="other.altipack")
        with open(other, "rb") as file:
            other = file.read()
        mine = next(s for s in sections_of(self.data) if s[0] == STORE)
        theirs = next(s for s in sections_of(other) if s[0] == STORE)
        # The same store with another id, cut behind it, so that sections are walked.
        pack = self.written(self.data[:mine[2]] + other[theirs[2]:theirs[4]])
        done = run("query", pack, "--sql", "SELECT count(*) FROM slice")
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assertIn("pack.cut", done.stderr)
        self.assertIn("pack.rank_lost", done.stderr)

    def test_no_rank_is_whole(self):
        data = bytearray(self.data)
        for kind, _, _, block, _ in sections_of(self.data):
            if kind == STORE:
                data[block] ^= 0x40
        pack = self.written(bytes(data))
        for words in (("query", pack, "--sql", "SELECT count(*) FROM slice"), ("info", pack, "--strict"), ("compare", pack, pack),
                      ("export", pack, "--what", "slice", "--out", self.path("x.csv"))):
            with self.subTest(words[0]):
                done = run(*words)
                self.assertEqual(done.returncode, FAILED)
                self.assertIn("pack.rank_lost", done.stdout + done.stderr)
        self.assertFalse(os.path.exists(self.path("x.csv")))

    def test_of_a_later_version_and_another_machine(self):
        later = bytearray(self.data)
        struct.pack_into("<I", later, 8, 99)
        done = run("info", self.written(bytes(later)))
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("later version", done.stderr)
        done = run("info", self.written(self.data[7::-1] + self.data[8:], "renamed"))
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("other byte order", done.stderr)

    def test_by_another_name_and_by_a_link(self):
        pack = self.written(self.data, "renamed")
        self.assertEqual(rows(pack, "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1"), self.slices)
        os.symlink(pack, self.path("link.altipack"))
        self.assertEqual(rows(self.path("link.altipack"), "SELECT rank_id, count(*) FROM slice GROUP BY 1 ORDER BY 1"), self.slices)


if __name__ == "__main__":
    unittest.main()
