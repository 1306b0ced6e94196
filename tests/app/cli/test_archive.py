#!/usr/bin/env python3
"""Archives give the same answers as the folders that were packed, and leave nothing behind but the cache. Packed by Python."""

import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import tarfile
import time
import unittest
import zipfile

from support import (CLI, FAILED, GOLDEN, OK, PARTIAL, PATIENCE, TWO_RANKS, CliTest, info, needs_captures, result, rows, run, start,
                     surroundings, tree_hash, write, SHARED)

EVERYTHING = "SELECT * FROM slice LEFT JOIN track USING(track_id) ORDER BY slice_id"
TABLES = ("slice", "track", "counter", "flow", "kernel", "op_stat", "collective", "memory_sample", "step", "rank")
TRACE = b'[{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{"k":"v"}}]'


def pack(folder, archive):
    """Packs the content of a folder, in the way that the name of the archive says."""
    if archive.endswith(".zip"):
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for where, _, names in sorted(os.walk(folder)):
                for name in sorted(names):
                    path = os.path.join(where, name)
                    out.write(path, os.path.relpath(path, folder))
    else:
        with tarfile.open(archive, "w:gz" if archive.endswith("gz") else "w") as out:
            out.add(folder, arcname=".")
    return archive


class ArchiveTest(CliTest):
    def setUp(self):
        super().setUp()
        self.home = self.path("cache-home")
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)

    def ask(self, capture, *words, sql=EVERYTHING):
        return result("query", capture, "--sql", sql, "--format", "json", *words, XDG_CACHE_HOME=self.home, TMPDIR=self.temporary)


class RawData(ArchiveTest):
    """Raw data in an archive is read, but only of ranks that have nothing else."""

    def generate(self, *words):
        folder = self.path("runs")
        os.mkdir(folder)
        result("generate", os.path.join(folder, "run"), "--ranks", "2", "--steps", "2", "--layers", "2", *words)
        return folder

    def expanded(self):
        """Sizes of the files of raw data in the cache, by their path in the archive."""
        found = {}
        for where, _, names in os.walk(self.home):
            for name in names:
                if f"{os.sep}FRAMEWORK" in where or where.endswith(f"{os.sep}data"):
                    found[os.path.join(where, name)] = os.path.getsize(os.path.join(where, name))
        return found

    def test_gives_what_the_folder_gives(self):
        folder = self.generate("--format", "raw")
        sql = EVERYTHING + " LIMIT 100000"
        wanted = {table: self.ask(folder, "--no-cache", sql=f"SELECT count(*) FROM {table}") for table in TABLES}
        expected = self.ask(folder, "--no-cache", sql=sql)
        self.assertGreater(len(json.loads(expected)), 1000)
        for name in ("runs.zip", "runs.tar", "runs.tar.gz"):
            archive = pack(folder, self.path(name))
            with self.subTest(name=name):
                for words in (("--no-cache",), (), ()):
                    self.assertEqual(self.ask(archive, *words, sql=sql), expected)
                for table, count in wanted.items():
                    self.assertEqual(self.ask(archive, sql=f"SELECT count(*) FROM {table}"), count, table)
                self.assertEqual([rank["state"] for rank in info(archive)["ranks"]], ["ok", "ok"])
        self.assertEqual(os.listdir(self.temporary), [])

    def test_prof_folder_alone(self):
        folder = self.generate("--format", "raw")
        prof = next(os.path.join(where, name) for where, names, _ in os.walk(folder) for name in names if name.startswith("PROF_"))
        alone = self.path("alone")
        shutil.copytree(prof, os.path.join(alone, os.path.basename(prof)))
        sql = "SELECT count(*), sum(dur) FROM slice"
        self.assertEqual(self.ask(pack(alone, self.path("alone.zip")), sql=sql), self.ask(alone, "--no-cache", sql=sql))

    def test_host_records_of_several_devices_lie_beside_them(self):
        folder = self.generate("--format", "raw")
        profs = sorted(os.path.join(where, name) for where, names, _ in os.walk(folder) for name in names if name.startswith("PROF_"))
        alone = self.path("alone")
        shutil.copytree(profs[0], os.path.join(alone, os.path.basename(profs[0])))
        shutil.copytree(os.path.join(profs[1], "device_1"), os.path.join(alone, os.path.basename(profs[0]), "device_1"))
        sql = "SELECT (SELECT count(*) FROM slice) AS slices, (SELECT count(*) FROM flow) AS flows, (SELECT count(*) FROM kernel) AS kernels"
        expected = self.ask(alone, "--no-cache", sql=sql)
        self.assertTrue(all(json.loads(expected)[0].values()), expected)
        self.assertEqual(self.ask(pack(alone, self.path("alone.zip")), sql=sql), expected)

    def test_of_analysed_ranks_stays_packed(self):
        folder = self.generate("--format", "raw", "--format", "text")
        shutil.rmtree(os.path.join(folder, "run", "rank1_ascend_pt", "ASCEND_PROFILER_OUTPUT"))
        sql = "SELECT rank_id, source FROM rank ORDER BY rank_id"
        counts = "SELECT rank_id, count(*), sum(dur) FROM slice GROUP BY rank_id ORDER BY rank_id"
        archive = pack(folder, self.path("packed.tar.gz"))
        self.assertEqual([rank["source"] for rank in json.loads(self.ask(archive, sql=sql))], ["text", "raw"])
        for query in (sql, counts):
            self.assertEqual(self.ask(archive, sql=query), self.ask(folder, "--no-cache", sql=query))
        filled = [path for path, size in self.expanded().items() if size > 0]
        self.assertTrue(filled)
        self.assertFalse([path for path in filled if "rank0_ascend_pt" in path])


