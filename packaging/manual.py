#!/usr/bin/env python3
"""Writes the manual as HTML, a folder per language, with the pictures: manual.py OUT"""

import html
import pathlib
import re
import shutil
import sys

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELP = ROOT / "resources/help"
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}
STYLE = """
:root { color-scheme: light dark; --back: #ffffff; --sunken: #eceef1; --text: #1b1d21; --accent: #1f5fd0; --line: #d9dce1; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181d; --sunken: #101216; --text: #e6e8ec; --accent: #7aa8ff; --line: #2c3038; }
}
body { background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0; display: flex; }
nav { background: var(--sunken); padding: 16px; min-width: 14em; min-height: 100vh; }
nav a { display: block; padding: 4px 0; }
nav a.here { font-weight: bold; }
main { padding: 16px 32px; max-width: 60em; min-width: 0; }
a { color: var(--accent); text-decoration: none; }
img { max-width: 100%; border: 1px solid var(--line); }
pre, code { background: var(--sunken); font-family: monospace; }
pre { padding: 8px; overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 4px 8px; text-align: left; vertical-align: top; }
th { background: var(--sunken); }
@media print { nav { display: none; } }
"""


def pages():
    """Names in the order of the program's contents, without the page that only the program can make."""
    text = (ROOT / "views/help/manual.cpp").read_text(encoding="utf-8")
    before, after = (re.findall(r'"([^"]+)"_L1|(kMade)', re.search(rf"{name}\[\] = \{{(.*?)\}};", text, re.S)[1])
                     for name in ("kBeforeViews", "kAfterViews"))
    views = re.findall(r'\.name = "(\w+)"_L1', (ROOT / "views/common/support/view_list.cpp").read_text(encoding="utf-8"))
    return [*(name for name, _ in before), *views, *(name for name, made in after if not made)]


def source(name, language):
    """Of a page; the reference is in English alone."""
    return HELP / f"{name}.md" if name.startswith("reference/") else HELP / "manual" / language / f"{name}.md"


def file_of(name):
    return name.replace("/", "-") + ".html"


def main(out):
    pictures = set()
    for language, own_name in LANGUAGES.items():
        folder = out / language
        folder.mkdir(parents=True, exist_ok=True)
        texts = {name: source(name, language).read_text(encoding="utf-8") for name in pages()}
        titles = {name: re.match(r"# (.*)", text)[1] for name, text in texts.items()}
        other = next(code for code in LANGUAGES if code != language)
        for name, text in texts.items():
            for picture in re.findall(r"\]\(\.\./\.\./([\w-]+\.png)\)", text):
                pictures.update((picture, picture.replace("-light-", "-dark-")))
            body = markdown.markdown(text, extensions=["tables", "fenced_code"])
            body = re.sub(r'<a href="supported.html">(.*?)</a>', r"\1", body)  # made by the program
            body = re.sub(r'href="(?:\.\./\.\./)?([\w/-]+)\.md"', lambda link: f'href="{file_of(link[1])}"', body)
            body = re.sub(r'(<img [^>]*src="\.\./)\.\./([\w-]+)-light-([\w-]+\.png)" ?/>',
                          r'<picture><source media="(prefers-color-scheme: dark)" srcset="../\2-dark-\3">\1\2-light-\3"></picture>', body)
            links = "".join(f'<a href="{file_of(page)}"{" class=here" if page == name else ""}>{html.escape(title)}</a>'
                            for page, title in titles.items())
            (folder / file_of(name)).write_text(
                f'<!DOCTYPE html>\n<html lang="{language.replace("_", "-")}"><head><meta charset="utf-8">'
                f'<meta name="viewport" content="width=device-width"><title>{html.escape(titles[name])} – Altiscope</title>'
                f"<style>{STYLE}</style></head><body><nav>{links}<hr><a href=\"../{other}/{file_of(name)}\">{LANGUAGES[other]}</a></nav>"
                f"<main>{body}</main></body></html>\n", encoding="utf-8")
    for picture in pictures:
        shutil.copy(HELP / picture, out / picture)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
