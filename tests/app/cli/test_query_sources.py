#!/usr/bin/env python3
"""A statement reads what it needs: on recorded summary tables alone it reads their files and no timeline, and its rows are
those of a whole import."""

import csv
import glob
import os
import unittest

from support import OK, PARTIAL, CliTest, result, rows, run, write

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
# Whether a step counts, left_out, depends on the events.
COLUMNS = {"step_breakdown": "rank_id, step, origin, computing, communication, overlapped, not_overlapped, free, preparing, recording"}
STATEMENTS = [f"SELECT rowid, {COLUMNS.get(table, '*')} FROM {table} WHERE {condition}" for table, condition in RECORDED.items()] + [
    "SELECT rowid, name, type, ts, dur, wait FROM kernel",
    "SELECT kernel_rowid, name, value FROM kernel_metric",
    "SELECT name, dur, input_shapes FROM operator",
    "SELECT r.path, r.rank_id, count(*) FROM rank r JOIN memory_sample m USING (rank_id) GROUP BY 1, 2",
    "SELECT o.name, sum(o.total), k.n FROM op_stat o JOIN (SELECT type, count(*) AS n FROM kernel GROUP BY type) k ON k.type = o.name "
    "WHERE o.origin = 'recorded' GROUP BY o.name ORDER BY 2 DESC",
    "SELECT step, max(computing) FROM (SELECT step, computing FROM step_breakdown WHERE origin = 'recorded') GROUP BY step ORDER BY step",
    "WITH recorded AS (SELECT step, computing FROM step_breakdown WHERE origin = 'recorded'), slice AS (SELECT name FROM allocation) "
    "SELECT count(*), (SELECT count(*) FROM slice) FROM recorded",
    "SELECT count(*) FROM rank WHERE EXISTS (SELECT 1 FROM packet p WHERE p.rank_id = rank.rank_id)",
    "SELECT max(ts) FROM memory_sample UNION ALL SELECT max(alloc_ts) FROM allocation",
    "SELECT count(*), count(instance), count(DISTINCT group_name) FROM collective WHERE origin = 'recorded'",
    "SELECT g.ranks, count(*) FROM link JOIN comm_group g USING (group_name) GROUP BY 1",
    "SELECT * FROM comm_group",
    "SELECT count(b.size) FROM bandwidth b JOIN packet USING (rank_id, op_name)",
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
    "SELECT count(*) FROM memory_sample WHERE EXISTS (SELECT 1 FROM slice)",
    "WITH memory AS (SELECT * FROM memory_sample) SELECT count(*), (SELECT count(*) FROM instant) FROM memory",
    "SELECT count(*) FROM op_stat WHERE origin = 'recorded' UNION ALL SELECT count(*) FROM op_stat",
    # Columns that these compare are read without being named.
    "SELECT count(m.ts) FROM memory_sample m JOIN step USING (rank_id)",
    "SELECT count(m.ts) FROM memory_sample m NATURAL JOIN track",
    "SELECT count(k.dur) FROM kernel k JOIN operator o USING (slice_id, rank_id)",
]


def whole(capture, sql, *words):
    """The rows of a statement after all of the capture was read."""
    return rows(capture, f"SELECT q.* FROM ({sql}) q, (SELECT count(*) FROM track)", "--no-cache", *words)


def timelines(capture):
    return sorted(glob.glob(os.path.join(capture, "*", "ASCEND_PROFILER_OUTPUT", "trace_view.json")))


