#include "core/query/lookup/name_index.h"

#include <algorithm>

namespace altiscope {

std::optional<NameIndex> NameIndex::build(const TraceStore& store, const CancelToken& cancel) {
    constexpr std::size_t kSlicesPerPoll = std::size_t{1} << 20;
    const std::span<const StringId> names = store.columns().name.span();
    NameIndex index;
    index.m_offsets.assign(store.texts().size() + 1, 0);
    index.m_slices.resize(names.size());
    const auto inBatches = [&](auto&& body) {
        for (std::size_t first = 0; first < names.size(); first += kSlicesPerPoll) {
            if (cancel.cancelled()) return false;
            const std::size_t last = std::min(first + kSlicesPerPoll, names.size());
            for (std::size_t i = first; i < last; ++i) body(i);
        }
        return true;
    };
    if (!inBatches([&](std::size_t i) { ++index.m_offsets[names[i].value + 1]; })) return std::nullopt;
    for (std::size_t i = 1; i < index.m_offsets.size(); ++i) index.m_offsets[i] += index.m_offsets[i - 1];
    std::vector<std::uint32_t> next(index.m_offsets.begin(), index.m_offsets.end() - 1);
    if (!inBatches([&](std::size_t i) { index.m_slices[next[names[i].value]++] = static_cast<std::uint32_t>(i); }))
        return std::nullopt;
    return index;
}

}  // namespace altiscope
