#!/usr/bin/env python3
"""Lines of npu-monitor (Jsonl): they open as the database that it writes of the same records, parts together, and what is wrong with one
is counted with file and line."""

import collections
import json
import os
import shutil
import sys
import unittest
import zipfile

from support import PARTIAL, SOURCE, CliTest, info, rows, run, write

sys.path.insert(0, os.path.join(SOURCE, "tests", "support", "standin"))
import monitor_lines  # noqa: E402

NAME = "msmonitor_4711_20260301101500123_0.jsonl"
GOOD = {"kind": "Kernel", "name": "k", "startNs": 1_772_360_100_000_000_000, "endNs": 1_772_360_100_000_000_500, "deviceId": 0, "streamId": 1,
        "type": "t", "correlationId": 1}


def later(number):
    """GOOD some us later: two alike would be one that stands twice."""
    return {**GOOD, "startNs": GOOD["startNs"] + 1000 * number, "endNs": GOOD["endNs"] + 1000 * number}


TRACKS = "SELECT process, thread, name, kind, origin, sort_index FROM track ORDER BY sort_index"
# A collective and a mark of the device are called otherwise.
SLICES = ("SELECT CASE WHEN s.name LIKE 'HcclAllReduce%' THEN 'HcclAllReduce' WHEN t.thread = 'Stream 9' THEN 'MsTx' ELSE s.name END,"
          " ts, dur, t.process, t.thread, depth FROM slice s JOIN track t USING (track_id) ORDER BY 2, 3, 4, 5, 1")
FLOWS = ("SELECT f.category, a.ts, b.ts FROM flow f JOIN slice a ON a.slice_id = f.from_slice JOIN slice b ON b.slice_id = f.to_slice"
         " ORDER BY 1, 2, 3")
KERNELS = ("SELECT kind, replace(name, '_123_0_1', ''), type, accelerator_core, stream, ts, dur, wait, device_id, slice_id IS NOT NULL"
           " FROM kernel ORDER BY ts, name")


