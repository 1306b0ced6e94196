#!/usr/bin/env python3
"""`generate --format raw`: the bytes are what the reference of raw data says, read with struct alone, and hold what the text files of the
same run hold; through the SQL tables both are twins; planted faults are found from both."""

import csv
import glob
import hashlib
import json
import os
import re
import struct
import unittest
from collections import Counter, defaultdict
from decimal import Decimal

from support import CliTest, run

BOOT = 1_564_245_302_217_840_000  # Wall time of the monotonic clock's begin.


def ns(us):
    return int((Decimal(str(us).strip()) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))


class RawFiles:
    """The records of one rank, without any code of the project."""

    def __init__(self, folder):
        self.folder = folder
        (self.prof,) = glob.glob(os.path.join(folder, "PROF_*"))
        (self.device,) = glob.glob(os.path.join(self.prof, "device_*"))
        number = self.device.rsplit("_", 1)[1]
        host = dict(line.split(": ") for line in self.text("host", "host_start.log").splitlines()[1:])
        begin = json.loads(self.text("host", "start_info"))
        self.megahertz = Decimal(json.loads(self.text("host", "info.json"))["CPU"][0]["Frequency"])
        info = json.loads(self.text(f"device_{number}", f"info.json.{number}"))
        assert info["platform_version"] == "5" and json.loads(self.text("host", "sample.json"))["devices"] == "64"
        self.device_megahertz = int(info["DeviceInfo"][0]["hwts_frequency"])
        device = dict(line.split(": ") for line in self.text(f"device_{number}", f"dev_start.log.{number}").splitlines())
        wall = int(begin["collectionTimeBegin"]) * 1000 - int(begin["clockMonotonicRaw"])
        mono, count, device_count = int(host["clock_monotonic_raw"]), int(host["cntvct"]), int(device["cntvct"])
        self.wall = lambda c: int((c - count) * 1000 / self.megahertz) + mono + wall
        self.device_wall = lambda c: (c - device_count) * 1000 // self.device_megahertz + mono + wall
        self.texts = dict(line.split(":", 1) for line in self.host("unaging.additional.hash_dic").decode().splitlines())
        self.types = dict(line.split(":", 1) for line in self.host("unaging.additional.type_info_dic").decode().splitlines())

    def text(self, *names):
        with open(os.path.join(self.prof, *names), encoding="utf-8") as file:
            return file.read()

    def slices(self, folder, stem):
        data = b""
        for number in range(len(glob.glob(os.path.join(folder, "data", f"{stem}.slice_*[0-9]")))):
            path = os.path.join(folder, "data", f"{stem}.slice_{number}")
            with open(path, "rb") as file:
                one = file.read()
            with open(path + ".done", encoding="ascii") as file:
                assert file.read() == f"filesize:{len(one)}", path
            data += one
        return data

    def host(self, stem):
        return self.slices(os.path.join(self.prof, "host"), stem)

    def on_device(self, stem):
        return self.slices(self.device, stem + "." + self.device.rsplit("_", 1)[1])

    def tlvs(self, name):
        with open(os.path.join(self.folder, "FRAMEWORK", name), "rb") as file:
            data = file.read()
        at = 0
        while at < len(data):
            kind, length = struct.unpack_from("<HI", data, at)
            yield kind, data[at + 6:at + 6 + length]
            at += 6 + length
        assert at == len(data)

    @staticmethod
    def inner(data):
        found, at = {}, 0
        while at < len(data):
            kind, length = struct.unpack_from("<HI", data, at)
            found[kind] = data[at + 6:at + 6 + length].decode()
            at += 6 + length
        return found

    def calls(self):
        for magic, level, kind, thread, _, begin, end, item in struct.iter_unpack("<HHIIIQQQ", self.host("unaging.api_event.data")):
            assert magic == 0x5A5A
            prefix = {20000: "AscendCL@", 10000: "Node@", 5500: "Hccl@"}[level]
            name = self.texts[str(item)] if level == 5500 else self.types[f"{level}_{kind}"]
            yield thread, prefix + name, self.wall(begin), self.wall(end) - self.wall(begin)

    def device_tasks(self):
        """(stream, begin, duration) of what ran, sub-tasks by their context."""
        running, tasks = {}, []
        for kind, magic, stream, task, count, sub, context, ffts in struct.iter_unpack("<HHHHQBxHH42x", self.on_device("stars_soc.data")):
            assert magic == 0x6BD3
            function, is_sub = kind & 0x3F, kind & 0x20 != 0
            assert function in (0, 1, 0x22, 0x23) and (not is_sub or ffts >> 13 == 4)
            key = stream, task, is_sub, context
            if function & 1 == 0:
                assert key not in running
                running[key] = count
            else:
                begin = running.pop(key)
                name = {3: "Notify Wait", 5: "Write Value", 8: "SDMA"}.get(sub) if is_sub else None
                tasks.append((stream, self.device_wall(begin), self.device_wall(count) - self.device_wall(begin), name))
        assert not running
        return tasks