class SameAsTheFolder(ArchiveTest):
    def test_every_kind_cold_and_cached(self):
        expected = self.ask(TWO_RANKS, "--no-cache")
        for name in ("run.zip", "run.tar", "run.tar.gz", "run.tgz", "named.otherwise"):
            archive = pack(TWO_RANKS, self.path("run.zip" if name == "named.otherwise" else name))
            if name == "named.otherwise":
                archive = shutil.move(archive, self.path(name))
            with self.subTest(name=name):
                for words in (("--no-cache",), (), ()):
                    self.assertEqual(self.ask(archive, *words), expected)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_info_of_all_golden_captures(self):
        for name in sorted(os.listdir(GOLDEN)):
            capture = os.path.join(GOLDEN, name, "capture")
            if not os.path.isdir(capture):
                continue
            archive = pack(capture, self.path(name + ".tar.gz"))
            with self.subTest(name=name):
                expected = run("info", capture, "--json", XDG_CACHE_HOME=self.home)
                found = run("info", archive, "--json", XDG_CACHE_HOME=self.home)
                self.assertEqual(found.returncode, expected.returncode)
                facts, wanted = json.loads(found.stdout), json.loads(expected.stdout)
                self.assertEqual(facts["path"], archive)
                self.assertEqual({**facts, "path": capture}, wanted)

    @needs_captures
    def test_real_database(self):
        capture = os.path.join(SHARED, "torch_db")
        archive = pack(capture, self.path("run.tar.gz"))
        for table in TABLES:
            sql = f"SELECT count(*), * FROM {table}"
            self.assertEqual(self.ask(archive, sql=sql), self.ask(capture, sql=sql), table)

    def test_compressed_file(self):
        path = write(self.path("trace.json.gz"), gzip.compress(TRACE))
        self.assertEqual(rows(path, "SELECT name, args FROM slice", "--no-cache"), [("A", '{"k":"v"}')])
        self.assertEqual(info(path)["ranks"][0]["path"], "trace.json")

    def test_export(self):
        archive, out, expected = pack(TWO_RANKS, self.path("run.zip")), self.path("out.json"), self.path("expected.json")
        result("export", archive, "--what", "trace", "--out", out)
        result("export", TWO_RANKS, "--what", "trace", "--out", expected)
        with open(out, "rb") as first, open(expected, "rb") as second:
            self.assertEqual(first.read(), second.read())


