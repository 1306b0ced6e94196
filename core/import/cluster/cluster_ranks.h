#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"
#include "core/store/capture_store.h"

#include <cstddef>

namespace altiscope::reader {

/// How the clusters of a capture are read.
struct ClusterReading {
    /// A former state of the capture: clusters whose files are unchanged are taken from it.
    const CaptureStore* known = nullptr;
    std::size_t chunkBytes = 0;
};

/// Reads the files of a capture's clusters, and adds the ranks that have no folder of their own in the same run, with
/// their rows (source Cluster, state Listed). Ranks with a folder keep what their own files say, so nothing is there
/// twice; where all ranks that the small files name have one, the large files are not read. Keeps the order of ranks.
/// Where the step times state a rank's place in the job, that is metadata of the rank: dp_index, pp_index, tp_index,
/// and pipeline_stage by the rows of stages.
///
/// In `manifest.diagnostics`: what is wrong with the files ("csv.*", "communication.*", "metadata.broken",
/// "cluster.bad_group", "cluster.no_rank"), and as information "cluster.stage_rows" (rows of stages, which no table
/// has: they are maxima of the ranks), "cluster.own_folders" (ranks whose rows were not taken), "cluster.local_ranks"
/// (an old file that counts ranks within their group), "cluster.rank_outside" (an end of a link that is no rank of its
/// set).
/// @param groups  Of the ranks' own metadata; gets those of the clusters.
/// @return Cancelled. Uses all workers of the arena. Some chunks, and the packed rows, are in memory.
Result<Done> addClusterRanks(CaptureManifest& manifest, GroupDirectory& groups, const ClusterReading& reading,
                             ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope::reader
