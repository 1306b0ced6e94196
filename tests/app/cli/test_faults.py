#!/usr/bin/env python3
"""What happens around the program while it works: it is killed, the disk is full, the source changes under its hands."""

import os
import random
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import CANCELLED, CLI, FAILED, OK, PATIENCE, CliTest, result, rows, run, start, surroundings, tree_hash

COUNT = "SELECT count(*), sum(dur), sum(self_dur) FROM slice"
# Under a sanitizer everything takes ten times as long.
LESS = 7 if os.environ.get("ALTI_SANITIZED") else 1
KILLS = 50 // LESS
CHANGES = 15 // LESS


class Faults(CliTest):
    """A capture of some megabytes, so that its import takes long enough to be disturbed."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.capture = os.path.join(cls.shared.name, "run")
        result("generate", cls.capture, "--ranks", "2", "--size", "8M", "--seed", "3")
        cls.expected = rows(cls.capture, COUNT, "--no-cache")
        before = time.monotonic()
        run("query", cls.capture, "--sql", COUNT, "--no-cache")
        cls.seconds = time.monotonic() - before

    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        self.random = random.Random(11)

    def trace(self, folder, rank=0):
        return os.path.join(folder, f"rank{rank}_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")


class Killed(Faults):
    def test_the_next_start_works(self):
        for _ in range(KILLS):
            process = subprocess.Popen([CLI, "query", self.capture, "--sql", COUNT, "--cache-dir", self.cache, "--quiet"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings())
            time.sleep(self.random.uniform(0, self.seconds * 1.2))
            process.kill()
            process.wait()
            if os.path.isdir(self.cache):
                for name in os.listdir(self.cache):
                    self.assertTrue(name.endswith(".altistore") or ".altistore.tmp." in name, name)
        self.assertEqual(rows(self.capture, COUNT, "--cache-dir", self.cache), self.expected)
        self.assertEqual(rows(self.capture, COUNT, "--cache-dir", self.cache), self.expected)
        result("cache", "clear", "--cache-dir", self.cache)
        self.assertEqual(os.listdir(self.cache), [])

    def test_an_export_is_whole_or_not_there(self):
        out = self.path("out.json")
        for _ in range(max(1, 10 // LESS)):
            process = subprocess.Popen([CLI, "export", self.capture, "--what", "trace", "--out", out, "--no-cache", "--quiet"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings())
            time.sleep(self.random.uniform(0, self.seconds * 2))
            process.kill()
            process.wait()
            if os.path.exists(out):
                with open(out, encoding="utf-8") as file:
                    self.assertTrue(file.read().endswith("]}\n"))
                os.remove(out)


class Interrupted(Faults):
    def test_nothing_is_left_behind(self):
        for _ in range(max(1, 10 // LESS)):
            process = start("query", self.capture, "--sql", COUNT, "--cache-dir", self.cache, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
            time.sleep(self.random.uniform(0, self.seconds))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
            self.assertIn(process.returncode, (OK, CANCELLED))
        left = os.listdir(self.cache) if os.path.isdir(self.cache) else []
        self.assertEqual([name for name in left if ".tmp." in name], [])

    def test_a_signal_while_the_program_ends(self):
        """What the signal sets must still be there then."""
        for _ in range(30 // LESS):
            process = start("--version", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            os.read(process.stdout.fileno(), 1)
            time.sleep(self.random.uniform(0, 0.01))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
            self.assertIn(process.returncode, (OK, CANCELLED), errors)


def limited(most, *words):
    """Runs the program with files that may not grow beyond so many bytes, which every write meets as on a full disk."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run([CLI, *words], capture_output=True, text=True, env=surroundings(), preexec_fn=limit,
                          timeout=PATIENCE, check=False)


