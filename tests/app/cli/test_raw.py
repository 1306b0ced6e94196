#!/usr/bin/env python3
"""Raw data against what the vendor's own engine makes of it: slices, flows and kernels; cut slices and truncated tails."""

import csv
import glob
import json
import os
import random
import shutil
import tempfile
import unittest
from collections import Counter
from decimal import Decimal

from support import CliTest, needs_captures, run

RAW = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw")
READ = ("CANN", "Ascend Hardware", "Communication", "Overlap Analysis", "Python", "Python GC")
LISTS = ("Input Shapes", "Input Data Types", "Input Formats", "Output Shapes", "Output Data Types", "Output Formats")


def ns(microseconds):
    return int((Decimal(str(microseconds)) * 1000).to_integral_value())


def query(capture, sql):
    done = run("query", capture, "--no-cache", "--sql", sql, "--format", "json")
    assert done.returncode == 0, done.stderr
    return [tuple(row.values()) for row in json.loads(done.stdout)]


def codes(capture):
    found = json.loads(run("info", capture, "--no-cache", "--json").stdout)["diagnostics"]
    return {(one["code"], one["count"]) for one in found}


class Expected:
    """What the vendor wrote, read without any code of ours."""

    def __init__(self, name):
        folder = os.path.join(RAW, name, "expected")
        texts = glob.glob(os.path.join(folder, "*", "msprof_*.json")) + glob.glob(os.path.join(folder, "*", "trace_view.json"))
        with open(texts[0], encoding="utf-8") as file:
            events = json.load(file, parse_float=Decimal)
        processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        self.slices = Counter()
        at = {}
        for e in events:
            if e["ph"] != "X" or processes[e["pid"]] not in READ:
                continue
            process, thread = processes[e["pid"]], threads[e["pid"], e["tid"]]
            self.slices[(process, thread, e["name"], ns(e["ts"]), ns(e["dur"]))] += 1
            at.setdefault((e["pid"], e["tid"], e["ts"]), (process, e["name"], ns(e["ts"])))
        place = {"s": {}, "f": {}}
        for e in events:
            if e["ph"] in "sf":
                place[e["ph"]].setdefault((e["cat"], e["id"]), []).append(at[e["pid"], e["tid"], e["ts"]])
        self.flows = Counter((i[0],) + place["s"][i][0] + end for i, ends in place["f"].items() if i in place["s"] for end in ends)
        tables = glob.glob(os.path.join(folder, "*", "op_summary_*.csv")) + glob.glob(os.path.join(folder, "*", "kernel_details.csv"))
        with open(tables[0], encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.kernels = Counter()
        for row in rows:
            def cell(*names):
                text = next(row[n] for n in names if n in row).strip().strip('"')
                return None if text == "N/A" else text
            stream = cell("Stream ID")
            self.kernels[(cell("Op Name", "Name"), cell("OP Type", "Type"), cell("Task Type", "Accelerator Core"),
                          None if stream is None else int(stream), ns(cell("Task Start Time(us)", "Start Time(us)")),
                          ns(cell("Task Duration(us)", "Duration(us)")), ns(cell("Task Wait Time(us)", "Wait Time(us)")),
                          int(cell("Block Num"))) + tuple(cell(n) for n in LISTS)] += 1


def shown(capture):
    slices = query(capture, "SELECT t.process, t.thread, s.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id)")
    flows = query(capture, "SELECT f.category, x.process AS p, a.name AS a, a.ts AS b, y.process AS q, z.name AS c, z.ts AS d FROM flow f "
                           "JOIN slice a ON a.slice_id = f.from_slice JOIN track x ON x.track_id = a.track_id "
                           "JOIN slice z ON z.slice_id = f.to_slice JOIN track y ON y.track_id = z.track_id")
    kernels = query(capture, "SELECT name, type, accelerator_core, stream, ts, dur, wait, block_num, input_shapes, input_types, input_formats, "
                             "output_shapes, output_types, output_formats FROM kernel")
    return Counter(slices), Counter(flows), Counter(kernels)


# What the text export and raw data of a run both tell, table by table. Starts of collectives are exact to 0.25 us in the text.
TABLES = {
    "collective": "op_name, kind, (ts + 125) / 250, elapsed, transit, wait, synchronization, idle, step",
    "bandwidth": "op_name, transport, size, transit, gb_per_s, large_packet_ratio, step",
    "packet": "op_name, transport, packet_size, count, dur, step",
    "link": "op_name, selection, src_local, dst_local, transport, size, transit, gb_per_s, step",
}
STATISTICS = {
    "op_stat": "name, core_type, count, total, min, avg, max",
    "api_stat": "level, name, count, total, min, avg, max, variance",
}
FRAMEWORK_TABLES = {
    "step": "step, start_ts, end_ts",
    "operator": "name, thread, ts, dur, self_dur, device_dur, input_shapes, call_stack, step",
    "memory_sample": "component, ts, allocated, reserved, active, stream",
    "allocation": "name, size, alloc_ts, release_ts, active_release_ts, alloc_allocated, alloc_reserved, alloc_active, "
                  "release_allocated, release_reserved, release_active, stream",
    "kernel": "name, ts, step, operator_slice_id IS NOT NULL",
}


def rows_of(capture, table, columns):
    where = " WHERE origin = 'recorded'" if table in ("collective", *STATISTICS) else ""
    names = ", ".join(f"{one} AS c{i}" for i, one in enumerate(columns.split(", ")))
    return Counter(query(capture, f"SELECT {names} FROM {table}{where}"))


class Raw(CliTest):
    def check(self, capture, expected):
        slices, flows, kernels = shown(capture)
        for found, wanted in ((slices, expected.slices), (flows, expected.flows), (kernels, expected.kernels)):
            self.assertEqual((list(found - wanted)[:3], list(wanted - found)[:3]), ([], []))
        self.assertGreater(len(slices), 0)

    @needs_captures
    def test_as_the_vendor(self):
        for name in ("small", "flip_ffts", "torch"):
            with self.subTest(name):
                self.check(os.path.join(RAW, name, "input"), Expected(name))

    @needs_captures
    def test_tables_as_of_the_text_export(self):
        for name in ("small", "flip_ffts", "torch"):
            tables = {**TABLES, **STATISTICS, **(FRAMEWORK_TABLES if name == "torch" else {})}
            for table, columns in tables.items():
                with self.subTest(f"{name} {table}"):
                    found = rows_of(os.path.join(RAW, name, "input"), table, columns)
                    wanted = rows_of(os.path.join(RAW, name, "expected"), table, columns)
                    self.assertGreater(len(wanted), 0)
                    self.assertEqual((list((found - wanted).elements())[:3], list((wanted - found).elements())[:3]), ([], []))

    @needs_captures
    def test_rows_of_raw_data_beside_tables_of_another_rank(self):
        # A statement about a table alone read the table files alone, and the raw rank has none.
        capture = os.path.join(RAW, "torch")
        for table in ("kernel", "memory_sample", "bandwidth"):
            with self.subTest(table):
                alone = query(capture, f"SELECT count(*) FROM {table}")
                beside = query(capture, f"SELECT count(*) FROM {table} WHERE (SELECT count(*) FROM slice) > 0")
                one = query(os.path.join(capture, "expected"), f"SELECT count(*) FROM {table}")
                self.assertEqual(alone, beside)
                self.assertEqual(alone[0][0], 2 * one[0][0])

    @needs_captures
    def test_metrics_and_counters_as_of_the_text_export(self):
        for name, text in (("small", "mindstudio_profiler_output"), ("flip_ffts", "mindstudio_profiler_output"), ("torch", "")):
            twin, capture = os.path.join(RAW, name, "expected", text), os.path.join(RAW, name, "input")
            with self.subTest(f"{name} metrics"):
                sql = ("SELECT k.name AS k, k.ts AS t, k.stream AS s, m.name AS n, round(m.value, 3) AS v FROM kernel_metric m "
                       "JOIN kernel k ON k.rowid = m.kernel_rowid")
                found, wanted = Counter(query(capture, sql)), Counter(query(twin, sql))
                self.assertGreater(len(wanted), 0)
                self.assertEqual((list((found - wanted).elements())[:3], list((wanted - found).elements())[:3]), ([], []))
            with self.subTest(f"{name} counters"):
                # The vendor writes frequencies twice and more.
                sql = "SELECT DISTINCT t.process, c.name, c.series, c.ts, round(c.value, 3) AS v FROM counter c JOIN track t USING (track_id)"
                found, wanted = set(query(capture, sql)), set(query(twin, sql))
                self.assertGreater(len(wanted), 0)
                self.assertEqual(found, wanted)

    @needs_captures
    def test_arguments_as_of_the_text_export(self):
        for name, text in (("small", "mindstudio_profiler_output"), ("flip_ffts", "mindstudio_profiler_output"), ("torch", "")):
            with self.subTest(name):
                sql = "SELECT t.process, s.name, s.ts, s.args FROM slice s JOIN track t USING (track_id) ORDER BY 1, 2, 3"
                # Connection ids are the vendor's own business; calls of Python have no arguments yet.
                def kept(rows):
                    for process, title, ts, args in rows:
                        values = json.loads(args or "{}")
                        values.pop("connection_id", None)
                        if "Python id" not in values and not (process == "Python" and not values):
                            yield process, title, ts, json.dumps(values, sort_keys=True)
                found = Counter(kept(query(os.path.join(RAW, name, "input"), sql)))
                wanted = Counter(kept(query(os.path.join(RAW, name, "expected", text), sql)))
                self.assertGreater(len(wanted), 0)
                self.assertEqual((list((found - wanted).elements())[:3], list((wanted - found).elements())[:3]), ([], []))

    def copied(self, folder, name):
        capture = os.path.join(folder, "input")
        shutil.copytree(os.path.join(RAW, name, "input"), capture)
        for path, folders, files in os.walk(capture):
            for one in folders + files:
                os.chmod(os.path.join(path, one), 0o755)
        os.chmod(capture, 0o755)
        return capture

    @needs_captures
    def test_records_over_the_borders_of_slices(self):
        for cut in (1, 17, 63, 100, 321):
            with tempfile.TemporaryDirectory() as folder, self.subTest(cut):
                capture = self.copied(folder, "small")
                for path in glob.glob(os.path.join(capture, "PROF*", "*", "data", "*.slice_0")):
                    if "stars_soc" not in path and "compact" not in path and "api_event" not in path:
                        continue
                    with open(path, "rb") as file:
                        whole = file.read()
                    for number, part in enumerate((whole[:cut], whole[cut:cut * 2], whole[cut * 2:])):
                        with open(path[:-1] + str(number), "wb") as file:
                            file.write(part)
                        with open(path[:-1] + f"{number}.done", "w", encoding="utf-8") as file:
                            file.write(f"filesize:{len(part)}\n")
                self.assertFalse({code for code, _ in codes(capture)} & {"raw.cut", "raw.slice_missing"})
                self.check(capture, Expected("small"))

    @needs_captures
    def test_records_in_any_order(self):
        sizes = {"api_event": 40, "compact.": 64, "additional.tensor": 256, "additional.hccl": 256, "stars_soc": 64, "ffts_profile": 128}
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            for path in glob.glob(os.path.join(capture, "PROF*", "*", "data", "*.slice_0")):
                size = next((size for part, size in sizes.items() if part in path), None)
                if size is None:
                    continue
                with open(path, "rb") as file:
                    whole = file.read()
                records = [whole[i:i + size] for i in range(0, len(whole), size)]
                random.Random(7).shuffle(records)
                with open(path, "wb") as file:
                    file.write(b"".join(records))
            self.check(capture, Expected("small"))
            for table, columns in TABLES.items():
                self.assertEqual(rows_of(capture, table, columns), rows_of(os.path.join(RAW, "small", "input"), table, columns))

    @needs_captures
    def test_several_prof_folders_and_devices(self):
        sql = "SELECT t.process, count(*) AS n FROM slice s JOIN track t USING (track_id) GROUP BY 1"
        once = dict(query(os.path.join(RAW, "torch", "input"), sql))
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "torch")
            prof = glob.glob(os.path.join(capture, "*", "PROF*"))[0]
            shutil.copytree(prof, prof.replace("PROF_000001_20260101000000000", "PROF_000002_20260101000000001"))
            twice = dict(query(capture, sql))
            for process, count in once.items():
                self.assertEqual(twice[process], count * (1 if process.startswith("Python") else 2), process)
            ids = query(capture, "SELECT count(*) AS n, count(DISTINCT slice_id) AS m FROM slice")[0]
            self.assertEqual(ids[0], ids[1])
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "torch")
            first = glob.glob(os.path.join(capture, "*", "PROF*", "device_0"))[0]
            second = first.replace("device_0", "device_1")
            shutil.copytree(first, second)
            for path, _, files in os.walk(second):
                for name in files:
                    other = name.replace(".data.0.", ".data.1.")
                    other = other[:-2] + ".1" if other.endswith(".0") else other
                    os.rename(os.path.join(path, name), os.path.join(path, other))
            # The host knows nothing of tasks of the second device.
            both = dict(query(capture, sql))
            self.assertEqual(both["Ascend Hardware"], once["Ascend Hardware"] * 2)
            self.assertEqual(both["Communication"], once["Communication"])

    @needs_captures
    def test_a_tail_that_is_cut_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            path = glob.glob(os.path.join(capture, "PROF*", "device_0", "data", "stars_soc.data.0.slice_0"))[0]
            os.truncate(path, os.path.getsize(path) - 30)
            self.assertLessEqual({("raw.cut", 1), ("raw.unpaired", 1)}, codes(capture))

    @needs_captures
    def test_slices_that_are_gone_or_cut_between_records_are_counted(self):
        def cut(path):
            os.truncate(path, os.path.getsize(path) - 64)
        for name, change, code in (("host/data/unaging.compact.task_track.slice_0", os.remove, "raw.slice_missing"),
                                   ("host/data/unaging.additional.type_info_dic.slice_0", os.remove, "raw.nameless_type"),
                                   ("host/data/unaging.additional.hash_dic.slice_0", os.remove, "raw.nameless"),
                                   ("device_0/data/stars_soc.data.0.slice_0", cut, "raw.cut"),
                                   ("host/info.json", os.remove, "raw.no_clock"), ("device_0/sample.json", os.remove, "raw.not_read")):
            with tempfile.TemporaryDirectory() as folder, self.subTest(name):
                capture = self.copied(folder, "small")
                change(os.path.join(glob.glob(os.path.join(capture, "PROF*"))[0], name))
                self.assertIn(code, {found for found, _ in codes(capture)})
                self.assertEqual(json.loads(run("info", capture, "--no-cache", "--json").stdout)["state"], "partial")

    @needs_captures
    def test_metrics_without_the_number_of_cores_are_absent(self):
        sql = "SELECT name, count(*) AS n FROM kernel_metric GROUP BY 1"
        times = {"aicore_time", "aic_mac_time", "cube_utilization"}
        whole = dict(query(os.path.join(RAW, "small", "input"), sql))
        self.assertTrue(times <= set(whole))
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            path = glob.glob(os.path.join(capture, "PROF*", "device_0", "info.json.0"))[0]
            with open(path, encoding="utf-8") as file:
                info = json.load(file)
            del info["DeviceInfo"][0]["ai_core_num"]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(info, file)
            self.assertIn(("raw.unknown_cores", 12), codes(capture))
            found = dict(query(capture, sql))
            self.assertFalse(times & set(found))
            self.assertEqual(found["aic_mac_ratio"], whole["aic_mac_ratio"])

    @needs_captures
    def test_torn_lines_of_dictionaries_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            path = glob.glob(os.path.join(capture, "PROF*", "host", "data", "unaging.additional.hash_dic.slice_0"))[0]
            with open(path, "r+b") as file:
                whole = file.read()
                last = whole.rindex(b"\n", 0, len(whole) - 1) + 1
                # Within the last name.
                file.truncate(last + whole[last:].index(b":") + 3)
            self.assertLessEqual({("raw.bad_line", 1), ("raw.cut", 1)}, codes(capture))

    @needs_captures
    def test_a_broken_info_is_counted_once(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "small")
            with open(glob.glob(os.path.join(capture, "PROF*", "host", "info.json"))[0], "w", encoding="utf-8") as file:
                file.write("{")
            self.assertLessEqual({("metadata.broken", 1), ("raw.no_clock", 1)}, codes(capture))

    @needs_captures
    def test_marks_and_slices_that_are_lost_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "flip_ffts")
            data = glob.glob(os.path.join(capture, "PROF*", "device_0", "data"))[0]
            os.remove(os.path.join(data, "stars_soc.data.0.slice_0"))
            with open(os.path.join(data, "stars_soc.data.0.slice_1"), "r+b") as file:
                file.seek(66)
                file.write(b"\0\0")
            self.assertLessEqual({("raw.slice_missing", 1), ("raw.bad_record", 1)}, codes(capture))

    @needs_captures
    def test_PROF_folder_without_a_log_of_tasks_is_read(self):
        """It was called not read: so are those of light collections, of samples alone and of the host alone."""
        with tempfile.TemporaryDirectory() as folder:
            for name, gone, tasks in (("log", "device_0/data/stars_soc.data*", True), ("light", "device_0/data/stars_soc.data*", False),
                                      ("host", "device_0", True)):
                capture = self.copied(os.path.join(folder, name), "small")
                prof = glob.glob(os.path.join(capture, "PROF*"))[0]
                for pattern in (gone, *([] if tasks else ["host/data/*compact.task_track*"])):
                    for path in glob.glob(os.path.join(prof, pattern)):
                        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
                found = codes(capture)
                self.assertIn(("raw.read", 1), found, name)
                self.assertEqual(("raw.slice_missing", 1) in found, tasks, name)
                self.assertNotIn("raw.not_read", {code for code, _ in found}, name)

    @needs_captures
    def test_what_is_not_read_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = self.copied(folder, "torch")
            self.assertEqual(run("info", capture, "--no-cache", "--strict").returncode, 0)
            data = glob.glob(os.path.join(capture, "*", "PROF*", "device_0", "data"))[0]
            with open(os.path.join(data, "l2_cache.data.0.slice_0"), "wb") as file:
                file.write(b"0" * 72)
            self.assertLessEqual({("raw.read", 1), ("raw.not_read", 1)}, codes(capture))
            self.assertEqual(json.loads(run("info", capture, "--no-cache", "--json").stdout)["state"], "partial")
            self.assertEqual(run("info", capture, "--no-cache", "--strict").returncode, 3)

    @needs_captures
    def test_the_cache_notices_another_slice(self):
        with tempfile.TemporaryDirectory() as folder:
            capture, cache = self.copied(folder, "small"), os.path.join(folder, "cache")
            def count():
                done = run("query", capture, "--cache-dir", cache, "--sql", "SELECT count(*) AS n FROM slice", "--format", "json")
                return json.loads(done.stdout)[0]["n"]
            first = count()
            self.assertEqual(count(), first)
            self.assertTrue(any(files for _, _, files in os.walk(cache)))
            path = glob.glob(os.path.join(capture, "PROF*", "device_0", "data", "stars_soc.data.0.slice_0"))[0]
            os.truncate(path, os.path.getsize(path) - 128)
            self.assertLess(count(), first)


if __name__ == "__main__":
    unittest.main()
