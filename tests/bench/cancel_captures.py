"""Captures whose import takes long in other ways than by their bytes: see measure_cancels in report.py."""
import contextlib
import os
import sqlite3
import subprocess


def write_tracks(cli, folder):
    """A trace of 10^6 tracks with one slice each."""
    (folder / "trace_view.json").write_text("[" + ",\n".join(
        f'{{"ph":"X","name":"n{i % 999}","pid":{i % 1000},"tid":{i},"ts":{i},"dur":5}}' for i in range(1_000_000)) + "]")


def write_files(cli, folder):
    """10^5 tables of one rank in one folder."""
    output = folder / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output / "trace_view.json").write_text('[{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":1000}]')
    for i in range(100_000):
        (output / f"kernel_details_{i}.csv").write_text(f"Name,Type,Start Time(us),Duration(us)\nAdd{i},Add,{i}.5,2\n")


def write_traces(cli, folder):
    """10^5 parts of one timeline in one folder."""
    output = folder / "PROF_000001_20240101000000000_ABC" / "mindstudio_profiler_output"
    output.mkdir(parents=True)
    for i in range(100_000):
        (output / f"msprof_slice_{i}_20240101000000.json").write_text(f'[{{"ph":"X","name":"A","pid":1,"tid":2,"ts":{i},"dur":1}}]')


def write_log(cli, folder):
    """A database of 100 MB whose writer was killed, with a log of 20 GB, nearly all of it holes."""
    made = folder.with_name(folder.name + "_made")
    subprocess.run([cli, "generate", made, "--format", "db", "--ranks", "1", "--size", "100000000", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    source = next(made.glob("*_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"))
    with contextlib.closing(sqlite3.connect(source, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("UPDATE TASK SET endNs = endNs + 1")
        for ending in ("", "-wal"):
            target = folder / "ascend_pytorch_profiler_0.db"
            target.with_name(target.name + ending).write_bytes(source.with_name(source.name + ending).read_bytes())
    os.truncate(folder / "ascend_pytorch_profiler_0.db-wal", 20 << 30)


WRITERS = {"10^6 tracks": write_tracks, "10^5 tables in one folder": write_files, "10^5 traces in one folder": write_traces,
           "a database with a log of 20 GB": write_log}
