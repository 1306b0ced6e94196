#include "core/import/raw/raw_mindspore.h"

#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/raw/raw_mindspore_words.h"
#include "core/import/raw_files/raw_tlv.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kNoFlow = ~std::uint64_t{0};
constexpr std::string_view kMindsporeProcess = "1", kFlowWord = "flow", kStepWord = "ProfilerStep#";

/// The texts after the fixed part of a record, by type; nullopt where the bytes are no texts.
std::optional<std::vector<std::string_view>> textsAfter(std::string_view value, std::uint32_t fixed) {
    static constexpr std::uint16_t kTypes = 18;
    if (value.size() < fixed) return std::nullopt;
    std::vector<std::string_view> texts(kTypes);
    RawInnerTlvs inner(value.substr(fixed));
    for (RawTlv text; inner.next(text);) {
        if (text.type >= kTypes) return std::nullopt;
        texts[text.type] = text.value;
    }
    return inner.isCut() ? std::nullopt : std::optional(std::move(texts));
}

std::string joinedName(std::string_view module, std::string_view event, std::string_view name) {
    std::string joined(module);
    joined.append("::").append(event).append("::").append(name);
    return joined;
}

/// As the text export names an event.
std::string nameOfRange(const RawRecord<kRawMindsporeRange>& record, const std::vector<std::string_view>& texts) {
    enum : std::size_t { kName = 13, kFullName = 14, kModule = 15, kEvent = 16 };
    if (record.get<"is_stack">() != 0) return std::string(texts[kName]);
    if (record.get<"is_graph">() != 0) return joinedName(texts[kModule], texts[kEvent], texts[kName]);
    if (record.get<"is_stage">() != 0) return std::string(mindsporeStage(record.get<"stage">()));
    if (texts[kName] == kFlowWord) return std::string(texts[kFullName]);
    return joinedName(mindsporeModule(record.get<"module">()), mindsporeEvent(record.get<"event">()), texts[kFullName]);
}

bool isKernelLaunch(std::string_view name) {
    return name.find("KernelLaunch") != std::string_view::npos || name.find("LaunchTask") != std::string_view::npos;
}

}  // namespace

RawClock rawMindsporeClock(const RawSettings& host) {
    static constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    const std::int64_t offset = host.wallBegin - host.monotonicBegin;
    if (!host.hostHertz) return {kNsPerSecond, 0, offset};
    return {*host.hostHertz, host.hostCount, host.hostMonotonic + offset};
}

std::vector<std::pair<SourcePos, std::string>> rawMindsporeInfos(const std::filesystem::path& folder,
                                                                 std::uint32_t file, const CancelToken& cancel) {
    static constexpr std::size_t kCustomInfo = 17;
    std::vector<std::pair<SourcePos, std::string>> infos;
    const RawFrameworkFile source{folder / kRawMindsporeRanges, std::string(kRawMindsporeRanges)};
    std::error_code none;
    if (!std::filesystem::is_regular_file(source.path, none)) return infos;
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    RawTlvFile tlvs(source, context);
    for (RawTlv tlv; tlvs.next(tlv);) {
        const auto texts = textsAfter(tlv.value, kRawMindsporeRange.size);
        // Said, but empty, is not the same.
        if (!texts || (*texts)[kCustomInfo].data() == nullptr) continue;
        infos.emplace_back(rawPosition(file, static_cast<unsigned>(RawRecordKind::MindsporeRange), tlv.byte),
                           repairedUtf8((*texts)[kCustomInfo]));
    }
    std::sort(infos.begin(), infos.end());
    return infos;
}

ProvisionalTrack RawMindspore::track(std::uint64_t thread) {
    const auto [known, isNew] = m_tracks.try_emplace(thread);
    if (!isNew) return known->second;
    const std::string number = std::to_string(thread);
    const SourcePos pos = rawPosition(m_file.number, 0, 0);
    TraceBuilder& builder = m_import.builder;
    builder.setProcessName(kMindsporeProcess, "MindSpore", pos);
    builder.setProcessLabels(kMindsporeProcess, "CPU", pos);
    builder.setProcessSort(kMindsporeProcess, 1, pos);
    builder.setThreadName(kMindsporeProcess, number, "Thread " + number, pos);
    builder.setThreadSort(kMindsporeProcess, number, static_cast<std::int64_t>(thread & INT64_MAX), pos);
    return known->second = m_names.thread(kMindsporeProcess, number);
}

