#!/usr/bin/env python3
"""Small traces of what people reported: each says something that is true by hand."""

import json
import os
import unittest

from support import OK, CliTest, info, result, rows

BEGIN = 1754700000000000  # us


def names(pid, process, *threads):
    found = [{"name": "process_name", "pid": pid, "tid": 0, "args": {"name": process}, "ph": "M"}]
    return found + [{"name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}, "ph": "M"} for tid, name in threads]


def piece(name, pid, tid, ts, dur, **args):
    return {"name": name, "pid": pid, "tid": tid, "ts": f"{ts}.000", "dur": float(dur), "args": args, "ph": "X"}


class TestSymptoms(CliTest):
    def written(self, events, *path):
        """A folder that holds a trace, and nothing else."""
        file = self.path(*path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(events, stream)
        return file

    def test_iterations_of_a_graph_are_steps(self):
        # Ten of 16 ms, 15 ms apart: kernels for 6 ms and a collective for 9.8 ms in each.
        events = names(3, "Ascend Hardware", (10044, "Step Trace(Model ID:1)"), (4, "Stream 4")) + names(5, "HCCL", (9, "Communication Kernel"))
        for i in range(10):
            begin = 56635854710 + 31000 * i
            events.append(piece(f"Iteration {i + 1}", 3, 10044, begin, 16000, **{"Iteration ID": i + 1}))
            for k in range(10):
                events.append(piece(f"MatMul{k}", 3, 4, begin + 100 + 600 * k, 600, **{"Task Type": "AI_CORE", "Stream Id": 4, "Task Id": k}))
            events.append(piece("Default/AllReduce-op534_0", 5, 9, begin + 6150, 9800))
        name = "PROF_000001_20230818142704567_GQFAMHBKGODKJMLA"
        capture = os.path.dirname(self.written(events, name, "device_0", "timeline", "msprof_0_1_1.json"))
        capture = os.path.dirname(os.path.dirname(os.path.dirname(capture)))
        steps = rows(capture, "SELECT step, computing, free FROM step_breakdown ORDER BY step")
        self.assertEqual([(step, computing) for step, computing, _ in steps], [(i + 1, 6000000) for i in range(10)])
        self.assertTrue(all(free <= 200000 for _, _, free in steps), steps)
        self.assertEqual(rows(capture, "SELECT rule FROM finding WHERE rule = 'free_time'"), [])

    def first_lines(self, capture):
        """What a report says of steps and findings before anything else."""
        out = self.path("report.json")
        result("report", capture, "--out", out, status=OK)
        with open(out, encoding="utf-8") as stream:
            return {section["id"]: section["text"] for section in json.load(stream)["sections"]}

    def test_a_recording_without_steps_is_no_step(self):
        # Ten kernels of 100 us, 900 us apart, and nothing that tells steps.
        events = names(3, "Ascend Hardware", (4, "Stream 4"))
        for k in range(10):
            events.append(piece("MatMulV2", 3, 4, BEGIN + 1000 * k, 100, **{"Task Type": "AI_CORE", "Stream Id": 4, "Task Id": k}))
        said = self.first_lines(self.written(events, "recording.json"))
        self.assertIn("has no steps and takes 9.1 ms", said["steps"])
        self.assertIn("8.1 ms of the recording", said["findings"])
        self.assertNotIn("of a step", said["findings"])

    def test_steps_of_the_host_alone_are_called_so(self):
        events = names(9, "Python", (9, "Thread 9"))
        events += [{**piece(f"ProfilerStep#{s}", 9, 9, BEGIN + 20000 * s, 20000), "cat": "user_annotation"} for s in range(4)]
        self.assertIn("20.0 ms on average by the ranges of the host", self.first_lines(self.written(events, "host.json"))["steps"])

    def host_ranges(self, *ranges):
        """Three steps of 20 ms with kernels in the last 10; ranges of the host are (name, us after the step's begin, us)."""
        events = names(10, "Python", (1, "Thread 1 (main)")) + names(20, "CANN", (1, "Thread 1")) + names(30, "Ascend Hardware", (2, "Stream 2"))
        for step in range(3):
            begin = BEGIN + 20000 * step
            events.append({**piece(f"ProfilerStep#{step + 1}", 10, 1, begin, 20000), "cat": "user_annotation"})
            for name, after, length in ranges:
                events.append({**piece(name, 10, 1, begin + after, length), "cat": "user_annotation"})
            for k in range(100):
                events.append(piece("MatMulV2", 30, 2, begin + 10030 + 100 * k, 90, **{"Task Type": "AI_CORE", "Stream Id": 2, "Task Id": step * 100 + k}))
        file = self.written(events, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")
        return os.path.dirname(os.path.dirname(os.path.dirname(file)))

    def test_nested_optimizers_count_once(self):
        capture = self.host_ranges(("Optimizer.step#ChainedOptimizer.step", 5, 9990), ("Optimizer.step#AdamW.step", 1000, 8000))
        (detail,), = rows(capture, "SELECT detail FROM finding WHERE rule = 'unfused_optimizer'")
        self.assertIn("10.0 ms", detail)

    def test_a_loader_of_loaders_is_one_call(self):
        each = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        capture = self.host_ranges(("enumerate(DataLoader)#CombinedLoader.__next__", 5, 9990), (each, 500, 4000), (each, 5000, 4000))
        rule = rows(capture, "SELECT json_extract(parameters, '$.count'), recoverable FROM finding WHERE rule = 'data_loading'")
        self.assertEqual([str(count) for count, _ in rule], ["3"] * len(rule))
        self.assertTrue(all(ns <= 9990000 for _, ns in rule), rule)

    def test_a_wait_of_seconds_is_no_other_clock(self):
        for first in (0, 5000000):
            events = names(9, "Python", (9, "Thread 9")) + [{**piece("ProfilerStep#3", 9, 9, BEGIN, 5300000), "cat": "user_annotation"}]
            for i in range(300):
                events.append({**piece("aten::mm", 9, 9, BEGIN + first + 1000 * i, 800), "cat": "cpu_op"})
            file = self.written(events, f"step{first}.json")
            found = info(file)
            self.assertNotIn("far_event", json.dumps(found))
            self.assertEqual(rows(file, "SELECT max(ts + dur) - min(ts) FROM slice"), [(5300000000,)])


if __name__ == "__main__":
    unittest.main()
