#include "core/import/raw_host/raw_task_counters.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Which events make the shares of a task; sums of several.
struct ShareEvents {
    std::initializer_list<std::uint32_t> requests, hits, others;
};

/// Slots of the counters that make the shares of a task.
struct ShareSlots {
    std::vector<std::size_t> requests, hits, others;
};

std::optional<ShareSlots> shareSlots(const ShareEvents& wanted, const std::vector<std::uint32_t>& events) {
    const auto slotsOf = [&events](std::initializer_list<std::uint32_t> list, std::vector<std::size_t>& slots) {
        for (const std::uint32_t event : list) {
            const auto found = std::find(events.begin(), events.end(), event);
            if (found == events.end()) return false;
            slots.push_back(static_cast<std::size_t>(found - events.begin()));
        }
        return true;
    };
    ShareSlots slots;
    if (!slotsOf(wanted.requests, slots.requests) || !slotsOf(wanted.hits, slots.hits) ||
        !slotsOf(wanted.others, slots.others))
        return std::nullopt;
    return slots;
}

std::optional<ShareSlots> cacheSlots(const RawSettings& settings) {
    switch (rawTaskLog(settings.platform)) {
    case RawTaskLog::Stars: return shareSlots({{0xfb, 0xfc}, {0x90, 0x91}, {0x9c}}, settings.cacheEvents);
    case RawTaskLog::Hwts:
        return settings.platform == "1" ? shareSlots({{0x59}, {0x5b}, {0x5c}}, settings.cacheEvents)
                                        : shareSlots({{0x78, 0x79}, {0x6a}, {0x71}}, settings.cacheEvents);
    case RawTaskLog::None: break;
    }
    return std::nullopt;
}

std::optional<ShareSlots> translationSlots(const RawSettings& settings) {
    return shareSlots({{0x8a}, {0x8c, 0x8d}, {0x2}}, settings.translationEvents);
}

/// As Python rounds: of the exact value of the double.
double sixDecimals(double value) {
    static constexpr int kDigits = 6;
    char text[512];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, kDigits);
    return error == std::errc() ? parseReal({text, static_cast<std::size_t>(end - text)}).value_or(value) : value;
}

template <const RawLayout& layout>
TaskShares sharesOf(const RawRecord<layout>& record, const ShareSlots& slots) {
    const auto sum = [&record](const std::vector<std::size_t>& list) {
        long double all = 0;
        for (const std::size_t slot : list) all += static_cast<long double>(record.template at<"counts">(slot));
        return all;
    };
    TaskShares shares{record.template get<"stream">(), record.template get<"task">(), 0, 0, {}};
    const long double requests = sum(slots.requests);
    if (requests == 0) return shares;
    shares.hits = sixDecimals(static_cast<double>(sum(slots.hits) / requests));
    shares.others = sixDecimals(static_cast<double>(sum(slots.others) / requests));
    return shares;
}

std::string samplesTextOf(std::string_view bytes) {
    const std::string_view text = bytes.substr(0, bytes.find('\0'));
    return isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
}

/// Offset that the vendor's program adds to us of the monotonic clock, by the text of its double: thousandths of us.
std::int64_t offsetOf(const RawSettings& settings) {
    static constexpr double kNsOfUs = 1000;
    const double offset =
        static_cast<double>(settings.wallBegin / 1000) - static_cast<double>(settings.monotonicBegin) / kNsOfUs;
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof text, offset, std::chars_format::fixed);
    const std::string_view digits(text, static_cast<std::size_t>(end - text));
    return parseScaled(digits, static_cast<std::int64_t>(kNsOfUs)).value_or(0);
}

/// Microseconds of the monotonic clock as wall time in ns: the digits of the double, then three decimals, halves to the
/// even one.
std::optional<std::int64_t> wallOfDouble(double microseconds, std::int64_t offset) {
    static constexpr double kMax = 4e15;
    static constexpr std::size_t kDecimals = 3;
    if (!(microseconds > -kMax && microseconds < kMax)) return std::nullopt;
    char buffer[512];
    const auto [end, error] =
        std::to_chars(buffer, buffer + sizeof buffer, std::fabs(microseconds), std::chars_format::fixed);
    std::string text(buffer, static_cast<std::size_t>(end - buffer));
    std::size_t point = text.find('.');
    if (point == std::string::npos) {
        point = text.size();
        text += '.';
    }
    text.resize(std::max(text.size(), point + 1 + kDecimals), '0');
    const std::string rest = text.substr(point + 1 + kDecimals);
    const auto parts = parseScaled(std::string_view(text).substr(0, point + 1 + kDecimals), 1000);
    if (!parts) return std::nullopt;
    std::int64_t ns = (microseconds < 0 ? -*parts : *parts) + offset;
    const bool isHalf = !rest.empty() && rest[0] == '5' && rest.find_first_not_of('0', 1) == std::string::npos;
    const bool isMore = !rest.empty() && rest[0] >= '5' && !isHalf;
    if (isMore || (isHalf && ns % 2 != 0)) ns += microseconds < 0 ? -1 : 1;
    return ns > 0 && ns < kMaxRawWallNs ? std::optional(ns) : std::nullopt;
}

