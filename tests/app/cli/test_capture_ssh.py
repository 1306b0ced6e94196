#!/usr/bin/env python3
"""Captures on a host behind ssh: OpenSSH's server on loopback, with keys, port and configuration of its own, ended with each test. What
`test_capture_sessions` proves about this machine holds there, too; here is what only ssh can do."""

import json
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from capture_support import STANDIN, CaptureTest, has_ended, names_below, read, until
from support import CANCELLED, FAILED, info

sys.path.insert(0, STANDIN)
from certificates import Authority  # noqa: E402
from daemon import Daemon  # noqa: E402

SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SshTest(CaptureTest):
    TARGET = PLACE = "trainer"
    SERVER = ""
    wrap = []

    def setUp(self):
        if not SSHD:
            self.skipTest("openssh-server is not installed")
        super().setUp()
        os.mkdir(self.path("ssh"), 0o700)
        for key in ("host", "other", "user", "stranger"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path("ssh", key)], check=True, stdin=subprocess.DEVNULL)
        shutil.copy(self.path("ssh", "user.pub"), self.path("ssh", "authorized"))
        os.mkdir(self.path("bin"))
        self.server = None
        self.addCleanup(self.stop_server)
        self.more = []
        self.start_server()
        self.know("host")
        self.configure()
        self.environment["ALTISCOPE_SSH_CONFIG"] = self.path("ssh", "config")
        # Names of sockets are short.
        self.run_folder = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, self.run_folder, ignore_errors=True)
        self.environment["XDG_RUNTIME_DIR"] = self.run_folder

    def start_more(self, server):
        """One more host: its port. What the first one is stays."""
        first, port = self.server, self.port
        self.start_server(server=server)
        self.more.append(self.server)
        added, self.server, self.port = self.port, first, port
        return added

    def start_server(self, key="host", port=None, server=None):
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        for _ in range(20):
            self.port = port or free_port()
            with open(self.path("ssh", "sshd_config"), "w", encoding="utf-8") as file:
                file.write(f"Port {self.port}\nHostKey {self.path('ssh', key)}\n{self.settings()}"
                           f"{self.SERVER if server is None else server}")
            with open(self.path("ssh", "log"), "ab") as log:
                self.server = subprocess.Popen([*self.wrap, SSHD, "-D", "-e", "-f", self.path("ssh", "sshd_config")], stdin=subprocess.DEVNULL,
                                               stdout=log, stderr=log, start_new_session=True)
            # Somebody else may have taken the port since.
            if until(lambda: self.server.poll() is not None or self.answers(), "a server") and self.server.poll() is None:
                return
        raise AssertionError(read(self.path("ssh", "log")).decode())

    def settings(self):
        """What servers have in common."""
        return (f"ListenAddress 127.0.0.1\nPidFile none\nUsePAM no\nStrictModes no\nAuthorizedKeysFile {self.path('ssh', 'authorized')}\n"
                "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n"
                f"SetEnv XDG_STATE_HOME={self.path('state')} ALTI_SAMPLES={self.environment['ALTI_SAMPLES']} "
                f"PATH={self.path('bin')}:{self.environment['PATH']}\nMaxStartups 100\n")

    @staticmethod
    def user():
        return pwd.getpwuid(os.getuid()).pw_name

    def assert_secret(self, secret, *texts):
        """It is in no argument and no environment of any process, in none of the texts, and in no file of ours."""
        looked = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for name in ("cmdline", "environ"):
                try:
                    text = read(f"/proc/{pid}/{name}")
                except OSError:
                    continue
                looked += 1
                self.assertNotIn(secret.encode(), text, (pid, name))
        self.assertGreater(looked, 10)
        self.assertNotIn(secret, "".join(texts))
        for folder in (self.path("data"), self.path("state"), self.run_folder):
            for where, _, names in os.walk(folder):
                for name in names:
                    if os.path.isfile(os.path.join(where, name)):
                        self.assertNotIn(secret.encode(), read(os.path.join(where, name)))

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop_server(self):
        """Also connections that it serves, which are processes of their own, in groups of their own: what their parent is, tells."""
        for more in self.more:
            self.end_server(more)
        self.more = []
        if self.server:
            self.end_server(self.server)
        self.server = None

    @staticmethod
    def end_server(server):
        if server.poll() is not None:
            return
        # One that takes a connection meanwhile would leave it behind.
        os.kill(server.pid, signal.SIGSTOP)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
                if parent == server.pid:
                    os.kill(int(pid), 9)
            except (OSError, ValueError, IndexError):
                continue
        server.kill()
        server.wait()

    def know(self, key):
        with open(self.path("ssh", "known"), "w", encoding="utf-8") as file:
            if key:
                file.write(f"[127.0.0.1]:{self.port} " + read(self.path("ssh", key + ".pub")).decode())

    def configure(self, *more, key="user"):
        with open(self.path("ssh", "config"), "w", encoding="utf-8") as file:
            file.write("\n".join([f"Host trainer\nHostName 127.0.0.1\nPort {self.port}\nUser {self.user()}\nIdentitiesOnly yes",
                                  f"IdentityFile {self.path('ssh', key)}", "IdentityAgent none", *more,
                                  f"UserKnownHostsFile {self.path('ssh', 'known')}", "GlobalKnownHostsFile none", ""]))

    def program(self, name, text):
        """A program that comes before others of its name on the target."""
        path = self.path("bin", name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path + ".new", 0o755)
        os.replace(path + ".new", path)


