#include "core/base/files/host_name.h"

#include <array>

#include <unistd.h>

namespace altiscope {

std::string ownHostName() {
    // The system may cut a name without an end.
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

}  // namespace altiscope
