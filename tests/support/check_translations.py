#!/usr/bin/env python3
"""Holds the translations to the sources, in both languages.

    check_translations.py ROOT LUPDATE

1. resources/i18n/altiscope_*.ts against the tr() texts of views/ and app/gui/ (found by lupdate): nothing unfinished,
   missing or left over, no Chinese text that equals the English one unless it is a name of names.txt, the same
   placeholders, an access key (&) where the English text has one, and one word for each key and for a capture.
2. Texts that are set on widgets without tr().
3. The names of keys in the manual.
4. resources/i18n/catalogue.ini against the codes in the sources: each code in both languages with the same {parameters},
   sorted; each code that the sources use is there, and each one that is there is used.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

I18N = "resources/i18n"
CHINESE = re.compile("[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"%L?\d+|%n|\{\w+\}")
ACCESS_KEY = re.compile(r"&(?!&)\w")
# A literal that goes straight into something visible.
UNTRANSLATED = re.compile(
    r"\b(?:set(?:Text|Title|WindowTitle|ToolTip|StatusTip|WhatsThis|PlaceholderText|AccessibleName|AccessibleDescription"
    r"|InformativeText|DetailedText)|add(?:Action|Menu|Tab|Item|Section)|showMessage|QLabel|QPushButton|QCheckBox"
    r"|QRadioButton|QToolButton|QAction|QGroupBox|QMenu|QDockWidget)\s*[({]\s*"
    r"(?:QStringLiteral\(|QLatin1String\(|QLatin1StringView\(|QString::fromUtf8\(|u)\"(?P<text>(?:[^\"\\]|\\.)*)\"")

# Keys, as they are called on the keyboard and by Qt: other word -> the one.
KEYS = {"Escape": "Esc", "Return": "Enter", "回车": "Enter", "空格键": "Space"}
# English word -> what the Chinese text has for it.
WORDS = {"capture": "采集"}

# Where a code is handed over: the literal must be in the catalogue whatever it looks like.
CODE_USE = re.compile(r"(?:\bError\{\s*(?:\.code\s*=\s*)?|\.code\s*=\s*|\bcatalogueText\(\s*|\bcatalogueSentence\(\s*"
                      r"|[dD]iagnostics?(?:\.|->)add\(\s*)\"(?P<code>[^\"]*)\"")
CODE = re.compile(r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$")
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")
# The rules of findings, whose texts are codes that are made of their words.
RULES, RULE = "core/findings/rule_table.h", re.compile(r'\{"(\w+)",\s*RuleTopic::')
RULE_TEXTS = ("", ".title", ".name", ".formula")
# Likewise the thresholds.
THRESHOLDS, THRESHOLD = "core/findings/thresholds.h", re.compile(r'\{"(\w+)", "[^"]*", &FindingThresholds::')
# Texts that a rule may have: of recordings without steps.
OPTIONAL_RULE_TEXTS = (".recording",)
FILE_ENDING = re.compile(r"\.(altipack|json|csv|db|txt|h|cpp|ini|svg|png|qm|gz|zip|tar|html|md|py|sh|so|pickle|new|tmp)$")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def names(root):
    """Texts that are the same in both languages: names of things, units, keys."""
    return {line.strip() for line in read(root, f"{I18N}/names.txt").splitlines() if line.strip() and line[0] != "#"}


def sources(root, *tops):
    for top in tops:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if name.endswith((".cpp", ".h")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    yield path, without_comments(read(root, path))


def without_comments(text):
    """Comments become blanks; strings stay."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group()), text)


# --- 1: .ts files -------------------------------------------------------------------------------------------------

def messages(path):
    """(context, source, comment, is plural) -> message element."""
    table = {}
    for context in xml.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment") or "",
                   message.get("numerus") == "yes")
            table[key] = message
    return table


def translated_forms(message):
    translation = message.find("translation")
    forms = [form.text or "" for form in translation.iter("numerusform")]
    return forms or [translation.text or ""]


