#!/usr/bin/env python3
"""Fails on a cited file that is not in the repository: check_citations.py ROOT

Looked at are documents (*.md), and comments of C++, Python, CMake and shell files:
1. `NAME.md` and `NAME.h`, with or without folders: found from the citing file's folder, from one above it, or, without folders, anywhere.
   `NAME.cpp` and `NAME.py` in backticks are the end of some path (not where the files of other projects are cited), and in a
   README's table with a column "header", "headers" or "file" names without an ending are those of files.
2. Paths that begin with a folder of the repository (core/, views/, app/, tests/, resources/, packaging/).
3. "PATH.md section N" and "sections N and M": the document has headings "## N." or "## N".
"""

import os
import re
import subprocess
import sys

TOP_FOLDERS = ("core", "views", "app", "tests", "resources", "packaging")
# Data of tests, and texts that are not ours to mend. The change log tells of the past.
PASSED_OVER = re.compile(r"tests/fuzz/corpus/|tests/golden/.*/capture/|resources/i18n/|LICENSE|CHANGELOG\.md|tests/support/test_check_")
# Capital words in place of a name: "fuzz_NAME.cpp", "PATH.md".
PLACEHOLDER = re.compile(r"(?<![a-z])(?:NAME|PATH)(?![a-z])")
FOREIGN = {"sqlite3.h", "archive.h", "simdjson.h", "xxhash.h", "qcustomplot.h"}
CITED = re.compile(r"(?<![\w./<{*$-])((?:[\w.-]+/)*[\w-]+\.(?:md|h))\b(?![\w*{/])")
QUOTED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:cpp|py))`")
CITES_OTHERS = ("core/capture/", "core/import/monitor/")
FILE_COLUMN = re.compile(r"headers?|files?")
BARE_NAME = re.compile(r"`([a-z]\w*)`")
IN_REPOSITORY = re.compile(r"(?<![\w./<{*$:-])((?:" + "|".join(TOP_FOLDERS) + r")/[\w./-]*[\w/])(?![\w*{$<])")
SECTION = re.compile(r"([\w./-]+\.md),? sections? ([0-9]+|[A-Z]\b)(?:(?: and |, | to |-)([0-9]+|[A-Z]\b))?")
COMMENT = {".h": "//", ".cpp": "//", ".py": "#", ".txt": "#", ".cmake": "#", ".sh": "#"}


def tracked_files(root):
    result = subprocess.run(["git", "-C", root, "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if result.returncode == 0 and result.stdout:
        return [path for path in result.stdout.split("\0") if path and os.path.isfile(os.path.join(root, path))]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith("build") and name not in (".git", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def cited_text(path, line, state):
    """What of a line speaks to readers; `state` says whether it lies in a docstring."""
    ending = os.path.splitext(path)[1]
    if ending == ".md":
        return line
    if ending == ".txt" and not path.endswith("CMakeLists.txt"):
        return ""
    if ending == ".py" and line.count('"""') == 1:
        state["docstring"] = not state.get("docstring", False)
        return line
    if ending == ".py" and (state.get("docstring") or '"""' in line):
        return line
    mark = COMMENT.get(ending)
    at = line.find(mark) if mark else -1
    return line[at + len(mark):] if at >= 0 else ""


class Repository:
    def __init__(self, root):
        self.root = root
        self.files = tracked_files(root)
        self.names = {os.path.basename(path) for path in self.files}
        self.stems = {os.path.splitext(name)[0] for name in self.names}
        self.paths = set(self.files)
        for path in self.files:
            while path := os.path.dirname(path):
                self.paths.add(path)

    def find(self, cited, citing):
        """The path of a cited file; "" if only its name is known; None if there is no such file."""
        cited = cited.rstrip("/.")
        folder = os.path.dirname(citing)
        while True:
            candidate = os.path.normpath(os.path.join(folder, cited))
            if candidate in self.paths:
                return candidate
            if not folder:
                break
            folder = os.path.dirname(folder)
        return "" if "/" not in cited and (cited in self.names or cited in FOREIGN) else None

    def has_end(self, cited):
        """Whether a path of the repository ends with these parts."""
        return cited in self.names or any(f"/{path}".endswith("/" + cited) for path in self.paths)

    def headings(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return {match[1] for line in file if (match := re.match(r"## ([0-9A-Z]+)\b", line))}


def bare_names(path, line, state):
    """Names of files without their ending, in the column of a table that is about files."""
    if os.path.basename(path) != "README.md" or not line.startswith("|"):
        state.pop("columns", None)
        return []
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if "columns" not in state:
        state["columns"] = [number for number, cell in enumerate(cells) if FILE_COLUMN.fullmatch(cell)]
        return []
    return [name for number in state["columns"] if number < len(cells) for name in BARE_NAME.findall(cells[number])]


def complaints(repository):
    for path in repository.files:
        if PASSED_OVER.match(path) or os.path.splitext(path)[1] not in (".md", *COMMENT):
            continue
        with open(os.path.join(repository.root, path), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        state = {}
        for number, line in enumerate(lines, 1):
            for name in bare_names(path, line, state):
                if name not in repository.stems:
                    yield f"{path}:{number}: cites {name}, which is no file"
            text = cited_text(path, line, state)
            if not text:
                continue
            for match in QUOTED.finditer(text):
                if not path.startswith(CITES_OTHERS) and not PLACEHOLDER.search(match[1]) and not repository.has_end(match[1]):
                    yield f"{path}:{number}: cites {match[1]}, which is not there"
            cited = {match[1] for form in (CITED, IN_REPOSITORY) for match in form.finditer(text)}
            for name in sorted(cited):
                if not PLACEHOLDER.search(name) and repository.find(name, path) is None:
                    yield f"{path}:{number}: cites {name}, which is not there"
            for match in SECTION.finditer(text):
                document = repository.find(match[1], path)
                if not document:
                    continue
                known = repository.headings(document)
                for section in filter(None, match.groups()[1:]):
                    if section not in known:
                        yield f"{path}:{number}: cites section {section} of {document}, which has none"


def main(root):
    found = list(complaints(Repository(root)))
    print(*found, f"{len(found)} citations lead nowhere", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
