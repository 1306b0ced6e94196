#!/usr/bin/env python3
"""Writes the manual's reference, resources/help/reference/ and manual/*/records.md, from the programs; with --check, fails if it is stale.

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
# As Qt calls them in the window.
KEY_WORDS = {"Plus": "+", "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Question": "?", "Period": ".", "Comma": ",",
             "Escape": "Esc", "PageUp": "PgUp", "PageDown": "PgDown", "Delete": "Del", "Return": "Enter"}
OUTPUT_RULES = """Results go to standard output, progress and messages to standard error; the locale never changes what is written.
JSON: integers are written as integers, also above 2^53; NULL is `null`, a real its shortest text that reads back the same, a blob
hexadecimal text. The members of a row are in the order of the statement; a repeated name gets `_2`. CSV: as RFC 4180, with a header;
NULL is empty. Arrow: a stream of the IPC format, little-endian; a column is an Int of 64 bits, a double, Utf8 by a
dictionary or Binary, and its metadata `unit` is the unit. Each batch comes with its dictionaries."""
TABLE_RULES = """Times are ns, sizes bytes, absent values NULL. `ts` is the clock of the trace itself and is never shifted: aligned time is
`ts + rank.clock_offset`. A step is a number (`step50` and `50` are 50). `slice_id` and `track_id` are unique in the capture and depend on its
bytes alone. Where a table has `origin`, the rows that the profiler recorded and those that we compute are side by side. A table whose
input is missing is empty, never an error.

- `slice`: complete events and pairs of begin and end. One that nothing ends lasts to the end of its track. One that overlaps another
  takes the next free depth, and its parent is the innermost slice that wholly contains it.
- `counter`: a row per numeric argument. Arguments that end in `_id`, `PA Link ID` and `PCIE ID` are part of `series`. A database gives the
  names and units of the text export.
- `flow`: a row per end that has a start of the same category and id, wherever either is. An end that is in no slice is NULL.
- `kernel_metric.name` is the heading of the file without its unit; times are ns. `kernel_rowid` is the `rowid` of `kernel`.
- Functions of tables take the name of a table or view, or the text of a SELECT, with the columns `ts` and `dur`, and as BY columns for whose
  values rows are apart: `gaps('kernel', 'rank_id, stream')`. `intersect` is written in double quotes.
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
        what = {"view": "A view. ", "function": f"A function that is read like a table: `{table.get('call')}`. "}.get(table.get("kind"), "")
        parts.append(f"## {table['table']}\n\n{what}{table['meaning']}.\n\n" + "\n".join(rows))
    return page("SQL tables", *parts)


def command_line_page(cli, cache):
    program = run(cli, "--help", cache=cache)
    commands = re.findall(r"^  ([a-z]+) ", program.partition("Options of all")[0], re.M)
    parts = [fenced(program), OUTPUT_RULES]
    parts += [f"## {command}\n\n" + fenced(run(cli, command, "--help", cache=cache)) for command in commands]
    return page("Command line: altiscope-cli", *parts)


def key_text(combination):
    """"Ctrl+Shift+Z" of "Qt::CTRL | Qt::SHIFT | Qt::Key_Z"; None if it is not understood."""
    parts = re.fullmatch(r"((?:Qt::(?:CTRL|ALT|SHIFT) \| )*)Qt::Key_(\w+)", combination.strip())
    return parts and "+".join([*(word.title() for word in re.findall(r"Qt::(\w+) \|", parts[1])), KEY_WORDS.get(parts[2], parts[2])])


# As Qt has them on Linux.
STANDARD_KEYS = {"Open": "Ctrl+O", "Save": "Ctrl+S", "Undo": "Ctrl+Z", "Redo": "Ctrl+Shift+Z", "Find": "Ctrl+F", "HelpContents": "F1",
                 "Copy": "Ctrl+C", "SelectAll": "Ctrl+A", "Delete": "Del", "Back": "Alt+Left", "Forward": "Alt+Right"}
