#!/usr/bin/env python3
"""Runs the benchmarks in interleaved pairs, writes results.json, and makes resources/help/performance.md from it.

usage: report.py --root ROOT [--build BUILD --work FOLDER] [--only NAME...] [--table-only] [--check]
--only measures these parts of the results and keeps the other figures; `huge`, a trace of 10 GB and a store of 10^8 slices (12 GB of
disk, 12 GB of memory), is measured in no other way;
--table-only rewrites the table from results.json; --check fails if that page and results.json differ.
"""
import argparse
import contextlib
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import time

import cancel_captures
import page_captures

PAIRS = 5
CANCELS = 200
GIGABYTE = 1000  # MB of 10^6 bytes
BEGIN, END = "<!-- performance: begin (tests/bench/report.sh) -->", "<!-- performance: end -->"


def run(*command):
    output = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.strip().splitlines()[-1])


def scaled_sample(root, work, megabytes=GIGABYTE):
    """A real trace, repeated to 1 GB; None where the samples or their scaling tool are not installed."""
    shared = root.parent / "shared"
    sample = shared / "data/torch_text/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
    tool = shared / "tools/scale_trace.py"
    target = work / ("scaled" if megabytes == GIGABYTE else f"scaled_{megabytes}") / "trace_view.json"
    if not target.exists():
        if not sample.exists() or not tool.exists():
            return None
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, tool, sample, str(megabytes), target], check=True)
    return target


