#!/usr/bin/env python3
"""Names in anonymous namespaces are unique in their room: sanitizer builds join the files of a room (unity build), and
there two of a name collide, or worse, overload each other.

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


def names_in(text):
    """(line, name) of each declaration in an anonymous namespace."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if OPENS.match(line):
            inside = True
        elif inside and CLOSES.match(line) and "namespace" in line:
            inside = False
        elif inside:
            match = DECLARATION.match(line)
            if match:
                yield number, next(group for group in match.groups() if group)


def rooms(root):
    for top in ("app", "core", "views"):
        for name in sorted(os.listdir(os.path.join(root, top))):
            if os.path.isdir(os.path.join(root, top, name)):
                yield f"{top}/{name}"


def collisions(root, room):
    first = {}
    for file in sorted(os.listdir(os.path.join(root, room))):
        if not file.endswith(".cpp"):
            continue
        with open(os.path.join(root, room, file), encoding="utf-8") as source:
            for number, name in names_in(source.read()):
                where = first.setdefault(name, (file, number))
                # In one file the compiler judges.
                if where[0] != file:
                    yield f"{room}/{file}:{number}: {name} is also in {where[0]}:{where[1]}"


def main(root):
    found = [line for room in rooms(root) for line in collisions(root, room)]
    print(*found, f"{len(found)} names twice in the anonymous namespaces of a room", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
