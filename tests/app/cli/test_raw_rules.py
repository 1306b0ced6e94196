#!/usr/bin/env python3
"""What is made of raw data in unusual forms: each test writes a capture record by record (tests/support/raw_encoder.py) and says what the
vendor's own program makes of such records (core/import/raw_records/FORMAT.md, core/report/deliverables/FORMAT.md)."""

import csv
import glob
import json
import os
import sqlite3
import struct
import sys
import unittest

from support import OK, SOURCE, CliTest, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from raw_encoder import HCCL, MONOTONIC, NODE, RUNTIME, Capture, Framework  # noqa: E402

THREAD, STREAM, GROUP = 4243, 2, "10.0.0.1%eth_60000"


def named(capture):
    """The numbers of types that real captures have."""
    for number, name in ((0, "KERNEL_AICORE"), (1, "KERNEL_AICPU"), (5, "MEMCPY_ASYNC"), (66, "KERNEL_AIVEC"), (75, "NOTIFY_WAIT")):
        capture.types[RUNTIME, number] = name
    for number, name in ((65537, "master"), (65538, "slave")):
        capture.types[HCCL, number] = name
    return capture


def kernel(capture, number, at, kind="KERNEL_AICORE", core=0, begin=None, name=None, basic=True, device=0):
    """A launch of 4 us at a time, and a run of 3 us on the device."""
    name = name or f"MatMul_{number}"
    capture.call(NODE, "launch", THREAD, at, at + 4000, name)
    capture.track(at + 2000, THREAD, device, STREAM, number, kind)
    if basic:
        capture.basic(at + 3000, THREAD, name, core, "MatMulV2", 20)
    begin = at + 5000 if begin is None else begin
    capture.devices[device].run(STREAM, number, begin, begin + 3000, core)
    return begin


def collective(capture, at, steps, item="hcom_allReduce_", first=1, info=True, thread=THREAD, group=GROUP, begin=None, stream=40):
    """Steps: name, kind of the task, plane, duration on the device, further facts of HCCL. Steps of plane 0 are the master's."""
    end = at + 2000 + 2000 * len(steps)
    capture.call(NODE, "launch", thread, at, end, item)
    if info:
        capture.hccl_op(end - 500, thread, group)
    begin = end + 1000 if begin is None else begin
    for i, (name, kind, plane, duration, facts) in enumerate(steps):
        t = at + 500 + 2000 * i
        capture.call(HCCL, "slave" if plane else "master", thread, t, t + 1800, name, number=65538 if plane else 65537)
        capture.track(t + 900, thread, 0, stream + plane, first + i, kind)
        capture.hccl_task(t + 1500, thread, name, group, plane=plane, **facts)
        capture.devices[0].run(stream + plane, first + i, begin, begin + duration, 11)
        begin += duration + 100
    return end


