#pragma once

#include "core/import/contracts/group_directory.h"
#include "core/store/capture_store.h"

namespace altiscope::reader {

/// Gives links their global ranks where no source states the ranks of their group, from the places that the links of
/// all ranks name (core/import/contracts/group_places.h), and enters what is known of those groups into the directory;
/// those of raw data get the stated ranks, too, since their reader knows none. Links whose ends stay unknown keep NULL.
/// "group.ranks_conflict" (lost) names ranks whose files contradict each other.
/// To be called when all ranks are read; what it gave before is given anew. Uses the workers of the arena. O(links).
/// @return Whether the directory has changed.
bool addLinkRanks(CaptureStore& capture, GroupDirectory& groups);

}  // namespace altiscope::reader
