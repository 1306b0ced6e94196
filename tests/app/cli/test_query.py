#!/usr/bin/env python3
"""`query`: tables and columns to the letter, the three formats, errors with a place, and answers that equal those of a
plain SQLite database filled with the same rows (product.md, sections 3 and 4)."""

import csv
import io
import json
import os
import random
import sqlite3
import sys
import unittest

from support import FAILED, GOLDEN, OK, TORCH_TEXT, TWO_RANKS, CliTest, needs_captures, result, rows, run, tree_hash, write

COLUMNS = {
    "rank": "rank_id device_id host framework source path start_ts end_ts clock_offset clock_residual",
    "track": "track_id rank_id process thread name kind origin sort_index",
    "slice": "slice_id track_id rank_id name category ts dur depth self_dur parent_id args",
    "instant": "track_id rank_id name ts args",
    "counter": "track_id rank_id name series ts value",
    "flow": "flow_id category from_slice to_slice",
    "step": "rank_id step start_ts end_ts",
    "name_stat": "rank_id track_id name count total self_total min max",
    "metadata": "rank_id key value",
    "diagnostic": "severity code count file place message",
}


class Tables(CliTest):
    def test_columns(self):
        for table, columns in COLUMNS.items():
            with self.subTest(table):
                header = result("query", TWO_RANKS, "--sql", f"SELECT * FROM {table} LIMIT 0", "--format", "csv")
                self.assertEqual(header, ",".join(columns.split()) + "\r\n")
                self.assertEqual([name for name, in rows(TWO_RANKS, f"SELECT name FROM pragma_table_info('{table}')")],
                                 columns.split())

    def test_schema_names_all_with_units(self):
        text = result("query", TWO_RANKS, "--schema")
        for table, columns in COLUMNS.items():
            self.assertIn(table, text)
            for column in columns.split():
                self.assertIn(column, text)
        self.assertIn("ns", text)
        self.assertEqual(result("query", "--schema"), text)


class Formats(CliTest):
    TRICKY = """SELECT NULL AS none, 9223372036854775807 AS big, -1 AS less, 0.1 AS real, 1e300 AS huge, 'a "b", c' AS quoted,
        'two' || char(10) || 'lines' AS lines, '算子' AS chinese, x'00ff' AS bytes, 1 AS twice, 2 AS twice, '' AS hollow,
        char(1) AS control"""
    VALUES = {"none": None, "big": 9223372036854775807, "less": -1, "real": 0.1, "huge": 1e300, "quoted": 'a "b", c',
              "lines": "two\nlines", "chinese": "算子", "bytes": "00ff", "twice": 1, "twice_2": 2, "hollow": "",
              "control": "\x01"}

    def test_json(self):
        found = json.loads(result("query", TWO_RANKS, "--sql", self.TRICKY, "--format", "json"))
        self.assertEqual(found, [self.VALUES])
        self.assertEqual(list(found[0]), list(self.VALUES))
        self.assertEqual([type(value) for value in found[0].values()], [type(value) for value in self.VALUES.values()])
        self.assertEqual(json.loads(result("query", TWO_RANKS, "--sql", "SELECT 1 WHERE 0", "--format", "json")), [])

    def test_csv(self):
        text = result("query", TWO_RANKS, "--sql", self.TRICKY, "--format", "csv")
        header, values = csv.reader(io.StringIO(text, newline=""), strict=True)
        self.assertEqual(header, list(self.VALUES))
        self.assertEqual(values, ["" if value is None else repr(value) if isinstance(value, float) else str(value)
                                  for value in self.VALUES.values()])

    def test_table_has_a_line_for_each_row(self):
        lines = result("query", TWO_RANKS, "--sql", self.TRICKY, "--format", "table").split("\n")
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[0].split(), list(self.VALUES))
        self.assertIn("two\\nlines", lines[2])
        self.assertIn("算子", lines[2])
        self.assertNotIn("\x01", lines[2])

    def test_statement_from_a_file(self):
        file = write(self.path("question.sql"), "-- how many\nSELECT count(*) AS n\nFROM slice;\n")
        self.assertEqual(result("query", TWO_RANKS, "--file", file, "--format", "csv"), "n\r\n8\r\n")
        self.assert_message(run("query", TWO_RANKS, "--file", self.path("absent.sql")), FAILED, "absent.sql")


class Errors(CliTest):
    def test_place(self):
        self.assert_message(run("query", TWO_RANKS, "--sql", "SELECT name,\n  absent FROM slice"), FAILED,
                            "no such column: absent", "line 2", "column 3")

    def test_nothing_is_written(self):
        target = self.path("new.db")
        before = tree_hash(TWO_RANKS)
        for sql in ("INSERT INTO slice(name) VALUES('x')", "DELETE FROM slice", "CREATE TABLE t(a)", "DROP TABLE slice",
                    f"ATTACH '{target}' AS other", f"VACUUM INTO '{target}'", "PRAGMA user_version = 5",
                    "UPDATE slice SET name = 'x'", "SELECT 1; SELECT 2", ""):
            with self.subTest(sql):
                self.assert_message(run("query", TWO_RANKS, "--sql", sql), FAILED)
        self.assertFalse(os.path.exists(target))
        self.assertEqual(tree_hash(TWO_RANKS), before)