# Files of views and app whose keys have no "// Keys of PLACE:" of their own, and why.
UNLISTED = {
    "app/gui/window_actions.cpp": "listed as keys of the window",
    "app/gui/lower_dock.cpp": "listed as keys of the window",
    "app/gui/edit_menu.cpp": "passes Ctrl+C on",
    "views/timeline/scene/timeline_keys.cpp": "listed as keys of the timeline",
    "views/common/plots/plot_canvas.cpp": "a menu with keys of gesture_canvas.cpp",
    "views/common/plots/plot_view.cpp": "a menu with a key of gesture_canvas.cpp",
    "views/communication/panels/time_view.cpp": "a menu with keys of collective_input.cpp",
    "views/common/tables/row_copy.cpp": "Ctrl+C as in any list",
    "views/common/widgets/command_palette.cpp": "a list with a field",
    "views/capture/runs/history_panel.cpp": "a list with a field",
    "views/overview/context_bar.cpp": "a field",
    "views/overview/start_page.cpp": "a list",
    "views/help/guided_tour.cpp": "the tour says its keys itself",
    "views/help/tour_bubble.cpp": "the tour says its keys itself",
}
# Signs that a key above gives too, on some keyboards or with Shift.
SECOND_SIGNS = {"Equal", "ParenRight", "Backtab"}


def window_keys(root):
    """[(key, what it does)] of the menus, in their order; pages last. From where the actions are declared."""
    text = re.sub(r'"\s*\n\s*"', "", (root / "app/gui/window_actions.cpp").read_text(encoding="utf-8"))
    literal = r'(?:QT_TR_NOOP\()?u?"([^"]*)"\)?'
    rows = re.findall(rf"\{{C::(\w+),\s*M::\w+,\s*{literal}(?:,\s*{literal},\s*([^,}}]+)(?:,\s*(?:nullptr|{literal}))?)?[^}}]*\}},\n", text)
    keys = []
    for action, title, _, key, tip in rows:
        effect = title.replace("&", "").rstrip("…") + (f": {tip[0].lower()}{tip[1:]}" if tip else "")
        if standard := re.fullmatch(r"QKeySequence::(\w+)", key):
            if standard[1] not in STANDARD_KEYS:
                sys.exit(f"window_actions.cpp: add QKeySequence::{standard[1]} of {action} to STANDARD_KEYS of tests/support/make_reference.py")
            keys.append((STANDARD_KEYS[standard[1]], effect))
        elif key and key != "kNoKey":
            if not key_text(key):
                sys.exit(f"window_actions.cpp: the key of {action} is not understood: write Qt::CTRL | Qt::Key_NAME with any of CTRL, SHIFT "
                         f"and ALT; it is {key}")
            keys.append((key_text(key), effect))
    views = (root / "views/common/support/view_list.cpp").read_text(encoding="utf-8")
    pages = re.findall(r'\.title = QT_TRANSLATE_NOOP\("altiscope::Views", "([^"]*)"\)', views)
    if len(rows) != len(re.findall(r"\{C::\w+,\s*M::", text)) or not pages:
        sys.exit("window_actions.cpp: window_keys() of tests/support/make_reference.py does not read all rows of commands; or "
                 "view_list.cpp: it does not read the rows of pages")
    dock = re.search(r"setShortcut\(Qt::Key_(\w)\)", (root / "app/gui/lower_dock.cpp").read_text(encoding="utf-8"))[1]
    keys.append((dock, "Show or hide the panel below the page"))
    keys += [(f"Ctrl+{number}", f"Page {title}") for number, title in enumerate(pages[:9], 1)]
    return keys, pages[9:]


def keys_of_code(text):
    """Names of the keys that code reacts to, without modifiers, as the reference writes them."""
    code = re.sub(r"//.*", "", text)
    names = set(re.findall(r"Qt::Key_(\w+)", code)) - SECOND_SIGNS - {"unknown"}
    standard = {name: key for name, key in STANDARD_KEYS.items() if re.search(rf"QKeySequence::{name}\b", code)}
    return {KEY_WORDS.get(name, name) for name in names} | {key.rpartition("+")[2] for key in standard.values()}


# How code reads them.
MODIFIERS = {"Ctrl": r"Qt::(?:CTRL|Control\w+)|QKeySequence::\w", "Shift": r"Qt::(?:SHIFT|Shift\w+)", "Alt": r"Qt::(?:ALT|Alt\w+)|QKeySequence::\w"}


