#!/usr/bin/env python3
"""`capture start --launch` on this machine: each method records in a job that stands for its framework, and what appears is found,
fetched and opened; jobs that fail in every way are reported for what they are."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import unittest

from capture_support import STANDIN, CaptureTest, has_ended, names_below, read, samples, until
from support import FAILED, WRONG_USAGE, info

TOOLS = json.dumps({"profile": {"enable": False}, "mine": [1, 2]}, indent=1)
YAML = "# mine\nother: 1\nprofiler_config:\n  integrated:\n    profile: false  # off\n"


class LaunchTest(CaptureTest):
    def launch(self, method, mode, *words, job=(), form="text", status=0, **settings):
        """Runs a capture from the launch to the results in "fetched"; its id, or messages."""
        command = shlex.join(self.job_words(mode, "--steps", "40", *job, form=form))
        return self.start(method, "--launch", command, "--workdir", self.work, "--wait", "--fetch", self.path("fetched"), *words,
                          status=status, **settings)

    def file(self, name, text):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def opened(self):
        return [rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]]


class Launched(LaunchTest):
    def test_mm_static(self):
        path = self.file("tools.json", TOOLS)
        before = self.state_of(path)[:3]
        self.launch("mm-static", "static", "--file", "tools.json", job=("--config", path, "--ranks", "0,1,2"), ranks="0,1", start_step=3,
                    end_step=5, save_path="./prof")
        self.assertEqual(self.state_of(path)[:3], before)
        self.assertEqual(self.opened(), [0, 1])
        # Those steps, and no others.
        with open(os.path.join(self.path("state", "altiscope", "captures", self.newest() + ".0"), "job.log"), encoding="utf-8") as log:
            recorded = [line for line in log.read().splitlines() if line.startswith("recording")]
        self.assertEqual(recorded, ["recording step 3", "recording step 4"])
        # The user's command may have a password in it.
        self.assertNotIn("launch.sh", os.listdir(os.path.dirname(log.name)))

    def test_ranks_of_the_tools_own_list_are_those_that_run(self):
        """[0, 1, 2, 3], which nobody has chosen, in a job of two: known from its environment while it runs, else from its end."""
        for size in ("WORLD_SIZE=2", "NOTHING=1"):
            with self.subTest(size=size):
                path = self.file("tools.json", TOOLS)
                command = f"exec env {size} " + shlex.join(self.job_words("static", "--config", path, "--ranks", "0,1", "--steps",
                                                                          "2000" if "WORLD" in size else "40"))
                self.start("mm-static", "--file", path, "--launch", command, "--workdir", self.work, "--wait", start_step=3, end_step=5)
                self.assertEqual(self.session(self.newest())["expected_ranks"], [0, 1, 2, 3])

    def test_ranks_that_were_chosen_are_missed(self):
        path = self.file("tools.json", TOOLS)
        errors = self.launch("mm-static", "static", "--file", path, job=("--config", path, "--ranks", "0,1"), status=FAILED, ranks="0,1,2,3",
                             start_step=3, end_step=5)
        self.assertIn("No result of this rank has appeared", errors)

    def test_mm_static_without_analysis(self):
        path = self.file("tools.json", TOOLS)
        self.launch("mm-static", "static", "--file", path, job=("--config", path), ranks="0", start_step=3, end_step=5,
                    analyse_flag="false")
        self.assertEqual([name for name in names_below(self.fetched()) if "ASCEND_PROFILER_OUTPUT" in name], [])
        self.assertIn("raw data only", json.dumps(self.changes(self.newest())))

    def test_mm_dynamic(self):
        path = self.file("tools.json", TOOLS)
        config = self.config()
        first = self.start("mm-dynamic", "--file", path, "--workdir", self.work, "--results", self.path("out"), "--launch",
                           shlex.join(self.job_words("mm-dynamic", "--config", path)), config_path=os.path.dirname(config))
        pid = os.path.join(self.work, "pid")
        until(lambda: os.path.exists(pid), "the job")
        # A change counts from the next whole second on.
        until(lambda: time.time() > os.stat(pid).st_mtime + 1.1, "the next second")
        self.start("torch-dynamic", "--file", config, "--wait", "--fetch", self.path("fetched"), prof_dir=self.path("out"), is_rank="true",
                   rank_list="0", analyse="true", async_mode="true")
        self.assertEqual(self.opened(), [0])
        self.capture("cancel", first)
        self.assertEqual(read(path).decode(), TOOLS)

    def test_mm_dynamic_is_one_capture(self):
        """It waits until the job looks at its second file, changes that, and puts both back."""
        path, folder = self.file("tools.json", TOOLS), self.path("of the job")
        os.mkdir(folder)
        config = os.path.join(folder, "profiler_config.json")
        with open(config, "w", encoding="utf-8") as file:
            file.write('{"start_step": 0, "mine": 1.50}\n')
        capture = self.start("mm-dynamic", "--file", path, "--workdir", self.work, "--launch",
                             shlex.join(self.job_words("mm-dynamic", "--config", path, "--ranks", "0,1")), "--wait", "--fetch",
                             self.path("fetched"), config_path=folder, active=2, analyse="true", prof_dir="./out of it", ranks="-1")
        self.assertEqual(self.opened(), [0, 1])
        self.assertEqual((read(path).decode(), read(config).decode()), (TOOLS, '{"start_step": 0, "mine": 1.50}\n'))
        self.assertEqual(len(os.listdir(os.path.join(self.work, "out of it"))), 2)
        self.assertIn("looks at " + config, json.dumps(self.changes(capture)))
        with open(os.path.join(self.work, "stop"), "w", encoding="utf-8"):
            pass

    def test_mm_dynamic_whose_second_file_is_no_such_file(self):
        path, folder = self.file("tools.json", TOOLS), self.path("of the job")
        os.mkdir(folder)
        with open(os.path.join(folder, "profiler_config.json"), "w", encoding="utf-8") as file:
            file.write("{")
        errors = self.start("mm-dynamic", "--file", path, "--workdir", self.work, "--launch",
                            shlex.join(self.job_words("mm-dynamic", "--config", path)), "--wait", status=FAILED, config_path=folder)
        self.assertIn("profiler_config.json", errors)
        self.assertEqual(read(path).decode(), TOOLS)

    def test_mm_snapshot(self):
        path = self.file("tools.json", TOOLS)
        self.launch("mm-snapshot", "snapshot", "--file", path, job=("--config", path, "--ranks", "0,1,2"), dump_ranks="0,2", end_step=4)
        found = names_below(self.fetched())
        self.assertEqual([name.rsplit("_", 1)[1] for name in found], ["0.pickle", "2.pickle"])

    def test_the_folder_of_snapshots_is_made_before_the_job(self):
        """Rank 0 alone makes it, and on its own host."""
        path = self.file("tools.json", TOOLS)
        launch = f"test -d {self.work}/snapshots/of/mine && " + shlex.join(self.job_words("snapshot", "--config", path))
        self.start("mm-snapshot", "--file", path, "--workdir", self.work, "--launch", launch, "--wait", save_path="snapshots/of/mine", end_step=4)

    def test_mm_sora(self):
        path = self.file("tools.json", TOOLS)
        self.launch("mm-sora", "sora", "--file", path, job=("--config", path), save_path="./features_of_mine")
        self.assertEqual(len([name for name in names_below(self.fetched()) if name.endswith(".pt")]), 40)
        self.assertEqual(json.loads(read(path))["mine"], [1, 2])

    def test_mm_sora_into_the_folder_of_a_run_before(self):
        """What lies there is no result of this run, and this one's lie at the same place."""
        path = self.file("tools.json", TOOLS)
        job = ("--config", path)
        self.launch("mm-sora", "sora", "--file", path, job=job, save_path="./features_of_mine")
        first = os.stat(os.path.join(self.work, "features_of_mine", "data.jsonl")).st_mtime_ns
        shutil.rmtree(self.path("fetched"))
        capture = self.launch("mm-sora", "sora", "--file", path, job=job, save_path="./features_of_mine")
        self.assertEqual(self.session(capture)["state"], "done")
        self.assertEqual(len([name for name in names_below(self.fetched()) if name.endswith(".pt")]), 40)
        fetched = os.stat(self.fetched("features_of_mine", "data.jsonl")).st_mtime_ns
        self.assertGreater(fetched, first)

    def test_llm(self):
        self.launch("llm-flags", "llm", job=("--ranks", "0,8"), profile_step_start=5, profile_step_end=7, profile_ranks="0 8",
                    profile_save_path="./prof of mine")
        self.assertEqual(self.opened(), [0, 8])

    def test_steps_until_the_recording(self):
        """What the job prints of its iterations, against the step that was set; the job stands still meanwhile."""
        for method, mode, settings, before, sentence in (
                ("llm-flags", "llm", {"profile_step_start": 6, "profile_step_end": 9, "profile_ranks": 0}, 2,
                 "Step 3. Recording begins at step 6; steps until then: 2."),
                ("llm-flags", "llm", {"profile_step_start": 6, "profile_step_end": 9, "profile_ranks": 0}, 6,
                 "Step 7. Steps left to record: 1."),
                ("mm-static", "static", {"start_step": 6, "end_step": 9, "ranks": 0}, 2,
                 "The job is at step 3. It records from step 6 on, counted from the start of its process.")):
            with self.subTest(method=method, before=before):
                self.work = self.path(f"work {method} {before}")
                os.mkdir(self.work)
                path = self.file("tools.json", TOOLS)
                words = self.job_words(mode, "--steps", "12", "--pause-at", str(before), "--config", path)
                capture = self.start(method, *(["--file", path] if method == "mm-static" else []), "--launch", shlex.join(words), "--workdir",
                                     self.work, **settings)
                watch = self.begin("watch", capture, "--json")
                until(lambda: sentence in self.step_sentence(capture), "the sentence")
                with open(os.path.join(self.work, "go"), "w", encoding="utf-8"):
                    pass
                self.end(watch, 0)
                self.assertEqual(self.step_sentence(capture), "")
                # Once for the waiting and once for the recording at most, however many steps there are.
                said = [change["message"] for change in self.changes(capture) if (change["message"] or "").startswith(("Step ", "The job is at step"))]
                self.assertIn(re.sub(r"\d+", "N", sentence), [re.sub(r"\d+", "N", one) for one in said])
                self.assertLessEqual(len(said), 2)

    def step_sentence(self, capture):
        """As the session file has it."""
        steps = self.session(capture)["targets"][0]["steps"]
        if steps is None:
            return ""
        values = dict(steps["parameters"])
        return {"capture.steps.until": "Step {step}. Recording begins at step {begin}; steps until then: {left}.",
                "capture.steps.recording": "Step {step}. Steps left to record: {left}.",
                "capture.steps.apart": "The job is at step {step}. It records from step {begin} on, counted from the start of its process."
                }[steps["code"]].format(**values)

    def test_size_is_estimated_from_the_capture_before(self):
        """Its bytes, times steps, times ranks; only for the same job with the same content."""
        def size(folder=None, launch=None, file=None, **settings):
            sets = [word for name, value in {"ranks": "0", "start_step": 3, "end_step": 5, **settings}.items() for word in ("--set", f"{name}={value}")]
            checks = json.loads(self.capture("validate", "mm-static", "--target", "local", "--json", "--file", file or path, "--workdir",
                                             folder or self.work, "--launch", launch or command, *sets))["checks"]
            return next((check["message"] for check in checks if check["name"] == "size"), None)

        path = self.file("tools.json", TOOLS)
        job = ("--config", path, "--ranks", "0", "--padding", "2000000")
        command = shlex.join(self.job_words("static", "--steps", "40", *job))
        self.assertIsNone(size())
        # Two megabytes of one rank and two steps.
        self.launch("mm-static", "static", "--file", path, job=job, ranks="0", start_step=3, end_step=5)
        result = os.listdir(self.fetched())[0]
        written = sum(os.path.getsize(self.fetched(result, name)) for name in names_below(self.fetched(result)))
        for settings, scale in (({}, 1), ({"end_step": 8}, 2.5), ({"ranks": "0,1,2"}, 3), ({"end_step": 13, "ranks": "4,5"}, 10),
                                ({"save_path": "./elsewhere"}, 1)):
            with self.subTest(settings=settings):
                self.assertIn(f"About {-(-int(written * scale) // 1000000)} MB are expected", size(**settings))
        self.assertIn(self.newest(), size())
        for settings in ({"with_stack": "true"}, {"level": "level2"}, {"ranks": "-1"}):
            self.assertIsNone(size(**settings), settings)
        self.assertIsNone(size(folder=self.folder))
        self.assertIsNone(size(launch="true"))
        self.assertIsNone(size(file=self.file("other.json", TOOLS)))

    def test_sections_of_fsdp2(self):
        """The back end whose tools read the YAML file of the training: a section of it is changed, and put back."""
        text = "# mine\ntraining:\n  lr: 1.0e-4  # as before\ntools:\n  tensorboard: {enable: false}\n"
        path = self.file("train.yaml", text)
        for method, mode, folder, settings in (
                ("mm-static", "fsdp2", "one", {"ranks": "1", "start_step": 3, "end_step": 5}),
                ("llm-flags", "llm-fsdp2", "two", {"profile_step_start": 2, "profile_step_end": 4, "profile_ranks": "0,1"})):
            launch = shlex.join(self.job_words(mode, "--config", path, "--ranks", "0,1", "--steps", "20"))
            self.start(method, "--file", path, "--workdir", self.work, "--launch", launch, "--wait", "--fetch", self.path(folder),
                       backend="fsdp2", **settings)
            self.assertEqual(read(path).decode(), text)
        self.assertEqual([rank["rank_id"] for rank in info(self.path("one"))["ranks"]], [1])
        self.assertEqual([rank["rank_id"] for rank in info(self.path("two"))["ranks"]], [0, 1])
        launch = shlex.join(self.job_words("fsdp2", "--config", path, "--ranks", "0,1", "--steps", "20"))
        self.start("mm-snapshot", "--file", path, "--workdir", self.work, "--launch", launch, "--wait", "--fetch", self.path("three"),
                   backend="fsdp2", dump_ranks="1")
        self.assertEqual([name[-9:] for name in names_below(self.path("three"))], ["_1.pickle"])

    def test_passwords_of_a_command_are_not_remembered(self):
        script = self.file("train.sh", 'echo "login --password=$2"; test "$2" = hunter2\n')
        capture = self.start("msprof", "--workdir", self.work, "--launch", f"sh {script} --password hunter2", "--wait", output=self.work)
        with open(self.path("data", "altiscope", "captures", capture, "session.json"), "rb") as file:
            session = file.read()
        self.assertNotIn(b"hunter2", session)
        self.assertIn(b"--password ***", session)
        # The command as it was remembered, started again, would hand over stars.
        errors = self.start("msprof", "--workdir", self.work, "--launch", f"sh {script} --password ***", "--wait", status=1,
                            output=self.work)
        self.assertIn("Enter it again", errors)

    def test_options_stand_where_the_command_wants_them(self):
        script = self.file("train.sh", 'exec %s "$@" --profile-ranks 0\n' % shlex.join(self.job_words("llm", "--steps", "20")))
        self.start("llm-flags", "--launch", f'sh {script} "$@"; exit $?', "--workdir", self.work, "--wait", profile_step_start=2,
                   profile_step_end=3)

    def test_rl(self):
        path = self.file("run.yaml", YAML)
        self.launch("rl-yaml", "rl", "--file", path, job=("--config", path, "--ranks", "0,1"), stage="actor_generate,actor_update",
                    profile_step_start=2, profile_step_end=3, profile_analysis="true", profile_ranks="0,1")
        self.assertEqual(read(path).decode(), YAML)
        self.assertEqual(sorted(os.listdir(self.fetched())), ["actor_generate", "actor_update"])
        self.assertEqual(self.opened(), [0, 0, 1, 1])

    def test_stages_that_lie_apart(self):
        """What is complete is not all: the next stage begins long after the first one was written."""
        path = self.file("run.yaml", YAML)
        for ranks in ("0,1", "all"):
            with self.subTest(ranks=ranks):
                shutil.rmtree(self.path("fetched"), ignore_errors=True)
                shutil.rmtree(self.path("work", "profiler_data"), ignore_errors=True)
                self.launch("rl-yaml", "rl", "--file", path, job=("--config", path, "--ranks", "0,1", "--between", "5"),
                            stage="actor_generate,actor_update", profile_step_start=2, profile_step_end=3, profile_analysis="true",
                            profile_ranks=ranks)
                self.assertEqual(self.opened(), [0, 0, 1, 1])

    def test_job_that_ends_before_its_last_stage(self):
        path = self.file("run.yaml", YAML)
        self.launch("rl-yaml", "rl", "--file", path, job=("--config", path, "--ranks", "0,1", "--fault", "missing-stage=actor_update"),
                    stage="actor_generate,actor_update", profile_step_start=2, profile_step_end=3, profile_analysis="true",
                    profile_ranks="0,1", status=FAILED)
        failed = [change for change in self.changes(self.newest(), status=FAILED) if change["state"] == "failed" and change["rank"] is not None]
        self.assertEqual([(change["rank"], "1 of 2 results" in change["message"]) for change in failed], [(0, True), (1, True)])
        self.assertEqual(self.opened(), [0, 1])

    def started_by_hand(self, stages, *job):
        """A job that the user starts after the capture, until both have ended; with what its capture says."""
        path = self.file("run.yaml", YAML)
        wait = self.begin("start", "rl-yaml", "--target", "local", "--file", path, "--workdir", self.work, "--wait", "--set", "stage=" + stages,
                          "--set", "profile_step_start=2", "--set", "profile_step_end=3", "--set", "profile_analysis=true", "--set",
                          "profile_ranks=0,1")
        wait.stdout.readline()
        until(lambda: read(path).decode() != YAML, "the change of the configuration")
        until(lambda: self.session(self.newest())["state"] == "armed", "armed")
        process = self.job("rl", "--config", path, "--ranks", "0,1", "--steps", "40", *job)
        self.assertEqual(process.wait(), 0)
        return wait, path

    def test_job_started_by_hand_that_ends_before_its_last_stage(self):
        """Nobody knows its processes but by its results: once those are gone, nothing is waited for."""
        wait, path = self.started_by_hand("actor_generate,actor_update", "--fault", "missing-stage=actor_update")
        self.end(wait, FAILED)
        failed = [change for change in self.changes(self.newest(), status=FAILED) if change["state"] == "failed" and change["rank"] is not None]
        self.assertEqual([(change["rank"], "1 of 2 results" in change["message"]) for change in failed], [(0, True), (1, True)])
        self.assertEqual(read(path).decode(), YAML)

    def test_stage_that_is_named_twice(self):
        self.end(self.started_by_hand("actor_update,actor_update")[0], 0)

    def test_repetitions_as_often_as_fits(self):
        """All of them, not the first one only."""
        capture = self.api(active=1, repeat=0, dir_name="./mine")
        written = os.listdir(os.path.join(self.work, "mine"))
        self.assertGreater(len(written), 1)
        self.assertEqual(len(self.session(capture)["targets"][0]["ranks"]), len(written))

    def test_repetitions_of_a_job_that_was_started_by_hand_in_a_container(self):
        """Its results have the container's name and its number there; once that process is gone, no more are waited for."""
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "-p", "-u", "-f", "true"], capture_output=True, check=False).returncode:
            self.skipTest("needs another user")
        settings = [word for name, value in {"active": 1, "repeat": 0, "dir_name": "./mine"}.items() for word in ("--set", f"{name}={value}")]
        lines = json.loads(self.capture("validate", "mindspore-api", "--json", *settings))["snippet"]
        program = self.file("train.py", "import time\nsteps = 12\ndef train_step():\n    time.sleep(0.3)\ndef train():\n"
                                        "    for _ in range(steps):\n        train_step()\n" + lines)
        wait = self.begin("start", "mindspore-api", "--target", "local", "--workdir", self.work, "--wait", *settings)
        wait.stdout.readline()
        job = subprocess.Popen(["unshare", "-m", "-p", "-u", "-f", "--mount-proc", "sh", "-c", 'hostname box; exec "$@"', "x", sys.executable, program],
                               cwd=self.work, stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOSTNAME": "box", "PYTHONPATH": STANDIN,
                                                                             "ALTI_SAMPLES": samples("mindspore")})
        self.processes.append(job)
        self.assertEqual(job.wait(), 0)
        self.end(wait, 0)
        written = os.listdir(os.path.join(self.work, "mine"))
        self.assertGreater(len(written), 1)
        self.assertTrue(all(name.startswith("box_") for name in written), written)
        ranks = self.session(self.newest())["targets"][0]["ranks"]
        self.assertEqual(len(ranks), len(written))
        self.assertTrue(any(rank["process"] > 0 for rank in ranks))

    def test_mindspore_env(self):
        self.launch("mindspore-env", "msenv", form="mindspore", output_path=self.path("out"))
        self.assertEqual(self.opened(), [0])

    def api(self, *words, **settings):
        """A program of the user's with the lines of the preview in it."""
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        lines = json.loads(self.capture("validate", "mindspore-api", "--json", *sets))["snippet"]
        program = self.file("train.py", "import time\nsteps = 12\ndef train_step():\n    time.sleep(0.02)\ndef train():\n"
                                        "    for _ in range(steps):\n        train_step()\n" + lines)
        self.environment.update(PYTHONPATH=STANDIN, ALTI_SAMPLES=samples("mindspore"))
        return self.start("mindspore-api", "--workdir", self.work, "--launch", shlex.join([sys.executable, program]), "--wait", "--fetch",
                          self.path("fetched"), *words, **settings)

    def test_mindspore_api(self):
        capture = self.api(mstx="true", mstx_domain_include="a", host_sys="cpu,mem", sys_io="true", skip_first=2, wait=1, warmup=1, active=3, repeat=1, dir_name="./mine", profiler_level="Level1",
                           aic_metrics="PipeUtilization")
        self.assertEqual(self.opened(), [0])
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])
        self.assertEqual(len(os.listdir(os.path.join(self.work, "mine"))), 1)
        with open(os.path.join(self.path("state", "altiscope", "captures", capture + ".0"), "job.log"), encoding="utf-8") as log:
            recorded = [line for line in log.read().splitlines() if line.startswith("recording")]
        self.assertEqual(recorded, [f"recording step {step}" for step in (4, 5, 6)])

    def test_mindspore_api_without_analysis(self):
        """Raw results of MindSpore are analysed by its own tools there."""
        self.api("--analyse", "there", analyse_flag="false", dir_name="./mine")
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok"])

    def test_mindspore_api_of_old(self):
        self.api(version="2.3", output_path="./old")
        self.assertEqual([name.split("_")[0] for name in os.listdir(self.fetched("profiler"))], ["PROF"])
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)

    def test_mindspore_api_without_its_lines(self):
        self.launch("mindspore-api", "plain", status=FAILED)
        self.assertIn("before anything was recorded", json.dumps(self.changes(self.newest(), status=FAILED)))

    def test_msprof(self):
        self.launch("msprof", "plain", output=self.work)
        self.assertEqual([name.split("_")[0] for name in os.listdir(self.fetched())], ["PROF"])
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)

    def test_msprof_attach(self):
        job = self.job("plain")
        self.start("msprof-attach", "--wait", "--fetch", self.path("fetched"), pid=job.pid, output=self.work, record_time=1)
        self.assertEqual([name.split("_")[0] for name in os.listdir(self.fetched())], ["PROF"])
        self.assertEqual(len(info(self.path("fetched"))["ranks"]), 1)
        self.assertIsNone(job.poll())


    def test_process_that_ends_while_msprof_is_attached(self):
        job = self.job("plain")
        wait = self.begin("start", "msprof-attach", "--target", "local", "--wait", "--set", f"pid={job.pid}", "--set", "output=" + self.work,
                          "--set", "record_time=1000")
        wait.stdout.readline()
        job.kill()
        begin = time.monotonic()
        self.assertIn("before anything was recorded. [ERROR] the process has ended", self.end(wait, FAILED)[1])
        self.assertLess(time.monotonic() - begin, 10)


