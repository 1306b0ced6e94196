#!/usr/bin/env python3
"""Each file includes the headers of this project whose names it uses, itself or by way of another header. Files that
are joined (unity build) see what their neighbours include; else only preset separate notices a missing line.

    check_includes.py ROOT

Knows names that headers of app, core and views declare in column 0 (types, functions, constants), none of libraries. A
name that the file or a header it sees declares in another way, such as a member of the same name, is not judged.
"""

import functools
import os
import re
import sys

IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?s:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# A type with a body, an alias, a function, a constant.
DECLARED = re.compile(r"""^(?=\w)(?:template\s*<[^\n]*>\s*)?(?:
      (?:struct|enum\s+class|class|enum)\s+(?P<type>\w+)\b(?!::|<)[^;\n]*(?:\{|$)
    | using\s+(?P<alias>\w+)\s*=
    | (?:inline\s+)?constexpr\s[^\n=({]*?\b(?P<constant>k[A-Z]\w*)\s*[={\[]
    | (?!using|namespace|static_assert|return|friend|typedef|Q_|\#|template|struct|class|enum)
      [\w:<>,*&\ ]*?[\ *&](?P<function>[a-z]\w*)\(
    )""", re.VERBOSE | re.MULTILINE)
# What is no member of something: neither a.name nor a->name nor A::name; nor of a library's namespace.
USED = re.compile(r"(?<![\w.:])(?<!->)((?:[a-z]\w*::)*)([A-Za-z_]\w*)\b")
LIBRARIES = ("std::", "fs::", "tbb::", "nlohmann::", "simdjson::")


@functools.cache
def text_of(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


@functools.cache
def code_of(path):
    """The text without comments, literals and lines of the preprocessor, with all line ends."""
    bare = IGNORED.sub(lambda match: "\n" * match[0].count("\n"), text_of(path))
    return re.sub(r"^[ \t]*(?:#|Q_DECLARE_TR_FUNCTIONS).*$", "", bare, flags=re.MULTILINE)


@functools.cache
def words_of(path):
    return frozenset(re.findall(r"[A-Za-z_]\w*", code_of(path)))


def files_of(root, ending):
    for top in ("app", "core", "views", "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            yield from sorted(os.path.join(folder, name) for name in names if name.endswith(ending))


def included(root, path, seen):
    """All headers of the project that a file sees."""
    for name in INCLUDE.findall(text_of(path)):
        header = os.path.join(root, name)
        if header not in seen and os.path.exists(header):
            seen.add(header)
            included(root, header, seen)
    return seen


def declarations(root):
    """name -> the headers that declare it. Those of tests are few, and left out."""
    homes = {}
    for header in files_of(root, ".h"):
        if header.startswith(os.path.join(root, "tests", "")):
            continue
        for match in DECLARED.finditer(code_of(header)):
            homes.setdefault(next(group for group in match.groups() if group), set()).add(header)
    return homes


KEYWORDS = re.compile(r"\b(?:return|case|else|const|throw|new|co_return)\b")
ENUMERATION = re.compile(r"\benum\b[^;{]*\{([^}]*)\}")
# "std::string first, second;", "auto& [first, second]", "QFETCH(int, first)".
SEVERAL = re.compile(r"^ *(?:[\w:<>]+ )+\w+((?:, \w+)+);|\bauto&* \[([^\]]*)\]|\bQFETCH\([^,]+, (\w+)\)", re.MULTILINE)
# "auto name", "int& name", "struct name"; a name with a value; a pointer, also to a member.
ONE = r"[\w>*&\]]\s+[*&]?{0}\b(?!\s*::)|\b{0} = |(?<!\w)[*&]{0}\)|::\*{0}\b"


@functools.cache
def also_declared(path):
    """Names that a file declares elsewhere than after a type: enumerators, parts of a pair, the rest of a list."""
    code = code_of(path)
    lists = ENUMERATION.findall(code) + ["".join(groups) for groups in SEVERAL.findall(code)]
    return frozenset(word for text in lists for word in re.findall(r"[A-Za-z_]\w*", text))


def is_declared(path, name):
    return name in also_declared(path) or re.search(ONE.format(name), KEYWORDS.sub(";", code_of(path)))


def missing(root, path, homes):
    """(line, name) of each name in use whose header the file does not see."""
    headers = included(root, path, set())
    for name in sorted(words_of(path) & homes.keys()):
        is_known = any(header == path or header in headers for header in homes[name])
        if is_known or any(name in words_of(header) for header in headers) or is_declared(path, name):
            continue
        code = code_of(path)
        for match in USED.finditer(code):
            if match[2] == name and not match[1].startswith(LIBRARIES):
                yield code.count("\n", 0, match.start()) + 1, name
                break


def main(root):
    homes = declarations(root)
    found = [f"{os.path.relpath(path, root)}:{line}: {name} is declared in "
             f"{' and '.join(sorted(os.path.relpath(home, root) for home in homes[name]))}, which is not included"
             for ending in (".h", ".cpp") for path in files_of(root, ending)
             for line, name in missing(root, path, homes)]
    print(*found, f"{len(found)} names without their header, of {len(homes)}", sep="\n")
    return 1 if found or not homes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
