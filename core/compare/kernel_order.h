#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"
#include "core/compare/change.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

class MeasuredPart;
struct ComparisonSide;

/// Fate of kernels whose order is another on the other side.
enum class OrderKind : std::uint8_t {
    Added,     ///< In the current side alone.
    Removed,   ///< In the base alone.
    Moved,     ///< At another place among the others.
    Reshaped,  ///< At its place, with other shapes.
    Replaced,  ///< Some others stand at its place.
    Fused,     ///< Several of the base have become one.
    Split,     ///< One of the base has become several.
};
std::string_view orderKindName(OrderKind kind);  ///< "added", "removed", ...

/// The step of a side whose kernels were aligned.
struct OrderSide {
    std::optional<std::int64_t> rankId, step;
    RankIndex rank{};
    std::size_t kernels = 0;  ///< That were aligned, without collectives.
    bool isCut = false;       ///< There are more than kMaxStepKernels.
};

/// Something that happened to kernels once or several times.
struct OrderRow {
    OrderKind kind = OrderKind::Added;
    std::vector<std::string> base, current;  ///< Keys as Difference::key of kernels, in their order.
    std::size_t count = 0;                   ///< How often.
    Change change;                           ///< Time of all of them in the step, without an interval.
    /// For the first of them: how many kernels of the step stand before it on its stream, and its slice, if it has one.
    std::optional<std::size_t> basePlace, currentPlace;
    std::optional<SliceId> baseSlice, currentSlice;
};

/// Kernels of one side of a row as people read them: "A + B".
std::string joinedKernelKeys(const std::vector<std::string>& keys);

/// The kernels of a step of each side in their order.
struct OrderComparison {
    static constexpr std::size_t kMaxStepKernels = 200'000;  ///< Kernels that are aligned.
    static constexpr std::size_t kMaxEdits = 1'000;          ///< See alignSequences().
    static constexpr std::size_t kMaxStreams = 64;           ///< Further ones count as one.
    static constexpr std::size_t kMaxFused = 8;  ///< Kernels that become one; more are added and removed ones.
    static constexpr std::size_t kMaxRows = 1'000;

    OrderSide base, current;
    std::size_t same = 0;        ///< Kernels with the same name, type and shapes in the same order.
    std::vector<OrderRow> rows;  ///< Largest change first.
    std::size_t omitted = 0;     ///< Further rows.
    bool isLongest = true;       ///< See SequenceAlignment.
};

/// Aligns the kernels of one step of each side by name, type and shapes (where both recorded them), stream by stream;
/// streams are paired by what runs on them. The rank is the lowest number that both sides have, else the first of each;
/// the step is of those with the most common number of kernels the one whose kernels take the median time. Kernels
/// stand in the order of their begin. What is left between equal kernels is looked at again: the same name and type
/// with other shapes is reshaped; equal ones that went elsewhere have moved; the rest is added, removed, replaced,
/// fused or split. @return Nothing where a side has no kernels in its steps, or if cancelled.
/// @note  Any thread. O(kernels of a rank + kernels of a step * kMaxEdits).
std::optional<OrderComparison> compareOrder(const ComparisonSide& base, const MeasuredPart& basePart,
                                            const ComparisonSide& current, const MeasuredPart& currentPart,
                                            const CancelToken& cancel);

}  // namespace altiscope
