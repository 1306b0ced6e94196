#include "core/import/raw_records/raw_frequency.h"

#include "core/base/values/time.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kHertzOfMhz = 1'000'000;

}  // namespace

std::vector<RawFrequency> readRawFrequencies(const RawDeviceFiles& files, const RawSettings& settings,
                                             RawContext& context) {
    std::vector<RawFrequency> changes;
    const RawClock clock = settings.deviceClock();
    std::uint64_t badTimes = 0;
    RawFrequency first{settings.deviceCount.value_or(0), settings.coreHertz};
    for (const RawFileSeries& series : files.series) {
        if (series.stem != "lpmFreqConv.data") continue;
        RawTimeOrder order;
        eachRawRecord(series, kRawFrequency.size, kNoRawMark, context, [&](const char* bytes, std::uint64_t) {
            static constexpr std::uint32_t kMax = 55;
            const RawRecord<kRawFrequency> record(bytes);
            const std::uint32_t count = record.get<"count">();
            bool isWhole = count <= kMax && !isBlankRawRecord(bytes, kRawFrequency.size);
            for (std::uint32_t i = 0; i < std::min(count, kMax); ++i) {
                const std::uint64_t mhz = record.at<"changes">(std::size_t{i} * 2 + 1) & 0xffffffff;
                const std::uint64_t time = record.at<"changes">(std::size_t{i} * 2);
                if (time == 0 && mhz == 0) {
                    isWhole = false;
                    continue;
                }
                const auto wall = clock.wall(time);
                if (!wall) {
                    ++badTimes;
                    continue;
                }
                order.add(*wall);
                changes.push_back({time, mhz * kHertzOfMhz});
            }
            return isWhole;
        });
        order.report(series, context.diagnostics);
    }
    if (badTimes > 0) context.diagnostics.add("raw.bad_time", Severity::Lost, files.name + "/data", {}, {}, badTimes);
    if (changes.empty() && first.hertz == 0) return {};
    std::stable_sort(changes.begin(), changes.end(),
                     [](const RawFrequency& a, const RawFrequency& b) { return a.time < b.time; });
    // The frequency before the device's start held at it, too.
    const auto after = std::find_if(changes.begin(), changes.end(),
                                    [&](const RawFrequency& change) { return change.time >= first.time; });
    if (after != changes.begin()) first.hertz = (after - 1)->hertz;
    changes.erase(changes.begin(), after);
    changes.insert(changes.begin(), first);
    return changes;
}

std::vector<std::pair<std::int64_t, std::uint64_t>> frequencyPoints(const std::vector<RawFrequency>& frequencies,
                                                                    const RawSettings& settings) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> points;
    if (frequencies.empty()) return points;
    const RawClock clock = settings.deviceClock();
    points.emplace_back(settings.wallBegin, settings.coreHertz);
    for (const RawFrequency& one : frequencies) {
        const auto time = clock.wall(one.time);
        if (!time) continue;
        if (*time <= settings.wallBegin) points.front().second = one.hertz;
        else points.emplace_back(*time, one.hertz);
    }
    if (settings.wallEnd > points.back().first) points.emplace_back(settings.wallEnd, points.back().second);
    return points;
}

std::vector<RawBandwidth> readRawBandwidths(const RawDeviceFiles& files, const RawSettings& settings,
                                            RawContext& context) {
    struct Count {
        std::int64_t time;
        std::uint32_t kind, memory;
        std::uint64_t count;
        auto key() const { return std::tie(time, kind, memory); }
    };
    std::vector<RawBandwidth> found;
    std::vector<Count> counts;
    RawTimeOrder order;
    const auto add = [&](std::optional<std::int64_t> time, std::uint32_t kind, std::uint32_t memory,
                         std::uint64_t count) {
        // Reads and writes, of more memories than any device has.
        static constexpr std::uint32_t kMaxKinds = 1, kMaxMemories = 63;
        if (!time || kind > kMaxKinds || memory > kMaxMemories) return false;
        order.add(*time);
        counts.push_back({*time, kind, memory, count});
        return true;
    };
    for (const RawFileSeries& series : files.series) {
        if (series.stem != "hbm.data") continue;
        if (settings.isVersion2) {
            eachRawRecord(series, kRawHbmBytes.size, kNoRawMark, context, [&](const char* bytes, std::uint64_t) {
                const RawRecord<kRawHbmBytes> record(bytes);
                const std::uint64_t time = record.get<"time">();
                return time < static_cast<std::uint64_t>(kMaxTimeNs) &&
                       add(rawRealTime(static_cast<std::int64_t>(time)), record.get<"kind">(), record.get<"memory">(),
                           record.get<"bytes">());
            });
            order.report(series, context.diagnostics);
            continue;
        }
        eachRawRecord(series, kRawHbm.size, kNoRawMark, context, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawHbm> record(bytes);
            return !isBlankRawRecord(bytes, kRawHbm.size) &&
                   add(settings.wallOfSample(record.get<"time">()), record.get<"kind">(), record.get<"memory">(),
                       record.get<"count">());
        });
        order.report(series, context.diagnostics);
    }
    std::stable_sort(counts.begin(), counts.end(), [](const Count& a, const Count& b) { return a.key() < b.key(); });
    const auto others =
        std::unique(counts.begin(), counts.end(), [](const Count& a, const Count& b) { return a.key() == b.key(); });
    if (others != counts.end())
        context.diagnostics.add("raw.repeated", Severity::Lost, files.name + "/data", {}, {{"what", "hbm.data"}},
                                static_cast<std::uint64_t>(counts.end() - others));
    counts.erase(others, counts.end());
    // Each HBM is counted by so many; a record covers the time since the one that many before it.
    const std::size_t distance = settings.memoryKinds >= 2 ? 8 : 4;
    if (counts.size() < distance) return found;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        static constexpr double kMegabytesOfCount = 32.0 / (1 << 20), kNsOfSecond = 1e9;
        const Count& one = counts[i];
        // The first ones are compared with the last ones, as the vendor does it, so that they are 0.
        const Count& before = counts[i >= distance ? i - distance : counts.size() + i - distance];
        const std::int64_t passed = one.time - before.time;
        const auto count = static_cast<double>(one.count);
        const double value =
            passed == 0 ? count : count * kMegabytesOfCount / static_cast<double>(passed) * kNsOfSecond;
        found.push_back({one.time, one.memory, one.kind != 0, std::max(0.0, value)});
    }
    return found;
}

}  // namespace altiscope::reader
