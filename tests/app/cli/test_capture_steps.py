#!/usr/bin/env python3
"""Several hosts record the same steps: a job whose ranks wait for each other, on hosts that are servers of their own on loopback, each with
its own folder, clock and configuration. tests/bench/capture_steps.py does the same 40 times."""

import json
import os
import shlex
import subprocess
import sys
import time
import unittest

from capture_support import STANDIN, read, until
from support import FAILED, OK
from test_capture_ssh import SshTest

sys.path.insert(0, STANDIN)
from lockstep import Barrier  # noqa: E402
from capture_support import samples  # noqa: E402

RANKS = 2  # of each host


class StepsTest(SshTest):
    def setUp(self):
        super().setUp()
        self.hosts = []
        self.ranks = []

    def add_hosts(self, count, offset=0):
        """Hosts h0, h1, ...; every second one has a clock that is so many seconds ahead."""
        known, config = [], []
        for host in range(count):
            name = f"h{host}"
            place = self.path(name)
            os.makedirs(os.path.join(place, "bin"))
            os.makedirs(os.path.join(place, "config"))
            file = os.path.join(place, "config", "profiler_config.json")
            with open(file, "w", encoding="utf-8") as out:
                out.write('{"start_step": 0, "mine": [1.50]}\n')
            os.utime(file, (time.time() - 3600,) * 2)
            if offset and host % 2:
                path = os.path.join(place, "bin", "date")
                with open(path, "w", encoding="utf-8") as out:
                    out.write(f"#!/bin/sh\nexec /bin/date -d '+{offset} seconds' \"$@\"\n")
                os.chmod(path, 0o755)
            port = self.start_more(f"ForceCommand cd {shlex.quote(place)} && PATH={shlex.quote(place)}/bin:$PATH && export PATH && "
                                   "eval \"$SSH_ORIGINAL_COMMAND\"\n")
            known.append(f"[127.0.0.1]:{port} " + read(self.path("ssh", "host.pub")).decode())
            config.append(f"Host {name}\nHostName 127.0.0.1\nPort {port}\nUser {self.user()}\nIdentitiesOnly yes\n"
                          f"IdentityFile {self.path('ssh', 'user')}\nIdentityAgent none\nUserKnownHostsFile {self.path('ssh', 'known')}\n"
                          "GlobalKnownHostsFile none\n")
            self.hosts.append(name)
        with open(self.path("ssh", "known"), "w", encoding="utf-8") as out:
            out.writelines(known)
        with open(self.path("ssh", "config"), "w", encoding="utf-8") as out:
            out.writelines(config)

    def run_job(self, step_ms, offset=0, form="megatron", output="file", words=()):
        """All ranks, each host's in its folder; its output goes to a file, through a pipe to one, or nowhere."""
        barrier = Barrier(len(self.hosts) * RANKS)
        self.addCleanup(barrier.close)
        for host, name in enumerate(self.hosts):
            pipe = None
            if output == "pipe":
                tee = subprocess.Popen(["tee", self.path(name, "job.log")], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
                self.processes.append(tee)
                pipe = tee.stdin
            log = open(self.path(name, "job.log") if output == "file" else os.devnull, "ab")
            for local in range(RANKS):
                rank = host * RANKS + local
                process = subprocess.Popen([sys.executable, os.path.join(STANDIN, "lockstep.py"), "--port", str(barrier.port), "--rank", str(rank),
                                            "--local", str(local), "--samples", samples(), "--step-ms", str(step_ms), "--offset",
                                            str(offset if host % 2 else 0), "--print", form, *words],
                                           cwd=self.path(name), stdin=subprocess.DEVNULL, stdout=pipe or log, stderr=pipe or log,
                                           env={**os.environ, "RANK": str(rank), "WORLD_SIZE": str(len(self.hosts) * RANKS)})
                self.processes.append(process)
                self.ranks.append(process)
            log.close()
            if pipe:
                pipe.close()
        # A change counts from the next whole second on.
        until(lambda: all(self.logs(name) for name in self.hosts), "the begin of the job")
        time.sleep(1.1)

    def logs(self, name):
        folder = self.path(name, "config", "log")
        return len(os.listdir(folder)) == RANKS if os.path.isdir(folder) else False

    def begin_capture(self, *words, **settings):
        targets = [word for name in self.hosts for word in ("--target", name)]
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        return self.begin("start", "torch-dynamic", *targets, "--file", "config/profiler_config.json", "--workdir", ".", "--set", "prof_dir=out",
                          "--set", "analyse=true", *sets, *words)

    def recorded(self):
        """{rank: [(first, end), ...]}, as the job itself knows it."""
        found = {}
        for name in self.hosts:
            path = self.path(name, "recorded")
            for line in read(path).decode().splitlines() if os.path.exists(path) else []:
                rank, first, end = map(int, line.split())
                found.setdefault(rank, []).append((first, end))
        return found

    def assert_put_back(self):
        for name in self.hosts:
            self.assertEqual(read(self.path(name, "config", "profiler_config.json")), b'{"start_step": 0, "mine": [1.50]}\n')
            self.assertEqual(sorted(os.listdir(self.path(name, "config"))), ["log", "profiler_config.json"])

    def assert_same_steps(self, count=1):
        steps = self.recorded()
        self.assertEqual(sorted(steps), list(range(len(self.hosts) * RANKS)))
        self.assertEqual({len(one) for one in steps.values()}, {count})
        self.assertEqual(len({tuple(one) for one in steps.values()}), 1, steps)


class Steps(StepsTest):
    def test_same_steps_on_two_hosts(self):
        self.add_hosts(2, offset=300)
        self.run_job(200, offset=300)
        out, errors = self.end(self.begin_capture("--wait", active=2), OK)
        self.assert_same_steps()
        first, end = self.recorded()[0][0]
        self.assertIn(f"All hosts record from step {first} on", errors)
        session = self.session(out.strip())
        self.assertEqual(session["common_step"], first)
        self.assertEqual(session["steps"]["code"], "capture.steps.same")
        self.assertEqual([rank["steps"] for target in session["targets"] for rank in target["ranks"]], [[first, end]] * 4)
        self.assertIn(["start_step", "-1"], [*session["settings"], ["start_step", "-1"]])
        self.assert_put_back()

    def test_the_check_names_the_step(self):
        """Before anything is begun, and without a change."""
        self.add_hosts(2)
        self.run_job(200, form="rank")
        targets = [word for name in self.hosts for word in ("--target", name)]
        checks = json.loads(self.capture("validate", "torch-dynamic", *targets, "--file", "config/profiler_config.json", "--workdir", ".", "--set",
                                         "prof_dir=out", "--json"))["checks"]
        step = next(check for check in checks if check["name"] == "steps")
        self.assertEqual(step["state"], "good")
        self.assertGreater(int(step["detail"]), 10)
        self.assertIn(f"from step {step['detail']} on", step["message"])
        self.assert_put_back()

    def test_output_behind_a_pipe(self):
        self.add_hosts(2)
        self.run_job(200, form="step", output="pipe")
        _, errors = self.end(self.begin_capture("--wait"), OK)
        self.assertIn("All hosts record from step", errors)
        self.assert_same_steps()

    def test_a_job_that_was_resumed(self):
        """It prints steps from 5000 on, and the tool counts from 1: asked for its own count, it says it."""
        self.add_hosts(2)
        self.run_job(100, words=("--first", "5000"))
        _, errors = self.end(self.begin_capture("--wait"), OK)
        self.assertIn("other than the job prints", errors)
        self.assert_same_steps()
        self.assertLess(self.recorded()[0][0][0], 5000)
        self.assert_put_back()

    def test_a_job_that_prints_fewer_steps_than_the_tool_counts(self):
        """As with several micro steps: the first start step is over, which the tool says with its own count."""
        self.add_hosts(2)
        self.run_job(100, words=("--micro", "10"))
        time.sleep(5)
        _, errors = self.end(self.begin_capture("--wait"), OK)
        self.assertIn("other than the job prints", errors)
        self.assert_same_steps()
        self.assert_put_back()

    def test_nothing_says_the_step(self):
        """Then each begins at its own next step, and this is said; so is that they differ."""
        self.add_hosts(2)
        self.run_job(100, output="none")
        out = self.begin_capture("--wait")
        _, errors = out.communicate(timeout=240)
        self.assertIn("Nothing says at which step the job is", errors)
        steps = {tuple(one) for one in self.recorded().values()}
        self.assertEqual(out.returncode, OK if len(steps) == 1 else FAILED, errors)
        self.assertIn("recorded different steps" if len(steps) > 1 else "recorded the same steps", errors)

    def test_a_difference_is_kept(self):
        """Hosts are given different steps by hand, in the middle of a capture."""
        self.add_hosts(2)
        self.run_job(100)
        process = self.begin_capture("--wait", start_step=200)
        capture = process.stdout.readline().strip()
        file = self.path("h1", "config", "profiler_config.json")
        text = read(file).decode()
        with open(file, "w", encoding="utf-8") as out:
            out.write(text.replace('"start_step": 200', '"start_step": 210'))
        os.utime(file, (os.stat(file).st_mtime + 2,) * 2)
        _, errors = self.end(process, FAILED)
        self.assertIn("recorded different steps", errors)
        self.assertIn("200: h0 (0, 1); 210: h1 (2, 3)", errors)
        session = self.session(capture)
        self.assertEqual(session["steps"]["code"], "capture.steps.differ")
        self.assertEqual(session["state"], "done")
        self.end(self.begin("watch", capture), FAILED)

class Hosts(StepsTest):
    """Each host comes to its own end."""

    def lines_until(self, process, text):
        return until(lambda: text in (line := process.stderr.readline()) and line, text)

    def test_a_host_whose_ranks_are_gone_fails_by_itself(self):
        """Others wait on, as their ranks do, until somebody goes on with what is there."""
        self.add_hosts(2)
        self.run_job(100)
        process = self.begin_capture("--wait", start_step=100_000)
        capture = process.stdout.readline().strip()
        self.lines_until(process, "h1  armed")
        with open(self.path("h1", "die"), "wb"):
            pass
        line = self.lines_until(process, "h1  failed")
        self.assertIn("RuntimeError: HCCL of rank is gone", line)
        self.assertEqual([target["state"] for target in self.session(capture)["targets"]], ["armed", "failed"])
        self.assertNotIn("profiler_config.json.altiscope", os.listdir(self.path("h1", "config")))
        self.assertIn("profiler_config.json.altiscope", os.listdir(self.path("h0", "config")))
        self.end(self.begin("finish", capture), FAILED)
        _, errors = self.end(process, FAILED)
        self.assertIn("The waiting is ended", errors)
        self.assert_put_back()

    def test_a_file_that_others_have_changed_is_not_corrected(self):
        """The job counts otherwise than it prints: the host whose file somebody else has changed is left out."""
        self.add_hosts(2)
        self.run_job(100, words=("--first", "5000"))
        process = self.begin_capture("--wait")
        process.stdout.readline()
        self.lines_until(process, "h1  armed")
        path = self.path("h1", "config", "profiler_config.json")
        config = json.loads(read(path))
        with open(path, "w", encoding="utf-8") as out:
            json.dump({**config, "theirs": 1}, out)
        _, errors = self.end(process, FAILED)
        self.assertIn("Another start step cannot be written there", errors)
        self.assertEqual(json.loads(read(path)), {"start_step": 0, "mine": [1.5], "theirs": 1})
        self.assertNotIn("profiler_config.json.altiscope", os.listdir(self.path("h0", "config")))

    def test_what_others_recorded_is_fetched(self):
        """Two jobs of their own: one is killed while it waits for its step."""
        self.add_hosts(2)
        jobs = []
        for name in self.hosts:
            jobs.append(self.job("dynprof", "--config", "config", "--step-ms", "50", folder=self.path(name)))
        process = self.begin_capture("--wait", "--fetch", self.path("fetched"), start_step=150)
        process.stdout.readline()
        jobs[0].kill()
        jobs[0].wait()
        _, errors = self.end(process, FAILED)
        self.assertIn("h0  failed  The job ended before anything was recorded", errors)
        self.assertEqual(os.listdir(self.path("fetched", "h1")), os.listdir(self.path("h1", "out")))
        self.assert_put_back()

    def test_a_phase_may_last_so_long(self):
        self.add_hosts(1)
        self.run_job(100)
        begin = time.monotonic()
        _, errors = self.end(self.begin_capture("--wait", "--timeout", "3", start_step=100_000), FAILED)
        self.assertIn('The phase "armed" has lasted 3 s', errors)
        self.assertLess(time.monotonic() - begin, 60)
        self.assert_put_back()

    def test_fetch_says_what_it_waits_for(self):
        self.add_hosts(1)
        self.run_job(100)
        capture = self.end(self.begin_capture(start_step=100_000), OK)[0].strip()
        fetch = self.begin("fetch", capture, "--out", self.path("fetched"), "--timeout", "4")
        _, errors = self.end(fetch, FAILED)
        self.assertIn("The capture is not over (armed)", errors)
        self.assertIn("Recording begins at step 100000", errors)
        self.assert_put_back()

    def test_a_start_step_that_is_over_ends_the_capture(self):
        """Only the job's own output says so."""
        self.add_hosts(1)
        self.run_job(100, output="pipe")
        _, errors = self.end(self.begin_capture("--wait", start_step=3), FAILED)
        self.assertIn("The start_step=3, current_step=", errors)
        self.assertIn("has refused the start step", errors)
        self.assert_put_back()

    def test_an_earlier_refusal_is_none_of_this_capture(self):
        self.add_hosts(1)
        with open(self.path("h0", "job.log"), "w", encoding="utf-8") as out:
            out.write("[WARNING] [7] profiler.py: Dynamic Profiler config is not effective. The start_step=3, current_step=9\n")
        self.run_job(100)
        self.end(self.begin_capture("--wait"), OK)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
