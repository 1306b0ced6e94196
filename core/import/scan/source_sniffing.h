#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace altiscope::reader {

/// Types of files, by their first bytes. An unreadable file looks like Unknown.
enum class FileType : std::uint8_t {
    /// An array whose first element is an object with "ph", or an object with "traceEvents" near its beginning.
    TraceJson,
    Database,  ///< SQLite.
    Archive,   ///< zip, gzip, zstd, tar.
    Snapshot,  ///< A pickle that may be a memory snapshot, see mayBeSnapshot().
    Unknown,
};
FileType fileTypeOf(const std::filesystem::path& path);
/// The same of first bytes that are known already.
FileType fileTypeOfHead(std::string_view head);

/// Whether the first bytes of a file are those of a trace; of packed JSON (isPackedJson) those of what is packed.
/// @param cancel  Polled while something is unpacked; what comes of it then is not to be used.
bool holdsTrace(const std::filesystem::path& path, const CancelToken& cancel);

/// The device that the first row of a CSV deliverable names in its column "Device_id", "Device" or "Device Type" ("3",
/// "NPU:3").
std::optional<std::int64_t> deviceInCsv(const std::filesystem::path& path);

/// The rank that a trace names itself, as the profilers of PyTorch do: "distributedInfo": {"rank": 3} in front of the
/// list of events, or behind it (in the last 64 KiB; not looked at in packed JSON, which would have to be unpacked as a
/// whole). Source: core/import/mindspore/FORMAT.md section 4.
std::optional<std::int64_t> rankInTrace(const std::filesystem::path& path, const CancelToken& cancel);

}  // namespace altiscope::reader
