#!/usr/bin/env python3
"""Writes the manual's reference, resources/help/reference/, from the programs; with --check, fails if it is stale.

usage: make_reference.py --root ROOT --cli ALTISCOPE_CLI [--gui ALTISCOPE] [--check]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MADE = "<!-- Made by tests/support/make_reference.py; do not edit. -->"
COMMANDS = ("info", "query", "export", "report", "compare", "mcp", "generate", "analyse", "cache", "capture")
KEY_WORDS = {"Plus": "+", "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Question": "?"}
OUTPUT_RULES = """Results go to standard output, progress and messages to standard error; the locale never changes what is written.
JSON: integers are written as integers, also above 2^53; NULL is `null`, a real its shortest text that reads back the same, a blob
hexadecimal text. The members of a row stand in the order of the statement; a repeated name gets `_2`. CSV: as RFC 4180, with a header;
NULL is empty."""
TABLE_RULES = """Times are ns, sizes bytes, absent values NULL. `ts` is the clock of the trace itself and is never shifted: aligned time is
`ts + rank.clock_offset`. A step is a number (`step50` and `50` are 50). `slice_id` and `track_id` are unique in the capture and depend on its
bytes alone. Where a table has `origin`, the rows that the profiler recorded and those that we compute stand side by side. A table whose
input is missing is empty, never an error.

- `slice`: complete events and pairs of begin and end. One that nothing ends lasts to the end of its track. One that overlaps another
  takes the next free depth, and its parent is the innermost slice that wholly contains it.
- `counter`: a row per numeric argument. Arguments that end in `_id`, `PA Link ID` and `PCIE ID` are part of `series`. A database gives the
  names and units of the text export.