def generated(build, work):
    """Many names, deep stacks, and the names of threads at the very end. The trace is two thirds of the rank's files, and alone
    in its folder here, because the bare pass reads nothing else."""
    folder = work / "generated"
    if not folder.exists():
        subprocess.run([build / "app/cli/altiscope-cli", "generate", folder, "--ranks", "1", "--size", str(GIGABYTE * 1_450_000),
                        "--distinct-names", "20000", "--late-metadata", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    alone = work / "generated_trace" / "trace_view.json"
    if not alone.exists():
        alone.parent.mkdir(exist_ok=True)
        alone.hardlink_to(next(folder.glob("*_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json")))
    return alone


def measure_import(build, trace):
    tools = build / "tests/bench"
    # Warm page cache; not read here, because a child inherits the peak memory of the process that forks it.
    subprocess.run(["cat", trace], check=True, stdout=subprocess.DEVNULL)
    rows = {"bare": [], "all": [], "one": []}
    peaks, first, processor = [], [], []
    for _ in range(PAIRS):
        rows["bare"].append(run(tools / "bench_bare_pass", trace)["seconds"])
        result = run(tools / "bench_import", trace, 0)
        rows["all"].append(result["seconds"])
        peaks.append(result["peak_mb"])
        processor.append(result["processor_s"] / trace.stat().st_size * 1e9)
        rows["one"].append(run(tools / "bench_import", trace, 1)["seconds"])
        first.append(run(tools / "bench_import", trace, 0, "--first-picture")["first_picture_s"])
    median = statistics.median
    ratios = lambda key: [a / b for a, b in zip(rows[key], rows["bare"])]
    ratio = lambda key: median(ratios(key))
    return {"file_mb": round(trace.stat().st_size / 1e6), "bare_pass_s": round(median(rows["bare"]), 2),
            "import_s": round(median(rows["all"]), 2), "ratio": round(ratio("all"), 2),
            "ratio_least": round(min(ratios("all")), 2), "ratio_most": round(max(ratios("all")), 2),
            "processor_s_per_gb": round(median(processor), 2),
            "ratio_one_thread": round(ratio("one"), 2), "peak_mb": round(median(peaks)),
            "first_picture_s": round(median(first), 2), "slices": result["slices"], "samples": result["samples"],
            "flows": result["flows"]}


# Whoever is asked for all of this has nothing left to do later.
EVERYTHING = ("SELECT (SELECT max(depth) FROM slice), (SELECT sum(self_dur) FROM slice), (SELECT count(from_slice) FROM flow), "
              "(SELECT sum(value) FROM counter), (SELECT args FROM slice WHERE slice_id = (SELECT max(to_slice) FROM flow))")
ARGUMENTS = "SELECT count(*) FROM slice WHERE args LIKE '%\"connection_id\": 1_7%'"


def call(*command):
    """Seconds and peak memory (MB) of a program."""
    start = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command} ended with {status}")
    return time.monotonic() - start, usage.ru_maxrss / 1000


def measure_engine(build, trace, work):
    """A cold query over everything against a bare pass; then what follows on a capture that was opened before."""
    cli, cache, out = build / "app/cli/altiscope-cli", work / "cache", work / "export.json"
    cold, again, search, export = [], [], [], []
    for _ in range(PAIRS):
        bare = run(build / "tests/bench/bench_bare_pass", trace)["seconds"]
        cold.append(call(cli, "query", trace, "--no-cache", "--sql", EVERYTHING)[0] / bare)
    call(cli, "query", trace, "--cache-dir", cache, "--sql", "SELECT 1")
    for _ in range(PAIRS):
        again.append(call(cli, "query", trace, "--cache-dir", cache, "--sql", "SELECT count(*) FROM track")[0])
        search.append(call(cli, "query", trace, "--cache-dir", cache, "--sql", ARGUMENTS)[0])
        export.append(call(cli, "export", trace, "--cache-dir", cache, "--what", "trace", "--out", out))
    written = out.stat().st_size / 1e6
    out.unlink()
    median = statistics.median
    return {"cold_query_ratio": round(median(cold), 2), "second_opening_s": round(median(again), 3),
            "search_gb_per_s": round(trace.stat().st_size / 1e9 / median(search), 2),
            "export_mb_per_s": round(written / median(seconds for seconds, _ in export)),
            "export_peak_mb": round(median(peak for _, peak in export))}


def generate_ranks(build, folder):
    call(build / "app/cli/altiscope-cli", "generate", folder, "--ranks", 64, "--size", 50_000_000, "--quiet")


def measure_ranks(root, build, work):
    """64 ranks of 50 MB, all cores against one."""
    folder, cli = work / "ranks64", build / "app/cli/altiscope-cli"
    if not folder.exists():
        generate_ranks(build, folder)
    ratios = []
    for _ in range(3):
        one = call(cli, "info", folder, "--no-cache", "--jobs", 1)[0]
        ratios.append(one / call(cli, "info", folder, "--no-cache")[0])
    return round(statistics.median(ratios), 2)


def summary_folder(root, build, work, name):
    """One rank with one summary file of 1 GB: a real one where the samples are installed, else a generated one, repeated."""
    target = work / ("summary_" + pathlib.Path(name).stem) / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / name
    if not target.exists():
        source = root.parent / "shared/data/torch_cluster_level2/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT" / name
        if not source.exists():
            small = work / "small"
            if not small.exists():
                call(build / "app/cli/altiscope-cli", "generate", small, "--ranks", 2, "--quiet")
            source = small / "rank0_ascend_pt/ASCEND_PROFILER_OUTPUT" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text()
        with target.open("w") as out:
            if name.endswith(".csv"):
                header, rows = text.split("\n", 1)
                out.write(header + "\n")
                for _ in range(GIGABYTE * 1_000_000 // len(rows)):
                    out.write(rows)
            else:
                step = json.dumps(next(iter(json.loads(text).values())))
                for number in range(GIGABYTE * 1_000_000 // len(step)):
                    out.write(("{" if number == 0 else ",") + f'"step{number}": {step}')
                out.write("}")
    return target


def measure_summaries(root, build, work):
    """Summary files of 1 GB on their way into tables."""
    results = {}
    for name in ("kernel_details.csv", "communication.json"):
        file = summary_folder(root, build, work, name)
        subprocess.run(["cat", file], check=True, stdout=subprocess.DEVNULL)
        # Nothing that is computed from the rows: what they are read for is another matter.
        runs = [call(build / "app/cli/altiscope-cli", "query", file.parent.parent.parent, "--no-cache", "--sql", "SELECT count(*) FROM rank")
                for _ in range(PAIRS)]
        results[name] = {"mb_per_s": round(file.stat().st_size / 1e6 / statistics.median(seconds for seconds, _ in runs)),
                         "peak_mb": round(statistics.median(peak for _, peak in runs))}
    return results


def database_of(root, build, work):
    """A profiler database of 500 MB: a real one, repeated, where the samples and their scaling tool are installed, else a generated one."""
    target = work / "database" / "ascend_pytorch_profiler_0.db"
    if target.exists():
        return target
    target.parent.mkdir(exist_ok=True)
    shared = root.parent / "shared"
    sample = shared / "data/torch_db/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"
    tool = shared / "tools/scale_db.py"
    if sample.exists() and tool.exists():
        plain = work / "database_sample.db"
        plain.write_bytes(sample.read_bytes())
        with contextlib.closing(sqlite3.connect(plain)) as database, database:
            # Of a viewer that opened it: their keys cannot be repeated.
            for table_name in ("OVERLAP_ANALYSIS", "status_info", "connectionCats"):
                database.execute(f"DROP TABLE IF EXISTS {table_name}")
        subprocess.run([sys.executable, tool, plain, "500", target], check=True, stdout=subprocess.DEVNULL)
        return target
    folder = work / "database_generated"
    if not folder.exists():
        call(build / "app/cli/altiscope-cli", "generate", folder, "--format", "db", "--ranks", 1, "--size", 500_000_000, "--quiet")
    target.hardlink_to(next(folder.glob("*_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")))
    return target


def measure_database(root, build, work):
    """A database to a sealed store against one thread that reads the same rows into arrays."""
    file, tools = database_of(root, build, work), build / "tests/bench"
    subprocess.run(["cat", file], check=True, stdout=subprocess.DEVNULL)
    pairs = []
    for _ in range(PAIRS):
        plain = run(tools / "bench_database", file)
        pairs.append((plain, run(tools / "bench_import", file, 0)))
    median = statistics.median
    return {"file_mb": round(file.stat().st_size / 1e6), "rows": pairs[0][0]["rows"],
            "plain_s": round(median(plain["seconds"] for plain, _ in pairs), 2),
            "import_s": round(median(imported["seconds"] for _, imported in pairs), 2),
            "ratio": round(median(imported["seconds"] / plain["seconds"] for plain, imported in pairs), 2),
            "peak_mb": round(median(imported["peak_mb"] for _, imported in pairs))}


def measure_huge(root, build, work):
    """Ten times the size, in one run each, beside the same at 1 GB."""
    results = {"store": run(build / "tests/bench/bench_store", 100_000_000, 0)}
    small, large = scaled_sample(root, work), scaled_sample(root, work, 10 * GIGABYTE)
    if large is None:
        return results
    seconds = {}
    for trace in (small, large):
        subprocess.run(["cat", trace], check=True, stdout=subprocess.DEVNULL)
        result = run(build / "tests/bench/bench_import", trace, 0)
        seconds[trace] = result["seconds"] / (trace.stat().st_size / 1e9)
    results["import"] = {"file_mb": round(large.stat().st_size / 1e6), "seconds_per_gb": round(seconds[large], 2),
                         "against_1_gb": round(seconds[large] / seconds[small], 2), "peak_mb": round(result["peak_mb"])}
    large.unlink()
    return results


def measure_cluster(root, build, work):
    """What a cluster analysis has written about 4096 ranks, listed and summed up."""
    folder, cli = work / "cluster4096", build / "app/cli/altiscope-cli"
    if not folder.exists():
        call(cli, "generate", folder, "--format", "cluster", "--ranks", 4096, "--steps", 3, "--layers", 1, "--quiet")
    runs = [call(cli, "info", folder, "--no-cache") for _ in range(PAIRS)]
    return {"mb": round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6),
            "seconds": round(statistics.median(seconds for seconds, _ in runs), 2), "peak_mb": round(statistics.median(peak for _, peak in runs))}


def measure_imports(root, build, work):
    imports = {}
    for name, trace in (("real sample, repeated", scaled_sample(root, work)), ("generated run", generated(build, work))):
        if trace is not None:
            imports[name] = measure_import(build, trace) | measure_engine(build, trace, work)
    return imports


def measure_queries(root, build, work):
    output = subprocess.run([build / "tests/bench/bench_query", "10000000"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output)


def any_trace(root, build, work):
    return scaled_sample(root, work) or generated(build, work)


FRAMES = {"10^8 slices, 100 tracks, 1920 x 1080": (100_000_000, "1920x1080"),
          "the same, 3840 x 2160": (100_000_000, "3840x2160"),
          "10^6 slices, 100 tracks, 1920 x 1080": (1_000_000, "1920x1080"),
          "1000 ranks x 40 tracks x 1000 slices, 1920 x 1080": (40_000, "1920x1080", 1000, 40)}


def measure_frames(root, build, work):
    """Pictures of the timeline; of three runs the one in the middle. The last while a trace of 1 GB is imported."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    cases = FRAMES | {"10^6 slices, while a trace of 1 GB is imported": (1_000_000, "1920x1080", 1, 100, any_trace(root, build, work))}
    results = {}
    for name, arguments in cases.items():
        runs = [run(build / "tests/bench/bench_timeline", *arguments) for _ in range(3)]
        results[name] = sorted(runs, key=lambda one: one["path"]["p99_ms"])[1]
    return results


def measure_pages(root, build, work):
    """The pages Memory, Operators, Communication and Cluster, and how long every page takes to open."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    results = {page: run(build / f"tests/bench/bench_{page}") for page in ("memory", "operators", "communication", "cluster")}
    return results | {"openings": measure_openings(build, work)}


def raw_twin(build, work):
    """The raw data of a run whose text files have 1 GB."""
    twin = work / "raw_twin"
    if not twin.exists():
        part = twin.with_name("raw_twin.part")
        subprocess.run([build / "app/cli/altiscope-cli", "generate", part, "--format", "raw", "--ranks", "1", "--size", "375M", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        part.rename(twin)
    return twin


def spoiled(source, how):
    """The same with records that are lost or moved; made by a process of its own, whose memory is not counted here."""
    target = source.with_name(f"{source.name}_{how}")
    if not target.exists():
        part = target.with_name(target.name + ".part")
        subprocess.run([sys.executable, pathlib.Path(__file__).parent / "raw_losses.py", source, part, how], check=True)
        part.rename(target)
    return target


def measure_raw(build, work):
    """Raw data to the sealed store and to the deliverables of the vendor's analysis; of PAIRS runs the one in the middle. Beside the twin
    of a generated run one of short records alone: no stacks, many steps of collectives."""
    tool = build / "tests/bench/bench_raw"
    twin, short, many = raw_twin(build, work), work / "raw", work / "raw16"
    for folder, megabytes, captures in ((short, 440, 1), (many, 28, 16)):
        if not folder.exists():
            part = folder.with_name(folder.name + ".part")
            run(tool, "make", part, megabytes, captures)
            part.rename(folder)
    kinds = {"store": ("store", twin), "lost": ("store", spoiled(twin, "lost")), "moved": ("store", spoiled(twin, "moved")),
             "text": ("text", twin), "db": ("db", twin), "short_store": ("store", short), "short_text": ("text", short),
             "short_db": ("db", short)}
    runs, ratios = {kind: [] for kind in kinds}, []
    for _ in range(PAIRS):
        for kind, arguments in kinds.items():
            runs[kind].append(run(tool, *arguments))
        ratios.append(run(tool, "text", many, 1)["seconds"] / run(tool, "text", many)["seconds"])
    return {kind: sorted(rows, key=lambda row: row["seconds"])[PAIRS // 2] for kind, rows in runs.items()} | {
        "speedup_of_16": round(statistics.median(ratios), 2)}


def middle(build, name, key, *arguments):
    """Of PAIRS runs of a benchmark of the window the one in the middle."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return sorted((run(build / "tests/bench" / name, *arguments) for _ in range(PAIRS)), key=lambda row: row[key])[PAIRS // 2]


def measure_statements(root, build, work):
    return json.loads(subprocess.run([build / "tests/bench/bench_sql"], check=True, stdout=subprocess.PIPE, text=True).stdout)


def measure_cancels(root, build, work):
    """How soon imports and statements stop that are cancelled at random moments."""
    tool = build / "tests/bench/bench_cancel"
    results = {"a trace of 1 GB": run(tool, any_trace(root, build, work), CANCELS)}
    for number, (name, write) in enumerate(cancel_captures.WRITERS.items()):
        folder = work / f"cancel{number}"
        if not folder.exists():
            part = folder.with_name(folder.name + ".part")
            part.mkdir()
            write(build / "app/cli/altiscope-cli", part)
            part.rename(folder)
        results[name] = run(tool, folder, CANCELS, work / "cancel_cache")
    results["SQL on values of 16 MB"] = run(tool, "--statements", CANCELS)
    return results


OPENED = {"10^7 kernels of a rank": lambda build, folder: page_captures.write_kernels(folder, 10_000_000),
          "10^7 memory samples of a rank": lambda build, folder: page_captures.write_samples(folder, 10_000_000),
          "64 ranks of 50 MB": lambda build, folder: generate_ranks(build, folder)}


def measure_openings(build, work):
    """From the click on the tab of each page to its numbers, in captures that were imported before."""
    results = {}
    for name, folder in zip(OPENED, ("kernels", "samples", "ranks64")):
        if not (work / folder).exists():
            OPENED[name](build, work / folder)
        results[name] = run(build / "tests/bench/bench_pages", work / folder, work / "page_cache", PAIRS)
    return results


MEASURES = {
    "imports": measure_imports,
    "cancel": measure_cancels,
    "store": lambda root, build, work: run(build / "tests/bench/bench_store", 10_000_000, 0),
    "summaries": measure_summaries,
    "database": measure_database,
    "archive": lambda root, build, work: run(build / "tests/bench/bench_archive", any_trace(root, build, work), work / "archive", PAIRS),
    "recognition": lambda root, build, work: run(build / "tests/bench/bench_recognition", work / "recognition"),
    "cluster": measure_cluster,
    "ranks64_speedup": measure_ranks,
    "queries": measure_queries,
    "tables": lambda root, build, work: run(build / "tests/bench/bench_table"),
    "analysis": lambda root, build, work: run(build / "tests/bench/bench_analysis"),
    "selection": lambda root, build, work: run(build / "tests/bench/bench_selection"),
    "frames": measure_frames,
    "pages": measure_pages,
    "raw": lambda root, build, work: measure_raw(build, work),
    "statements": measure_statements,
    "flame": lambda root, build, work: middle(build, "bench_flame", "frame p99", 10_000_000),
    "snapshot": lambda root, build, work: middle(build, "bench_snapshot", "picture_p99_ms"),
    "compare": lambda root, build, work: middle(build, "bench_compare", "all_times_ms"),
    "capture_page": lambda root, build, work: middle(build, "bench_capture_page", "opened_ms"),
    "huge": measure_huge,
}


def table(results):
    dates = {}
    for name, date in results.get("measured", {}).items():
        dates.setdefault(date, []).append(name.replace("_", " "))
    days = [f"{date}: {', '.join(sorted(names))}." for date, names in sorted(dates.items(), reverse=True)]
    lines = [f"Measured by `tests/bench/report.sh` on {results['cores']} cores; medians of {PAIRS} interleaved runs, warm page cache. " + " ".join(days),
             "The yardstick is one bare single-thread simdjson pass over the same file in the same run.", "",
             "| `trace_view.json` to a sealed store | " + " | ".join(results["imports"]) + " |",
             "|---|" + "---|" * len(results["imports"])]
    for label, form in (("file", "{file_mb} MB"), ("events kept", "{slices:,} slices, {samples:,} samples, {flows:,} flows"),
                        ("bare pass", "{bare_pass_s} s"), ("import, all cores", "{import_s} s = **{ratio} x** the bare pass"),
                        ("range of the runs", "{ratio_least} to {ratio_most} x"),
                        ("processor seconds per GB", "{processor_s_per_gb}"),
                        ("import, `--jobs 1`", "{ratio_one_thread} x"), ("peak memory", "{peak_mb} MB"),
                        ("first slices can be drawn after", "{first_picture_s} s"),
                        ("opened and asked for depth, self time, flows, counters and one `args`", "{cold_query_ratio} x the bare pass"),
                        ("second opening", "{second_opening_s} s"),
                        ("search in all arguments", "{search_gb_per_s} GB/s of source"),
                        ("export as Chrome JSON", "{export_mb_per_s} MB/s, peak {export_peak_mb} MB")):
        # What was not measured yet has no row.
        with contextlib.suppress(KeyError):
            lines.append(f"| {label} | " + " | ".join(form.format(**row) for row in results["imports"].values()) + " |")
    store = results["store"]
    lines += ["", f"A store of {store['slices']:,} slices takes {store['bytes_per_slice']} bytes a slice, is sealed in "
                  f"{store['seal_s']:.2f} s, and answers a window over 100 tracks at 1920 pixels in "
                  f"{store['frame_ms_one_thread']:.1f} ms on one thread."]
    lines[-1] += f" 64 ranks of 50 MB are read {results['ranks64_speedup']} times as fast as with `--jobs 1`."
    cancel = results["cancel"]
    if "slowest_ms" in cancel:
        lines[-1] += f" Of {cancel['cancels']} imports cancelled at random moments the slowest stopped after {cancel['slowest_ms']:.0f} ms."
        cancel = {}
    if huge := results.get("huge"):
        lines[-1] += (f" {huge['store']['slices']:,} slices are sealed in {huge['store']['seal_s']:.0f} s; the builder's peak is "
                      f"{huge['store']['peak_mb']} MiB.")
        if "import" in huge:
            lines[-1] += (f" A trace of {huge['import']['file_mb']:,} MB takes {huge['import']['against_1_gb']} times as long per GB as "
                          f"one of 1 GB, with {huge['import']['peak_mb']:,} MB of memory.")
    if cancel:
        lines += ["", f"| cancelled at {CANCELS} random moments | slowest stopped after | p99 | median |", "|---|---|---|---|"]
    for name, row in cancel.items():
        lines.append(f"| {name} | {row['slowest_ms']:.0f} ms | {row['p99_ms']:.0f} ms | {row['median_ms']:.0f} ms |")
    lines += ["", "| summary file of 1 GB into its tables | | |", "|---|---|---|"]
    for name, row in results["summaries"].items():
        lines.append(f"| `{name}` | {row['mb_per_s']} MB/s | peak {row['peak_mb']} MB |")
    if database := results.get("database"):
        lines += ["", f"A profiler database of {database['file_mb']} MB becomes a sealed store with its tables in {database['import_s']} s, "
                      f"**{database['ratio']} x** what one thread needs to read the rows of its timeline into arrays "
                      f"({database['plain_s']} s), with {database['peak_mb']} MB of memory."]
    if "archive" in results:
        archive, found, cluster = results["archive"], results["recognition"], results["cluster"]
        lines += ["", f"A `.tar.zst` of {archive['archive_mb']:.0f} MB that holds a trace of 1 GB opens in {archive['archive_s']:.2f} s, "
                      f"**{archive['ratio']:.2f} x** its decompression alone and the import together. {found['files']:,} files in "
                      f"{found['folders']:,} folders are recognised in {found['seconds']:.2f} s. The results of a cluster of 4096 ranks "
                      f"({cluster['mb']} MB) are listed and summed up in {cluster['seconds']} s with {cluster['peak_mb']} MB of memory."]
    if raw := results.get("raw"):
        lines += ["", "| raw data | MB/s of raw input | peak |", "|---|---|---|"]
        lines += [f"| {what} | {raw[kind]['mb_per_s']:.0f} | {raw[kind]['peak_mb']:.0f} MB |"
                  for kind, what in (("store", f"a generated run of {raw['store']['mb']:.0f} MB to a sealed store"),
                                     ("lost", "one record in 100 is lost"), ("moved", "one record in 100 is up to 1000 places off"),
                                     ("text", "to text deliverables"), ("db", "to a database"),
                                     ("short_store", f"short records without stacks, {raw['short_store']['mb']:.0f} MB, to a sealed store"),
                                     ("short_text", "to text deliverables"), ("short_db", "to a database"))]
        lines += ["", f"16 raw captures are analysed {raw['speedup_of_16']} times as fast as on one core."]
    lines += ["", "| SQL on 10,000,000 slices | seconds | the same rows in an indexed table of SQLite in memory |", "|---|---|---|"]
    for sql, row in results["queries"].items():
        if sql != "slices":
            lines.append(f"| `{sql}` | {row['s']:.2f} | " + (f"{row['sqlite_s']:.2f} |" if "sqlite_s" in row else "|"))
    if statements := results.get("statements"):
        lines += ["", "| a statement on the page SQL, 10,000,000 slices | first rows | all | rows | memory |", "|---|---|---|---|---|"]
        lines += [f"| `{sql}` | {row['first_ms']:.0f} ms | {row['s']:.2f} s | {row['rows']:,} | {row['mb']:.0f} MB |" for sql, row in statements.items()]
    if tables := results.get("tables"):
        lines += ["", f"| table of {tables['rows']:,} rows | first rows | all |", "|---|---|---|"]
        for question, row in tables.items():
            if question != "rows":
                lines.append(f"| {question} | {row['first_ms']} ms | {row['complete_ms']} ms |")
    if analysis := results.get("analysis"):
        lines += ["", f"Of a rank of {analysis['slices']:,} slices, one in 21 of which is a kernel or collective, all rules find what there is in "
                      f"{analysis['rules_ms']} ms, and the computed rows of all tables take {analysis['rows_ms']} ms; the step breakdown of "
                      f"{analysis['slices']:,} kernels takes {analysis['breakdown_ms']} ms."]
    if selection := results.get("selection"):
        lines += ["", f"A selection of {selection['slices']:,} slices is counted and summed up, with unions, in {selection['sums_ms']} ms; with "
                      f"percentiles by name, track and rank and a histogram in {selection['complete_ms']} ms."]
    if frames := results.get("frames"):
        lines += ["", "| timeline, p99 of a frame | whole path | zoom | pan | scroll | over 16 ms | all expanded | columns that differ |",
                  "|---|---|---|---|---|---|---|---|"]
        for name, row in frames.items():
            path = row.get("while_importing") or row["path"]
            parts = [f"{row[part]['p99_ms']:.1f} ms" if "while_importing" not in row else "" for part in ("zoom", "pan", "scroll")]
            expanded = f"{row['expand_all']['max_ms']:.1f} ms" if "while_importing" not in row else ""
            lines.append(f"| {name} | {path['p99_ms']:.1f} ms | " + " | ".join(parts) +
                         f" | {path['over_16ms']} of {path['frames']:,} | {expanded} | {row['inexact_columns']} of {row['compared_columns']:,} |")
        large, small = (row for name, row in frames.items() if name.startswith("10^") and "same_window" in row and "while_importing" not in row)
        lines += ["", "A frame: the view was changed, the window's exact geometry asked for and painted, labels included; zooms go from the whole "
                      "run to 1 us and back. A window of 10 ms takes "
                      f"{large['same_window']['p50_ms'] / small['same_window']['p50_ms']:.2f} times as long among 10^8 slices as among 10^6. Every 50th picture is compared, column by column, with what each slice covers."]
    if pages := results.get("pages"):
        memory, operators, communication = (pages[page] for page in ("memory", "operators", "communication"))
        groupings = [row for name, row in operators.items() if name.startswith("grouping")]
        pans = {part: max(row["p99"] for name, row in pages[page].items() if name.startswith(part))
                for page, part in (("memory", "pan of"), ("communication", "matrix_pan"), ("communication", "time_pan"))}
        lines += ["", "| page | of | what | ms |", "|---|---|---|---|",
                  f"| Memory | {memory['samples']:,} samples | reading a rank | {memory['read']:.0f} |",
                  f"| | | p99 of a picture while panning | {pans['pan of']:.1f} |",
                  f"| Operators | {operators['kernels']:,} kernels of {operators['ranks']} ranks | first sums | {operators['first sums']:.0f} |",
                  f"| | | sums of another grouping, the slowest of {len(groupings)} | {max(row['sums'] for row in groupings):.0f} |",
                  f"| | | with percentiles | {max(row['percentiles'] for row in groupings):.0f} |",
                  f"| | | how the 50 first groups spread | {operators['boxes']:.0f} |",
                  *([f"| | | sums beside a base | {operators['base sums']:.0f} |"] if "base sums" in operators else []),
                  f"| Communication | {communication['ranks']:,} x {communication['ranks']:,} links | p99 of a picture while panning | {pans['matrix_pan']:.1f} |",
                  f"| | | another metric, at most | {communication['other_metric_max']:.0f} |",
                  f"| | {communication['collectives']:,} collectives of 1000 ranks | p99 of a picture while panning | {pans['time_pan']:.1f} |",
                  f"| | 64 ranks | what opening waits for, matrix and times | {communication['open_matrix_of_64']:.0f}, {communication['open_time_of_64']:.0f} |"]
        if cluster := pages.get("cluster"):
            pan = max(row["p99"] for name, row in cluster.items() if name.startswith("pan_"))
            lines += [f"| Cluster | {cluster['ranks']:,} ranks x {cluster['steps']} steps, results of a cluster analysis | what opening waits for | {cluster['open']:.0f} |",
                      f"| | | another step in the filter, at most | {cluster['filter_max']:.0f} |",
                      f"| | | another colour, at most | {cluster['other_colour_max']:.0f} |",
                      f"| | | p99 of a picture while panning | {pan:.1f} |"]
        if flame := results.get("flame"):
            lines += [f"| Flame graph | {flame['slices']:,} slices, {flame['nodes']:,} nodes | reading the calls and the first tree | "
                      f"{flame['calls'] + flame['top down']:.0f} |", f"| | | p99 of a picture | {flame['frame p99']:.1f} |"]
        if snapshot := results.get("snapshot"):
            lines += [f"| Snapshot | {snapshot['entries']:,} events of {snapshot['blocks']:,} blocks | p99 of a picture | {snapshot['picture_p99_ms']:.1f} |",
                      f"| | | the pool at an event, p99 | {snapshot['pool_p99_ms']:.1f} |",
                      f"| | | sums by call stack at another event, p99 | {snapshot['icicle_p99_ms']:.1f} |"]
        if compare := results.get("compare"):
            lines += [f"| Compare | {compare['differences']:,} differences | another kind of them | {compare['kernels_ms']:.1f} |"]
        if record := results.get("capture_page"):
            lines += [f"| Capture | 64 hosts that report | opening the page | {record['opened_ms']:.0f} |",
                      f"| | | the longest work on the GUI thread | {record['longest_work_ms']:.1f} |"]
        views = [view for view in next(iter(pages["openings"].values())) if view != "workspace"]
        lines += ["", "| from the click on a page's tab to its numbers, ms | " + " | ".join(view.capitalize() for view in views) + " |", "|---|" + "---|" * len(views)]
        for name, row in pages["openings"].items():
            lines.append(f"| {name} | " + " | ".join(f"{row[view]['numbers']:.0f}" for view in views) + " |")
        slowest = max(row["operators"]["complete"] for row in pages["openings"].values())
        lines += ["", "The capture has been imported before and is opened again for each page, in a window of 1920 x 1080; until the end of the first frame with "
                      f"numbers. Of the six pages the first two captures have kernels or samples for one, besides Overview; the others tell what is missing. What comes in a second part, percentiles among it, is all there after {slowest:.0f} ms at most."]
        restored = [f"{row['workspace']:.0f} ms ({name})" for name, row in pages["openings"].items() if "workspace" in row]
        if restored:
            lines[-1] += f" A workspace looks as it did after {', '.join(restored)}."
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=sorted(MEASURES), default=[name for name in MEASURES if name != "huge"])
    parser.add_argument("--table-only", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stored = options.root / "tests/bench/results.json"
    page = options.root / "resources/help/performance.md"
    if options.build and not options.table_only and not options.check:
        results = json.loads(stored.read_text()) if stored.exists() else {}
        results["cores"] = os.cpu_count()
        for name in options.only:
            results[name] = MEASURES[name](options.root, options.build, options.work)
            results.setdefault("measured", {})[name] = time.strftime("%Y-%m-%d")
            stored.write_text(json.dumps(results, indent=2) + "\n")
    text = page.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    wanted = before + BEGIN + "\n" + table(json.loads(stored.read_text())) + "\n" + END + after
    if options.check:
        if wanted != text:
            sys.exit("The table of resources/help/performance.md differs from tests/bench/results.json: run tests/bench/report.sh")
        print("the table equals the measurements")
        return
    page.write_text(wanted)


if __name__ == "__main__":
    main()
