#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/rank_tracks.h"

namespace altiscope::generate {

/// Names, labels and sort indexes of the Python process; stands after its queue slices. Each event is preceded by ",
/// ".
void addHostMetadata(const RankTracks& tracks, TextBuffer& out);

/// The same for all processes that CANN writes; stands after the host part of the file.
void addDeviceMetadata(const RankTracks& tracks, TextBuffer& out);

}  // namespace altiscope::generate
