#!/usr/bin/env python3
"""Holds the repository to the rules of its house: check_house.py ROOT

1. Each room (a folder of core/, views/ or app/ with sources) has a README.md of 1 to 40 lines.
2. No file names a folder of some developer's machine.
3. Pictures in resources/help stay below 300 kB.
4. Scripts that people start are executable and begin with "#!".
5. Databases are opened with a guard of core/base/files/sqlite_guard.h.
6. Sources are as clang-format writes them. No line of core, views or app is longer than its limit, nor a file than 700 lines.
7. Names in core, views and app are made of the words of CONTRIBUTING.md.
8. Comments begin with a noun or a verb.
9. Every test is run: tst_*.cpp lie where CMake collects them and register a class, scripts likewise or by their name.
10. Lists that nothing else reads are whole: each rule and each method of recording has its row in a README, each method its texts, each
   page of the manual its like in Chinese; each room is on the map of README.md, each view is built, each shelf of core/import is in its
   README and, where it reads files, is fuzzed; each page of the window has its icon, its manual and its picture; what opens is in the
   manual, and what a file holds has a title; functions of SQL have a cost and are completed, aggregates
   also stand in the manual.
11. Tables of evidence whose row ids do not name the rank are known as such.
12. What readers yield of the golden captures, and the columns of rows, are those of the version of the cache: tests/support/store_version.txt
    names both.
13. Counts in sentences of findings are known as such, so that they read like those of tables.
14. Lines of Markdown have at most 120 columns, but for rows of tables, pictures, code, what programs write, and Chinese, where the
    end of a line would show as a blank.
15. Columns of rows that code looks up by name are there: rowColumn() of another name would yield the number of columns.
16. Scripts pass shellcheck, where that is installed: those that run on machines of others without any remark, the rest without a warning.
"""

import hashlib
import os
import re
import shutil
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


COMMENT = re.compile(r"(?<!:)//[/!]?<?\s*(.*)")
HANGING = re.compile(r"(?:Of|What)\b")
# Rooms that still have comments of this kind, and how many at most.
HANGING_LEFT = {
    "core/analysis": 304, "core/capture": 123, "core/generate": 92, "core/pack": 20, "core/store": 1, "views/cluster": 34,
}


def check_comments(root):
    found = {}
    for path in project_files(root):
        if not path.startswith(("app/", "core/", "views/")) or not path.endswith((".cpp", ".h")):
            continue
        goes_on = False
        for number, line in enumerate(read(root, path).decode("utf-8", "replace").splitlines(), 1):
            comment, is_alone = COMMENT.search(line), line.lstrip().startswith("//")
            if comment and not (is_alone and goes_on) and HANGING.match(comment[1]):
                found.setdefault("/".join(path.split("/")[:2]), []).append(f"{path}:{number}")
            goes_on = is_alone
    for room, places in found.items():
        left = HANGING_LEFT.get(room, 0)
        if left == 0:
            yield from (f"{place}: a comment begins with \"Of\" or \"What\": begin it with a noun or a verb" for place in places)
        elif len(places) > left:
            yield f"{room}: {len(places)} comments begin with \"Of\" or \"What\", {left} at most: begin new ones with a noun or a verb"


# Documents whose lines were longer before there was a limit, and how many are left.
LONG_LINES_LEFT = {
    "CHANGELOG.md": 16, "core/analysis/README.md": 20, "core/capture/README.md": 14, "core/generate/README.md": 16, "core/pack/FORMAT.md": 9,
    "core/pack/README.md": 5, "views/cluster/README.md": 3, "views/timeline/README.md": 8,
}
# Written by programs: whole files, and parts of one.
MADE_FILE = "<!-- Made by "
MADE_PART = re.compile(r"<!-- \w+: begin.*?<!-- \w+: end -->", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)


def check_documents(root):
    for path in project_files(root):
        text = text_of(root, path)
        if not path.endswith(".md") or "/zh_CN/" in path or MADE_FILE in text:
            continue
        for part in (MADE_PART, FENCED):
            text = part.sub(lambda match: "\n" * match[0].count("\n"), text)
        places = [f"{path}:{number}" for number, line in enumerate(text.splitlines(), 1)
                  if len(line) > MAX_COLUMNS and not line.startswith(("|", "!["))]
        if len(places) > LONG_LINES_LEFT.get(path, 0):
            yield f"{places[-1]}: more than {MAX_COLUMNS} columns, as {len(places)} lines of the file: {LONG_LINES_LEFT.get(path, 0)} at most"


