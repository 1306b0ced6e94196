#pragma once

#include "core/base/values/result.h"
#include "core/capture/methods/settings.h"
#include "core/capture/session/record_store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::capture {

/// Takes a folder with results that the user has made and copied without us into the history, as a capture with these
/// settings: its ranks with what is complete and what is missing, to be opened, repeated and compared as others are.
/// The folder stays where it is; nothing in it is changed.
///
/// @param folder  Absolute, on this machine; results may lie four folders below.
/// @return Its record. Error "capture.by_hand.nothing" if nothing in it is a result of this method.
/// @note   Blocking: looks at it twice, half a second apart.
Result<CaptureRecord> takeByHand(const RecordStore& store, const Settings& settings, const std::string& preset,
                                 const std::vector<Assignment>& assignments, const std::filesystem::path& folder);

}  // namespace altiscope::capture
