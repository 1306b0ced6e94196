#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <vector>

namespace altiscope {

/// When a rank multiplied matrices: the kernels whose name holds "matmul". Constant.
class MatrixKernels {
public:
    /// O(kernels * log).
    explicit MatrixKernels(const RankEntry& rank);
    /// Whether it is known when its kernels ran.
    bool isKnown() const { return m_isKnown; }
    /// O(log kernels).
    bool ranWithin(TimeRange range) const;

private:
    std::vector<TimeNs> m_begins, m_lastEnds;  // the largest end up to each
    bool m_isKnown = false;
};

}  // namespace altiscope
