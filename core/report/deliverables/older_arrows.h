#pragma once

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/event_text.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// Arrows from the host to the devices as the vendor's older program draws them, for chips 1 to 4: an arrow of a task
/// that computes an operator, or that records or awaits an event, is named by the task and begins where the host
/// recorded it; those of copies and collectives are named by the connection and begin at the call.
/// Source: core/report/deliverables/FORMAT.md section 5. Any thread once it is built.
class OlderArrows {
public:
    /// O(slices of CANN and of collectives, with their arguments).
    /// @param process  Number of the process of CANN's calls.
    OlderArrows(const DeliverableInput& input, std::string process);

    /// Writes the ends of arrows that belong to a slice.
    /// @param own, begin  Thread and time of the slice, as they are written.
    void write(EventText& events, SliceIndex slice, EventText::Thread own, TimeNs begin,
               std::string_view arguments) const;

private:
    /// An end of an arrow.
    struct End {
        bool isStart = false;
        std::string id;  ///< Decimal; of a task more than 64 bits.
        /// Where it lies if that is not the slice: a thread of the host, and when.
        std::optional<std::pair<std::int64_t, TimeNs>> host;
    };
    using TaskKey = std::array<std::int64_t, 4>;  // device, stream, task, batch

    /// @param connection  In the slice's arguments; nullopt: none.
    std::vector<End> endsAt(SliceIndex slice, std::optional<std::int64_t> connection) const;
    void addCalls(const DeliverableInput& input);
    void addTasks(const TaskRecords& tasks);
    void addTaskEnds(const TaskRecord& task, std::vector<End>& ends) const;

    const TaskRecords& m_records;
    const TraceStore& m_trace;
    const std::string m_process;
    std::vector<std::pair<SourcePos, std::size_t>> m_tasks;  // with slices, sorted; number of the record
    std::map<TaskKey, const TaskRecord*> m_computing;
    std::map<std::int64_t, std::vector<std::uint32_t>> m_contexts, m_copies;  // by connection
    std::map<std::int64_t, std::pair<std::int64_t, TimeNs>> m_eventCalls;     // likewise: thread, begin
    std::vector<std::int64_t> m_collectives;                                  // connections, sorted
    bool m_hasCalls = false;
};

}  // namespace altiscope
