#!/usr/bin/env python3
"""Each open, read, write, rename, mmap, malloc, ... of an import and of an export fails once (tests/support/faults/injector.cpp).

Whatever fails: the program ends by itself with a result, or a sentence and a status; a result is the same as without the fault, or is
said to be partial; nothing half-written stays; and the next run, with the cache that this one has left, gives the right result.

By default a sample that is the same in each run, so that a failure is one of the change that it appears with (ALTI_FAULT_SEED=NUMBER
chooses another); with ALTI_ALL_FAULTS=1 all of them, up to
ALTI_ALL_FAULTS calls of a kind if that is larger than one."""

import concurrent.futures
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import unittest

from support import CLI, FAILED, OK, PARTIAL, TWO_RANKS, CliTest, result, surroundings, write

INJECTOR = os.environ.get("ALTI_FAULT_INJECTOR", "")
ALL = int(os.environ.get("ALTI_ALL_FAULTS", "0"))
MOST = ALL if ALL > 1 else 5000  # calls of one kind that are made to fail
SAMPLE = 4
SEED = int(os.environ.get("ALTI_FAULT_SEED", "1"))
KINDS = ("open", "read", "write", "rename", "mmap", "malloc", "thread", "stat", "readdir", "truncate", "sync", "mkdir")
COUNT = "SELECT (SELECT count(*) FROM slice), (SELECT sum(dur) FROM slice), (SELECT count(*) FROM kernel)"
SECONDS = 60


class Run:
    """One command on one capture."""

    def __init__(self, name, words, output="", cached=False):
        self.name, self.words, self.output, self.cached = name, words, output, cached

    def at(self, folder, **environment):
        """Runs it with a folder of its own. @return The process, and what stands in its output."""
        words = [word.replace("{folder}", folder) for word in self.words]
        cache = ["--cache-dir", os.path.join(folder, "cache")] if self.cached else ["--no-cache"]
        done = subprocess.run([CLI, *words, *cache, "--strict", "--diagnostics", "--quiet", "--jobs", "2"], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=SECONDS, check=False, env=surroundings(**environment))
        path = os.path.join(folder, "out", self.output)
        written = None
        if self.output and os.path.exists(path):
            with open(path, "rb") as file:
                written = file.read()
        return done, done.stdout.replace(folder.encode(), b""), written


def told(done):
    """What the call said of problems: on stderr, and info as JSON in its list of diagnostics."""
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.stdout.startswith(b"{"):
        said += "".join(entry["code"] for entry in json.loads(done.stdout).get("diagnostics", []))
    return said


