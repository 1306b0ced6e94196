#!/usr/bin/env python3
"""Requests to a daemon of msMonitor with certificates: what both ends show each other is checked before anything is sent, and each way to be
wrong has a sentence of its own. Certificates are made here."""

import contextlib
import os
import pty
import shutil
import ssl
import subprocess
import sys
import time
import unittest

from capture_support import STANDIN, CaptureTest, read, until
from support import CLI, FAILED, surroundings

sys.path.insert(0, STANDIN)
from certificates import Authority  # noqa: E402
from daemon import Daemon  # noqa: E402

PASSWORD = "correct horse 电池"


class TlsTest(CaptureTest):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.path("certs"))
        self.authority.sign("server", "server", "daemon", names="DNS:localhost,IP:127.0.0.1")
        self.authority.sign("client", "client", "client")

    def daemon(self, tls=True, **options):
        daemon = Daemon(tls=self.authority.server(**options) if tls else None)
        self.addCleanup(daemon.close)
        return daemon

    def ask(self, daemon, status=0, folder="certs", **settings):
        """Starts a capture; its messages."""
        sets = {"port": daemon.port, "log_file": self.path("out"), **({"certs_dir": self.path(folder)} if folder else {}), **settings}
        words = [word for name, value in sets.items() for word in ("--set", f"{name}={value}")]
        return self.end(self.begin("start", "dyno-nputrace", "--target", self.TARGET, *words), status)[1]

    def refused(self, words, daemon, **settings):
        errors = self.ask(daemon, FAILED, **settings)
        self.assertIn(words, errors)
        self.assertEqual(daemon.requests, [])
        return errors


