#!/usr/bin/env python3
"""Two runs of one name get names and a group of the user's, and one of their processes is shifted: by keys, kept in a workspace.

    walk_names.py [--keep FOLDER]

In both languages. What is checked is the title, the pictures, and the file that is saved; the captures are never written to. Takes ALTI_GUI
and ALTI_CLI.
"""

import json
import os
import sys

from walk_support import generated, run_walks

# The line that searches, the first row of the tree, and the name of the first rank beside the timeline.
SEARCH, FIRST_ROW, RANK = (160, 58), (120, 82), (400, 197)
TREE, TRACKS = (0, 240, 318, 560), (600, 205, 1240, 560)


def saved(step, file, is_new=False):
    """What the workspace file holds after Ctrl+S."""
    before = None if is_new else os.stat(file).st_mtime_ns
    step.key("ctrl+s")
    if is_new:
        step.until("the question for a name", lambda: step.xdotool("getactivewindow", check=False) != step.window)
        step.xdotool("key", "ctrl+a")
        step.xdotool("type", "--delay", 5, file)
        step.xdotool("key", "Return")
    step.until("the file", lambda: os.path.exists(file) and os.stat(file).st_mtime_ns != before)
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def answer(step, text):
    step.until("the question", lambda: step.xdotool("getactivewindow", check=False) not in ("", step.window))
    step.xdotool("key", "ctrl+a")
    step.xdotool("type", "--delay", 5, text)
    step.xdotool("key", "Return")
    step.until("the window again", lambda: step.xdotool("getactivewindow", check=False) == step.window)


def walk_in(stage):
    words = ("--ranks", "2", "--steps", "2", "--layers", "1")
    first, second = (generated(os.path.join(stage.folder, side), *words, name="run") for side in ("old", "new"))
    file = os.path.join(stage.folder, "names.altiscope")
    with stage.window("--view", "timeline", first, second) as step:
        step.until("folders told apart", lambda: step.title().startswith("run · new"))
        step.shot("opened")
        step.click(*FIRST_ROW)
        step.until("the first capture", lambda: step.title().startswith("run · old"))
        step.key("F2")
        step.xdotool("key", "ctrl+a")
        step.xdotool("type", "--delay", 5, "before the change")
        step.xdotool("key", "Return")
        step.until("its name", lambda: step.title().startswith("before the change"))
        # The menu of the row: a group of its own.
        step.key("Menu")
        step.key("g", "n")
        answer(step, "tp 8")
        grouped = step.shot("grouped").part(TREE)
        step.click(*SEARCH)
        step.xdotool("type", "--delay", 20, "before")
        step.until("fewer rows", lambda: step.picture().part(TREE) != grouped)
        step.key("Escape")
        step.until("all rows", lambda: step.picture().part(TREE) == grouped)
        state = saved(step, file, is_new=True)
        assert [(one.get("alias"), one.get("group")) for one in state["captures"]] == [("before the change", "tp 8"), (None, None)], state

        # Nothing blinks there.
        step.click(*RANK)
        tracks = step.settled().part(TRACKS)
        step.key("Menu")
        step.key("t")
        answer(step, "1 ms")
        step.until("the rank elsewhere", lambda: step.picture().part(TRACKS) != tracks)
        step.shot("shifted")
        moved = saved(step, file)["pages"]["timeline"]["moved"]
        assert [one["by"] for one in moved] == [1_000_000], moved
    # It comes back as it was saved.
    with stage.window(file, title="^names – before the change – Altiscope$") as step:
        step.until("the names", lambda: "*" not in step.title())
        step.shot("again")


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in))
