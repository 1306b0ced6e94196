#!/usr/bin/env python3
"""A walk through the window as a person takes it: an X server, a window manager, real keys and a real mouse.

    walk_window.py [--keep FOLDER]

Opens a capture, zooms and pans with keys, clicks a slice, switches theme and language, opens and closes panels, and
looks at the screen after each step. The program has no hooks for this: all that counts is what stands on the screen, in
the title, and in the files that it leaves. Where the timeline stands is asked with K, which keeps the time under the
pointer as a mark, and compared with what SQL says. Takes ALTI_GUI and ALTI_CLI; with ALTI_SHARED_DATA it walks through
a real capture, without through a generated one.
"""

import json
import os
import sys

from walk_support import rows, run_walks, shared_or_generated

# What each part of a light colour is above, and of a dark one below.
LIGHT, DARK = 225, 70
# The canvas of the timeline right of tree and track names, below tabs, steps and ruler.
CANVAS = (560, 195, 1230, 500)


def share_of(picture, box, fits):
    left, top, right, bottom = box
    places = [(x, y) for x in range(left, right, 7) for y in range(top, bottom, 3)]
    return sum(fits(picture.at(x, y)) for x, y in places) / len(places)


def find_slice(picture):
    """A place within a slice of the canvas: where a colour that is no background goes on for some pixels."""
    left, top, right, bottom = CANVAS
    for y in range(top, bottom, 3):
        run = 0
        for x in range(left + 1, right):
            same = picture.at(x, y) == picture.at(x - 1, y)
            colour = picture.at(x, y)
            run = run + 1 if same and max(colour) - min(colour) > 40 else 0
            if run == 14:
                return x - 7, y
    raise AssertionError("no slice is drawn")


