#!/usr/bin/env python3
"""Runs the GUI program as a user or a script does: exit status, streams and pictures (resources/help/reference/command-line.md).

Takes the programs from ALTI_GUI and ALTI_CLI and the captures from tests/golden below ALTI_SOURCE_DIR."""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

GUI = os.environ["ALTI_GUI"]
CLI = os.environ["ALTI_CLI"]
GOLDEN = os.path.join(os.environ["ALTI_SOURCE_DIR"], "tests", "golden")
CAPTURE = os.path.join(GOLDEN, "torch_two_ranks", "capture")


def run(*arguments, **environment):
    # A display must not be needed by what only prints.
    return subprocess.run([GUI, *arguments], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, **environment})


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return struct.unpack(">II", head[16:24])


def tree_hash(folder):
    digest = hashlib.sha256()
    for where, folders, names in sorted(os.walk(folder)):
        for name in sorted(folders + names):
            path = os.path.join(where, name)
            digest.update(f"{path} {os.stat(path).st_mtime_ns}\n".encode())
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()


# Colours of slices in the light theme, and what of one a slice as long as the window has at least: a line right across it.
HUES = (0x8ec3f9, 0xebaf7f, 0x91cf9d, 0xf5a69f, 0xc7b0f2, 0x6bd0d6, 0xccc076, 0xeaa5cc, 0x75cbec, 0xdeb775, 0x77d2ba, 0xf3a4b5, 0xacb9fb,
        0xb0c985, 0xd9aae4, 0xf3a98f)
FEWEST_PIXELS = 600


def hue_index(name):
    value = 0xcbf29ce484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return (value ^ (value >> 32)) % len(HUES)


def longest_slices(capture):
    """(name, begin, end) of the two longest slices but steps, overlap and numbered ones, whose colours are not of the whole name."""
    sql = ("SELECT s.name, s.ts, s.dur FROM slice s JOIN track t USING (track_id) WHERE t.kind NOT IN ('stack', 'overlap') AND s.dur > 0 "
           "AND s.name NOT LIKE 'ProfilerStep%' AND s.name NOT GLOB '*[0-9]' ORDER BY s.dur DESC, s.ts LIMIT 2")
    result = subprocess.run([CLI, "query", capture, "--sql", sql, "--format", "json", "--no-cache"], capture_output=True, text=True, timeout=120, check=True)
    return [(row["name"], row["ts"], row["ts"] + row["dur"]) for row in json.loads(result.stdout)]


