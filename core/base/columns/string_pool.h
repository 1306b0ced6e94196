#pragma once

#include "core/base/columns/column.h"
#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Constant set of texts, sorted bytewise: the order of ids is the order of texts, and texts with a common prefix have
/// neighbouring ids. Id 0 is always the empty text.
class StringPool {
public:
    StringPool();
    StringPool(Column<std::uint64_t> offsets, Column<char> bytes);

    std::size_t size() const { return m_offsets.size() - 1; }
    std::string_view text(StringId id) const {
        const std::uint64_t begin = m_offsets[id.value];
        return {m_bytes.span().data() + begin, m_offsets[id.value + 1] - begin};
    }
    /// O(log size).
    std::optional<StringId> find(std::string_view text) const;
    /// Ids [first, last) of all texts that begin with `prefix`. O(log size).
    std::pair<StringId, StringId> prefixRange(std::string_view prefix) const;

    const Column<std::uint64_t>& offsets() const { return m_offsets; }
    const Column<char>& bytes() const { return m_bytes; }

private:
    Column<std::uint64_t> m_offsets;  // size() + 1 entries
    Column<char> m_bytes;
};

/// Texts that several workers collect while they read. Each worker goes through a Cache of its own, which meets the
/// shared part only for a text that it has not seen before. Ids are provisional: sealed() says which final id each one
/// becomes.
class SharedStringPool {
public:
    SharedStringPool();
    ~SharedStringPool();
    SharedStringPool(const SharedStringPool&) = delete;
    SharedStringPool& operator=(const SharedStringPool&) = delete;

    /// One worker's fast way to ids. Not thread-safe; as long-lived as the worker likes, at most as the pool.
    class Cache {
    public:
        explicit Cache(SharedStringPool& pool) : m_pool(&pool) {}
        std::uint32_t id(std::string_view text);

    private:
        struct Entry {
            std::uint64_t hash = 0;
            std::string_view text;
            std::uint32_t id = 0;
        };
        void grow();
        SharedStringPool* m_pool;
        std::vector<Entry> m_entries;  // open addressing, power of two
        std::size_t m_used = 0;
    };

    /// All distinct texts so far, by id; they live as long as the pool. Thread-safe.
    std::vector<std::string_view> texts() const;

    struct Sealed {
        StringPool pool;
        std::vector<StringId> finalId; /* by provisional id */
    };
    /// Sorted copy of all texts so far. Thread-safe against concurrent inserts of further texts. Runs on the workers of
    /// the current arena; cancelled, it is not to be used.
    Sealed sealed(const CancelToken& cancel = {}) const;

private:
    std::pair<std::uint32_t, std::string_view> insert(std::string_view text);
    void grow();

    mutable std::mutex m_mutex;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_blockUsed = 0;
    std::size_t m_blockSize = 0;
    std::vector<std::string_view> m_texts;
    // Places of texts by hash: open addressing, power of two. A node for each of some million texts would take longer
    // to free than a cancelled import may.
    struct Place {
        std::uint64_t hash = 0;
        std::uint32_t id = 0;
    };
    std::vector<Place> m_places;
};

}  // namespace altiscope
