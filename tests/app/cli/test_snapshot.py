#!/usr/bin/env python3
"""Memory snapshots through the program: what is planted is found, what is forged is refused, nothing beside the file changes."""

import json
import os
import pickle
import subprocess
import sys
import unittest

from support import FAILED, PARTIAL, SOURCE, CliTest, info, result, rows, run, tree_hash


class Harmful:
    """Writes a file when it is loaded by Python."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch '{self.path}'",)


class SnapshotTest(CliTest):
    def generate(self, seed, *words):
        capture = self.path(f"run{seed}")
        result("generate", capture, "--format", "snapshot", "--ranks", "2", "--steps", "6", "--layers", "2", "--seed", str(seed), *words)
        return capture

    def test_a_leak_is_found_by_its_stack(self):
        for seed in (1, 2, 3):
            capture = self.generate(seed, "--plant", "leak=8000000")
            rule, parameters = rows(capture, "SELECT rule, parameters FROM finding LIMIT 1")[0]
            self.assertEqual(rule, "kept_stack", seed)
            found = json.loads(parameters)
            self.assertEqual(found["blocks"], "6", seed)
            self.assertIn("metrics.py(27): keep_outputs", found["stack"], seed)
            kept, = rows(capture, "SELECT count(*), sum(requested) FROM snapshot_block WHERE state <> 'freed' "
                                  "AND stack LIKE '%keep_outputs%'")
            # Of two ranks, in blocks of 512 bytes.
            self.assertEqual(kept, (12, 12 * 8000000), seed)
            # The evidence is SQL that runs, and gives the blocks of the stack alone.
            evidence, = rows(capture, "SELECT evidence FROM finding WHERE rule = 'kept_stack' LIMIT 1")[0]
            place, = json.loads(evidence)["rows"]
            blocks = rows(capture, f"SELECT stack FROM {place['table']} WHERE {place['where']}")
            self.assertEqual(len(blocks), 6, seed)
            self.assertTrue(all("keep_outputs" in stack for stack, in blocks), seed)

    def test_clean_runs_raise_nothing(self):
        for seed, words in ((1, ()), (2, ()), (3, ("--model", "resnet"))):
            capture = self.generate(seed, *words)
            self.assertEqual(rows(capture, "SELECT rule FROM finding WHERE rule = 'kept_stack'"), [], seed)
            self.assertEqual(info(capture)["diagnostics"], [], seed)

    def test_totals_end_where_the_segments_say(self):
        capture = self.generate(1)
        for device in (0, 1):
            last, = rows(capture, f"SELECT allocated, reserved FROM snapshot_event WHERE device_id = {device} ORDER BY event_id DESC LIMIT 1")
            used, = rows(capture, f"SELECT sum(requested) FROM snapshot_block WHERE device_id = {device} AND state = 'active_allocated'")
            whole, = rows(capture, f"SELECT sum(size) FROM snapshot_block WHERE device_id = {device} AND state <> 'freed'")
            self.assertEqual(last, used + whole)

    def test_nothing_is_executed(self):
        path, made = self.path("harmful.pkl"), self.path("made")
        for protocol in range(2, 6):
            with open(path, "wb") as file:
                pickle.dump({"segments": [], "device_traces": [[Harmful(made)]]}, file, protocol)
            before = tree_hash(os.path.dirname(path))
            done = run("info", path, "--json", "--no-cache")
            self.assertEqual(done.returncode, FAILED, protocol)
            self.assertRegex(done.stderr, r"(posix|nt|os)\.system", protocol)
            self.assertFalse(os.path.exists(made))
            self.assertEqual(tree_hash(os.path.dirname(path)), before)

    def test_what_is_left_out_makes_it_partial(self):
        path = self.path("partial.pkl")
        with open(path, "wb") as file:
            pickle.dump({"segments": [], "device_traces": [[{"action": "oom", "size": 5}, {"size": 5}]]}, file)
        found = info(path)
        self.assertEqual((found["state"], found["tables"]["snapshot_event"]), ("partial", 1))
        self.assertEqual([(one["code"], one["count"]) for one in found["diagnostics"]], [("snapshot.bad_entry", 1)])
        self.assertEqual(run("info", path, "--strict").returncode, PARTIAL)

    def test_archives_and_caches_have_the_same_rows(self):
        folder = self.path("forms")
        os.mkdir(folder)
        script = os.path.join(SOURCE, "tests", "support", "make_snapshot.py")
        subprocess.run([sys.executable, script, folder, "--steps", "50"], check=True)
        sql = "SELECT * FROM snapshot_event ORDER BY action, event_id, address"
        plain = rows(folder, sql, "--no-cache")
        self.assertGreater(len(plain), 400)
        archive = self.path("forms.tar.gz")
        subprocess.run(["tar", "-czf", archive, "-C", folder, "."], check=True)
        cache = self.path("cache")
        for capture in (archive, folder, folder):
            self.assertEqual(rows(capture, sql, "--cache-dir", cache), plain)


if __name__ == "__main__":
    unittest.main()
