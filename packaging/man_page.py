#!/usr/bin/env python3
"""Writes the man page of one of the programs from its own help: man_page.py PROGRAM NAME "WHAT IT IS" DATE > NAME.1"""

import re
import subprocess
import sys


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def verbatim(text):
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.rstrip("\n").split("\n")]
    return "\n".join([".nf", *("\\&" + line if line[:1] in (".", "'") else line for line in lines), ".fi"])


def main(program, name, summary, date):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    own = help_of(program)
    print(f'.TH {name.upper()} 1 {date} "Altiscope {version}" "User commands"')
    print(f".SH NAME\n{name} \\- {summary}\n.SH DESCRIPTION\n{verbatim(own)}")
    listed = re.search(r"^Commands.*?\n(.*?)\n\n", own, re.S | re.M)
    commands = re.findall(r"^  ([a-z]+) ", listed[1], re.M) if listed else []
    for command in commands:
        print(f".SH {command.upper()}\n{verbatim(help_of(program, command))}")
    print(".SH SEE ALSO")
    print("altiscope\\-cli(1)" if name == "altiscope" else "altiscope(1)")


if __name__ == "__main__":
    main(*sys.argv[1:])
