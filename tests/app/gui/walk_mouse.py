#!/usr/bin/env python3
"""The seven questions of walk_keys.py, answered by mouse alone.

    walk_mouse.py [--keep FOLDER] [--stage LANGUAGE,SCALE,THEME]

The capture is one of those that were opened lately. Takes ALTI_GUI and ALTI_CLI.
"""

import os
import sys

from walk_keys import DIFFERENCE, PAGE, marks_a_step, prepare, until_changed
from walk_slow_rank import stands_above
from walk_support import UnitWalk, run_walks

# At the walks' size. Rows below the pictures of most pages are at one height, in both languages.
RECENT, FINDING, CLOSE, ROW, ALLOCATION = (653, 435), (1000, 185), (1259, 64), (400, 597), (400, 594)
TABS = {"en": {"overview": (358, 61), "memory": (498, 61), "operators": (645, 61), "links": (740, 61), "snapshot": (569, 61)},
        "zh_CN": {"overview": (341, 67), "memory": (438, 67), "operators": (521, 67), "links": (564, 67), "snapshot": (480, 67)}}
# The costliest type, what its menu says of callers, and the first of these.
COSTLIEST, CALLERS, CALLER = {"en": (420, 188), "zh_CN": (420, 199)}, (60, 32), {"en": (420, 558), "zh_CN": (420, 568)}
# Of the matrix, from rank 0 to rank 1; what is below; the tab of the link's calls there, and the first of them.
LINK, LINKS = (600, 190), (330, 580, 920, 740)
CALLS_TAB, CALL = {"en": (425, 503), "zh_CN": (402, 507)}, {"en": (400, 582), "zh_CN": (400, 590)}
DIFFERENCE_TAB, FROM_HERE = {"en": (718, 469), "zh_CN": (594, 475)}, {"en": (780, 501), "zh_CN": (770, 507)}
# The choices of ranks, devices and steps.
FILTERS = (330, 28, 720, 52)
# Of a step above the ruler, and of the snapshot's picture.
STEP, MOMENTS = (800, 138), ((700, 400), (1000, 400))
# Beside the slices of a thread that is expanded.
NOTHING = (900, 410)


def double(step, place):
    step.click(*place, times=2)


def walk_in(stage, capture, slices):
    holder, operator, link = (stage.details_of(capture, slice_id) for slice_id in slices)
    language, theme, tabs = stage.language, stage.theme, TABS[stage.language]
    with stage.window(capture, title=f"^{os.path.basename(capture)} – Altiscope$") as step:
        step.settled()
    with stage.window(title="^Altiscope$", kind=UnitWalk) as step:
        step.settled()
        double(step, RECENT)
        step.until("the capture", lambda: step.title().startswith(os.path.basename(capture)))
        step.shot("overview")

        step.click(*FINDING)
        step.until("the slow rank's finding", lambda: stands_above(step.picture(), theme))
        step.shot("slow_rank")
        step.click(*CLOSE)
        step.until("no finding", lambda: not stands_above(step.picture(), theme))

        step.click(*tabs["overview"])
        step.shot("overview_again")
        double(step, ROW)
        step.until("a marked step", lambda: marks_a_step(step.picture(), theme))
        step.shot("long_step")
        # A click limits all pages to the step and a second one, no double one, to none; one beside all slices takes the
        # mark of the row's time away.
        shown = step.shot("marked").part(FILTERS)
        step.click(*STEP)
        shown = until_changed(step, "one step alone", shown, FILTERS)
        step.click(*STEP)
        until_changed(step, "all steps", shown, FILTERS)
        step.click(*NOTHING)
        step.until("no marked step", lambda: not marks_a_step(step.picture(), theme))
        shown = step.shot("no_mark").part(PAGE)

        step.click(*tabs["memory"])
        shown = until_changed(step, "the memory", shown)
        double(step, ROW)
        until_changed(step, "its allocations", shown)
        double(step, ALLOCATION)
        step.until_shown("the slice that holds most", holder)
        shown = step.shot("holder").part(PAGE)

        step.click(*tabs["operators"])
        shown = until_changed(step, "the operators", shown)
        step.click(*COSTLIEST[language], button=3)
        until_changed(step, "its menu", shown)
        step.click(*(at + by for at, by in zip(COSTLIEST[language], CALLERS)))
        until_changed(step, "their callers", shown)
        double(step, CALLER[language])
        step.until_shown("the line that costs most", operator)
        shown = step.shot("line").part(PAGE)

        step.click(*tabs["links"])
        until_changed(step, "the links", shown)
        shown = step.picture().part(LINKS)
        step.click(*LINK)
        until_changed(step, "the slowest link's row", shown, LINKS)
        step.click(*CALLS_TAB[language])
        step.shot("its_calls")
        double(step, CALL[language])
        step.until_shown("the slowest link", link)
        shown = step.shot("link").part(PAGE)

        step.click(*tabs["snapshot"])
        until_changed(step, "the snapshot", shown)
        step.click(*MOMENTS[0])
        step.click(*DIFFERENCE_TAB[language])
        shown = step.shot("difference").part(DIFFERENCE)
        step.click(*FROM_HERE[language])
        shown = until_changed(step, "from this moment", shown, DIFFERENCE)
        step.click(*MOMENTS[1])
        until_changed(step, "to another", shown, DIFFERENCE)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare, [("zh_CN",)]))
