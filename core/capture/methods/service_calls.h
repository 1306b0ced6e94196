#pragma once

#include "core/capture/methods/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// A POST to a service that runs on the target, sent there: its port need not be open to anybody else.
struct ServiceCall {
    std::string url;
    std::string body;  ///< JSON; empty: none.

    friend bool operator==(const ServiceCall&, const ServiceCall&) = default;
};

/// The call that makes a service record, and the one that ends it. Paths and members: vLLM
/// `entrypoints/serve/profile/api_router.py`, SGLang `entrypoints/http_server.py` and `managers/io_struct.py`.
struct ServiceCalls {
    ServiceCall start, stop;
};
ServiceCalls serviceCalls(const Settings& settings);

/// The calls as lines of a shell, with the time between them.
std::string serviceCallLines(const Settings& settings);

/// Text for /bin/sh that makes the calls: "$1" is a folder of its own; "$2", if given, is "after": it waits until the
/// service answers, as long as the process that started it lives. It ends the recording after the time of the
/// settings, or once a file "stop" lies in that folder; where the service ends it by itself (a number of steps), it
/// ends once a result is there. A second process sees to the end of the recording where this one is killed. Its status
/// is not 0 if the service refused, and says what it said. Needs curl, or Python 3.
std::string serviceScript(const Settings& settings);

/// For --profiler-config: the members that the service reads, as JSON.
std::string profilerConfig(const Settings& settings);

}  // namespace altiscope::capture