class ReaderThatWaits(Faults):
    """What is written goes to somebody who takes it slowly, or never."""

    def stopped(self, process, which):
        """Seconds until the program has ended after a signal."""
        time.sleep(self.seconds * 2)
        self.assertIsNone(process.poll())
        before = time.monotonic()
        process.send_signal(which)
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, CANCELLED, errors)
        return time.monotonic() - before

    def test_export_to_a_pipe_can_be_stopped(self):
        for name, which in (("nobody.csv", signal.SIGINT), ("slow.csv", signal.SIGTERM), ("late.csv", signal.SIGHUP)):
            pipe = self.path(name)
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK) if name == "slow.csv" else None
            process = start("export", self.capture, "--what", "slice", "--out", pipe, "--no-cache", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertLess(self.stopped(process, which), 0.1 * LESS + 0.4, name)
            if reader is not None:
                os.close(reader)
            self.assertTrue(os.path.exists(pipe))
            self.assertEqual([left for left in os.listdir(self.folder) if ".tmp." in left], [])

    def test_a_result_that_nobody_reads_can_be_stopped(self):
        process = start("query", self.capture, "--sql", "SELECT * FROM slice", "--no-cache", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertLess(self.stopped_unread(process), 0.1 * LESS + 0.4)

    def stopped_unread(self, process):
        time.sleep(self.seconds * 2)
        before = time.monotonic()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=PATIENCE), CANCELLED)
        process.stdout.close()
        return time.monotonic() - before

    def test_a_pipe_whose_reader_goes_is_said(self):
        pipe = self.path("short.csv")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        process = start("export", self.capture, "--what", "slice", "--out", pipe, "--no-cache", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        select.select([reader], [], [], PATIENCE)
        os.close(reader)
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"could not be written: Broken pipe", errors)

    def test_a_pipe_that_is_read_gets_everything(self):
        pipe = self.path("read.csv")
        os.mkfifo(pipe)
        process = start("export", self.capture, "--what", "slice", "--out", pipe, "--no-cache", stdout=subprocess.PIPE)
        with open(pipe, "rb") as file:
            piped = file.read()
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, OK)
        result("export", self.capture, "--what", "slice", "--out", self.path("whole.csv"), "--no-cache")
        with open(self.path("whole.csv"), "rb") as file:
            self.assertEqual(piped, file.read())


class EndedBySignal(Faults):
    def test_no_temporary_file_stays(self):
        for which in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            out = self.path(f"{which.name}.json")
            for _ in range(2):
                process = start("export", self.capture, "--what", "trace", "--out", out, "--no-cache", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(self.random.uniform(self.seconds, self.seconds * 2))
                process.send_signal(which)
                process.wait(timeout=PATIENCE)
                self.assertIn(process.returncode, (OK, CANCELLED, -signal.SIGKILL))
            self.assertEqual([left for left in os.listdir(self.folder) if ".tmp." in left], [])

    def test_nohup_outlives_its_terminal(self):
        process = subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", CLI, "query", self.capture, "--sql", COUNT, "--no-cache", "--format", "json"],
                                   stdout=subprocess.PIPE, env=surroundings())
        time.sleep(self.seconds / 2)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, OK)

    def test_streams_that_were_closed_get_nothing_of_a_file(self):
        """A file that is opened must not become standard output."""
        out = self.path("out.csv")
        done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", CLI, "export", self.capture, "--what", "track", "--out", out, "--cache-dir", self.cache],
                              env=surroundings(), timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, FAILED)
        result("export", self.capture, "--what", "track", "--out", self.path("same.csv"), "--cache-dir", self.cache)
        with open(out, "rb") as file, open(self.path("same.csv"), "rb") as same:
            self.assertEqual(file.read(), same.read())


class FullDisk(Faults):
    """Files of the process may not grow beyond a limit."""

    def limited(self, *words):
        return limited(50_000, *words)

    def test_the_cache_is_done_without(self):
        done = self.limited("query", self.capture, "--sql", COUNT, "--cache-dir", self.cache, "--format", "json", "--diagnostics")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn(str(self.expected[0][1]), done.stdout)
        self.assertIn("cache.not_written", done.stderr)
        self.assertEqual(os.listdir(self.cache), [])

    def test_an_export_says_so(self):
        out = self.path("out.json")
        for words in (("--what", "trace"), ("--what", "slice")):
            done = self.limited("export", self.capture, *words, "--out", out, "--no-cache")
            self.assertEqual(done.returncode, FAILED)
            self.assertIn("could not be written", done.stderr)
            self.assertEqual([name for name in os.listdir(os.path.dirname(out)) if "out.json" in name], [])


