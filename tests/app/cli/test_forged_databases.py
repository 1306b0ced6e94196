#!/usr/bin/env python3
"""Databases that were made to harm whoever opens them. Every file beside the capture, and of it, stays as it is."""

import glob
import os
import resource
import shutil
import sqlite3
import subprocess
import time
import unittest
import zipfile

from forged_journals import PAGE, forged_journal
from support import CANCELLED, CLI, FAILED, OK, PATIENCE, CliTest, info, result, rows, run, start, surroundings, tree_hash

COUNT = "SELECT count(*) FROM slice"
DATABASE = os.path.join("r_ascend_pt", "ASCEND_PROFILER_OUTPUT", "ascend_pytorch_profiler_3.db")


def make_database(path, tasks=500):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with sqlite3.connect(path) as database:
        database.executescript(f"""
            PRAGMA page_size = {PAGE};
            CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);
            INSERT INTO STRING_IDS VALUES (1, 'Add'), (2, 'AI_CORE');
            CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY);
            CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
                              taskType INTEGER, contextId INTEGER, streamId INTEGER);""")
        database.executemany("INSERT INTO COMPUTE_TASK_INFO VALUES (1, ?)", ((i,) for i in range(tasks)))
        database.executemany("INSERT INTO TASK VALUES (?, ?, 0, ?, ?, 2, 4294967295, 2)",
                             ((1000 + 10 * i, 1008 + 10 * i, i, i) for i in range(tasks)))
    database.close()


class ForgedJournal(CliTest):
    """The tail of a journal names a file, which SQLite deletes once it has taken the change back."""

    def setUp(self):
        super().setUp()
        self.home = self.path("home")
        self.capture = os.path.join(self.home, "capture")
        self.database = os.path.join(self.capture, DATABASE)
        make_database(self.database)
        self.expected = rows(self.capture, COUNT, "--no-cache")
        self.victim = os.path.join(self.home, "thesis.txt")
        with open(self.victim, "w", encoding="utf-8") as file:
            file.write("years of work\n")

    def forge(self, *names):
        with open(self.database, "rb") as file:
            journal = forged_journal(file.read(), [os.fsencode(name) for name in names])
        with open(self.database + "-journal", "wb") as file:
            file.write(journal)

    def opened(self, capture=None, **surroundings):
        """Opens a capture in each way that the program has; says what it found."""
        capture = capture or self.capture
        before = tree_hash(self.home)
        found = info(capture, "--no-cache", **surroundings)
        for words in (("info", capture), ("query", capture, "--sql", COUNT), ("info", capture)):
            result(*words, "--cache-dir", self.path("cache"), **surroundings)
        shutil.rmtree(self.path("cache"), ignore_errors=True)
        self.assertEqual(tree_hash(self.home), before)
        return found

    def test_opening_deletes_no_file_outside(self):
        self.forge(self.victim)
        found = self.opened()
        self.assertEqual([(said["severity"], said["code"], said["file"]) for said in found["diagnostics"]],
                         [("repaired", "db.other_journal", DATABASE)])
        self.assertEqual(rows(self.capture, COUNT, "--no-cache"), self.expected)

    def test_opening_deletes_no_file_of_the_capture(self):
        victim = os.path.join(self.capture, "r_ascend_pt", "profiler_info_3.json")
        with open(victim, "w", encoding="utf-8") as file:
            file.write("{}")
        self.forge(victim)
        self.opened()

    def test_names_behind_names(self):
        self.forge(self.victim, "/nowhere", self.victim)
        self.opened()

    def test_relative_and_long_names(self):
        for name in ("thesis.txt", "./thesis.txt", "../" * 40 + self.victim.lstrip("/"), "/" * 300 + self.victim,
                     os.path.join(self.home, "x" * 200, "..", "thesis.txt"), "copy.db", "copy.db-wal", ""):
            with self.subTest(name=name[:60]):
                self.forge(name)
                here = os.getcwd()
                os.chdir(self.home)
                try:
                    self.opened()
                finally:
                    os.chdir(here)

    def test_length_beyond_the_file(self):
        self.forge(self.victim)
        with open(self.database + "-journal", "r+b") as file:
            file.seek(-16, os.SEEK_END)
            file.write(b"\x7f\xff\xff\xff")
        self.opened()

    def test_in_an_archive(self):
        self.forge(self.victim)
        packed = os.path.join(self.home, "capture.zip")
        with zipfile.ZipFile(packed, "w") as archive:
            for ending in ("", "-journal"):
                archive.write(self.database + ending, DATABASE + ending)
        subprocess.run(["tar", "-cf", os.path.join(self.home, "capture.tar"), "-C", self.capture, "."], check=True)
        for archive in (packed, os.path.join(self.home, "capture.tar")):
            self.opened(archive)

    def test_beside_every_database_that_is_completed(self):
        """analysis.db, and a single file."""
        analysis = os.path.join(os.path.dirname(self.database), "analysis.db")
        with sqlite3.connect(analysis) as database:
            database.execute("CREATE TABLE CommAnalyzerTime(hccl_op_name TEXT)")
        database.close()
        with open(analysis, "rb") as file:
            journal = forged_journal(file.read(), [os.fsencode(self.victim)])
        with open(analysis + "-journal", "wb") as file:
            file.write(journal)
        self.opened()
        self.forge(self.victim)
        self.opened(self.database)

    def test_journal_that_is_a_link(self):
        """A link may lead to any file of whoever opens the capture; it is no journal."""
        os.symlink(self.victim, self.database + "-journal")
        os.symlink(self.victim, self.database + "-wal")
        self.opened()
        self.assertEqual(rows(self.capture, COUNT, "--no-cache"), self.expected)

    def test_journal_that_is_a_pipe(self):
        os.mkfifo(self.database + "-wal")
        self.assertEqual(rows(self.capture, COUNT, "--no-cache"), self.expected)


