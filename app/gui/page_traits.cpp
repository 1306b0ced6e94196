#include "app/gui/page_traits.h"

namespace altiscope {

PageTraits traitsOf(ViewId view) {
    switch (view) {
    case ViewId::Overview:
    case ViewId::Timeline:
    case ViewId::Snapshot:
    case ViewId::Cluster:
    case ViewId::Findings: return {.followsContext = true, .goesIntoReport = true};
    case ViewId::Memory:
    case ViewId::Operators: return {.followsContext = true, .choosesRanks = true, .goesIntoReport = true};
    case ViewId::Communication: return {.followsContext = true, .choosesSteps = true, .goesIntoReport = true};
    // It chooses both sides itself.
    case ViewId::Compare: return {.goesIntoReport = true};
    // A statement says by itself what it is about.
    case ViewId::Sql: return {.goesIntoReport = true};
    case ViewId::Report: return {.followsContext = true};
    case ViewId::Capture: return {.needsNoCapture = true};
    }
    return {};
}

}  // namespace altiscope
