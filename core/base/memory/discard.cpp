#include "core/base/memory/discard.h"

#include <chrono>
#include <exception>
#include <thread>

namespace altiscope {

namespace {

/// Who was cancelled is on the way out and frees memory too: there is one lock of the allocator, and not always a core
/// for each.
constexpr std::chrono::milliseconds kHeadStart{100};

}  // namespace

void discardAside(std::shared_ptr<const void> object) {
    if (object == nullptr) return;
    try {
        std::thread([last = std::move(object)]() mutable {
            std::this_thread::sleep_for(kHeadStart);
            last.reset();
        }).detach();
    } catch (const std::exception&) {
        return;  // No thread, or no memory for one: what should have carried it there has destroyed it.
    }
}

}  // namespace altiscope