class ManyTables(CliTest):
    """SQLite takes in a whole schema before it answers anything, in time that grows with its square: 200,000 tables took minutes,
    which nothing could stop."""

    def make(self, tables):
        capture = self.path("capture")
        make_database(os.path.join(capture, DATABASE))
        with sqlite3.connect(os.path.join(capture, DATABASE)) as database:
            database.execute("PRAGMA writable_schema = ON")
            database.executemany("INSERT INTO sqlite_master VALUES ('table', ?, ?, 2, ?)",
                                 ((f"t{i}", f"t{i}", f"CREATE TABLE t{i}(a)") for i in range(tables)))
        database.close()
        return capture

    def test_more_than_any_profiler_makes_are_not_read(self):
        capture = self.make(40_000)
        done = run("query", capture, "--sql", COUNT, "--no-cache")
        self.assertEqual(done.returncode, FAILED, done.stdout)
        self.assertIn("lost db.too_many_tables", done.stderr)
        out = self.path("out.csv")
        with open(out, "w", encoding="utf-8") as file:
            file.write("of a better capture\n")
        done = run("export", capture, "--what", "slice", "--out", out, "--no-cache")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("lost db.too_many_tables", done.stderr)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "of a better capture\n")

    def test_hundreds_are_read(self):
        self.assertEqual(rows(self.make(500), COUNT, "--no-cache"), [(1499,)])

    def test_log_beside_them(self):
        capture = self.make(40_000)
        with open(os.path.join(capture, DATABASE) + "-wal", "wb") as file:
            file.truncate(1 << 20)
        found = info(capture, "--no-cache", status=FAILED)
        self.assertIn("db.too_many_tables", [said["code"] for said in found["diagnostics"]])


