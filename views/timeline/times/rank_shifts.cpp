#include "views/timeline/times/rank_shifts.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint32_t kPollEvery = 1U << 20;

using Placed = std::pair<std::int64_t, std::uint32_t>;  // begin and SliceIndex

/// All slices of a name on tracks of a kind.
std::vector<Placed> slicesOf(const TraceStore& trace, std::string_view name, TrackKind kind,
                             const CancelToken& cancel) {
    std::vector<Placed> found;
    const TraceColumns& columns = trace.columns();
    for (const NameStat& stat : columns.nameStats.span()) {
        if (stat.count == 0 || trace.track({stat.track}).kind != kind || trace.text(stat.name) != name) continue;
        const TrackExtent& extent = trace.extent({stat.track});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (i % kPollEvery == 0 && cancel.cancelled()) return {};
            if (columns.name[i] == stat.name) found.emplace_back(columns.begin[i], i);
        }
    }
    return found;
}

TimeNs edgeOf(const TraceStore& trace, SliceIndex slice, SliceEdge edge) {
    return edge == SliceEdge::Start ? trace.begin(slice) : trace.end(slice);
}

}  // namespace

DurationNs RankShifts::of(RankIndex rank) const {
    if (rank.value < own.size() && own[rank.value]) return {own[rank.value]->by};
    const bool isAligned =
        clocks != nullptr && rank.value < clocks->ranks.size() && clocks->ranks[rank.value].isAligned();
    return {isAligned ? clocks->ranks[rank.value].offset : 0};
}

std::shared_ptr<const MovedTracks> RankShifts::movedTracks(RankIndex rank) const {
    return rank.value < tracks.size() ? tracks[rank.value] : nullptr;
}

DurationNs RankShifts::of(RankIndex rank, TrackIndex track) const {
    const auto moved = movedTracks(rank);
    const auto own = moved == nullptr ? MovedTracks::const_iterator() : moved->find(track);
    const std::int64_t later = moved == nullptr || own == moved->end() ? 0 : own->second;
    return {of(rank).value + later};
}

ShiftOrigin RankShifts::originOf(RankIndex rank) const {
    if (of(rank).value == 0) return ShiftOrigin::None;
    return rank.value < own.size() && own[rank.value] ? own[rank.value]->origin : ShiftOrigin::Collectives;
}

bool RankShifts::hasOwn() const {
    return std::any_of(own.begin(), own.end(), [](const auto& shift) { return shift.has_value(); });
}

Occurrence occurrenceOf(const TraceStore& trace, SliceIndex slice, const CancelToken& cancel) {
    Occurrence own{std::string(trace.name(slice)), trace.track({trace.runOf(slice).track}).kind, 0};
    const Placed placed{trace.begin(slice).value, slice.value};
    const std::vector<Placed> all = slicesOf(trace, own.name, own.kind, cancel);
    own.number = static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [&](const Placed& other) { return other < placed; }));
    return own;
}

std::optional<SliceIndex> findOccurrence(const TraceStore& trace, const Occurrence& wanted, const CancelToken& cancel) {
    std::vector<Placed> all = slicesOf(trace, wanted.name, wanted.kind, cancel);
    if (wanted.number >= all.size()) return std::nullopt;
    const auto nth = all.begin() + static_cast<std::ptrdiff_t>(wanted.number);
    std::nth_element(all.begin(), nth, all.end());
    return SliceIndex{nth->second};
}

std::optional<OperatorAlignment> alignByOperator(const CaptureStore& capture, RankIndex rank, SliceIndex slice,
                                                 SliceEdge edge, DurationNs shift, const CancelToken& cancel) {
    const TraceStore& own = *capture.ranks[rank.value].trace;
    OperatorAlignment alignment{occurrenceOf(own, slice, cancel), {}};
    alignment.shifts.resize(capture.ranks.size());
    const TimeNs target = edgeOf(own, slice, edge) + shift;
    parallelFor(capture.ranks.size(), [&](std::size_t r) {
        const TraceStore* trace = capture.ranks[r].trace.get();
        if (cancel.cancelled() || trace == nullptr) return;
        if (r == rank.value) {
            alignment.shifts[r] = shift.value;
        } else if (const auto found = findOccurrence(*trace, alignment.occurrence, cancel)) {
            alignment.shifts[r] = (target - edgeOf(*trace, *found, edge)).value;
        }
    });
    if (cancel.cancelled()) return std::nullopt;
    return alignment;
}

std::optional<TimeNs> firstEventOf(const TraceStore& trace, std::string_view process) {
    std::optional<TimeNs> first;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).pid != process) continue;
        for (const DepthRun& run : trace.runs({t})) {
            const TimeNs begin = trace.begin({run.first});
            first = first ? std::min(*first, begin) : begin;
        }
    }
    return first;
}

std::optional<TimeNs> firstEventOf(const CaptureStore& capture) {
    std::optional<TimeNs> first;
    for (const RankEntry& rank : capture.ranks) {
        if (rank.trace == nullptr || rank.trace->range().empty()) continue;
        const TimeNs begin = rank.trace->homeRange().begin;
        first = first ? std::min(*first, begin) : begin;
    }
    return first;
}

}  // namespace altiscope
