#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A part of a raw file: the collector begins a new one whenever one is full.
struct RawSlice {
    std::filesystem::path path;
    std::string name;            ///< Relative to the capture.
    std::uint64_t size = 0;      ///< Bytes.
    std::int64_t number = 0;     ///< "slice_N".
    bool isDone = false;         ///< A ".done" beside it says that it is complete ...
    std::uint64_t doneSize = 0;  ///< ... and how large; 0 if nothing says it.
    bool isAfterGap = false;     ///< Slices before it are missing.

    /// Its end is missing.
    bool isShort() const { return size < doneSize; }
    /// More lies there than was written.
    bool isLong() const { return doneSize > 0 && size > doneSize; }
    std::uint64_t wholeSize() const { return isShort() ? doneSize : size; }
};

/// The slices of one kind of record.
struct RawFileSeries {
    std::string stem;      ///< "api_event.data", "compact.task_track", "stars_soc.data".
    bool isAging = false;  ///< From a ring whose oldest slices may be gone; for operators: not of a static graph.
    std::vector<RawSlice> slices;  ///< By number.
};

/// The folder of one device.
struct RawDeviceFiles {
    std::int64_t device = 0;
    std::filesystem::path folder;
    std::string name;  ///< The folder's, relative to the capture.
    std::vector<RawFileSeries> series;
};

/// Files of a PROF folder.
struct RawFiles {
    std::filesystem::path hostFolder;
    std::string hostName;                 ///< Relative to the capture.
    std::vector<RawFileSeries> host;      ///< By stem; of each the files that stay before those that age.
    std::vector<RawDeviceFiles> devices;  ///< By device.

    std::uint64_t bytes() const;
    std::vector<const RawSlice*> all() const;
};

/// Stem, aging and number of a raw file's name, which names its device in `device`; an empty stem for a name that is
/// none. "unaging.api_event.data.slice_0" -> "api_event.data", "stars_soc.data.0.slice_3" -> "stars_soc.data" of device
/// 0. Source: core/import/raw_records/FORMAT.md.
struct RawFileName {
    std::string_view stem;
    bool isAging = false;
    std::int64_t slice = 0, device = -1;
};
RawFileName rawFileName(std::string_view name);

/// A link, folder, pipe, socket or device in place of a raw file: "raw.link_skipped", "scan.folder_for_file" or
/// "scan.special_file" (lost). Nothing for what is not there.
void reportSpecialRaw(std::filesystem::file_type type, const std::string& name, Diagnostics& diagnostics);

/// Reports what lies in a folder and is not read: "raw.not_read" (lost), with the first names.
void reportNotRead(const std::set<std::string>& names, const std::string& folder, Diagnostics& diagnostics);

/// Looks into `host/data` and `device_N/data` of a PROF folder, at most at kMaxRawFiles names each. Links are not
/// followed. Files of the parser and of transfers (".done", ".complete", ".zip") are none.
/// Adds to `diagnostics`: what reportSpecialRaw adds, "scan.denied" (lost) for a folder that cannot be listed,
/// "raw.slice_missing" (lost) for a gap in the numbers and for a ".done" without its slice, "raw.cut" (lost) for one
/// that is smaller than its ".done" says, "raw.longer" (repaired) for one that is larger,
/// "raw.slice_empty" (info), "raw.unfinished" (info) where other slices have a ".done" and this one has none,
/// "raw.too_many_files" (lost).
inline constexpr std::size_t kMaxRawFiles = 100000;
RawFiles listRawFiles(const std::filesystem::path& prof, const std::string& name, Diagnostics& diagnostics,
                      const CancelToken& cancel);

}  // namespace altiscope::reader
