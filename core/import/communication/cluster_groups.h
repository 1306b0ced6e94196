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

/// The ranks of a set as cluster files write it, "(0, 1, 2)", "(5,)", "()": ascending. nullopt for anything else
/// ("p2p"), and where a rank stands twice.
std::optional<std::vector<std::int64_t>> rankSetOf(std::string_view text);

/// The rank that a text names; nullopt if it is no number from 0 to kMaxClusterRank.
std::optional<std::int64_t> clusterRankOf(std::string_view text);

/// Adds the groups of communication_group.json in its old and its new form, and the ranks that it names. What is wrong
/// with it goes to `diagnostics`: "metadata.broken" (lost: nothing was read), "cluster.bad_group" (lost: an entry that
/// is no group, as it names a rank twice; its place is its row in its list), "cluster.repeated_group" (lost: a hash
/// stands twice), "cluster.groups_differ" (info: both forms have not the same sets), "cluster.hash_differs" (info: not
/// the hash of the id), "json.repeated_key", or the code of the file error. Source:
/// core/import/communication/FORMAT.md section 4.
void readClusterGroups(const SourceFile& file, GroupDirectory& groups, std::set<std::int64_t>& ranks,
                       Diagnostics& diagnostics);

}  // namespace altiscope::reader
