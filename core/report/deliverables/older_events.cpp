#include "core/report/deliverables/older_events.h"

#include "core/base/values/parse.h"
#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

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

TimeNs olderSampleTime(std::string_view process, TimeNs time) {
    if (process != "HBM" && process != "LLC") return time;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<double>(time.value),
                                   std::chars_format::scientific);
    // "1.7672256000002002e+18"
    const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
    const std::size_t e = text.find('e');
    const auto power = wholeNumber<std::int64_t>(text.substr(std::min(e, text.size() - 2) + 2));
    if (e == std::string_view::npos || text[e + 1] != '+' || !power || text.front() == '-') return time;
    std::int64_t value = 0;
    std::int64_t left = *power + 1;
    for (const char c : text.substr(0, e)) {
        if (c == '.' || left == 0) continue;
        value = value * 10 + (c - '0');
        --left;
    }
    for (; left > 0; --left) value *= 10;
    return {value};
}

std::string olderCallTime(DurationNs duration) { return exactText(static_cast<double>(duration.value) / 1e9 * 1e6); }

std::int64_t printedLayer(const Track& track, bool isOlder) {
    using Layer = std::pair<std::string_view, std::int64_t>;
    static constexpr Layer kOlder[] = {{"Communication", 17}, {"HBM", 20}, {"Overlap Analysis", 21}};
    static constexpr Layer kCounters[] = {{"NPU MEM", 17},
                                          {"DDR", 18},
                                          {"Acc PMU", 19},
                                          {"HCCS", 20},
                                          {"NIC", 21},
                                          {"RoCE", 22},
                                          {"PCIe", 23},
                                          {"Stars Soc Info", 25},
                                          {"LLC", 27},
                                          {"SIO", 28},
                                          {"Stars Chip Trans", 26},
                                          {"QoS", 29}};
    const std::span<const Layer> layers = isOlder ? std::span<const Layer>(kOlder) : std::span<const Layer>(kCounters);
    if (!isOlder && track.kind != TrackKind::Counter) return track.processSort;
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&track](const auto& one) { return one.first == track.process; });
    return found == layers.end() ? track.processSort : found->second;
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
