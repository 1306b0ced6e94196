#include "core/import/raw_records/raw_marks.h"

#include "core/base/text/text.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

/// A part of the message of a mark with a number.
struct MessagePart {
    std::size_t mark = 0;  ///< Place among those with a number.
    std::uint16_t part = 0;
    std::string text;
};

std::string messageOf(const RawRecord<kRawMstx>& record) {
    std::string_view text = record.bytes<"message">(SIZE_MAX);
    text = text.substr(0, text.find('\0'));
    return isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
}

/// Puts the messages of marks together. @return How many parts are missing.
std::uint64_t joinMessages(std::vector<MessagePart>& parts, std::vector<MarkRecord>& marks) {
    std::stable_sort(parts.begin(), parts.end(), [](const MessagePart& a, const MessagePart& b) {
        return std::tie(a.mark, a.part) < std::tie(b.mark, b.part);
    });
    std::uint64_t missing = 0;
    std::size_t next = 0, mark = SIZE_MAX;
    for (MessagePart& part : parts) {
        if (part.mark != mark) next = 0;
        mark = part.mark;
        missing += part.part > next ? part.part - next : 0;
        next = std::size_t{part.part} + 1;
        marks[mark].message += part.text;
    }
    return missing;
}

}  // namespace

std::vector<RawStep> readRawSteps(const RawDeviceFiles& files, RawContext& context) {
    static constexpr std::uint8_t kKind = 0x0A;
    static constexpr std::uint16_t kStreamBits = 0x7ff;
    std::vector<RawStep> steps;
    // Faults of the files are reported by the readers of flips and of the AI CPU.
    Diagnostics unused;
    RawContext own{unused, context.progress, context.cancel};
    for (const RawFileSeries& series : files.series) {
        if (series.stem != "ts_track.data") continue;
        eachRawRecord(series, kRawStepTrace.size, kNoRawMark, own, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawStepTrace> record(bytes);
            if (record.get<"kind">() != kKind) return;
            steps.push_back({record.get<"time">(), record.get<"index">(), record.get<"model">(),
                             static_cast<std::uint16_t>(record.get<"stream">() & kStreamBits), record.get<"task">(),
                             record.get<"tag">()});
        });
    }
    for (const RawFileSeries& series : files.series) {
        static constexpr std::uint32_t kModel = 2;
        if (series.stem != "aicpu.data") continue;
        eachRawRecord(series, kRawAicpuModel.size, kRawHostMark, own, [&](const char* bytes, std::uint64_t) {
            const RawRecord<kRawAicpuModel> record(bytes);
            if (record.get<"kind">() != kModel) return;
            steps.push_back(
                {record.get<"time">(), record.get<"index">(), record.get<"model">(), 0, 0, record.get<"tag">()});
        });
    }
    return steps;
}

