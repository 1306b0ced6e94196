#include "core/analysis/account/host_cover.h"

#include "core/analysis/slices/host_call.h"
#include "core/analysis/support/capture_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>

namespace altiscope {

namespace {

/// The cause that a slice of the host names by itself.
std::optional<Cause> causeOf(std::string_view name, TrackKind kind, std::int64_t length) {
    if (kind == TrackKind::Cann) {
        if (name.find("Synchronize") != std::string_view::npos) return Cause::Synchronize;
        if (std::find(kMemoryCalls.begin(), kMemoryCalls.end(), name) != kMemoryCalls.end()) return Cause::Host;
        const bool compiles = name.starts_with("AscendCL@aclopCompileAndExecute") || name == "AscendCL@opCompile";
        if (compiles && length >= kCompilationNs) return Cause::Compile;
        return std::nullopt;
    }
    if (name.starts_with("enumerate(DataLoader)")) return Cause::DataLoading;
    if (name.find("save_checkpoint") != std::string_view::npos) return Cause::Checkpoint;
    if (name.find("torch/serialization.py") != std::string_view::npos && name.ends_with(": save"))
        return Cause::Checkpoint;
    return std::nullopt;
}

/// Takes what a piece covers out of the rest, and appends it to the pieces.
void take(const CausePiece& from, std::vector<TimeRange>& rest, std::vector<CausePiece>& pieces) {
    std::vector<TimeRange> left;
    left.reserve(rest.size() + 1);
    for (const TimeRange& part : rest) {
        const TimeNs begin = std::max(part.begin, from.range.begin), end = std::min(part.end, from.range.end);
        if (begin >= end) {
            left.push_back(part);
            continue;
        }
        pieces.push_back({from.cause, {begin, end}, from.slice});
        if (part.begin < begin) left.push_back({part.begin, begin});
        if (end < part.end) left.push_back({end, part.end});
    }
    rest = std::move(left);
}

/// Sorted, and without what lies within another one.
void makeDisjoint(std::vector<CausePiece>& pieces) {
    std::sort(pieces.begin(), pieces.end(), [](const CausePiece& a, const CausePiece& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : b.range.end < a.range.end;
    });
    std::vector<CausePiece> apart;
    for (CausePiece piece : pieces) {
        if (!apart.empty()) piece.range.begin = std::max(piece.range.begin, apart.back().range.end);
        if (piece.range.begin < piece.range.end) apart.push_back(piece);
    }
    pieces = std::move(apart);
}

std::span<const CausePiece> piecesWithin(const std::vector<CausePiece>& pieces, TimeRange time) {
    const auto first = std::partition_point(pieces.begin(), pieces.end(),
                                            [&](const CausePiece& piece) { return piece.range.end <= time.begin; });
    const auto last = std::partition_point(first, pieces.end(),
                                           [&](const CausePiece& piece) { return piece.range.begin < time.end; });
    return {first, last};
}

int layerOf(TrackKind kind) {
    switch (kind) {
    case TrackKind::Cann: return 0;
    case TrackKind::Python: return 1;
    case TrackKind::Stack: return 2;
    default: return 3;
    }
}

}  // namespace

HostCover::HostCover(const TraceStore& trace, const CancelToken& cancel)
    : m_trace(trace), m_threadOfTrack(trace.tracks().size(), kEvery) {
    std::tie(m_firstStep, m_afterSteps) = trace.texts().prefixRange("ProfilerStep#");
    std::map<std::string, std::uint32_t, std::less<>> threads;
    std::map<std::pair<Cause, std::uint32_t>, std::vector<CausePiece>> specials;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        const Track& track = trace.tracks()[t];
        const bool isGc = track.kind == TrackKind::Gc;
        if (!isGc && layerOf(track.kind) > 2) continue;
        if (!isGc) {
            const auto number = static_cast<std::uint32_t>(threads.size());
            m_threadOfTrack[t] = threads.emplace(track.tid, number).first->second;
            m_tracksOfThread.resize(threads.size());
            m_tracksOfThread[m_threadOfTrack[t]].push_back(t);
        }
        const TrackExtent& extent = trace.extent({t});
        std::unordered_map<std::uint32_t, std::optional<Cause>> known;
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const std::int64_t length = trace.duration({i}).value;
            if (length <= 0) continue;
            std::optional<Cause> cause = Cause::Gc;
            if (!isGc) {
                const auto [at, isNew] = known.try_emplace(trace.nameId({i}).value);
                // Longer than any limit: whether the name can be a cause at all.
                if (isNew) at->second = causeOf(trace.name({i}), track.kind, kCompilationNs);
                cause = at->second ? causeOf(trace.name({i}), track.kind, length) : std::nullopt;
            }
            if (!cause) continue;
            specials[{*cause, m_threadOfTrack[t]}].push_back({*cause, {trace.begin({i}), trace.end({i})}, {i}});
        }
    }
    for (std::vector<std::uint32_t>& tracks : m_tracksOfThread) {
        std::stable_sort(tracks.begin(), tracks.end(), [&](std::uint32_t a, std::uint32_t b) {
            return layerOf(trace.tracks()[a].kind) < layerOf(trace.tracks()[b].kind);
        });
    }
    for (const Cause cause :
         {Cause::Gc, Cause::Compile, Cause::DataLoading, Cause::Checkpoint, Cause::Synchronize, Cause::Host}) {
        for (auto& [key, pieces] : specials) {
            if (key.first != cause) continue;
            makeDisjoint(pieces);
            (cause == Cause::Host ? m_memoryCalls : m_specials).push_back({cause, key.second, std::move(pieces)});
        }
    }
}

