#!/usr/bin/env python3
"""--limit and --offset: pages hold each row once, in order, say where to go on, and wrong numbers are wrong usage."""

import json
import unittest

from support import TWO_RANKS, WRONG_USAGE, CliTest, check_schema, result, run

SQL = "SELECT slice_id, name FROM slice ORDER BY slice_id"


class Paging(CliTest):
    def page(self, *words, form="json"):
        return run("query", TWO_RANKS, "--sql", SQL, "--format", form, *words)

    def test_pages_of_rows(self):
        whole = json.loads(self.page().stdout)
        found, offset = [], 0
        while True:
            done = self.page("--limit", "5", "--offset", str(offset))
            part = json.loads(done.stdout)
            self.assertLessEqual(len(part), 5)
            found += part
            if "More rows follow" not in done.stderr:
                break
            offset += 5
            self.assertIn(f"--offset {offset}", done.stderr)
        self.assertEqual(found, whole)
        self.assertGreater(len(whole), 10)
        # No page says that more follows when nothing does.
        self.assertEqual(self.page("--limit", str(len(whole))).stderr, "")
        self.assertIn("--offset", self.page("--limit", str(len(whole) - 1)).stderr)

    def test_ends(self):
        self.assertEqual(json.loads(self.page("--limit", "0").stdout), [])
        self.assertEqual(json.loads(self.page("--offset", "18446744073709551615").stdout), [])
        self.assertEqual(self.page("--limit", "3", "--quiet").stderr, "")
        self.assertEqual(len(self.page("--limit", "2", form="csv").stdout.splitlines()), 3)

    def test_wrong_numbers(self):
        for words in (("--limit", "-1"), ("--limit", "x"), ("--offset", ""), ("--offset", "1.5"), ("--limit", "99999999999999999999")):
            self.assertEqual(self.page(*words).returncode, WRONG_USAGE, words)
            self.assertEqual(run("info", TWO_RANKS, *words).returncode, WRONG_USAGE, words)

    def test_ranks_of_info(self):
        place = self.path("many")
        result("generate", place, "--ranks", "5", "--steps", "1", "--layers", "1", "--quiet")
        whole = json.loads(result("info", place, "--json"))
        self.assertNotIn("lists", whole)
        found = []
        for offset in (0, 2, 4):
            text = result("info", place, "--json", "--limit", "2", "--offset", str(offset))
            check_schema(self, "info", text)
            part = json.loads(text)
            self.assertEqual(part["lists"]["ranks"], {"total": 5, "offset": offset, "next_offset": offset + 2 if offset < 4 else None})
            found += part["ranks"]
        self.assertEqual(found, whole["ranks"])
        self.assertIn("5 ranks in all; more: --offset 2", result("info", place, "--limit", "2"))


if __name__ == "__main__":
    unittest.main()
