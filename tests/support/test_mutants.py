#!/usr/bin/env python3
"""Self-test of mutants/mutants.py: the switches that it writes, and the entries of a list that do not apply."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "mutants", "mutants.py")
sys.path.insert(0, os.path.dirname(SCRIPT))
import mutants  # noqa: E402

SOURCE = """int least(int a, int b) {
    if (a < b &&
        a >= 0) return a;
    tell(b);
    return b;
}
"""
# name -> line of the list, words of the complaint
FAULTS = {
    "gone": ("gone: if ([[a > b ~> true]])", "gone: is not in core/base/a.cpp"),
    "twice": ("twice: return [[b ~> a]]\ntwo: [[a ~> b]]", "two: is more than once"),
    "overlap": ("one: if ([[a < b ~> true]] &&\nother: if ([[a < b && a >= 0 ~> true]])", "one and other overlap"),
    "no such file": ("file core/base/b.cpp\nb: [[a ~> b]]", "core/base/b.cpp: No such file"),
    "no change": ("b: return b;", "line 2: is no mutant"),
    "same name": ("b: return [[b ~> a]];\nb: [[tell(b); ~> ]]", "line 3: b is there already"),
    "empty": ("# nothing", "0 mutants"),
}


class Mutants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        os.makedirs(os.path.join(self.root, "core/base"))
        with open(os.path.join(self.root, "core/base/a.cpp"), "w", encoding="utf-8") as file:
            file.write(SOURCE)

    def check(self, text):
        path = os.path.join(self.root, "list.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("file core/base/a.cpp\n" + text + "\n")
        return subprocess.run([sys.executable, SCRIPT, "check", "--root", self.root, "--list", path], capture_output=True, text=True,
                              check=False)

    def test_entries_that_apply(self):
        done = self.check("limit: if ([[a < b ~> a <= b]] && a >= 0)\nsilent: [[tell(b); ~> ]]\n= nobody listens")
        self.assertEqual((done.returncode, done.stdout), (0, "2 mutants, 0 do not apply\n"))

    def test_entries_that_do_not_apply_are_named(self):
        for name, (line, words) in FAULTS.items():
            with self.subTest(name):
                done = self.check(line)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stdout)

    def test_switches(self):
        path = os.path.join(self.root, "list.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("file core/base/a.cpp\nlimit: ([[a < b && a >= 0 ~> a <= b]])\nsilent: [[tell(b); ~> ]]\n= nobody listens\n")
        found = mutants.read_list(path)
        self.assertEqual([one.reason for one in found], [None, "nobody listens"])
        text = mutants.mutated(SOURCE, "core/base/a.cpp", found)
        limit, silent = (mutants.number_of(name) for name in ("limit", "silent"))
        self.assertIn(f"if ((altiMutant({limit}U) ? (a <= b) : (a < b &&\n        a >= 0))) return a;", text)
        self.assertIn(f"{{ if (altiMutant({silent}U)) {{  }} else {{ tell(b); }} }}", text)
        # Lines keep their numbers behind the include and the #line.
        self.assertEqual(text.count("\n"), SOURCE.count("\n") + 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
