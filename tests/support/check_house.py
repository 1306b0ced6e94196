#!/usr/bin/env python3
"""Holds the repository to the rules of its house: check_house.py ROOT

1. Each room (a folder of core/, views/ or app/ with sources) has a README.md of 1 to 40 lines.
2. No file names a folder of some developer's machine.
3. Pictures in resources/help stay below 300 kB.
4. Scripts that people start are executable and begin with "#!".
5. Databases are opened with a guard of core/base/files/sqlite_guard.h.
6. Sources are as clang-format writes them. No line of core, views or app is longer than its limit, nor a file than 700 lines.
7. Names in core, views and app are made of the words of CONTRIBUTING.md.
"""

import os
import re
import stat
import subprocess
import sys

MAX_README_LINES = 40
MAX_PICTURE_BYTES = 300_000
# Built from parts, so that this file passes its own check. "user" is nobody: samples and documents may use it.
MACHINE_PATHS = re.compile("|".join(("/" + r"work/\w", "/" + r"home/(?!user\b)\w", "/" + r"Users/\w", "/" + r"root/\w",
                                     "/" + r"tmp/alti\b")))


def project_files(root):
    """What git tracks; without git, everything outside build folders."""
    result = subprocess.run(["git", "-C", root, "-c", "safe.directory=*", "ls-files", "-z"], capture_output=True, text=True,
                            check=False)
    if result.returncode == 0 and result.stdout:
        return [path for path in result.stdout.split("\0") if path and os.path.isfile(os.path.join(root, path))]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith("build") and name not in (".git", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def read(root, path):
    with open(os.path.join(root, path), "rb") as file:
        return file.read()


def check_readmes(root):
    for top in ("core", "views", "app"):
        for room in sorted(os.listdir(os.path.join(root, top))):
            folder = os.path.join(root, top, room)
            if not any(name.endswith((".cpp", ".h")) for _, _, names in os.walk(folder) for name in names):
                continue
            readme = os.path.join(top, room, "README.md")
            lines = read(root, readme).count(b"\n") if os.path.exists(os.path.join(root, readme)) else 0
            if lines == 0:
                yield f"{readme}: missing or empty"
            elif lines > MAX_README_LINES:
                yield f"{readme}: {lines} lines, at most {MAX_README_LINES} are read"


def check_machine_paths(root):
    for path in project_files(root):
        data = read(root, path)
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            match = MACHINE_PATHS.search(line)
            if match:
                yield f"{path}:{number}: names a folder of one machine: {line[match.start():match.start() + 40]}"


def check_pictures(root):
    for path in project_files(root):
        size = os.path.getsize(os.path.join(root, path))
        if path.startswith("resources/help/") and path.endswith((".png", ".jpg")) and size >= MAX_PICTURE_BYTES:
            yield f"{path}: {size} bytes, must be below {MAX_PICTURE_BYTES}"


def check_scripts(root):
    for path in project_files(root):
        if path == ".ci/run" or (path.endswith((".sh", ".py")) and path.startswith(("packaging/", "tests/"))):
            starts = read(root, path).startswith(b"#!")
            runs = bool(os.stat(os.path.join(root, path)).st_mode & stat.S_IXUSR)
            if runs and not starts:
                yield f"{path}: executable, but does not begin with #!"
            if path in (".ci/run", "packaging/run.sh", "packaging/test.sh") and not runs:
                yield f"{path}: not executable"


# Opening a database without one of our guards lets SQLite touch files that the database names (core/THREATS.md).
OPENS_DATABASE = re.compile(r"\bsqlite3_open\w*\s*\([^;]*;")
SQLITE_GUARD = re.compile(r"readOnlySqliteFiles\(\)|\bfiles\.name\(\)")


def check_sqlite_guards(root):
    for path in project_files(root):
        if not path.startswith(("app/", "core/", "views/")) or not path.endswith((".cpp", ".h")):
            continue
        text = read(root, path).decode("utf-8", "replace")
        for call in OPENS_DATABASE.finditer(text):
            if not SQLITE_GUARD.search(call[0]):
                line = text.count("\n", 0, call.start()) + 1
                yield f"{path}:{line}: opens a database without a guard of core/base/files/sqlite_guard.h"


MAX_COLUMNS = 120
MAX_LINES = 700
FORMAT_PROBLEM = re.compile(r"^(.*?):(\d+):\d+: ")


def check_format(root):
    sources = [path for path in project_files(root) if path.endswith((".cpp", ".h"))]
    for path in sources:
        lines = read(root, path).decode("utf-8", "replace").splitlines()
        if len(lines) > MAX_LINES:
            yield f"{path}: {len(lines)} lines, at most {MAX_LINES}"
        # Tests hold records of inputs, which are not broken.
        if path.startswith(("core/", "views/", "app/")):
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_COLUMNS:
                    yield f"{path}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"
    if not sources:
        return
    result = subprocess.run(["clang-format", "--dry-run", *sources], cwd=root, capture_output=True, text=True, check=False)
    problems = dict.fromkeys(match.groups() for match in map(FORMAT_PROBLEM.match, result.stderr.splitlines()) if match)
    for path, line in problems:
        yield f"{path}:{line}: not as clang-format writes it"
    if result.returncode != 0:
        yield f"clang-format failed: {result.stderr[-200:]}"


# Words that names are not made of, and what to say in their place.
REFUSED_WORDS = {
    "report, describe or state": "tell tells telling told untold", "request, prompt or query": "ask asks asked asking",
    "selected, filtered or kept": "held", "min or max": "least greatest", "after or end": "behind", "query": "question questions",
    "result": "answer answers answered", "a controller, a page or whatever it is": "desk",
}
WORD_INSTEAD = {word: better for better, words in REFUSED_WORDS.items() for word in words.split()}
# Dialogs and network peers do ask and answer; numbers are at least so large.
PEERS = re.compile(r"askpass|mcp|^core/capture/")
PEER_WORDS = {"ask", "asks", "asked", "asking", "question", "questions", "answer", "answers", "answered"}
SOUND_NAMES = {"atLeast"}
NOT_A_NAME = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<fence>[^(\s]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*"|\b(?:QMessageBox|Qt)::\w+', re.S)
NAME = re.compile(r"\b(?:m_|k(?=[A-Z]))?([A-Za-z]\w*)")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def check_words(root):
    for path in project_files(root):
        if not path.startswith(("app/", "core/", "views/")) or not path.endswith((".cpp", ".h")):
            continue
        allowed = PEER_WORDS if PEERS.search(path) else set()
        found = [(1, name) for name in re.split(r"[/.]", path) if "askpass" not in name]
        text = NOT_A_NAME.sub(lambda match: "\n" * match[0].count("\n"), read(root, path).decode("utf-8", "replace"))
        found += [(number, match[1]) for number, line in enumerate(text.splitlines(), 1) for match in NAME.finditer(line)]
        for number, name in found:
            for part in PART.findall(name):
                if part.lower() in WORD_INSTEAD and part.lower() not in allowed and name not in SOUND_NAMES:
                    yield f"{path}:{number}: {name}: not \"{part.lower()}\", but {WORD_INSTEAD[part.lower()]}"


def main(root):
    checks = (check_readmes, check_machine_paths, check_pictures, check_scripts, check_sqlite_guards, check_words, check_format)
    found = [complaint for check in checks for complaint in check(root)]
    print(*found, f"{len(found)} rules broken", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
