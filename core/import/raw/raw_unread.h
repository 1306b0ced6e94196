#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_files/raw_files.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_host/raw_join.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Reports the kinds of files in a PROF folder that no reader knows, once each.
/// @param devices  Their chips decide which logs are read.
/// @param folder   Its name, for the message.
void reportUnreadRawFiles(const RawFiles& files, const std::vector<const RawSettings*>& devices,
                          const std::string& folder, Diagnostics& diagnostics);

/// Reports logs of tasks that a PROF folder lacks: those that the host launched are in one of each device. Light
/// collections and those of samples have neither.
void reportMissingRawLogs(const RawFiles& files, const RawHost& host, const std::string& folder,
                          Diagnostics& diagnostics);

/// Severity of events that ended before the collection began, which are in no export: if most did, a clock is wrong.
Severity severityOfEarly(std::uint64_t early, std::uint64_t all);

/// Reports tasks of a device that only the host or only the device knows, and those that are not drawn.
/// @param tasks        How many tasks the device recorded.
/// @param isHostKnown  The host recorded tasks, too.
/// @param data         The device's folder, for the messages.
void reportLoneTasks(const RawJoined& joined, std::size_t tasks, bool isHostKnown, const std::string& data,
                     Diagnostics& diagnostics);

}  // namespace altiscope::reader
