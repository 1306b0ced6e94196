#include "core/base/discard.h"

#include <new>
#include <system_error>
#include <thread>

namespace altiscope {

void discardAside(std::shared_ptr<const void> object) {
    if (object == nullptr) return;
    try {
        std::thread([last = std::move(object)]() mutable { last.reset(); }).detach();
    } catch (const std::system_error&) {
        return;  // No thread: what should have carried it there has destroyed it.
    } catch (const std::bad_alloc&) { return; }
}

}  // namespace altiscope
