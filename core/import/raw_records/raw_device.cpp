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

/// Puts starts and ends together; both by key. @return Logs that are left alone.
AloneLogs pairLogs(const Logs& starts, const Logs& ends, std::vector<RawDeviceTask>& tasks, const CancelToken& cancel) {
    AloneLogs alone;
    const auto add = [&tasks](const Log& start, const Log& end) {
        tasks.push_back({start.time, end.time, start.stream, start.task, start.batch, start.type, start.isSubTask,
                         start.isHwts, start.context, start.number});
    };
    std::size_t e = 0;
    std::size_t looks = 0;
    for (std::size_t s = 0; s < starts.size();) {
        if (++looks % kPollEvery == 0 && cancel.cancelled()) return alone;
        std::size_t lastStart = s;
        while (lastStart < starts.size() && sameKey(starts[lastStart], starts[s])) ++lastStart;
        const auto keyLess = [](const Log& a, const Log& b) {
            return std::tie(a.stream, a.task, a.context) < std::tie(b.stream, b.task, b.context);
        };
        for (; e < ends.size() && keyLess(ends[e], starts[s]); ++e) alone.add(ends[e]);
        std::size_t lastEnd = e;
        while (lastEnd < ends.size() && sameKey(ends[lastEnd], starts[s])) ++lastEnd;
        if (lastStart - s == lastEnd - e) {
            for (; s < lastStart; ++s, ++e) {
                if (ends[e].time >= starts[s].time) {
                    add(starts[s], ends[e]);
                    continue;
                }
                alone.add(starts[s]);
                alone.add(ends[e]);
            }
            continue;
        }
        for (; s < lastStart; ++s) {
            for (; e < lastEnd && ends[e].time < starts[s].time; ++e) alone.add(ends[e]);
            const bool isBeforeNext = e < lastEnd && (s + 1 == lastStart || ends[e].time <= starts[s + 1].time);
            if (isBeforeNext) add(starts[s], ends[e++]);
            else alone.add(starts[s]);
        }
        for (; e < lastEnd; ++e) alone.add(ends[e]);
    }
    for (; e < ends.size(); ++e) alone.add(ends[e]);
    return alone;
}

void readHwts(const RawFileSeries& series, RawContext& context, Logs& starts, Logs& ends) {
    eachRawHwtsLog(series, context, [&](const RawHwtsLog& log) {
        (log.isEnd ? ends : starts)
            .push_back({log.time, log.number, kNoContext, log.stream, log.task, 0, log.type, false, true});
    });
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

std::vector<RawDeviceTask> readRawDevice(const RawDeviceFiles& files, bool hasExpandedStreams, RawContext& context,
                                         std::vector<RawAccelerator>* accelerators) {
    static constexpr unsigned kTaskStart = 0, kTaskEnd = 1, kSubStart = 0x22, kSubEnd = 0x23, kFftsPlus = 4;
    // Functions of dies, links and accelerators, of which there are no tasks, and of later generations.
    static constexpr unsigned kAccelerator = 0x1a;
    static constexpr unsigned kOtherFunctions[] = {0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x24, 0x25};
    static constexpr std::uint8_t kFirstTrackKind = 0x0a, kFlip = 0x0e, kLastTrackKind = 0x0f;
    std::uint64_t others = 0;
    Logs starts, ends, subStarts, subEnds;
    std::map<std::uint16_t, std::vector<Flip>> flips;
    const bool hasStars = std::any_of(files.series.begin(), files.series.end(),
                                      [](const RawFileSeries& series) { return series.stem == "stars_soc.data"; });
    for (const RawFileSeries& series : files.series) {
        if (!hasStars && isRawHwtsLog(series.stem)) {
            readHwts(series, context, starts, ends);
        } else if (series.stem == "stars_soc.data") {
            eachRawRecord(
                series, kRawStars.size, kRawStarsMagic, 2, context, [&](const char* bytes, std::uint64_t number) {
                    const RawRecord<kRawStars> record(bytes);
                    const unsigned kind = record.get<"kind">(), function = kind & 0x3f;
                    const bool isTask = function == kTaskStart || function == kTaskEnd,
                               isSub = function == kSubStart || function == kSubEnd;
                    if (!isTask && !isSub) {
                        if (function == kAccelerator) {
                            if (accelerators != nullptr) accelerators->push_back(rawAccelerator(bytes, false));
                            return true;
                        }
                        const bool isKnown = std::find(std::begin(kOtherFunctions), std::end(kOtherFunctions),
                                                       function) != std::end(kOtherFunctions);
                        others += isKnown ? 1 : 0;
                        return isKnown;
                    }
                    Log log{record.get<"time">(),
                            number,
                            kNoContext,
                            0,
                            0,
                            0,
                            static_cast<std::uint8_t>(kind >> 10),
                            isSub};
                    const RawTaskId id =
                        foldedTask(record.get<"stream">(), record.get<"task">(), log.type, hasExpandedStreams);
                    log.stream = id.stream;
                    log.task = id.task;
                    if (isSub) {
                        log.type = record.get<"subtype">();
                        if (record.get<"ffts">() >> 13 == kFftsPlus) log.context = record.get<"context">();
                    }
                    Logs& list = function == kTaskStart  ? starts
                                 : function == kTaskEnd  ? ends
                                 : function == kSubStart ? subStarts
                                                         : subEnds;
                    list.push_back(log);
                    return true;
                });
            if (others > 0)
                context.diagnostics.add("raw.other_logs", Severity::Info, series.slices.front().name, {}, {}, others);
            others = 0;
        } else if (series.stem == "ts_track.data") {
            eachRawRecord(series, kRawTsTrack.size, std::nullopt, 0, context,
                          [&](const char* bytes, std::uint64_t number) {
                              const RawRecord<kRawTsTrack> record(bytes);
                              const std::uint8_t kind = record.get<"kind">();
                              if (kind != kFlip) return kind >= kFirstTrackKind && kind <= kLastTrackKind;
                              const RawTaskId id = foldedTask(record.get<"stream">(), 0, 0, hasExpandedStreams);
                              flips[id.stream].push_back({record.get<"time">(), number, record.get<"task">()});
                              return true;
                          });
        }
    }
    for (auto& [stream, list] : flips)
        parallelSort(
            std::span(list),
            [](const Flip& a, const Flip& b) { return std::tie(a.time, a.number) < std::tie(b.time, b.number); },
            context.cancel);
    numberAll(starts, flips, context.cancel);
    numberAll(subStarts, flips, context.cancel);
    for (Logs* logs : {&starts, &ends, &subStarts, &subEnds})
        sortByNumbers(
            *logs,
            [](const Log& log) {
                return (std::uint64_t{log.stream} << 48) | (std::uint64_t{log.task} << 32) | log.context;
            },
            byKey, context.cancel);
    std::vector<RawDeviceTask> tasks;
    if (context.cancel.cancelled()) return tasks;
    const AloneLogs aloneTasks = pairLogs(starts, ends, tasks, context.cancel);
    const std::uint64_t alone = aloneTasks.count + pairLogs(subStarts, subEnds, tasks, context.cancel).count;
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
