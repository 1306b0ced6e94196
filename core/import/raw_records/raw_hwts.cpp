#include "core/import/raw_records/raw_hwts.h"

#include "core/trace/raw/raw_layouts.h"

#include <optional>
#include <string>

namespace altiscope::reader {

namespace {

constexpr std::string_view kVectorCores = "hwts.aiv_data";

/// How many records are missing before one, at least: they count to 16 and begin anew.
std::uint64_t missingBefore(std::optional<unsigned> last, unsigned count) {
    static constexpr unsigned kRound = 16;
    return last ? (count + 2 * kRound - *last - 1) % kRound : 0;
}

}  // namespace

bool isRawHwtsLog(std::string_view stem) {
    return stem == "hwts.data" || stem == kVectorCores || stem.starts_with("hwts.log.data.");
}

bool eachRawHwtsLog(const RawFileSeries& series, RawContext& context,
                    const std::function<void(const RawHwtsLog&)>& take) {
    static constexpr unsigned kTagBits = 7, kBegin = 0, kEnd = 1, kStreamBits = 0x7ff;
    const bool isVector = series.stem == kVectorCores;
    if (series.slices.empty()) return !context.cancel.cancelled();
    const std::string& first = series.slices.front().name;
    if (isVector) context.diagnostics.add("reader.experimental", Severity::Info, first, {}, {{"kind", series.stem}});
    // The number has four bits: a log with more than one jump a round is not in the order of its numbers.
    std::optional<unsigned> last;
    std::uint64_t others = 0, jumps = 0, records = 0;
    Diagnostics gaps;
    const bool isWhole =
        eachRawRecord(series, kRawHwts.size, kRawStarsMark, context, [&](const char* bytes, std::uint64_t number) {
            const RawRecord<kRawHwts> record(bytes);
            const unsigned head = record.get<"head">(), tag = head & kTagBits, count = head >> 4;
            if (const std::uint64_t missing = missingBefore(last, count); missing > 0) {
                const RawHwtsPlace place = rawHwtsPlace(series, number);
                gaps.add("raw.log_gap", Severity::Lost, place.slice, {PlaceUnit::Byte, place.byte}, {}, missing);
                ++jumps;
            }
            ++records;
            last = count;
            if (tag != kBegin && tag != kEnd) {
                ++others;
                return;
            }
            RawHwtsLog log;
            log.time = record.get<"time">();
            log.number = isVector ? number | kRawVectorLog : number;
            log.stream = static_cast<std::uint16_t>(record.get<"stream">() & kStreamBits);
            log.task = record.get<"task">();
            log.type = record.get<"type">();
            log.isEnd = tag == kEnd;
            take(log);
        });
    constexpr std::uint64_t kRound = 16;
    if (jumps <= 1 + records / kRound) context.diagnostics.merge(gaps);
    if (others > 0) context.diagnostics.add("raw.other_logs", Severity::Info, first, {}, {}, others);
    return isWhole;
}

RawHwtsPlace rawHwtsPlace(const RawFileSeries& series, std::uint64_t number) {
    std::uint64_t byte = (number & (kRawVectorLog - 1)) * kRawHwts.size;
    for (const RawSlice& slice : series.slices) {
        if (byte < slice.size) return {slice.name, byte};
        byte -= slice.size;
    }
    return series.slices.empty() ? RawHwtsPlace{} : RawHwtsPlace{series.slices.back().name, series.slices.back().size};
}

}  // namespace altiscope::reader
