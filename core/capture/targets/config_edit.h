#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <cstdint>
#include <optional>
#include <string>

namespace altiscope::capture {

/// A configuration on a target as it is. While a capture has changed it, a folder "FILE.altiscope" lies beside it, with
/// whose it is and the file as it was: nobody else changes it then, and what was there can be put back whatever happens
/// here.
struct ConfigText {
    std::optional<std::string> text;  ///< nullopt: there is no such file yet.
    std::string owner;                ///< Whose capture has changed it and not put it back; empty: none.
};

/// @param path  Absolute, as preflight() found it.
/// @return Error "capture.config.unreadable" also for more than 1 MiB.
Result<ConfigText> readConfig(const RemoteShell& shell, const std::string& path);

/// Replaces the file in one step if it still is as it was read, gives it a new time that no watcher overlooks (later
/// than before by a whole second), and reads it back.
/// @param before  As read; nullopt makes the file.
/// @param owner   For others to read: whose capture it is. Its first word is the id of the capture.
/// @param ended   What the tool itself makes of the file at its end, which is no change by others; empty: nothing.
/// @param lastTime  Restored::time of the change before: the job may have seen it, and overlooks what is no later.
/// @return Error "capture.config.busy" (somebody else's capture has changed it), "capture.config.changed" (it is not
///         what was read any more), "capture.config.group"
///         (a copy would not belong to whom the file does), "capture.config.not_written"; the file is as it was then.
Result<Done> writeConfig(const RemoteShell& shell, const std::string& path, const std::optional<std::string>& before,
                         const std::string& after, const std::string& owner, const std::string& ended = {},
                         const std::optional<std::int64_t>& lastTime = {});

/// Result of putting a file back.
struct Restored {
    bool isChangedByOthers = false;  ///< It stays as somebody else has written it.
    std::string written;             ///< Then: what the capture had written, without the ends of its last lines.
    std::string original;            ///< Then: path of the file as it was before, beside it; empty: there was none.
    std::optional<std::int64_t> time = {};  ///< Else: seconds since 1970, the time of what the capture had written.
};

/// Replaces the file in one step if it still is as it was read; its rights, owner and time stay.
/// @return Error "capture.config.changed", also where a copy would not belong to whom the file does.
Result<Done> replaceConfig(const RemoteShell& shell, const std::string& path, const std::string& before,
                           const std::string& after);

/// Puts the file back as it was, with its time and rights; one that did not exist is removed. What somebody else has
/// written meanwhile stays. Does nothing if that was done before. A change that is being made at the same moment does
/// not happen then.
/// @param mayBeUnnamed  A change that was broken off before it said whose it is was ours.
/// @return Error "capture.config.not_restored".
Result<Restored> restoreConfig(const RemoteShell& shell, const std::string& path, const std::string& id,
                               bool mayBeUnnamed);

}  // namespace altiscope::capture
