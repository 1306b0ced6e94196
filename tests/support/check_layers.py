#!/usr/bin/env python3
"""Holds every #include of the project to the table of who may include whom.

    check_layers.py ROOT [--qtcore FOLDER]

FOLDER is where Qt Core's headers lie; it tells Qt Core's classes from those of Qt Gui and Qt Widgets. Prints each
forbidden line as "file:line: reason" and ends with 1 if there is any.
"""

import argparse
import os
import re
import sys
from collections import namedtuple

# May include: rooms, besides the room itself. Libraries: third-party code that the room may use at all.
# "Qt" is all of Qt but its network, "QtCore" only its core. The standard library is free for all, and so are the system's
# headers but for those of sockets and of the network (core/THREATS.md).
Row = namedtuple("Row", "rooms libraries")
CORE = "core/base core/trace core/store core/import core/pack core/analysis core/findings core/tables core/query core/compare " \
       "core/report core/generate core/capture core/session"
BELOW_VIEWS = "core/base core/trace core/analysis core/findings core/tables core/session"
TABLE = {
    # room             may include                                                              libraries
    "core/base":     Row("",                                                                    "tbb sqlite pcre2 xxhash nlohmann"),
    "core/trace":    Row("core/base",                                                           ""),
    "core/store":    Row("core/base core/trace",                                                "xxhash"),
    "core/import":   Row("core/base core/trace core/store",                   "simdjson nlohmann sqlite archive xxhash zlib"),
    "core/pack":     Row("core/base core/trace core/store core/import",                         "nlohmann xxhash zstd"),
    "core/analysis": Row("core/base core/trace core/store",                                     "nlohmann"),
    "core/tables":   Row("core/base core/trace core/store core/analysis",                       ""),
    "core/query":    Row("core/base core/trace core/store core/analysis core/findings",         "sqlite nlohmann"),
    "core/findings": Row("core/base core/trace core/analysis",                                  "nlohmann"),
    "core/compare":  Row("core/base core/trace core/store core/analysis core/findings core/query", ""),
    "core/report":   Row("core/base core/trace core/store core/analysis core/findings core/query core/compare", "nlohmann flatbuffers"),
    "core/generate": Row("core/base core/trace",                                                "nlohmann sqlite"),
    "core/capture":  Row("core/base",                                                           "nlohmann QtCore openssl network sockets"),
    "core/remote":   Row("core/base core/store core/pack core/capture",                          "QtCore"),
    "core/session":  Row(CORE,                                                                  "nlohmann QtCore"),
    "views/common":  Row(BELOW_VIEWS,                                                           "Qt qcustomplot"),
    "views/*":       Row(BELOW_VIEWS + " views/common",                                         "Qt qcustomplot"),
    "views/communication": Row(BELOW_VIEWS + " views/common core/compare",                      "Qt qcustomplot"),
    "views/memory":  Row(BELOW_VIEWS + " views/common core/compare",                            "Qt qcustomplot"),
    "views/operators": Row(BELOW_VIEWS + " views/common core/compare",                          "Qt qcustomplot"),
    "views/overview": Row(BELOW_VIEWS + " views/common core/compare",                           "Qt qcustomplot"),
    "views/capture": Row(BELOW_VIEWS + " views/common core/capture core/remote",                "Qt sockets"),
    "views/compare": Row(BELOW_VIEWS + " views/common core/query core/compare core/report",     "Qt"),
    "views/report":  Row(BELOW_VIEWS + " views/common core/query core/compare core/report",     "Qt"),
    "app/gui":       Row("core/base core/session views/*",                                      "Qt"),
    "app/cli":       Row("core/base core/session core/query core/compare core/report core/generate core/capture core/analysis core/pack core/remote",
                         "nlohmann QtCore"),
}
# Shelves (sub-folders) of rooms, the lowest first: each may include itself and those before it. The files of the room itself stand above
# all of them.
SHELVES = {
    "core/base": "values text threads memory columns files",
    "core/trace": "raw",
    "core/import": "contracts json files csv mindspore communication sqlite database_lookup database monitor raw_files raw_records raw_host raw snapshot memscope cluster scan trace ranks archive",
    "core/analysis": "support steps slices collectives snapshot facts communication account stragglers kernels flame memory",
    "views/timeline": "times rows scene picture overlay canvas panels page",
    "views/overview": "facts dialogs tree page",
    "views/communication": "data canvas panels",
    "views/cluster": "data canvas panels",
    "views/memory": "data canvas panels",
    "views/snapshot": "data canvas panels",
    "views/sql": "language saved results editor",
    "views/report": "layout output panels",
    "views/capture": "support form runs hosts",
    "views/common": "theme support tables plots widgets pages panels",
    "core/generate": "support model records text options ranks database snapshot raw",
    "core/query": "results functions schema limits lookup tables",
    "core/report": "export deliverables databases document gates mcp",
    "core/capture": "files methods targets session",
    "core/store": "columns raw seal rows file cache",
    "core/tables": "sources scope filters order rows overview",
    "core/session": "files reading find sql workspace packing",
}
# Tests look at everything.
FREE = ("tests/",)

