#!/usr/bin/env python3
"""Counts and sums what databases hold for the summary tables, with nothing but Python's sqlite3 module.

count_db_tables.py DATABASE... prints {"table": {"rows": N, "column": sum, ...}}: times in ns, sizes in bytes, sums modulo 2^63, texts as
the number of cells that hold one. Only tables that a database has are listed."""

import json
import sqlite3
import sys
from decimal import ROUND_FLOOR, Decimal

ABSENT = {"", "N/A", "NA", "null", "None", "-"}
US, MS = 1000, 1000000


def scaled(value, factor):
    return int((Decimal(repr(value) if isinstance(value, float) else str(value)) * factor + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


class Database:
    def __init__(self, path):
        self.connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.tables = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.texts = dict(self.connection.execute("SELECT id, value FROM STRING_IDS")) if "STRING_IDS" in self.tables else {}

    def rows(self, table):
        if table not in self.tables:
            return []
        cursor = self.connection.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]

    def has_text(self, identifier):
        return self.texts.get(identifier, "N/A").strip('"') not in ABSENT


class Table(dict):
    def add(self, **cells):
        self["rows"] = self.get("rows", 0) + 1
        for name, value in cells.items():
            self[name] = self.get(name, 0) + (value or 0)


def count_kernels(database, counts):
    kernel = Table()
    infos = {row["globalTaskId"]: row for row in database.rows("COMPUTE_TASK_INFO")}
    for task in database.rows("TASK"):
        info = infos.get(task["globalTaskId"])
        if info is None:
            continue
        blocks = info.get("blockNum", info.get("blockDim", info.get("block_dim")))
        kernel.add(name=1, ts=task["startNs"], dur=task["endNs"] - task["startNs"], stream=task["streamId"], block_num=blocks,
                   type=database.has_text(info["opType"]), accelerator_core=database.has_text(info["taskType"]),
                   input_shapes=database.has_text(info["inputShapes"]), output_types=database.has_text(info["outputDataTypes"]))
    for op in database.rows("COMMUNICATION_OP"):
        kernel.add(name=1, ts=op["startNs"], dur=op["endNs"] - op["startNs"], stream=0, block_num=0,
                   type=database.has_text(op.get("opType")), accelerator_core=1, input_shapes=0, output_types=0)
    counts["kernel"] = kernel


def count_memory(database, counts):
    sample, allocation, module = Table(), Table(), Table()
    for row in database.rows("MEMORY_RECORD"):
        sample.add(ts=row["timestamp"], allocated=row["totalAllocated"], reserved=row["totalReserved"], active=row["totalActive"],
                   stream=row["streamPtr"], component=1)
    for row in database.rows("NPU_MEM"):
        if database.texts.get(row["type"]) == "app":
            sample.add(ts=row["timestampNs"], reserved=row["hbm"], component=1)
    for row in database.rows("OP_MEMORY"):
        allocation.add(name=1, size=row["size"], alloc_ts=row["allocationTime"], release_ts=row["releaseTime"],
                       active_release_ts=row["activeReleaseTime"], alloc_allocated=row["allocationTotalAllocated"],
                       alloc_reserved=row["allocationTotalReserved"], release_active=row["releaseTotalActive"], stream=row["streamPtr"])
    for row in database.rows("NPU_MODULE_MEM"):
        module.add(component=1, ts=row["timestampNs"], reserved=row["totalReserved"])
    counts.update({"memory_sample": sample, "allocation": allocation, "module_memory": module})


def count_analysis(database, counts):
    steps, collective, bandwidth, packet, link = Table(), Table(), Table(), Table(), Table()
    for row in database.rows("StepTraceTime"):
        steps.add(computing=scaled(row["computing"], US), communication=scaled(row["communication"], US), free=scaled(row["free"], US),
                  stage=scaled(row["stage"], US), bubble=scaled(row["bubble"], US), preparing=scaled(row["preparing"], US),
                  not_overlapped=scaled(row["communication_not_overlapped"], US), overlapped=scaled(row["overlapped"], US),
                  step=int(row["step"] or 0))
    for row in database.rows("CommAnalyzerTime"):
        collective.add(ts=scaled(row["start_timestamp"], US), elapsed=scaled(row["elapse_time"], MS), transit=scaled(row["transit_time"], MS),
                       wait=scaled(row["wait_time"], MS), idle=scaled(row["idle_time"], MS),
                       synchronization=scaled(row["synchronization_time"], MS))
    seen = set()
    for row in database.rows("CommAnalyzerBandwidth"):
        if row["count"]:
            packet.add(packet_size=scaled(row["package_size"], MS), count=int(row["count"]), dur=scaled(row["total_duration"], MS))
        key = (row.get("step"), row["hccl_op_name"], row["group_name"], row["transport_type"])
        if key not in seen:
            bandwidth.add(size=scaled(row["transit_size"], MS), transit=scaled(row["transit_time"], MS))
        seen.add(key)
    for row in database.rows("CommAnalyzerMatrix"):
        link.add(size=scaled(row["transit_size"], MS), transit=scaled(row["transit_time"], MS), src_local=int(row["src_rank"]),
                 dst_local=int(row["dst_rank"]), op_name=1, transport=1)
    counts.update({"step_breakdown": steps, "collective": collective, "bandwidth": bandwidth, "packet": packet, "link": link})


def main(paths):
    counts = {}
    for path in paths:
        database = Database(path)
        found = {}
        if database.tables & {"TASK", "COMMUNICATION_OP"}:
            count_kernels(database, found)
            count_memory(database, found)
        count_analysis(database, found)
        counts.update({name: table for name, table in found.items() if table})
    for table in counts.values():
        for column in table:
            table[column] %= 1 << 63
    print(json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1:])