void RawMindspore::add(const Range& range, std::uint64_t byte, const RawClock& clock) {
    const auto begin = clock.wall(range.begin), end = clock.wall(range.end);
    if (range.begin == 0 || !begin || !end || *end < *begin) {
        ++m_badTimes;
        return;
    }
    ++m_events;
    const std::string name = isValidUtf8(range.name) ? range.name : std::string("N/A");
    const SourcePos pos = rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::MindsporeRange), byte);
    const Point point{track(range.thread), *begin, pos};
    if (range.begin == range.end) {
        m_segment.instants.push_back({point.track, point.time, m_names.text(name), pos});
        return;
    }
    if (name == kFlowWord) {
        Ends& flow = m_flows[range.flow];
        flow.begin = point;
        ++flow.begins;
        return;
    }
    if (range.flow != kNoFlow) {
        Ends& flow = m_flows[range.flow];
        flow.end = point;
        ++flow.ends;
    }
    m_segment.slices.add(point.track, *begin, *end - *begin, m_names.text(name),
                         m_names.text(range.isStack ? "python_function" : ""), pos);
    if (name.find(kStepWord) != std::string::npos) {
        if (const auto number = wholeNumber(std::string_view(name).substr(name.rfind('#') + 1)))
            m_steps.push_back({*number, TimeRange{TimeNs{*begin}, TimeNs{*end}}});
    }
    if (isKernelLaunch(name)) m_launches[range.thread].push_back({*begin, *end, pos});
}

void RawMindspore::read(const std::filesystem::path& folder, const std::string& name, const RawClock& clock,
                        RawContext& context) {
    const RawFrameworkFile source{folder / kRawMindsporeRanges, name + '/' + std::string(kRawMindsporeRanges)};
    context.diagnostics.add("reader.experimental", Severity::Info, source.name, {},
                            {{"kind", std::string(kRawMindsporeRanges)}});
    RawTlvFile tlvs(source, context);
    RawProblemCounter bad("raw.bad_record");
    for (RawTlv tlv; tlvs.next(tlv);) {
        static constexpr std::size_t kOldName = 3;
        // Releases number their files' records differently; the structure states what one is.
        if (const auto texts = textsAfter(tlv.value, kRawMindsporeRange.size)) {
            const RawRecord<kRawMindsporeRange> record(tlv.value.data());
            add({record.get<"begin">(), record.get<"end">(), record.get<"thread">(), record.get<"flow">(),
                 nameOfRange(record, *texts), record.get<"is_stack">() != 0},
                tlv.byte, clock);
        } else if (const auto old = textsAfter(tlv.value, kRawOldMindsporeRange.size)) {
            const RawRecord<kRawOldMindsporeRange> record(tlv.value.data());
            add({record.get<"begin">(), record.get<"end">(), record.get<"thread">(), kNoFlow,
                 std::string((*old)[kOldName]), false},
                tlv.byte, clock);
        } else {
            bad.add(tlv.byte);
        }
    }
    bad.flush(source.name, context.diagnostics);
    if (m_badTimes > 0) context.diagnostics.add("raw.bad_time", Severity::Lost, source.name, {}, {}, m_badTimes);
    const ProvisionalText category = m_names.text("async_mindspore");
    for (const auto& [number, flow] : m_flows) {
        if (flow.begins != 1 || flow.ends != 1) continue;
        for (const Point* point : {&flow.begin, &flow.end})
            m_segment.flows.push_back({point->track, point == &flow.begin ? FlowPoint::Start : FlowPoint::Finish,
                                       category, point->time, FlowKey{0, number}, point->pos});
    }
    m_rows = m_segment.slices.size() + m_segment.instants.size();
    m_import.builder.commit(rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::MindsporeRange), 0),
                            std::move(m_segment));
    m_segment = {};
}

void RawMindspore::connect(std::vector<RawLaunchEnd> ends) {
    const auto keyOf = [](const RawLaunchEnd& end) {
        return std::tie(end.launch, end.call, end.kind, end.begin, end.pos);
    };
    std::sort(ends.begin(), ends.end(),
              [&](const RawLaunchEnd& a, const RawLaunchEnd& b) { return keyOf(a) < keyOf(b); });
    const auto byBegin = [](const Launch& a, const Launch& b) { return a.begin < b.begin; };
    for (auto& [thread, launches] : m_launches) std::stable_sort(launches.begin(), launches.end(), byBegin);
    struct Walk {
        std::size_t next = 0;
    };
    std::unordered_map<std::uint64_t, Walk> walks;
    const ProvisionalText category = m_names.text("async_npu");
    std::uint64_t key = 0;
    for (const RawLaunchEnd& end : ends) {
        if (m_import.cancel.cancelled()) return;
        const auto ofThread = m_launches.find(end.thread);
        if (ofThread == m_launches.end()) continue;
        const std::vector<Launch>& launches = ofThread->second;
        std::size_t& next = walks[end.thread].next;
        while (next < launches.size() && launches[next].begin <= end.launch && launches[next].end < end.launch) ++next;
        if (next == launches.size() || launches[next].begin > end.launch) continue;
        m_segment.flows.push_back(
            {track(end.thread), FlowPoint::Start, category, launches[next].begin, FlowKey{0, key}, launches[next].pos});
        m_segment.flows.push_back({end.track, FlowPoint::Finish, category, end.begin, FlowKey{0, key}, end.pos});
        ++key;
    }
    m_import.builder.commit(rawPosition(m_file.number, static_cast<unsigned>(RawRecordKind::MindsporeRange), 1),
                            std::move(m_segment));
    m_segment = {};
}

}  // namespace altiscope::reader
