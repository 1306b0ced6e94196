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


def whole_ns(time):
    return int(str(time).replace(".", ""))


def first_layers(folder, differences):
    """Operators are connected with the first end of their launch in the file. The vendor writes layers as its threads come to an
    end, so that this is once a task and once the collective, as in other results of the same program. Each row of operator_details
    differs by what the collectives of its launches, and of those of the operators within it, are longer than their first tasks."""
    (out,) = glob.glob(os.path.join(folder, "expected", "*", "ASCEND_PROFILER_OUTPUT"))
    events = events_of(os.path.join(out, "trace_view.json"))
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    bars = {(e["pid"], e["tid"], whole_ns(e["ts"])): e for e in events if e["ph"] == "X"}
    ends = {}
    for e in events:
        if e["ph"] == "f" and e["cat"] == "HostToDevice":
            ends.setdefault(e["id"], []).append((processes[e["pid"]], (e["pid"], e["tid"], whole_ns(e["ts"]))))
    longer, tasks = {}, set()  # longer: by begin of the collective
    for all_of in ends.values():
        of_device = [bar for process, bar in all_of if process == "Ascend Hardware"]
        if all_of[0][0] == "Communication" and of_device:
            longer[all_of[0][1][2]] = bars[all_of[0][1]]["dur"] - bars[of_device[0]]["dur"]
            tasks.update(bar[2] for bar in of_device)
    if not longer:
        return "no launch ends in a collective first"
    rows = operator_rows(out, events, longer)
    if rows is None:
        return "operator_details has other rows than the timeline has operators"
    for file, one in differences:
        arrow = re.match(r"flows: (missing|not expected) .*'torch_to_npu', '[sf]', 'async_npu', (\d+), ", one)
        if arrow and int(arrow[2]) not in (longer if arrow[1] == "missing" else tasks):
            return f"{file}: {one}"
        cell = re.match(r"row (\d+), Device (Self|Total) Duration\(us\): '([\d.]+)' expected, '([\d.]+)' found", one)
        if cell and abs(rows.pop((int(cell[1]), cell[2]), 0) - (float(cell[3]) - float(cell[4]))) > 0.01:
            return f"{file}: {one}"
        if not arrow and not cell and "has Communication before" not in one:
            return f"{file}: {one}"
    return f"row {next(iter(rows))} does not differ" if rows else None


def operator_rows(out, events, longer):
    """By row and column of operator_details: how much longer it is with collectives in place of their first tasks. None: the rows are not
    the operators of the timeline."""
    operators = sorted((e for e in events if e["ph"] == "X" and e.get("cat") == "cpu_op" and not e["name"].startswith("ProfilerStep")),
                       key=lambda e: whole_ns(e["ts"]))
    with open(os.path.join(out, "operator_details.csv"), encoding="utf-8", newline="") as file:
        if [row["Name"] for row in csv.DictReader(file)] != [e["name"] for e in operators]:
            return None
    begins = [whole_ns(e["ts"]) for e in operators]
    rows = {}
    for e in events:
        if e["ph"] != "s" or e["name"] != "torch_to_npu" or e["id"] not in longer:
            continue
        launch = whole_ns(e["ts"])
        own = max(i for i, one in enumerate(operators) if begins[i] == launch and one["tid"] == e["tid"])
        # The first row is the heading.
        rows[own + 2, "Self"] = rows.get((own + 2, "Self"), 0) + longer[e["id"]]
        for i in range(own + 1):
            if begins[i] <= launch < begins[i] + round(operators[i]["dur"] * 1000):
                rows[i + 2, "Total"] = rows.get((i + 2, "Total"), 0) + longer[e["id"]]
    return rows


TIMES = ("Transit Time(ms)", "Wait Time(ms)", "Synchronization Time(ms)", "Idle Time(ms)")


