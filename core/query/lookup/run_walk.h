#pragma once

#include "core/base/values/ids.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// A stretch of rows whose times ascend: slices of one track and depth, samples of one series, instants of one track.
struct RunPart {
    const std::int64_t* times = nullptr;  ///< Column of the store; rows are places in it.
    std::uint64_t first = 0, last = 0;    ///< [first, last), not empty.
    RankIndex rank{};
    std::uint32_t track = 0;
    std::uint32_t run = 0;     ///< Index of the stretch in the table: of a run, of a series.
    std::uint32_t bucket = 0;  ///< Parts of one bucket are neighbours; only they are merged with each other.
};

/// How to go through the parts of a bucket.
enum class RunOrder : std::uint8_t {
    AsListed,   ///< One part after the other.
    Ascending,  ///< By time; at equal times by place in the list.
    Descending,
};

/// Goes through the rows of many parts. Buckets come in the order of the list. Not thread-safe.
/// Cost: O(1) a row as listed, O(log parts of the bucket) by time.
class RunWalk {
public:
    void start(std::vector<RunPart> parts, RunOrder order);

    bool atEnd() const { return m_part == nullptr; }
    void next() {
        if (m_order != RunOrder::AsListed) return nextByTime();
        if (++m_row == m_part->last) nextPart();
    }

    /// Goes to the first row of the next part. Only as listed.
    void nextPart() {
        ++m_nextPart;
        openPart();
    }

    const RunPart& part() const { return *m_part; }
    std::uint64_t row() const { return m_row; }

private:
    /// A part under way in a merge.
    struct Head {
        std::int64_t time;  ///< Negated when descending: the smallest comes first.
        std::uint32_t part;
        std::uint64_t left;  ///< Rows that are still to come, this one included.
    };
    static bool before(const Head& a, const Head& b) { return a.time != b.time ? a.time < b.time : a.part < b.part; }

    void openPart();
    void openBucket();
    void nextByTime();
    void settle(std::size_t hole);
    Head headOf(std::uint32_t part, std::uint64_t left) const;
    void showTop();

    RunOrder m_order = RunOrder::AsListed;
    std::vector<RunPart> m_parts;
    std::size_t m_nextPart = 0;
    const RunPart* m_part = nullptr;
    std::uint64_t m_row = 0;
    std::vector<Head> m_heap;
};

}  // namespace altiscope
