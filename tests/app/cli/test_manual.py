#!/usr/bin/env python3
"""What the manual says about the command line holds: its commands and options exist, its tutorial ends as it says, its SQL runs."""

import json
import os
import pathlib
import re
import shlex
import unittest

from support import OK, SOURCE, CliTest, rows, run

MANUAL = pathlib.Path(SOURCE) / "resources/help/manual/en"


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (MANUAL / page).read_text(encoding="utf-8"), re.M | re.S)


class Manual(CliTest):
    def test_commands_and_options_exist(self):
        lines = [line for page in sorted(MANUAL.glob("*.md")) for line in page.read_text(encoding="utf-8").split("\n")]
        commands = [line for line in lines if line.startswith("altiscope-cli ")]
        commands += re.findall(r"`(altiscope-cli [^`]*)`", "\n".join(lines).replace("\n", " "))
        self.assertGreater(len(commands), 20)
        for command in commands:
            words = shlex.split(command)[1:]
            with self.subTest(command=command):
                known = run("--help").stdout
                if not words[0].startswith("-"):
                    help_of_it = run(words[0], "--help")
                    self.assertEqual(help_of_it.returncode, OK, help_of_it.stderr)
                    known += help_of_it.stdout
                for word in words:
                    if word.startswith("--"):
                        self.assertRegex(known, re.escape(word) + r"\b")

    def test_the_tutorial_ends_as_it_says(self):
        """Its commands to the letter, but for the one that opens the window."""
        folder = self.path("tutorial")
        os.mkdir(folder)
        printed = []
        for block in blocks("tutorial.md", "sh"):
            for line in block.splitlines():
                words = shlex.split(line)
                if words[0] == "altiscope":
                    continue
                done = run(*words[1:], cwd=folder)
                self.assertEqual(done.returncode, OK, line + done.stderr)
                printed.append(done.stdout)
        walk = os.path.join(folder, "walk")
        slowest = max((line.split() for line in printed[1].splitlines()[2:]), key=lambda row: float(row[1]))
        self.assertEqual(slowest[0], "2")
        self.assertEqual(rows(walk, "SELECT rule, rank_id FROM finding LIMIT 1"), [("slow_rank", 2)])
        # Who comes last is in a collective for the shortest time.
        late = rows(walk, """SELECT rank_id FROM (SELECT rank_id, elapsed, min(elapsed) OVER (PARTITION BY group_name, op_name,
            step, instance) AS shortest FROM collective) WHERE elapsed = shortest GROUP BY rank_id ORDER BY count(*) DESC LIMIT 1""")
        self.assertEqual(late, [(2,)])
        self.assertRegex(printed[-1].splitlines()[0], "faster")
        self.assertTrue(os.path.exists(os.path.join(folder, "walk.html")))
        with open(os.path.join(walk, "truth.json"), encoding="utf-8") as file:
            self.assertIn("slow-rank", json.dumps(json.load(file)))

    def test_its_statements_run(self):
        capture = self.path("capture")
        self.assertEqual(run("generate", capture).returncode, OK)
        statements = [text for page in sorted(MANUAL.glob("*.md")) for block in blocks(page.name, "sql")
                      for text in block.split(";") if text.strip()]
        self.assertGreaterEqual(len(statements), 4)
        for statement in statements:
            with self.subTest(statement=statement):
                self.assertTrue(rows(capture, statement))


if __name__ == "__main__":
    unittest.main()
