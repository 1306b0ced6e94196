#pragma once

#include "core/store/row_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// The communication groups of one rank, found by what its timeline tells of them.
class CollectiveGroups {
public:
    /// @param tables  With rows of `comm_group`; may be null. O(groups).
    CollectiveGroups(const RowTables* tables, std::optional<std::int64_t> rank);

    /// The name of the group of a collective: from the track, "Group {id} Communication", or from the three digits in
    /// "hcom_allReduce__586_0_1", which end the group's hash (formats/communication-json.md section 1). Empty if neither tells it.
    std::string name(std::string_view trackName, std::string_view opName) const;
    /// What the group is for, "dp"; empty if unknown.
    std::string parallelType(std::string_view trackName, std::string_view opName) const;
    /// The place of the rank in its group of the type "pp"; 0 if it is in none.
    std::int64_t pipelineStage() const;

private:
    struct Group {
        std::string name, hash, type;
        std::vector<std::int64_t> ranks;  // sorted
    };
    const Group* find(std::string_view trackName, std::string_view opName) const;

    std::vector<Group> m_groups;  // of the rank
    std::optional<std::int64_t> m_rank;
};

}  // namespace altiscope
