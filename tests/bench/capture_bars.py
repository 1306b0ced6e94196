#!/usr/bin/env python3
"""Bars of captures over ssh on loopback, by hand: fetching against plain rsync over the same connection, cancel, how soon a change is seen, and
what watching 64 hosts costs. Needs openssh-server and rsync, and the variables that ctest gives the scripts of tests/app/cli.

    capture_bars.py fetch|cancel|visible|hosts..."""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app" / "cli"))
from capture_support import until  # noqa: E402
from test_capture_ssh import SshTest  # noqa: E402

PAIRS = int(os.environ.get("ALTI_PAIRS", "5"))
TICKS = os.sysconf("SC_CLK_TCK")


def say(*words):
    print(*words, flush=True)


class Bars(SshTest):
    def recorded(self):
        file = self.config()
        self.job("dynprof", "--config", os.path.dirname(file))
        return self.start("torch-dynamic", "--file", file, "--wait", prof_dir=self.path("out"), is_rank="true", rank_list=0, analyse="true",
                          async_mode="true")

    def measure_fetch(self):
        capture = self.recorded()
        result = os.path.join(self.path("out"), os.listdir(self.path("out"))[0])
        block = os.urandom(1 << 20)
        for name, files, megabytes in (("1000 files of 1 MB", 1000, 1), ("one file of 2 GB", 1, 2048)):
            folder = os.path.join(result, "data")
            os.mkdir(folder)
            for i in range(files):
                with open(os.path.join(folder, str(i)), "wb") as out:
                    for _ in range(megabytes):
                        out.write(block)
            ours, plain = [], []
            for _ in range(PAIRS):
                for times, words in ((ours, None), (plain, ["rsync", "-rt", "-e", f"ssh -F {self.path('ssh', 'config')}",
                                                            "trainer:" + result, self.path("plain") + "/"])):
                    begin = time.monotonic()
                    if words:
                        subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                    else:
                        self.capture("fetch", capture, "--out", self.path("fetched"))
                    times.append(time.monotonic() - begin)
                    shutil.rmtree(self.path("plain" if words else "fetched"))
            shutil.rmtree(folder)
            ratio = statistics.median(b / a for a, b in zip(ours, plain))
            say(f"fetch {name}: ours {statistics.median(ours):.2f} s, rsync {statistics.median(plain):.2f} s, speed {ratio:.2f} x rsync (>= 0.85)")

    def measure_cancel(self):
        for watched in (False, True):
            times = []
            for i in range(PAIRS):
                file = self.config(folder=f"config{watched}{i}")
                before = self.state_of(file)
                capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
                watch = self.begin("watch", capture) if watched else None
                if watch:
                    watch.stdout.readline()
                begin = time.monotonic()
                self.capture("cancel", capture)
                times.append(time.monotonic() - begin)
                self.assertEqual(self.state_of(file), before)
            say(f"cancel{', watched' if watched else ''}: median {statistics.median(times):.2f} s, most {max(times):.2f} s (<= 2)")

    def measure_visible(self):
        waits = []
        for i in range(PAIRS):
            file = self.config(folder=f"config{i}")
            self.job("dynprof", "--config", os.path.dirname(file), "--step-ms", "200", "--delay", "1.5")
            capture = self.start("torch-dynamic", "--file", file, "--wait", prof_dir=self.path(f"out{i}"), is_rank="true", rank_list=0, active=15,
                                 analyse="true", async_mode="true")
            result = os.path.join(self.path(f"out{i}"), os.listdir(self.path(f"out{i}"))[0])
            log = os.path.join(os.path.dirname(file), "log", os.listdir(os.path.join(os.path.dirname(file), "log"))[0])
            changes = self.changes(capture)
            for state, what in (("recording", os.stat(log).st_mtime), ("analysing", os.stat(os.path.join(result, "profiler_info_0.json")).st_mtime)):
                seen = next(change["ts"] for change in changes if change["state"] == state) / 1e9
                waits.append(seen - what)
            self.processes[-1].kill()
            self.processes[0].kill()
        say(f"visible: median {statistics.median(waits):.2f} s, most {max(waits):.2f} s after it happened (<= 1)")

    def measure_hosts(self, count=64, seconds=20):
        text = open(self.path("ssh", "config"), encoding="utf-8").read()
        with open(self.path("ssh", "config"), "w", encoding="utf-8") as out:
            out.write("".join(text.replace("Host trainer", f"Host h{i}") for i in range(count)))
        file = self.config()
        begin = time.monotonic()
        targets = [word for i in range(count) for word in ("--target", f"h{i}")]
        out, _ = self.end(self.begin("start", "torch-dynamic", *targets, "--file", file, "--set", "prof_dir=" + self.path("out")), 0)
        say(f"hosts: start on {count}: {time.monotonic() - begin:.1f} s")
        watch = self.begin("watch", out.strip(), "--json")
        until(lambda: len(self.tree(watch.pid)) >= count, "all connections")
        time.sleep(3)

        def used():
            return sum(times for _, times in self.tree(watch.pid))
        before, most, end = used(), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            most = max(most, len(self.tree(watch.pid)))
            time.sleep(0.1)
        say(f"hosts: {count} watched: {(used() - before) / TICKS / seconds * 100:.1f} % of a core (<= 10), most {most} processes with the program "
            f"itself (<= {count} for hosts)")
        begin = time.monotonic()
        self.capture("cancel", out.strip())
        say(f"hosts: cancel of {count}: {time.monotonic() - begin:.2f} s")

    @staticmethod
    def tree(root):
        """(pid, ticks with those of ended children) of a process and all below it."""
        stats = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
                stats[int(pid)] = (int(fields[1]), sum(map(int, fields[11:15])))
            except (OSError, IndexError):
                continue
        wanted, found = [root], []
        while wanted:
            pid = wanted.pop()
            if pid in stats:
                found.append((pid, stats[pid][1]))
            wanted += [child for child, (parent, _) in stats.items() if parent == pid]
        return found


def main():
    suite = unittest.TestSuite(Bars("measure_" + name) for name in sys.argv[1:] or ["cancel", "visible", "hosts", "fetch"])
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