class TaskCounterReader {
public:
    TaskCounterReader(const RawSettings& settings, bool hasExpandedStreams, RawContext& context, DeviceSamples& samples)
        : m_settings(settings), m_hasExpandedStreams(hasExpandedStreams), m_context(context), m_samples(samples),
          m_offset(offsetOf(settings)) {}

    void readCaches(const RawFileSeries& series) {
        const std::optional<ShareSlots> slots = cacheSlots(m_settings);
        if (!slots) return;
        eachRawRecord(series, kRawL2Counts.size, kNoRawMark, m_context, [&](const char* bytes, std::uint64_t) {
            if (isBlankRawRecord(bytes, kRawL2Counts.size)) return false;
            m_samples.caches.push_back(sharesOf(RawRecord<kRawL2Counts>(bytes), *slots));
            return true;
        });
    }

    void readSoc(const RawFileSeries& series) {
        enum : std::uint16_t { kCache = 1, kTranslation = 2, kPageFaults = 4 };
        const std::optional<ShareSlots> ofCache = cacheSlots(m_settings), ofTranslation = translationSlots(m_settings);
        std::uint64_t unread = 0;
        eachRawRecord(series, kRawSocCounts.size, kNoRawMark, m_context, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawSocCounts> record(bytes);
            switch (record.get<"kind">()) {
            case kCache:
                if (ofCache) m_samples.caches.push_back(sharesOf(record, *ofCache));
                else ++unread;
                return true;
            case kTranslation:
                if (ofTranslation) m_samples.translations.push_back(sharesOf(record, *ofTranslation));
                else ++unread;
                return true;
            case kPageFaults: {
                const std::uint64_t faults = record.at<"counts">(0);
                // A number beyond the vendor's field counts as 0, as with the vendor.
                m_samples.pageFaults.push_back({record.get<"stream">(),
                                                record.get<"task">(),
                                                faults > UINT32_MAX ? 0 : static_cast<std::uint32_t>(faults),
                                                {}});
                return true;
            }
            default: return false;
            }
        });
        reportUnread(series, unread);
    }

    void readAicpu(const RawFileSeries& series) {
        enum : std::uint32_t { kKernel, kQueue, kModel, kWait, kTurn, kLastTurn, kCollective = 10, kLast = 13 };
        static constexpr std::uint8_t kTypeOfAicpu = 1;
        std::uint64_t unread = 0;
        eachRawRecord(series, kRawAicpu.size, kRawHostMark, m_context, [&](const char* bytes, std::uint64_t) {
            const std::uint32_t kind = RawRecord<kRawAicpu>(bytes).get<"kind">();
            switch (kind) {
            case kKernel: {
                const RawRecord<kRawAicpuKernel> record(bytes);
                const RawTaskId id =
                    foldedTask(record.get<"stream">(), record.get<"task">(), kTypeOfAicpu, m_hasExpandedStreams);
                return addKernel(record, id, unread);
            }
            case kQueue: return addAction(RawRecord<kRawAicpuQueue>(bytes), false);
            // Source of the steps, see readRawSteps.
            case kModel: return true;
            case kWait: return addWait(RawRecord<kRawAicpuWait>(bytes));
            default:
                if (kind > kLast || (kind > kLastTurn && kind < kCollective)) return false;
                ++unread;
                return true;
            }
        });
        reportUnread(series, unread);
    }

    void readOldKernels(const RawFileSeries& series) {
        static constexpr std::uint16_t kKernel = 60, kStreamBits = 0x7ff;
        std::uint64_t unread = 0;
        eachRawRecord(series, kRawOldAicpuKernel.size, kRawHostMark, m_context, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawOldAicpuKernel> record(bytes);
            if (record.get<"kind">() != kKernel) return false;
            const auto stream = static_cast<std::uint16_t>(record.get<"stream">() & kStreamBits);
            return addKernel(record, {stream, record.get<"task">()}, unread);
        });
        reportUnread(series, unread);
    }
    void readOldQueues(const RawFileSeries& series) {
        static constexpr std::uint16_t kQueue = 100;
        eachRawRecord(series, kRawOldAicpuQueue.size, kRawHostMark, m_context, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawOldAicpuQueue> record(bytes);
            return record.get<"kind">() == kQueue && addAction(record, true);
        });
    }

