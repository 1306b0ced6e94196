"""What walks through the window share: an X server with a window manager, real keys and a real mouse, pictures of the screen."""

import argparse
import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

# Seconds. Far beyond what any step takes, also where several builds share the machine.
PATIENCE = 120
SIZE = (1280, 800)
LOOKS = {"en": "light", "zh_CN": "dark"}
# Below the timeline, at this size: its first facts. A line above the pages may move them down a little.
DETAILS, MOVED = (330, 570, 660, 735), 25


def cli(*arguments):
    return subprocess.run([os.environ["ALTI_CLI"], *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def rows(capture, sql):
    return json.loads(cli("query", capture, "--no-cache", "--format", "json", "--sql", sql))


def generated(keep, *words, name="generated"):
    """A new capture of this name in a folder."""
    capture = os.path.join(os.path.abspath(keep), name)
    shutil.rmtree(capture, ignore_errors=True)
    cli("generate", capture, "--quiet", *words)
    return capture


def shared_or_generated(keep, *words):
    """A real capture, or without ALTI_SHARED_DATA a generated one."""
    capture = os.path.abspath(os.path.join(os.environ.get("ALTI_SHARED_DATA", ""), "torch_text", "level1"))
    return capture if os.path.isdir(capture) else generated(keep, *words)


class Picture:
    """A screen picture as rows of RGB. Places in it are given in units of this many pixels."""

    def __init__(self, ppm, unit=1):
        magic, size, depth, self.pixels = ppm.split(b"\n", 3)
        assert magic == b"P6" and depth == b"255", (magic, depth)
        self.width, self.height = map(int, size.split())
        self.unit = unit

    def at(self, x, y):
        start = (round(y * self.unit) * self.width + round(x * self.unit)) * 3
        return tuple(self.pixels[start:start + 3])

    def part(self, box):
        left, top, right, bottom = (round(place * self.unit) for place in box)
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


def spoken_letters():
    """The letters beyond ASCII that walks type: those of their scripts."""
    folder = os.path.dirname(os.path.abspath(__file__))
    letters = set()
    for name in os.listdir(folder):
        if name.startswith("walk_") and name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as script:
                letters |= {letter for letter in script.read() if letter.isalpha() and not letter.isascii()}
    return letters


def give_keys(display, letters):
    """Puts each letter on a key of its own before any program starts. A letter that no key has is put on one by xdotool as it types it,
    and taken away again: a program on a busy machine, which reads the new map later than the key, takes it for another letter."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XGetKeyboardMapping.restype = ctypes.POINTER(ctypes.c_ulong)
    connection = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    assert connection, "the server takes connections"
    first, last, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    x11.XDisplayKeycodes(connection, ctypes.byref(first), ctypes.byref(last))
    count = last.value - first.value + 1
    known = x11.XGetKeyboardMapping(connection, ctypes.c_ubyte(first.value), count, ctypes.byref(width))
    # Nobody presses keys for the volume and the like.
    free = [first.value + key for key in range(count) if 0x10080000 <= known[key * width.value] < 0x10090000]
    assert len(free) > len(letters), "each letter has a key of its own"
    for key, letter in zip(free, letters):
        symbols = (ctypes.c_ulong * 2)(*[0x01000000 | ord(letter)] * 2)  # Unicode's key symbols
        x11.XChangeKeyboardMapping(connection, key, 2, symbols, 1)
    x11.XSync(connection, 0)
    x11.XFree(known)
    x11.XCloseDisplay(connection)


class Screen:
    """Xvfb with openbox; ends both."""

    def __init__(self, log, size):
        reader, writer = os.pipe()
        # Not reset when its last client goes: the window manager could not connect meanwhile.
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
                                       pass_fds=[writer], stdout=log, stderr=log)
        os.close(writer)
        if not select.select([reader], [], [], 30)[0]:
            raise RuntimeError("Xvfb does not come up")
        # The line comes in pieces, and the server ends if nobody reads them all.
        with os.fdopen(reader, encoding="ascii") as number:
            self.display = ":" + number.readline().strip()
        give_keys(self.display, sorted(spoken_letters()))
        self.environment = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        self.manager = subprocess.Popen(["openbox", "--sm-disable"], env=self.environment, stdout=log, stderr=log)

    def close(self):
        for process in (self.manager, self.server):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


class Walk:
    # Pixels in a unit of the places that are clicked and looked at.
    unit = 1

    def __init__(self, screen, program, keep):
        self.screen, self.program, self.keep, self.step = screen, program, keep, 0
        self.window = None

    def xdotool(self, *arguments, check=True):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.screen.environment, check=check,
                              capture_output=True, text=True, timeout=60).stdout.strip()

    def until(self, what, condition):
        """Waits until a condition holds; the value that it gave."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise AssertionError(f"the program ended with {self.program.returncode} while waiting: {what}")
            value = condition()
            if value:
                return value
            time.sleep(0.1)
        self.picture().save(os.path.join(self.keep, "failed.png"))
        raise AssertionError(f"did not happen: {what} (picture: {self.keep}/failed.png)")

    def find_window(self, pattern, asks_first=False):
        """The window by its title; asks_first: a dialog in front of it has the focus."""
        self.window = self.until(f"a window named {pattern}", lambda: self.xdotool(
            "search", "--onlyvisible", "--name", pattern, check=False).split("\n")[0])

        def activated():
            # The window manager may come up after the window: until then it cannot be asked.
            self.xdotool("windowactivate", self.window, check=False)
            return self.xdotool("getactivewindow", check=False) == self.window
        if not asks_first:
            self.until("the window is active", activated)

    def title(self):
        return self.xdotool("getwindowname", self.window, check=False)

    def picture(self):
        if self.program.poll() is not None:  # The tool would wait for the window for ever.
            raise AssertionError(f"the program ended with {self.program.returncode}")
        return Picture(subprocess.run(["import", "-silent", "-window", self.window or "root", "-depth", "8", "ppm:-"],
                                      env=self.screen.environment, check=True, capture_output=True, timeout=60).stdout, self.unit)

    def is_busy(self):
        """Whether the program, or the server that brings it keys and shows its window, has work under its hands: on a loaded
        machine it may be long until that shows."""
        for process in (self.program, self.screen.server):
            tasks = f"/proc/{process.pid}/task"
            for task in os.listdir(tasks) if os.path.isdir(tasks) else ():
                try:
                    with open(f"{tasks}/{task}/stat", encoding="utf-8", errors="replace") as file:
                        if file.read().rpartition(")")[2].split()[0] in "RD":
                            return True
                except OSError:
                    pass  # The thread has ended.
        return False

    def settled(self):
        """A picture that stays the same for a moment while nobody works on another."""
        last, same, end = self.picture(), 0, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            time.sleep(0.15)
            is_busy, now = self.is_busy(), self.picture()
            if now.pixels != last.pixels:
                same = 0
            elif not is_busy:
                same += 1
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

    def click(self, x, y, button=1, times=1):
        self.xdotool("mousemove", "--window", self.window, round(x * self.unit), round(y * self.unit), "click", "--repeat", times,
                     "--delay", 50, button)

    def command(self, *words, down=0):
        """Runs a command of the menus by typing parts of its name; `down` goes on in the list of those that match."""
        self.key("ctrl+shift+p")
        self.until("the command palette", lambda: self.xdotool("getactivewindow", "getwindowname", check=False) in ("Commands", "命令"))
        text = " ".join(words)
        self.xdotool("type", "--delay", 20, text)
        self.key(*["Down"] * down, "Return")
        self.until("the command palette closes", lambda: not self.xdotool("search", "--onlyvisible", "--name", "^(Commands|命令)$",
                                                                          check=False))

    def until_shown(self, what, details):
        """Waits until what stands below the timeline is what Stage.details_of() gave."""
        left, top, right, bottom = DETAILS

        def is_shown():
            picture = self.picture()
            moved = (down / self.unit for down in range(round(MOVED * self.unit)))
            return any(picture.part((left, top + down, right, bottom + down)) == details for down in moved)

        self.until(what, is_shown)

    def until_ended(self):
        try:
            assert self.program.wait(timeout=PATIENCE) == 0, f"exit status {self.program.returncode}"
        except subprocess.TimeoutExpired as slow:
            raise AssertionError("Ctrl+Q does not end the program") from slow


class UnitWalk(Walk):
    """Places are given in units of the scale."""

    @property
    def unit(self):
        return self.scale


class Stage:
    """Where a walk takes place: a screen, a language, a scale, a theme (by default that of the language), and a folder for pictures
    and for what the program keeps."""

    def __init__(self, screen, keep, language, scale=1, theme=None):
        self.screen, self.keep, self.language, self.scale, self.theme = screen, keep, language, scale, theme or LOOKS[language]
        self.folder = os.path.join(keep, "_".join([language, *([str(scale)] if scale != 1 else ()), *([theme] if theme else ())]))
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        # What an earlier walk left behind when it was ended is not for this one to recover.
        own = {f"XDG_{name}_HOME": os.path.join(self.folder, name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        self.environment = {**screen.environment, **own, "XDG_CACHE_HOME": os.path.join(keep, "cache"), "LC_ALL": "C.UTF-8",
                            "QT_SCALE_FACTOR": str(scale)}
        self.log = os.path.join(self.folder, "program.txt")

    def started(self, *words, size=SIZE):
        own = ("--language", self.language, "--theme", self.theme, *(("--size", f"{size[0]}x{size[1]}") if size else ()))
        with open(self.log, "ab") as log:
            return subprocess.Popen([os.environ["ALTI_GUI"], *own, *words], env=self.environment, stdout=log, stderr=log)

    @contextlib.contextmanager
    def window(self, *words, title="Altiscope$", size=SIZE, asks_first=False, kind=Walk):
        """The program with these words of its command line, as a walk through its window. Ctrl+Q ends it when all is well."""
        program = self.started(*words, size=size)
        try:
            step = kind(self.screen, program, self.folder)
            step.scale = self.scale
            step.find_window(title, asks_first)
            yield step
            step.key("ctrl+q")
            step.until_ended()
        finally:
            program.kill()
            program.wait()

    def details_of(self, capture, slice_id):
        """The details below the timeline, as the program's own picture of its window shows them when it is started with the slice."""
        path = os.path.join(self.folder, f"slice_{slice_id}.png")
        program = self.started("--view", "timeline", "--select", str(slice_id), "--screenshot", path, capture)
        assert program.wait(timeout=300) == 0, program.returncode
        return Picture(subprocess.run(["convert", path, "-depth", "8", "ppm:-"], check=True, capture_output=True).stdout,
                       self.scale).part(DETAILS)


def run_walks(description, walk_in, prepare=lambda keep: (), stages=tuple((language,) for language in LOOKS), size="1600x1000"):
    """Runs walk_in(stage, *prepare(folder)) on a screen of its own, of this size in pixels: in each language with its theme, or where
    `stages` says, as what Stage takes; or where the command line says."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--keep", help="folder for the pictures; by default they are thrown away if all is well")
    options.add_argument("--stage", action="append", help="LANGUAGE,SCALE,THEME: there instead of where the test suite walks; may be repeated")
    words = options.parse_args()
    keep = words.keep
    if words.stage:
        parts = [stage.split(",") for stage in words.stage]
        stages = [(language, int(scale), theme) for language, scale, theme in parts]
        largest = max(scale for _, scale, _ in stages)
        size = "x".join(str(int(side) * largest) for side in size.split("x"))
    folder = os.path.abspath(keep or tempfile.mkdtemp(prefix="altiscope-walk-"))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "server.txt"), "wb") as log:
        screen = Screen(log, size)
        try:
            prepared = prepare(folder)
            for stage in stages:
                walk_in(Stage(screen, folder, *stage), *prepared)
        finally:
            screen.close()
    if not keep:
        shutil.rmtree(folder)
    return 0
