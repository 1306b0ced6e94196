#!/usr/bin/env python3
"""A walk through the window as a person takes it: an X server, a window manager, real keys and a real mouse.

    walk_window.py [--keep FOLDER]

Opens a capture, zooms and pans with keys, clicks a slice, switches theme and language, opens and closes panels, and looks at
the screen after each step. The program has no hooks for this: all that counts is what stands on the screen, in the title,
and in the files that it leaves. Takes ALTI_GUI and ALTI_SOURCE_DIR; with ALTI_SHARED_DATA it walks through a real capture.
"""

import os
import subprocess
import sys

from walk_support import Walk, run_walk

SIZE = (1280, 800)
LIGHT, DARK = (255, 255, 255), (0x16, 0x18, 0x1D)
# The canvas of the timeline right of tree and track names, below ruler and tabs.
CANVAS = (560, 160, 1230, 500)


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


def walk(screen, keep):
    shared = os.path.abspath(os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "torch_text", "level1"))
    real = os.path.isdir(shared)
    capture = shared if real else os.path.join(os.environ["ALTI_SOURCE_DIR"], "tests", "golden", "torch_two_ranks", "capture")
    name = os.path.basename(capture)
    config = os.path.join(keep, "config")
    environment = {**screen.environment, "XDG_CONFIG_HOME": config, "XDG_CACHE_HOME": os.path.join(keep, "cache"),
                   "LC_ALL": "C.UTF-8"}
    with open(os.path.join(keep, "program.txt"), "wb") as log:
        program = subprocess.Popen([os.environ["ALTI_GUI"], capture, "--view", "timeline", "--size", f"{SIZE[0]}x{SIZE[1]}", "--language", "en",
                                    "--theme", "light"], env=environment, stdout=log, stderr=log)
    step = Walk(screen, program, keep)
    try:
        walk_window(step, name)
    finally:
        if program.poll() is None:
            program.kill()
        program.wait()
    with open(os.path.join(keep, "program.txt"), encoding="utf-8", errors="replace") as log:
        complaints = [line for line in log if "QObject" in line or "ASSERT" in line or "QPainter" in line]
    assert not complaints, complaints
    with open(os.path.join(config, "altiscope", "altiscope.ini"), encoding="utf-8") as settings:
        text = settings.read()
    assert "theme=dark" in text and "language=zh_CN" in text, text
    assert capture in text, "the capture stands in the list of recent ones"


def walk_window(step, name):
    step.find_window(f"^{name} – Altiscope$")
    opened = step.shot("opened")
    assert opened.share(LIGHT, CANVAS) > 0.2, "a light canvas"
    slices = opened.part(CANVAS)

    # Keys of the timeline, pointer on the canvas: the picture changes, and comes back.
    centre = ((CANVAS[0] + CANVAS[2]) // 2, (CANVAS[1] + CANVAS[3]) // 2)
    step.xdotool("mousemove", "--window", step.window, *centre)
    step.key("w", "w", "w")
    zoomed = step.shot("zoomed_in")
    assert zoomed.part(CANVAS) != slices, "W zooms in"
    step.key("d", "d")
    assert step.shot("panned").part(CANVAS) != zoomed.part(CANVAS), "D pans"
    step.key("ctrl+0")
    whole = step.shot("whole_run")
    step.key("BackSpace")
    assert step.settled().part(CANVAS) != whole.part(CANVAS), "Backspace goes back to the view before"
    step.key("ctrl+0")

    # A click selects; the details panel below tells about it.
    panel = (340, 600, 1270, 770)
    before = step.settled().part(panel)
    step.click(*find_slice(step.settled()))
    selected = step.shot("selected")
    assert selected.part(panel) != before, "a click on a slice fills the details"
    step.key("Escape")
    assert step.settled().part(panel) != selected.part(panel), "Escape clears the selection"
    step.key("alt+Left")
    assert step.settled().part(panel) == selected.part(panel), "the selection before comes back"

    # The bottom panel goes and comes with Q.
    step.key("q")
    hidden = step.shot("without_panel")
    assert hidden.part((340, 640, 1270, 740)) != selected.part((340, 640, 1270, 740)), "Q hides the panel"
    step.key("q")
    step.settled()

    # Theme and language change while it runs.
    step.command("theme", "dark")
    dark = step.shot("dark")
    assert dark.share(DARK, (340, 60, 1270, 780)) > 0.2, "a dark window"
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

    # Closing the capture empties the window; Ctrl+Q ends the program.
    step.key("ctrl+w")
    step.until("an empty window", lambda: step.title() == "Altiscope")
    step.shot("closed")
    step.key("ctrl+q")
    step.until_ended()


if __name__ == "__main__":
    sys.exit(run_walk(walk, __doc__))
