#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Ranks that a cluster may name; the largest runs have some ten thousand.
inline constexpr std::int64_t kMaxClusterRank = 1'000'000;

/// A set of ranks as files write it.
struct RankList {
    std::vector<std::int64_t> ranks;  ///< Ascending, each once.
    std::uint64_t repeated = 0;       ///< Entries that named a rank again.
};

/// The ranks of a set as cluster files write it, "(0, 1, 2)", "(5,)", "()". nullopt for anything else ("p2p").
std::optional<RankList> rankSetOf(std::string_view text);

/// Ranks that a set names again: "cluster.repeated_rank" (repaired), as each counts once.
void reportRepeatedRanks(std::string_view file, const Place& place, std::uint64_t count, Diagnostics& diagnostics);

/// The rank that a text names; nullopt if it is no number from 0 to kMaxClusterRank.
std::optional<std::int64_t> clusterRankOf(std::string_view text);

/// Adds the groups of communication_group.json in its old and its new form, and the ranks that it names. Faults
/// of it go to `diagnostics`: "metadata.broken" (lost: nothing was read), "cluster.bad_group" (lost: an entry that
/// is no group; its place is its row in its list), "cluster.repeated_rank", "cluster.repeated_group" (lost: two
/// descriptions of a hash contradict each other), "json.repeated_key", or the code of the
/// file error. Source: core/import/communication/FORMAT.md section 4.
void readClusterGroups(const SourceFile& file, GroupDirectory& groups, std::set<std::int64_t>& ranks,
                       Diagnostics& diagnostics);

}  // namespace altiscope::reader
