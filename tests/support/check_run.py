"""Runs a check of the house on a source tree that consists of given files."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run_check(script, files):
    """The finished process of SCRIPT ROOT, with its output as text. files: path from the root -> text."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return subprocess.run([sys.executable, os.path.join(HERE, script), root], capture_output=True, text=True,
                              check=False)
