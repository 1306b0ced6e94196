#!/usr/bin/env python3
"""Makes the pictures of the manual and of README.md from generated captures: pictures.py [--out FOLDER] [NAME...]

Without names all, in both languages and themes, as FOLDER/NAME-THEME-LANGUAGE.png with a palette. Each is a run of the window of its
own, by keys, on a screen that nobody sees; what it would remember from former runs is written here. Takes ALTI_GUI and ALTI_CLI, else
the programs in build/release, and what the walks of the tests take. Look at each picture before you commit it."""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/app/gui"))
from walk_support import Screen, Walk  # noqa: E402

# Its name can be seen on some pictures.
WORK = pathlib.Path("/tmp/altiscope-pictures")
SIZE, SCREEN = "1280x800", "1400x900"
NOWHERE = 600, 11  # nothing is hovered there
THEMES, LANGUAGES = ("light", "dark"), ("en", "zh_CN")
CAPTURES = {
    # Those of the tutorial.
    "walk": "--ranks 4 --steps 6 --seed 7 --plant slow-rank=2:25",
    "mended": "--ranks 4 --steps 6 --seed 8",
    "ranks": "--ranks 16 --steps 4 --layers 2 --seed 301 --plant slow-rank=5:25",
    "links": "--ranks 8 --steps 2 --layers 2 --seed 5 --plant slow-link=2-3",
    "shortage": "--ranks 1 --steps 2 --layers 2 --seed 3 --format text --format snapshot --plant oom",
    "raw": "--ranks 2 --steps 2 --layers 2 --seed 4 --format raw",
}
# Of the page SQL: name and statement.
QUERY = {"en": ("Kernels by rank", "which kernels take longest on which rank"), "zh_CN": ("各卡 NPU 算子", "哪些 NPU 算子在哪张卡上耗时最长")}
STATEMENT = """-- {}
SELECT rank_id, type, count(*) AS calls, sum(dur) / 1e6 AS ms, avg(dur) / 1e3 AS mean_us
FROM kernel
WHERE kind = 'compute'
GROUP BY rank_id, type
ORDER BY ms DESC"""


class Picture:
    """What the window shows: captures and options of the command line, what it remembers, and what is done in it."""

    def __init__(self, captures, *options, act=None, **remembered):
        self.captures, self.options, self.act, self.remembered = captures.split(), options, act, remembered


def rest(step):
    """A picture once the window shows nothing new: where a text cursor blinks, two in turn."""
    seen = []
    while len(seen) < 8 or len(set(seen[-8:])) > 2:
        step.until("the program is idle", lambda: not step.is_busy())
        seen.append(step.picture().pixels)
        time.sleep(0.15)
    return step.picture()


