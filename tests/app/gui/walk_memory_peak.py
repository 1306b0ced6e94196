#!/usr/bin/env python3
"""What holds the memory at the peak: answered with the mouse and a few keys, in both languages and themes.

    walk_memory_peak.py [--keep FOLDER]

The page Memory is chosen, the first row of what is alive at the peak is asked for its allocations, the first of these for its place in
the timeline, which shows the slice that SQL names. A step back leads to the memory again. Takes ALTI_GUI and ALTI_CLI.
"""

import sys

from walk_support import DETAILS, generated, rows, run_walks

# At the walks' size: the tab, the curves, and the first row below them.
TAB, CURVES, FIRST_ROW = (498, 61), (390, 130, 1100, 345), (400, 596)
TABS = {"en": TAB, "zh_CN": (432, 64)}


def answer(capture):
    """By SQL alone: the operator that holds most when the pool is fullest, its first allocation, and the slice that made it."""
    at = rows(capture, "SELECT ts FROM memory_sample WHERE rank_id = 0 AND component = 'PTA+GE' ORDER BY allocated DESC, ts LIMIT 1")[0]["ts"]
    alive = f"FROM allocation WHERE rank_id = 0 AND alloc_ts <= {at} AND (release_ts IS NULL OR release_ts > {at})"
    name = rows(capture, f"SELECT name {alive} GROUP BY name ORDER BY sum(size) DESC LIMIT 1")[0]["name"]
    first = rows(capture, f"SELECT alloc_ts {alive} AND name = '{name}' LIMIT 1")[0]["alloc_ts"]
    slices = rows(capture, "SELECT slice_id FROM slice JOIN track USING (track_id) WHERE track.rank_id = 0 AND kind IN ('python', 'cann') AND "
                  f"slice.name = '{name}' AND ts <= {first} AND ts + dur > {first} ORDER BY dur LIMIT 1")
    return slices[0]["slice_id"]


def walk_in(stage, capture, slice_id):
    wanted = stage.details_of(capture, slice_id)
    with stage.window(capture) as step:
        overview = step.shot("overview").part(CURVES)
        step.click(*TABS[stage.language])
        step.until("the memory", lambda: step.picture().part(CURVES) != overview)
        memory = step.shot("memory").part(CURVES)
        step.click(*FIRST_ROW)
        step.key("Return")
        step.shot("its_allocations")
        step.key("Home", "Return")
        step.until("the timeline", lambda: step.picture().part(CURVES) != memory)
        step.until_shown("the slice that allocated what holds most", wanted)
        step.shot("timeline")
        step.key("alt+Left")
        step.until("the memory again", lambda: step.picture().part(DETAILS) != wanted)
        step.shot("back")


def prepare(keep):
    capture = generated(keep, "--ranks", "2", "--steps", "4", "--layers", "2", "--plant", "leak=600000000")
    return capture, answer(capture)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
