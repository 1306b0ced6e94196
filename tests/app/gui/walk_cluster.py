#!/usr/bin/env python3
"""Which rank makes the job slow: from the sentence and the grid of ranks to the timeline and back, in both languages and themes.

    walk_cluster.py [--keep FOLDER]

The page Cluster is opened by its key; the cause in its sentence leads to the evidence above the timeline; in the grid a rank is chosen
by arrows and opened by Enter. A step back leads to the grid each time. Takes ALTI_GUI and ALTI_CLI.
"""

import sys

from walk_support import generated, rows, run_walks

# At the walks' size: the grid below the sentence.
GRID = (390, 190, 1100, 300)
RANKS, SLOW = 4, 2


def walk_in(stage, capture):
    with stage.window(capture) as step:
        overview = step.shot("overview").part(GRID)
        step.key("ctrl+7")
        step.until("the grid", lambda: step.picture().part(GRID) != overview)
        grid = step.shot("grid").part(GRID)
        # Links of the sentence take part in the order of Tab.
        step.key("shift+Tab", "shift+Tab", "shift+Tab")
        step.key("ctrl+7", "Right", "Right")
        step.until("a chosen rank", lambda: step.picture().part(GRID) != grid)
        chosen = step.shot("chosen").part(GRID)
        step.key("Return")
        step.until("the timeline", lambda: step.picture().part(GRID) != chosen)
        timeline = step.shot("timeline").part(GRID)
        step.key("ctrl+7")
        step.until("the grid again", lambda: step.picture().part(GRID) == chosen)
        step.shot("grid_again")
        assert timeline != grid


def prepare(keep):
    capture = generated(keep, "--ranks", str(RANKS), "--steps", "2", "--layers", "2", "--plant", f"slow-rank={SLOW}:60")
    first = rows(capture, "SELECT rule, rank_id FROM finding")[0]
    assert first == {"rule": "slow_rank", "rank_id": SLOW}, first
    return (capture,)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
