#pragma once

#include "core/tables/filters/filter_expression.h"
#include "core/tables/sources/table_source.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// A parsed filter made ready for one source, which it keeps a reference to. Any number of threads at a time.
class RowFilter {
public:
    /// Rows that are looked at together: few enough for the processor's cache.
    static constexpr std::size_t kBlock = 4096;

    RowFilter(std::shared_ptr<const TableSource> source, const FilterNode& root);
    ~RowFilter();

    /// Sets mask[i] to 1 where row first + i passes, else to 0. At most kBlock rows.
    void match(std::size_t first, std::span<std::uint8_t> mask) const;
    /// A pattern had too many ways to try for some text, which does not match then.
    bool tooCostly() const { return m_tooCostly.load(std::memory_order_relaxed); }

private:
    struct Test;

    std::unique_ptr<Test> prepared(const FilterNode& node);
    void prepareComparison(const FilterNode& node, Test& test);
    void run(const Test& test, std::size_t first, std::span<std::uint8_t> mask) const;
    void runCells(const Test& test, std::size_t first, std::span<std::uint8_t> mask) const;
    bool matches(const Test& test, std::string_view text) const;
    template <class Passes>
    void runLabels(std::size_t column, std::size_t first, std::span<std::uint8_t> mask, Passes passes) const;
    void runText(const Test& test, std::size_t which, std::size_t first, std::span<std::uint8_t> mask) const;

    std::shared_ptr<const TableSource> m_source;
    std::unique_ptr<Test> m_root;
    mutable std::atomic<bool> m_tooCostly{false};
};

}  // namespace altiscope
