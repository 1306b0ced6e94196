#!/usr/bin/env python3
"""Runs one test program under the rules of this house; CTest calls every Qt Test program through it.

    run_test.py [--guard LIBRARY] -- PROGRAM [ARGUMENT...]

- Output passes through; a skip fails the run unless its reason stands in allowed_skips.txt beside this script. A skip
  is a line of Qt Test ("SKIP   : Class::test() reason"). Python's unittest only counts its skips at the end of a run: a
  script that skips prints such a line too, and more skips than lines fail.
- A program that prints more than MOST_OUTPUT characters is ended and fails: CTest keeps all of it in memory.
- With --guard, LIBRARY is preloaded, so that a call which would change something below ALTI_SHARED_DATA ends the program.
"""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys

MOST_OUTPUT = 16 << 20
SKIP = re.compile(r"^SKIP\s*: (?P<where>\w+::\w+\(.*?\)) (?P<reason>.*)$")
COUNTED_SKIPS = re.compile(r"^(?:OK|FAILED) \((?:.*, )?skipped=(?P<count>\d+)")


def has_entries(folder):
    return os.path.isdir(folder) and bool(os.listdir(folder))


def allowed_skips(captures):
    """Reasons that count. "[no captures] REASON" counts only where the real captures are absent."""
    allowed = set()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "allowed_skips.txt"), encoding="utf-8") as file:
        for line in map(str.strip, file):
            if not line or line.startswith("#"):
                continue
            condition, mark, reason = line.rpartition("[no captures] ")
            if not mark or not has_entries(captures):
                allowed.add(reason)
    return allowed


def end_with_parent():
    """CTest kills this script at a timeout; the program must not live on."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def forbidden_skips(program, allowed):
    """Passes each line on and returns what reports a skip without a listed reason."""
    forbidden = []
    printed = lines = 0
    # By pieces: what floods may print no end of a line.
    while line := program.stdout.readline(1 << 16):
        sys.stdout.write(line)
        sys.stdout.flush()
        printed += len(line)
        if printed > MOST_OUTPUT:
            print(f"\nthe program printed more than {MOST_OUTPUT} characters and was ended")
            program.kill()
            break
        line = line.rstrip("\n")
        # A row's name may hold ") ", so the reason is compared with the end of the line.
        if SKIP.match(line):
            lines += 1
            if not any(line.endswith(") " + reason) for reason in allowed):
                forbidden.append(line.strip())
        counted = COUNTED_SKIPS.match(line)
        if counted and int(counted["count"]) > lines:
            forbidden.append(f"{int(counted['count']) - lines} of unittest without a line that says why")
    return forbidden


def main(arguments):
    cut = arguments.index("--")
    options, command = arguments[:cut], arguments[cut + 1:]
    captures = os.environ.get("ALTI_SHARED_DATA", "")
    # After a crash Qt Test would start a debugger for a stack dump, which can hang until the timeout and hides the signal.
    environment = dict(os.environ, QTEST_DISABLE_STACK_DUMP="1")
    if options[:1] == ["--guard"] and has_entries(captures):
        environment["LD_PRELOAD"] = options[1]
        environment["ALTI_EVIDENCE_DIR"] = captures
    if not shutil.which(command[0]):
        print(f"{command[0]} is not there; was it built?")
        return 1
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          encoding="utf-8", errors="replace", preexec_fn=end_with_parent) as program:
        forbidden = forbidden_skips(program, allowed_skips(captures))
        status = program.wait()
    if status < 0:
        print(f"the program was ended by {signal.Signals(-status).name}")
    if forbidden:
        print("skipped for a reason that is not in tests/support/allowed_skips.txt:", *forbidden, sep="\n  ")
    return 1 if status != 0 or forbidden else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
