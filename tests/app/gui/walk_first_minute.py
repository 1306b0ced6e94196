#!/usr/bin/env python3
"""The first minute with a capture, as a person takes it, in both languages and themes.

    walk_first_minute.py [--keep FOLDER]

A folder is dropped on the empty window, the overview is read, the first finding is clicked, and the timeline shows its evidence:
the slice that SQL names for the finding. A step back leads to the overview. Takes ALTI_GUI, ALTI_CLI and ALTI_DRAG_SOURCE.
"""

import json
import os
import shutil
import subprocess
import sys

from walk_support import Walk, run_walk

SIZE = (1280, 800)
# At this size: the bars of the steps, the findings beside them, and the details below the timeline.
BARS, FINDINGS, DETAILS = (390, 130, 870, 420), (900, 130, 1260, 420), (340, 640, 1260, 775)
LOOKS = {"en": ("light", (0x60, 0xAA, 0xF3), (0xB3, 0x26, 0x1E)), "zh_CN": ("dark", (0x4D, 0x97, 0xDE), (0xFF, 0x8A, 0x80))}


def cli(*arguments):
    return subprocess.run([os.environ["ALTI_CLI"], *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def evidence_of_first_finding(capture):
    """Slice ids of the first finding, and one of another slice."""
    rows = json.loads(cli("query", capture, "--no-cache", "--format", "json", "--sql", "SELECT rule, evidence FROM finding"))
    slices = json.loads(rows[0]["evidence"])["slices"]
    assert rows[0]["rule"] == "gc_pause" and slices, rows[:1]
    other = json.loads(cli("query", capture, "--no-cache", "--format", "json", "--sql",
                           f"SELECT slice_id FROM slice WHERE slice_id NOT IN ({','.join(map(str, slices))}) LIMIT 1"))
    return slices, other[0]["slice_id"]


def started(screen, keep, language, *arguments):
    environment = {**screen.environment, "XDG_CONFIG_HOME": os.path.join(keep, "config"), "XDG_CACHE_HOME": os.path.join(keep, "cache"),
                   "LC_ALL": "C.UTF-8"}
    with open(os.path.join(keep, "program.txt"), "ab") as log:
        return subprocess.Popen([os.environ["ALTI_GUI"], "--size", f"{SIZE[0]}x{SIZE[1]}", "--language", language, "--theme",
                                 LOOKS[language][0], *arguments], env=environment, stdout=log, stderr=log)


def drop(step, path):
    """Drags a folder from a window beside to the middle of the program's."""
    source = subprocess.Popen([os.environ["ALTI_DRAG_SOURCE"], path], env=step.screen.environment)
    try:
        window = step.until("the drag source", lambda: step.xdotool("search", "--onlyvisible", "--name", "^drag source$", check=False).split("\n")[0])
        step.xdotool("windowmove", "--sync", window, 1400, 850)
        step.xdotool("windowactivate", "--sync", window)
        step.xdotool("mousemove", "--window", window, 80, 30, "mousedown", 1)
        for x, y in ((90, 34), (100, 38), (110, 42)):
            step.xdotool("mousemove", "--window", window, x, y)
        for part in range(1, 6):
            step.xdotool("mousemove", "--window", step.window, 1240 - 120 * part, 760 - 70 * part)
            step.settled()
        step.xdotool("mouseup", 1)
        step.until("the dropped capture", lambda: step.title() == f"{os.path.basename(path)} – Altiscope")
    finally:
        source.kill()
        source.wait()
    step.xdotool("windowactivate", "--sync", step.window)


def place_of(picture, colour, box):
    left, top, right, bottom = box
    for y in range(top, bottom):
        for x in range(left, right):
            if picture.at(x, y) == colour:
                return x, y
    raise AssertionError(f"{colour} is nowhere in {box}")


def walk_in(screen, keep, language, capture, slices, other):
    theme, computing, error = LOOKS[language]
    program = started(screen, keep, language)
    step = Walk(screen, program, os.path.join(keep, language))
    try:
        step.find_window("^Altiscope$")
        step.shot("empty")
        drop(step, capture)
        overview = step.shot("overview")
        assert overview.share(computing, BARS) > 0.05, "bars of computing time"
        x, y = place_of(overview, error, FINDINGS)
        step.click(x + 100, y + 4)
        step.until("the timeline", lambda: step.picture().share(computing, BARS) < 0.02)
        landed = step.shot("evidence").part(DETAILS)
        step.key("alt+Left")
        assert step.shot("back").share(computing, BARS) > 0.05, "a step back leads to the overview"
        step.key("ctrl+q")
        step.until_ended()
    finally:
        program.kill()
        program.wait()

    def details(slice_id):
        shown = started(screen, keep, language, "--view", "timeline", "--select", str(slice_id), capture)
        beside = Walk(screen, shown, os.path.join(keep, language))
        try:
            beside.find_window("Altiscope$")
            return beside.shot(f"slice_{slice_id}").part(DETAILS)
        finally:
            shown.kill()
            shown.wait()

    assert landed == details(slices[0]), "the slice that the finding names is shown"
    assert landed != details(other), "another slice looks different"


def walk(screen, keep):
    capture = os.path.join(keep, "planted")
    shutil.rmtree(capture, ignore_errors=True)
    cli("generate", capture, "--quiet", "--ranks", "2", "--steps", "4", "--layers", "2", "--plant", "gc-pause=40")
    slices, other = evidence_of_first_finding(capture)
    for language in LOOKS:
        os.makedirs(os.path.join(keep, language), exist_ok=True)
        walk_in(screen, keep, language, capture, slices, other)


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
