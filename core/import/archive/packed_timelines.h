#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"

#include <filesystem>
#include <optional>

namespace altiscope {
class StoreCache;
}

namespace altiscope::reader {

/// A rank whose timeline, or whose files of communication, are packed by themselves (isPackedJson), with the unpacked
/// files in their place: they keep the names of the packed ones, and lie where unpackFile() puts them. Losses on
/// the way go to `problems`, by those names; a file of which nothing comes is left out.
/// @return nullopt if none is packed.
/// @note   Unpacks as a whole what no earlier opening has left in the cache. `cancel`: the result then is not to
///         be used.
std::optional<RankManifest> withUnpackedTimelines(const RankManifest& rank, const StoreCache* cache,
                                                  const std::filesystem::path& temporary, Diagnostics& problems,
                                                  ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope::reader
