#!/usr/bin/env python3
"""Rows that are computed from events, against what the profiler summed up itself; findings against faults that were planted."""

import json
import os
import shutil
import sqlite3
import unittest

from support import SHARED, CliTest, info, needs_captures, result, rows

SUMMARIES = ("step_trace_time", "op_statistic", "api_statistic", "communication")
TIMES = {
    "step_breakdown": ("step", ("computing", "communication", "not_overlapped", "overlapped", "free", "stage", "bubble",
                                "not_overlapped_excl_receive", "preparing")),
    "op_stat": ("name, core_type, count", ("total", "min", "avg", "max")),
    "api_stat": ("level, name, count", ("total", "min", "avg", "max")),
    # The name of a group is only in communication.json where the timeline numbers its groups.
    "collective": ("step, kind, op_name", ("ts", "elapsed", "transit", "wait", "synchronization", "idle")),
}
TOLERANCE = 1000
# (sample, table, column) -> tolerance in ns, and why the recorded value is the one that is off.
FAULTS = {
    ("torch_db/level1", "collective", "ts"):
        (25_000, "all starts in analysis.db are off by one constant per rank, 13.4 and -21.4 us, from those in the profiler's own database"),
}
SAMPLES = ("torch_text/level0", "torch_text/level1", "torch_db/level1", "raw/torch/expected", "raw/small/expected",
           "raw/flip_ffts/expected")


def without_overlap_lanes(trace):
    """The text of a trace without the process Overlap Analysis; every other event stays as it is, to the byte."""
    with open(trace, encoding="utf-8") as file:
        text = file.read()
    decoder, events, place = json.JSONDecoder(), [], text.index("[") + 1
    while True:
        while text[place] in ", \t\r\n":
            place += 1
        if text[place] == "]":
            break
        event, end = decoder.raw_decode(text, place)
        events.append((event, text[place:end]))
        place = end
    lanes = {str(event.get("pid")) for event, _ in events
             if event.get("name") == "process_name" and event["args"]["name"] == "Overlap Analysis"}
    return "[" + ",\n".join(raw for event, raw in events if str(event.get("pid")) not in lanes) + text[place:]


def strip(capture):
    """Takes everything out of a copy that the computed rows could have been read from."""
    for where, folders, names in os.walk(capture):
        os.chmod(where, 0o755)
        for name in [*folders, *names]:
            os.chmod(os.path.join(where, name), 0o755)
        for name in names:
            path = os.path.join(where, name)
            if name.startswith(SUMMARIES) or name == "analysis.db":
                os.remove(path)
            elif name.endswith(".db"):
                with sqlite3.connect(path) as database:
                    database.execute("DROP TABLE IF EXISTS OVERLAP_ANALYSIS")
                database.close()
            elif name.endswith(".json") and (name == "trace_view.json" or name.startswith("msprof")):
                text = without_overlap_lanes(path)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)


def table(capture, name, origin):
    keys, times = TIMES[name]
    found = rows(capture, f"SELECT rank_id, {keys}, {', '.join(times)} FROM {name} WHERE origin = '{origin}'")
    split = len(keys.split(",")) + 1
    return {row[:split]: dict(zip(times, row[split:])) for row in found}


