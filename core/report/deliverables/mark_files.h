#pragma once

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/event_text.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

// Marks of mstx. Source: core/report/deliverables/FORMAT.md section 8.

/// Finds what connects a mark with those of streams, by the position of its slice.
class MarkConnections {
public:
    explicit MarkConnections(const TaskRecords& records);
    /// nullopt: no flow begins or ends there.
    std::optional<std::int64_t> at(SourcePos pos) const;
    bool isEmpty() const { return m_connections.empty(); }

private:
    std::vector<std::pair<SourcePos, std::int64_t>> m_connections;  // sorted
};

/// msprof_tx.csv: a line for each mark and device whose stream has it, too.
DeliverableResult writeMarkTable(const DeliverableInput& input);
}  // namespace altiscope
