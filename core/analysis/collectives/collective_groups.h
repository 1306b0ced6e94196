#pragma once

#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

/// The communication groups of a capture, read from their rows once for all ranks. Constant.
class CaptureGroups {
public:
    struct Group {
        std::string name, hash, type;
        std::vector<std::int64_t> ranks;  ///< Sorted; empty unless all are known.
        /// By place in the group; empty if no rank is known. Some may be known where not all are.
        std::vector<std::optional<std::int64_t>> places;
    };

    /// @param tables  With rows of `comm_group`; may be null. O(ranks of all groups).
    explicit CaptureGroups(const RowTables* tables);
    /// Those, and groups that only the collectives and links of ranks' files name, whose ranks nobody states. O(rows of
    /// communication).
    explicit CaptureGroups(const CaptureStore& capture);

    /// Those that hold a rank or do not state their ranks, in the order of their rows; all of them for a rank without a
    /// number. Of groups that only files of ranks name, those of the rank's own; of all ranks where nothing states any
    /// group of it. They live as long as the directory. O(result).
    std::vector<const Group*> groupsOf(std::optional<std::int64_t> rank) const;
    /// Those of which some places are known, and where a rank could be at one of the others: ranks rise with places. In
    /// the order of their rows; none for a rank without a number. They live as long as the directory. O(places of these
    /// groups).
    std::vector<const Group*> possibleGroupsOf(std::optional<std::int64_t> rank) const;
    /// The places of ranks in their groups of the type "pp", and how many ranks these have; ranks in none of two at
    /// least are not in it. O(ranks of all groups).
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> pipelineStages() const;

private:
    std::vector<Group> m_groups;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> m_ofRank;  // places
    std::vector<std::size_t> m_ofAnyRank;
    std::vector<std::size_t> m_partly;  // some of their places are known
    std::vector<std::size_t> m_named;   // by files of ranks alone
    std::unordered_map<std::int64_t, std::vector<std::size_t>> m_namedBy;
};

/// Whether groups of a type (CaptureGroups::Group::type) reduce gradients, which can go on during the backward pass:
/// data of tensor and pipeline groups is waited for. False for an unknown type.
bool areOfGradients(std::string_view parallelType);

/// The communication groups of one rank, found by what its timeline says of them. The directory must outlive it.
class CollectiveGroups {
public:
    CollectiveGroups(const CaptureGroups& directory, std::optional<std::int64_t> rank);

    /// The name of the group of a collective: from the track, "Group {id} Communication", or from the three digits in
    /// "hcom_allReduce__586_0_1", which end the group's hash (core/import/communication/FORMAT.md section 1). Empty if
    /// neither states it.
    std::string name(std::string_view trackName, std::string_view opName) const;
    /// Its ranks by place, by the same: those that are known.
    std::vector<std::optional<std::int64_t>> places(std::string_view trackName, std::string_view opName) const;
    /// What the group is for, "dp"; empty if unknown.
    std::string parallelType(std::string_view trackName, std::string_view opName) const;

private:
    const CaptureGroups::Group* find(std::string_view trackName, std::string_view opName) const;

    std::vector<const CaptureGroups::Group*> m_groups;    // of the rank
    std::vector<const CaptureGroups::Group*> m_possible;  // where none of these is it
};

}  // namespace altiscope