class Traces(ArchiveTest):
    """What an opening leaves behind."""

    def test_only_the_cache(self):
        os.mkdir(self.path("data"))
        self.ask(pack(TWO_RANKS, self.path("data", "run.zip")))
        self.assertEqual(os.listdir(self.path("data")), ["run.zip"])
        self.assertEqual(os.listdir(self.temporary), [])
        entries = json.loads(result("cache", "list", "--json", XDG_CACHE_HOME=self.home))["entries"]
        self.assertEqual({entry["source"].split(".zip")[0] for entry in entries}, {self.path("data", "run")})
        self.assertEqual(json.loads(result("cache", "clear", "--json", XDG_CACHE_HOME=self.home))["removed"], len(entries))
        self.assertEqual(os.listdir(os.path.join(self.home, "altiscope")), [])

    def test_archive_stays_as_it_is(self):
        pack(TWO_RANKS, self.path("run.tar"))
        before = tree_hash(self.path("run.tar")), os.stat(self.path("run.tar")).st_mtime_ns
        self.ask(self.path("run.tar"))
        self.assertEqual((tree_hash(self.path("run.tar")), os.stat(self.path("run.tar")).st_mtime_ns), before)

    def test_spoilt_copies_are_made_anew(self):
        archive = pack(TWO_RANKS, self.path("run.tar.gz"))
        expected = self.ask(archive)
        copies = [(where, name) for where, _, names in os.walk(self.home) for name in names if name == "trace_view.json"]
        self.assertEqual(len(copies), 2)
        write(os.path.join(*copies[0]), "rubbish")
        self.assertEqual(self.ask(archive), expected)
        os.remove(os.path.join(*copies[1]))
        self.assertEqual(self.ask(archive), expected)

    def test_several_programs_at_once(self):
        archive = pack(TWO_RANKS, self.path("run.tar.gz"))
        expected = self.ask(archive, "--no-cache")
        words = [CLI, "query", archive, "--sql", EVERYTHING, "--format", "json"]
        running = [subprocess.Popen(words, stdout=subprocess.PIPE, env=surroundings(XDG_CACHE_HOME=self.home)) for _ in range(6)]
        for process in running:
            out = process.communicate(timeout=PATIENCE)[0].decode()
            self.assertEqual((process.returncode, out), (OK, expected))
        left = [name for name in os.listdir(os.path.join(self.home, "altiscope")) if name.startswith("scratch")]
        self.assertEqual(left, [])

    def test_killed(self):
        archive = self.path("big.tar.gz")
        with tarfile.open(archive, "w:gz", compresslevel=1) as out:
            member = tarfile.TarInfo("trace_view.json")
            content = b"[" + b",\n".join(TRACE[1:-1] for _ in range(400_000)) + b"]"
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
        for moment in (0, 0.02, 0.05, 0.1, 0.2):
            process = start("query", archive, "--sql", "SELECT 1", "--cache-dir", self.path("c"), stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
        self.assertEqual(rows(archive, "SELECT count(*) FROM slice", "--cache-dir", self.path("c")), [(400_000,)])
        result("cache", "clear", "--cache-dir", self.path("c"))
        self.assertEqual(os.listdir(self.path("c")), [])


class Bad(ArchiveTest):
    def test_refused_members_are_told(self):
        archive = self.path("odd.tar")
        with tarfile.open(archive, "w") as out:
            for name in ("../outside.json", "/absolute.json", "a\nb.json", "good/trace_view.json"):
                member = tarfile.TarInfo(name)
                member.size = len(TRACE)
                out.addfile(member, io.BytesIO(TRACE))
            link = tarfile.TarInfo("link.json")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            out.addfile(link)
        found = info(archive, "--no-cache")
        self.assertEqual(found["state"], "partial")
        told = {(one["code"], one["severity"], one["file"]) for one in found["diagnostics"]}
        self.assertLessEqual({("archive.path_refused", "lost", "../outside.json"), ("archive.path_refused", "lost", "/absolute.json"),
                              ("archive.path_refused", "lost", "a?b.json"), ("archive.link_skipped", "info", "link.json")}, told)
        self.assertTrue(all(one["message"].endswith(".") for one in found["diagnostics"]))
        self.assertEqual(run("info", archive, "--strict", "--no-cache").returncode, PARTIAL)
        self.assertFalse(os.path.exists(self.path("outside.json")) or os.path.exists("/absolute.json"))

    def test_a_file_in_place_of_the_ranks_folder_is_said(self):
        """The trace was refused, and what was reported instead was that the file is no trace."""
        archive = self.path("odd.tar")
        with tarfile.open(archive, "w") as out:
            for name, content in (("rank0_ascend_pt", b"xx"), ("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", TRACE)):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                out.addfile(member, io.BytesIO(content))
        found = info(archive, "--no-cache", status=FAILED)
        self.assertEqual([one["code"] for one in found["diagnostics"]], ["archive.path_refused"])

    def test_cut_archive_keeps_the_beginning(self):
        archive = pack(TWO_RANKS, self.path("run.tar"))
        with open(archive, "rb") as file:
            data = file.read()
        last = max(data.find(b"trace_view.json", at) for at in range(0, len(data), 512))
        write(archive, data[:last + 600])
        found = info(archive, "--no-cache")
        self.assertEqual(found["state"], "partial")
        place = [one["place"] for one in found["diagnostics"] if one["code"] == "archive.truncated"]
        self.assertRegex(place[0], r"\Abyte \d+\Z")

    def test_errors_have_one_sentence_and_the_archives_path(self):
        for name, content in (("a.zip", b"PK\3\4"), ("a.gz", b"\x1f\x8b\x08"), ("a.tar", b"x" * 2000), ("b.gz", gzip.compress(b"hello")),
                              ("c.gz", gzip.compress(gzip.compress(TRACE)))):
            with self.subTest(name=name):
                done = run("query", write(self.path(name), content), "--sql", EVERYTHING, XDG_CACHE_HOME=self.home)
                self.assert_message(done, FAILED, self.path(name))
                self.assertNotIn("scratch", done.stderr)


if __name__ == "__main__":
    unittest.main()
