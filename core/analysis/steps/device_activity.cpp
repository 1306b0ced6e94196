#include "core/analysis/steps/device_activity.h"

#include "core/analysis/steps/kernel_pieces.h"
#include "core/analysis/steps/lone_launches.h"
#include "core/base/text/ascii.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// The union of one part of a device's busy times over all pieces.
IntervalSet unionOfPieces(std::vector<KernelPiece>& pieces, std::size_t device, IntervalSet KernelBusyTimes::*part,
                          const CancelToken& cancel) {
    std::vector<IntervalSet> parts;
    for (KernelPiece& piece : pieces) {
        if (device < piece.devices.size()) parts.push_back(std::move(piece.devices[device].*part));
    }
    return unionOfParts(std::move(parts), cancel);
}

/// Ranges of the slices of some tracks, all depths, within the home range.
template <class TakesName>
std::vector<TimeRange> slicesOf(const TraceStore& trace, const std::vector<std::uint32_t>& tracks, TakesName takesName,
                                const CancelToken& cancel) {
    std::vector<TimeRange> ranges;
    std::unordered_map<std::uint32_t, bool> taken;
    const TimeRange home = trace.homeRange();
    for (const std::uint32_t t : tracks) {
        if (cancel.cancelled()) break;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const StringId name = trace.nameId({i});
            const auto [known, isNew] = taken.try_emplace(name.value, false);
            if (isNew) known->second = takesName(trace.text(name));
            // What lies far from all other events would leave gaps of years.
            if (!known->second || trace.begin({i}) < home.begin || trace.begin({i}) > home.end) continue;
            ranges.push_back({trace.begin({i}), trace.end({i})});
        }
    }
    return ranges;
}

/// The tracks of each device that may hold what its busy times are made of, in one pass over all tracks.
struct DeviceTracks {
    std::vector<std::uint32_t> groups, streams;
};

std::vector<DeviceTracks> tracksByDevice(const TraceStore& trace, const TraceDevices& devices) {
    std::vector<DeviceTracks> found(devices.count());
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        const bool isGroup = isGroupTrack(track), isStream = isStreamTrack(track);
        if (!isGroup && !isStream) continue;
        const std::size_t device = devices.ofTrack(t);
        if (device >= found.size()) continue;
        if (isGroup) found[device].groups.push_back(t);
        if (isStream) found[device].streams.push_back(t);
    }
    return found;
}

/// When each device was busy: from rows and, where those state nothing, from slices.
std::vector<DeviceBusyTimes> busyTimesOf(const TraceStore* trace, const TraceDevices& devices,
                                         std::vector<KernelPiece>& pieces, const CancelToken& cancel) {
    std::vector<DeviceBusyTimes> busy(devices.count());
    const std::vector<DeviceTracks> tracks =
        trace == nullptr ? std::vector<DeviceTracks>(busy.size()) : tracksByDevice(*trace, devices);
    bool anyKernel = false, anyCollective = false;
    for (std::size_t d = 0; d < busy.size(); ++d) {
        busy[d].device = devices.number(d);
        busy[d].computing = unionOfPieces(pieces, d, &KernelBusyTimes::computing, cancel);
        anyKernel = anyKernel || !busy[d].computing.empty();
        if (trace == nullptr) continue;
        const std::vector<std::uint32_t>& groups = tracks[d].groups;
        busy[d].communication = unionOf(slicesOf(
                                            *trace, groups, [](std::string_view) { return true; }, cancel),
                                        cancel);
        busy[d].receives = slicesOf(
            *trace, groups, [](std::string_view name) { return name.starts_with("hcom_receive"); }, cancel);
        anyCollective = anyCollective || !busy[d].communication.empty();
    }
    for (std::size_t d = 0; d < busy.size(); ++d) {
        if (!anyKernel && trace != nullptr)
            busy[d].computing = unionOf(slicesOf(*trace, tracks[d].streams, isKernelName, cancel), cancel);
        if (!anyCollective) {
            busy[d].communication = unionOfPieces(pieces, d, &KernelBusyTimes::communication, cancel);
            for (const KernelPiece& piece : pieces) {
                if (d >= piece.devices.size()) continue;
                const auto& receives = piece.devices[d].receives;
                busy[d].receives.insert(busy[d].receives.end(), receives.begin(), receives.end());
            }
        }
        std::sort(busy[d].receives.begin(), busy[d].receives.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    }
    return busy;
}

std::vector<StepSpan> stepSpans(const RankEntry& rank, const std::vector<KernelPiece>& pieces) {
    std::map<std::int64_t, StepExtent> extents;
    for (const KernelPiece& piece : pieces) {
        for (const auto& [step, extent] : piece.steps) extents[step].add(extent);
    }
    std::vector<StepSpan> spans;
    if (!extents.empty()) {
        std::map<std::int64_t, std::optional<TimeRange>> hosts;
        for (const Step& step : rank.steps) {
            if (!step.isOfDevice) hosts[step.number] = step.range;
        }
        for (const auto& [number, extent] : extents) {
            StepSpan span{.step = number, .device = {extent.begin, extent.end}, .host = std::nullopt};
            if (const auto host = hosts.find(number); host != hosts.end()) span.host = host->second;
            if (span.host) span.device.end = std::max(span.device.end, span.host->end);
            spans.push_back(span);
        }
    } else {
        for (const Step& step : rank.steps) {
            if (!step.range) continue;
            // Between the iterations of a graph the device may do what is none of them.
            if (step.isOfDevice)
                spans.push_back(
                    {.step = step.number, .device = *step.range, .host = std::nullopt, .freeUntil = step.range->end});
            else spans.push_back({.step = step.number, .device = *step.range, .host = step.range});
        }
    }
    std::sort(spans.begin(), spans.end(),
              [](const StepSpan& a, const StepSpan& b) { return a.device.begin < b.device.begin; });
    const auto repeated = std::unique(spans.begin(), spans.end(), [](const StepSpan& a, const StepSpan& b) {
        return a.device.begin == b.device.begin;
    });
    spans.erase(repeated, spans.end());
    if (extents.empty()) {
        // What comes after the last step on the host is none of it: that may be all of an evaluation.
        for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
            if (spans[i].host) spans[i].device.end = spans[i + 1].device.begin;
        }
        if (!spans.empty() && spans.back().host) spans.back().freeUntil = spans.back().device.end;
    }
    if (spans.empty())
        spans.push_back({.step = std::nullopt, .device = {{-kMaxTimeNs}, {kMaxTimeNs}}, .host = std::nullopt});
    return spans;
}

}  // namespace

