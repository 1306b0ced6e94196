#!/usr/bin/env python3
"""The first walk through the window, as someone without a capture takes it, in both languages and themes.

    walk_first_steps.py [--keep FOLDER]

The demo is opened; five bubbles come one after the other by Enter and by the mouse, the third on the evidence of the slow rank. It does
not come back when the demo is opened again, but from the menu, and Escape leaves it while keys go to the timeline. Takes ALTI_GUI.
"""

import sys

from walk_support import run_walks

# The frame of what a bubble points at, and of the keyboard's focus.
ACCENTS = {"en": (0x1F, 0x5F, 0xD0), "zh_CN": (0x7A, 0xA8, 0xFF)}
# The words of the third bubble, at the walks' size.
BUBBLE = (330, 145, 660, 230)
DEMO, GUIDED_TOUR = {"en": "Open demo", "zh_CN": "打开演示"}, {"en": "Guided tour", "zh_CN": "入门导览"}


def frames(picture, colour):
    """Horizontal lines of that colour that are at least 100 pixels long, as left, y, right: the frame is two pixels wide."""
    found = []
    line = bytes(colour) * 100
    for y in range(picture.height - 1):
        row = picture.part((0, y, picture.width, y + 1))
        start = row.find(line)
        while start >= 0 and start % 3:
            start = row.find(line, start + 1)
        if start < 0:
            continue
        end = start
        while row[end:end + 3] == bytes(colour):
            end += 3
        found.append((start // 3, y, end // 3))
    return found


def is_framed(picture, colour):
    """Whether something has a frame of two pixels: two lines above each other, and two below these."""
    lines = frames(picture, colour)
    return sum((left, y + 1, right) in lines for left, y, right in lines) >= 2


def walk_in(stage):
    language, colour = stage.language, ACCENTS[stage.language]
    with stage.window(title="^Altiscope$") as step:
        step.command(DEMO[language])
        step.until("the first bubble", lambda: is_framed(step.picture(), colour))
        stops = [step.shot("stop_1")]
        for number in range(2, 6):
            step.key("Return")
            step.until("the next bubble", lambda: step.picture().pixels != stops[-1].pixels)
            stops.append(step.shot(f"stop_{number}"))
            assert is_framed(stops[-1], colour), f"stop {number} points at something"
        assert len({stop.pixels for stop in stops}) == 5
        # Back by the keyboard, and the evidence again.
        step.key("Left", "Left")
        back = step.shot("back_to_3")
        assert back.part(BUBBLE) == stops[2].part(BUBBLE), "Left goes back"
        step.key("Escape")
        left = step.shot("left")
        assert left.part(BUBBLE) != back.part(BUBBLE), "Escape leaves it"
        # Keys are the timeline's: no box takes the letters.
        step.key("w", "w")
        step.until("the timeline zooms", lambda: step.picture().pixels != left.pixels)
        step.shot("zoomed")

    # In a later run it comes from the menu alone.
    with stage.window(title="^Altiscope$") as step:
        empty = step.settled()
        step.command(DEMO[language])
        step.until("the demo", lambda: "demo" in step.title())
        step.until("the overview", lambda: step.settled().pixels != empty.pixels)
        assert not is_framed(step.shot("no_walk"), colour), "it never comes back by itself"
        step.command(GUIDED_TOUR[language])
        step.until("the walk from the menu", lambda: is_framed(step.picture(), colour))
        step.shot("from_menu")


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in))
