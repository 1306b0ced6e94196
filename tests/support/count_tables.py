#!/usr/bin/env python3
"""Counts and sums what summary files hold, with nothing but Python's csv and json modules.

count_tables.py OUTPUT_FOLDER [RANK] prints {"table": {"rows": N, "column": sum, ...}}: times in ns, sizes in bytes, sums modulo 2^63, texts as
the number of cells that hold one. "column*row" is the sum of each value (of a text its FNV-1a hash) times the number of its row, from 1: a value in
another row, or two rows that changed places, give another one. Only what a rank's output folder has is listed; RANK chooses among files of MindSpore up to 2.3.
CANN puts its communication files into a folder beside the one of its tables."""

import csv
import functools
import glob
import json
import os
import sys
from decimal import ROUND_FLOOR, Decimal

csv.field_size_limit(1 << 30)
ABSENT = {"", "N/A", "NA", "null", "None", "-"}
US, MS, KB, MB, ONE, KB_10 = 1000, 1000000, 1024, 1048576, 1, 1000

# Table: (files, header of the file -> column and factor; a factor of 0 counts cells)
TABLES = {
    "kernel": (["kernel_details.csv", "op_summary_*.csv", "output_timeline_data_{rank}.txt"], {
        "op_name": ("name", 0), "stream_id": ("stream", ONE), "duration(ms)": ("dur", MS),
        "Name": ("name", 0), "Op Name": ("name", 0), "Type": ("type", 0), "OP Type": ("type", 0), "Start Time(us)": ("ts", US),
        "Task Start Time(us)": ("ts", US), "Duration(us)": ("dur", US), "Task Duration(us)": ("dur", US), "Wait Time(us)": ("wait", US),
        "Task Wait Time(us)": ("wait", US), "Step Id": ("step", ONE), "Stream ID": ("stream", ONE), "Block Dim": ("block_num", ONE),
        "Block Num": ("block_num", ONE), "Input Shapes": ("input_shapes", 0)}),
    "operator": (["operator_details.csv"], {
        "Name": ("name", 0), "Call Stack": ("call_stack", 0), "Host Self Duration(us)": ("self_dur", US),
        "Host Total Duration(us)": ("dur", US), "Device Total Duration(us)": ("device_dur", US)}),
    "op_stat": (["op_statistic.csv", "op_statistic_*.csv", "aicore_intermediate_{rank}_type.csv"], {
        "kernel_type": ("name", 0), "total_time": ("total", MS), "execution_frequency": ("count", ONE),
        "OP Type": ("name", 0), "Core Type": ("core_type", 0), "Count": ("count", ONE), "Total Time(us)": ("total", US),
        "Min Time(us)": ("min", US), "Max Time(us)": ("max", US)}),
    "api_stat": (["api_statistic.csv", "api_statistic_*.csv"], {
        "Level": ("level", 0), "API Name": ("name", 0), "Time(us)": ("total", US), "Count": ("count", ONE), "Min(us)": ("min", US),
        "Max(us)": ("max", US)}),
    "memory_sample": (["memory_record.csv"], {
        "Component": ("component", 0), "Timestamp(us)": ("ts", US), "Total Allocated(MB)": ("allocated", MB),
        "Total Reserved(MB)": ("reserved", MB), "Total Active(MB)": ("active", MB), "Stream Ptr": ("stream", ONE)}),
    "allocation": (["operator_memory.csv"], {
        "Size(KB)": ("size", KB), "Allocation Time(us)": ("alloc_ts", US), "Release Time(us)": ("release_ts", US),
        "Active Release Time(us)": ("active_release_ts", US), "Allocation Total Allocated(MB)": ("alloc_allocated", MB),
        "Allocation Total Reserved(MB)": ("alloc_reserved", MB), "Release Total Active(MB)": ("release_active", MB)}),
    "module_memory": (["npu_module_mem.csv"], {
        "Component": ("component", 0), "Timestamp(us)": ("ts", US), "Total Reserved(MB)": ("reserved", MB)}),
    "static_memory": (["static_op_mem.csv"], {
        "Op Name": ("name", 0), "Node Index Start": ("node_start", ONE), "Node Index End": ("node_end", ONE), "Size(KB)": ("size", KB)}),
    "step_breakdown": (["step_trace_time.csv"], {
        "Step": ("step", ONE), "Computing": ("computing", US), "Communication": ("communication", US),
        "Communication(Not Overlapped)": ("not_overlapped", US), "Overlapped": ("overlapped", US), "Free": ("free", US),
        "Stage": ("stage", US), "Bubble": ("bubble", US), "Preparing": ("preparing", US)}),
    "pipeline_queue": (["minddata_pipeline_raw_{rank}.csv"], {
        "op_id": ("op_id", ONE), "op_type": ("op_type", 0), "num_workers": ("num_workers", ONE), "output_queue_size": ("output_queue_size", 0),
        "output_queue_length": ("output_queue_length", ONE), "sample_interval": ("sample_interval", MS), "parent_id": ("parent_id", ONE),
        "children_id": ("children_id", 0)}),
    "l2_cache": (["l2_cache.csv"], {"Stream Id": ("stream_id", ONE), "Task Id": ("task_id", ONE), "Op Name": ("op_name", 0)}),
}


