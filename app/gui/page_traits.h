#pragma once

#include "views/common/support/view_list.h"

namespace altiscope {

/// What the window has to know of a page.
struct PageTraits {
    bool followsContext = false;  ///< It shows what the bar above the pages says.
    bool choosesRanks = false;    ///< It has a list of ranks of its own, so the bar has none.
    bool choosesSteps = false;    ///< The same of steps.
    bool needsNoCapture = false;  ///< It is of use while no capture is open.
    bool goesIntoReport = false;  ///< What it shows can be put into a report.
};

PageTraits traitsOf(ViewId view);

}  // namespace altiscope
