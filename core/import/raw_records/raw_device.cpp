#include "core/import/raw_records/raw_device.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/raw_records/raw_hwts.h"
#include "core/import/raw_records/raw_rounds.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>

namespace altiscope::reader {

namespace {

constexpr std::uint32_t kNoContext = 0xffffffff;
constexpr std::size_t kPollEvery = 4096;

struct Flip {
    std::uint64_t time, number;
    std::uint16_t task;
};
struct Log {
    std::uint64_t time, number;
    std::uint32_t context;
    std::uint16_t stream, task, batch;
    std::uint8_t type;
    bool isSubTask, isHwts = false;
};
using Logs = std::vector<Log>;

bool byKey(const Log& a, const Log& b) {
    return std::tie(a.stream, a.task, a.context, a.time, a.number) <
           std::tie(b.stream, b.task, b.context, b.time, b.number);
}
bool keyLess(const Log& a, const Log& b) {
    return std::tie(a.stream, a.task, a.context) < std::tie(b.stream, b.task, b.context);
}
bool sameKey(const Log& a, const Log& b) { return a.stream == b.stream && a.task == b.task && a.context == b.context; }

/// Sorts by a number, then what has the same one by the whole order.
template <class Item, class KeyOf, class Before>
void sortByNumbers(std::vector<Item>& items, const KeyOf& keyOf, const Before& before, const CancelToken& cancel) {
    if (std::is_sorted(items.begin(), items.end(), before)) return;
    const auto order = sortedNumbers(
        items.size(), [&](std::size_t i) { return keyOf(items[i]); }, cancel);
    std::vector<Item> sorted;
    sorted.reserve(items.size());
    for (const KeyedNumber& one : order) sorted.push_back(items[one.number]);
    items = std::move(sorted);
    for (std::size_t first = 0, last = 0; first < items.size() && !cancel.cancelled(); first = last) {
        while (last < items.size() && keyOf(items[last]) == keyOf(items[first])) ++last;
        if (last - first > 1) parallelSort(std::span(items).subspan(first, last - first), before, cancel);
    }
}

/// Says of which round of task numbers the starts of one stream are. @param starts  By time. @param flips  Likewise.
void numberBatches(std::vector<Log*>& starts, const std::vector<Flip>& flips, const CancelToken& cancel) {
    static constexpr std::uint16_t kDestroyed = 0xffff;
    std::size_t count = 0, next = 0;
    std::uint16_t batch = 0;
    RawLastNumbers before;
    for (std::size_t i = 0; i < flips.size(); ++i) {
        if (i % kPollEvery == 0 && cancel.cancelled()) return;
        const Flip& flip = flips[i];
        while (count < starts.size() && starts[count]->time <= flip.time) {
            if (count % kPollEvery == 0 && cancel.cancelled()) return;
            before.add(starts[count++]->task);
        }
        // Without a start before the flip, already the first one is of the next round.
        std::size_t end = count;
        if (count > 0 && flip.task != 0 && flip.task != kDestroyed)
            end = before.lastFrom(std::uint32_t{flip.task} + 1).value_or(0) + 1;
        for (; next < end; ++next) starts[next]->batch = batch;
        ++batch;
    }
    for (; next < starts.size(); ++next) starts[next]->batch = batch;
}

void numberAll(Logs& starts, const std::map<std::uint16_t, std::vector<Flip>>& flips, const CancelToken& cancel) {
    std::map<std::uint16_t, std::vector<Log*>> streams;
    for (Log& log : starts) {
        if (flips.contains(log.stream)) streams[log.stream].push_back(&log);
    }
    for (auto& [stream, logs] : streams) {
        parallelSort(
            std::span(logs),
            [](const Log* a, const Log* b) { return std::tie(a->time, a->number) < std::tie(b->time, b->number); },
            cancel);
        if (cancel.cancelled()) return;
        numberBatches(logs, flips.at(stream), cancel);
    }
}

/// Logs without a partner: how many, and the numbers of the records of the first ones.
struct AloneLogs {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> numbers{};

    void add(const Log& log) {
        ++count;
        const auto at = std::lower_bound(numbers.begin(), numbers.end(), log.number);
        if (at == numbers.end() && numbers.size() == Diagnostic::kSamples) return;
        numbers.insert(at, log.number);
        if (numbers.size() > Diagnostic::kSamples) numbers.pop_back();
    }
};

/// Puts the starts and ends of tasks together.
class LogPairing {
public:
    /// @param starts  By key, like the ends.
    LogPairing(const Logs& starts, const Logs& ends, std::vector<RawDeviceTask>& tasks)
        : m_starts(starts), m_ends(ends), m_tasks(tasks) {}

