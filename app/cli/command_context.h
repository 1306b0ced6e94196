#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::pack {
class PackSource;
}

namespace altiscope::cli {

class Output;

/// Exit status of the program, as resources/help/reference/command-line.md promises.
enum ExitStatus : int {
    kOk = 0,
    kFailed = 1,
    kWrongUsage = 2,
    kPartialData = 3,
    kGateNotMet = 4,
    kCancelled = 130,
};

/// Options that every command knows; accepted before and after the command.
struct CommonOptions {
    bool json = false;
    bool noCache = false;
    bool diagnostics = false;
    bool strict = false;
    bool quiet = false;
    bool yes = false;          ///< Agrees to whatever needs consent on a host.
    bool remoteFiles = false;  ///< Nothing is put or run on a host.
    unsigned jobs = 0;         ///< Worker threads; 0: one per core.
    std::optional<std::string> cacheDir;
    std::optional<std::string> prefer;  ///< "text" or "db".
};

/// Context that a command gets from main() beside its own words.
struct CommandContext {
    const CommonOptions& options;
    const CancelToken& cancel;  ///< Requested by SIGINT and SIGTERM.
    Output& out;                ///< stdout; results only.
    /// Packs of hosts that are filled as they are read, by path.
    std::map<std::string, std::shared_ptr<const pack::PackSource>> packSources{};
};

/// Writes "altiscope-cli: TEXT" as a line to stderr. Not silenced by --quiet: errors must be seen.
void printMessage(std::string_view text);

/// Prints the sentence of an error to stderr. @return kFailed.
int reportError(const Error& error);

/// Prints what is wrong with the words of a command and its usage line to stderr. @return kWrongUsage.
int reportWrongUsage(std::string_view command, std::string_view sentence);

}  // namespace altiscope::cli