LIBRARIES = {
    "tbb": r"(oneapi/)?tbb(/|\.h)",
    "simdjson": r"simdjson",
    "nlohmann": r"nlohmann/(?!json_fwd)",  # names alone show nothing
    "sqlite": r"sqlite3",
    "archive": r"archive(_entry)?\.h",
    "pcre2": r"pcre2",
    "xxhash": r"xxh(ash|3|_)",
    "zlib": r"zlib\.h",
    "zstd": r"zstd",
    "flatbuffers": r"flatbuffers/",
    "openssl": r"openssl/",
    "qcustomplot": r"qcustomplot",
    "sockets": r"sys/(socket|un)\.h",  # to processes of this machine; an address of another one needs what follows
    "network": r"netdb\.h|net(inet)?/|arpa/|curl/",
    # No room has it.
    "qtnetwork": r"Qt(Network|WebSockets|WebEngine\w*|DBus)(/|$)"
                 r"|Q(Tcp|Udp|Local|Ssl|Web)(Socket|Server)|Q(Abstract|Sctp)Socket|QNetwork|QHost(Address|Info)|QDns|QSsl|QHttp",
    "Qt": r"Q[A-Z]\w*$|Qt\w*/|q[a-z]+\.h$",
}
# Not to be seen through a header that other rooms include: a room keeps its tools to itself.
PRIVATE = ("tbb", "simdjson", "nlohmann", "sqlite", "archive", "xxhash", "zlib", "pcre2", "qcustomplot", "openssl", "network",
           "qtnetwork", "sockets", "flatbuffers", "zstd")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
Include = namedtuple("Include", "file line target quoted")


def source_files(root):
    for top in ("app", "core", "views", "tests", "resources"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes_of(root, file):
    with open(os.path.join(root, file), encoding="utf-8", errors="replace") as text:
        for number, line in enumerate(text, 1):
            match = INCLUDE.match(line)
            if match:
                yield Include(file, number, match.group(1) or match.group(2), match.group(1) is not None)


def room_of(file):
    return "/".join(file.split("/")[:2])


def shelf_of(file):
    """The place of the file's shelf in its room, the lowest first; None for a folder that the table does not know."""
    below = file.split("/")[2:]
    shelves = SHELVES.get(room_of(file), "").split()
    if len(below) == 1:
        return len(shelves)
    return shelves.index(below[0]) if len(below) == 2 and below[0] in shelves else None


def row_of(room):
    return TABLE.get(room) or (TABLE["views/*"] if room.startswith("views/") else None)


def library_of(target):
    return next((name for name, pattern in LIBRARIES.items() if re.match(pattern, target)), None)


def may_include(room, other):
    allowed = row_of(room).rooms.split()
    return other == room or other in allowed or ("views/*" in allowed and other.startswith("views/"))


def is_qt_core(target, qtcore):
    """<QString>, <QtCore/QString>, <QtCore>; without the folder of its headers only the long forms can be told."""
    if target.startswith("QtCore"):
        return True
    return qtcore is None or os.path.exists(os.path.join(qtcore, target))


def check_project_include(root, include, room):
    if include.target.endswith(".moc"):
        return None  # Made by moc beside the source.
    if not os.path.exists(os.path.join(root, include.target)) or include.target.startswith("."):
        return f'"{include.target}" is not a full path from the root of the project'
    other = room_of(include.target)
    if include.target.startswith("tests/"):
        return None if include.file.startswith("tests/") else "the product includes a file of the tests"
    if include.file.startswith(FREE):
        return None
    if not may_include(room, other):
        return f"{room} may not include {other}"
    own, its = shelf_of(include.file), shelf_of(include.target)
    if other == room and own is not None and its is not None and its > own:
        return f"{os.path.dirname(include.file)} may not include {include.target}, which stands above it"
    return None


def check_library_include(root, include, room, qtcore):
    if os.path.exists(os.path.join(root, include.target)):
        return f'files of the project are included as "{include.target}"'
    library = library_of(include.target)
    if library is None or include.file.startswith(FREE):
        return None
    allowed = row_of(room).libraries.split()
    if library in allowed:
        return None
    if library == "Qt" and "QtCore" in allowed:
        return None if is_qt_core(include.target, qtcore) else f"{room} may use Qt Core only, not <{include.target}>"
    return f"{room} may not use {library} (<{include.target}>)"


def check_one(root, include, qtcore):
    room = room_of(include.file)
    if not include.file.startswith(FREE) and row_of(room) is None:
        return f"{room} is in no row of the table in tests/support/check_layers.py"
    if include.file.startswith(("core/", "views/")) and shelf_of(include.file) is None:
        return f"{os.path.dirname(include.file)} is no shelf in tests/support/check_layers.py"
    if include.quoted and library_of(include.target) is None:
        return check_project_include(root, include, room)
    return check_library_include(root, include, room, qtcore)


def shown_to_other_rooms(includes):
    """Headers that another room includes, with who does; and what those include of their own room, all the way down."""
    shown = {}
    waiting = [(i.target, i.file) for i in includes
               if not i.file.startswith(FREE) and room_of(i.target) != room_of(i.file)]
    while waiting:
        header, by = waiting.pop()
        if header in shown:
            continue
        shown[header] = by
        waiting += [(i.target, header) for i in includes if i.file == header]
    return shown


def violations(root, qtcore):
    includes = [include for file in source_files(root) for include in includes_of(root, file)]
    for include in includes:
        reason = check_one(root, include, qtcore)
        if reason:
            yield include, reason
    shown = shown_to_other_rooms(includes)
    for include in includes:
        library = library_of(include.target)
        if include.file in shown and include.file.endswith(".h") and library in PRIVATE:
            yield include, f"shows {library} to other rooms: {shown[include.file]} includes this header"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--qtcore")
    options = parser.parse_args()
    if options.qtcore and not os.path.isdir(options.qtcore):
        options.qtcore = None
    found = 0
    for include, reason in violations(options.root, options.qtcore):
        found += 1
        print(f"{include.file}:{include.line}: {reason}")
    print(f"{found} forbidden includes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