class ValuesFromNothing(CliTest):
    """A few bytes in the schema that stand for gigabytes in the rows."""

    def changed(self, script):
        capture = self.path("capture")
        make_database(os.path.join(capture, DATABASE))
        database = sqlite3.connect(os.path.join(capture, DATABASE))
        database.executescript(script)
        database.close()
        return capture

    def test_generated_columns_are_not_read(self):
        capture = self.changed("""
            DROP TABLE STRING_IDS;
            CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT GENERATED ALWAYS AS (printf('%.*c', 60000000, 'x')) VIRTUAL);
            INSERT INTO STRING_IDS(id) VALUES (1), (2);""")
        done = run("export", capture, "--what", "trace", "--out", self.path("trace.json"), "--no-cache")
        self.assertEqual(done.returncode, FAILED)
        found = info(capture, "--no-cache", status=FAILED)
        self.assertEqual([(said["severity"], said["code"]) for said in found["diagnostics"]], [("lost", "db.corrupt")])
        self.assertIn("generated columns in STRING_IDS", found["diagnostics"][0]["message"])

    def test_a_default_text_is_held_once(self):
        """Rows from before a column was added have its default."""
        capture = self.changed(f"""
            DROP TABLE STRING_IDS;
            CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY);
            INSERT INTO STRING_IDS WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40000) SELECT i FROM n;
            ALTER TABLE STRING_IDS ADD COLUMN value TEXT DEFAULT '{"v" * 50_000}';""")
        limit = (1 << 30) if "ALTI_SANITIZED" not in os.environ else resource.RLIM_INFINITY
        done = subprocess.run([CLI, "query", capture, "--sql", COUNT, "--no-cache", "--format", "json", "--jobs", "2"], capture_output=True, text=True, check=False,
                              env=surroundings(), timeout=PATIENCE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, OK, done.stderr)


class TextsWithoutKey(CliTest):
    def test_arguments_do_not_walk_over_all_texts_each(self):
        # A walk for each of the arguments took over ten minutes.
        capture = self.path("capture")
        result("generate", capture, "--ranks", "1", "--steps", "2", "--format", "db")
        texts = "SELECT name, args FROM slice ORDER BY slice_id"
        expected = rows(capture, texts, "--no-cache")
        database, = glob.glob(os.path.join(capture, "*", "ASCEND_PROFILER_OUTPUT", "ascend_pytorch_profiler_*.db"))
        with sqlite3.connect(database) as file:
            file.executescript("""
                ALTER TABLE STRING_IDS RENAME TO keyed;
                CREATE TABLE STRING_IDS(id INTEGER, value TEXT);
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 300000)
                    INSERT INTO STRING_IDS SELECT n + 1000000000, 'text' || n FROM number;
                INSERT INTO STRING_IDS SELECT id, value FROM keyed;
                DROP TABLE keyed;""")
        file.close()
        self.assertEqual(rows(capture, texts, "--no-cache"), expected)


class HonestJournal(CliTest):
    def test_unfinished_change_is_taken_back(self):
        """What a writer that was killed had begun to change: the journal has the page as it was before."""
        capture = self.path("capture")
        database = os.path.join(capture, DATABASE)
        make_database(database)
        expected = rows(capture, COUNT, "--no-cache")
        with open(database, "rb") as file:
            before = file.read()
        journal = forged_journal(before, [])
        with open(database, "r+b") as file:
            file.seek(100)
            file.write(b"\0" * 200)  # the list of the tables
        with open(database + "-journal", "wb") as file:
            file.write(journal)
        found = info(capture, "--no-cache")
        self.assertEqual(found["diagnostics"], [])
        self.assertEqual(rows(capture, COUNT, "--no-cache"), expected)


class HugeLog(CliTest):
    """A log of 20 GB of which nothing is there: a hole."""

    def setUp(self):
        super().setUp()
        self.capture = self.path("capture")
        self.database = os.path.join(self.capture, DATABASE)
        make_database(self.database)
        with open(self.database + "-wal", "wb") as file:
            file.truncate(20 << 30)

    def test_holes_take_no_room(self):
        done = run("query", self.capture, "--sql", COUNT, "--cache-dir", self.path("cache"))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("1499", done.stdout)
        left = [name for name in os.listdir(self.path("cache")) if name.startswith("scratch")]
        self.assertEqual(left, [])

    def test_copying_can_be_cancelled(self):
        # Content that is there, so that copying takes long enough to be cancelled.
        with open(self.database + "-wal", "r+b") as file:
            block = os.urandom(1 << 20)
            for _ in range(300):
                file.write(block)
        process = start("info", self.capture, "--cache-dir", self.path("cache"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(name.startswith("scratch") for name in self.cached()):
            time.sleep(0.001)
        process.send_signal(2)
        self.assertIn(process.wait(timeout=60), (CANCELLED, OK))
        self.assertEqual([name for name in self.cached() if name.startswith("scratch")], [])

    def cached(self):
        cache = self.path("cache")
        return os.listdir(cache) if os.path.isdir(cache) else []


if __name__ == "__main__":
    unittest.main()