def ini(value, language):
    if isinstance(value, dict):
        return ini(value[language], language)
    if isinstance(value, list):
        return ", ".join(ini(one, language) for one in value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Studio:
    def __init__(self, out):
        self.out = out
        # Several of this script may run beside each other, for other pictures.
        self.own = WORK / f"own-{os.getpid()}"
        self.running = None
        programs = ROOT / "build/release/app"
        self.gui = os.environ.get("ALTI_GUI", str(programs / "gui/altiscope"))
        self.cli = os.environ.get("ALTI_CLI", str(programs / "cli/altiscope-cli"))

    def ask(self, *words):
        return subprocess.run([self.cli, *map(str, words)], check=True, capture_output=True, text=True, cwd=WORK,
                              env=self.environment({}), timeout=600).stdout

    def rows(self, capture, sql):
        return json.loads(self.ask("query", capture, "--quiet", "--format", "json", "--sql", sql))

    def environment(self, base):
        folders = {f"XDG_{name}_HOME": str(self.own / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
        return {**os.environ, **base, **folders, "XDG_CACHE_HOME": str(WORK / "cache"), "LC_ALL": "C.UTF-8",
                "HOME": str(self.own)}

    def generate(self, names):
        for name in names:
            if not (WORK / name).exists():
                self.ask("generate", name, "--quiet", *CAPTURES[name].split())

    def make(self, name, picture, language, theme):
        own = self.own
        shutil.rmtree(own, ignore_errors=True)
        (own / "config/altiscope").mkdir(parents=True)
        lines = [f"{key.replace('__', chr(92))}={ini(value, language)}\n" for key, value in picture.remembered.items()]
        (own / "config/altiscope/altiscope.ini").write_text("[view]\n" + "".join(lines), encoding="utf-8")
        with open(WORK / "log.txt", "ab") as log:
            options = picture.options[0](self) if callable(picture.options[0]) else picture.options
            screen = Screen(log, SCREEN)
            environment = self.environment(screen.environment)
            program = subprocess.Popen([self.gui, "--size", SIZE, "--language", language, "--theme", theme, *map(str, options),
                                        *picture.captures], cwd=WORK, env=environment, stdout=log, stderr=log)
            try:
                step = Walk(screen, program, str(WORK))
                step.studio, step.language = self, language
                step.find_window("Altiscope$")
                step.xdotool("mousemove", "--window", step.window, *NOWHERE)
                if picture.act:
                    rest(step)
                    picture.act(step)
                shown = rest(step)
            finally:
                for process in filter(None, (program, self.running)):
                    process.kill()
                    process.wait()
                screen.close()
                self.running = None
        whole = self.own / "whole.png"
        shown.save(whole)
        path = self.out / f"{name}-{theme}-{language}.png"
        subprocess.run(["convert", whole, "-dither", "None", "-colors", "256", "-strip", "-define", "png:compression-level=9",
                        f"png8:{path}"], check=True)
        print(path.name, path.stat().st_size, flush=True)


def keys(*words):
    return lambda step: step.key(*words)


def evidence(step):
    step.key("ctrl+8", "Home", "Return")


def flame(step):
    step.key("ctrl+5", "Home", "Return", "ctrl+Tab", "ctrl+Tab", "ctrl+Tab")


def shortage(step):
    """The last tab: why there was not enough."""
    step.click(*{"en": (766, 469), "zh_CN": (624, 471)}[step.language])
    step.xdotool("mousemove", "--window", step.window, *NOWHERE)


def query(step):
    step.key("ctrl+Return")
    rest(step)
    step.key("ctrl+j", "Home")


def kernel(studio):
    """A matrix multiplication of the second step of the slow rank, and what is around it."""
    found = studio.rows("walk", "SELECT slice_id, ts, dur FROM kernel WHERE rank_id = 2 AND type = 'MatMulV2' AND step = 6 "
                                "ORDER BY ts LIMIT 1 OFFSET 6")[0]
    return ["--view", "timeline", "--select", found["slice_id"], "--range",
            f"{found['ts'] - 6 * found['dur']}..{found['ts'] + 5 * found['dur']}"]


def job(studio):
    """The folder of a job in training, with its configuration as it was."""
    folder = WORK / "job"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    text = studio.ask("capture", "validate", "torch-dynamic", "--set", "start_step=10", "--set", "active=6",
                      "--set", "analyse=true", "--set", "prof_dir=./profile")
    (folder / "profiler_config.json").write_text(text, encoding="utf-8")
    return ["--view", "capture"]


def form(step):
    """A preset other than the first."""
    step.key("ctrl+r", "Tab", "Down")


def recording(step):
    """While steps are recorded, which takes long enough for a picture."""
    studio = step.studio
    words = [sys.executable, ROOT / "tests/support/standin/job.py", "dynprof", "--config", ".", "--samples", WORK / "walk",
             "--ranks", "0,1,2,3", "--step-ms", "1500"]
    studio.running = subprocess.Popen(list(map(str, words)), cwd=WORK / "job", stdout=subprocess.DEVNULL)
    form(step)
    rest(step)
    step.key("alt+s")
    step.until("steps are recorded", lambda: [one["state"] for one in json.loads(studio.ask("capture", "list", "--json"))] == ["recording"])
    time.sleep(1)


TARGET = {"capture__method": "torch-dynamic", "capture__targets": ["local"],
          "capture__job__torch-dynamic": [WORK / "job/profiler_config.json", WORK / "job", "", ""]}

PICTURES = {
    "overview": Picture("walk", "--view", "overview"),
    "findings": Picture("walk", "--view", "findings"),
    "evidence": Picture("walk", "--view", "findings", act=evidence),
    "timeline": Picture("walk", kernel),
    "window": Picture("raw", "--view", "timeline"),
    "memory": Picture("walk", "--view", "memory"),
    "snapshot": Picture("shortage", "--view", "snapshot", act=shortage),
    "operators": Picture("walk", "--view", "operators", act=keys("ctrl+5", "Home")),
    "flame": Picture("walk", "--view", "operators", act=flame),
    "communication": Picture("links", "--view", "communication"),
    "waits": Picture("walk", "--view", "communication", communication__mode=1, communication__bar_colours=1),
    "cluster": Picture("ranks", "--view", "cluster", cluster__metric="computing"),
    "compare": Picture("walk mended", "--view", "compare"),
    "sql": Picture("walk", "--view", "sql", act=query, sql__tabs={
        language: [name, STATEMENT.format(question)] for language, (name, question) in QUERY.items()}),
    "report": Picture("walk", "--view", "report"),
    "capture": Picture("walk", job, act=form, **TARGET),
    "recording": Picture("walk", job, act=recording, **TARGET),
}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", choices=[[], *PICTURES], metavar="NAME")
    options.add_argument("--out", type=pathlib.Path, default=ROOT / "resources/help")
    options.add_argument("--themes", default=",".join(THEMES))
    options.add_argument("--languages", default=",".join(LANGUAGES))
    words = options.parse_args()
    for folder in (WORK, words.out):
        folder.mkdir(parents=True, exist_ok=True)
    studio = Studio(words.out.resolve())
    wanted = {name: PICTURES[name] for name in words.names or PICTURES}
    studio.generate(sorted({capture for picture in wanted.values() for capture in picture.captures}))
    for (name, picture), language, theme in itertools.product(wanted.items(), words.languages.split(","), words.themes.split(",")):
        studio.make(name, picture, language, theme)
    shutil.rmtree(studio.own)


if __name__ == "__main__":
    sys.exit(main())
