#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace altiscope {

/// Phase of a job, in the order in which it comes.
enum class ProgressPhase : std::uint8_t { Waiting, Scanning, Expanding, Reading, Sealing, Writing, Querying, Done };

/// One look at a running job. Amounts are bytes unless the job says otherwise; total is 0 while unknown.
struct ProgressValue {
    ProgressPhase phase = ProgressPhase::Waiting;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string file;
};

/// Written by workers, sampled by whoever shows it (10 Hz). No signals, no callbacks. All functions are thread-safe.
class ProgressSlot {
public:
    void setPhase(ProgressPhase phase) { m_phase.store(phase, std::memory_order_relaxed); }
    void addTotal(std::uint64_t amount) { m_total.fetch_add(amount, std::memory_order_relaxed); }
    void addDone(std::uint64_t amount) { m_done.fetch_add(amount, std::memory_order_relaxed); }
    void setFile(std::string file) {
        const std::lock_guard lock(m_mutex);
        m_file = std::move(file);
    }

    ProgressValue sample() const {
        ProgressValue value{m_phase.load(std::memory_order_relaxed),
                            m_done.load(std::memory_order_relaxed),
                            m_total.load(std::memory_order_relaxed),
                            {}};
        const std::lock_guard lock(m_mutex);
        value.file = m_file;
        return value;
    }

private:
    std::atomic<ProgressPhase> m_phase{ProgressPhase::Waiting};
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<std::uint64_t> m_total{0};
    mutable std::mutex m_mutex;
    std::string m_file;
};

}  // namespace altiscope
