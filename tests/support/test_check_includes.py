#!/usr/bin/env python3
"""Self-test of check_includes.py: each kind of name without its header is found; what only looks like one is not."""

import sys
import unittest

from check_run import run_check

HEADER = """#pragma once
namespace altiscope {
class Walker {
public:
    int steps() const;
};
enum class Colour { Red };
using Names = std::vector<std::string>;
inline constexpr int kLimit = 3;
QString toText(std::string_view text);
template <class T> std::vector<T> sorted(std::vector<T> list);
}
"""

USES = {
    "Walker": "int f(Walker& one) { return 1; }",
    "Colour": "bool f(int x) { return x == int(Colour::Red); }",
    "Names": "std::optional<Names> f();",
    "kLimit": "int f() { return kLimit + 1; }",
    "toText": "QString f() { return toText(\"a\"); }",
    "sorted": "auto f() { return altiscope::sorted(list()); }",
}

# What only looks like one of them.
OTHERS = {
    "a member": "int f(Other& one) { return one.toText() + one->toText() + Other::toText(); }",
    "of a library": "auto f() { return std::sorted(list()); }",
    "a comment": "// As toText does.\nint f(); /* kLimit */",
    "a literal": "auto f() { return \"toText(x)\"; }",
    "a variable": "int f() { const int kLimit = 2; return kLimit; }",
    "one of a list": "int f() {\n    int a, sorted;\n    return sorted;\n}",
    "of a pair": "int f() { const auto& [first, sorted] = g(); return sorted; }",
    "an enumerator": "enum class Kind { Walker, Names };\nKind f() { return Kind::Walker; }",
    "captured": "auto f() { return [sorted = 1] { return sorted; }; }",
    "a type of its own": "struct Names {};\nNames f();",
}


class CheckIncludes(unittest.TestCase):
    def run_on(self, source, between="", path="views/common/user.cpp"):
        files = {"core/base/names.h": HEADER, "core/base/other.h": between, path: source}
        return run_check("check_includes.py", files)

    def test_each_kind_is_found_with_its_line(self):
        for path in ("views/common/user.cpp", "app/gui/user.h", "tests/core/user.cpp"):
            for name, line in USES.items():
                with self.subTest(name, path=path):
                    result = self.run_on('#include "core/base/other.h"\n\n' + line, path=path)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(f"{path}:3: {name} is declared in core/base/names.h, which is not", result.stdout)
                    self.assertIn("1 names", result.stdout)

    def test_included_directly_or_by_another_header(self):
        for name, line in USES.items():
            with self.subTest(name):
                self.assertEqual(self.run_on('#include "core/base/names.h"\n' + line).returncode, 0)
                through = self.run_on('#include "core/base/other.h"\n' + line, '#include "core/base/names.h"\n')
                self.assertEqual(through.returncode, 0)

    def test_what_only_looks_like_one_may(self):
        for name, line in OTHERS.items():
            with self.subTest(name):
                result = self.run_on(line)
                self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_header_seen_may_declare_it_anew(self):
        result = self.run_on('#include "core/base/other.h"\n' + USES["toText"], "struct A { int toText(); };")
        self.assertEqual(result.returncode, 0)

    def test_nothing_known_is_a_failure(self):
        self.assertEqual(run_check("check_includes.py", {}).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