class InjectedFaults(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        text = os.path.join(cls.shared.name, "text")
        shutil.copytree(TWO_RANKS, text)
        db = os.path.join(cls.shared.name, "db")
        result("generate", db, "--format", "db", "--ranks", "1", "--steps", "1", "--layers", "1")
        archive = shutil.make_archive(os.path.join(cls.shared.name, "text"), "zip", cls.shared.name, "text")
        cls.runs = [
            Run("text, query", ["query", text, "--sql", COUNT]),
            Run("text, info with cache", ["info", text, "--json"], cached=True),
            Run("db, query with cache", ["query", db, "--sql", COUNT], cached=True),
            Run("db, info", ["info", db, "--json"]),
            Run("zip, query with cache", ["query", archive, "--sql", COUNT], cached=True),
            Run("zip, query", ["query", archive, "--sql", COUNT]),
            Run("text, table", ["export", text, "--what", "slice", "--out", "{folder}/out/slice.csv"], "slice.csv"),
            Run("db, trace with cache", ["export", db, "--what", "trace", "--out", "{folder}/out/trace.json"], "trace.json", cached=True),
        ]

    def one(self, run, kind, number, expected):
        """@return What is wrong; empty if nothing is."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "out"))
            old = b"old content"
            if run.output:
                write(os.path.join(folder, "out", run.output), old)
            try:
                done, shown, written = run.at(folder, LD_PRELOAD=INJECTOR, ALTI_FAULT_CALL=kind, ALTI_FAULT_NUMBER=str(number))
            except subprocess.TimeoutExpired:
                return "hangs"
            said = told(done)
            if done.returncode not in (OK, FAILED, PARTIAL):
                return f"ended with {done.returncode}: {said[-500:]}"
            if done.returncode == OK and (shown, written) != expected and "cache.not_written" not in said:
                return f"another result without a word: {shown[-200:]!r}"
            if done.returncode != OK and not said:
                return f"status {done.returncode} without a word"
            if done.returncode == FAILED and run.output and written not in (old, expected[1]):
                return "half an output"
            left = [name for name in os.listdir(os.path.join(folder, "out")) if name != run.output]
            if left:
                return f"left {left}"
            if not run.cached:
                return ""
            again, shown, written = run.at(folder)
            if again.returncode != OK or (shown, written) != expected:
                return f"the next run: {again.returncode} {again.stderr[-300:]!r} {shown[-200:]!r}"
        return ""

    def numbers(self, run, kind, count):
        if ALL:
            step = max(1, -(-count // MOST))
            return range(1, count + 1, step)
        chosen = random.Random(f"{SEED} {run.name} {kind}")
        return sorted(chosen.sample(range(1, count + 1), min(count, SAMPLE)))

    def test_each_call_fails_once(self):
        print(f"ALTI_FAULT_SEED={SEED}")
        problems, tried = [], 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for run in self.runs:
                with tempfile.TemporaryDirectory() as folder:
                    os.mkdir(os.path.join(folder, "out"))
                    done, *expected = run.at(folder)
                    self.assertEqual(done.returncode, OK, done.stderr)
                with tempfile.TemporaryDirectory() as folder:
                    os.mkdir(os.path.join(folder, "out"))
                    report = os.path.join(folder, "report")
                    done, *same = run.at(folder, LD_PRELOAD=INJECTOR, ALTI_FAULT_REPORT=report)
                    self.assertEqual(same, expected, run.name)
                    with open(report, encoding="ascii") as lines:
                        counts = {line.split()[0]: int(line.split()[1]) for line in lines}
                self.assertGreater(counts["malloc"], 100, "the injector must see the program's calls")
                for kind in os.environ.get("ALTI_FAULT_KINDS", " ".join(KINDS)).split():
                    numbers = list(self.numbers(run, kind, counts[kind]))
                    tried += len(numbers)
                    answers = pool.map(lambda number: self.one(run, kind, number, tuple(expected)), numbers)
                    problems += [f"{run.name}: {kind} {number} of {counts[kind]}: {problem}"
                                 for number, problem in zip(numbers, answers) if problem]
        self.assertFalse(problems, f"{len(problems)} of {tried} faults:\n" + "\n".join(problems))
        print(f"{tried} faults")


    def test_full_disk(self):
        """Whatever fits: the result is right or refused in a sentence, nothing half-written stays, and with space again all is well."""
        for run in self.runs:
            with tempfile.TemporaryDirectory() as folder:
                os.mkdir(os.path.join(folder, "out"))
                done, *expected = run.at(folder)
                self.assertEqual(done.returncode, OK, done.stderr)
            for space in (0, 1 << 10, 10_000, 50_000, 150_000, 400_000, 1 << 20):
                with self.subTest(run=run.name, space=space), tempfile.TemporaryDirectory() as folder:
                    os.mkdir(os.path.join(folder, "out"))
                    done, shown, written = run.at(folder, LD_PRELOAD=INJECTOR, ALTI_FAULT_DISK=str(space), TMPDIR=os.path.join(folder, "out"))
                    self.assertIn(done.returncode, (OK, FAILED), done.stderr)
                    if done.returncode == OK:
                        # The report of info says that the cache has no place.
                        self.assertTrue([shown, written] == expected or b"cache.not_written" in shown)
                    else:
                        self.assertIn(b"space", done.stderr.splitlines()[-1])
                        self.assertEqual((done.stdout, written), (b"", None))
                    self.assertLessEqual(set(os.listdir(os.path.join(folder, "out"))), {run.output})
                    if run.cached:
                        again, shown, written = run.at(folder)
                        self.assertEqual((again.returncode, [shown, written]), (OK, expected), again.stderr)
                        result("cache", "clear", "--cache-dir", os.path.join(folder, "cache"))
                        self.assertEqual(os.listdir(os.path.join(folder, "cache")), [])

    def test_temporary_files_leave_half_of_the_disk(self):
        sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {}) SELECT count(DISTINCT hex(zeroblob(200)) || i) FROM n"
        for rows, space, status in ((600_000, 100 << 20, FAILED), (600_000, 2 << 30, OK), (100, 0, OK)):
            done = subprocess.run([CLI, "query", TWO_RANKS, "--no-cache", "--sql", sql.format(rows)], capture_output=True, text=True, timeout=SECONDS,
                                  check=False, env=surroundings(LD_PRELOAD=INJECTOR, ALTI_FAULT_DISK=str(space), TMPDIR=self.folder))
            if status == FAILED:
                self.assert_message(done, FAILED, "temporary files", "TMPDIR")
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Limits(CliTest):
    """What is short stays short."""

    def limited(self, limit, most, *words):
        done = subprocess.run([CLI, *words, "--no-cache", "--quiet"], capture_output=True, text=True, timeout=SECONDS, check=False, env=surroundings(),
                              preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
        self.assertIn(done.returncode, (OK, FAILED), done.stderr)
        return done

    def test_memory_runs_out_in_a_sentence(self):
        # Each value is within the limit of values; a row holds all of them at a time.
        values = ", ".join(["randomblob(900000)"] * 250)
        done = self.limited(resource.RLIMIT_AS, 300 << 20, "query", TWO_RANKS, "--sql", f"SELECT {values}")
        self.assert_message(done, FAILED, "memory")
        capture = self.path("run")
        result("generate", capture, "--ranks", "2", "--size", "4M")
        expected = result("query", capture, "--sql", COUNT, "--no-cache")
        for megabytes in range(100, 260, 20):
            done = self.limited(resource.RLIMIT_AS, megabytes << 20, "query", capture, "--sql", COUNT)
            if done.returncode == OK:
                self.assertEqual(done.stdout, expected)
            else:
                self.assert_message(done, FAILED)

    def test_without_further_threads_there_are_fewer(self):
        """Where the limit does not hold, as for root, nothing is short, and the answer is the same."""
        expected = result("query", TWO_RANKS, "--sql", COUNT, "--no-cache")
        for most in (1, 2, 3, 5):
            done = self.limited(resource.RLIMIT_NPROC, most, "query", TWO_RANKS, "--sql", COUNT, "--jobs", "8")
            self.assertEqual((done.returncode, done.stdout), (OK, expected), done.stderr)


if __name__ == "__main__":
    unittest.main()
