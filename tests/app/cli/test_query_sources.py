#!/usr/bin/env python3
"""A statement reads what it needs: on recorded summary tables alone it reads their files and no timeline, and its rows are
those of a whole import."""

import glob
import os
import unittest

from support import OK, CliTest, result, rows, run, write

RECORDED = {
    "step_breakdown": "origin = 'recorded'",
    "op_stat": "origin = 'recorded'",
    "api_stat": "origin = 'recorded' AND count > 1",
    "collective": "origin IS 'recorded'",
    "bandwidth": "1",
    "packet": "1",
    "link": "src_rank = 0",
    "memory_sample": "ts > 0",
    "allocation": "size > 512",
    "module_memory": "1",
}
STATEMENTS = [f"SELECT rowid, * FROM {table} WHERE {condition}" for table, condition in RECORDED.items()] + [
    "SELECT rowid, name, type, ts, dur, wait FROM kernel",
    "SELECT kernel_rowid, name, value FROM kernel_metric",
    "SELECT name, dur, input_shapes FROM operator",
    "SELECT r.path, r.rank_id, count(*) FROM rank r JOIN memory_sample m USING (rank_id) GROUP BY 1, 2",
    "SELECT o.name, sum(o.total), k.n FROM op_stat o JOIN (SELECT type, count(*) AS n FROM kernel GROUP BY type) k ON k.type = o.name "
    "WHERE o.origin = 'recorded' GROUP BY o.name ORDER BY 2 DESC",
    "SELECT step, max(computing) FROM (SELECT * FROM step_breakdown WHERE origin = 'recorded') GROUP BY step ORDER BY step",
]
# What these read stands in the timelines, or may.
OF_TIMELINES = [
    "SELECT count(*) FROM slice",
    "SELECT count(*) FROM step_breakdown",
    "SELECT count(*) FROM step_breakdown WHERE origin = 'recorded' OR rank_id = 1",
    "SELECT count(slice_id) FROM kernel",
    "SELECT count(thread) FROM operator",
    "SELECT count(*) FROM step",
    "SELECT count(start_ts) FROM rank",
    "SELECT count(*) FROM finding",
    "SELECT count(*) FROM diagnostic",
    "SELECT count(*) FROM memory_sample, track",
]


class Sources(CliTest):
    def capture(self, *words):
        path = self.path("capture" + "".join(words))
        result("generate", path, "--ranks", "3", "--steps", "2", "--layers", "2", *words)
        return path

    def test_rows_are_those_of_a_whole_import(self):
        for words in ((), ("--format", "db")):
            capture = self.capture(*words)
            for sql in STATEMENTS:
                # With --strict what was lost is asked for too, so all is read.
                whole = rows(capture, sql, "--no-cache", "--strict")
                self.assertGreater(len(whole) + (not sql.endswith("module_memory WHERE 1")), 0)
                self.assertEqual(rows(capture, sql, "--no-cache"), whole, sql)
                self.assertEqual(rows(capture, sql), whole, sql)

    def test_timelines_are_not_touched(self):
        capture = self.capture()
        expected = {sql: rows(capture, sql, "--no-cache") for sql in STATEMENTS}
        timelines = glob.glob(os.path.join(capture, "*", "ASCEND_PROFILER_OUTPUT", "trace_view.json"))
        self.assertEqual(len(timelines), 3)
        for timeline in timelines:
            write(timeline, "[{\"ph\":\"X\",\"name\":")
        for sql in STATEMENTS:
            self.assertEqual(rows(capture, sql, "--no-cache"), expected[sql], sql)

    def test_what_needs_a_timeline_reads_it(self):
        capture = self.capture()
        before = {sql: rows(capture, sql, "--no-cache") for sql in OF_TIMELINES}
        for sql in OF_TIMELINES:
            self.assertEqual(rows(capture, sql, "--no-cache", "--strict"), before[sql], sql)
        self.assertGreater(before["SELECT count(*) FROM slice"][0][0], 1000)
        self.assertGreater(before["SELECT count(slice_id) FROM kernel"][0][0], 10)

    def test_the_cache_does_not_take_a_part_for_the_whole(self):
        capture = self.capture()
        self.assertGreater(rows(capture, "SELECT count(*) FROM step_breakdown WHERE origin = 'recorded'")[0][0], 0)
        self.assertGreater(rows(capture, "SELECT count(*) FROM slice")[0][0], 1000)
        self.assertGreater(rows(capture, "SELECT count(*) FROM kernel")[0][0], 10)
        self.assertGreater(rows(capture, "SELECT count(*) FROM slice")[0][0], 1000)

    def test_a_capture_that_cannot_be_read_still_says_so(self):
        capture = self.path("broken")
        write(os.path.join(capture, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json"), "nothing")
        done = run("query", capture, "--sql", "SELECT count(*) FROM memory_sample")
        self.assertNotEqual(done.returncode, OK)


if __name__ == "__main__":
    unittest.main()
