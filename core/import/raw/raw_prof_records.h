#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/raw/raw_device_samples.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_task_records.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_records/raw_folders.h"
#include "core/import/raw_records/raw_marks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// The joined records of one PROF folder.
struct RawProfRecords {
    struct Device {
        RawDeviceFiles files;
        RawSettings settings;
        unsigned kind = 0;
        std::vector<RawDeviceTask> tasks;
        RawJoined joined;
        RawCollectiveOrder drawn;
        DeviceSamples samples;
        std::vector<std::pair<std::uint64_t, std::size_t>> byNumber;  ///< By number of record: index in joined.tasks.
    };
    RawHost host;
    RawSettings settings;
    std::vector<MarkRecord> marks;
    std::vector<RawFusion> fusions;
    RawGraphMemory graphMemory;
    bool hasExpandedStreams = false;
    unsigned callKind = 0;
    std::int64_t firstConnection = 1;
    std::vector<std::pair<std::uint64_t, std::size_t>> calls;  ///< By number of the record: place in host.calls.
    std::vector<Device> devices;
};

/// Reads and joins all PROF folders of a rank as the import did, in the same order: kinds of positions follow from it.
/// Takes about as long as half an import; what is wrong with the files was reported then. Workers of the current arena.
/// @return Nullopt if cancelled.
std::optional<std::vector<std::unique_ptr<RawProfRecords>>> readRawProfRecords(const SourceFile& file,
                                                                               const CancelToken& cancel);

/// The place of the record with a number.
std::optional<std::size_t> placeWithNumber(const std::vector<std::pair<std::uint64_t, std::size_t>>& places,
                                           std::uint64_t number);

}  // namespace altiscope::reader
