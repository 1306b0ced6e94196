#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/import_options.h"
#include "core/pack/pack_source.h"
#include "core/store/capture_store.h"
#include "core/trace/rank.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace altiscope::pack {

/// What of a pack is read; as reader::ImportOptions.
struct PackReading {
    reader::RankChoice ranks;       ///< A window of time, and kinds of rows, make no difference: ranks are read whole.
    RankCorrections corrections{};  ///< Numbers of ranks; a pack has no other sources.
    bool onlySums = false;          ///< No rank is read: each is as after reading, steps and all, but for its events.
    std::shared_ptr<const PackSource> source{};  ///< Fills the file as it is read; null: it is whole.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate{};
    std::function<void(std::size_t, RankEntry&)> onRank{};
};

/// Opens a pack, or a folder of packs (isPackFolder), as the capture that it was made of. Must run inside a
/// WorkerArena.
///
/// All that is whole and of this version is given of a damaged or cut pack, and of one of another version; the rest is
/// named in the diagnostics ("pack.*"), and the state is Partial, or Failed if ranks were lost and none is left. The
/// capture keeps the file open: arguments are read from it when they are looked at.
/// @return Cancelled; Error as PackFile::open, "pack.damaged" where its list of ranks is not whole,
///         "pack.list_version" {version} where it is of another version, "capture.out_of_memory".
/// @note   Memory: the stores of the chosen ranks.
Result<std::shared_ptr<const CaptureStore>> openPack(const std::filesystem::path& path, const PackReading& reading,
                                                     ProgressSlot& progress, const CancelToken& cancel);

/// PackedRanks::identity of a pack; empty where it has none.
/// @return Error as openPack.
Result<std::string> packIdentity(const std::filesystem::path& path, const CancelToken& cancel);

}  // namespace altiscope::pack
