"""What npu-monitor writes of a process: lines (Jsonl) in files that it rotates, or the same records as a database. Source of both forms:
core/import/monitor/FORMAT.md."""

import contextlib
import json
import os
import sqlite3

START = 1_772_360_100_000_000_000
MARKS = 4_000_000_000
NONE = 4_294_967_295


def records(steps, pid=4711, device=3, start=START, name="step"):
    """Per step: a mark around a call of each layer, two kernels and a collective of two groups in turn."""
    made = []
    for step in range(steps):
        at, call = start + step * 100_000, step * 10 + 1
        host = {"processId": pid, "threadId": pid + step % 2}
        npu = {"deviceId": device, "streamId": 2}
        for number, kind in enumerate(("AclAPI", "NodeAPI", "RuntimeAPI", "API")):
            made.append({"kind": kind, "name": f"call{number}", "startNs": at + number * 1000, "endNs": at + number * 1000 + 700,
                         "correlationId": call + number, **host})
        for number, core in enumerate(("KERNEL_AIVEC", "KERNEL_AICORE")):
            made.append({"kind": "Kernel", "name": f"kernel{number}", "startNs": at + 10_000 + number * 5000,
                         "endNs": at + 14_000 + number * 5000, "type": core, "correlationId": call + 1 + number, **npu})
        made.append({"kind": "Communication", "name": "HcclAllReduce", "startNs": at + 22_000, "endNs": at + 30_000, "dataType": "FP16",
                     "count": 1024, "commName": f"group{step % 2}", "algType": "HD-MESH", "correlationId": call + 3, **npu,
                     "streamId": 7})
        mark = {"kind": "Marker", "name": f"{name}{step}", "domain": "default", "id": step + 1}
        made.append({**mark, "sourceKind": "Device", "startNs": at + 10_000, "endNs": at + 31_000, **npu, "streamId": 9})
        made.append({**mark, "sourceKind": "Host", "startNs": at, "endNs": at + 32_000, **host})
    return made


def ends(rank=0, devices=(3,), groups=None):
    """The last lines, of a recording that was stopped."""
    last = [] if groups is None else [{"kind": "parallel_group_info", "value": json.dumps(groups)}]
    return last + [{"kind": "rank_device_map", "rank": rank, "device": list(devices)}]


def line(record):
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def write_lines(folder, made, pid=4711, rank=0, at_once=10_000, stamp=20260301101500123):
    """The names of the files."""
    os.makedirs(folder, exist_ok=True)
    names = []
    for first in range(0, len(made), at_once):
        names.append(f"msmonitor_{pid}_{stamp + len(names)}_{rank}.jsonl")
        with open(os.path.join(folder, names[-1]), "w", encoding="utf-8") as file:
            file.writelines(line(one) for one in made[first:first + at_once])
    return names


def write_database(path, made, pid=4711, rank=0):
    """As DBProcessManager.cpp, of the same records; the number in a collective's name is made up."""
    texts = {}

    def text(value):
        return texts.setdefault(value, len(texts))

    levels = {"AclAPI": 20000, "NodeAPI": 10000, "RuntimeAPI": 5000, "API": 10000}
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("""
            CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);
            CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
            CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
                              globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
            CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, blockDim INTEGER, mixBlockDim INTEGER, taskType INTEGER,
                                           opType INTEGER);
            CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER,
                opId INTEGER, relay INTEGER, retry INTEGER, dataType INTEGER, algType INTEGER, count INTEGER, opType INTEGER, deviceId INTEGER);
            CREATE TABLE MSTX_EVENTS(startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, message INTEGER,
                                     globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER, connectionId INTEGER);
            CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER);
            CREATE TABLE META_DATA(name TEXT, value TEXT);""")
        task = 0
        for one in made:
            kind, times = one["kind"], (one.get("startNs"), one.get("endNs"))
            if kind in levels:
                database.execute("INSERT INTO CANN_API VALUES (?, ?, ?, ?, ?, ?)",
                                 (*times, levels[kind], one["processId"] << 32 | one["threadId"], one["correlationId"], text(one["name"])))
            elif kind == "Kernel":
                database.execute("INSERT INTO COMPUTE_TASK_INFO VALUES (?, ?, ?, ?, ?, ?)",
                                 (text(one["name"]), task, NONE, NONE, text(one["type"]), text("N/A")))
                database.execute("INSERT INTO TASK VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                 (*times, one["deviceId"], one["correlationId"], task, pid, text(one["type"]), NONE, one["streamId"], NONE, NONE))
                task += 1
            elif kind == "Communication":
                database.execute("INSERT INTO COMMUNICATION_OP VALUES (?, ?, ?, ?, ?, ?, 0, 0, 4, ?, ?, ?, ?)",
                                 (text(one["name"] + "_123_0_1"), *times, one["correlationId"], text(one["commName"]), task,
                                  text(one["algType"]), one["count"], text(one["name"]), one["deviceId"]))
            elif kind == "Marker" and one["sourceKind"] == "Host":
                tid = one["processId"] << 32 | one["threadId"]
                database.execute("INSERT INTO MSTX_EVENTS VALUES (?, ?, 2, ?, ?, ?, ?, ?, ?, ?)",
                                 (*times, NONE, NONE, text(one["name"]), tid, tid, text(one["domain"]), MARKS + one["id"]))
            elif kind == "Marker":
                database.execute("INSERT INTO TASK VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                 (*times, one["deviceId"], MARKS + one["id"], task, pid, text("MsTx"), NONE, one["streamId"], NONE, NONE))
                task += 1
            elif kind == "rank_device_map":
                database.executemany("INSERT INTO RANK_DEVICE_MAP VALUES (?, ?)", [(rank, device) for device in one["device"]])
            else:
                database.execute("INSERT INTO META_DATA VALUES (?, ?)", (kind, one["value"]))
        database.executemany("INSERT INTO STRING_IDS VALUES (?, ?)", [(number, value) for value, number in texts.items()])
        database.commit()
