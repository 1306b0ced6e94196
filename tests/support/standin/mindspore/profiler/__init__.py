"""MindSpore's profilers as their guides describe them, for programs of one rank: `profile` of 2.4 and later, `Profiler` of 2.3. Arguments
of wrong types or names are errors here, where MindSpore warns and takes others. ALTI_SAMPLES is the folder that results are made of."""

import enum
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
from results import Writer  # noqa: E402  of the stand-in job

ProfilerLevel = enum.Enum("ProfilerLevel", "LevelNone Level0 Level1 Level2")
ProfilerActivity = enum.Enum("ProfilerActivity", "CPU NPU GPU")
ExportType = enum.Enum("ExportType", "Text Db")
HostSystem = enum.Enum("HostSystem", "CPU MEM DISK NETWORK OSRT")
AicoreMetrics = enum.Enum("AicoreMetrics", "AiCoreNone PipeUtilization ArithmeticUtilization Memory MemoryL0 MemoryUB "
                                           "ResourceConflictRatio L2Cache MemoryAccess")


def _are(values, kind):
    assert isinstance(values, list) and values and all(isinstance(value, kind) for value in values), values


def _flags(**values):
    for name, value in values.items():
        assert isinstance(value, bool), (name, value)


class _ExperimentalConfig:
    def __init__(self, profiler_level=ProfilerLevel.Level0, aic_metrics=AicoreMetrics.AiCoreNone, l2_cache=False, mstx=False,
                 data_simplification=True, export_type=None, mstx_domain_include=None, mstx_domain_exclude=None, sys_io=False,
                 sys_interconnection=False, host_sys=None):
        assert isinstance(profiler_level, ProfilerLevel) and isinstance(aic_metrics, AicoreMetrics)
        _are(export_type, ExportType)
        _flags(l2_cache=l2_cache, mstx=mstx, data_simplification=data_simplification, sys_io=sys_io,
               sys_interconnection=sys_interconnection)
        if host_sys is not None:
            _are(host_sys, HostSystem)
        for domains in (mstx_domain_include, mstx_domain_exclude):
            if domains is not None:
                _are(domains, str)


def schedule(*, wait, active, warmup=0, repeat=0, skip_first=0):
    """A function of the step's number: whether it is recorded, and whether it is the last one of its round."""
    assert min(wait, warmup, repeat, skip_first) >= 0 and active >= 1
    length = wait + warmup + active

    def state(step):
        step -= skip_first
        if step < 0 or (repeat and step >= repeat * length):
            return False, False
        return step % length >= wait + warmup, step % length == length - 1
    return state


def tensorboard_trace_handler(dir_name=None, worker_name=None, analyse_flag=True, async_mode=False):
    assert isinstance(dir_name, str) and (worker_name is None or isinstance(worker_name, str))
    _flags(analyse_flag=analyse_flag, async_mode=async_mode)
    return lambda writer: writer.mindspore(os.path.join(os.getcwd(), dir_name), 0, analyse_flag)


class profile:  # noqa: N801  MindSpore's name
    def __init__(self, activities=None, with_stack=False, profile_memory=False, data_process=False, parallel_strategy=False, hbm_ddr=False,
                 pcie=False, record_shapes=False, start_profile=True, schedule=None, on_trace_ready=None, experimental_config=None):
        _are(activities, ProfilerActivity)
        _flags(with_stack=with_stack, profile_memory=profile_memory, data_process=data_process, parallel_strategy=parallel_strategy,
               hbm_ddr=hbm_ddr, pcie=pcie, record_shapes=record_shapes, start_profile=start_profile)
        assert isinstance(experimental_config, _ExperimentalConfig)
        self.schedule, self.on_trace_ready, self.number = schedule, on_trace_ready, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def step(self):
        records, ends = self.schedule(self.number)
        if records:
            print(f"recording step {self.number}", flush=True)
        if ends:
            self.on_trace_ready(Writer(os.environ["ALTI_SAMPLES"]))
        self.number += 1


class Profiler:
    """Of 2.3: all steps are recorded, into a folder of its own below output_path."""

    def __init__(self, output_path="./data", profiler_level=None, op_time=True, profile_communication=False, profile_memory=False,
                 parallel_strategy=True, start_profile=True, aicore_metrics=0, l2_cache=False, hbm_ddr=False, pcie=False, data_process=True,
                 timeline_limit=500, profile_framework="all", data_simplification=True, host_stack=True):
        assert profiler_level is None or isinstance(profiler_level, ProfilerLevel)
        assert -1 <= aicore_metrics <= 6 and timeline_limit > 0 and profile_framework in ("all", "time", "memory", None)
        _flags(op_time=op_time, profile_communication=profile_communication, profile_memory=profile_memory,
               parallel_strategy=parallel_strategy, start_profile=start_profile, l2_cache=l2_cache, hbm_ddr=hbm_ddr, pcie=pcie,
               data_process=data_process, data_simplification=data_simplification, host_stack=host_stack)
        self.folder = os.path.join(os.getcwd(), output_path, "profiler")

    def analyse(self):
        Writer(os.environ["ALTI_SAMPLES"]).msprof(self.folder)
