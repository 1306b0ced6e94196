#include "core/store/raw/sample_records.h"

#include <string_view>

namespace altiscope {

std::string_view markKindName(MarkRecord::Kind kind) {
    switch (kind) {
    case MarkRecord::Kind::Marker: return "marker";
    case MarkRecord::Kind::PushPop: return "push/pop";
    case MarkRecord::Kind::StartEnd: return "start/end";
    case MarkRecord::Kind::StreamMarker: return "marker_ex";
    case MarkRecord::Kind::Unknown: break;
    }
    return {};
}

std::int64_t markConnection(const MarkRecord& mark) {
    return mark.number == MarkRecord::kNoNumber ? kFirstMarkConnection : streamMarkConnection(mark.number);
}

std::int64_t streamMarkConnection(std::uint64_t number) {
    // The vendor counts from the next one on. Numbers wrap, so that any sum is one.
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(kFirstMarkConnection) + 1 + number);
}

}  // namespace altiscope
