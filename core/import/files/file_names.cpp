#include "core/import/files/file_names.h"

#include "core/base/values/digits.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace altiscope::reader {

namespace {

std::optional<std::int64_t> number(std::string_view digits) {
    std::int64_t value = 0;
    if (!isDigits(digits)) return std::nullopt;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

/// The text between a beginning and an end; nullopt if it lacks one of them.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end) {
    if (text.size() < begin.size() + end.size() || !text.starts_with(begin) || !text.ends_with(end))
        return std::nullopt;
    return text.substr(begin.size(), text.size() - begin.size() - end.size());
}

std::string_view leadingDigits(std::string_view text) {
    const std::size_t end = text.find_first_not_of("0123456789");
    return text.substr(0, end);
}

/// ^PROF_\d+_\d+_[0-9a-zA-Z]+
bool isRawCann(std::string_view name) {
    if (!name.starts_with("PROF_")) return false;
    name.remove_prefix(5);
    for (int part = 0; part < 2; ++part) {
        const std::string_view digits = leadingDigits(name);
        if (digits.empty() || name.size() == digits.size() || name[digits.size()] != '_') return false;
        name.remove_prefix(digits.size() + 1);
    }
    return !name.empty() && isAlnum(name.front());
}

/// A CSV deliverable: "NAME.csv", "NAME_{stamp}.csv", "NAME_slice_{n}_{stamp}.csv".
bool isCsv(std::string_view file, std::string_view name) {
    const auto rest = between(file, name, ".csv");
    return rest && (rest->empty() || rest->find_first_not_of("_slice0123456789") == std::string_view::npos);
}

/// Names of CSV files without their numbers, and the data they hold.
struct KnownCsv {
    std::string_view csv, content;
};
constexpr KnownCsv kKnownCsv[] = {
    {"kernel_details", "kernels"},
    {"op_summary", "kernels"},
    {"operator_details", "operators"},
    {"op_statistic", "op_stats"},
    {"api_statistic", "api_stats"},
    {"step_trace_time", "steps"},
    {"memory_record", "memory"},
    {"operator_memory", "memory"},
    {"npu_module_mem", "module_memory"},
    {"ge_memory_record", "memory"},
    {"ge_operator_memory", "memory"},
    {"npu_mem", "process_memory"},
    {"static_op_mem", "static_memory"},
    {"task_time", "tasks"},
    {"communication_statistic", "communication_stats"},
    {"fusion_op", "fusion"},
    {"soc_pmu", "soc_pmu"},
    {"page_fault", "page_faults"},
    {"msprof_tx", "marks"},
    {"aicpu", "ai_cpu"},
    {"data_preprocess", "ai_cpu"},
    {"aicpu_mi", "ai_cpu"},
    {"dp", "ai_cpu"},
    {"ccu_mission", "ccu"},
    {"ccu_channel", "ccu"},
    {"step_trace", "step_trace"},
    {"hbm", "memory_bandwidth"},
    {"ddr", "memory_bandwidth"},
    {"llc_read_write", "llc"},
    {"ub", "ub"},
    {"ai_core_utilization", "core_utilization"},
    {"ai_vector_core_utilization", "core_utilization"},
    {"dvpp", "dvpp"},
    {"cpu_usage", "system_load"},
    {"process_cpu_usage", "system_load"},
    {"sys_mem", "system_load"},
    {"process_mem", "system_load"},
    {"host_cpu_usage", "host_system"},
    {"host_mem_usage", "host_system"},
    {"host_disk_usage", "host_system"},
    {"host_network_usage", "host_system"},
    {"os_runtime_statistic", "host_system"},
    {"l2_cache", "l2_cache"},
    {"nic", "io"},
    {"roce", "io"},
    {"pcie", "interconnection"},
    {"hccs", "interconnection"},
    {"dataset", "data_pipeline"},
    {"minddata_pipeline_raw", "data_pipeline"},
    {"minddata_pipeline_summary", "data_pipeline"},
};

struct LegacyContent {
    std::string_view begin, end, content;
    bool isLastNumber = false;  ///< Other words stand before the number.
};

/// Files of MindSpore up to 2.3 that are read; a number stands between begin and end.
constexpr LegacyContent kLegacyContents[] = {
    {"output_timeline_data_", ".txt", "kernels"},
    {"aicpu_intermediate_", ".csv", "kernels"},
    {"output_data_preprocess_aicpu_", ".txt", "kernels"},
    {"flops_", ".txt", "flops"},
    {"framework_raw_", ".csv", "operator_facts"},
    {"aicore_intermediate_", "_detail.csv", "operator_facts"},
    {"min_cycle_counter_", ".txt", "clock"},
    {"aicore_intermediate_", "_type.csv", "op_stats"},
    {"hccl_raw_", ".csv", "communication"},
    {"step_trace_raw_", "_detail_time.csv", "steps"},
    {"minddata_pipeline_summary_", ".json", "data_pipeline"},
    {"pipeline_profiling_", ".json", "data_pipeline"},
    {"dataset_iterator_profiling_", ".txt", "data_pipeline"},
    {"device_queue_profiling_", ".txt", "data_pipeline"},
    {"minddata_aicpu_", ".txt", "data_pipeline"},
    {"dynamic_shape_info_", ".json", "operators"},
    {"ascend_cluster_analyse_", ".csv", "step_trace", true},
};

}  // namespace

