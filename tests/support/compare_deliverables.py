#!/usr/bin/env python3
"""Compares two folders of deliverables, of which one may be the vendor's, and prints the first differences.

    compare_deliverables.py EXPECTED FOUND [--most N]

Rules (core/report/deliverables/FORMAT.md): files are paired by their names without the time in them. Bars of a timeline are a
multiset of process, thread, name, times and arguments, numbers by their value, a connection by the call that has it; so are the ends of
flows, each alone; counters and names of threads are sets, since the vendor writes some twice. Tables and communication files are compared
byte for byte. Where a launch has several ends, the one that counts depends on the order of layers in the vendor's file, which is said.
Tables of databases are multisets of rows, of which numbers that mean nothing outside stand for what they lead to: texts, connections the
call or the framework's rows that share them, tasks and collectives themselves; frequencies are a set. Text files and databases are
compared only where both folders have some.
Ends with 1 if anything differs.
"""

import argparse
import csv
import io
import json
import os
import re
import sqlite3
import sys
from collections import Counter

TIME = re.compile(r"_\d{14}(?=\.)")
TIMELINES = ("msprof.json", "msprof_tx.json", "trace_view.json", "step_trace.json")
IGNORED = ("README.txt", "analyse.done")
# Tables whose rows are a multiset: of the memory's files the vendor reads slices of one number in the order of the directory.
WITHOUT_ORDER = "npu_mem"


