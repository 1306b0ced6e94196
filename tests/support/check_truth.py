#!/usr/bin/env python3
"""Counts again what truth.json of generated captures says, from the text files and databases alone: check_truth.py FOLDER...
Prints what differs; exit status 1 if anything does."""
import csv
import json
import sqlite3
import sys
from collections import defaultdict
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path


def ns(us):  # exact, halves up
    return int((Decimal(us) * 1000 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def group_hash(name):
    a = b = 0
    for c in name.encode():
        a, b = (a * 29 + c) % 2**32, (b * 131 + c) % 2**32
    return str(a * 2**32 + b)


def groups_of(out):
    meta = json.loads((out.parent / "profiler_metadata.json").read_text())["parallel_group_info"]
    return {group_hash(n): g["global_ranks"] for n, g in meta.items()}


class Rank:
    @staticmethod
    def at(folder, rank):  # None without text files
        trace = next(folder.glob(f"rank{rank}_ascend_*/ASCEND_PROFILER_OUTPUT/trace_view.json"), None)
        return trace and Rank(trace.parent)

    def __init__(self, out):
        self.out = out
        self.events = self.json("trace_view.json")
        self.groups = groups_of(out)
        m = [e for e in self.events if e["ph"] == "M"]
        self.process = {e["pid"]: e["args"]["name"] for e in m if e["name"] == "process_name"}
        self.thread = {(e["pid"], e["tid"]): e["args"]["name"] for e in m if e["name"] == "thread_name"}
        self.slices = [(self.process[e["pid"]], self.thread[e["pid"], e["tid"]], ns(e["ts"]), ns(e["dur"]), e)
                       for e in self.events if e["ph"] == "X"]
        self.hosts = {int(e["name"][13:]): (t, t + d) for _, _, t, d, e in self.slices
                      if e["name"].startswith("ProfilerStep#")}

    def json(self, name):
        return json.loads((self.out / name).read_text(), parse_float=Decimal)

    def csv(self, name):
        with open(self.out / name, newline="") as file:
            return [{k: v.strip() for k, v in row.items()} for row in csv.DictReader(file)]

    def step_of(self, time):
        return next((s for s, (a, b) in self.hosts.items() if a <= time < b), None)

    def count(self):
        tracks = defaultdict(lambda: [0, 0])
        for process, thread, _, dur, _ in self.slices:
            tracks[process, thread][0] += 1
            tracks[process, thread][1] += dur
        starts = {(e["cat"], str(e["id"])) for e in self.events if e["ph"] == "s"}
        flows = sum((e["cat"], str(e["id"])) in starts for e in self.events if e["ph"] in "ft")
        counters = sum(isinstance(v, (int, Decimal)) and not k.endswith("_id")
                       for e in self.events if e["ph"] == "C" for k, v in e["args"].items())
        lanes = sorted((t, d, e["name"]) for p, _, t, d, e in self.slices if p == "Overlap Analysis")
        steps = []
        for step, (a, b) in sorted(self.hosts.items()):
            inside = [l for l in lanes if a <= l[0] < b]
            first = next(t for t, _, lane in inside if lane != "Free")
            dur = lambda name: sum(d for t, d, lane in inside if t >= first and lane == name)
            steps.append({"step": step, "start_ts": a, "end_ts": b, "computing": dur("Computing"),
                          "communication": dur("Communication"),
                          "not_overlapped": dur("Communication(Not Overlapped)"), "free": dur("Free")})
        peak = max(Decimal(r["Total Reserved(MB)"]) for r in self.csv("memory_record.csv") if r["Component"] in ("PTA", "MindSpore"))
        return {"tracks": {k: tuple(v) for k, v in tracks.items()}, "flows": flows, "counters": counters,
                "steps": steps, "peak_reserved": int(peak * 2**20)}

    def links(self):
        # One rank alone has no such file.
        matrix = self.json("communication_matrix.json") if (self.out / "communication_matrix.json").exists() else {}
        for step in matrix.values():
            for key, links in [*step["p2p"].items(), *step["collective"].items()]:
                if "-total@" not in key:
                    continue
                members = self.groups[key.split("@")[1]]
                for ends, link in links.items():
                    a, b = map(int, ends.split("-"))
                    yield (members[a], members[b], round(link["Transit Size(MB)"] * 10**6),
                           int(link["Transit Time(ms)"] * 10**6 + Decimal("0.5")))


class DbRank:
    """What the databases of a rank hold of the truth: no tracks of overlap, which its readers compute."""
    TRACKS = {
        "Python": "SELECT 'Thread ' || (globalTid & 4294967295), endNs - startNs FROM PYTORCH_API",
        "CANN": "SELECT 'Thread ' || (globalTid & 4294967295), endNs - startNs FROM CANN_API",
        "Ascend Hardware": "SELECT 'Stream ' || streamId, endNs - startNs FROM TASK",
        "Python GC": "SELECT 'Python GC', endNs - startNs FROM GC_RECORD",
        "HCCL": """SELECT 'Plane ' || planeId, endNs - startNs FROM COMMUNICATION_TASK_INFO JOIN TASK USING (globalTaskId)
            UNION ALL SELECT 'Group ' || (SELECT count(DISTINCT g.groupName) FROM COMMUNICATION_OP g WHERE g.groupName <
            c.groupName) || ' Communication', endNs - startNs FROM COMMUNICATION_OP c"""}
    COUNTERS = {"AICORE_FREQ": 1, "HBM": 1, "LLC": 2, "NPU_MEM": 3, "QOS": 1, "ACC_PMU": 4, "SOC_BANDWIDTH_LEVEL": 2}

    def __init__(self, folder, rank):
        self.main = next(folder.glob(f"rank{rank}_ascend_*/ASCEND_PROFILER_OUTPUT/ascend_*_profiler_{rank}.db"), None)

    def ask(self, sql, name=None):
        with sqlite3.connect(f"file:{name or self.main}?mode=ro", uri=True) as connection:
            return connection.execute(sql).fetchall()

    def count(self):
        tables = {name for name, in self.ask("SELECT name FROM sqlite_master")}
        tracks = defaultdict(lambda: [0, 0])
        for process, sql in self.TRACKS.items():
            for thread, dur in self.ask(sql) if process != "Python GC" or "GC_RECORD" in tables else ():
                tracks[process, thread][0] += 1
                tracks[process, thread][1] += dur
        times = {int(step): [round(us * 1000) for us in row] for step, *row in self.ask(
            "SELECT step, computing, communication, communication_not_overlapped, free FROM StepTraceTime",
            self.main.with_name("analysis.db"))}
        steps = [dict(zip(("step", "start_ts", "end_ts", "computing", "communication", "not_overlapped", "free"),
                          [*row, *times[row[0]]])) for row in self.ask("SELECT * FROM STEP_TIME ORDER BY id")]
        peak = self.ask("SELECT max(totalReserved) FROM MEMORY_RECORD JOIN STRING_IDS s ON s.id = component WHERE value = 'PTA'")
        return {"tracks": {k: tuple(v) for k, v in tracks.items()}, "steps": steps, "peak_reserved": peak[0][0],
                "counters": sum(self.ask(f"SELECT count(*) FROM {t}")[0][0] * n for t, n in self.COUNTERS.items())}

    def links(self):
        groups = groups_of(self.main.parent)
        for group, a, b, size, transit in self.ask("SELECT group_name, src_rank, dst_rank, transit_size, transit_time FROM "
                                                   "CommAnalyzerMatrix WHERE hccl_op_name LIKE '%-total'",
                                                   self.main.with_name("analysis.db")):
            members = groups[group]
            yield (members[int(a)], members[int(b)], round(size * 1e6),
                   int(Decimal(repr(transit)) * 10**6 + Decimal("0.5")))


def meetings(ranks):
    """Collectives over their ranks: (step, members, from the last arrival to the end)."""
    calls = defaultdict(list)
    for number, rank in ranks.items():
        for step, ops in rank.json("communication.json").items():
            for key, op in [*ops["p2p"].items(), *ops["collective"].items()]:
                times = op["Communication Time Info"]
                if "@" in key:  # one rank's send is the other's receive
                    key = key.replace("hcom_receive_", "hcom_send_")
                    calls[step, key].append((number, times["Start Timestamp(us)"], times["Elapse Time(ms)"]))
    for (step, key), found in calls.items():
        members = {n for n, _, _ in found}
        yield int(step[4:]), members, min(float(e) * 1e6 for _, _, e in found)


def link_of(words):
    ends, _, factor = words.partition("=")[2].partition(":")
    return set(map(int, ends.split("-"))), int(factor or 4)


def places(words, steps, ranks):
    """Ranks and steps in which a fault must have cost something."""
    kind, _, value = words.partition("=")
    if kind == "slow-rank":
        ranks = [int(value.split(":")[0])]
    if kind == "slow-link":
        ranks = sorted(link_of(words)[0])
    if kind == "frequency-drop":
        steps = steps[len(steps) // 2:]
    return [(rank, step) for rank in ranks for step in steps]


def planted(plant, words, others, ranks):
    """(what the files say, how far it may be off), in ns. others: words of all plants."""
    rank, step = ranks[plant["rank"]], plant["step"]
    kind, _, value = words.partition("=")
    rows = [r for r in rank.csv("kernel_details.csv") if int(r["Step Id"]) == step]
    kernels = [(r["Accelerator Core"], ns(r["Duration(us)"])) for r in rows if r["Accelerator Core"] != "HCCL"]
    inside = [s for s in rank.slices if rank.step_of(s[2]) == step]
    if kind == "slow-rank":
        percent = int((value + ":20").split(":")[1])
        return sum(d for _, d in kernels) * percent / (100 + percent), len(kernels)
    if kind == "frequency-drop":
        mhz = 1800 * (100 - int(value)) // 100
        return sum(d for c, d in kernels if c not in ("DSA_SQE", "AI_CPU")) * (1800 - mhz) / 1800, len(kernels)
    if kind == "ai-cpu":  # 30 times as long and a call of 250 us
        return sum((d - 250_000) * 29 / 30 + 250_000 for c, d in kernels if c == "AI_CPU"), 25_000 * len(kernels)
    if kind == "gc-pause":
        return sum(d for p, _, _, d, _ in inside if p == "Python GC"), 0
    if kind == "host-bound":
        return sum(e["name"] == "Enqueue" for *_, e in inside) * int(value or 1000) * 1000, 0
    if kind == "no-overlap":
        return sum(d for p, t, _, d, _ in inside if t in ("Group 0 Communication", "Group 4 Communication")), 0
    if kind == "small-packets":  # each packet of each phase, on one link; who receives has those of the sender
        moved = lambda of: sum(t == "Plane 1" and e["name"] in ("Memcpy", "Reduce_Inline", "RDMASend") for _, t, _, _, e in of)
        packets = moved(inside)
        for key in rank.json("communication.json")[f"step{step}"]["p2p"]:
            if not key.startswith("hcom_receive"):
                continue
            number = key.split("@")[0].replace("hcom_receive_", "hcom_send_")
            sender = ranks[next(r for r in rank.groups[key.split("@")[1]] if r != plant["rank"])]
            begin, dur = next((t, d) for _, _, t, d, e in sender.slices if e["name"] == number)
            group = next(e["tid"] for *_, e in sender.slices if e["name"] == number)
            of = [s for s in sender.slices if s[0] == "HCCL" and begin <= s[2] < begin + dur and s[4]["tid"] == group + 2]
            packets += moved(of)
        return packets * 40_000, 0
    if kind == "slow-link":  # all wait for the slowest link of a group
        both, factor = link_of(words)
        rivals = [link_of(w) for w in others if w.startswith("slow-link=")]
        slowest = lambda m: (both, factor) == max((r for r in rivals if r[0] <= m), key=lambda r: r[1])
        return sum(ns_ * (factor - 1) / factor for s, m, ns_ in meetings(ranks)
                   if s == step and both <= m and slowest(m)), 10**5
    if kind == "leak":
        kept = [r for r in rank.csv("operator_memory.csv") if r["Name"] == "aten::clone" and not r["Release Time(us)"]]
        sizes = [Decimal(r["Size(KB)"]) * 1024 for r in kept if rank.step_of(ns(r["Allocation Time(us)"])) == step]
        return (0 if [plant["bytes"]] == sizes else 1), 0
    return None, 0


def problems(folder):
    truth = json.loads((folder / "truth.json").read_text())
    said = {r["rank_id"]: r for r in truth["ranks"]}
    for step in (step for rank in said.values() for step in rank["steps"]):
        step.pop("bubble", None)  # of pipelines; no file says it
    texts = {number: Rank.at(folder, number) for number in said}
    databases = {number: DbRank(folder, number) for number in said}
    for number, rank in said.items():
        rank["tracks"] = {(t["process"], t["thread"]): (t["slices"], t["dur"]) for t in rank["tracks"]}
        for key, value in texts[number].count().items() if texts[number] else ():
            if rank[key] != value:
                yield f"rank {number}: {key} is {value}, not {rank[key]}"
        for key, value in databases[number].count().items() if databases[number].main else ():
            expected = rank[key]
            if key == "tracks":
                expected = {k: v for k, v in expected.items() if k[0] in DbRank.TRACKS}
            if expected != value:
                yield f"rank {number}, database: {key} is {value}, not {expected}"
    for kind, ranks in ("text", [r for r in texts.values() if r]), ("databases", [r for r in databases.values() if r.main]):
        links = defaultdict(lambda: [0, 0])
        for rank in ranks:
            for a, b, size, transit in rank.links():
                links[a, b][0] += size
                links[a, b][1] += transit
        if ranks and {(l["src"], l["dst"]): [l["size"], l["transit"]] for l in truth["links"]} != dict(links):
            yield f"links differ from {kind}"
    if not any(texts.values()) and not any(d.main for d in databases.values()):
        yield "no rank has files"
    args = truth["args"]
    words = [b for a, b in zip(args, args[1:]) if a == "--plant"] + [a[8:] for a in args if a.startswith("--plant=")]
    words.sort(key=lambda word: next(i for i, a in enumerate(args) if a in (word, "--plant=" + word)))
    plants = truth["plants"]
    steps = [s["step"] for s in next(iter(said.values()))["steps"]]
    for word in words:  # in the order of the words, then by rank and step
        kind = word.split("=")[0]
        expected = places(word, steps, list(said))
        if kind == "slow-link" and all(texts.values()):  # beside a slower one it costs nothing
            expected = [(r, s) for r, s in expected if planted({"rank": r, "step": s}, word, words, texts)[0]]
        mine, plants = plants[:len(expected)], plants[len(expected):]
        if [(p["fault"], p["rank"], p["step"]) for p in mine] != [(kind, *place) for place in expected]:
            yield f"{word} is not planted in {expected}"
            return
        for plant in mine if all(texts.values()) else ():
            value, slack = planted(plant, word, words, texts)
            hidden = {"host-bound": "free", "small-packets": "not_overlapped"}.get(kind)
            if hidden:  # no more of it reaches the step
                value = min(value, next(s[hidden] for s in said[plant["rank"]]["steps"] if s["step"] == plant["step"]))
            if kind == "no-overlap":  # what would be exposed with overlap too is not told by these files
                alone = next(s["not_overlapped"] for s in said[plant["rank"]]["steps"] if s["step"] == plant["step"])
                if not 0 <= plant["ns"] <= alone:  # 0: a step that lost nothing
                    yield f"{plant} is not between 0 and {alone}"
                continue
            if value is None or abs(value - plant["ns"]) > slack:
                yield f"{plant} costs {value}"
    if plants:
        yield f"nobody asked for {plants}"


status = 0
for name in sys.argv[1:]:
    for problem in problems(Path(name)):
        print(f"{name}: {problem}")
        status = 1
sys.exit(status)
