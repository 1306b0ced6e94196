#pragma once

#include <cstdint>
#include <ctime>

namespace altiscope {

/// Processor time of the calling thread: what its work costs, however busy the machine is.
class ThreadClock {
public:
    ThreadClock() : m_start(now()) {}
    void restart() { m_start = now(); }
    /// Milliseconds since the start.
    std::int64_t elapsed() const { return now() - m_start; }

private:
    static std::int64_t now() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
    }

    std::int64_t m_start;
};

}  // namespace altiscope
