#!/usr/bin/env python3
"""`capture jobs`: which processes look like jobs, what they can be recorded by, and why not by others."""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
import unittest

from capture_support import STANDIN, CaptureTest, read, samples, until
from support import CLI, FAILED, WRONG_USAGE, check_schema, surroundings

SLEEPS = "import time; time.sleep(1000)"
LAUNCH_ONLY = {"mm-static", "mm-dynamic", "mm-snapshot", "mm-sora", "llm-flags", "rl-yaml", "verl", "mindspore-api", "mindspore-env", "msprof"}


def children(parent):
    """Process numbers."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                after = file.read().rpartition(")")[2].split()  # its name may be anything
        except OSError:
            continue  # ended meanwhile
        if int(after[1]) == parent:
            found.append(int(name))
    return found


class JobsTest(CaptureTest):
    def python(self, *arguments, code=SLEEPS, **variables):
        """A process of Python with these arguments and variables."""
        process = subprocess.Popen([sys.executable, "-c", code, *arguments], cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables})
        self.processes.append(process)
        # Before it has become that program its command is that of the test.
        until(lambda: b"time.sleep" in self.command_of(process), "the process")
        return process

    def module(self, *words):
        """Python with these words; the program or module that they name sleeps."""
        place = self.path("programs")
        for name in ("torchrun", "train.py", "torch/distributed/run.py", "torch/distributed/launch.py"):
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(SLEEPS)
        process = subprocess.Popen([sys.executable, *words], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   env={"PATH": os.environ["PATH"], "PYTHONPATH": place, "RANK": "0"})
        self.processes.append(process)
        until(lambda: self.command_of(process).count(b"\0") > len(words), "the process")
        return process

    @staticmethod
    def command_of(process):
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            return file.read()

    def jobs(self, *words, status=0):
        out, errors = self.end(self.begin("jobs", "--json", *words), status)
        check_schema(self, "capture-jobs", out)
        return json.loads(out), errors

    def found(self, process, *words):
        """What was found out about a process; None if it is none."""
        every = [job for job in self.jobs(*words)[0]["jobs"] if job["pid"] == process.pid]
        self.assertLess(len(every), 2)
        return every[0] if every else None

    @staticmethod
    def possible(job):
        return {method["method"]: method for method in job["methods"] if method["possible"]}

    @staticmethod
    def reasons(job):
        return {method["method"]: method["reason"] for method in job["methods"] if not method["possible"]}


class Jobs(JobsTest):
    def test_job_that_looks_at_a_configuration(self):
        """By the log that it has open; what is found is enough to record it."""
        config = self.config()
        process = self.job("dynprof", "--config", os.path.dirname(config), "--ranks", "3")
        job = self.found(process)
        self.assertEqual((job["target"], job["rank"], job["workdir"], job["framework"]), ("local", 3, self.work, "torch"))
        self.assertIn("job.py dynprof", job["command"])
        method = self.possible(job)["torch-dynamic"]
        self.assertEqual(method["file"], config)
        self.assertEqual(set(self.possible(job)), {"torch-dynamic"})
        self.assertEqual(LAUNCH_ONLY - set(self.reasons(job)), set())
        self.start("torch-dynamic", "--file", method["file"], "--workdir", job["workdir"], "--wait", "--fetch", self.path("fetched"),
                   start_step=-1)

    def test_the_lines_are_the_words_of_start(self):
        config = self.config()
        process = self.job("dynprof", "--config", os.path.dirname(config))
        lines = self.capture("jobs").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith(f"local  pid {process.pid}  "))
        line = next(line for line in lines[at + 1:] if line.startswith("  torch-dynamic  "))
        words = shlex.split(line)
        self.assertEqual(words[1:3], ["--target", "local"])
        self.capture("start", *words, "--wait", "--set", "start_step=-1")

    def test_configuration_of_mindspore(self):
        """The same name as that of torch_npu, in another form."""
        config = self.config('{"start_step": -1, "stop_step": -1}\n')
        process = self.job("msdyn", "--config", os.path.dirname(config))
        job = self.found(process)
        self.assertEqual({name: method["file"] for name, method in self.possible(job).items()}, {"mindspore-dynamic": config})
        self.assertIn("MindSpore", self.reasons(job)["torch-dynamic"])

    def test_variables(self):
        folder = self.path("cfg")
        process = self.python("pretrain_gpt.py", PROF_CONFIG_PATH="cfg/", RANK="1", WORLD_SIZE="8")
        job = self.found(process)
        self.assertEqual((job["rank"], job["ranks"]), (1, 8))
        self.assertEqual(self.possible(job)["torch-dynamic"]["file"], os.path.join(self.work, "cfg//profiler_config.json"))
        self.assertEqual(job["variables"]["WORLD_SIZE"], "8")
        for variables, possible, reason in (
                ({"PROFILING_MODE": "dynamic"}, {"msprof-attach"}, ("dyno-nputrace", "MSMONITOR_USE_DAEMON=1")),
                ({"PROFILING_MODE": "dynamic", "PROF_CONFIG_PATH": folder}, {"msprof-attach"}, ("torch-dynamic", "PROFILING_MODE")),
                ({"MSMONITOR_USE_DAEMON": "1"}, {"dyno-nputrace", "dyno-npumonitor"}, ("msprof-attach", "PROFILING_MODE=dynamic")),
                ({"KINETO_USE_DAEMON": "1", "PROF_CONFIG_PATH": folder}, {"torch-dynamic"}, ("dyno-nputrace", "PROF_CONFIG_PATH")),
                ({"RANK_ID": "0"}, set(), ("torch-dynamic", "PROF_CONFIG_PATH"))):
            with self.subTest(variables=variables):
                job = self.found(self.python("train.py", **variables))
                self.assertEqual(set(self.possible(job)), possible)
                self.assertIn(reason[1], self.reasons(job)[reason[0]])
        job = self.found(self.python("train.py", RANK_ID="3", MS_WORKER_NUM="16"))
        self.assertEqual((job["rank"], job["ranks"]), (3, 16))
        self.assertIsNone(self.found(self.python("serve.py", MS_WORKER_NUM="16")))
        process = self.python("serve.py", PROFILING_MODE="dynamic")
        self.assertEqual(self.possible(self.found(process))["msprof-attach"]["set"], {"pid": str(process.pid)})

    def test_tools_json_that_prepares_for_changes(self):
        tools = os.path.join(self.work, "tools.json")
        for kind, possible in (("dynamic", {"torch-dynamic"}), ("static", set())):
            with open(tools, "w", encoding="utf-8") as file:
                json.dump({"profile": {"profile_type": kind, "dynamic_param": {"config_path": "./watched"}}}, file, indent=1)
            job = self.found(self.python("pretrain_sora.py", "--mm-tool", "tools.json"))
            self.assertEqual(set(self.possible(job)), possible)
        job = self.found(self.processes[-2])
        self.assertEqual(set(self.possible(job)), set())  # as the file is now

    def test_what_is_no_rank(self):
        """Programs of Python without a sign, launchers, and workers that load data."""
        self.assertIsNone(self.found(self.python("server.py")))
        for launcher in (["torchrun"], ["-u", "-X", "faulthandler", "-m", "torch.distributed.run"], ["-um", "torch.distributed.launch"]):
            process = self.module(*launcher, "train_megatron.py")
            self.assertIsNone(self.found(process), launcher)
        # Only the program is one, whatever words it gets.
        job = self.found(self.module("train.py", "--strategy", "deepspeed"))
        self.assertIn("--strategy deepspeed", job["command"])
        script = "import os,time; os.fork() or time.sleep(1000); print(os.getpid(), flush=True); time.sleep(1000)"
        parent = self.python("pretrain_gpt.py", code=script, RANK="0")
        workers = until(lambda: children(parent.pid), "a worker")
        self.addCleanup(lambda: [os.kill(worker, 9) for worker in workers])
        pids = [job["pid"] for job in self.jobs()[0]["jobs"]]
        self.assertIn(parent.pid, pids)
        self.assertNotIn(workers[0], pids)

    def test_a_framework_among_the_arguments_is_no_job(self):
        """The name of a data set, of a folder or of a user; only the program, its imports and what it has loaded count."""
        for words in (["mindspore"], ["--data", "/data/mindspore/megatron"], ["--framework=torch_npu"]):
            self.assertIsNone(self.found(self.python(*words)), words)
        # A library is mapped under the framework's name.
        maps = "import mmap,os,sys; f=os.open(sys.argv[1], os.O_RDONLY); m=mmap.mmap(f, 4096, prot=mmap.PROT_READ); "
        for name, framework in (("site-packages/mindspore/lib/libmindspore_core.so", "mindspore"), ("site-packages/torch_npu/lib/x.so", "torch"),
                                ("envs/mindspore/lib/libpython3.so", None)):
            library = self.path(*name.split("/"))
            os.makedirs(os.path.dirname(library))
            with open(library, "wb") as file:
                file.write(bytes(4096))
            job = self.found(self.python(library, code=maps + SLEEPS))
            self.assertEqual(job and job["framework"], framework, name)
        for code, framework in ((SLEEPS + "; import mindspore as ms", "mindspore"), (SLEEPS + "; from torch_npu import npu", "torch")):
            self.assertEqual(self.found(self.python(code=code))["framework"], framework)
        self.assertEqual(self.found(self.python(MS_ROLE="MS_WORKER", RANK_ID="3"))["framework"], "mindspore")
        self.assertIsNone(self.found(self.python(MS_ROLE="MS_SCHED")))  # brings the ranks together, and is none

    def test_helpers_of_a_job(self):
        """What Python starts beside a rank has its variables, and is none: the tracker of resources, workers that are spawned."""
        script = ("import multiprocessing,time\nif __name__ == '__main__':\n    for how in ('spawn', 'forkserver'):\n"
                  "        multiprocessing.get_context(how).Process(target=time.sleep, args=(1000,)).start()\n    print('ready', flush=True)\n"
                  "    time.sleep(1000)\n")
        path = os.path.join(self.work, "pretrain_gpt.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        parent = subprocess.Popen([sys.executable, path], cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, start_new_session=True, env={"PATH": os.environ["PATH"], "RANK": "5"})
        self.processes.append(parent)
        self.addCleanup(os.killpg, parent.pid, 9)  # also those that outlive it
        self.assertEqual(parent.stdout.readline(), "ready\n")

        def helpers(pid):
            below = children(pid)
            return below + [one for child in below for one in helpers(child)]
        # A tracker, a worker, a server of forks, and its worker.
        started = until(lambda: len(found := helpers(parent.pid)) >= 4 and found, "the helpers")
        pids = [job["pid"] for job in self.jobs()[0]["jobs"]]
        self.assertIn(parent.pid, pids)
        self.assertEqual(set(started) & set(pids), set())

    def test_a_folder_that_holds_a_configuration_proves_nothing(self):
        """Only a log of the process in it does."""
        folder = os.path.dirname(self.config())
        process = self.python("train.py", "--config", folder, RANK="0")
        self.assertNotIn("torch-dynamic", self.possible(self.found(process)))
        os.mkdir(os.path.join(folder, "log"))
        with open(os.path.join(folder, "log", f"dp_host_{process.pid}_rank_0.log"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.possible(self.found(process))["torch-dynamic"]["file"], os.path.join(folder, "profiler_config.json"))

    def test_hostile_command(self):
        """Escapes of terminals, lines, quotes and passwords: one line for people, the text itself for programs."""
        hostile = "\x1b[2J\x1b]0;owned\x07\nlocal  pid 1  rank 0\u202e$(id)';"
        process = self.python("train.py", hostile, "--password", "hunter2", "--token=hunter2 hunter2;&hunter2", RANK="0\n\x1b[1m")
        out = self.capture("jobs")
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u202e", out)
        self.assertNotIn("hunter2", out)
        lines = [line for line in out.splitlines() if f"pid {process.pid}  " in line]
        self.assertEqual(len(lines), 1)
        self.assertNotIn("\nlocal  pid 1  rank 0", out)
        job = self.found(process)
        self.assertIn(hostile, job["command"].replace("'\\''", "'"))
        self.assertIsNone(job["rank"])

    def test_long_command_is_cut_and_says_so(self):
        job = self.found(self.python("x" * 100_000, RANK="0"))
        self.assertTrue(job["command"].endswith("…"))
        self.assertLess(len(job["command"]), 10_000)

    def test_process_of_another_user(self):
        if os.getuid() != 0:
            self.skipTest("needs another user")
        other = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", SLEEPS],
                                 cwd="/", stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "MSMONITOR_USE_DAEMON": "1"})
        self.processes.append(other)
        until(lambda: self.command_of(other).startswith(os.fsencode(sys.executable)), "the process")
        # Root sees all; somebody else does not.
        self.assertIn("dyno-nputrace", self.possible(self.found(other)))
        for folder in (self.folder, self.path("data")):
            os.makedirs(folder, exist_ok=True)
            os.chmod(folder, 0o777)
        ended = subprocess.run(["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", CLI, "capture", "jobs", "--json"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, cwd="/",
                               env={"PATH": os.environ["PATH"], "HOME": self.folder})
        # Of somebody else's process only the program is known: that it may be a job is reported.
        found = json.loads(ended.stdout)
        self.assertNotIn(other.pid, [job["pid"] for job in found["jobs"]])
        closed = found["targets"][0]["closed"]
        self.assertGreater(closed, 0)
        self.assertIn(f"{closed} processes of Python on local could not be looked into", ended.stderr)
        other = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c",
                                  SLEEPS + "; import mindspore"], cwd="/", stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]})
        self.processes.append(other)
        until(lambda: self.command_of(other).startswith(os.fsencode(sys.executable)), "the process")
        out = subprocess.run(["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", CLI, "capture", "jobs", "--json"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, cwd="/",
                             env={"PATH": os.environ["PATH"], "HOME": self.folder}).stdout
        job = next(job for job in json.loads(out)["jobs"] if job["pid"] == other.pid)
        self.assertEqual((job["variables"], job["framework"]), ({}, "mindspore"))
        self.assertIn("cannot be read", self.reasons(job)["dyno-nputrace"])

    def test_nobody_there_is_an_error_of_that_target(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = f"127.0.0.1:{probe.getsockname()[1]}"
        process = self.python(RANK="0")
        found, errors = self.jobs("--target", nobody, "--target", "local", status=FAILED)
        self.assertEqual([bool(target["error"]) for target in found["targets"]], [True, False])
        self.assertIn(nobody if shutil.which("ssh") else "Install openssh-client", errors)
        self.assertIn(process.pid, [job["pid"] for job in found["jobs"]])

    def test_hosts_of_a_file(self):
        """As DeepSpeed and MPI read it; a wrong line is named, and nobody is contacted."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = f"127.0.0.1:{probe.getsockname()[1]}"
        file = self.path("hostfile")
        with open(file, "w", encoding="utf-8") as hosts:
            hosts.write(f"# two hosts\n{nobody} slots=8\nlocal slots=8 # here\n{nobody} slots=8\n")
        found, _ = self.jobs("--hosts-file", file, status=FAILED)
        self.assertEqual([(target["target"], bool(target["error"])) for target in found["targets"]], [(nobody, True), ("local", False)])
        found, _ = self.jobs("--target", "local", "--hosts-file", file, status=FAILED)
        self.assertEqual([target["target"] for target in found["targets"]], ["local", nobody])
        with open(file, "w", encoding="utf-8") as hosts:
            hosts.write("local\n127.0.0.1 localhost \x1b[2J\n")
        for words in (("jobs",), ("start", "torch-dynamic", "--file", "x"), ("validate", "torch-dynamic", "--file", "x")):
            _, errors = self.end(self.begin(*words, "--hosts-file", file), FAILED)
            self.assertIn("line 2 is not a host", errors)
            self.assertNotIn("\x1b", errors)
        for wrong in (self.path("none"), self.folder):
            self.end(self.begin("jobs", "--hosts-file", wrong), FAILED)
        self.end(self.begin("jobs", "--hosts-file"), WRONG_USAGE)

    def test_wrong_words(self):
        for words in (("more",), ("--target", "-oX"), ("--target", "local", "--target", "local"), ("--set", "a=b")):
            self.end(self.begin("jobs", *words), WRONG_USAGE)


