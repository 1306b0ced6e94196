#!/usr/bin/env python3
"""What raw data counts for single tasks, what the AI CPU says of its work, and iterations of models: each test writes the records itself
(tests/support/raw_encoder.py) and says by sums of its own what the vendor's program makes of them (core/report/deliverables/FORMAT.md
section 10). The rows that are written out here are those of its files for the same records."""

import os
import re
import sys
import unittest

import test_raw_samples as samples
from deliverable_keys import STEP_TRACE
from support import SOURCE, CliTest, rows

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from raw_encoder import MODEL, MONOTONIC, NODE, RUNTIME, WALL, Capture, Framework  # noqa: E402

THREAD, STREAM = 4243, 2
CACHE = {"l2CacheTaskProfilingEvents": "0x9C, 0xfb,0xfc,0x90,0x91"}
SMMU = {"npuEvents": "HA:0x00,0x88;SMMU:0x2,0x8a,0x8b,0x8c,0x8d"}


def kernels(count, model=None, **words):
    """A capture whose devices run kernels of a core and of the AI CPU by turns, 10 us each, as tasks from 1 on."""
    capture = Capture(**words)
    capture.types[RUNTIME, 0], capture.types[RUNTIME, 1] = "KERNEL_AICORE", "KERNEL_AICPU"
    if model is not None:
        capture.call(MODEL, "ModelExecute", THREAD, 9_000, 10_000 * count + 9_000, model, request=1)
    for number, device in capture.devices.items():
        for task in range(1, count + 1):
            begin, kind = 10_000 * task + 4_000 * number, (task + 1) % 2
            name = f"op {task} of {number}"
            capture.call(NODE, "launch", THREAD, begin, begin + 400, name)
            capture.track(begin + 200, THREAD, number, STREAM, task, ("KERNEL_AICORE", "KERNEL_AICPU")[kind])
            capture.basic(begin + 300, THREAD, name, kind, "Type", 20)
            device.run(STREAM, task, 10_000 * task + 5_000, 10_000 * task + 8_000, kind)
    return capture


stamp = samples.stamp


