#pragma once

#include "core/analysis/communication/link_matrix.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"
#include "views/communication/data/communication_source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A call of a link, and where it may be found in the timeline.
struct LinkCall {
    RankIndex rank{};  ///< Whose file mentions it.
    std::string name;
    std::optional<TimeNs> begin;
    std::int64_t elapsed = 0;  ///< How long the operator took on that rank; 0 if not known.
};

/// The single calls of one link. Constant; made on a worker.
struct LinkCallList {
    std::vector<LinkCall> calls;  ///< By row of the table.
    std::uint32_t slowest = 0;    ///< Row with the lowest bandwidth.
    std::shared_ptr<const ColumnTable> table;
};

enum class CallColumn : std::size_t { Operator, Step, Transport, Bandwidth, Size, Time, Begin, Rank, Group, Origin };

/// @return Null if cancelled. O(rows of links and collectives).
std::shared_ptr<const LinkCallList> linkCallList(const CommunicationSource& source, const LinkQuery& query,
                                                 const LinkNode& from, const LinkNode& to, TimeNs origin,
                                                 const CancelToken& cancel);
std::vector<ColumnHeading> linkCallHeadings();

}  // namespace altiscope
