#!/usr/bin/env python3
"""A job in training that records as the frameworks do when their configurations ask for it. It honours what can be seen from
outside (which file or option is read when, and what appears where), not how they do it; one process stands for several ranks.

    job.py MODE --samples FOLDER [--config PATH] [--ranks 0,1] [--steps N] [--step-ms N] [--poll-ms N] [--fault F] [--delay S]
    [--pause-at STEP] [--between S] [--slow-every N --slow-ms MS] [...]

MODE is static, snapshot, sora (tools.json of MindSpeed-MM, read at the start, complete or an error), mm-dynamic (its config_path is
then watched), dynprof (torch_npu's profiler_config.json in the folder PATH), msdyn (MindSpore's DynamicProfilerMonitor, likewise),
dyno (a daemon of msMonitor on --port,
which hands it requests), llm (options --profile-*), verl (overrides of Hydra, or --config, with the settings of its global and
per-role profilers), rl, fsdp2, llm-fsdp2 (sections of a YAML file: profiler_config.integrated, tools, training), msenv (MS_PROFILER_OPTIONS), plain (records
nothing). FOLDER holds a generated capture. It prints "step N", and ends after --steps, or earlier once a file "stop" lies in its
working directory. At
STEP it waits for a file "go" there. With --slow-every each Nth step takes so long, and the time of each is printed as Megatron does. Faults: see results.py, and exit=STATUS."""

import argparse
import json
import os
import socket
import sys
import time

import monitor_lines
from daemon import IDLE, READY, RUNNING, Daemon
from results import Writer, stamp


class Schedule:
    """Steps [start, end) are recorded; results appear after the last one."""

    def __init__(self, start, end, done):
        self.start, self.end, self.done = start, end, done

    def step(self, number):
        if self.start <= number < self.end:
            print(f"recording step {number}", flush=True)
        if number == self.end - 1:
            self.done()


def parse_line(text):
    """A scalar or flow list of YAML, as far as the tests write them."""
    text = text.split(" #")[0].strip()
    if text.startswith("["):
        return [parse_line(part) for part in text[1:-1].split(",") if part.strip()]
    return {"true": True, "false": False}.get(text, int(text) if text.lstrip("-").isdigit() else text.strip("'\""))


def read_yaml(path):
    """Nested mappings in block style."""
    root, stack = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            indent = len(line) - len(line.lstrip())
            key, _, value = line.strip().partition(":")
            while stack and stack[-1][0] >= indent:
                stack.pop()
            parent = stack[-1][1] if stack else root
            if value.split(" #")[0].strip():
                parent[key.replace("-", "_")] = parse_line(value)
            else:
                parent[key] = {}
                stack.append((indent, parent[key]))
    return root