def scaled(text, factor):
    return int((Decimal(text) * factor + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


# Of these one further pair of quotes around all of it is no part of it.
LISTS = {"input_shapes"}


@functools.lru_cache(maxsize=None)
def text_hash(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def count_csv(path, columns):
    sums = {column: 0 for column, _ in columns.values()}
    by_row = dict.fromkeys(sums, 0)
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        header = [cell.strip() for cell in next(reader)]
        used = {columns[name][0] for name in header if name in columns}
        rows = 0
        for record in reader:
            if not record:
                continue
            rows += 1
            for name, cell in zip(header, record):
                cell = cell.strip()
                if name not in columns or cell.strip('"') in ABSENT:
                    continue
                column, factor = columns[name]
                sums[column] += scaled(cell, factor) if factor else 1
                text = cell[1:-1] if column in LISTS and len(cell) > 1 and cell[0] == cell[-1] == '"' else cell
                by_row[column] += rows * (scaled(cell, factor) if factor else text_hash(text))
    counted = {column: value for column, value in sums.items() if column in used}
    return {"rows": rows, **counted, **{column + "*row": by_row[column] for column in counted}}


def operators(json_file):
    """Maps of operators, whichever layers lie above them."""
    for steps in json_file.values():
        if "Communication Time Info" in steps:
            yield json_file
            return
        for part in steps.values():
            yield part


def count_communication(path):
    collective = {"rows": 0, "elapsed": 0, "transit": 0, "wait": 0, "idle": 0, "ts": 0}
    bandwidth = {"rows": 0, "size": 0, "transit": 0}
    packet = {"rows": 0, "packet_size": 0, "count": 0, "dur": 0}
    with open(path, encoding="utf-8") as file:
        content = json.load(file, parse_float=Decimal, parse_int=Decimal)
    for part in operators(content):
        for key, info in part.items():
            if key.startswith("Total"):
                continue
            times = info["Communication Time Info"]
            collective["rows"] += 1
            collective["ts"] += scaled(times["Start Timestamp(us)"], US)
            for column, name in (("elapsed", "Elapse"), ("transit", "Transit"), ("wait", "Wait"), ("idle", "Idle")):
                collective[column] += scaled(times[name + " Time(ms)"], MS)
            for facts in info["Communication Bandwidth Info"].values():
                sizes = facts["Size Distribution"]
                if sizes or facts["Transit Size(MB)"] or facts["Transit Time(ms)"]:
                    bandwidth["rows"] += 1
                    bandwidth["size"] += scaled(facts["Transit Size(MB)"], MS)
                    bandwidth["transit"] += scaled(facts["Transit Time(ms)"], MS)
                for size, (count, time) in sizes.items():
                    packet["rows"] += 1
                    packet["packet_size"] += scaled(size, MS)
                    packet["count"] += scaled(count, ONE)
                    packet["dur"] += scaled(time, MS)
    return {"collective": collective, "bandwidth": bandwidth, "packet": packet}


def count_matrix(path):
    link = {"rows": 0, "size": 0, "transit": 0, "src_local": 0, "dst_local": 0}
    with open(path, encoding="utf-8") as file:
        content = json.load(file, parse_float=Decimal, parse_int=Decimal)

    def walk(node, key):
        for name, value in node.items():
            if not isinstance(value, dict):
                continue
            if "Transport Type" in value:
                if key.startswith("Total"):
                    continue
                link["rows"] += 1
                link["size"] += scaled(value["Transit Size(MB)"], MS)
                link["transit"] += scaled(value["Transit Time(ms)"], MS)
                source, target = name.split("-")
                link["src_local"] += int(source)
                link["dst_local"] += int(target)
            else:
                walk(value, name)

    walk(content, "")
    return {"link": link}


def count_hccl_raw(path):
    collective = {"rows": 0, "step": 0, "elapsed": 0, "transit": 0, "wait": 0, "op_name": 0}
    link = {"rows": 0, "size": 0, "transit": 0, "src_rank": 0, "dst_rank": 0}

    def add_links(links):
        for ranks, transports in links.items():
            for time, size, _ in transports.values():
                source, target = ranks.split("-")
                link["rows"] += 1
                link["size"] += scaled(size, KB_10)
                link["transit"] += scaled(time, MS)
                link["src_rank"] += int(source)
                link["dst_rank"] += int(target)

    def exact(text):
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)

    with open(path, newline="", encoding="utf-8") as file:
        for record in csv.DictReader(file):
            if record["step_num"] == "-":
                continue
            add_links(exact(record["link_info"]))
            for _, cost, wait, links in exact(record["communication_operator_cost"]).values():
                collective["rows"] += 1
                collective["op_name"] += 1
                collective["step"] += int(record["step_num"])
                collective["transit"] += scaled(cost, MS)
                collective["wait"] += scaled(wait, MS)
                collective["elapsed"] += scaled(cost, MS) + scaled(wait, MS)
                add_links(links)
    return {"collective": collective, "link": link}


def main(folder, rank="*"):
    counts = {}
    for table, (patterns, columns) in TABLES.items():
        files = next((found for found in (sorted(glob.glob(os.path.join(folder, p.format(rank=rank)))) for p in patterns) if found), [])
        for path in files:
            counts[table] = count_csv(path, columns)
    for name, count in (("communication.json", count_communication), ("communication_matrix.json", count_matrix)):
        for path in (os.path.join(folder, name), os.path.join(folder, "..", "analyze", name)):
            if os.path.exists(path):
                counts.update(count(path))
    for path in glob.glob(os.path.join(folder, f"hccl_raw_{rank}.csv")):
        counts.update(count_hccl_raw(path))
    for columns in counts.values():
        for column in columns:
            columns[column] %= 1 << 63
    print(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
