#!/usr/bin/env python3
"""Mutants of core: does a test fail when the program is wrong in one place?

    mutants.py check                       each entry of mutants.txt applies to the present sources (house_mutants in CI)
    mutants.py build [--build FOLDER]      a copy of the tree with all mutants in it, each behind a switch, built once
    mutants.py run [--only REGEX] [...]    runs the tests of each mutant until one fails; ends with a table by room
    mutants.py report                      the table of all runs so far

By hand, before a release: the build takes about as long as the preset `ci`, a run of all mutants about an hour on two
cores. FOLDER (build/mutants) gets the copy, the build and results.json; the checkout is not written to.

mutants.txt: "file core/base/values/time.cpp" starts the mutants of a file. A mutant is a line "name: code", where code is a
piece of the source that occurs once in the file (blanks do not count), with one "[[original ~> changed]]" in it. Both are
whole expressions of one type, or statements that end with ";" (changed may then be empty). A line "= reason" below a
mutant says why it survives all tests and is right to; such a mutant counts as explained.

A first run without mutants writes down which test reaches which place; a mutant is then tried by those tests alone: first
the classes of its own room, then the scripts of the command line, then other rooms, each from fast to slow.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SWITCH = "tests/support/mutants/mutant_switch.h"
ROOMS = "base trace store import analysis findings tables query report generate capture session".split()
REACHED_PLACES = 8192  # as in mutant_switch.h
FAILED_LINE = re.compile(r"^(FAIL!|XPASS)")
# Tests of Python end at their first failure.
FAIL_FAST = ("import functools, runpy, sys, unittest; unittest.main = functools.partial(unittest.main, failfast=True); "
             "sys.path.insert(0, sys.argv[1].rpartition('/')[0]); sys.argv = sys.argv[1:]; "
             "runpy.run_path(sys.argv[0], run_name='__main__')")

Mutant = namedtuple("Mutant", "name path before original changed after reason line")
Test = namedtuple("Test", "name command environment room")


class Wrong(Exception):
    pass


# --- The list.

def number_of(name):
    """The number of the switch: stays when others come and go, so that only changed files are compiled again."""
    return zlib.crc32(name.encode()) or 1


def read_list(path):
    mutants, file, names = [], None, {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("file "):
                file = line[len("file "):].strip()
                continue
            if line.startswith("= ") and mutants:
                mutants[-1] = mutants[-1]._replace(reason=line[2:])
                continue
            form = re.fullmatch(r"([\w-]+): (.*?)\[\[(.*?)~>(.*?)\]\](.*)", line)
            if file is None or not form:
                raise Wrong(f"line {number}: is no mutant: {line}")
            name, before, original, changed, after = form.groups()
            if number_of(name) in names:
                raise Wrong(f"line {number}: {name} is there already")
            names[number_of(name)] = name
            mutants.append(Mutant(name, file, before, original.strip(), changed.strip(), after, None, number))
    return mutants


def packed(text):
    """Text without blanks, and where each of its characters was."""
    places = [i for i, c in enumerate(text) if not c.isspace()]
    return "".join(text[i] for i in places), places


def find(mutant, code, places):
    """Begin and end of what the mutant changes."""
    before, original, after = (packed(part)[0] for part in (mutant.before, mutant.original, mutant.after))
    if not original:
        raise Wrong(f"{mutant.name}: changes nothing")
    whole = before + original + after
    first = code.find(whole)
    if first < 0:
        raise Wrong(f"{mutant.name}: is not in {mutant.path}: {mutant.before}{mutant.original}{mutant.after}")
    if code.find(whole, first + 1) >= 0:
        raise Wrong(f"{mutant.name}: is more than once in {mutant.path}")
    first += len(before)
    return places[first], places[first + len(original) - 1] + 1


def mutated(text, path, mutants):
    """The file with all of its mutants behind switches."""
    code, places = packed(text)
    changes = sorted((*find(mutant, code, places), mutant) for mutant in mutants)
    for (_, end, one), (begin, _, other) in zip(changes, changes[1:]):
        if begin < end:
            raise Wrong(f"{path}: {one.name} and {other.name} overlap")
    for begin, end, mutant in reversed(changes):
        switch = f"altiMutant({number_of(mutant.name)}U)"
        original = text[begin:end]
        if mutant.original.endswith(";"):
            change = f"{{ if ({switch}) {{ {mutant.changed} }} else {{ {original} }} }}"
        else:
            change = f"({switch} ? ({mutant.changed}) : ({original}))"
        text = text[:begin] + change + text[end:]
    return f'#include "{SWITCH}"\n#line 1\n{text}'


def by_file(mutants):
    files = {}
    for mutant in mutants:
        files.setdefault(mutant.path, []).append(mutant)
    return files


def room_of(mutant):
    return mutant.path.split("/")[1]


def check(root, mutants):
    problems = []
    for path, own in by_file(mutants).items():
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            problems.append(f"{path}: {error.strerror}")
            continue
        code, places = packed(text)
        sound = []
        for mutant in own:
            try:
                find(mutant, code, places)
                sound.append(mutant)
            except Wrong as wrong:
                problems.append(f"mutants.txt:{mutant.line}: {wrong}")
        try:
            mutated(text, path, sound)
        except Wrong as wrong:
            problems.append(str(wrong))
    return problems


# --- The build.

def write_changed(path, data):
    """What is the same stays as it is, with its date, so that a second build compiles only what changed."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def copy_tree(root, target, mutants):
    files = by_file(mutants)
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=True).stdout.split("\0")
    present = {path for path in listed if path and os.path.isfile(os.path.join(root, path))}
    for path in sorted(present):
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        if path in files:
            data = mutated(data.decode(), path, files[path]).encode()
        copy = os.path.join(target, path)
        write_changed(copy, data)
        shutil.copymode(os.path.join(root, path), copy)
    for folder, folders, names in os.walk(target):
        if folder == target and "build" in folders:
            folders.remove("build")
        for name in names:
            if os.path.relpath(os.path.join(folder, name), target) not in present:
                os.remove(os.path.join(folder, name))


