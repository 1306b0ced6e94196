#!/usr/bin/env python3
"""What is opened with the cache is what is opened without it, whatever has been changed in the capture since.

Captures of each kind are changed at random, one change after the other, always over one cache: files get other bytes with their sizes and
times kept, other times, other inodes; files and ranks come, go and change places; what one rank's files say about groups and numbers
changes. After each change all tables are compared, every row and every cell."""

import json
import os
import random
import re
import shutil
import sys
import unittest

from support import CliTest, result, run

CHANGES = 12  # of each kind of capture
TABLES = 47
# Whoever looks for more gives another number.
SEED = int(os.environ.get("ALTI_SEED", "18"))


def every_cell(capture):
    """One statement for all rows of all tables, each row as one text."""
    schema = result("query", capture, "--schema", "--no-cache")
    tables = {name: re.findall(r"(?m)^  (\w+)", body) for name, body in re.findall(r"(?m)^(\w+):[^\n]*\n((?:  [^\n]*\n)+)", schema)}
    assert len(tables) == TABLES, sorted(tables)
    parts = []
    for name, columns in tables.items():
        texts = " || ',' || ".join(f'quote("{column}")' for column in columns)
        parts.append(f"SELECT '{name}' AS t, {texts} AS r FROM {name}")
    return " UNION ALL ".join(parts) + " ORDER BY 1, 2"


def files_below(folder):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name != "truth.json")


