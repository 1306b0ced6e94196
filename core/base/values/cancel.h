#pragma once

#include <atomic>
#include <memory>

namespace altiscope {

/// Asks running work to stop. Copies share one flag; any thread may ask and request.
/// Work polls at least every 50 ms and then returns Cancelled.
class CancelToken {
public:
    CancelToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}

    void requestCancel() const { m_flag->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag;
};

}  // namespace altiscope
