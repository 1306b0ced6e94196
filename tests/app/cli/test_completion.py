#!/usr/bin/env python3
"""What bash completes after altiscope-cli (packaging/completion): commands, options and values, taken from the help."""

import os
import subprocess
import unittest

from support import CLI, PATIENCE, SOURCE, CliTest

# Calls the completion as bash does: the words of the line, the last one still being typed. Files are named by "files".
ASK = r"""
source "$1"; shift
compopt() { echo files; }
compgen() { [[ $1 == -f ]] || builtin compgen "$@"; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_altiscope_cli
printf '%s\n' "${COMPREPLY[@]}"
"""


class Completion(CliTest):
    def completed(self, *words):
        script = os.path.join(SOURCE, "packaging", "completion", "altiscope-cli.bash")
        if not os.path.exists(self.path("altiscope-cli")):
            os.symlink(CLI, self.path("altiscope-cli"))
        done = subprocess.run(["bash", "-c", ASK, "bash", script, "altiscope-cli", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=True,
                              env={**os.environ, "PATH": self.path("") + ":" + os.environ["PATH"]})
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands(self):
        self.assertTrue({"info", "query", "capture", "cache"} <= set(self.completed("")))
        self.assertEqual(self.completed("gene"), ["generate"])
        self.assertEqual(self.completed("--quiet", "gene"), ["generate"])
        self.assertEqual(self.completed("--jobs", "4", "--prefer", "db", "gene"), ["generate"])

    def test_options_are_those_of_the_command(self):
        self.assertEqual(self.completed("query", "--sq"), ["--sql"])
        self.assertEqual(self.completed("cache", "--sq"), [])
        self.assertEqual(self.completed("cache", "--no-c"), ["--no-cache"])

    def test_values_are_those_of_the_help(self):
        self.assertEqual(self.completed("--prefer", ""), ["text", "db"])
        self.assertEqual(self.completed("query", "capture", "--format", ""), ["table", "csv", "json", "arrow"])
        self.assertEqual(self.completed("generate", "out", "--format", "m"), ["mindspore"])
        self.assertEqual(self.completed("generate", "out", "--model", ""), ["transformer", "resnet"])
        self.assertEqual(self.completed("capture", "fetch", "1", "--analyse", ""), ["there", "here"])
        self.assertEqual(self.completed("analyse", "raw", "--export-type", ""), ["text", "db"])
        self.assertEqual(self.completed("export", "capture", "--what", ""), ["trace"])
        # As bash cuts "--format=cs".
        self.assertEqual(self.completed("query", "capture", "--format", "="), ["table", "csv", "json", "arrow"])
        self.assertEqual(self.completed("query", "capture", "--format", "=", "cs"), ["csv"])

    def test_a_free_value_is_not_completed(self):
        self.assertEqual(self.completed("--jobs", ""), [])
        self.assertEqual(self.completed("query", "capture", "--sql", ""), [])
        self.assertEqual(self.completed("generate", "out", "--plant", ""), [])

    def test_a_second_word(self):
        self.assertEqual(self.completed("cache", ""), ["list", "clear"])
        self.assertTrue({"methods", "start", "watch", "fetch"} <= set(self.completed("capture", "")))
        self.assertEqual(self.completed("--quiet", "cache", "c"), ["clear"])

    def test_files(self):
        for words in (["info", ""], ["query", "capture", "--file", ""], ["export", "capture", "--out", ""],
                      ["capture", "start", "msprof", "--hosts-file", ""], ["capture", "start", "msprof", "--fetch", ""],
                      ["report", "capture", "--base", ""], ["info", "--json", ""], ["compare", "base", ""]):
            self.assertEqual(self.completed(*words), ["files"], words)


if __name__ == "__main__":
    unittest.main()
