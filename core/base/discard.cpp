#include "core/base/discard.h"

#include <exception>
#include <thread>

namespace altiscope {

void discardAside(std::shared_ptr<const void> object) {
    if (object == nullptr) return;
    try {
        std::thread([last = std::move(object)]() mutable { last.reset(); }).detach();
    } catch (const std::exception&) {
        return;  // No thread, or no memory for one: what should have carried it there has destroyed it.
    }
}

}  // namespace altiscope
