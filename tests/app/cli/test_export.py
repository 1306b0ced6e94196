#!/usr/bin/env python3
"""export: tables as query prints them, traces that read back as the same tables, and nothing half-written."""

import csv
import io
import json
import os
import shutil
import unittest

from support import (FAILED, OK, TWO_RANKS, WRONG_USAGE, CliTest, needs_captures, result, rows, run, traces_below, tree_hash, write,
                     TORCH_TEXT)

# Everything but ids, which depend on the place in the file.
COMPARISONS = (
    "SELECT process, thread, name, kind, origin, sort_index FROM track t",
    "SELECT t.process, t.name, s.rank_id, s.name, s.category, s.ts, s.dur, s.depth, s.self_dur, s.args, p.name, p.ts "
    "FROM slice s JOIN track t USING (track_id) LEFT JOIN slice p ON p.slice_id = s.parent_id",
    "SELECT t.process, t.name, c.name, c.series, c.ts, c.value FROM counter c JOIN track t USING (track_id)",
    "SELECT t.process, t.name, i.name, i.ts, i.args FROM instant i JOIN track t USING (track_id)",
    "SELECT f.category, a.name, a.ts, b.name, b.ts FROM flow f LEFT JOIN slice a ON a.slice_id = f.from_slice "
    "LEFT JOIN slice b ON b.slice_id = f.to_slice",
)


