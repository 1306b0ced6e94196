#include "core/import/ranks/table_counts.h"

#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

namespace {

/// The one file of a rank in one of the formats; null if there is none, or there are several.
const TableFile* onlyFile(const RankManifest& rank, std::initializer_list<std::string_view> formats) {
    const TableFile* found = nullptr;
    for (const TableFile& file : rank.tables) {
        if (std::find(formats.begin(), formats.end(), file.format) == formats.end()) continue;
        if (found != nullptr) return nullptr;
        found = &file;
    }
    return found;
}

/// Rows of kernels that compute. Statistics leave out those whose type is unknown.
std::uint64_t computingKernels(const RowTables& rows, const RowTable& kernels) {
    const auto word = rows.texts().find("compute"), unknown = rows.texts().find("N/A");
    std::uint64_t count = 0;
    for (std::size_t row = 0; word && row < kernels.size(); ++row) {
        const auto type = kernels.text(rowColumn(RowKind::Kernel, "type"), row);
        const bool isCounted =
            kernels.text(rowColumn(RowKind::Kernel, "kind"), row) == *word && type && type != unknown;
        count += isCounted ? 1 : 0;
    }
    return count;
}

/// What statistics count; nullopt where one of their rows states no count, or there are none.
std::optional<std::uint64_t> countOf(const RowTables& rows, RowKind kind) {
    const RowTable* const statistics = rows.find(kind);
    if (statistics == nullptr) return std::nullopt;
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < statistics->size(); ++row) {
        const auto one = statistics->integer(rowColumn(kind, "count"), row);
        static constexpr std::int64_t kMax = std::int64_t{1} << 40;  // of rows that anybody can list
        if (!one || *one < 0 || *one > kMax) return std::nullopt;
        count += static_cast<std::uint64_t>(*one);
    }
    return count;
}

/// Calls of CANN on the timeline, which are named LEVEL@CALL.
std::uint64_t callsOnTimeline(const TraceStore& trace) {
    std::uint64_t count = 0;
    for (const NameStat& one : trace.columns().nameStats) {
        const bool isCall = trace.track({one.track}).kind == TrackKind::Cann &&
                            trace.text(one.name).find('@') != std::string_view::npos;
        if (isCall) count += one.count;
    }
    return count;
}

struct Counted {
    std::string file;
    std::uint64_t count;
};

/// @param whereListHasMore  How bad it is that `list` has more than `statistics` count.
void compare(std::string_view code, const Counted& list, const Counted& statistics, Severity whereListHasMore,
             Diagnostics& diagnostics) {
    if (list.count == statistics.count) return;
    const bool isShorter = list.count < statistics.count;
    const Counted &fewer = isShorter ? list : statistics, &more = isShorter ? statistics : list;
    diagnostics.add(
        code, isShorter ? Severity::Lost : whereListHasMore, fewer.file, {},
        {{"found", std::to_string(fewer.count)}, {"other", more.file}, {"expected", std::to_string(more.count)}},
        more.count - fewer.count);
}

}  // namespace

void reportCountsThatDiffer(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    if (entry.rows == nullptr) return;
    const TableFile* const list = onlyFile(rank, {"kernel_details", "op_summary"});
    const TableFile* const statistics = onlyFile(rank, {"op_statistic"});
    const RowTable* const kernels = entry.rows->find(RowKind::Kernel);
    // A kernel that ran when the recording began is in the list alone.
    if (const auto counted = countOf(*entry.rows, RowKind::OpStat); counted && list && statistics && kernels)
        compare("files.kernels_differ", {list->source.name, computingKernels(*entry.rows, *kernels)},
                {statistics->source.name, *counted}, Severity::Info, diagnostics);
    const TableFile* const calls = onlyFile(rank, {"api_statistic"});
    const bool isOneTrace = rank.traces.size() == 1 && rank.traces.front().format == SourceFormat::TraceJson;
    const std::uint64_t onTimeline = isOneTrace && entry.trace && !entry.window ? callsOnTimeline(*entry.trace) : 0;
    // At level 0 none is on the timeline.
    if (const auto counted = countOf(*entry.rows, RowKind::ApiStat); counted && calls && onTimeline > 0)
        compare("files.calls_differ", {rank.traces.front().name, onTimeline}, {calls->source.name, *counted},
                Severity::Lost, diagnostics);
}

}  // namespace altiscope::reader
