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
KEY_WORDS = {"Plus": "+", "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Question": "?", "Period": ".", "Comma": ","}
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
    return page("Command line: altiscope-cli", *parts)


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


def kind_of(schema):
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return ", ".join("null" if value is None else f"`{value}`" for value in schema["enum"])
    kinds = schema.get("type", "any value")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def members(schema, path=""):
    """(path, kind, meaning) of each member, outer ones first: "ranks[].steps[]" is an element of a list in a list."""
    if "properties" in schema:
        for name, member in schema["properties"].items():
            yield f"{path}.{name}".lstrip("."), kind_of(member), member.get("description", ""), name in schema["required"]
            yield from members(member, f"{path}.{name}".lstrip("."))
    if isinstance(schema.get("additionalProperties"), dict):
        yield f"{path}.NAME".lstrip("."), kind_of(schema["additionalProperties"]), schema["additionalProperties"].get("description", ""), True
    if "items" in schema:
        yield from members(schema["items"], path + "[]")


def json_page(root):
    schemas = [json.loads(file.read_text(encoding="utf-8")) for file in sorted((root / "resources/help/schemas").glob("*.json"))]
    parts = ["What the programs write as JSON. The same as JSON Schema (2020-12) for programs: `resources/help/schemas`."]
    for schema in schemas:
        rows = ["| member | kind | meaning |", "|---|---|---|"]
        rows += [f"| `{path}` | {kind}{'' if always else ', may be absent'} | {meaning} |" for path, kind, meaning, always in members(schema)]
        parts.append(f"## {schema['title']}\n\n{schema['description']}\n\n" + "\n".join(rows))
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
                 "json.md": json_page(options.root)}
        if options.gui:
            pages["window.md"] = page("Command line: altiscope", fenced(run(options.gui, "--help", cache=cache)))
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
