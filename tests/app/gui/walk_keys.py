#!/usr/bin/env python3
"""Seven questions, answered by keys alone.

    walk_keys.py [--keep FOLDER] [--stage LANGUAGE,SCALE,THEME]

The first minute with a capture; which rank is slow; why is this step long; who holds the memory; which operator costs most, and from
which line; which link is slow; what changed between two moments. Where a question ends at a slice, it is the one that SQL names.
Takes ALTI_GUI and ALTI_CLI.
"""

import os
import sys

import walk_memory_peak
import walk_operators
import walk_slow_link
from walk_slow_rank import stands_above
from walk_support import UnitWalk, generated, rows, run_walks

# At the walks' size: the page, the length of what is marked in the timeline, the difference below a snapshot.
PAGE, LENGTH, DIFFERENCE = (330, 130, 1270, 760), (885, 177, 930, 187), (330, 560, 960, 740)
ACCENTS = {"light": (0x1F, 0x5F, 0xD0), "dark": (0x7A, 0xA8, 0xFF)}
SLOW = 2


def prepare(keep):
    """A capture, and the slices that hold most, cost most and are slowest."""
    capture = generated(keep, "--ranks", "4", "--steps", "3", "--layers", "2", "--format", "text", "--format", "snapshot",
                        "--plant", f"slow-rank={SLOW}:60", "--plant", "leak=600000000", "--plant", "slow-link=0-1:2")
    first = rows(capture, "SELECT rule, rank_id FROM finding")[0]
    assert first == {"rule": "slow_rank", "rank_id": SLOW}, first
    return capture, [module.answer(capture) for module in (walk_memory_peak, walk_operators, walk_slow_link)]


def until_changed(step, what, before, box=PAGE):
    """Another picture of a part of the window, once it rests."""
    step.until(what, lambda: step.picture().part(box) != before)
    return step.shot(what.replace(" ", "_")).part(box)


def marks_a_step(picture, theme):
    """Whether the length of a marked time that fills the canvas stands in its middle."""
    return picture.share(ACCENTS[theme], LENGTH) > 0.3


def walk_in(stage, capture, slices):
    theme = stage.theme
    holder, operator, link = (stage.details_of(capture, slice_id) for slice_id in slices)
    with stage.window(title="^Altiscope$", kind=UnitWalk) as step:
        step.key("ctrl+o")
        step.until("the question for a folder", lambda: step.xdotool("getactivewindow", check=False) not in ("", step.window))
        step.xdotool("type", "--delay", 5, capture)
        step.key("Return")
        step.until("the capture", lambda: step.title().startswith(os.path.basename(capture)))
        shown = step.shot("overview").part(PAGE)

        # The first finding has the keys.
        step.key("Return")
        step.until("the slow rank's finding", lambda: stands_above(step.picture(), theme))
        step.shot("slow_rank")
        step.key("Escape", "Escape")
        step.until("no finding", lambda: not stands_above(step.picture(), theme))

        step.key("ctrl+1", "ctrl+f", "Return", "Home", "Return")
        step.until("a marked step", lambda: marks_a_step(step.picture(), theme))
        shown = step.shot("long_step").part(PAGE)
        step.key("Escape")

        step.key("ctrl+3")
        until_changed(step, "the memory", shown)
        step.key("ctrl+f", "Return", "Home", "Return")
        step.shot("allocations")
        step.key("Home", "Return")
        step.until_shown("the slice that holds most", holder)
        shown = step.shot("holder").part(PAGE)

        step.key("ctrl+5")
        shown = until_changed(step, "the operators", shown)
        step.key("Home", "Menu", "Down", "Down", "Return")
        until_changed(step, "their callers", shown)
        step.key("Home", "Return")
        step.until_shown("the line that costs most", operator)
        shown = step.shot("line").part(PAGE)

        step.key("ctrl+6")
        until_changed(step, "the links", shown)
        step.key("ctrl+f", "Return", "Home", "Return")
        step.shot("its_calls")
        step.key("Home", "Return")
        step.until_shown("the slowest link", link)
        shown = step.shot("link").part(PAGE)

        step.key("ctrl+4", "p")
        until_changed(step, "the snapshot", shown)
        step.key("Tab", *["Right"] * 6, "Tab", "Tab", "Tab")
        shown = step.shot("difference").part(DIFFERENCE)
        step.key("space")
        shown = until_changed(step, "from this moment", shown, DIFFERENCE)
        step.key(*["comma"] * 9)
        until_changed(step, "to another", shown, DIFFERENCE)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare, [("en",)]))
