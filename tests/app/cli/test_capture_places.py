#!/usr/bin/env python3
"""Captures on a host whose folders, files and names are not as in the simplest case: links, pipes, very many files, letters of all kinds, a file
that its owner protects. Nothing of it holds a capture up or is damaged by it."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import unittest

from capture_support import LIMIT, CaptureTest, names_below, read, until
from support import CANCELLED, FAILED, info
from test_capture_ssh import SshTest

# A name that a shell, ssh, rsync and Qt all have to leave alone.
ODD = "my home's \"déjà\" 作业 %h $(x)"


class Places(SshTest):
    def record(self, file, *words, watched=None, results=None, **settings):
        """A job whose configuration is `file`; `watched` is the folder by whose name it looks at it."""
        before = self.state_of(file)
        self.job("dynprof", "--config", watched or os.path.dirname(file))
        capture = self.start("torch-dynamic", "--file", file, "--wait", *words, prof_dir=results or self.path("out"), is_rank="true",
                             rank_list=0, analyse="true", async_mode="true", **settings)
        self.assertEqual(self.state_of(file), before)
        return capture

    def result(self, parent=None):
        """The folder of the one result."""
        parent = parent or self.path("out")
        return os.path.join(parent, os.listdir(parent)[0])

    def test_a_folder_of_results_that_is_a_link_is_looked_into(self):
        os.mkdir(self.path("disk"))
        os.symlink(self.path("disk"), self.path("out"))
        self.record(self.config(), "--fetch", self.path("fetched"))
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)
        self.assertEqual(names_below(self.fetched()), names_below(self.path("disk")))

    def test_a_configuration_that_is_a_link_stays_one_and_its_job_is_seen(self):
        real = self.config(folder="templates")
        os.mkdir(self.path("config"))
        link = self.path("config", "profiler_config.json")
        os.symlink(os.path.join("..", "templates", "profiler_config.json"), link)
        before = self.state_of(real)
        capture = self.record(link)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(self.state_of(real), before)
        said = json.dumps(self.changes(capture))
        self.assertNotIn("No process that runs on", said)
        self.assertIn("Start Dynamic Profiler at", said)

    def test_pipes_and_devices_among_results_hold_nothing_up(self):
        file = self.config()
        self.job("dynprof", "--config", os.path.dirname(file), "--pause-at", "40", "--delay", "2")
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), is_rank="true", rank_list=0, analyse="true",
                             async_mode="true")
        # What the looks read, and what they do not; also a log that is none.
        os.mkfifo(os.path.join(self.path("config"), "log", "dp_x_1_rank_7.log"))
        watch = self.begin("watch", capture, "--json")
        with open(os.path.join(self.work, "go"), "w", encoding="utf-8"):
            pass
        until(lambda: os.path.isdir(self.path("out")) and os.listdir(self.path("out")), "a result")
        logs = os.path.join(self.result(), "logs")
        os.mkdir(logs)
        os.mkfifo(os.path.join(logs, "profiler_1_ProfilingParser.log"))
        os.symlink("/dev/zero", os.path.join(logs, "profiler_2_ProfilingParser.log"))
        os.mkfifo(os.path.join(self.result(), "pipe"))
        self.end(watch, 0)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual([name for name in names_below(self.fetched()) if "Parser" in name or name.endswith("pipe")], [])
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])

    def test_a_hundred_thousand_small_files_are_all_copied(self):
        capture = self.record(self.config())
        many = os.path.join(self.result(), "many")
        for folder in range(100):  # with each further one rsync once needed longer for all
            os.makedirs(os.path.join(many, str(folder)))
            for number in range(1000):
                with open(os.path.join(many, str(folder), f"file {number}"), "wb") as file:
                    file.write(b"%d" % number)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual(names_below(self.fetched()), names_below(self.path("out")))

    def test_names_of_all_kinds_are_the_same_here(self):
        capture = self.record(self.config())
        result = self.result()
        names = ["-rf", "a\nb", "tab\there", "$(touch hit)", "`x`", "it's \"it\"", "作业", "\x1b[31mred", "back\\slash", " end ", "x" * 200]
        for name in names:
            with open(os.path.join(result, name), "w", encoding="utf-8") as file:
                file.write(name)
        with open(os.path.join(os.fsencode(result), b"no utf-8 \xff\xfe"), "wb") as file:
            file.write(b"\xff")
        for tool in ("rsync", None):
            with self.subTest(tool=tool):
                if not tool:
                    self.program("rsync", "#!/bin/sh\nexit 127\n")
                folder = self.path(f"by {tool}")
                self.capture("fetch", capture, "--out", folder)
                copied = os.path.join(folder, self.PLACE, os.path.basename(result))
                self.assertEqual(names_below(copied), names_below(result))
                for name in names_below(result):
                    self.assertEqual(read(os.path.join(copied, name)), read(os.path.join(result, name)))

    def test_a_home_with_blanks_quotes_and_letters(self):
        """Here and there: what is kept, what is launched, the sockets of ssh, and where the results go."""
        home = self.path(ODD)
        os.mkdir(home)
        run = os.path.join(self.run_folder, "a b%h")
        os.mkdir(run, 0o700)
        self.environment["XDG_DATA_HOME"] = ""
        self.environment.update(HOME=home, XDG_RUNTIME_DIR=run)
        for tool in ("rsync", None):
            with self.subTest(tool=tool):
                if not tool:
                    self.program("rsync", "#!/bin/sh\nexit 127\n")
                work = os.path.join(home, f"work {tool}")
                os.mkdir(work)
                self.start("llm-flags", "--workdir", work, "--fetch", os.path.join(home, f"fetched {tool}"), "--launch",
                           shlex.join(self.job_words("llm", "--steps", "8")), profile_step_start=2, profile_step_end=3,
                           profile_save_path="./prof")
                self.assertEqual([rank["state"] for rank in info(os.path.join(home, f"fetched {tool}"))["ranks"]], ["ok"])
        self.assertTrue(os.path.isdir(os.path.join(home, ".local", "share", "altiscope", "captures")))
        self.assertEqual(os.listdir(os.path.join(run, "altiscope")), [])
        self.assertEqual([name for _, folders, names in os.walk(self.folder) for name in folders + names if name == "hit"], [])

    def test_line_ends_of_windows_stay(self):
        text = '{\r\n  "start_step": 0,\r\n  "active": 1,\r\n  "mine": [1.50]\r\n}\r\n'
        file = self.config()
        with open(file, "w", encoding="utf-8", newline="") as config:
            config.write(text)
        before = self.state_of(file)
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), active=3)
        written = read(file).decode()
        self.assertIn('"active": 3,\r\n', written)
        self.assertEqual(written.count("\n"), written.count("\r\n"))
        self.capture("cancel", capture)
        self.assertEqual(self.state_of(file), before)

    def test_comments_and_marks_that_the_job_would_refuse_are_refused(self):
        for text in ('\ufeff{"active": 1}\n', '// mine\n{"active": 1}\n', '{"active": 1, // mine\n}\n', '{"active": 1,}\n'):
            with self.subTest(text=text):
                file = self.config(text)
                before = self.state_of(file)
                errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), status=FAILED)
                self.assertIn("not a JSON object that can be changed", errors)
                self.assertEqual(self.state_of(file), before)


class Protected(CaptureTest):
    def test_a_protected_configuration_is_left_alone_and_that_is_said(self):
        """As its owner, who could replace it all the same."""
        file = self.config()
        os.makedirs(self.path("data"))
        options = {}
        if os.getuid() == 0:
            os.chmod(self.folder, 0o755)
            for path in (file, os.path.dirname(file), self.path("data")):
                os.chown(path, 65534, 65534)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
        os.chmod(file, 0o444)
        before = self.state_of(file)
        words = "--target", "local", "--file", file, "--set", "prof_dir=" + self.path("data")
        self.assertIn("is write-protected for you", self.end(self.begin("start", "torch-dynamic", *words, **options), FAILED)[1])
        self.assertEqual(self.state_of(file), before)
        os.chmod(file, 0o644)
        capture = self.end(self.begin("start", "torch-dynamic", *words, **options), 0)[0].strip()
        self.end(self.begin("cancel", capture, **options), 0)


class Groups(CaptureTest):
    def test_a_file_that_could_not_be_given_back(self):
        """A user who may write it, but not give a copy to its group, would put back another file: that is said, not a full disk."""
        if os.getuid() != 0:
            self.skipTest("needs another user")
        nobody = 65534
        path = self.config()
        os.makedirs(self.path("data"))
        for name in (self.folder, os.path.dirname(path), self.work, self.path("data")):
            os.chown(name, nobody, nobody)
            os.chmod(name, 0o755)
        os.chown(path, nobody, 0)
        os.chmod(path, 0o664)
        before = self.state_of(path)
        process = self.begin("start", "torch-dynamic", "--target", "local", "--file", path, "--workdir", self.work, "--set",
                             "prof_dir=" + self.path("out"), user=nobody, group=nobody, extra_groups=[])
        errors = self.end(process, FAILED)[1]
        self.assertIn("belongs to nobody:root", errors)
        self.assertEqual(self.state_of(path), before)

    def test_only_what_is_ours_is_taken_out_of_a_file_that_others_changed(self):
        before = '{"start_step": 0, "mine": [1.50],\n "active": 3}\n'
        path = self.config(before)
        capture = self.start("torch-dynamic", "--file", path, "--workdir", self.work, prof_dir=self.path("out"), active=2, warmup=1)
        with open(path, encoding="utf-8") as file:
            changed = json.load(file)
        self.assertEqual((changed["active"], changed["warmup"]), (2, 1))
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**changed, "theirs": "x", "warmup": 5}, file)
        self.capture("cancel", capture)
        with open(path, encoding="utf-8") as file:
            left = json.load(file)
        # The number that somebody else has set is theirs.
        self.assertEqual(left, {"start_step": 0, "mine": [1.50], "active": 3, "warmup": 5, "theirs": "x"})
        original = f"{path}.{capture}.original"
        self.assertEqual(read(original).decode(), before)
        self.assertIn(original, json.dumps(self.changes(capture, status=CANCELLED)))
        self.assertEqual(sorted(os.listdir(os.path.dirname(path))), sorted([os.path.basename(path), os.path.basename(original)]))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
