#!/usr/bin/env python3
"""`capture ... verl`: overrides of Hydra and the YAML file, by the names of verl's own configuration."""

import json
import os
import shlex
import sys
import unittest

from capture_support import CaptureTest, names_below, read
from support import FAILED, info

ACTOR, ROLLOUT = "actor_rollout_ref.actor.profiler.", "actor_rollout_ref.rollout.profiler."
GOLDEN = ["global_profiler.tool=npu", "global_profiler.steps=[2,4]", "global_profiler.profile_continuous_steps=false",
          "global_profiler.save_path=/d/prof", ACTOR + "enable=true", ACTOR + "all_ranks=false", ACTOR + "ranks=[0,8]",
          ACTOR + "tool_config.npu.contents=[npu,cpu,shapes]", ACTOR + "tool_config.npu.level=level1",
          ACTOR + "tool_config.npu.analysis=true", ACTOR + "tool_config.npu.discrete=true",
          "actor_rollout_ref.ref.profiler.enable=false", ROLLOUT + "enable=true", ROLLOUT + "all_ranks=true",
          ROLLOUT + "tool_config.npu.contents=[npu,cpu]", ROLLOUT + "tool_config.npu.level=level0",
          ROLLOUT + "tool_config.npu.analysis=true", ROLLOUT + "tool_config.npu.discrete=true",
          ROLLOUT + "tool_config.npu.profile_token_start=30", ROLLOUT + "tool_config.npu.profile_token_end=60",
          "critic.profiler.enable=false"]
FILE = """defaults:
  - ppo_trainer
  - _self_
global_profiler:
  steps: null   # off
actor_rollout_ref:
  actor:
    profiler: {enable: false}
  rollout:
    profiler:
      enable: ${oc.select:actor_rollout_ref.actor.profiler.enable,false}
      ranks: "${oc.select:actor_rollout_ref.actor.profiler.ranks,[]}"
trainer: {n_gpus_per_node: 8}
"""


class Verl(CaptureTest):
    def validate(self, *words, status=0, **settings):
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        return json.loads(self.capture("validate", "verl", "--json", *words, *sets, status=status))

    def wrong(self, *words, **settings):
        problems = self.validate(*words, status=FAILED, **settings)["problems"]
        return sorted({problem["field"] for problem in problems if problem["severity"] == "error"})

    def test_golden_overrides(self):
        plan = self.validate(steps="2,4", save_path="/d/prof", actor_ranks="0 8", actor_contents="npu,cpu,shapes", actor_level="level1",
                             actor_discrete="true", rollout_enable="true", rollout_all_ranks="true", rollout_discrete="true",
                             rollout_token_start=30, rollout_token_end=60)
        self.assertEqual(plan["command"], GOLDEN)

    def test_a_path_as_hydra_reads_it(self):
        """In quotes a backslash counts before a quote only (OverrideLexer.g4)."""
        for path, written in (("outputs/a-b_1", "outputs/a-b_1"), ("/d/my runs", "'/d/my runs'"), ("/d/it's", "'/d/it\\'s'"),
                              ("/d/a\\b\\", "'/d/a\\b\\\\'"), ("1e3", "'1e3'"), ("/d/a=b,c", "'/d/a=b,c'")):
            command = self.validate(save_path=path)["command"]
            self.assertIn("global_profiler.save_path=" + written, command)

    def test_what_verl_would_not_record(self):
        for settings, fields in (({"steps": "[]"}, ["steps"]), ({"steps": 0}, ["steps"]), ({"actor_enable": "false"}, ["actor_enable"]),
                                 ({"rollout_enable": "true"}, ["rollout_discrete"]),
                                 ({"profile_continuous_steps": "true", "actor_discrete": "true"}, ["profile_continuous_steps"]),
                                 ({"rollout_token_start": 3}, ["rollout_token_start"]),
                                 ({"rollout_enable": "true", "rollout_discrete": "true", "rollout_token_start": 9, "rollout_token_end": 9},
                                  ["rollout_token_end"]),
                                 ({"actor_contents": "npu,gpu"}, ["actor_contents"]), ({"actor_level": "Level1"}, ["actor_level"]),
                                 ({"ref_level": "level1"}, ["ref_level"]), ({"tool": "nsys"}, ["tool"]),
                                 ({"actor_all_ranks": "true", "actor_ranks": "0,1"}, ["actor_ranks"])):
            with self.subTest(settings=settings):
                self.assertEqual(self.wrong(**settings), fields)
        codes = [problem["code"] for problem in self.validate(actor_contents="cpu")["problems"]]
        self.assertIn("capture.rule.verl_no_npu", codes)

    def file(self, text=FILE):
        path = self.path("run.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_the_file_keeps_what_nobody_sets(self):
        """What OmegaConf puts in has no value of its own here, and what follows the actor would follow it still."""
        changed = self.validate("--file", self.file(), form="yaml", steps=3, actor_enable="true", actor_all_ranks="true")["file"]
        self.assertIn("defaults:\n  - ppo_trainer\n  - _self_\n", changed)
        self.assertIn("  steps: [3]   # off\n", changed)
        self.assertIn("trainer: {n_gpus_per_node: 8}\n", changed)
        self.assertIn("enable: true", changed)
        self.assertIn("contents: [npu, cpu]", changed)
        # The rollout's own switch is written, or it would record with the actor.
        self.assertIn("    profiler:\n      enable: false\n", changed)
        self.assertIn('      ranks: "${oc.select:actor_rollout_ref.actor.profiler.ranks,[]}"\n', changed)
        self.assertNotIn("critic:\n  profiler:\n    all_ranks", changed)

    def test_overrides(self):
        launch = shlex.join(self.job_words("verl", "--ranks", "0,1,8", "--steps", "20"))
        capture = self.start("verl", "--launch", launch, "--workdir", self.work, "--wait", "--fetch", self.path("fetched"), steps="2,4",
                             save_path="my runs/x", actor_ranks="0,8")
        self.assertEqual(self.session(capture)["state"], "done")
        # One for each step.
        self.assertEqual(len(os.listdir(self.fetched("train"))), 4)
        self.assertEqual([rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]], [0, 8])

    def test_yaml_file(self):
        path = self.file("global_profiler:\n  steps: null\nactor_rollout_ref:\n  hybrid_engine: true\n")
        before = read(path)
        launch = shlex.join(self.job_words("verl", "--config", path, "--ranks", "0,1", "--steps", "20"))
        self.start("verl", "--file", path, "--launch", launch, "--workdir", self.work, "--wait", "--fetch", self.path("fetched"),
                   form="yaml", steps=2, actor_all_ranks="true", rollout_enable="true", rollout_all_ranks="true", rollout_discrete="true")
        self.assertEqual(read(path), before)
        self.assertEqual(len(os.listdir(self.fetched("train"))), 2)
        self.assertEqual(len(os.listdir(self.fetched("agent_loop_rollout_replica_0"))), 2)
        self.assertTrue(names_below(self.path("fetched")))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