class Remote(SshTest):
    def record(self, *words, rank=0):
        file = self.config()
        before = self.state_of(file)
        self.job("dynprof", "--config", os.path.dirname(file))
        capture = self.start("torch-dynamic", "--file", file, "--wait", *words, prof_dir=self.path("out"), is_rank="true", rank_list=rank,
                             analyse="true", async_mode="true")
        self.assertEqual(self.state_of(file), before)
        return capture

    def test_edit_record_fetch_open(self):
        capture = self.record("--fetch", self.path("fetched"))
        self.assertEqual(names_below(self.path("out")), names_below(self.fetched()))
        for name in names_below(self.path("out")):
            self.assertEqual(read(self.path("out", name)), read(self.fetched(name)))
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)
        self.assertEqual(json.loads(self.capture("list", "--json"))[0]["targets"], ["trainer"])
        # The connection has ended with the program, and nothing of it is kept.
        self.assertEqual(os.listdir(os.path.join(self.run_folder, "altiscope")), [])
        stored = read(self.path("data", "altiscope", "captures", capture, "session.json"))
        self.assertNotIn(b"PRIVATE KEY", stored)

    def test_launch_and_cancel(self):
        capture = self.start("llm-flags", "--workdir", self.work, "--launch", shlex.join(self.job_words("plain")))
        pid = int(until(lambda: os.path.exists(os.path.join(self.work, "pid")) and read(os.path.join(self.work, "pid")), "the job"))
        self.capture("cancel", capture)
        until(lambda: has_ended(pid), "the end of the job")

    def test_running_jobs_are_found(self):
        """What `test_capture_jobs` proves about this machine, by one connection."""
        config = self.config()
        process = self.job("dynprof", "--config", os.path.dirname(config))
        before = read(self.path("ssh", "log")).count(b"Accepted publickey")
        jobs = json.loads(self.capture("jobs", "--target", self.TARGET, "--json"))["jobs"]
        job = next(job for job in jobs if job["pid"] == process.pid)
        self.assertEqual(job["target"], self.TARGET)
        self.assertEqual([method["file"] for method in job["methods"] if method["possible"]], [config])
        self.assertEqual(read(self.path("ssh", "log")).count(b"Accepted publickey") - before, 1)

    def test_connection_that_is_cut(self):
        file = self.config()
        before = self.state_of(file)
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), is_rank="true", rank_list=0, analyse="true",
                             async_mode="true")
        watch = self.begin("watch", capture, "--json")
        until(lambda: '"armed"' in watch.stdout.readline(), "the first look")
        port = self.port
        self.stop_server()
        until(lambda: "cannot be reached" in watch.stdout.readline(), "the message about it")
        self.job("dynprof", "--config", os.path.dirname(file))
        os.utime(file, (time.time() + 5,) * 2)
        self.start_server(port=port)
        self.end(watch, 0)
        self.assertEqual(self.state_of(file), before)
        self.stop_server()
        self.capture("fetch", capture, "--out", self.path("fetched"), status=FAILED)
        self.start_server(port=port)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)

    def test_hostile_listing(self):
        capture = self.record()
        for name in ("../../escaped", "/escaped", "a/../../b", "a//b", "."):
            self.program("find", f"#!/bin/sh\nprintf '5 %s\\0' '{name}'\n")
            with self.subTest(name=name):
                out, errors = self.end(self.begin("fetch", capture, "--out", self.path("fetched")), FAILED)
                self.assertEqual(out, "")
                self.assertIn("could lie outside", errors)
                self.assertEqual(names_below(self.path("fetched")) if os.path.exists(self.path("fetched")) else [], [])
        self.program("find", "#!/bin/sh\nprintf '5 \\033]0;title\\007../x\\0'\n")
        self.assertNotIn("\x1b", self.end(self.begin("fetch", capture, "--out", self.path("fetched")), FAILED)[1])


