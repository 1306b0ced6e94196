#pragma once

#include "core/import/contracts/group_directory.h"
#include "core/import/json/json_leaves.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Source and target in the key of a link, "0-8"; nullopt if it has not that form.
std::optional<std::pair<std::int64_t, std::int64_t>> linkEnds(std::string_view key);

/// A rank set that is an outermost key of cluster files.
struct ClusterSet {
    bool isKnown = false;             ///< The key spells its ranks; "p2p" of old files does not.
    std::vector<std::int64_t> ranks;  ///< Ascending.
    std::uint64_t repeated = 0;       ///< Entries of the key that name a rank again.
    std::uint64_t outside = 0;        ///< Ends of links that are none of the ranks.
    std::int64_t max = -1;            ///< The largest of all ends of links.

    /// Old files count the ranks of links within their group: no other reading makes sense of an end that is no rank of
    /// the set.
    bool usesLocalRanks() const { return isKnown && outside > 0 && max < static_cast<std::int64_t>(ranks.size()); }
};

/// Facts that the keys of a cluster's communication files state of all objects together: their rank sets, and which
/// ranks the groups have. Fed in file order, on one thread.
class ClusterKeys {
public:
    /// @return Index of the object's rank set in sets().
    std::uint32_t addOperator(const JsonLeaf& leaf);
    std::uint32_t addLink(const JsonLeaf& leaf);

    const std::vector<ClusterSet>& sets() const { return m_sets; }
    /// By hash of the group. A group that stands under two sets has the ranks of the first.
    const std::map<std::string, std::uint32_t, std::less<>>& groups() const { return m_groups; }

private:
    std::uint32_t setOf(const JsonKey& key);

    std::vector<ClusterSet> m_sets;
    std::map<std::string, std::uint32_t, std::less<>> m_places;  // of sets, by key
    std::map<std::string, std::uint32_t, std::less<>> m_groups;
    JsonKey m_lastKey, m_lastOperator;
    std::uint32_t m_lastPlace = 0;
};

}  // namespace altiscope::reader
