#include "core/import/legacy_mindspore.h"

#include "core/base/parse.h"
#include "core/import/file_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace altiscope::reader {

namespace {

struct LegacyName {
    std::string_view begin, end;  ///< The id stands between them.
    bool isTelling = true;        ///< Only such folders have it.
};

constexpr LegacyName kLegacyNames[] = {
    {"step_trace_raw_", "_detail_time.csv"},
    {"hccl_raw_", ".csv"},
    {"aicore_intermediate_", "_detail.csv"},
    {"aicore_intermediate_", "_type.csv"},
    {"aicpu_intermediate_", ".csv"},
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
    {"profiler_info_", ".json", false},
};

std::optional<std::int64_t> legacyId(std::string_view name, bool& isTelling) {
    if (const auto id = rankInLegacyTimelineName(name)) {
        isTelling = true;
        return id;
    }
    for (const LegacyName& known : kLegacyNames) {
        if (name.size() <= known.begin.size() + known.end.size() || !name.starts_with(known.begin) || !name.ends_with(known.end)) continue;
        const auto id = wholeNumber(name.substr(known.begin.size(), name.size() - known.begin.size() - known.end.size()));
        if (!id || *id < 0) continue;
        isTelling = isTelling || known.isTelling;
        return id;
    }
    return std::nullopt;
}

}  // namespace

std::vector<LegacyRank> legacyRanks(const ListedFolder& folder) {
    if (folder.file("trace_view.json") != nullptr || folder.file("kernel_details.csv") != nullptr) return {};
    std::map<std::int64_t, LegacyRank> ranks;
    std::vector<ListedFile> shared;
    bool isTelling = false;
    for (const ListedFile& file : folder.files) {
        if (const auto id = legacyId(file.name, isTelling)) ranks[*id].own.push_back(file);
        else shared.push_back(file);
    }
    std::vector<LegacyRank> found;
    for (auto& [id, rank] : ranks) {
        if (!isTelling) break;
        rank.id = id;
        rank.folder = {folder.path, folder.name, folder.relative, {}, {}};
        std::merge(rank.own.begin(), rank.own.end(), shared.begin(), shared.end(), std::back_inserter(rank.folder.files),
                   [](const ListedFile& a, const ListedFile& b) { return a.name < b.name; });
        found.push_back(std::move(rank));
    }
    return found;
}

}  // namespace altiscope::reader
