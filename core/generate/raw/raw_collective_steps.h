#pragma once

#include "core/generate/records/unit_record.h"

#include <vector>

namespace altiscope::generate {

/// A small operation of a collective as raw data has it.
struct RawCollectiveStep {
    enum class Role : std::uint8_t {
        Plain,       ///< As in the text export.
        Frame,       ///< Of no length, when the collective begins and ends.
        RdmaNotify,  ///< Of no length, after what was sent to another host.
    };
    PlaneTask task;
    Role role = Role::Plain;
};

/// Beside the operations themselves those that HCCL needs and the text export of this run does not show: analysis tools
/// take the plane of the first operation as the main one, which is that of the first peer, and what RDMA sends ends
/// with the last one of a fixed number of notifications after it.
/// Source: core/import/raw_records/FORMAT.md.
std::vector<RawCollectiveStep> rawCollectiveSteps(const PlayedCollective& collective);

}  // namespace altiscope::generate