    /// @return Logs that are left alone.
    AloneLogs run(const CancelToken& cancel);

private:
    /// As many ends as starts of one key: each start has the end of its number.
    void pairInOrder(std::size_t lastStart);
    /// Else each start has the first end that lies between it and the next start.
    void pairByTime(std::size_t lastStart, std::size_t lastEnd);
    void add(const Log& start, const Log& end) {
        m_tasks.push_back({start.time, end.time, start.stream, start.task, start.batch, start.type, start.isSubTask,
                           start.isHwts, start.context, start.number});
    }

    const Logs &m_starts, &m_ends;
    std::vector<RawDeviceTask>& m_tasks;
    std::size_t m_start = 0, m_end = 0;  // the next ones
    AloneLogs m_alone;
};

AloneLogs LogPairing::run(const CancelToken& cancel) {
    std::size_t looks = 0;
    while (m_start < m_starts.size()) {
        if (++looks % kPollEvery == 0 && cancel.cancelled()) return m_alone;
        const Log& first = m_starts[m_start];
        std::size_t lastStart = m_start;
        while (lastStart < m_starts.size() && sameKey(m_starts[lastStart], first)) ++lastStart;
        for (; m_end < m_ends.size() && keyLess(m_ends[m_end], first); ++m_end) m_alone.add(m_ends[m_end]);
        std::size_t lastEnd = m_end;
        while (lastEnd < m_ends.size() && sameKey(m_ends[lastEnd], first)) ++lastEnd;
        if (lastStart - m_start == lastEnd - m_end) pairInOrder(lastStart);
        else pairByTime(lastStart, lastEnd);
    }
    for (; m_end < m_ends.size(); ++m_end) m_alone.add(m_ends[m_end]);
    return m_alone;
}

void LogPairing::pairInOrder(std::size_t lastStart) {
    for (; m_start < lastStart; ++m_start, ++m_end) {
        const Log &start = m_starts[m_start], &end = m_ends[m_end];
        if (end.time >= start.time) {
            add(start, end);
            continue;
        }
        m_alone.add(start);
        m_alone.add(end);
    }
}

void LogPairing::pairByTime(std::size_t lastStart, std::size_t lastEnd) {
    for (; m_start < lastStart; ++m_start) {
        const Log& start = m_starts[m_start];
        for (; m_end < lastEnd && m_ends[m_end].time < start.time; ++m_end) m_alone.add(m_ends[m_end]);
        const bool isBeforeNext =
            m_end < lastEnd && (m_start + 1 == lastStart || m_ends[m_end].time <= m_starts[m_start + 1].time);
        if (isBeforeNext) add(start, m_ends[m_end++]);
        else m_alone.add(start);
    }
    for (; m_end < lastEnd; ++m_end) m_alone.add(m_ends[m_end]);
}

/// Reports logs of the hardware scheduler that are alone, by the file in which they lie.
void reportAloneHwts(const RawDeviceFiles& files, const AloneLogs& alone, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < alone.numbers.size(); ++i) {
        const bool isVector = (alone.numbers[i] & kRawVectorLog) != 0;
        const auto series = std::find_if(files.series.begin(), files.series.end(), [&](const RawFileSeries& one) {
            return isRawHwtsLog(one.stem) && (one.stem == "hwts.aiv_data") == isVector;
        });
        if (series == files.series.end()) continue;
        const RawHwtsPlace place = rawHwtsPlace(*series, alone.numbers[i]);
        // The last one that is named stands for all that follow.
        const std::uint64_t count = i + 1 == alone.numbers.size() ? alone.count - i : 1;
        diagnostics.add("raw.unpaired", Severity::Lost, place.slice, {PlaceUnit::Byte, place.byte}, {{"what", "hwts"}},
                        count);
    }
}

}  // namespace

RawAccelerator rawAccelerator(const char* bytes, bool isWriteFirst) {
    const RawRecord<kRawAccelerator> record(bytes);
    const std::size_t read = isWriteFirst ? 1 : 0, write = 1 - read;
    // The vendor's tables have 32 bits.
    const auto cut = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    return {record.get<"time">(),
            {0, record.get<"accelerator">(), cut(record.at<"rates">(read)), cut(record.at<"rates">(write)),
             cut(record.at<"requests">(read)), cut(record.at<"requests">(write))}};
}

RawTaskId foldedTask(std::uint16_t stream, std::uint16_t task, std::uint8_t type, bool isExpanded) {
    static constexpr unsigned kStreamBits = 0x7ff, kBit12 = 0x1000, kBit13 = 0x2000, kBit15 = 0x8000;
    unsigned s = stream, t = task;
    if (isExpanded) {
        static constexpr std::uint8_t kPlaceHolder = 3, kEventRecord = 4;
        if (type == kPlaceHolder || type == kEventRecord || (s & kBit15) == 0)
            return {static_cast<std::uint16_t>(s & 0x7fff), task};
        return {static_cast<std::uint16_t>(t & 0x7fff), static_cast<std::uint16_t>((t & kBit15) | (s & 0x7fff))};
    }
    if ((s & kBit12) != 0) {
        t = (t & 0x1fff) | (s & 0xe000);
    } else if ((s & kBit13) != 0) {
        const unsigned low = s & 0xfff;
        s = (s & 0xf000) | (t & 0xfff);
        t = (t & 0xf000) | low;
    }
    return {static_cast<std::uint16_t>(s & kStreamBits), static_cast<std::uint16_t>(t)};
}

