#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// What a sample says of a pool of memory.
enum class MemoryQuantity : std::uint8_t {
    Allocated,
    Reserved,
    Active,
    /// (reserved - allocated) / reserved, in parts of kWholeShare; where both are known and reserved is above 0.
    Fragmentation,
};
inline constexpr std::size_t kMemoryQuantities = 4;
inline constexpr std::int64_t kWholeShare = 1'000'000'000;

/// Min and max of some values; of none, they cross.
struct MemoryExtremes {
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = std::numeric_limits<std::int64_t>::min();

    bool any() const { return min <= max; }
    void add(std::int64_t value);
    void add(const MemoryExtremes& other);
    bool operator==(const MemoryExtremes&) const = default;
};

/// Whose samples a series has.
struct MemoryOwner {
    std::string component;
    std::optional<std::int64_t> device;  ///< Where the rank recorded several; nullopt also for samples that name none.
    std::optional<std::int64_t> stream;  ///< nullopt: of all streams, or of none.

    bool operator==(const MemoryOwner&) const = default;
};

/// The samples of one component of one device, perhaps of one stream alone, by time; of equal times in the order of the
/// source. A value holds until the next sample that has one. Constant; any thread.
class MemorySeries {
public:
    /// Samples of a table of memory_sample, read in place. @param order  Its rows by time.
    MemorySeries(std::shared_ptr<const RowTables> rows, std::vector<std::uint32_t> order, MemoryOwner owner);
    /// Values of one quantity along any axis of integers. @pre places ascend; as many values.
    MemorySeries(MemoryQuantity quantity, std::vector<std::int64_t> places, std::vector<std::int64_t> values);

    const MemoryOwner& owner() const { return m_owner; }
    const std::string& component() const { return m_owner.component; }
    std::optional<std::int64_t> device() const { return m_owner.device; }
    std::optional<std::int64_t> stream() const { return m_owner.stream; }
    std::size_t size() const { return m_size; }
    /// Whether any sample has a value.
    bool has(MemoryQuantity quantity) const { return whole(quantity).any(); }
    MemoryExtremes whole(MemoryQuantity quantity) const;

    TimeNs time(std::size_t sample) const;
    std::optional<std::int64_t> value(MemoryQuantity quantity, std::size_t sample) const;
    /// The first sample at or after `time`; size() if there is none. O(log samples).
    std::size_t firstAt(TimeNs time) const { return firstAt(time, 0, m_size); }
    /// What holds at a time: of the last sample at or before it. O(log samples), more where values are absent for long.
    std::optional<std::int64_t> valueAt(MemoryQuantity quantity, TimeNs time) const;
    /// Of samples [from, to). O(log samples).
    MemoryExtremes extremes(MemoryQuantity quantity, std::size_t from, std::size_t to) const;
    /// The first sample of [from, to) with the largest value; nullopt if none has one. O(samples / 16).
    std::optional<std::size_t> peak(MemoryQuantity quantity, std::size_t from, std::size_t to) const;

    /// The first sample in or after each of `columns` equal parts of a window, and after the window: columns + 1
    /// places. O(columns * log samples). @pre window is not empty; columns > 0.
    std::vector<std::size_t> borders(TimeRange window, int columns) const;
    /// Of each column: its samples and what holds when it begins, so that no spike is lost and columns join. Nothing in
    /// columns before the first sample. O(columns * log samples).
    std::vector<MemoryExtremes> envelope(MemoryQuantity quantity, const std::vector<std::size_t>& borders) const;

private:
    void buildPyramids();
    std::size_t firstAt(TimeNs time, std::size_t from, std::size_t to) const;
    std::optional<std::int64_t> lastBefore(MemoryQuantity quantity, std::size_t from, std::size_t to) const;
    void sumBlocks(std::size_t first, std::size_t last);
    template <class Read>
    void sumSamples(std::size_t firstBlock, std::size_t end, Read read);

    std::shared_ptr<const RowTables> m_rows;
    const RowTable* m_table = nullptr;  // null: the values are in m_times and m_values
    std::vector<std::uint32_t> m_order;
    std::vector<std::int64_t> m_times, m_values;
    MemoryQuantity m_quantity = MemoryQuantity::Allocated;  // of m_values
    MemoryOwner m_owner;
    std::size_t m_size = 0;
    std::array<std::vector<MemoryExtremes>, kMemoryQuantities> m_nodes;  // see core/store/columns/pyramid.h
};

/// The series of a rank.
struct MemorySeriesSet {
    static constexpr std::size_t kMax = 256;

    std::vector<std::shared_ptr<const MemorySeries>> series;  ///< By component, device and stream.
    std::size_t excluded = 0;                                 ///< Series beyond kMax: those with the fewest samples.
};

/// A series for each component, and for each device where the rank recorded several: their sum is nobody's memory.
/// @param byStream  One for each stream of these.
/// @return nullopt if cancelled. O(samples), more where they are not in the order of time; parallel on the arena.
std::optional<MemorySeriesSet> memorySeries(const std::shared_ptr<const RowTables>& rows, bool byStream,
                                            const CancelToken& cancel);

}  // namespace altiscope
