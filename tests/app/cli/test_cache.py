#!/usr/bin/env python3
"""The import cache: where it lies, that it changes no answer, and that no state of its files is fatal."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import unittest

from support import (CLI, GOLDEN, OK, PARTIAL, PATIENCE, TWO_RANKS, CliTest, info, result, rows, run, surroundings, traces_below,
                     tree_hash, write)

EVERYTHING = "SELECT * FROM slice LEFT JOIN track USING(track_id) ORDER BY slice_id"


class CacheTest(CliTest):
    """A home for the cache that only this test uses."""

    def setUp(self):
        super().setUp()
        self.home = self.path("cache-home")
        self.cache = os.path.join(self.home, "altiscope")

    def query(self, *words, capture=TWO_RANKS):
        return result("query", capture, "--sql", EVERYTHING, "--format", "json", *words, XDG_CACHE_HOME=self.home)

    def list(self, *words):
        return json.loads(result("cache", "list", "--json", *words, XDG_CACHE_HOME=self.home))

    def files(self):
        return sorted(os.path.join(self.cache, name) for name in os.listdir(self.cache)) if os.path.isdir(self.cache) else []


class Place(CacheTest):
    def test_in_the_users_cache_folder(self):
        before = tree_hash(TWO_RANKS)
        self.query()
        self.assertEqual(os.listdir(self.home), ["altiscope"])
        self.assertEqual(len(self.files()), 2, "one entry per timeline")
        self.assertEqual(tree_hash(TWO_RANKS), before)

    def test_below_home_without_the_variable(self):
        home = self.path("home")
        result("info", TWO_RANKS, XDG_CACHE_HOME="", HOME=home)
        self.assertEqual(len(os.listdir(os.path.join(home, ".cache", "altiscope"))), 2)

    def test_in_a_given_folder(self):
        given = self.path("given", "deep")
        self.query("--cache-dir", given)
        self.assertEqual((len(os.listdir(given)), self.files()), (2, []))
        self.assertEqual(len(self.list("--cache-dir", given)["entries"]), 2)
        self.assertEqual(self.list()["entries"], [])

    def test_no_cache_writes_nothing(self):
        self.query("--no-cache")
        self.assertFalse(os.path.exists(self.home))

    def test_no_cache_reads_nothing(self):
        self.query()
        expected = self.query("--no-cache")
        before = tree_hash(self.cache)
        self.assertEqual(self.query("--no-cache"), expected)
        self.assertEqual(tree_hash(self.cache), before, "not even the time of last use")


class SameAnswers(CacheTest):
    def test_second_opening(self):
        without = self.query("--no-cache")
        self.assertTrue(json.loads(without))
        self.assertEqual(self.query(), without)
        entries = tree_hash(self.cache)
        self.assertEqual(self.query(), without)
        self.assertNotEqual(tree_hash(self.cache), entries, "the entries were used: they bear the time of last use")

    def test_everything_that_info_tells(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            with self.subTest(name=name):
                expected = info(capture, "--no-cache")
                for _ in range(2):
                    self.assertEqual(info(capture, XDG_CACHE_HOME=self.home), expected)

    def test_strict_knows_lost_data_again(self):
        capture = os.path.join(GOLDEN, "interrupted", "capture")
        for _ in range(2):
            self.assertEqual(run("info", capture, "--strict", XDG_CACHE_HOME=self.home).returncode, PARTIAL)

    def test_changed_source(self):
        capture = self.path("capture")
        trace = write(os.path.join(capture, "trace_view.json"), '[{"ph":"X","name":"old","pid":1,"tid":1,"ts":1,"dur":1}]')
        status = os.stat(trace)
        sql = "SELECT name, dur FROM slice"
        self.assertEqual(rows(capture, sql, XDG_CACHE_HOME=self.home), [("old", 1000)])
        # As long as before, and as old.
        write(trace, '[{"ph":"X","name":"new","pid":1,"tid":1,"ts":1,"dur":2}]')
        os.utime(trace, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(rows(capture, sql, XDG_CACHE_HOME=self.home), [("new", 2000)])

    def test_several_programs_at_once(self):
        expected = self.query("--no-cache")
        words = [CLI, "query", TWO_RANKS, "--sql", EVERYTHING, "--format", "json"]
        running = [subprocess.Popen(words, stdout=subprocess.PIPE, env=surroundings(XDG_CACHE_HOME=self.home)) for _ in range(6)]
        for process in running:
            out = process.communicate(timeout=PATIENCE)[0].decode()
            self.assertEqual((process.returncode, out), (OK, expected))
        self.assertEqual(len(self.files()), 2)


class Damage(CacheTest):
    def check(self, spoil):
        """After every entry was spoilt the answer is the same, nobody is bothered, and the entries work again."""
        expected = self.query()
        for file in self.files():
            with open(file, "rb") as entry:
                data = entry.read()
            write(file, spoil(data))
        done = run("query", TWO_RANKS, "--sql", EVERYTHING, "--format", "json", XDG_CACHE_HOME=self.home)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (OK, expected, ""))
        self.assertEqual({entry["source"] is None for entry in self.list()["entries"]}, {False})
        self.assertEqual(self.query(), expected)

    def test_empty(self):
        self.check(lambda data: b"")

    def test_foreign(self):
        self.check(lambda data: b"SQLite format 3\0" + bytes(5000))

    def test_cut_off(self):
        for part in (1, 8, 64, 500):
            self.check(lambda data, part=part: data[:len(data) * part // 1000])
        self.check(lambda data: data[:-1])

    def test_grown(self):
        self.check(lambda data: data + b"\0")

    def test_flipped_bits(self):
        for place in range(0, 1000, 77):
            self.check(lambda data, at=place: bytes(byte ^ (0x10 if number == len(data) * at // 1000 else 0)
                                                    for number, byte in enumerate(data)))

    def test_folder_in_the_place_of_an_entry(self):
        expected = self.query()
        for file in self.files():
            os.remove(file)
            os.mkdir(file)
        self.assertEqual(self.query(), expected)

    def test_a_folder_into_which_others_may_write_is_not_believed(self):
        folder = self.path("shared")
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        told = info(TWO_RANKS, "--cache-dir", folder)
        self.assertIn("cache.not_private", [entry["code"] for entry in told["diagnostics"]])
        self.assertEqual(os.listdir(folder), [])
        os.chmod(folder, 0o755)
        told = info(TWO_RANKS, "--cache-dir", folder)
        self.assertNotIn("cache.not_private", [entry["code"] for entry in told["diagnostics"]])
        self.assertNotEqual(os.listdir(folder), [])
        new = self.path("new", "cache")
        info(TWO_RANKS, "--cache-dir", new)
        self.assertEqual(os.stat(new).st_mode & 0o777, 0o700)

    def test_cache_that_cannot_be_written(self):
        expected = self.query("--no-cache")
        write(self.home, "a file where a folder should be")
        self.assertEqual(self.query(), expected)
        self.assertEqual(self.query("--cache-dir", "/proc/nowhere"), expected)


class Evidence(CacheTest):
    """A cache folder that lies in what is opened, around it, or in a capture at all is not used, and that is said."""

    def check(self, capture, folder, opened=None, **environment):
        before = tree_hash(capture)
        words = ["--cache-dir", folder] if folder else []
        done = run("query", opened or capture, "--sql", EVERYTHING, "--format", "json", *words, **environment)
        self.assertEqual(done.returncode, OK)
        self.assertEqual(json.loads(done.stdout), json.loads(self.query("--no-cache", capture=opened or capture)))
        self.assertIn("so the cache was not used", done.stderr)
        self.assertEqual(tree_hash(capture), before)

    def setUp(self):
        super().setUp()
        self.capture = self.path("run", "capture")
        shutil.copytree(TWO_RANKS, self.capture)

    def test_the_capture_itself(self):
        self.check(self.capture, self.capture)

    def test_below_it(self):
        self.check(self.capture, os.path.join(self.capture, "new", "deep"))
        self.check(self.capture, os.path.join(self.capture, os.listdir(self.capture)[0]))

    def test_by_a_relative_path(self):
        self.check(self.capture, os.path.join(os.path.relpath(self.capture), "..", "capture", "new"))

    def test_through_links(self):
        os.symlink(self.capture, self.path("link"))
        self.check(self.capture, self.path("link"))
        self.check(self.capture, self.path("link", "new"))
        self.check(self.capture, os.path.join(self.capture, "new"), opened=self.path("link"))

    def test_by_the_environment(self):
        self.check(self.capture, None, XDG_CACHE_HOME=self.capture)

    def test_around_it(self):
        self.check(self.path("run"), self.path("run"), opened=self.capture)
        self.check(self.path("run"), self.path("run"), opened=traces_below(self.capture)[0])

    def test_beside_a_single_file(self):
        trace = traces_below(self.capture)[0]
        self.check(self.capture, os.path.dirname(trace), opened=trace)

    def test_elsewhere_in_the_larger_capture(self):
        rank = os.path.dirname(os.path.dirname(traces_below(self.capture)[0]))
        self.check(self.capture, os.path.join(rank, "logs", "new"), opened=traces_below(self.capture)[0])
        self.check(self.capture, os.path.join(rank, "logs"), opened=os.path.join(rank, "ASCEND_PROFILER_OUTPUT"))

    def test_in_another_capture(self):
        other = self.path("other")
        shutil.copytree(TWO_RANKS, other)
        before = tree_hash(other)
        self.check(self.capture, os.path.dirname(traces_below(other)[0]))
        self.assertEqual(tree_hash(other), before)

    def test_an_archive_is_expanded_elsewhere(self):
        archive = shutil.make_archive(self.path("run", "packed"), "zip", self.capture)
        self.check(self.path("run"), self.path("run"), opened=archive)
        temporary = self.path("temporary")
        os.mkdir(temporary)
        self.check(self.path("run"), self.path("run"), opened=archive, TMPDIR=temporary)
        self.assertEqual(os.listdir(temporary), [])


class UsersFiles(CacheTest):
    """The cache's folder is anybody's: what bears no mark of ours stays, whatever it is called."""

    def test_names_like_ours(self):
        expected = self.query()
        entry = os.path.basename(self.files()[0])
        key = entry.removesuffix(".altistore")
        mine = {}
        for name in ("notes.txt", "letters.altistore", key[::-1] + ".altistore", entry + ".tmp.2147483646.7", "letters.altistore.tmp.1.2",
                     "scratch-2147483646-abcdef/letter", key[::-1] + ".altifolder/letter", key + ".altifolder/files/letter",
                     "letters.altifolder/label"):
            mine[write(os.path.join(self.cache, name), "mine " + name)] = "mine " + name
            os.utime(os.path.join(self.cache, name), (1, 1))
        # In the place of an entry, too.
        mine[write(os.path.join(self.cache, entry), "mine")] = "mine"
        os.symlink(self.path("elsewhere"), os.path.join(self.cache, "scratch-2147483646-link"))
        write(self.path("elsewhere", "letter"), "mine")
        for _ in range(2):
            self.assertEqual(self.query(), expected)
        self.query(capture=os.path.join(GOLDEN, "chrome_object", "capture"))
        result("cache", "clear", XDG_CACHE_HOME=self.home)
        for path, text in mine.items():
            with self.subTest(path=path), open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        self.assertTrue(os.path.exists(self.path("elsewhere", "letter")))
        self.assertTrue(os.path.islink(os.path.join(self.cache, "scratch-2147483646-link")))

    def test_what_is_no_file_is_not_waited_for(self):
        expected = self.query()
        places = self.files()
        def socket_at(path):
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(path)
        for make in (os.mkfifo, os.mkdir, lambda path: os.symlink(path, path), lambda path: os.symlink("/dev/zero", path), socket_at):
            for path in places:
                os.remove(path)
                # Names of sockets are short.
                folder = os.getcwd()
                os.chdir(self.cache)
                make(os.path.basename(path))
                os.chdir(folder)
            for _ in range(2):
                self.assertEqual(self.query(), expected)
            result("cache", "list", XDG_CACHE_HOME=self.home)
            result("cache", "clear", XDG_CACHE_HOME=self.home)
            for path in places:
                self.assertTrue(os.path.lexists(path))
                os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
            self.query()
            places = self.files()


class ManyRanks(CacheTest):
    RANKS = 200

    def setUp(self):
        super().setUp()
        self.capture = self.path("capture")
        one = os.path.dirname(os.path.dirname(traces_below(TWO_RANKS)[0]))
        for number in range(self.RANKS):
            shutil.copytree(one, os.path.join(self.capture, f"node_{number}_20260101120000120_ascend_pt"))

    def test_small_ranks_share_a_file(self):
        expected = self.query("--no-cache", capture=self.capture)
        for _ in range(2):
            self.assertEqual(self.query(capture=self.capture), expected)
            self.assertEqual(len(self.files()), 1)
        self.assertEqual([entry["source"] for entry in self.list()["entries"]], [os.path.realpath(self.capture)])
        # One of them is another one now.
        with open(traces_below(self.capture)[7], "r+b") as file:
            data = file.read()
            file.seek(data.index(b'"dur"'))
            file.write(b'"duR"')
        expected = self.query("--no-cache", capture=self.capture)
        for _ in range(2):
            self.assertEqual(self.query(capture=self.capture), expected)
        self.assertEqual(json.loads(result("cache", "clear", "--json", XDG_CACHE_HOME=self.home))["removed"], 2)


class Command(CacheTest):
    def test_empty_list(self):
        self.assertEqual(self.list(), {"folder": self.cache, "bytes": 0, "entries": [],
                                       "fetched": {"folder": self.cache + "-remote", "bytes": 0, "entries": []}})
        self.assertEqual(result("cache", "list", XDG_CACHE_HOME=self.home), f"0 entries, 0 bytes in {self.cache}\n")
        self.assertFalse(os.path.exists(self.home), "looking makes no folder")

    def test_list(self):
        self.query()
        found = self.list()
        self.assertEqual(list(found), ["folder", "bytes", "entries", "fetched"])
        self.assertEqual(sorted(entry["file"] for entry in found["entries"]), self.files())
        self.assertEqual(found["bytes"], sum(os.path.getsize(file) for file in self.files()))
        for entry in found["entries"]:
            self.assertEqual(list(entry), ["source", "bytes", "last_use", "file"])
            self.assertEqual(entry["bytes"], os.path.getsize(entry["file"]))
            self.assertRegex(entry["last_use"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
            self.assertTrue(os.path.isfile(entry["source"]))
            self.assertTrue(entry["source"].startswith(os.path.realpath(TWO_RANKS)))
        text = result("cache", "list", XDG_CACHE_HOME=self.home)
        self.assertEqual(text.splitlines()[-1], f"2 entries, {found['bytes']} bytes in {self.cache}")
        for entry in found["entries"]:
            self.assertRegex(text, rf"(?m)^ *{entry['bytes']}  {entry['last_use']}  {re.escape(entry['source'])}$")

    def test_last_used_first(self):
        chrome = os.path.join(GOLDEN, "chrome_object", "capture")
        self.query(capture=chrome)
        self.query()
        self.query(capture=chrome)
        self.assertIn("chrome_object", self.list()["entries"][0]["source"])

    def test_clear(self):
        expected = self.query()
        write(os.path.join(self.cache, "notes.txt"), "somebody else's")
        self.assertEqual(json.loads(result("cache", "clear", "--json", XDG_CACHE_HOME=self.home)),
                         {"folder": self.cache, "removed": 2, "fetched": 0})
        self.assertEqual(self.files(), [os.path.join(self.cache, "notes.txt")])
        self.assertEqual(result("cache", "clear", XDG_CACHE_HOME=self.home), f"Removed 0 entries from {self.cache}\n")
        self.assertEqual(self.query(), expected)
        shutil.rmtree(self.home)
        self.assertEqual(result("cache", "clear", XDG_CACHE_HOME=self.home), f"Removed 0 entries from {self.cache}\n")

    def test_unusable_entry_is_listed_and_cleared(self):
        self.query()
        with open(self.files()[0], "r+b") as file:
            file.truncate(100)
        self.assertEqual(sorted(entry["source"] is None for entry in self.list()["entries"]), [False, True])
        self.assertIn("(unusable, made anew when needed)", result("cache", "list", XDG_CACHE_HOME=self.home))
        result("cache", "clear", XDG_CACHE_HOME=self.home)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
