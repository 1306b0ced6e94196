#pragma once

#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/steps/kernel_devices.h"
#include "core/analysis/steps/step_sums.h"
#include "core/store/recording_parts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// A kernel as its row states it.
struct KernelCells {
    std::size_t row = 0;
    std::int64_t duration = 0;  ///< ns
    std::optional<SliceIndex> slice;
    std::optional<TimeRange> range;  ///< Of its slice, else as the row prints it.
    std::optional<StringId> type, core;
};

/// The rows of kernels of a rank that compute, for readers of RankFacts. The rank must outlive it.
class KernelWalk {
public:
    /// @param device  Those of this one alone; nullopt: of all.
    KernelWalk(const RankEntry& rank, const std::vector<StepSpan>& steps, std::optional<std::int64_t> device)
        : m_rank(rank), m_device(device), m_table(kernelsOfTimeline(rank)),
          m_trace(hasEvents(rank) ? rank.trace.get() : nullptr), m_sums(m_trace, steps, StepSums::Clock::Device) {}

    /// Null if there are none that may be computed with.
    const RowTable* table() const { return m_table; }
    const StringPool& texts() const { return m_rank.rows->texts(); }
    const StepSums& sums() const { return m_sums; }

    /// Calls `take(const KernelCells&)` in the order of the rows. O(kernels).
    template <class Take>
    void forEach(const CancelToken& cancel, Take take) const {
        static constexpr auto kSlice = fixedColumn(RowKind::Kernel, "slice_id"),
                              kKind = fixedColumn(RowKind::Kernel, "kind"),
                              kType = fixedColumn(RowKind::Kernel, "type"),
                              kCore = fixedColumn(RowKind::Kernel, "accelerator_core"),
                              kBegin = fixedColumn(RowKind::Kernel, "ts"),
                              kDuration = fixedColumn(RowKind::Kernel, "dur");
        if (m_table == nullptr) return;
        const auto communication = texts().find("communication");
        const KernelDevices devices(m_rank);
        for (std::size_t row = 0; row < m_table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
            const auto kind = m_table->text(kKind, row);
            const auto duration = m_table->integer(kDuration, row);
            if (!duration || *duration < 0 || (kind && communication && *kind == *communication)) continue;
            if (m_device && devices.of(row) != m_device) continue;
            KernelCells cells{row, *duration, {}, {}, m_table->text(kType, row), m_table->text(kCore, row)};
            const auto slice = m_trace == nullptr ? std::nullopt : m_table->integer(kSlice, row);
            if (slice) {
                cells.slice = SliceIndex{static_cast<std::uint32_t>(*slice)};
                cells.range = TimeRange{m_trace->begin(*cells.slice), m_trace->end(*cells.slice)};
            } else {
                cells.range = printedTime(m_table->integer(kBegin, row), duration);
            }
            take(cells);
        }
    }
    /// Adds `amount` ns at a kernel, see StepSums::add.
    void add(Occurrences& to, const KernelCells& kernel, std::int64_t amount,
             std::optional<TimeRange> whole = {}) const {
        if (kernel.slice) m_sums.add(to, *kernel.slice, amount, whole);
        else if (kernel.range) m_sums.addUnseen(to, *kernel.range, amount);
    }

private:
    const RankEntry& m_rank;
    std::optional<std::int64_t> m_device;
    const RowTable* m_table;
    const TraceStore* m_trace;
    StepSums m_sums;
};

/// What kind of cores a kernel occupies.
enum class CoreClass : std::uint8_t { Other, Cube, Vector };

/// By words of the column `accelerator_core`, without a look at the text for each kernel. Source:
/// core/import/csv/FORMAT.md section 2.
class CoreClasses {
public:
    explicit CoreClasses(const StringPool& texts)
        : m_core(texts.find("AI_CORE")), m_mixCube(texts.find("MIX_AIC")), m_vector(texts.find("AI_VECTOR_CORE")),
          m_mixVector(texts.find("MIX_AIV")) {}
    CoreClass of(std::optional<StringId> core) const {
        if (!core) return CoreClass::Other;
        if (core == m_core || core == m_mixCube) return CoreClass::Cube;
        return core == m_vector || core == m_mixVector ? CoreClass::Vector : CoreClass::Other;
    }

private:
    std::optional<StringId> m_core, m_mixCube, m_vector, m_mixVector;
};

}  // namespace altiscope
