"""What walks that answer a question share: the answer by SQL, the program in a language and its theme, and what it shows of a slice."""

import json
import os
import subprocess

from walk_support import Walk

SIZE = (1280, 800)
LOOKS = {"en": "light", "zh_CN": "dark"}
# Below the timeline, at this size.
DETAILS = (340, 640, 1260, 775)


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
    """The details below the timeline, as the program shows them when it is told the slice."""
    shown = started(screen, keep, language, "--view", "timeline", "--select", str(slice_id), capture)
    beside = Walk(screen, shown, os.path.join(keep, language))
    try:
        beside.find_window("Altiscope$")
        return beside.shot(f"slice_{slice_id}").part(DETAILS)
    finally:
        shown.kill()
        shown.wait()
