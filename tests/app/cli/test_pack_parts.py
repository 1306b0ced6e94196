#!/usr/bin/env python3
"""pack: several captures in one, parts that are left out, pseudonyms, sums."""

import json
import os
import shutil
import unittest

from pack_bytes import PROVENANCE, RANKS, STORE, SUMS, content_of, sections_of
from support import FAILED, GOLDEN, OK, TWO_RANKS, WRONG_USAGE, CliTest, result, rows, run

# What may not be found in a pack with pseudonyms, in whatever case.
MARKERS = ("mkuser", "mkproj", "mkfile", "mkhost", "mksource", "mkmail", "mkdomain", "10.77.66.55", "mkfolder")
HOME = "/" + "home"
FRAME = HOME + "/mkuser/mkproj/mkfile.py(%d): forward"
EVENTS = [
    {"ph": "M", "name": "process_name", "pid": 990001, "args": {"name": "python of mkuser"}},
    {"ph": "M", "name": "process_labels", "pid": 990001, "args": {"labels": "mkmail@mkhost.mkdomain"}},
    {"ph": "M", "name": "thread_name", "pid": 990001, "tid": 7, "args": {"name": "loader /data/mkproj/set one/x.bin"}},
    {"ph": "X", "name": HOME + "/mkuser/mkproj/mkfile.py(12): step", "pid": 990001, "tid": 7, "cat": "on mkhost", "dur": 5.5,
     "args": {"Call stack": ";\r\n".join(FRAME % line for line in (31, 32)), "host": "mkhost", "user": "mkuser", "n": 424242,
              "escaped": "\\/opt\\/mkproj\\/a b", "url": "https://mkhost.mkdomain/mkproj?x=1",
              "code": "File \"/x/mkfile.py\", line 3, in f\n    y = mksource(x)", "drive": "C:\\Users\\mkuser\\mkfile.py"}},
    {"ph": "i", "s": "t", "name": "saved ~/mkproj/mkfile.ckpt", "pid": 990001, "tid": 7},
    {"ph": "C", "name": "used by mkuser", "pid": 990001, "args": {"10.77.66.55": 3}},
]


def all_tables():
    """Tables and views; functions need arguments."""
    return [table["table"] for table in json.loads(result("query", "--schema", "--json")) if table.get("kind") != "function"]


def planted(folder):
    """A generated capture that has names of people and places wherever there is text."""
    made = folder + "-made"
    result("generate", made, "--ranks", "2", "--steps", "2", "--seed", "3", "--format", "text")
    rank = 0
    for name in sorted(os.listdir(made)):
        place = os.path.join(made, name)
        if not name.endswith("_ascend_pt"):
            continue
        target = os.path.join(folder, "mkfolder", f"mkhost_{700 + rank}_2026010203040506{rank}_ascend_pt")
        shutil.copytree(place, target)
        rank += 1
        output = os.path.join(target, "ASCEND_PROFILER_OUTPUT")
        trace = os.path.join(output, "trace_view.json")
        with open(trace, encoding="utf-8") as file:
            events = json.load(file)
        first = min(float(event["ts"]) for event in events if event.get("ph") == "X")
        for event in EVENTS:
            events.append(event if event["ph"] == "M" else {"ts": str(first), **event})
        # That something is wrong with a file is said with its name.
        events.append({"ph": "X", "name": "no time", "pid": 990001, "tid": 7})
        with open(trace, "w", encoding="utf-8") as file:
            json.dump(events, file)
        for metadata in ("profiler_metadata.json",):
            with open(os.path.join(target, metadata), "w", encoding="utf-8") as file:
                json.dump({"hostname": "mkhost", "ENV_VARIABLES": {"USER": "mkuser", "HOME": HOME + "/mkuser", "MASTER_ADDR": "10.77.66.55",
                                                                  "NUMBER": "77001"}}, file)
        operators = os.path.join(output, "operator_details.csv")
        if os.path.exists(operators):
            with open(operators, "a", encoding="utf-8", newline="") as file:
                file.write("mkop,,\"" + FRAME % 8 + "\",1.5,2.5,0,0,0,0\n")
    assert rank == 2, os.listdir(made)
    return folder


class PackTest(CliTest):
    def pack(self, *words, name="x.altipack"):
        out = self.path(name)
        result("pack", *words, "--out", out)
        return out

    def answers(self, capture, sql):
        done = run("query", capture, "--sql", sql, "--format", "json", text=False)
        self.assertEqual(done.returncode, OK, sql)
        return done.stdout

    def content(self, pack):
        with open(pack, "rb") as file:
            data = file.read()
        return {(section[0], section[1]): content_of(data, section) for section in sections_of(data)}


