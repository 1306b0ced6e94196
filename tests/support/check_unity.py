#!/usr/bin/env python3
"""Names in anonymous namespaces are unique in their room: sanitizer builds join the files of a room (unity build), and
there two of a name collide, or worse, overload each other. Types of headers are unique in their namespace: two of a name break
the program wherever both are seen, and silently where they are not.

    check_unity.py ROOT

Reads declarations that begin in column 0 between "namespace {" and its "}", which is how this project writes them.
"""

import os
import re
import sys

OPENS = re.compile(r"^namespace \{")
CLOSES = re.compile(r"^\}")
DECLARATION = re.compile(r"""^(?=\w)(?:template\s*<.*>\s*)?(?:
      (?:struct|class|enum\s+class|enum|union)\s+(?P<type>\w+)\s*(?:final\s*)?(?::[^;]*)?[{;]?
    | using\s+(?P<alias>\w+)\s*=
    | namespace\s+(?P<space>\w+)\s*=
    | (?!using|namespace|static_assert|return|friend|typedef|Q_)[\w:<>,*&\s\[\]\.]*?[\s*&](?P<name>\w+)\s*(?:\(|=|\{|\[|;)
    )""", re.VERBOSE)


# "constexpr int kA = 1, kB = 2;", over lines if need be.
CONSTANTS = re.compile(r"^constexpr\b")
NEXT_CONSTANT = re.compile(r",\s*(k[A-Z]\w*)\s*=(?!=)")


def names_in(text):
    """(line, name) of each declaration in an anonymous namespace."""
    inside = constants = False
    for number, line in enumerate(text.splitlines(), 1):
        if OPENS.match(line):
            inside = True
        elif inside and CLOSES.match(line) and "namespace" in line:
            inside = False
        elif inside:
            match = DECLARATION.match(line)
            if match:
                yield number, next(group for group in match.groups() if group)
            if constants or CONSTANTS.match(line):
                yield from ((number, name) for name in NEXT_CONSTANT.findall("," + line if constants else line))
                constants = line.rstrip().endswith(",")


def rooms(root):
    for top in ("app", "core", "views"):
        for name in sorted(os.listdir(os.path.join(root, top))):
            if os.path.isdir(os.path.join(root, top, name)):
                yield f"{top}/{name}"


def files_of(root, room, ending):
    """Files of a room and its shelves, as paths from the room."""
    top = os.path.join(root, room)
    return sorted(os.path.relpath(os.path.join(folder, name), top)
                  for folder, _, names in os.walk(top) for name in names if name.endswith(ending))


def collisions(root, room):
    first = {}
    for file in files_of(root, room, ".cpp"):
        with open(os.path.join(root, room, file), encoding="utf-8") as source:
            for number, name in names_in(source.read()):
                where = first.setdefault(name, (file, number))
                # In one file the compiler judges.
                if where[0] != file:
                    yield f"{room}/{file}:{number}: {name} is also in {where[0]}:{where[1]}"


NAMESPACE = re.compile(r"^namespace (?P<name>[\w:]+) \{")
TYPE = re.compile(r"^(?:struct|enum class|class|enum) (?P<name>\w+)\b(?!::|<)[^;]*(?:\{.*)?$")


def types_in(text):
    """(line, namespace::type) of each type that a header defines; a specialisation is none of its own."""
    space = ""
    for number, line in enumerate(text.splitlines(), 1):
        opened = NAMESPACE.match(line)
        if opened:
            space = opened["name"]
        elif defined := TYPE.match(line):
            yield number, f"{space}::{defined['name']}"


def twice_in_headers(root):
    first = {}
    for room in rooms(root):
        for file in files_of(root, room, ".h"):
            with open(os.path.join(root, room, file), encoding="utf-8") as source:
                for number, name in types_in(source.read()):
                    where = first.setdefault(name, f"{room}/{file}:{number}")
                    if where != f"{room}/{file}:{number}":
                        yield f"{room}/{file}:{number}: {name} is also in {where}"


def main(root):
    found = [line for room in rooms(root) for line in collisions(root, room)] + list(twice_in_headers(root))
    print(*found, f"{len(found)} names twice in the anonymous namespaces of a room, or in headers", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
