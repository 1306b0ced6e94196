#pragma once

#include "core/base/columns/column.h"

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace altiscope {

/// Memory for a known number of plain values, not initialised: who makes it writes each of them before reading it.
/// Large ones take up pages only as they are written, by the workers that write them, where a vector would be filled
/// with zeros first.
template <class T>
class RawArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    RawArray() = default;
    explicit RawArray(std::size_t size) : m_values(static_cast<T*>(::operator new(size * sizeof(T)))), m_size(size) {}

    std::size_t size() const { return m_size; }
    T& operator[](std::size_t i) { return m_values.get()[i]; }
    const T& operator[](std::size_t i) const { return m_values.get()[i]; }
    std::span<T> span() { return {m_values.get(), m_size}; }
    std::span<const T> span() const { return {m_values.get(), m_size}; }

    /// The values for good, not copied. Leaves the array empty.
    Column<T> toColumn() && {
        const std::span<const T> view = span();
        m_size = 0;
        return Column<T>(view, std::shared_ptr<const void>(std::move(m_values)));
    }

private:
    struct Free {
        void operator()(T* values) const { ::operator delete(values); }
    };
    std::unique_ptr<T, Free> m_values;
    std::size_t m_size = 0;
};

}  // namespace altiscope
