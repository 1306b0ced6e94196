#pragma once

#include "core/base/values/cancel.h"
#include "core/compare/kernel_order.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Numbers for texts of both sides: equal texts have one.
class SharedNumbers {
public:
    std::uint32_t number(std::string_view text);
    const std::string& text(std::uint32_t number) const { return m_texts[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers;
    std::vector<std::string> m_texts;
};

/// One kernel of a step.
struct StepKernel {
    std::uint32_t key = 0;   ///< "name | type | shapes"
    std::uint32_t name = 0;  ///< "name | type"
    std::int64_t stream = 0, begin = 0, length = 0;
    std::uint32_t row = 0;  ///< Row of the rank's table.
};

/// The kernels of one stream in their order.
using StreamKernels = std::vector<StepKernel>;

/// Facts that a rank recorded of its kernels beside their names.
struct RecordedTexts {
    bool types = false, shapes = false;
};
/// Kernels of the steps that are looked at. nullopt if cancelled. O(kernels of the rank).
std::optional<RecordedTexts> recordedTexts(const ComparisonSide& side, const MeasuredPart& part, RankIndex rank,
                                           const CancelToken& cancel);

/// The step of a side that is aligned.
struct StepOrder {
    OrderSide side;
    std::vector<StreamKernels> streams;  ///< Most kernels first.
};

/// Numbers for the keys and the names of the kernels of both sides.
struct KernelNumbers {
    RecordedTexts texts;  ///< Parts of keys: what one side did not record would be a difference of all kernels.
    SharedNumbers keys, names;
};

/// The kernels of the representative step (see compareOrder) of a rank, by its index in CaptureStore::ranks. nullopt if
/// it has none, or if cancelled. O(kernels of the rank).
std::optional<StepOrder> stepOrder(const ComparisonSide& side, const MeasuredPart& part, RankIndex rank,
                                   KernelNumbers& numbers, const CancelToken& cancel);

/// The slice of a kernel. O(1).
std::optional<SliceId> sliceOfKernel(const ComparisonSide& side, const OrderSide& of, const StepKernel& kernel);

}  // namespace altiscope
