#!/usr/bin/env python3
"""`query`: tables and columns to the letter, the three formats, errors with a place, and answers that equal those of a
plain SQLite database filled with the same rows (resources/help/reference/)."""

import csv
import io
import json
import os
import random
import re
import sqlite3
import sys
import unittest

from support import FAILED, GOLDEN, OK, TORCH_TEXT, TWO_RANKS, CliTest, needs_captures, result, rows, run, tree_hash, write

COLUMNS = {
    "rank": "rank_id device_id host framework source path start_ts end_ts clock_offset clock_residual recording",
    "track": "track_id rank_id process thread name kind origin sort_index recording",
    "slice": "slice_id track_id rank_id name category ts dur depth self_dur parent_id args recording",
    "instant": "track_id rank_id name ts args recording",
    "counter": "track_id rank_id name series ts value recording",
    "flow": "flow_id category from_slice to_slice",
    "step": "rank_id step start_ts end_ts recording",
    "name_stat": "rank_id track_id name count total self_total min max recording",
    "metadata": "rank_id key value recording",
    "diagnostic": "severity code count file place message",
}
# All other columns are integers.
TEXTS = set("""host framework source path process thread name kind origin category args series key value severity code file place
    message recording""".split())
REALS = {("counter", "value")}
# The other tables.
OTHERS = """operator kernel kernel_metric op_stat api_stat memory_sample allocation module_memory static_memory snapshot_event
    snapshot_block snapshot_annotation step_breakdown step_phase collective bandwidth packet link comm_group dataset_op pipeline_queue
    l2_cache hardware_stat gap blame critical_path slack parallel_group pipeline_block finding""".split()


def column_type(table, column):
    return "REAL" if (table, column) in REALS else "TEXT" if column in TEXTS else "INTEGER"