FolderKind folderKind(std::string_view name) {
    if (name == "ASCEND_PROFILER_OUTPUT") return FolderKind::FrameworkOutput;
    if (name == "mindstudio_profiler_output") return FolderKind::CannOutput;
    if (name.ends_with("_ascend_pt")) return FolderKind::TorchRank;
    if (name.ends_with("_ascend_ms")) return FolderKind::MindSporeRank;
    if (name.ends_with("cluster_analysis_output")) return FolderKind::ClusterOutput;
    return isRawCann(name) ? FolderKind::RawCann : FolderKind::Other;
}

std::optional<CannTimelineName> cannTimelineName(std::string_view name) {
    auto rest = between(name, "msprof_", ".json");
    if (!rest) return std::nullopt;
    CannTimelineName parts;
    if (rest->starts_with("slice_")) {
        rest->remove_prefix(6);
        const std::string_view digits = leadingDigits(*rest);
        parts.slice = number(digits);
        if (!parts.slice || rest->size() <= digits.size() + 1) return std::nullopt;
        rest->remove_prefix(digits.size() + 1);
    }
    if (rest->empty() || rest->find_first_not_of("_0123456789") != std::string_view::npos) return std::nullopt;
    parts.numbers = std::string(*rest);
    return parts;
}

std::optional<std::int64_t> rankInLegacyTimelineName(std::string_view name) {
    for (const std::string_view prefix :
         {"timeline_display_", "ascend_timeline_display_", "gpu_timeline_display_", "cpu_timeline_display_"}) {
        if (const auto digits = between(name, prefix, ".json")) return number(*digits);
    }
    return std::nullopt;
}

bool isPackedJson(std::string_view name) { return name.ends_with(".json.gz"); }

std::string_view unpackedName(std::string_view name) {
    return isPackedJson(name) ? name.substr(0, name.size() - std::string_view(".gz").size()) : name;
}

std::string_view fileContent(std::string_view name) {
    const std::string_view plain = unpackedName(name);
    if (plain == "trace_view.json" || cannTimelineName(plain) || rankInLegacyTimelineName(plain)) return "timeline";
    if (between(name, "msmonitor_", ".jsonl")) return "timeline";
    if (plain == "communication.json" || plain == "communication_matrix.json") return "communication";
    if (name == "analysis.db" || name == "communication_analyzer.db") return "communication";
    for (const std::string_view prefix :
         {"ascend_pytorch_profiler", "ascend_mindspore_profiler", "msprof_", "msmonitor_"}) {
        if (between(name, prefix, ".db")) return "database";
    }
    for (const KnownCsv& known : kKnownCsv) {
        if (isCsv(name, known.csv)) return known.content;
    }
    for (const LegacyContent& known : kLegacyContents) {
        const auto id = between(name, known.begin, known.end);
        // npos + 1 is 0.
        if (id && isDigits(known.isLastNumber ? id->substr(id->rfind('_') + 1) : *id)) return known.content;
    }
    return {};
}

