#!/usr/bin/env python3
"""Self-test of check_citations.py: cites what is not there, once in each way, and expects it to be named."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

SOUND = {
    "core/base/README.md": "# base\n\nSee `time.h`, `core/base/time.h`, core/base and FORMAT.md section 2.\n",
    "core/base/FORMAT.md": "# Layout\n\n## 1. Head\n\n## 2. Body\n",
    "core/base/time.h": "// Source: core/base/FORMAT.md sections 1 and 2; see file.h. Not ours: <x/y.h>, {a}/b.h, dir/*.h.\n",
    "core/base/clock.cpp": "",
    "core/clocks/README.md": "Rules: `base/clock.cpp`, `clock.cpp`, `NAME.cpp`.\n\n| does | headers |\n|---|---|\n| `other` | `time`, `file` |\n",
    "core/capture/README.md": "As `theirs/train.py` has it.\n",
    "core/base/file.h": "int nothing;  // as \"core/base/time.h\"\n",
    "tests/run.py": "#!/usr/bin/env python3\n\"\"\"Reads core/base/time.h.\"\"\"\nTEXT = \"missing.md\"\n",
}
# name -> file, its text, words of the complaint
FAULTS = {
    "document": ("core/base/time.h", "// Source: notes.md\n", "core/base/time.h:1: cites notes.md"),
    "document with a folder": ("core/base/time.h", "// Source: formats/FORMAT.md\n", "cites formats/FORMAT.md"),
    "header": ("core/base/README.md", "# base\n\nSee `clock.h`.\n", "core/base/README.md:3: cites clock.h"),
    "source in backticks": ("core/base/README.md", "# base\n\nSee `clocks.cpp`.\n", "core/base/README.md:3: cites clocks.cpp"),
    "source in another folder": ("core/base/time.h", "// as `clocks/clock.cpp`\n", "core/base/time.h:1: cites clocks/clock.cpp"),
    "name without an ending": ("core/clocks/README.md", "| does | header |\n|---|---|\n| x | `time`, `tick` |\n",
                               "core/clocks/README.md:3: cites tick, which is no file"),
    "path": ("core/base/file.h", "/// See core/clock/parts.cpp.\n", "cites core/clock/parts.cpp"),
    "section": ("core/base/time.h", "// core/base/FORMAT.md section 3\n", "cites section 3"),
    "second section": ("core/base/time.h", "// core/base/FORMAT.md sections 1 and 4\n", "cites section 4"),
    "docstring": ("tests/run.py", "\"\"\"Checks\n(product.md, section 3).\"\"\"\n", "tests/run.py:2: cites product.md"),
    "comment of CMake": ("core/CMakeLists.txt", "# as core/none/list.txt says\n", "cites core/none/list.txt"),
}


class CheckCitations(unittest.TestCase):
    def run_on(self, tree):
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run([sys.executable, os.path.join(HERE, "check_citations.py"), root], capture_output=True, text=True,
                                  check=False)

    def test_sound_tree_passes(self):
        result = self.run_on(SOUND)
        self.assertEqual((result.returncode, result.stdout), (0, "0 citations lead nowhere\n"))

    def test_each_citation_is_named(self):
        for name, (path, text, words) in FAULTS.items():
            with self.subTest(name):
                result = self.run_on({**SOUND, path: text})
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