def pixels(png):
    """How many pixels of a PNG picture (8 bits, RGB or RGBA) have each colour 0xRRGGBB."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6), (depth, kind)
    size = 3 if kind == 2 else 4
    packed, at = b"", 8
    while at < len(png):
        length, chunk = struct.unpack(">I4s", png[at:at + 8])
        if chunk == b"IDAT":
            packed += png[at + 8:at + 8 + length]
        at += length + 12
    rows, before, counts = zlib.decompress(packed), bytearray(width * size), {}
    for y in range(height):
        start = y * (width * size + 1)
        line = unfiltered(rows[start], bytearray(rows[start + 1:start + 1 + width * size]), before, size)
        for x in range(0, width * size, size):
            colour = line[x] << 16 | line[x + 1] << 8 | line[x + 2]
            counts[colour] = counts.get(colour, 0) + 1
        before = line
    return counts


def unfiltered(kind, line, before, size):
    """A row of a PNG picture without its filter (PNG specification, section 9)."""
    for i in range(len(line) if kind else 0):
        left, corner, above = (line[i - size], before[i - size], before[i]) if i >= size else (0, 0, before[i])
        if kind == 4:
            guess = left + above - corner
            distances = (abs(guess - left), abs(guess - above), abs(guess - corner))
            add = (left, above, corner)[distances.index(min(distances))]
        else:
            add = (0, left, above, (left + above) // 2)[kind]
        line[i] = (line[i] + add) & 255
    return line


class WrongUsage(unittest.TestCase):
    def test_exit_status_and_stream(self):
        for arguments in (["--frobnicate"], ["--view", "nonsense"], ["--range", "5..4"], ["--size", "big"],
                          ["--theme", "pink"], ["--language", "fr"], ["--select", "x"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments, QT_QPA_PLATFORM="no such platform")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertTrue(result.stderr.startswith("altiscope: "), result.stderr)

    def test_texts_follow_the_language(self):
        chinese = r"[\u4e00-\u9fff]"
        for arguments in (["--help"], ["--frobnicate"], ["--view", "nonsense"]):
            with self.subTest(arguments=arguments):
                result = run(*arguments, "--language", "zh_CN", QT_QPA_PLATFORM="no such platform")
                self.assertRegex(result.stdout + result.stderr, chinese)
                result = run(*arguments, "--language=en", QT_QPA_PLATFORM="no such platform")
                self.assertNotRegex(result.stdout + result.stderr, chinese)

    def test_help_and_version(self):
        result = run("--help", QT_QPA_PLATFORM="no such platform")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("Usage: altiscope [options] [CAPTURE...]\n"), result.stdout)
        self.assertIn("--screenshot", result.stdout)
        self.assertRegex(run("--version", QT_QPA_PLATFORM="no such platform").stdout, r"^altiscope \d+\.\d+\.\d+\n$")


class Surroundings(unittest.TestCase):
    """What cannot be drawn ends with a sentence and status 1, never with a signal or all memory."""

    def check(self, words, *arguments, **environment):
        result = run(*arguments, **environment)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(words, result.stderr)

    def test_no_display(self):
        for display in ("", ":987"):
            self.check("display", CAPTURE, DISPLAY=display, WAYLAND_DISPLAY="", QT_QPA_PLATFORM="xcb")
        self.check("platform", CAPTURE, QT_QPA_PLATFORM="no such platform", DISPLAY="", WAYLAND_DISPLAY="")

    def test_absurd_scales(self):
        for name, value in (("QT_SCALE_FACTOR", "50"), ("QT_SCALE_FACTOR", "0.01"), ("QT_FONT_DPI", "5000")):
            with self.subTest(name=name, value=value):
                self.check("QT_SCALE_FACTOR", CAPTURE, "--language", "en", "--screenshot", os.devnull, **{"QT_QPA_PLATFORM": "offscreen", name: value})


class Screenshot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def picture(self, *arguments, status=0):
        path = os.path.join(self.folder, "picture.png")
        result = run(*arguments, "--screenshot", path)
        self.assertEqual(result.returncode, status, result.stderr)
        with open(path, "rb") as file:
            return file.read(), png_size(path), result

    def test_default_size(self):
        self.assertEqual(self.picture(CAPTURE)[1], (1600, 1000))

    def test_given_size(self):
        self.assertEqual(self.picture(CAPTURE, "--size", "1280x800")[1], (1280, 800))

    def test_same_arguments_same_picture(self):
        self.assertEqual(self.picture(CAPTURE)[0], self.picture(CAPTURE)[0])

    def test_options_change_the_picture(self):
        plain = self.picture(CAPTURE)[0]
        for arguments in (["--view", "timeline"], ["--theme", "dark"], ["--language", "zh_CN"],
                          ["--range", "1736408883688200000..1736408883688300000"]):
            with self.subTest(arguments=arguments):
                self.assertNotEqual(self.picture(CAPTURE, *arguments)[0], plain)

    def test_every_golden_capture(self):
        """The timeline of each capture shows its longest slices in the colours of their names; an empty window shows none."""
        for name in sorted(os.listdir(GOLDEN)):
            with self.subTest(name=name):
                capture = os.path.join(GOLDEN, name, "capture")
                slices = longest_slices(capture)
                self.assertEqual(bool(slices), name != "raw_only")
                for slice_name, begin, end in slices:
                    data = self.picture(capture, "--view", "timeline", "--theme", "light", "--size", "1000x700", "--range", f"{begin}..{end}")[0]
                    colour = HUES[hue_index(slice_name)]
                    self.assertGreater(pixels(data).get(colour, 0), FEWEST_PIXELS, f"{slice_name} in #{colour:06x}")
                if not slices:
                    drawn = pixels(self.picture(capture, "--view", "timeline", "--theme", "light", "--size", "1000x700")[0])
                    self.assertEqual([f"#{hue:06x}" for hue in HUES if drawn.get(hue, 0) > FEWEST_PIXELS], [])

    def test_no_capture_shows_no_slice(self):
        drawn = pixels(self.picture("--view", "timeline", "--theme", "light", "--size", "1000x700")[0])
        self.assertEqual([f"#{hue:06x}" for hue in HUES if drawn.get(hue, 0) > FEWEST_PIXELS], [])

    def test_a_workspace_without_captures_is_shown_at_once(self):
        workspace = os.path.join(self.folder, "empty.altiscope")
        with open(workspace, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "captures": []}, file)
        self.assertEqual(self.picture(workspace)[1], (1600, 1000))

    def test_a_workspace_whose_capture_is_gone_is_a_failure(self):
        workspace = os.path.join(self.folder, "gone.altiscope")
        with open(workspace, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "captures": [{"path": "gone"}]}, file)
        self.assertIn(f"{self.folder}/gone does not exist.", self.picture(workspace, status=1)[2].stderr)

    def test_failed_capture(self):
        _, size, result = self.picture("/nowhere/at/all", status=1)
        self.assertEqual(size, (1600, 1000))
        self.assertIn("/nowhere/at/all does not exist.", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_picture_cannot_be_written(self):
        result = run(CAPTURE, "--screenshot", "/nowhere/at/all.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/at/all.png", result.stderr)

    def test_no_picture_goes_into_the_capture(self):
        capture = os.path.join(self.folder, "run")
        shutil.copytree(CAPTURE, capture)
        before = tree_hash(capture)
        result = run(capture, "--screenshot", os.path.join(capture, "picture.png"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("evidence", result.stderr)
        self.assertEqual(tree_hash(capture), before)

    def test_capture_and_settings_stay_as_they_are(self):
        before = tree_hash(CAPTURE)
        config = os.path.join(self.folder, "config")
        result = run(CAPTURE, "--screenshot", os.path.join(self.folder, "picture.png"), XDG_CONFIG_HOME=config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(tree_hash(CAPTURE), before)
        self.assertFalse(os.path.exists(os.path.join(config, "altiscope")), "a picture leaves no settings behind")


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def report(self, name, *arguments, capture=CAPTURE, status=0):
        path = os.path.join(self.folder, name)
        # It shows nothing, so any display will do, also none.
        result = run(capture, "--report", path, *arguments, QT_QPA_PLATFORM="no such platform", DISPLAY="")
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        if status:
            self.assertFalse(os.path.exists(path))
            return result.stderr
        with open(path, "rb") as file:
            return file.read()

    def test_pdf_and_html(self):
        before = tree_hash(CAPTURE)
        pdf = self.report("report.pdf")
        self.assertEqual(pdf[:5], b"%PDF-")
        self.assertIn(b"/FontFile", pdf)
        self.assertIn(b"<html lang=\"en\">", self.report("report.html", "--language", "en"))
        self.assertIn("采集内容", self.report("report.html", "--language", "zh_CN").decode())
        self.assertEqual(tree_hash(CAPTURE), before)

    def test_html_holds_what_the_command_line_writes(self):
        own = self.report("report.html", "--language", "en").decode()
        other = os.path.join(self.folder, "cli.html")
        subprocess.run([CLI, "report", CAPTURE, "--out", other, "--quiet"], check=True, capture_output=True, timeout=120)
        with open(other, encoding="utf-8") as file:
            expected = file.read()
        without_time = lambda text: re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "", text)
        self.assertEqual(without_time(own), without_time(expected))

    def test_what_fails(self):
        self.assertIn("/nowhere/at/all does not exist.", self.report("report.pdf", capture="/nowhere/at/all", status=1))
        self.assertIn("nowhere", self.report("/nowhere/report.pdf", status=1))
        capture = os.path.join(self.folder, "run")
        shutil.copytree(CAPTURE, capture)
        before = tree_hash(capture)
        self.assertIn("evidence", self.report(os.path.join(capture, "report.pdf"), capture=capture, status=1))
        self.assertEqual(tree_hash(capture), before)

    def test_wrong_usage(self):
        for arguments in (["--report", "r.txt", CAPTURE], ["--report", "r.pdf"], ["--report", "r.pdf", CAPTURE, CAPTURE]):
            with self.subTest(arguments=arguments):
                result = run(*arguments, QT_QPA_PLATFORM="no such platform")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertTrue(result.stderr.startswith("altiscope: "), result.stderr)


class Completion(unittest.TestCase):
    """What bash completes after altiscope: taken from what the program itself names, so that an option needs no line there."""
    ASK = r"""
