#pragma once

namespace altiscope {

/// Shares of the time that slowness costs, which some ranks explain: by removal (all but these are slow) and by
/// addition (these alone are). Not clamped to 0 .. 1.
struct LossShare {
    double removal = 0, addition = 0;
};

}  // namespace altiscope
