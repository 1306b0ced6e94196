#pragma once

#include "core/base/values/assert.h"
#include "core/base/values/error.h"

#include <optional>
#include <utility>
#include <variant>

namespace altiscope {

/// Outcome of work that can fail or be cancelled: exactly one of value, Error, Cancelled. Asking for the wrong one is
/// a programming error (asserts). Does not convert to bool on purpose: the caller names what it asks.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}
    Result(Cancelled) : m_state(std::in_place_index<2>) {}

    bool ok() const { return m_state.index() == 0; }
    bool failed() const { return m_state.index() == 1; }
    bool cancelled() const { return m_state.index() == 2; }

    const T& value() const& {
        ALTI_ASSERT(ok());
        return *std::get_if<0>(&m_state);
    }
    T& value() & {
        ALTI_ASSERT(ok());
        return *std::get_if<0>(&m_state);
    }
    T&& value() && {
        ALTI_ASSERT(ok());
        return std::move(*std::get_if<0>(&m_state));
    }

    const Error& error() const {
        ALTI_ASSERT(failed());
        return *std::get_if<1>(&m_state);
    }

    /// The same failure for a function that returns another type: `if (!r.ok()) return r.template as<U>();`
    template <class U>
    Result<U> as() const {
        ALTI_ASSERT(!ok());
        if (cancelled()) return Cancelled{};
        return error();
    }

private:
    std::variant<T, Error, Cancelled> m_state;
};

/// The value of a Result that only reports success.
struct Done {};

}  // namespace altiscope
