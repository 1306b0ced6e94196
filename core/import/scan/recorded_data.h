#pragma once

#include "core/import/contracts/capture_manifest.h"

#include <cstdint>
#include <string_view>

namespace altiscope::reader {

/// Data of a recording in its rank's folder; more is better.
enum class RecordedData : std::uint8_t {
    Nothing,  ///< No files, or none of them with an event or a row.
    Raw,      ///< Raw data that is not read.
    Cut,      ///< Its timeline ends before its end.
    Whole,
};
/// Code of the catalogue for a newer folder that has less than an older one. @param data  Not Whole.
std::string_view newerFolderCode(RecordedData data);

/// By the files themselves: a timeline without an event ("ph") is empty, one whose last character closes nothing is
/// cut, and so is a database of fewer pages than its header states. A packed file is taken for whole.
/// @note  Reads at most 64 KiB of each file of the rank.
RecordedData recordedData(const RankManifest& rank);

}  // namespace altiscope::reader
