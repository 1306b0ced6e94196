#!/usr/bin/env python3
"""What a user points at: databases of several ranks in one folder, one table alone, exports of CANN of each age. The inputs
are made here, so that this script knows each number."""

import json
import os
import sqlite3
import unittest

from support import CliTest, result, rows, write

T0 = 1736412474000000000
KERNELS = ("Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\n"
           "A,MatMul,AI_CORE,1736412474000000.100\t,5.0005,0,4\n")
SUMMARY = ("Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),"
           "Task Wait Time(us),Block Dim\nres,1,3,4,1,{name},MatMul,AI_CORE,{ts},1.5,0,8\n")


def database(path, name, rank=None):
    """A timeline of one task; its RANK_DEVICE_MAP says `rank`, if it has one."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with sqlite3.connect(path) as made:
        made.executescript(
            "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);"
            f"INSERT INTO STRING_IDS VALUES (0, '{name}'), (1, 'AI_CORE');"
            "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,"
            " globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);"
            f"INSERT INTO TASK VALUES ({T0}, {T0 + 7}, 0, 1, 1, 5, 1, 4294967295, 2, 1, 4294967295);"
            "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER, taskType INTEGER,"
            " opType INTEGER); INSERT INTO COMPUTE_TASK_INFO VALUES (0, 1, 4, 1, 0);")
        if rank is not None:
            made.executescript("CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER);"
                               f"INSERT INTO RANK_DEVICE_MAP VALUES ({rank}, 0);")
    made.close()


class Recognition(CliTest):
    def put(self, name, text):
        return write(self.path(name), text)

    def test_databases_of_several_ranks_in_one_folder_are_all_shown(self):
        for kind, ending in (("ascend_pytorch_profiler_{}", ".db"), ("ascend_mindspore_profiler_{}", ".db"),
                             ("msmonitor_77_20250101000000000_{}", ".db")):
            folder = self.path(kind.split("_{")[0])
            for rank in (0, 3, 11):
                database(os.path.join(folder, kind.format(rank) + ending), f"of{rank}")
            expected = [(0, "of0", T0, 7), (3, "of3", T0, 7), (11, "of11", T0, 7)]
            self.assertEqual(rows(folder, "SELECT rank_id, name, ts, dur FROM kernel ORDER BY 1", "--no-cache"), expected, kind)
            self.assertEqual(rows(folder, "SELECT count(*) FROM diagnostic WHERE code = 'source_not_taken'"), [(0,)], kind)
            alone = os.path.join(folder, kind.format(11) + ending)
            self.assertEqual(rows(alone, "SELECT rank_id, name FROM kernel", "--no-cache"), [(11, "of11")], kind)

    def test_what_lies_beside_databases_of_several_ranks_is_still_there(self):
        for rank in (4, 5):
            database(os.path.join(self.folder, "all", f"ascend_pytorch_profiler_{rank}.db"), f"of{rank}", rank)
        self.put("all/kernel_details.csv", KERNELS)
        self.assertEqual(rows(self.folder, "SELECT rank_id, name, dur FROM kernel ORDER BY name", "--no-cache"),
                         [(None, "A", 5001), (4, "of4", 7), (5, "of5", 7)])

    def test_several_exports_of_one_rank_stay_one_rank(self):
        for stamp in ("20250101000000", "20250102000000"):
            database(os.path.join(self.folder, f"msprof_{stamp}.db"), f"of{stamp}")
        self.assertEqual(rows(self.folder, "SELECT name FROM kernel", "--no-cache"), [("of20250102000000",)])

    def test_counters_of_2023_are_named_by_the_enumeration(self):
        path = self.path("msprof_20230101000000.db")
        database(path, "text of id 0")
        with sqlite3.connect(path) as made:
            made.executescript(
                "INSERT INTO STRING_IDS VALUES (3, 'text of id 3'), (4, 'text of id 4'), (9, 'write');"
                "CREATE TABLE ENUM_MEMORY(id INTEGER PRIMARY KEY, name TEXT);"
                "INSERT INTO ENUM_MEMORY VALUES (0, 'app'), (1, 'device'), (3, 'read'), (4, 'write');"
                "CREATE TABLE NPU_MEM(type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);"
                f"INSERT INTO NPU_MEM VALUES (0, 1024, 4096, {T0}, 0), (1, 0, 8192, {T0}, 0);"
                "CREATE TABLE HBM(deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type INTEGER);"
                f"INSERT INTO HBM VALUES (0, {T0}, 1048576, 2, 3), (0, {T0}, 2097152, 2, 9);")
        made.close()
        self.assertEqual(rows(path, "SELECT name, series, value FROM counter ORDER BY name", "--no-cache"),
                         [("APP/DDR", "KB", 1), ("APP/HBM", "KB", 4), ("APP/Memory", "KB", 5), ("Device/DDR", "KB", 0),
                          ("Device/HBM", "KB", 8), ("Device/Memory", "KB", 8), ("HBM 2/Read", "Read(MB/s)", 1),
                          ("HBM 2/Write", "Write(MB/s)", 2)])

    def test_one_table_alone_can_be_opened(self):
        cases = {
            "kernel_details.csv": (KERNELS, "SELECT name, ts, dur FROM kernel", [("A", T0 + 100, 5001)]),
            "op_summary_20250101000000.csv": (SUMMARY.format(name="B", ts="1736412474000000.100"),
                                              "SELECT name, ts, dur FROM kernel", [("B", T0 + 100, 1500)]),
            "step_trace_time.csv": ("Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble\n"
                                    "7,1.5,1,0,1,2,3,0\n", "SELECT step, computing FROM step_breakdown", [(7, 1500)]),
            "communication.json": (json.dumps({"step7": {"collective": {"hcom_x__1_2_1@99": {
                "Communication Time Info": {"Elapse Time(ms)": 1.5}}}}}),
                "SELECT step, group_name, op_name, elapsed FROM collective", [(7, "99", "hcom_x__1_2_1", 1500000)]),
            "cluster_step_trace_time.csv": ("Step,Type,Index,Computing\n7,rank,3,1.5\n",
                                            "SELECT rank_id, computing FROM step_breakdown", [(3, 1500)]),
        }
        for name, (text, sql, expected) in cases.items():
            path = self.put(os.path.join("tables", name), text)
            self.assertEqual(rows(path, sql, "--no-cache"), expected, name)

    def test_a_file_that_is_nothing_known_still_fails(self):
        path = self.put("notes/readme.csv", "a,b\n1,2\n")
        result("info", path, status=1)

    def test_kernels_beside_the_timelines_of_2023_are_read(self):
        device = "PROF_000001_20230818142704322_AAAA/device_0"
        for iteration in (1, 2):
            self.put(f"{device}/timeline/msprof_0_2_{iteration}.json",
                     '[{"ph":"X","name":"i","pid":100,"tid":1,"ts":56635864664.91,"dur":1.5}]')
            self.put(f"{device}/summary/op_summary_0_2_{iteration}.csv",
                     SUMMARY.format(name=f"k{iteration}", ts="56635864664.91"))
        self.assertEqual(rows(self.folder, "SELECT name, stream, ts, dur, block_num FROM kernel ORDER BY name", "--no-cache"),
                         [(f"k{i}", 4, 56635864664910, 1500, 8) for i in (1, 2)])

    def test_memory_of_cann_that_was_released_is_no_leak(self):
        head = ("Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
                "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n")
        body = ("0,foo,2,1736412474000000.1005\t,10.5005\t,4,8,2,8,NPU:0\n"  # both are rounded by themselves
                "0,bar,2,1736412474000000.100\t,,4,8,,,NPU:0\n"
                "0,none,-2,,3,,,1,1,NPU:0\n"
                "0,zero,2,1736412474000000,0,4,8,2,8,NPU:0\n")
        self.put("PROF_000001_20250601120000000_ABC/mindstudio_profiler_output/operator_memory_20250601130000.csv", head + body)
        self.assertEqual(rows(self.folder, "SELECT name, alloc_ts, release_ts FROM allocation ORDER BY rowid", "--no-cache"),
                         [("foo", T0 + 101, T0 + 101 + 10501), ("bar", T0 + 100, None), ("none", None, None), ("zero", T0, T0)])
        self.assertEqual(rows(self.folder, "SELECT count(*) FROM diagnostic WHERE code LIKE 'csv.%'"), [(0,)])

    def test_a_recorded_release_wins_over_the_duration(self):
        self.put("operator_memory.csv", "Duration(us),Name,Size(KB),Allocation Time(us),Release Time(us)\n"
                 "99,foo,1,10,20\n99,bar,1,10,\n")
        self.assertEqual(rows(self.folder, "SELECT name, alloc_ts, release_ts FROM allocation ORDER BY rowid", "--no-cache"),
                         [("foo", 10000, 20000), ("bar", 10000, None)])


if __name__ == "__main__":
    unittest.main()