class Several(PackTest):
    def test_two_captures(self):
        other = os.path.join(GOLDEN, "monitor_lines", "capture")
        pack = self.pack(TWO_RANKS, other)
        for sql in ("SELECT count(*), sum(dur) FROM slice", "SELECT count(*), sum(dur) FROM kernel", "SELECT count(*) FROM step"):
            sums = [list(json.loads(self.answers(one, sql))[0].values()) for one in (TWO_RANKS, other)]
            together = [sum(value or 0 for value in values) for values in zip(*sums)]
            self.assertEqual([value or 0 for value in json.loads(self.answers(pack, sql))[0].values()], together, sql)
        paths = [path for path, in rows(pack, "SELECT path FROM rank ORDER BY 1")]
        self.assertEqual(len(set(paths)), len(paths))
        self.assertTrue(all(path.split("/")[0] in ("capture", "capture-2") for path in paths), paths)

    def test_nothing_is_written_if_one_cannot_be_read(self):
        out = self.path("x.altipack")
        self.assertEqual(run("pack", TWO_RANKS, self.path("none"), "--out", out).returncode, FAILED)
        self.assertFalse(os.path.exists(out))

    def test_any_number_of_workers_gives_the_same_bytes(self):
        run_folder = self.path("run")
        result("generate", run_folder, "--ranks", "6", "--steps", "2", "--seed", "8", "--format", "text")
        packs = [self.pack(run_folder, "--jobs", jobs, name=jobs + ".altipack") for jobs in ("1", "2", "5")]
        read = []
        for pack in packs:
            with open(pack, "rb") as file:
                read.append(file.read())
        self.assertTrue(read[0] == read[1] == read[2])


class Without(PackTest):
    def test_stacks(self):
        capture = planted(self.path("capture"))
        whole, pack = self.pack(capture, name="whole.altipack"), self.pack(capture, "--without", "stacks")
        self.assertGreater(rows(whole, "SELECT count(*) FROM operator WHERE call_stack IS NOT NULL")[0][0], 0)
        self.assertEqual(rows(pack, "SELECT count(*) FROM operator WHERE call_stack IS NOT NULL"), [(0,)])
        self.assertGreater(rows(whole, "SELECT count(*) FROM track WHERE kind = 'stack'")[0][0], 0)
        self.assertEqual(rows(pack, "SELECT count(*) FROM track WHERE kind = 'stack'"), [(0,)])
        self.assertEqual(rows(pack, "SELECT count(*) FROM slice WHERE args LIKE '%.py(31)%'"), [(0,)])
        self.assertEqual(rows(pack, "SELECT count(*) FROM slice WHERE args LIKE '%424242%'"), [(2,)])
        sql = ("SELECT slice_id, slice.name, ts, dur, parent_id FROM slice JOIN track USING (track_id) WHERE track.kind <> 'stack' "
               "ORDER BY slice_id")
        self.assertEqual(self.answers(pack, sql), self.answers(whole, sql))
        sql = "SELECT slice_id, name, dur, device_dur FROM operator ORDER BY 1, 2"
        self.assertEqual(self.answers(pack, sql), self.answers(whole, sql))
        self.assertLess(os.path.getsize(pack), os.path.getsize(whole))

    def test_names_of_files(self):
        capture = planted(self.path("capture"))
        pack = self.pack(capture, "--without", "args,names-of-files")
        self.assertEqual(rows(pack, "SELECT count(args) FROM slice"), [(0,)])
        self.assertEqual(rows(pack, "SELECT count(*) FROM operator WHERE call_stack LIKE '%mkfile%'"), [(0,)])
        self.assertEqual(rows(pack, "SELECT count(*) FROM operator WHERE call_stack LIKE '/path-%.py(8): forward'"), [(2,)])

    def test_wrong_usage(self):
        for words in (("--without", "names"), ("--without", "args,"), ("--without", "")):
            done = run("pack", TWO_RANKS, "--out", self.path("x.altipack"), *words)
            self.assertEqual(done.returncode, WRONG_USAGE)
            self.assertIn("--without takes args", done.stderr)


