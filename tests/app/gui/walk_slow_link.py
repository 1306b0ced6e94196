#!/usr/bin/env python3
"""Which link is slowest: answered with the mouse and a few keys, in both languages and themes.

    walk_slow_link.py [--keep FOLDER]

The page Communication is chosen; the first of its links lists its calls, the slowest first; that one leads to its place in the
timeline, which shows the slice that SQL names. A step back leads to the links again. Takes ALTI_GUI, ALTI_CLI and, for a
real capture, ALTI_SHARED_DATA; without that a generated one is walked, one link of which is slow.
"""

import sys

from walk_support import rows, run_walks, shared_or_generated

# At the walks' size: the tab, the matrix, and a row below it.
TABS, MATRIX, ROW = {"en": (740, 61), "zh_CN": (564, 64)}, (390, 210, 1100, 345), (400, 597)


def answer(capture):
    """By SQL alone: the link between two ranks with the lowest bandwidth, its slowest single call, and that one's slice."""
    link = rows(capture, "SELECT rank_id, group_name, src_local, dst_local FROM link WHERE selection = 'total' AND "
                         "src_local <> dst_local GROUP BY 1, 2, 3, 4 ORDER BY 1.0 * sum(size) / sum(transit) LIMIT 1")[0]
    # Ranks within a group have numbers of their own in each.
    name = rows(capture, f"SELECT op_name FROM link WHERE rank_id = {link['rank_id']} AND selection <> 'total' AND "
                         f"src_local = {link['src_local']} AND dst_local = {link['dst_local']} AND "
                         f"group_name = '{link['group_name']}' ORDER BY 1.0 * size / transit LIMIT 1")[0]["op_name"]
    slices = rows(capture, "SELECT slice_id FROM slice JOIN track USING (track_id) WHERE kind = 'communication' AND "
                           f"track.rank_id = {link['rank_id']} AND slice.name = '{name}'")
    assert len(slices) == 1, slices
    return slices[0]["slice_id"]


def walk_in(stage, capture, slice_id):
    wanted = stage.details_of(capture, slice_id)
    with stage.window(capture) as step:
        overview = step.shot("overview").part(MATRIX)
        step.click(*TABS[stage.language])
        step.until("the matrix", lambda: step.picture().part(MATRIX) != overview)
        step.shot("matrix")
        step.click(*ROW)
        step.key("Home")
        links = step.shot("slowest_link").part(MATRIX)
        step.key("Return")
        step.shot("its_calls")
        step.key("Home", "Return")
        step.until("the timeline", lambda: step.picture().part(MATRIX) != links)
        step.until_shown("the slowest call of the slowest link", wanted)
        step.shot("timeline")
        step.key("alt+Left")
        step.until("the links again", lambda: step.picture().part(MATRIX) == links)
        step.shot("back")


def prepare(keep):
    capture = shared_or_generated(keep, "--ranks", "4", "--steps", "1", "--layers", "2", "--plant", "slow-link=2-3")
    return capture, answer(capture)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