source "$1"; shift
compopt() { echo files; }
compgen() { [[ $1 == -f ]] || builtin compgen "$@"; }
altiscope() { "$ALTI_GUI" "$@"; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_altiscope
printf '%s\n' "${COMPREPLY[@]}"
"""

    def completed(self, *words):
        script = os.path.join(os.environ["ALTI_SOURCE_DIR"], "packaging/completion/altiscope.bash")
        done = subprocess.run(["bash", "-c", self.ASK, "bash", script, "altiscope", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_each_option_of_the_help(self):
        options = dict(re.findall(r"^ +(?:-\w, )?(--[a-z]+)(?: <([^>]*)>)?", run("--help").stdout, re.M))
        self.assertEqual(self.completed("-"), list(options))
        for option, kind in options.items():
            offered = self.completed(option, "")
            if kind == "NAME":
                self.assertGreater(len(offered), 1, option)
                self.assertTrue(all(re.fullmatch("[a-z]+(_[A-Z]+)?", word) for word in offered), offered)
            else:
                self.assertEqual(offered, ["files"] if not kind or kind.startswith("FILE") else [], option)
        self.assertEqual(self.completed("--theme", ""), ["light", "dark", "system"])
        self.assertEqual(self.completed("--theme", "d"), ["dark"])
        self.assertIn("overview", self.completed("--view", ""))


if __name__ == "__main__":
    sys.exit(unittest.main())
