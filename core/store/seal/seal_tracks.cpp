#include "core/store/seal/seal_tracks.h"

#include "core/base/memory/discard.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/base/values/digits.h"

#include <xxhash.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace altiscope {

namespace {

/// A pid or tid that is a number, not a name; some are negative.
bool isNumberId(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return isDigits(text);
}

/// Layers are recognised by the name of the process: numbers in pids and sort indexes change between versions
/// (core/import/trace/FORMAT.md sections 4 and 5).
TrackKind kindOfProcess(std::string_view process) {
    if (process == "Python") return TrackKind::Python;
    if (process == "CANN") return TrackKind::Cann;
    if (process == "Ascend Hardware") return TrackKind::Hardware;
    if (process == "HCCL" || process == "Communication" || process == "CCU") return TrackKind::Communication;
    if (process == "Overlap Analysis") return TrackKind::Overlap;
    if (process == "Python GC") return TrackKind::Gc;
    if (process == "Scope Layer") return TrackKind::Scope;
    if (process == "MSTX" || process == "MsprofTx" || process == "msproftx") return TrackKind::Mstx;
    return TrackKind::Other;
}

std::string processFallback(std::string_view pid, std::string_view labels) {
    // Level0 exports lose the name of the CANN layer but keep its label.
    if (labels == "CPU") return "CANN";
    return isNumberId(pid) ? "Process " + std::string(pid) : std::string(pid);
}

std::string threadFallback(std::string_view tid, TrackKind kind) {
    if (!isNumberId(tid)) return std::string(tid);
    return (kind == TrackKind::Hardware ? "Stream " : "Thread ") + std::string(tid);
}

Track describe(const ProvisionalTrackKey& key, const TrackFacts& facts, const TrackUse& use) {
    Track track;
    track.pid = key.pid;
    track.processSort = track.threadSort = std::numeric_limits<std::int64_t>::max();
    std::string processName;
    if (const auto process = facts.processes.find(key.pid); process != facts.processes.end()) {
        processName = key.process.empty() ? std::string_view(process->second.name.value) : key.process;
        track.labels = process->second.labels.value;
        track.hasProcessSort = process->second.sort.known();
        if (track.hasProcessSort) track.processSort = process->second.sort.value;
    }
    track.process = processName.empty() ? processFallback(key.pid, track.labels) : processName;
    if (key.isCounter) {
        track.kind = TrackKind::Counter;
        track.name = key.second;
        return track;
    }
    track.tid = key.second;
    track.kind = kindOfProcess(track.process);
    // The framework's process and that of its marks may be called after the interpreter or the user's program
    // (core/import/trace/FORMAT.md section 5).
    if (track.kind == TrackKind::Other && use.hasPython) track.kind = TrackKind::Python;
    if (track.kind == TrackKind::Other && use.hasMarks) track.kind = TrackKind::Mstx;
    if (const auto thread = facts.threads.find({std::string(key.pid), std::string(key.second)});
        thread != facts.threads.end()) {
        track.thread = key.thread.empty() ? std::string_view(thread->second.name.value) : key.thread;
        track.hasThreadSort = thread->second.sort.known();
        if (track.hasThreadSort) track.threadSort = thread->second.sort.value;
    }
    if (track.thread.empty()) track.thread = threadFallback(key.second, track.kind);
    track.name = track.thread;
    if (key.isStack) {
        track.kind = TrackKind::Stack;
        track.origin = Origin::Computed;
    }
    return track;
}

bool shownBefore(const Track& a, const Track& b) {
    if (a.processSort != b.processSort) return a.processSort < b.processSort;
    if (const int order = naturalCompare(a.process, b.process); order != 0) return order < 0;
    if (const int order = naturalCompare(a.pid, b.pid); order != 0) return order < 0;
    const bool counterA = a.kind == TrackKind::Counter;
    const bool counterB = b.kind == TrackKind::Counter;
    if (counterA != counterB) return counterB;
    if (a.threadSort != b.threadSort) return a.threadSort < b.threadSort;
    if (const int order = naturalCompare(a.name, b.name); order != 0) return order < 0;
    if (const int order = naturalCompare(a.tid, b.tid); order != 0) return order < 0;
    // Call stacks directly below their thread.
    return a.kind != TrackKind::Stack && b.kind == TrackKind::Stack;
}

/// 53 bits, so that the id is exact in tools that keep numbers as doubles.
/// @param isLater  Of a process that got the pid of another one.
std::int64_t hashedId(std::string_view identity, const Track& track, bool isLater, std::uint64_t salt) {
    std::string text(identity);
    text += '\0';
    text += track.pid;
    text += '\0';
    switch (track.kind) {
    case TrackKind::Counter: (text += 'c') += track.name; break;
    case TrackKind::Stack: (text += 's') += track.tid; break;
    default: (text += 't') += track.tid; break;
    }
    if (isLater) (text += '\0') += track.process;
    const std::uint64_t hash = XXH3_64bits_withSeed(text.data(), text.size(), salt) >> 11;
    return hash == 0 ? 1 : static_cast<std::int64_t>(hash);
}

/// Puts the track that `order` names first to the front, and so on. In place: tracks are large, and there may be a
/// million of them.
void applyOrder(std::vector<std::uint32_t>& order, std::vector<Track>& tracks, const CancelToken& cancel) {
    for (std::uint32_t first = 0; first < order.size() && !cancel.cancelled(); ++first) {
        if (order[first] == first) continue;
        Track moved = std::move(tracks[first]);
        std::uint32_t at = first;
        while (order[at] != first && !cancel.cancelled()) {
            tracks[at] = std::move(tracks[order[at]]);
            at = std::exchange(order[at], at);
        }
        tracks[at] = std::move(moved);
        order[at] = at;
    }
}

/// Hashed ids that are met before get another one, first come, first served.
/// @param later  Places of tracks that are isLater.
void addIds(std::string_view identity, const std::unordered_set<std::size_t>& later, std::vector<Track>& tracks,
            std::string_view file, Diagnostics& diagnostics, const CancelToken& cancel) {
    static constexpr std::size_t kAtOnce = 1024;
    std::vector<std::int64_t> sorted(tracks.size());
    parallelFor((tracks.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
        const std::size_t last = std::min(tracks.size(), (part + 1) * kAtOnce);
        for (std::size_t i = part * kAtOnce; i < last && !cancel.cancelled(); ++i) {
            tracks[i].id = {hashedId(identity, tracks[i], later.contains(i), 0)};
            sorted[i] = tracks[i].id.value;
        }
    });
    parallelSort(std::span(sorted), std::less<>(), cancel);
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
    std::unordered_set<std::int64_t> ids;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        Track& track = tracks[i];
        if (cancel.cancelled()) return;
        for (std::uint64_t salt = 0; !ids.insert(track.id.value).second;) {
            if (salt == 0) diagnostics.add("duplicate_track_id", Severity::Repaired, file, {}, {{"track", track.name}});
            track.id = {hashedId(identity, track, later.contains(i), ++salt)};
        }
    }
}

}  // namespace

