#pragma once

#include "core/base/threads/progress.h"

#include <cstdint>

namespace altiscope::remote {

/// One part of a job's progress that counts once, however often its work begins anew. One thread.
class CountedPart {
public:
    explicit CountedPart(ProgressSlot& progress) : m_progress(progress) {}
    /// The first call counts.
    void setTotal(std::uint64_t amount) {
        if (m_hasTotal) return;
        m_hasTotal = true;
        m_total = amount;
        m_progress.addTotal(amount);
    }
    /// So much of the total is done now; less than before, and more than the total, is nothing new.
    void reach(std::uint64_t amount) {
        if (amount > m_total) amount = m_total;
        if (amount <= m_done) return;
        m_progress.addDone(amount - m_done);
        m_done = amount;
    }

private:
    ProgressSlot& m_progress;
    bool m_hasTotal = false;
    std::uint64_t m_total = 0, m_done = 0;
};

}  // namespace altiscope::remote
