#pragma once

#include "core/base/files/file.h"
#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/import/raw_files/raw_files.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace altiscope::reader {

/// Where readers of raw files run: what one of them may touch.
struct RawContext {
    Diagnostics& diagnostics;  ///< Those of the calling thread.
    ProgressSlot& progress;
    const CancelToken& cancel;
};

/// Counts records of one slice with one kind of trouble; keeps the first places.
class RawProblemCounter {
public:
    explicit RawProblemCounter(std::string_view code, Severity severity = Severity::Lost)
        : m_code(code), m_severity(severity) {}
    void add(std::uint64_t byte) {
        if (m_places.size() < Diagnostic::kSamples) m_places.push_back(byte);
        ++m_count;
    }
    std::uint64_t count() const { return m_count; }
    /// Hands over what was counted under the name of a file and begins anew.
    void flush(std::string_view file, Diagnostics& diagnostics);

private:
    std::string_view m_code;
    Severity m_severity;
    std::vector<std::uint64_t> m_places;
    std::uint64_t m_count = 0;
};

/// Looks at the times of a sampler's records, which come one after the other.
class RawTimeOrder {
public:
    void add(std::int64_t time) {
        if (time < m_last) ++m_outOfOrder;
        m_last = time;
    }
    /// "raw.out_of_order" (repaired): records that are earlier than the one before them; they are used at their times.
    void report(const RawFileSeries& series, Diagnostics& diagnostics) const {
        if (m_outOfOrder > 0 && !series.slices.empty())
            diagnostics.add("raw.out_of_order", Severity::Repaired, series.slices.front().name, {}, {}, m_outOfOrder);
    }

private:
    std::int64_t m_last = INT64_MIN;
    std::uint64_t m_outOfOrder = 0;
};

/// The mark of each record of a series, and its offset in the record. Without a value records have none.
struct RawMark {
    std::optional<std::uint16_t> value{};
    std::uint32_t offset = 0;
};

inline constexpr RawMark kNoRawMark{}, kRawHostMark{kRawHostMagic, 0}, kRawStarsMark{kRawStarsMagic, 2};

/// Reads the slices of a series one after the other in blocks of whole records. A record that is cut by the border of
/// two slices is put together; one that is cut by the end of the last slice, or by a slice that begins anew, is
/// dropped: "raw.cut" (lost). After what is missing, a slice or the end of one, reading goes on with the first mark;
/// records without marks go on where the sizes of the slices say. Memory: one block.
class RawBlocks {
public:
    struct Block {
        const char* bytes = nullptr;  ///< `count` whole records.
        std::size_t count = 0;
        const RawSlice* slice = nullptr;
        std::uint64_t byte = 0;    ///< In the slice, of the first one; of a record over a border: 0.
        std::uint64_t number = 0;  ///< Number of the first one among all records of the series.
    };

    RawBlocks(const RawFileSeries& series, std::uint32_t recordSize, RawMark mark, RawContext& context)
        : m_series(series), m_size(recordSize), m_mark(mark), m_context(context) {}

    /// @return False at the end, or if cancelled. The block is valid until the next call.
    bool next(Block& block);

private:
    bool openNext();
    /// Finds the first record of a slice after something that is missing. @param begin  Bytes of a record that lay
    /// before the slice, as far as it is known.
    void beginAfterGap(std::uint64_t begin);
    bool fill(std::size_t bytes);
    /// Whether a record begins at a byte of the bytes at hand, as far as its mark shows.
    bool isRecordAt(std::size_t byte) const;
    void dropRest();

    const RawFileSeries& m_series;
    const std::uint32_t m_size;
    const RawMark m_mark;
    RawContext& m_context;
    std::optional<ReadOnlyFile> m_file;
    std::size_t m_slice = 0;     ///< Index of the next slice.
    std::uint64_t m_offset = 0;  ///< Offset of the next byte to read.
    std::uint64_t m_number = 0;
    std::uint64_t m_end = 0;    ///< Bytes of the record that the end of the slice at hand cuts, if nothing is missing.
    bool m_hasGap = false;      ///< The next bytes do not go on with those read last.
    std::vector<char> m_bytes;  ///< The block.
    std::vector<char> m_rest;   ///< Begin of a record whose end is in the next slice.
    const RawSlice* m_restSlice = nullptr;
    std::uint64_t m_restByte = 0;
};

/// How many records of a series to make room for before they are read: as many as its files hold, but of huge ones,
/// which may be full of holes.
inline std::size_t roomForRaw(const RawFileSeries& series, std::uint32_t recordSize) {
    static constexpr std::uint64_t kMax = std::uint64_t{1} << 22;
    std::uint64_t records = 0;
    for (const RawSlice& slice : series.slices) records += std::min(slice.size / recordSize + 1, kMax);
    return static_cast<std::size_t>(std::min(records, kMax));
}

/// Whether a record without mark is of a part of the file that was never written.
inline bool isBlankRawRecord(const char* bytes, std::uint32_t size) {
    return std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; });
}

/// Calls take(bytes, number) for each record of a series that has the mark; others are dropped, and those of which
/// `take`, if it returns something, says that they are none (false): "raw.bad_record" (lost).
/// @return False if cancelled.
template <class Take>
bool eachRawRecord(const RawFileSeries& series, std::uint32_t size, RawMark mark, RawContext& context,
                   const Take& take) {
    RawBlocks blocks(series, size, mark, context);
    RawProblemCounter bad("raw.bad_record");
    RawBlocks::Block block;
    const RawSlice* last = nullptr;
    while (blocks.next(block)) {
        if (last != nullptr && last != block.slice) bad.flush(last->name, context.diagnostics);
        last = block.slice;
        for (std::size_t i = 0; i < block.count; ++i) {
            const char* record = block.bytes + i * size;
            if (mark.value) {
                std::uint16_t value;
                std::memcpy(&value, record + mark.offset, sizeof value);
                if (value != *mark.value) {
                    bad.add(block.byte + i * size);
                    continue;
                }
            }
            if constexpr (std::is_same_v<std::invoke_result_t<const Take&, const char*, std::uint64_t>, bool>) {
                if (!take(record, block.number + i)) bad.add(block.byte + i * size);
            } else {
                take(record, block.number + i);
            }
        }
    }
    if (last != nullptr) bad.flush(last->name, context.diagnostics);
    return !context.cancel.cancelled();
}

}  // namespace altiscope::reader