class Tables(CliTest):
    def test_columns(self):
        for table, columns in COLUMNS.items():
            with self.subTest(table):
                header = result("query", TWO_RANKS, "--sql", f"SELECT * FROM {table} LIMIT 0", "--format", "csv")
                self.assertEqual(header, ",".join(columns.split()) + "\r\n")
                self.assertEqual(rows(TWO_RANKS, f"SELECT name, type FROM pragma_table_info('{table}')"),
                                 [(column, column_type(table, column)) for column in columns.split()])

    def test_values_have_the_types_of_their_columns(self):
        for name in ("torch_two_ranks", "chrome_object", "interrupted"):
            capture = os.path.join(GOLDEN, name, "capture")
            for table, columns in COLUMNS.items():
                for column in columns.split():
                    for kind, in rows(capture, f"SELECT DISTINCT typeof({column}) FROM {table}"):
                        self.assertIn(kind.upper(), ("NULL", column_type(table, column)), f"{table}.{column}")

    def test_tables_without_an_input_are_there_and_empty(self):
        empty = [table for table in OTHERS if table not in ("step_breakdown", "comm_group", "gap", "parallel_group", "finding")]
        self.assertEqual(rows(TWO_RANKS, " UNION ALL ".join(f"SELECT '{table}' FROM {table}" for table in empty)), [])

    @needs_captures
    def test_types_of_operators_are_those_of_the_timeline(self):
        rank = os.path.join(TORCH_TEXT, "level1", "rank0_ascend_pt")
        with open(os.path.join(rank, "ASCEND_PROFILER_OUTPUT", "trace_view.json"), encoding="utf-8") as file:
            expected = [(int(event["ts"].replace(".", "")), event["args"]["Input type"]) for event in json.load(file)
                        if event.get("cat") == "cpu_op" and "Input type" in event["args"]]
        self.assertGreater(len(expected), 500)
        self.assertEqual(sorted(rows(rank, "SELECT ts, input_types FROM operator WHERE input_types IS NOT NULL")), sorted(expected))

    def test_tables_of_files_beside_the_trace(self):
        self.assertEqual(rows(TWO_RANKS, "SELECT * FROM step_breakdown WHERE origin = 'recorded'"),
                         [(rank, 5, "recorded", 20060, 0, 0, 0, 480440, None, None, None, None, None, "origin", None) for rank in (0, 1)])
        # The one kernel of the timeline, 20.061 us long, begins 222.07 us behind the step.
        self.assertEqual(rows(TWO_RANKS, "SELECT * FROM step_breakdown WHERE origin = 'computed'"),
                         [(rank, 5, "computed", 20061, 0, 0, 0, 0, 20061, 0, 0, 222070, 4 + rank, "differs", None) for rank in (0, 1)])
        self.assertEqual(rows(TWO_RANKS, "SELECT group_name, parallel_type, ranks FROM comm_group"),
                         [("10.0.0.1%eth0_55000_0_17", "tp", "[0,1]")])

    def test_schema(self):
        everything = json.loads(result("query", "--schema", "--json"))
        self.assertLessEqual({"kernel_chain", "launch", "counter_span", "snapshot_start", "wait", "module"},
                             {entry["table"] for entry in everything if entry.get("kind") == "view"})
        self.assertLessEqual({"gaps", "merge", "intersect", "span_join", "ancestors", "descendants", "flow_chain"},
                             {entry["table"] for entry in everything if entry.get("kind") == "function"})
        schema = [entry for entry in everything if "kind" not in entry]
        self.assertEqual({table["table"] for table in schema}, {*COLUMNS, *OTHERS})
        for table in schema:
            name = table["table"]
            self.assertEqual(rows(TWO_RANKS, f"SELECT name, type FROM pragma_table_info('{name}')"),
                             [(column["name"], column["type"]) for column in table["columns"]])
        units = {(table["table"], column["name"]): column["unit"] for table in schema for column in table["columns"]}
        for table, column in (("slice", "ts"), ("slice", "dur"), ("slice", "self_dur"), ("step", "end_ts"), ("rank", "start_ts")):
            self.assertEqual(units[table, column], "ns")
        self.assertEqual(units["allocation", "size"], "bytes")
        text = result("query", "--schema")
        for (table, column), unit in units.items():
            self.assertRegex(text, rf"(?m)^{table}: ")
            self.assertRegex(text, rf"(?m)^  {column} +(INTEGER|REAL|TEXT) +{re.escape(unit)}")
        self.assertEqual(result("query", TWO_RANKS, "--schema"), text)


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

    def test_null_and_empty_text_differ_in_csv(self):
        text = result("query", TWO_RANKS, "--sql", "SELECT NULL AS a, '' AS b, NULL AS c", "--format", "csv")
        self.assertEqual(text, 'a,b,c\r\n,"",\r\n')

    def test_repeated_names(self):
        sql = "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a"
        found = json.loads(result("query", TWO_RANKS, "--sql", sql, "--json"))[0]
        self.assertEqual((len(found), list(found.values())), (4, [1, 2, 3, 4]))
        self.assertEqual(list(found)[:2], ["a", "a_2"])

    def test_integers_and_reals_are_exact(self):
        numbers = [-2**63, -1, 0, 2**53 + 1, 2**63 - 1]
        text = result("query", TWO_RANKS, "--sql", f"SELECT {', '.join(map(str, numbers))}", "--format", "csv")
        self.assertEqual(text.split("\r\n")[1], ",".join(map(str, numbers)))
        for real in (0.1, 1 / 3, 1e300, 5e-324, 1.7976931348623157e308, -2.5, 100.0):
            text = result("query", TWO_RANKS, "--sql", f"SELECT {real!r} AS r", "--format", "csv").split("\r\n")[1]
            self.assertEqual(float(text), real)
            self.assertLessEqual(len(text), len(repr(real)))

    def test_formats_agree(self):
        for table in ("slice", "counter", "flow", "track", "rank", "step"):
            words = ["query", TWO_RANKS, "--sql", f"SELECT * FROM {table}", "--format"]
            found = json.loads(result(*words, "json"))
            lines = list(csv.reader(io.StringIO(result(*words, "csv"), newline=""), strict=True))
            self.assertEqual([list(row) for row in found], [lines[0]] * len(found))
            self.assertEqual(lines[1:], [["" if value is None else str(value).removesuffix(".0") if isinstance(value, float)
                                          else str(value) for value in row.values()] for row in found])
            shown = result(*words, "table").splitlines()
            self.assertEqual(len(shown), 2 + len(found))
            self.assertEqual(shown[0].split(), lines[0])
            self.assertEqual([len(rule) for rule in shown[1].split("  ")], [len(rule) for rule in re.findall("-+", shown[1])])
            for line, row in zip(shown[2:], lines[1:]):
                for cell, value in zip(row, found[0].values()):
                    if value is not None:
                        self.assertIn(cell, line)
            self.assertEqual(result("query", TWO_RANKS, "--sql", words[3]), "\n".join(shown) + "\n", "table is the default")

    def test_names_of_any_kind(self):
        names = ['say "a", b', "two\nlines\r\nand\ttabs", "\x01\x1f\x7f", "算子 训练 🙂", "it's", "a\\b", " blanks ", "", "},{"]
        events = [{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10 * place, "dur": 5, "args": {"名": name}}
                  for place, name in enumerate(names)]
        for escaped in (True, False):
            with self.subTest(escaped=escaped):
                trace = write(self.path("trace_view.json"), json.dumps(events, ensure_ascii=escaped))
                words = ["query", trace, "--sql", "SELECT name, args FROM slice ORDER BY ts", "--format"]
                found = json.loads(result(*words, "json"))
                self.assertEqual([row["name"] for row in found], names)
                self.assertEqual([json.loads(row["args"]) for row in found], [{"名": name} for name in names])
                lines = list(csv.reader(io.StringIO(result(*words, "csv"), newline=""), strict=True))
                self.assertEqual([line[0] for line in lines[1:]], names)
                shown = result(*words, "table")
                self.assertEqual(shown.count("\n"), 2 + len(names))
                self.assertFalse(set(shown) & set("\x01\x1f\x7f\r\t"))
                for name in names:
                    literal = name.replace("'", "''")
                    self.assertEqual(rows(trace, f"SELECT count(*) FROM slice WHERE name = '{literal}'"), [(1,)])

    def test_statement_from_a_file(self):
        file = write(self.path("问.sql"), "-- how many 算子\nSELECT count(*) AS n\nFROM slice;\n;\n")
        for words in (["--file", file, "--format", "csv"], [f"--file={file}", "--format=csv"]):
            self.assertEqual(result("query", TWO_RANKS, *words), "n\r\n12\r\n")
        self.assert_message(run("query", TWO_RANKS, "--file", self.path("absent.sql")), FAILED, "absent.sql")
        self.assert_message(run("query", TWO_RANKS, "--file", self.folder), FAILED, self.folder)


