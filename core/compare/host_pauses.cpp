#include "core/compare/host_pauses.h"

#include "core/analysis/support/cell_reader.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

namespace altiscope {

namespace {

struct OperatorTime {
    std::int64_t begin = 0, end = 0;
    std::size_t row = 0;
};

struct PauseTime {
    std::int64_t begin = 0, end = 0;
};

/// Operators or pauses of a thread, by begin.
using ThreadOperators = std::map<std::int64_t, std::vector<OperatorTime>>;
using ThreadPauses = std::map<std::int64_t, std::vector<PauseTime>>;

constexpr std::size_t kPlacesBetweenPolls = 4096;

/// Ends early if cancelled.
template <class Visit>
void forSlicesOf(const TraceStore& trace, TrackKind kind, const CancelToken& cancel, Visit visit) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != kind) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (i % kPlacesBetweenPolls == 0 && cancel.cancelled()) return;
            visit(trace.tracks()[t], SliceIndex{i});
        }
    }
}

PauseTime pauseOf(const TraceStore& trace, SliceIndex slice) {
    return {trace.begin(slice).value, trace.end(slice).value};
}

/// Whether the names of a trace hold any of a call that waits.
std::vector<bool> waitingNames(const TraceStore& trace, bool& any, const CancelToken& cancel) {
    std::vector<bool> waits(trace.texts().size());
    for (std::uint32_t id = 0; id < waits.size(); ++id) {
        if (id % kPlacesBetweenPolls == 0 && cancel.cancelled()) break;
        waits[id] = trace.text(StringId{id}).find("Synchronize") != std::string_view::npos;
        any = any || waits[id];
    }
    return waits;
}

/// Waiting calls, by the text of the thread in the rank's tables.
ThreadPauses waitsOf(const RankEntry& rank, const CancelToken& cancel) {
    ThreadPauses waits;
    bool any = false;
    const std::vector<bool> names = waitingNames(*rank.trace, any, cancel);
    if (!any) return waits;
    forSlicesOf(*rank.trace, TrackKind::Cann, cancel, [&](const Track& track, SliceIndex slice) {
        if (!names[rank.trace->nameId(slice).value]) return;
        if (const auto thread = rank.rows->texts().find(track.thread))
            waits[thread->value].push_back(pauseOf(*rank.trace, slice));
    });
    return waits;
}

ThreadOperators operatorsOf(const RowTable& table, const CancelToken& cancel) {
    ThreadOperators threads;
    CellReader begins(table, fixedColumn(RowKind::Operator, "ts")),
        lengths(table, fixedColumn(RowKind::Operator, "dur")), names(table, fixedColumn(RowKind::Operator, "thread"));
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kPlacesBetweenPolls == 0 && cancel.cancelled()) return threads;
        const std::int64_t begin = begins.at(row), length = lengths.at(row), thread = names.at(row);
        if (begin != kNoCell && length != kNoCell && thread != kNoCell)
            threads[thread].push_back({begin, begin + length, row});
    }
    // When two begin together the longer one called the other.
    for (auto& [thread, operators] : threads)
        std::sort(operators.begin(), operators.end(), [](const OperatorTime& a, const OperatorTime& b) {
            return std::tuple(a.begin, -a.end, a.row) < std::tuple(b.begin, -b.end, b.row);
        });
    return threads;
}

}  // namespace

std::vector<SliceIndex> garbageCollections(const TraceStore& trace, const CancelToken& cancel) {
    std::vector<SliceIndex> slices;
    forSlicesOf(trace, TrackKind::Gc, cancel, [&](const Track&, SliceIndex slice) { slices.push_back(slice); });
    return slices;
}

std::unordered_map<std::size_t, std::int64_t> pausesOfOperators(const RankEntry& rank, const CancelToken& cancel) {
    std::unordered_map<std::size_t, std::int64_t> pauses;
    const RowTable* table = rank.rows->find(RowKind::Operator);
    const ThreadPauses waits = waitsOf(rank, cancel);
    std::vector<PauseTime> collections;
    for (const SliceIndex slice : garbageCollections(*rank.trace, cancel))
        collections.push_back(pauseOf(*rank.trace, slice));
    if (table == nullptr || (waits.empty() && collections.empty())) return pauses;
    for (const auto& [thread, operators] : operatorsOf(*table, cancel)) {
        std::vector<PauseTime> all = collections;
        if (const auto own = waits.find(thread); own != waits.end())
            all.insert(all.end(), own->second.begin(), own->second.end());
        std::sort(all.begin(), all.end(), [](const PauseTime& a, const PauseTime& b) { return a.begin < b.begin; });
        std::vector<const OperatorTime*> open;
        std::size_t next = 0;
        std::int64_t counted = std::numeric_limits<std::int64_t>::min();  // until this time
        std::size_t visited = 0;
        for (const PauseTime& pause : all) {
            if (visited++ % kPlacesBetweenPolls == 0 && cancel.cancelled()) return pauses;
            for (; next < operators.size() && operators[next].begin <= pause.begin; ++next) {
                while (!open.empty() && open.back()->end <= operators[next].begin) open.pop_back();
                open.push_back(&operators[next]);
            }
            while (!open.empty() && open.back()->end <= pause.begin) open.pop_back();
            // A collection may stop a thread that waits.
            const std::int64_t begin = std::max(pause.begin, counted);
            if (open.empty() || begin >= std::min(pause.end, open.back()->end)) continue;
            counted = std::min(pause.end, open.back()->end);
            pauses[open.back()->row] += counted - begin;
        }
    }
    return pauses;
}

}  // namespace altiscope
