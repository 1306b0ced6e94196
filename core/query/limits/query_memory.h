#pragma once

#include <cstddef>

namespace altiscope {

/// Keeps the memory that SQLite takes for running queries within a limit, for as long as it lives: one for each query.
/// SQLite has one limit for the whole process (sqlite3_hard_heap_limit64); it grows with the number of queries, and
/// leaves room for what other connections held when the first of them began and as much for what they may take
/// meanwhile. Any thread.
class QueryMemory {
public:
    /// Limit of a query, in bytes. Anything that it sorts or groups beyond goes to temporary files.
    static constexpr std::size_t kBytes = std::size_t{176} << 20;

    QueryMemory();
    ~QueryMemory();
    QueryMemory(const QueryMemory&) = delete;
    QueryMemory& operator=(const QueryMemory&) = delete;
};

}  // namespace altiscope
