#pragma once

#include "core/base/values/cancel.h"
#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

/// Facts of a kernel in COMPUTE_TASK_INFO or COMMUNICATION_OP besides its times; texts by their ids.
struct DbKernelInfo {
    static constexpr std::int64_t kNoText = -1;

    std::int64_t name = kNoText, core = kNoText, type = kNoText;
    std::int64_t inputShapes = kNoText, inputTypes = kNoText, inputFormats = kNoText;
    std::int64_t outputShapes = kNoText, outputTypes = kNoText, outputFormats = kNoText;
    std::int64_t blocks = kNoCell;
    bool isCommunication = false;

    bool operator==(const DbKernelInfo&) const = default;
};

/// Different infos, numbered as they come: the kernels of a run repeat.
class DbKernelInfos {
public:
    /// @param row  That it comes from; the first one is kept.
    std::uint32_t add(const DbKernelInfo& info, std::int64_t row = -1);
    const std::vector<DbKernelInfo>& all() const { return m_infos; }
    const std::vector<std::int64_t>& rows() const { return m_rows; }

private:
    struct Hash {
        std::size_t operator()(const DbKernelInfo& info) const;
    };
    std::vector<DbKernelInfo> m_infos;
    std::vector<std::int64_t> m_rows;
    std::unordered_map<DbKernelInfo, std::uint32_t, Hash> m_numbers;
};

/// A kernel as it ran.
struct DbKernel {
    std::int64_t begin = 0, duration = 0, device = 0;
    std::int64_t stream = kNoCell;
    std::int64_t connection = -1;  ///< Connection of its launch; negative: none.
    std::int64_t task = kNoCell;   ///< globalTaskId; collectives have none.
    std::uint32_t info = 0;        ///< Index of its DbKernelInfo.
    std::uint32_t number = 0;      ///< Index in the order of the tables.
};

/// Numbers the kernels and sorts them as the text exports list them: by device, then begin.
void sortKernels(std::vector<DbKernel>& kernels, const CancelToken& cancel);

/// When a launch began, by its connection id.
struct DbLaunch {
    std::int64_t id, begin;
};

/// The step of each kernel, kNoCell where it is in none: the one in whose device range it begins. That range lasts from
/// the first kernel launched within the step's time on the host to the end of the last one, and at least to the end of
/// the step on the host. Source: core/import/csv/FORMAT.md section 7, for databases have no column for it.
/// @param kernels  Sorted. @param launches  In any order; of an id that occurs twice the earlier one counts. O(n log
/// n).
std::vector<std::int64_t> stepsOfKernels(std::span<const DbKernel> kernels, std::vector<DbLaunch> launches,
                                         std::vector<Step> steps);

/// The double that a program has which reads the microseconds as they are printed: the one nearest to ns / 1000.
double printedMicroseconds(std::int64_t ns);

/// Waiting times as the text export prints them, in ns: the gap to the end of the kernel before on the same device, at
/// least 0.
/// @param kernels    Sorted.
/// @param asDoubles  As exporters since 2025 compute it, in doubles of microseconds: up to 0.25 us off the gap.
/// Source: core/import/csv/FORMAT.md section 2.
std::vector<std::int64_t> waitsOfKernels(std::span<const DbKernel> kernels, bool asDoubles);

}  // namespace altiscope::reader
