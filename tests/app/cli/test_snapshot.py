#!/usr/bin/env python3
"""Memory snapshots through the program: what is planted is found, what is forged is refused, nothing beside the file changes."""

import json
import os
import pickle
import subprocess
import sys
import unittest

from support import FAILED, PARTIAL, SHARED, SOURCE, CliTest, info, needs_captures, result, rows, run, tree_hash

# All of the bar with ALTI_ALL_PLANTS=1, else a few.
SEEDS = range(1, 21 if os.environ.get("ALTI_ALL_PLANTS") else 4)
MEMORY_RULES = "('kept_stack', 'memory_leak', 'out_of_memory', 'fragmentation', 'memory_spike', 'cut_history', 'unused_allocation')"


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
        for seed in SEEDS:
            capture = self.generate(seed, "--plant", "leak=8000000")
            rule, parameters = rows(capture, "SELECT rule, parameters FROM finding LIMIT 1")[0]
            self.assertEqual(rule, "kept_stack", seed)
            found = json.loads(parameters)
            self.assertEqual(found["blocks"], "6", seed)
            self.assertAlmostEqual(int(found["growth_bytes"]), 8000000, delta=80000, msg=str(seed))
            self.assertGreaterEqual(int(found["steps"]), 3, seed)
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

    def test_where_a_late_history_begins_is_not_derived_by_hand(self):
        base = 1 << 40
        blocks = [{"address": base, "size": 4096, "requested_size": 4000, "state": "active_allocated", "frames": []},
                  {"address": base + 4096, "size": 512, "requested_size": 500, "state": "active_allocated", "frames": []},
                  {"address": base + 4608, "size": 3584, "requested_size": 0, "state": "inactive", "frames": []}]
        segment = {"device": 0, "address": base, "total_size": 8192, "stream": 0, "blocks": blocks}
        firsts = {"alloc": {"action": "alloc", "addr": base + 4096, "size": 500, "stream": 0},
                  "free": {"action": "free_requested", "addr": base + 4608, "size": 300, "stream": 0},
                  "segment": {"action": "segment_free", "addr": 1 << 41, "size": 2048, "stream": 0}}
        starts = {"alloc": (4000, 8192), "free": (4800, 8192), "segment": (4500, 10240)}
        for name, first in firsts.items():
            file = self.path(f"{name}.pickle")
            with open(file, "wb") as stream:
                pickle.dump({"segments": [segment], "device_traces": [[first]]}, stream)
            self.assertEqual(rows(file, "SELECT device_id, allocated, reserved FROM snapshot_start"), [(0, *starts[name])], name)

    def test_a_history_of_the_limits_length_says_that_it_was_reached(self):
        base = 1 << 40
        held = {"address": base, "size": 4096, "requested_size": 4096, "state": "active_allocated", "frames": []}
        segment = {"device": 0, "address": base, "total_size": 4096, "stream": 0, "blocks": [held]}
        for entries in (999, 1000):
            trace = [{"action": "snapshot", "addr": 0, "size": 0, "stream": 0}] * entries
            file = self.path("full.pickle")
            with open(file, "wb") as stream:
                pickle.dump({"segments": [segment], "device_traces": [trace]}, stream)
            (detail,), = rows(file, "SELECT detail FROM finding WHERE rule = 'cut_history'")
            self.assertEqual("its limit max_entries was reached" in detail, entries == 1000, detail)

    def test_a_stack_that_releases_most_and_keeps_some(self):
        def frames(name):
            return [{"filename": "/src/train.py", "line": len(name), "name": name}]

        base, size, top, trace, live = 1 << 40, 1 << 30, 1 << 40, [], {}
        trace.append({"action": "segment_alloc", "addr": base, "size": size, "stream": 0, "frames": frames("main")})

        def make(requested, name):
            nonlocal top
            trace.append({"action": "alloc", "addr": top, "size": requested, "stream": 0, "frames": frames(name)})
            live[top] = (requested, name)
            top += -(-requested // 512) * 512
            return max(live)

        def free(address):
            requested, name = live.pop(address)
            for action in ("free_requested", "free_completed"):
                trace.append({"action": action, "addr": address, "size": requested, "stream": 0, "frames": []})

        for _ in range(9):
            batch, outputs, loss = make(5000, "load"), [make(1 << 20, "forward") for _ in range(7)], make(512, "loss")
            for address in reversed(outputs[:-1]):
                free(address)
            free(loss)
            free(batch)
        blocks = [{"address": a, "size": -(-r // 512) * 512, "requested_size": r, "state": "active_allocated", "frames": frames(n)}
                  for a, (r, n) in sorted(live.items())]
        segment = {"device": 0, "address": base, "total_size": size, "stream": 0, "blocks": blocks}
        capture = self.path("partly.pkl")
        with open(capture, "wb") as file:
            pickle.dump({"segments": [segment], "device_traces": [trace]}, file)
        rule, parameters, detail = rows(capture, "SELECT rule, parameters, detail FROM finding WHERE rule = 'kept_stack'")[0]
        found = json.loads(parameters)
        self.assertEqual((int(found["growth_bytes"]), int(found["released"])), (1 << 20, 6 * 9))
        self.assertIn("1.0 MiB per step", detail)
        self.assertIn("train.py(7): forward", found["stack"])

    def test_segments_alone_are_a_snapshot(self):
        segment = {"device": 2, "address": 1 << 40, "total_size": 4096, "stream": 7, "segment_pool_id": (0, 3), "is_expandable": True,
                   "blocks": [{"address": 1 << 40, "size": 4096, "requested_size": 4000, "state": "active_allocated", "frames": []}]}
        for name, value in (("list", [segment]), ("missing", {"segments": [segment]}), ("none", {"segments": [segment], "device_traces": None})):
            capture = self.path(name + ".pkl")
            with open(capture, "wb") as file:
                pickle.dump(value, file)
            self.assertEqual(rows(capture, "SELECT device_id, requested, stream, pool, expandable FROM snapshot_block"), [(2, 4000, 7, "(0, 3)", 1)])
            self.assertEqual(info(capture)["diagnostics"], [])
        for name, value in (("speech", {"segments": [{"start": 1}]}), ("numbers", [1, 2]), ("empty", {"segments": []})):
            capture = self.path(name + ".pkl")
            with open(capture, "wb") as file:
                pickle.dump(value, file)
            self.assertEqual(run("info", capture).returncode, FAILED, name)

    def test_what_the_driver_had_left_is_told(self):
        capture = self.path("driver.pkl")
        with open(capture, "wb") as file:
            pickle.dump({"segments": [], "device_traces": [[{"action": "oom", "size": 5 << 20, "stream": 0, "device_free": 3 << 20}]]}, file)
        self.assertEqual(rows(capture, "SELECT device_free FROM snapshot_event"), [(3 << 20,)])
        parameters, detail = rows(capture, "SELECT parameters, detail FROM finding WHERE rule = 'out_of_memory'")[0]
        self.assertEqual(json.loads(parameters)["device_free"], "3.0 MiB")
        self.assertIn("3.0 MiB", detail)

    def test_clean_runs_raise_nothing(self):
        for seed, words in ((1, ()), (2, ()), (3, ("--model", "resnet")), (4, ("--format", "text")),
                            *((seed, ()) for seed in SEEDS if seed > 4)):
            capture = self.generate(seed, *words)
            self.assertEqual(rows(capture, f"SELECT rule FROM finding WHERE rule IN {MEMORY_RULES}"), [], seed)
            self.assertEqual(info(capture)["diagnostics"], [], seed)

    def test_holes_are_found_in_both_twins(self):
        capture = self.generate(5, "--format", "text", "--plant", "fragmentation=3G")
        with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
            truth = json.load(file)
        self.assertEqual({(p["fault"], p["rank"], p["ns"]) for p in truth["plants"]}, {("fragmentation", 0, 0), ("fragmentation", 1, 0)})
        planted = truth["plants"][0]["bytes"]
        self.assertTrue(3e9 <= planted < 3e9 + (18 << 20))
        # Beside the planted holes a pool keeps less than one of its segments, or what small blocks need.
        unused, = rows(capture, "SELECT max(reserved) - max(allocated) FROM memory_sample WHERE component = 'PTA' AND rank_id = 0")
        self.assertLess(abs(unused[0] - planted), 0.03 * planted)
        snapshots = self.path("snapshots")
        os.rename(os.path.join(capture, "memory_snapshot"), snapshots)
        unused, = rows(snapshots, "SELECT max(reserved) - max(allocated) FROM snapshot_event WHERE device_id = 0")
        self.assertLess(abs(unused[0] - planted), 0.03 * planted)
        for of in (capture, snapshots):
            parameters, evidence = rows(of, "SELECT parameters, evidence FROM finding WHERE rule = 'fragmentation'")[0]
            self.assertLess(abs(int(json.loads(parameters)["recoverable_bytes"]) - planted), 0.03 * planted)
            place, = json.loads(evidence)["rows"]
            self.assertGreater(rows(of, f"SELECT count(*) FROM {place['table']} WHERE {place['where']}")[0][0], 0)
        holes, = rows(snapshots, "SELECT sum(size), count(*) FROM snapshot_block WHERE device_id = 0 AND state = 'inactive' AND size = 18 * 1048576")
        self.assertEqual(holes, (planted, planted // (18 << 20)))

    def test_holes_are_found_as_they_are_planted_by_default(self):
        capture = self.path("default")
        result("generate", capture, "--format", "snapshot", "--ranks", "1", "--plant", "fragmentation")
        self.assertEqual(rows(capture, f"SELECT rule FROM finding WHERE rule IN {MEMORY_RULES}"), [("fragmentation",)])

    def test_a_failed_request_is_explained(self):
        # At the end 2.5 GB of the pool lie between blocks, as in any run.
        for words, fragmented in ((("oom=4G",), False), (("oom=4G", "fragmentation=4G"), True)):
            capture = self.path("oom" + str(fragmented))
            result("generate", capture, "--format", "snapshot", "--ranks", "1", "--steps", "3", "--layers", "2", "--seed", "6",
                   *(w for word in words for w in ("--plant", word)))
            with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
                plants = json.load(file)["plants"]
            self.assertEqual([(p["bytes"], p["ns"]) for p in plants if p["fault"] == "oom"], [(4 * 10**9, 0)])
            rule, parameters, detail = rows(capture, "SELECT rule, parameters, detail FROM finding LIMIT 1")[0]
            self.assertEqual(rule, "out_of_memory")
            found = json.loads(parameters)
            self.assertEqual(found["requested"], "3.7 GiB")
            reserved, holes, largest = rows(capture, "SELECT sum(size), sum(size * (state = 'inactive')), max(size * (state = 'inactive')) "
                                                     "FROM snapshot_block WHERE state <> 'freed'")[0]
            self.assertEqual(int(found["recoverable_bytes"]), holes)
            self.assertEqual(found["hole_bytes"], f"{holes / (1 << 30):.1f} GiB")
            self.assertLess(largest, 4 * 10**9)
            # Said only where the pool proves it.
            self.assertEqual("expandable" in detail, fragmented)
            self.assertEqual(holes >= 4 * 10**9, fragmented)
            event, = rows(capture, "SELECT action, size, reserved, stack FROM snapshot_event ORDER BY event_id DESC LIMIT 1")
            self.assertEqual(event[:3], ("oom", 4 * 10**9, reserved))
            self.assertIn("evaluate.py(73): logits_of_all", event[3])

    def test_a_size_is_met(self):
        capture = self.path("sized")
        result("generate", capture, "--format", "snapshot", "--ranks", "1", "--size", "3M")
        written = os.path.getsize(os.path.join(capture, "memory_snapshot", "snapshot_0.pickle"))
        self.assertLess(abs(written - 3e6), 0.15 * 3e6)

    @needs_captures
    def test_a_history_that_begins_late_is_a_finding(self):
        sample = os.path.join(SHARED, "snapshot", "snapshot_expandable.pkl")
        (parameters,), = rows(sample, "SELECT parameters FROM finding WHERE rule = 'cut_history'")
        blocks, = rows(sample, "SELECT count(*) FROM snapshot_block WHERE state = 'active_allocated' AND alloc_event IS NULL")
        self.assertEqual((int(json.loads(parameters)["blocks"]),), blocks)

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
        self.assertEqual((found["state"], found["tables"]["snapshot_event"]), ("partial", 2))
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
