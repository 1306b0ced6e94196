#!/usr/bin/env python3
"""From the start button to the open results: a job that stands for a real one is launched on this machine, in both languages.

    walk_capture.py [--keep FOLDER]

The window remembers method and command from a run before (its settings are written here), so that the walk needs no place on the
screen: the command "Record a job" shows the page, Alt+S starts, and the window's title names the results once they are open. In
both themes. Takes ALTI_GUI, ALTI_CLI and ALTI_SOURCE_DIR."""

import json
import os
import shlex
import shutil
import subprocess
import sys

from walk_answers import LOOKS, SIZE, cli
from walk_support import Walk, run_walk

# Parts of the command's name.
RECORD = {"en": "record a job", "zh_CN": "采集作业"}


def settings(folder, words):
    """What the window would have remembered."""
    os.makedirs(os.path.join(folder, "altiscope"))
    texts = ", ".join('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in words)
    with open(os.path.join(folder, "altiscope", "altiscope.ini"), "w", encoding="utf-8") as file:
        file.write(f"[view]\ncapture\\method=llm-flags\ncapture\\targets=local\ncapture\\job\\llm-flags={texts}\n")


def started(screen, keep, language):
    environment = {**screen.environment, "LC_ALL": "C.UTF-8"}
    for name in ("CONFIG", "CACHE", "DATA", "STATE"):
        environment[f"XDG_{name}_HOME"] = os.path.join(keep, name.lower())
    with open(os.path.join(keep, "program.txt"), "ab") as log:
        return subprocess.Popen([os.environ["ALTI_GUI"], "--size", f"{SIZE[0]}x{SIZE[1]}", "--language", language, "--theme",
                                 LOOKS[language]], env=environment, stdout=log, stderr=log), environment


def walk_in(screen, keep, language, samples):
    folder = os.path.join(keep, language)
    shutil.rmtree(folder, ignore_errors=True)
    work = os.path.join(folder, "work")
    os.makedirs(work)
    job = os.path.join(os.environ["ALTI_SOURCE_DIR"], "tests", "support", "standin", "job.py")
    command = shlex.join([sys.executable, job, "llm", "--samples", samples, "--ranks", "0", "--steps", "30"])
    settings(os.path.join(folder, "config"), ["", work, command, ""])
    program, environment = started(screen, folder, language)
    step = Walk(screen, program, folder)
    try:
        step.find_window("^Altiscope$")
        step.command(RECORD[language])
        step.shot("page")
        step.key("alt+s")
        step.until("the results are open", lambda: step.title().startswith("results"))
        step.shot("opened")
        step.key("ctrl+q")
        step.until_ended()
    finally:
        program.kill()
        program.wait()
    captures = json.loads(subprocess.run([os.environ["ALTI_CLI"], "capture", "list", "--json"], env=environment, check=True,
                                         capture_output=True, text=True, timeout=120).stdout)
    assert [capture["state"] for capture in captures] == ["done"], captures


def walk(screen, keep):
    samples = os.path.join(keep, "samples")
    shutil.rmtree(samples, ignore_errors=True)
    cli("generate", samples, "--quiet", "--ranks", "1", "--steps", "1", "--layers", "1")
    for language in LOOKS:
        walk_in(screen, keep, language, samples)


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
