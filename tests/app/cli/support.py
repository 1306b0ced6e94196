"""What the tests of altiscope-cli share: running the program (ALTI_CLI), the captures, independent counts.

The program is used as a script uses it: words in, streams and exit status out (resources/help/reference/command-line.md)."""

import functools
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CLI = os.environ["ALTI_CLI"]
SOURCE = os.environ["ALTI_SOURCE_DIR"]
GOLDEN = os.path.join(SOURCE, "tests", "golden")
TWO_RANKS = os.path.join(GOLDEN, "torch_two_ranks", "capture")
SHARED = os.environ.get("ALTI_SHARED_DATA", "")
TORCH_TEXT = os.path.join(SHARED, "torch_text")

OK, FAILED, WRONG_USAGE, PARTIAL, GATE_NOT_MET, CANCELLED = 0, 1, 2, 3, 4, 130

# Seconds. Far beyond what any call here takes, also in a sanitizer build on a busy machine.
PATIENCE = 240


def surroundings(**environment):
    """The environment of a call. Nothing here may need a display, so none would work."""
    return {**os.environ, "QT_QPA_PLATFORM": "no such platform", "DISPLAY": "", **environment}


def run(*words, text=True, cwd=None, **environment):
    """Runs the program to its end. Line ends are passed through as they are."""
    done = subprocess.run([CLI, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False,
                          cwd=cwd, env=surroundings(**environment))
    if text:
        done.stdout = done.stdout.decode("utf-8")
        done.stderr = done.stderr.decode("utf-8")
    return done


def start(*words, **streams):
    """Starts the program and returns once it listens to SIGINT (or has ended)."""
    process = subprocess.Popen([CLI, *words], stdin=subprocess.DEVNULL, env=surroundings(), **streams)
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace") as file:
            caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", file.read(), re.MULTILINE)
        if caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1:
            break
        time.sleep(0.005)
    return process


def result(*words, status=OK, **environment):
    """Standard output of a call that ends with the given status."""
    done = run(*words, **environment)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode} instead of {status}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows(capture, sql, *words, **environment):
    """Rows of a query as tuples."""
    text = result("query", capture, "--sql", sql, "--format", "json", *words, **environment)
    return [tuple(row.values()) for row in json.loads(text)]


def info(capture, *words, **environment):
    return json.loads(result("info", capture, "--json", *words, **environment))


def check_schema(test, name, text):
    """That JSON text is as resources/help/schemas/NAME.json says."""
    import jsonschema  # only these tests need it
    with open(os.path.join(SOURCE, "resources", "help", "schemas", name + ".json"), encoding="utf-8") as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    for problem in validator.iter_errors(json.loads(text)):
        test.fail(f"{name}: {problem.json_path}: {problem.message[:300]}")


def needs_captures(test):
    """Skips a test where the real captures are absent."""
    @functools.wraps(test)
    def guarded(self):
        if not os.path.isdir(TORCH_TEXT):
            self.skipTest("real captures are not installed (ALTI_SHARED_DATA)")
        test(self)
    return guarded


def traces_below(folder):
    """Every trace_view.json below a folder."""
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
                  if name == "trace_view.json")


def counted(trace):
    """What the independent script counts in a trace file, run as a process of its own."""
    script = os.path.join(SOURCE, "tests", "support", "count_trace.py")
    done = subprocess.run([sys.executable, script, trace], capture_output=True, text=True, timeout=PATIENCE, check=True)
    return json.loads(done.stdout)


def tree_hash(folder):
    """Names, dates, rights and bytes of everything below a folder."""
    digest = hashlib.sha256()
    for where, folders, names in sorted(os.walk(folder)):
        for name in ["", *sorted(folders + names)]:
            path = os.path.join(where, name)
            status = os.stat(path)
            digest.update(f"{path} {status.st_mtime_ns} {status.st_mode}\n".encode())
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


class CliTest(unittest.TestCase):
    """A test with a folder of its own."""
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def skipTest(self, reason):
        """Also says why, in the form that run_test.py knows."""
        print(f"\nSKIP   : cli::{self._testMethodName}() {reason}", file=sys.stderr, flush=True)
        super().skipTest(reason)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def assert_message(self, done, status, *parts):
        """The call printed no result, but one line for a person with all these parts."""
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aaltiscope-cli: [^\n]+\.\n\Z")
        for part in parts:
            self.assertIn(part, done.stderr)