class InAContainer(JobsTest):
    """A job with a root, processes and a group of its own, as docker starts one; docker is a program that enters it."""
    ID = "0123456789ab" + "cdef" * 13
    SCRIPT = ('set -e; r=$1; f=$2; s=$3; d=$4; shift 4; mount -t tmpfs none "$r"; cd "$r"; mkdir usr lib lib64 bin etc dev proc in samples standin tmp old\n'
              'for p in usr lib lib64 bin etc dev; do mount --rbind "/$p" "$p"; done\n'
              'mount --bind "$f" in; mount --bind "$s" samples; mount --bind "$d" standin; mount -t proc proc proc; pivot_root . old\n'
              'exec chroot . sh -c \'umount -l /old && cd /in/work && exec "$@"\' x "$@"')

    def setUp(self):
        super().setUp()
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "-p", "-f", "true"], capture_output=True, check=False).returncode:
            self.skipTest("needs another user")
        self.wrap = []

    def begin(self, *words, **options):
        # What the kernel says of the group of that process, which only a machine with containers has.
        process = subprocess.Popen([*self.wrap, CLI, "capture", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=surroundings(**self.environment), **options)
        self.processes.append(process)
        return process

    def contained(self, *words, group):
        """The process of a job in a container, by its number here."""
        root = self.path("root")
        os.makedirs(root, exist_ok=True)
        outer = subprocess.Popen(["unshare", "-m", "-p", "-u", "-f", "--kill-child", "sh", "-c", "hostname box; " + self.SCRIPT, "x", root, self.folder,
                                  samples(), STANDIN, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.processes.append(outer)
        inner = until(lambda: [pid for pid in children(outer.pid) if b"python" in read(f"/proc/{pid}/cmdline")], "the container")[0]
        cgroup = self.path("cgroup")
        with open(cgroup, "w", encoding="utf-8") as file:
            file.write(group)
        self.wrap = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "/proc/$1/cgroup"; shift; exec "$@"', cgroup, str(inner)]
        os.makedirs(self.path("bin"), exist_ok=True)
        with open(self.path("bin", "docker"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ \"$1 $2\" = \"exec -i\" ] || exit 2\n"
                       f"[ \"$3\" = {self.ID[:12]} ] || {{ echo \"Error response from daemon: No such container: $3\" >&2; exit 1; }}\n"
                       f"shift 3; exec nsenter -t {inner} -m -p -u -r -w \"$@\"\n")
        os.chmod(self.path("bin", "docker"), 0o755)
        self.environment["PATH"] = self.path("bin") + os.pathsep + self.environment["PATH"]
        return inner

    def test_job_in_docker_is_recorded_there(self):
        """Its paths and its number are those of the container, and so is the target."""
        self.config()
        pid = self.contained("/usr/bin/python3", "/standin/job.py", "dynprof", "--config", "/in/config", "--samples", "/samples",
                             group=f"0::/system.slice/docker-{self.ID}.scope\n")
        until(lambda: os.path.exists(self.path("work", "pid")), "the job")
        until(lambda: int(time.time()) > int(os.stat(self.path("work", "pid")).st_mtime), "the next second")
        job = next(job for job in self.jobs()[0]["jobs"] if job["pid"] == pid)
        self.assertEqual((job["container"], job["start_target"], job["workdir"]), ("docker:" + self.ID[:12], "local/docker:" + self.ID[:12], "/in/work"))
        method = self.possible(job)["torch-dynamic"]
        self.assertEqual(method["file"], "/in/config/profiler_config.json")
        self.assertEqual(self.reasons(job)["msprof-attach"], "It was started without PROFILING_MODE=dynamic, so msprof cannot attach to it.")
        lines = self.capture("jobs").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith(f"local/docker:{self.ID[:12]}  pid {pid}  "))
        words = shlex.split(next(line for line in lines[at + 1:] if line.startswith("  torch-dynamic  ")))
        self.assertEqual(words[:3], ["torch-dynamic", "--target", job["start_target"]])
        self.end(self.begin("start", *words, "--set", "start_step=-1", "--wait", "--fetch", self.path("fetched")), 0)
        self.assertEqual(len(os.listdir(self.path("fetched", "local_docker_" + self.ID[:12]))), 1)

    def test_a_link_in_the_container_is_not_followed_from_outside(self):
        """What begins at its root would be a file of ours."""
        outside = self.config()
        os.symlink(outside, self.path("work", "profiler_config.json"))
        pid = self.contained("/usr/bin/env", "RANK=0", "/usr/bin/python3", "-c", SLEEPS, "profiler_config.json", group="0::/\n")
        # env becomes Python after a moment.
        job = until(lambda: [job for job in self.jobs()[0]["jobs"] if job["pid"] == pid], "the job is listed")[0]
        self.assertEqual([method["file"] for method in job["methods"] if method["file"]], [])

    def test_number_in_the_container(self):
        code = "import os; os.environ; " + SLEEPS
        pid = self.contained("/usr/bin/env", "PROFILING_MODE=dynamic", "/usr/bin/python3", "-c", code, group=f"4:memory:/docker/{self.ID}\n")
        job = next(job for job in self.jobs()[0]["jobs"] if job["pid"] == pid)
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            inner = next(line for line in file if line.startswith("NSpid:")).split()[-1]
        self.assertNotEqual(inner, str(pid))
        self.assertEqual(self.possible(job)["msprof-attach"]["set"], {"pid": inner})

    def test_pod_of_kubernetes(self):
        """Its name is not known here: which container it is, is said."""
        pid = self.contained("/usr/bin/env", "PROFILING_MODE=dynamic", "/usr/bin/python3", "-c", SLEEPS,
                             group=f"0::/kubepods.slice/kubepods-pod7.slice/cri-containerd-{self.ID}.scope\n")
        job = next(job for job in self.jobs()[0]["jobs"] if job["pid"] == pid)
        self.assertEqual((job["container"], job["start_target"]), ("kubernetes:" + self.ID[:12], "local"))
        self.assertEqual(self.possible(job), {})
        self.assertIn(self.ID[:12], self.reasons(job)["msprof-attach"])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
