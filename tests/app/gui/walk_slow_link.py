#!/usr/bin/env python3
"""Which link is slowest: answered with the mouse and a few keys, in both languages and themes.

    walk_slow_link.py [--keep FOLDER]

The page Communication is chosen; the first of its links is asked for its calls, the first of these for its place in the
timeline, which shows the slice that SQL names. A step back leads to the links again. Takes ALTI_GUI, ALTI_CLI and, for a
real capture, ALTI_SHARED_DATA; without that a generated one is walked, one link of which is slow.
"""

import os
import shutil
import sys

from walk_answers import LOOKS, cli, details_of, rows, started, until_shown
from walk_support import Walk, run_walk

# At the walks' size: the tab, the matrix, and a row below it.
TABS, MATRIX, ROW = {"en": (740, 61), "zh_CN": (564, 64)}, (390, 210, 1100, 345), (400, 597)


def answer(capture):
    """By SQL alone: the link between two ranks with the lowest bandwidth, its first single call, and that one's slice."""
    link = rows(capture, "SELECT rank_id, group_name, src_local, dst_local FROM link WHERE selection = 'total' AND "
                         "src_local <> dst_local ORDER BY 1.0 * size / transit LIMIT 1")[0]
    # Ranks within a group have numbers of their own in each.
    name = rows(capture, f"SELECT op_name FROM link WHERE rank_id = {link['rank_id']} AND selection <> 'total' AND "
                         f"src_local = {link['src_local']} AND dst_local = {link['dst_local']} AND "
                         f"group_name = '{link['group_name']}' LIMIT 1")[0]["op_name"]
    slices = rows(capture, "SELECT slice_id FROM slice JOIN track USING (track_id) WHERE kind = 'communication' AND "
                           f"track.rank_id = {link['rank_id']} AND slice.name = '{name}'")
    assert len(slices) == 1, slices
    return slices[0]["slice_id"]


def walk_in(screen, keep, language, capture, slice_id):
    wanted = details_of(screen, keep, language, capture, slice_id)
    program = started(screen, keep, language, capture)
    step = Walk(screen, program, os.path.join(keep, language))
    try:
        step.find_window("Altiscope$")
        overview = step.shot("overview").part(MATRIX)
        step.click(*TABS[language])
        step.until("the matrix", lambda: step.picture().part(MATRIX) != overview)
        step.shot("matrix")
        step.click(*ROW)
        step.key("Home")
        links = step.shot("slowest_link").part(MATRIX)
        step.key("Return")
        step.shot("its_calls")
        step.key("Home", "Return")
        step.until("the timeline", lambda: step.picture().part(MATRIX) != links)
        until_shown(step, "the first call of the slowest link", wanted)
        step.shot("timeline")
        step.key("alt+Left")
        step.until("the links again", lambda: step.picture().part(MATRIX) == links)
        step.shot("back")
        step.key("ctrl+q")
        step.until_ended()
    finally:
        program.kill()
        program.wait()


def walk(screen, keep):
    capture = os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "torch_text", "level1")
    if not os.path.isdir(capture):
        capture = os.path.join(keep, "generated")
        shutil.rmtree(capture, ignore_errors=True)
        cli("generate", capture, "--quiet", "--ranks", "4", "--steps", "1", "--layers", "2", "--plant",
            "slow-link=2-3")
    slice_id = answer(capture)
    for language in LOOKS:
        os.makedirs(os.path.join(keep, language), exist_ok=True)
        walk_in(screen, keep, language, capture, slice_id)


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
