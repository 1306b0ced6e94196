"""The keys of every JSON file that the profilers and analyses of torch_npu, MindSpore and CANN write, once, from their own
public sources, named beside each. `test_keys.py` holds what we generate, read and write against them. Headings of tables:
`deliverable_headers.py`."""

from deliverable_headers import CANN, MINDSPORE, TORCH

# What stands between dots is a key; * is any key: a step, a collective, a transport, a group.
# github.com/Ascend/pytorch, torch_npu/profiler (2026): profiler_interface.py, experimental_config.py, scheduler.py.
SCHEDULE = "wait active warmup repeat skip_first"
TORCH_INFO = (
    *(f"config.common_config.{key}" for key in "activities record_shapes profile_memory with_stack with_flops with_modules".split()),
    *(f"config.common_config.schedule.{key}" for key in (SCHEDULE + " skip_first_wait").split()),
    *(f"config.experimental_config.{key}" for key in
      "_profiler_level _aic_metrics _l2_cache _msprof_tx _mstx _data_simplification record_op_args _export_type _host_sys "
      "_op_attr _gc_detect_threshold _mstx_domain_include _mstx_domain_exclude _sys_io _sys_interconnection".split()),
    *(f"start_info.{key}" for key in "syscnt_enable freq start_cnt start_monotonic".split()),
    "end_info.collectionTimeEnd", "end_info.MonotonicTimeEnd", "torch_npu_version", "cann_version", "rank_id")
# github.com/mindspore-ai/mindspore_test, mindspore/python/mindspore/profiler (2.4 to 2.7): common/profiler_info.py,
# common/profiler_parameters.py, platform/npu_profiler.py.
MINDSPORE_INFO = (
    *(f"profiler_parameters.{key}" for key in
      "is_set_schedule output_path profiler_level activities aic_metrics with_stack profile_memory data_process "
      "parallel_strategy start_profile l2_cache hbm_ddr pcie sync_enable data_simplification export_type mstx "
      "record_shapes".split()),
    *(f"profiler_parameters.schedule.{key}" for key in SCHEDULE.split()),
    "ms_profiler_info.context_mode", "ms_profiler_info.rank_id", "ms_profiler_info.device_id", "cann_profiler_info",
    "analysis_cost_time", "ms_version", "cann_version", "jit_level")
# profiler_interface.py, _utils.py; common/profiler_meta_data.py.
GROUPS = tuple(f"parallel_group_info.*.{key}" for key in ("group_name", "group_rank", "global_ranks"))

TIMES = ("Start Timestamp(us)", "Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)", "Synchronization Time(ms)",
         "Idle Time(ms)", "Wait Time Ratio", "Synchronization Time Ratio")
TRAFFIC = ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)", "Large Packet Ratio", "Size Distribution")
TOTAL_TRAFFIC = ("Transit Size(MB)", "Transit Time(ms)", "Size Distribution")
LINK = ("Transport Type", "Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")
TIME_INFO, TRAFFIC_INFO = "Communication Time Info", "Communication Bandwidth Info"

# {file: {analysis: (source, keys of a collective or link, keys of sums)}}
COMMUNICATION = {
    TORCH: "prof_view/_communication_parser.py", MINDSPORE: "analysis/viewer/ascend_communication_viewer.py",
    CANN: "analysis/csrc/application/ and analyzer/communication"}
# The operator of a link, which each framework spells in its way; CANN's own file names it in the key.
LINK_NAME = {TORCH: "Op Name", MINDSPORE: "op_name", CANN: None}
# Words of entries of a matrix. torch_npu leaves out the last two where a link has fewer entries.
SELECTIONS = ("top1", "middle", "bottom1", "bottom2", "bottom3", "total")

# Events of trace_view.json and msprof.json by their phase: keys that each has, and keys that some have.
# prof_common_func/_trace_event_manager.py; timeline_event/base_event.py; CANN's analysis/csrc/.../trace events.
EVENTS = {"X": ("ph name pid tid ts dur", "args cat cname"), "M": ("ph name pid args", "tid"),
          "s": ("ph name id pid tid ts cat", "bp"), "f": ("ph name id pid tid ts cat", "bp"),
          "C": ("ph name pid ts args", "tid"), "i": ("ph name pid tid ts", "args s")}

# step_trace_*.json of CANN, and the same events in msprof_*.json: keys of `args` by phase and category; # is the number of a
# collective. viewer/training/step_trace_viewer.py.
STEP_TRACE = {
    ("X", "Iteration Time"): ("Iteration ID", "FP Start", "BP End", "Iteration End", "Iteration Time(us)"),
    ("X", "FP_BP Time"): ("Iteration ID", "FP Start", "BP End", "FP_BP Time(us)"),
    ("X", "Iteration Refresh"): ("Iteration ID", "BP End", "Iteration End", "Iteration Refresh(us)"),
    ("X", "GetNext Time"): ("GetNext Start", "GetNext End", "GetNext Time(us)"),
    ("X", "Reduce"): ("Iteration ID", "Reduce Start #", "Reduce End #"),
    ("t", "Data_aug Bound"): ("Iteration ID",), ("s", "Data_aug Bound"): ("Data_aug Bound(us)",)}

# Files of a cluster analysis: github.com/Ascend/msprof-analyze, msprof_analyze/cluster_analyse/communication_group
# (base_communication_group.py, communication_json_group.py). Collectives by group, step and rank; links by group and step.
CLUSTER_GROUPS = ("p2p", "collective", "comm_group_parallel_info")
# Sums of a group are "Total Op Info@GROUP": analysis/communication_analysis.py.
CLUSTER_TOTAL_TRAFFIC = (*TOTAL_TRAFFIC, "Bandwidth(GB/s)")
CLUSTER_GROUP = ("type", "rank_set", "group_name", "group_id", "pg_name")

# minddata_pipeline_summary_{rank}.json: analysis/parser/ms_minddata_parser.py, analysis/viewer/ms_minddata_viewer.py.
PIPELINE_SUMMARY = tuple(
    "op_ids op_names pipeline_ops num_workers queue_average_size queue_utilization_pct queue_empty_freq_pct children_ids "
    "parent_id avg_cpu_pct per_pipeline_time per_push_queue_time per_batch_time avg_cpu_pct_per_worker "
    "cpu_analysis_details queue_analysis_details bottleneck_warning bottleneck_suggestion".split())

# Keys that generated files lack, and why.
NOT_GENERATED = {
    # They are those of versions before these keys, as the real captures are that the tests have.
    **dict.fromkeys(("_mstx", "_host_sys", "_sys_io", "_sys_interconnection", "_mstx_domain_include",
                     "_mstx_domain_exclude", "skip_first_wait", "torch_npu_version", "cann_version", "jit_level"),
                    "newer versions"),
    # Sentences about a pipeline that has no bottleneck.
    **dict.fromkeys(("avg_cpu_pct_per_worker", "cpu_analysis_details", "queue_analysis_details", "bottleneck_warning",
                     "bottleneck_suggestion"), "only where there is something to say"),
}
