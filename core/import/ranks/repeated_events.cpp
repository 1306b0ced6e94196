#include "core/import/ranks/repeated_events.h"

#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/database_lookup/db_record.h"
#include "core/import/ranks/reader_registry.h"
#include "core/store/columns/computed_position.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

struct AlikeSlices {
    std::uint32_t first, again;
};

constexpr std::size_t kSlicesAtOnce = std::size_t{1} << 16;
/// Each may take several statements of a database.
constexpr std::size_t kPairsAtOnce = 256;

/// Slices of one extent lie in each other in the order of their file, so what stands before one is above it. Sub-tasks
/// that run side by side agree in all but their arguments, so that a slice is held against some of them.
void findAlike(const TraceColumns& columns, std::size_t from, std::size_t to, std::vector<AlikeSlices>& found) {
    // Of so many that are together anything may be said.
    static constexpr int kMaxAbove = 256, kMaxAlike = 8;
    for (std::size_t i = from; i < to; ++i) {
        std::uint32_t above = columns.parent[i];
        int alike = 0;
        for (int n = 0; n < kMaxAbove && above != kNoSlice.value; ++n, above = columns.parent[above]) {
            if (columns.begin[above] != columns.begin[i] || columns.duration[above] != columns.duration[i]) break;
            if (columns.name[above] != columns.name[i] || columns.category[above] != columns.category[i]) continue;
            found.push_back({above, static_cast<std::uint32_t>(i)});
            if (++alike == kMaxAlike) break;
        }
    }
}

std::vector<AlikeSlices> alikeSlices(const TraceColumns& columns, const CancelToken& cancel) {
    const std::size_t slices = columns.begin.size(), parts = (slices + kSlicesAtOnce - 1) / kSlicesAtOnce;
    std::vector<std::vector<AlikeSlices>> found(parts);
    parallelFor(parts, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        findAlike(columns, part * kSlicesAtOnce, std::min(slices, (part + 1) * kSlicesAtOnce), found[part]);
    });
    std::vector<AlikeSlices> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
}

/// Keeps pairs with the same arguments.
void compareArguments(std::span<AlikeSlices> pairs, const TraceColumns& columns, const ArgumentSource& arguments,
                      std::vector<SourcePos>& again) {
    std::vector<SourcePos> positions;
    for (const AlikeSlices& pair : pairs) {
        positions.push_back(columns.pos[pair.first]);
        positions.push_back(columns.pos[pair.again]);
    }
    std::vector<std::optional<std::string>> texts(positions.size());
    arguments.each(positions, [&texts](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) texts[i] = std::string(text.value());
    });
    for (std::size_t i = 0; i < positions.size(); i += 2) {
        if (texts[i] && texts[i + 1] && *texts[i] == *texts[i + 1]) again.push_back(positions[i + 1]);
    }
}

void report(const SourceFile& file, std::span<const SourcePos> again, Diagnostics& diagnostics) {
    const bool isDatabase = file.format == SourceFormat::Database;
    std::set<std::string_view> tables;
    std::optional<DbTableCode> last;
    for (const SourcePos pos : again) {
        if (!isDatabase || last == dbTableOf(pos)) continue;
        last = dbTableOf(pos);
        tables.insert(tableOfRecord(*last));
    }
    MessageParameters parameters;
    std::string names;
    for (const std::string_view table : tables) names += (names.empty() ? "" : ", ") + std::string(table);
    if (isDatabase) parameters = {{"table", names}, {"detail", ""}};
    const std::size_t named = std::min(again.size(), Diagnostic::kSamples);
    for (std::size_t i = 0; i < named; ++i) {
        const Place place = placeOfEvent(file.format, again[i]);
        // The last one that is named stands for all that follow.
        diagnostics.add(isDatabase ? "db.repeated_row" : "repeated_event", Severity::Lost, file.name, place, parameters,
                        i + 1 < named ? 1 : again.size() - i);
    }
}

}  // namespace

void reportRepeatedEvents(const TraceStore& trace, const RankManifest& rank, const ArgumentSource& arguments,
                          Diagnostics& diagnostics, const CancelToken& cancel) {
    const bool isPlain = std::any_of(rank.traces.begin(), rank.traces.end(),
                                     [](const SourceFile& file) { return traitsOf(file.format).hasEventRecords; });
    if (!isPlain) return;
    const TraceColumns& columns = trace.columns();
    std::vector<AlikeSlices> alike = alikeSlices(columns, cancel);
    std::map<std::uint32_t, const SourceFile*> files;
    for (const SourceFile& file : rank.traces) {
        if (traitsOf(file.format).hasEventRecords) files.emplace(file.number, &file);
    }
    std::erase_if(alike, [&](const AlikeSlices& pair) {
        const SourcePos first = columns.pos[pair.first], again = columns.pos[pair.again];
        if (isComputed(first) || isComputed(again) || !files.contains(again.file())) return true;
        // Of a JSON a moment may be said twice: its times may be whole us. A text of MindSpore's host is an example.
        const bool isJson = files.at(again.file())->format == SourceFormat::TraceJson;
        return !files.contains(first.file()) || (isJson && columns.duration[pair.again] == 0);
    });
    if (alike.empty() || cancel.cancelled()) return;
    // In the order of the file, so that what is read is read once.
    const auto earlier = [&columns](const AlikeSlices& a, const AlikeSlices& b) {
        return std::tuple(columns.pos[a.again], a.first) < std::tuple(columns.pos[b.again], b.first);
    };
    parallelSort(std::span(alike), earlier, cancel);
    if (cancel.cancelled()) return;
    const std::size_t parts = (alike.size() + kPairsAtOnce - 1) / kPairsAtOnce;
    std::vector<std::vector<SourcePos>> again(parts);
    parallelFor(parts, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        const std::size_t from = part * kPairsAtOnce;
        compareArguments(std::span(alike).subspan(from, std::min(kPairsAtOnce, alike.size() - from)), columns,
                         arguments, again[part]);
    });
    if (cancel.cancelled()) return;
    std::map<std::uint32_t, std::vector<SourcePos>> byFile;
    for (const auto& some : again) {
        for (const SourcePos pos : some) {
            std::vector<SourcePos>& own = byFile[pos.file()];
            if (own.empty() || own.back() != pos) own.push_back(pos);
        }
    }
    for (const auto& [number, positions] : byFile) report(*files.at(number), positions, diagnostics);
}

}  // namespace altiscope::reader
