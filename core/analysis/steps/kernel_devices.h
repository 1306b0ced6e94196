#pragma once

#include "core/analysis/steps/kernel_pieces.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace altiscope {

/// Distinguishes the kernels of several devices that were recorded into one folder. Constant; the rank must outlive it.
class KernelDevices {
public:
    /// @pre The rank has kernels. O(tracks).
    explicit KernelDevices(const RankEntry& rank);

    /// What the row of a kernel names, else the device on whose track its slice lies; nullopt where neither states it.
    std::optional<std::int64_t> of(std::size_t row) const;

private:
    const RowTable& m_table;
    const TraceStore* m_trace;  // null: it says nothing
    TraceDevices m_devices;
};

}  // namespace altiscope