class Job:
    def __init__(self, words, rest):
        self.words = words
        self.rest = rest
        self.ranks = [int(rank) for rank in words.ranks.split(",")]
        self.writer = Writer(words.samples, words.fault, words.delay, words.padding)
        self.schedules = []
        self.watchers = []
        self.begin = int(time.time())

    def wanted(self, ranks):
        return [rank for rank in self.ranks if ranks in ([-1], "all", None) or rank in ranks]

    def record(self, start, end, ranks, folder, analyse, kind="torch", after=0.0):
        def done():
            time.sleep(after)
            for rank in self.wanted(ranks):
                getattr(self.writer, kind)(os.path.join(os.getcwd(), folder), rank, analyse)
        self.schedules.append(Schedule(start, max(end, start + 1), done))

    # --- configurations that are read at the start

    def tools(self):
        with open(self.words.config, encoding="utf-8") as file:
            return json.load(file)

    def static(self):
        profile = self.tools()["profile"]
        static = profile["static_param"]
        assert isinstance(profile["dynamic_param"]["config_path"], str)
        assert profile["profile_type"] == "static" and static["level"] in ("level0", "level1", "level2")
        assert static["aic_metrics_type"] in ("PipeUtilization", "ArithmeticUtilization")
        for key in ("with_stack", "with_memory", "record_shapes", "with_cpu", "data_simplification"):
            assert isinstance(static[key], bool), key
        if profile["enable"]:
            self.record(static["start_step"], static["end_step"], profile["ranks"], static["save_path"], static["analyse_flag"])

    def snapshot(self):
        memory = self.tools()["memory_profile"]
        assert memory["stacks"] in ("python", "all") and isinstance(memory["mem_info"], bool)
        assert memory["max_entries"] is None or memory["max_entries"] > 0

        if memory["enable"]:
            self.dump(memory["save_path"], memory["dump_ranks"], memory["start_step"], memory["end_step"])

    def dump(self, folder, ranks, start, end):
        def write():
            os.makedirs(folder, exist_ok=True)
            for rank in self.wanted(ranks):
                name = f"snapshot_{time.strftime('%Y-%m-%d-%H-%M')}_{rank}.pickle"
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(b"\x80\x04}\x94.")
        self.schedules.append(Schedule(start, end + 1, write))

    def sora(self):
        folder = self.tools()["sorafeature"]["save_path"]
        os.makedirs(os.path.join(folder, "features"), exist_ok=True)
        with open(os.path.join(folder, "data.jsonl"), "w", encoding="utf-8") as file:
            for sample in range(self.words.steps):
                file.write(json.dumps({"file": f"features/{sample}.pt"}) + "\n")

        def feature(number):
            with open(os.path.join(folder, "features", f"{number}.pt"), "wb") as file:
                file.write(b"feature")
        self.watchers.append(feature)

    def fsdp2(self):
        """MindSpeed-MM with FSDP2: sections below "tools" of the YAML file, whose missing keys have standard values."""
        tools = read_yaml(self.words.config).get("tools", {})
        profile, memory = tools.get("profile", {}), tools.get("memory_profile", {})
        static = profile.get("static_param", {})
        assert set(profile) <= {"enable", "profile_type", "ranks", "static_param"} and profile.get("profile_type", "static") == "static"
        assert set(static) <= {"level", "with_stack", "with_memory", "record_shapes", "with_cpu", "save_path", "start_step", "end_step",
                               "data_simplification", "aic_metrics_type", "analyse_flag"}, static
        if profile.get("enable"):
            self.record(static.get("start_step", 10), static.get("end_step", 11), profile.get("ranks", [0]),
                        static.get("save_path", "./profiling"), static.get("analyse_flag", True))
        if memory.get("enable"):
            self.dump(memory.get("save_path", "./memory_snapshot"), memory.get("dump_ranks", [0]), memory.get("start_step", 1),
                      memory.get("end_step", 2))

    def llm_fsdp2(self):
        """MindSpeed-LLM with FSDP2: steps count from 0, -1 is all ranks, and the end of the job."""
        options = read_yaml(self.words.config)["training"]
        if options.get("profile"):
            end = options.get("profile_step_end", -1)
            self.record(options.get("profile_step_start", 0), self.words.steps if end == -1 else end, options.get("profile_ranks", [-1]),
                        options.get("profile_save_path", "./profile"), True)

    def llm(self):
        parser = argparse.ArgumentParser(allow_abbrev=False)
        for flag in ("profile", "profile-data-simplification", "profile-with-cpu", "profile-with-stack", "profile-with-memory",
                     "profile-record-shapes"):
            parser.add_argument("--" + flag, action="store_true")
        parser.add_argument("--profile-step-start", type=int, default=10)
        parser.add_argument("--profile-step-end", type=int, default=12)
        parser.add_argument("--profile-ranks", nargs="+", type=int, default=[0])
        parser.add_argument("--profile-level", choices=["level_none", "level0", "level1", "level2"], default="level0")
        parser.add_argument("--profile-export-type", choices=["text", "db"], default="text")
        parser.add_argument("--profile-save-path", default="./profile_dir")
        options = parser.parse_args(self.rest)
        assert options.profile_step_start >= 1
        if options.profile:
            # Iterations count from 1.
            self.record(options.profile_step_start - 1, options.profile_step_end - 1, options.profile_ranks,
                        options.profile_save_path, True)

    def rl(self):
        known = {"profile", "mstx", "stage", "profile_save_path", "profile_export_type", "profile_step_start", "profile_step_end",
                 "profile_level", "profile_with_memory", "profile_record_shapes", "profile_with_cpu", "profile_with_npu",
                 "profile_with_module", "profile_analysis", "profile_ranks"}
        options = read_yaml(self.words.config)["profiler_config"]["integrated"]
        assert set(options) <= known, set(options) - known
        if not options.get("profile"):
            return
        start, end, stage = options.get("profile_step_start", 1), options.get("profile_step_end", 2), options.get("stage", "all")
        path, ranks = options.get("profile_save_path", ""), options.get("profile_ranks", "all")
        analyse = options.get("profile_analysis", False)
        if stage == "all":
            self.record(start - 1, end - 1, ranks, os.path.join(path, "integrated"), analyse)
            return
        for place, one in enumerate(dict.fromkeys(stage) if isinstance(stage, list) else [stage]):
            for number in range(start - 1, end - 1):
                if self.words.fault == f"missing-stage={one}":
                    continue
                self.record(number, number + 1, ranks, os.path.join(path, one), analyse, after=self.words.between if place else 0)

    def verl(self):
        """The workers of actor, ref and critic record whole steps, those that generate a folder for each replica."""
        options = read_yaml(self.words.config) if self.words.config else {}
        for word in self.rest:
            key, _, value = word.partition("=")
            *parents, last = key.split(".")
            place = options
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = parse_line(value)
        settings, roles = options["global_profiler"], options.get("actor_rollout_ref", {})
        assert settings["tool"] == "npu" and all(step >= 1 for step in settings["steps"])
        path, roles = settings.get("save_path", "outputs/profile"), {**roles, "critic": options.get("critic", {})}
        for name, role in roles.items():
            profiler = role.get("profiler", {}) if isinstance(role, dict) else {}
            if not profiler.get("enable", False):
                continue
            tool = profiler["tool_config"]["npu"]
            assert set(tool) <= {"contents", "level", "analysis", "discrete", "profile_token_start", "profile_token_end"}, tool
            assert tool["level"] in ("level_none", "level0", "level1", "level2") and isinstance(tool["analysis"], bool)
            ranks = None if profiler.get("all_ranks") else profiler.get("ranks") or [0]
            below = "agent_loop_rollout_replica_0" if name == "rollout" else "train"
            if name == "rollout" and not tool["discrete"]:
                continue
            for step in settings["steps"]:
                self.record(step - 1, step, ranks, os.path.join(path, below), tool["analysis"])

    def msenv(self):
        options = json.loads(os.environ.get("MS_PROFILER_OPTIONS", "{}"))
        if options.get("start"):
            path = options.get("output_path", "")
            path = path if os.path.isabs(path) else os.path.join(os.getcwd(), "data")
            self.record(0, self.words.steps, None, path, True, kind="mindspore")

    def plain(self):
        pass

    # --- files that a running job looks at

    def watch(self, folder, consider):
        """Calls consider(text, mtime) when the file has another time than at the last look."""
        path = os.path.join(folder, "profiler_config.json")
        os.makedirs(os.path.join(folder, "log"), exist_ok=True)
        state = {"next": 0.0}

        def look(number):
            if time.monotonic() < state["next"]:
                return
            state["next"] = time.monotonic() + self.words.poll_ms / 1000
            try:
                with open(path, encoding="utf-8") as file:
                    consider(number, json.load(file), os.stat(path))
            except FileNotFoundError:
                pass
            except ValueError:
                print("not valid", flush=True)
        self.watchers.append(look)

    def dynprof(self, folder=None):
        folder = folder or self.words.config
        last = {"seen": None, "accepted": self.begin, "busy": -1}

        # The real tool makes it when it begins, and keeps it open.
        os.makedirs(os.path.join(folder, "log"), exist_ok=True)
        logged = open(os.path.join(folder, "log", f"dp_{socket.gethostname()}_{os.getpid()}_rank_{self.ranks[0]}.log"), "a", encoding="utf-8")

        def log(text):
            logged.write(text + "\n")
            logged.flush()

        def consider(number, config, status):
            modified = int(status.st_mtime)  # whole seconds
            if modified == last["seen"] or number < last["busy"]:
                return
            last["seen"] = modified
            if modified <= last["accepted"]:
                return
            last["accepted"] = modified
            start = config.get("start_step", 0)
            start = number + 1 if start == -1 else start
            if start <= number:
                print("start step is not effective", flush=True)
                log(f"start step {start} is not effective at step {number}")
                return
            log(f"configuration with start step {start} is taken")
            active = max(1, config.get("active", 1)) + max(0, config.get("warmup", 0))
            last["busy"] = start + active
            ranks = config["rank_list"] if config.get("is_rank") else None
            analyse = config.get("analyse", False) and (ranks is None or config.get("async_mode", False))
            self.watchers.append(lambda now: now == start and log(f"Start Dynamic Profiler at {start} step."))
            self.record(start, start + active, ranks, config.get("prof_dir", "./"), analyse)
        self.watch(folder, consider)

    def mm_dynamic(self):
        profile = self.tools()["profile"]
        assert profile["profile_type"] == "dynamic" and not profile["dynamic_param"]["config_path"].endswith(".json")
        if profile["enable"]:
            os.makedirs(profile["dynamic_param"]["config_path"], exist_ok=True)
            self.ranks = self.wanted(profile["ranks"])
            self.dynprof(profile["dynamic_param"]["config_path"])

    def msdyn(self):
        last = {"time": 0, "steps": (-1, -1)}

        def consider(number, config, status):
            if status.st_mtime_ns == last["time"]:
                return
            last["time"] = status.st_mtime_ns
            steps = (config.get("start_step", -1), config.get("stop_step", -1))
            if steps == last["steps"] or -1 in steps:
                return
            last["steps"] = steps
            # The first step is 1, both ends are inclusive.
            start, stop = steps
            if start <= number + 1:
                print(f"start step {start} is over", flush=True)
                return
            for rank in self.ranks:
                self.record(start - 1, stop, [rank], os.path.join(config.get("prof_path") or "./dyn_profile_data",
                                                                  f"rank{rank}_start{start}_stop{stop}"),
                            config.get("analyse", False), kind="mindspore")
        self.watch(self.words.config, consider)

    def dyno(self):
        """A request counts at the next step. The monitor writes a line each step until it is stopped or its time is over."""
        daemon = Daemon(self.words.port, [fault for fault in self.words.daemon.split(",") if fault], self.words.daemon != "unregistered",
                        process=os.getpid())
        with open("port", "w", encoding="utf-8") as file:
            file.write(str(daemon.port))
        monitor = {"until": 0.0, "file": None}

        def trace(config, number):
            start = int(config["PROFILE_START_STEP"])
            start = number + 1 if start == -1 else start
            end = start + int(config["ACTIVITIES_ITERATIONS"]) + int(config["WARMUP_ITERATIONS"])
            assert config["PROFILE_ACTIVITIES"] and "\n" not in config["ACTIVITIES_LOG_FILE"]
            ranks = [int(rank) for rank in config["PROFILE_RANK_LIST"].split(",")] if config["PROFILE_IS_RANK"] == "true" else None
            daemon.states["nputrace"] = READY
            daemon.steps.update(start_step=start, stop_step=end)
            self.record(start, end, ranks, config["ACTIVITIES_LOG_FILE"], config["PROFILE_ANALYSE"] == "true")

            def follow(now):
                if now == start:
                    daemon.states["nputrace"] = RUNNING
                elif now == end:
                    daemon.states["nputrace"] = IDLE
            self.watchers.append(follow)

        def watch(config):
            if config["NPU_MONITOR_STOP"] == "true":
                monitor["until"] = 0.0
            elif config["NPU_MONITOR_START"] == "true":
                duration = float(config["DURATION"])
                monitor["until"] = time.monotonic() + duration if duration > 0 else float("inf")
                os.makedirs(config["NPU_MONITOR_LOG_FILE"], exist_ok=True)
                monitor["file"] = os.path.join(config["NPU_MONITOR_LOG_FILE"], f"msmonitor_{os.getpid()}_{stamp()}_{self.ranks[0]}.jsonl")

        def look(number):
            daemon.steps["current_step"] = number
            while daemon.accepted:
                config = daemon.accepted.pop(0)
                if "NPU_MONITOR_START" in config:
                    watch(config)
                else:
                    trace(config, number)
            daemon.states["npumonitor"] = (RUNNING if time.monotonic() < monitor["until"] else
                                           IDLE if self.words.daemon != "unregistered" else daemon.states["npumonitor"])
            if daemon.states["npumonitor"] == RUNNING:
                with open(monitor["file"], "a", encoding="utf-8") as file:
                    file.writelines(monitor_lines.line(one) for one in monitor_lines.records(1, os.getpid(), self.ranks[0], time.time_ns()))
        self.watchers.append(look)

    def run(self):
        getattr(self, self.words.mode.replace("-", "_"))()
        with open("pid", "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
        print("ready", stamp(), flush=True)
        for number in range(self.words.steps):
            if os.path.exists("stop"):
                break
            for watcher in list(self.watchers):
                watcher(number)
            for schedule in list(self.schedules):
                schedule.step(number)
            # As Megatron prints its iterations.
            print(f" iteration {number + 1:8d}/{self.words.steps:8d} | consumed samples: 1 |" if self.words.mode in ("llm", "static")
                  else f"step {number}", flush=True)
            while number == self.words.pause_at and not os.path.exists("go"):
                time.sleep(0.02)
            every = self.words.slow_every
            took = self.words.slow_ms if every and number % every == every - 1 else self.words.step_ms
            time.sleep(took / 1000)
            if every:
                print(f" iteration {number + 1:8d}/{self.words.steps:8d} | elapsed time per iteration (ms): {took:.1f} | loss: 1.0 |", flush=True)
        return int(self.writer.value) if self.writer.fault == "exit" else 0


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("mode")
    parser.add_argument("--samples")
    parser.add_argument("--config")
    parser.add_argument("--ranks", default="0")
    parser.add_argument("--steps", type=int, default=100000)
    parser.add_argument("--step-ms", type=float, default=20)
    parser.add_argument("--poll-ms", type=float, default=100)
    parser.add_argument("--between", type=float, default=0.0, help="seconds between two stages")
    parser.add_argument("--padding", type=int, default=0, help="bytes more in each result")
    parser.add_argument("--slow-every", type=int, default=0)
    parser.add_argument("--slow-ms", type=float, default=100)
    parser.add_argument("--pause-at", type=int, default=-1)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--daemon", default="", help="faults of the daemon, or unregistered")
    parser.add_argument("--fault", default="")
    parser.add_argument("--delay", type=float, default=0.05)
    return Job(*parser.parse_known_args()).run()


if __name__ == "__main__":
    sys.exit(main())