class Errors(CliTest):
    def test_place(self):
        self.assert_message(run("query", TWO_RANKS, "--sql", "SELECT name,\n  absent FROM slice"), FAILED,
                            "no such column: absent", "line 2", "column 3")
        self.assert_message(run("query", TWO_RANKS, "--sql", "SELECT '算子' FORM slice"), FAILED, "syntax error", "line 1",
                            "column 18")
        self.assert_message(run("query", TWO_RANKS, "--sql", "SELECT * FROM absent"), FAILED, "no such table: absent")
        # A text in double quotes is a name, never a text that was meant otherwise.
        self.assert_message(run("query", TWO_RANKS, "--sql", 'SELECT * FROM slice WHERE name = "Add_1"'), FAILED, "Add_1")

    def test_wrong_statements_are_refused_before_anything_is_read(self):
        for sql, word in (("SELECT absent FROM slice", "no such column: absent"), ("DELETE FROM slice", "may not be modified"),
                          ("SELECT 1; SELECT 2", "more than one"), (" ", "no SQL statement")):
            done = run("query", self.path("not_there"), "--sql", sql)
            self.assertEqual(done.returncode, FAILED)
            self.assertIn(word, done.stderr)
            self.assertNotIn("not_there", done.stderr)

    def test_while_it_runs(self):
        done = run("query", TWO_RANKS, "--sql", "SELECT abs(-9223372036854775807 - 1)")
        self.assertEqual(done.returncode, FAILED)
        self.assertRegex(done.stderr, r"\Aaltiscope-cli: .*integer overflow.*\n\Z")

    def test_nothing_is_written(self):
        target = self.path("new.db")
        before = tree_hash(TWO_RANKS)
        for sql in ("INSERT INTO slice(name) VALUES('x')", "DELETE FROM slice", "CREATE TABLE t(a)", "DROP TABLE slice",
                    f"ATTACH '{target}' AS other", f"VACUUM INTO '{target}'", "PRAGMA user_version = 5",
                    "UPDATE slice SET name = 'x'", "SELECT 1; SELECT 2", "", "-- nothing", "BEGIN", "PRAGMA journal_mode = WAL",
                    "CREATE TEMP TABLE t AS SELECT 1", "PRAGMA writable_schema = 1", "ANALYZE", "DETACH main",
                    "WITH n AS (SELECT 1) DELETE FROM slice", "CREATE VIEW v AS SELECT 1",
                    "SELECT load_extension('libm.so.6')", "PRAGMA temp_store_directory = '/'"):
            with self.subTest(sql):
                self.assert_message(run("query", TWO_RANKS, "--sql", sql), FAILED)
        self.assertFalse(os.path.exists(target))
        for sql in ("EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT * FROM slice", "VALUES (1)", "WITH n AS (SELECT 1) SELECT * FROM n"):
            self.assertTrue(rows(TWO_RANKS, sql))
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
        self.check_other_tables(capture, plain, chance)
        # The ready-made statistics are those of the slices.
        self.assertEqual(rows(capture, "SELECT name, sum(count), sum(total), sum(self_total), min(min), max(max) FROM name_stat "
                                       "GROUP BY name ORDER BY name"),
                         plain.execute("SELECT name, count(*), sum(dur), sum(self_dur), min(dur), max(dur) FROM slice "
                                       "GROUP BY name ORDER BY name").fetchall())

    def check_other_tables(self, capture, plain, chance):
        tracks = plain.execute("SELECT track_id, kind FROM track").fetchall()
        ends = plain.execute("SELECT from_slice, to_slice FROM flow").fetchall() or [(1, 2)]
        samples = plain.execute("SELECT track_id, name, ts FROM counter").fetchall() or [(1, "none", 0)]
        track, name, ts = chance.choice(samples)
        source, target = chance.choice(ends)
        for sql in (
                f"SELECT * FROM counter WHERE name = '{name}' AND ts >= {ts} ORDER BY ts, track_id, series, value LIMIT 30",
                f"SELECT series, count(*), max(value) FROM counter WHERE track_id = {track} AND ts < {ts} GROUP BY series",
                f"SELECT count(*) FROM counter WHERE ts BETWEEN {ts - 1000000} AND {ts} AND rank_id = 1",
                f"SELECT * FROM flow WHERE to_slice = {target or 0} OR from_slice = {source or 0} ORDER BY flow_id",
                "SELECT category, count(*), count(from_slice), count(to_slice) FROM flow GROUP BY category",
                "SELECT * FROM flow ORDER BY flow_id DESC LIMIT 5",
                f"SELECT * FROM track WHERE kind = '{chance.choice(tracks)[1]}' ORDER BY rank_id, sort_index, track_id",
                f"SELECT * FROM name_stat WHERE track_id = {chance.choice(tracks)[0]} ORDER BY total DESC, name LIMIT 10",
                f"SELECT * FROM instant WHERE track_id = {track}", "SELECT * FROM step ORDER BY rank_id, step",
                "SELECT rank_id, count(*) FROM metadata GROUP BY rank_id ORDER BY rank_id",
                "SELECT * FROM diagnostic ORDER BY code, file",
                f"""SELECT k.name, count(*), sum(k.dur) FROM flow JOIN slice h ON h.slice_id = from_slice
                    JOIN slice k ON k.slice_id = to_slice WHERE k.ts - h.ts > {chance.randrange(200000)} GROUP BY 1""",
                """SELECT s.step, count(*) FROM step s JOIN slice ON slice.rank_id = s.rank_id AND ts >= s.start_ts
                   AND ts < s.end_ts GROUP BY 1"""):
            self.check(capture, plain, sql)

    def test_generated_run(self):
        capture = self.path("run")
        result("generate", capture, "--ranks", "2", "--steps", "1", "--layers", "1")
        self.check_capture(capture, 11, 12)

    def test_golden(self):
        for seed, name in enumerate(("torch_two_ranks", "level0_lost_names")):
            self.check_capture(os.path.join(GOLDEN, name, "capture"), seed, 12)

    @needs_captures
    def test_real_run(self):
        self.check_capture(os.path.join(TORCH_TEXT, "level1"), 7, 15)


