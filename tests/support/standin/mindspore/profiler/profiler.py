"""`analyse` as MindSpore has it: for the folder above results."""

import os

from results import Writer  # of the stand-in job


def analyse(profiler_path, max_process_number=None):
    assert isinstance(max_process_number, int) and max_process_number >= 1
    for name in os.listdir(profiler_path):
        if name.endswith("_ascend_ms"):
            Writer(os.environ["ALTI_SAMPLES"]).analyse(os.path.join(profiler_path, name))