class Monitored(SshTest):
    """The daemon of msMonitor on a host: through the connection of ssh."""

    def ask(self, daemon, status=0, **settings):
        return self.start("dyno-nputrace", status=status, port=daemon.port, log_file=self.path("out"), **settings)

    def daemon(self, **options):
        daemon = Daemon(**options)
        self.addCleanup(daemon.close)
        return daemon

    def test_without_certificates(self):
        daemon = self.daemon()
        self.ask(daemon)
        self.assertEqual([request["fn"] for request in daemon.requests], ["getStatus", "setKinetOnDemandRequest"])
        daemon.close()
        self.assertIn("No daemon of msMonitor listens", self.ask(daemon, FAILED))

    def test_with_certificates(self):
        authority = Authority(self.path("certs"))
        authority.sign("server", "server", "daemon", names="DNS:trainer")
        authority.sign("client", "client", "client")
        daemon = self.daemon(tls=authority.server())
        self.ask(daemon, certs_dir=authority.folder)
        self.assertEqual([request["fn"] for request in daemon.requests], ["getStatus", "setKinetOnDemandRequest"])
        self.assertIn("takes TLS with a client's certificate", self.ask(daemon, FAILED))
        self.assertIn("does not speak TLS", self.ask(self.daemon(), FAILED, certs_dir=authority.folder))
        daemon.close()
        self.assertIn("No daemon of msMonitor listens", self.ask(daemon, FAILED, certs_dir=authority.folder))

    def test_job_that_ends(self):
        training = subprocess.Popen(["sleep", "1000"], env={**os.environ, "MSMONITOR_USE_DAEMON": "1"})
        self.processes.append(training)
        daemon = self.daemon(process=training.pid)
        capture = self.ask(daemon)
        training.kill()
        self.assertIn("ended before", self.changes(capture, FAILED)[-1]["message"])


