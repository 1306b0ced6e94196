#!/usr/bin/env python3
"""pack --engine: units of ranks become packs of a folder, which opens as one capture; run again, only what is missing is done."""

import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

from support import CLI, FAILED, OK, PATIENCE, WRONG_USAGE, CliTest, info, result, rows, run, start, surroundings, tree_hash

RANKS = 6


def all_tables():
    """Tables and views; functions need arguments."""
    return [table["table"] for table in json.loads(result("query", "--schema", "--json")) if table.get("kind") != "function"]


class UnitsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.capture = self.path("run")
        result("generate", self.capture, "--ranks", str(RANKS), "--steps", "2", "--seed", "6", "--format", "text")
        self.packs = self.path("packs")

    def pack(self, *words, status=OK, **environment):
        done = run("pack", self.capture, "--out", self.packs, *words, **environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def units(self):
        with open(os.path.join(self.packs, "units.json"), encoding="utf-8") as file:
            return json.load(file)

    def states(self):
        return [unit["state"] for unit in self.units()]

    def bytes_of(self):
        read = {}
        for name in sorted(os.listdir(self.packs)):
            if name.endswith(".altipack"):
                with open(os.path.join(self.packs, name), "rb") as file:
                    read[name] = file.read()
        return read

    def run_lines(self, text):
        for line in text.splitlines():
            self.assertEqual(subprocess.run(["sh", "-c", line], env=surroundings(), capture_output=True, check=False).returncode, 0, line)


class Script(UnitsTest):
    def test_all_units_and_the_folder_as_a_capture(self):
        before = tree_hash(self.capture)
        commands = self.pack("--engine", "script").stdout
        self.assertEqual(len(commands.splitlines()), RANKS)
        self.assertEqual(self.states(), ["waiting"] * RANKS)
        self.assertEqual([unit["ranks"] for unit in self.units()], [[rank] for rank in range(RANKS)])
        self.run_lines(commands)
        self.assertEqual(self.pack("--engine", "script").stdout, "")
        self.assertEqual(self.states(), ["done"] * RANKS)
        self.assertTrue(all(unit["host"] for unit in self.units()))
        self.assertEqual(tree_hash(self.capture), before)
        for table in all_tables():
            sql = f'SELECT * FROM "{table}"'
            both = [run("query", one, "--sql", sql, "--format", "json").stdout for one in (self.capture, self.packs)]
            self.assertEqual(both[0], both[1], table)
        whole = self.path("whole.altipack")
        result("pack", self.packs, "--out", whole)
        self.assertEqual(rows(whole, "SELECT rank_id, count(*), sum(dur) FROM slice GROUP BY 1 ORDER BY 1"),
                         rows(self.capture, "SELECT rank_id, count(*), sum(dur) FROM slice GROUP BY 1 ORDER BY 1"))

    def test_the_pack_of_sums(self):
        self.run_lines(self.pack("--engine", "script", "--ranks-per-task", "4").stdout)
        self.pack("--engine", "script", "--ranks-per-task", "4")
        self.assertEqual([unit["ranks"] for unit in self.units()], [[0, 1, 2, 3], [4, 5]])
        sums = os.path.join(self.packs, "cluster.altipack")
        self.assertEqual([rank["rank_id"] for rank in info(sums)["ranks"]], list(range(RANKS)))
        self.assertEqual(rows(sums, "SELECT count(*) FROM step"), [(0,)])

    def test_killed_and_run_again(self):
        commands = self.pack("--engine", "script").stdout.splitlines()
        for line in commands[:2]:
            self.run_lines(line)
        # One is killed as soon as it has said that it runs.
        note = os.path.join(self.packs, ".units", "00002.json")
        process = subprocess.Popen(["sh", "-c", "exec " + commands[2]], env=surroundings(), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while not (os.path.exists(note) and os.path.getsize(note)) and time.monotonic() < deadline:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        states = json.loads(self.pack("--engine", "script", "--json").stdout)
        self.assertIn(states[2]["state"], ("running", "done"))
        process.kill()
        process.wait()
        again = self.pack("--engine", "script")
        if states[2]["state"] == "running":
            self.assertEqual(self.states()[:3], ["done", "done", "failed"])
            self.assertIn("unit 2 (ranks 2) failed", again.stderr)
        diagnostics = {entry["code"]: entry["count"] for entry in info(self.packs)["diagnostics"]}
        self.assertEqual(diagnostics["pack.units_missing"], len(again.stdout.splitlines()))
        # A pack that was cut is missing, too.
        cut = os.path.join(self.packs, "unit-00001.altipack")
        os.truncate(cut, os.path.getsize(cut) - 10)
        missing = self.pack("--engine", "script").stdout
        self.assertEqual(len(missing.splitlines()), len(again.stdout.splitlines()) + 1)
        self.run_lines(missing)
        self.pack("--engine", "script")
        self.assertEqual(self.states(), ["done"] * RANKS)
        # As one process makes them.
        many = self.bytes_of()
        shutil.rmtree(self.packs)
        for line in commands:
            os.makedirs(os.path.join(self.packs, ".units"), exist_ok=True)
            self.run_lines(line)
        self.pack("--engine", "script")
        self.assertTrue(many == self.bytes_of())

    def test_another_division_is_refused(self):
        self.pack("--engine", "script")
        done = self.pack("--engine", "script", "--ranks-per-task", "2", status=FAILED)
        self.assertIn("another division", done.stderr)

    def test_a_changed_capture_is_packed_again(self):
        self.run_lines(self.pack("--engine", "script").stdout)
        for folder, _, names in os.walk(self.capture):
            if "trace_view.json" in names:
                with open(os.path.join(folder, "trace_view.json"), "a", encoding="utf-8") as file:
                    file.write("\n")
                break
        self.assertEqual(len(self.pack("--engine", "script").stdout.splitlines()), RANKS)

    def test_words_of_the_shell(self):
        odd = self.path("a b'c;$(touch x)\"d")
        shutil.copytree(self.capture, odd)
        self.capture = odd
        self.run_lines(self.pack("--engine", "script", "--ranks", "1,3").stdout)
        self.pack("--engine", "script", "--ranks", "1,3")
        self.assertEqual(self.states(), ["done", "done"])

    def test_wrong_usage(self):
        for text, words in (("--engine takes", ("--engine", "mpi")), ("goes with --engine.", ("--ranks-per-task", "2")),
                            ("from 1 on", ("--engine", "script", "--ranks-per-task", "0")), ("needs --hosts-file", ("--engine", "ssh")),
                            ("goes with --engine slurm", ("--engine", "script", "--partition", "p")),
                            ("goes with --engine ssh", ("--engine", "slurm", "--hosts-file", "f")),
                            ("not redacted one by one", ("--engine", "script", "--redact")),
                            ("--identity takes", ("--identity", "x"))):
            done = run("pack", self.capture, "--out", self.path("x.altipack"), *words)
            self.assertEqual(done.returncode, WRONG_USAGE, words)
            self.assertIn(text, done.stderr)

    def test_not_in_the_capture(self):
        self.packs = os.path.join(self.capture, "packs")
        before = tree_hash(self.capture)
        self.pack("--engine", "script", status=FAILED)
        self.assertEqual(tree_hash(self.capture), before)


class Hosts(UnitsTest):
    def hosts(self, *lines):
        with open(self.path("hosts"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return self.path("hosts")

    def test_this_machine_as_a_host(self):
        self.pack("--engine", "ssh", "--hosts-file", self.hosts("local"))
        self.assertEqual(self.states(), ["done"] * RANKS)
        self.assertTrue(all(unit["host"] == "local" for unit in self.units()))
        before = self.bytes_of()
        self.pack("--engine", "ssh", "--hosts-file", self.hosts("local"))
        self.assertTrue(before == self.bytes_of())

    def test_a_host_that_is_not_there_costs_nothing(self):
        # What ssh is told by the file ends at once.
        config = self.path("config")
        with open(config, "w", encoding="utf-8") as file:
            file.write("Host gone\n  ProxyCommand false\n")
        done = self.pack("--engine", "ssh", "--hosts-file", self.hosts("gone", "local"), ALTISCOPE_SSH_CONFIG=config)
        self.assertEqual(self.states(), ["done"] * RANKS)
        self.assertIn("gone", done.stderr)

    def test_a_unit_that_fails_is_named(self):
        trace = next(os.path.join(folder, "trace_view.json") for folder, _, names in sorted(os.walk(self.capture))
                     if "trace_view.json" in names)
        result("pack", self.capture, "--out", self.path("whole.altipack"))
        # Its pack cannot be written: a folder has its name.
        os.makedirs(os.path.join(self.packs, "unit-00003.altipack", "x"))
        done = self.pack("--engine", "ssh", "--hosts-file", self.hosts("local"), status=FAILED)
        self.assertEqual(self.states(), ["done"] * 3 + ["failed"] + ["done"] * 2)
        self.assertIn("unit 3 (ranks 3) failed on local: ", done.stderr)
        self.assertIn("unit-00003", self.units()[3]["reason"])
        shutil.rmtree(os.path.join(self.packs, "unit-00003.altipack"))
        self.pack("--engine", "ssh", "--hosts-file", self.hosts("local"))
        self.assertEqual(self.states(), ["done"] * RANKS)
        self.assertTrue(os.path.exists(trace))


class Mended(UnitsTest):
    def trace_of(self, rank):
        return sorted(os.path.join(folder, "trace_view.json") for folder, _, names in os.walk(self.capture)
                      if "trace_view.json" in names)[rank]

    def test_a_note_overwrites_nothing_else(self):
        kept = next(os.path.join(folder, name) for folder, _, names in os.walk(self.capture) for name in names
                    if name.startswith("profiler_info"))
        before = tree_hash(self.capture)
        out, other = self.path("x.altipack"), self.path("mine.txt")
        self.assertEqual(run("pack", self.capture, "--out", out, "--note", kept).returncode, FAILED)
        self.assertEqual(tree_hash(self.capture), before)
        with open(other, "w", encoding="utf-8") as file:
            file.write("mine")
        done = run("pack", self.capture, "--out", out, "--note", other)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("is no note of a unit", done.stderr)
        with open(other, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        note = self.path("note.json")
        for _ in range(2):
            result("pack", self.capture, "--out", out, "--note", note)

    def test_a_path_of_two_lines_is_no_command(self):
        done = run("pack", self.capture, "--out", self.path("a\ntouch x"), "--engine", "script")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("A command is one line", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_other_options_are_other_units(self):
        self.run_lines(self.pack("--engine", "script").stdout)
        done = self.pack("--engine", "script", "--without", "args", status=FAILED)
        self.assertIn("--without", done.stderr)
        self.pack("--engine", "script")

    def test_a_unit_that_runs_since_before_is_followed(self):
        self.pack("--engine", "script")
        with open(self.path("hosts"), "w", encoding="utf-8") as file:
            file.write("local\n")
        with open(os.path.join(self.packs, ".units", "00000.json"), "w", encoding="utf-8") as note:
            fcntl.flock(note, fcntl.LOCK_EX)
            following = start("pack", self.capture, "--out", self.packs, "--engine", "ssh", "--hosts-file", self.path("hosts"),
                              stderr=subprocess.PIPE)
            deadline = time.monotonic() + PATIENCE
            while self.states()[1:] != ["done"] * (RANKS - 1) and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual(self.states()[0], "running")
            self.assertIsNone(following.poll())
        said = following.communicate(timeout=PATIENCE)[1]
        self.assertEqual(following.returncode, FAILED)
        self.assertEqual(self.states()[0], "failed")
        self.assertIn("failed 1", said if isinstance(said, str) else said.decode())

    def test_a_unit_with_a_lost_rank_is_not_done(self):
        with open(self.trace_of(1), "w", encoding="utf-8") as file:
            file.write("garbage")
        words = ("--engine", "ssh", "--hosts-file", self.path("hosts"), "--ranks-per-task", "2", "--strict")
        with open(self.path("hosts"), "w", encoding="utf-8") as file:
            file.write("local\n")
        done = run("pack", self.capture, "--out", self.packs, *words)
        self.assertNotEqual(done.returncode, OK)
        unit = self.units()[0]
        self.assertIn("trace_view.json", unit["reason"], unit)


# A Slurm of one node: sbatch runs the tasks in the background, one after the other; the table of tasks is a file.
SLURM = r'''#!@python@
import json, os, re, subprocess, sys
place = @place@
table = os.path.join(place, "tasks.json")
def read():
    try:
        with open(table, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}
def write(tasks):
    with open(table + ".new", "w", encoding="utf-8") as file:
        json.dump(tasks, file)
    os.rename(table + ".new", table)
name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
over = ("COMPLETED", "FAILED", "NODE_FAIL")
if name == "sbatch":
    with open(os.path.join(place, "calls"), "a", encoding="utf-8") as file:
        file.write(" ".join(words) + "\n")
    if "--partition=none" in words:
        sys.exit("sbatch: error: invalid partition specified: none")
    last = int(next(word for word in words if word.startswith("--array=")).split("-")[-1])
    tasks = read()
    job = str(100 + len({task.split("_")[0] for task in tasks}))
    for index in range(last + 1):
        tasks[f"{job}_{index}"] = ["PENDING", "", "0:0"]
    write(tasks)
    print(job)
    sys.stdout.flush()
    if os.fork():
        os._exit(0)
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    broken = os.path.join(place, "broken")
    for index in range(last + 1):
        tasks = read()
        tasks[f"{job}_{index}"] = ["RUNNING", "n1", "0:0"]
        write(tasks)
        if os.path.exists(broken) and index == 1:
            state, code = "NODE_FAIL", "1:0"
        else:
            code = subprocess.run(["sh", words[-1]], env={**os.environ, "SLURM_ARRAY_TASK_ID": str(index)}, check=False).returncode
            state, code = ("FAILED" if code else "COMPLETED"), f"{code}:0"
        tasks = read()
        tasks[f"{job}_{index}"] = [state, "n1", code]
        write(tasks)
elif name == "squeue":
    for task, (state, node, code) in read().items():
        if state not in over:
            print(f"{task}|{state}|{node}|None")
elif name == "sacct":
    if os.path.exists(os.path.join(place, "no_accounting")):
        sys.exit("Slurm accounting storage is disabled")
    for task, (state, node, code) in read().items():
        if state in over:
            print(f"{task}|{state}|{code}|{node}")
'''


class Slurm(UnitsTest):
    def setUp(self):
        super().setUp()
        self.tools = self.path("tools")
        os.makedirs(self.tools)
        for name in ("sbatch", "squeue", "sacct"):
            path = os.path.join(self.tools, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(SLURM.replace("@python@", sys.executable).replace("@place@", repr(self.tools)))
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        self.environment = {"PATH": self.tools + os.pathsep + os.environ["PATH"]}

    def calls(self):
        with open(os.path.join(self.tools, "calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def touch(self, name):
        with open(os.path.join(self.tools, name), "w", encoding="utf-8"):
            pass

    def test_an_array(self):
        self.pack("--engine", "slurm", "--partition", "p", "--time", "1:00", "--account", "a", "--constraint", "c", **self.environment)
        self.assertEqual(self.states(), ["done"] * RANKS)
        # As Slurm calls the node, or what ended before anybody looked calls itself.
        self.assertTrue(all(unit["host"] for unit in self.units()), self.units())
        self.assertEqual(len(self.calls()), 1)
        for word in ("--partition=p", "--time=1:00", "--account=a", "--constraint=c", f"--array=0-{RANKS - 1}"):
            self.assertIn(word, self.calls()[0].split())
        self.pack("--engine", "slurm", **self.environment)
        self.assertEqual(len(self.calls()), 1)

    def test_a_node_fails_and_only_its_unit_is_submitted_again(self):
        self.touch("broken")
        done = self.pack("--engine", "slurm", status=FAILED, **self.environment)
        self.assertEqual(self.states(), ["done", "failed"] + ["done"] * 4)
        self.assertIn("unit 1 (ranks 1) failed on n1: Slurm: NODE_FAIL", done.stderr)
        os.remove(os.path.join(self.tools, "broken"))
        self.pack("--engine", "slurm", **self.environment)
        self.assertEqual(self.states(), ["done"] * RANKS)
        self.assertEqual(len(self.calls()), 2)
        self.assertIn("--array=0-0", self.calls()[1].split())

    def test_without_accounting(self):
        self.touch("no_accounting")
        os.makedirs(os.path.join(self.packs, "unit-00002.altipack", "x"))
        done = self.pack("--engine", "slurm", status=FAILED, **self.environment)
        self.assertEqual(self.states(), ["done", "done", "failed", "done", "done", "done"])
        self.assertIn("could not be written", done.stderr)

    def test_a_submission_that_was_not_seen_to_end_is_looked_for(self):
        self.pack("--engine", "script")
        with open(os.path.join(self.packs, ".units", "slurm.json"), "w", encoding="utf-8") as file:
            json.dump([{"job": "", "name": "ab", "units": [0]}], file)
        self.pack("--engine", "slurm", **self.environment)
        self.assertEqual(self.states(), ["done"] * RANKS)
        with open(os.path.join(self.packs, ".units", "slurm.json"), encoding="utf-8") as file:
            self.assertTrue(all(array["job"] for array in json.load(file)))

    def test_only_one_process_submits(self):
        self.pack("--engine", "script")
        with open(os.path.join(self.packs, ".units", "slurm.lock"), "w", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            done = self.pack("--engine", "slurm", status=FAILED, **self.environment)
        self.assertIn("Another process submits", done.stderr)

    def test_a_folder_with_a_percent_sign(self):
        self.packs = self.path("a%jb")
        self.pack("--engine", "slurm", **self.environment)
        self.assertIn("a%%jb/.units/slurm-%A_%a.log", self.calls()[0])

    def test_refused(self):
        done = self.pack("--engine", "slurm", "--partition", "none", status=FAILED, **self.environment)
        self.assertIn("invalid partition", done.stderr)
        done = self.pack("--engine", "slurm", status=FAILED, PATH="/nonexistent")
        self.assertIn("no sbatch", done.stderr)


if __name__ == "__main__":
    assert os.access(CLI, os.X_OK)
    unittest.main()
