#!/usr/bin/env python3
"""Captures that are disturbed: in every state the program is killed or the connection cut, and whoever comes next goes on or puts back."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import unittest

from capture_support import CaptureTest, has_ended, names_below, read, until
from support import CANCELLED, FAILED, OK, info
from test_capture_ssh import SshTest

# Bytes; at 1 MB per second there is time to disturb.
LARGE = 4_000_000


class Disturbed:
    """disturb(process) does harm while a state lasts; undo() ends what was harmed. What a killed program leaves is taken up by another."""

    def disturb(self, process):
        raise NotImplementedError

    def undo(self):
        pass

    def arm(self, *job):
        """A capture of a job that records for two seconds and analyses for two."""
        self.file = self.config()
        self.before = self.state_of(self.file)
        self.job("dynprof", "--config", os.path.dirname(self.file), "--delay", "1", *job)
        return self.start("torch-dynamic", "--file", self.file, prof_dir=self.path("out"), is_rank="true", rank_list=0, active=50,
                          analyse="true", async_mode="true")

    def watched(self, capture, state):
        watch = self.begin("watch", capture, "--json")
        until(lambda: f'"{state}"' in watch.stdout.readline(), state)
        return watch

    def go_on(self, process, capture):
        """To the end, by the same program if it lives."""
        if process.poll() is None:
            process.stdout.read()
        if process.wait() != OK:
            self.capture("watch", capture)

    def while_it(self, state):
        capture = self.arm()
        watch = self.watched(capture, state)
        self.disturb(watch)
        self.undo()
        self.go_on(watch, capture)
        self.assertEqual(self.state_of(self.file), self.before)
        self.assertEqual(self.session(capture)["state"], "done")
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])

    def test_armed(self):
        self.while_it("armed")

    def test_recording(self):
        self.while_it("recording")

    def test_analysing(self):
        self.while_it("analysing")

    def test_fetching(self):
        capture = self.arm()
        self.capture("watch", capture)
        result = os.path.join(self.path("out"), os.listdir(self.path("out"))[0])
        with open(os.path.join(result, "large"), "wb") as file:
            file.write(os.urandom(LARGE))
        fetch = self.begin("fetch", capture, "--out", self.path("fetched"), "--limit", "1")
        until(lambda: sum(os.path.getsize(self.path("fetched", name)) for name in self.copied()) > 100_000, "the first bytes")
        self.disturb(fetch)
        fetch.communicate()
        self.assertNotEqual(fetch.returncode, OK)
        self.assertEqual([name for name in os.listdir(self.fetched()) if not name.endswith(".partial")], [])
        self.undo()
        self.capture("watch", capture)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual(names_below(self.path("out")), names_below(self.fetched()))
        for name in names_below(self.path("out")):
            self.assertEqual(read(self.path("out", name)), read(self.fetched(name)))

    def copied(self):
        return names_below(self.path("fetched")) if os.path.isdir(self.path("fetched")) else []

    def test_preparing(self):
        """While the first look at the target lasts."""
        file = self.config()
        before = self.state_of(file)
        marker = self.path("looks")
        self.slow("df", marker)
        start = self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--set", "prof_dir=" + self.path("out"))
        until(lambda: os.path.exists(marker), "the first look")
        self.disturb(start)
        start.communicate()
        self.assertNotEqual(start.returncode, OK)
        self.undo()
        self.capture("cancel", self.newest())
        self.assertEqual(self.state_of(file), before)
        self.assertIn(self.session(self.newest())["state"], ("failed", "cancelled"))

    def test_cancelling(self):
        """While a job is being ended that takes its time; then once more."""
        script = os.path.join(self.work, "stubborn.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("trap '' TERM\necho $$ >pid.new && mv pid.new pid\nwhile :; do sleep 0.1; done\n")
        capture = self.start("llm-flags", "--workdir", self.work, "--launch", "exec sh " + shlex.quote(script))
        pid = int(until(lambda: os.path.exists(os.path.join(self.work, "pid")) and read(os.path.join(self.work, "pid")), "the job"))
        cancel = self.begin("cancel", capture)
        until(lambda: os.path.exists(self.path("state", "altiscope", "captures", capture + ".0", "stop")), "the request to end")
        self.assertFalse(has_ended(pid))
        self.disturb(cancel)
        self.undo()
        cancel.communicate()
        self.capture("cancel", capture)
        until(lambda: has_ended(pid), "the end of the job")
        self.assertEqual(self.session(capture)["state"], "cancelled")


class Killed(Disturbed, CaptureTest):
    def disturb(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait()

    def slow(self, name, marker):
        folder = self.path("bin")
        os.mkdir(folder)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n: >{shlex.quote(marker)}\nsleep 1\nexec /bin/{name} \"$@\"\n")
        os.chmod(os.path.join(folder, name), 0o755)
        self.environment["PATH"] = folder + os.pathsep + self.environment["PATH"]


class Cut(Disturbed, SshTest):
    def disturb(self, process):
        port = self.port
        self.stop_server()
        self.port = port

    def undo(self):
        # Whoever watches has noticed by then, or tries again.
        time.sleep(0.5)
        self.start_server(port=self.port)

    def slow(self, name, marker):
        self.program(name, f"#!/bin/sh\n: >{shlex.quote(marker)}\nsleep 1\nexec /bin/{name} \"$@\"\n")


class Passwords(SshTest):
    """A server that takes a password, in a view of the machine in which the user has one."""
    SECRET = "pass word'$(touch hit)\"\\é"
    SERVER = "PubkeyAuthentication no\n"

    def setUp(self):
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
            self.skipTest("a server that takes passwords needs the rights of root")
        super().setUp()
        self.configure("PreferredAuthentications password")

    def start_server(self, key="host", port=None, server=None):
        hashed = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=self.SECRET + "\n", check=True, text=True, capture_output=True)
        shadow = self.path("shadow")
        with open("/etc/shadow", encoding="utf-8") as old, open(shadow, "w", encoding="utf-8") as new:
            user = self.user() + ":"
            new.writelines(f"{user}{hashed.stdout.strip()}:19000:0:99999:7:::\n" if line.startswith(user) else line for line in old)
        os.chmod(shadow, 0o600)
        self.wrap = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/shadow && exec "$@"', shadow]
        super().start_server(key, port, server)

    def settings(self):
        return super().settings().replace("PasswordAuthentication no", "PasswordAuthentication yes")

    def answer(self, text):
        """A program that ssh asks; how often it did lies in "asked"."""
        with open(self.path("ssh", "answer"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
        with open(self.path("ssh", "ask"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nprintf '%s\\n' \"$1\" >>{shlex.quote(self.path('asked'))}\ncat {shlex.quote(self.path('ssh', 'answer'))}\n")
        os.chmod(self.path("ssh", "ask"), 0o700)
        self.environment.update(SSH_ASKPASS=self.path("ssh", "ask"), SSH_ASKPASS_REQUIRE="force")

    def test_wrong_password(self):
        file = self.config()
        before = self.state_of(file)
        self.answer("wrong")
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
        self.assertIn("refused the login", errors)
        self.assertEqual([line.endswith("password: ") for line in read(self.path("asked")).decode().splitlines()], [True] * 3)
        self.assertEqual(self.state_of(file), before)
        self.assertEqual(json.loads(self.capture("list", "--json"))[0]["state"], "failed")

    def test_nobody_to_ask(self):
        file = self.config()
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
        self.assertIn("refused the login", errors)

    def test_right_password_stays_secret(self):
        """Asked once for a whole capture, and found in no argument, no environment, no message and no file of ours."""
        file = self.config()
        before = self.state_of(file)
        self.answer(self.SECRET)
        self.job("dynprof", "--config", os.path.dirname(file))
        start = self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--fetch", self.path("fetched"), "--set",
                           "prof_dir=" + self.path("out"), "--set", "is_rank=true", "--set", "rank_list=0")
        start.stdout.readline()
        self.assert_secret(self.SECRET)
        out = self.end(start, 0)
        self.assertEqual(self.state_of(file), before)
        self.assertEqual(len(names_below(self.path("fetched"))), len(names_below(self.path("out"))))
        self.assert_secret(self.SECRET, *out)
        self.assertEqual(len(read(self.path("asked")).decode().splitlines()), 1)
        self.assertFalse(os.path.exists(os.path.join(self.work, "hit")))


class FullDisk(SshTest):
    """A host whose disk has no byte left: a small one, in the view of the server."""

    def setUp(self):
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
            self.skipTest("a small disk needs the rights of root")
        super().setUp()

    def start_server(self, key="host", port=None, server=None):
        os.makedirs(self.path("small"), exist_ok=True)
        self.wrap = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=256k none "$0" && exec "$@"', self.path("small")]
        super().start_server(key, port, server)

    def settings(self):
        return super().settings().replace("XDG_STATE_HOME=" + self.path("state"), "XDG_STATE_HOME=" + self.path("small", "state"))

    def fill(self):
        """All that can be written is."""
        seen = f"/proc/{self.server.pid}/root" + self.path("small")
        os.makedirs(os.path.join(seen, "config"))
        file = os.path.join(seen, "config", "profiler_config.json")
        with open(file, "w", encoding="utf-8") as config:
            config.write('{"active": 1}\n')
        with open(os.path.join(seen, "rest"), "wb", buffering=0) as rest:
            with self.assertRaises(OSError):
                while True:
                    rest.write(b"x" * 4096)
        return file

    def test_configuration(self):
        seen = self.fill()
        before = self.state_of(seen)
        errors = self.start("torch-dynamic", "--file", self.path("small", "config", "profiler_config.json"), prof_dir=self.path("out"),
                            status=FAILED)
        self.assertIn("could not be written", errors)
        self.assertEqual(self.state_of(seen), before)

    def test_launch(self):
        self.fill()
        errors = self.start("llm-flags", "--workdir", self.work, "--launch", "touch ran", status=FAILED)
        self.assertIn("could not be started", errors)
        self.assertEqual(os.listdir(self.work), [])


class Hostile(SshTest):
    """A host that wants to do harm with what it says."""

    def test_escapes_of_a_job(self):
        self.start("llm-flags", "--workdir", self.work, "--wait", "--launch", "printf '\\033]0;title\\007\\033[31mred\\n'; exit 3", status=FAILED)
        out = self.capture("watch", self.newest(), status=FAILED)
        self.assertIn("red", out)
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\x07", out)

    def test_rsync_that_never_ends(self):
        """What its rsync says is no rsync; the files come another way."""
        path = os.path.join(self.work, "prof", "a_1_20260101120000120_ascend_pt")
        os.makedirs(path)
        self.start("llm-flags", "--workdir", self.work, "--wait", "--launch",
                   shlex.join(self.job_words("llm", "--steps", "8")), profile_step_start=2, profile_step_end=3, profile_save_path="./prof")
        self.program("rsync", "#!/bin/sh\nexec head -c 100000000 /dev/zero\n")
        self.capture("fetch", self.newest(), "--out", self.path("fetched"))
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])

    def test_rsync_that_dribbles(self):
        """A stream that is garbled and goes on: given up, though a byte comes now and then."""
        self.start("llm-flags", "--workdir", self.work, "--wait", "--launch",
                   shlex.join(self.job_words("llm", "--steps", "8")), profile_step_start=2, profile_step_end=3, profile_save_path="./prof")
        self.program("rsync", "#!/bin/sh\nprintf '\\037\\000\\000\\000'; while :; do printf '\\007\\000'; sleep 1; done\n")
        began = time.monotonic()
        self.capture("fetch", self.newest(), "--out", self.path("fetched"))
        self.assertLess(time.monotonic() - began, 150)
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])

    def test_a_list_that_ends_early_is_no_list(self):
        """A host whose list of files stops in the middle, or holds none: not done, and nothing is there."""
        self.start("llm-flags", "--workdir", self.work, "--wait", "--launch",
                   shlex.join(self.job_words("llm", "--steps", "8")), profile_step_start=2, profile_step_end=3, profile_save_path="./prof")
        for name, script in (("none", "exit 0"), ("cut", "/usr/bin/find \"$@\" | head -c 3; exit 0")):
            with self.subTest(name):
                self.program("find", f"#!/bin/sh\ncase \"$*\" in *maxdepth*) exec /usr/bin/find \"$@\" ;; esac\n{script}\n")
                errors = self.capture("fetch", self.newest(), "--out", self.path(name), status=FAILED)
                self.assertFalse(os.path.exists(self.path(name)) and names_below(self.path(name)), errors)

    def test_links_are_not_followed(self):
        secret = self.path("mine")
        with open(secret, "w", encoding="utf-8") as file:
            file.write("mine")
        self.start("llm-flags", "--workdir", self.work, "--wait", "--launch",
                   shlex.join(self.job_words("llm", "--steps", "8")), profile_step_start=2, profile_step_end=3, profile_save_path="./prof")
        result = os.path.join(self.work, "prof", os.listdir(os.path.join(self.work, "prof"))[0])
        os.symlink(secret, os.path.join(result, "absolute"))
        os.symlink("../../../mine", os.path.join(result, "relative"))
        os.symlink("/", os.path.join(result, "all"))
        for tool in ("rsync", None):
            with self.subTest(tool=tool):
                if not tool:
                    self.program("rsync", "#!/bin/sh\nexit 127\n")
                folder = self.path(f"by {tool}")
                self.capture("fetch", self.newest(), "--out", folder)
                self.assertEqual([name for name in names_below(folder) if name.endswith(("absolute", "relative", "all"))], [])
                self.assertEqual([where for where, folders, names in os.walk(folder) for name in folders + names
                                  if os.path.islink(os.path.join(where, name))], [])
        # A file that becomes a link once it has been listed.
        victim = os.path.join(result, "profiler_info_0.json")
        self.program("find", f"#!/bin/sh\n/usr/bin/find \"$@\"\ncase \"$*\" in *maxdepth*) ;; *) ln -sf {shlex.quote(secret)} "
                             f"{shlex.quote(victim)} ;; esac\n")
        self.capture("fetch", self.newest(), "--out", self.path("swapped"), status=FAILED)
        self.assertEqual([name for name in names_below(self.path("swapped")) if read(self.path("swapped", name)) == b"mine"], [])


class SharedLimit(SshTest):
    """Two hosts have one limit: 3 MB at 1 MB per second."""

    def test_two_hosts(self):
        with open(self.path("ssh", "config"), "a", encoding="utf-8") as file:
            file.write(read(self.path("ssh", "config")).decode().replace("Host trainer", "Host twin"))
        job = " ".join(self.job_words("llm", "--steps", "8", "--ranks"))
        out, _ = self.end(self.begin("start", "llm-flags", "--target", "trainer", "--target", "twin", "--workdir", self.work, "--wait", "--set",
                                     "profile_step_start=2", "--set", "profile_step_end=3", "--set", "profile_ranks=0,1", "--launch",
                                     f"mkdir h$ALTISCOPE_TARGET_INDEX; cd h$ALTISCOPE_TARGET_INDEX; {job} $ALTISCOPE_TARGET_INDEX \"$@\"",
                                     "--results", self.work), 0)
        for place in ("h0", "h1"):
            for where, _, names in os.walk(os.path.join(self.work, place)):
                if any(name.startswith("profiler_info") for name in names):
                    with open(os.path.join(where, "large"), "wb") as file:
                        file.write(os.urandom(1_500_000))
        begin = time.monotonic()
        self.capture("fetch", out.strip(), "--out", self.path("fetched"), "--limit", "1")
        self.assertGreater(time.monotonic() - begin, 2)
        self.assertEqual(len([name for name in names_below(self.path("fetched")) if name.endswith("large")]), 2)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
