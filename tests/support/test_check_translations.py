#!/usr/bin/env python3
"""Self-test of check_translations.py: plants one fault of each kind and expects it to be named.

    test_check_translations.py LUPDATE
"""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LUPDATE = sys.argv[1]

TS = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="{language}" sourcelanguage="en">
<context>
    <name>altiscope::View</name>
{messages}</context>
</TS>
"""
PLURAL = """    <message numerus="yes">
        <source>%n slices</source>
        <translation>
{forms}        </translation>
    </message>
"""
OPEN = """    <message>
        <source>&amp;Open %1</source>
        <translation>打开 %1(&amp;O)</translation>
    </message>
"""
NAME = """    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
"""


def forms(*texts):
    return PLURAL.format(forms="".join(f"            <numerusform>{text}</numerusform>\n" for text in texts))


RULE_TEXTS = "".join(f"[finding.slow_rank{part}]\nen = Slow.\nzh_CN = 慢。\n" for part in ("", ".formula", ".name", ".title"))
RULE_TEXTS += "[threshold.gap]\nen = A gap.\nzh_CN = 空隙。\n"
SOUND = {
    "views/common/view.h": """#pragma once
#include <QWidget>
namespace altiscope {
class View : public QWidget {
    Q_OBJECT
    void fill();
};
}
""",
    "views/common/view.cpp": """#include "views/common/view.h"
namespace altiscope {
void View::fill() {
    setWindowTitle(tr("&Open %1").arg(1));
    setToolTip(tr("%n slices", nullptr, 2));
    setStatusTip(tr("SQL"));
    setObjectName(QStringLiteral("not visible"));  // setToolTip(QStringLiteral("in a comment"))
}
}
""",
    "app/gui/main.cpp": "int main() {}\n",
    "core/base/file.cpp": 'Error e{"file.missing", path};\nauto n = "file.json";\n',
    "resources/i18n/names.txt": "# names\nSQL\n",
    "resources/help/manual/zh_CN/sql.md": "按Esc取消。\n",
    "core/findings/rule_table.h": 'Rule rules[] = {{.info = {"slow_rank", RuleTopic::Other}}};\n',
    "core/findings/thresholds.h": 'ThresholdInfo infos[] = {{"gap", "ns", &FindingThresholds::gap}};\n',
    "resources/i18n/catalogue.ini": "# sentences\n[file.missing]\nen = No {file}.\nzh_CN = 没有 {file}。\n" + RULE_TEXTS,
    "resources/i18n/altiscope_zh_CN.ts": TS.format(language="zh_CN", messages=OPEN + forms("%n 个切片") + NAME),
    "resources/i18n/altiscope_en.ts": TS.format(language="en", messages=forms("%n slice", "%n slices")),
}

# name -> file, what is replaced, by what, words of the complaint
VIEW, ZH, EN = "views/common/view.cpp", "resources/i18n/altiscope_zh_CN.ts", "resources/i18n/altiscope_en.ts"
INI, FILE = "resources/i18n/catalogue.ini", "core/base/file.cpp"
FAULTS = {
    "missing": (VIEW, "void View::fill() {", 'void View::fill() { tr("New");', "'New': missing"),
    "left over": (VIEW, 'tr("SQL")', '""', "'SQL': not in the sources"),
    "unfinished": (ZH, "<translation>打开", '<translation type="unfinished">打开', "not translated"),
    "empty": (ZH, "<translation>打开 %1(&amp;O)", "<translation>", "not translated"),
    "empty plural": (EN, "%n slice<", "<", "not translated"),
    "same as English": ("resources/i18n/names.txt", "SQL", "", "same as the English"),
    "placeholder lost": (ZH, "打开 %1", "打开", "placeholders"),
    "placeholder changed": (ZH, "打开 %1", "打开 %2", "placeholders"),
    "access key lost": (ZH, "(&amp;O)", "", "access key"),
    "a key has two names": (ZH, "打开 %1(", "打开 %1，按回车(", "回车 is called Enter"),
    "a key has two names in a sentence": (INI, "en = No {file}.", "en = No {file}: Escape.", "is called Esc"),
    "a capture is called data": (INI, "en = No {file}.\nzh_CN = 没有 {file}。", "en = No capture {file}.\nzh_CN = 没有数据 {file}。",
                                 "is 采集"),
    "a key has two names in the manual": ("resources/help/manual/zh_CN/sql.md", "Esc", "Escape", "is called Esc"),
    "class without Q_OBJECT": ("views/common/view.h", "Q_OBJECT", "", "lacks Q_OBJECT"),
    "text without tr": (VIEW, 'tr("SQL")', 'QStringLiteral("Sequel")', 'visible text "Sequel"'),
    "label without tr": ("app/gui/main.cpp", "{}", '{ auto* l = new QLabel(QStringLiteral("Hello there")); }', "Hello"),
    "no Chinese sentence": (INI, "zh_CN = 没有 {file}。\n", "", "no Chinese"),
    "English in the Chinese line": (INI, "没有 {file}。", "No {file}.", "no Chinese"),
    "no English sentence": (INI, "en = No {file}.\n", "", "no English"),
    "parameter lost": (INI, "没有 {file}", "没有", "parameters"),
    "not sorted": (INI, "# sentences\n", "[zebra]\nen = Z\nzh_CN = 斑马\n", "not sorted"),
    "twice": (INI, "# sentences\n", "[file.missing]\nen = No {file}.\nzh_CN = 没有 {file}。\n", "second section"),
    "not understood": (INI, "# sentences", "what is this", "neither"),
    "used nowhere": (FILE, '"file.missing"', '"x"', "file.missing: used nowhere"),
    "not in the catalogue": (FILE, "Error e", 'diagnostics.add("gone_wrong", s);\nError e', "'gone_wrong' is not in"),
    "error not in the catalogue": (FILE, "Error e", 'return Error{"oops", p};\nError e', "'oops' is not in"),
    "a rule without a formula": (INI, ".formula]", ".formulas]", "'finding.slow_rank.formula' is not in"),
    "a rule that is gone": ("core/findings/rule_table.h", "slow_rank", "slow_link", "finding.slow_rank.title: used nowhere"),
    "a threshold without a meaning": ("core/findings/thresholds.h", '"gap"', '"gaps"', "'threshold.gaps' is not in"),
    "looks like a code": (FILE, "Error e", 'fail("file.lost");\nError e', "'file.lost' looks like a code"),
}


class CheckTranslations(unittest.TestCase):
    def run_on(self, tree):
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            command = [sys.executable, os.path.join(HERE, "check_translations.py"), root, LUPDATE]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_sound_tree_passes(self):
        result = self.run_on(SOUND)
        self.assertEqual((result.returncode, result.stdout), (0, "0 complaints about translations\n"))

    def test_each_fault_is_named(self):
        for name, (path, old, new, words) in FAULTS.items():
            with self.subTest(name):
                self.assertIn(old, SOUND[path])
                result = self.run_on({**SOUND, path: SOUND[path].replace(old, new, 1)})
                self.assertEqual(result.returncode, 1)
                self.assertIn(words, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
