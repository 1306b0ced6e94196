#!/usr/bin/env python3
"""collective.instance: which rows of several ranks are one collective, against the names that the files of all ranks share."""

import json
import os
import unittest
from collections import defaultdict

from support import CliTest, result, rows

SQL = "SELECT rank_id, step, group_name, op_name, instance FROM collective WHERE origin = 'recorded'"


class Instances(CliTest):
    def capture(self, *words):
        folder = self.path("run")
        result("generate", folder, "--ranks", "4", "--steps", "3", "--layers", "2", *words)
        return folder

    def recorded(self, folder):
        found = rows(folder, SQL, "--no-cache")
        self.assertGreater(len(found), 20)
        return found

    def check_pairs(self, found):
        """Names count the collectives of a group, so a name within a group is one collective."""
        by_name, by_instance = defaultdict(set), defaultdict(set)
        for rank, _, group, name, instance in found:
            self.assertIsNotNone(instance, (rank, group, name))
            by_name[group, name].add(instance)
            by_instance[instance].add((group, name))
        self.assertEqual([key for key, instances in by_name.items() if len(instances) != 1], [])
        self.assertEqual([instance for instance, names in by_instance.items() if len(names) != 1], [])

    def test_same_collectives_on_all_ranks(self):
        found = self.recorded(self.capture())
        self.check_pairs(found)
        instances = defaultdict(set)
        for rank, _, _, _, instance in found:
            instances[instance].add(rank)
        self.assertTrue(any(len(ranks) > 1 for ranks in instances.values()))

    def test_one_rank_lacks_its_first_step(self):
        folder = self.capture()
        cut = 0
        for where, _, names in os.walk(folder):
            if "communication.json" in names and not cut:
                path = os.path.join(where, "communication.json")
                with open(path, encoding="utf-8") as file:
                    steps = json.load(file)
                first = min(steps)
                cut = sum(len(kind) for kind in steps.pop(first).values())
                os.chmod(path, 0o644)
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(steps, file)
        self.assertGreater(cut, 0)
        self.check_pairs(self.recorded(folder))


if __name__ == "__main__":
    unittest.main()
