#include "core/trace/rank.h"

namespace altiscope {

std::string_view frameworkName(Framework framework) {
    switch (framework) {
    case Framework::Torch: return "torch";
    case Framework::MindSpore: return "mindspore";
    case Framework::Cann: return "cann";
    case Framework::Chrome: return "chrome";
    }
    return {};
}

std::string_view sourceKindName(SourceKind kind) {
    switch (kind) {
    case SourceKind::Text: return "text";
    case SourceKind::Db: return "db";
    case SourceKind::Raw: return "raw";
    case SourceKind::Cluster: return "cluster";
    }
    return {};
}

std::string_view rankStateName(RankState state) {
    switch (state) {
    case RankState::Ok: return "ok";
    case RankState::Partial: return "partial";
    case RankState::Raw: return "raw";
    case RankState::Listed: return "listed";
    }
    return {};
}

}  // namespace altiscope
