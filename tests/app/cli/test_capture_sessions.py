#!/usr/bin/env python3
"""`capture start|watch|fetch|list|cancel` on this machine (resources/help/reference/command-line.md): jobs that run get another
configuration, jobs are launched, results are found, fetched and opened, and whatever goes wrong, everything of the user's is as before."""

import datetime
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

from capture_support import LIMIT, CaptureTest, has_ended, names_below, read, samples, until
from support import CANCELLED, FAILED, WRONG_USAGE, check_schema, info

HOSTILE = "-a b;c'd\"e$(touch hit)`touch hit`*?[x]é\\"


class RunningJob(CaptureTest):
    """The configuration of a job that runs is changed."""

    def dynamic(self, *words, **settings):
        settings = {"prof_dir": self.path("out"), "is_rank": "true", "rank_list": "0,1", "analyse": "true", "async_mode": "true",
                    "profiler_level": "Level1", **settings}
        return ("torch-dynamic", "--file", self.file, *words), settings

    def test_edit_record_fetch_open(self):
        self.file = self.config()
        before = self.state_of(self.file)
        self.job("dynprof", "--config", os.path.dirname(self.file), "--ranks", "0,1")
        words, settings = self.dynamic("--wait", "--fetch", self.path("fetched"))
        capture = self.start(*words, **settings)
        self.assertEqual(self.state_of(self.file), before)
        changes = self.changes(capture)
        self.assertEqual(set(changes[0]), {"ts", "host", "rank", "state", "message"})
        states = [change["state"] for change in changes if change["rank"] is None]
        # Whether the recording and the analysis are seen depends on when they are looked for.
        self.assertEqual([state for state in dict.fromkeys(states) if state not in ("recording", "analysing")],
                         ["preparing", "armed", "done", "fetching"])
        for rank in (0, 1):
            of_rank = [change["state"] for change in changes if change["rank"] == rank]
            self.assertEqual(of_rank[-1], "done")
        self.assertEqual([change["ts"] for change in changes], sorted(change["ts"] for change in changes))
        self.assertEqual(names_below(self.path("out")), names_below(self.fetched()))
        for name in names_below(self.path("out")):
            self.assertEqual(read(self.path("out", name)), read(self.fetched(name)))
        opened = info(self.path("fetched"))
        self.assertEqual([(rank["rank_id"], rank["state"]) for rank in opened["ranks"]], [(0, "ok"), (1, "ok")])
        listed = json.loads(self.capture("list", "--json"))
        self.assertEqual([(one["id"], one["method"], one["targets"], one["state"]) for one in listed],
                         [(capture, "torch-dynamic", [self.TARGET], "done")])

    def test_three_commands(self):
        self.file = self.config()
        before = self.state_of(self.file)
        words, settings = self.dynamic()
        capture = self.start(*words, **settings)
        written = json.loads(read(self.file))
        self.assertEqual((written["mine"], written["start_step"], written["rank_list"]), ([1.5], -1, [0, 1]))
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o640)
        self.job("dynprof", "--config", os.path.dirname(self.file), "--ranks", "0,1")
        # A process that began after the change sees nothing new: the user saves once more, which is somebody else's change.
        os.utime(self.file, (time.time() + 5,) * 2)
        self.capture("watch", capture)
        self.assertEqual(self.state_of(self.file), before)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 2)

    def test_older_results_are_not_taken(self):
        self.file = self.config()
        shutil.copytree(samples(), self.path("out", "old"))
        os.rename(self.path("out", "old", "rank0_ascend_pt"), self.path("out", "old", "host_1_29990101000000000_ascend_pt"))
        self.job("dynprof", "--config", os.path.dirname(self.file), "--fault", "skew=-300")
        words, settings = self.dynamic("--wait", "--fetch", self.path("fetched"), rank_list="0")
        self.start(*words, **settings)
        self.assertEqual(len(os.listdir(self.fetched())), 1)

    def test_a_folder_with_the_results_of_years(self):
        """Thousands of them cost seconds, once; the new one is found, whatever the clock of the job says, and no old one is."""
        os.makedirs(self.path("out"))
        now = datetime.datetime.now(datetime.timezone.utc)
        for number in range(5_000):
            os.mkdir(self.path("out", f"host_{number % 7}_{20250101000000000 + number * 1000:017d}_ascend_pt"))
            recent = now - datetime.timedelta(milliseconds=number * 60)
            os.mkdir(self.path("out", f"host_{number % 7}_{recent:%Y%m%d%H%M%S}{recent.microsecond // 1000:03d}_ascend_pt"))
        shutil.copytree(os.path.join(samples(), "rank0_ascend_pt"), self.path("out", "no-time_ascend_pt"))
        os.mkdir(self.path("out", "host_1_20240101000000000_a\nb_ascend_pt"))  # an odd name
        self.file = self.config()
        # A clock of another zone: thousands are named after a later time.
        self.job("dynprof", "--config", os.path.dirname(self.file), "--fault", "skew=-28800")
        words, settings = self.dynamic("--wait", "--fetch", self.path("fetched"), rank_list="0")
        begin = time.monotonic()
        capture = self.start(*words, **settings)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(len(os.listdir(self.fetched())), 1)
        target = self.session(capture)["targets"][0]
        self.assertEqual(len(target["ranks"]), 1)
        before = now - datetime.timedelta(days=2)
        self.assertGreaterEqual(target["horizon"], f"{before:%Y%m%d%H%M%S}000")
        self.assertLess(target["horizon"], f"{before + datetime.timedelta(hours=1):%Y%m%d%H%M%S}000")
        self.assertEqual(len(target["known"]), 5_001)
        self.assertIn("older results", "".join(str(change["message"]) for change in self.changes(capture)))

    def test_hostile_names(self):
        folder = HOSTILE
        self.file = self.config(folder=folder)
        before = self.state_of(self.file)
        self.job("dynprof", "--config", os.path.dirname(self.file))
        out = self.path("out-" + HOSTILE)
        words, settings = self.dynamic("--wait", "--results", out, "--fetch", self.path("fetched"), rank_list="0")
        # The tools refuse such a path in their file; the job writes there all the same.
        os.mkdir(out)
        os.symlink(out, self.path("out"))
        self.start(*words, **settings)
        self.assertEqual(self.state_of(self.file), before)
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)
        self.assertEqual([name for _, folders, names in os.walk(self.folder) for name in folders + names if name == "hit"], [])
        for words in (["--file", "a\nb"], ["--results", "a\x1b[31m"], ["--workdir", "a\tb"]):
            errors = self.start("torch-dynamic", *(["--file", self.file] if words[0] != "--file" else []), *words, status=FAILED)
            self.assertNotIn("\x1b", errors)
        self.assertEqual(self.state_of(self.file), before)

    def test_mindspore(self):
        file = self.config('{"start_step": -1, "stop_step": -1}')
        before = self.state_of(file)
        self.job("msdyn", "--config", os.path.dirname(file), "--ranks", "0,1", "--pause-at", "10", form="mindspore")
        capture = self.start("mindspore-dynamic", "--file", file, start_step=60, stop_step=61, prof_path=self.path("out"),
                             analyse="true", analyse_mode=0)
        with open(os.path.join(self.work, "go"), "w", encoding="utf-8"):
            pass
        self.capture("watch", capture)
        self.assertEqual(self.state_of(file), before)
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual([rank["framework"] for rank in info(self.path("fetched"))["ranks"]], ["mindspore"] * 2)