class Faults(SshTest):
    """What goes wrong on the host; nothing of the user's is changed by it."""

    def refuse(self, *parts):
        file = self.config()
        before = self.state_of(file)
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
        for part in parts:
            self.assertIn(part, errors)
        self.assertEqual(self.state_of(file), before)

    def test_full_disk(self):
        # What a program of the host says when nothing more can be written.
        self.program("cp", "#!/bin/sh\necho 'cp: error writing: No space left on device' >&2\nexit 1\n")
        self.refuse("trainer")

    def test_lost_tools(self):
        self.program("stat", "#!/bin/sh\nexit 127\n")
        self.refuse("trainer")

    def test_no_python_there(self):
        for name in ("python3", "python"):
            self.program(name, "#!/bin/sh\nexit 127\n")
        file = self.config()
        before = self.state_of(file)
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        self.capture("cancel", capture)
        self.assertEqual(self.state_of(file), before)

    def test_clock_that_is_off(self):
        for offset in ("+5 minutes", "-5 minutes"):
            with self.subTest(offset=offset):
                self.program("date", f"#!/bin/sh\nexec /bin/date -d '{offset}' \"$@\"\n")
                file = self.config(folder="config" + offset[0])
                before = self.state_of(file)
                self.job("dynprof", "--config", os.path.dirname(file))
                out, errors = self.end(self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--wait", "--set",
                                                  "prof_dir=" + self.path("out"), "--set", "is_rank=true", "--set", "rank_list=0"), 0)
                self.assertIn("The clock of trainer is", errors)
                self.assertEqual(self.state_of(file), before)

    def test_secrets_stay_where_they_are(self):
        """A passphrase is in no argument, no environment, no message and no file of ours while a capture lives."""
        secret = "do-not-tell-anybody"
        subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", secret, "-f", self.path("ssh", "user")], check=True, stdin=subprocess.DEVNULL)
        with open(self.path("ssh", "phrase"), "w", encoding="utf-8") as file:
            file.write(secret + "\n")
        with open(self.path("ssh", "ask"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec cat {shlex.quote(self.path('ssh', 'phrase'))}\n")
        os.chmod(self.path("ssh", "ask"), 0o700)
        self.environment.update(SSH_ASKPASS=self.path("ssh", "ask"), SSH_ASKPASS_REQUIRE="force")
        file = self.config()
        out, errors = self.end(self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--set",
                                          "prof_dir=" + self.path("out")), 0)
        capture = out.strip()
        watch = self.begin("watch", capture, "--json")
        until(lambda: '"armed"' in watch.stdout.readline(), "the first look")
        self.assert_secret(secret)
        self.capture("cancel", capture)
        self.assert_secret(secret, out, errors, *self.end(watch, CANCELLED))


class Cluster(SshTest):
    """Several hosts: servers of their own, which begin in folders of their own. Each runs one rank."""
    HOSTS = 3

    def setUp(self):
        super().setUp()
        self.names = [f"node{i}" for i in range(self.HOSTS)]
        self.homes = [self.path(name) for name in self.names]
        for name, home in zip(self.names, self.homes):
            os.makedirs(os.path.join(home, "config"))
            port = self.start_more(f"ForceCommand cd {shlex.quote(home)} && exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n")
            with open(self.path("ssh", "known"), "a", encoding="utf-8") as file:
                file.write(f"[127.0.0.1]:{port} " + read(self.path("ssh", "host.pub")).decode())
            with open(self.path("ssh", "config"), "a", encoding="utf-8") as file:
                file.write(f"Host {name}\nHostName 127.0.0.1\nPort {port}\nUser {self.user()}\nIdentitiesOnly yes\nIdentityAgent none\n"
                           f"IdentityFile {self.path('ssh', 'user')}\nUserKnownHostsFile {self.path('ssh', 'known')}\n"
                           "GlobalKnownHostsFile none\n")
        self.files = [self.config(folder=os.path.join(name, "config")) for name in self.names]

    def words(self, *names):
        return [word for name in names or self.names for word in ("--target", name)]

    def dynamic(self, *words, status=0, names=(), **settings):
        settings = {"prof_dir": "out", "is_rank": "true", "rank_list": "0,1,2", "analyse": "true", "async_mode": "true", **settings}
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        return self.end(self.begin("start", "torch-dynamic", *self.words(*names), "--file", "config/profiler_config.json", "--workdir", ".",
                                   *sets, *words), status)

    def test_one_capture_of_all_hosts(self):
        before = [self.state_of(file) for file in self.files]
        for rank, home in enumerate(self.homes):
            self.job("dynprof", "--config", os.path.join(home, "config"), "--ranks", str(rank), folder=home)
        out, _ = self.dynamic("--wait", "--fetch", self.path("fetched"))
        self.assertEqual([self.state_of(file) for file in self.files], before)
        self.assertEqual(sorted(os.listdir(self.path("fetched"))), self.names)
        for name, home in zip(self.names, self.homes):
            self.assertEqual(names_below(os.path.join(home, "out")), names_below(self.path("fetched", name)))
        self.assertEqual(sorted(rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]), [0, 1, 2])
        self.assertEqual({change["host"] for change in self.changes(out.strip()) if change["state"] == "done"}, set(self.names))

    def test_nothing_is_begun_where_one_host_cannot(self):
        before = [self.state_of(file) for file in self.files]
        os.remove(self.files[2])
        os.rmdir(os.path.join(self.homes[2], "config"))
        errors = self.dynamic(status=FAILED)[1]
        self.assertIn("node2", errors)
        self.assertEqual([self.state_of(file) for file in self.files[:2]], before[:2])
        checks = json.loads(self.capture("validate", "torch-dynamic", *self.words(), "--file", "config/profiler_config.json", "--workdir", ".",
                                         "--json", status=FAILED))
        self.assertFalse(checks["ok"])
        self.assertEqual([(one["target"], one["name"]) for one in checks["checks"] if one["state"] == "failed"], [("node2", "config")])
        self.assertEqual({one["target"] for one in checks["checks"] if one["name"] == "reach"}, set(self.names))

    def test_one_host_is_lost_and_comes_back(self):
        """The others go on meanwhile, and what was changed there is put back, too."""
        before = [self.state_of(file) for file in self.files]
        capture = self.dynamic()[0].strip()
        watch = self.begin("watch", capture, "--json")
        until(lambda: '"armed"' in watch.stdout.readline(), "the first look")
        lost = self.more[1]
        port = int(next(line.split()[1] for line in reversed(read(self.path("ssh", "config")).decode().split("Host node1")[1].split("Host ")[0]
                                                            .splitlines()) if line.startswith("Port")))
        self.end_server(lost)
        until(lambda: "cannot be reached" in watch.stdout.readline(), "the message about it")
        for rank, home in enumerate(self.homes):
            self.job("dynprof", "--config", os.path.join(home, "config"), "--ranks", str(rank), folder=home)
            os.utime(self.files[rank], (time.time() + 5,) * 2)
        first = self.server, self.port
        self.start_server(port=port, server=f"ForceCommand cd {shlex.quote(self.homes[1])} && exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n")
        self.more[1], self.server, self.port = self.server, *first
        self.end(watch, 0)
        self.assertEqual([self.state_of(file) for file in self.files], before)

    def test_hosts_with_one_disk(self):
        """Both see the same file and the same results: it is changed once, and they are fetched once."""
        with open(self.path("ssh", "config"), "a", encoding="utf-8") as file:
            file.write(read(self.path("ssh", "config")).decode().split("Host node0")[1].split("Host ")[0].join(["Host twin", ""]))
        before = self.state_of(self.files[0])
        self.job("dynprof", "--config", os.path.join(self.homes[0], "config"), "--ranks", "0,1", folder=self.homes[0])
        self.dynamic("--wait", "--fetch", self.path("fetched"), names=("node0", "twin"), rank_list="0,1")
        self.assertEqual(self.state_of(self.files[0]), before)
        self.assertEqual(sorted(rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]), [0, 1])


