#!/usr/bin/env python3
"""Several NPUs recorded into one rank folder: every table names each, from text as from a database, and what is summed up
is that of one. The second device's rows are made here from those of the first, so that this script knows each of them."""

import csv
import glob
import io
import os
import shutil
import sqlite3
import unittest
from decimal import Decimal

from support import CliTest, result, rows, write

# ns; bytes are doubled.
LATER, LONGER = 1000, 500
OUTPUT = "ASCEND_PROFILER_OUTPUT"
NEW_TASKS = 10**9

# Columns of each table, and a row of the second device from one of the first.
TABLES = {
    "kernel": ("kind, name, type, stream, ts, dur, device_id",
               lambda kind, name, op, stream, ts, dur, _: (kind, name, op, stream, ts + LATER, dur + LONGER, 1)),
    "memory_sample": ("component, ts, allocated, reserved, stream, device_id",
                      lambda component, ts, allocated, reserved, stream, _:
                      (component, ts + LATER, allocated and 2 * allocated, reserved, stream, 1)),
    "allocation": ("name, size, alloc_ts, release_ts, device_id",
                   lambda name, size, begin, end, _: (name, 2 * size, begin, end, 1)),
    "module_memory": ("component, ts, reserved, device_id",
                      lambda component, ts, reserved, _: (component, ts + LATER, 2 * reserved, 1)),
}


def us(ns):
    return lambda text, _: text and str(Decimal(text.strip()) + Decimal(ns) / 1000)


def twice(text, _):
    return text and str(2 * Decimal(text))


def npu(text, _):
    return text.replace("0", "1")


def longer_in_all(text, row):
    return str(Decimal(text) + Decimal(LONGER) / 1000 * int(row["Count"]))


FILES = {
    "kernel_details.csv": {"Device_id": npu, "Start Time(us)": us(LATER), "Duration(us)": us(LONGER)},
    "op_statistic.csv": {"Device_id": npu, "Total Time(us)": longer_in_all, "Min Time(us)": us(LONGER), "Avg Time(us)": us(LONGER),
                         "Max Time(us)": us(LONGER)},
    "memory_record.csv": {"Device Type": npu, "Timestamp(us)": us(LATER), "Total Allocated(MB)": twice},
    "operator_memory.csv": {"Device Type": npu, "Size(KB)": twice},
    "npu_module_mem.csv": {"Device_id": npu, "Device": npu, "Timestamp(us)": us(LATER), "Total Reserved(MB)": twice},
}
DATABASE = {
    "TASK": {"startNs": f"startNs + {LATER}", "endNs": f"endNs + {LATER + LONGER}", "deviceId": "1",
             "globalTaskId": f"globalTaskId + {NEW_TASKS}"},
    "COMPUTE_TASK_INFO": {"globalTaskId": f"globalTaskId + {NEW_TASKS}"},
    "COMMUNICATION_OP": {"startNs": f"startNs + {LATER}", "endNs": f"endNs + {LATER + LONGER}", "deviceId": "1",
                         "opId": f"opId + {NEW_TASKS}"},
    "MEMORY_RECORD": {"timestamp": f"timestamp + {LATER}", "totalAllocated": "2 * totalAllocated", "deviceId": "1"},
    "NPU_MEM": {"timestampNs": f"timestampNs + {LATER}", "deviceId": "1"},
    "OP_MEMORY": {"size": "2 * size", "deviceId": "1"},
    "NPU_MODULE_MEM": {"timestampNs": f"timestampNs + {LATER}", "totalReserved": "2 * totalReserved", "deviceId": "1"},
}


def double_file(path, changes):
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(lines[0]))
    writer.writeheader()
    for row in lines:
        writer.writerow(row)
        writer.writerow({name: changes[name](cell, row) if name in changes else cell for name, cell in row.items()})
    write(path, out.getvalue())


def double_database(path, names_collectives):
    with sqlite3.connect(path) as database:
        if names_collectives:
            database.execute("ALTER TABLE COMMUNICATION_OP ADD COLUMN deviceId INTEGER")
            database.execute("UPDATE COMMUNICATION_OP SET deviceId = 0")
        for table, changes in DATABASE.items():
            columns = [column[1] for column in database.execute(f"PRAGMA table_info({table})")]
            database.execute(f"INSERT INTO {table} SELECT {', '.join(changes.get(c, c) for c in columns)} FROM {table}")
    database.close()


