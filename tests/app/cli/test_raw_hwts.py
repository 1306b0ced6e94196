#!/usr/bin/env python3
"""The task log of chips 1 to 4 (HWTS): a real log, in a made-up PROF folder, against ten lines of Python."""

import json
import os
import struct
import tempfile
import unittest
from collections import Counter

from support import CliTest, needs_captures, run

LOG = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "raw", "hwts", "hwts.log.data.45.dev.profiler_default_tag.1.slice_0")
HERTZ, COUNT, MONOTONIC, WALL_US = 100, 38_000_000_000, 5_000_000_000, 1_767_225_600_000_000
FACTS = {"platform_version": "1", "version": "1.0", "pid": "7", "hostname": "h", "CPU": [{"Frequency": "100.0"}]}


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def capture_of(log, parent, chip="1"):
    """@return A PROF folder whose device 1 has that log. Its counter and the monotonic clock begin with the collection."""
    prof = os.path.join(parent, "PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP")
    begin = {"collectionTimeBegin": str(WALL_US), "clockMonotonicRaw": str(MONOTONIC)}
    host_log = f"[Host]\nclock_monotonic_raw: {MONOTONIC}\ncntvct: 1\ncntvct_diff: 0\n"
    facts = {**FACTS, "platform_version": chip}
    write(os.path.join(prof, "host", "info.json"), {**facts, "DeviceInfo": []})
    write(os.path.join(prof, "host", "start_info"), begin)
    write(os.path.join(prof, "host", "host_start.log"), host_log)
    device = os.path.join(prof, "device_1")
    write(os.path.join(device, "info.json.1"), {**facts, "DeviceInfo": [{"id": 1, "hwts_frequency": str(HERTZ)}]})
    write(os.path.join(device, "start_info.1"), begin)
    write(os.path.join(device, "host_start.log.1"), host_log)
    write(os.path.join(device, "dev_start.log.1"), f"clock_monotonic_raw: 1\ncntvct: {COUNT}\n")
    os.makedirs(os.path.join(device, "data"))
    with open(os.path.join(device, "data", "hwts.data.1.slice_0"), "wb") as file:
        file.write(log)
    return prof


def tasks_in(log):
    """Tasks (stream, begin, duration in ns) and how many logs have no partner: the latest begin of a number ends first."""
    running, tasks, alone = {}, Counter(), 0
    for head, _, _, _, task, count, stream in struct.iter_unpack("<BBHHHQI44x", log):
        key = stream & 0x7FF, task
        if head & 7 == 0:
            alone += key in running
            running[key] = count
        elif key in running:
            begin = running.pop(key)
            tasks[stream & 0x7FF, WALL_US * 1000 + (begin - COUNT) * 10, (count - begin) * 10] += 1
        else:
            alone += 1
    return tasks, alone + len(running)


class Hwts(CliTest):
    def shown(self, prof):
        done = run("query", prof, "--no-cache", "--format", "json", "--sql",
                   "SELECT t.process, t.thread, s.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id) WHERE t.kind = 'hardware'")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [tuple(row.values()) for row in json.loads(done.stdout)]
        self.assertEqual({(row[0].split(" ")[0], row[2]) for row in rows}, {("Ascend", "AI_CORE")})
        info = json.loads(run("info", prof, "--no-cache", "--json").stdout)
        return Counter((int(row[1].split(" ")[1]), row[3], row[4]) for row in rows), info

    @needs_captures
    def test_a_real_log(self):
        with open(LOG, "rb") as file:
            log = file.read()
        tasks, alone = tasks_in(log)
        self.assertEqual((len(log) // 64, sum(tasks.values()), alone), (62847, 31385, 77))
        with tempfile.TemporaryDirectory() as folder:
            shown, info = self.shown(capture_of(log, folder))
        self.assertEqual((list(shown - tasks)[:3], list(tasks - shown)[:3]), ([], []))
        self.assertEqual(len({stream for stream, _, _ in shown}), 59)
        self.assertEqual(info["ranks"][0]["source"], "raw")
        unpaired = [(one["count"], os.path.basename(one["file"])) for one in info["diagnostics"] if one["code"] == "raw.unpaired"]
        self.assertEqual(unpaired, [(77, "hwts.data.1.slice_0")])
        self.assertNotIn("raw.not_read", {one["code"] for one in info["diagnostics"]})

    @needs_captures
    def test_other_chips(self):
        """4 has the same log; 7 has another one, so nothing is shown of it."""
        with open(LOG, "rb") as file:
            log = file.read(64 * 1000)
        for chip, source in (("4", "raw"), ("7", None)):
            with tempfile.TemporaryDirectory() as folder:
                info = json.loads(run("info", capture_of(log, folder, chip), "--no-cache", "--json").stdout)
            self.assertEqual((info["ranks"][0]["state"] == "raw"), source is None, chip)

    @needs_captures
    def test_damage(self):
        with open(LOG, "rb") as file:
            log = bytearray(file.read(64 * 1000))
        log[64 * 10 + 2] = 0
        damaged = bytes(log[:64 * 500 + 33])
        tasks, _ = tasks_in(bytes(log[:64 * 10]) + bytes(log[64 * 11:64 * 500]))
        with tempfile.TemporaryDirectory() as folder:
            shown, info = self.shown(capture_of(damaged, folder))
        self.assertEqual(shown, tasks)
        found = {(one["code"], one["count"], one["place"]) for one in info["diagnostics"] if one["severity"] == "lost"}
        self.assertLessEqual({("raw.bad_record", 1, "byte 640"), ("raw.log_gap", 1, "byte 704"), ("raw.cut", 1, "byte 32000")}, found)


if __name__ == "__main__":
    unittest.main()
