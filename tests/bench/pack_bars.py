#!/usr/bin/env python3
"""Bars of packs, by hand: what a pack costs beside the import alone, and how soon one of many ranks shows something. Times of the processor are
compared, which other work on the machine disturbs less than the clock does.

    pack_bars.py CLI FOLDER [--pairs N] [--size BYTES] [--ranks N] [--rank-size BYTES]

FOLDER gets the captures and packs, and is not emptied: a second run takes the captures that are there."""

import argparse
import os
import statistics
import subprocess
import time


def spent(*words):
    """Seconds of the processor, seconds of the clock and MB at most, of a process to its end."""
    begin = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{words} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def generated(cli, folder, ranks, size):
    capture = os.path.join(folder, f"capture-{ranks}-{size}")
    if not os.path.isdir(capture):
        subprocess.run([cli, "generate", capture, "--ranks", str(ranks), "--size", size, "--seed", "3", "--quiet"], check=True)
    return capture


def bytes_below(folder):
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)


def median(pairs, index):
    return statistics.median(pair[index] for pair in pairs)


def cost_of_packs(cli, folder, pairs, size):
    capture = generated(cli, folder, 1, size)
    out, small = os.path.join(folder, "one.altipack"), os.path.join(folder, "without.altipack")
    imports, packs, bare = [], [], []
    for _ in range(pairs):
        imports.append(spent(cli, "query", capture, "--no-cache", "--sql", "SELECT count(*) FROM slice"))
        packs.append(spent(cli, "pack", capture, "--no-cache", "--out", out))
        bare.append(spent(cli, "pack", capture, "--no-cache", "--without", "args,results", "--out", small))
    whole = bytes_below(capture)
    for name, times, file, bar in (("pack", packs, out, 6), ("pack --without args,results", bare, small, 3)):
        ratio = statistics.median(a[0] / b[0] for a, b in zip(times, imports))
        print(f"{name} of {whole / 1e9:.2f} GB: {median(times, 0):.2f} s of the processor, {ratio:.2f} x import (<= 1.25), "
              f"{median(times, 1):.2f} s, {median(times, 2):.0f} MB; {100 * os.path.getsize(file) / whole:.1f} % of the text (<= {bar})")


def cost_of_opening(cli, folder, pairs, ranks, size):
    capture = generated(cli, folder, ranks, size)
    out, one = os.path.join(folder, "all.altipack"), os.path.join(folder, "rank.altipack")
    packed = spent(cli, "pack", capture, "--no-cache", "--out", out)
    spent(cli, "pack", out, "--ranks", "1", "--without", "results", "--out", one)
    sums = [spent(cli, "info", out) for _ in range(pairs)]
    whole = [spent(cli, "info", out, "--strict") for _ in range(pairs)]
    alone = [spent(cli, "query", one, "--sql", "SELECT count(*) FROM slice") for _ in range(pairs)]
    print(f"pack of {ranks} ranks x {size}: {packed[0]:.1f} s of the processor, {packed[2]:.0f} MB at most (<= 500)")
    print(f"opened: overview {median(sums, 1):.2f} s, {median(sums, 0):.2f} s of the processor (<= 0.4), {median(sums, 2):.0f} MB; "
          f"with all ranks read {median(whole, 1):.2f} s, {median(whole, 0):.2f} s of the processor, {median(whole, 2):.0f} MB")
    print(f"a rank of it: {median(alone, 1):.2f} s, {median(alone, 0):.2f} s of the processor (<= 0.15)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folder")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--size", default="1G")
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--rank-size", default="50M")
    words = parser.parse_args()
    os.makedirs(words.folder, exist_ok=True)
    cost_of_packs(words.cli, words.folder, words.pairs, words.size)
    cost_of_opening(words.cli, words.folder, words.pairs, words.ranks, words.rank_size)


if __name__ == "__main__":
    main()
