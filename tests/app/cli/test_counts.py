#!/usr/bin/env python3
"""`query` gives exactly what an independent script counts in the JSON: slices, ns per process, counters, flows."""

import contextlib
import glob
import os
import shutil
import sqlite3
import sys
import unittest

from support import GOLDEN, SHARED, TORCH_TEXT, CliTest, counted, needs_captures, rows, traces_below

# What was recorded: tracks of call stacks are made of it (test_stacks.py).
SLICES = "slice JOIN track USING(track_id) WHERE origin = 'recorded'"
TABLES = (SLICES, "counter", "flow")
DUR = f"SELECT process, sum(dur) FROM {SLICES} {{}} GROUP BY process"


class Counts(CliTest):
    def check(self, capture, trace):
        expected = counted(trace)
        found = rows(capture, "SELECT " + ", ".join(f"(SELECT count(*) FROM {table})" for table in TABLES))[0]
        self.assertEqual(found, (expected["slices"], expected["counters"], expected["flows"]))
        self.assertEqual(dict(rows(capture, DUR.format(""))), expected["dur"])

    def check_ranks(self, capture):
        """All ranks of a capture at once, told apart by rank_id."""
        for rank, path in rows(capture, "SELECT rank_id, path FROM rank"):
            expected = counted(os.path.join(capture, path, "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
            with self.subTest(capture=capture, rank=rank):
                found = rows(capture, f"""SELECT (SELECT count(*) FROM {SLICES} AND track.rank_id = {rank}),
                    (SELECT count(*) FROM counter WHERE rank_id = {rank}),
                    (SELECT count(*) FROM flow LEFT JOIN slice s ON s.slice_id = coalesce(to_slice, from_slice)
                     WHERE s.rank_id = {rank})""")[0]
                self.assertEqual(found, (expected["slices"], expected["counters"], expected["flows"]))
                self.assertEqual(dict(rows(capture, DUR.format(f"AND track.rank_id = {rank}"))), expected["dur"])

    @needs_captures
    def test_real_traces_one_by_one(self):
        traces = traces_below(TORCH_TEXT)
        self.assertEqual(len(traces), 4)
        for trace in traces:
            for capture in (trace, os.path.dirname(os.path.dirname(trace))):
                with self.subTest(capture=capture):
                    self.check(capture, trace)

    @needs_captures
    def test_real_runs(self):
        for level in ("level0", "level1"):
            capture = os.path.join(TORCH_TEXT, level)
            self.assertEqual(len(rows(capture, "SELECT * FROM rank")), 2)
            self.check_ranks(capture)

    @needs_captures
    def test_arrows_of_databases_lack_copies(self):
        """Operators have 191 arrows in a database and 210 in the timeline of the same program: torch_npu joins an operator with the
        launches of nodes of CANN only (_fwk_api_db_parser.py), and copies of memory have none. In the timeline it joins all calls
        from which a task follows (_fwk_cann_relation_parser.py)."""
        arrows = ("SELECT f.category, z.name LIKE 'MEMCPY%', count(*) FROM flow f JOIN slice z ON z.slice_id = to_slice "
                  "WHERE f.category IN ('async_npu', 'HostToDevice') GROUP BY 1, 2 ORDER BY 1, 2")
        for rank in range(2):
            folder = os.path.join(SHARED, "{}", "level1", f"rank{rank}_ascend_pt")
            to_device = [("HostToDevice", 0, 191), ("HostToDevice", 1, 24)]
            self.assertEqual(rows(folder.format("torch_text"), arrows), to_device + [("async_npu", 0, 191), ("async_npu", 1, 19)])
            self.assertEqual(rows(folder.format("torch_db"), arrows), to_device + [("async_npu", 0, 191)])
            (path,) = glob.glob(os.path.join(folder.format("torch_db"), "*", "ascend_pytorch_profiler_*.db"))
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
                text = "(SELECT id FROM STRING_IDS WHERE value = '{}')"
                copies, launches, joined = ({one for (one,) in database.execute(sql)} for sql in (
                    f"SELECT connectionId FROM TASK WHERE taskType = {text.format('MEMCPY_ASYNC')}",
                    f"SELECT connectionId FROM CANN_API WHERE type = 10000 AND name = {text.format('launch')}",
                    "SELECT x.connectionId FROM PYTORCH_API a JOIN CONNECTION_IDS x ON x.id = a.connectionId WHERE a.type = 50001"))
            self.assertTrue(copies)
            self.assertEqual((copies & launches, copies & joined), (set(), set()))
            self.assertEqual(len(joined & launches), 191)

    @needs_captures
    def test_tasks_alone_are_those_of_the_timeline(self):
        """The vendor's own task_time and timeline of one recording."""
        tasks = "SELECT t.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id) WHERE t.process = 'Ascend Hardware' ORDER BY 1, 2, 3"
        for name, count in (("small", 15), ("flip_ffts", 73)):
            with self.subTest(name):
                output = os.path.join(SHARED, "raw", name, "expected", "mindstudio_profiler_output")
                for stem in ("task_time", "msprof"):
                    os.makedirs(self.path(name + stem))
                    for file in glob.glob(os.path.join(output, stem + "_2*")):
                        shutil.copy(file, self.path(name + stem))
                found = rows(self.path(name + "task_time"), tasks)
                self.assertEqual(len(found), count)
                # The parent of fused tasks, which that leaves out.
                parents = [(thread, ts, dur) for thread, ts, dur in found if dur == 90_000]
                self.assertEqual(len(parents), name == "flip_ffts")
                self.assertEqual([one for one in found if one not in parents], rows(self.path(name + "msprof"), tasks))

    @needs_captures
    def test_no_thread_count_changes_a_row(self):
        """slice_id depends on the capture's bytes only."""
        capture = os.path.join(TORCH_TEXT, "level1")
        sql = """SELECT count(*), sum(slice_id % 1000003), sum(track_id % 1000003), sum(parent_id % 1000003), sum(self_dur),
            sum(depth), min(slice_id), max(slice_id) FROM slice"""
        one = rows(capture, sql, "--jobs", "1", "--no-cache")
        for jobs in ("2", "5"):
            self.assertEqual(rows(capture, sql, "--jobs", jobs, "--no-cache"), one)

    def test_golden_captures(self):
        # Those that the short script can read: one list of events per rank, and a name for each process with slices.
        for name in ("torch_two_ranks", "level0_lost_names"):
            capture = os.path.join(GOLDEN, name, "capture")
            traces = traces_below(capture)
            self.assertTrue(traces)
            for trace in traces:
                with self.subTest(trace=trace):
                    self.check(trace, trace)
            self.check_ranks(capture)


if __name__ == "__main__":
    sys.exit(unittest.main())
