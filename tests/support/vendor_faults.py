"""Where the vendor's engine is wrong about the raw captures in raw/pairs, with what proves it: each fault has the number of
differences in each pair, and a function that finds them in the raw data and the vendor's own files alone."""

import csv
import dataclasses
import glob
import json
import os
import re
import sqlite3
import struct
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    file: str        # Pattern of its name.
    difference: str  # Pattern of the difference's begin.
    pairs: dict      # Number of differences, by pair.
    proof: Callable  # Folder of a pair and the differences: what does not prove them; None if all are proven.

    def covers(self, file, difference):
        return re.search(self.file, file) is not None and re.match(self.difference, difference) is not None


# Folders of raw data of which the vendor's result has nothing: torch_npu analyses one PROF folder of a rank, the first in
# the order of the directory.
UNREAD = {"c18": (os.path.join("*_ascend_pt", "PROF_000002_*"),)}


def records(pattern, size):
    """Of a file in slices, one after the other."""
    slices = [path for path in glob.glob(pattern) if re.search(r"\.slice_\d+$", path)]
    data = b""
    for path in sorted(slices, key=lambda path: int(path.rpartition("_")[2])):
        with open(path, "rb") as file:
            data += file.read()
    return [data[at:at + size] for at in range(0, len(data) - size + 1, size)]


def texts(host):
    """Of the dictionary, by hash."""
    found = {}
    for path in glob.glob(os.path.join(host, "*additional.hash_dic.slice_*")):
        if path.endswith(".done"):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                number, _, text = line.rstrip("\n").partition(":")
                found[number] = text
    return found


def hosts(folder):
    return sorted(glob.glob(os.path.join(folder, "input", "**", "host", "data"), recursive=True))


def databases(folder):
    """With the tables of msprof."""
    found = glob.glob(os.path.join(folder, "expected", "**", "*.db"), recursive=True)
    return [path for path in sorted(found) if not re.search(r"(communication_analyzer|analysis)\.db$", path)]


def foreign_attributes(folder, differences):
    """Operators with attributes of which no record says any: the vendor's program keeps those of the row before."""
    attributes, count = {}, 0
    for host in hosts(folder):
        known = texts(host)
        for record in records(os.path.join(host, "*compact.node_attr_info.slice_*"), 64):
            (op,), (text,) = struct.unpack_from("<Q", record, 24), struct.unpack_from("<Q", record, 36)
            attributes.setdefault(known.get(str(op)), set()).add(known.get(str(text)))
    for path in databases(folder):
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        rows = database.execute("SELECT n.value, a.value FROM COMPUTE_TASK_INFO JOIN STRING_IDS n ON n.id = name "
                                "JOIN STRING_IDS a ON a.id = attrInfo")
        count += sum(text != "" and text not in attributes.get(op, ()) for op, text in rows)
        database.close()
    return None if count == len(differences) else f"{count} operators of which no record says an attribute"


def shifted_cells(folder, differences):
    """A name with a comma is not put in quotes: its row has more cells than the header."""
    rows = 0
    for path in glob.glob(os.path.join(folder, "expected", "*", "mindstudio_profiler_output", "*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            header, *table = csv.reader(file)
        rows += sum(len(row) != len(header) for row in table)
    return None if rows == len(differences) else f"{rows} rows with other cells than the header"


def events_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def first_layers(folder, differences):
    """Operators are connected with the first end of their launch in the file. The vendor writes layers as its threads come to an
    end, so that this is once a task and once the collective, as in other results of the same program."""
    (path,) = glob.glob(os.path.join(folder, "expected", "*", "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
    events = events_of(path)
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    ends = {}
    for e in events:
        if e["ph"] == "f" and e["cat"] == "HostToDevice":
            ends.setdefault(e["id"], []).append((processes[e["pid"]], int(e["ts"].replace(".", ""))))
    collectives, tasks = set(), set()
    for all_of in ends.values():
        if all_of[0][0] == "Communication" and any(process == "Ascend Hardware" for process, _ in all_of):
            collectives.add(all_of[0][1])
            tasks.update(time for process, time in all_of if process == "Ascend Hardware")
    for file, one in differences:
        arrow = re.match(r"flows: (missing|not expected) .*'torch_to_npu', '[sf]', 'async_npu', (\d+), ", one)
        if arrow and int(arrow[2]) not in (collectives if arrow[1] == "missing" else tasks):
            return f"{file}: {one}"
    return None if collectives else "no launch ends in a collective first"


def equal_begins(folder, differences):
    """Of tasks of a collective that begin at the same count the vendor's unstable sort makes either the first one, whose plane
    is taken for the master's: the same fifteen records in a row give the one plane or the other."""
    for path in databases(folder):
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        rows = database.execute("SELECT s.value, t.startNs, c.planeId FROM COMMUNICATION_TASK_INFO c JOIN TASK t USING (globalTaskId) "
                                "JOIN STRING_IDS s ON s.id = c.name WHERE c.isMaster = 1").fetchall()
        database.close()
        begins, planes = {}, {}
        for name, begin, plane in rows:
            begins[name] = min(begin, begins.get(name, begin))
            planes.setdefault((name, begin), set()).add(plane)
        single = [name for name, begin in begins.items() if len(planes[name, begin]) == 1]
        if single:
            return f"{single[0]} has one plane first"
    return None


FAULTS = (
    Fault("attributes of another operator", r"\.db$", r"COMPUTE_TASK_INFO\.attrInfo: .* expected, '' found, of ", {
        "c01": 57, "c02": 57, "c05": 50, "c06": 113, "c07": 92, "c08": 51, "c09": 54, "c10": 42, "c11": 57, "c12": 52, "c13": 2198, "c14": 50,
        "c15": 44, "c16": 52, "c17": 53, "c18": 57, "c19": 862, "c20": 52, "c21": 53, "c22": 45, "c23": 41, "c24": 45, "c25": 53, "c26": 49,
        "c27": 44, "c29": 41}, foreign_attributes),
    Fault("names without quotes", r"(op_summary|task_time)\.csv$", r"row \d+: \d+ cells expected, \d+ found of the same text$",
          {"c15": 25}, shifted_cells),
    Fault("layers by threads", r"ASCEND_PROFILER_OUTPUT/(trace_view\.json|operator_details\.csv)$",
          r"flows: .*'torch_to_npu'|the expected file has Communication before|row \d+, Device (Self|Total) Duration",
          {"c19": 266, "c20": 29}, first_layers),
    Fault("either plane of a tie", r"(analysis\.db|communication\.json|communication_matrix\.json)$",
          r"CommAnalyzerTime: |/step\d+/collective/.*/Communication Time Info/|the same values in other bytes", {"g1": 128}, equal_begins),
)

# Files of pairs that are not compared yet, by what their names match.
OPEN = {name: r"(msprof\.json|op_summary\.csv)$" for name in ("c22", "c23", "c29")}
