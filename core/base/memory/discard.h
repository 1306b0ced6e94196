#pragma once

#include "core/base/values/cancel.h"

#include <memory>
#include <new>
#include <tuple>
#include <utility>

namespace altiscope {

/// Destroys an object a moment later on a thread of its own, or here where there is no thread to be had: millions of
/// small pieces of memory take longer to free than who cancelled should wait. For plain memory alone: when it happens,
/// and whether it does before the program ends, must not matter to anybody (not for what owns files). Any thread.
void discardAside(std::shared_ptr<const void> object);

/// discardAside() of objects that are moved from, where there is memory for that.
template <class... Objects>
void moveAside(Objects&... objects) {
    try {
        discardAside(std::make_shared<const std::tuple<Objects...>>(std::move(objects)...));
    } catch (const std::bad_alloc&) {
        return;  // Their owner destroys them.
    }
}

/// Put after large objects of a function that can be cancelled: if it was when the function returns, however it
/// returns, they are discarded aside. Destroys nothing itself otherwise.
template <class... Objects>
class DiscardOnCancel {
public:
    /// @param objects  Declared before, so that they live longer. Moved from at the end.
    explicit DiscardOnCancel(const CancelToken& cancel, Objects&... objects)
        : m_cancel(cancel), m_objects(objects...) {}
    DiscardOnCancel(const DiscardOnCancel&) = delete;
    DiscardOnCancel& operator=(const DiscardOnCancel&) = delete;
    ~DiscardOnCancel() {
        if (m_cancel.cancelled()) std::apply([](Objects&... objects) { moveAside(objects...); }, m_objects);
    }

private:
    const CancelToken& m_cancel;
    std::tuple<Objects&...> m_objects;
};

}  // namespace altiscope