class Marks:
    """The file in which the program keeps marks, as an instrument: where in time a place of the window is."""

    def __init__(self, step, capture, config):
        self.step, self.capture, self.path = step, capture, os.path.join(config, "altiscope", "marks.json")

    def all(self):
        """Begin and end of each, in ns."""
        try:
            with open(self.path, encoding="utf-8") as file:
                return [(mark["begin"], mark["end"]) for mark in json.load(file).get(self.capture, [])]
        except FileNotFoundError:
            return []

    def set(self):
        """Sets one and returns it."""
        before = self.all()
        self.step.key("k")
        after = self.step.until("a mark", lambda: len(self.all()) > len(before) and self.all())
        for mark in before:
            after.remove(mark)
        return after[0]

    def time_at(self, x):
        self.step.xdotool("mousemove", "--window", self.step.window, x, (CANVAS[1] + CANVAS[3]) // 2)
        begin, end = self.set()
        assert begin == end, "without a marked range the mark is a moment"
        return begin

    def in_sight(self):
        """The times at the sides of the canvas."""
        return self.time_at(CANVAS[0]), self.time_at(CANVAS[2])


def walk_in(stage, capture):
    config = os.path.join(stage.folder, "config")
    with stage.window(capture, "--view", "timeline", title=f"^{os.path.basename(capture)} – Altiscope$") as step:
        walk_window(step, capture, Marks(step, capture, config))
    with open(stage.log, encoding="utf-8", errors="replace") as log:
        complaints = [line for line in log if "QObject" in line or "ASSERT" in line or "QPainter" in line]
    assert not complaints, complaints
    with open(os.path.join(config, "altiscope", "altiscope.ini"), encoding="utf-8") as settings:
        text = settings.read()
    assert "theme=dark" in text and "language=zh_CN" in text, text
    assert capture in text, "the capture stands in the list of recent ones"


def walk_window(step, capture, marks):
    opened = step.shot("opened")
    assert share_of(opened, CANVAS, lambda colour: min(colour) > LIGHT) > 0.3, "a light canvas"
    move_in_time(step, capture, marks)
    selected = select_a_slice(step, capture, marks)

    # The bottom panel goes and comes with Q.
    step.key("q")
    hidden = step.shot("without_panel")
    assert hidden.part((340, 640, 1270, 740)) != selected.part((340, 640, 1270, 740)), "Q hides the panel"
    step.key("q")
    step.settled()

    # Theme and language change while it runs.
    step.command("theme", "dark")
    dark = step.shot("dark")
    assert share_of(dark, (340, 60, 1270, 780), lambda colour: max(colour) < DARK) > 0.5, "a dark window"
    english = dark.part((320, 24, 1270, 46))
    step.command("view", "language", down=1)
    chinese = step.shot("dark_chinese")
    assert chinese.part((320, 24, 1270, 46)) != english, "the tabs are Chinese now"

    # Each page by its key.
    page = (340, 60, 1270, 530)
    last = chinese
    for digit in "1345":
        step.key(f"ctrl+{digit}")
        step.until("another page", lambda: step.picture().part(page) != last.part(page))
        last = step.shot(f"page_{digit}")
    step.key("ctrl+2")

    # Closing the capture empties the window.
    step.key("ctrl+w")
    step.until("an empty window", lambda: step.title() == "Altiscope")
    step.shot("closed")


def move_in_time(step, capture, marks):
    """Timeline shortcuts, pointer on the canvas: the times in sight are those that the keys promise."""
    run = rows(capture, "SELECT min(ts) AS begin, max(ts + dur) AS end FROM slice")[0]
    # It opens on the steps where they are less than half of the run.
    step.key("ctrl+0")
    step.settled()
    left, right = marks.in_sight()
    pixel = (right - left) / (CANVAS[2] - CANVAS[0])
    length = run["end"] - run["begin"]
    assert left - run["begin"] < 0.2 * length > run["end"] - right, ("the whole run is in sight", run, left, right)
    assert right - left > 0.6 * length, ("the run fills the window", run, left, right)

    middle = marks.time_at((CANVAS[0] + CANVAS[2]) // 2)
    step.key("w", "w", "w")
    assert abs(marks.time_at((CANVAS[0] + CANVAS[2]) // 2) - middle) <= 2 * pixel, "W zooms in at the pointer"
    near_left, near_right = marks.in_sight()
    zoomed = near_right - near_left
    assert abs(zoomed - 0.75 ** 3 * (right - left)) <= 4 * pixel, (zoomed, right - left)
    step.shot("zoomed_in")
    step.key("d", "d")
    panned_left, panned_right = marks.in_sight()
    step.shot("panned")
    assert abs(panned_right - panned_left - zoomed) <= 4 * pixel, "D keeps the length"
    # Twice a tenth of the window, which is a little wider than what is measured here.
    assert 0.2 * zoomed < panned_left - near_left < 0.25 * zoomed, ("D pans", near_left, panned_left, zoomed)
    step.key("ctrl+0")
    assert marks.in_sight() == (left, right), "Ctrl+0 shows the whole run"
    step.shot("whole_run")
    step.key("BackSpace")
    assert marks.in_sight() == (panned_left, panned_right), "Backspace goes back to the view before"
    step.key("ctrl+0")


def select_a_slice(step, capture, marks):
    """A click selects the slice that stands at its place in time; the details panel below tells about it. The picture of it."""
    panel = (340, 600, 1270, 770)
    before = step.settled()
    x, y = find_slice(before)
    clicked = marks.time_at(x)
    step.click(x, y)
    selected = step.shot("selected")
    assert selected.part(panel) != before.part(panel), "a click on a slice fills the details"
    step.key("m")
    begin, end = marks.set()
    found = rows(capture, f"SELECT count(*) AS slices FROM slice WHERE ts = {begin} AND ts + dur = {end}")[0]
    assert found["slices"] > 0 and begin <= clicked <= end, ("M marks the slice that was clicked", begin, clicked, end)
    step.key("m", "Escape")
    assert step.settled().part(panel) != selected.part(panel), "Escape clears the selection"
    step.key("alt+Left")
    assert step.settled().part(panel) == selected.part(panel), "the selection before comes back"
    return selected


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, lambda keep: (shared_or_generated(keep, "--ranks", "2", "--steps", "3", "--layers", "2"),),
                       [("en",)]))
