"""What walks that answer a question share: the answer by SQL, the program in a language and its theme, and what it shows of a slice."""

import json
import os
import subprocess

from walk_support import Picture

SIZE = (1280, 800)
LOOKS = {"en": "light", "zh_CN": "dark"}
# Below the timeline, at this size: its first facts. A line above the pages may move them down a little.
DETAILS, MOVED = (330, 570, 660, 735), range(25)


def cli(*arguments):
    return subprocess.run([os.environ["ALTI_CLI"], *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def rows(capture, sql):
    return json.loads(cli("query", capture, "--no-cache", "--format", "json", "--sql", sql))


def started(screen, keep, language, *arguments):
    environment = {**screen.environment, "XDG_CONFIG_HOME": os.path.join(keep, "config"), "XDG_CACHE_HOME": os.path.join(keep, "cache"),
                   "LC_ALL": "C.UTF-8"}
    with open(os.path.join(keep, "program.txt"), "ab") as log:
        return subprocess.Popen([os.environ["ALTI_GUI"], "--size", f"{SIZE[0]}x{SIZE[1]}", "--language", language, "--theme",
                                 LOOKS[language], *arguments], env=environment, stdout=log, stderr=log)


def details_of(screen, keep, language, capture, slice_id):
    """The details below the timeline, as the program's own picture of its window shows them when it is started with the slice."""
    path = os.path.join(keep, language, f"slice_{slice_id}.png")
    program = started(screen, keep, language, "--view", "timeline", "--select", str(slice_id), "--screenshot", path, capture)
    assert program.wait(timeout=300) == 0, program.returncode
    return Picture(subprocess.run(["convert", path, "-depth", "8", "ppm:-"], check=True, capture_output=True).stdout).part(DETAILS)


def until_shown(step, what, details):
    """Waits until what stands below the timeline is what details_of() gave."""
    left, top, right, bottom = DETAILS

    def is_shown():
        picture = step.picture()
        return any(picture.part((left, top + down, right, bottom + down)) == details for down in MOVED)

    step.until(what, is_shown)
