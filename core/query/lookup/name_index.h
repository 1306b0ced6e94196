#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// The slices of one store by name: for each text of its pool, the slices of that name, ascending.
/// 4 bytes a slice; built in two passes over the name column.
class NameIndex {
public:
    /// @return nullopt if cancelled.
    static std::optional<NameIndex> build(const TraceStore& store, const CancelToken& cancel);

    std::span<const std::uint32_t> slices(StringId name) const {
        return {m_slices.data() + m_offsets[name.value], m_slices.data() + m_offsets[name.value + 1]};
    }
    std::uint32_t count(StringId name) const { return m_offsets[name.value + 1] - m_offsets[name.value]; }
    /// Number of texts of the pool; ids are below it.
    std::uint32_t texts() const { return static_cast<std::uint32_t>(m_offsets.size() - 1); }

private:
    std::vector<std::uint32_t> m_offsets;  // by text; one more at the end
    std::vector<std::uint32_t> m_slices;   // SliceIndex
};

}  // namespace altiscope
