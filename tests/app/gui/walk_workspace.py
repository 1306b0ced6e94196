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

from walk_answers import LOOKS, cli, started
from walk_support import Walk, run_walk

# The tracks of the timeline, where nothing blinks.
TRACKS = (600, 230, 1240, 560)


def checksum(folder):
    total = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        total.update(str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b""))
    return total.hexdigest()


def in_window(screen, keep, language, words, act, asks_first=False):
    program = started(screen, keep, language, *words)
    step = Walk(screen, program, os.path.join(keep, language))
    try:
        step.find_window("Altiscope$", asks_first)
        return act(step)
    finally:
        program.kill()
        program.wait()


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


def walk_in(screen, keep, language):
    place = os.path.join(keep, language, "place")
    shutil.rmtree(place, ignore_errors=True)
    capture, file = os.path.join(place, "data", "run"), os.path.join(place, "notes", "monday.altiscope")
    os.makedirs(os.path.dirname(file))
    # Other data in each language: what was opened lately is found without a question.
    cli("generate", capture, "--quiet", "--ranks", "2", "--steps", "2", "--layers", "2", "--seed", str(len(language)))
    before = checksum(capture)

    def save(step):
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
        step.key("ctrl+q")
        step.until_ended()
        return shown
    shown = in_window(screen, keep, language, ("--view", "timeline", capture), save)
    assert json.load(open(file, encoding="utf-8"))["captures"][0]["path"] == "../data/run"

    moved = os.path.join(place, "elsewhere", "run")
    os.makedirs(os.path.dirname(moved))
    shutil.move(capture, moved)

    def open_again(step):
        step.until("the question for the data", lambda: step.xdotool("getactivewindow", check=False) not in ("", step.window))
        step.xdotool("type", "--delay", 5, moved)
        step.xdotool("key", "Return")
        step.until("the capture in the title", lambda: "run" in step.title())
        step.until("the picture of before", lambda: step.picture().part(TRACKS) == shown)
        rests(step, "3_again")
        assert "*" not in step.title(), step.title()
        step.key("ctrl+q")
        step.until_ended()
    in_window(screen, keep, language, (file,), open_again, asks_first=True)
    assert checksum(moved) == before, "the capture has changed"


def walk(screen, keep):
    for language in LOOKS:
        os.makedirs(os.path.join(keep, language), exist_ok=True)
        walk_in(screen, keep, language)


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
