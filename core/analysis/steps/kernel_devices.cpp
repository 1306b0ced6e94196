#include "core/analysis/steps/kernel_devices.h"

#include "core/analysis/steps/device_activity.h"

namespace altiscope {

KernelDevices::KernelDevices(const RankEntry& rank)
    : m_table(*rank.rows->find(RowKind::Kernel)), m_trace(hasEvents(rank) ? rank.trace.get() : nullptr),
      m_devices(m_trace) {}

std::optional<std::int64_t> KernelDevices::of(std::size_t row) const {
    static constexpr auto kDevice = fixedColumn(RowKind::Kernel, "device_id");
    static constexpr auto kSlice = fixedColumn(RowKind::Kernel, "slice_id");
    if (const auto named = m_table.integer(kDevice, row)) return named;
    if (m_devices.count() == 1) return m_devices.number(0);
    const auto slice = m_table.integer(kSlice, row);
    if (!slice) return std::nullopt;
    const SliceIndex index{static_cast<std::uint32_t>(*slice)};
    return m_devices.number(m_devices.ofTrack(m_trace->runOf(index).track));
}

}  // namespace altiscope
