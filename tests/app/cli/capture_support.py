"""What the tests of captures share: a job that stands for a real one (tests/support/standin), and folders of its own for each test."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

from support import CLI, SOURCE, CliTest, surroundings

STANDIN = os.path.join(SOURCE, "tests", "support", "standin")
# Seconds until a condition must hold; only reached where something is broken, also on a busy machine under a sanitizer.
LIMIT = 120
_SAMPLES = {}


def samples(form="text"):
    """A small generated capture of two ranks, made once."""
    if form not in _SAMPLES:
        folder = tempfile.TemporaryDirectory()
        target = os.path.join(folder.name, form)
        subprocess.run([CLI, "generate", target, "--format", form, "--ranks", "2", "--steps", "1", "--layers", "1", "--quiet"],
                       check=True, timeout=LIMIT, capture_output=True, env=surroundings())
        _SAMPLES[form] = (folder, target)
    return _SAMPLES[form][1]


def until(condition, what):
    """Waits until condition() holds, and returns what it gave."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen within {LIMIT} s")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def has_ended(pid):
    """Also of a process that nobody waits for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def names_below(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names)


class CaptureTest(CliTest):
    """Captures on TARGET; PLACE is the name of its folder among fetched results."""
    TARGET = PLACE = "local"

    def setUp(self):
        super().setUp()
        self.folder = os.path.realpath(self.folder)
        self.environment = {"XDG_DATA_HOME": self.path("data"), "XDG_STATE_HOME": self.path("state"), "ALTI_SAMPLES": samples(),
                            "PATH": STANDIN + os.pathsep + os.environ["PATH"]}
        self.work = self.path("work")
        os.mkdir(self.work)
        self.processes = []
        self.addCleanup(self.end_processes)

    def end_processes(self):
        # Jobs that were launched outlive the program.
        base = self.path("state", "altiscope", "captures")
        for name in os.listdir(base) if os.path.isdir(base) else []:
            try:
                if not os.path.exists(os.path.join(base, name, "job.rc")):
                    os.killpg(int(read(os.path.join(base, name, "job.pid"))), 9)
            except (OSError, ValueError):
                pass
        for process in self.processes:
            process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()

    def begin(self, *words, **options):
        """Starts the program and lets it run."""
        process = subprocess.Popen([CLI, "capture", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=surroundings(**self.environment), **options)
        self.processes.append(process)
        return process

    def end(self, process, status):
        """Waits for its end; standard output and errors."""
        out, errors = process.communicate(timeout=2 * LIMIT)
        self.assertEqual(process.returncode, status, out + errors)
        return out, errors

    def capture(self, *words, status=0):
        return self.end(self.begin(*words), status)[0]

    def start(self, method, *words, status=0, **settings):
        """`capture start` on the target; the id, or messages if another status is expected."""
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        out, errors = self.end(self.begin("start", method, "--target", self.TARGET, *words, *sets), status)
        return out.strip() if status == 0 else errors

    def changes(self, capture, status=0):
        """All changes of a capture that is over."""
        return [json.loads(line) for line in self.capture("watch", capture, "--json", status=status).splitlines()]

    def session(self, capture):
        with open(self.path("data", "altiscope", "captures", capture, "session.json"), encoding="utf-8") as file:
            return json.load(file)

    def newest(self):
        return json.loads(self.capture("list", "--json"))[0]["id"]

    def job_words(self, mode, *words, form="text"):
        return [sys.executable, os.path.join(STANDIN, "job.py"), mode, "--samples", samples(form), *words]

    def job(self, mode, *words, form="text", folder=None):
        """A job that runs, in a folder of its own."""
        folder = folder or self.work
        with contextlib.suppress(FileNotFoundError):  # of a job before, which would end the waiting below at once
            os.remove(os.path.join(folder, "pid"))
        log = open(os.path.join(folder, "job.log"), "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen(self.job_words(mode, *words, form=form), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes.append(process)
        until(lambda: os.path.exists(os.path.join(folder, "pid")) or process.poll() is not None, "the start of the job")
        # A change counts from the next whole second on.
        until(lambda: int(time.time()) > int(os.stat(os.path.join(folder, "pid")).st_mtime), "the next second")
        return process

    def config(self, text='{"start_step": 0, "mine": [1.50]}\n', folder="config"):
        """A configuration as the user has it: an hour old, rights of its own."""
        path = self.path(folder, "profiler_config.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o640)
        os.utime(path, (time.time() - 3600, time.time() - 3600))
        return path

    def state_of(self, path):
        """All that a user could see changed about a file, and what lies beside it."""
        status = os.stat(path)
        return read(path), status.st_mtime_ns, status.st_mode, sorted(name for name in os.listdir(os.path.dirname(path)) if name != "log")

    def fetched(self, *names):
        return self.path("fetched", self.PLACE, *names)
