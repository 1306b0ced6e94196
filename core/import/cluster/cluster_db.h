#pragma once

#include "core/import/communication/cluster_keys.h"
#include "core/import/contracts/table_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace altiscope::reader {

/// Facts of a rank in cluster_analysis.db beside its rows.
struct ClusterRankFacts {
    std::optional<std::int64_t> device;
    std::string host;
};

/// Facts of all ranks and of their groups in cluster_analysis.db.
struct ClusterDbFacts {
    std::map<std::int64_t, ClusterRankFacts> ranks;        ///< RankDeviceMap; may lack any of them.
    std::map<std::string, std::string, std::less<>> sets;  ///< Rank set of a group, as the db spells it, by hash.
};

/// Reads CommunicationGroupMapping (old: CommunicationGroup), RankDeviceMap and HostInfo. A table or column that a
/// version lacks says nothing; a set that is none is "cluster.bad_group" (lost, its place is the row).
/// @param ranks  Gets the ranks that are named.
/// @return Error as openDatabase.
Result<ClusterDbFacts> readClusterDbFacts(const SourceFile& file, GroupDirectory& groups, std::set<std::int64_t>& ranks,
                                          Diagnostics& diagnostics);

/// Reads ClusterStepTraceTime, or ClusterTimeSummary where that is all there is, into step_breakdown as the CSV file of
/// a cluster gives it: `origin` names the owner of a row.
/// @return Error as openDatabase. Faults of rows are "db.*" of the catalogue.
Result<Done> readClusterDbSteps(const SourceFile& file, TableContext& context);

/// Reads the tables of communication, current and old, as readClusterCommunication and readClusterMatrix read the JSON
/// files.
/// @return Error as openDatabase. Faults of rows are "db.*" of the catalogue, or "cluster.no_rank".
/// @note   On the calling thread: some million rows a second.
/// Source: core/import/cluster/FORMAT.md section 2.
Result<Done> readClusterDbCommunication(const SourceFile& file, const ClusterDbFacts& facts,
                                        const GroupDirectory& groups, ClusterKeys& keys, TableContext& context);

}  // namespace altiscope::reader
