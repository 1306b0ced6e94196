#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace altiscope::reader {

/// A member of a .zip that the list at its end calls otherwise than the header before its data does, or that the list
/// has again under a further name: other programs unpack it under the listed name, libarchive under the header's.
struct ZipAlias {
    std::string listed, own;
    std::uint64_t place = 0;  ///< Offset of the header before the data, in bytes of the archive.
};

/// Calls take() for the members of a .zip that have two names, in the order of their places. A file that is no .zip, or
/// is damaged, has none: the program that unpacks it says so. Polls `cancel`.
/// @param limit  Members of the list that are looked at.
/// @return Error "file.unreadable".
/// @note  Reads the list and two headers of each member; 16 bytes of memory for each.
/// Source: APPNOTE.TXT of PKWARE, sections 4.3.7 (header), 4.3.12 (list), 4.3.14 to 4.3.16 (its end).
Result<Done> eachZipAlias(const ReadOnlyFile& file, std::size_t limit, const CancelToken& cancel,
                          const std::function<void(const ZipAlias&)>& take);

}  // namespace altiscope::reader
