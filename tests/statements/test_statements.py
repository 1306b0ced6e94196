#!/usr/bin/env python3
"""Every statement that the program makes of a list of captures, beside the verdict of a person: README.md.

    test_statements.py generated|real"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import captures

HERE = os.path.dirname(os.path.abspath(__file__))
CLI = os.environ["ALTI_CLI"]
SHARED = os.environ.get("ALTI_SHARED_DATA", "")
VERDICTS = ("right", "trivial", "wrong", "misleading")
UNSEEN = "unseen"
PATIENCE = 240  # s, for one call
HOW = ("A statement changed. With ALTI_NEW_GOLDEN=1 the test writes it anew; then read `git diff tests/statements`, count again "
       "in the files of the capture and write a verdict with its reason where it says unseen (tests/statements/README.md).")

# Folders that a capture itself names, of the machine that made it.
HOME_FOLDERS = re.compile(r"/(?:home|root|Users)/[^\s:]*/")
Statement = collections.namedtuple("Statement", "heading text")


def run(*words):
    """Standard output, or what went wrong."""
    done = subprocess.run([CLI, *words, "--no-cache", "--quiet"], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                          check=False, env={**os.environ, "QT_QPA_PLATFORM": "no such platform", "DISPLAY": ""})
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def plain(text, paths):
    """Without what differs from machine to machine."""
    for path in sorted({form(path) for path in paths for form in (str, os.path.normpath, os.path.realpath)}, key=len, reverse=True):
        text = text.replace(path, "CAPTURE")
    text = HOME_FOLDERS.sub(".../", text)
    return " ".join(text.split())


def rank_lists(ranks):
    """What is missing, once for all ranks that lack the same."""
    lacking = collections.defaultdict(list)
    for rank in ranks:
        lacking[", ".join(sorted(entry["what"] for entry in rank["missing"]))].append(str(rank["rank_id"]))
    return [f"rank {', '.join(names)}: {what}" for what, names in lacking.items() if what]


def findings(report):
    for table in report["findings"]["tables"]:
        names = [column["name"] for column in table["columns"]]
        for row in table["rows"] if "detail" in names else ():
            finding = dict(zip(names, row, strict=True))
            place = "".join(f", {what} {finding[key]}" for what, key in (("rank", "rank_id"), ("step", "step"))
                            if finding[key] is not None)
            yield Statement(f"finding {finding['rule']}, {finding['severity']}{place}", [finding["title"], finding["detail"]])


def diagnostics(found, paths):
    for entry in found["diagnostics"]:
        if entry["severity"] != "info":
            yield Statement(f"diagnostic {entry['code']}, {entry['severity']}, {entry['count']} x", [plain(entry["message"], paths)])


def statements(capture, folder):
    """What is said of one capture."""
    paths = [capture, os.path.dirname(capture)]
    status, text, problem = run("info", capture, "--json")
    if status != 0:
        return [Statement("refusal", [plain(problem.splitlines()[0] if problem else text, paths)])]
    found = json.loads(text)
    said = []
    out = os.path.join(folder, "report.json")
    status, _, problem = run("report", capture, "--out", out)
    if status == 0:
        with open(out, encoding="utf-8") as file:
            report = {section["id"]: section for section in json.load(file)["sections"]}
        # The first sentence of the overview and of a report.
        said += [Statement(f"summary of {key}", [report[key]["text"]]) for key in ("steps", "findings") if key in report]
        said += findings(report)
    else:
        said.append(Statement("no report", [plain(problem, paths)]))
    said += diagnostics(found, paths)
    said += [Statement("missing", [line]) for line in rank_lists(found["ranks"])]
    return [Statement(heading, [plain(line, paths) for line in lines]) for heading, lines in said]


def comparison(base, current):
    status, text, problem = run("compare", base, current)
    return (text if status == 0 else problem).splitlines()[0]


def readable(statement):
    return "\n".join([f"## {statement.heading}", *("> " + line for line in statement.text)])


def read_golden(path):
    """Statement -> verdict and reason, in the order of the file."""
    golden = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            blocks = file.read().strip().split("\n\n")[1:]
        for block in blocks:
            heading, *lines = block.split("\n")
            golden.append((Statement(heading[3:], [line[2:] for line in lines[:-1]]), lines[-1]))
    return golden


def write_golden(path, name, said, golden):
    verdicts = collections.defaultdict(list)
    for statement, verdict in golden:
        verdicts[readable(statement)].append(verdict)
    blocks = [f"# {name}"]
    for statement in said:
        known = verdicts[readable(statement)]
        blocks.append(readable(statement) + "\n" + (known.pop(0) if known else UNSEEN + ":"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n\n".join(blocks) + "\n")


def problems_of(name, said, golden):
    old, new = [readable(s) for s, _ in golden], [readable(s) for s in said]
    if old != new:
        yield from (f"{name}: no longer said:\n{text}" for text in old if text not in new)
        yield from (f"{name}: new:\n{text}" for text in new if text not in old)
        if sorted(old) == sorted(new):
            yield f"{name}: said in another order: " + "; ".join(s.heading for s in said)
    for statement, line in golden:
        verdict, _, reason = line.partition(":")
        if verdict not in VERDICTS or not reason.strip():
            yield f"{name}: no verdict with a reason: {line!r} under\n{readable(statement)}"


def made(name, folder):
    words, change = captures.GENERATED[name]
    path = os.path.join(folder, name)
    status, _, problem = run("generate", path, *(() if "--format" in words else ("--format", "text")), *words)
    if status != 0:
        raise RuntimeError(f"{name}: {problem}")
    if change:
        change(path)
    return path


def real(name, folder):
    """Where a real capture lies; packed ones are unpacked for it."""
    path = os.path.join(SHARED, captures.REAL[name])
    if not path.endswith(".tar.xz"):
        return path
    unpacked = os.path.join(folder, name)
    os.mkdir(unpacked)
    subprocess.run(["tar", "-xf", path, "-C", unpacked, "--strip-components=2", os.path.basename(path)[:-7] + "/input"], check=True)
    return unpacked


def all_statements(kind, folder):
    """Name -> statements; captures are looked at side by side."""
    places = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        if kind == "generated":
            names = list(captures.GENERATED)
            places = dict(zip(names, pool.map(lambda name: made(name, folder), names), strict=True))
            pairs = captures.GENERATED_PAIRS
        else:
            places = {name: real(name, folder) for name, place in captures.REAL.items()
                      if os.path.exists(os.path.join(SHARED, place))}
            pairs = [pair for pair in captures.REAL_PAIRS if places.keys() >= set(pair)]
        for name in places:
            os.mkdir(os.path.join(folder, "of_" + name))
        said = dict(zip(places, pool.map(lambda name: statements(places[name], os.path.join(folder, "of_" + name)), places),
                        strict=True))
        lines = pool.map(lambda pair: comparison(*(places[name] for name in pair)), pairs)
        said["compared"] = [Statement(f"compare {base} with {current}", [line])
                            for (base, current), line in zip(pairs, lines, strict=True)]
    return said


def main():
    kind = sys.argv[1]
    if kind == "real" and not os.path.isdir(os.path.join(SHARED, "torch_text")):
        print("SKIP   : statements::real() real captures are not installed (ALTI_SHARED_DATA)", file=sys.stderr)
        return 0
    problems, verdicts = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, said in all_statements(kind, folder).items():
            path = os.path.join(HERE, kind, name + ".txt")
            golden = read_golden(path)
            if "ALTI_NEW_GOLDEN" in os.environ:
                write_golden(path, name, said, golden)
                golden = read_golden(path)
            problems += problems_of(name, said, golden)
            verdicts.update(line.partition(":")[0] for _, line in golden)
    print(f"{kind}: " + ", ".join(f"{verdicts[v]} {v}" for v in (*VERDICTS, UNSEEN)))
    for problem in problems:
        print(problem)
    if problems:
        print(HOW)
    return 1 if problems or "ALTI_NEW_GOLDEN" in os.environ else 0


if __name__ == "__main__":
    sys.exit(main())