class SameAsPlainTables(CliTest):
    """Conditions and orders are pushed down into the store; none of that may change an answer."""

    def copy(self, capture):
        plain = sqlite3.connect(":memory:")
        self.addCleanup(plain.close)
        for table, columns in COLUMNS.items():
            names = columns.split()
            types = rows(capture, f"SELECT name, type FROM pragma_table_info('{table}')")
            plain.execute(f"CREATE TABLE {table} ({', '.join(' '.join(column) for column in types)})")
            plain.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})",
                              rows(capture, f"SELECT * FROM {table}"))
        return plain

    def check(self, capture, plain, sql):
        with self.subTest(sql):
            found = rows(capture, sql)
            expected = plain.execute(sql).fetchall()
            if "ORDER BY" not in sql:
                found, expected = sorted(found, key=repr), sorted(expected, key=repr)
            self.assertEqual(found, expected)

    def check_capture(self, capture, seed, count):
        plain = self.copy(capture)
        chance = random.Random(seed)
        slices = plain.execute("SELECT slice_id, track_id, name, ts, dur FROM slice").fetchall()
        for _ in range(count):
            a, b = chance.choice(slices), chance.choice(slices)
            low, high = sorted((a[3], b[3]))
            name = a[2].replace("'", "''")
            condition = chance.choice((
                f"ts BETWEEN {low} AND {high}", f"ts >= {low} AND ts < {high}", f"name = '{name}'",
                f"track_id = {a[1]} AND ts > {low}", f"slice_id IN ({a[0]}, {b[0]}, 5)", f"slice_id = {a[0]} OR dur > {b[4]}",
                f"name >= '{name}'", f"name = '{name}' AND track_id = {b[1]} AND ts <= {high}", "rank_id = 0 AND depth > 0",
                f"parent_id = {a[0]}", "rank_id IS NULL", "category IS NOT NULL", f"ts = {low}.5", f"ts > '{low}'"))
            shape = chance.choice((
                "SELECT slice_id, name, ts, dur FROM slice WHERE {} ORDER BY ts, slice_id LIMIT 50",
                "SELECT slice_id FROM slice WHERE {} ORDER BY ts DESC, slice_id LIMIT 20 OFFSET 3",
                "SELECT count(*), sum(dur), min(ts), max(ts + dur), sum(self_dur) FROM slice WHERE {}",
                "SELECT name, count(*), sum(dur) FROM slice WHERE {} GROUP BY name ORDER BY name LIMIT 100",
                "SELECT track_id, max(depth) FROM slice WHERE {} GROUP BY track_id",
                "SELECT count(DISTINCT name) FROM slice WHERE NOT ({})"))
            self.check(capture, plain, shape.format(condition))
        for sql in (
                """SELECT t.name, count(*), sum(s.dur) FROM slice s JOIN track t USING (track_id) GROUP BY t.track_id""",
                """SELECT a.name, b.name, count(*) FROM slice a JOIN slice b ON b.slice_id = a.parent_id GROUP BY 1, 2""",
                """SELECT f.category, a.name, b.name, count(*) FROM flow f LEFT JOIN slice a ON a.slice_id = f.from_slice
                   LEFT JOIN slice b ON b.slice_id = f.to_slice GROUP BY 1, 2, 3""",
                """SELECT name, series, count(*), min(value), max(value), min(ts) FROM counter GROUP BY name, series""",
                """SELECT rank_id, name, sum(count), sum(total), sum(self_total), min(min), max(max) FROM name_stat
                   GROUP BY rank_id, name ORDER BY rank_id, name""",
                """SELECT rank_id, key, value FROM metadata WHERE key LIKE '%version%'"""):
            self.check(capture, plain, sql)
        # The ready-made statistics are those of the slices.
        self.assertEqual(rows(capture, "SELECT name, sum(count), sum(total), sum(self_total), min(min), max(max) FROM name_stat "
                                       "GROUP BY name ORDER BY name"),
                         plain.execute("SELECT name, count(*), sum(dur), sum(self_dur), min(dur), max(dur) FROM slice "
                                       "GROUP BY name ORDER BY name").fetchall())

    def test_golden(self):
        for seed, name in enumerate(("torch_two_ranks", "level0_lost_names")):
            self.check_capture(os.path.join(GOLDEN, name, "capture"), seed, 25)

    @needs_captures
    def test_real_run(self):
        self.check_capture(os.path.join(TORCH_TEXT, "level1"), 7, 40)

    def test_times_are_exact_and_arguments_as_in_the_source(self):
        trace = write(self.path("trace_view.json"), """[
            {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": "1736408883574037.921", "dur": 0.001,
             "args": {"n": 1.50, "s": "\\u7b97"}},
            {"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": 1736408883574039.0005, "dur": 1e3}]""")
        self.assertEqual(rows(trace, "SELECT name, ts, dur, args FROM slice ORDER BY ts"),
                         [("a", 1736408883574037921, 1, '{"n": 1.50, "s": "\\u7b97"}'),
                          ("b", 1736408883574039001, 1000000, None)])


if __name__ == "__main__":
    sys.exit(unittest.main())
