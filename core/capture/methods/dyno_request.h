#pragma once

#include "core/capture/methods/settings.h"

#include <string>

namespace altiscope::capture {

/// What the daemon of msMonitor is sent for the settings of a method of Medium::Request: a JSON object, in one line.
/// Every key of the configuration is in it: the job's reader fails without some of them.
///
/// Sources: msmonitor `dynolog_npu/cli/src/commands/nputrace.rs` and `npumonitor.rs`; torch_npu reads the keys in
/// `profiler/_dynamic_profiler_config_context.py`.
std::string dynoRequest(const Settings& settings);

/// The same for the end of what dyno-npumonitor has begun; empty for other methods, which end by themselves.
std::string dynoStopRequest(const Settings& settings);

/// The folder on this machine with the certificates that the daemon is spoken to with, as its client's --certs-dir;
/// empty: without TLS.
std::string certificatesFolder(const Settings& settings);

}  // namespace altiscope::capture