bool isKernelName(std::string_view name) {
    static constexpr std::array<std::string_view, 11> kTasks = {
        "memcpy",       "reduce_inline",        "notify_wait",           "notify_record",
        "rdmasend",     "write_value",          "data_context",          "invalidate_data_context",
        "load_context", "inter_processor_sync", "writeback_data_context"};
    constexpr std::size_t kMaxLength = 24;
    std::string word;
    if (name.size() <= kMaxLength) {
        for (const char c : name) word += c == ' ' ? '_' : asciiLower(c);
        if (std::find(kTasks.begin(), kTasks.end(), word) != kTasks.end()) return false;
    }
    return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::optional<std::size_t> DeviceActivity::stepAt(TimeNs time) const {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](TimeNs t, const StepSpan& span) { return t < span.device.begin; });
    if (after == steps.begin()) return std::nullopt;
    const auto found = static_cast<std::size_t>(after - steps.begin()) - 1;
    if (steps[found].device.end < time) return std::nullopt;
    return found;
}

bool hasEvents(const RankEntry& rank) { return rank.trace != nullptr && rank.trace->sliceCount() > 0 && !rank.window; }

bool hasComputation(const RankEntry& rank) {
    return hasEvents(rank) || (!rank.window && rank.rows != nullptr && rank.rows->find(RowKind::Kernel) != nullptr);
}

bool isStreamTrack(const Track& track) {
    return track.kind == TrackKind::Hardware && !track.thread.starts_with("Step Trace") &&
           !track.name.starts_with("Step Trace");
}

bool isGroupTrack(const Track& track) {
    return track.kind == TrackKind::Communication && !track.name.starts_with("Plane") && track.process != "CCU";
}

std::optional<DeviceActivity> readDeviceActivity(const RankEntry& rank, const CancelToken& cancel) {
    if (!hasComputation(rank)) return std::nullopt;
    const TraceStore* trace = hasEvents(rank) ? rank.trace.get() : nullptr;
    const TraceDevices devices(trace, rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel));
    std::vector<KernelPiece> pieces = readKernelPieces(rank, devices, cancel);
    if (cancel.cancelled()) return std::nullopt;
    DeviceActivity activity;
    activity.steps = stepSpans(rank, pieces);
    if (trace != nullptr) markLoneLaunches(*trace, rank.steps, activity.steps);
    activity.devices = busyTimesOf(trace, devices, pieces, cancel);
    if (cancel.cancelled()) return std::nullopt;
    return activity;
}

}  // namespace altiscope