class Meaning(CliTest):
    def check_nesting(self, capture):
        """parent_id (innermost: begins last), self_dur and depth by their definition, slice by slice."""
        tracks = {}
        for row in rows(capture, "SELECT slice_id, track_id, ts, ts + dur, depth, parent_id, self_dur FROM slice"):
            tracks.setdefault(row[1], {})[row[0]] = row
        for slices in tracks.values():
            children = {}
            for identity, _, begin, end, depth, parent, _ in slices.values():
                children.setdefault(parent, []).append((begin, end))
                # Of equal slices the upper one is around the lower one. Both ends count.
                around = [other for other in slices.values() if other[2] <= begin and end <= other[3]
                          and ((other[2], other[3]) != (begin, end) or other[4] < depth)]
                innermost = max(around, key=lambda other: (other[2], -other[3], other[4]), default=[None])
                self.assertEqual(parent, innermost[0], identity)
            for identity, _, begin, end, _, _, self_dur in slices.values():
                covered, reached = 0, begin
                for child_begin, child_end in sorted(children.get(identity, [])):
                    covered += max(0, child_end - max(child_begin, reached))
                    reached = max(reached, child_end)
                self.assertEqual(self_dur, end - begin - covered)
            # Slices of one depth do not overlap.
            by_depth = sorted((row[4], row[2], row[3]) for row in slices.values())
            for before, behind in zip(by_depth, by_depth[1:]):
                self.assertTrue(before[0] != behind[0] or before[2] <= behind[1], (before, behind))

    def test_nesting(self):
        for name in ("overlapping_slices", "torch_two_ranks"):
            self.check_nesting(os.path.join(GOLDEN, name, "capture"))
        capture = self.path("run")
        result("generate", capture, "--ranks", "1", "--steps", "1", "--layers", "1")
        self.check_nesting(capture)

    @needs_captures
    def test_nesting_of_a_real_run(self):
        self.check_nesting(os.path.join(TORCH_TEXT, "level1"))

    def test_patterns_on_arguments_find_what_a_look_at_each_finds(self):
        capture = self.path("run")
        result("generate", capture, "--ranks", "2", "--steps", "1", "--layers", "1")
        for pattern in ("LIKE '%task type%ai_core%'", "GLOB '*Task Type*AI_CORE*'", "GLOB '*task type*'", "LIKE '%zzz%'", "LIKE '%1%'",
                        "LIKE '%stream id\": \"2%' AND args LIKE '%ai_core%'", "NOT LIKE '%ai_core%'"):
            told = rows(capture, f"SELECT slice_id FROM slice WHERE args {pattern} ORDER BY 1")
            self.assertEqual(told, rows(capture, f"SELECT slice_id FROM slice WHERE (args || '') {pattern.replace('AND args', 'AND args || {}'.format(chr(39) * 2))} ORDER BY 1"))
        self.assertGreater(len(rows(capture, "SELECT 1 FROM slice WHERE args LIKE '%ai_core%'")), 10)

    def test_patterns_find_repaired_arguments(self):
        capture = self.path("odd.json")
        with open(capture, "wb") as file:
            file.write(b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"k":"bad\xff\x01byte"}},'
                       b'{"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1,"args":{"k":"good"}}]')
        for pattern in ("%bad%", "%bad\ufffd%", "%u0001byte%", "%001by%", "%byte%"):
            self.assertEqual(rows(capture, f"SELECT name FROM slice WHERE args LIKE '{pattern}'"), [("a",)], pattern)

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