class Endless(SshTest):
    """A host that never stops talking."""
    SERVER = "ForceCommand head -c 200000000 /dev/zero\n"

    def test_endless_output(self):
        file = self.config()
        before = self.state_of(file)
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
        self.assertIn("was broken off", errors)
        self.assertEqual(self.state_of(file), before)


class Noisy(SshTest):
    """A host that greets before it does what it is told."""
    SERVER = "ForceCommand echo Welcome; echo to this host >&2; exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n"

    test_edit_record_fetch_open = Remote.test_edit_record_fetch_open
    record = Remote.record


class Refused(SshTest):
    def refuse(self, *parts):
        file = self.config()
        before = self.state_of(file)
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
        for part in parts:
            self.assertIn(part, errors)
        self.assertEqual(self.state_of(file), before)

    def test_unknown_host_key(self):
        self.know(None)
        for setting in ("ask", "accept-new", "no", "yes"):
            with self.subTest(setting=setting):
                self.configure(f"StrictHostKeyChecking {setting}")
                self.refuse("host key of trainer is not known yet")
                self.assertEqual(read(self.path("ssh", "known")), b"")

    def test_changed_host_key(self):
        self.know("other")
        self.refuse("not the one that is known")

    def test_no_known_hosts(self):
        self.configure("UserKnownHostsFile /dev/null", "StrictHostKeyChecking no")
        self.refuse("/dev/null")

    def test_wrong_key(self):
        self.configure(key="stranger")
        self.refuse("refused the login")

    def test_nobody_there(self):
        self.stop_server()
        self.refuse("cannot be reached by ssh")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
