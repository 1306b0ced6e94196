"""`analyse` as torch_npu has it: it never raises. ALTI_ANALYSIS: "bad" prints errors and marks the result as analysed, "empty" does
nothing at all; the status of the program is 0 all the same."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
from results import OUTPUT, Writer  # noqa: E402  of the stand-in job


def analyse(profiler_path, max_process_number=None, export_type=None):
    assert isinstance(max_process_number, int) and max_process_number >= 1 and set(export_type) <= {"text", "db"}
    fault = os.environ.get("ALTI_ANALYSIS", "")
    if fault == "bad":
        print("[ERROR] Failed to parse")
        os.makedirs(os.path.join(profiler_path, OUTPUT), exist_ok=True)
        with open(os.path.join(profiler_path, OUTPUT, "analyse.done"), "w", encoding="utf-8"):
            pass
    elif fault != "empty":
        Writer(os.environ["ALTI_SAMPLES"]).analyse(profiler_path)