class Redacted(PackTest):
    def test_no_marker_is_left_anywhere(self):
        capture = planted(self.path("mkfolder/capture"))
        out = self.path("x.altipack")
        said = json.loads(result("pack", capture, "--out", out, "--redact", "--json"))
        for kind in ("paths", "hosts", "users", "source_lines"):
            self.assertGreater(said["redacted"][kind]["texts"], 0, said)
            self.assertGreaterEqual(said["redacted"][kind]["replaced"], said["redacted"][kind]["texts"], said)
        # The markers were there.
        whole = b"".join(self.content(self.pack(capture, name="whole.altipack")).values()).lower()
        for marker in MARKERS:
            self.assertIn(marker.encode(), whole)
        for (kind, rank), content in self.content(out).items():
            for marker in MARKERS:
                at = content.lower().find(marker.encode())
                self.assertEqual(at, -1, (kind, rank, marker, content[max(0, at - 80):at + 80]))
        moved = self.path("moved.altipack")
        os.makedirs(os.path.dirname(moved), exist_ok=True)
        os.rename(out, moved)
        for table in all_tables():
            answer = self.answers(moved, f'SELECT * FROM "{table}"').decode().lower()
            for marker in MARKERS:
                if marker not in moved.lower():
                    self.assertNotIn(marker, answer, table)

    def test_numbers_stay(self):
        capture = planted(self.path("capture"))
        whole, pack = self.pack(capture, name="whole.altipack"), self.pack(capture, "--redact")
        for sql in ("SELECT slice_id, ts, dur, self_dur, depth, parent_id FROM slice ORDER BY 1",
                    "SELECT rank_id, ts, dur, wait, stream FROM kernel ORDER BY 1, 2",
                    "SELECT rank_id, step, computing, communication, free FROM step_breakdown ORDER BY 1, 2",
                    "SELECT ts, value FROM counter ORDER BY 1, 2", "SELECT name, count(*) FROM slice WHERE name LIKE 'aten::%' GROUP BY 1",
                    "SELECT value FROM metadata WHERE value = '77001'", "SELECT severity, code, count FROM diagnostic ORDER BY 1, 2"):
            self.assertEqual(self.answers(pack, sql), self.answers(whole, sql), sql)
        self.assertEqual(rows(pack, "SELECT count(*) FROM slice WHERE args LIKE '%424242%'"), [(2,)])
        self.assertEqual(rows(pack, "SELECT count(*) FROM slice WHERE name LIKE '/path-%.py(12): step'"), [(2,)])
        content = self.content(pack)
        for source in json.loads(content[(PROVENANCE, 0xffffffff)]):
            self.assertIsNone(source["xxh3"])
            self.assertGreater(source["size"], 0)
        self.assertEqual(json.loads(content[(RANKS, 0xffffffff)])["identity"], "")

    def test_the_same_bytes_again(self):
        capture = planted(self.path("capture"))
        read = []
        for jobs in ("1", "4"):
            with open(self.pack(capture, "--redact", "--jobs", jobs, name=jobs + ".altipack"), "rb") as file:
                read.append(file.read())
        self.assertTrue(read[0] == read[1])


class Sums(PackTest):
    def test_info_of_sums(self):
        pack = self.pack(TWO_RANKS)
        said = json.loads(result("info", pack, "--sums", "--json"))
        self.assertEqual([rank["rank_id"] for rank in said["ranks"]], [rank for rank, in rows(pack, "SELECT rank_id FROM rank ORDER BY 1")])
        self.assertEqual(sum(rank["rows"].get("slice", 0) for rank in said["ranks"]), rows(pack, "SELECT count(*) FROM slice")[0][0])
        self.assertIn("rank ", result("info", pack, "--sums"))
        # They are said without a rank: one that is damaged does not matter.
        with open(pack, "rb") as file:
            data = bytearray(file.read())
        for section in sections_of(data):
            if section[0] == STORE:
                data[section[3]] ^= 1
        with open(pack, "wb") as file:
            file.write(data)
        self.assertEqual(json.loads(result("info", pack, "--sums", "--json")), said)
        self.assertIn("neither a pack", run("info", TWO_RANKS, "--sums").stderr)
        self.assertEqual(run("info", pack, "--sums", "--limit", "1").returncode, WRONG_USAGE)

    def test_sums_stand_first_and_are_right(self):
        capture = self.path("capture")
        result("generate", capture, "--ranks", "3", "--steps", "4", "--seed", "4", "--format", "text")
        pack = self.pack(capture)
        with open(pack, "rb") as file:
            data = file.read()
        self.assertEqual(sections_of(data)[0][0], SUMS)
        self.assertEqual(len([section for section in sections_of(data) if section[0] == STORE]), 3)
        sums = json.loads(content_of(data, sections_of(data)[0]))
        self.assertEqual(len(sums), 3)
        for rank, one in enumerate(sums):
            for table in ("slice", "kernel", "operator", "counter", "step"):
                expected = rows(pack, f"SELECT count(*) FROM {table} WHERE rank_id = {rank}")[0][0]
                self.assertEqual(one["rows"].get(table, 0), expected, table)
            expected = rows(pack, "SELECT step, origin = 'computed', computing, communication, not_overlapped, overlapped, free, stage, "
                            f"bubble, not_overlapped_excl_receive, preparing FROM step_breakdown WHERE rank_id = {rank}")
            key = lambda row: [(value is None, value or 0) for value in row]  # noqa: E731
            self.assertEqual(sorted((tuple(step) for step in one["steps"]), key=key), sorted(expected, key=key))


if __name__ == "__main__":
    unittest.main()