private:
    void reportUnread(const RawFileSeries& series, std::uint64_t unread) {
        if (unread > 0)
            m_context.diagnostics.add("raw.not_read", Severity::Lost, series.slices.front().name, {},
                                      {{"what", series.stem + ": " + std::to_string(unread)}});
    }

    /// Milliseconds of the host's monotonic clock, in the doubles of the vendor's program.
    double millisecondsOf(std::uint64_t count) const {
        static constexpr double kNsOfSecond = 1e9, kMsOfSecond = 1000;
        const double start = static_cast<double>(m_settings.deviceCount.value_or(0)) / kNsOfSecond * kNsOfSecond;
        const auto monotonic =
            static_cast<double>(m_settings.deviceStart() - m_settings.wallBegin + m_settings.monotonicBegin);
        return (static_cast<double>(count) - start) / hertz() * kMsOfSecond + monotonic / kNsOfSecond * kMsOfSecond;
    }
    double hertz() const { return static_cast<double>(std::max<std::uint64_t>(m_settings.deviceHertz.value_or(1), 1)); }

    template <const RawLayout& layout>
    bool addKernel(const RawRecord<layout>& record, RawTaskId id, std::uint64_t& unread) {
        static constexpr double kThousand = 1000;
        // Some records lack the begin or the end.
        if (record.template get<"begin">() == 0 || record.template get<"end">() == 0) return ++unread, true;
        const double begin = millisecondsOf(record.template get<"begin">()),
                     end = millisecondsOf(record.template get<"end">());
        const auto wallBegin = wallOfDouble(begin * kThousand, m_offset),
                   wallEnd = wallOfDouble(end * kThousand, m_offset);
        if (!wallBegin || !wallEnd) return false;
        const auto difference = [](std::uint64_t from, std::uint64_t to) {
            return static_cast<double>(static_cast<std::int64_t>(to - from)) / kThousand * kThousand;
        };
        AicpuKernel& kernel = m_samples.aicpuKernels.emplace_back();
        kernel.begin = *wallBegin;
        kernel.end = *wallEnd;
        kernel.compute = difference(record.template get<"compute">(), record.template get<"copy">());
        kernel.copy = difference(record.template get<"copy">(), record.template get<"copied">());
        kernel.run = (end - begin) * kThousand;
        kernel.dispatch = static_cast<double>(record.template get<"dispatch">()) / kThousand * kThousand;
        kernel.total = static_cast<double>(static_cast<std::int64_t>(record.template get<"finished">() -
                                                                     record.template get<"submitted">())) /
                       hertz() * kThousand * kThousand;
        kernel.stream = id.stream;
        kernel.task = id.task;
        return true;
    }
    template <const RawLayout& layout>
    bool addAction(const RawRecord<layout>& record, bool isOld) {
        // The vendor's program takes the count for ns.
        const std::uint64_t count = record.template get<"time">();
        if (count > static_cast<std::uint64_t>(kMaxRawWallNs)) return false;
        m_samples.queueActions.push_back(
            {static_cast<std::int64_t>(count) + m_offset, samplesTextOf(record.template bytes<"action">(SIZE_MAX)),
             samplesTextOf(record.template bytes<"source">(SIZE_MAX)), record.template get<"size">(), isOld});
        return true;
    }
    bool addWait(const RawRecord<kRawAicpuWait>& record) {
        m_samples.queueWaits.push_back({record.get<"node">() == 1 ? "GetNext_dequeue_wait" : "", record.get<"begin">(),
                                        record.get<"end">(), record.get<"size">()});
        return true;
    }

    const RawSettings& m_settings;
    const bool m_hasExpandedStreams;
    RawContext& m_context;
    DeviceSamples& m_samples;
    const std::int64_t m_offset;
};

/// Older files have names like DATA_PREPROCESS.AICPU, or with ".dev" in between.
std::string_view sampleKindOf(std::string_view stem) {
    for (const std::string_view begin : {"DATA_PREPROCESS.dev.", "DATA_PREPROCESS."}) {
        if (stem.starts_with(begin)) return stem.substr(begin.size());
    }
    return stem;
}

constexpr std::uint32_t numbersOf(std::uint32_t stream, std::uint32_t task) { return stream << 16 | task; }

