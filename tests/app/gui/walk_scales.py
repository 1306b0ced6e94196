#!/usr/bin/env python3
"""The timeline on screens of high density, with a real mouse: what is clicked is what stands under the pointer.

    walk_scales.py [--keep FOLDER]

At the scales 1.5 and 2 a capture is opened at a slice; the wheel zooms around the pointer, a click on the slice tells of it, a drag
marks what it covers, a track is pinned, and the slice is found by its name. Takes ALTI_GUI and ALTI_CLI.
"""

import sys

from walk_support import Walk, generated, rows, run_walks

SCALES = (1.5, 2)
# In units of the scale: the window, and at this size the canvas, the names of tracks below the rank and the process that stay
# in sight, where the line to find by comes to stand, the details of a slice, and their tab.
SIZE = (1040, 700)
CANVAS, HEADER, FIND_LINE = (552, 174, 1020, 398), (324, 207, 543, 398), (324, 78, 1030, 106)
DETAILS, DETAILS_TAB = (324, 472, 666, 664), (348, 451)
TEXT, ACCENT = bytes((0x1B, 0x1D, 0x21)), bytes((0x1F, 0x5F, 0xD0))


class ScaledWalk(Walk):
    """Places are given in units of the scale; what is found in pictures is in pixels, as the mouse is."""

    def pixels(self, *units):
        return tuple(round(unit * self.scale) for unit in units)

    def part(self, box):
        return self.picture().part(self.pixels(*box))

    def outline(self, picture):
        """The frame around the selected slice, as pixels left, top, right, bottom: the long lines in the colour of texts."""
        left, top, right, bottom = self.pixels(*CANVAS)
        line = TEXT * round(50 * self.scale)
        found = []
        for y in range(top, bottom):
            row = picture.part((left, y, right, y + 1))
            start = row.find(line)
            if start >= 0:
                end = start
                while row[end:end + 3] == TEXT:
                    end += 3
                found.append((left + start // 3, y, left + end // 3))
        assert found, "no slice is selected"
        return found[0][0], found[0][1], found[0][2], found[-1][1] + 1

    def has_line(self, picture, x):
        """Whether a line of the marked range stands within two pixels of x, on most of the canvas's height."""
        top, bottom = self.pixels(CANVAS[1], CANVAS[3])
        shares = [sum(picture.part((near, y, near + 1, y + 1)) == ACCENT for y in range(top, bottom)) / (bottom - top) for near in range(x - 2, x + 3)]
        return max(shares) > 0.6

    def drag(self, start, end):
        self.xdotool("mousemove", "--window", self.window, *start, "mousedown", 1)
        for part in range(1, 6):
            self.xdotool("mousemove", "--window", self.window, *(a + (b - a) * part // 5 for a, b in zip(start, end)))
        self.xdotool("mouseup", 1)


def walk_timeline(step, name):
    opened = step.shot("opened")
    assert (opened.width, opened.height) == step.pixels(*SIZE), (opened.width, opened.height)
    wanted = opened.part(step.pixels(*DETAILS))
    left, top, right, bottom = step.outline(opened)

    # The wheel: what stands at the pointer stays there, all else moves away from it.
    step.xdotool("mousemove", "--window", step.window, left + 1, (top + bottom) // 2, "keydown", "ctrl", "click", 4, "keyup", "ctrl")
    nearer = step.outline(step.shot("wheel"))
    assert abs(nearer[0] - left) <= 3 * step.scale, (left, nearer)
    assert abs((nearer[2] - nearer[0]) - (right - left) * 1.25) <= 6 * step.scale, (left, right, nearer)
    assert nearer[1::2] == (top, bottom), "rows stay where they are"

    # A click on the slice tells of it; beside it there is nothing.
    step.key("shift+z")
    left, top, right, bottom = step.outline(step.shot("zoomed"))
    middle = ((left + right) // 2, (top + bottom) // 2)
    step.key("Escape")
    step.until("nothing is selected", lambda: step.part(DETAILS) != wanted)
    step.click(middle[0], bottom + round(30 * step.scale))
    assert step.shot("beside").part(step.pixels(*DETAILS)) != wanted, "below the slice there is none"
    step.click(*middle)
    step.until("a click tells of the slice", lambda: step.part(DETAILS) == wanted)
    step.click(middle[0], top - round(12 * step.scale))
    step.until("a click on the slice above tells of that one", lambda: step.part(DETAILS) != wanted)

    # Found by its name from wherever one looks. The line's cursor blinks, so nothing waits for rest here.
    step.key("Escape", "ctrl+0")
    closed = step.settled().part(step.pixels(*FIND_LINE))
    step.key("f")
    step.until("the line to find by", lambda: step.part(FIND_LINE) != closed)
    step.xdotool("type", "--delay", 20, name.split("method ")[1].rstrip(">"))
    step.key("Return")
    step.click(*step.pixels(*DETAILS_TAB))
    step.until("the details of what was found", lambda: step.part(DETAILS) == wanted)
    step.click(*step.pixels(FIND_LINE[0] + 40, (FIND_LINE[1] + FIND_LINE[3]) // 2))
    step.key("Escape", "shift+z")
    left, top, right, bottom = step.outline(step.shot("found"))

    # A box from one place to another: its sides stand where the mouse was.
    start, end = (left + (right - left) // 4, (top + bottom) // 2), (left + (right - left) // 2, top - round(40 * step.scale))
    step.drag(start, end)
    boxed = step.shot("box")
    assert step.has_line(boxed, start[0]) and step.has_line(boxed, end[0]), "the sides of the box"
    assert not step.has_line(boxed, (start[0] + end[0]) // 2), "nothing between them"
    # The search ends first.
    step.key("Escape", "Escape")
    step.until("the box is gone", lambda: not step.has_line(step.picture(), start[0]))

    # The pin at the right end of a track's name, which shows while the pointer is there.
    pin = step.pixels(HEADER[2] - 12, HEADER[1] + 8)
    step.xdotool("mousemove", "--window", step.window, *pin)
    before = step.settled().part(step.pixels(*CANVAS))
    step.click(*pin)
    step.until("the track is pinned", lambda: step.part(CANVAS) != before)
    pinned = step.shot("pinned").part(step.pixels(*HEADER))
    step.key("u")
    step.until("the track is no longer at the top", lambda: step.part(HEADER) != pinned)


def walk_in(stage, capture, target):
    with stage.window(capture, "--view", "timeline", "--select", str(target["slice_id"]), title="^generated – Altiscope$", size=SIZE,
                      kind=ScaledWalk) as step:
        walk_timeline(step, target["name"])


def prepare(keep):
    capture = generated(keep, "--ranks", "1", "--steps", "2", "--layers", "1")
    found = rows(capture, "SELECT name, MIN(slice_id) AS slice_id FROM slice WHERE name LIKE '%poll of select.poll object at 0x%' "
                          "GROUP BY name HAVING COUNT(*) = 1 ORDER BY name LIMIT 1")
    return capture, found[0]


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare, [("en", scale) for scale in SCALES], "2100x1500"))