class Truth(CliTest):
    @needs_captures
    def test_real_samples_without_their_summaries(self):
        for sample in SAMPLES:
            original, copy = os.path.join(SHARED, sample), self.path(sample.replace("/", "_"))
            shutil.copytree(original, copy)
            strip(copy)
            for name in TIMES:
                with self.subTest(sample=sample, table=name):
                    recorded, computed = table(original, name, "recorded"), table(copy, name, "computed")
                    self.assertEqual(table(copy, name, "recorded"), {})
                    self.assertEqual(table(original, name, "computed"), computed)
                    if recorded:
                        self.assertEqual(sorted(map(str, computed)), sorted(map(str, recorded)))
                    for key, times in recorded.items():
                        for column, value in times.items():
                            tolerance, _ = FAULTS.get((sample, name, column), (TOLERANCE, ""))
                            if value is not None:
                                self.assertAlmostEqual(computed[key][column], value, delta=tolerance, msg=f"{key} {column}")

    @needs_captures
    def test_the_variance_of_calls_is_that_of_the_file(self):
        capture = os.path.join(SHARED, "torch_text/level1")
        found = rows(capture, "SELECT max(abs(a.variance - b.variance)) FROM api_stat a JOIN api_stat b USING (rank_id, level, name) "
                              "WHERE a.origin = 'recorded' AND b.origin = 'computed'")
        self.assertLessEqual(found[0][0], 1000)  # the file prints us^2 with three decimals: 1000 ns^2

    @needs_captures
    def test_tasks_that_wait_are_no_kernels_where_only_the_timeline_tells(self):
        for sample in ("torch_text/level0", "torch_text/level1"):
            original, copy = os.path.join(SHARED, sample), self.path(sample.replace("/", "_"))
            shutil.copytree(original, copy)
            strip(copy)
            for where, _, names in os.walk(copy):
                if "kernel_details.csv" in names:
                    os.remove(os.path.join(where, "kernel_details.csv"))
            recorded, computed = table(original, "step_breakdown", "recorded"), table(copy, "step_breakdown", "computed")
            self.assertEqual({key[0] for key in computed}, {0, 1}, sample)
            for rank in (0, 1):
                found, = (times for key, times in computed.items() if key[0] == rank)
                expected, = (times for key, times in recorded.items() if key[0] == rank)
                for column in ("computing", "not_overlapped", "communication"):
                    self.assertAlmostEqual(found[column], expected[column], delta=expected[column] / 100, msg=f"{sample} {rank} {column}")

    @needs_captures
    def test_nothing_is_computed_without_events(self):
        for sample in ("torch_cluster_level2", "test_ranks", "cluster_text"):
            for name in TIMES:
                if name != "op_stat":
                    self.assertEqual(rows(os.path.join(SHARED, sample), f"SELECT * FROM {name} WHERE origin = 'computed'"), [], sample)

    @needs_captures
    def test_kernels_without_a_timeline_give_operators(self):
        self.assertEqual(rows(os.path.join(SHARED, "cluster_text"), "SELECT * FROM op_stat"), [])
        capture = os.path.join(SHARED, "torch_cluster_level2")
        recorded, computed = table(capture, "op_stat", "recorded"), table(capture, "op_stat", "computed")
        self.assertTrue(computed)
        self.assertEqual(sorted(map(str, recorded)), sorted(map(str, computed)))
        for key, times in recorded.items():
            for column, value in times.items():
                self.assertAlmostEqual(computed[key][column], value, delta=TOLERANCE, msg=f"{key} {column}")

    def test_generated_captures(self):
        # 16 ranks: pipeline stages, receives and experts. A database holds the same times.
        for ranks, words in ((2, ("--format", "text", "--seed", "5", "--steps", "3")), (16, ("--layers", "2", "--seed", "6")),
                             (2, ("--format", "db", "--layers", "1")), (2, ("--format", "mindspore", "--layers", "1"))):
            capture = self.path("-".join(words))
            result("generate", capture, "--ranks", str(ranks), *words)
            with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
                truth = json.load(file)
            expected = [(rank["rank_id"], step["step"], step["computing"], step["communication"], step["not_overlapped"], step["free"])
                        for rank in truth["ranks"] for step in rank["steps"]]
            found = rows(capture, "SELECT rank_id, step, computing, communication, not_overlapped, free FROM step_breakdown "
                                  "WHERE origin = 'computed' ORDER BY rank_id, step")
            self.assertEqual(found, expected, words)


