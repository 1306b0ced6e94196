#!/usr/bin/env python3
"""The first minute with a capture, as a person takes it, in both languages and themes.

    walk_first_minute.py [--keep FOLDER]

A folder is dropped on the empty window, the overview is read, the first finding is clicked, and the timeline shows its evidence:
the slice that SQL names for the finding. A step back leads to the overview. Takes ALTI_GUI, ALTI_CLI and ALTI_DRAG_SOURCE.
"""

import json
import os
import subprocess
import sys

from walk_support import generated, rows, run_walks

# At the walks' size: the bars of the steps, and the findings beside them.
BARS, FINDINGS = (390, 130, 870, 420), (900, 130, 1260, 420)
# Of computing time and of errors.
COLOURS = {"en": ((0x60, 0xAA, 0xF3), (0xB3, 0x26, 0x1E)), "zh_CN": ((0x4D, 0x97, 0xDE), (0xFF, 0x8A, 0x80))}


def evidence_of_first_finding(capture):
    """Slice ids of the first finding, and one of another slice."""
    findings = rows(capture, "SELECT rule, evidence FROM finding")
    slices = json.loads(findings[0]["evidence"])["slices"]
    assert findings[0]["rule"] == "gc_pause" and slices, findings[:1]
    other = rows(capture, f"SELECT slice_id FROM slice WHERE slice_id NOT IN ({','.join(map(str, slices))}) LIMIT 1")
    return slices, other[0]["slice_id"]


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


def walk_in(stage, capture, slices, other):
    computing, error = COLOURS[stage.language]
    wanted = stage.details_of(capture, slices[0])
    assert wanted != stage.details_of(capture, other), "another slice looks different"
    with stage.window(title="^Altiscope$") as step:
        step.shot("empty")
        drop(step, capture)
        overview = step.shot("overview")
        assert overview.share(computing, BARS) > 0.05, "bars of computing time"
        x, y = place_of(overview, error, FINDINGS)
        step.click(x + 100, y + 4)
        step.until("the timeline", lambda: step.picture().share(computing, BARS) < 0.02)
        step.until_shown("the slice that the finding names", wanted)
        step.shot("evidence")
        step.key("alt+Left")
        assert step.shot("back").share(computing, BARS) > 0.05, "a step back leads to the overview"


def prepare(keep):
    capture = generated(keep, "--ranks", "2", "--steps", "4", "--layers", "2", "--plant", "gc-pause=40", name="planted")
    return capture, *evidence_of_first_finding(capture)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