class Failing(LaunchTest):
    """Faults: what is missing is named, what is there is fetched, the configuration is put back."""

    def broken(self, fault, *job, **settings):
        path = self.file("tools.json", TOOLS)
        before = self.state_of(path)[:3]
        settings = {"ranks": "0,1", "start_step": 3, "end_step": 5, "save_path": "./prof", **settings}
        self.launch("mm-static", "static", "--file", path, job=("--config", path, "--ranks", "0,1", "--fault", fault, *job), status=FAILED,
                    **settings)
        self.assertEqual(self.state_of(path)[:3], before)
        changes = self.changes(self.newest(), status=FAILED)
        return {change["rank"]: change["message"] for change in reversed(changes) if change["state"] == "failed"}

    def test_missing_rank(self):
        failed = self.broken("missing-rank=1")
        self.assertIn("No result of this rank", failed[1])
        self.assertNotIn(0, failed)
        self.assertEqual(self.opened(), [0])

    def test_never_finished(self):
        self.assertIn("ended before this was complete", json.dumps(self.broken("never-finish")))

    def test_died_while_recording(self):
        self.assertIn("ended before this was complete", json.dumps(self.broken("die")))

    def test_died_while_analysing(self):
        self.assertIn("ended before this was complete", json.dumps(self.broken("partial")))

    def test_analysis_that_says_it_went_well(self):
        failed = self.broken("parse-error")
        self.assertEqual([("without a usable result" in failed[rank]) for rank in (0, 1)], [True, True])

    def test_job_that_ends_early(self):
        failed = self.broken("exit=7", start_step=100, end_step=101)
        self.assertIn("(status 7) before anything was recorded", failed[None])

    def test_command_that_is_none(self):
        self.start("llm-flags", "--launch", "no-such-command-of-anybody", "--workdir", self.work, "--wait", status=FAILED)
        self.assertIn("(status 127)", json.dumps(self.changes(self.newest(), status=FAILED)))