class Accepted(TlsTest):
    def test_both_versions_of_tls(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.subTest(version=version):
                daemon = self.daemon(version=version)
                self.ask(daemon)
                self.assertEqual([request["fn"] for request in daemon.requests], ["getStatus", "setKinetOnDemandRequest"])

    def test_rsa_and_a_list_of_revoked_certificates(self):
        self.authority.sign("server", "server", "daemon", names="DNS:localhost", rsa=3072)
        self.authority.sign("client", "client", "client", rsa=3072)
        self.authority.sign("stolen", "client", "stolen")
        self.authority.revoke("stolen")
        self.assertNotIn("revoked", self.ask(self.daemon()))

    def test_the_name_that_the_user_says(self):
        self.authority.sign("server", "server", "daemon.example", names="DNS:daemon.example")
        errors = self.refused("is for daemon.example, not for localhost", self.daemon())
        self.assertIn("server_name", errors)
        self.ask(self.daemon(), server_name="daemon.example")

    def test_no_certificates_by_the_word_of_the_tool(self):
        self.ask(self.daemon(tls=False), folder=None, certs_dir="NO_CERTS")


class Refused(TlsTest):
    def test_daemon_of_somebody_else(self):
        other = Authority(self.path("other"))
        other.sign("server", "server", "daemon", names="DNS:localhost")
        daemon = Daemon(tls=other.server(clients=self.authority))
        self.addCleanup(daemon.close)
        self.refused("was not issued by ca.crt", daemon)

    def test_client_of_somebody_else(self):
        other = Authority(self.path("other"))
        other.sign("client", "client", "client")
        for name in ("client.crt", "client.key"):
            shutil.copy(other.path(name), self.authority.path(name))
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.subTest(version=version):
                self.refused("does not take the certificate client.crt", self.daemon(version=version))

    def test_what_is_out_of_time(self):
        self.authority.sign("server", "server", "daemon", names="DNS:localhost", days=-1)
        self.refused("not valid at this time", self.daemon())
        self.authority.sign("client", "client", "client", days=-1)
        self.assertRegex(self.refused("client.crt has expired", self.daemon()), r"\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)")

    def test_revoked(self):
        self.authority.revoke("server")
        self.refused("list of revoked ones", self.daemon())
        self.authority.revoke("client")
        self.refused("client.crt is in the list of revoked ones", self.daemon())
        with open(self.authority.path("ca.crl"), "w", encoding="utf-8") as file:
            file.write("no list")
        self.refused("ca.crl is not a PEM file", self.daemon())

    def test_no_tls_on_either_side(self):
        self.refused("does not speak TLS", Plain(self))
        self.refused("takes TLS with a client's certificate only", self.daemon(), folder=None)

    def test_files_that_are_missing_or_wrong(self):
        daemon = self.daemon()
        for name in ("ca.crt", "client.crt", "client.key"):
            with self.subTest(name=name):
                text = read(self.authority.path(name))
                os.remove(self.authority.path(name))
                self.refused(f"{name} is not there", daemon)
                with open(self.authority.path(name), "w", encoding="utf-8") as file:
                    file.write("-----BEGIN NOTHING-----\n")
                os.chmod(self.authority.path(name), 0o600)
                self.refused(f"{name} is not a PEM file", daemon)
                with open(self.authority.path(name), "wb") as file:
                    file.write(text)
        os.chmod(self.authority.path("client.key"), 0o640)
        self.refused("Others can read the key", daemon)
        os.chmod(self.authority.path("client.key"), 0o600)
        shutil.copy(self.authority.path("server.key"), self.authority.path("client.key"))
        self.refused("does not belong to client.crt", daemon)
        self.assertIn("must be absolute", self.ask(daemon, FAILED, folder=None, certs_dir="certs"))

    def test_nobody_listens(self):
        daemon = self.daemon()
        daemon.close()
        self.assertIn("No daemon of msMonitor listens", self.ask(daemon, FAILED))

    def test_one_that_says_nothing(self):
        daemon = self.daemon()
        daemon.faults.add("no-reply")
        self.assertIn("without a reply", self.ask(daemon, FAILED))


class Plain(Daemon):
    """What it was sent to find out why it does not speak TLS asks for nothing."""

    def __init__(self, test):
        super().__init__()
        test.addCleanup(self.close)

    @property
    def requests(self):
        return [request for request in self.taken if request["fn"] != "getStatus"]

    @requests.setter
    def requests(self, value):
        self.taken = value


class Passwords(TlsTest):
    def setUp(self):
        super().setUp()
        self.authority.sign("client", "client", "client", password=PASSWORD)
        self.asked = self.path("asked")

    def helper(self, answer):
        """As SSH_ASKPASS names it: it has the answer from a file, and notes how often it is asked, and for what."""
        with open(self.path("secret"), "w", encoding="utf-8") as file:
            file.write(answer + "\n")
        with open(self.path("askpass"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$1" >>"{self.asked}"\n[ -s "{self.path("secret")}" ] && exec cat "{self.path("secret")}"\n')
        os.chmod(self.path("askpass"), 0o755)
        self.environment["SSH_ASKPASS"] = self.path("askpass")

    def test_nobody_can_be_asked(self):
        self.assertIn("no password was given", self.ask(self.daemon(), FAILED))

    def test_asked_once_and_kept_nowhere(self):
        self.helper(PASSWORD)
        daemon = self.daemon()
        process = self.begin("start", "dyno-nputrace", "--target", "local", "--wait", "--set", f"port={daemon.port}", "--set",
                             "log_file=" + self.path("out"), "--set", "certs_dir=" + self.path("certs"))
        until(lambda: len(daemon.requests) > 4, "looks at the daemon")
        for name in ("cmdline", "environ"):
            self.assertNotIn(PASSWORD.encode(), read(f"/proc/{process.pid}/{name}"))
        process.terminate()
        out, errors = process.communicate(timeout=60)
        self.assertEqual(read(self.asked).decode().count("client.key"), 1)
        self.assertNotIn(PASSWORD, out + errors)
        for where, _, names in os.walk(self.path("data")):
            for name in names:
                self.assertNotIn(PASSWORD.encode(), read(os.path.join(where, name)))

    def test_wrong_password_and_none(self):
        for answer, words in (("wrong", "does not open the key"), ("", "no password was given")):
            with self.subTest(answer=answer):
                self.helper(answer)
                self.refused(words, self.daemon())

    def test_on_the_terminal_without_showing_it(self):
        daemon = self.daemon()
        ours, theirs = pty.openpty()
        words = [CLI, "capture", "start", "dyno-nputrace", "--target", "local", "--set", f"port={daemon.port}", "--set",
                 "log_file=" + self.path("out"), "--set", "certs_dir=" + self.path("certs")]
        environment = {name: value for name, value in surroundings(**self.environment).items() if not name.startswith("SSH_ASKPASS")}
        # Its controlling terminal is the one that it opens first in a session of its own.
        process = subprocess.Popen([sys.executable, "-c", "import os,sys; os.setsid(); os.open(os.ttyname(2), os.O_RDWR); os.execv(sys.argv[1], sys.argv[1:])",
                                    *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, env=environment)
        self.processes.append(process)
        os.close(theirs)
        shown = b""
        while b"client.key" not in shown:
            shown += os.read(ours, 4096)
        time.sleep(0.3)
        os.write(ours, PASSWORD.encode() + b"\n")
        with contextlib.suppress(OSError):
            while part := os.read(ours, 4096):
                shown += part
        os.close(ours)
        process.wait(timeout=60)
        self.assertEqual(process.returncode, 0, shown)
        self.assertNotIn("horse", shown.decode(errors="replace"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
