#pragma once

#include "core/base/cancel.h"
#include "core/import/raw/raw_device.h"
#include "core/import/raw/raw_host.h"
#include "core/import/raw/raw_join.h"
#include "core/store/columns/task_records.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope::reader {

/// Tasks of a device on their way to TaskRecords.
struct RawDeviceRecords {
    std::int64_t device = 0;
    /// When the collection began, ns.
    std::int64_t wallBegin = 0, monotonicBegin = 0;
    std::uint32_t file = 0;  ///< Number of the source.
    unsigned kind = 0;       ///< Of the positions of its tasks, see rawPosition.
    std::span<const RawDeviceTask> tasks;
    const RawJoined& joined;
    const RawDrawn& drawn;
};

/// Makes records of the joined tasks of devices. Source: FORMAT.md, reference C.3 (shown type) and G.3.
class RawTaskRecords {
public:
    /// @return False if cancelled.
    bool add(const RawHost& host, const RawDeviceRecords& device, const CancelToken& cancel);
    /// All of them, by device and begin.
    TaskRecords take();
    void setLevelZero() { m_records.isLevelZero = true; }

private:
    std::uint32_t id(std::string_view text);
    void addCollective(const RawHost& host, const RawDeviceRecords& device, const RawCollectiveRun& run);

    TaskRecords m_records;
    std::unordered_map<std::string, std::uint32_t> m_ids;
};

}  // namespace altiscope::reader
