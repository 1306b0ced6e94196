#pragma once

#include "core/base/files/file.h"
#include "core/base/values/result.h"
#include "core/import/snapshot/pickle_input.h"

#include <filesystem>
#include <string_view>

namespace altiscope::reader {

/// Whether first bytes may be those of a snapshot: a pickle of protocol 2 to 5 with the key `device_traces` among the
/// first, or with `segments` that have sizes or blocks.
bool mayBeSnapshot(std::string_view head);
/// The same of a file that may be a zip archive as torch.save writes it.
bool mayHoldSnapshot(std::string_view head);
/// Whether a file is compressed as a whole, or the pickle in it is. False if it cannot be read.
bool isCompressedFile(const std::filesystem::path& path);
/// The same of a file, whose pickle may stand in a zip archive. False if it cannot be read.
bool holdsSnapshot(const std::filesystem::path& path);

/// "x.pkl", "x.pickle".
bool isSnapshotName(std::string_view name);

/// Where the pickle stands in a file: all of it, or the member `data.pkl` of a zip archive as torch.save writes it,
/// which is stored as it is. Source: core/import/snapshot/FORMAT.md section 2.
/// @return Error of ReadOnlyFile, "snapshot.compressed" of a gzip file and of a member that is compressed,
/// "snapshot.not_snapshot" of an archive without such a member.
Result<PickleInput::Extent> pickleExtent(const ReadOnlyFile& file);

}  // namespace altiscope::reader
