#!/usr/bin/env python3
"""Which rank makes the job slow: from the sentence and the grid of ranks to the timeline and back, in both languages and themes.

    walk_cluster.py [--keep FOLDER]

The page Cluster is opened by its key; in the grid a rank is chosen by arrows and opened by Enter, and its key leads back to it. The cause
in its sentence leads to the evidence above the timeline. Takes ALTI_GUI and ALTI_CLI.
"""

import sys

from walk_support import generated, rows, run_walks

# At the walks' size: the grid below the sentence, the first cause, and the line of its finding above the tabs.
GRID, BAR = (390, 190, 1100, 300), (322, 50, 1270, 130)
CAUSE = {"en": (430, 105), "zh_CN": (430, 117)}
RANKS, SLOW = 4, 2


def walk_in(stage, capture):
    with stage.window(capture) as step:
        overview = step.shot("overview").part(GRID)
        step.key("ctrl+7")
        step.until("the grid", lambda: step.picture().part(GRID) != overview)
        grid = step.shot("grid").part(GRID)
        step.key("Right", "Right")
        step.until("a chosen rank", lambda: step.picture().part(GRID) != grid)
        chosen = step.shot("chosen").part(GRID)
        step.key("Return")
        step.until("the timeline", lambda: step.picture().part(GRID) != chosen)
        step.shot("timeline")
        step.key("ctrl+7")
        step.until("the grid again", lambda: step.picture().part(GRID) == chosen)
        bar = step.shot("grid_again").part(BAR)
        step.click(*CAUSE[stage.language])
        step.until("the text above the timeline", lambda: step.picture().part(BAR) != bar)
        step.until("the timeline", lambda: step.picture().part(GRID) != chosen)
        step.shot("evidence")


def prepare(keep):
    capture = generated(keep, "--ranks", str(RANKS), "--steps", "2", "--layers", "2", "--plant", f"slow-rank={SLOW}:60")
    first = rows(capture, "SELECT rule, rank_id FROM finding")[0]
    assert first == {"rule": "slow_rank", "rank_id": SLOW}, first
    return (capture,)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