class MonitorLines(CliTest):
    def told(self, folder):
        return {one["code"]: one for one in info(folder, "--no-cache")["diagnostics"] if one["severity"] != "info"}

    def lines(self, *texts, name=NAME):
        folder = self.path("bad")
        write(os.path.join(folder, name), "".join(text if isinstance(text, str) else monitor_lines.line(text) for text in texts))
        return folder

    def test_lines_and_database_of_the_same_records_are_the_same_capture(self):
        made = monitor_lines.records(40) + monitor_lines.ends(groups={"group0": {"group_name": "tp", "global_ranks": [0, 1]}})
        # Of one launch no task is known; of one task no launch.
        del made[1], made[-8]
        lines, database = self.path("lines"), self.path("database")
        os.mkdir(database)
        monitor_lines.write_lines(lines, made, at_once=97)
        monitor_lines.write_database(os.path.join(database, "msmonitor_4711_20260301101500123_0.db"), made)
        for sql in (TRACKS, SLICES, FLOWS, KERNELS, "SELECT rank_id, device_id FROM rank", "SELECT * FROM comm_group"):
            self.assertEqual(rows(lines, sql), rows(database, sql), sql)
        counts = collections.Counter(row[0] for row in rows(lines, FLOWS))
        self.assertEqual(counts, {"HostToDevice": 118, "MsTx": 40})
        # The number that joins calls and tasks lies in other files than they: parts are one recording.
        self.assertEqual(len(os.listdir(lines)), 4)
        self.assertEqual(info(lines)["diagnostics"][0]["code"], "reader.experimental")

    def test_kernels_at_the_border_of_two_parts_wait_as_everywhere(self):
        made = monitor_lines.records(3)
        waits = []
        for number, at_once in enumerate((1, 5, 1000)):
            monitor_lines.write_lines(self.path(str(number)), made, at_once=at_once)
            waits.append(rows(self.path(str(number)), "SELECT ts, wait FROM kernel ORDER BY ts"))
        self.assertEqual([row[1] for row in waits[0]], [0, 1000, 3000, 80000, 1000, 3000, 80000, 1000, 3000])
        self.assertEqual(waits[0], waits[1])
        self.assertEqual(waits[0], waits[2])

    def test_each_process_is_a_rank_with_all_its_files(self):
        folder = self.path("many")
        for pid, rank, device in ((11, 0, 0), (12, 1, 5), (13, -1, 6)):
            monitor_lines.write_lines(folder, monitor_lines.records(3, pid, device) + monitor_lines.ends(rank, (device,)), pid, rank, 10)
        monitor_lines.write_database(os.path.join(folder, "msmonitor_14_20260301101500123_2.db"), monitor_lines.records(2, 14, 7), 14, 2)
        write(os.path.join(folder, "notes.txt"), "x")
        ranks = info(folder)["ranks"]
        self.assertEqual({(rank["rank_id"], rank["device_id"]) for rank in ranks}, {(0, 0), (1, 5), (None, 6), (2, 7)})
        self.assertEqual(dict(rows(folder, "SELECT rank_id, count(*) FROM kernel GROUP BY 1")), {None: 9, 0: 9, 1: 9, 2: 6})
        part = sorted(name for name in os.listdir(folder) if name.startswith("msmonitor_12"))[1]
        self.assertEqual([rank["rank_id"] for rank in info(os.path.join(folder, part))["ranks"]], [1])

    def test_a_zip_of_lines_opens(self):
        monitor_lines.write_lines(self.path("lines"), monitor_lines.records(2), at_once=10)
        with zipfile.ZipFile(self.path("all.zip"), "w") as archive:
            for name in sorted(os.listdir(self.path("lines"))):
                archive.write(self.path("lines", name), "out/" + name)
        self.assertEqual(rows(self.path("all.zip"), KERNELS), rows(self.path("lines"), KERNELS))

    def test_what_stands_in_a_line_is_shown_with_its_slice(self):
        folder = self.lines({**GOOD, "type": "矩阵\"乘\\", "more": {"a": [1.5, None]}})
        args = json.loads(rows(folder, "SELECT args FROM slice WHERE name = 'k'")[0][0])
        self.assertEqual(args, {"kind": "Kernel", "deviceId": 0, "streamId": 1, "type": "矩阵\"乘\\", "correlationId": 1,
                                "more": {"a": [1.5, None]}})

    def test_a_cut_line_is_told_with_its_number(self):
        text, second = monitor_lines.line(GOOD), monitor_lines.line(later(1))
        folder = self.lines(text, second, text[:-20])
        told = self.told(folder)
        self.assertEqual({code: (one["file"], one["place"], one["count"]) for code, one in told.items()},
                         {"monitor.cut": (NAME, "row 3", 1)})
        self.assertEqual(rows(folder, "SELECT count(*) FROM kernel", "--no-cache"), [(2,)])
        self.assertEqual(run("info", folder, "--strict").returncode, PARTIAL)
        # One that lacks nothing but its end is whole.
        self.assertEqual(self.told(self.lines(text, second.rstrip("\n"))), {})

    def test_each_foreign_or_damaged_line_is_counted_with_its_number(self):
        for bad, code, detail in (
                ("nonsense\n", "monitor.broken_line", None), ("[1]\n", "monitor.broken_line", None), ("\0\0\0\n", "monitor.broken_line", None),
                ('{"kind":"Kernel",}\n', "monitor.broken_line", None), ('{"kind":"\xff"}\n'.encode("latin-1"), "monitor.broken_line", None),
                ("[" * 5000 + "\n", "monitor.broken_line", None), ({"step": 3}, "monitor.unknown_kind", ""),
                ({**GOOD, "kind": "Memory"}, "monitor.unknown_kind", "Memory"), ({**GOOD, "kind": 7}, "monitor.unknown_kind", ""),
                ({**GOOD, "startNs": "1"}, "monitor.bad_field", "startNs"), ({**GOOD, "startNs": -1}, "monitor.bad_field", "startNs"),
                ({**GOOD, "startNs": 1.5}, "monitor.bad_field", "startNs"), ({**GOOD, "endNs": 2**62}, "monitor.bad_field", "endNs"),
                ({**GOOD, "endNs": 2**64 - 1}, "monitor.bad_field", "endNs"), ({**GOOD, "deviceId": 2**32}, "monitor.bad_field", "deviceId"),
                ({**GOOD, "streamId": None}, "monitor.bad_field", "streamId"),
                ({**GOOD, "kind": "API"}, "monitor.bad_field", "processId"),
                ({**GOOD, "kind": "Marker"}, "monitor.bad_field", "sourceKind"),
                ({"kind": "rank_device_map", "rank": 0, "device": [0, "x"]}, "monitor.bad_field", "device"),
                ({"kind": "parallel_group_info", "value": {}}, "monitor.bad_field", "value")):
            with self.subTest(bad=str(bad)[:60]):
                first, second, third = (monitor_lines.line(later(number)).encode() for number in range(3))
                middle = bad if isinstance(bad, bytes) else (bad if isinstance(bad, str) else monitor_lines.line(bad)).encode()
                folder = self.path("bad")
                write(os.path.join(folder, NAME), first + b"\n" + second + middle + third)
                told = self.told(folder)
                self.assertEqual([(one["code"], one["file"], one["place"], one["count"], one["severity"]) for one in told.values()],
                                 [(code, NAME, "row 4", 1, "lost")])
                if detail is not None:
                    self.assertIn(f'"{detail}"', told[code]["message"])
                self.assertEqual(rows(folder, "SELECT count(*) FROM kernel", "--no-cache"), [(3,)])

    def test_a_number_beyond_all_bounds_makes_the_line_foreign_not_another_number(self):
        for number in ("1" + "0" * 30, "1e400", "00"):
            with self.subTest(number=number):
                text = monitor_lines.line(GOOD)
                told = self.told(self.lines(text, text.replace('"endNs":1772360100000000500', '"endNs":' + number),
                                            monitor_lines.line(later(1))))
                self.assertEqual([(one["place"], one["count"], one["severity"]) for one in told.values()], [("row 2", 1, "lost")])

    def test_what_a_line_can_do_without_is_left_out_alone(self):
        for field, value in (("correlationId", 2**63), ("correlationId", "1"), ("type", 3), ("name", None)):
            with self.subTest(field=field):
                folder = self.lines(GOOD, {**GOOD, field: value})
                told = self.told(folder)
                self.assertEqual([(one["code"], one["place"], one["severity"]) for one in told.values()],
                                 [("monitor.odd_field", "row 2", "repaired")])
                self.assertIn(f'"{field}"', told["monitor.odd_field"]["message"])
                self.assertEqual(rows(folder, "SELECT count(*) FROM kernel", "--no-cache"), [(2,)])

    def test_an_end_before_its_begin_is_told(self):
        folder = self.lines({**GOOD, "endNs": GOOD["startNs"] - 1})
        self.assertEqual(self.told(folder)["monitor.reversed"]["place"], "row 1")
        self.assertEqual(rows(folder, "SELECT ts, dur FROM kernel", "--no-cache"), [(GOOD["startNs"], 0)])

    def test_a_line_without_end_does_not_fill_the_memory(self):
        folder = self.lines(GOOD, '{"kind":"Kernel","name":"' + "x" * (3 << 20) + '"}\n', later(1))
        told = self.told(folder)
        self.assertEqual([(one["code"], one["place"]) for one in told.values()], [("monitor.long_line", "row 2")])
        self.assertEqual(rows(folder, "SELECT count(*) FROM kernel", "--no-cache"), [(2,)])

    def test_a_file_of_something_else_is_refused_by_name(self):
        for text in ("{}\n{}\n", "x", "\0" * 100):
            folder = self.lines(text)
            done = run("info", os.path.join(folder, NAME))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("npu-monitor", done.stderr + done.stdout)
        # Beside a part that can be read it is that file alone that is lost.
        write(os.path.join(folder, NAME.replace("123_0", "124_0")), monitor_lines.line(GOOD))
        self.assertEqual({(one["code"], one["file"]) for one in self.told(folder).values()}, {("monitor.cut", NAME), ("monitor.no_lines", NAME)})
        self.assertEqual(rows(folder, "SELECT count(*) FROM kernel", "--no-cache"), [(1,)])

    def test_lines_beside_a_profilers_own_files_are_not_lost(self):
        folder = self.path("both")
        shutil.copytree(os.path.join(SOURCE, "tests", "golden", "torch_two_ranks", "capture"), folder)
        inner = os.path.join(folder, sorted(os.listdir(folder))[0])
        monitor_lines.write_lines(folder, monitor_lines.records(1), rank=9)
        monitor_lines.write_lines(inner, monitor_lines.records(1), rank=8)
        self.assertEqual(dict(rows(folder, "SELECT rank_id, count(*) FROM kernel WHERE rank_id > 7 GROUP BY 1")), {8: 3, 9: 3})
        # With a table of kernels of another rank, which alone would be read.
        with open(os.path.join(inner, "ASCEND_PROFILER_OUTPUT", "kernel_details.csv"), "w", encoding="utf-8") as table:
            table.write("Name,Type,Start Time(us),Duration(us)\nAdd,Add,1.5,2\n")
        self.assertEqual(dict(rows(folder, "SELECT rank_id, count(*) FROM kernel WHERE rank_id > 7 GROUP BY 1")), {8: 3, 9: 3})

    def test_lines_in_windows_form_and_with_names_of_any_script(self):
        folder = self.lines(*[monitor_lines.line({**later(number), "name": "矩阵乘🙂"}).replace("\n", "\r\n") for number in range(2)])
        self.assertEqual(self.told(folder), {})
        self.assertEqual(rows(folder, "SELECT DISTINCT name FROM kernel", "--no-cache"), [("矩阵乘🙂",)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
