#!/usr/bin/env python3
"""Counts and sums what the text files of a cluster analysis hold, with nothing but Python's csv and json modules.

count_cluster.py CLUSTER_FOLDER prints {"table": {"rows": N, "column": sum, ...}}: times in ns, sizes in bytes, sums modulo 2^63, ranks as
they are. "rank" sums, over all rows, the rank to which a row belongs. Links of sets that count ranks locally are not expected."""

import csv
import json
import os
import sys
from decimal import ROUND_FLOOR, Decimal

STEP = {"Computing": "computing", "Communication": "communication", "Communication(Not Overlapped)": "not_overlapped",
        "Overlapped": "overlapped", "Free": "free", "Stage": "stage", "Bubble": "bubble", "Preparing": "preparing"}
TIMES = {"Elapse": "elapsed", "Transit": "transit", "Wait": "wait", "Synchronization": "synchronization", "Idle": "idle"}


def scaled(text, factor):
    return int((Decimal(text) * factor + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


class Table(dict):
    def add(self, **values):
        self["rows"] = self.get("rows", 0) + 1
        for name, value in values.items():
            self[name] = (self.get(name, 0) + value) % (1 << 63)


def count_steps(path):
    table = Table()
    with open(path, newline="", encoding="utf-8") as file:
        for record in csv.DictReader(file):
            if record["Type"] == "rank":
                table.add(rank=int(record["Index"]), step=int(record["Step"]),
                          **{column: scaled(record[name], 1000) for name, column in STEP.items() if name in record})
    return {"step_breakdown": table}


def objects(path):
    """(step, key of the operator, innermost key, object) of everything but totals."""
    with open(path, encoding="utf-8") as file:
        for steps in json.load(file, parse_float=Decimal, parse_int=Decimal).values():
            for step, operators in steps.items():
                for operator, members in operators.items():
                    if not operator.startswith("Total"):
                        for key, content in members.items():
                            yield int(step[len("step"):]), operator, key, content


def count_operators(path):
    collective, bandwidth, packet = Table(), Table(), Table()
    for step, _, rank, info in objects(path):
        times = info["Communication Time Info"]
        collective.add(rank=int(rank), step=step, ts=scaled(times["Start Timestamp(us)"], 1000),
                       **{column: scaled(times[name + " Time(ms)"], 10**6) for name, column in TIMES.items()})
        for facts in info["Communication Bandwidth Info"].values():
            sizes = facts["Size Distribution"]
            if sizes or facts["Transit Size(MB)"] or facts["Transit Time(ms)"]:
                bandwidth.add(rank=int(rank), step=step, size=scaled(facts["Transit Size(MB)"], 10**6),
                              transit=scaled(facts["Transit Time(ms)"], 10**6))
            for size, (count, time) in sizes.items():
                packet.add(rank=int(rank), step=step, packet_size=scaled(size, 10**6), count=scaled(count, 1), dur=scaled(time, 10**6))
    return {"collective": collective, "bandwidth": bandwidth, "packet": packet}


def count_links(path):
    table = Table()
    for step, _, ends, link in objects(path):
        source, target = (int(end) for end in ends.split("-"))
        table.add(rank=source, step=step, src_rank=source, dst_rank=target, size=scaled(link["Transit Size(MB)"], 10**6),
                  transit=scaled(link["Transit Time(ms)"], 10**6))
    return {"link": table}


def main(folder):
    counts = {}
    for name, count in (("cluster_step_trace_time.csv", count_steps), ("cluster_communication.json", count_operators),
                        ("cluster_communication_matrix.json", count_links)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            counts.update(count(path))
    print(json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1])