def check_message(language, key, message, same):
    context, source, _, plural = key
    where = f"{language}: {context}: {source!r}"
    state = message.find("translation").get("type")
    if state == "unfinished" or any(not form.strip() for form in translated_forms(message)):
        yield f"{where}: not translated"
        return
    for form in translated_forms(message):
        expected, got = set(PLACEHOLDER.findall(source)), set(PLACEHOLDER.findall(form))
        # A plural form may spell the number out ("one file").
        if expected != got and not (plural and expected - got == {"%n"}):
            yield f"{where}: placeholders {sorted(expected)} became {sorted(got)}"
        if language == "zh_CN" and form == source and source.replace("&", "") not in same and re.search("[A-Za-z]{2}", source):
            yield f"{where}: same as the English text, and not in names.txt"
        yield from check_words(where, source, form if language == "zh_CN" else "")
        if ACCESS_KEY.search(source) and not ACCESS_KEY.search(form):
            yield f"{where}: has no access key (&)"


def check_words(where, english, chinese):
    """One word per thing, in both languages."""
    for key, word in KEYS.items():
        if re.search(f"(?<![A-Za-z]){key}(?![A-Za-z])", english + "\n" + chinese):
            yield f"{where}: the key {key} is called {word}"
    # Not in names of commands and in what is typed.
    prose = re.sub(r"altiscope:CAPTURE|altiscope-cli \w+", "", english)
    for word, other in WORDS.items():
        if chinese and re.search(rf"\b{word}s?\b", prose, re.IGNORECASE) and other not in chinese:
            yield f"{where}: {word} is {other}"


def check_ts(root, lupdate, language, *options):
    name = f"altiscope_{language}.ts"
    known = messages(os.path.join(root, I18N, name))
    with tempfile.TemporaryDirectory() as scratch:
        fresh = os.path.join(scratch, name)
        shutil.copy(os.path.join(root, I18N, name), fresh)
        result = subprocess.run([lupdate, "-silent", "-locations", "none", "-no-obsolete", "-I", ".", *options,
                                 *[top for top in ("views", "app/gui") if os.path.isdir(os.path.join(root, top))],
                                 "-ts", fresh], cwd=root, capture_output=True, text=True, check=False)
        current = messages(fresh)
    # Such as a class that calls tr() without Q_OBJECT: its texts would be looked up under another name.
    for line in (result.stdout + result.stderr).splitlines():
        if line.strip():
            yield f"lupdate: {line}"
    for key in current.keys() - known.keys():
        yield f"{language}: {key[0]}: {key[1]!r}: missing; run packaging/update_translations.sh"
    for key in known.keys() - current.keys():
        yield f"{language}: {key[0]}: {key[1]!r}: not in the sources any more; run packaging/update_translations.sh"
    same = names(root)
    for key in sorted(current.keys() & known.keys()):
        yield from check_message(language, key, known[key], same)


# --- 2: texts without tr() ----------------------------------------------------------------------------------------

def check_untranslated(root):
    same = names(root)
    for path, text in sources(root, "views", "app/gui"):
        for match in UNTRANSLATED.finditer(text):
            # Markup and placeholders are not read by anybody.
            shown = re.sub(r"<[^>]*>|%\d", "", match.group("text").replace("&", ""))
            if re.search("[A-Za-z]{2}", shown) and shown not in same:
                line = text.count("\n", 0, match.start()) + 1
                yield f'{path}:{line}: visible text "{shown}" without tr()'


# --- 4: catalogue.ini ---------------------------------------------------------------------------------------------