def other_keys(root):
    """[(place, keys, what they do)] of what the sources list beside the code that reacts to the keys:
    // Keys of PLACE:
    // - `KEY`, `KEY`: What they do
    A file that reacts to a key that it does not list, or lists one that it does not react to, is an error.
    """
    rows = {}
    shared = keys_of_code((root / "views/common/plots/gesture_canvas.cpp").read_text(encoding="utf-8"))
    for file in sorted(path for room in ("views", "app") for path in (root / room).rglob("*") if path.suffix in (".cpp", ".h")):
        name, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
        listed, whole, place = set(), set(), None
        for line in text.splitlines():
            if begin := re.fullmatch(r"// Keys of (.+):", line):
                place = begin[1]
            elif place and (row := re.fullmatch(r"// - (`.+`): (.+)", line)):
                rows.setdefault(place, {})[row[1], row[2]] = None
                # "+" itself is a key.
                whole |= set(re.findall(r"`([^`]+)`", row[1]))
                listed |= {key[-1] if key.endswith("+") else key.rpartition("+")[2] for key in re.findall(r"`([^`]+)`", row[1])}
            else:
                place = None
        used = keys_of_code(text)
        isShared = re.search(r"\b(canvasCommand|handleKey)\(", text) is not None
        known = used | shared if isShared else used
        code = re.sub(r"//.*", "", text)
        wrong = {key for key in whole for modifier in re.findall(r"(\w+)\+", key) if not isShared and not re.search(MODIFIERS[modifier], code)}
        # Only where the whole is written as one.
        wrong |= {key_text(key) for key in re.findall(r"(?:Qt::(?:CTRL|ALT|SHIFT) \| )+Qt::Key_\w+", code)} - whole
        if wrong and name not in UNLISTED:
            sys.exit(f"{name}: {', '.join(sorted(wrong))}: the code above which keys are listed has other modifiers")
        if name in UNLISTED:
            if listed or not used:
                sys.exit(f"{name} lists its keys, or has none: take it out of UNLISTED of tests/support/make_reference.py")
        elif not used <= listed <= known:
            sys.exit(f"{name}: {', '.join(sorted(used - listed)) or 'no key'} not listed, {', '.join(sorted(listed - known)) or 'no key'} "
                     "listed and not used. List what each key does above the code that reacts to it, as \"// Keys of PLACE:\" and a line "
                     "\"// - `KEY`: What it does\" each; files without keys of their own stand in UNLISTED of tests/support/make_reference.py")
    return [(place, keys, effect) for place in sorted(rows) for keys, effect in rows[place]]


def keys_page(root):
    # Literals that are broken over lines are joined.
    text = re.sub(r'"\s*\n\s*"', "", next((root / "views/timeline").rglob("timeline_keys.cpp")).read_text())
    rows = re.findall(r'\{A::\w+,\s*u"\w+",\s*QT_TR_NOOP\(\s*"([^"]*)"\),\s*\{([^}]*)\}\}', text)
    if not rows or len(rows) != text.count("{A::"):
        sys.exit("timeline_keys.cpp: keys_page() of tests/support/make_reference.py does not read all rows of kActions")
    gestures = re.findall(r"\{KeyTexts::tr\(\"([^\"]*)\"\),\s*KeyTexts::tr\(\"([^\"]*)\"\)\}", text)
    rows = "\n".join(f"| {', '.join(f'`{key_text(key)}`' for key in keys.split(', '))} | {effect} |" for effect, keys in rows)
    mouse = "\n".join(f"| {gesture} | {effect} |" for gesture, effect in gestures)
    known, without = window_keys(root)
    window = "\n".join(f"| `{key}` | {effect} |" for key, effect in known)
    other = "\n".join(f"| {place} | {keys} | {effect} |" for place, keys, effect in other_keys(root))
    return page("Shortcuts", "## Timeline", "Letters and digits count by their place on the keyboard. Help > Timeline shortcuts (`?`) lists these keys and changes them.",
                "| key | does |\n|---|---|\n" + rows, "| mouse | does |\n|---|---|\n" + mouse,
                "## Window", f"On every page; a page that has a use of its own for a key takes it, as the timeline does Ctrl+Z. The pages {', '.join(without[:-1])} and {without[-1]} "
                "have no key: the palette (Ctrl+Shift+P) leads there.", "| key | does |\n|---|---|\n" + window,
                "## Other pages", "While the part that is named has the focus. The `Enter` of the numeric keypad counts too.",
                "| where | key | does |\n|---|---|---|\n" + other)


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