namespace {

/// Functions of the records of stars_soc.data.
enum StarsFunction : unsigned { kTaskStart = 0, kTaskEnd = 1, kAccelerator = 0x1a, kSubStart = 0x22, kSubEnd = 0x23 };

/// Whether a record is of dies or links, of which there are no tasks, or of a later generation.
bool isOtherFunction(unsigned function) {
    static constexpr unsigned kOthers[] = {0x16, 0x17, 0x18, 0x19, 0x1b, 0x1c, 0x1d, 0x24, 0x25};
    return std::find(std::begin(kOthers), std::end(kOthers), function) != std::end(kOthers);
}

/// The logs of one device while its files are read, and where the rounds of task numbers of its streams end.
class DeviceLogs {
public:
    DeviceLogs(bool hasExpandedStreams, RawContext& context, std::vector<RawAccelerator>* accelerators)
        : m_hasExpandedStreams(hasExpandedStreams), m_context(context), m_accelerators(accelerators) {}

    void readStars(const RawFileSeries& series);
    void readHwts(const RawFileSeries& series);
    void readTrack(const RawFileSeries& series);

    /// Numbers the rounds, then sorts all logs by key.
    void sort();

    Logs starts, ends, subStarts, subEnds;

private:
    /// @return False if the function of the record is not known.
    bool addOther(const char* bytes, unsigned function);
    void addStars(const RawRecord<kRawStars>& record, std::uint64_t number);
    Logs& listOf(unsigned function);

    const bool m_hasExpandedStreams;
    RawContext& m_context;
    std::vector<RawAccelerator>* const m_accelerators;
    std::uint64_t m_others = 0;
    std::map<std::uint16_t, std::vector<Flip>> m_flips;  // by stream
};

void DeviceLogs::readStars(const RawFileSeries& series) {
    m_others = 0;
    eachRawRecord(series, kRawStars.size, kRawStarsMark, m_context, [&](const char* bytes, std::uint64_t number) {
        const RawRecord<kRawStars> record(bytes);
        const unsigned function = record.get<"kind">() & 0x3f;
        const bool isOfTask =
            function == kTaskStart || function == kTaskEnd || function == kSubStart || function == kSubEnd;
        if (!isOfTask) return addOther(bytes, function);
        addStars(record, number);
        return true;
    });
    if (m_others > 0)
        m_context.diagnostics.add("raw.other_logs", Severity::Info, series.slices.front().name, {}, {}, m_others);
}

bool DeviceLogs::addOther(const char* bytes, unsigned function) {
    if (function == kAccelerator) {
        if (m_accelerators != nullptr) m_accelerators->push_back(rawAccelerator(bytes, false));
        return true;
    }
    const bool isKnown = isOtherFunction(function);
    m_others += isKnown ? 1 : 0;
    return isKnown;
}

void DeviceLogs::addStars(const RawRecord<kRawStars>& record, std::uint64_t number) {
    static constexpr unsigned kFftsPlus = 4;
    const unsigned kind = record.get<"kind">(), function = kind & 0x3f;
    const bool isSub = function == kSubStart || function == kSubEnd;
    const auto type = static_cast<std::uint8_t>(kind >> 10);
    Log log{record.get<"time">(), number, kNoContext, 0, 0, 0, type, isSub};
    const RawTaskId id = foldedTask(record.get<"stream">(), record.get<"task">(), log.type, m_hasExpandedStreams);
    log.stream = id.stream;
    log.task = id.task;
    if (isSub) {
        log.type = record.get<"subtype">();
        if (record.get<"ffts">() >> 13 == kFftsPlus) log.context = record.get<"context">();
    }
    listOf(function).push_back(log);
}

Logs& DeviceLogs::listOf(unsigned function) {
    switch (function) {
    case kTaskStart: return starts;
    case kTaskEnd: return ends;
    case kSubStart: return subStarts;
    default: return subEnds;
    }
}

void DeviceLogs::readHwts(const RawFileSeries& series) {
    eachRawHwtsLog(series, m_context, [&](const RawHwtsLog& log) {
        (log.isEnd ? ends : starts)
            .push_back({log.time, log.number, kNoContext, log.stream, log.task, 0, log.type, false, true});
    });
}

void DeviceLogs::readTrack(const RawFileSeries& series) {
    static constexpr std::uint8_t kFirstTrackKind = 0x0a, kFlip = 0x0e, kLastTrackKind = 0x0f;
    eachRawRecord(series, kRawTsTrack.size, kNoRawMark, m_context, [&](const char* bytes, std::uint64_t number) {
        const RawRecord<kRawTsTrack> record(bytes);
        const std::uint8_t kind = record.get<"kind">();
        if (kind != kFlip) return kind >= kFirstTrackKind && kind <= kLastTrackKind;
        const RawTaskId id = foldedTask(record.get<"stream">(), 0, 0, m_hasExpandedStreams);
        m_flips[id.stream].push_back({record.get<"time">(), number, record.get<"task">()});
        return true;
    });
}

void DeviceLogs::sort() {
    const CancelToken& cancel = m_context.cancel;
    for (auto& [stream, list] : m_flips)
        parallelSort(
            std::span(list),
            [](const Flip& a, const Flip& b) { return std::tie(a.time, a.number) < std::tie(b.time, b.number); },
            cancel);
    numberAll(starts, m_flips, cancel);
    numberAll(subStarts, m_flips, cancel);
    const auto keyOf = [](const Log& log) {
        return (std::uint64_t{log.stream} << 48) | (std::uint64_t{log.task} << 32) | log.context;
    };
    for (Logs* logs : {&starts, &ends, &subStarts, &subEnds}) sortByNumbers(*logs, keyOf, byKey, cancel);
}

}  // namespace

