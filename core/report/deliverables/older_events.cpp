#include "core/report/deliverables/older_events.h"

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Takes a member of an object out that is not its first one.
void dropMember(std::string& json, std::string_view key) {
    const std::size_t begin = json.find(key);
    if (begin == std::string::npos || begin == 0) return;
    const std::size_t end = std::min(json.find_first_of(",}", begin), json.size());
    json.erase(begin - 1, end - (begin - 1));
}

}  // namespace

TimeNs olderTime(const TaskRecords& tasks, const Track& track, TimeNs time) {
    if (track.kind == TrackKind::Cann) return {printedTime(time.value, tasks.host)};
    return {printedTime(time.value, tasks, deviceOfTrack(track))};
}

std::string olderCallTime(DurationNs duration) { return exactText(static_cast<double>(duration.value) / 1e9 * 1e6); }

std::int64_t olderLayer(std::string_view process, std::int64_t own) {
    if (process == "Communication") return 17;
    if (process == "HBM") return 20;
    return process == "Overlap Analysis" ? 21 : own;
}

std::string olderArguments(const Track& track, std::string_view name, std::string_view json) {
    static constexpr std::string_view kCopy = "MEMCPY_ASYNC", kType = "\"Task Type\":\"",
                                      kZero = "\"duration estimated(us)\":0.0";
    std::string text(json);
    if (track.kind == TrackKind::Hardware && name == kCopy) {
        for (const std::string_view key : {"\"size(B)\":", "\"bandwidth(GB/s)\":", "\"operation\":"})
            dropMember(text, key);
        if (const std::size_t type = text.find(kType); type != std::string::npos) {
            const std::size_t begin = type + kType.size();
            text.replace(begin, std::min(text.find('"', begin), text.size()) - begin, kCopy);
        }
    }
    if (track.kind == TrackKind::Communication) {
        for (const std::string_view key : {"\"relay\":", "\"retry\":"}) dropMember(text, key);
    }
    const std::size_t zero = text.find(kZero);
    if (zero == std::string::npos) return text;
    const std::size_t end = zero + kZero.size();
    if (end < text.size() && (text[end] == ',' || text[end] == '}')) text.erase(end - 2, 2);
    return text;
}

}  // namespace altiscope
