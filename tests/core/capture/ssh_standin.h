#pragma once

#include <string>
#include <string_view>

namespace altiscope::test {

/// A script in the place of OpenSSH, which replies what its configuration is and has no connection to share.
/// @param act  What it does when it is to connect.
inline std::string sshStandIn(std::string_view act) {
    return "#!/bin/sh\n"
           "for word; do\n"
           "  case $word in\n"
           "    -G) printf 'userknownhostsfile known\\nstricthostkeychecking ask\\n'; exit 0 ;;\n"
           "    -O) exit 0 ;;\n"
           "  esac\n"
           "done\n" +
           std::string(act) + "\n";
}

}  // namespace altiscope::test
