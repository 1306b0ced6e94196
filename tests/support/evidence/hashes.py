#!/usr/bin/env python3
"""Proves that the tests left the real captures as they were.

    hashes.py before|after FOLDER STATE [LOG]

"before" writes the state of every file and folder below FOLDER to the file STATE; "after" compares and fails on any
difference, and on any catch that the preloaded guard has written to LOG. A missing FOLDER holds nothing to prove.
"""

import hashlib
import json
import os
import stat
import sys


def describe(path):
    info = os.lstat(path)
    # The time of the last change of the inode moves with every write, chmod, rename and re-dating; reading leaves it.
    facts = {"mode": oct(info.st_mode), "size": info.st_size, "mtime": info.st_mtime_ns, "ctime": info.st_ctime_ns}
    if stat.S_ISDIR(info.st_mode):
        facts["names"] = sorted(os.listdir(path))
    elif stat.S_ISLNK(info.st_mode):
        facts["target"] = os.readlink(path)
    elif stat.S_ISREG(info.st_mode):
        with open(path, "rb") as file:
            facts["sha256"] = hashlib.sha256(file.read()).hexdigest()
    return facts


def state_of(folder):
    paths = [folder]
    for parent, folders, files in os.walk(folder):
        paths += [os.path.join(parent, name) for name in folders + files]
    return {os.path.relpath(path, folder): describe(path) for path in sorted(paths)}


def differences(before, after):
    for path in sorted(before.keys() | after.keys()):
        if path not in after:
            yield f"{path}: gone"
        elif path not in before:
            yield f"{path}: new"
        else:
            for fact in before[path]:
                if before[path][fact] != after[path].get(fact):
                    yield f"{path}: {fact} was {before[path][fact]}, is {after[path].get(fact)}"


def main(arguments):
    when, folder, state_file = arguments[:3]
    log = arguments[3] if len(arguments) > 3 else None
    if not os.path.isdir(folder):
        print(f"no captures in {folder}: nothing to guard")
        return 0
    if when == "before":
        if log and os.path.exists(log):
            os.remove(log)
        with open(state_file, "w", encoding="utf-8") as file:
            json.dump(state_of(folder), file)
        return 0
    with open(state_file, encoding="utf-8") as file:
        found = list(differences(json.load(file), state_of(folder)))
    if log and os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            found += file.read().splitlines()
    print(f"{folder}: {len(found)} differences after the tests", *found, sep="\n  ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