class Analysed(LaunchTest):
    """Raw results are analysed where they lie, by what stands for the tools there."""

    def setUp(self):
        super().setUp()
        self.environment["PYTHONPATH"] = STANDIN

    def record(self, *words, status=0):
        path = self.file("tools.json", TOOLS)
        self.launch("mm-static", "static", "--file", path, *words, job=("--config", path, "--ranks", "0,1"), ranks="0,1", start_step=3,
                    end_step=5, save_path="./prof", analyse_flag="false", status=status)
        return self.newest()

    def test_there(self):
        capture = self.record("--analyse", "there")
        self.assertEqual(self.opened(), [0, 1])
        self.assertEqual([rank["state"] for rank in info(self.path("fetched"))["ranks"]], ["ok", "ok"])
        self.assertIn("tools of this host", json.dumps(self.changes(capture)))

    def test_later(self):
        capture = self.record()
        self.capture("fetch", capture, "--out", self.path("again"), "--analyse", "there")
        self.assertEqual([rank["state"] for rank in info(self.path("again"))["ranks"]], ["ok", "ok"])
        # There is nothing more to analyse.
        self.capture("fetch", capture, "--out", self.path("again"), "--analyse", "there")

    def test_here(self):
        """By this program, in the copies; where they were recorded nothing is changed."""
        path = self.file("tools.json", TOOLS)
        self.launch("mm-static", "static", "--file", path, "--analyse", "here", job=("--config", path, "--ranks", "0,1"), form="raw",
                    ranks="0,1", start_step=3, end_step=5, save_path="./prof", analyse_flag="false")
        self.assertEqual([(rank["rank_id"], rank["state"]) for rank in info(self.path("fetched"))["ranks"]], [(0, "ok"), (1, "ok")])
        made = [name for name in names_below(self.fetched()) if name.endswith("trace_view.json")]
        self.assertEqual(len(made), 2)
        there, here = names_below(self.path("work", "prof")), names_below(self.fetched())
        self.assertEqual([name for name in there if "ASCEND_PROFILER_OUTPUT" in name], [])
        self.assertEqual(set(there) - set(here), set())

    def test_status_0_is_not_believed(self):
        for fault, words in (("bad", "without a usable result"), ("empty", "but there are no tables")):
            with self.subTest(fault=fault):
                self.environment["ALTI_ANALYSIS"] = fault
                shutil.rmtree(self.path("fetched"), ignore_errors=True)
                capture = self.record("--analyse", "there", status=FAILED)
                self.assertEqual(json.dumps(self.changes(capture, status=FAILED)).count(words), 2)
                # It can be tried again.
                del self.environment["ALTI_ANALYSIS"]
                self.capture("fetch", capture, "--out", self.path("again-" + fault), "--analyse", "there")

    def test_no_tools_there(self):
        del self.environment["PYTHONPATH"]
        capture = self.record("--analyse", "there", status=FAILED)
        self.assertIn("No module named", json.dumps(self.changes(capture, status=FAILED)))

    def test_interrupted(self):
        """Whoever watches next goes on; a cancel ends the analysis there."""
        python = self.path("bin", "slow")
        os.mkdir(self.path("bin"))
        with open(python, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho $$ >{shlex.quote(self.path('slow.pid'))}\nexec sleep 1000\n")
        os.chmod(python, 0o755)
        capture = self.record()
        fetch = self.begin("fetch", capture, "--out", self.path("again"), "--analyse", "there", "--python", python)
        pid = int(until(lambda: os.path.exists(self.path("slow.pid")) and read(self.path("slow.pid")), "the analysis"))
        fetch.kill()
        fetch.wait()
        self.capture("cancel", capture)
        until(lambda: has_ended(pid), "the end of the analysis")


class Fetching(LaunchTest):
    """The same results again and again, in other ways."""

    def record(self):
        path = self.file("tools.json", TOOLS)
        self.start("mm-static", "--file", path, "--workdir", self.work, "--wait", "--launch",
                   shlex.join(self.job_words("static", "--config", path, "--ranks", "0,1", "--steps", "10")), ranks="0,1", start_step=3,
                   end_step=5, save_path="./prof")
        return self.newest()

    def assert_same(self, folder):
        there = self.path("work", "prof")
        self.assertEqual(names_below(there), names_below(folder))
        for name in names_below(there):
            self.assertEqual(read(os.path.join(there, name)), read(os.path.join(folder, name)))

    def tools_without(self, program):
        """A folder with all programs of the machine but one."""
        tools = self.path("tools")
        os.mkdir(tools)
        for folder in os.environ["PATH"].split(os.pathsep):
            for name in os.listdir(folder) if os.path.isdir(folder) else []:
                if name != program and not os.path.lexists(os.path.join(tools, name)):
                    os.symlink(os.path.join(folder, name), os.path.join(tools, name))
        return tools

    def test_in_pieces_and_resumed(self):
        capture = self.record()
        result = sorted(os.listdir(self.path("work", "prof")))[0]
        with open(self.path("work", "prof", result, "a large one"), "wb") as file:
            file.write(os.urandom(1 << 20) * 20)
        with open(self.path("work", "prof", result, "an empty one"), "wb"):
            pass
        self.environment["PATH"] = self.tools_without("rsync")
        # Pieces of a call that was ended before: one good, one too long, one that is wrong, and a link.
        partial = self.fetched(result + ".partial")
        os.makedirs(partial)
        whole = read(self.path("work", "prof", result, "a large one"))
        for name, text in (("a large one", whole[:9_000_000]), ("profiler_info_0.json", b"x" * 100_000)):
            with open(os.path.join(partial, name), "wb") as file:
                file.write(text)
        os.symlink(self.path("work", "tools.json"), os.path.join(partial, "an empty one"))
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assert_same(self.fetched())
        self.assertEqual(read(self.path("work", "tools.json")).decode(), TOOLS)
        # What is there is left as it is.
        before = os.stat(self.fetched(result)).st_mtime_ns
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assertEqual(os.stat(self.fetched(result)).st_mtime_ns, before)

    def test_with_rsync(self):
        capture = self.record()
        self.capture("fetch", capture, "--out", self.path("fetched"))
        self.assert_same(self.fetched())
        # Links of the target are not followed and not made.
        result = sorted(os.listdir(self.path("work", "prof")))[0]
        os.symlink("/etc", self.path("work", "prof", result, "link"))
        os.mkfifo(self.path("work", "prof", result, "pipe"))
        self.capture("fetch", capture, "--out", self.path("again"))
        self.assertEqual(names_below(self.path("again")), names_below(self.path("fetched")))

    def test_limit(self):
        """2 MB at 1 MB per second, with rsync and without."""
        capture = self.record()
        with open(self.path("work", "prof", sorted(os.listdir(self.path("work", "prof")))[0], "large"), "wb") as file:
            file.write(os.urandom(2_000_000))
        for program in ("rsync", None):
            with self.subTest(program=program):
                if not program:
                    self.environment["PATH"] = self.tools_without("rsync")
                begin = time.monotonic()
                self.capture("fetch", capture, "--out", self.path(f"by {program}"), "--limit", "1")
                self.assertGreater(time.monotonic() - begin, 1)
                self.assert_same(self.path(f"by {program}", "local"))
        for words in ("0", "-1", "x", "1.5", ""):
            self.end(self.begin("fetch", capture, "--out", self.path("more"), "--limit", words), WRONG_USAGE)

    def test_nothing_is_replaced(self):
        capture = self.record()
        result = sorted(os.listdir(self.path("work", "prof")))[0]
        os.makedirs(self.fetched(result))
        with open(self.fetched(result, "mine"), "w", encoding="utf-8") as file:
            file.write("mine")
        self.capture("fetch", capture, "--out", self.path("fetched"), status=FAILED)
        self.assertEqual(os.listdir(self.fetched(result)), ["mine"])
        self.capture("fetch", capture, "--out", self.path("work", "prof", result), status=FAILED)
        self.assertNotIn("local", os.listdir(self.path("work", "prof", result)))

    def test_open(self):
        tools = self.path("tools")
        os.mkdir(tools)
        with open(os.path.join(tools, "altiscope"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nprintf %s "$1" >"{self.path("new")}" && mv "{self.path("new")}" "{self.path("opened")}"\n')
        os.chmod(os.path.join(tools, "altiscope"), 0o755)
        self.environment["PATH"] = tools + os.pathsep + self.environment["PATH"]
        path = self.file("tools.json", TOOLS)
        capture = self.start("mm-static", "--file", path, "--workdir", self.work, "--open", "--launch",
                             shlex.join(self.job_words("static", "--config", path, "--steps", "10")), ranks="0", start_step=3, end_step=5,
                             save_path="./other")
        folder = until(lambda: os.path.exists(self.path("opened")) and read(self.path("opened")).decode(), "the window")
        self.assertIn(capture, folder)
        self.assertEqual(len(info(folder)["ranks"]), 1)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
