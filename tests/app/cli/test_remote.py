#!/usr/bin/env python3
"""Captures on a host behind ssh: OpenSSH's server on loopback, with a home of its own. Answers are those of the capture itself, its folder stays
as it is, and nothing is put or run there without a yes."""

import contextlib
import glob
import io
import json
import os
import platform
import pty
import shutil
import signal
import subprocess
import tarfile
import time
import unittest

from capture_support import has_ended, read, samples, until
from support import CANCELLED, CLI, FAILED, OK, PATIENCE, WRONG_USAGE, check_schema, surroundings, tree_hash
from test_capture_ssh import SshTest

MACHINE = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
STATEMENTS = ("SELECT * FROM slice ORDER BY slice_id", "SELECT * FROM name_stat ORDER BY 1, 2", "SELECT * FROM kernel ORDER BY 1, 2, 3", "SELECT * FROM rank", "SELECT * FROM allocation ORDER BY 1, 2", "SELECT * FROM diagnostic", "SELECT * FROM metadata ORDER BY 1, 2, 3",
              "SELECT args FROM slice WHERE args IS NOT NULL ORDER BY slice_id LIMIT 50", "SELECT * FROM step ORDER BY 1, 2",
              "SELECT * FROM finding")


class RemoteTest(SshTest):
    def setUp(self):
        super().setUp()
        self.home = self.path("home")
        os.mkdir(self.home)
        self.there = os.path.join(self.home, "runs", "a run")
        os.mkdir(os.path.dirname(self.there))
        shutil.copytree(samples(), self.there, symlinks=True)
        self.hash = tree_hash(self.there)
        self.calls = self.path("calls")
        self.environment |= {"XDG_CACHE_HOME": self.path("cache"), "ALTISCOPE_PROGRAMS": self.path("programs")}
        os.mkdir(self.path("programs"))
        self.offer(f"#!/bin/sh\necho \"$*\" >>{self.calls}\nexec {CLI} \"$@\"\n")

    def settings(self):
        return super().settings().replace("SetEnv ", f"SetEnv HOME={self.path('home')} ", 1)

    def offer(self, text):
        """The archive that can be put on a host: its program is a script here."""
        with tarfile.open(self.path("programs", f"altiscope-cli-{MACHINE}.tar.gz"), "w:gz") as archive:
            member = tarfile.TarInfo("altiscope-cli-x/altiscope-cli")
            member.mode, member.size = 0o755, len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))

    def run_cli(self, *words, status=OK):
        done = subprocess.run([CLI, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False,
                              env=surroundings(**self.environment))
        self.assertEqual(done.returncode, status, done.stderr.decode())
        self.assertEqual(tree_hash(self.there), self.hash)
        return done.stdout, done.stderr.decode()

    def query(self, place, sql, *words, **options):
        return self.run_cli("query", place, "--sql", sql, "--format", "json", *words, **options)

    def packed(self):
        """Calls of the program on the host that made a pack."""
        return [line for line in read(self.calls).decode().splitlines() if line.startswith("pack ")] if os.path.exists(self.calls) else []

    def on_host(self, *names):
        return os.path.join(self.home, ".cache", "altiscope", *names)

    def program_there(self):
        versions = self.run_cli("remote", "formats")[0].decode().split()
        return self.on_host("bin", f"pack{versions[1]}-store{versions[3]}-{MACHINE}", "altiscope-cli")

    def fetched_packs(self):
        return glob.glob(self.path("cache", "altiscope-remote", "*", "pack", "*.altipack"))


class Opened(RemoteTest):
    def test_answers_are_those_of_the_capture(self):
        for sql in STATEMENTS:
            here, there = self.query(self.there, sql), self.query("trainer:runs/a run", sql, "--yes")
            self.assertTrue(here[0] == there[0], sql)
        self.assertEqual(len(self.packed()), 1)
        # Half of the cores, at the lowest priority, and no other cache is filled there.
        self.assertIn("--no-cache", self.packed()[0])
        self.assertIn(f"--jobs {max(1, len(os.sched_getaffinity(0)) // 2)} ", self.packed()[0])
        self.assertEqual(sorted(os.listdir(self.on_host())), ["bin", "packs"])

    def test_every_command(self):
        out = self.path("x.csv")
        self.run_cli("export", "trainer:runs/a run", "--what", "name_stat", "--out", out, "--yes")
        self.assertTrue(read(out).startswith(b"rank"))
        place = f"ssh://{self.user()}@127.0.0.1:{self.port}{self.there.replace(' ', '%20')}"
        with open(self.path("ssh", "config"), "a", encoding="utf-8") as file:
            file.write(f"Host 127.0.0.1\nIdentityFile {self.path('ssh', 'user')}\nIdentityAgent none\nUserKnownHostsFile {self.path('ssh', 'known')}\n")
        # Another name of the host: another entry here, but the pack is there already.
        self.assertEqual(len(json.loads(self.run_cli("info", place, "--json")[0])["ranks"]), 2)
        self.run_cli("compare", "trainer:~/runs/a run", self.there, "--json")
        self.run_cli("report", self.there, "--base=trainer:runs/a run", "--out", self.path("r.json"))
        self.run_cli("pack", "trainer:runs/a run", "--out", self.path("again.altipack"))
        self.assertEqual(len(self.packed()), 1)

    def test_second_run_makes_nothing_new(self):
        said = self.query("trainer:runs/a run", "SELECT 1", "--yes")[1]
        self.assertIn("is put into " + self.on_host("bin"), said)
        self.assertIn(self.on_host("packs"), said)
        before = [(path, os.stat(path).st_ino) for path in self.fetched_packs()]
        said = self.query("trainer:runs/a run", "SELECT 1")[1]
        self.assertEqual(said, "")
        self.assertEqual([(path, os.stat(path).st_ino) for path in self.fetched_packs()], before)
        # Without what was fetched the pack there is taken; nothing needs a yes again.
        shutil.rmtree(self.path("cache", "altiscope-remote"))
        self.query("trainer:runs/a run", "SELECT 1")
        self.assertEqual(len(self.packed()), 1)
        # A capture that has changed is another one.
        name = next(path for path in glob.glob(self.there + "/**/*.json", recursive=True))
        os.utime(name, (1, 1))
        self.hash = tree_hash(self.there)
        self.query("trainer:runs/a run", "SELECT 1")
        self.assertEqual(len(self.packed()), 2)

    def test_ranks(self):
        rows = json.loads(self.query("trainer:runs/a run", "SELECT DISTINCT rank_id FROM slice", "--ranks", "1", "--yes")[0])
        self.assertEqual([list(row.values()) for row in rows], [[1]])
        self.assertIn("--ranks 1", self.packed()[0])
        self.assertIn("7", self.query("trainer:runs/a run", "SELECT 1", "--ranks", "7", status=FAILED)[1])
        self.query("trainer:runs/a run", "SELECT 1", "--ranks", "x", status=WRONG_USAGE)

    def test_a_file_here_comes_first(self):
        folder = self.path("with")
        os.makedirs(folder)
        os.symlink(self.there, os.path.join(folder, "trainer:here"))
        done = subprocess.run([CLI, "info", "trainer:here", "--json"], cwd=folder, capture_output=True, check=False,
                              env=surroundings(**self.environment))
        self.assertEqual(len(json.loads(done.stdout)["ranks"]), 2)
        self.assertFalse(os.path.exists(self.on_host()))

    def test_program_of_the_host(self):
        self.program("altiscope-cli", f"#!/bin/sh\necho \"$*\" >>{self.calls}\nexec {CLI} \"$@\"\n")
        self.assertIn("is run there", self.query("trainer:runs/a run", "SELECT 1", status=FAILED)[1])
        self.assertFalse(os.path.exists(self.calls), "a program ran without a yes")
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        self.assertFalse(os.path.exists(self.on_host("bin")))
        self.assertEqual(len(self.packed()), 1)

    def test_program_of_another_version(self):
        self.program("altiscope-cli", "#!/bin/sh\necho pack 0 store 1\n")
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        self.assertEqual(len(os.listdir(self.on_host("bin"))), 1)
        self.assertEqual(len(self.packed()), 1)

    def test_cut_transfer_goes_on(self):
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        pack = self.fetched_packs()[0]
        whole = read(pack)
        for begin in (whole[:len(whole) // 2], b"x" * (len(whole) // 2)):
            shutil.rmtree(os.path.dirname(pack))
            os.mkdir(os.path.dirname(pack) + ".partial", 0o700)
            with open(os.path.join(os.path.dirname(pack) + ".partial", os.path.basename(pack)), "wb") as file:
                file.write(begin)
            if len(whole) > 2 << 21 and begin[0] == b"x"[0]:
                # Checksums of both sides find what is not the host's; the next call begins anew.
                self.assertIn("changed", self.query("trainer:runs/a run", "SELECT 1", status=FAILED)[1])
            self.query("trainer:runs/a run", "SELECT 1")
            self.assertTrue(read(pack) == whole)


    def test_a_damaged_pack_here_is_fetched_again(self):
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        pack = self.fetched_packs()[0]
        whole = read(pack)
        os.truncate(pack, len(whole) - 10)
        self.assertIn("is damaged", self.query("trainer:runs/a run", "SELECT 1")[1])
        self.assertTrue(read(pack) == whole)
        self.assertEqual(len(self.packed()), 1)

    def test_the_cache_command_knows_what_was_fetched(self):
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        text = self.run_cli("cache", "list", "--json")[0].decode()
        check_schema(self, "cache-list", text)
        fetched = json.loads(text)["fetched"]
        self.assertEqual([entry["content"] for entry in fetched["entries"]], ["a run.altipack"])
        self.assertEqual(fetched["bytes"], os.path.getsize(self.fetched_packs()[0]))
        self.assertIn("fetched from hosts in " + fetched["folder"], self.run_cli("cache", "list")[0].decode())
        text = self.run_cli("cache", "clear", "--json")[0].decode()
        check_schema(self, "cache-clear", text)
        self.assertEqual(json.loads(text)["fetched"], 1)
        self.assertEqual(self.fetched_packs(), [])

    def test_two_at_once_put_one_program(self):
        # More than one script carries, so that both send parts of it.
        padding = "".join(f"# {os.urandom(60).hex()}\n" for _ in range(30000))
        self.offer(f"#!/bin/sh\necho \"$*\" >>{self.calls}\nexec {CLI} \"$@\"\n{padding}")
        processes = [subprocess.Popen([CLI, "info", "trainer:runs/a run", "--cache-dir", self.path("c" + str(i)), "--yes"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=surroundings(**self.environment)) for i in range(3)]
        self.processes += processes
        for process in processes:
            said = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, OK, said)
        self.assertEqual(os.listdir(self.on_host("bin")), [os.path.basename(os.path.dirname(self.program_there()))])

    def test_a_pack_that_another_node_makes_is_waited_for(self):
        self.offer(f"#!/bin/sh\necho \"$*\" >>{self.calls}\n[ $1 = remote ] || sleep 3\nexec {CLI} \"$@\"\n")
        first, second = [[CLI, "info", "trainer:runs/a run", "--cache-dir", self.path("c" + str(i)), "--yes"] for i in range(2)]
        process = subprocess.Popen(first, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=surroundings(**self.environment))
        self.processes.append(process)
        folder = os.path.dirname(until(lambda: (glob.glob(self.on_host("packs", "*", "worker")) or [None])[0], "a process there"))
        # As a node that shares the home sees it.
        for name, text in (("node", "elsewhere 1"), ("pid", "99999999")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run(second, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False, env=surroundings(**self.environment))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(process.wait(timeout=PATIENCE), OK)
        self.assertEqual(len(self.packed()), 1)

    def test_some_of_it_cannot_be_read(self):
        self.program("find", "#!/bin/sh\n/usr/bin/find \"$@\"\necho 'find: locked: Permission denied' >&2\nexit 1\n")
        out, said = self.query("trainer:runs/a run", "SELECT count(*) FROM slice", "--remote-files")
        self.assertIn("trainer: not all of ", said)
        self.assertIn("find: locked: Permission denied", said)
        self.assertEqual(out, self.query(self.there, "SELECT count(*) FROM slice")[0])


class Agreed(RemoteTest):
    def lay(self, text, mode):
        """A program lies where one of ours would."""
        os.makedirs(os.path.dirname(self.program_there()), 0o700)
        with open(self.program_there(), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.program_there(), mode)

    def test_a_program_that_others_can_change_is_not_run(self):
        self.lay(f"#!/bin/sh\necho evil >>{self.path('evil')}\nexec {CLI} \"$@\"\n", 0o777)
        os.mkdir(self.on_host("packs"), 0o700)
        self.assertIn("is put into", self.query("trainer:runs/a run", "SELECT 1", status=FAILED)[1])
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        self.assertFalse(os.path.exists(self.path("evil")))
        self.assertEqual(len(self.packed()), 1)

    def test_a_program_that_lies_there_needs_a_yes(self):
        self.lay(f"#!/bin/sh\necho \"$*\" >>{self.calls}\nexec {CLI} \"$@\"\n", 0o700)
        said = self.query("trainer:runs/a run", "SELECT 1", status=FAILED)[1]
        self.assertIn(self.program_there() + " is run there", said)
        self.assertFalse(os.path.exists(self.calls), "a program ran without a yes")
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        self.assertEqual(len(self.packed()), 1)

    def test_a_folder_of_packs_that_others_can_change_is_not_used(self):
        os.makedirs(self.on_host("packs"))
        os.chmod(self.on_host("packs"), 0o777)
        os.chmod(self.on_host(), 0o700)
        self.assertIn("is not this account's alone", self.query("trainer:runs/a run", "SELECT 1", "--yes", status=FAILED)[1])
        self.assertEqual(os.listdir(self.on_host("packs")), [])

    def test_declined_puts_nothing(self):
        said = self.query("trainer:runs/a run", "SELECT 1", status=FAILED)[1]
        self.assertIn("Nothing was put or run on trainer", said)
        self.assertIn("--yes", said)
        self.assertIn(self.on_host("bin"), said)
        self.assertEqual(os.listdir(self.home), ["runs"])
        self.assertFalse(os.path.exists(self.calls))
        self.assertEqual(self.fetched_packs(), [])

    def test_on_the_terminal(self):
        for typed, status in ((b"n\nn\n", FAILED), (b"n\ny\n", OK), (b"y\n", OK)):
            main, terminal = pty.openpty()
            process = subprocess.Popen([CLI, "info", "trainer:runs/a run"], stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal,
                                       env=surroundings(**self.environment))
            self.processes.append(process)
            os.close(terminal)
            text = b""
            for line in typed.splitlines(True):
                while not text.endswith(b"[y/N] "):
                    text += os.read(main, 1000)
                os.write(main, line)
                text += line
            with contextlib.suppress(OSError):
                while os.read(main, 1000):
                    pass
            self.assertEqual(process.wait(timeout=PATIENCE), status, text)
            os.close(main)
            self.assertEqual(os.path.exists(self.on_host()), typed == b"y\n")

    def test_files_alone(self):
        said = self.query("trainer:runs/a run", "SELECT count(*) FROM slice", "--remote-files")[1]
        self.assertRegex(said, r"\d+ files, [\d.]+ (Ki|Mi)?B")
        self.assertEqual(os.listdir(self.home), ["runs"])
        copy = glob.glob(self.path("cache", "altiscope-remote", "*", "files", "*"))[0]
        for where, _, names in os.walk(self.there):
            for name in names:
                path = os.path.join(where, name)
                self.assertTrue(read(path) == read(os.path.join(copy, os.path.relpath(path, self.there))), path)
        self.assertEqual(self.query("trainer:runs/a run", "SELECT count(*) FROM slice", "--remote-files"),
                         self.query(self.there, "SELECT count(*) FROM slice"))
        rows = json.loads(self.query("trainer:runs/a run", "SELECT DISTINCT rank_id FROM slice", "--remote-files", "--ranks", "0")[0])
        self.assertEqual([list(row.values()) for row in rows], [[0]])
        self.assertIn("ranks 9", self.query("trainer:runs/a run", "SELECT 1", "--remote-files", "--ranks", "9", status=FAILED)[1])

    def test_one_file(self):
        trace = glob.glob(self.there + "/**/trace_view.json", recursive=True)[0]
        for words in (("--remote-files",), ("--yes",)):
            self.assertEqual(self.query("trainer:" + trace, "SELECT count(*) FROM slice", *words)[0],
                             self.query(trace, "SELECT count(*) FROM slice")[0])

    def test_where_nothing_can_be_run(self):
        self.offer("#!/no/such/interpreter\n")
        said = self.query("trainer:runs/a run", "SELECT count(*) FROM slice", "--yes")[1]
        self.assertIn("nothing can be run", said)
        self.assertIn("are fetched", said)
        self.assertEqual(os.listdir(self.on_host("bin")), [])

    def test_listed_and_removed(self):
        self.query("trainer:runs/a run", "SELECT 1", "--yes")
        os.mkdir(self.on_host("packs", "mine"))
        text = self.run_cli("remote", "list", "trainer", "--json")[0].decode()
        check_schema(self, "remote-list", text)
        listed = json.loads(text)
        self.assertEqual(sorted(entry["kind"] for entry in listed["entries"]), ["pack", "program"])
        self.assertEqual(listed["folder"], self.on_host())
        self.assertIn("a run.altipack", self.run_cli("remote", "list", "trainer")[0].decode())
        check_schema(self, "remote-remove", self.run_cli("remote", "remove", "trainer", "--json")[0].decode())
        self.assertEqual(os.listdir(self.on_host()), ["packs"])
        self.assertEqual(os.listdir(self.on_host("packs")), ["mine"])
        os.rmdir(self.on_host("packs", "mine"))
        self.run_cli("remote", "remove", "trainer")
        self.assertFalse(os.path.exists(self.on_host()))
        self.assertIn("0 entries", self.run_cli("remote", "list", "trainer")[0].decode())

    def test_usage(self):
        for words in (["remote"], ["remote", "list"], ["remote", "list", "local"], ["remote", "frobnicate", "trainer"], ["remote", "list", "-x"]):
            self.run_cli(*words, status=WRONG_USAGE)
        self.assertRegex(self.run_cli("remote", "formats")[0].decode(), r"^pack \d+ store \d+\n$")


class Wrong(RemoteTest):
    """Each ends with one sentence that names the host."""

    def refuse(self, *parts, place="trainer:runs/a run", words=("--yes",)):
        out, said = self.query(place, "SELECT 1", *words, status=FAILED)
        self.assertEqual(out, b"")
        for part in ("trainer", *parts):
            self.assertIn(part, said)
        self.assertNotIn("\x1b", said)
        self.assertEqual(self.fetched_packs(), [])
        return said

    def test_nothing_there(self):
        self.refuse("is not on", place="trainer:runs/none")
        os.mkdir(os.path.join(self.home, "empty"))
        self.refuse("has no files", place="trainer:empty")
        for place in ("ssh://", "ssh://trainer", "ssh://-x/y", "ssh://trainer/%zz", "trainer:"):
            self.assertIn("names no capture on a host", self.query(place, "SELECT 1", status=FAILED)[1])

    def test_keys(self):
        self.know("other")
        self.refuse("is not the one that is known")
        self.know(None)
        self.refuse("is not known yet")
        self.know("host")
        self.configure(key="stranger")
        self.refuse("refused the login")

    def test_unreachable(self):
        self.stop_server()
        begin = time.monotonic()
        self.refuse("cannot be reached")
        self.assertLess(time.monotonic() - begin, 30)

    def test_no_space(self):
        self.offer(f"#!/bin/sh\n[ $1 = remote ] && exec {CLI} \"$@\"\necho 'altiscope-cli: x.altipack: No space left on device.' >&2\nexit 1\n")
        self.refuse("No space left on device")
        self.assertEqual(glob.glob(self.on_host("packs", "*", "*.altipack")), [])

    def test_quota(self):
        self.program("mkdir", "#!/bin/sh\necho 'mkdir: cannot create directory: Disk quota exceeded' >&2\nexit 1\n")
        self.refuse("Disk quota exceeded")

    def test_archive_that_does_not_arrive_whole(self):
        self.program("base64", "#!/bin/sh\ncat >/dev/null\necho garbage\n")
        self.refuse("could not be put")
        self.assertEqual(glob.glob(self.on_host("bin", "pack*")), [])

    def test_hostile_names(self):
        for name in ("../../escaped", "/escaped", "a/../../b", "\\033]0;title\\007/../x"):
            self.program("find", f"#!/bin/sh\nprintf '5 1 {name}\\0'\n")
            with self.subTest(name):
                self.refuse("it lists a file")
        self.program("find", "#!/bin/sh\nprintf '99999999999999999999 1 x\\0'\n")
        self.refuse("it lists a file")
        self.program("find", "#!/bin/sh\necho 'find: unrecognized: -printf' >&2\nexit 1\n")
        self.refuse("GNU")

    def test_endless_output(self):
        self.program("altiscope-cli", "#!/bin/sh\nexec yes\n")
        self.refuse("was longer than")

    def test_pack_that_is_none(self):
        self.offer(f"#!/bin/sh\n[ $1 = remote ] && exec {CLI} \"$@\"\nwhile [ $# -gt 0 ]; do [ \"$1\" = --out ] && echo nothing >\"$2\"; shift; done\n")
        said = self.query("trainer:runs/a run", "SELECT 1", "--yes", status=FAILED)[1]
        self.assertIn("a run.altipack", said)

    def test_cancel_ends_what_runs_there(self):
        self.offer(f"#!/bin/sh\n[ $1 = remote ] && exec {CLI} \"$@\"\nexec sleep 1000\n")
        process = subprocess.Popen([CLI, "info", "trainer:runs/a run", "--yes"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=surroundings(**self.environment))
        self.processes.append(process)
        worker = until(lambda: (glob.glob(self.on_host("packs", "*", "worker")) or [None])[0], "a process there")
        pid = int(until(lambda: read(worker), "its number"))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), CANCELLED)
        until(lambda: has_ended(pid), "its end")
        self.assertEqual(tree_hash(self.there), self.hash)

    def test_two_at_once_make_one_pack(self):
        self.offer(f"#!/bin/sh\necho \"$*\" >>{self.calls}\n[ $1 = remote ] || sleep 2\nexec {CLI} \"$@\"\n")
        self.query("trainer:runs/a run", "SELECT 1", "--ranks", "0", "--yes")
        processes = [subprocess.Popen([CLI, "info", "trainer:runs/a run", "--cache-dir", self.path("c" + str(i)), "--quiet"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=surroundings(**self.environment)) for i in range(2)]
        self.processes += processes
        for process in processes:
            self.assertEqual(process.wait(timeout=PATIENCE), OK, process.stderr.read())
        self.assertEqual(len(self.packed()), 2)


if __name__ == "__main__":
    unittest.main()
