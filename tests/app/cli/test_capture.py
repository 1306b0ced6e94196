#!/usr/bin/env python3
"""`capture methods` and `capture validate` (resources/help/reference/command-line.md).

The tables here are written anew from what the tools read, so that a configuration of ours is judged by something that
shares no code with it."""

import ast
import json
import os
import shlex
import sys
import types
import unittest
import unittest.mock

from support import FAILED, OK, WRONG_USAGE, CliTest, result, run, write

METHODS = ["mm-static", "mm-dynamic", "mm-snapshot", "mm-sora", "llm-flags", "rl-yaml", "mindspore-api",
           "mindspore-dynamic", "mindspore-env", "torch-api", "torch-dynamic", "msprof", "msprof-attach", "dyno-nputrace", "dyno-npumonitor",
           "verl", "vllm-ascend", "sglang", "mindie-service"]
LEVELS = {"Level0", "Level1", "Level2", "Level_none"}
METRICS = {"AiCoreNone", "PipeUtilization", "ArithmeticUtilization", "Memory", "MemoryL0", "MemoryUB",
           "ResourceConflictRatio", "L2Cache", "MemoryAccess"}
INT = int

# Every key that the tool reads, and what it takes: a type, a set of words, or a list of one.
DYNAMIC_EXPERIMENTAL = {
    "profiler_level": LEVELS, "aic_metrics": METRICS, "l2_cache": bool, "op_attr": bool,
    "gc_detect_threshold": (int, float, type(None)), "data_simplification": bool, "record_op_args": bool,
    "export_type": [{"text", "db"}], "msprof_tx": bool, "mstx": bool,
    "host_sys": [{"cpu", "mem", "disk", "network", "osrt", "numa"}], "mstx_domain_include": [str],
    "mstx_domain_exclude": [str], "sys_io": bool, "sys_interconnection": bool}
TORCH_DYNAMIC = {
    "activities": [{"CPU", "NPU"}], "prof_dir": str, "analyse": bool, "async_mode": bool, "record_shapes": bool,
    "profile_memory": bool, "with_stack": bool, "with_flops": bool, "with_modules": bool, "active": INT, "warmup": INT,
    "start_step": INT, "is_rank": bool, "rank_list": [INT], "experimental_config": DYNAMIC_EXPERIMENTAL}
STATIC_PARAM = {
    "level": {"level0", "level1", "level2"}, "with_stack": bool, "with_memory": bool, "record_shapes": bool,
    "with_cpu": bool, "save_path": str, "start_step": INT, "end_step": INT, "data_simplification": bool,
    "aic_metrics_type": {"PipeUtilization", "ArithmeticUtilization"}, "analyse_flag": bool}
PROFILE = {"enable": bool, "profile_type": {"static", "dynamic"}, "ranks": [INT], "static_param": STATIC_PARAM,
           "dynamic_param": {"config_path": str}}
MEMORY = {"enable": bool, "start_step": INT, "end_step": INT, "save_path": str, "dump_ranks": [INT],
          "stacks": {"python", "all"}, "max_entries": (int, type(None)), "mem_info": bool}
MINDSPORE_DYNAMIC = {
    "start_step": INT, "stop_step": INT, "aic_metrics": METRICS,
    "profiler_level": {"LevelNone", "Level0", "Level1", "Level2"}, "activities": [{"CPU", "NPU"}],
    "export_type": [{"text", "db"}], "profile_memory": bool, "mstx": bool, "parallel_strategy": bool, "with_stack": bool,
    "data_simplification": bool, "l2_cache": bool, "analyse": bool, "analyse_mode": INT, "record_shapes": bool,
    "prof_path": str, "mstx_domain_include": [str], "mstx_domain_exclude": [str],
    "host_sys": [{"cpu", "mem", "disk", "network", "osrt"}], "sys_io": bool, "sys_interconnection": bool}

MEGATRON = ["--profile", "--profile-step-start", "10", "--profile-step-end", "12", "--profile-ranks", "0", "8",
            "--profile-level", "level1", "--profile-export-type", "db", "--profile-with-cpu", "--profile-save-path", "./p"]
RL = """# top
text: |
  profiler_config:
    integrated: {profile: 5}
profiler_config:
  # in the section
  integrated:
    profile: false   # off
    stage:
      - actor_generate
      # between
      - actor_update
    profile-ranks: all
rl_config: {a: 1}
"""
RL_CHANGED = """# top
text: |
  profiler_config:
    integrated: {profile: 5}
profiler_config:
  # in the section
  integrated:
    profile: true   # off
    stage: [actor_update]
      # between
    profile-ranks: [0, 8]
    profile_export_type: db
rl_config: {a: 1}
"""


