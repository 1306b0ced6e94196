#!/usr/bin/env python3
"""A workspace goes to a colleague: saved by keys, its capture moved to another folder, opened again, and shows the same picture.

    walk_workspace.py [--keep FOLDER]

In both languages. The dialog that asks for the data is answered by typing; the capture is never written to. Takes ALTI_GUI and ALTI_CLI.
"""

import hashlib
import json
import os
import pathlib
import shutil
import sys

from walk_support import generated, run_walks

# The tracks of the timeline, where nothing blinks.
TRACKS = (600, 230, 1240, 560)


def checksum(folder):
    total = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        total.update(str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b""))
    return total.hexdigest()


def rests(step, name):
    """The tracks once they stay the same."""
    seen = []

    def same():
        is_busy, now = step.is_busy(), step.picture()
        last = seen[-1] if seen else None
        seen[:] = [*seen, now] if last and now.part(TRACKS) == last.part(TRACKS) and not is_busy else [now]
        return len(seen) > 5
    step.until(f"{name}: the tracks rest", same)
    seen[-1].save(os.path.join(step.keep, f"{name}.png"))
    return seen[-1].part(TRACKS)


def walk_in(stage):
    place = os.path.join(stage.folder, "place")
    file, moved = os.path.join(place, "notes", "monday.altiscope"), os.path.join(place, "elsewhere", "run")
    for path in (file, moved):
        os.makedirs(os.path.dirname(path))
    capture = generated(os.path.join(place, "data"), "--ranks", "2", "--steps", "2", "--layers", "2", name="run")
    before = checksum(capture)
    with stage.window("--view", "timeline", capture) as step:
        first = rests(step, "1_opened")
        for _ in range(4):
            step.key("w")  # zoom
        step.until("another picture", lambda: step.picture().part(TRACKS) != first)
        shown = rests(step, "2_zoomed")
        step.key("ctrl+s")
        step.until("the question for a name", lambda: step.xdotool("getactivewindow", check=False) != step.window)
        step.xdotool("key", "ctrl+a")
        step.xdotool("type", "--delay", 5, file)
        step.xdotool("key", "Return")
        step.until("the file", lambda: os.path.exists(file))
        step.until("its name in the title", lambda: step.title().startswith("monday"))
        step.until("the checksum in the file", lambda: json.load(open(file, encoding="utf-8"))["captures"][0]["identity"])
    assert json.load(open(file, encoding="utf-8"))["captures"][0]["path"] == "../data/run"

    shutil.move(capture, moved)
    with stage.window(file, asks_first=True) as step:
        step.until("the question for the data", lambda: step.xdotool("getactivewindow", check=False) not in ("", step.window))
        step.xdotool("type", "--delay", 5, moved)
        step.xdotool("key", "Return")
        step.until("the capture in the title", lambda: "run" in step.title())
        step.until("the picture of before", lambda: step.picture().part(TRACKS) == shown)
        rests(step, "3_again")
        assert "*" not in step.title(), step.title()
    assert checksum(moved) == before, "the capture has changed"


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in))
