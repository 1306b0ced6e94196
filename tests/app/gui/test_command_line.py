#!/usr/bin/env python3
"""Runs the GUI program as a user or a script does: exit status, streams and pictures (product.md, section 3).

Takes the program from ALTI_GUI and the captures from tests/golden below ALTI_SOURCE_DIR."""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

GUI = os.environ["ALTI_GUI"]
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
        for name in sorted(os.listdir(GOLDEN)):
            with self.subTest(name=name):
                self.picture(os.path.join(GOLDEN, name, "capture"))

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


if __name__ == "__main__":
    sys.exit(unittest.main())
