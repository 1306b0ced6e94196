#!/usr/bin/env python3
"""Self-test of check_house.py: breaks each rule once and expects it to be named."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(HERE, "..", "..", ".clang-format"), encoding="utf-8") as style:
    STYLE = style.read()

SOUND = {
    ".clang-format": STYLE,
    "core/base/README.md": "# base\n\n| " + "x" * 121 + " |\n```\n" + "x" * 121 + "\n```\n",
    "core/base/time.h": "// as in /home/user/train.py, told\n",
    "views/CMakeLists.txt": "alti_view(common LINKS)\n",
    "app/gui/README.md": "# gui\n" * 40,
    "app/gui/main.cpp": "int main() {}\n",
    "core/base/open.cpp": "int x = sqlite3_open_v2(path, &raw, flags, readOnlySqliteFiles());\n",
    "core/base/words.h": "/* told */\nint atLeast(int key = Qt::Key_Question);  // behind\n",
    "core/capture/peer.cpp": "int answer;\n",
    "core/capture/README.md": "| start-all (all of it) | yes |\n",
    "core/capture/methods/start.cpp": 'const Method kStart{.name = "start-all", .fields = {}};\n',
    "views/capture/support/method_texts.cpp": 'bool isIt = name == "start-all";\n',
    "views/capture/README.md": "# capture\n",
    "core/findings/README.md": "| `slow_rank`, `slow_link` | time |\n",
    "core/findings/rule_table.h":
        '#pragma once\n\nRule rules[] = {{{"slow_rank", RuleTopic::Other}}, {{"slow_link", RuleTopic::Other}}};\n',
    "core/findings/thresholds.h": '#pragma once\n\nInfo infos[] = {{"gap", "", &FindingThresholds::gap}};\n',
    "core/analysis/FORMULAS.md": "| `gap` | 1 | measured |\n",
    "core/findings/count_rules.cpp": 'int a = addParameter(finding, "device", std::to_string(1));\n',
    "resources/help/manual/en/start.md": "# Start\n",
    "resources/help/manual/zh_CN/start.md": "# Start " + "x" * 121 + "\n",
    "resources/help/performance.md": "<!-- speed: begin -->\n" + "x" * 121 + "\n<!-- speed: end -->\n",
    "views/help/README.md": "# help\n",
    "views/help/manual.cpp": 'Page pages[] = {"start"_L1, "files"_L1, "sql"_L1};\n',
    "core/store/README.md": "# store\n",
    "core/store/file/store_file.h": "constexpr int kStoreFileVersion = 3;\n",
    "core/store/rows/row_kinds.h": 'inline constexpr RowColumn kKernel[] = {{"name", Text}};\n',
    "tests/golden/one/expected.txt": "rank 0\n",
    "tests/support/store_version.txt": f"3 {hashlib.sha256(b'rank 0' + bytes([10])).hexdigest()[:16]}\n",
    "core/query/README.md": "# query\n",
    "core/query/functions/statistic_functions.cpp": 'Aggregate aggregates[] = {\n    {"median", 1, add},\n};\n',
    "core/query/functions/function_info.h": 'Info info{"median(x)"};\n',
    "core/query/limits/statement_limits.cpp": 'Cost costs[] = {{"median", 0}};\n',
    "resources/help/manual/en/sql.md": "`median`\n",
    "resources/help/manual/zh_CN/sql.md": "`median`\n",
    "README.md": "| `core/query`, `core/store`, `core/base`, `core/findings`, `core/import` | `common` |\n",
    "views/common/README.md": "# common\n",
    "views/common/support/view_list.h": "",
    "views/common/support/view_list.cpp": 'Row row{.name = "memory"_L1};\n',
    "views/common/support/data_texts.cpp": 'bool isIt = what == "steps";\n',
    "resources/icons/view_memory.svg": "",
    "resources/help/manual/en/memory.md": "# Memory\n",
    "resources/help/manual/zh_CN/memory.md": "# Memory\n",
    "packaging/pictures.py": 'PICTURES = {\n    "memory": Picture("walk"),\n}\n',
    **{f"resources/help/memory-{look}.png": "" for look in ("light-en", "dark-en", "light-zh_CN", "dark-zh_CN")},
    "core/import/README.md": "| `csv` | tables |\n",
    "core/import/csv/csv.h": "",
    "core/import/csv/FORMAT.md": "# csv\n",
    "core/import/files/file_names.cpp": 'Known known[] = {\n    {"step_trace_time", "steps"},\n};\n',
    "tests/fuzz/fuzz_csv.cpp": "",
    "core/session/reading/input_kinds.cpp": 'Kind kind{"input.torch", "*_ascend_pt"};\n',
    "core/session/README.md": "# session\n",
    "resources/help/manual/en/files.md": "`*_ascend_pt`\n",
    "resources/help/manual/zh_CN/files.md": "`*_ascend_pt`\n",
    "tests/core/base/tst_time.cpp": "ALTI_TEST(TestTime)\n",
    "tests/app/cli/test_usage.py": "",
    "tests/app/gui/walk_keys.py": "",
    "tests/support/test_check_house.py": "",
    "tests/support/CMakeLists.txt": "alti_check(house_rules_selftest test_check_house.py)\n",
    "resources/help/window.png": "x" * 299_999,
    "packaging/run.sh": "#!/bin/sh\n",
}
# name -> file, its text (None: removed), words of the complaint
FAULTS = {
    "no README": ("core/base/README.md", None, "core/base/README.md: missing"),
    "empty README": ("core/base/README.md", "", "core/base/README.md: missing"),
    "no README above shelves": ("core/trace/rows/row.h", "", "core/trace/README.md: missing"),
    "README too long": ("app/gui/README.md", "x\n" * 41, "41 lines"),
    "somebody's home": ("core/base/time.h", "// see /home/" + "ada/notes\n", "core/base/time.h:1: names a folder"),
    "somebody's checkout": ("core/base/time.h", "\n/" + "work/main\n", "core/base/time.h:2: names a folder"),
    "large picture": ("resources/help/window.png", "x" * 300_000, "300000 bytes"),
    "database without a guard": ("core/base/open.cpp", "\nsqlite3_open_v2(path, &raw, flags, nullptr);\n",
                                 "core/base/open.cpp:2: opens a database without a guard"),
    "database opened plainly": ("core/base/open.cpp", "sqlite3_open(path, &raw);\n", "core/base/open.cpp:1: opens"),
    "not formatted": ("core/base/open.cpp", "int  x;\n", "core/base/open.cpp:1: not as clang-format"),
    "long line": ("core/base/time.h", "// " + "x" * 118 + "\n", "core/base/time.h:1: 121 columns"),
    "long file": ("tests/core/tst_time.cpp", "int x;\n" * 701, "701 lines"),
    "a word of no trade": ("core/base/open.cpp", "\nvoid tellMissing();\n", "core/base/open.cpp:2: tellMissing: not"),
    "such a member": ("core/base/open.cpp", "int m_least;\n", "core/base/open.cpp:1: least: not"),
    "such a class": ("app/gui/main.cpp", "class EvidenceDesk;\n", "app/gui/main.cpp:1: EvidenceDesk: not"),
    "such a file": ("core/base/row_behind.h", "", "core/base/row_behind.h:1: row_behind: not"),
    "a comment that hangs in the air": ("core/base/open.cpp", "int x;\n// Of a file.\n", 'core/base/open.cpp:2: a comment begins with "Of"'),
    "one behind code": ("core/base/time.h", "int x;  ///< What is read.\n", "core/base/time.h:1: a comment begins"),
    "a long line of a document": ("core/base/README.md", "# base\n" + "x" * 121 + "\n", "core/base/README.md:2: more than 120 columns"),
    "a test in a folder that is not looked into": ("tests/core/base/times/tst_date.cpp", "ALTI_TEST(TestDate)\n",
                                                  "tests/core/base/times/tst_date.cpp: no CMakeLists.txt takes it"),
    "a script that is not registered": ("tests/support/test_make_reference.py", "", "test_make_reference.py: no CMakeLists.txt takes it"),
    "a walk in the wrong folder": ("tests/app/cli/walk_keys.py", "", "tests/app/cli/walk_keys.py: no CMakeLists.txt takes it"),
    "a test that no program has": ("tests/core/base/tst_time.cpp", "int x;\n", "tests/core/base/tst_time.cpp: has no ALTI_TEST"),
    "a rule without a row": ("core/findings/README.md", "| `slow_rank` | time |\n", "core/findings/README.md: lacks slow_link"),
    "a threshold of unknown origin": ("core/analysis/FORMULAS.md", "| `gaps` | 1 | measured |\n", "FORMULAS.md: lacks gap"),
    "a method without a row": ("core/capture/README.md", "| start-all-2 | yes |\n", "core/capture/README.md: lacks start-all"),
    "a method without texts": ("views/capture/support/method_texts.cpp", "int x;\n", "method_texts.cpp: lacks start-all"),
    "a count that is not known as one": ("core/findings/count_rules.cpp", 'int a = addParameter(finding, "parts", std::to_string(1));\n',
                                         'core/findings/count_rules.cpp: the parameter "parts" is a number'),
    "a page of the manual that is not listed": ("views/help/manual.cpp", "int x;\n", "views/help/manual.cpp: lacks start"),
    "a room that the map lacks": ("core/trace/rank.h", "", "README.md: lacks core/trace"),
    "a view that the map lacks": ("views/sql/sql.h", "", "README.md: lacks sql"),
    "a view that is not built": ("views/sql/sql.h", "", "views/CMakeLists.txt: lacks sql"),
    "a shelf without a row": ("core/import/json/json.h", "", "core/import/README.md: lacks json"),
    "a layout that no fuzzer reads": ("core/import/json/FORMAT.md", "", "core/import/json/FORMAT.md: no tests/fuzz/fuzz_json.cpp"),
    "a page without an icon": ("resources/icons/view_memory.svg", None, "resources/icons/view_memory.svg: is not there"),
    "a page without a manual": ("resources/help/manual/en/memory.md", None, "resources/help/manual/en/memory.md: is not there"),
    "a page without a picture": ("packaging/pictures.py", "", "packaging/pictures.py: lacks memory"),
    "a picture that was not made": ("resources/help/memory-dark-en.png", None, "resources/help/memory-dark-en.png: is not there"),
    "evidence in a table of unknown row ids": ("core/findings/gap_rules.cpp", 'int a = addRows(finding, "gap", "");\n',
                                               "gap_rules.cpp: evidence in gap, which no reader fills"),
    "readers that yield something else": ("tests/golden/one/expected.txt", "other\n", "tests/support/store_version.txt: readers yield"),
    "a version without its digest": ("core/store/file/store_file.h", "constexpr int kStoreFileVersion = 4;\n", "store_version.txt: readers yield"),
    "a function of SQL without a cost": ("core/query/limits/statement_limits.cpp", "int x;\n", "statement_limits.cpp: lacks median"),
    "a column that rows do not have": ("core/import/csv/csv_formats.cpp", 'constexpr auto K = RowKind::Kernel;\nint a = to(K, "nam");\n',
                                       "core/import/csv/csv_formats.cpp:2: K has no column nam"),
    "a function of SQL that is not completed": ("core/query/functions/text_functions.cpp", 'F functions[] = {\n    {"stem", 2, call},\n};\n',
                                                "core/session/sql/sql_words.cpp: lacks stem"),
    "an aggregate that is not completed": ("core/query/functions/function_info.h", "", "function_info.h: lacks median"),
    "an aggregate that the manual lacks": ("resources/help/manual/en/sql.md", "# SQL\n", "en/sql.md: lacks median"),
    "data without a title": ("views/common/support/data_texts.cpp", "int x;\n", "data_texts.cpp: lacks steps"),
    "an input that the manual lacks": ("resources/help/manual/zh_CN/files.md", "", "zh_CN/files.md: lacks ascend_pt"),
    "a page of the manual in one language": ("resources/help/manual/zh_CN/start.md", None, "start.md: is not there in Chinese"),
    "no interpreter": ("packaging/run.sh", "echo\n", "does not begin"),
}

if shutil.which("shellcheck"):
    FAULTS["a script for targets that splits a name"] = ("core/capture/scripts/list.sh", "# shellcheck shell=sh\nls -- $1\n",
                                                         "core/capture/scripts/list.sh:2: Double quote")


class CheckHouse(unittest.TestCase):
    def run_on(self, tree):
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                if text is None:
                    continue
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
                if path.endswith(".sh"):
                    os.chmod(os.path.join(root, path), 0o755)
            return subprocess.run([sys.executable, os.path.join(HERE, "check_house.py"), root], capture_output=True,
                                  text=True, check=False)

    def test_sound_tree_passes(self):
        result = self.run_on(SOUND)
        self.assertEqual((result.returncode, result.stdout), (0, "0 rules broken\n"))

    def test_each_broken_rule_is_named(self):
        for name, (path, text, words) in FAULTS.items():
            with self.subTest(name):
                result = self.run_on({**SOUND, path: text})
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
