"""The captures whose statements are looked at."""

import os
import shutil

TWO, FOUR, EIGHT = ("--ranks", "2"), ("--ranks", "4"), ("--ranks", "8")
SMALL = ("--steps", "4", "--layers", "2", "--seed", "9")


def without(*names):
    """Takes folders or files, by their names, out of a capture: "rank3", or "rank0/communication.json"."""
    def change(capture):
        for name in names:
            rank, _, file = name.partition("/")
            folder = os.path.join(capture, rank + "_ascend_pt")
            if not file:
                shutil.rmtree(folder)
                continue
            for where, _, found in os.walk(folder):
                if file in found:
                    os.remove(os.path.join(where, file))
    return change


def cut(rank, share):
    """Ends the timeline of a rank early, as a full disk does."""
    def change(capture):
        path = os.path.join(capture, f"rank{rank}_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")
        with open(path, "r+b") as file:
            file.truncate(int(os.path.getsize(path) * share))
    return change


def tables_alone(capture):
    """No timeline of any rank."""
    for where, _, found in os.walk(capture):
        if "trace_view.json" in found:
            os.remove(os.path.join(where, "trace_view.json"))


# Name -> words of `generate`, and what is done to the files then.
GENERATED = {
    "healthy": ((*FOUR, *SMALL), None),
    "one_rank": (("--ranks", "1", *SMALL), None),
    "pipeline": (("--ranks", "16", "--steps", "3", "--layers", "2", "--seed", "9"), None),
    "slow_rank": ((*FOUR, *SMALL, "--plant", "slow-rank=1:20"), None),
    "slow_rank_of_pipeline": (("--ranks", "16", "--steps", "3", "--layers", "2", "--seed", "9", "--plant", "slow-rank=3:30"), None),
    "slow_link": ((*FOUR, *SMALL, "--plant", "slow-link=0-1:3"), None),
    "slow_link_of_eight": ((*EIGHT, "--steps", "4", "--layers", "2", "--seed", "301", "--plant", "slow-link=2-3:2"), None),
    "leak": ((*FOUR, "--steps", "5", "--layers", "6", "--seed", "111", "--model", "resnet", "--plant", "leak=16777216"), None),
    "host_bound": ((*TWO, *SMALL, "--plant", "host-bound=60"), None),
    "ai_cpu": ((*TWO, *SMALL, "--plant", "ai-cpu=Swish"), None),
    "ai_cpu_unknown": ((*TWO, *SMALL, "--plant", "ai-cpu=NonZero"), None),
    "small_packets": ((*FOUR, *SMALL, "--plant", "small-packets"), None),
    "frequency_drop": ((*TWO, *SMALL, "--plant", "frequency-drop=25"), None),
    "gc_pause": ((*EIGHT, *SMALL, "--plant", "gc-pause=20"), None),
    "no_overlap": ((*FOUR, *SMALL, "--plant", "no-overlap"), None),
    "slow_rank_and_link": ((*FOUR, *SMALL, "--plant", "slow-rank=2:20", "--plant", "slow-link=0-1:3"), None),
    "gc_and_host": ((*TWO, *SMALL, "--plant", "gc-pause=10", "--plant", "host-bound=60"), None),
    "fragmentation": ((*TWO, *SMALL, "--plant", "fragmentation=8G"), None),
    "resnet": ((*TWO, "--steps", "4", "--layers", "8", "--seed", "9", "--model", "resnet"), None),
    "database": ((*FOUR, *SMALL, "--format", "db", "--plant", "slow-rank=1:20"), None),
    "cluster_files": ((*FOUR, *SMALL, "--format", "cluster", "--plant", "slow-rank=1:20"), None),
    "mindspore": ((*TWO, *SMALL, "--format", "mindspore", "--plant", "slow-rank=1:20"), None),
    "raw_records": ((*TWO, *SMALL, "--format", "raw", "--plant", "slow-rank=1:20"), None),
    "snapshots": ((*TWO, *SMALL, "--format", "snapshot", "--plant", "leak=4M"), None),
    "clocks_apart": ((*FOUR, *SMALL, "--clock-offset-us", "500", "--clock-drift-ppm", "20", "--plant", "slow-rank=1:20"), None),
    "uneven_warmup": ((*FOUR, *SMALL, "--uneven-warmup", "--plant", "slow-rank=1:20"), None),
    "slow_rank_absent": ((*FOUR, *SMALL, "--plant", "slow-rank=1:20"), without("rank1")),
    "other_rank_absent": ((*FOUR, *SMALL, "--plant", "slow-rank=1:20"), without("rank3")),
    "cut_short": ((*FOUR, *SMALL), cut(2, 0.5)),
    "tables_alone": ((*FOUR, *SMALL, "--plant", "slow-rank=1:20"), tables_alone),
    "no_communication_files": ((*FOUR, *SMALL, "--plant", "slow-link=0-1:3"),
                               without("rank0/communication.json", "rank0/communication_matrix.json")),
}

# Captures of the list above, of which the second is compared with the first.
GENERATED_PAIRS = [("healthy", "slow_rank"), ("healthy", "slow_link"), ("slow_rank", "healthy"), ("healthy", "no_overlap"),
                   ("healthy", "database"), ("healthy", "other_rank_absent"), ("healthy", "resnet"), ("host_bound", "gc_and_host"),
                   ("healthy", "snapshots")]

# Name -> place below the folder of real captures.
REAL = {
    "torch_text_level0": "torch_text/level0",
    "torch_text_level1": "torch_text/level1",
    "torch_db_level1": "torch_db/level1",
    "torch_cluster_level2": "torch_cluster_level2",
    "test_ranks": "test_ranks",
    "msprof_db": "msprof_db",
    "cluster_text": "cluster_text",
    "mindspore_legacy_cluster": "mindspore_legacy/cluster",
    "mindspore_legacy_profiler": "mindspore_legacy/profiler",
    "mindspore_legacy_run": "mindspore_legacy/run_1",
    "snapshot": "snapshot/snapshot_1768383987920985470.pkl",
    "snapshot_expandable": "snapshot/snapshot_expandable.pkl",
    "memscope_db": "memscope/memscope_dump_20260527062213.db",
    "memscope_folder": "memscope",
    "raw_small": "raw/small/input",
    "raw_small_expected": "raw/small/expected",
    "raw_flip_ffts": "raw/flip_ffts/input",
    "raw_torch": "raw/torch/input",
    "raw_torch_expected": "raw/torch/expected",
    "raw_pair_c01": "raw/pairs/c01.tar.xz",
    "raw_pair_c10": "raw/pairs/c10.tar.xz",
    "raw_pair_g1": "raw/pairs/g1.tar.xz",
    "raw_hwts": "raw/hwts",
    "serving": "serving",
    "straggler": "straggler/timeline-ST.json.gz",
    "expert": "expert",
    "operator_bin": "operator_bin",
}
REAL_PAIRS = [("torch_text_level0", "torch_text_level1"), ("torch_text_level1", "torch_db_level1"),
              ("torch_text_level1", "torch_cluster_level2"), ("torch_text_level1", "torch_text_level0"),
              ("torch_text_level1", "test_ranks"), ("msprof_db", "torch_text_level1"), ("snapshot", "snapshot_expandable"),
              ("mindspore_legacy_profiler", "mindspore_legacy_run"), ("raw_torch", "raw_torch_expected"), ("raw_pair_c10", "raw_pair_c01")]
