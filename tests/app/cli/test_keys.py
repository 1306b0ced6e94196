#!/usr/bin/env python3
"""Each key of each JSON file that the vendors' profilers and analyses write (`deliverable_keys.py`): `generate` writes it, the
readers take it to its column or to the table of facts, `analyse` writes it. One that is missing or misspelt fails here."""

import glob
import json
import os
import shutil
import unittest

from deliverable_headers import CANN, MINDSPORE, TORCH
from deliverable_keys import (CLUSTER_GROUP, CLUSTER_GROUPS, CLUSTER_TOTAL_TRAFFIC, EVENTS, GROUPS, LINK, LINK_NAME, MINDSPORE_INFO,
                              NOT_GENERATED, PIPELINE_SUMMARY, SELECTIONS, TIME_INFO, TIMES, TORCH_INFO, TOTAL_TRAFFIC, TRAFFIC, TRAFFIC_INFO)
from support import CliTest, result, rows, write

START = 1_700_000_000_000_000_000
SMALL = ("--ranks", "2", "--steps", "1", "--layers", "1")
INFO = {TORCH: TORCH_INFO, MINDSPORE: MINDSPORE_INFO}


def loaded(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def paths_of(value, known, path=""):
    """Dotted keys down to those that a table names."""
    if path in known or not isinstance(value, dict) or not value:
        return {path}
    return set().union(*(paths_of(one, known, f"{path}.{key}" if path else key) for key, one in value.items()))


def is_generated(path):
    return path.rsplit(".", 1)[-1] not in NOT_GENERATED


def object_of(keys):
    """{"a": {"b": 0, "c": 1}} of ["a.b", "a.c"]: each value is the place of its key."""
    made = {}
    for place, path in enumerate(keys):
        *above, last = path.split(".")
        at = made
        for key in above:
            at = at.setdefault(key, {})
        at[last] = place
    return made


class Keys(CliTest):
    def check_info(self, folder, analysis):
        (path,) = glob.glob(os.path.join(folder, "profiler_info_*.json"))
        self.assertEqual(paths_of(loaded(path), INFO[analysis]), set(filter(is_generated, INFO[analysis])), path)

    def check_metadata(self, folder, analysis):
        facts = loaded(os.path.join(folder, "profiler_metadata.json"))
        self.assertEqual(set(facts) - {"distributed_args"},
                         {"parallel_group_info"} | ({"ENV_VARIABLES", "trace_id"} if analysis == TORCH else set()))
        self.assertTrue(facts["parallel_group_info"])
        for group in facts["parallel_group_info"].values():
            self.assertEqual(list(group), [key.rsplit(".", 1)[-1] for key in GROUPS])

    def check_communication(self, path, analysis):
        """Collectives, and their sums. @return How many collectives there are."""
        content, count = loaded(path), 0
        lists = [content] if analysis == CANN else [part for step in content.values() for part in step.values()]
        if analysis != CANN:
            for key, step in content.items():
                self.assertRegex(key, r"^step\d*$")
                self.assertEqual(list(step), ["p2p", "collective"])
        for name, one in ((name, one) for part in lists for name, one in part.items()):
            is_sum = name == "Total Op Info"
            self.assertEqual(set(one), {TIME_INFO, TRAFFIC_INFO}, name)
            self.assertEqual(set(one[TIME_INFO]), set(TIMES[1:] if is_sum else TIMES), name)
            for transport in one[TRAFFIC_INFO].values():
                self.assertEqual(set(transport), set(TOTAL_TRAFFIC if is_sum else TRAFFIC), name)
            count += not is_sum
        self.assertGreater(count, 0, path)

    def check_matrix(self, path, analysis):
        content, words, named = loaded(path), set(), 0
        lists = [content] if analysis == CANN else [part for step in content.values() for part in step.values()]
        for name, links in ((name, links) for part in lists for name, links in part.items()):
            word = name.split("@")[0].rsplit("-", 1)[-1]
            words.add(word)
            for link, entry in links.items():
                self.assertRegex(link, r"^\d+-\d+$")
                is_named = analysis != CANN and word != "total"
                self.assertEqual(set(entry), set(LINK) | ({LINK_NAME[analysis]} if is_named else set()), (path, name))
                named += is_named
        if analysis == CANN:
            return
        self.assertGreater(named, 0, path)
        self.assertLessEqual(set(SELECTIONS) if analysis == MINDSPORE else {"top1", "middle", "bottom1", "total"}, words, path)
        self.assertLessEqual(words, set(SELECTIONS), path)

    def check_events(self, path):
        found = {}
        for event in loaded(path):
            needed, optional = (set(keys.split()) for keys in EVENTS[event["ph"]])
            self.assertLessEqual(needed, set(event), (path, event))
            self.assertLessEqual(set(event), needed | optional, (path, event))
            found[event["ph"]] = found.get(event["ph"], 0) + 1
        self.assertLessEqual({"X", "M", "s", "f"}, set(found), path)

    def check_output(self, folder, analysis):
        self.check_communication(os.path.join(folder, "communication.json"), analysis)
        self.check_matrix(os.path.join(folder, "communication_matrix.json"), analysis)
        # CANN's own timeline lies beside the folder of the analysis.
        (trace,) = [os.path.join(folder, "trace_view.json")] if analysis != CANN else glob.glob(folder + "/../*/msprof_*.json")
        self.check_events(trace)

    def test_generated_files(self):
        result("generate", self.path("run"), *SMALL, "--format", "text", "--format", "mindspore")
        for analysis, ending in ((TORCH, "pt"), (MINDSPORE, "ms")):
            with self.subTest(analysis=analysis):
                folder = self.path(f"run/rank1_ascend_{ending}")
                self.check_info(folder, analysis)
                self.check_metadata(folder, analysis)
                self.check_output(os.path.join(folder, "ASCEND_PROFILER_OUTPUT"), analysis)
        summary = loaded(self.path("run/rank1_ascend_ms/ASCEND_PROFILER_OUTPUT/minddata_pipeline_summary_1.json"))
        self.assertEqual(set(summary), set(filter(is_generated, PIPELINE_SUMMARY)))

    def test_generated_files_of_a_cluster(self):
        result("generate", self.path("run"), *SMALL, "--format", "text", "--format", "cluster")
        folder = self.path("run/cluster_analysis_output")
        groups = loaded(os.path.join(folder, "communication_group.json"))
        self.assertEqual(set(groups), set(CLUSTER_GROUPS))
        for group in groups["comm_group_parallel_info"]:
            self.assertEqual(tuple(group), CLUSTER_GROUP)
        self.assertTrue(groups["comm_group_parallel_info"])
        found = 0
        for steps in loaded(os.path.join(folder, "cluster_communication.json")).values():
            for name, one in ((name, one) for step in steps.values() for name, ranks in step.items() for one in ranks.values()):
                is_sum = name.startswith("Total Op Info@")
                self.assertEqual(set(one), {TIME_INFO, TRAFFIC_INFO}, name)
                self.assertEqual(set(one[TIME_INFO]), set(TIMES[1:] if is_sum else TIMES), name)
                for transport in one[TRAFFIC_INFO].values():
                    self.assertEqual(set(transport), set(CLUSTER_TOTAL_TRAFFIC if is_sum else TRAFFIC), name)
                found += is_sum
        for steps in loaded(os.path.join(folder, "cluster_communication_matrix.json")).values():
            for link in (link for step in steps.values() for links in step.values() for link in links.values()):
                self.assertLessEqual(set(LINK), set(link))
                self.assertLessEqual(set(link), set(LINK) | {LINK_NAME[TORCH]})
                found += 1
        self.assertGreater(found, 4)

    def test_analysed_files(self):
        result("generate", self.path("raw"), *SMALL, "--format", "raw")
        (recorded,) = glob.glob(self.path("raw/rank1_ascend_pt"))
        other = self.path("ms/h_1_20260101000000000_ascend_ms")
        shutil.copytree(recorded, other, ignore=shutil.ignore_patterns("torch.*"))
        write(os.path.join(other, "profiler_info_1.json"), json.dumps({"ms_version": "2.5", "ms_profiler_info": {"rank_id": 1}}))
        for analysis, source in ((TORCH, recorded), (MINDSPORE, other), (CANN, glob.glob(recorded + "/PROF_*")[0])):
            with self.subTest(analysis=analysis):
                out = self.path("out_" + analysis)
                result("analyse", source, "--out", out, "--export-type", "text")
                (matrix,) = glob.glob(out + "/**/communication_matrix.json", recursive=True)
                self.check_output(os.path.dirname(matrix), analysis)

    def facts_of(self, folder):
        return dict(rows(folder, "SELECT key, value FROM metadata"))

    def test_read_facts(self):
        for analysis, ending in ((TORCH, "pt"), (MINDSPORE, "ms")):
            with self.subTest(analysis=analysis):
                folder = self.path(f"h_1_20260101000000000_ascend_{ending}")
                output = os.path.join(folder, "ASCEND_PROFILER_OUTPUT")
                write(os.path.join(output, "trace_view.json"),
                      '[{"ph": "X", "name": "x", "pid": 1, "tid": 1, "ts": "1700000000000000.000", "dur": 1.0}]')
                write(os.path.join(folder, "profiler_info_1.json"), json.dumps(object_of(INFO[analysis])))
                write(os.path.join(folder, "profiler_metadata.json"), json.dumps(object_of([key.replace("*", "g") for key in GROUPS])))
                expected = {key: str(place) for place, key in enumerate(INFO[analysis])}
                expected.update({key.replace("*", "g"): str(place) for place, key in enumerate(GROUPS)})
                if analysis == MINDSPORE:
                    write(os.path.join(output, "minddata_pipeline_summary_1.json"), json.dumps(object_of(PIPELINE_SUMMARY)))
                    expected.update({"minddata_pipeline_summary." + key: str(place) for place, key in enumerate(PIPELINE_SUMMARY)})
                found = self.facts_of(folder)
                self.assertEqual({key: found.get(key) for key in expected}, expected)

    def test_read_communication(self):
        """Each number stands in its column, whoever wrote the file."""
        for analysis, ending in ((TORCH, "pt"), (MINDSPORE, "ms")):
            with self.subTest(analysis=analysis):
                output = self.path(f"read/h_1_20260101000000000_ascend_{ending}/ASCEND_PROFILER_OUTPUT")
                times = dict(zip(TIMES, (1_700_000_000_000_000.5, 8.5, 1.5, 2.5, 3.5, 4.5, 0.625, 0.7)))
                traffic = dict(zip(TRAFFIC, (32.0, 0.5, 64.25, 0.25, {"16.0": [2, 0.5]})))
                op = {TIME_INFO: times, TRAFFIC_INFO: {"RDMA": traffic}}
                step = {"p2p": {}, "collective": {"hcom_allReduce__1_0_1@77": op}}
                write(os.path.join(output, "communication.json"), json.dumps({"step3": step}))
                link = {**dict(zip(LINK, ("HCCS", 48.0, 0.75, 32.5))), LINK_NAME[analysis]: "hcom_allReduce__1_0_1"}
                write(os.path.join(output, "communication_matrix.json"),
                      json.dumps({"step3": {"p2p": {}, "collective": {"allreduce-top1@77": {"0-1": link}}}}))
                folder = os.path.dirname(output)
                ms = 1_000_000
                self.assertEqual(rows(folder, "SELECT step, op_name, ts, elapsed, transit, wait, synchronization, idle FROM collective"),
                                 [(3, "hcom_allReduce__1_0_1", START + 500, *(int(one * ms) for one in (8.5, 1.5, 2.5, 3.5, 4.5)))])
                self.assertEqual(rows(folder, "SELECT transport, size, transit, gb_per_s, large_packet_ratio FROM bandwidth"),
                                 [("RDMA", 32_000_000, ms // 2, 64.25, 0.25)])
                self.assertEqual(rows(folder, "SELECT transport, packet_size, count, dur FROM packet"), [("RDMA", 16_000_000, 2, ms // 2)])
                self.assertEqual(rows(folder, "SELECT op_name, selection, transport, size, transit, gb_per_s FROM link"),
                                 [("hcom_allReduce__1_0_1", "top1", "HCCS", 48_000_000, ms * 3 // 4, 32.5)])


if __name__ == "__main__":
    unittest.main()
