#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/section_writer.h"
#include "core/pack/spool_file.h"
#include "core/store/file/store_file.h"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace altiscope::pack {

/// Memory for a store file, at a multiple of 64; throws std::bad_alloc.
std::shared_ptr<char> alignedMemory(std::size_t bytes);

/// The store of a section that waits in a file.
/// @return Error "pack.not_written" {reason} with the name of the pack if it cannot be read back.
Result<StoreFileContent> storedContent(const SpooledSection& section, SpoolFile& spool,
                                       const std::filesystem::path& pack, const CancelToken& cancel);

}  // namespace altiscope::pack