class RawRules(CliTest):
    def analysed(self, capture, *words):
        """The folder of the deliverables."""
        self.count = getattr(self, "count", 0) + 1
        source, out = self.path(f"in{self.count}"), self.path(f"out{self.count}")
        os.makedirs(source)
        capture.write(source)
        done = run("analyse", source, "--out", out, *words)
        self.assertEqual(done.returncode, OK, done.stderr)
        (folder,) = glob.glob(os.path.join(out, "*"))
        return folder

    def rows(self, folder, stem):
        (path,) = glob.glob(os.path.join(folder, "*", f"{stem}*.csv"))
        with open(path, encoding="utf-8", newline="") as file:
            return [{key: value.strip() for key, value in row.items()} for row in csv.DictReader(file)]

    def events(self, folder):
        (path,) = glob.glob(os.path.join(folder, "*", "msprof_*.json")) or glob.glob(os.path.join(folder, "*", "trace_view.json"))
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        self.processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        return events

    def bars(self, folder, process):
        return [e for e in self.events(folder) if e["ph"] == "X" and self.processes[e["pid"]] == process]

    def database(self, folder, sql):
        (path,) = glob.glob(os.path.join(folder, "msprof_*.db"))
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(sql).fetchall()

    def test_copies_know_what_they_moved(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        for number, at in ((2, 20_000), (3, 20_000), (4, 40_000)):
            capture.track(at + 1000, THREAD, 0, STREAM, number, "MEMCPY_ASYNC")
            capture.devices[0].run(STREAM, number, at + 10_000 * number, at + 10_000 * number + 2000, 11)
        # Two tasks share one copy; of the last one nothing is known.
        capture.copy(21_000, THREAD, 5000, 1, 4000)
        bars = [bar["args"] for bar in self.bars(self.analysed(capture), "Ascend Hardware") if bar["name"] == "MEMCPY_ASYNC"]
        self.assertEqual([(one["Task Id"], one["size(B)"], one["bandwidth(GB/s)"], one["operation"]) for one in bars],
                         [(2, 4000, 2.0, "host to device"), (3, 1000, 0.5, "host to device"), (4, 0, 0.0, "other")])

    def test_times_of_samples_are_reals(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        for us in (100, 200):
            for memory in range(4):
                for is_write in (0, 1):
                    capture.devices[0].hbm(us, 1000, is_write, memory)
        samples = {(e["name"], e["ts"]): next(iter(e["args"].values())) for e in self.events(self.analysed(capture)) if e["ph"] == "C" and
                   e["name"].startswith("HBM 0/R")}
        first, second = (int(float(capture.wall + us * 1000)) for us in (100, 200))
        self.assertEqual(set(samples), {("HBM 0/Read", f"{ns // 1000}.{ns % 1000:03}") for ns in (first, second)})
        self.assertAlmostEqual(samples["HBM 0/Read", f"{second // 1000}.{second % 1000:03}"], 1000 * 32 / 2**20 / (second - first) * 1e9, 6)

    def test_a_vector_kernel_uses_no_cube(self):
        capture = named(Capture())
        begin = kernel(capture, 1, 10_000, "KERNEL_AIVEC", 2)
        capture.devices[0].counters(STREAM, 1, begin, begin + 3000, 9000, [900] * 8, ffts=1)
        (row,) = self.rows(self.analysed(capture), "op_summary")
        self.assertEqual((row["cube_utilization(%)"], row["aiv_total_cycles"]), ("0.000", "9000"))

    def test_counts_of_the_cache_need_no_cycles(self):
        events = "0x500,0x502,0x504,0x506,0x508,0x50a"
        capture = named(Capture(sample={"ai_core_metrics": "L2Cache", "aiv_metrics": "L2Cache", "ai_core_profiling_events": events,
                                        "aiv_profiling_events": events}))
        begin = kernel(capture, 1, 10_000)
        capture.devices[0].counters(STREAM, 1, begin, begin + 3000, 0, [11, 12, 13, 14, 15, 16])
        (row,) = self.rows(self.analysed(capture), "op_summary")
        self.assertEqual((row["aic_write_cache_hit"], row["aic_r1_read_cache_miss_allocate"], row["aicore_time(us)"]), ("11.0", "16.0", "0.0"))

    def test_all_threads_of_the_overlap_have_names(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        names = [e["args"]["name"] for e in self.events(self.analysed(capture)) if e["ph"] == "M" and e["name"] == "thread_name" and
                 self.processes[e["pid"]] == "Overlap Analysis"]
        self.assertEqual(names, ["Computing", "Communication", "Communication(Not Overlapped)", "Free"])

    def test_without_operators_their_columns_are_absent(self):
        capture = named(Capture())
        collective(capture, 10_000, [("Memcpy", "MEMCPY_ASYNC", 0, 2000, {"size": 4096})])
        (row,) = self.rows(self.analysed(capture), "op_summary")
        self.assertEqual(list(row)[-2:], ["Task Wait Time(us)", "Context ID"])
        self.assertEqual((row["Op Name"][:16], row["Task Duration(us)"], row["Context ID"]), ("hcom_allReduce__", "2.000", "0"))

    def test_payloads_of_one_run_have_one_rate(self):
        payload = {"size": 1000, "transport": 1, "rdma": 1, "link": 3}
        steps = [("RDMASend", "MEMCPY_ASYNC", 0, 500, payload)] * 2 + [("Notify_Wait", "NOTIFY_WAIT", 0, 300, {"transport": 1, "rdma": 0})] * 4
        capture = named(Capture())
        collective(capture, 10_000, steps)
        bars = [bar for bar in self.bars(self.analysed(capture), "Communication") if bar["name"] == "RDMASend"]
        # The fourth task behind the run of 2 closes it: 2 * 500 + 4 * 300 and 5 pauses of 100 ns.
        self.assertEqual([bar["args"]["bandwidth(GB/s)"] for bar in bars], [2000 / 2700] * 2)

        # And so in the database, in bytes per second.
        folder = self.analysed(capture, "--export-type", "db")
        rates = self.database(folder, "SELECT bandwidth FROM COMMUNICATION_TASK_INFO WHERE rdmaType = 1")
        self.assertEqual(rates, [(2000 / 2700 * 1000 * 1000 * 1000,)] * 2)

    def test_operators_that_no_device_ran_have_rows_too(self):
        # The database has one row for each launch: here of one that ran, of one whose records are lost, of one that ran twice.
        capture = named(Capture())
        first = kernel(capture, 1, 10_000)
        capture.devices[0].files["stars_soc.data"].clear()
        capture.devices[0].run(STREAM, 1, first, first + 3000)
        kernel(capture, 2, 20_000, name="Lost")
        del capture.devices[0].files["stars_soc.data"][2:]
        begin = kernel(capture, 3, 30_000, name="Twice")
        capture.devices[0].run(STREAM, 3, begin + 10_000, begin + 14_000)
        source, out = self.path("in"), self.path("out")
        os.makedirs(source)
        capture.write(source)
        run("analyse", source, "--out", out, "--export-type", "db")
        (folder,) = glob.glob(os.path.join(out, "*"))
        rows = self.database(folder, "SELECT s.value, COUNT(DISTINCT c.rowid), COUNT(t.startNs) FROM COMPUTE_TASK_INFO c "
                                     "JOIN STRING_IDS s ON s.id = c.name LEFT JOIN TASK t USING (globalTaskId) GROUP BY 1 ORDER BY 1")
        self.assertEqual(rows, [("Lost", 1, 0), ("MatMul_1", 1, 1), ("Twice", 1, 2)])

    def test_tasks_of_two_devices_with_one_number_hide_each_other(self):
        # The vendor's list of tasks looks for parts by stream and number, whichever device they are of.
        capture = named(Capture(devices=(0, 1)))
        kernel(capture, 1, 10_000)
        kernel(capture, 2, 20_000)
        begin = kernel(capture, 1, 30_000, device=1)
        capture.contexts(33_400, THREAD, "MatMul_1", [0])
        capture.devices[1].sub_task(STREAM, 1, 0, begin + 100, begin + 2900, 6)
        rows = self.rows(self.analysed(capture), "task_time")
        self.assertEqual([(row["Device_id"], row["task_id"], row["task_time(us)"]) for row in rows], [("0", "2", "3.000"), ("1", "1", "2.800")])

    def test_a_device_whose_collectives_have_no_type_is_not_counted(self):
        capture = named(Capture(devices=(0, 1)))
        step = [("Memcpy", "MEMCPY_ASYNC", 0, 2000, {"size": 4096})]
        end = collective(capture, 10_000, step)
        capture.basic(end - 600, THREAD, "hcom_allReduce_", 9, "AllReduce", 0)
        capture.call(NODE, "launch", THREAD, 40_000, 44_000, "hcom_allReduce_")
        capture.hccl_op(43_500, THREAD, GROUP)
        capture.call(HCCL, "master", THREAD, 40_500, 42_300, "Memcpy", number=65537)
        capture.track(41_400, THREAD, 1, 40, 1, "MEMCPY_ASYNC")
        capture.hccl_task(42_000, THREAD, "Memcpy", GROUP, size=4096)
        capture.devices[1].run(40, 1, 50_000, 59_000, 11)
        rows = self.rows(self.analysed(capture), "communication_statistic")
        self.assertEqual([(row["Device_id"], row["OP Type"], row["Total Time(us)"]) for row in rows], [("0", "AllReduce", "2")])

    def test_a_collective_of_which_only_the_steps_are_known_has_no_bar(self):
        capture = named(Capture())
        kernel(capture, 1, 5_000)
        steps = [("Memcpy", "MEMCPY_ASYNC", 0, 2000, {"size": 4096})]
        end = collective(capture, 10_000, steps, first=1)
        collective(capture, end + 1000, steps, first=2, info=False)
        folder = self.analysed(capture)
        bars = [bar["name"] for bar in self.bars(folder, "Communication") if bar["name"] != "Memcpy"]
        rows = [row["Op Name"] for row in self.rows(folder, "op_summary") if row["Task Type"] == "COMMUNICATION"]
        self.assertEqual((len(bars), len(rows)), (1, 2))
        self.assertEqual(bars, rows[:1])

    def test_collectives_of_two_threads_at_a_time_share_numbers(self):
        # The second step of the first call comes after the second call of the group began, so it bears the number of that.
        capture = named(Capture())
        step = ("Memcpy", "MEMCPY_ASYNC", 0, 2000, {"size": 4096})
        collective(capture, 10_000, [step, step], thread=1, first=1, begin=30_000)
        collective(capture, 11_500, [step], thread=2, first=1, begin=50_000, stream=60)
        folder = self.analysed(capture)
        bars = sorted((bar["name"][-3:], bar["dur"]) for bar in self.bars(folder, "Communication") if bar["name"] != "Memcpy")
        self.assertEqual([name for name, _ in bars], ["0_1", "1_1"])
        self.assertGreater(bars[1][1], 15)

    def test_the_last_description_of_a_call_counts(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        capture.basic(13_500, THREAD, "Other", 2, "OtherV2", 7)
        rows = self.rows(self.analysed(capture), "op_summary")
        self.assertEqual([(row["Op Name"], row["OP Type"], row["Task Type"], row["Block Num"]) for row in rows],
                         [("Other", "OtherV2", "AI_VECTOR_CORE", "7")])

    def test_a_kernel_that_nothing_describes_has_the_blocks_of_its_task(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        capture.track(21_000, THREAD, 0, STREAM, 2, "KERNEL_AIVEC", kernel="bare", blocks=12)
        capture.devices[0].run(STREAM, 2, 30_000, 32_000, 2)
        row = self.rows(self.analysed(capture), "op_summary")[1]
        self.assertEqual((row["Op Name"], row["OP Type"], row["Task Type"], row["Block Num"], row["OP State"]),
                         ("bare", "bare", "AI_VECTOR_CORE", "12", "N/A"))

    def test_of_a_mixed_kernel_its_part_alone_is_listed(self):
        capture = named(Capture())
        begin = kernel(capture, 1, 10_000)
        capture.contexts(13_400, THREAD, "MatMul_1", [0])
        capture.devices[0].sub_task(STREAM, 1, 0, begin + 100, begin + 2900, 6)
        rows = self.rows(self.analysed(capture), "task_time")
        self.assertEqual([row["task_time(us)"] for row in rows], ["2.800"])

    def test_sub_tasks_of_one_time_stand_by_their_numbers(self):
        # Where the first one is number 0 the others are not listed; records stand in another order.
        capture = named(Capture())
        begin = kernel(capture, 1, 10_000)
        capture.contexts(13_400, THREAD, "MatMul_1", [0, 12])
        capture.devices[0].sub_task(STREAM, 1, 12, begin + 100, begin + 200, 6)
        capture.devices[0].sub_task(STREAM, 1, 0, begin + 100, begin + 2900, 6)
        rows = self.rows(self.analysed(capture), "task_time")
        self.assertEqual([row["task_time(us)"] for row in rows], ["2.800"])

    def test_kernels_of_collectives(self):
        capture = named(Capture())
        collective(capture, 10_000, [("Reduce_TBE", "KERNEL_AICORE", 0, 2000, {}), ("Check", "KERNEL_AICPU", 0, 2000, {}),
                                     ("Sum", "KERNEL_AIVEC", 0, 2000, {})])
        rows = self.rows(self.analysed(capture), "task_time")
        self.assertEqual([row["kernel_type"] for row in rows], ["COMMUNICATION", "HCCL_AI_CPU", "AI_CORE"])

    def test_a_session_without_end_lasts_half_an_hour(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        source, out = self.path("in"), self.path("out")
        os.makedirs(source)
        prof = capture.write(source)
        for path in (os.path.join(prof, "host", "end_info"), os.path.join(prof, "device_0", "end_info.0")):
            os.remove(path)
        self.assertEqual(run("analyse", source, "--out", out, "--export-type", "db").returncode, OK)
        (folder,) = glob.glob(os.path.join(out, "*"))
        self.assertEqual(self.database(folder, "SELECT endTimeNs - startTimeNs FROM SESSION_TIME_INFO"), [(1800 * 10**9,)])

    def test_only_calls_of_python_are_modules(self):
        capture = named(Capture())
        kernel(capture, 1, 100_000)
        framework = Framework(capture)
        framework.op("aten::matmul", 90_000, 95_000, 4242)
        framework.text(7, "Net######5")
        for ns, tag in ((50_000, 0), (51_000, 2), (52_000, 3), (53_000, 1)):
            framework.python(ns, 4242, 7, tag)
        source, out = self.path("in"), self.path("out")
        framework.write(source)
        self.assertEqual(run("analyse", source, "--out", out).returncode, OK)
        (folder,) = glob.glob(os.path.join(out, "*"))
        frames = [(e["name"], e["args"].get("Python module id")) for e in self.events(folder) if e.get("cat") == "python_function"]
        self.assertEqual(sorted(frames), [("Net######5", None), ("nn.Module: Net_0", 0)])

    def test_counters_of_runs_are_handed_out_in_order(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        capture.devices[0].run(STREAM, 1, 30_000, 33_000, 0)
        capture.devices[0].counters(STREAM, 1, 30_100, 32_900, 5400, [100] * 8)
        folder = self.analysed(capture)
        self.assertEqual([(row["Task Start Time(us)"][-7:], row["aic_total_cycles"]) for row in self.rows(folder, "op_summary")],
                         [("015.000", "5400"), ("030.000", "N/A")])

    def test_tasks_of_one_time_stand_as_the_hash_of_their_numbers(self):
        capture = named(Capture())
        # Task 1 of stream 2 and task 5 of stream 3 begin at one time; a map lists the one that came last first.
        for stream, number in ((3, 5), (2, 1)):
            capture.track(12_000, THREAD, 0, stream, number, "MEMCPY_ASYNC")
            capture.devices[0].run(stream, number, 20_000, 21_000, 11)
        self.assertEqual([(row["stream_id"], row["task_id"]) for row in self.rows(self.analysed(capture), "task_time")], [("3", "5"), ("2", "1")])

    def test_starts_of_collectives_are_a_quarter_of_a_microsecond_exact(self):
        # The offset of the clocks has 19 digits in ns.
        wall = 1_736_428_567_573_887_000
        capture = named(Capture(wall=wall, monotonic=1_059_367_356_047_000))
        begin = collective(capture, 10_000, [("Memcpy", "MEMCPY_ASYNC", 0, 4000, {"size": 4_194_304})]) + 1000
        (path,) = glob.glob(os.path.join(self.analysed(capture), "analyze", "communication.json"))
        with open(path, encoding="utf-8") as file:
            (one,) = [call for name, call in json.load(file).items() if name.startswith("hcom")]
        self.assertEqual(one["Communication Time Info"]["Start Timestamp(us)"], float(f"{(wall + begin) // 1000}.{begin % 1000:03}"))

    def test_a_variance_of_half_a_thousandth_goes_up(self):
        capture = named(Capture())
        kernel(capture, 1, 10_000)
        for at, ns in ((100_000, 15_020), (200_000, 15_520)):
            capture.call(HCCL, "master", THREAD, at, at + ns, "Memcpy", number=65537)
        (row,) = [row for row in self.rows(self.analysed(capture), "api_statistic") if row["Level"] == "communication"]
        self.assertEqual((row["Avg(us)"], row["Variance"]), ("15.27", "0.063"))

    def test_counts_that_are_no_whole_ns(self):
        capture = named(Capture(device_mhz="48", host_mhz="38.400000"))
        collective(capture, 10_000, [("Memcpy", "MEMCPY_ASYNC", 0, 4292, {"size": 4_194_304}), ("Notify_Wait", "NOTIFY_WAIT", 0, 521, {})])
        folder = self.analysed(capture)

        def real(count):
            """ns of the host's clock: microseconds with six decimals, the digits added up from the last one."""
            thousandths = MONOTONIC * 1000 + int(f"{(count - 900_000) / 48:.6f}".replace(".", ""))
            total = 0.0
            for place, digit in enumerate(reversed(str(thousandths))):
                total += int(digit) * 10.0 ** (place - 3)
            return total

        counts = [struct.unpack_from("<Q", record, 8)[0] for record in capture.devices[0].files["stars_soc.data"]]
        times = [real(count) for count in counts]  # begin and end of each
        (path,) = glob.glob(os.path.join(folder, "analyze", "communication.json"))
        with open(path, encoding="utf-8") as file:
            found = next(iter(json.load(file).values()))["Communication Time Info"]
        self.assertEqual(found["Transit Time(ms)"], (times[1] - times[0]) / 1e6)
        self.assertEqual(found["Wait Time(ms)"], (times[3] - times[2]) / 1e6)
        self.assertEqual(found["Elapse Time(ms)"], (times[2] + (times[3] - times[2]) - times[0]) / 1e6)
        plane = [e["dur"] for e in self.bars(folder, "Communication") if e["name"] in ("Memcpy", "Notify_Wait")]
        self.assertEqual(plane, [(times[1] - times[0]) / 1000, (times[3] - times[2]) / 1000])


if __name__ == "__main__":
    unittest.main()
