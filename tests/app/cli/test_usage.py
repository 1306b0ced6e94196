#!/usr/bin/env python3
"""Exit status and streams of altiscope-cli: wrong usage, captures that cannot be opened, streams that close, signals."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import unittest

from support import (CANCELLED, CLI, FAILED, GOLDEN, OK, PARTIAL, PATIENCE, TWO_RANKS, WRONG_USAGE, CliTest, result, run,
                     start, write)

# As --help lists them.
COMMANDS = re.findall(r"^  ([a-z]+) ", result("--help").partition("Options of all")[0], re.M)
COUNT_TO = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c {}) SELECT {} FROM c"


class WrongUsage(CliTest):
    def test_wrong_words(self):
        new = self.path("new")
        for words in ([], ["frobnicate"], ["--frobnicate"], ["--jobs"], ["--jobs", "0", "cache", "list"],
                      ["--jobs", "many", "cache", "list"], ["--jobs=-1", "cache", "list"],
                      ["--prefer", "json", "info", TWO_RANKS], ["--cache-dir", "", "cache", "list"],
                      ["info"], ["info", TWO_RANKS, "--range"], ["info", TWO_RANKS, "--range", "9..9"],
                      ["query", TWO_RANKS, "--sql", "SELECT 1", "--range", "1-2"],
                      ["info", TWO_RANKS, TWO_RANKS], ["info", TWO_RANKS, "--frobnicate"],
                      ["query"], ["query", TWO_RANKS], ["query", TWO_RANKS, "--sql"], ["query", "--sql", "SELECT 1"],
                      ["query", TWO_RANKS, "--sql", "SELECT 1", "--file", "x"],
                      ["query", TWO_RANKS, TWO_RANKS, "--sql", "SELECT 1"],
                      ["query", TWO_RANKS, "--sql", "SELECT 1", "--format", "xml"],
                      ["query", TWO_RANKS, "--sql", "SELECT 1", "--frobnicate"],
                      ["cache"], ["cache", "frobnicate"], ["cache", "list", "clear"], ["cache", "list", "--frobnicate"],
                      ["generate"], ["generate", new, new], ["generate", new, "--frobnicate"],
                      ["generate", new, "--ranks"], ["generate", new, "--ranks", "0"], ["generate", new, "--steps", "x"],
                      ["generate", new, "--size", "1"], ["generate", new, "--seed", "-1"],
                      ["generate", new, "--format", "pdf"]):
            with self.subTest(words=words):
                done = run(*words)
                self.assertEqual(done.returncode, WRONG_USAGE, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("altiscope-cli: "), done.stderr)
                self.assertIn("usage: altiscope-cli", done.stderr)
        self.assertFalse(os.path.exists(new))

    def test_wrong_words_show_the_usage_of_their_command(self):
        for words in (["export"], ["capture"], ["capture", "frobnicate"], ["query"], ["compare"], ["report"], ["mcp"], ["analyse"]):
            done = run(*words)
            self.assertEqual(done.returncode, WRONG_USAGE)
            usage = run(words[0], "--help").stdout.split("\n\n")[0]
            self.assertIn(f"\n{usage}\n", done.stderr, words)

    def test_a_switch_takes_no_value(self):
        for words in (["info", TWO_RANKS, "--strict=1"], ["--json=true", "cache", "list"], ["query", "--schema=1"]):
            done = run(*words)
            self.assertEqual(done.returncode, WRONG_USAGE)
            self.assertIn(" takes no value.\n", done.stderr, words)

    def test_a_missing_value_is_not_made_up_from_the_words_after_it(self):
        """An option of all commands that stands where a value is missing: the message is about the former, not about what
        stands after it, and the program does not print its help instead."""
        new = self.path("new")
        for words in (["report", TWO_RANKS, "--sections", "--quiet", "--out", "x.html"],
                      ["compare", TWO_RANKS, TWO_RANKS, "--steps", "--quiet", "--out", "x.html"],
                      ["compare", TWO_RANKS, TWO_RANKS, "--base-ranks", "--quiet", "--out", "x.html"],
                      ["capture", "fetch", "7", "--out", new, "--analyse", "--quiet", "--limit", "3"],
                      ["generate", new, "--layers", "--quiet", "--seed", "3"]):
            with self.subTest(words=words):
                done = run(*words)
                self.assertEqual((done.returncode, done.stdout), (WRONG_USAGE, ""))
                self.assertIn('"--quiet"', done.stderr.splitlines()[0])
        done = run("capture", "jobs", "--hosts-file", "-h")
        self.assertEqual((done.returncode, done.stdout), (FAILED, ""))
        self.assertIn("-h", done.stderr)

    def test_help(self):
        for words in (["--help"], ["-h"]):
            done = run(*words)
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            for word in (*COMMANDS, "--json", "--jobs", "--cache-dir", "--no-cache", "--diagnostics", "--strict", "--quiet",
                         "--yes", "--remote-files", "--prefer", "--version", "130"):
                self.assertIn(word, done.stdout)
        for command in COMMANDS:
            for words in ([command, "--help"], ["--help", command]):
                done = run(*words)
                self.assertEqual((done.returncode, done.stderr), (OK, ""))
                self.assertTrue(done.stdout.startswith(f"usage: altiscope-cli {command} "), done.stdout)

    def test_help_tells_of_ranges(self):
        for command in ("info", "query", "export"):
            self.assertIn("--range", run(command, "--help").stdout)

    def test_version(self):
        for words in ([], *([command] for command in COMMANDS)):
            done = run(*words, "--version")
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertRegex(done.stdout, r"\Aaltiscope-cli \d+\.\d+\.\d+\n\Z")

    def test_common_options_before_and_behind_the_command(self):
        expected = result("info", TWO_RANKS, "--json")
        for words in (["--json", "info", TWO_RANKS], ["info", "--json", TWO_RANKS, "--quiet", "--jobs=2", "--strict"],
                      ["--no-cache", "--prefer", "text", "--diagnostics", "info", "--json", "--", TWO_RANKS]):
            self.assertEqual(result(*words), expected)

    def test_needs_no_gui_library(self):
        libraries = subprocess.run(["ldd", CLI], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        self.assertIn("libc.so", libraries)
        for name in ("Qt6Gui", "Qt6Widgets", "libX11", "libGL"):
            self.assertNotIn(name, libraries)


class CannotBeOpened(CliTest):
    def check(self, capture, *parts):
        """Both commands say why, on stderr alone."""
        self.assert_message(run("info", capture), FAILED, *parts)
        self.assert_message(run("query", capture, "--sql", "SELECT 1"), FAILED, *parts)

    def test_missing_path(self):
        self.check(self.path("nowhere"), self.path("nowhere"), "does not exist")

    def test_path_below_a_file(self):
        file = write(self.path("file"), "x")
        self.check(os.path.join(file, "capture"), "capture")

    def test_empty_folder(self):
        self.check(self.folder, self.folder, "empty")

    def test_folder_of_other_things(self):
        write(self.path("notes", "shopping.txt"), "milk")
        self.check(self.folder, self.folder)

    def test_no_permission(self):
        trace = write(self.path("trace_view.json"), "[]")
        os.chmod(trace, 0)
        # Not even root may read it once these rights are gone.
        words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
        for command in (["info", trace], ["query", trace, "--sql", "SELECT 1"]):
            done = subprocess.run([*words, CLI, *command, "--no-cache"], capture_output=True, text=True, timeout=PATIENCE,
                                  check=False)
            self.assertEqual(done.returncode, FAILED)
            self.assertIn("permission", (done.stdout + done.stderr).lower())

    def test_not_json(self):
        trace = write(self.path("capture", "trace_view.json"), "this is no JSON at all\n")
        self.check(trace, "trace_view.json is not JSON")
        # A folder was found out to be one rank: that is the result of info, also if nothing of it can be read.
        done = run("info", os.path.dirname(trace))
        self.assertEqual((done.returncode, done.stderr), (FAILED, ""))
        self.assertIn("failed, 1 rank", done.stdout)
        self.assertIn("lost trace.not_json, 1 x, trace_view.json", done.stdout)
        self.assert_message(run("query", os.path.dirname(trace), "--sql", "SELECT 1"), FAILED, "trace.not_json")

    def test_empty_file(self):
        self.check(write(self.path("trace_view.json"), ""), "empty")

    def test_folder_with_raw_data_only(self):
        done = run("info", os.path.join(GOLDEN, "raw_only", "capture"))
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertIn("There is only raw data here.", done.stdout)
        self.assertIn("analyse", done.stdout)
        capture = os.path.join(GOLDEN, "raw_only", "capture")
        self.assertEqual(run("info", capture, "--strict").returncode, PARTIAL)
        self.assertEqual(result("query", capture, "--sql", "SELECT count(*) AS n FROM slice", "--format", "csv"),
                         "n\r\n0\r\n")

    def test_partial_data(self):
        capture = os.path.join(GOLDEN, "interrupted", "capture")
        words = ["query", capture, "--sql", "SELECT name FROM slice ORDER BY ts", "--format", "csv"]
        plain = run(*words)
        self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (OK, "name\r\naten::add\r\naten::mul\r\n", ""))
        strict = run(*words, "--strict")
        self.assertEqual((strict.returncode, strict.stdout), (PARTIAL, plain.stdout))
        told = run(*words, "--diagnostics")
        self.assertEqual((told.returncode, told.stdout), (OK, plain.stdout))
        self.assertIn("altiscope-cli: lost trace.unclosed, 1 x, ", told.stderr)
        self.assertIn("byte 235", told.stderr)
        self.assertEqual(run("query", TWO_RANKS, "--sql", "SELECT 1", "--strict").returncode, OK)

    def test_strict_says_what_is_lost_while_a_query_runs(self):
        """Arguments are read from the source as they are printed: a source that changes meanwhile is a loss."""
        slices = ",".join(f'{{"ph":"X","name":"n{i}","pid":1,"tid":1,"ts":{2 * i},"dur":1,"args":{{"text":"{"x" * 400}{i}"}}}}'
                          for i in range(20_000))
        for words, status in (([], OK), (["--strict"], PARTIAL)):
            with self.subTest(words=words):
                trace = write(self.path("trace_view.json"), f"[{slices}]")
                process = start("query", trace, "--sql", "SELECT name, args FROM slice ORDER BY ts", "--format", "csv", "--no-cache",
                                "--diagnostics", *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
                # The pipe is full long before the last row, so the query still runs.
                begin = process.stdout.read(2000)
                os.rename(trace, trace + ".old")
                rest, said = process.communicate(timeout=PATIENCE)
                lines = (begin + rest).splitlines()
                self.assertEqual(len(lines), 20_001)
                self.assertIn(b"x" * 400, lines[1])
                self.assertNotIn(b"xxxx", lines[-1])
                self.assertEqual(process.returncode, status)
                self.assertRegex(said.decode(), r"(?m)^altiscope-cli: lost ")


class Streams(CliTest):
    def test_reader_that_goes_away(self):
        process = start("query", TWO_RANKS, "--sql", COUNT_TO.format("", "x"), "--format", "csv",
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process:
            self.assertEqual(process.stdout.readline(), b"x\r\n")
            process.stdout.close()
            message = process.stderr.read()
            self.assertEqual(process.wait(PATIENCE), OK)
            self.assertEqual(message, b"")

    def test_names_do_not_steer_the_terminal(self):
        """Tables for programs, CSV and JSON, may be looked at, too."""
        name = "red\x1b[31m \u009b31m turned\u202e hidden\U000e0041 \u4e2d\u6587"
        trace = write(self.path("trace_view.json"), json.dumps([{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": "1", "dur": "2"}]))
        for form in ("csv", "json", "table"):
            words = ["query", trace, "--sql", "SELECT name FROM slice", "--format", form, "--no-cache"]
            near, far = pty.openpty()
            with subprocess.Popen([CLI, *words], stdout=far, stderr=subprocess.DEVNULL) as process:
                os.close(far)
                self.assertEqual(process.wait(PATIENCE), OK)
            shown = os.read(near, 1 << 16).decode("utf-8")
            os.close(near)
            self.assertIn("\u4e2d\u6587", shown)
            self.assertNotRegex(shown, "[\x1b\u009b\u202e\U000e0041]")
            if form == "json":
                self.assertEqual(json.loads(shown), [{"name": name}])
            if form == "csv":
                self.assertIn(name, result(*words))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, "info", TWO_RANKS], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, FAILED)
        self.assertRegex(done.stderr, r"\Aaltiscope-cli: [^\n]*No space left on device\n\Z")

    def test_closed_from_the_beginning(self):
        copy = self.path("capture")
        shutil.copytree(TWO_RANKS, copy)
        done = subprocess.run(["sh", "-c", '"$0" "$@" >&-', CLI, "info", copy], stderr=subprocess.PIPE, text=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, FAILED)
        self.assertTrue(done.stderr.startswith("altiscope-cli: "), done.stderr)

    def test_locale_changes_nothing(self):
        words = ["query", TWO_RANKS, "--sql", "SELECT *, 1.5 AS real FROM slice", "--format", "csv"]
        expected = result(*words)
        for locale in ("C", "de_DE.UTF-8", "zh_CN.UTF-8"):
            self.assertEqual(result(*words, LC_ALL=locale, LANG=locale, LANGUAGE=locale), expected)


class Signals(CliTest):
    def test_interrupt_ends_a_long_query(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                process = start("query", TWO_RANKS, "--sql", COUNT_TO.format("", "x"), "--format", "csv",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                with process:
                    process.stdout.read(1000)  # The query runs.
                    process.send_signal(number)
                    out, message = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, CANCELLED)
                self.assertTrue(out)
                self.assertEqual(message, b"")

    def test_interrupt_ends_a_query_that_gives_no_rows(self):
        process = start("query", TWO_RANKS, "--sql", COUNT_TO.format("", "count(*)"),
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process:
            process.send_signal(signal.SIGINT)
            out, message = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out, message), (CANCELLED, b"", b""))


if __name__ == "__main__":
    sys.exit(unittest.main())
