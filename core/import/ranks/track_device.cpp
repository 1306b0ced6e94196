#include "core/import/ranks/track_device.h"

#include "core/base/values/parse.h"

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

}  // namespace altiscope::reader