def table(capture, name, *words):
    return sorted(rows(capture, f"SELECT {TABLES[name][0]} FROM {name}", *words), key=repr)


class Devices(CliTest):
    def made(self, kind, several, names_collectives=True):
        """A capture of the first of two ranks, as text or as a database."""
        run = self.path("run")
        if not os.path.isdir(run):
            result("generate", run, "--format", "text", "--format", "db", "--ranks", "2", "--steps", "2", "--layers", "1",
                   "--seed", "3")
        capture = self.path(f"{kind}{several}{names_collectives}")
        if os.path.isdir(capture):
            return capture
        shutil.copytree(os.path.join(run, "rank0_ascend_pt"), os.path.join(capture, "rank0_ascend_pt"))
        output = os.path.join(capture, "rank0_ascend_pt", OUTPUT)
        for path in glob.glob(os.path.join(output, "*")):
            if path.endswith(".db") != (kind == "db"):
                os.remove(path)
        if several and kind == "text":
            for name, changes in FILES.items():
                double_file(os.path.join(output, name), changes)
        if several and kind == "db":
            double_database(glob.glob(os.path.join(output, "ascend_pytorch_profiler*.db"))[0], names_collectives)
        return capture

    def test_every_table_names_the_device(self):
        for kind in ("text", "db"):
            for name, (_, second) in TABLES.items():
                with self.subTest(f"{kind} {name}"):
                    alone, both = table(self.made(kind, False), name), table(self.made(kind, True), name)
                    self.assertTrue(alone)
                    self.assertEqual({row[-1] for row in alone}, {0})
                    self.assertEqual(both, sorted([*alone, *(second(*row) for row in alone)], key=repr))

    def test_text_and_database_agree(self):
        for several in (False, True):
            for name in TABLES:
                with self.subTest(f"{several} {name}"):
                    self.assertEqual(table(self.made("text", several), name), table(self.made("db", several), name))

    def test_operators_are_summed_up_by_device(self):
        for kind in ("text", "db"):
            capture = self.made(kind, True)
            sums = sorted(rows(capture, "SELECT device_id, type, accelerator_core, count(*), sum(dur), min(dur), max(dur) FROM kernel "
                                        "WHERE kind = 'compute' GROUP BY 1, 2, 3"))
            self.assertEqual({row[0] for row in sums}, {0, 1})
            for origin in ("computed", "recorded")[:1 + (kind == "text")]:
                found = rows(capture, "SELECT device_id, name, core_type, count, total, min, max FROM op_stat WHERE origin = "
                                      f"'{origin}'")
                if origin == "computed":
                    self.assertEqual(sorted(found), sums, kind)
                else:  # The file prints sums of what the kernels last to 1/3125 us.
                    self.assertEqual(sorted(row[:4] for row in found), [row[:4] for row in sums])

    def test_a_rank_of_several_devices_has_none_of_its_own(self):
        for kind in ("text", "db"):
            self.assertEqual(rows(self.made(kind, False), "SELECT device_id FROM rank"), [(0,)])
            self.assertEqual(rows(self.made(kind, True), "SELECT device_id FROM rank"), [(None,)])

    def test_collectives_of_old_databases(self):
        """Nothing tells their device where tasks are of several, and their tasks' one where they are of one."""
        query = "SELECT DISTINCT device_id FROM kernel WHERE kind = 'communication'"
        self.assertEqual(rows(self.made("db", True, names_collectives=False), query), [(None,)])
        self.assertEqual(rows(self.made("db", False), query), [(0,)])

    def test_the_cache_gives_the_same(self):
        capture, cache = self.made("text", True), self.path("cache")
        for _ in range(2):
            for name in TABLES:
                self.assertEqual(table(capture, name, "--cache-dir", cache), table(capture, name, "--no-cache"))


if __name__ == "__main__":
    unittest.main()