def first_planes(path):
    """By collective: the times, as TIMES has them, of each plane whose first task begins first; None where that is one alone."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    tasks = database.execute(
        "SELECT s.value, o.endNs - o.startNs, c.planeId, y.value, c.transportType, c.linkType, t.startNs, t.endNs "
        "FROM COMMUNICATION_TASK_INFO c JOIN TASK t USING (globalTaskId) JOIN COMMUNICATION_OP o USING (opId) "
        "JOIN STRING_IDS s ON s.id = o.opName "
        "JOIN STRING_IDS y ON y.id = c.taskType ORDER BY t.startNs").fetchall()
    database.close()
    planes = {}
    for name, elapsed, plane, *task in tasks:
        planes.setdefault((name, elapsed), {}).setdefault(plane, []).append(task)
    found = {}
    for (name, elapsed), all_of in planes.items():
        first = min(of[0][3] for of in all_of.values())
        times = []
        for of in all_of.values():
            if of[0][3] != first:
                continue
            transit = wait = before = 0
            for kind, transport, link, begin, end in of:
                if kind in ("Memcpy", "Reduce_Inline") and transport == 0 and link != 0:
                    transit += end - begin
                elif kind == "Notify_Wait":
                    wait += end - begin
                    before += end - begin if transit == 0 else 0
            times.append([one / 1e6 for one in (transit, wait, before, elapsed - transit - wait)])
        found[name] = times if len(times) > 1 else None
    return found


def near(one, other):
    return abs(float(one) - float(other)) < 1e-6


def value_of(column, times):
    """Of a plane's times, as TIMES has them; a share is that of the wait and the transit together."""
    if column in TIMES:
        return times[TIMES.index(column)]
    part = times[TIMES.index(column.replace(" Ratio", "(ms)"))]
    return round(part / (part + times[0]), 4) if part + times[0] > 0 else 0


def equal_begins(folder, differences):
    """Of tasks of a collective that begin at the same count the vendor's unstable sort makes either the first one, whose plane
    is taken for the master's: the same fifteen records in a row give the one plane or the other. Each value is that of one such plane, and
    ours that of another; sums of a step differ by those of its collectives, and shares follow from the sums."""
    ranks = {os.path.relpath(path, os.path.join(folder, "expected")).split(os.sep)[0]: first_planes(path) for path in databases(folder)}
    changes, sums, shares, rows = {}, [], [], {}
    for file, one in differences:
        rank = file.split(os.sep)[0]
        cell = re.match(r"/(step\d+)/collective/(.+?)(?:@\d+)?/Communication Time Info/([^:]+): (\S+) expected, (\S+) found", one)
        row = re.match(r"CommAnalyzerTime: (missing|not expected) \('hccl_op_name=([^']+)'", one)
        if cell and cell[2] == "Total Op Info":
            (sums if cell[3] in TIMES else shares).append((file, one, rank, cell))
        elif cell:
            planes = ranks[rank].get(cell[2])
            if not planes or not all(any(near(value, value_of(cell[3], of)) for of in planes) for value in cell.groups()[3:]):
                return f"{file}: {one}"
            changes[rank, cell[1], cell[3]] = changes.get((rank, cell[1], cell[3]), 0) + float(cell[4]) - float(cell[5])
        elif row:
            values = [re.search(name + r"_time=([^']+)'", one)[1] for name in ("transit", "wait", "synchronization", "idle")]
            of = [i for i, plane in enumerate(ranks[rank].get(row[2]) or ()) if all(map(near, values, plane))]
            if not of:
                return f"{file}: {one}"
            rows.setdefault((rank, row[2]), set()).add((row[1], of[0]))
        elif one != "the same values in other bytes (order or spaces)":
            return f"{file}: {one}"
    for (rank, name), two in rows.items():
        if len({plane for _, plane in two}) != 2 or len({which for which, _ in two}) != 2:
            return f"{rank} {name} has not the times of two planes"
    for file, one, rank, cell in sums:
        if not near(changes.get((rank, cell[1], cell[3]), 0), float(cell[4]) - float(cell[5])):
            return f"{file}: {one}"
    for file, one, rank, cell in shares:
        totals = events_of(os.path.join(folder, "expected", file))[cell[1]]["collective"]["Total Op Info"]
        total = totals["Communication Time Info"]
        name = cell[3].replace(" Ratio", "(ms)")
        for value, is_ours in ((cell[4], False), (cell[5], True)):
            part, transit = (total[key] - (changes.get((rank, cell[1], key), 0) if is_ours else 0)
                             for key in (name, "Transit Time(ms)"))
            if abs(round(part / (part + transit), 4) - float(value)) > 1e-9:
                return f"{file}: {one}"
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
