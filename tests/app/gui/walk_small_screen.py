#!/usr/bin/env python3
"""A screen of high density that has room for 840 x 525 units: the window stays within it, by the keyboard alone.

    walk_small_screen.py [--keep FOLDER]

Started without a size at scale 2 on 1680 x 1050. A finding is opened, and each page is looked at while its text stays above; then the
manual and the list of keys. Takes ALTI_GUI and ALTI_CLI.
"""

import re
import sys

from walk_support import generated, run_walks

SCREEN = (1680, 1050)
PAGES = 9
# Of the window manager, in pixels.
TITLE = 20
# Below the tabs, in pixels.
PAGE = (300, 420, 1600, 900)


def is_within(step, window):
    """Whether a window has no more pixels than the screen has beside its frame. The tool tells the place of one in a frame wrongly."""
    lines = step.xdotool("getwindowgeometry", "--shell", window).split("\n")
    size = {name: int(value) for name, value in (line.split("=") for line in lines)}
    fits = size["WIDTH"] <= SCREEN[0] - 2 and size["HEIGHT"] <= SCREEN[1] - TITLE
    if not fits:
        print(f"{size['WIDTH']} x {size['HEIGHT']} pixels", file=sys.stderr)
    return fits


def walk_in(stage, capture):
    with stage.window("--view", "findings", capture, size=None) as step:
        before = step.shot("findings").part(PAGE)
        assert is_within(step, step.window), "the first window"
        step.key("ctrl+8", "Home", "Return")
        step.until("the evidence", lambda: step.picture().part(PAGE) != before)
        for page in range(1, PAGES + 1):
            step.key(f"ctrl+{page}")
            step.shot(f"page_{page}")
            assert is_within(step, step.window), f"page {page} with a finding above"
        for key, title in (("F1", "Manual|手册"), ("question", "Timeline shortcuts|时间线快捷键")):
            step.key("ctrl+2", key)
            step.until(key, lambda: re.search(title, step.xdotool("getactivewindow", "getwindowname", check=False)))
            assert is_within(step, step.xdotool("getactivewindow")), title
            step.key("Escape")
            step.until("the window again", lambda: step.xdotool("getactivewindow", check=False) == step.window)


def prepare(keep):
    return (generated(keep, "--ranks", "4", "--steps", "2", "--layers", "2", "--plant", "slow-rank=2:60"),)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare, [("en", 2), ("zh_CN", 2)], f"{SCREEN[0]}x{SCREEN[1]}"))