# What the lists of files in tests/CMakeLists.txt and tests/app/CMakeLists.txt take.
COLLECTED = re.compile(r"tests/(?:core|views)/\w+/tst_\w+\.cpp|tests/views/timeline/golden/tst_\w+\.cpp|tests/app/gui/tst_\w+\.cpp|"
                       r"tests/app/cli/test_\w+\.py|tests/app/gui/walk_\w+\.py")
TEST = re.compile(r"tst_\w+\.cpp|(?:test|walk)_\w+\.py")


def check_tests(root):
    for path in project_files(root):
        name = os.path.basename(path)
        if not path.startswith("tests/") or not TEST.fullmatch(name) or path == "tests/support/test_main.cpp":
            continue
        if name.endswith(".cpp") and not re.search(rb"^ALTI_TEST\(", read(root, path), re.M):
            yield f"{path}: has no ALTI_TEST, so nothing of it is run"
        lists = os.path.join(os.path.dirname(path), "CMakeLists.txt")
        if path.startswith("tests/app/"):
            lists = "tests/app/CMakeLists.txt"
        listed = os.path.exists(os.path.join(root, lists)) and name.encode() in read(root, lists)
        if not COLLECTED.fullmatch(path) and not listed:
            yield f"{path}: no CMakeLists.txt takes it, so it is never run"


def text_of(root, path):
    return read(root, path).decode("utf-8", "replace") if os.path.exists(os.path.join(root, path)) else ""


def pages_of_window(root):
    return re.findall(r'\.name = "(\w+)"_L1', text_of(root, "views/common/support/view_list.cpp"))


def inputs_that_open(root):
    """Of each kind of input the longest part of its first name: "ascend_pytorch_profiler" of "ascend_pytorch_profiler*.db"."""
    names = re.findall(r'\{"input\.\w+",\s*"([^",]*)', text_of(root, "core/session/reading/input_kinds.cpp"))
    return [max(re.split(r"[*/]", name), key=len).strip("._") for name in names if name != "*/"]


def check_files(root):
    """Files whose names follow from lists."""
    files = set(project_files(root))
    wanted = [name for page in pages_of_window(root) for name in (f"resources/icons/view_{page}.svg", f"resources/help/manual/en/{page}.md")]
    pictures = re.findall(r'^    "(\w+)": Picture\(', text_of(root, "packaging/pictures.py"), re.M)
    wanted += [f"resources/help/{name}-{look}.png" for name in pictures for look in ("light-en", "dark-en", "light-zh_CN", "dark-zh_CN")]
    for name in wanted:
        if name not in files:
            yield f"{name}: is not there"
    fuzzed = {os.path.basename(name)[5:-4] for name in files if name.startswith("tests/fuzz/fuzz_")}
    for name in sorted(files):
        shelf = re.fullmatch(r"core/import/(\w+)/FORMAT\.md", name)
        if shelf and not any(one == FUZZED_BY.get(shelf[1], shelf[1]) or one.startswith(shelf[1] + "_") for one in fuzzed):
            yield f"{name}: no tests/fuzz/fuzz_{shelf[1]}.cpp reads its files"


# Shelves of core/import whose layouts a fuzz program of another name reads; that of scan is of folders.
FUZZED_BY = {"raw_records": "raw", "scan": "archive", "sqlite": "database"}


COMPLETED = "core/session/sql/sql_words.cpp"
# Functions that statements call by an operator of the same name.
OPERATORS = {"glob", "regexp"}


