#pragma once

#include "core/store/columns/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

// Which tasks on the planes of a group belong to which of its collectives. Pure functions; any thread.

/// A group's track and its planes, lowest first.
struct GroupTracks {
    std::uint32_t group = 0;
    std::vector<std::uint32_t> planes;
};
/// The planes of a group follow its track. O(tracks).
std::vector<GroupTracks> groupTracks(const TraceStore& trace);

/// What a task of a collective does.
enum class TaskKind : std::uint8_t {
    Other,
    Wait,     ///< Notify_Wait
    Transit,  ///< Memcpy and Reduce_Inline: the task lasts as long as the data move.
    Remote,   ///< RDMASend: starts a transfer, and does not last as long as that.
};

/// What tasks of collectives are, by the ids of their names.
class TaskKinds {
public:
    explicit TaskKinds(const TraceStore& trace);
    TaskKind of(StringId name) const {
        for (const auto& [id, word] : m_words) {
            if (id == name) return word;
        }
        return TaskKind::Other;
    }

private:
    std::vector<std::pair<StringId, TaskKind>> m_words;
};

/// The collectives of one group.
struct GroupCollectives {
    std::vector<SliceIndex> slices;  ///< By begin, of those that begin at once the longest first.
    std::vector<TimeRange> ranges;

    GroupCollectives(const TraceStore& trace, std::uint32_t track);
};

/// Finds the collectives that times lie in, which must ascend: of several the last to begin. A task belongs to the
/// collective of its group that is running when it begins.
class RunningCollective {
public:
    explicit RunningCollective(const std::vector<TimeRange>& ranges) : m_ranges(ranges) {}

    std::optional<std::size_t> at(TimeNs time);

private:
    const std::vector<TimeRange>& m_ranges;
    std::vector<std::size_t> m_begun;  // those under one that runs may have ended
    std::size_t m_next = 0;
};

}  // namespace altiscope