class InContainer(RunningJob):
    """The same in a container, by a program that stands for docker: it knows one container, which sees the same files."""
    TARGET, PLACE = "local/docker:box", "local_docker_box"

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        with open(self.path("bin", "docker"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ \"$1 $2\" = 'exec -i' ] || exit 2\n"
                       "[ \"$3\" = box ] || { echo \"Error response from daemon: No such container: $3\" >&2; exit 1; }\n"
                       "shift 3\ncd /\nexec \"$@\"\n")
        os.chmod(self.path("bin", "docker"), 0o755)
        self.environment["PATH"] = self.path("bin") + os.pathsep + self.environment["PATH"]

    def test_no_such_container(self):
        self.file = self.config()
        before = self.state_of(self.file)
        for target, words in (("local/docker:bax", "No such container: bax"), ("local/podman:box", "podman")):
            out, errors = self.end(self.begin("start", "torch-dynamic", "--target", target, "--file", self.file, "--set", "prof_dir=/tmp"), FAILED)
            self.assertIn(words, errors)
        self.assertEqual(self.state_of(self.file), before)
        for target in ("local/docker:", "local/docker:a b", "local/docker:$(x)", "local/sh:box", "local/docker:-it", "local/"):
            self.end(self.begin("start", "torch-dynamic", "--target", target, "--file", self.file), WRONG_USAGE)


class NotEffective(CaptureTest):
    """Why nothing is recorded is told as soon as it is known."""

    def message(self, *parts, words=(), **settings):
        capture = self.start("torch-dynamic", "--file", self.file, *words, prof_dir=self.path("out"), **settings)
        watch = self.begin("watch", capture, "--json")
        line = until(lambda: (line := watch.stdout.readline()) and all(part in line for part in parts) and line, parts[0])
        self.capture("cancel", capture)
        self.end(watch, CANCELLED)
        return line

    def test_start_step_is_over(self):
        self.file = self.config()
        self.job("dynprof", "--config", os.path.dirname(self.file))
        self.message("start step is over", "not effective", start_step=1)

    def test_what_the_job_said_to_the_capture_before_is_not_taken_for_this_one(self):
        """Its watcher's log ends with the start of the first; the second has a step that is over."""
        self.file = self.config()
        self.job("dynprof", "--config", os.path.dirname(self.file))
        self.start("torch-dynamic", "--file", self.file, "--wait", prof_dir=self.path("out"), is_rank="true", rank_list=0)
        time.sleep(1.1)  # or the change would not count
        self.message("start step is over", "not effective", start_step=1)
        changes = self.changes(self.newest(), status=CANCELLED)
        self.assertNotIn("Start Dynamic Profiler", json.dumps(changes))
        self.assertNotIn("recording", [change["state"] for change in changes])

    def test_rank_is_not_there(self):
        self.file = self.config()
        self.job("dynprof", "--config", os.path.dirname(self.file), "--ranks", "4", "--pause-at", "2")
        with open(os.path.join(os.path.dirname(self.file), "log", f"dp_{os.uname().nodename}_{self.processes[-1].pid}_rank_4.log"), "w",
                  encoding="utf-8"):
            pass
        self.message("None of the ranks", "are 4.", is_rank="true", rank_list="0,1")


class JobDies(CaptureTest):
    """A job that is killed while a configuration waits for it: nobody waits for the steps that it will never come to."""

    def arm(self, *words):
        self.file = self.config()
        self.before = self.state_of(self.file)
        self.training = self.job("dynprof", "--config", os.path.dirname(self.file), *words)
        return ["torch-dynamic", "--target", "local", "--file", self.file, "--set", "prof_dir=" + self.path("out"), "--set", "start_step=99999",
                "--set", "analyse=true"]

    def kill(self):
        """As one that nobody has waited for, which a busy launcher leaves."""
        self.training.kill()
        return time.monotonic()

    def check(self, errors, begin):
        self.assertIn("The job ended before anything was recorded", errors)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(self.state_of(self.file), self.before)

    def test_while_start_waits(self):
        wait = self.begin("start", *self.arm(), "--wait")
        wait.stdout.readline()
        begin = self.kill()
        self.check(self.end(wait, FAILED)[1], begin)

    def test_while_it_is_watched(self):
        watch = self.begin("watch", self.capture("start", *self.arm()).strip())
        until(lambda: "armed" in watch.stdout.readline(), "armed")
        begin = self.kill()
        self.check(self.end(watch, FAILED)[0], begin)

    def test_before_anybody_watches(self):
        capture = self.capture("start", *self.arm()).strip()
        begin = self.kill()
        self.check(self.end(self.begin("watch", capture), FAILED)[0], begin)

    def test_one_that_starts_again_is_waited_for(self):
        """Nobody has seen a job yet: what an older one has left in the logs says nothing."""
        words = self.arm()
        self.training.kill()
        self.training.wait()
        words[words.index("start_step=99999")] = "start_step=5"
        wait = self.begin("start", *words, "--wait")
        wait.stdout.readline()
        time.sleep(2)
        self.assertIsNone(wait.poll())
        # However long all of this takes, the change is seen before step 5.
        self.job("dynprof", "--config", os.path.dirname(self.file), "--step-ms", "200", "--pause-at", "3")
        os.utime(self.file, (time.time() + 5,) * 2)
        with open(os.path.join(self.work, "go"), "w", encoding="utf-8"):
            pass
        self.end(wait, 0)


class Checks(CaptureTest):
    def problem(self, name, method, *words):
        """What the check says; empty if there is none."""
        process = self.begin("validate", method, "--target", self.TARGET, "--json", *words)
        checks = json.loads(process.communicate(timeout=LIMIT)[0])["checks"]
        return "".join(f"{one['state']} {one['message']}" for one in checks if one["name"] == name)

    def test_variables_that_turn_the_tool_off(self):
        """torch_npu then records nothing, with a warning only."""
        def llm(launch):
            return self.problem("environment", "llm-flags", "--launch", launch, "--workdir", self.work)
        self.assertIn("failed PROFILING_MODE is set", llm("PROFILING_MODE=dynamic python3 train.py"))
        self.assertIn("failed PROFILER_SAMPLECONFIG is set", llm("cd x; export PROFILER_SAMPLECONFIG=1; python3 train.py"))
        for launch in ("python3 train.py", "PROFILING_MODE= python3 train.py", "MY_PROFILING_MODE=1 python3 train.py",
                       "python3 train.py --PROFILING_MODE=x"):
            self.assertEqual(llm(launch), "", launch)
        self.environment["PROFILING_MODE"] = "dynamic"
        self.assertIn("PROFILING_MODE", llm("python3 train.py"))
        # A job that runs has an environment of its own.
        file = self.config()
        words = ("--file", file, "--set", "prof_dir=" + self.path("out"))
        self.assertEqual(self.problem("environment", "torch-dynamic", *words), "")
        with_mode = subprocess.Popen(["sleep", "600"], env={**os.environ, "PROFILING_MODE": "dynamic"})
        self.processes.append(with_mode)
        os.mkdir(os.path.join(os.path.dirname(file), "log"))
        log = os.path.join(os.path.dirname(file), "log", f"dp_{os.uname().nodename}_{with_mode.pid}_rank_0.log")
        with open(log, "w", encoding="utf-8"):
            self.assertIn("PROFILING_MODE", self.problem("environment", "torch-dynamic", *words))

    def test_a_process_that_msprof_cannot_attach_to(self):
        plain = subprocess.Popen(["sleep", "600"])
        ready = subprocess.Popen(["sleep", "600"], env={**os.environ, "PROFILING_MODE": "dynamic"})
        gone = subprocess.Popen(["true"])
        self.processes += [plain, ready, gone]
        gone.wait()

        def pid(process):
            return self.problem("pid", "msprof-attach", "--set", f"pid={process.pid}", "--set", "output=" + self.work)
        self.assertIn("failed You have no process", pid(gone))
        self.assertIn("warning", pid(plain))
        self.assertIn("good", pid(ready))

    def test_options_that_this_msprof_does_not_know(self):
        words = ("--workdir", self.work, "--launch", "true", "--set", "output=" + self.work)
        self.assertEqual(self.problem("options", "msprof", *words, "--set", "ai_core=on"), "")
        self.assertIn("warning msprof on local does not list --l2", self.problem("options", "msprof", *words, "--set", "l2=on"))

    def test_each_check_is_named(self):
        file = self.config()
        before = self.state_of(file)
        lines = self.capture("validate", "torch-dynamic", "--target", self.TARGET, "--file", file, "--set", "prof_dir=" + self.path("out")).splitlines()
        found = {line.split()[1]: line.split()[2] for line in lines}
        self.assertEqual(found, {"reach": "good", "tools": "good", "workdir": "good", "config": "good", "watcher": "warning", "clock": "good",
                                 "settings": "good", "results": "good", "space": found["space"]})
        self.assertEqual((self.state_of(file), json.loads(self.capture("list", "--json"))), (before, []))
        self.job("dynprof", "--config", os.path.dirname(file))
        with open(os.path.join(os.path.dirname(file), "log", f"dp_{os.uname().nodename}_{self.processes[-1].pid}_rank_0.log"), "w",
                  encoding="utf-8"):
            pass
        out = self.capture("validate", "torch-dynamic", "--target", self.TARGET, "--file", file, "--set", "prof_dir=" + self.path("out"), "--json")
        check_schema(self, "capture-checks", out)
        checks = json.loads(out)
        self.assertEqual([one["state"] for one in checks["checks"] if one["name"] == "watcher"], ["good"])

    def test_a_target_that_cannot_start_is_not_shown_as_good_beside_one_that_is_not_reached(self):
        file = self.config()
        text = self.capture("validate", "torch-dynamic", "--target", self.TARGET, "--target", "nobody@127.0.0.1:1", "--file", file, "--json",
                            status=FAILED)
        failed = {one["target"]: one["name"] for one in json.loads(text)["checks"] if one["state"] == "failed"}
        self.assertEqual(list(failed.values()), ["start", "reach"], failed)

    def test_what_fails_says_what_to_do(self):
        file = self.config()
        for words, name in ((["--file", self.path("nowhere", "x.json"), "--set", "prof_dir=/tmp"], "config"),
                            (["--file", file, "--set", "prof_dir=" + file + "/out"], "results"),
                            (["--file", file, "--set", "prof_dir=/tmp", "--set", "active=0"], "settings"),
                            (["--file", file, "--workdir", "/nowhere", "--set", "prof_dir=/tmp"], "workdir")):
            with self.subTest(name=name):
                out = self.capture("validate", "torch-dynamic", "--target", self.TARGET, *words, "--json", status=FAILED)
                check_schema(self, "capture-checks", out)
                checks = json.loads(out)
                failed = [one for one in checks["checks"] if one["state"] == "failed"]
                self.assertEqual([one["name"] for one in failed], [name])
                self.assertTrue(failed[0]["message"])


class Others(CaptureTest):
    """Somebody else is at work, too."""

    def test_two_users_on_one_file(self):
        file = self.config()
        before = self.state_of(file)
        first = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        errors = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"), active=5, status=FAILED)
        self.assertIn(first, errors)
        self.assertEqual(json.loads(read(file))["start_step"], -1)
        self.capture("cancel", first)
        self.assertEqual(self.state_of(file), before)
        second = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        self.capture("cancel", second)
        self.assertEqual(self.state_of(file), before)

    def test_links_to_the_file_stay(self):
        """What comes back is the file itself, not a copy of it."""
        file, link = self.config(), self.path("config", "other")
        os.link(file, link)
        before = os.stat(file)
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        self.assertNotEqual(read(file), read(link))
        self.capture("cancel", capture)
        after = os.stat(file)
        self.assertEqual((after.st_ino, after.st_nlink, after.st_mtime_ns), (before.st_ino, 2, before.st_mtime_ns))

    def test_changes_of_others_stay(self):
        file = self.config()
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        with open(file, "w", encoding="utf-8") as new:
            new.write('{"theirs": 1}')
        watch = self.begin("watch", capture, "--json")
        lines = []
        until(lambda: lines.append(watch.stdout.readline()) or "changed by somebody else" in lines[-1], "the message about the change")
        for line in lines:
            check_schema(self, "capture-watch", line)
        self.capture("cancel", capture)
        self.end(watch, CANCELLED)
        self.assertEqual(read(file), b'{"theirs": 1}')
        # As it was before, it lies beside it.
        self.assertEqual(sorted(os.listdir(os.path.dirname(file))), ["profiler_config.json", f"profiler_config.json.{capture}.original"])

    def test_new_file_goes_again(self):
        file = self.path("config", "profiler_config.json")
        os.mkdir(self.path("config"))
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        self.assertEqual(json.loads(read(file))["active"], 1)
        self.capture("cancel", capture)
        self.assertEqual(os.listdir(self.path("config")), [])
        self.assertEqual(json.loads(self.capture("list", "--json"))[0]["state"], "cancelled")

    def test_no_permission(self):
        """As another user: neither the configuration nor a folder for results may be written."""
        file = self.config()
        os.chmod(file, 0o644)
        before = self.state_of(file)
        other = self.config(folder="other")
        places = os.path.dirname(file), self.path("other"), self.path("data")
        os.makedirs(self.path("data"))
        options = {}
        if os.getuid() == 0:
            os.chmod(self.folder, 0o755)
            for path in (other, *places[1:]):
                os.chown(path, 65534, 65534)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
        os.chmod(places[0], 0o555)
        self.addCleanup(os.chmod, places[0], 0o755)
        for name, results, words in ((file, "/tmp", "may not be written to"),
                                     (other, os.path.join(places[0], "out"), "cannot be made, read or written")):
            process = self.begin("start", "torch-dynamic", "--target", "local", "--file", name, "--set", "prof_dir=" + results, **options)
            self.assertIn(words, self.end(process, FAILED)[1])
        self.assertEqual(self.state_of(file), before)

    def test_a_result_called_as_half_of_another_does_not_cost_its_copy(self):
        """PROF_1.partial on the host, and here the place where PROF_1 would be put together."""
        file = self.config()
        capture = self.start("torch-dynamic", "--file", file, prof_dir=self.path("out"))
        self.capture("cancel", capture)
        name = "PROF_000001_20260301101500123_ABC"
        record = self.session(capture)
        record["state"] = record["targets"][0]["state"] = "done"
        paths = [os.path.join(self.path("out"), name + end) for end in (".partial", "")]
        record["targets"][0]["ranks"] = [{"path": path, "rank": None, "state": "done", "message": None} for path in paths]
        for path in paths:
            os.makedirs(path)
            with open(os.path.join(path, os.path.basename(path)), "w", encoding="utf-8") as out:
                out.write(path)
        kept = self.fetched(name + ".partial", "copy")
        os.makedirs(os.path.dirname(kept))
        with open(kept, "w", encoding="utf-8") as out:
            out.write("of before")
        with open(os.path.join(self.path("data", "altiscope", "captures", capture, "session.json")), "w", encoding="utf-8") as out:
            json.dump(record, out)
        errors = self.end(self.begin("fetch", capture, "--out", self.path("fetched")), FAILED)[1]
        self.assertIn(name + ".partial", errors)
        self.assertFalse(os.path.exists(self.fetched(name)))
        self.assertEqual(read(kept), b"of before")

    def test_nothing_is_begun_that_cannot_work(self):
        file = self.config()
        before = self.state_of(file)
        missing = self.path("nowhere", "profiler_config.json")
        for words, settings in ((("torch-dynamic", "--file", missing), {"prof_dir": "/tmp"}),
                                (("torch-dynamic", "--file", os.path.dirname(file)), {"prof_dir": "/tmp"}),
                                (("torch-dynamic", "--file", file), {"prof_dir": file + "/out"}),
                                (("torch-dynamic", "--file", file), {}),
                                (("torch-dynamic", "--file", file, "--workdir", missing), {"prof_dir": "out"}),
                                (("torch-dynamic", "--file", file), {"prof_dir": "/tmp", "active": 0}),
                                (("msprof",), {"output": "/tmp"})):
            with self.subTest(words=words):
                errors = self.start(*words, status=FAILED, **settings)
                self.assertIn("altiscope-cli: ", errors)
                self.assertEqual(self.state_of(file), before)
        self.assertEqual({one["state"] for one in json.loads(self.capture("list", "--json"))}, {"failed"})


class Killed(CaptureTest):
    """Programs die, and others go on."""

    def test_watchers_come_and_go(self):
        file = self.config()
        before = self.state_of(file)
        start = self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--wait", "--set", "is_rank=true", "--set",
                           "rank_list=0", "--set", "prof_dir=" + self.path("out"))
        capture = start.stdout.readline().strip()
        follower = self.begin("watch", capture, "--json")
        start.send_signal(signal.SIGKILL)
        start.wait()
        self.assertNotEqual(self.state_of(file), before)
        # Whoever follows takes over; another one may be ended without harm.
        another = self.begin("watch", capture)
        until(another.stdout.readline, "a line of the second watcher")
        another.send_signal(signal.SIGINT)
        self.end(another, CANCELLED)
        self.job("dynprof", "--config", os.path.dirname(file))
        os.utime(file, (time.time() + 5,) * 2)
        self.end(follower, 0)
        self.assertEqual(self.state_of(file), before)

    def test_killed_at_any_moment(self):
        """Whenever the start is killed, cancel puts back what it had done."""
        for moment in range(8):
            with self.subTest(moment=moment):
                file = self.config(folder=f"config{moment}")
                before = self.state_of(file)
                start = self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--set",
                                   "prof_dir=" + self.path("out"))
                # Lines come between the phases; the later moments are somewhere in them.
                for _ in range(1 + moment % 2):
                    start.stderr.readline()
                until(lambda: start.poll() is not None or moment < 2 or os.path.exists(file + ".altiscope"), "the change of the file")
                start.send_signal(signal.SIGKILL)
                start.wait()
                capture = self.newest()
                # Scripts that were sent run to their end; what they did is put back then.
                self.capture("cancel", capture)
                until(lambda: self.capture("cancel", capture) == "" and self.state_of(file) == before, "the old state")

    def test_interrupted_wait_puts_back(self):
        file = self.config()
        before = self.state_of(file)
        start = self.begin("start", "torch-dynamic", "--target", self.TARGET, "--file", file, "--wait", "--set",
                           "prof_dir=" + self.path("out"))
        start.stdout.readline()
        start.send_signal(signal.SIGINT)
        start.wait()
        self.assertEqual(start.returncode, CANCELLED)
        self.assertEqual(self.state_of(file), before)

    def test_cancel_from_elsewhere(self):
        start = self.begin("start", "llm-flags", "--target", self.TARGET, "--wait", "--workdir", self.work, "--launch",
                           shlex.join(self.job_words("plain")))
        capture = start.stdout.readline().strip()
        pid = int(until(lambda: os.path.exists(os.path.join(self.work, "pid")) and read(os.path.join(self.work, "pid")), "the job"))
        self.capture("cancel", capture)
        self.end(start, CANCELLED)
        until(lambda: has_ended(pid), "the end of the job")
        self.assertEqual(self.changes(capture, status=CANCELLED)[-1]["state"], "cancelled")


