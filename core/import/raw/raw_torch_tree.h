#pragma once

#include "core/base/values/cancel.h"
#include "core/import/raw_records/raw_torch.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Which operators called which, and which work of theirs went through the queue. One tree for all threads, as the
/// framework's own analysis has it. Source: core/import/raw_records/FORMAT.md.
class RawTorchTree {
public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// @param torch   Outlives this. @param cancel  After a cancel there is a tree, but not the right one.
    explicit RawTorchTree(const RawTorch& torch, const CancelToken& cancel = {});

    /// Number of the operator that called one; kNone: there is none.
    std::uint32_t parent(std::uint32_t op) const { return m_parents[op]; }
    /// Operators by begin.
    const std::vector<std::uint32_t>& order() const { return m_order; }
    /// The operator whose own work an entry of RawTorch::enqueues is; kNone: it is lost.
    std::uint32_t ownerOf(std::size_t enqueue) const { return m_owners[enqueue]; }
    /// The innermost operator at a time, where there is no queue; kNone: there is none.
    std::uint32_t innermostAt(std::int64_t time) const;

private:
    const RawTorch& m_torch;
    std::vector<std::uint32_t> m_parents, m_order, m_owners;
    std::vector<std::uint32_t> m_firstChild, m_children;  // by parent, the root after all others
};

/// Which bars of the queue belong together: those of one correlation. Indexes in RawTorch::enqueues and dequeues; of
/// several the first; kNone: there is none.
struct RawQueuePartners {
    static constexpr std::uint32_t kNone = RawTorchTree::kNone;

    RawQueuePartners(const RawTorch& torch, const RawTorchTree& tree, const CancelToken& cancel);
    std::vector<std::uint32_t> enqueueOf;  ///< By dequeue.
    std::vector<std::uint32_t> dequeueOf;  ///< By enqueue.
    std::vector<std::uint32_t> ownerOf;    ///< By dequeue: the operator that put its work into the queue.
};

/// The correlation of each launch with work of the queue: indexes in RawTorch::dequeues, kNone where there is none.
/// @param launches  Begins of calls that lead to kernels, ascending.
std::vector<std::uint32_t> rawQueueWork(const RawTorch& torch, const std::vector<std::int64_t>& launches);

}  // namespace altiscope::reader
