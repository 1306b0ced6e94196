#!/usr/bin/env python3
"""A question that no page answers: asked in SQL by keys alone, and its row followed to the timeline, in both languages.

    walk_sql.py [--keep FOLDER]

The page SQL is open; a statement is typed and run, and Return on its only row leads to the timeline, which shows the slice that the
command line names. A step back leads to the statement again. In both themes as well. Takes ALTI_GUI and
ALTI_CLI; a generated capture is walked.
"""

import os
import sys

from walk_support import generated, rows, run_walks

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


def walk_in(stage, capture, slice_id):
    wanted = stage.details_of(capture, slice_id)
    with stage.window("--view", "sql", capture) as step:
        empty = rows_at_rest(step, "1_empty")
        step.xdotool("type", "--delay", 20, QUESTION)
        step.key("Escape")  # the completion
        step.key("ctrl+Return")
        step.until("its row", lambda: step.picture().part(ROWS) != empty)
        rows_at_rest(step, "2_row")
        before = step.picture().part(PAGE)
        step.key("ctrl+j", "Home", "Return")
        step.until("the timeline", lambda: step.picture().part(PAGE) != before)
        step.until_shown("the slice of the row", wanted)
        landed = step.shot("timeline").part(PAGE)
        step.key("alt+Left")
        step.until("the statement again", lambda: step.picture().part(PAGE) != landed)
        rows_at_rest(step, "4_back")


def prepare(keep):
    capture = generated(keep, "--ranks", "2", "--steps", "2", "--layers", "2")
    return capture, rows(capture, QUESTION)[0]["slice_id"]


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