def places(options):
    """The copy and its build, one in the other as in a checkout."""
    source = os.path.join(options.build, "source")
    return source, os.path.join(source, "build", "ci")


def build(options, mutants):
    problems = check(options.root, mutants)
    if problems:
        raise Wrong("\n".join(problems))
    source, binary = places(options)
    copy_tree(options.root, source, mutants)
    # Tests are compiled as the preset ci does, where ccache may have them; what has mutants is compiled fast.
    with open(os.path.join(source, "core/CMakeLists.txt"), "r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write("add_compile_options(-O1 -Wno-error)\n" + text)
    subprocess.run(["cmake", "--preset", "ci", "-DALTI_GUI=OFF", f"-DALTI_SHARED_DATA={options.captures}"], cwd=source,
                   check=True)
    targets = ["altiscope-cli", "evidence_guard", "fault_injector"]
    targets += [f"test_{room}" for room in ROOMS if os.path.isdir(os.path.join(options.root, "tests/core", room))]
    subprocess.run(["cmake", "--build", binary, "-j", str(options.jobs), "--target", *targets], check=True)


# --- The tests.

def classes_of(root, room):
    for folder, _, names in os.walk(os.path.join(root, "tests/core", room)):
        for name in sorted(names):
            if name.startswith("tst_"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield from re.findall(r"^ALTI_TEST\((\w+)\)", file.read(), re.MULTILINE)


def list_tests(root, binary):
    """Classes of the rooms' programs and scripts of the command line, with commands and surroundings as CTest has them."""
    listed = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=binary, capture_output=True, text=True,
                                       check=True).stdout)["tests"]
    tests = []
    for test in listed:
        name, command = test["name"], test.get("command")
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        if name in ROOMS and os.path.exists(command[-1]):
            tests += [Test(c, command, {**environment, "ALTI_TEST_CLASSES": c}, name) for c in classes_of(root, name)]
        elif name.startswith("cli_"):
            script = next(i for i, word in enumerate(command) if re.search(r"/test_\w+\.py$", word))
            words = [*command[:script], "-c", FAIL_FAST, *command[script:]]
            tests.append(Test(name, words, environment, "cli"))
    return tests