def sets(**values):
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


def validate(method, *words, status=OK, **values):
    return json.loads(result("capture", "validate", method, "--json", *words, *sets(**values), status=status))


class Configurations(CliTest):
    def assert_reads(self, value, takes, place=""):
        """The tool that reads by this table takes the value, and finds every key it needs."""
        if isinstance(takes, dict):
            self.assertEqual(sorted(value), sorted(takes), place)
            for key, inner in takes.items():
                self.assert_reads(value[key], inner, f"{place}.{key}")
        elif isinstance(takes, list):
            self.assertIsInstance(value, list, place)
            for item in value:
                self.assert_reads(item, takes[0], place)
        elif isinstance(takes, set):
            self.assertIn(value, takes, place)
        else:
            self.assertIsInstance(value, takes, place)
            self.assertEqual(isinstance(value, bool), takes is bool, place)

    def test_methods(self):
        methods = json.loads(result("capture", "methods", "--json"))
        self.assertEqual([method["name"] for method in methods], METHODS)
        for method in methods:
            self.assertIn("\n" + method["name"] + "\n", "\n" + result("capture", "methods"))
            for field in method["fields"]:
                self.assertLessEqual({"name", "type", "unit", "range", "default", "applies"}, set(field))

    def test_torch_dynamic(self):
        file = json.loads(validate("torch-dynamic", active=2, warmup=1, is_rank="true", rank_list="0,1",
                                   profiler_level="Level1", aic_metrics="PipeUtilization", export_type="db")["file"])
        self.assert_reads(file, TORCH_DYNAMIC)
        self.assertEqual((file["active"], file["warmup"], file["start_step"], file["rank_list"]), (2, 1, -1, [0, 1]))
        self.assertEqual(file["experimental_config"]["export_type"], ["db"])

    def test_mm_tools(self):
        tools = json.loads(validate("mm-static", ranks="0 8", level="level2", start_step=6, end_step=8)["file"])
        self.assert_reads(tools["profile"], PROFILE)
        self.assertEqual((tools["profile"]["enable"], tools["profile"]["ranks"]), (True, [0, 8]))
        self.assertEqual(tools["profile"]["static_param"]["end_step"], 8)
        tools = json.loads(validate("mm-dynamic", config_path="/shared/cfg")["file"])
        self.assert_reads(tools["profile"], PROFILE)
        self.assertEqual(tools["profile"]["profile_type"], "dynamic")
        tools = json.loads(validate("mm-snapshot", dump_ranks="0,4", end_step=4, max_entries=200000)["file"])
        self.assert_reads(tools["memory_profile"], MEMORY)
        self.assertFalse(tools["profile"]["enable"])
        tools = json.loads(validate("mm-sora", save_path="./f", extract_text_feature="true")["file"])
        self.assertEqual(tools["sorafeature"]["extract_text_feature"], True)

    def test_mm_file_is_completed(self):
        """MindSpeed-MM ends at its start if a key of the section is missing."""
        path = write(self.path("tools.json"), '{"mine": 1.50, "profile": {"ranks": [3], "static_param": {"level": "level0"}}}')
        tools = json.loads(validate("mm-static", "--file", path)["file"])
        self.assert_reads(tools["profile"], PROFILE)
        self.assertEqual((tools["profile"]["ranks"], tools["profile"]["static_param"]["level"]), ([3], "level0"))
        self.assertNotIn("memory_profile", tools)

    def test_a_file_without_the_section_gets_the_values_that_methods_lists(self):
        file = write(self.path("profile.json"), '{"x": 1}')
        for method in ("mm-static", "mm-dynamic", "mm-snapshot"):
            whole = json.loads(validate(method)["file"])
            completed = json.loads(validate(method, "--file", file)["file"])
            for section, values in completed.items():
                if section != "x":
                    self.assertEqual(values, whole[section], method)

    def test_mindspore(self):
        file = json.loads(validate("mindspore-dynamic", start_step=20, stop_step=22, profiler_level="Level1")["file"])
        self.assert_reads(file, MINDSPORE_DYNAMIC)
        old = json.loads(validate("mindspore-dynamic", version="2.4", start_step=1, stop_step=1, aicore_metrics=4)["file"])
        self.assertEqual((old["aicore_metrics"], old["profiler_level"], old["activities"]), (4, 0, 0))
        self.assertNotIn("aic_metrics", old)
        options = json.loads(validate("mindspore-env", output_path="/data/p", profiler_level="Level1",
                                      aic_metrics="PipeUtilization")["environment"]["MS_PROFILER_OPTIONS"])
        self.assertEqual(options, {"start": True, "output_path": "/data/p", "profiler_level": "Level1",
                                   "aic_metrics": "PipeUtilization"})

    def test_snippets_are_python(self):
        for version, name in (("2.3", "Profiler"), ("2.4", "Profiler"), ("2.5", "Profiler"), ("2.6", "profile")):
            snippet = validate("mindspore-api", version=version)["snippet"]
            calls = [node.func for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.Call)]
            self.assertIn(name, [getattr(call, "attr", None) or getattr(call, "id", None) for call in calls])

    def test_lines_for_torch_are_python_that_torch_npu_takes(self):
        """Arguments are those of profile(), schedule(), tensorboard_trace_handler() and _ExperimentalConfig() of its source."""
        def calls_of(**sets):
            snippet = validate("torch-api", **sets)["snippet"]
            return {ast.unparse(node.func): {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                    for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.Call)}, snippet
        module = "torch_npu.profiler."
        calls, snippet = calls_of(wait=1, warmup=2, active=3, repeat=4, skip_first=10, profiler_level="Level1",
                                  aic_metrics="PipeUtilization", export_type="text,db", host_sys="cpu,osrt", dir_name="./p")
        self.assertEqual(calls[module + "schedule"], {"wait": "1", "active": "3", "warmup": "2", "repeat": "4", "skip_first": "10"})
        self.assertEqual(calls[module + "tensorboard_trace_handler"]["dir_name"], "'./p'")
        config = calls[module + "_ExperimentalConfig"]
        self.assertLessEqual(set(config), {"profiler_level", "aic_metrics", "l2_cache", "op_attr", "gc_detect_threshold",
                                           "data_simplification", "record_op_args", "export_type", "host_sys", "mstx",
                                           "mstx_domain_include", "mstx_domain_exclude", "sys_io", "sys_interconnection"})
        self.assertEqual((config["profiler_level"], config["aic_metrics"], config["export_type"], config["host_sys"]),
                         (module + "ProfilerLevel.Level1", module + "AiCMetrics.PipeUtilization",
                          f"[{module}ExportType.Text, {module}ExportType.Db]",
                          f"[{module}HostSystem.CPU, {module}HostSystem.OSRT]"))
        self.assertLessEqual(set(calls[module + "profile"]), {"activities", "schedule", "on_trace_ready", "record_shapes",
                                                              "profile_memory", "with_stack", "with_flops", "with_modules",
                                                              "experimental_config"})
        self.assertEqual(calls[module + "profile"]["activities"],
                         f"[{module}ProfilerActivity.CPU, {module}ProfilerActivity.NPU]")
        self.assertNotIn("mstx", snippet)

    def test_ranges_for_torch_are_in_a_domain_that_is_recorded(self):
        snippet = validate("torch-api", mstx="true", mstx_domain_include="mine", profiler_level="Level_none")["snippet"]
        calls = []

        class Mstx:
            @staticmethod
            def mstx_range(name, domain):
                return lambda call: lambda batch: (calls.append(f"{name} in {domain}"), call(batch))

            @staticmethod
            def range_start(name, domain):
                calls.append(f"begin {name} in {domain}")
                return 7

            @staticmethod
            def range_end(number, domain):
                calls.append(f"end {number} in {domain}")

        class Profiler(unittest.mock.MagicMock):
            def step(self):
                calls.append("step")

        profiler = Profiler()
        profiler.__enter__.return_value = profiler
        torch_npu = types.SimpleNamespace(npu=types.SimpleNamespace(mstx=Mstx), profiler=unittest.mock.MagicMock())
        torch_npu.profiler.profile.return_value = profiler
        with unittest.mock.patch.dict(sys.modules, {"torch_npu": torch_npu}):
            exec(snippet, {"steps": 1, "load_batch": lambda: 5, "train_step": lambda batch: calls.append(f"train {batch}")})
        self.assertEqual(calls, ["begin load in mine", "end 7 in mine", "train_step in mine", "train 5", "step"])

    def test_ranges_for_mindspore(self):
        snippet = validate("mindspore-api", mstx="true")["snippet"]
        ast.parse(snippet)
        self.assertIn("mindspore.profiler.mstx.range_start", snippet)
        self.assertNotIn("mstx.range", validate("mindspore-api")["snippet"])

    def test_services_say_how_much_to_send(self):
        methods = {one["name"]: one for one in json.loads(result("capture", "methods", "--json"))}
        self.assertIn("max_tokens", methods["vllm-ascend"]["hint"])
        self.assertIn("10 prompts", methods["sglang"]["hint"])
        self.assertIsNone(methods["torch-api"]["hint"])

    def test_metadata_is_handed_on(self):
        plan = validate("torch-dynamic", metadata='{"run": 42, "tags": ["a"], "deep": {"x": null}}')
        self.assertEqual(json.loads(plan["file"])["metadata"], {"run": 42, "tags": ["a"], "deep": {"x": None}})
        path = write(self.path("profiler_config.json"), '{"metadata": {"b": 1, "a": 2}, "active": 1}')
        self.assertIn('"metadata": {"b": 1, "a": 2}', validate("torch-dynamic", "--file", path)["file"])
        self.assertNotIn("metadata", validate("torch-dynamic")["file"])

    def test_either_name_of_the_marks_opens_their_domains(self):
        for name in ("mstx", "msprof_tx"):
            self.assertTrue(validate("torch-dynamic", mstx_domain_include="a", **{name: "true"})["ok"])

    def test_what_only_new_versions_of_mindspore_know(self):
        def arguments(**sets):
            snippet = validate("mindspore-api", **sets)["snippet"]
            calls = [node for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.Call)]
            return {keyword.arg: ast.unparse(keyword.value) for call in calls for keyword in call.keywords}, snippet
        new, snippet = arguments(mstx="true", mstx_domain_include="a,b", host_sys="cpu,osrt", sys_io="true")
        self.assertEqual((new["mstx_domain_include"], new["host_sys"], new["sys_io"]),
                         ("['a', 'b']", "[HostSystem.CPU, HostSystem.OSRT]", "True"))
        self.assertIn("HostSystem, ", snippet)
        usual, snippet = arguments()
        self.assertEqual([name for name in usual if name in ("host_sys", "sys_io", "mstx_domain_include", "start_profile")], [])
        self.assertNotIn("HostSystem", snippet)

    def test_the_lines_of_mindspore_2_4_run_there(self):
        """They were those of 2.6: profile(), _ExperimentalConfig and tensorboard_trace_handler are not there before."""
        for version, warm_up in (("2.4", "warm_up"), ("2.5", "warmup")):
            snippet = validate("mindspore-api", version=version, profiler_level="Level1", aicore_metrics="PipeUtilization",
                               skip_first=3, warmup=2, active=4)["snippet"]
            calls = {ast.unparse(node.func): {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                     for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.Call)}
            self.assertEqual(calls["schedule"], {"wait": "0", warm_up: "2", "active": "4", "repeat": "1", "skip_first": "3"})
            taken = {"output_path", "profiler_level", "activities", "schedule", "on_trace_ready", "profile_memory",
                     "aicore_metrics", "with_stack", "data_simplification", "l2_cache", "hbm_ddr", "pcie", "data_process",
                     "parallel_strategy"}
            self.assertLessEqual(set(calls["Profiler"]), taken)
            self.assertEqual((calls["Profiler"]["profiler_level"], calls["Profiler"]["aicore_metrics"],
                              calls["Profiler"]["on_trace_ready"]),
                             ("ProfilerLevel.Level1", "AicoreMetrics.PipeUtilization", "tensor_board_trace_handler"))
            for name in ("_ExperimentalConfig", "tensorboard_trace_handler", "ExportType", "profile("):
                self.assertNotIn(name, snippet)

    def test_callbacks_of_mindspore_record_from_step_to_step(self):
        """Graph mode has no loop of its own: the lines of a loop recorded nothing there. They run here on a stand-in."""
        for version in ("2.3", "2.4", "2.5", "2.6"):
            for program in ("step", "epoch"):
                with self.subTest(version=version, program=program):
                    snippet = validate("mindspore-api", version=version, program=program, start=3, stop=5)["snippet"]
                    self.assertEqual(self.calls_of(snippet, program), ["made", "start 3", *self.steps_of(version, program), "stop 5"] +
                                     (["analyse 5"] if version != "2.6" else []))

    @staticmethod
    def steps_of(version, program):
        return ["step 3", "step 4", "step 5"] if (version, program) == ("2.6", "step") else []

    @staticmethod
    def calls_of(snippet, program):
        """What the callback has the profiler do in a job of seven steps or epochs."""
        calls, number, given = [], [0], []

        class Profiler:
            def __init__(self, *_, start_profile=True, **__):
                assert not start_profile
                calls.append("made")

            def __getattr__(self, name):
                return lambda: calls.append(f"{name} {number[0]}")

        class Anything:
            def __getattr__(self, _):
                return Anything()

            def __call__(self, *_, **__):
                return Anything()

            def train(self, epochs, dataset, callbacks):
                given.extend(callbacks)

        modules = {"mindspore": types.ModuleType("mindspore"), "mindspore.profiler": types.ModuleType("mindspore.profiler")}
        for name in ("ProfilerLevel", "AicoreMetrics", "ProfilerActivity", "ExportType", "schedule", "_ExperimentalConfig",
                     "tensorboard_trace_handler"):
            setattr(modules["mindspore.profiler"], name, Anything())
        modules["mindspore.profiler"].profile = Profiler
        modules["mindspore"].Callback, modules["mindspore"].Profiler = object, Profiler
        modules["mindspore"].profiler = modules["mindspore.profiler"]
        with unittest.mock.patch.dict(sys.modules, modules):
            exec(compile(snippet, "snippet", "exec"), {"model": Anything(), "epochs": 1, "dataset": None})  # noqa: S102
        (recording,) = given
        for step in range(1, 8):
            number[0] = step
            context = types.SimpleNamespace(original_args=lambda: types.SimpleNamespace(**{f"cur_{program}_num": number[0]}))
            getattr(recording, f"on_train_{program}_begin")(context)
            getattr(recording, f"on_train_{program}_end")(context)
        return calls

    def test_a_recording_behind_the_end_of_the_job(self):
        def codes(status=OK, **values):
            problems = validate("mindspore-api", status=status, **values)["problems"]
            return [(problem["field"], problem["severity"]) for problem in problems if problem["code"] == "capture.rule.beyond_job"]
        self.assertEqual(codes(skip_first=4, warmup=1, active=2, job_steps=7), [])
        self.assertEqual(codes(skip_first=4, warmup=1, active=3, job_steps=7, status=FAILED), [("active", "error")])
        self.assertEqual(codes(skip_first=1, warmup=1, active=2, repeat=3, job_steps=7), [("repeat", "warning")])
        self.assertEqual(codes(program="step", start=2, stop=8, job_steps=7, status=FAILED), [("stop", "error")])
        self.assertEqual(codes(program="epoch", start=2, stop=8, job_steps=7), [])

    def test_a_machine_without_a_program(self):
        self.assertEqual(validate("msprof", output="/d", sys_devices="0,1", sys_period=5)["command"],
                         ["msprof", "--output=/d", "--sys-devices=0,1", "--sys-period=5"])
        self.assertEqual(validate("msprof", output="/d", sys_devices="all", sys_period=5, delay="null")["command"],
                         ["msprof", "--output=/d", "--sys-devices=all", "--sys-period=5"])

    def test_options(self):
        plan = validate("llm-flags", profile_ranks="0 8", profile_level="level1", profile_export_type="db",
                        profile_with_cpu="true", profile_save_path="./p")
        self.assertEqual(plan["command"], MEGATRON)
        self.assertEqual(shlex.split(result("capture", "validate", "llm-flags", *sets(profile_save_path="a b")))[-1], "a b")
        section = validate("llm-flags", backend="fsdp2")["file"]
        self.assertIn("\n  profile_step_end: -1\n", section)
        self.assertEqual(validate("msprof", application="python3 train.py", output="/d", type="db")["command"],
                         ["msprof", "--output=/d", "--type=db"])
        self.assertEqual(validate("msprof-attach", pid=4242, output="/d")["command"],
                         ["msprof", "--dynamic=on", "--pid=4242", "--output=/d"])

    def test_fsdp2_has_its_section_of_the_yaml_file(self):
        text = "tools:\n  profile:\n    enable: false\n    static_param: {with_cpu: true}\n  tensorboard:\n    enable: true\n"
        path = write(self.path("train.yaml"), text)
        plan = validate("mm-static", "--file", path, backend="fsdp2", start_step=3, end_step=5)
        self.assertEqual(plan["file"], text.replace("enable: false\n    static_param: {with_cpu: true}\n",
                                                    "enable: true\n    static_param: {with_cpu: true, start_step: 3, end_step: 5}\n"
                                                    "    profile_type: static\n"))
        new = validate("mm-static", backend="fsdp2")["file"]
        for line in ("tools:\n  profile:\n    enable: true\n", "    ranks: [0]\n", "      with_cpu: false\n", "      save_path: ./profiling\n"):
            self.assertIn(line, new)
        self.assertIn("tools:\n  memory_profile:\n    enable: true\n    start_step: 1\n", validate("mm-snapshot", backend="fsdp2")["file"])
        self.assertIn("{", validate("mm-static")["file"])
        path = write(self.path("llm.yaml"), "training:\n  lr: 1.0e-4 # x\n  profile_step_end: 9\n")
        self.assertEqual(validate("llm-flags", "--file", path, backend="fsdp2", profile_step_start=4)["file"],
                         "training:\n  lr: 1.0e-4 # x\n  profile_step_end: 9\n  profile: true\n  profile_step_start: 4\n")

    def test_tools_as_a_yaml_file(self):
        """What --mm-tool names may be YAML; it has the keys of tools.json, all of them."""
        text = "# mine\nprofile:\n  ranks: [3]   # one\n  static_param:\n    level: level0\nmine: 1.50\n"
        path = write(self.path("tools.yaml"), text)
        changed = validate("mm-static", "--file", path, start_step=4, end_step=6)["file"]
        for line in ("# mine\nprofile:\n  ranks: [3]   # one\n", "mine: 1.50\n", "  enable: true\n", "    start_step: 4\n", "    with_cpu: true\n",
                     "    level: level0\n", "  dynamic_param:\n    config_path: ./profiler_config\n", "  profile_type: static\n"):
            self.assertIn(line, changed)
        self.assertNotIn("tools:", changed)
        self.assertNotIn("memory_profile", changed)
        self.assertIn("  max_entries: null\n", validate("mm-snapshot", "--file", path)["file"])
        problems = validate("mm-static", "--file", write(self.path("tools.yaml"), "a: 1\n---\nb: 2\n"), status=FAILED)["problems"]
        self.assertEqual(problems[0]["code"], "capture.file.bad_yaml")

    def test_yaml_keeps_the_rest(self):
        path = write(self.path("run.yaml"), RL)
        plan = validate("rl-yaml", "--file", path, stage="actor_update", profile_ranks="0,8", profile_export_type="db")
        self.assertEqual(plan["file"], RL_CHANGED)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), RL)

    def test_json_keeps_the_rest(self):
        text = '{ "active":1,"mine" : 1.50,\n  "start_step": 0, "experimental_config": {"zzz": [1,2]} }\n'
        path = write(self.path("profiler_config.json"), text)
        plan = validate("torch-dynamic", "--file", path, active=3, export_type="db")
        self.assertEqual(plan["file"], '{ "active":3,"mine" : 1.50,\n  "start_step": -1, '
                                       '"experimental_config": {"zzz": [1,2], "export_type": ["db"]} }\n')
        diff = result("capture", "validate", "torch-dynamic", "--file", path, "--set", "active=3")
        self.assertIn('\n-{ "active":1,"mine" : 1.50,\n', diff)
        self.assertIn('\n+{ "active":3,"mine" : 1.50,\n', diff)
        self.assertEqual(os.listdir(self.folder), ["profiler_config.json"])


