#!/usr/bin/env python3
"""Arrow IPC streams: equal to what query prints as JSON, for every table; read by a reader of our own and, where it is, npm's."""

import functools
import json
import os
import shutil
import subprocess
import unittest

from arrow_reader import TYPE_BINARY, TYPE_FLOAT, TYPE_INT, TYPE_UTF8, read_stream
from support import FAILED, OK, SHARED, TWO_RANKS, WRONG_USAGE, CliTest, needs_captures, result, run

# What apache-arrow makes of a stream: field names, then each row as texts, so that JavaScript rounds nothing.
SCRIPT = """
const arrow = require(process.argv[1]);
const table = arrow.tableFromIPC(require('fs').readFileSync(process.argv[2]));
const bytes = value => value instanceof Uint8Array ? 'hex ' + Buffer.from(value).toString('hex') : String(value);
const rows = [];
for (const batch of table.batches) {
  const columns = table.schema.fields.map((field, i) => batch.getChildAt(i));
  for (let i = 0; i < batch.numRows; ++i) rows.push(columns.map(c => c.get(i) === null ? null : bytes(c.get(i))));
}
process.stdout.write(JSON.stringify({names: table.schema.fields.map(f => f.name), rows}));
"""


@functools.cache
def apache_arrow():
    """The folder of npm's apache-arrow: NODE_PATH or npm's own; None where it is not installed."""
    if shutil.which("node") is None:
        return None
    folders = [folder for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    if shutil.which("npm"):
        folders.append(subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False).stdout.strip())
    return next((os.path.join(f, "apache-arrow") for f in folders if os.path.isdir(os.path.join(f, "apache-arrow"))), None)


def stream_of(capture, sql):
    done = run("query", capture, "--sql", sql, "--format", "arrow", text=False)
    assert done.returncode == OK, done.stderr
    return done.stdout


def printed(capture, sql):
    """The rows as JSON has them: pairs of names, integers of any size."""
    return [tuple(row.values()) for row in json.loads(result("query", capture, "--sql", sql, "--format", "json"))]


class Tables(CliTest):
    def check_all(self, capture):
        schema = {table["table"]: table["columns"] for table in json.loads(result("query", "--schema", "--json"))
                  if "kind" not in table}
        kinds = {"INTEGER": TYPE_INT, "REAL": TYPE_FLOAT, "TEXT": TYPE_UTF8}
        for table in schema:
            out = self.path("out.arrows")
            result("export", capture, "--what", table, "--out", out)
            with open(out, "rb") as file:
                fields, rows, _ = read_stream(file.read())
            with self.subTest(capture=capture, table=table):
                self.assertEqual([(f.name, f.type, f.nullable, f.metadata.get("unit", "")) for f in fields],
                                 [(c["name"], kinds[c["type"]], True, c["unit"] or "") for c in schema[table]])
                self.assertTrue(all((f.dictionary is None) == (f.type != TYPE_UTF8) for f in fields))
                self.assertEqual(rows, printed(capture, f'SELECT * FROM "{table}"'))

    def test_of_two_ranks(self):
        self.check_all(TWO_RANKS)

    def test_of_a_generated_run(self):
        out = self.path("run")
        result("generate", out, "--ranks", "2", "--steps", "2", "--seed", "5", "--format", "db", "--format", "cluster")
        self.check_all(out)

    @needs_captures
    def test_of_a_real_run(self):
        self.check_all(os.path.join(SHARED, "torch_db"))