def check_lists(root):
    files = project_files(root)
    lists = [("core/findings/README.md", "`{}`", re.findall(r'\{"(\w+)",\s*RuleTopic::', text_of(root, "core/findings/rule_table.h")))]
    methods = [name for path in files if path.startswith("core/capture/methods/") and path.endswith(".cpp")
               for name in re.findall(r'^const Method \w+\{\s*\.name = "([\w-]+)"', text_of(root, path), re.M)]
    lists += [("core/capture/README.md", "{}", methods), ("views/capture/support/method_texts.cpp", '"{}"', methods)]
    thresholds = re.findall(r'\{"(\w+)", "[^"]*", &FindingThresholds::', text_of(root, "core/findings/thresholds.h"))
    lists.append(("core/analysis/FORMULAS.md", "`{}`", thresholds))
    english = [path for path in files if path.startswith("resources/help/manual/en/") and path.endswith(".md")]
    pages = pages_of_window(root)
    lists.append(("views/help/manual.cpp", '"{}"_L1', [name for path in english if (name := os.path.basename(path)[:-3]) not in pages]))
    lists.append(("packaging/pictures.py", '"{}": Picture', pages))
    rooms = sorted({tuple(path.split("/")[:2]) for path in files if path.startswith(("core/", "views/", "app/")) and path.endswith(".h")})
    lists.append(("README.md", "`{}`", [name if top == "views" else f"{top}/{name}" for top, name in rooms]))
    lists.append(("views/CMakeLists.txt", "alti_view({}", [name for top, name in rooms if top == "views"]))
    lists.append(("core/import/README.md", "`{}`", sorted({path.split("/")[2] for path in files if re.match("core/import/[^/]*/.*h$", path)})))
    ours = {path: re.findall(r'^ +\{"(\w+)", \d+, \w|create_function_v2\(\w+, "(\w+)"', text_of(root, path), re.M)
            for path in files if re.fullmatch(r"core/query/functions/\w+_functions?\.cpp", path)}
    functions = sorted({"".join(pair) for found in ours.values() for pair in found})
    aggregates = ["".join(pair) for pair in ours.get("core/query/functions/statistic_functions.cpp", [])]
    lists += [("core/query/limits/statement_limits.cpp", '{{"{}"', functions), ("core/query/functions/function_info.h", '"{}(x', aggregates)]
    completed = re.findall(r'"(\w+)\(', text_of(root, COMPLETED) + text_of(root, "core/query/functions/function_info.h"))
    yield from (f"{COMPLETED}: lacks {name}" for name in functions if name not in completed and name not in OPERATORS)
    lists += [(f"resources/help/manual/{language}/sql.md", "{}", aggregates) for language in ("en", "zh_CN")]
    contents = text_of(root, "core/import/files/file_names.cpp")
    words = set(re.findall(r'^ +\{(?:"[^"]*", )+"([a-z_]+)"\},$|return "([a-z_]+)";', contents, re.M))
    lists.append(("views/common/support/data_texts.cpp", 'what == "{}"', sorted({"".join(pair) for pair in words} - {"database"})))
    for path, form, names in lists:
        text = text_of(root, path)
        for name in names:
            if not re.search(r"(?<![\w-])" + re.escape(form.format(name)) + r"(?![\w-])", text):
                yield f"{path}: lacks {name}"
    for language in ("en", "zh_CN"):
        path = f"resources/help/manual/{language}/files.md"
        for name in inputs_that_open(root):
            if name not in text_of(root, path):
                yield f"{path}: lacks {name}"
    for path in english:
        if path.replace("/en/", "/zh_CN/") not in files:
            yield f"{path}: is not there in Chinese"


# Numbers in sentences of findings that are no counts: they name something, or programs alone read them.
NAMING_NUMBERS = {"device", "fast_stage", "first_step", "growth_bytes", "highest", "last_step", "lowest", "recoverable_bytes", "slow_stage",
                  "source", "step", "target"}
COUNT_NAMES = re.compile(r"kCounts\[\] = \{([^}]*)\}")
NUMBER_PARAMETER = re.compile(r'addParameter\(\s*\*?\w+,\s*"(\w+)",([^;]*)')


def check_counts(root):
    counts = set(re.findall(r'"(\w+)"', "".join(COUNT_NAMES.findall(text_of(root, "core/findings/finding.cpp")))))
    for path in project_files(root):
        if not path.startswith("core/findings/") or not path.endswith(".cpp"):
            continue
        for name, value in NUMBER_PARAMETER.findall(text_of(root, path)):
            if re.search(r"to_string|countText", value) and name not in counts | NAMING_NUMBERS:
                yield f'{path}: the parameter "{name}" is a number: a count is in kCounts of finding.cpp'


ROW_LIST = re.compile(r"RowColumn k(\w+)\[\] = \{(.*?)\};", re.S)
KIND_ALIAS = re.compile(r"\b(\w+)\s*=\s*(?:altiscope::)?RowKind::(\w+)\b")
# Any function of a kind and a name, since files have short names for rowColumn(), but those that add a column or ask for it.
LOOKED_UP = re.compile(r'\b(?!extraColumn|hasColumn)\w+\(\s*(?:RowKind::)?(\w+),\s*"(\w+)"\)')