bool isDataFileName(std::string_view name) {
    static constexpr std::string_view kEndings[] = {".json",   ".csv",        ".txt", ".db",    ".db-wal",
                                                    ".db-shm", ".db-journal", ".pkl", ".pickle"};
    const bool endsAsData = std::any_of(std::begin(kEndings), std::end(kEndings),
                                        [name](std::string_view ending) { return name.ends_with(ending); });
    // Other endings are common among logs and data sets; there the whole name decides.
    return endsAsData || !fileContent(name).empty();
}

bool isDeliverable(std::string_view content) {
    static constexpr std::string_view kOthers[] = {"communication_stats",
                                                   "fusion",
                                                   "soc_pmu",
                                                   "page_faults",
                                                   "marks",
                                                   "ai_cpu",
                                                   "ccu",
                                                   "step_trace",
                                                   "memory_bandwidth",
                                                   "llc",
                                                   "ub",
                                                   "core_utilization",
                                                   "dvpp",
                                                   "system_load",
                                                   "host_system",
                                                   "process_memory",
                                                   "flops",
                                                   "operator_facts",
                                                   "clock"};
    return !content.empty() && std::find(std::begin(kOthers), std::end(kOthers), content) == std::end(kOthers);
}

std::optional<std::int64_t> rankInInfoName(std::string_view name) {
    const auto digits = between(name, "profiler_info_", ".json");
    return digits ? number(*digits) : std::nullopt;
}

std::optional<std::int64_t> rankInDatabaseName(std::string_view name) {
    for (const std::string_view prefix : {"ascend_pytorch_profiler_", "ascend_mindspore_profiler_"}) {
        if (name.starts_with(prefix)) return number(leadingDigits(name.substr(prefix.size())));
    }
    // msmonitor_{pid}_{stamp}_{rank or -1}.db
    if (const auto parts = between(name, "msmonitor_", ".db");
        parts && std::count(parts->begin(), parts->end(), '_') == 2)
        return number(parts->substr(parts->rfind('_') + 1));
    return std::nullopt;
}

std::optional<std::int64_t> rankInFolderName(std::string_view name) {
    const std::size_t rank = name.find("rank");
    if (rank == std::string_view::npos || (rank > 0 && isAlnum(name[rank - 1]))) return std::nullopt;
    name.remove_prefix(rank + 4);
    if (!name.empty() && (name.front() == '_' || name.front() == '-')) name.remove_prefix(1);
    return number(leadingDigits(name));
}

std::string_view rawFolderStamp(std::string_view name) {
    if (!isRawCann(name)) return {};
    name.remove_prefix(std::string_view("PROF_").size());
    name.remove_prefix(leadingDigits(name).size() + 1);
    return leadingDigits(name);
}

std::optional<RankFolderName> rankFolderName(std::string_view name) {
    static constexpr std::size_t kSuffix = std::string_view("_ascend_pt").size();
    const FolderKind kind = folderKind(name);
    if (kind != FolderKind::TorchRank && kind != FolderKind::MindSporeRank) return std::nullopt;
    name.remove_suffix(kSuffix);
    const std::size_t beforeStamp = name.rfind('_');
    if (beforeStamp == std::string_view::npos || beforeStamp == 0) return std::nullopt;
    const std::string_view stamp = name.substr(beforeStamp + 1);
    const std::size_t beforePid = name.rfind('_', beforeStamp - 1);
    if (beforePid == std::string_view::npos || beforePid == 0) return std::nullopt;
    if (stamp.size() != 17 || !isDigits(stamp)) return std::nullopt;
    if (!isDigits(name.substr(beforePid + 1, beforeStamp - beforePid - 1))) return std::nullopt;
    return RankFolderName{name.substr(0, beforePid), stamp};
}

}  // namespace altiscope::reader
