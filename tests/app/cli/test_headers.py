#!/usr/bin/env python3
"""Each heading of each table that the vendors' analyses write (`deliverable_headers.py`): `generate` writes it, the readers take it to
its column, `analyse` writes it. One that is missing or misspelt fails here."""

import csv
import glob
import json
import os
import re
import shutil
import sqlite3
import struct
import unittest

from deliverable_headers import (ANALYZER_TABLES, CANN, CANN_TABLES, FILES, MINDSPORE, OLDER, OLDER_COLUMNS, OLDER_LACK, PIPES, SINCE_2025,
                                 TABLES, TORCH)
from support import CliTest, result, rows, write

START = 1_700_000_000_000_000_000
STAMP = "20260101000000"
SMALL = ("--ranks", "2", "--steps", "1", "--layers", "1")

# Cells become: {table: {heading: (text, column, value)}}. No column: the heading has none of its own.
MB, THOUSAND_KB = 1 << 20, 1000 << 10
DEVICE = {"Device_id": ("3", "device_id", 3)}
SHAPES = {"Input Shapes": ('"""2,3"""', "input_shapes", "2,3"), "Input Data Types": ("FLOAT", "input_types", "FLOAT"),
          "Input Formats": ("ND", "input_formats", "ND"), "Output Shapes": ('"""4,5"""', "output_shapes", "4,5"),
          "Output Data Types": ("INT8", "output_types", "INT8"), "Output Formats": ("NZ", "output_formats", "NZ")}
KERNELS = {**DEVICE, **SHAPES,
           **{name: ("7", "step", 7) for name in ("Step Id", "Step ID")},
           **{name: ("MatMul1", "name", "MatMul1") for name in ("Name", "Op Name")},
           **{name: ("MatMul", "type", "MatMul") for name in ("Type", "OP Type")},
           **{name: ("AI_CORE", "accelerator_core", "AI_CORE") for name in ("Accelerator Core", "Task Type")},
           **{name: ("1700000000000000.500\t", "ts", START + 500) for name in ("Start Time(us)", "Task Start Time(us)")},
           **{name: ("1.25", "dur", 1250) for name in ("Duration(us)", "Task Duration(us)")},
           **{name: ("0.75", "wait", 750) for name in ("Wait Time(us)", "Task Wait Time(us)")},
           "Stream ID": ("11", "stream", 11), "Block Num": ("24", "block_num", 24), "Block Dim": ("24", "block_num", 24),
           **{name: ("N/A", None, None) for name in ("Model ID", "Task ID", "OP State", "Mix Block Num", "HF32 Eligible", "Context ID")}}
POOL_TIMES = {"Component": ("GE", "component", "GE"), "Timestamp(us)": ("1700000000000001.500\t", "ts", START + 1500)}


