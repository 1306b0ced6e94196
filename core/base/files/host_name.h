#pragma once

#include <string>

namespace altiscope {

/// The name that this machine has of itself; empty if the system states none. Any thread.
std::string ownHostName();

}  // namespace altiscope