class Values(CliTest):
    def test_integers_are_exact(self):
        sql = " UNION ALL SELECT ".join(("SELECT 9223372036854775807 AS most", "-9223372036854775808", "9007199254740993", "NULL"))
        fields, rows, _ = read_stream(stream_of(TWO_RANKS, sql))
        self.assertEqual([(f.name, f.type) for f in fields], [("most", TYPE_INT)])
        self.assertEqual(rows, [(2**63 - 1,), (-2**63,), (2**53 + 1,), (None,)])

    def test_types_of_what_is_computed(self):
        sql = ("SELECT 1 AS whole, 0.5 AS half, 'a' AS word, x'00ff' AS bytes, 2 AS both, 9007199254740993 AS large, NULL AS never, "
               "'b' AS word "
               "UNION ALL SELECT NULL, -1e300, NULL, x'', 2.5, 2.5, NULL, ''")
        fields, rows, _ = read_stream(stream_of(TWO_RANKS, sql))
        self.assertEqual([(f.name, f.type) for f in fields],
                         [("whole", TYPE_INT), ("half", TYPE_FLOAT), ("word", TYPE_UTF8), ("bytes", TYPE_BINARY), ("both", TYPE_FLOAT),
                          ("large", TYPE_UTF8), ("never", TYPE_UTF8), ("word_2", TYPE_UTF8)])
        self.assertEqual(rows, [(1, 0.5, "a", b"\0\xff", 2.0, "9007199254740993", None, "b"),
                                (None, -1e300, None, b"", 2.5, "2.5", None, "")])

    def test_several_batches_and_what_does_not_fit(self):
        count = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) "
        fields, rows, batches = read_stream(stream_of(TWO_RANKS, count + "SELECT i, 'text ' || (i / 7) AS t, nullif(i % 3, 0) AS m FROM n"))
        self.assertEqual((len(fields), batches), (3, 3))
        self.assertEqual(rows, [(i, f"text {i // 7}", i % 3 or None) for i in range(150001)])
        late = run("query", TWO_RANKS, "--sql", count + "SELECT iif(i < 100000, i, 'a') AS mixed FROM n", "--format", "arrow", text=False)
        self.assertEqual(late.returncode, FAILED)
        self.assertIn(b"Column mixed has a value of another type than the ones before it in row 100001", late.stderr)

    def test_long_values_end_a_batch(self):
        sql = ("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39) "
               "SELECT i, hex(zeroblob(500000)) || i AS t FROM n")
        _, rows, batches = read_stream(stream_of(TWO_RANKS, sql))
        self.assertEqual(batches, 5)
        self.assertEqual(rows, [(i, "0" * 1000000 + str(i)) for i in range(40)])

    def test_broken_text_and_texts_with_zero(self):
        _, rows, _ = read_stream(stream_of(TWO_RANKS, "SELECT CAST(x'61ff62' AS TEXT) AS a, CAST(x'610062' AS TEXT) AS b"))
        self.assertEqual(rows, [("a\ufffdb", "a\0b")])

    def test_no_rows(self):
        fields, rows, batches = read_stream(stream_of(TWO_RANKS, "SELECT name, ts, 1 AS one FROM slice WHERE 0"))
        self.assertEqual(([f.name for f in fields], rows, batches), (["name", "ts", "one"], [], 0))

    def test_pages(self):
        sql = "SELECT name, ts FROM slice"
        done = run("query", TWO_RANKS, "--sql", sql, "--format", "arrow", "--limit", "3", "--offset", "2", text=False)
        self.assertEqual(read_stream(done.stdout)[1], printed(TWO_RANKS, sql)[2:5])


class Words(CliTest):
    def test_format_of_a_device(self):
        done = run("export", TWO_RANKS, "--what", "rank", "--out", "/dev/stdout", "--format", "arrow", text=False)
        self.assertEqual(read_stream(done.stdout)[1], printed(TWO_RANKS, "SELECT * FROM rank"))

    def test_wrong_words(self):
        for words in (("--what", "rank", "--out", "x.arrow"), ("--what", "trace", "--out", "x.arrows"),
                      ("--what", "rank", "--out", "x.csv", "--format", "table"),
                      ("--what", "trace", "--out", "x.json", "--format", "json")):
            self.assertEqual(run("export", TWO_RANKS, *words).returncode, WRONG_USAGE, words)
        self.assertEqual(run("query", "--schema", "--format", "arrow").returncode, WRONG_USAGE)
        done = run("export", TWO_RANKS, "--what", "rank", "--out", self.path("x.arrows"), "--spreadsheet-safe")
        self.assertEqual(done.returncode, WRONG_USAGE)

    def test_nothing_half_written(self):
        out = self.path("x.arrows")
        self.assertEqual(run("export", TWO_RANKS, "--what", "no such", "--out", out).returncode, FAILED)
        self.assertFalse(os.path.exists(out))


class ByApacheArrow(CliTest):
    def read(self, data):
        path = self.path("in.arrows")
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run(["node", "-e", SCRIPT, apache_arrow(), path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_equal(self):
        if apache_arrow() is None:
            self.skipTest("apache-arrow of npm is not installed")
        count = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) "
        for sql in ("SELECT * FROM slice", "SELECT * FROM track", "SELECT * FROM rank", "SELECT * FROM slice WHERE 0",
                    "SELECT x'00ff' AS b, NULL AS n",
                    count + "SELECT i + 9007199254740993 AS i, 'text ' || (i / 7) AS t FROM n"):
            data = stream_of(TWO_RANKS, sql)
            fields, rows, _ = read_stream(data)
            read = self.read(data)
            self.assertEqual(read["names"], [field.name for field in fields])
            expected = [[None if v is None else "hex " + v.hex() if isinstance(v, bytes) else str(v) for v in row] for row in rows]
            self.assertEqual(read["rows"], expected, sql)


if __name__ == "__main__":
    unittest.main()
