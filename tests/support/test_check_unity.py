#!/usr/bin/env python3
"""Self-test of check_unity.py: each kind of declaration twice in a room is found; what may be twice is not."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

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
        with tempfile.TemporaryDirectory() as root:
            for path, text in (("core/store/a.cpp", first), (f"core/{second_room}/b.cpp", second), ("app/cli/m.cpp", ""),
                               ("views/common/v.cpp", "")):
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run([sys.executable, os.path.join(HERE, "check_unity.py"), root], capture_output=True,
                                  text=True, check=False)

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
        with tempfile.TemporaryDirectory() as root:
            for path, line in (("core/store/a.h", "struct Row {"), ("core/query/b.h", "class Row final : public Base {"),
                               ("core/import/c.h", "class Row;"), ("views/common/v.h", ""), ("app/cli/m.h", "")):
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(f"namespace altiscope {{\n\n{line}\n}}\n")
            check = [sys.executable, os.path.join(HERE, "check_unity.py"), root]
            result = subprocess.run(check, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 1)
            self.assertIn("core/store/a.h:3: altiscope::Row is also in core/query/b.h:3", result.stdout)
            self.assertNotIn("c.h", result.stdout)
            # Of another namespace.
            with open(os.path.join(root, "core/store/a.h"), "w", encoding="utf-8") as file:
                file.write("namespace altiscope::store {\n\nstruct Row {\n}\n")
            self.assertEqual(subprocess.run(check, capture_output=True, check=False).returncode, 0)

    def test_indented_and_outer_names_may(self):
        inside = "    int count = 0;\n    return count;\n    for (int i : list) use(i);"
        self.assertEqual(self.run_on(source(inside), source(inside)).returncode, 0)
        self.assertEqual(self.run_on("int f(int);\n", "int f(double);\n").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
