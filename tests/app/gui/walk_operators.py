#!/usr/bin/env python3
"""Which operator costs most, and where is it called from: answered with the mouse and a few keys, in both languages.

    walk_operators.py [--keep FOLDER]

The page Operators is chosen and the first row of its statistics; what calls its kernels is listed, and the first of
these leads to the timeline, which shows the slice that SQL names. A step back leads to the operators again. In both
themes as well. Takes ALTI_GUI, ALTI_CLI and, for a real capture, ALTI_SHARED_DATA; without that a generated one is walked.
"""

import sys

from walk_support import rows, run_walks, shared_or_generated

# At the size of the walks: the page, the first row of the statistics and of the callers.
PAGE = (330, 130, 1270, 760)
FIRST_ROW = {"en": (420, 188), "zh_CN": (420, 199)}
FIRST_CALLER = {"en": (420, 558), "zh_CN": (420, 568)}
TABS = {"en": (645, 61), "zh_CN": (521, 64)}


UP = ("WITH RECURSIVE up(bottom, slice_id, level) AS (SELECT slice_id, slice_id, 0 FROM slice WHERE slice_id IN ({}) "
      "UNION ALL SELECT bottom, parent_id, level + 1 FROM up JOIN slice USING (slice_id) WHERE parent_id IS NOT NULL) "
      "SELECT bottom, slice_id, name FROM up JOIN slice USING (slice_id) ORDER BY bottom, level")
# Lines of frameworks are no lines of the user's program.
FRAMEWORKS = ("torch/", "torch_npu/", "mindspore/", "mindspore_gs/", "nn.Module", "<")


def stacks(capture, slices):
    """By slice: it and what is around it, from the inside."""
    found = {}
    for row in rows(capture, UP.format(",".join(map(str, slices)))):
        found.setdefault(row["bottom"], []).append(row)
    return found


def first_in(stack, wanted):
    return next((frame for frame in stack if wanted(frame["name"])), None)


def is_line(name):
    return ".py(" in name


def is_module(name):
    return name.startswith("nn.Module")


def answer(capture):
    """By SQL alone: of the type with the most time the call site with the most, and the line of Python above its longest
    kernel. The backward pass runs on a thread without Python: its line is that of the forward operator."""
    first = rows(capture, "SELECT type, accelerator_core AS core FROM kernel WHERE kind = 'compute' "
                          "GROUP BY 1, 2 ORDER BY sum(dur) DESC LIMIT 1")[0]
    kernels = rows(capture, "SELECT dur, operator_slice_id AS slice FROM kernel WHERE kind = 'compute' AND "
                            f"type = '{first['type']}' AND accelerator_core = '{first['core']}' AND "
                            "operator_slice_id IS NOT NULL")
    above = stacks(capture, {kernel["slice"] for kernel in kernels})
    forward = {flow["to_slice"]: flow["from_slice"] for flow in
               rows(capture, "SELECT from_slice, to_slice FROM flow WHERE category = 'fwdbwd' AND from_slice IS NOT NULL")}
    of_forward = stacks(capture, set(forward.values()) | {0})
    sites = {}
    for kernel in kernels:
        own = python = above[kernel["slice"]]
        if not first_in(own, is_line):
            python = next((of_forward[forward[frame["slice_id"]]] for frame in own if frame["slice_id"] in forward), [])
        line = first_in(python, is_line)
        program = first_in(python, lambda name: is_line(name) and not name.startswith(FRAMEWORKS))
        module = first_in(own, is_module) or first_in(python, is_module)
        site = tuple(frame and frame["name"] for frame in (own[0], line, program, module))
        sites.setdefault(site, []).append((kernel["dur"], line["slice_id"]))
    return max(max(sites.values(), key=lambda site: sum(length for length, _ in site)))[1]


def walk_in(stage, capture, slice_id):
    wanted = stage.details_of(capture, slice_id)
    with stage.window(capture) as step:
        overview = step.shot("overview").part(PAGE)
        step.click(*TABS[stage.language])
        step.until("the operators", lambda: step.picture().part(PAGE) != overview)
        step.shot("operators")
        step.click(*FIRST_ROW[stage.language])
        page = step.shot("its_kernels").part(PAGE)
        # The menu of the row: its second entry is where they were called from.
        step.key("Menu")
        step.key("Down", "Down", "Return")
        step.until("the callers", lambda: step.picture().part(PAGE) != page)
        callers = step.shot("called_from").part(PAGE)
        step.click(*FIRST_CALLER[stage.language])
        step.key("Home", "Return")
        step.until("the timeline", lambda: step.picture().part(PAGE) != callers)
        step.until_shown("the line that called what costs most", wanted)
        landed = step.shot("timeline").part(PAGE)
        step.key("alt+Left")
        step.until("the operators again", lambda: step.picture().part(PAGE) != landed)
        step.shot("back")


def prepare(keep):
    capture = shared_or_generated(keep, "--ranks", "2", "--steps", "3", "--layers", "2")
    return capture, answer(capture)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
