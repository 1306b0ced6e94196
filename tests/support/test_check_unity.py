#!/usr/bin/env python3
"""Self-test of check_unity.py: each kind of declaration twice in a room is found; what may be twice is not."""

import sys
import unittest

from check_run import run_check

DECLARATIONS = {
    "kLimit": "constexpr int kLimit = 3;",
    "kWords": "const std::array<std::string_view, 2> kWords{\"a\", \"b\"};",
    "kTable": "constexpr Entry kTable[] = {",
    "trimmed": "std::string_view trimmed(std::string_view text) {",
    "find": "const Track* find(const Store& store) {",
    "sorted": "template <class T> std::vector<T> sorted(std::vector<T> list) {",
    "Row": "struct Row {",
    "Walker": "class Walker final : public Base {",
    "Kind": "enum class Kind : std::uint8_t { A };",
    "Json": "using Json = nlohmann::json;",
    "fs": "namespace fs = std::filesystem;",
}


def source(*lines):
    return "namespace altiscope {\n\nnamespace {\n\n" + "\n".join(lines) + "\n\n} // namespace\n\nvoid f();\n}\n"


class CheckUnity(unittest.TestCase):
    def run_on(self, first, second, second_room="store"):
        return run_check("check_unity.py", {"core/store/a.cpp": first, f"core/{second_room}/b.cpp": second,
                                            "app/cli/m.cpp": "", "views/common/v.cpp": ""})

    def test_every_kind_is_found(self):
        for name, line in DECLARATIONS.items():
            with self.subTest(name):
                result = self.run_on(source(line), source("", line))
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"core/store/b.cpp:6: {name} is also in a.cpp:5", result.stdout)

    def test_shelves_of_a_room_are_one(self):
        result = self.run_on(source("int f() {"), source("", "int f() {"), "store/rows")
        self.assertIn("core/store/rows/b.cpp:6: f is also in a.cpp:5", result.stdout)

    def test_constants_of_one_declaration_are_found(self):
        several = ("constexpr int kA = f(1, 2), kB = 2,", "              kC = 3;")
        for name, line in (("kB", 5), ("kC", 6)):
            with self.subTest(name):
                result = self.run_on(source(*several), source("", f"constexpr int {name} = 1;"))
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"core/store/b.cpp:6: {name} is also in a.cpp:{line}", result.stdout)
        self.assertEqual(self.run_on(source(*several), source("constexpr int kD = 1;")).returncode, 0)

    def test_different_rooms_may(self):
        line = DECLARATIONS["trimmed"]
        self.assertEqual(self.run_on(source(line), source(line), "import").returncode, 0)

    def test_types_of_headers_are_found_in_all_rooms(self):
        types = {"core/store/a.h": "struct Row {", "core/query/b.h": "class Row final : public Base {",
                 "core/import/c.h": "class Row;", "views/common/v.h": "", "app/cli/m.h": ""}
        files = {path: f"namespace altiscope {{\n\n{line}\n}}\n" for path, line in types.items()}
        result = run_check("check_unity.py", files)
        self.assertEqual(result.returncode, 1)
        self.assertIn("core/store/a.h:3: altiscope::Row is also in core/query/b.h:3", result.stdout)
        self.assertNotIn("c.h", result.stdout)
        # Of another namespace.
        files["core/store/a.h"] = "namespace altiscope::store {\n\nstruct Row {\n}\n"
        self.assertEqual(run_check("check_unity.py", files).returncode, 0)

    def test_indented_and_outer_names_may(self):
        inside = "    int count = 0;\n    return count;\n    for (int i : list) use(i);"
        self.assertEqual(self.run_on(source(inside), source(inside)).returncode, 0)
        self.assertEqual(self.run_on("int f(int);\n", "int f(double);\n").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