def check_columns(root):
    columns = {kind: set(re.findall(r'"(\w+)"', rows)) for kind, rows in ROW_LIST.findall(text_of(root, "core/store/rows/row_kinds.h"))}
    for path in project_files(root):
        if not path.startswith(("app/", "core/", "views/")) or not path.endswith((".cpp", ".h")):
            continue
        text = text_of(root, path)
        kinds = {kind: {kind} for kind in columns}
        for alias, kind in KIND_ALIAS.findall(text):
            kinds.setdefault(alias, set()).add(kind)
        for match in LOOKED_UP.finditer(text):
            known = [columns[kind] for kind in kinds.get(match[1], ()) if kind in columns]
            if known and not any(match[2] in names for names in known):
                yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]} has no column {match[2]}"


EVIDENCE_TABLE = re.compile(r'\badd(?:Snapshot)?Rows\(\s*\*?\w+,\s*"(\w+)"')


def check_evidence(root):
    kinds = set(re.findall(r'\{"(\w+)", k[A-Z]', text_of(root, "core/store/rows/row_kinds.h")))
    others = set(re.findall(r'"(\w+)"', "".join(re.findall(r"kWithoutRank\[\] = \{([^}]*)\}", text_of(root, "core/findings/run_rules.cpp")))))
    for path in project_files(root):
        if path.startswith("core/findings/") and path.endswith(".cpp"):
            for table in EVIDENCE_TABLE.findall(text_of(root, path)):
                if table not in kinds | others:
                    yield f"{path}: evidence in {table}, which no reader fills: its row ids do not name the rank: add it to kWithoutRank of run_rules.cpp"


GOLDEN_VERSION = "tests/support/store_version.txt"


def check_version(root):
    """A cache of before would show what the former readers yielded."""
    version = re.search(r"kStoreFileVersion = (\d+);", text_of(root, "core/store/file/store_file.h"))
    texts = sorted(path for path in project_files(root) if re.fullmatch(r"tests/golden/\w+/expected\.txt", path))
    columns = re.sub(r"//.*|\s", "", text_of(root, "core/store/rows/row_kinds.h").partition("namespace row_kinds {")[2])
    if not version and os.path.exists(os.path.join(root, "core/store/file/store_file.h")):
        yield "core/store/file/store_file.h: no kStoreFileVersion = NUMBER; is found"
    if version:
        digest = hashlib.sha256(b"".join(read(root, path) for path in texts) + columns.encode())
        wanted = f"{version[1]} {digest.hexdigest()[:16]}\n"
        if text_of(root, GOLDEN_VERSION) != wanted:
            yield (f"{GOLDEN_VERSION}: readers yield something else, kinds of rows have other columns, or kStoreFileVersion of "
                   f"core/store/file/store_file.h is another: raise that where it is not yet, then write here: {wanted.strip()}")


SHELL_PROBLEM = re.compile(r"^(\S+?:\d+):\d+: \w+: (.*)")


def check_shell(root):
    if shutil.which("shellcheck") is None:
        return
    scripts = [path for path in project_files(root) if path.endswith(".sh")]
    on_targets = [path for path in scripts if path.startswith("core/")]
    for severity, paths in (("style", on_targets), ("warning", [path for path in scripts if path not in on_targets])):
        if not paths:
            continue
        result = subprocess.run(["shellcheck", "-f", "gcc", "-S", severity, *paths], cwd=root, capture_output=True, text=True,
                                check=False)
        found = list(filter(None, map(SHELL_PROBLEM.match, result.stdout.splitlines())))
        yield from (f"{problem[1]}: {problem[2]}" for problem in found)
        if result.returncode != 0 and not found:
            yield f"shellcheck failed: {(result.stdout + result.stderr)[-200:]}"


def main(root):
    checks = (check_readmes, check_machine_paths, check_pictures, check_scripts, check_sqlite_guards, check_words, check_comments,
              check_documents, check_tests, check_lists, check_files, check_columns, check_evidence, check_version, check_counts, check_shell, check_format)
    found = [complaint for check in checks for complaint in check(root)]
    print(*found, f"{len(found)} rules broken", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