class Usage(CaptureTest):
    def test_usage(self):
        for words in (["start"], ["start", "frobnicate", "--target", "local"], ["start", "torch-dynamic"],
                      ["start", "torch-dynamic", "--target", "local"], ["start", "llm-flags", "--target", "local"],
                      ["start", "torch-dynamic", "--target", "-oProxyCommand=x", "--file", "x"],
                      ["start", "torch-dynamic", "--target", "a b", "--file", "x"],
                      ["start", "torch-dynamic", "--target", "h:99999", "--file", "x"],
                      ["start", "torch-dynamic", "--target", "local", "--target", "local", "--file", "x"],
                      ["start", "torch-dynamic", "--target", "local", "--file", "x", "--preset", "frobnicate"],
                      ["start", "llm-flags", "--target", "local", "--launch", "x", "--file", "x"],
                      ["start", "torch-dynamic", "--target", "local", "--file", "x", "--timeout", "0"], ["watch", "x", "--timeout", "1.5"],
                      ["watch"], ["fetch", "x"], ["fetch", "--out", "x"], ["fetch", "x", "--out", "x", "--timeout", "-1"], ["list", "x"],
                      ["finish"], ["finish", "x", "y"], ["cancel"]):
            with self.subTest(words=words):
                out, errors = self.end(self.begin(*words), WRONG_USAGE)
                self.assertEqual(out, "")
                self.assertIn("altiscope-cli: ", errors)
        for words in (["watch", "../../x"], ["watch", "20260101-000000-000000"], ["fetch", "nothing", "--out", "x"], ["cancel", ".."],
                      ["finish", ".."]):
            with self.subTest(words=words):
                self.capture(*words, status=FAILED)
        self.assertEqual(self.capture("list"), "")
        self.assertEqual(self.capture("list", "--json"), "[]\n")

    def test_damaged_sessions_are_left_out(self):
        capture = self.start("torch-dynamic", "--file", self.config(), prof_dir=self.path("out"))
        self.capture("cancel", capture)
        for text in ("", "{}", '{"schema": 1}', "[" * 5000, '{"schema": 1, "id": 5}'):
            folder = self.path("data", "altiscope", "captures", "x1")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "session.json"), "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(len(json.loads(self.capture("list", "--json"))), 1)
            self.capture("watch", "x1", status=FAILED)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
