#pragma once

#include "core/store/row_table.h"

#include <cstdint>
#include <map>
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

private:
    struct Group {
        std::string name, hash, type;
        std::vector<std::int64_t> ranks;  // sorted
    };
    const Group* find(std::string_view trackName, std::string_view opName) const;

    std::vector<Group> m_groups;  // of the rank
};

/// The places of ranks in their groups of the type "pp", by the rows of `comm_group`; ranks in none are left out. O(groups).
std::map<std::int64_t, std::int64_t> pipelineStages(const RowTables* tables);

}  // namespace altiscope
