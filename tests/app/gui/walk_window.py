#!/usr/bin/env python3
"""A walk through the window as a person takes it: an X server, a window manager, real keys and a real mouse.

    walk_window.py [--keep FOLDER]

Opens a capture, zooms and pans with keys, clicks a slice, switches theme and language, opens and closes panels, and looks at
the screen after each step. The program has no hooks for this: all that counts is what stands on the screen, in the title,
and in the files that it leaves. Takes ALTI_GUI and ALTI_SOURCE_DIR; with ALTI_SHARED_DATA it walks through a real capture.
"""

import argparse
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SIZE = (1280, 800)
LIGHT, DARK = (255, 255, 255), (0x16, 0x18, 0x1D)
# The canvas of the timeline right of tree and track names, below ruler and tabs.
CANVAS = (560, 160, 1230, 500)


class Picture:
    """A screen picture as rows of RGB."""

    def __init__(self, ppm):
        magic, size, depth, self.pixels = ppm.split(b"\n", 3)
        assert magic == b"P6" and depth == b"255", (magic, depth)
        self.width, self.height = map(int, size.split())

    def at(self, x, y):
        start = (y * self.width + x) * 3
        return tuple(self.pixels[start:start + 3])

    def part(self, box):
        left, top, right, bottom = box
        return b"".join(self.pixels[(y * self.width + left) * 3:(y * self.width + right) * 3] for y in range(top, bottom))

    def share(self, colour, box):
        part = self.part(box)
        pixels = [tuple(part[i:i + 3]) for i in range(0, len(part), 3 * 7)]
        return pixels.count(colour) / len(pixels)

    def save(self, path):
        rows = b"".join(b"\0" + self.pixels[y * self.width * 3:(y + 1) * self.width * 3] for y in range(self.height))

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Screen:
    """Xvfb with openbox; ends both."""

    def __init__(self, log):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                                       pass_fds=[writer], stdout=log, stderr=log)
        os.close(writer)
        if not select.select([reader], [], [], 30)[0]:
            raise RuntimeError("Xvfb does not come up")
        # The line comes in pieces, and the server ends if nobody reads them all.
        with os.fdopen(reader, encoding="ascii") as number:
            self.display = ":" + number.readline().strip()
        self.environment = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        self.manager = subprocess.Popen(["openbox", "--sm-disable"], env=self.environment, stdout=log, stderr=log)

    def close(self):
        for process in (self.manager, self.server):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


class Walk:
    def __init__(self, screen, program, keep):
        self.screen, self.program, self.keep, self.step = screen, program, keep, 0
        self.window = None

    def xdotool(self, *arguments, check=True):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.screen.environment, check=check,
                              capture_output=True, text=True, timeout=60).stdout.strip()

    def until(self, what, condition, seconds=40):
        """Waits until a condition holds; the value that it gave."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise AssertionError(f"the program ended with {self.program.returncode} while waiting: {what}")
            value = condition()
            if value:
                return value
            time.sleep(0.1)
        self.picture().save(os.path.join(self.keep, "failed.png"))
        raise AssertionError(f"did not happen: {what} (picture: {self.keep}/failed.png)")

    def title(self):
        return self.xdotool("getwindowname", self.window, check=False)

    def picture(self):
        if self.program.poll() is not None:  # The tool would wait for the window for ever.
            raise AssertionError(f"the program ended with {self.program.returncode}")
        return Picture(subprocess.run(["import", "-silent", "-window", self.window or "root", "-depth", "8", "ppm:-"],
                                      env=self.screen.environment, check=True, capture_output=True, timeout=60).stdout)

    def settled(self):
        """A picture that stays the same for a moment, long enough for a slow machine to begin to change it."""
        last, same = self.picture(), 0
        for _ in range(150):
            time.sleep(0.15)
            now = self.picture()
            same = same + 1 if now.pixels == last.pixels else 0
            if same == 4:
                return now
            last = now
        raise AssertionError("the window does not come to rest")

    def shot(self, name):
        picture = self.settled()
        self.step += 1
        picture.save(os.path.join(self.keep, f"{self.step:02}_{name}.png"))
        print(f"{self.step:02} {name}", flush=True)
        return picture

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)

    def click(self, x, y, button=1):
        self.xdotool("mousemove", "--window", self.window, x, y, "click", button)

    def command(self, *words, down=0):
        """Runs a command of the menus by typing parts of its name; `down` goes on in the list of those that match."""
        self.key("ctrl+shift+p")
        self.until("the command palette", lambda: self.xdotool("search", "--onlyvisible", "--name", "^(Commands|命令)$", check=False))
        time.sleep(0.3)
        self.xdotool("type", "--delay", 20, " ".join(words))
        self.key(*["Down"] * down, "Return")
        self.until("the command palette closes", lambda: not self.xdotool("search", "--onlyvisible", "--name", "^(Commands|命令)$",
                                                                          check=False))

    def until_ended(self):
        try:
            assert self.program.wait(timeout=20) == 0, f"exit status {self.program.returncode}"
        except subprocess.TimeoutExpired as slow:
            raise AssertionError("Ctrl+Q does not end the program") from slow

    def find_slice(self, picture):
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
    pattern = f"^{name} – Altiscope$"
    step.window = step.until("the window with the capture's name", lambda: step.xdotool(
        "search", "--onlyvisible", "--name", pattern, check=False).split("\n")[0])
    step.xdotool("windowactivate", "--sync", step.window)
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
    step.click(*step.find_slice(step.settled()))
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


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keep", help="folder for the pictures; by default they are thrown away if all is well")
    keep = options.parse_args().keep
    folder = keep or tempfile.mkdtemp(prefix="altiscope-walk-")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "server.txt"), "wb") as log:
        screen = Screen(log)
        try:
            walk(screen, folder)
        finally:
            screen.close()
    if not keep:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
