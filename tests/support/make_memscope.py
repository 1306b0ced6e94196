#!/usr/bin/env python3
"""Writes dumps as msMemScope does, of memory that is played here.

make_memscope.py FILE [--events N] [--seed N] [--table leaks_dump] [--plain] [--calls N]
--plain: attributes without quotes; FILE.csv is written as CSV. --calls: calls of Python as well, in a table of the
database or in python_trace_1.csv beside FILE.csv.
The driver gives segments, a pool cuts them up, uses its blocks and counts itself; host memory comes and goes."""

import argparse
import csv
import json
import os
import random
import sqlite3

COLUMNS = '"ID" INTEGER PRIMARY KEY, "Event" TEXT, "Event Type" TEXT, "Name" TEXT, "Timestamp(ns)" INTEGER, "Process Id" INTEGER, ' \
          '"Thread Id" INTEGER, "Device Id" TEXT, "Ptr" TEXT, "Attr" TEXT, "Call Stack(Python)" TEXT, "Call Stack(C)" TEXT'


class Dump:
    def __init__(self, seed, plain):
        self.rng, self.plain, self.rows, self.now, self.ids = random.Random(seed), plain, [], 1779862930000000000, 0

    def add(self, event, kind, device="0", ptr=None, attr=None, name="N/A", stack=True):
        self.now += self.rng.randrange(1, 400000)
        text = "" if not attr else "{" + ",".join(f"{k}:{v}" for k, v in attr.items()) + "}" if self.plain else \
            json.dumps({k: str(v) for k, v in attr.items()}, separators=(",", ":"))
        python = f"/src/model.py({self.rng.randrange(3)}): forward\n/src/train.py(9): <module>\n" if stack else ""
        c = f"/lib/hook.so(halMemAlloc+0x{self.rng.randrange(2)}) [0x1]\n" if stack and self.rng.random() < 0.5 else ""
        # Threads come late: the order of times is another one.
        late = 0 if event in ("MALLOC", "FREE") else self.rng.choice((0, 0, 700000))
        self.ids += 1
        self.rows.append((self.ids, event, kind, name, self.now - late, 7, 7, device,
                          "N/A" if ptr is None else f"0x{ptr:016x}", text, python, c))

    def play(self, events):
        rng, segments, blocks, hosts, total, used, top = self.rng, [], {}, {}, 0, 0, 0x12C000000000
        self.add("SYSTEM", "START_TRACE", "N/A", stack=False)
        self.add("FREE", "PTA", ptr=0x11, attr={"allocation_id": 1, "addr": "0x11", "size": 5000, "total": 0, "used": 0})
        for _ in range(events):
            choice = rng.random()
            size = rng.choice((512, 4096, 1 << 20, 3 << 20))
            if choice < 0.35:
                if not any(o + size <= s for _, s, o in segments) or rng.random() < 0.05:
                    reserved = max(size, 20 << 20)
                    segments.append([top, reserved, 0])
                    self.add("MALLOC", "HAL", ptr=top, attr={"allocation_id": self.ids, "addr": hex(top), "size": reserved})
                    total += reserved
                    top += reserved + (1 << 21)
                segment = next(s for s in segments if s[2] + size <= s[1])
                address = segment[0] + segment[2]
                segment[2] += size
                used += size
                owner = rng.choice((None, "PTA@model@weight", "PTA@model@gradient"))
                attr = {"allocation_id": self.ids, "addr": hex(address), "size": size, "total": total, "used": used}
                self.add("MALLOC", "PTA", ptr=address, attr={**attr, "owner": owner} if owner else attr)
                blocks[address] = size
            elif choice < 0.6 and blocks:
                address = rng.choice(list(blocks))
                used -= blocks[address]
                self.add("FREE", "PTA", ptr=address, attr={"allocation_id": 1, "addr": hex(address), "size": blocks.pop(address),
                                                           "total": total, "used": used})
            elif choice < 0.8 and blocks:
                address = rng.choice(list(blocks))
                self.add("ACCESS", rng.choice(("READ", "WRITE")), ptr=address + rng.choice((0, 100)), name="aten::add",
                         attr={"dtype": "float", "shape": "[2, 3]", "size": 24, "type": "PTA"})
            elif choice < 0.9:
                address = 0x700000000000 + rng.randrange(40) * (1 << 20)
                self.add("FREE" if address in hosts else "MALLOC", "HOST_PINNED", "cpu", address,
                         {"allocation_id": 3, "addr": hex(address), "size": hosts.pop(address, None) or hosts.setdefault(address, size)})
            elif choice < 0.95:
                self.add("KERNEL_LAUNCH", "KERNEL_LAUNCH", name="MatMul", attr={"streamId": 2, "taskId": 3}, stack=False)
            else:
                self.add("SNAPSHOT", "Memory_Snapshot", attr={"total_mem": 1 << 36, "free_mem": 1, "reserved": total, "allocated": used}, stack=False)
        self.add("MALLOC", "HAL", ptr=0x99000000000, attr={"allocation_id": 9, "addr": "0x99000000000", "size": 12345})


    def calls(self, count):
        """A tree of calls on two threads over the time of the events; some have begun before, or go on after."""
        rng, rows, begin, end = self.rng, [], self.rows[0][4], self.now

        def call(thread, name, start, stop, depth):
            rows.append((name, str(start), str(stop), thread, 7))
            at = start
            while depth < 6 and len(rows) < count:
                length = (stop - start) // rng.choice((2, 3, 5))
                if length < 10 or at + length > stop:
                    return
                call(thread, f"/src/layer{depth}.py({rng.randrange(9)}): forward{rng.randrange(4)}", at, at + length - 1, depth + 1)
                at += length

        for thread in (7, 8):
            call(thread, "/src/train.py(9): <module>", begin, end, 0)
            rows.append(("start: /src/train.py(1): main", str(begin), "N/A", thread, 7))
            rows.append(("/src/model.py(3): left", "N/A", str(begin + 1000), thread, 7))
        return rows


def write_csv(path, heading, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heading)
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--events", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", default="memscope_dump")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--calls", type=int, default=0)
    options = parser.parse_args()
    dump = Dump(options.seed, options.plain or options.file.endswith(".csv"))
    dump.play(options.events)
    calls = dump.calls(options.calls) if options.calls else []
    columns = [name.split('"')[1] for name in COLUMNS.split(", ")]
    trace_columns = ["FuncInfo", "StartTime(ns)", "EndTime(ns)", "Thread Id", "Process Id"]
    if options.file.endswith(".csv"):
        write_csv(options.file, columns, dump.rows)
        if calls:
            write_csv(os.path.join(os.path.dirname(options.file), "python_trace_1.csv"), trace_columns, calls)
        return
    connection = sqlite3.connect(options.file)
    connection.execute(f'CREATE TABLE "{options.table}" ({COLUMNS})')
    connection.executemany(f'INSERT INTO "{options.table}" VALUES({",".join("?" * 12)})', dump.rows)
    if calls:
        connection.execute('CREATE TABLE "python_trace_7" ("FuncInfo" TEXT, "StartTime(ns)" TEXT, "EndTime(ns)" TEXT, '
                           '"Thread Id" INTEGER, "Process Id" INTEGER)')
        connection.executemany('INSERT INTO "python_trace_7" VALUES(?,?,?,?,?)', calls)
    connection.commit()
    connection.execute("VACUUM")


if __name__ == "__main__":
    main()
