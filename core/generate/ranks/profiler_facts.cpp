#include "core/generate/ranks/profiler_facts.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace altiscope::generate {

namespace {

using InfoJson = nlohmann::ordered_json;

/// Newer versions write a list; one type alone is still a text in the files that this follows.
InfoJson exportTypeJson(std::string_view exportTypes, bool isList) {
    const std::size_t comma = exportTypes.find(',');
    if (comma != std::string_view::npos) return {exportTypes.substr(0, comma), exportTypes.substr(comma + 1)};
    return isList ? InfoJson::array({exportTypes}) : InfoJson(exportTypes);
}

InfoJson scheduleJson(const Run& run, std::uint32_t rank) {
    const RankIdentity& identity = run.plan.identities[rank];
    return {{"wait", 0},
            {"active", run.plan.steps},
            {"warmup", 1 + identity.warmupSteps},
            {"repeat", 1},
            {"skip_first", run.plan.firstStep - 1 - identity.warmupSteps}};
}

/// That of MindSpore: its parameters under their own names.
std::string mindsporeInfoJson(const Run& run, std::uint32_t rank, std::string_view exportTypes) {
    InfoJson info;
    info["profiler_parameters"] = {{"is_set_schedule", true},
                                   {"output_path", "./data"},
                                   {"profiler_level", "Level1"},
                                   {"activities", {"CPU", "NPU"}},
                                   {"aic_metrics", "PipeUtilization"},
                                   {"with_stack", true},
                                   {"profile_memory", true},
                                   {"data_process", true},
                                   {"parallel_strategy", false},
                                   {"start_profile", true},
                                   {"l2_cache", false},
                                   {"hbm_ddr", false},
                                   {"pcie", false},
                                   {"sync_enable", true},
                                   {"data_simplification", true},
                                   {"export_type", exportTypeJson(exportTypes, true)},
                                   {"mstx", false},
                                   {"schedule", scheduleJson(run, rank)},
                                   {"record_shapes", true}};
    info["ms_profiler_info"] = {{"context_mode", 1}, {"rank_id", rank}, {"device_id", rank % kDevicesPerHost}};
    info["cann_profiler_info"] = InfoJson::object();
    info["analysis_cost_time"] = InfoJson::object();
    info["ms_version"] = "2.6.0";
    return dumpJson(info, 4);
}

}  // namespace

std::string rankFolder(std::uint32_t rank, Framework framework) {
    return "rank" + std::to_string(rank) + (framework == Framework::Torch ? "_ascend_pt" : "_ascend_ms");
}

ProfilerStart profilerStart(const Run& run, std::uint32_t rank) {
    const std::int64_t monotonic = run.plan.startOf(rank).value - kBootNs;
    return {monotonic, static_cast<std::uint64_t>(monotonic / 10 + 4'112'345)};
}

std::string hostUid(std::uint32_t rank) { return std::to_string(3'538'958'389'648'580'163 + rank / kDevicesPerHost); }
std::string hostName(std::uint32_t rank) { return "node" + std::to_string(rank / kDevicesPerHost); }

std::string profilerInfoJson(const Run& run, std::uint32_t rank, std::string_view exportTypes, Framework framework) {
    if (framework == Framework::MindSpore) return mindsporeInfoJson(run, rank, exportTypes);
    const ProfilerStart start = profilerStart(run, rank);
    const TimeNs end = run.schedule.end(rank) + kLeadOut;
    const RankIdentity& identity = run.plan.identities[rank];
    InfoJson info;
    InfoJson& common = info["config"]["common_config"];
    common["activities"] = {"ProfilerActivity.CPU", "ProfilerActivity.NPU"};
    common["schedule"] = scheduleJson(run, rank);
    common["record_shapes"] = true;
    common["profile_memory"] = true;
    common["with_stack"] = true;
    common["with_flops"] = false;
    common["with_modules"] = true;
    InfoJson& experimental = info["config"]["experimental_config"];
    experimental["_profiler_level"] = "Level1";
    experimental["_aic_metrics"] = "ACL_AICORE_PIPE_UTILIZATION";
    experimental["_l2_cache"] = false;
    experimental["_msprof_tx"] = false;
    experimental["_data_simplification"] = true;
    experimental["record_op_args"] = false;
    experimental["_export_type"] = exportTypeJson(exportTypes, false);
    experimental["_op_attr"] = false;
    // In ms; recording garbage collection is off unless there is one.
    experimental["_gc_detect_threshold"] = nullptr;
    if (identity.recordsGarbageCollection) experimental["_gc_detect_threshold"] = 0.0;
    info["start_info"] = {
        {"syscnt_enable", true}, {"freq", 100}, {"start_cnt", start.count}, {"start_monotonic", start.monotonic}};
    info["end_info"] = {{"collectionTimeEnd", end.value}, {"MonotonicTimeEnd", end.value - kBootNs}};
    info["rank_id"] = rank;
    return dumpJson(info, 4);
}

std::string profilerMetadataJson(const Run& run, std::uint32_t rank, Framework framework) {
    InfoJson metadata;
    metadata["distributed_args"] = {{"tensor_model_parallel_size", run.plan.model.tensorParallel},
                                    {"pipeline_model_parallel_size", run.plan.model.pipelineParallel},
                                    {"data_parallel_size", run.plan.model.dataParallel},
                                    {"context_parallel_size", 1},
                                    {"expert_model_parallel_size", run.plan.model.expertParallel},
                                    {"sequence_parallel", false},
                                    {"rank", rank},
                                    {"world_size", run.plan.ranks}};
    // Variables and an id are of torch_npu alone.
    const bool isTorch = framework == Framework::Torch;
    InfoJson environment;
    for (const char* name :
         {"ASCEND_GLOBAL_LOG_LEVEL", "HCCL_RDMA_TC", "HCCL_RDMA_SL", "ACLNN_CACHE_LIMIT", "HOST_CACHE_CAPACITY",
          "ASCEND_ENHANCE_ENABLE", "PYTORCH_NPU_ALLOC_CONF", "ASCEND_LAUNCH_BLOCKING"}) {
        environment[name] = "";
    }
    if (isTorch) metadata["ENV_VARIABLES"] = std::move(environment);
    InfoJson groups = InfoJson::object();
    for (const auto& place : run.plan.identities[rank].memberships) {
        if (!place) continue;
        const PlannedGroup& group = run.plan.groups[place->group];
        groups[group.name] = {
            {"group_name", group.parallelType}, {"group_rank", place->localRank}, {"global_ranks", group.members}};
    }
    metadata["parallel_group_info"] = groups;
    if (isTorch) metadata["trace_id"] = "";
    return dumpJson(metadata, 4);
}

}  // namespace altiscope::generate