std::vector<MarkRecord> readRawMarks(const RawFiles& files, const RawSettings& settings, const RawDictionary& texts,
                                     RawContext& context) {
    std::vector<MarkRecord> marks, numbered;
    if (!settings.hasClock) return marks;
    const RawClock clock = settings.hostClock();
    std::unordered_map<std::uint64_t, std::size_t> known;  // by number: place among those with one
    std::vector<MessagePart> parts;
    RawProblemCounter badTimes("raw.bad_time");
    const auto take = [&](const char* bytes, std::uint64_t at) {
        enum : std::uint16_t { kPlain, kNumbered, kKinds };
        const RawRecord<kRawMstx> record(bytes);
        const std::uint16_t kind = record.get<"kind">();
        if (kind >= kKinds) return false;
        const auto begin = clock.wall(record.get<"begin">()), end = clock.wall(record.get<"end">());
        if (begin && end && *end < *begin) return false;
        if (!begin || !end) {
            badTimes.add(at);
            return true;
        }
        MarkRecord mark;
        mark.begin = *begin;
        mark.end = *end;
        mark.process = record.get<"process">();
        mark.thread = record.get<"thread">();
        const std::uint32_t event = record.get<"event">();
        mark.kind = event < static_cast<std::uint32_t>(MarkRecord::Kind::Unknown) ? static_cast<MarkRecord::Kind>(event)
                                                                                  : MarkRecord::Kind::Unknown;
        if (kind == kPlain) {
            mark.category = record.get<"category">();
            mark.payloadType = record.get<"payload_type">();
            mark.payload = record.get<"payload">();
            mark.messageType = record.get<"message_type">();
            mark.message = messageOf(record);
            marks.push_back(std::move(mark));
            return true;
        }
        mark.number = record.get<"number">();
        const auto [place, isNew] = known.try_emplace(mark.number, numbered.size());
        parts.push_back({place->second, record.get<"part">(), messageOf(record)});
        if (!isNew) return true;
        const std::uint64_t domain = record.get<"domain">();
        mark.domain = texts.contains(domain) ? texts.text(domain) : std::string("invalid");
        numbered.push_back(std::move(mark));
        return true;
    };
    for (const RawFileSeries& series : files.host) {
        if (series.stem == "additional.msproftx") eachRawRecord(series, kRawMstx.size, kRawHostMark, context, take);
    }
    badTimes.flush(files.hostName + "/data", context.diagnostics);
    if (const std::uint64_t missing = joinMessages(parts, numbered); missing > 0)
        context.diagnostics.add("raw.cut", Severity::Lost, files.hostName + "/data/additional.msproftx", {}, {},
                                missing);
    marks.insert(marks.end(), std::make_move_iterator(numbered.begin()), std::make_move_iterator(numbered.end()));
    const std::uint64_t early =
        std::erase_if(marks, [&](const MarkRecord& mark) { return mark.begin < settings.wallBegin; });
    if (early > 0) context.diagnostics.add("raw.early", Severity::Info, files.hostName + "/data", {}, {}, early);
    return marks;
}

std::vector<StreamMark> rawStreamMarks(const std::vector<RawStep>& steps, const RawDeviceFiles& files,
                                       const RawSettings& settings, Diagnostics& diagnostics) {
    static constexpr std::uint16_t kRange = 12;
    std::vector<const RawStep*> found;
    for (const RawStep& step : steps) {
        if (isRawStreamMark(step)) found.push_back(&step);
    }
    std::stable_sort(found.begin(), found.end(), [](const RawStep* a, const RawStep* b) { return a->time < b->time; });
    const auto isMarker = [&settings](const RawStep& step) { return settings.pairsStreamMarks && step.tag != kRange; };
    std::stable_sort(found.begin(), found.end(), [&](const RawStep* a, const RawStep* b) {
        return std::pair(a->index, isMarker(*a)) < std::pair(b->index, isMarker(*b));
    });
    const RawClock clock = settings.deviceClock();
    std::vector<StreamMark> marks;
    std::uint64_t badTimes = 0, unpaired = 0;
    bool isOpen = false;  // the last one has one record yet, and may have another
    for (std::size_t i = 0; i < found.size(); ++i) {
        const RawStep& step = *found[i];
        const auto time = clock.wall(step.time);
        if (!time) {
            ++badTimes;
            continue;
        }
        const bool isAlone = isMarker(step);
        const bool goesOn = !isAlone && isOpen && marks.back().number == step.index;
        if (goesOn) {
            marks.back().end = *time;
            isOpen = !settings.pairsStreamMarks;
            continue;
        }
        if (isOpen && settings.pairsStreamMarks) {
            marks.pop_back();
            ++unpaired;
        }
        marks.push_back({*time, *time, step.index, step.stream, step.task, static_cast<std::uint32_t>(step.model)});
        isOpen = !isAlone;
    }
    if (isOpen && settings.pairsStreamMarks) {
        marks.pop_back();
        ++unpaired;
    }
    const std::string name = files.name + "/data";
    if (badTimes > 0) diagnostics.add("raw.bad_time", Severity::Lost, name, {}, {}, badTimes);
    if (unpaired > 0) diagnostics.add("raw.unpaired", Severity::Lost, name, {}, {{"what", "ts_track"}}, unpaired);
    const std::uint64_t early =
        std::erase_if(marks, [&](const StreamMark& mark) { return mark.begin < settings.wallBegin; });
    if (early > 0) diagnostics.add("raw.early", Severity::Info, name, {}, {}, early);
    return marks;
}

}  // namespace altiscope::reader