- `flow`: a row per end that has a start of the same category and id, wherever either stands. An end that lies in no slice is NULL.
- `kernel_metric.name` is the heading of the file without its unit; times are ns. `kernel_rowid` is the `rowid` of `kernel`.
- Megabytes are 10^6 bytes in files about communication, 2^20 in those about memory; here all are bytes."""


def run(program, *words, cache):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "LANGUAGE": "en", "QT_QPA_PLATFORM": "offscreen", "XDG_CACHE_HOME": cache}
    return subprocess.run([program, *words], capture_output=True, text=True, check=True, env=environment).stdout


def page(title, *parts):
    return "\n\n".join((f"# {title}", MADE, *(part.strip("\n") for part in parts))) + "\n"


def fenced(text, language=""):
    return f"```{language}\n{text.rstrip()}\n```"


def sql_page(cli, cache):
    parts = [TABLE_RULES]
    for table in json.loads(run(cli, "query", "--schema", "--json", cache=cache)):
        rows = ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in table["columns"]:
            meaning = column["meaning"].replace("|", "\\|")
            rows.append(f"| `{column['name']}` | {column['type']} | {column['unit']} | {meaning} |")
        parts.append(f"## {table['table']}\n\n{table['meaning']}.\n\n" + "\n".join(rows))
    return page("SQL tables", *parts)


def command_line_page(cli, cache):
    parts = [fenced(run(cli, "--help", cache=cache)), OUTPUT_RULES]
    parts += [f"## {command}\n\n" + fenced(run(cli, command, "--help", cache=cache)) for command in COMMANDS]
    return page("altiscope-cli", *parts)


def key_text(key, modifiers):
    shift = [name for name in ("Control", "Alt", "Shift") if f"Qt::{name}Modifier" in modifiers]
    return "+".join([*(name.replace("Control", "Ctrl") for name in shift), KEY_WORDS.get(key, key)])


def keys_page(root):
    # Literals that are broken over lines are joined.
    text = re.sub(r'"\s*\n\s*"', "", next((root / "views/timeline").rglob("timeline_keys.cpp")).read_text())
    effects = dict(re.findall(r"case TimelineAction::(\w+):\s*return KeyTexts::tr\(\"([^\"]*)\"\)", text))
    keys = {}
    for action, key, modifiers in re.findall(r"\{A::(\w+), Qt::Key_(\w+), ([\w:| ]+)\}", text):
        keys.setdefault(action, []).append(key_text(key, modifiers))
    if not keys or set(keys) != set(effects):
        sys.exit("timeline_keys.cpp: actions with keys and with texts differ")
    gestures = re.findall(r"\{KeyTexts::tr\(\"([^\"]*)\"\),\s*KeyTexts::tr\(\"([^\"]*)\"\)\}", text)
    rows = "\n".join(f"| {', '.join(f'`{key}`' for key in known)} | {effects[action]} |" for action, known in keys.items())
    mouse = "\n".join(f"| {gesture} | {effect} |" for gesture, effect in gestures)
    return page("Timeline shortcuts", "Letters and digits count by their place on the keyboard. All keys can be changed in the settings.",
                "| key | does |\n|---|---|\n" + rows, "| mouse | does |\n|---|---|\n" + mouse)


def shape(value):
    """The form of a JSON value: names of members, and kinds in place of values."""
    if isinstance(value, dict):
        if value and all(isinstance(member, int) for member in value.values()) and len(value) > 20:
            return {"TABLE": "integer"}
        return {key: shape(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if value is None:
        return "null"
    return {bool: "boolean", int: "integer", float: "real", str: "text"}[type(value)]


def json_page(cli, cache, folder):
    capture = os.path.join(folder, "capture")
    made = run(cli, "generate", capture, "--ranks", "4", "--steps", "2", "--layers", "1", "--plant", "slow-rank=1", "--json", "--quiet", cache=cache)
    with open(os.path.join(capture, "truth.json"), encoding="utf-8") as file:
        truth = json.load(file)
    for rank in truth["ranks"]:
        rank["tracks"] = [track for track in rank["tracks"] if "slices" in track]
    # What becomes of a file that lost its end.
    trace = os.path.join(capture, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")
    with open(trace, "r+b") as file:
        file.truncate(os.path.getsize(trace) - 10)
    samples = (
        ("info CAPTURE --json", "One object. `state` is ok, partial or failed, that of a rank ok, partial, raw or listed; a diagnostic's `severity` is info, repaired or lost.",
         run(cli, "info", capture, "--json", "--no-cache", "--quiet", cache=cache)),
        ("query CAPTURE --sql ... --format json", "A list with an object per row.",
         run(cli, "query", capture, "--sql", "SELECT name, count, total/1e6 AS ms FROM name_stat LIMIT 1", "--format", "json", "--no-cache", "--quiet", cache=cache)),
        ("query --schema --json", "A list with an object per table.", run(cli, "query", "--schema", "--json", cache=cache)),
        ("export CAPTURE --what TABLE --out FILE --json", "What was written.",
         run(cli, "export", capture, "--what", "step", "--out", os.path.join(folder, "step.csv"), "--json", "--no-cache", "--quiet", cache=cache)),
        ("generate OUT --json", "What was made.", made),
        ("OUT/truth.json", "What a generated capture holds, times in ns, sizes in bytes.", json.dumps(truth)),
    )
    parts = ["The forms of what the programs write as JSON. In place of values stand their kinds; of a list its first element; `null` may be a value of "
             "another kind elsewhere."]
    for title, text, output in samples:
        parts.append(f"## {title}\n\n{text}\n\n" + fenced(json.dumps(shape(json.loads(output)), indent=1), "json"))
    return page("JSON", *parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--gui")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        pages = {"sql.md": sql_page(options.cli, cache), "command-line.md": command_line_page(options.cli, cache), "keys.md": keys_page(options.root),
                 "json.md": json_page(options.cli, cache, folder)}
        if options.gui:
            pages["window.md"] = page("altiscope", fenced(run(options.gui, "--help", cache=cache)))
    reference = options.root / "resources/help/reference"
    reference.mkdir(exist_ok=True)
    stale = [name for name, text in pages.items() if not (reference / name).exists() or (reference / name).read_text() != text]
    if options.check:
        if stale:
            sys.exit(f"resources/help/reference is stale ({', '.join(stale)}): run tests/support/make_reference.py without --check")
        print("the reference is what the programs say")
        return
    for name in stale:
        (reference / name).write_text(pages[name])


if __name__ == "__main__":
    main()