class Changes:
    """Things that happen to a capture. Each returns what it did, or nothing if it cannot be done here."""

    def __init__(self, capture, dice):
        self.capture, self.dice = capture, dice
        self.copies = 0

    def any_file(self, pattern="."):
        found = [path for path in files_below(self.capture) if re.search(pattern, os.path.relpath(path, self.capture))]
        return self.dice.choice(found) if found else None

    def ranks(self):
        return sorted(name for name in os.listdir(self.capture) if re.search(r"_ascend_(pt|ms)$", name))

    def other_bytes(self):
        """A digit becomes another one; size, mtime and inode stay. In the middle of large files most bytes are not sampled."""
        files = [path for path in files_below(self.capture) if re.search(r"\.(json|csv|db)$", path)]
        path = self.dice.choices(files, [1 + os.path.getsize(path) for path in files])[0]
        with open(path, "rb") as file:
            data = bytearray(file.read())
        digits = [match.start() for match in re.finditer(rb"[1-8]", data)]
        if not digits:
            return None
        at = self.dice.choice(digits)
        status = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(bytes([data[at] + 1]))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        return f"{path} byte {at}"

    def other_time(self):
        path = self.any_file()
        status = os.stat(path)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + self.dice.choice([1, -1, 10**9])))
        return path

    def other_inode(self):
        path = self.any_file()
        shutil.copy2(path, path + ".new")
        os.rename(path + ".new", path)
        return path

    def swapped_files(self):
        """Two ranks' files of one name change places, with all their times."""
        path = self.any_file()
        twins = [other for other in files_below(self.capture) if os.path.basename(other) == os.path.basename(path) and other != path]
        if not twins:
            return None
        other = self.dice.choice(twins)
        os.rename(path, path + ".away")
        os.rename(other, path)
        os.rename(path + ".away", other)
        return f"{path} {other}"

    def removed_file(self):
        path = self.any_file(r"\.(json|csv|db)$")
        if len(files_below(self.capture)) < 6:
            return None
        os.remove(path)
        return path

    def cut_file(self):
        path = self.any_file(r"\.(json|csv)$")
        if path is None:
            return None
        os.truncate(path, os.path.getsize(path) * self.dice.randrange(100) // 100)
        return path

    def other_groups(self):
        """A rank's metadata name its groups differently: rows of all ranks show names and ranks of groups."""
        path = self.any_file(r"profiler_metadata\.json$|communication_group\.json$")
        if path is None:
            return None
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            metadata = json.loads(text)
        except ValueError:
            return None
        groups = metadata.get("parallel_group_info") if isinstance(metadata, dict) else None
        if not groups:
            return None
        name = self.dice.choice(sorted(groups))
        kind = self.dice.randrange(3)
        if kind == 0:
            groups[name]["group_name"] = f"other{self.dice.randrange(9)}"
        elif kind == 1:
            groups[name]["global_ranks"] = self.dice.sample(range(8), 2)
        else:
            del groups[name]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(metadata, file)
        return f"{path} {name} {kind}"

    def another_rank(self):
        """A copy of a rank stands before or behind the others: files get other numbers."""
        if not self.ranks() or len(self.ranks()) > 4:
            return None
        rank = self.dice.choice(self.ranks())
        self.copies += 1
        name = f"{self.dice.choice('az')}{self.copies}_{rank[-10:]}"
        shutil.copytree(os.path.join(self.capture, rank), os.path.join(self.capture, name))
        return name

    def removed_rank(self):
        if len(self.ranks()) < 2:
            return None
        rank = self.dice.choice(self.ranks())
        shutil.rmtree(os.path.join(self.capture, rank))
        return rank

    def renamed_rank(self):
        if not self.ranks():
            return None
        rank = self.dice.choice(self.ranks())
        self.copies += 1
        name = f"{self.dice.choice('az')}{self.copies}_{rank[-10:]}"
        os.rename(os.path.join(self.capture, rank), os.path.join(self.capture, name))
        return f"{rank} {name}"

    def another_number(self):
        path = self.any_file(r"profiler_info_\d+\.json$")
        if path is None:
            return None
        name = os.path.join(os.path.dirname(path), f"profiler_info_{self.dice.randrange(9)}.json")
        if name != path:
            os.rename(path, name)
        return name

    def another_reader(self):
        """A file appears that is read instead of another one, or beside it."""
        path = self.any_file(r"\.(json|csv|db)$")
        name = self.dice.choice(["dataset.csv", "analysis.db", "communication.json", "operator_details.csv", "step_trace_time.csv"])
        copy = os.path.join(os.path.dirname(path), name)
        if os.path.exists(copy):
            return None
        shutil.copy2(path, copy)
        return copy

    def nothing(self):
        return "nothing"

    def all(self):
        return [getattr(self, name) for name in ("other_bytes", "other_bytes", "other_time", "other_inode", "swapped_files", "removed_file", "cut_file",
                                                 "other_groups", "other_groups", "another_rank", "removed_rank", "renamed_rank", "another_number",
                                                 "another_reader", "nothing")]


class SameAfterChanges(CliTest):
    def generated(self, kind, *words):
        capture = self.path("capture")
        result("generate", capture, *[word for one in kind.split() for word in ("--format", one)], "--ranks", "2", "--steps", "2", "--layers", "1",
               *words)
        return capture

    def answers(self, opened, *words):
        done = run("query", opened, "--sql", self.statement, "--format", "csv", *words)
        return done.returncode, done.stdout, done.stderr

    def compare(self, opened, told):
        expected = self.answers(opened, "--no-cache")
        for time in ("first", "second"):
            found = self.answers(opened, "--cache-dir", self.path("cache"))
            if found == expected:
                continue
            lines = [set(text.splitlines()) for text in (found[1], expected[1])]
            differ = sorted(lines[0] ^ lines[1])[:6]
            self.fail(f"seed {SEED}, {time} opening after {told[-3:]}: {differ} {found[2]} {expected[2]}")

    def walk(self, kind, packed=False):
        self.statement = every_cell(self.generated(kind))
        capture = self.path("capture")
        dice = random.Random(f"{SEED} {kind} {packed}")
        changes = Changes(capture, dice)
        told = []
        while len(told) < CHANGES // (3 if packed else 1):
            opened = capture
            if packed:
                opened = shutil.make_archive(self.path("packed"), dice.choice(["zip", "gztar"]), capture)
            self.compare(opened, told)
            change = dice.choice(changes.all())
            what = change()
            if what is not None:
                told.append(f"{change.__name__} {what}")
        self.assertTrue(os.listdir(self.path("cache")), "the cache was used")

    def test_text(self):
        self.walk("text")

    def test_databases(self):
        self.walk("db")

    def test_text_and_databases(self):
        self.walk("text db")

    def test_cluster_results(self):
        self.walk("text cluster")

    def test_mindspore(self):
        self.walk("mindspore")

    def test_archives(self):
        self.walk("text", packed=True)

    def test_archives_of_databases(self):
        self.walk("db", packed=True)


if __name__ == "__main__":
    sys.exit(unittest.main())