def run_test(test, seconds, home, **extra):
    """Whether the test passed: True, False, or None after `seconds`. Ends at the first line that says FAIL."""
    folders = {f"XDG_{kind}_HOME": os.path.join(home, kind) for kind in ("CACHE", "CONFIG", "DATA")}
    environment = {**os.environ, **test.environment, **folders, "TMPDIR": home, **extra}
    with subprocess.Popen(test.command, env=environment, cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as program:
        ended = []

        def end(why):
            ended.append(why)
            try:
                os.killpg(program.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(seconds, end, [None])
        timer.start()
        for line in program.stdout:
            if FAILED_LINE.match(line) and not ended:
                end(False)
        status = program.wait()
        timer.cancel()
    return ended[0] if ended else status == 0


def in_home(options, test, seconds, **extra):
    home = tempfile.mkdtemp(prefix="home-", dir=options.build)
    os.chmod(home, 0o755)  # tests of rights look in as somebody else
    try:
        began = time.monotonic()
        return run_test(test, seconds, home, **extra), time.monotonic() - began
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", home], check=False)
        shutil.rmtree(home, ignore_errors=True)


def reach(options, tests):
    """What each test reaches and how long it takes: {name: [seconds, numbers]}; a test that fails as it is has none."""
    def one(test):
        path = os.path.join(options.build, f"reached-{test.name}")
        with open(path, "wb") as file:
            file.truncate(REACHED_PLACES * 4)
        passed, seconds = in_home(options, test, options.longest, ALTI_MUTANTS_REACHED=path)
        with open(path, "rb") as file:
            numbers = [n for (n,) in struct.iter_unpack("I", file.read()) if n]
        os.remove(path)
        print(f"{test.name}: {seconds:.1f} s, {len(numbers)} places" + ("" if passed else ", FAILS without a mutant"), flush=True)
        return test.name, [seconds, numbers] if passed else [seconds, []]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return dict(pool.map(one, tests))


# --- The run.

def try_mutant(options, mutant, tests, reached):
    """What happened to a mutant: ["killed" or "survived", by which test, number of tests that were tried]."""
    number, room = number_of(mutant.name), room_of(mutant)
    able = [test for test in tests if number in reached.get(test.name, [0, []])[1] and (test.room == room or not options.own)]
    able.sort(key=lambda test: (0 if test.room == room else 1 if test.room == "cli" else 2, reached[test.name][0]))
    for tried, test in enumerate(able, 1):
        patience = 20 + 6 * reached[test.name][0]
        passed, _ = in_home(options, test, patience, ALTI_MUTANT=str(number))
        if not passed:
            return ["killed", test.name + (" (timeout)" if passed is None else ""), tried]
    return ["survived", "", len(able)]


def store(path, results):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    os.replace(path + ".new", path)


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def run(options, mutants):
    tests = [test for test in list_tests(*places(options)) if re.search(options.tests, test.name)]
    reached_path, results_path = (os.path.join(options.build, name) for name in ("reached.json", "results.json"))
    reached = load(reached_path)
    due = [test for test in tests if options.again or test.name not in reached]
    reached.update(reach(options, due))
    store(reached_path, reached)
    results = load(results_path)
    wanted = [m for m in mutants if re.search(options.only, m.name) or re.search(options.only, m.path)]
    if options.survivors:
        wanted = [m for m in wanted if results.get(m.name, ["survived"])[0] == "survived"]
    lock = threading.Lock()

    def one(mutant):
        outcome = try_mutant(options, mutant, tests, reached)
        with lock:
            results[mutant.name] = outcome
            store(results_path, results)
            print(f"{mutant.name}: {outcome[0]} {outcome[1]} ({outcome[2]} tests)", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, wanted))
    return report(options, mutants)


def report(options, mutants):
    results = load(os.path.join(options.build, "results.json"))
    table = {room: {"killed": 0, "explained": 0, "survived": 0} for room in ROOMS}
    for mutant in mutants:
        outcome = results.get(mutant.name)
        if outcome is None:
            continue
        explained = outcome[0] == "survived" and mutant.reason
        table[room_of(mutant)]["explained" if explained else outcome[0]] += 1
        if outcome[0] == "survived":
            reason = mutant.reason or ("no test reaches it" if outcome[2] == 0 else f"{outcome[2]} tests pass")
            print(f"survived: {mutant.name} ({mutant.path}): {reason}")
    print(f"{'room':10} {'killed':>8} {'explained':>10} {'survived':>9}")
    for room in (*ROOMS, "all"):
        row = table.get(room) or {key: sum(table[r][key] for r in ROOMS) for key in ("killed", "explained", "survived")}
        print(f"{room:10} {row['killed']:8} {row['explained']:10} {row['survived']:9}")
    counted = sum(sum(row.values()) for row in table.values())
    killed = sum(row["killed"] for row in table.values())
    print(f"{killed} of {counted} killed" + (f", {100 * killed / counted:.1f} %" if counted else ""))
    return 0 if counted and killed >= 0.9 * counted else 1


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("check", "build", "run", "report"))
    parser.add_argument("--list", default=os.path.join(HERE, "mutants.txt"))
    parser.add_argument("--root", default=ROOT, help="the tree to copy or to check")
    parser.add_argument("--build", help="default: build/mutants below the root")
    parser.add_argument("--captures", help="real captures, as ALTI_SHARED_DATA")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="mutants whose name or file matches this expression")
    parser.add_argument("--tests", default="", help="tests whose name matches this expression (a class, or cli_NAME)")
    parser.add_argument("--own", action="store_true", help="a quick pass: only tests of the mutant's own room")
    parser.add_argument("--survivors", action="store_true", help="only those that no run has killed so far")
    parser.add_argument("--again", action="store_true", help="find out anew what each test reaches (after a change of tests)")
    parser.add_argument("--longest", type=float, default=600, help="seconds that a test may take without a mutant")
    options = parser.parse_args(arguments)
    options.build = os.path.abspath(options.build or os.path.join(options.root, "build", "mutants"))
    options.captures = os.path.abspath(options.captures or os.path.join(options.root, "..", "shared", "data"))
    try:
        mutants = read_list(options.list)
        if options.action == "check":
            problems = check(options.root, mutants)
            print(*problems, f"{len(mutants)} mutants, {len(problems)} do not apply", sep="\n")
            return 1 if problems or not mutants else 0
        if options.action == "build":
            return build(options, mutants)
        return run(options, mutants) if options.action == "run" else report(options, mutants)
    except Wrong as wrong:
        print(wrong)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
