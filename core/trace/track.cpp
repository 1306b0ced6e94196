#include "core/trace/track.h"

namespace altiscope {

std::string_view trackKindName(TrackKind kind) {
    switch (kind) {
    case TrackKind::Python: return "python";
    case TrackKind::Stack: return "stack";
    case TrackKind::Cann: return "cann";
    case TrackKind::Hardware: return "hardware";
    case TrackKind::Communication: return "communication";
    case TrackKind::Overlap: return "overlap";
    case TrackKind::Counter: return "counter";
    case TrackKind::Mstx: return "mstx";
    case TrackKind::Scope: return "scope";
    case TrackKind::Gc: return "gc";
    case TrackKind::Other: return "other";
    }
    return {};
}

std::string_view originName(Origin origin) {
    switch (origin) {
    case Origin::Recorded: return "recorded";
    case Origin::Computed: return "computed";
    }
    return {};
}

}  // namespace altiscope
