#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// What a kernel computes for.
enum class KernelWork : std::uint8_t {
    FlashAttention,
    PagedAttention,
    Convolution,
    Matmul,
    Cube,  ///< Multiplies matrices, for something else.
    Vector,
    TensorMove,
    Other,  ///< What neither its core nor its metrics state: on the AI CPU, or without a core.
};
/// Which pass of the training launched a kernel.
enum class KernelPass : std::uint8_t { Unknown, Forward, Backward };
/// Which unit of a core did the work, and whether it only changed the form of data.
enum class KernelPart : std::uint8_t {
    Unknown,
    Cube,
    Vector,
    Format,  ///< Of vector kernels: Cast, TransData and Transpose, which compute nothing new.
};

/// What a kernel computed for, by the three questions of the overall metrics.
struct KernelClass {
    KernelWork work = KernelWork::Other;
    KernelPass pass = KernelPass::Unknown;  ///< Of attention, convolution and matmul.
    KernelPart part = KernelPart::Unknown;
    auto operator<=>(const KernelClass&) const = default;
};

/// Operators by what they are for; KernelWork::Other: none of the named classes. By whole words of their names:
/// "aten::mm" multiplies matrices, "aten::comm" does not.
KernelWork workOfOperator(std::string_view name);
/// The same of types of kernels: "FlashAttentionScoreGrad", "MatMulV2", "Conv2DBackpropInput".
KernelWork workOfType(std::string_view type);
/// Whether a name says of itself that it is of the backward pass: "aten::convolution_backward", "MmBackward0",
/// "FlashAttentionScoreGrad"; not "fallback".
bool isBackwardName(std::string_view name);

/// The classes of the kernels of a rank, by row. A kernel is of the outermost operator of attention, convolution or
/// matmul around the call that launched it, else of its own type. It is of the backward pass if one of the operators
/// around that call is by its name, or a flow from the forward pass leads to it; kernels without a call by their type.
/// It is one of matrices if its metrics show the cube busy; without them, by its accelerator core.
class KernelClasses {
public:
    /// @pre The rank has kernels. Incomplete if cancelled. O(kernels * depth + flows * log).
    KernelClasses(const RankEntry& rank, const CancelToken& cancel);

    KernelClass of(std::size_t row) const { return m_classes[row]; }

private:
    std::vector<KernelClass> m_classes;
};

}  // namespace altiscope