class RawCounters(CliTest):
    written, lines, events = samples.RawSamples.written, samples.RawSamples.lines, samples.RawSamples.events

    def rows_of(self, folder, stem):
        return [tuple(row.values()) for row in self.lines(folder, stem)]

    def test_shares_of_the_l2_cache(self):
        capture = kernels(2, sample=CACHE, devices=(0, 1))
        for number, device in capture.devices.items():
            device.cache(STREAM, 1, [7 + number, 100, 50, 30, 20])
            device.cache(STREAM, 99, [5, 0, 0, 1, 1])
        folder = self.written(capture)
        # No hit rate on these chips. The name is that of the last operator of the numbers, whichever device it was for.
        expected = []
        for number in (0, 1):
            expected += [(str(number), "2", "1", "N/A", repr(round((7 + number) / 150, 6)), "op 1 of 1"), (str(number), "2", "99", "N/A", "0.0", "N/A")]
        self.assertEqual(self.rows_of(folder, "l2_cache"), expected)
        self.assertEqual(rows(self.source, "SELECT device_id, stream_id, task_id, hit_rate, victim_rate, op_name FROM l2_cache"),
                         [(int(a), int(b), int(c), None, float(e), None if f == "N/A" else f) for a, b, c, _, e, f in expected])
        self.assertEqual(rows(self.source, "SELECT COUNT(*) FROM diagnostic WHERE code = 'raw.not_read'"), [(0,)])

    def test_shares_of_address_translation_and_page_faults(self):
        capture = kernels(3, sample={**CACHE, **SMMU})
        device = capture.devices[0]
        device.soc(2, STREAM, 1, [5, 100, 0, 40, 55])
        device.soc(2, STREAM, 9, [5, 0, 0, 40, 55])
        device.soc(2, STREAM, 3, [1, 3, 1, 1, 2])
        device.soc(2, 0x1002, 0x2001, [1, 3, 1, 1, 1])
        device.soc(1, STREAM, 2, [3, 1, 0])
        device.soc(4, STREAM, 3, [12])
        device.soc(4, STREAM, 4, [1 << 33])
        device.cache(STREAM, 1, [1, 4])
        folder = self.written(capture)
        self.assertEqual(self.rows_of(folder, "soc_pmu"),
                         [("0", "2", "1", "0.95", "0.05", "op 1 of 0"), ("0", "2", "9", "0", "0", "N/A"), ("0", "2", "3", "1", "0.333333", "op 3 of 0"),
                          ("0", "4098", "8193", "0.666667", "0.333333", "N/A")])
        self.assertEqual(self.rows_of(folder, "page_fault"), [("0", "2", "3", "12", "op 3 of 0"), ("0", "2", "4", "0", "N/A")])
        self.assertEqual([row[2:5] for row in self.rows_of(folder, "l2_cache")], [("1", "N/A", "0.25"), ("2", "N/A", "3.0")])

    def test_counters_without_their_events_are_lost_and_said(self):
        capture = kernels(1)
        capture.devices[0].cache(STREAM, 1, [1] * 8)
        capture.devices[0].soc(2, STREAM, 1, [1] * 8)
        capture.devices[0].soc(7, STREAM, 1, [1] * 8)
        folder = self.written(capture)
        self.assertIn("partial", self.table)
        self.assertFalse([name for _, _, names in os.walk(folder) for name in names if name.startswith(("l2_cache", "soc_pmu"))])
        self.assertEqual(sorted(rows(self.source, "SELECT code FROM diagnostic WHERE severity = 'lost'")),
                         [("raw.bad_record",), ("raw.not_read",), ("raw.not_read",)])

    def test_kernels_of_the_ai_cpu(self):
        for mhz in ("50", "48"):
            capture = kernels(4, device_mhz=mhz)
            device = capture.devices[0]
            # Task 2 runs from 25 to 28 us, task 4 from 45 to 48 us.
            device.aicpu_kernel(28_500, STREAM, 2, (25_213, 27_817), 35, 36, 37, 25_001, 27_923, 3)
            device.aicpu_kernel(48_500, STREAM, 4, (45_219, 48_801), 65, 60, 68, 45_003, 47_929, 1234)
            device.aicpu_kernel(15_500, STREAM, 1, (15_219, 17_801), 1, 1, 1, 15_003, 17_929, 0)
            device.aicpu_kernel(15_600, STREAM, 7, (None, 17_801), 1, 1, 1, 15_003, 17_929, 0)
            folder = self.written(capture)

            def microseconds(*pair):
                counts = device.count(pair[1]) - device.count(pair[0])
                return repr(round(counts / float(mhz), 3))

            def begin(ns):
                return stamp(int((device.count(ns) - device.start) * 1000 / float(mhz) + 0.5))

            # Named only where a kernel of the AI CPU ran until it ended.
            self.assertEqual(self.rows_of(folder, "aicpu_2"), [
                ("0", begin(15_219), "N/A", "0.0", "0.0", microseconds(15_219, 17_801), "0.0", microseconds(15_003, 17_929), "2", "1"),
                ("0", begin(25_213), "op 2 of 0", "1.0", "1.0", microseconds(25_213, 27_817), "3.0", microseconds(25_001, 27_923), "2", "2"),
                ("0", begin(45_219), "N/A", "-5.0", "8.0", microseconds(45_219, 48_801), "1234.0", microseconds(45_003, 47_929), "2", "4")])

    def test_queues_of_prepared_data(self):
        capture = kernels(1)
        device = capture.devices[0]
        device.queue_action(20_000, "Last queue dequeue", "iterator_default", 131)
        device.queue_wait(25_000, 1, 123_456, 223_456, 5)
        device.queue_wait(26_000, 2, 123_457, 223_457, 6)
        folder = self.written(capture)
        # Sixteen letters; counts are taken for ns of the monotonic clock.
        at = device.count(20_000) - MONOTONIC
        self.assertEqual(self.rows_of(folder, "dp"), [("0", stamp(at), "Last queue deque", "iterator_default", "131")])
        self.assertEqual(self.rows_of(folder, "aicpu_mi"), [("0", "GetNext_dequeue_wait", "123456.0", "223456.0", "5"), ("0", "", "123457.0", "223457.0", "6")])

    def test_the_ai_cpu_in_files_of_older_versions(self):
        capture = kernels(2)
        device = capture.devices[0]
        device.old_aicpu_kernel(0x1002, 2, (25_200, 27_800), 35, 36, 37, 25_000, 27_900, 3)
        device.old_queue_action(21_000, "Last queue dequeue", "it", 132)
        folder = self.written(capture)
        # Streams have eleven bits; times of queues went through a double.
        self.assertEqual(self.rows_of(folder, "aicpu_2"), [("0", stamp(25_200), "op 2 of 0", "1.0", "1.0", "2.6", "3.0", "2.9", "2", "2")])
        at = (WALL + device.count(21_000) - MONOTONIC) / 1000
        self.assertEqual(self.rows_of(folder, "dp"), [("0", repr(at), "Last queue deque", "it", "132")])
        self.assertEqual(rows(self.source, "SELECT COUNT(*) FROM diagnostic WHERE code = 'raw.not_read'"), [(0,)])

    def iterations(self, capture, model):
        """Three of one run of a model, of which the second one has two collectives."""
        device = capture.devices[0]
        device.step(9_000, 1, model, STREAM, 1, 0)
        for k in range(3):
            at = 10_000 * k + 9_000
            for ns, stream, tag in ((500, 2, 20_000), (700, 2, 20_001), (1000, 2, 2), (2000, 3, 10_000), (2600, 3, 10_001), (6000, 2, 3), (8000, 2, 4)):
                device.step(at + ns, k + 1, model, stream, 1, tag)
            if k == 1:
                device.step(at + 3_000, 2, model, 4, 1, 10_002)
                device.step(at + 3_700, 2, model, 4, 1, 10_003)
        device.step(39_000, 3, model, STREAM, 1, 1)

    def test_iterations_of_a_model(self):
        capture = kernels(3, model=7)
        self.iterations(capture, 7)
        folder = self.written(capture)
        # The first duration of a line is taken the wrong way round, as the vendor does it; what is missing is one cell, not two.
        wrong = str((1 << 64) - 600)
        wrong = f"{wrong[:-3]}.{wrong[-3:]}"
        with open(next(path for path in self.paths(folder) if "step_trace" in path and path.endswith(".csv")), encoding="utf-8") as file:
            cells = [line.replace("\t", "").rstrip("\n").split(",") for line in file]
        self.assertEqual(cells[0][9:], ["Model ID"] + ["Reduce Start(us)", "Reduce Duration(us)"] * 2)
        self.assertEqual(cells[1:], [
            ["0", str(k + 1), stamp(10_000 * k + 10_000), stamp(10_000 * k + 15_000), stamp(10_000 * k + 17_000), "10.000" if k else "8.000",
             "5.000", "2.000", "3.000" if k else "0.000", "7", stamp(10_000 * k + 11_000), wrong]
            + ([stamp(22_000), "0.700"] if k == 1 else ["N/A"]) for k in range(3)])
        for stem in ("msprof_2", "step_trace"):
            events = [e for e in self.events(folder, stem) if e.get("tid") == 70_007]
            bars = [(e["name"], e["cat"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"]
            expected = [("Reduce_2_2", "Reduce", stamp(22_000), 0.7)]
            for k in range(3):
                at = 10_000 * k
                expected += [(f"Iteration {k + 1}", "Iteration Time", stamp(at + 7_000 if k else 9_000), 10.0 if k else 8.0),
                             (f"FP_BP Time {k + 1}", "FP_BP Time", stamp(at + 10_000), 5.0), ("GetNext", "GetNext Time", stamp(at + 9_500), 0.2),
                             (f"Iteration Refresh {k + 1}", "Iteration Refresh", stamp(at + 15_000), 2.0),
                             (f"Reduce_{k + 1}_{k + (k == 2)}", "Reduce", stamp(at + 11_000), 0.6)]
            self.assertCountEqual(bars, expected)
            for event in (e for e in events if e["ph"] != "M"):
                keys = tuple(re.sub(r" \d+$", " #", key) for key in event["args"])
                self.assertEqual(keys, STEP_TRACE[event["ph"], event["cat"]], event)
            ends = [(e["name"], e["ph"], e["ts"], *e["args"].values()) for e in events if e["ph"] in "st"]
            self.assertCountEqual(ends, [end for k in range(3) for end in (
                (f"Data_aug Bound {k}", "t", stamp(10_000 * k + 10_000), k + 1),
                (f"Data_aug Bound {k + 1}", "s", stamp(10_000 * k + (16_500 if k else 15_000)), 3.0 if k else 0.0))])
        self.assertEqual(rows(self.source, "SELECT slice.name, slice.dur FROM slice JOIN track USING (track_id) WHERE track.thread = 'Step Trace(Model ID:7)' "
                              "AND category = 'Iteration Time' ORDER BY ts"), [("Iteration 1", 8000), ("Iteration 2", 10_000), ("Iteration 3", 10_000)])

    def paths(self, folder):
        return [os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names]

    def test_steps_of_a_program_and_models_without_passes(self):
        capture = kernels(3, device_mhz="48")
        for k in range(3):
            capture.devices[0].step(10_000 + 10_000 * k, k, 0xFFFFFFFF, STREAM, k, 60_000)
            capture.devices[0].step(18_000 + 10_000 * k, k, 0xFFFFFFFF, STREAM, k, 60_001)
        folder = self.written(capture)
        self.assertEqual([row[1:] for row in self.rows_of(folder, "step_trace")],
                         [(str(k), "0.000", "0.000", stamp(18_000 + 10_000 * k), "8.000", "0.000", "0.000", "0.000", "4294967295") for k in range(3)])
        bars = [e for e in self.events(folder, "step_trace") if e["ph"] == "X"]
        self.assertEqual({(e["tid"], e["dur"], e["args"]["FP Start"]) for e in bars}, {(69_999, 8.0, "N/A")})
        capture = kernels(3, model=3)
        for k in range(3):
            capture.devices[0].model_step(10_000 + 10_000 * k, k + 1, 3, 0)
            capture.devices[0].model_step(18_000 + 10_000 * k, k + 1, 3, 1)
        folder = self.written(capture)
        self.assertEqual([(row[1], row[4], row[9]) for row in self.rows_of(folder, "step_trace")],
                         [(str(k + 1), stamp(18_000 + 10_000 * k), "3") for k in range(3)])

    def test_iterations_of_a_pipeline_overlap(self):
        capture = kernels(3, model=7)
        device = capture.devices[0]
        # Two forward passes, then both backward passes, then both ends: each kind goes to the first iteration without it.
        for ns, tag in ((9_000, 0), (10_000, 2), (11_000, 2), (12_000, 3), (13_000, 3), (14_000, 4), (15_000, 4), (16_000, 1)):
            device.step(ns, 1, 7, STREAM, 1, tag)
        folder = self.written(capture)
        self.assertEqual([row[1:9] for row in self.rows_of(folder, "step_trace")], [
            ("1", stamp(10_000), stamp(12_000), stamp(14_000), "5.000", "2.000", "2.000", "0.000"),
            ("2", stamp(11_000), stamp(13_000), stamp(15_000), "1.000", "2.000", "2.000", "0.000")])

    def test_torch_takes_over_what_was_counted(self):
        capture = kernels(2, sample={**CACHE, **SMMU})
        device = capture.devices[0]
        device.cache(STREAM, 1, [7, 100, 50])
        device.soc(2, STREAM, 1, [5, 100, 0, 40, 55])
        device.aicpu_kernel(28_500, STREAM, 2, (25_200, 27_800), 35, 36, 37, 25_000, 27_900, 3)
        for level, options, expected in (("Level1", {}, []), ("Level2", {"_l2_cache": True}, ["data_preprocess.csv", "l2_cache.csv", "soc_pmu.csv"])):
            framework = Framework(capture)
            framework.op("aten::add", 5_000, 7_000, THREAD)
            folder = self.written(capture, framework, level=level, options=options)
            names = [os.path.basename(path) for path in self.paths(folder)]
            self.assertEqual(sorted(name for name in names if name.startswith(("data_pre", "l2", "soc", "aicpu"))), expected)

    def test_memory_of_torch_and_of_the_graph_engine_together(self):
        capture, mega = kernels(2), 1 << 20
        framework = Framework(capture)
        framework.op("aten::add", 5_000, 70_000, THREAD)
        own = [(8_000, 2, 4), (12_000, 3, 5), (16_000, 1, 5)]
        for number, (ns, allocated, reserved) in enumerate(own):
            framework.memory(ns, 0x1000 * (number + 1), 512, allocated * mega, reserved * mega, allocated * mega, 0, THREAD)
        graphs = [(7_000, 1000, 5 * 1024), (12_000, 2001, 7 * 1024), (20_000, 0, 7 * 1024)]
        for number, (ns, allocated, reserved) in enumerate(graphs):
            capture.graph_memory(THREAD, ns, min(number, 1), 500 if number < 2 else -500, "g", allocated, reserved)
        folder = self.written(capture, framework)

        def of_graphs(size):
            return round(size / 1024, 3) / 1024

        # At one time the framework comes first. Behind each line the sum with what the other one had last.
        expected, last, graph = [], None, None
        for ns, is_graph, allocated, reserved in sorted([(ns, 0, a, r) for ns, a, r in own] + [(ns, 1, a, r) for ns, a, r in graphs]):
            if is_graph:
                graph = of_graphs(allocated), of_graphs(reserved)
                expected.append(("GE", stamp(ns), repr(graph[0]), repr(graph[1]), "", "", "NPU:0"))
            else:
                last = float(allocated), float(reserved)
                expected.append(("PTA", stamp(ns), repr(last[0]), repr(last[1]), repr(last[0]), "21930", "NPU:0"))
            both = [one for one in (last, graph) if one is not None]
            expected.append(("PTA+GE", stamp(ns), repr(sum(one[0] for one in both)), repr(sum(one[1] for one in both)),
                             repr(last[0]) if last else "0", "21930" if last else "", "NPU:0"))
        self.assertEqual(self.rows_of(folder, "memory_record"), expected)
        # The release belongs to the second allocation; the first one has none, which is written as 0 us.
        self.assertEqual([row[:4] + row[7:8] + row[-1:] for row in self.rows_of(folder, "operator_memory")][3:], [
            ("cann::g", "0.488", stamp(12_000), stamp(20_000), repr(of_graphs(2001)), "NPU:0"),
            ("cann::g", "0.488", stamp(7_000), stamp(7_000), repr(of_graphs(1000)), "NPU:0")])


if __name__ == "__main__":
    unittest.main()
