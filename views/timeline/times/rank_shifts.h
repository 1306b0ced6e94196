#pragma once

#include "core/analysis/collectives/clock_alignment.h"
#include "core/base/values/cancel.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Why a rank is drawn elsewhere than it was recorded.
enum class ShiftOrigin : std::uint8_t { None, Collectives, Operator, Hand };

enum class SliceEdge : std::uint8_t { Start, End };

/// Shift of a rank by the user; it stands for whatever its collectives say.
struct OwnShift {
    std::int64_t by = 0;  ///< ns; positive: drawn later than recorded.
    ShiftOrigin origin = ShiftOrigin::Hand;
    std::string operatorName{};  ///< That it was aligned by.

    bool operator==(const OwnShift&) const = default;
};

/// Tracks that are drawn elsewhere than their rank: by how many ns later than it.
using MovedTracks = std::map<TrackIndex, std::int64_t>;

/// How far the ranks of a capture are drawn from where they were recorded; all tracks of a rank share its clock, but
/// for those that the user moves against it. Values only.
struct RankShifts {
    std::shared_ptr<const ClockAlignment> clocks;  ///< Null: not aligned by collectives.
    std::vector<std::optional<OwnShift>> own;      ///< As CaptureStore::ranks; may be shorter.
    /// Tracks of the ranks' traces, by hand; null where none is moved. May be shorter.
    std::vector<std::shared_ptr<const MovedTracks>> tracks{};

    /// Drawn time = recorded time + this.
    DurationNs of(RankIndex rank) const;
    /// The same of a track: with what it is moved against its rank.
    DurationNs of(RankIndex rank, TrackIndex track) const;
    /// Null: none.
    std::shared_ptr<const MovedTracks> movedTracks(RankIndex rank) const;
    /// None for a rank that is drawn as recorded.
    ShiftOrigin originOf(RankIndex rank) const;
    bool hasOwn() const;
};

/// Identity of one slice on all ranks: the `number`-th slice of that name (from 0, by begin) on tracks of that
/// kind.
struct Occurrence {
    std::string name;
    TrackKind kind = TrackKind::Other;
    std::uint64_t number = 0;
};

/// O(slices of the tracks that hold the name); means nothing if cancelled.
Occurrence occurrenceOf(const TraceStore& trace, SliceIndex slice, const CancelToken& cancel = {});
/// nullopt if the rank has fewer of them, or if cancelled. O(slices of the tracks that hold the name).
std::optional<SliceIndex> findOccurrence(const TraceStore& trace, const Occurrence& wanted,
                                         const CancelToken& cancel = {});

/// By what each rank is to be moved so that its occurrence begins (ends) where that of rank `rank` does, which stays;
/// nullopt for ranks without it.
struct OperatorAlignment {
    Occurrence occurrence;
    std::vector<std::optional<std::int64_t>> shifts;  ///< As CaptureStore::ranks
};
/// @param shift  What `rank` is drawn by now.
/// @return nullopt if cancelled. Any thread; parallel on the arena.
std::optional<OperatorAlignment> alignByOperator(const CaptureStore& capture, RankIndex rank, SliceIndex slice,
                                                 SliceEdge edge, DurationNs shift, const CancelToken& cancel);

/// The first slice of a process (Track::pid), as recorded; nullopt if it has none.
/// O(tracks).
std::optional<TimeNs> firstEventOf(const TraceStore& trace, std::string_view process);

/// The first event of a capture, as recorded; nullopt while it has none. Events that lie absurdly far away do not
/// count.
std::optional<TimeNs> firstEventOf(const CaptureStore& capture);

}  // namespace altiscope
