#include "core/analysis/facts/rank_facts.h"

#include "core/analysis/facts/core_frequency.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/lost_parts.h"
#include "core/analysis/steps/kernel_devices.h"
#include "core/analysis/steps/step_parts.h"
#include "core/analysis/steps/step_use.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace altiscope {

namespace {

StepFacts stepFacts(const StepBreakdown& row) {
    StepFacts facts;
    facts.step = row.step;
    facts.range = row.device;
    facts.isComputed = row.origin == Origin::Computed;
    facts.computing = valueOf(row, StepPart::Computing).value_or(0);
    facts.communication = valueOf(row, StepPart::Communication).value_or(0);
    facts.exposed = valueOf(row, StepPart::Exposed).value_or(0);
    facts.bubble = valueOf(row, StepPart::Bubble).value_or(0);
    facts.free = valueOf(row, StepPart::Free).value_or(0);
    return facts;
}

/// Sums of kernels by the ids of their texts.
void readKernelFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                     const CancelToken& cancel) {
    static constexpr auto kSlice = fixedColumn(RowKind::Kernel, "slice_id");
    static constexpr auto kKind = fixedColumn(RowKind::Kernel, "kind");
    static constexpr auto kName = fixedColumn(RowKind::Kernel, "name");
    static constexpr auto kType = fixedColumn(RowKind::Kernel, "type");
    static constexpr auto kCore = fixedColumn(RowKind::Kernel, "accelerator_core");
    static constexpr auto kBegin = fixedColumn(RowKind::Kernel, "ts");
    static constexpr auto kDuration = fixedColumn(RowKind::Kernel, "dur");
    const RowTable* table = kernelsOfTimeline(rank);
    if (table == nullptr) return;
    const StringPool& texts = rank.rows->texts();
    const auto communication = texts.find("communication"), aiCpu = texts.find("AI_CPU");
    const TraceStore* trace = hasEvents(rank) ? rank.trace.get() : nullptr;
    const CoreFrequency frequency = trace == nullptr ? CoreFrequency() : coreFrequency(*trace, facts.device);
    const bool dropped = frequency.lowest < frequency.highest && frequency.lowest >= 0;
    const bool isFrequency = frequency.isPlausible();
    facts.highestMhz = isFrequency ? static_cast<std::int64_t>(frequency.highest) : 0;
    facts.lowestMhz = isFrequency ? static_cast<std::int64_t>(frequency.lowest) : 0;
    const StepSums sums(trace, steps, StepSums::Clock::Device);
    const KernelDevices devices(rank);
    std::unordered_map<std::uint32_t, KernelFacts> byName;
    std::unordered_map<std::uint32_t, StringId> typeOf;  // by name
    for (std::size_t row = 0; row < table->size(); ++row) {
        if ((row & 0xffffU) == 0 && cancel.cancelled()) return;
        const auto kind = table->text(kKind, row);
        if (kind && communication && *kind == *communication) continue;
        const auto duration = table->integer(kDuration, row);
        const auto name = table->text(kName, row);
        if (!duration || !name || (facts.device && devices.of(row) != facts.device)) continue;
        KernelFacts& kernel = byName[name->value];
        if (const auto type = table->text(kType, row)) typeOf.try_emplace(name->value, *type);
        ++kernel.count;
        addSaturated(kernel.total, *duration);
        ++facts.kernelCount;
        const auto place = trace == nullptr ? std::nullopt : table->integer(kSlice, row);
        const auto printed = printedTime(table->integer(kBegin, row), duration);
        if (!place && !printed) continue;
        const SliceIndex slice{static_cast<std::uint32_t>(place.value_or(0))};
        const TimeRange range = place ? TimeRange{trace->begin(slice), trace->end(slice)} : *printed;
        const auto add = [&](Occurrences& to, std::int64_t amount) {
            if (place) sums.add(to, slice, amount);
            else sums.addUnseen(to, range, amount);
        };
        const auto core = table->text(kCore, row);
        const bool onAiCpu = core && aiCpu && *core == *aiCpu;
        if (onAiCpu) {
            const auto type = table->text(kType, row);
            add(facts.aiCpu[std::string(type ? texts.text(*type) : texts.text(*name))], *duration);
        }
        if (*duration < kTinyKernelNs) add(facts.tinyKernels, *duration);
        if (!dropped || onAiCpu) continue;
        const double loss = frequency.lossAt(range.begin, frequency.highest);
        if (loss > 0) add(facts.frequencyLoss, static_cast<std::int64_t>(static_cast<double>(*duration) * loss));
    }
    for (const auto& [name, kernel] : byName) {
        KernelFacts& sum = facts.kernels[std::string(texts.text(StringId{name}))];
        sum.count += kernel.count;
        addSaturated(sum.total, kernel.total);
        if (const auto type = typeOf.find(name); type != typeOf.end()) sum.type = texts.text(type->second);
    }
}

/// Of rows of several devices those of one: of `device`, or of the busiest, which `device` becomes.
std::vector<StepBreakdown> ofOneDevice(std::vector<StepBreakdown> rows, std::optional<std::int64_t>& device) {
    const std::size_t all = rows.size();
    if (device) {
        std::erase_if(rows, [&](const StepBreakdown& row) { return row.deviceNumber != device; });
        return rows;
    }
    rows = ofBusiestDevice(std::move(rows));
    if (rows.size() < all) device = rows.front().deviceNumber;
    return rows;
}

