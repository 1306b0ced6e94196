#!/usr/bin/env python3
"""Holds the findings on generated captures with planted faults against what truth.json says of them.

plant_bars.py --cli altiscope-cli [--seeds N] [--ranks 2,8] [--what plants,pairs,leaks,clean,twins,failslow] [--only FAULT]

plants  one fault a capture: is its finding the first one, and does it claim what a step without the fault wins (`gain`)?
pairs   two faults a capture: are their findings above all others?
leaks   leaks of 1 to 64 MiB a step, on 2 to 8 ranks and both models: found?
clean   no fault: nothing above low.
twins   two seeds of one run compared: no difference of the step marked as significant.
failslow  runs of 20 steps, half of them with a rank that is slower in some of them, passing or to the end: is it found
        with its steps, rank and cause, and nothing else; and nothing in the other half?

A fault that wins less than 1 % of a step may be hidden: the table says so. Prints a row a capture and the shares at the
end; exit status 1 if a bar is missed. --generator takes another program to generate with."""
import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile

# Fault as for --plant -> rules that name it.
FAULTS = {
    "slow-rank=1:20": {"slow_rank"},
    "slow-link=0-1:3": {"slow_link"},
    "host-bound=400": {"slow_launches", "free_time"},
    "ai-cpu=Swish": {"ai_cpu"},
    "small-packets": {"small_packets"},
    "frequency-drop=25": {"frequency_drop"},
    "gc-pause=20": {"gc_pause"},
    "no-overlap": {"exposed_communication"},
}
LEAKS = [2**20, 4 * 2**20, 16 * 2**20, 64 * 2**20]
HIDDEN_SHARE = 0.01  # of a step
SLOW_PARTS = ("clock:15", "link:3", "neighbour:10", "host:1500", "clock:30", "link:6", "neighbour:30", "host:2500")
CLAIM_SHARE = 0.2  # that a claim may differ from what is won