def listed(folder):
    """Files by their folder and name without the time."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            if name in IGNORED or not name.endswith((".csv", ".json", ".db")):
                continue
            found[os.path.normpath(os.path.join(os.path.relpath(path, folder), TIME.sub("", name)))] = os.path.join(path, name)
    return found


def is_database(name):
    return name.endswith(".db")


def csv_differences(expected, found):
    """Row, column, and both cells; byte for byte."""
    with open(expected, "rb") as file:
        wanted = file.read()
    with open(found, "rb") as file:
        got = file.read()
    if wanted == got:
        return []
    rows = [list(csv.reader(io.StringIO(text.decode("utf-8"), newline=""))) for text in (wanted, got)]
    if os.path.basename(found).startswith(WITHOUT_ORDER):
        rows = [table[:1] + sorted(table[1:]) for table in rows]
        if rows[0] == rows[1]:
            return []
    differences = []
    if len(rows[0]) != len(rows[1]):
        differences.append(f"{len(rows[0])} rows expected, {len(rows[1])} found")
    header = rows[0][0] if rows[0] else []
    for number, (one, other) in enumerate(zip(*rows), 1):
        if len(one) != len(other):
            differences.append(f"row {number}: {len(one)} cells expected, {len(other)} found")
            # A name that holds a comma and is not in quotes shifts the cells after it.
            if ",".join(one).replace('"', "") == ",".join(other).replace('"', ""):
                differences[-1] += " of the same text"
                continue
        for place, (a, b) in enumerate(zip(one, other)):
            if a != b:
                name = header[place] if place < len(header) else place + 1
                differences.append(f"row {number}, {name}: {a!r} expected, {b!r} found")
    return differences or ["the same cells in other bytes (quotes or line ends)"]


def walk(wanted, got, path, differences):
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in list(wanted) + [key for key in got if key not in wanted]:
            if key not in got:
                differences.append(f"{path}/{key}: missing")
            elif key not in wanted:
                differences.append(f"{path}/{key}: not expected")
            else:
                walk(wanted[key], got[key], f"{path}/{key}", differences)
    elif wanted != got:
        differences.append(f"{path}: {wanted} expected, {got} found")


def json_differences(expected, found):
    with open(expected, encoding="utf-8") as file:
        wanted = file.read()
    with open(found, encoding="utf-8") as file:
        got = file.read()
    if wanted == got:
        return []
    differences = []
    walk(json.loads(wanted, parse_float=str, parse_int=str), json.loads(got, parse_float=str, parse_int=str), "", differences)
    return differences or ["the same values in other bytes (order or spaces)"]


def shared(pairs):
    """What has a number, by number."""
    found = {}
    for number, what in pairs:
        found.setdefault(number, []).append(str(what))
    return {number: str(sorted(all_of)) for number, all_of in found.items()}


LAUNCH = "HostToDevice"
CONNECTION_BITS = 32


class Timeline:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        self.processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        self.threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        self.layers = list(dict.fromkeys(self.processes.get(e["pid"]) for e in events if e["ph"] == "X"))
        connected = [e for e in events if e["ph"] == "X" and "connection_id" in e.get("args", {})]
        # Without a call: what else has it.
        self.calls = shared((e["args"]["connection_id"], f"{e['name']} at {e['ts']}") for e in connected)
        self.calls.update((e["args"]["connection_id"], f"{e['name']} of {e['tid']} at {e['ts']}") for e in connected
                          if self.processes.get(e["pid"]) == "CANN")
        self.bars, self.flows, self.names, self.samples = Counter(), Counter(), set(), set()
        for event in events:
            self.add(event)

    def add(self, e):
        process, thread = self.processes.get(e["pid"]), self.threads.get((e["pid"], e.get("tid")))
        if e["ph"] == "X":
            arguments = dict(e.get("args", {}))
            if "connection_id" in arguments:
                arguments["connection_id"] = self.calls.get(arguments["connection_id"])
            self.bars[process, thread, e["name"], e["ts"], str(e["dur"]), json.dumps(arguments, sort_keys=True), e.get("cat")] += 1
        elif e["ph"] in ("s", "t", "f"):
            name, number = e["name"], e["id"]
            if e["cat"] == LAUNCH:
                name, number = name.replace(str(number), ""), self.calls.get(int(number) >> CONNECTION_BITS)
            self.flows[process, thread, name, e["ph"], e["cat"], number, e["ts"], e.get("bp"),
                       json.dumps(e.get("args"), sort_keys=True)] += 1
        elif e["ph"] == "C":
            self.samples.add((process, e["name"], e["ts"], json.dumps(e["args"], sort_keys=True)))
        elif e["ph"] == "M" and e["name"] != "thread_sort_index":
            self.names.add((process, thread if e["tid"] else None, e["name"], json.dumps(e["args"], sort_keys=True)))


def timeline_differences(expected, found):
    wanted, got = Timeline(expected), Timeline(found)
    differences = []
    for title in ("bars", "flows"):
        one, other = getattr(wanted, title), getattr(got, title)
        differences += [f"{title}: missing {item}" for item in (one - other).elements()]
        differences += [f"{title}: not expected {item}" for item in (other - one).elements()]
    for title in ("names", "samples"):
        one, other = getattr(wanted, title), getattr(got, title)
        differences += [f"{title}: missing {item}" for item in sorted(one - other, key=str)]
        differences += [f"{title}: not expected {item}" for item in sorted(other - one, key=str)]
    layers = [layer for layer in wanted.layers if layer in ("Ascend Hardware", "Communication")]
    if differences and layers[:1] == ["Communication"]:
        differences.append("the expected file has Communication before Ascend Hardware: torch_to_npu and operator_details of collectives differ by that")
    return differences


# Columns that hold numbers of texts.
TEXTS = {
    "TASK": ("taskType",),
    "COMPUTE_TASK_INFO": ("name", "taskType", "opType", "inputFormats", "inputDataTypes", "inputShapes", "outputFormats", "outputDataTypes",
                          "outputShapes", "attrInfo", "opState", "hf32Eligible", "gridDim", "blockDim"),
    "COMMUNICATION_OP": ("opName", "groupName", "algType", "opType"),
    "COMMUNICATION_TASK_INFO": ("name", "taskType", "groupName"),
    "COMMUNICATION_SCHEDULE_TASK_INFO": ("name", "taskType", "opType"),
    "TASK_PMU_INFO": ("name",),
    "CANN_API": ("name",),
    "HBM": ("type",),
    "LLC": ("mode",),
    "NPU_MEM": ("type",),
    "QOS": ("eventName",),
    "SIO": ("name",),
    "NPU_OP_MEM": ("operatorName", "type", "component"),
    "MSTX_EVENTS": ("message", "domainId"),
    "PYTORCH_API": ("name", "inputDtypes", "inputShapes"),
    "MEMORY_RECORD": ("component",),
    "OP_MEMORY": ("name",),
}
# Without rows of their own: what leads to them shows them.
INNER_TABLES = ("STRING_IDS", "CONNECTION_IDS", "PYTORCH_CALLCHAINS")


class Database:
    """Tables by name: their columns, and their rows as a multiset of cells that mean the same in another file."""

    def __init__(self, path):
        self.file = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        names = [name for (name,) in self.file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.columns = {name: [(one[1], one[2]) for one in self.file.execute(f"PRAGMA table_info({name})")] for name in names}
        self.texts = dict(self.rows("STRING_IDS", "id", "value"))
        # Without a call: what else has it.
        self.calls = shared((row[0], row[1:]) for row in self.rows("TASK", "connectionId", "startNs", "endNs", "streamId"))
        self.calls.update({row[0]: (row[1], row[2], row[3], self.texts.get(row[4]))
                           for row in self.rows("CANN_API", "connectionId", "startNs", "endNs", "globalTid", "name")})
        self.tasks = {row[0]: row[1:]
                      for row in self.rows("TASK", "globalTaskId", "startNs", "endNs", "deviceId", "streamId", "taskId", "contextId")}
        self.collectives = {row[0]: self.texts.get(row[1]) for row in self.rows("COMMUNICATION_OP", "opId", "opName")}
        self.connections, self.chains = {}, {}
        owners = {row[0]: row[1:] for row in self.rows("PYTORCH_API", "connectionId", "startNs", "endNs", "globalTid")}
        pairs = self.rows("CONNECTION_IDS", "id", "connectionId")
        of_framework = shared((connection, owners.get(number)) for number, connection in pairs)
        for number, connection in pairs:
            self.connections.setdefault(number, []).append(str(self.calls.get(connection, of_framework[connection])))
        for number, depth, frame in sorted(self.rows("PYTORCH_CALLCHAINS", "id", "stackDepth", "stack")):
            self.chains.setdefault(number, []).append((depth, self.texts.get(frame)))
        self.tables = {name: self.meaning(name) for name in names if name not in INNER_TABLES}

    def rows(self, table, *columns):
        return self.file.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall() if table in self.columns else []

    def cell(self, table, column, value):
        if column in TEXTS.get(table, ()):
            return self.texts.get(value, value)
        if column == "connectionId":
            return str(sorted(self.connections.get(value, []))) if table == "PYTORCH_API" else self.calls.get(value)
        if column == "callchainId":
            return str(self.chains.get(value))
        if column == "globalTaskId":
            return self.tasks.get(value)
        if column == "opId":
            return self.collectives.get(value)
        return value

    def meaning(self, table):
        own = {"TASK": "globalTaskId", "CANN_API": "connectionId", "COMMUNICATION_OP": "opId", "OVERLAP_ANALYSIS": "id"}.get(table)
        names = [name for name, _ in self.columns[table] if name != own]
        found = Counter(tuple(f"{name}={self.cell(table, name, value)}" for name, value in zip(names, row))
                        for row in self.rows(table, *names))
        return Counter(set(found)) if table == "AICORE_FREQ" else found


def cell_differences(missing, extra):
    """Rows that differ in one column alone, as "COLUMN: A expected, B found, of ROW"; takes them out of both."""
    differences, others = [], {}
    for other in extra.elements():
        for place in range(len(other)):
            others.setdefault((place, other[:place] + other[place + 1:]), []).append(other)
    for one in list(missing.elements()):
        for place, (column, _, wanted) in enumerate(cell.partition("=") for cell in one):
            left = [other for other in others.get((place, one[:place] + one[place + 1:]), ()) if extra[other] > 0]
            if left:
                missing[one] -= 1
                extra[left[0]] -= 1
                differences.append(f"{column}: {wanted!r} expected, {left[0][place].partition('=')[2]!r} found, of {one}")
                break
    return differences


def database_differences(expected, found):
    wanted, got = Database(expected), Database(found)
    differences = []
    for table in sorted(set(wanted.columns) | set(got.columns)):
        if table not in got.columns or table not in wanted.columns:
            differences.append(f"{table}: {'missing' if table not in got.columns else 'not expected'}")
        elif wanted.columns[table] != got.columns[table]:
            differences.append(f"{table}: columns {wanted.columns[table]} expected, {got.columns[table]} found")
        elif table not in INNER_TABLES:
            one, other = wanted.tables[table] - got.tables[table], got.tables[table] - wanted.tables[table]
            differences += [f"{table}.{cell}" for cell in cell_differences(one, other)]
            differences += [f"{table}: missing {item}" for item in one.elements()]
            differences += [f"{table}: not expected {item}" for item in other.elements()]
    return differences


def compare(expected, found):
    """By name: None if the file is not there, else the list of differences."""
    wanted, got = listed(expected), listed(found)
    for kind in (True, False):
        if not all(any(is_database(name) == kind for name in side) for side in (wanted, got)):
            wanted, got = ({name: path for name, path in side.items() if is_database(name) != kind} for side in (wanted, got))
    results = {}
    for name in sorted(set(wanted) | set(got)):
        if name not in got or name not in wanted:
            results[name] = [("missing" if name not in got else "not expected")]
        elif os.path.basename(name) in TIMELINES:
            try:
                results[name] = timeline_differences(wanted[name], got[name])
            except json.JSONDecodeError as error:
                results[name] = [f"one of both is no JSON: {error}"]
        elif is_database(name):
            results[name] = database_differences(wanted[name], got[name])
        elif name.endswith(".csv"):
            results[name] = csv_differences(wanted[name], got[name])
        else:
            results[name] = json_differences(wanted[name], got[name])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected")
    parser.add_argument("found")
    parser.add_argument("--most", type=int, default=5, help="differences that are printed of each file (5)")
    options = parser.parse_args()
    results = compare(options.expected, options.found)
    for name, differences in results.items():
        print(f"{name}: {'equal' if not differences else f'{len(differences)} differences'}")
        for one in differences[:options.most]:
            print(f"  {one}")
    return 1 if not results or any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