bool showsHost(const TraceStore& trace) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const TrackKind kind = trace.tracks()[t].kind;
        if ((kind == TrackKind::Python || kind == TrackKind::Cann) && trace.extent({t}).sliceCount > 0) return true;
    }
    return false;
}

/// Whether a rank's device is an NPU: any program may write the format of Chrome, for any device.
bool isOfNpu(const RankEntry& rank) {
    if (rank.info.framework != Framework::Chrome) return true;
    if (!hasEvents(rank)) return false;
    const auto& tracks = rank.trace->tracks();
    return std::any_of(tracks.begin(), tracks.end(), [](const Track& track) {
        return track.kind == TrackKind::Cann || track.process == "Ascend Hardware";
    });
}

/// The steps of a rank with computed times, one entry for each span, so that places agree. Kernels alone may not be all
/// that a device did: recorded times count before theirs. Of a timeline that was cut off, recorded times count alone; a
/// step whose computed times are not the recorded ones has none.
std::vector<StepFacts> stepsOf(const CaptureStore& capture, const RankEntry& rank, const DeviceActivity& activity,
                               RankFacts& facts) {
    std::map<std::optional<std::int64_t>, StepBreakdown> recorded, computed;
    for (const StepBreakdown& row : ofOneDevice(computeBreakdown(activity), facts.device))
        computed.emplace(row.step, row);
    for (const StepBreakdown& row : recordedBreakdown(rank))
        if (!facts.device || !row.deviceNumber || row.deviceNumber == facts.device) recorded.emplace(row.step, row);
    const bool isCut = hasCutTimeline(capture, rank.info);
    std::vector<StepFacts> steps;
    for (const StepSpan& span : activity.steps) {
        const auto own = computed.find(span.step), stated = recorded.find(span.step);
        const bool isStated = stated != recorded.end(), isOwn = own != computed.end();
        StepFacts step;
        if (isCut || !facts.hasEvents) {
            if (isStated) step = stepFacts(stated->second);
            else if (isOwn && !isCut) step = stepFacts(own->second);
            else step.isIncomplete = isCut;
        } else if (isOwn) {
            const StepBreakdown* const known = isStated ? &stated->second : nullptr;
            if (soundnessOf(own->second, known, span.lacksKernels) == StepUse::Counts) step = stepFacts(own->second);
            else step.isIncomplete = true;
        } else {
            step.isIncomplete = span.lacksKernels;
        }
        if (isOwn) step.range = own->second.device;
        step.step = span.step;
        steps.push_back(std::move(step));
    }
    return steps;
}

/// What to call a rank whose number is not known.
std::string pathOf(const CaptureStore& capture, const RankInfo& info) {
    if (info.path != ".") return info.path;
    std::string_view path = capture.path;
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    path = path.substr(path.rfind('/') + 1);
    // A pack is called as its capture was.
    constexpr std::string_view kPack = ".altipack";
    if (path.ends_with(kPack)) path.remove_suffix(kPack.size());
    return std::string(path);
}

}  // namespace

std::optional<RankFacts> readRankFacts(const CaptureStore& capture, RankIndex index,
                                       const std::optional<DeviceActivity>& activity, const CaptureGroups& groups,
                                       const CancelToken& cancel) {
    const RankEntry& rank = capture.ranks[index.value];
    RankFacts facts;
    facts.rankId = rank.info.rankId;
    facts.path = pathOf(capture, rank.info);
    facts.place = rank.info.place;
    facts.host = rank.info.host;
    static constexpr std::string_view kVariables = "ENV_VARIABLES.";
    for (const auto& [key, value] : rank.info.metadata) {
        if (key.starts_with(kVariables) && !value.empty())
            facts.environment.emplace_back(key.substr(kVariables.size()), value);
    }
    for (const MissingData& missing : rank.info.missing) facts.missing.emplace_back(missing.what, missing.switchName);
    facts.hasEvents = hasEvents(rank);
    facts.hasHostEvents = facts.hasEvents && showsHost(*rank.trace);
    facts.isNpu = isOfNpu(rank);
    // Numbers of another recording cannot be compared with the steps of this one.
    if (!isOfAnotherRecording(rank, RowKind::Collective)) {
        readTransferFacts(rank, groups, facts, cancel);
        readLongCollectives(rank, facts, cancel);
    }
    if (rank.rows != nullptr) readSnapshotFacts(rank.rows, rank.steps, facts, cancel);
    if (!hasComputation(rank)) {
        for (const StepBreakdown& row : ofOneDevice(recordedBreakdown(rank), facts.device))
            facts.steps.push_back(stepFacts(row));
        return facts;
    }
    if (!activity) return std::nullopt;
    facts.steps = stepsOf(capture, rank, *activity, facts);
    readKernelFacts(rank, activity->steps, facts, cancel);
    readCoreFacts(rank, activity->steps, facts, cancel);
    readSequenceFacts(rank, activity->steps, facts, cancel);
    readShapeFacts(rank, activity->steps, facts, cancel);
    readPaceFacts(rank, activity->steps, facts, cancel);
    readContentionFacts(rank, *activity, facts, cancel);
    if (facts.hasEvents) {
        facts.range = rank.trace->homeRange();
        readHostFacts(*rank.trace, *activity, facts, cancel);
        readFusibleCalls(*rank.trace, activity->steps, facts, cancel);
        readCollectiveFacts(rank, groups, *activity, facts, cancel);
    }
    readMemoryFacts(rank, activity->steps, facts, cancel);
    if (cancel.cancelled()) return std::nullopt;
    return facts;
}

}  // namespace altiscope
