#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// Constant array of plain values: either owns them or looks into memory that somebody else keeps (a mapped cache
/// file). Moving keeps the address of the data. O(1) to pass around as a span.
template <class T>
class Column {
public:
    Column() = default;
    explicit Column(std::vector<T> values)
        : m_owned(std::make_shared<const std::vector<T>>(std::move(values))), m_view(*m_owned) {}
    /// A view on memory that `keepAlive` holds.
    Column(std::span<const T> view, std::shared_ptr<const void> keepAlive)
        : m_keepAlive(std::move(keepAlive)), m_view(view) {}

    std::span<const T> span() const { return m_view; }
    std::size_t size() const { return m_view.size(); }
    std::size_t bytes() const { return m_view.size_bytes(); }
    const T& operator[](std::size_t i) const { return m_view[i]; }
    auto begin() const { return m_view.begin(); }
    auto end() const { return m_view.end(); }

private:
    std::shared_ptr<const std::vector<T>> m_owned;
    std::shared_ptr<const void> m_keepAlive;
    std::span<const T> m_view;
};

}  // namespace altiscope
