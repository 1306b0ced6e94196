#!/usr/bin/env python3
"""A question that no page answers: asked in SQL by keys alone, and its row followed to the timeline, in both languages.

    walk_sql.py [--keep FOLDER]

The page SQL is open; a statement is typed and run, and Return on its only row leads to the timeline, which shows the slice that the
command line names. A step back leads to the statement again. In both themes as well. Takes ALTI_GUI and
ALTI_CLI; a generated capture is walked.
"""

import os
import shutil
import sys

from walk_answers import LOOKS, cli, details_of, rows, started, until_shown
from walk_support import Walk, run_walk

# At the size of the walks: the page, and the rows, where no caret blinks.
PAGE = (330, 130, 1270, 760)
ROWS = (330, 330, 1000, 760)
QUESTION = "SELECT slice_id, name FROM slice WHERE name LIKE 'hcom%' ORDER BY dur DESC LIMIT 1"


def rows_at_rest(step, name):
    """Their picture once it stays the same while nobody works on another."""
    seen = []

    def rests():
        is_busy, now = step.is_busy(), step.picture()
        same = seen and now.part(ROWS) == seen[-1].part(ROWS) and not is_busy
        seen[:] = [*seen, now] if same else [now]
        return len(seen) > 4
    step.until(f"{name}: the rows rest", rests)
    seen[-1].save(os.path.join(step.keep, f"{name}.png"))
    return seen[-1].part(ROWS)


def walk_in(screen, keep, language, capture, slice_id):
    wanted = details_of(screen, keep, language, capture, slice_id)
    program = started(screen, keep, language, "--view", "sql", capture)
    step = Walk(screen, program, os.path.join(keep, language))
    try:
        step.find_window("Altiscope$")
        empty = rows_at_rest(step, "1_empty")
        step.key("ctrl+a")  # what was written in the other language is kept
        step.xdotool("type", "--delay", 20, QUESTION)
        step.key("Escape")  # the completion
        step.key("ctrl+Return")
        step.until("its row", lambda: step.picture().part(ROWS) != empty)
        rows_at_rest(step, "2_row")
        before = step.picture().part(PAGE)
        step.key("ctrl+j", "Home", "Return")
        step.until("the timeline", lambda: step.picture().part(PAGE) != before)
        until_shown(step, "the slice of the row", wanted)
        landed = step.shot("timeline").part(PAGE)
        step.key("alt+Left")
        step.until("the statement again", lambda: step.picture().part(PAGE) != landed)
        rows_at_rest(step, "4_back")
        step.key("ctrl+q")
        step.until_ended()
    finally:
        program.kill()
        program.wait()


def walk(screen, keep):
    capture = os.path.join(keep, "generated")
    shutil.rmtree(capture, ignore_errors=True)
    cli("generate", capture, "--quiet", "--ranks", "2", "--steps", "2", "--layers", "2")
    slice_id = rows(capture, QUESTION)[0]["slice_id"]
    for language in LOOKS:
        os.makedirs(os.path.join(keep, language), exist_ok=True)
        walk_in(screen, keep, language, capture, slice_id)


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