/// Names kernels of the AI CPU by the tasks during which they ended.
void nameKernels(const RawHost& host, std::span<const RawDeviceTask> tasks, const RawJoined& joined,
                 std::vector<AicpuKernel>& kernels) {
    static constexpr std::uint32_t kAicpuCore = 1;
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const AicpuKernel& a, const AicpuKernel& b) { return a.begin < b.begin; });
    std::map<std::uint32_t, std::vector<const RawJoinedTask*>> ofNumbers;
    for (const AicpuKernel& kernel : kernels) ofNumbers[numbersOf(kernel.stream, kernel.task)];
    for (const RawJoinedTask& task : joined.tasks) {
        const RawDeviceTask& record = tasks[task.place];
        const auto found = ofNumbers.find(numbersOf(record.stream, record.task));
        if (found == ofNumbers.end() || task.host < 0) continue;
        const RawHostTask& launched = host.tasks[static_cast<std::size_t>(task.host)];
        if (host.texts.type(kRawRuntime, launched.type) == "KERNEL_AICPU") found->second.push_back(&task);
    }
    std::map<std::uint32_t, std::size_t> next;  // the first task that has not ended before the kernels
    for (AicpuKernel& kernel : kernels) {
        const std::uint32_t numbers = numbersOf(kernel.stream, kernel.task);
        const std::vector<const RawJoinedTask*>& list = ofNumbers[numbers];
        for (std::size_t& at = next[numbers]; at < list.size(); ++at) {
            if (kernel.end > list[at]->end) continue;
            if (kernel.end < list[at]->begin) break;
            const std::int64_t op = host.tasks[static_cast<std::size_t>(list[at]->host)].op;
            if (op < 0) break;
            const RawOp& described = host.ops[static_cast<std::size_t>(op)];
            if (described.hasCore && described.core == kAicpuCore) kernel.op = host.texts.text(described.name);
            break;
        }
    }
}

}  // namespace

void addRawTaskCounters(const RawDeviceFiles& files, const RawSettings& settings, bool hasExpandedStreams,
                        RawContext& context, DeviceSamples& samples) {
    samples.knowsHits = rawTaskLog(settings.platform) == RawTaskLog::Hwts;
    TaskCounterReader reader(settings, hasExpandedStreams, context, samples);
    for (const std::string_view kind : {"l2_cache.data", "socpmu.data", "aicpu.data", "AICPU", "DP"}) {
        for (const RawFileSeries& series : files.series) {
            if (sampleKindOf(series.stem) != kind || !isReadRawTaskCounter(series.stem, settings)) continue;
            if (kind == "l2_cache.data") reader.readCaches(series);
            else if (kind == "socpmu.data") reader.readSoc(series);
            else if (kind == "aicpu.data") reader.readAicpu(series);
            else if (kind == "AICPU") reader.readOldKernels(series);
            else reader.readOldQueues(series);
        }
    }
}

bool isReadRawTaskCounter(std::string_view stem, const RawSettings& settings) {
    if (stem == "l2_cache.data") return cacheSlots(settings).has_value();
    const bool isStars = rawTaskLog(settings.platform) == RawTaskLog::Stars;
    const std::string_view kind = sampleKindOf(stem);
    return isStars && (kind == "socpmu.data" || kind == "aicpu.data" || kind == "AICPU" || kind == "DP");
}

void nameRawTaskCounters(const RawHost& host, std::int64_t device, std::span<const RawDeviceTask> tasks,
                         const RawJoined& joined, DeviceSamples& samples) {
    samples.hasOperators = !host.ops.empty();
    if (!samples.aicpuKernels.empty()) nameKernels(host, tasks, joined, samples.aicpuKernels);
    if (samples.caches.empty() && samples.translations.empty() && samples.pageFaults.empty()) return;
    // By numbers: when it was launched, and the operator.
    using Launch = std::pair<std::int64_t, std::int64_t>;
    std::unordered_map<std::uint32_t, Launch> last, first;
    const RawTasksOfDevice ofDevice = rawTasksOf(host, device);
    for (std::size_t i = 0; i < host.tasks.size(); ++i) {
        const RawHostTask& task = host.tasks[i];
        if (task.op < 0) continue;
        const std::uint32_t numbers = numbersOf(task.stream, task.task);
        const Launch launch{std::max<std::int64_t>(task.connection, -1), task.op};
        const auto [latest, isNew] = last.try_emplace(numbers, launch);
        if (!isNew) latest->second = std::max(latest->second, launch);
        if (i < ofDevice.first || i >= ofDevice.first + ofDevice.count) continue;
        const auto [earliest, isFirst] = first.try_emplace(numbers, launch);
        if (!isFirst) earliest->second = std::min(earliest->second, launch);
    }
    const auto name = [&host](const std::unordered_map<std::uint32_t, Launch>& launches, auto& records) {
        for (auto& record : records) {
            const auto found = launches.find(numbersOf(record.stream, record.task));
            if (found != launches.end())
                record.op = host.texts.text(host.ops[static_cast<std::size_t>(found->second.second)].name);
        }
    };
    name(last, samples.caches);
    name(last, samples.translations);
    name(first, samples.pageFaults);
}

}  // namespace altiscope::reader
