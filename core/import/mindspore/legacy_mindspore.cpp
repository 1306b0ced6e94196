#include "core/import/mindspore/legacy_mindspore.h"

#include "core/base/values/parse.h"
#include "core/import/files/file_names.h"
#include "core/import/files/timeline_files.h"
#include "core/import/mindspore/parallel_strategy.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

struct LegacyName {
    std::string_view begin, end;  ///< The id stands between them.
    bool isDistinctive = true;    ///< Only such folders have it.
};

/// Parts of the names of small JSON files with facts about the run: "ascend_timeline_summary_0.json",
/// "step_trace_point_info.json".
constexpr std::string_view kPipelineSummary = "minddata_pipeline_summary";
constexpr std::string_view kFacts[] = {"flops_summary", "timeline_summary", "step_trace_point_info", kPipelineSummary};

constexpr std::string_view kStrategy = "parallel_strategy_";

constexpr std::string_view kClusterAnalysis = "ascend_cluster_analyse_", kCsv = ".csv";

constexpr LegacyName kLegacyNames[] = {
    {"step_trace_raw_", "_detail_time.csv"},
    {"hccl_raw_", ".csv"},
    {"aicore_intermediate_", "_detail.csv"},
    {"aicore_intermediate_", "_type.csv"},
    {"aicpu_intermediate_", ".csv"},
    {"output_data_preprocess_aicpu_", ".txt"},
    {"framework_raw_", ".csv"},
    {"output_timeline_data_", ".txt"},
    {"timeline_summary_", ".json"},
    {"ascend_timeline_summary_", ".json"},
    {"gpu_timeline_summary_", ".json"},
    {"cpu_timeline_summary_", ".json"},
    {"step_trace_point_info_", ".json"},
    {"flops_", ".txt"},
    {"min_cycle_counter_", ".txt"},
    {"pipeline_profiling_", ".json"},
    {"minddata_pipeline_raw_", ".csv"},
    {"minddata_pipeline_summary_", ".csv"},
    {"minddata_pipeline_summary_", ".json"},
    {"dataset_iterator_profiling_", ".txt"},
    {"device_queue_profiling_", ".txt"},
    {"minddata_aicpu_", ".txt"},
    {"minddata_cpu_utilization_", ".json"},
    {"flops_summary_", ".json"},
    {"flops_scope_", ".json"},
    {"dynamic_shape_info_", ".json"},
    {"parallel_strategy_", ".json"},
    {"output_op_compute_time_", ".txt"},
    {"output_op_compute_time_detail_", ".txt"},
    {"cpu_ms_memory_record_", ".txt"},
    {"gpu_op_detail_info_", ".csv"},
    {"gpu_op_type_info_", ".csv"},
    {"gpu_activity_data_", ".csv"},
    {"cpu_op_detail_info_", ".csv"},
    {"cpu_op_type_info_", ".csv"},
    {"cpu_op_execute_timestamp_", ".txt"},
    {"step_trace_profiling_", ".txt"},
    {"profiler_info_", ".json", false},
};

std::optional<std::int64_t> legacyId(std::string_view name, bool& isDistinctive) {
    if (const auto id = rankInLegacyTimelineName(unpackedName(name))) {
        isDistinctive = true;
        return id;
    }
    // ascend_cluster_analyse_{mode}_{stages}_{ranks}_{rank}.csv
    if (name.starts_with(kClusterAnalysis) && name.ends_with(kCsv)) {
        const std::size_t before = name.rfind('_');
        const auto id = wholeNumber(name.substr(before + 1, name.size() - before - 1 - kCsv.size()));
        if (id && *id >= 0) {
            isDistinctive = true;
            return id;
        }
    }
    for (const LegacyName& known : kLegacyNames) {
        if (name.size() <= known.begin.size() + known.end.size() || !name.starts_with(known.begin) ||
            !name.ends_with(known.end))
            continue;
        const auto id =
            wholeNumber(name.substr(known.begin.size(), name.size() - known.begin.size() - known.end.size()));
        if (!id || *id < 0) continue;
        isDistinctive = isDistinctive || known.isDistinctive;
        return id;
    }
    return std::nullopt;
}

}  // namespace

std::string_view legacyKind(std::string_view name) {
    for (const LegacyName& known : kLegacyNames) {
        if (known.isDistinctive && name.starts_with(known.begin) && name.ends_with(known.end))
            return known.begin.substr(0, known.begin.size() - 1);
    }
    return name.starts_with(kClusterAnalysis) ? kClusterAnalysis.substr(0, kClusterAnalysis.size() - 1)
                                              : std::string_view();
}

bool isLegacyFact(std::string_view name) {
    if (!name.ends_with(".json")) return false;
    return name.starts_with(kStrategy) ||
           std::any_of(std::begin(kFacts), std::end(kFacts),
                       [name](std::string_view fact) { return name.find(fact) != std::string_view::npos; });
}

void addLegacyFacts(const ListedFolder& folder, Metadata& metadata, Diagnostics& diagnostics,
                    const CancelToken& cancel) {
    for (const ListedFile& file : folder.files) {
        if (cancel.cancelled()) return;
        if (file.name.starts_with(kStrategy) && isLegacyFact(file.name))
            addParallelStrategy(folder.path / file.name, folder.relativeTo(file.name), metadata, diagnostics, cancel);
        for (const std::string_view fact : kFacts) {
            if (!isLegacyFact(file.name) || file.name.find(fact) == std::string::npos) continue;
            // The reader of the table says what is wrong with this one.
            Diagnostics saidElsewhere;
            Diagnostics& problems = fact == kPipelineSummary ? saidElsewhere : diagnostics;
            for (auto& [key, value] : readMetadata(folder.path / file.name, folder.relativeTo(file.name), problems))
                metadata.emplace_back(std::string(fact) + '.' + key, std::move(value));
        }
    }
}

std::vector<LegacyRank> legacyRanks(const ListedFolder& folder, Diagnostics& diagnostics) {
    // Each rank reads the files of no rank again: as many as any folder of a run, but not 10^5 ranks times 10^5 files.
    static constexpr std::size_t kMaxShared = 1'000'000;
    if (plainOrPacked(folder, "trace_view.json") != nullptr || folder.file("kernel_details.csv") != nullptr) return {};
    std::map<std::int64_t, std::vector<const ListedFile*>> ranks;
    std::vector<const ListedFile*> shared;
    bool isDistinctive = false;
    for (const ListedFile& file : folder.files) {
        const auto id = legacyId(file.name, isDistinctive);
        (id ? ranks[*id] : shared).push_back(&file);
    }
    if (!isDistinctive) return {};
    if (ranks.size() * shared.size() > kMaxShared) {
        diagnostics.add("scan.shared_limit", Severity::Lost, folder.relative, {},
                        {{"ranks", std::to_string(ranks.size())}}, shared.size());
        shared.clear();
    }
    std::vector<LegacyRank> found;
    for (const auto& [id, files] : ranks) {
        LegacyRank rank{id, {folder.path, folder.name, folder.relative, {}, {}}, {}};
        std::vector<const ListedFile*> all;
        std::merge(files.begin(), files.end(), shared.begin(), shared.end(), std::back_inserter(all),
                   [](const ListedFile* a, const ListedFile* b) { return a->name < b->name; });
        for (const ListedFile* file : files) rank.own.push_back(*file);
        for (const ListedFile* file : all) rank.folder.files.push_back(*file);
        found.push_back(std::move(rank));
    }
    return found;
}

}  // namespace altiscope::reader