void HostCover::cutSpecial(std::uint32_t thread, std::vector<TimeRange>& rest, std::vector<CausePiece>& pieces) const {
    if (rest.empty()) return;
    const TimeRange time{rest.front().begin, rest.back().end};
    for (const Special& special : m_specials) {
        if (special.thread != kEvery && special.thread != thread) continue;
        for (const CausePiece& piece : piecesWithin(special.pieces, time)) take(piece, rest, pieces);
    }
}

void HostCover::cutInnermost(std::uint32_t thread, std::vector<TimeRange>& rest,
                             std::vector<CausePiece>& pieces) const {
    if (thread == kEvery) return;
    for (const std::uint32_t track : m_tracksOfThread[thread]) {
        const auto runs = m_trace.runs({track});
        for (auto run = runs.rbegin(); run != runs.rend() && !rest.empty(); ++run) {
            const TimeRange time{rest.front().begin, rest.back().end};
            for (std::uint32_t i = m_trace.firstEndingAfter(*run, time.begin);
                 i < run->first + run->count && m_trace.begin({i}) < time.end; ++i) {
                const StringId name = m_trace.nameId({i});
                // A step is no work.
                if (name >= m_firstStep && name < m_afterSteps) continue;
                take({Cause::Host, {m_trace.begin({i}), m_trace.end({i})}, {i}}, rest, pieces);
            }
        }
    }
}

void HostCover::cut(TimeRange time, std::uint32_t track, std::uint32_t other, std::vector<CausePiece>& pieces) const {
    if (time.begin >= time.end) return;
    std::vector<TimeRange> rest{time};
    const std::uint32_t thread = m_threadOfTrack[track], second = m_threadOfTrack[other];
    cutSpecial(thread, rest, pieces);
    cutInnermost(thread, rest, pieces);
    if (second != thread) {
        cutSpecial(second, rest, pieces);
        cutInnermost(second, rest, pieces);
    }
    for (const TimeRange& part : rest) pieces.push_back({Cause::Unknown, part, kNoSlice});
}

bool HostCover::has(Cause cause) const {
    const std::vector<Special>& specials = specialsOf(cause);
    return std::any_of(specials.begin(), specials.end(),
                       [cause](const Special& special) { return special.cause == cause; });
}

std::int64_t HostCover::covered(Cause cause, TimeRange time, std::uint32_t track) const {
    std::vector<CausePiece> pieces;
    slicesOf(cause, time, track, pieces);
    std::int64_t sum = 0;
    for (const CausePiece& piece : pieces) sum += piece.range.length().value;
    return sum;
}

void HostCover::slicesOf(Cause cause, TimeRange time, std::uint32_t track, std::vector<CausePiece>& pieces) const {
    const std::uint32_t thread = m_threadOfTrack[track];
    for (const Special& special : specialsOf(cause)) {
        if (special.cause != cause || (special.thread != kEvery && special.thread != thread)) continue;
        for (CausePiece piece : piecesWithin(special.pieces, time)) {
            piece.range = {std::max(piece.range.begin, time.begin), std::min(piece.range.end, time.end)};
            pieces.push_back(piece);
        }
    }
}

}  // namespace altiscope