std::vector<RawDeviceTask> readRawDevice(const RawDeviceFiles& files, bool hasExpandedStreams, RawContext& context,
                                         std::vector<RawAccelerator>* accelerators) {
    const bool hasStars = std::any_of(files.series.begin(), files.series.end(),
                                      [](const RawFileSeries& series) { return series.stem == "stars_soc.data"; });
    DeviceLogs logs(hasExpandedStreams, context, accelerators);
    for (const RawFileSeries& series : files.series) {
        if (!hasStars && isRawHwtsLog(series.stem)) logs.readHwts(series);
        else if (series.stem == "stars_soc.data") logs.readStars(series);
        else if (series.stem == "ts_track.data") logs.readTrack(series);
    }
    logs.sort();
    std::vector<RawDeviceTask> tasks;
    if (context.cancel.cancelled()) return tasks;
    const AloneLogs aloneTasks = LogPairing(logs.starts, logs.ends, tasks).run(context.cancel);
    const std::uint64_t alone =
        aloneTasks.count + LogPairing(logs.subStarts, logs.subEnds, tasks).run(context.cancel).count;
    if (!hasStars) reportAloneHwts(files, aloneTasks, context.diagnostics);
    else if (alone > 0)
        context.diagnostics.add("raw.unpaired", Severity::Lost, files.name + "/data", {}, {{"what", "stars_soc"}},
                                alone);
    sortByNumbers(
        tasks, [](const RawDeviceTask& task) { return task.begin; },
        [](const RawDeviceTask& a, const RawDeviceTask& b) {
            return std::tie(a.begin, a.number) < std::tie(b.begin, b.number);
        },
        context.cancel);
    return tasks;
}

std::string_view rawDeviceTypeName(const RawDeviceTask& task) {
    static constexpr std::string_view kTasks[] = {"AI_CORE",           "AI_CPU",           "AIV_SQE",
                                                  "PLACE_HOLDER_SQE",  "EVENT_RECORD_SQE", "EVENT_WAIT_SQE",
                                                  "NOTIFY_RECORD_SQE", "NOTIFY_WAIT_SQE",  "WRITE_VALUE_SQE",
                                                  "VQ6_SQE",           "TOF_SQE",          "SDMA_SQE",
                                                  "VPC_SQE",           "JPEGE_SQE",        "JPEGD_SQE",
                                                  "DSA_SQE",           "ROCCE_SQE",        "PCIE_DMA_SQE",
                                                  "HOST_CPU_SQE",      "CDQM_SQE",         "C_CORE_SQE"};
    static constexpr std::string_view kSubTasks[] = {
        "AIC",     "AIV",          "UNKNOWN", "Notify Wait",  "Notify Record",           "Write Value",
        "MIX_AIC", "MIX_AIV",      "SDMA",    "Data Context", "Invalidate Data Context", "Writeback Data Context",
        "AI_CPU",  "Load Context", "UNKNOWN", "DSA"};
    // Other types of its tasks have no name.
    if (task.isHwts) return task.type < 2 ? kTasks[task.type] : "HWTS_TASK";
    if (task.isSubTask) return task.type < std::size(kSubTasks) ? kSubTasks[task.type] : "UNKNOWN";
    return task.type < std::size(kTasks) ? kTasks[task.type] : "UNKNOWN";
}

}  // namespace altiscope::reader