class Bars:
    def __init__(self, arguments):
        self.cli, self.generator = arguments.cli, arguments.generator or arguments.cli

    def run(self, program, *words):
        done = subprocess.run([program, *words, "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def generate(self, folder, *words):
        path = os.path.join(folder, "run")
        self.run(self.generator, "generate", path, "--format", "text", *words)
        with open(os.path.join(path, "truth.json"), encoding="utf-8") as file:
            return path, json.load(file)

    def findings(self, path):
        sql = "SELECT rule, severity, rank_id, step, recoverable, title, parameters FROM finding"
        return json.loads(self.run(self.cli, "query", path, "--no-cache", "--format", "json", "--sql", sql))


def step_ns(truth):
    """The mean step of the job, ns: of each the rank that takes longest."""
    steps = zip(*[[s["end_ts"] - s["start_ts"] for s in rank["steps"]] for rank in truth["ranks"]], strict=True)
    longest = [max(step) for step in steps]
    return sum(longest) / len(longest)


def won_ns(truth, fault):
    """What a step takes less without the fault, the mean of all steps."""
    gains = {p["step"]: p.get("gain", 0) for p in truth["plants"] if p["fault"] == fault.split("=")[0]}
    return sum(gains.values()) / len(truth["ranks"][0]["steps"])


def claim_of(finding):
    """Lowest and highest ns that a finding claims."""
    parameters = json.loads(finding["parameters"] or "{}")
    one = finding["recoverable"]
    low, high = parameters.get("recoverable_low_ns", one), parameters.get("recoverable_high_ns", one)
    return None if low is None else (float(low), float(high))


def claim_text(found, won):
    """The claim beside what is won. @return text, and whether it holds."""
    claim = claim_of(found)
    if claim is None:
        return "claims nothing", False
    holds = claim[0] * (1 - CLAIM_SHARE) <= won <= claim[1] * (1 + CLAIM_SHARE)
    ratio = f"{claim[0] / won:.2f}" if won > 0 else "-"
    return f"claims {claim[0] / 1e6:.2f}..{claim[1] / 1e6:.2f} ms, won {won / 1e6:.2f} ms, ratio {ratio}", holds


def planted(bars, folder, faults, seed, ranks):
    words = [word for fault in faults for word in ("--plant", fault)]
    path, truth = bars.generate(folder, "--ranks", str(ranks), "--steps", "4", "--layers", "2", "--seed", str(seed), *words)
    found = bars.findings(path)
    step = step_ns(truth)
    good, parts = True, []
    for fault in faults:
        won = won_ns(truth, fault)
        place = next((i for i, f in enumerate(found) if f["rule"] in FAULTS[fault]), None)
        if place is not None and place < len(faults):
            text, holds = claim_text(found[place], won)
            parts.append(f"{'first' if place == 0 else 'among the first'}; {text}")
            good = good and (holds or won < HIDDEN_SHARE * step)
            continue
        hidden = won < HIDDEN_SHARE * step
        first = found[0]["rule"] + "/" + found[0]["severity"] if found else "nothing"
        parts.append(f"{'hidden' if hidden else 'NOT FIRST'} (place {place}, wins {won / 1e6:.2f} ms = {won / step:.1%}; first: {first})")
        good = good and hidden
    return good, " | ".join(parts)


def leak(bars, folder, seed):
    size, ranks = LEAKS[seed % len(LEAKS)], (2, 4, 8)[seed % 3]
    model = ["--model", "resnet", "--layers", "6"] if seed % 2 else ["--layers", "2"]
    path, _ = bars.generate(folder, "--ranks", str(ranks), "--steps", "5", "--seed", str(seed), *model, "--plant", f"leak={size}")
    rules = [f["rule"] for f in bars.findings(path)]
    return "memory_leak" in rules, f"{size >> 20} MiB a step, {ranks} ranks: {rules[:3]}"


def clean(bars, folder, seed, ranks):
    path, _ = bars.generate(folder, "--ranks", str(ranks), "--steps", "4", "--layers", "2", "--seed", str(seed))
    above = [f"{f['rule']}/{f['severity']}" for f in bars.findings(path) if f["severity"] != "low"]
    return not above, ", ".join(above) or "nothing above low"


def twins(bars, folder, seed, ranks):
    sizes = ("--ranks", str(ranks), "--steps", "6", "--layers", "2", "--seed")
    paths = []
    for number in (seed, seed + 1000):
        place = os.path.join(folder, str(number))
        os.mkdir(place)
        paths.append(bars.generate(place, *sizes, str(number))[0])
    compared = json.loads(bars.run(bars.cli, "compare", *paths, "--no-cache", "--json"))
    real = sum(d["significant"] for d in compared["differences"])
    sentence = bars.run(bars.cli, "compare", *paths, "--no-cache").splitlines()[0]
    return not compared["step"]["significant"], f"{real} of {len(compared['differences'])} significant; {sentence}"


def fail_slow(bars, folder, seed, ranks, plant):
    """A plant is rank, first step, last step, part:amount; None: a clean run."""
    words = ["--ranks", str(ranks), "--steps", "20", "--layers", "2", "--seed", str(seed)]
    if seed % 3 == 0:
        words += ["--clock-offset-us", "3000", "--clock-drift-ppm", "10"]
    if plant:
        rank, first, last, part = plant
        words += ["--plant", f"fail-slow={rank}:{first}-{'' if last == 24 else last}:{part}"]
    path, truth = bars.generate(folder, *words)
    found = [(f, json.loads(f["parameters"])) for f in bars.findings(path) if f["rule"] == "fail_slow"]
    said = [(f["rank_id"], int(p["first_step"]), int(p["last_step"]), p["cause"]) for f, p in found]
    if not plant:
        return not found, f"{said or 'nothing'}"
    planted = (rank, first, last, part.partition(":")[0])
    gains = {p["step"]: p["gain"] for p in truth["plants"]}
    won, step = sum(gains.values()) / len(gains), step_ns(truth)
    if won < HIDDEN_SHARE * step:
        return not found, f"hidden, wins {won / step:.1%} of a step; says {said or 'nothing'}"
    claims = f"claims {found[0][0]['recoverable'] / 1e6:.2f} ms" if found else "nothing"
    # Between two ranks nobody can tell which end of the link is slow.
    good = said == [planted] or (ranks == 2 and planted[3] == "link" and [one[1:] for one in said] == [planted[1:]])
    return good, f"planted {planted}, said {said}, {claims}, won {won / 1e6:.2f} ms = {won / step:.1%}"


def slow_jobs(arguments):
    """Every second plant ends within the run."""
    made = []
    ranks = [int(r) for r in arguments.ranks.split(",")]
    for i in range(arguments.seeds):
        count = ranks[i % len(ranks)]
        first = 8 + 3 * i % 8
        plant = (7 * i % count, first, min(first + 3 + i % 5, 22) if i % 2 == 0 else 24, SLOW_PARTS[(i // 2) % len(SLOW_PARTS)])
        made.append((f"fail-slow {plant} ranks {count}", fail_slow, (501 + i, count, plant)))
        made.append((f"steady seed {701 + i} ranks {count}", fail_slow, (701 + i, count, None)))
    return made


def jobs(what, arguments):
    if what == "failslow":
        return slow_jobs(arguments)
    seeds = range(301, 301 + arguments.seeds)
    ranks = [int(r) for r in arguments.ranks.split(",")]
    faults = [f for f in FAULTS if not arguments.only or f.startswith(arguments.only)]
    if what == "plants":
        return [(f"{f} seed {s} ranks {r}", planted, ((f,), s, r)) for f in faults for s in seeds for r in ranks]
    if what == "pairs":
        pairs = list(itertools.combinations(FAULTS, 2))
        return [(f"{a} + {b} seed {s} ranks {ranks[-1]}", planted, ((a, b), s, ranks[-1]))
                for (a, b), s in zip(pairs, itertools.cycle(seeds))]
    if what == "leaks":
        return [(f"leak seed {s}", leak, (s,)) for s in range(101, 101 + arguments.seeds)]
    function = clean if what == "clean" else twins
    return [(f"{what} seed {s} ranks {r}", function, (s, r)) for s, r in zip(seeds, itertools.cycle(ranks))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--generator")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--ranks", default="4,8")
    parser.add_argument("--what", default="plants,pairs,leaks,clean,twins")
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    bars = Bars(arguments)

    def one(job):
        name, function, values = job
        with tempfile.TemporaryDirectory() as folder:
            try:
                return name, *function(bars, folder, *values)
            except RuntimeError as problem:
                return name, False, str(problem)

    missed = False
    for what in arguments.what.split(","):
        results = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for name, good, text in pool.map(one, jobs(what, arguments)):
                print(f"{'ok  ' if good else 'MISS'} {name}: {text}", flush=True)
                results.append(good)
        print(f"== {what}: {sum(results)} of {len(results)}", flush=True)
        missed = missed or not all(results)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