RECORDS = {
    "en": {
        "title": "Records of raw data",
        "about": """How the binary files of raw data are read: numbers are little-endian, offsets count bytes from the begin of a record. The tables are made from the
lists by which the program reads and generates these records. "Source" is the section of the description of raw formats that
`core/import/raw_records/FORMAT.md` in the sources relies on; "seen in" names the captures that prove a layout. Layouts that no capture has shown
yet are read as well, and the import report then says that this is experimental. Values of the framework's files (`FRAMEWORK`) follow a type (u16) and a
length (u32); texts follow in the same form.""",
        "host": "Host", "device": "Devices", "framework": "Frameworks", "bytes": "{} bytes", "source": "source: {}", "seen": "seen in: {}",
        "unseen": "seen in no capture yet", "head": "| offset | field | type | meaning |",
    },
    "zh_CN": {
        "title": "原始数据的记录",
        "about": """原始数据的二进制文件如何读取：数字为小端序，偏移为自记录开头的字节数。各表由程序读取和生成这些记录所用的列表生成，字段名与含义为英文。
“来源”是源码中 `core/import/raw_records/FORMAT.md` 所依据的原始格式说明的章节；“见于”列出可证实该布局的采集数据。尚无采集数据证实的布局同样读取，
导入报告会说明这是试验性的。框架文件（`FRAMEWORK`）的值前有类型（u16）与长度（u32），其后的文本形式相同。""",
        "host": "主机", "device": "设备", "framework": "框架", "bytes": "{} 字节", "source": "来源：{}", "seen": "见于：{}",
        "unseen": "尚未见于采集数据", "head": "| 偏移 | 字段 | 类型 | 含义 |",
    },
}
RECORD_PARTS = {"B.2": "host", "B.3": "host", "B.4": "device", "B.5": "device", "B.6": "device", "B.7": "device", "B.8": "device"}


def record_layouts(root):
    """[(name, bytes, source, samples, [(field, offset, type, meaning, count)])] of core/trace/raw/raw_layouts.h, in the order of the file."""
    # Literals that are broken over lines are joined.
    text = re.sub(r'"\s*\n\s*"', "", (root / "core/trace/raw/raw_layouts.h").read_text(encoding="utf-8"))
    literal, blank = r'"((?:[^"\\]|\\.)*)"', r"\s*,\s*"
    lists = {}
    for name, body in re.findall(r"constexpr RawField (\w+)\[\] = \{(.*?)\};", text, re.S):
        lists[name] = re.findall(rf"\{{{literal}{blank}(\d+){blank}(\w+){blank}{literal}(?:{blank}(\d+))?\}}", body)
        if len(lists[name]) != body.count("{"):
            sys.exit(f"raw_layouts.h: a field of {name} is not understood")
    layouts = {}
    for constant, name, size, source, sample, fields in re.findall(
            rf"constexpr RawLayout (\w+)\{{{literal}{blank}(\d+){blank}{literal}{blank}{literal}{blank}raw_fields::(\w+)\}};", text):
        layouts[constant] = (name, size, source, sample, [(field, int(at), kind.lower(), meaning, count) for field, at, kind, meaning, count in lists[fields]])
    listed = re.findall(r"&(\w+)", re.search(r"kRawLayouts\[\] = \{(.*?)\};", text, re.S)[1])
    if not listed or set(listed) != set(layouts) or len(lists) != len(layouts):
        sys.exit("raw_layouts.h: layouts and the list of them differ")
    return list(layouts.values())


def records_page(root, language):
    words, parts = RECORDS[language], []
    layouts = record_layouts(root)
    for part in ("host", "device", "framework"):
        parts.append(f"## {words[part]}")
        for name, size, source, sample, fields in layouts:
            if RECORD_PARTS.get(source, "framework") != part:
                continue
            facts = [words["bytes"].format(size), words["source"].format(source), words["seen"].format(sample) if sample else words["unseen"]]
            rows = [words["head"], "|---|---|---|---|"]
            rows += [f"| {at} | `{field}` | {kind}{f' × {count}' if count else ''} | {meaning.replace('|', chr(92) + '|')} |" for field, at, kind, meaning, count in fields]
            parts.append(f"### {name}\n\n{'; '.join(facts)}.\n\n" + "\n".join(rows))
    return page(words["title"], words["about"], *parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--gui")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache")
        pages = {"reference/sql.md": sql_page(options.cli, cache), "reference/command-line.md": command_line_page(options.cli, cache),
                 "reference/keys.md": keys_page(options.root), "reference/json.md": json_page(options.root)}
        pages |= {f"manual/{language}/records.md": records_page(options.root, language) for language in RECORDS}
        if options.gui:
            pages["reference/window.md"] = page("Command line: altiscope", fenced(run(options.gui, "--help", cache=cache)))
    manual = options.root / "resources/help"
    stale = [name for name, text in pages.items() if not (manual / name).exists() or (manual / name).read_text(encoding="utf-8") != text]
    if options.check:
        if stale:
            sys.exit(f"resources/help is stale ({', '.join(stale)}): run tests/support/make_reference.py without --check")
        print("the reference is what the programs say")
        return
    for name in stale:
        (manual / name).write_text(pages[name], encoding="utf-8")


if __name__ == "__main__":
    main()