class Origin(CliTest):
    def test_rows_of_both_origins_have_ids_of_their_own(self):
        capture = self.path("run")
        result("generate", capture, "--ranks", "2", "--steps", "2", "--layers", "1")
        for name in TIMES:
            counts = dict(rows(capture, f"SELECT origin, count(*) FROM {name} GROUP BY 1"))
            self.assertEqual(counts["recorded"], counts["computed"], name)
            ids = rows(capture, f"SELECT rowid, origin, rank_id FROM {name}")
            self.assertEqual(len({number for number, _, _ in ids}), len(ids), name)
            for number, origin, rank in (ids[0], ids[-1], ids[len(ids) // 2]):
                self.assertEqual(rows(capture, f"SELECT origin, rank_id FROM {name} WHERE rowid = {number}"), [(origin, rank)])
            for origin in ("recorded", "computed"):
                self.assertEqual(rows(capture, f"SELECT count(*) FROM {name} WHERE origin IN ('{origin}', 'x') AND rank_id = 1"),
                                 [(counts[origin] // 2,)])
            self.assertEqual(rows(capture, f"SELECT count(*) FROM {name} WHERE origin > 'comput' AND origin < 'd'"),
                             [(counts["computed"],)])

    def test_a_window_has_no_computed_rows(self):
        capture = self.path("run")
        result("generate", capture, "--ranks", "1", "--steps", "1", "--layers", "1")
        start, = rows(capture, "SELECT start_ts FROM step")[0]
        self.assertEqual(rows(capture, "SELECT count(*) FROM step_breakdown WHERE origin = 'computed'", "--range",
                              f"{start}..{start + 1_000_000}"), [(0,)])


# What is planted, the rule that must find it, and whether its time is known.
PLANTS = (("slow-rank=1:20", "slow_rank", True), ("slow-link=0-1:4", "slow_link", True), ("leak=8000000", "memory_leak", False),
          ("host-bound", "slow_launches", True), ("ai-cpu=Cast", "ai_cpu", True), ("small-packets", "small_packets", True),
          ("frequency-drop=25", "frequency_drop", True), ("gc-pause=20", "gc_pause", True),
          ("no-overlap", "exposed_communication", True))
SEEDS = range(1, 21)
ALL = bool(os.environ.get("ALTI_ALL_PLANTS"))
# How a run is recorded, and whether its files tell what groups are for.
FORMS = (("text", True), ("db", True), ("text", False), ("db", False))
# Clean runs: ranks, and words that make them different.
CLEAN = [(ranks, words) for ranks, words in ((8, ()), (16, ()), (24, ()), (32, ()), (64, ()), (8, ("--model", "resnet")), (16, ("--model", "resnet")),
                                             (64, ("--model", "resnet", "--steps", "2")), (16, ("--layers", "4")), (16, ("--uneven-warmup",)))
         for ranks, words in [(ranks, (*words, "--format", form)) for form in ("text", "db", "mindspore", "cluster")]]


def forget_groups(capture):
    """Takes out what tells the kinds and ranks of groups."""
    for where, _, names in os.walk(capture):
        for name in names:
            path = os.path.join(where, name)
            if name == "profiler_metadata.json":
                with open(path, encoding="utf-8") as file:
                    metadata = json.load(file)
                metadata.pop("parallel_group_info", None)
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(metadata, file)
            elif name.startswith("ascend_pytorch_profiler") and name.endswith(".db"):
                with sqlite3.connect(path) as database:
                    database.execute("DELETE FROM META_DATA WHERE name = 'parallel_group_info'")
                database.close()


class Findings(CliTest):
    def generate(self, seed, *words):
        capture = self.path(f"run{seed}")
        shutil.rmtree(capture, ignore_errors=True)
        result("generate", capture, "--ranks", "4", "--steps", "3", "--layers", "2", "--seed", str(seed), *words)
        return capture

    def check_plant(self, seed, plant, rule, is_time, *words, groups=True):
        capture = self.generate(seed, *words, "--plant", plant)
        if not groups:
            forget_groups(capture)
        found = rows(capture, "SELECT rule, rank_id, recoverable, severity, detail FROM finding")
        # Where everything is a trifle, none of it is the main story; the planted one is named all the same.
        first = found[0] if found[0][3] != "low" else next(one for one in found if one[0] == rule)
        self.assertEqual(first[0], rule, (seed, plant, words, groups))
        with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
            truth = json.load(file)
        planted = [entry["ns"] for entry in truth["plants"] if entry["rank"] == first[1]]
        self.assertTrue(planted, (seed, plant, first))
        if is_time:
            # What a step wins without it; where nothing can be replayed, what was planted at most.
            gains = {entry["step"]: entry["gain"] for entry in truth["plants"]}
            is_limit = "upper limit" in first[4]
            truth = sum(planted) / len(planted) if is_limit else sum(gains.values()) / len(truth["ranks"][0]["steps"])
            self.assertAlmostEqual(first[2], truth, delta=truth / 10, msg=(seed, plant, words, groups))
        else:
            self.assertIsNone(first[2])
        return capture

    def check_evidence(self, capture):
        for rule, evidence in rows(capture, "SELECT rule, evidence FROM finding"):
            for slice_id in json.loads(evidence)["slices"]:
                self.assertEqual(rows(capture, f"SELECT count(*) FROM slice WHERE slice_id = {slice_id}"), [(1,)], rule)
            for part in json.loads(evidence)["rows"]:
                self.assertGreater(rows(capture, f"SELECT count(*) FROM {part['table']} WHERE {part['where']}")[0][0], 0, (rule, part))

    def check_clean(self, ranks, words, seed):
        capture = self.path("clean")
        shutil.rmtree(capture, ignore_errors=True)
        result("generate", capture, "--ranks", str(ranks), "--seed", str(seed), *(() if "--steps" in words else ("--steps", "3")),
               *(() if "--layers" in words else ("--layers", "2")), *words)
        worst = rows(capture, "SELECT rule, severity, rank_id, recoverable, detail FROM finding WHERE severity <> 'low'")
        self.assertEqual(worst, [], (ranks, words, seed))

    def test_planted_faults_come_first(self):
        # All faults with each seed in each form take minutes: ALTI_ALL_PLANTS=1 asks for that; else each seed has its turn.
        for seed in SEEDS:
            for number, plant in enumerate(PLANTS):
                for place, (form, groups) in enumerate(FORMS):
                    has_turn = number == seed % len(PLANTS) and place == seed % len(FORMS)
                    if ALL or has_turn:
                        with self.subTest(seed=seed, plant=plant[0], form=form, groups=groups):
                            self.check_plant(seed, *plant, "--format", form, groups=groups)

    def test_evidence_points_to_rows_that_are_there(self):
        for number, (plant, rule, is_time) in enumerate(PLANTS):
            if ALL or number % 3 == 0:
                self.check_evidence(self.check_plant(number + 1, plant, rule, is_time))

    @needs_captures
    def test_evidence_of_real_captures(self):
        for sample in ("torch_text/level1", "torch_db/level1", "test_ranks", "cluster_text", "torch_cluster_level2"):
            with self.subTest(sample=sample):
                self.check_evidence(os.path.join(SHARED, sample))

    @needs_captures
    def test_the_main_story_of_a_real_capture_comes_first(self):
        # Its collectives last a hundred milliseconds while data moves for four.
        for sample in ("torch_text/level1", "torch_db/level1"):
            rule, severity, detail = rows(os.path.join(SHARED, sample), "SELECT rule, severity, detail FROM finding LIMIT 1")[0]
            self.assertEqual((rule, severity), ("collective_wait", "high"))
            self.assertRegex(detail, r"last 10\d\.\d ms a step, while data moves for [34]\.\d ms")

    def test_clean_runs_of_many_ranks(self):
        # 64 clean ranks of 3 steps and 2 layers had ten slow links.
        self.check_clean(64, ("--format", "text"), 5)
        for number, (ranks, words) in enumerate(CLEAN):
            if ALL or (ranks <= 16 and number % 9 == 0):
                with self.subTest(ranks=ranks, words=words):
                    self.check_clean(ranks, words, number + 1)

    def test_the_bubble_of_a_pipeline_is_named(self):
        capture = self.path("pipeline")
        result("generate", capture, "--ranks", "16", "--steps", "2", "--layers", "2")
        severity, detail = rows(capture, "SELECT severity, detail FROM finding WHERE rule = 'pipeline_bubble'")[0]
        self.assertEqual(severity, "low")
        self.assertRegex(detail, r"The numbers of stages \(2\) and of micro-batches \(1\) make \d+\.\d ms of it unavoidable")

    def test_small_packets_of_pipelines_and_a_leak_of_two_steps(self):
        # Receivers of the pipeline wait for packets that others send.
        self.check_plant(1, "small-packets", "small_packets", True, "--ranks", "16", "--steps", "2")
        self.check_plant(1, "leak=8000000", "memory_leak", False, "--steps", "2")

    def test_clean_runs_raise_nothing(self):
        for seed in SEEDS if ALL else (1, 2, 3):
            found = info(self.generate(seed))["findings"]
            self.assertEqual((found["high"], found["medium"]), (0, 0), seed)

    def test_clean_runs_of_other_kinds(self):
        for words in (("--ranks", "16"), ("--model", "resnet"), ("--format", "db"), ("--format", "mindspore"),
                      ("--clock-offset-us", "1000"), ("--ranks", "16", "--format", "cluster")):
            capture = self.path("-".join(words))
            result("generate", capture, "--steps", "2", *words)
            worst = rows(capture, "SELECT rule, severity, recoverable FROM finding WHERE severity <> 'low'")
            self.assertEqual(worst, [], words)

    def test_form(self):
        capture = self.generate(1, "--plant", "gc-pause=20")
        for severity, ts, dur, title, detail, parameters, evidence, thresholds in rows(
                capture, "SELECT severity, ts, dur, title, detail, parameters, evidence, thresholds FROM finding"):
            self.assertIn(severity, ("high", "medium", "low"))
            self.assertEqual(ts is None, dur is None)
            self.assertNotIn("{", title + detail)
            self.assertIsInstance(json.loads(parameters), dict)
            self.assertIsInstance(json.loads(thresholds), dict)
            self.assertEqual(list(json.loads(evidence)), ["slices", "ranges", "rows"])
        self.check_evidence(capture)


if __name__ == "__main__":
    unittest.main()