SealedTracks sealTracks(const SealInput& input, const std::vector<TrackUse>& use, std::string_view file,
                        Diagnostics& diagnostics, const CancelToken& cancel) {
    static constexpr std::size_t kAtOnce = 1024;
    std::vector<std::uint32_t> provisional;
    for (std::uint32_t p = 0; p < input.tracks.size(); ++p) {
        if (use[p].isShown) provisional.push_back(p);
    }
    SealedTracks sealed;
    std::vector<Track> described;
    std::vector<std::uint32_t> order;
    const DiscardOnCancel later(cancel, described, provisional, order);
    // A million tracks are 250 MB; that they are touched first takes as long as a cancel may.
    described.reserve(provisional.size());
    while (described.size() < provisional.size()) {
        if (cancel.cancelled()) return sealed;
        described.resize(std::min(provisional.size(), described.size() + kAtOnce));
    }
    parallelFor((described.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
        const std::size_t last = std::min(described.size(), (part + 1) * kAtOnce);
        for (std::size_t i = part * kAtOnce; i < last && !cancel.cancelled(); ++i)
            described[i] = describe(input.tracks[provisional[i]], input.facts, use[provisional[i]]);
    });
    order.resize(described.size());
    std::iota(order.begin(), order.end(), 0U);
    parallelSort(
        std::span(order), [&](std::uint32_t a, std::uint32_t b) { return shownBefore(described[a], described[b]); },
        cancel);

    if (cancel.cancelled()) return sealed;
    sealed.indexOf.assign(input.tracks.size(), SealedTracks::kHidden);
    std::unordered_set<std::size_t> laterOnes;
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        const std::uint32_t number = provisional[order[place]];
        sealed.indexOf[number] = place;
        if (input.tracks[number].isLater) laterOnes.insert(place);
    }
    applyOrder(order, described, cancel);
    addIds(input.identity, laterOnes, described, file, diagnostics, cancel);
    sealed.tracks = std::move(described);
    return sealed;
}

}  // namespace altiscope