class Trace(CliTest):
    def check_round_trip(self, capture):
        out = self.path("out.json")
        result("export", capture, "--what", "trace", "--out", out)
        with open(out, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        self.assertTrue({event["ph"] for event in events} <= set("MXCisf"))
        for sql in COMPARISONS:
            before, after = rows(capture, sql), rows(out, sql)
            self.assertEqual(len(before), len(after), sql)
            self.assertEqual(sorted(map(repr, before)), sorted(map(repr, after)), sql)

    def test_generated_rank_reads_back_as_it_was(self):
        out = self.path("run")
        result("generate", out, "--ranks", "1", "--steps", "2", "--seed", "5")
        self.check_round_trip(out)

    @needs_captures
    def test_real_ranks_read_back_as_they_were(self):
        for trace in traces_below(TORCH_TEXT):
            with self.subTest(trace):
                self.check_round_trip(os.path.dirname(os.path.dirname(trace)))

    def test_one_of_two_ranks(self):
        ranks = [rank for rank, in rows(TWO_RANKS, "SELECT rank_id FROM rank ORDER BY 1")]
        out = self.path("one.json")
        result("export", TWO_RANKS, "--what", "trace", "--out", out, "--ranks", str(ranks[1]))
        self.assertEqual(rows(out, "SELECT rank_id FROM rank"), [(ranks[1],)])
        self.assertEqual(rows(out, "SELECT count(*), sum(dur) FROM slice"),
                         rows(TWO_RANKS, f"SELECT count(*), sum(dur) FROM slice WHERE rank_id = {ranks[1]}"))

    def test_both_ranks_in_one_file(self):
        out = self.path("both.json")
        said = json.loads(result("export", TWO_RANKS, "--what", "trace", "--out", out, "--json"))
        count = ("SELECT (SELECT count(*) FROM slice JOIN track USING(track_id) WHERE origin = 'recorded'), (SELECT count(*) FROM counter), "
                 "(SELECT count(*) FROM flow), (SELECT count(*) FROM track WHERE origin = 'recorded')")
        self.assertEqual(rows(out, count), rows(TWO_RANKS, count))
        self.assertEqual((said["slices"], said["samples"], said["flows"]), rows(TWO_RANKS, count)[0][:3])
        # Call stacks are arguments, from which they are made anew.
        self.assertEqual(rows(out, "SELECT count(*) FROM slice"), rows(TWO_RANKS, "SELECT count(*) FROM slice"))
        self.assertEqual(said["bytes"], os.path.getsize(out))

    def test_to_a_pipe(self):
        text = result("export", TWO_RANKS, "--what", "trace", "--out", "/dev/stdout")
        self.assertIn("traceEvents", json.loads(text))


class Table(CliTest):
    def test_csv_and_json_equal_a_query(self):
        for table in ("slice", "track", "counter", "flow", "instant", "name_stat", "rank", "metadata", "diagnostic", "step"):
            for kind in ("csv", "json"):
                out = self.path(f"{table}.{kind}")
                result("export", TWO_RANKS, "--what", table, "--out", out)
                with open(out, encoding="utf-8", newline="") as file:
                    self.assertEqual(file.read(), result("query", TWO_RANKS, "--sql", f"SELECT * FROM {table}", "--format", kind), table)

    def test_an_old_file_is_replaced(self):
        out = write(self.path("old.csv"), "x" * 100000)
        result("export", TWO_RANKS, "--what", "rank", "--out", out)
        self.assertLess(os.path.getsize(out), 100000)
        self.assertEqual(os.listdir(os.path.dirname(out)).count("old.csv"), 1)


class Spreadsheets(CliTest):
    """Names that a spreadsheet runs as formulas: as they are for scripts, harmless on request."""
    NAMES = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1+1", "\r=1+1", '=HYPERLINK("http://x/","y")', "a=1"]

    def names_of(self, text):
        return [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]

    def test_formulas_are_made_harmless_on_request_only(self):
        trace = write(self.path("t.json"), json.dumps([{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": 10 * i, "dur": 5}
                                                       for i, name in enumerate(self.NAMES)]))
        guarded = ["'" + name for name in self.NAMES[:-1]] + self.NAMES[-1:]
        out, sql = self.path("o.csv"), "SELECT name FROM slice ORDER BY ts"
        for words, wanted in (([], self.NAMES), (["--spreadsheet-safe"], guarded)):
            text = run("query", trace, "--sql", sql, "--format", "csv", *words, text=False).stdout.decode()
            self.assertEqual(self.names_of(text), wanted)
            result("export", trace, "--what", "slice", "--out", out, *words)
            with open(out, newline="", encoding="utf-8") as file:
                found = list(csv.DictReader(file))
            self.assertEqual([row["name"] for row in found], wanted)
            self.assertEqual(found[0]["ts"], "0")

    def test_the_option_goes_with_csv_only(self):
        for words in (["query", TWO_RANKS, "--sql", "SELECT 1", "--spreadsheet-safe"],
                      ["query", TWO_RANKS, "--sql", "SELECT 1", "--format", "json", "--spreadsheet-safe"],
                      ["export", TWO_RANKS, "--what", "slice", "--out", self.path("o.json"), "--spreadsheet-safe"],
                      ["export", TWO_RANKS, "--what", "trace", "--out", self.path("o.json"), "--spreadsheet-safe"]):
            done = run(*words)
            self.assertEqual(done.returncode, WRONG_USAGE)
            self.assertIn("--spreadsheet-safe goes with", done.stderr)


class Refusals(CliTest):
    def refuse(self, status, text, *words):
        done = run("export", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_wrong_usage(self):
        for text, words in (
                ("A capture is missing", ()),
                ("export needs --what", (TWO_RANKS, "--out", "x.csv")),
                ("export needs --out", (TWO_RANKS, "--what", "slice")),
                ("--out takes a name that ends with .csv, .json or .arrows", (TWO_RANKS, "--what", "slice", "--out", "x.txt")),
                ("--out takes a name that ends with .json", (TWO_RANKS, "--what", "trace", "--out", "x.csv")),
                ("goes with --what trace only", (TWO_RANKS, "--what", "slice", "--out", "x.csv", "--ranks", "0")),
                ("--range takes", (TWO_RANKS, "--what", "trace", "--out", "x.json", "--range", "5..5")),
                ("--ranks takes", (TWO_RANKS, "--what", "trace", "--out", "x.json", "--ranks", "3-1")),
                ("Unknown option --rows", (TWO_RANKS, "--what", "trace", "--out", "x.json", "--rows=3")),
                ("--out needs a value", (TWO_RANKS, "--what", "trace", "--out"))):
            with self.subTest(text):
                self.refuse(WRONG_USAGE, text, *words)

    def test_unknown_names(self):
        out = self.path("x.json")
        for text, words in (("no table nothing", ("--what", "nothing")), ("no rank 77", ("--what", "trace", "--ranks", "77")),
                            ("No track is called zoo", ("--what", "trace", "--tracks", "zoo"))):
            self.refuse(FAILED, text, TWO_RANKS, *words, "--out", out)
            self.assertFalse(os.path.exists(out))

    def test_never_into_the_capture(self):
        before = tree_hash(TWO_RANKS)
        self.refuse(FAILED, "lies inside the capture", TWO_RANKS, "--what", "rank", "--out", os.path.join(TWO_RANKS, "x.csv"))
        self.assertEqual(tree_hash(TWO_RANKS), before)

    def test_never_into_the_larger_capture_that_was_opened_in_part(self):
        copy = self.path("run")
        shutil.copytree(TWO_RANKS, copy)
        rank, other = (os.path.join(copy, name) for name in sorted(os.listdir(copy)) if name.endswith("_ascend_pt"))
        trace = os.path.join(rank, "ASCEND_PROFILER_OUTPUT", "trace_view.json")
        os.symlink(rank, self.path("link"))
        os.link(trace, self.path("hard.json"))
        before = tree_hash(copy)
        for opened in (trace, os.path.join(rank, "ASCEND_PROFILER_OUTPUT"), rank):
            for out in (os.path.join(rank, "ASCEND_PROFILER_OUTPUT", "kernel_details.csv"), os.path.join(rank, "new.csv"), trace,
                        os.path.join(other, "ASCEND_PROFILER_OUTPUT", "new.csv"), self.path("link", "new.csv"), self.path("hard.json"),
                        os.path.join(rank, "..", os.path.basename(rank), "new.csv"), os.path.relpath(trace)):
                self.assert_message(run("export", opened, "--what", "track", "--out", out), FAILED, "evidence")
        self.assert_message(run("generate", os.path.join(rank, "new")), FAILED, "evidence")
        self.assertEqual(tree_hash(copy), before)
        result("export", trace, "--what", "track", "--out", self.path("beside.csv"))

    def test_nothing_half_written_on_a_full_disk(self):
        self.refuse(FAILED, "No space left on device", TWO_RANKS, "--what", "slice", "--out", "/dev/full")

    def test_missing_folder(self):
        self.refuse(FAILED, "could not be written", TWO_RANKS, "--what", "trace", "--out", self.path("none", "x.json"))


class Ranges(CliTest):
    """With --range only a part of a trace is read; what is told of it must not show that."""

    # What touches the range, and the same of the whole: the ids tell rows apart.
    SLICES = "SELECT * FROM slice {} ORDER BY slice_id"
    INSTANTS = "SELECT * FROM instant {} ORDER BY ts, name"
    FLOWS = "SELECT flow_id, category FROM flow {} ORDER BY flow_id"

    def check(self, capture, first, last):
        inside = f"WHERE ts >= {first} AND ts < {last}"
        touching = f"WHERE ts < {last} AND ts + dur >= {first}"
        part = f"{first}..{last}"
        self.assertEqual(rows(capture, self.SLICES.format(""), "--range", part), rows(capture, self.SLICES.format(touching)))
        self.assertEqual(rows(capture, self.INSTANTS.format(""), "--range", part), rows(capture, self.INSTANTS.format(inside)))
        self.assertEqual(rows(capture, "SELECT * FROM track ORDER BY 1", "--range", part), rows(capture, "SELECT * FROM track ORDER BY 1"))
        touched = f"(SELECT slice_id FROM slice {touching})"
        self.assertLessEqual(set(rows(capture, self.FLOWS.format(f"WHERE from_slice IN {touched} OR to_slice IN {touched}"))),
                             set(rows(capture, self.FLOWS.format(""), "--range", part)))
        counters = set(rows(capture, f"SELECT * FROM counter {inside}"))
        read = set(rows(capture, "SELECT * FROM counter", "--range", part))
        self.assertLessEqual(counters, read)
        # Beside them only the last one in front, for each series.
        self.assertLessEqual(len(read - counters), len({row[:4] for row in read}))

        # A whole trace in the cache, a part of it without one, and the first way that there was: byte by byte the same.
        texts = []
        for words in ([], ["--no-cache"]):
            out = self.path("part.json")
            result("export", capture, "--what", "trace", "--range", part, "--out", out, *words)
            with open(out, "rb") as file:
                texts.append(file.read())
        self.assertEqual(texts[0], texts[1])

    def test_generated_ranks(self):
        out = self.path("run")
        result("generate", out, "--ranks", "2", "--steps", "3", "--seed", "6")
        first, last = rows(out, "SELECT min(start_ts), max(end_ts) FROM rank")[0]
        length = last - first
        for begin, end in ((0.3, 0.35), (0.0, 1.0), (0.62, 0.6200001), (0.9, 2.0)):
            with self.subTest(begin=begin):
                self.check(out, first + int(length * begin), first + int(length * end) + 1)

    @needs_captures
    def test_real_rank(self):
        capture = os.path.dirname(os.path.dirname(traces_below(TORCH_TEXT)[0]))
        first, last = rows(capture, "SELECT start_ts, end_ts FROM rank")[0]
        self.check(capture, first + (last - first) // 3, first + (last - first) // 2)

    def test_info_tells_what_was_read(self):
        first, last = rows(TWO_RANKS, "SELECT min(start_ts), max(end_ts) FROM rank")[0]
        middle = (first + last) // 2
        told = json.loads(result("info", TWO_RANKS, "--json", "--range", f"{first}..{middle}"))
        self.assertEqual([rank["window"] for rank in told["ranks"]], [[first, middle]] * 2)
        self.assertEqual({entry["code"] for entry in told["diagnostics"] if entry["code"].startswith("window")}, {"window.left_out"})
        self.assertIn(f"in part: {first} .. {middle} ns", result("info", TWO_RANKS, "--range", f"{first}..{middle}"))
        whole = json.loads(result("info", TWO_RANKS, "--json"))
        self.assertFalse(any("window" in rank for rank in whole["ranks"]))


if __name__ == "__main__":
    unittest.main()
