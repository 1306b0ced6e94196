#!/usr/bin/env python3
"""From the start button to the open results: a job that stands for a real one is launched on this machine, in both languages.

    walk_capture.py [--keep FOLDER]

The window remembers method and command from a run before (its settings are written here), so that the walk needs no place on the
screen: the command "Record a job" shows the page, Alt+S starts, and the window's title names the results once they are open. In
both themes. Takes ALTI_GUI, ALTI_CLI and ALTI_SOURCE_DIR."""

import json
import os
import shlex
import subprocess
import sys

from walk_support import generated, run_walks

# Parts of the command's name.
RECORD = {"en": "record a job", "zh_CN": "采集作业"}


def settings(folder, words):
    """What the window would have remembered."""
    os.makedirs(os.path.join(folder, "altiscope"))
    texts = ", ".join('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in words)
    with open(os.path.join(folder, "altiscope", "altiscope.ini"), "w", encoding="utf-8") as file:
        file.write(f"[view]\ncapture\\method=llm-flags\ncapture\\targets=local\ncapture\\job\\llm-flags={texts}\n")


def walk_in(stage, samples):
    work = os.path.join(stage.folder, "work")
    os.makedirs(work)
    job = os.path.join(os.environ["ALTI_SOURCE_DIR"], "tests", "support", "standin", "job.py")
    command = shlex.join([sys.executable, job, "llm", "--samples", samples, "--ranks", "0", "--steps", "30"])
    settings(os.path.join(stage.folder, "config"), ["", work, command, ""])
    with stage.window(title="^Altiscope$") as step:
        step.command(RECORD[stage.language])
        step.shot("page")
        step.key("alt+s")
        step.until("the results are open", lambda: step.title().startswith("llm-flags 20"))
        step.shot("opened")
    captures = json.loads(subprocess.run([os.environ["ALTI_CLI"], "capture", "list", "--json"], env=stage.environment, check=True,
                                         capture_output=True, text=True, timeout=120).stdout)
    assert [capture["state"] for capture in captures] == ["done"], captures


def prepare(keep):
    return (generated(keep, "--ranks", "1", "--steps", "1", "--layers", "1", name="samples"),)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