class SmallDisk(Faults):
    """A file system that is too small, mounted for one call only. Containers let nobody mount: a limit stands in there."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mounts = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs",
                                     cls.shared.name], capture_output=True, check=False).returncode == 0

    def on_small_disk(self, *words):
        """Runs the program with `{disk}` in its words replaced. @return The finished call, and the names left on the disk."""
        disk = self.path("disk")
        os.makedirs(disk, exist_ok=True)
        words = [word.replace("{disk}", disk) for word in words]
        if not self.mounts:
            print("no file system can be mounted here: a limit on the size of files stands in", flush=True)
            done = limited(300_000, *words)
            return done, os.listdir(disk)
        script = ('mount -t tmpfs -o size=300k,mode=700 tmpfs "$1" || exit 99; shift; "$@"; status=$?; '
                  'ls -A "$DISK" >"$LEFT"; exit $status')
        left = self.path("left")
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", disk, CLI,
                               *words], capture_output=True, text=True, env=surroundings(DISK=disk, LEFT=left),
                              timeout=PATIENCE, check=False)
        self.assertNotEqual(done.returncode, 99, done.stderr)
        with open(left, encoding="utf-8") as file:
            return done, file.read().split()

    def test_the_cache_is_done_without(self):
        done, left = self.on_small_disk("query", self.capture, "--sql", COUNT, "--cache-dir", "{disk}", "--format", "json", "--diagnostics")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn(str(self.expected[0][1]), done.stdout)
        self.assertIn("cache.not_written", done.stderr)
        self.assertEqual(left, [])

    def test_an_export_says_so(self):
        done, left = self.on_small_disk("export", self.capture, "--what", "trace", "--out", "{disk}/out.json", "--no-cache")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("could not be written", done.stderr)
        self.assertEqual(left, [])


class ChangingSource(Faults):
    def disturbed(self, change):
        """Runs a query while something happens to the first trace. Whatever it says, it ends and says it."""
        copy = self.path("copy")
        shutil.copytree(self.capture, copy)
        process = subprocess.Popen([CLI, "query", copy, "--sql", COUNT, "--cache-dir", self.cache, "--format", "json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings())
        time.sleep(self.random.uniform(0, self.seconds))
        change(self.trace(copy))
        out, errors = process.communicate(timeout=PATIENCE)
        self.assertIn(process.returncode, (OK, FAILED), errors)
        self.assertTrue(out if process.returncode == OK else errors)
        # What was kept of the disturbed reading is not believed for the file as it is now.
        self.assertEqual(rows(copy, COUNT, "--cache-dir", self.cache), rows(copy, COUNT, "--no-cache"))
        shutil.rmtree(copy)

    def test_shrinks(self):
        for _ in range(CHANGES):
            self.disturbed(lambda path: os.truncate(path, self.random.randrange(os.path.getsize(path))))

    def test_is_replaced(self):
        other = self.trace(self.capture, 1)
        for _ in range(CHANGES):
            self.disturbed(lambda path: (shutil.copyfile(other, path + ".new"), os.replace(path + ".new", path)))

    def test_vanishes(self):
        for _ in range(5):
            self.disturbed(os.remove)

    def test_grows(self):
        def append(path):
            with open(path, "ab") as file:
                file.write(b',{"ph":"X","name":"late","pid":1,"tid":1,"ts":1,"dur":1}]')
        for _ in range(5):
            self.disturbed(append)


class CutCache(Faults):
    def test_an_entry_that_is_cut_while_it_is_used_is_said(self):
        """Pages of a mapped file that are gone: a sentence instead of a signal."""
        rows(self.capture, COUNT, "--cache-dir", self.cache)
        entries = [os.path.join(where, name) for where, _, names in os.walk(self.cache) for name in names]
        process = subprocess.Popen([CLI, "query", self.capture, "--sql", "SELECT name, ts, dur FROM slice", "--cache-dir", self.cache],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
        # It waits for the pipe to be read, with most of the rows still to come.
        select.select([process.stdout], [], [], PATIENCE)
        for entry in entries:
            os.truncate(entry, 0)
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, FAILED, errors)
        self.assertIn(b"import cache became shorter", errors)
        self.assertEqual(rows(self.capture, COUNT, "--cache-dir", self.cache), self.expected)


class TemporaryFiles(Faults):
    def test_none_lies_in_the_capture(self):
        """Whatever the environment says, and however much a query sorts."""
        inside = os.path.join(self.capture, "rank0_ascend_pt")
        before = tree_hash(self.capture)
        done = run("query", self.capture, "--no-cache", "--sql", "SELECT length(max(x)) FROM (SELECT hex(randomblob(3000)) x FROM slice ORDER BY 1 LIMIT -1)",
                   "--format", "json", TMPDIR=inside, SQLITE_TMPDIR=inside)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(tree_hash(self.capture), before)


class LimitedTime(Faults):
    def test_a_limit_on_processor_time_ends_the_program_in_order(self):
        os.makedirs(self.cache)
        done = subprocess.run([CLI, "query", self.capture, "--sql", "SELECT count(*) FROM slice a, slice b, slice c", "--cache-dir", self.cache],
                              capture_output=True, env=surroundings(), timeout=PATIENCE, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (2, 60)))
        self.assertEqual(done.returncode, CANCELLED, done.stderr)
        self.assertEqual([name for name in os.listdir(self.cache) if ".tmp." in name], [])


class TwoPrograms(Faults):
    def test_on_one_empty_cache(self):
        for _ in range(5):
            several = [subprocess.Popen([CLI, "query", self.capture, "--sql", COUNT, "--cache-dir", self.cache, "--format", "json"],
                                        stdout=subprocess.PIPE, text=True, env=surroundings()) for _ in range(3)]
            said = {process.communicate(timeout=PATIENCE)[0] for process in several}
            self.assertEqual(len(said), 1)
            self.assertIn(str(self.expected[0][1]), said.pop())
            shutil.rmtree(self.cache)


if __name__ == "__main__":
    unittest.main()
