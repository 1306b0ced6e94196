#include "core/import/ranks/task_times.h"

#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace altiscope::reader {

namespace {

/// The device in a process id of CANN, (host_pid << 10) | (layer << 5) | device. Traces of 2023 have other ids: a layer
/// that does not agree with the process's place in the order tells them. Source: core/import/trace/FORMAT.md section 4.
std::optional<std::int64_t> deviceInPid(const Track& track) {
    static constexpr std::int64_t kFiveBits = 31;
    const auto pid = wholeNumber(track.pid);
    if (!pid || *pid >> 10 <= 0) return std::nullopt;
    if (track.hasProcessSort && ((*pid >> 5) & kFiveBits) != track.processSort) return std::nullopt;
    const std::int64_t device = *pid & kFiveBits;
    return device == kFiveBits ? std::nullopt : std::optional(device);
}

}  // namespace

std::optional<std::int64_t> deviceOfTrack(const Track& track) {
    static constexpr std::string_view kLabel = "NPU ";
    const std::string_view label = track.labels;
    if (label == "NPU") return deviceInPid(track);
    const auto device = label.starts_with(kLabel) ? wholeNumber(label.substr(kLabel.size())) : std::nullopt;
    return device && *device >= 0 ? device : std::nullopt;
}

bool beginInNearlyAll(std::span<const std::int64_t> begins, TimeRange range, std::int64_t period) {
    const std::int64_t from = range.begin.value, to = range.end.value;
    std::int64_t busy = 0;
    for (auto at = std::lower_bound(begins.begin(), begins.end(), from); at != begins.end() && *at < to;) {
        ++busy;
        at = std::lower_bound(at, begins.end(), from + ((*at - from) / period + 1) * period);
    }
    return busy * 10 >= (to - from) / period * 9;
}

TaskTimes::TaskTimes(const TraceStore& trace, const CancelToken& cancel) : m_cancel(cancel) {
    const TimeRange home = trace.homeRange();
    for (const DepthRun& run : trace.runs()) {
        const Track& track = trace.track({run.track});
        if (track.kind != TrackKind::Hardware) continue;
        const auto begins = trace.columns().begin.span().subspan(run.first, run.count);
        const auto first = std::lower_bound(begins.begin(), begins.end(), home.begin.value);
        const auto last = std::upper_bound(first, begins.end(), home.end.value);
        if (first != last) m_devices[deviceOfTrack(track)].runs.emplace_back(first, last);
    }
}

TaskTimes::Devices::const_iterator TaskTimes::find(std::optional<std::int64_t> device) const {
    const auto own = device ? m_devices.find(device) : m_devices.end();
    if (own != m_devices.end() || m_devices.size() != 1) return own;
    return device && m_devices.begin()->first ? m_devices.end() : m_devices.begin();
}

std::optional<std::int64_t> TaskTimes::last(std::optional<std::int64_t> device) const {
    const auto found = find(device);
    if (found == m_devices.end()) return std::nullopt;
    std::int64_t last = found->second.runs.front().back();
    for (const auto& run : found->second.runs) last = std::max(last, run.back());
    return last;
}

bool TaskTimes::goOn(std::optional<std::int64_t> device, TimeRange range, std::int64_t period) {
    const auto found = find(device);
    if (found == m_devices.end()) return false;
    OfDevice& own = m_devices.at(found->first);
    if (own.begins.empty()) {
        for (const auto& run : own.runs) own.begins.insert(own.begins.end(), run.begin(), run.end());
        parallelSort(std::span(own.begins), std::less<>(), m_cancel);
    }
    return !m_cancel.cancelled() && beginInNearlyAll(own.begins, range, period);
}

}  // namespace altiscope::reader