def sha(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(where, name), "rb") as file:
                found[os.path.relpath(os.path.join(where, name), folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


class GenerateRaw(CliTest):
    def generate(self, name, *words):
        done = run("generate", self.path(name), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def twins(self, *words):
        self.number = getattr(self, "number", 0) + 1
        return tuple(self.generate(f"{form}{self.number}", "--format", form, *words) for form in ("text", "raw"))

    def same(self, found, expected, what):
        self.assertEqual((list((found - expected).elements())[:3], list((expected - found).elements())[:3]), ([], []), what)
        self.assertGreater(sum(found.values()), 0, what)

    def test_bytes_against_text_files(self):
        text, raw = self.twins("--ranks", "2", "--steps", "2", "--layers", "2", "--seed", "5", "--plant", "gc-pause=3")
        for rank in range(2):
            files = RawFiles(os.path.join(raw, f"rank{rank}_ascend_pt"))
            output = os.path.join(text, f"rank{rank}_ascend_pt", "ASCEND_PROFILER_OUTPUT")
            with open(os.path.join(output, "trace_view.json"), encoding="utf-8") as file:
                events = json.load(file, parse_float=Decimal)
            processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
            bars = defaultdict(Counter)
            for e in events:
                if e["ph"] == "X":
                    bars[processes[e["pid"]]][e["tid"], e["name"], ns(e["ts"]), ns(e["dur"]), e.get("cat")] += 1
            cann = Counter((tid, name, ts, dur) for (tid, name, ts, dur, _) in bars["CANN"].elements())
            self.same(Counter(files.calls()), cann, "calls")

            hardware = Counter((stream, ts, dur) for (stream, _, ts, dur, _) in bars["Ascend Hardware"].elements())
            tasks = [task for task in files.device_tasks() if not (task[3] == "Write Value" and task[2] == 0)]
            self.same(Counter(task[:3] for task in tasks), hardware, "tasks")
            parts = Counter((stream, name, ts, dur) for stream, ts, dur, name in tasks if name)
            self.same(parts, Counter({k[:4]: n for k, n in bars["Ascend Hardware"].items() if k[1] in ("Notify Wait", "Write Value", "SDMA")}), "parts")

            operators = Counter()
            for kind, value in files.tlvs("torch.op_range"):
                begin, end, sequence, process, thread, end_thread, _, scope, is_async = struct.unpack_from("<qqqQQQQBB", value)
                self.assertEqual((kind, thread, scope, is_async), (1, end_thread, 0, 0))
                operators[thread, files.inner(value[58:])[2], files.wall(begin), files.wall(end) - files.wall(begin), "cpu_op"] += 1
            self.same(operators, Counter({k: n for k, n in bars["Python"].items() if k[4] == "cpu_op"}), "operators")

            marks = defaultdict(dict)
            for kind, value in files.tlvs("torch.op_mark"):
                time, which, correlation, thread, _ = struct.unpack_from("<qQQQQ", value)
                self.assertEqual(kind, 2)
                marks[correlation][which] = files.wall(time), thread, files.inner(value[40:])[1]
            queue = Counter()
            for mark in marks.values():
                queue[mark[0][1], "Enqueue", mark[0][0], mark[1][0] - mark[0][0], "enqueue"] += 1
                queue[mark[2][1], "Dequeue@" + mark[2][2], mark[2][0], mark[3][0] - mark[2][0], "dequeue"] += 1
            self.same(queue, Counter({k: n for k, n in bars["Python"].items() if k[4] in ("enqueue", "dequeue")}), "queue")

            names = {struct.unpack_from("<Q", value)[0]: files.inner(value[8:])[1] for _, value in files.tlvs("torch.python_tracer_hash")}
            frames, opened = Counter(), []
            with open(os.path.join(files.folder, "FRAMEWORK", "torch.python_tracer_func"), "rb") as file:
                for time, thread, process, key, tag in struct.iter_unpack("<QQQQB", file.read()):
                    if tag == 0:
                        opened.append((names[key], files.wall(time)))
                        continue
                    name, begin = opened.pop()
                    frames[thread, name, begin, files.wall(time) - begin, "python_function"] += 1
            self.assertEqual(opened, [])
            self.same(frames, Counter({k: n for k, n in bars["Python"].items() if k[4] == "python_function"}), "frames")

            with open(os.path.join(files.folder, "FRAMEWORK", "torch.gc_record"), "rb") as file:
                pauses = Counter((files.wall(b), files.wall(e) - files.wall(b)) for _, b, e in struct.iter_unpack("<Qqq", file.read()))
            self.same(pauses, Counter((ts, dur) for (_, _, ts, dur, _) in bars["Python GC"].elements()), "pauses")

            memory = Counter()
            for kind, value in files.tlvs("torch.memory_usage"):
                fields = struct.unpack("<7q2b3B2Q", value)
                self.assertEqual((kind, fields[7], fields[8], fields[9], fields[11]), (3, 20, rank, 0, 0))
                memory[files.wall(fields[1]), fields[3], fields[4], fields[5], fields[6]] += 1
            with open(os.path.join(output, "memory_record.csv"), encoding="utf-8", newline="") as file:
                rows = [row for row in csv.DictReader(file) if row["Component"] == "PTA"]
            size = lambda cell: int(Decimal(cell) * 1048576)
            self.same(memory, Counter((ns(r["Timestamp(us)"]), size(r["Total Allocated(MB)"]), size(r["Total Reserved(MB)"]),
                                       size(r["Total Active(MB)"]), int(r["Stream Ptr"])) for r in rows), "memory")

            # Kernels by name and time of launch, their type and tensors.
            nodes = {}
            for magic, level, kind, thread, size_of, time, op, core, op_type, blocks, flags in struct.iter_unpack(
                    "<HHIIIQQIQII12x", files.host("aging.compact.node_basic_info")):
                nodes[time, files.texts[str(op)]] = core, files.texts[str(op_type)], blocks & 0xFFFF
            with open(os.path.join(output, "kernel_details.csv"), encoding="utf-8", newline="") as file:
                kernels = [row for row in csv.DictReader(file) if row["Accelerator Core"] != "HCCL"]
            cores = {"AI_CORE": 0, "AI_CPU": 1, "AI_VECTOR_CORE": 2, "MIX_AIC": 4, "MIX_AIV": 5, "DSA_SQE": 7}
            self.same(Counter((name, *rest) for (_, name), rest in nodes.items() if rest[0] != 9),
                      Counter((r["Name"], cores[r["Accelerator Core"]], r["Type"], int(r["Block Dim"])) for r in kernels), "kernels")
            self.same(Counter(self.shapes(files)), Counter((r["Name"], r["Input Shapes"].strip('"'), r["Output Shapes"].strip('"')) for r in kernels
                                                          if (r["Input Data Types"], r["Output Data Types"]) != ("N/A", "N/A")), "shapes")

            tracks = list(struct.iter_unpack("<HHIIIQHHHHQQHHB11x", files.host("unaging.compact.task_track")))
            self.assertEqual({(track[0], track[1], track[6]) for track in tracks}, {(0x5A5A, 5000, rank)})
            # A task for each that the device ran; sub-tasks of one share it.
            self.assertEqual(Counter(t[7] for t in tracks), self.tasks_by_stream(files))

    def shapes(self, files):
        lists = defaultdict(lambda: ([], []))
        data = files.host("unaging.additional.tensor_info")
        for at in range(0, len(data), 256):
            magic, _, _, thread, _, time, op, count = struct.unpack_from("<HHIIIQQI", data, at)
            self.assertTrue(magic == 0x5A5A and count <= 5)
            for i in range(count):
                side, _, _, *dims = struct.unpack_from("<11I", data, at + 36 + 44 * i)
                lists[time, files.texts[str(op)]][side].append(",".join(str(d) for d in dims if d))
        for (_, name), (inputs, outputs) in lists.items():
            yield name, *(";".join(one) if one else "N/A" for one in (inputs, outputs))

    @staticmethod
    def tasks_by_stream(files):
        found = defaultdict(set)
        for record in struct.iter_unpack("<HHHHQ48x", files.on_device("stars_soc.data")):
            found[record[2]].add(record[3])
        return Counter({stream: len(tasks) for stream, tasks in found.items()})

    # -- Through the tables

    def query(self, capture, sql):
        done = run("query", capture, "--no-cache", "--sql", sql, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [tuple(row.values()) for row in json.loads(done.stdout)]

    def slices(self, capture):
        found = Counter()
        for process, thread, name, ts, dur, rank in self.query(
                capture, "SELECT t.process, t.thread, s.name, s.ts, s.dur, s.rank_id FROM slice s JOIN track t USING (track_id) WHERE t.kind <> 'stack'"):
            if dur == 0 and name in ("Notify_Record", "Write Value", "RDMASend"):
                continue
            process = "Communication" if process == "HCCL" else process
            thread = "Group" if thread.endswith("Communication") and process == "Communication" else thread
            name = re.sub("^Hccl@", "Communication@", re.sub("^Enqueue@.*", "Enqueue", name))
            found[rank, process, thread, name, ts, dur] += 1
        return found

    TABLES = {
        "step": "rank_id, step, start_ts, end_ts",
        "kernel": "rank_id, device_id, step, kind, name, type, replace(accelerator_core, 'HCCL', 'COMMUNICATION') AS core, stream, ts, dur, block_num, "
                  "input_shapes, input_types, replace(input_formats, 'FORMAT_', '') AS i, output_shapes, output_types, "
                  "replace(output_formats, 'FORMAT_', '') AS o, operator_slice_id IS NULL AS u",
        "operator": "rank_id, name, thread, ts, dur, self_dur, coalesce(replace(input_shapes, char(13), ''), '') AS s, "
                    "replace(call_stack, char(13), '') AS c, step",
        "memory_sample": "rank_id, device_id, ts, allocated, reserved, active, stream",
        "allocation": "rank_id, device_id, size, alloc_ts, release_ts, active_release_ts, alloc_allocated, alloc_reserved, alloc_active, "
                      "release_allocated, release_reserved, release_active, stream",
        "op_stat": "rank_id, name, core_type, count, total, min, max",
        "api_stat": "rank_id, replace(level, 'hccl', 'communication') AS l, name, count, total, min, max",
        "step_breakdown": "rank_id, step, computing, communication, not_overlapped, overlapped",
        "comm_group": "group_name, hash, parallel_type, ranks",
    }
    ONLY = {"memory_sample": "component = 'PTA'", "allocation": "name NOT LIKE 'cann::%'", "op_stat": "origin = 'recorded'",
            "api_stat": "origin = 'recorded'", "step_breakdown": "origin = 'computed'"}
    # With sums of times, which may differ by some ns.
    SUMS = {
        "collective": ("rank_id, step, group_name, op_name, kind", "ts, elapsed, transit, wait, synchronization, idle", "origin = 'recorded'"),
        "bandwidth": ("rank_id, step, group_name, op_name, transport, size, large_packet_ratio", "transit", "1"),
        "packet": ("rank_id, step, group_name, op_name, transport, packet_size, count", "dur", "1"),
        "link": ("rank_id, step, group_name, op_name, selection, src_local, dst_local, src_rank, dst_rank, transport, size", "transit",
                 "selection = 'total'"),
    }

    def check_twins(self, text, raw, has_collectives=True):
        self.same(Counter({k: n for k, n in self.slices(raw).items() if k[2:4] != ("Free", "Free")}),
                  Counter({k: n for k, n in self.slices(text).items() if k[2:4] != ("Free", "Free")}), "slices")
        for table, columns in self.TABLES.items():
            sql = f"SELECT {columns} FROM {table} WHERE {self.ONLY.get(table, '1')}"
            self.same(Counter(self.query(raw, sql)), Counter(self.query(text, sql)), table)
        flows = ("SELECT f.category, a.ts, z.name, z.ts FROM flow f JOIN slice a ON a.slice_id = f.from_slice "
                 "JOIN slice z ON z.slice_id = f.to_slice WHERE z.name NOT LIKE 'EVENT_%'")
        # Text numbers arrows by the ns at which they end; two that end together cannot be told apart there.
        ends = defaultdict(set)
        for _, _, name, ts in self.query(raw, flows):
            ends[ts].add(name)
        self.same(*(Counter(row for row in self.query(capture, flows) if len(ends[row[3]]) == 1) for capture in (raw, text)), "flows")
        for table, (keys, times, where) in self.SUMS.items():
            sql = f"SELECT {keys}, {times} FROM {table} WHERE {where} ORDER BY {keys}, {times}"
            found, expected = self.query(raw, sql), self.query(text, sql)
            count = keys.count(",") + 1
            self.assertEqual([row[:count] for row in found], [row[:count] for row in expected], table)
            self.assertEqual(len(found) > 0, has_collectives, table)
            for one, other in zip(found, expected):
                # Starts of collectives have 0.25 us in the text, and 0.1 more; sums of many parts lose up to half a ns each, and
                # there may be one for each 128 KiB (plant small-packets).
                parts = dict(zip(keys.split(", "), one)).get("size", 0) // 131_072
                for a, b in zip(one[count:], other[count:]):
                    self.assertLessEqual(abs(a - b), 350 + parts / 2, (table, one, other))

    def test_twins(self):
        for words in (("--ranks", "2", "--seed", "1"), ("--ranks", "4", "--seed", "2", "--plant", "ai-cpu=Cast"),
                      ("--ranks", "2", "--seed", "3", "--model", "resnet", "--plant", "gc-pause=5"),
                      ("--ranks", "16", "--seed", "4", "--plant", "slow-link=3-11"), ("--ranks", "2", "--seed", "5", "--plant", "frequency-drop=40")):
            with self.subTest(words):
                self.check_twins(*self.twins("--steps", "2", "--layers", "2", *words))

    def test_twins_of_further_seeds(self):
        """Every plant in turn, with 2 to 6 ranks and both models: one seed in every run, 20 with ALTI_ALL_PLANTS=1."""
        plants = ((), *(("--plant", plant) for plant in ("slow-rank=1:30", "ai-cpu=Cast", "gc-pause=7", "slow-link=0-1:4", "frequency-drop=30",
                                                         "host-bound=300", "small-packets", "no-overlap", "leak=4194304")))
        for seed in range(107, 107 + (20 if os.environ.get("ALTI_ALL_PLANTS") else 1)):
            words = ("--seed", str(seed), "--ranks", str(2 + 2 * (seed % 3)), "--steps", str(2 + seed % 3), "--layers", str(1 + seed % 4),
                     *(("--model", "resnet") if seed % 4 == 0 else ()), *plants[seed % len(plants)])
            with self.subTest(words):
                self.check_twins(*self.twins(*words))

    def test_one_rank_alone(self):
        self.check_alone(*self.twins("--steps", "2", "--layers", "1", "--ranks", "1", "--seed", "6"))

    def check_alone(self, text, raw):
        sql = "SELECT name, ts, dur, step FROM kernel"
        self.same(Counter(self.query(raw, sql)), Counter(self.query(text, sql)), "kernels")

    def test_counters_of_cores(self):
        text, raw = self.twins("--ranks", "1", "--steps", "2", "--layers", "2", "--seed", "7", "--plant", "frequency-drop=30")
        sql = ("SELECT k.name AS kernel, k.ts, m.name, m.value FROM kernel_metric m JOIN kernel k ON k.rowid = m.kernel_rowid "
               "WHERE m.name <> 'cube_utilization' ORDER BY k.ts, k.name, m.name")
        found, expected = self.query(raw, sql), self.query(text, sql)
        self.assertGreater(len(found), 1000)
        self.assertEqual([row[:3] for row in found], [row[:3] for row in expected])
        for one, other in zip(found, expected):
            # Text cuts a time where the vendor rounds it.
            self.assertLessEqual(abs(one[3] - other[3]), 1 if "time" in one[2] else 0.001 + 1e-9, (one, other))

    def test_planted_faults(self):
        for plant in ("slow-rank=1:40", "slow-link=0-1:4", "leak=8388608", "host-bound=60", "ai-cpu=Cast", "small-packets", "frequency-drop=40",
                      "gc-pause=20", "no-overlap"):
            with self.subTest(plant):
                text, raw = self.twins("--ranks", "4", "--steps", "4", "--layers", "2", "--seed", "3", "--plant", plant)
                sql = "SELECT rule, severity, rank_id, step, recoverable / 10000 AS won FROM finding ORDER BY 1, 2, 3, 4"
                self.assertEqual(self.query(raw, sql), self.query(text, sql))

    def test_numbers_of_tasks_begin_anew(self):
        """After 65,536 tasks on a stream: the host and the device each say so, and every kernel still finds its launch."""
        raw = self.generate("long", "--format", "raw", "--model", "resnet", "--ranks", "1", "--steps", "64")
        info = json.loads(run("info", raw, "--no-cache", "--json").stdout)
        self.assertEqual([one["code"] for one in info["diagnostics"]], ["raw.read"])
        per_step = self.query(raw, "SELECT step, count(*) AS n FROM kernel GROUP BY step")
        self.assertEqual(len(per_step), 64)
        self.assertEqual(len({n for _, n in per_step}), 1)
        files = RawFiles(os.path.join(raw, "rank0_ascend_pt"))
        flips = [t for t in struct.iter_unpack("<HHIIIQHHHHQQHHB11x", files.host("unaging.compact.task_track")) if t[10] == 98]
        on_device = [t for t in struct.iter_unpack("<BB6xQHHxxH16x", files.on_device("ts_track.data")) if t[1] == 0x0E]
        self.assertEqual([(t[7], t[9]) for t in flips], [(t[3], t[4]) for t in on_device])
        self.assertEqual(len(flips), sum(n for _, n in per_step) // 65536)

    def test_same_bytes_for_any_number_of_workers(self):
        words = ("--format", "raw", "--format", "text", "--ranks", "2", "--steps", "2", "--layers", "1")
        self.assertEqual(sha(self.generate("one", *words, "--jobs", "1")), sha(self.generate("two", *words, "--jobs", "2")))

    def test_truth_is_that_of_the_run(self):
        text, raw = self.twins("--ranks", "2", "--steps", "1", "--layers", "1")
        truths = []
        for capture in (text, raw):
            with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
                truths.append(json.load(file))
            del truths[-1]["args"]
        self.assertEqual(*truths)


if __name__ == "__main__":
    unittest.main()