class Sources(CliTest):
    def capture(self, *words):
        path = self.path("capture" + "".join(words))
        result("generate", path, "--ranks", "3", "--steps", "2", "--layers", "1", *words)
        return path

    def test_rows_are_those_of_a_whole_import(self):
        for words in ((), ("--format", "db")):
            capture = self.capture(*words)
            for sql in STATEMENTS:
                expected = sorted(map(repr, whole(capture, sql)))
                self.assertGreater(len(expected) + (not sql.endswith("module_memory WHERE 1")), 0)
                self.assertEqual(sorted(map(repr, rows(capture, sql, "--no-cache"))), expected, sql)
                self.assertEqual(sorted(map(repr, rows(capture, sql))), expected, sql)

    def test_timelines_are_not_touched(self):
        capture = self.capture()
        expected = {sql: rows(capture, sql, "--no-cache") for sql in STATEMENTS}
        begin, end = rows(capture, "SELECT min(start_ts), max(end_ts) FROM rank", "--no-cache")[0]
        self.assertEqual(len(timelines(capture)), 3)
        for timeline in timelines(capture):
            write(timeline, "[{\"ph\":\"X\",\"name\":")
        part = ("--range", f"{begin}..{(begin + end) // 2}")
        for i, sql in enumerate(STATEMENTS):
            words = ((), ("--strict",), ("--strict", "--diagnostics"), ("--strict", *part))[i % 4]
            self.assertEqual(rows(capture, sql, "--no-cache", *words), expected[sql], sql)
        for table in ("memory_sample", "allocation", "packet", "kernel_metric"):
            out = self.path(f"{table}.csv")
            result("export", capture, "--what", table, "--out", out, "--no-cache", "--strict")
            with open(out, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()) - 1,
                                 rows(capture, f"SELECT count(*) FROM {table}", "--no-cache")[0][0], table)

    def test_a_range_leaves_recorded_rows_as_they_are(self):
        capture = self.capture()
        begin, end = rows(capture, "SELECT min(start_ts), max(end_ts) FROM rank", "--no-cache")[0]
        part = ("--range", f"{begin}..{(begin + end) // 2}")
        for sql in STATEMENTS[::3]:
            self.assertEqual(sorted(map(repr, rows(capture, sql, "--no-cache", *part))),
                             sorted(map(repr, whole(capture, sql, *part))), sql)

    def test_strict_is_about_the_files_that_are_read(self):
        capture = self.capture()
        for timeline in timelines(capture):
            with open(timeline, "r+b") as file:
                file.truncate(os.path.getsize(timeline) // 2)
        table = os.path.join(os.path.dirname(timelines(capture)[0]), "memory_record.csv")
        with open(table, "ab") as file:
            file.write(b"PTA,not a time,1,2\n")
        recorded = "SELECT count(*) FROM %s WHERE %s"
        for sql, status in ((recorded % ("step_breakdown", "origin = 'recorded'"), OK),
                            (recorded % ("memory_sample", "1"), PARTIAL),
                            (recorded % ("slice", "1"), PARTIAL)):
            done = run("query", capture, "--sql", sql, "--strict", "--diagnostics", "--no-cache")
            self.assertEqual(done.returncode, status, sql + done.stderr)
            self.assertEqual("memory_record.csv" in done.stderr, "step_breakdown" not in sql, done.stderr)
            self.assertEqual("lost trace" in done.stderr, "slice" in sql, done.stderr)
        self.assertEqual(run("info", capture, "--strict", "--no-cache").returncode, PARTIAL)

    def test_strict_says_the_same_with_the_cache(self):
        capture = self.capture()
        for timeline in timelines(capture):
            with open(timeline, "r+b") as file:
                file.truncate(os.path.getsize(timeline) // 2)
        table = os.path.join(os.path.dirname(timelines(capture)[0]), "kernel_details.csv")
        size = os.path.getsize(table)
        with open(table, newline="", encoding="utf-8") as file:
            header, *records = csv.reader(file)
        name = header.index("Name")
        with open(table, "w", newline="", encoding="utf-8") as file:
            output = csv.writer(file)
            output.writerow(header)
            # So large that the cache is looked at; what stands again as it is would be reported.
            for again in range(1 + (5 << 20) // size):
                output.writerows(record[:name] + [f"{record[name]}_{again}"] + record[name + 1:] for record in records)
        run("info", capture)
        sql = "SELECT count(*), sum(dur) FROM kernel"
        self.assertEqual(rows(capture, sql, "--strict"), rows(capture, sql, "--strict", "--no-cache"))

    def test_what_needs_a_timeline_reads_it(self):
        capture = self.capture()
        before = {sql: rows(capture, sql, "--no-cache") for sql in OF_TIMELINES}
        for sql in OF_TIMELINES:
            self.assertEqual(whole(capture, sql), before[sql], sql)
        self.assertGreater(before["SELECT count(*) FROM slice"][0][0], 1000)
        self.assertGreater(before["SELECT count(slice_id) FROM kernel"][0][0], 10)
        self.assertGreater(before["SELECT count(m.ts) FROM memory_sample m JOIN step USING (rank_id)"][0][0], 10)

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
