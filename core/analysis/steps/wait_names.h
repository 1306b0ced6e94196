#pragma once

#include <array>
#include <string_view>

namespace altiscope {

/// Names of tasks of the device that wait, for an event or a notification, as each source writes them. Sources:
/// core/import/raw_records/FORMAT.md, core/import/communication/FORMAT.md.
inline constexpr auto kWaitNames =
    std::to_array<std::string_view>({"EVENT_WAIT", "EVENT_WAIT_SQE", "Event Wait", "Event_Wait", "Notify_Wait",
                                     "NOTIFY_WAIT_SQE", "Notify Wait", "NOTIFY_WAIT"});

}  // namespace altiscope
