#pragma once

#include "core/base/values/cancel.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

namespace altiscope {

/// A value that is made once, by whoever asks first; others wait for it. Thread-safe.
template <class Value>
class Lazy {
public:
    /// @param make  Gives an optional<Value>; nullopt if it was cancelled, and then the next one to ask makes it.
    /// @return Null if cancelled, also while waiting for somebody else.
    template <class Make>
    std::shared_ptr<const Value> get(Make make, const CancelToken& cancel) {
        // Somebody else may be making it, for longer than a cancelled caller may take to stop.
        std::unique_lock lock(m_mutex, std::defer_lock);
        // Until a time of the system's clock: the thread sanitizer of g++ 12 does not know the steady clock's waits.
        while (!lock.try_lock_until(std::chrono::system_clock::now() + std::chrono::milliseconds(20)))
            if (cancel.cancelled()) return nullptr;
        if (!m_value) {
            if (auto made = make()) m_value = std::make_shared<const Value>(std::move(*made));
        }
        return m_value;
    }

private:
    std::timed_mutex m_mutex;
    std::shared_ptr<const Value> m_value;
};

}  // namespace altiscope