def parse_catalogue(text):
    """-> ({code: {language: sentence}}, complaints)"""
    codes, complaints, current = {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        section = re.fullmatch(r"\[([^\]]+)\]", line)
        entry = re.fullmatch(r"(en|zh_CN)\s*=\s*(.*)", line)
        if section:
            current = codes.setdefault(section.group(1), {})
            if current:
                complaints.append(f"catalogue.ini:{number}: second section for {section.group(1)}")
        elif entry and current is not None:
            current[entry.group(1)] = entry.group(2)
        else:
            complaints.append(f"catalogue.ini:{number}: neither [code] nor en = nor zh_CN =")
    return codes, complaints


def check_sentences(codes):
    if list(codes) != sorted(codes):
        late = next(b for a, b in zip(codes, list(codes)[1:]) if b < a)
        yield f"catalogue.ini: not sorted by code: {late} stands too late"
    for code, sentences in codes.items():
        english, chinese = sentences.get("en", ""), sentences.get("zh_CN", "")
        if not CODE.match(code):
            yield f"catalogue.ini: {code}: a code is made of a-z, 0-9, '_' and '.'"
        if not english or CHINESE.search(english):
            yield f"catalogue.ini: {code}: no English sentence"
        if not CHINESE.search(chinese):
            yield f"catalogue.ini: {code}: no Chinese sentence"
        yield from check_words(f"catalogue.ini: {code}", english, chinese)
        expected, got = set(PLACEHOLDER.findall(english)), set(PLACEHOLDER.findall(chinese))
        if expected != got:
            yield f"catalogue.ini: {code}: parameters {sorted(expected)} in English, {sorted(got)} in Chinese"


def check_codes(root, codes):
    areas = {code.split(".")[0] for code in codes if "." in code}
    used = set()
    for path, text in sources(root, "core", "app", "views"):
        for match in CODE_USE.finditer(text):
            # "missing." is the beginning of a family of codes, completed at run time.
            family = match.group("code").endswith(".") and any(code.startswith(match.group("code")) for code in codes)
            if match.group("code") not in codes and not family:
                yield f"{path}: code {match.group('code')!r} is not in catalogue.ini"
        for match in LITERAL.finditer(text):
            literal = match.group(1)
            if literal in codes:
                used.add(literal)
            elif "." in literal and literal.split(".")[0] in areas and CODE.match(literal) and not FILE_ENDING.search(literal):
                yield f"{path}: {literal!r} looks like a code and is not in catalogue.ini"
        if path == RULES:
            texts = {f"finding.{rule}{part}" for rule in RULE.findall(text) for part in RULE_TEXTS}
            yield from (f"{path}: code {code!r} is not in catalogue.ini" for code in sorted(texts - codes.keys()))
            used |= texts | {f"finding.{rule}{part}" for rule in RULE.findall(text) for part in OPTIONAL_RULE_TEXTS}
        if path == THRESHOLDS:
            texts = {f"threshold.{name}" for name in THRESHOLD.findall(text)}
            yield from (f"{path}: code {code!r} is not in catalogue.ini" for code in sorted(texts - codes.keys()))
            used |= texts
    # Notes of findings may have them, too.
    used |= {f"{code}{part}" for code in used if code.startswith("finding.note.") for part in OPTIONAL_RULE_TEXTS}
    for code in sorted(codes.keys() - used):
        yield f"catalogue.ini: {code}: used nowhere"


def check_manual(root):
    for folder, _, files in os.walk(os.path.join(root, "resources/help")):
        for name in sorted(files):
            if name.endswith(".md"):
                path = os.path.relpath(os.path.join(folder, name), root)
                yield from check_words(path, read(root, path), "")


def complaints(root, lupdate):
    yield from check_ts(root, lupdate, "zh_CN")
    yield from check_ts(root, lupdate, "en", "-pluralonly")
    yield from check_untranslated(root)
    codes, broken = parse_catalogue(read(root, f"{I18N}/catalogue.ini"))
    yield from broken
    yield from check_sentences(codes)
    yield from check_manual(root)
    yield from check_codes(root, codes)


def main(root, lupdate):
    found = list(dict.fromkeys(complaints(root, lupdate)))
    print(*found, f"{len(found)} complaints about translations", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
