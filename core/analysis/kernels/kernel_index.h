#pragma once

#include "core/analysis/kernels/filtered_kernels.h"
#include "core/base/columns/raw_array.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// What a kernel is grouped by; many kernels of a rank share one.
struct KernelSignature {
    static constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t part = 0;  ///< Index in KernelIndex::selected().
    bool isCollective = false;
    /// Numbers of texts (KernelIndex::text); kNoText: not recorded. The type of a collective without one is its name
    /// before "__".
    std::uint32_t name = kNoText, type = kNoText, core = kNoText, shapes = kNoText;
};

/// Kernels by what they can be grouped by, so that a change of the grouping need not look at texts again: 4 bytes a
/// kernel. Constant.
class KernelIndex {
public:
    /// @return Null if cancelled. O(kernels); parallel on the arena.
    static std::shared_ptr<const KernelIndex> make(std::shared_ptr<const CaptureStore> capture,
                                                   std::vector<FilteredKernels> selected, const CancelToken& cancel);

    const CaptureStore& capture() const { return *m_capture; }
    const std::vector<FilteredKernels>& selected() const { return m_selected; }
    const RankEntry& rank(std::size_t part) const { return m_capture->ranks[m_selected[part].rank.value]; }
    const RowTable& table(std::size_t part) const { return *rank(part).rows->find(RowKind::Kernel); }

    const std::vector<KernelSignature>& signatures() const { return m_signatures; }
    /// Of the kernels of a part, in the order of its rows: places in signatures().
    std::span<const std::uint32_t> signaturesOf(std::size_t part) const { return m_numbers[part].span(); }
    /// Equal texts of different ranks have one number.
    std::string_view text(std::uint32_t number) const {
        return number == KernelSignature::kNoText ? std::string_view() : m_texts[number];
    }
    std::size_t textCount() const { return m_texts.size(); }
    /// Those of its kernels, ascending.
    const std::vector<std::int64_t>& steps() const { return m_steps; }
    std::uint64_t kernels() const;

private:
    std::shared_ptr<const CaptureStore> m_capture;
    std::vector<FilteredKernels> m_selected;
    std::vector<KernelSignature> m_signatures;
    std::vector<RawArray<std::uint32_t>> m_numbers;
    std::vector<std::string_view> m_texts;
    std::vector<std::int64_t> m_steps;
};

}  // namespace altiscope