def pools(unit, size):
    return {**POOL_TIMES, "Stream Ptr": ("77", "stream", 77), "Device": ("NPU:3", "device_id", 3), "Device Type": ("NPU:3", "device_id", 3),
            "Device_id": ("3", "device_id", 3), f"Total Allocated({unit})": ("1.5", "allocated", size * 3 // 2),
            f"Total Reserved({unit})": ("2.5", "reserved", size * 5 // 2), f"Total Active({unit})": ("0.5", "active", size // 2)}


def allocations(unit, size):
    totals = {f"{when} Total {what}({unit})": (f"{n}.5", f"{short}_{what.lower()}", size * n + size // 2)
              for n, (when, short, what) in enumerate(((when, short, what) for when, short in (("Allocation", "alloc"), ("Release", "release"))
                                                       for what in ("Allocated", "Reserved", "Active")), 1)}
    return {**totals, "Name": ("aten::add", "name", "aten::add"), "Size(KB)": ("4.5", "size", 4608),
            "Allocation Time(us)": ("1700000000000001.500\t", "alloc_ts", START + 1500),
            "Release Time(us)": ("1700000000000003.500\t", "release_ts", START + 3500),
            "Active Release Time(us)": ("1700000000000004.500\t", "active_release_ts", START + 4500),
            "Duration(us)": ("2.0", "release_ts", START + 3500), "Active Duration(us)": ("3.0", None, None),
            "Stream Ptr": ("77", "stream", 77), "Device Type": ("NPU:3", "device_id", 3), "Device": ("NPU:3", "device_id", 3),
            "Device_id": ("3", "device_id", 3)}


def statistics(total, average, shortest, longest):
    return {total: ("9.0", "total", 9000), "Count": ("3", "count", 3), average: ("3.0", "avg", 3000.0), shortest: ("1.0", "min", 1000),
            longest: ("5.0", "max", 5000)}


STEPS = {"Device_id": ("3", "device_id", 3), "Step": ("7", "step", 7),
         **{name: (f"{n}.5", column, n * 1000 + 500) for n, (name, column) in enumerate({
             "Computing": "computing", "Communication(Not Overlapped)": "not_overlapped", "Overlapped": "overlapped",
             "Communication": "communication", "Free": "free", "Stage": "stage", "Bubble": "bubble",
             "Communication(Not Overlapped and Exclude Receive)": "not_overlapped_excl_receive", "Preparing": "preparing"}.items(), 1)}}
OPERATORS = {"Name": ("aten::add", "name", "aten::add"), "Input Shapes": ('"2,3"', "input_shapes", "2,3"),
             "Call Stack": ("a.py(1)", "call_stack", "a.py(1)"), "Host Self Duration(us)": ("1.5", "self_dur", 1500),
             "Host Total Duration(us)": ("2.5", "dur", 2500), "Device Total Duration(us)": ("3.5", "device_dur", 3500),
             **{name: ("0", None, None) for name in ("Device Self Duration(us)", "Device Self Duration With AICore(us)",
                                                     "Device Total Duration With AICore(us)")}}
READ = {
    "kernel_details": ("kernel", KERNELS), "op_summary": ("kernel", KERNELS), "operator_details": ("operator", OPERATORS),
    "op_statistic": ("op_stat", {**DEVICE, **statistics("Total Time(us)", "Avg Time(us)", "Min Time(us)", "Max Time(us)"),
                                 "OP Type": ("MatMul", "name", "MatMul"), "Core Type": ("AI_CORE", "core_type", "AI_CORE"),
                                 "Ratio(%)": ("100.0", None, None)}),
    "api_statistic": ("api_stat", {**statistics("Time(us)", "Avg(us)", "Min(us)", "Max(us)"), "Device_id": ("host", None, None),
                                   "Level": ("acl", "level", "acl"), "API Name": ("aclnnAdd", "name", "aclnnAdd"),
                                   "Variance": ("2.0", "variance", 2e6)}),
    "step_trace_time": ("step_breakdown", STEPS),
    "npu_module_mem": ("module_memory", {**pools("MB", MB), **pools("KB", 1024)}),
    "static_op_mem": ("static_memory", {"Device_id": ("host", None, None), "Op Name": ("Add", "name", "Add"), "Model Name": ("m", None, None),
                                        "Graph ID": ("g", "graph", "g"), "Node Index Start": ("1", "node_start", 1),
                                        "Node Index End": ("2", "node_end", 2), "Size(KB)": ("4.5", "size", 4608)}),
    "dataset": ("dataset_op", {"Operation": ("BatchOp", "operation", "BatchOp"), "Stage": ("Pack", "stage", "Pack"),
                               "Occurrences": ("3", "occurrences", 3), "Avg. time (us)": ("2.5", "avg_time", 2500.0),
                               "Custom Info": ("x", "custom_info", "x")}),
    "minddata_pipeline_raw": ("pipeline_queue", {
        "op_id": ("0", "op_id", 0), "op_type": ("Batch", "op_type", "Batch"), "num_workers": ("4", "num_workers", 4),
        "output_queue_size": ('"[1, 2]"', "output_queue_size", "[1, 2]"), "output_queue_average_size": ("1.5", "output_queue_average_size", 1.5),
        "output_queue_length": ("8", "output_queue_length", 8), "output_queue_usage_rate": ("0.1875", "output_queue_usage_rate", 0.1875),
        "sample_interval": ("10", "sample_interval", 10_000_000), "parent_id": ("5", "parent_id", 5), "children_id": ("[1]", "children_id", "[1]")}),
    "task_time": ("kernel", {**DEVICE, "kernel_name": ("MatMul1", "name", "MatMul1"), "kernel_type": ("AI_CORE", "accelerator_core", "AI_CORE"),
                             "stream_id": ("11", "stream", 11), "task_id": ("12", None, None), "task_time(us)": ("1.25", "dur", 1250),
                             "task_start(us)": ("1700000000000000.500\t", "ts", START + 500),
                             "task_stop(us)": ("1700000000000001.750\t", None, None)}),
    "l2_cache": ("l2_cache", {"Device_id": ("3", "device_id", 3), "Stream Id": ("11", "stream_id", 11), "Task Id": ("12", "task_id", 12),
                              "Hit Rate": ("0.5", "hit_rate", 0.5), "Victim Rate": ("0.25", "victim_rate", 0.25),
                              "Op Name": ("Add", "op_name", "Add")}),
}


# Sums and means without times: those of ports have a column of times that is none (core/import/csv/FORMAT.md section 15).
HARDWARE = {"hbm", "ddr", "hccs", "pcie", "nic", "roce", "llc_read_write"}
HOST_FILES = {
    "host_cpu_usage": "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers\nhost,192,5,6\n",
    "host_mem_usage": "Device_id,Total Memory(KB),Peak Used Memory(KB),Recommend Memory(KB)\nhost,1000,300.5,N/A\n",
    "host_disk_usage": "Device_id,Peak Disk Read(KB/s)\nhost,1.5\n", "host_network_usage": "Device_id,Netcard Speed(KB/s)\nhost,2.5\n",
    "os_runtime_statistic": "Device_id,Process ID,Thread ID,Name,Time(%),Count\nhost,7,8,futex,12.5,3\nhost,7,8,poll,,4\n"}
HOST_ROWS = [
    ("host_cpu_usage", None, None, "Total Cpu Numbers", None, 192.0), ("host_cpu_usage", None, None, "Occupied Cpu Numbers", None, 5.0),
    ("host_cpu_usage", None, None, "Recommend Cpu Numbers", None, 6.0), ("host_mem_usage", None, None, "Total Memory", "KB", 1000.0),
    ("host_mem_usage", None, None, "Peak Used Memory", "KB", 300.5), ("host_disk_usage", None, None, "Peak Disk Read", "KB/s", 1.5),
    ("host_network_usage", None, None, "Netcard Speed", "KB/s", 2.5),
    *(("os_runtime_statistic", None, f"Process ID 7 Thread ID 8 {name}", *values)
      for name, values in (("futex", ("Time", "%", 12.5)), ("futex", ("Count", None, 3.0)), ("poll", ("Count", None, 4.0))))]


def read_as(analysis, file):
    if file == "memory_record":
        return "memory_sample", {**pools("KB", 1024), **pools("MB", THOUSAND_KB if analysis == MINDSPORE else MB)}
    if file == "operator_memory":
        return "allocation", {**allocations("KB", 1024), **allocations("MB", MB)}
    return READ.get(file)


def text_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def header_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.readline().rstrip("\r\n").split(",")


class Headers(CliTest):
    def check_file(self, path, analysis, may_be_older=False):
        name = re.sub(r"(_\d+|_slice_\d+_\d+)?\.csv$", "", os.path.basename(path))
        self.assertIn(name, FILES[analysis], path)
        expected = FILES[analysis][name][1].split(",")
        found = header_of(path)
        if name in ("kernel_details", "op_summary") and len(found) > len(expected):
            expected += PIPES.split(",")
        if may_be_older:
            expected = [OLDER.get(one, one) if OLDER.get(one) in found else one for one in expected
                        if one != OLDER_LACK.get((analysis, name))]
        # A run without steps has no numbers of them.
        if expected[0].startswith("Step I") and found[0] != expected[0]:
            self.assertNotIn("Step", found[0])
            expected = expected[1:]
        # Where the host described nothing there are no names of operators.
        if name in ("l2_cache", "soc_pmu") and found[-1] != "Op Name":
            expected = expected[:-1]
        self.assertEqual(found, expected, path)
        return name

    def check_tables(self, path, tables, is_older=False):
        with sqlite3.connect(path) as database:
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for name in names:
                self.assertIn(name, tables, path)
                expected = tables[name].split()
                found = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
                if is_older:
                    later = SINCE_2025.get(name, "").split()
                    expected = [OLDER_COLUMNS.get(one, one) for one in expected if one not in later and one != "blockDim"]
                self.assertEqual(found, expected, f"{path} {name}")
        return names

    def test_generated_files(self):
        result("generate", self.path("run"), *SMALL, "--format", "text", "--format", "mindspore", "--format", "db")
        for analysis, ending, least in ((TORCH, "pt", 8), (MINDSPORE, "ms", 10)):
            files = glob.glob(self.path(f"run/rank1_ascend_{ending}/ASCEND_PROFILER_OUTPUT/*.csv"))
            # One of the data pipeline has no heading.
            names = {self.check_file(path, analysis, may_be_older=True) for path in files if "pipeline_summary" not in path}
            self.assertGreaterEqual(len(names), least)
        databases = glob.glob(self.path("run/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/*.db"))
        self.assertEqual(len(databases), 2)
        for path in databases:
            self.check_tables(path, TABLES, is_older=True)

    def test_analysed_files(self):
        result("generate", self.path("raw"), *SMALL, "--format", "raw")
        result("analyse", self.path("raw"), "--out", self.path("torch"), "--export-type", "text", "--export-type", "db")
        prof = glob.glob(self.path("raw/rank1_ascend_pt/PROF_*"))[0]
        result("analyse", prof, "--out", self.path("cann"), "--export-type", "text", "--export-type", "db")
        for analysis, tables, least in ((TORCH, TABLES, 8), (CANN, CANN_TABLES, 5)):
            folder = self.path("torch" if analysis == TORCH else "cann")
            files = glob.glob(folder + "/**/*.csv", recursive=True)
            self.assertGreaterEqual(len({self.check_file(path, analysis) for path in files}), least, files)
            for path in glob.glob(folder + "/**/*.db", recursive=True):
                self.assertTrue(self.check_tables(path, ANALYZER_TABLES if "communication_analyzer" in path else tables))

    def mindspore_rank(self):
        """What generate records of a rank, as a folder of MindSpore with what its framework records."""
        def tlv(kind, value):
            return struct.pack("<HI", kind, len(value)) + value

        result("generate", self.path("other"), *SMALL, "--format", "raw")
        rank = self.path("ms/h_1_20260101000000000_ascend_ms")
        (recorded,) = glob.glob(self.path("other/rank1_ascend_pt"))
        shutil.copytree(recorded, rank, ignore=shutil.ignore_patterns("torch.*"))
        write(os.path.join(rank, "profiler_info_1.json"), json.dumps({"ms_version": "2.5", "ms_profiler_info": {"rank_id": 1}}))
        free = (1 << 64) - 1
        # device, thread, process, time, address, size, used, peak, reserved, three more, stream, four flags
        memory = b"".join(tlv(13, struct.pack("<i11QI4B", 1, 1, 1, START + time, 64, size, used, 0, 3072, 0, 0, 9, 7, 0, 0, 0, 0) +
                              tlv(13, b"Add")) for time, size, used in ((500, 1024, 1024), (1500, free, 0)))
        write(os.path.join(rank, "FRAMEWORK", "mindspore.memory_usage"), memory)
        write(os.path.join(rank, "FRAMEWORK", "mindspore.record_shapes"), tlv(1, tlv(0, b"Add") + tlv(1, b"2,3")))
        with open(glob.glob(os.path.join(rank, "PROF_*", "host", "host_start.log"))[0], encoding="utf-8") as file:
            begin = int(re.search(r"^cntvct: (\d+)", file.read(), re.MULTILINE)[1])
        # thread, flow, step, begin, end, process, module, event, stage, level, of a graph, of a stage, of Python
        ranges = b"".join(tlv(1, struct.pack("<5QI3H4B", 1, free, 1, begin + 1000, begin + 1000 + ticks, 1, 0, 0, 0, 0, 1, 0, 0) +
                              tlv(13, b"Fetch") + tlv(15, b"Dataset") + tlv(16, b"Batch")) for ticks in (100, 301))
        # The same with what an event says of itself.
        ranges += b"".join(tlv(1, struct.pack("<5QI3H4B", 1, free, 1, begin + 1000, begin + 1000 + ticks, 1, 0, 0, 0, 0, 1, 0, 0) +
                               tlv(13, b"Fetch") + tlv(15, b"Dataset") + tlv(16, b"Batch") + tlv(17, info))
                           for ticks, info in ((200, b"a:1;b:it's;c:3"), (400, b"a:1"), (600, b"a:1;b:it's")))
        write(os.path.join(rank, "FRAMEWORK", "mindspore.op_range"), ranges)
        self.write_pipeline(os.path.join(rank, "FRAMEWORK"))
        return rank

    @staticmethod
    def write_pipeline(folder):
        """What the data pipeline writes: a queue of the device, batches, a map without a queue, and a reader."""
        def op(number, kind, workers, children, queue=None):
            return {"op_id": number, "op_type": kind, "num_workers": workers, "children": children,
                    "metrics": {"output_queue": queue} if queue else None}

        def use(number, system, user):
            return {"op_id": number, "metrics": {"sys_utilization": system, "user_utilization": user}}

        write(os.path.join(folder, "pipeline_profiling_1.json"), json.dumps({"sampling_interval": 10, "op_info": [
            op(3, "TFReaderOp", 8, [], {"length": 10, "size": [1, 2]}), op(2, "MapOp", 2, [3]),
            op(1, "BatchOp", 4, [2], {"length": 8, "size": [0, 0, 4, 8]}), op(0, "DeviceQueueOp", 1, [1])]}))
        write(os.path.join(folder, "minddata_cpu_utilization_1.json"), json.dumps({"cpu_processor_num": 64, "op_info": [
            use(-1, [1], [1]), use(0, [1, 2], [3, 4]), use(1, [100, 200], [260, 280]), use(2, [0, 0], [10, 11]), use(3, [], [])]}))
        write(os.path.join(folder, "device_queue_profiling_1.txt"),
              "0 0 1 900 1\n1 8 1 3 1\n0 0 2 4 2\n0 0 3 6 3\n0 1 2 8 2\n0 2 2 12 2\n0 0 4 5\n")

    def check_pipeline(self, files):
        self.assertEqual(text_of(files["minddata_pipeline_raw_1.csv"]).split("\r\n")[1:], [
            "0,DeviceQueueOp,1,,,,,10,,[1]", '1,BatchOp,4,"[0, 0, 4, 8]",3.0,8,0.375,10,0,[3]', '3,TFReaderOp,8,"[1, 2]",1.5,10,0.15,10,1,', ""])
        busy = "Batch(id=1) is using 105.0% CPU per worker. Setting num_parallel_workers>4 might bring extra performance."
        idle = ("{} is using {}% CPU per worker. Using num_parallel_workers={} might not bring as much benefit due to low CPU usage per worker.")
        expected = {
            "op_ids": [0, 1, 2, 3], "op_names": ["DeviceQueue", "Batch", "Map", "TFReader"],
            "pipeline_ops": ["DeviceQueue(id=0)", "Batch(id=1)", "Map(id=2)", "TFReader(id=3)"], "num_workers": [1, 4, 2, 8],
            "queue_average_size": [-1, 3.0, -1, 1.5], "queue_utilization_pct": [-1, 37.5, -1, 15.0], "queue_empty_freq_pct": [-1, 50.0, -1, 0.0],
            "children_ids": [[1], [3], [3], []], "parent_id": [-1, 0, -1, 2], "avg_cpu_pct": [5.0, 420.0, 10.5, 0],
            "per_pipeline_time": [5.0], "per_push_queue_time": [8.0], "per_batch_time": [12.0],
            "avg_cpu_pct_per_worker": [5.0, 105.0, 5.25, 0.0],
            "cpu_analysis_details": [busy, idle.format("Map(id=2)", "5.25", 2), idle.format("TFReader(id=3)", "0.0", 8)],
            "queue_analysis_details": ["Leaf op TFReader(id=3) is using 15.0% of its output queue. Setting num_parallel_workers>8 might speed up I/O."],
            "bottleneck_warning": ["Batch(id=1)"], "bottleneck_suggestion": [busy]}
        self.assertEqual(text_of(files["minddata_pipeline_summary_1.json"]), json.dumps(expected))
        with open(files["minddata_pipeline_summary_1.csv"], encoding="utf-8", newline="") as file:
            self.assertEqual(list(csv.reader(file)), [[key] + [str(one) for one in values] for key, values in expected.items()])

    def test_analysed_files_of_mindspore(self):
        out = self.path("out")
        result("analyse", self.mindspore_rank(), "--out", out, "--export-type", "text", "--export-type", "db")
        files = {os.path.basename(path): path for path in glob.glob(out + "/**/*.*", recursive=True)}
        for name in files:
            if name.endswith(".csv") and "pipeline_summary" not in name:
                self.check_file(files[name], MINDSPORE)
        self.check_pipeline(files)
        self.assertLessEqual({"kernel_details.csv", "memory_record.csv", "operator_memory.csv", "operator_details.csv", "dataset.csv",
                              "op_statistic.csv", "api_statistic.csv", "communication.json", "trace_view.json",
                              "ascend_mindspore_profiler_1.db", "communication_analyzer.db"}, set(files))
        self.assertNotIn("task_time.csv", files)
        for name, tables in (("ascend_mindspore_profiler_1.db", CANN_TABLES), ("communication_analyzer.db", ANALYZER_TABLES)):
            self.assertTrue(self.check_tables(files[name], tables))
        self.assertEqual(text_of(files["operator_details.csv"]), "Name,Input Shapes\r\nAdd,\"2,3\"\r\n")
        ticks = 10.0
        self.assertEqual(text_of(files["dataset.csv"]).splitlines()[1:], [
            f"Batch,Fetch,2,{round(200.5 * ticks / 1000, 2)},", f"""Batch,Fetch,2,{400 * ticks / 1000},"{{'a': '1', 'b': ""it's""}}\"""",
            f"Batch,Fetch,1,{400 * ticks / 1000},{{}}"])
        pools = text_of(files["memory_record.csv"]).splitlines()[1:5]
        self.assertEqual(pools, [f"{name},1700000000000000.5,0.001,0.003,0.001,NPU:1" for name in ("MindSpore", "MindSpore+GE")] +
                         [f"{name},1700000000000001.5,0.0,0.003,0.0,NPU:1" for name in ("MindSpore", "MindSpore+GE")])
        self.assertEqual(text_of(files["operator_memory.csv"]).splitlines()[1],
                         "Add,1.0,1700000000000000.5,1700000000000001.5,N/A,1.0,N/A,0.0009765625,0.0029296875,0.0009765625,"
                         "0.0,0.0029296875,0.0,9,NPU:1")

    def test_communication_database_of_mindspore(self):
        """It is CANN's own, copied (profiler_path_manager.py): without steps, kinds and names of the most telling operators, and with a
        row of the matrix for each collective. The same numbers as in the text files of the same analysis."""
        out = self.path("out")
        result("analyse", self.mindspore_rank(), "--out", out, "--export-type", "text", "--export-type", "db")
        (output,) = glob.glob(out + "/*_ascend_ms/ASCEND_PROFILER_OUTPUT")
        os.remove(glob.glob(output + "/ascend_mindspore_profiler*.db")[0])
        queries = {"collective": "SELECT group_name, op_name, kind, ts, elapsed, transit, wait, synchronization, idle FROM collective",
                   "bandwidth": "SELECT group_name, op_name, transport, size, transit, gb_per_s, large_packet_ratio FROM bandwidth",
                   "packet": "SELECT group_name, op_name, transport, packet_size, count, dur FROM packet"}
        text = {table: rows(out, sql + " ORDER BY 1, 2, 3, 4") for table, sql in queries.items()}
        total = "SELECT src_local, dst_local, transport, sum(size), sum(transit) FROM link WHERE selection = '{}' GROUP BY 1, 2, 3"
        sums = rows(out, total.format("total"))
        self.assertTrue(all(text.values()) and sums)
        for name in ("communication.json", "communication_matrix.json"):
            os.remove(os.path.join(output, name))
        self.assertEqual({table: rows(out, sql + " ORDER BY 1, 2, 3, 4") for table, sql in queries.items()}, text)
        self.assertEqual(rows(out, "SELECT count(*), count(step) FROM collective"), [(len(text["collective"]), 0)])
        self.assertEqual(rows(out, total.format("single")), sums)
        # By itself.
        self.assertEqual(rows(os.path.join(output, "communication_analyzer.db"), queries["packet"] + " ORDER BY 1, 2, 3, 4"), text["packet"])

    def capture_with(self, analysis, file, cells):
        """A capture whose only table is the file, and a timeline around its times."""
        folder = self.path(f"{analysis}_{file}")
        output, stamp, timeline = {TORCH: ("a_1_20260101000000000_ascend_pt/ASCEND_PROFILER_OUTPUT", "", "trace_view"),
                                   MINDSPORE: ("a_1_20260101000000000_ascend_ms/ASCEND_PROFILER_OUTPUT", "", "trace_view"),
                                   CANN: ("PROF_000001_20260101000000000_ABCDEFGH/mindstudio_profiler_output", "_" + STAMP, "msprof"),
                                   }[analysis]
        if file == "minddata_pipeline_raw":
            stamp = "_0"
        events = [{"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": "1700000000000000.000", "dur": 100.0}]
        write(os.path.join(folder, output, timeline + ("_" + STAMP if analysis == CANN else "") + ".json"), json.dumps(events))
        write(os.path.join(folder, output, file + stamp + ".csv"), ",".join(cells) + "\n" + ",".join(one[0] for one in cells.values()) + "\n")
        return folder

    def check_reading(self, analysis, file, headings):
        table, known = read_as(analysis, file)
        cells = {heading: known[heading] for heading in headings}
        capture = self.capture_with(analysis, file, cells)
        expected = {column: value for _, column, value in cells.values() if column}
        found = rows(capture, f"SELECT {', '.join(expected)} FROM {table}")
        self.assertEqual(found, [tuple(expected.values())], f"{analysis} {file}")

    def test_read_headings(self):
        read = 0
        for analysis, files in FILES.items():
            for file, (_, header) in files.items():
                if not read_as(analysis, file):
                    continue
                with self.subTest(analysis=analysis, file=file):
                    self.check_reading(analysis, file, header.split(","))
                    read += 1
        self.assertGreaterEqual(read, 24)

    def test_sums_of_the_hardware(self):
        """Each number of a file without times is a row by its heading; what is no number, or numbers something, is its item."""
        numbers = {"funcId": "0", "Metric": "Average", "Mode": "Tx (MB/s)", "Task": "1", "Device_id": "3", "Timestamp(us)": "1700000000000000.5\t"}
        read = 0
        for analysis, files in FILES.items():
            for file in HARDWARE & set(files):
                with self.subTest(analysis=analysis, file=file):
                    header = files[file][1].split(",")
                    cells = {one: (numbers.get(one, f"{n}.5"), None, None) for n, one in enumerate(header)}
                    if file == "llc_read_write":
                        cells["Mode"] = ("read", None, None)
                    found = rows(self.capture_with(analysis, file, cells), "SELECT source, device_id, item, name, unit, value FROM hardware_stat")
                    item = {"hbm": "Average", "ddr": "Average", "hccs": "Tx", "pcie": "Tx", "llc_read_write": "read Task 1"}.get(file, "funcId 0")
                    expected = []
                    for n, one in enumerate(header):
                        if one not in numbers:
                            heading, unit = re.fullmatch(r"(.*?)(?:\(([^)]*)\))?", one).groups()
                            unit = "MB/s" if file in ("hccs", "pcie") else unit
                            expected.append((file, 3, item, heading, unit, n + 0.5))
                    self.assertEqual(found, expected)
                    read += 1
        self.assertEqual(read, 16)

    def test_sums_of_the_host(self):
        folder = self.path("PROF_000001_20260101000000000_ABCDEFGH/mindstudio_profiler_output")
        for file, text in HOST_FILES.items():
            write(os.path.join(folder, f"{file}_{STAMP}.csv"), text)
        write(os.path.join(folder, f"msprof_{STAMP}.json"), '[{"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": "1", "dur": 1.0}]')
        found = rows(self.folder, "SELECT source, device_id, item, name, unit, value FROM hardware_stat WHERE source LIKE 'host%' OR source LIKE 'os%'")
        self.assertEqual(sorted(found, key=str), sorted(HOST_ROWS, key=str))

    def test_metrics_are_taken_by_any_name(self):
        _, header = FILES[TORCH]["kernel_details"]
        cells = {heading: KERNELS[heading] for heading in header.split(",")}
        cells.update({heading: (f"{n}.5", None, None) for n, heading in enumerate(PIPES.split(","))})
        capture = self.capture_with(TORCH, "kernel_details", cells)
        found = dict(rows(capture, "SELECT name, value FROM kernel_metric"))
        self.assertEqual(found, {re.sub(r"\((us|%)\)$", "", heading): (n + 0.5) * (1000 if heading.endswith("(us)") else 1)
                                 for n, heading in enumerate(PIPES.split(","))})

    def test_memory_of_mindspore_is_the_same_run(self):
        """An MB of its memory_record is 1000 KB; torch_npu's twin says the same bytes."""
        result("generate", self.path("torch"), *SMALL, "--format", "text")
        result("generate", self.path("mindspore"), *SMALL, "--format", "mindspore")
        for sql in ("SELECT rank_id, replace(component, 'MindSpore', 'PTA'), ts, coalesce(allocated, 0), reserved, coalesce(active, 0) "
                    "FROM memory_sample ORDER BY 1, 2, 3, 4, 5",
                    "SELECT rank_id, component, ts, reserved, device_id FROM module_memory ORDER BY 1, 2, 3"):
            torch, mindspore = (rows(self.path(one), sql) for one in ("torch", "mindspore"))
            self.assertGreater(len(torch), 100)
            self.assertEqual(mindspore, torch)


if __name__ == "__main__":
    unittest.main()