class Refused(CliTest):
    def wrong(self, method, *words, **values):
        problems = validate(method, *words, status=FAILED, **values)["problems"]
        return sorted({problem["field"] for problem in problems if problem["severity"] == "error"})

    def test_each_wrong_field_is_named(self):
        self.assertEqual(self.wrong("torch-dynamic", active=0, start_step=0, with_stack="maybe", nonsense=1),
                         ["active", "nonsense", "start_step", "with_stack"])
        done = run("capture", "validate", "torch-dynamic", "--set", "active=0")
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assertIn("active: ", done.stderr)

    def test_what_tools_would_silently_replace(self):
        for field, method, values in (
                ("aic_metrics", "torch-dynamic", {"aic_metrics": "PipeUtilization"}),
                ("mstx", "torch-dynamic", {"profiler_level": "Level_none"}),
                ("op_attr", "torch-dynamic", {"op_attr": "true"}),
                ("gc_detect_threshold", "torch-dynamic", {"gc_detect_threshold": -1}),
                ("gc_detect_threshold", "torch-dynamic", {"gc_detect_threshold": 5, "activities": "NPU"}),
                ("mstx_domain_include", "torch-dynamic", {"mstx_domain_include": "a"}),
                ("mstx_domain_exclude", "torch-dynamic",
                 {"mstx": "true", "mstx_domain_include": "a", "mstx_domain_exclude": "b"}),
                ("host_sys", "torch-dynamic", {"host_sys": "cpu,gpu"}),
                ("end_step", "mm-static", {"start_step": 5, "end_step": 5}),
                ("ranks", "mm-static", {"ranks": "-1,0"}),
                ("level", "mm-static", {"level": "level_none"}),
                ("dump_ranks", "mm-snapshot", {"dump_ranks": "-1"}),
                ("dump_ranks", "mm-snapshot", {"backend": "fsdp2", "dump_ranks": "null"}),
                ("profile_step_start", "llm-flags", {"profile_step_start": 0}),
                ("profile_step_end", "llm-flags", {"profile_step_end": -1}),
                ("stage", "rl-yaml", {"stage": "all,actor_update"}),
                ("mstx", "rl-yaml", {"profile_level": "level_none"}),
                ("profile_with_npu", "rl-yaml", {"profile_with_cpu": "false", "profile_with_npu": "false"}),
                ("stop_step", "mindspore-dynamic", {"start_step": 5, "stop_step": 4}),
                ("start_step", "mindspore-dynamic", {"start_step": 0, "stop_step": 4}),
                ("aic_metrics", "mindspore-dynamic",
                 {"start_step": 4, "stop_step": 4, "profiler_level": "Level1", "aic_metrics": "AiCoreNone"}),
                ("mstx", "mindspore-dynamic", {"start_step": 4, "stop_step": 4, "profiler_level": "LevelNone"}),
                ("record_shapes", "mindspore-dynamic",
                 {"start_step": 4, "stop_step": 4, "record_shapes": "true", "activities": "NPU"}),
                ("mstx", "mindspore-api", {"profiler_level": "LevelNone"}),
                ("record_shapes", "mindspore-api", {"record_shapes": "true", "activities": "NPU"}),
                ("data_process", "mindspore-api", {"data_process": "true"}),
                ("start_profile", "mindspore-api", {"start_profile": "false"}),
                ("start_profile", "mindspore-api", {"version": "2.5", "start_profile": "false"}),
                ("start_profile", "mindspore-api", {"version": "2.3", "start_profile": "false"}),
                ("stop", "mindspore-api", {"program": "step", "start": 5, "stop": 4}),
                ("active", "mindspore-api", {"program": "epoch", "active": 4}),
                ("aic_metrics", "mindspore-env",
                 {"output_path": "/d", "profiler_level": "Level2", "aic_metrics": "AicoreNone"}),
                ("output_path", "mindspore-env", {"output_path": "here"}),
                ("output_path", "mindspore-env", {"output_path": "/d/a+b"}),
                ("prof_path", "mindspore-dynamic", {"start_step": 4, "stop_step": 4, "prof_path": "/d/o'clock"}),
                ("mstx", "mindspore-env", {"output_path": "/d", "profiler_level": "LevelNone"}),
                ("start_profile", "mindspore-env", {"output_path": "/d", "start_profile": "false"}),
                ("record_shapes", "mindspore-env", {"output_path": "/d", "record_shapes": "true", "activities": "NPU"}),
                ("mstx_domain_exclude", "mindspore-env",
                 {"output_path": "/d", "mstx": "true", "mstx_domain_include": "a", "mstx_domain_exclude": "b"}),
                ("aic_freq", "msprof", {"aic_freq": 50}),
                ("output", "msprof", {"output": "/d;x"}),
                ("aic_metrics_type", "mm-static", {"level": "level0", "aic_metrics_type": "ArithmeticUtilization"}),
                ("save_path", "mm-static", {"save_path": ""}),
                ("dump_ranks", "mm-snapshot", {"dump_ranks": "[]"}),
                ("profile_save_path", "rl-yaml", {"profile_save_path": ""}),
                ("metadata", "torch-dynamic", {"metadata": "run 42"}),
                ("metadata", "torch-dynamic", {"metadata": json.dumps({"a": ["x" * 4097]})}),
                ("metadata", "torch-dynamic", {"metadata": json.dumps({"a": ["x" * 4000] * 13})}),
                ("metadata", "torch-dynamic", {"metadata": '{"a": ' + "[" * 50000 + "]" * 50000 + "}"}),
                ("mstx_domain_exclude", "mindspore-api", {"mstx": "true", "mstx_domain_include": "a", "mstx_domain_exclude": "b"}),
                ("ascend_job_id", "mindspore-api", {"version": "2.3", "ascend_job_id": "job"}),
                ("output_path", "mindspore-api", {"version": "2.3", "output_path": "/" + "a" * 2048}),
                ("host_sys_usage_freq", "msprof", {"host_sys_usage_freq": 10}),
                ("sys_period", "msprof", {"output": "/d", "sys_devices": "all"}),
                ("output", "msprof", {"sys_devices": "0,1", "sys_period": 5}),
                ("host_sys_pid", "msprof", {"output": "/d", "sys_devices": "0", "sys_period": 5, "host_sys": "cpu"}),
                ("pid", "msprof-attach", {})):
            with self.subTest(method=method, values=values):
                self.assertEqual(self.wrong(method, **values), [field])
        self.assertEqual(validate("llm-flags", backend="fsdp2", profile_step_end=-1)["ok"], True)
        self.assertEqual(validate("mindspore-dynamic", start_step=4, stop_step=4)["ok"], True)

    def test_a_path_that_only_old_versions_refuse_is_a_warning(self):
        for path, expected in (("/data/o'clock", ["capture.field.path_maybe_refused"]), ("/data/\u6570\u636e 1/a-b_c.d~", [])):
            plan = validate("torch-dynamic", prof_dir=path)
            self.assertTrue(plan["ok"])
            self.assertEqual([p["code"] for p in plan["problems"] if p["field"] == "prof_dir"], expected, path)
        self.assertEqual(self.wrong("msprof-attach", pid=1, output="/d/o'clock"), ["output"])
        self.assertTrue(validate("msprof-attach", pid=1, output="/d/a+b")["ok"])

    def test_a_list_is_no_value_of_what_takes_one(self):
        """The job's tool would get a list, and the job died at its start."""
        lists = {"list of integers", "list of choices", "list of texts"}
        for method in json.loads(run("capture", "methods", "--json").stdout):
            for field in method["fields"]:
                if field["type"] in lists:
                    continue
                flavours = [f["name"] for f in method["fields"] if f["name"] in ("version", "backend", "form", "service")]
                sets = [f"{flavours[0]}={field['versions'].split()[0]}"] if flavours and field["versions"] else []
                done = run("capture", "validate", method["name"], "--json",
                           *[word for text in (*sets, f"{field['name']}=[]") for word in ("--set", text)])
                self.assertEqual(done.returncode, FAILED, (method["name"], field))
                wrong = [p["field"] for p in json.loads(done.stdout)["problems"] if p["severity"] == "error"]
                self.assertIn(field["name"], wrong, (method["name"], field))

    def test_files(self):
        for method, text in (("torch-dynamic", "{"), ("torch-dynamic", '{"active": 1,}'), ("mm-static", "[]"),
                             ("rl-yaml", "a: 1\n---\nb: 2\n")):
            path = write(self.path("config"), text)
            problems = validate(method, "--file", path, status=FAILED)["problems"]
            self.assertTrue(any(problem["code"].startswith("capture.file.bad_") for problem in problems), problems)
        path = write(self.path("run.yaml"), "profiler_config:\n  integrated:\n    profile: true\n    ours: 1\n")
        self.assertEqual(self.wrong("rl-yaml", "--file", path), ["ours"])
        path = write(self.path("config.json"), '{"active": "two"}')
        self.assertEqual(self.wrong("torch-dynamic", "--file", path), ["active"])

    def test_a_file_of_the_other_framework_is_not_changed(self):
        """Both name theirs profiler_config.json; the tool would read none of the other's keys, and never record."""
        for method, text, sets in (("torch-dynamic", '{"start_step": 5, "stop_step": 7}', {}),
                                   ("mindspore-dynamic", '{"active": 1, "experimental_config": {}}', {"start_step": 5, "stop_step": 6})):
            path = write(self.path("profiler_config.json"), text)
            problems = validate(method, "--file", path, status=FAILED, **sets)["problems"]
            self.assertIn("capture.rule.other_framework", [problem["code"] for problem in problems])
        for text in ('{"active": 1, "stop_step": 2}', "{}"):
            self.assertTrue(validate("torch-dynamic", "--file", write(self.path("profiler_config.json"), text))["ok"])

    def test_the_same_steps_again_are_reported(self):
        path = write(self.path("profiler_config.json"), '{"start_step": 5, "stop_step": 7}')

        def codes(**sets):
            return [problem["code"] for problem in validate("mindspore-dynamic", "--file", path, **sets)["problems"]]
        self.assertIn("capture.rule.same_steps", codes())
        self.assertIn("capture.rule.same_steps", codes(start_step=5, stop_step=7))
        self.assertNotIn("capture.rule.same_steps", codes(stop_step=8))

    def test_a_mark_of_the_encoding_breaks_no_file(self):
        """Python's parser takes no JSON with it, PyYAML does; text behind the end is none of either."""
        for text in ("\ufeff{\"active\": 1}\n", "{\"active\": 1}\0"):
            problems = validate("torch-dynamic", "--file", write(self.path("profiler_config.json"), text), status=FAILED)["problems"]
            self.assertEqual([problem["code"] for problem in problems], ["capture.file.bad_json"])
        text = "\ufeffprofiler_config:\n  integrated:\n    profile: false\n    mstx: true\n"
        self.assertEqual(validate("rl-yaml", "--file", write(self.path("run.yaml"), text))["file"], text.replace("false", "true"))

    def test_usage(self):
        for words in ([], ["frobnicate"], ["methods", "x"], ["validate"], ["validate", "frobnicate"],
                      ["validate", "torch-dynamic", "--set"], ["validate", "torch-dynamic", "--set", "active"],
                      ["validate", "torch-dynamic", "--frobnicate"], ["validate", "msprof", "--file", "x"]):
            done = run("capture", *words)
            self.assertEqual((done.returncode, done.stdout), (WRONG_USAGE, ""), words)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
