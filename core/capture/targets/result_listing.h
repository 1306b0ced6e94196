#pragma once

#include "core/base/values/result.h"
#include "core/capture/methods/outcome.h"
#include "core/capture/targets/remote_shell.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::capture {

struct TargetFile {
    std::string name;  ///< Below its folder, as the target says it: not to be trusted.
    std::uint64_t size = 0;
    std::string time;  ///< Of its last change, as text; only to be compared.
};

/// A result as it lies on the target at a moment.
struct ListedResult {
    std::string path;  ///< Absolute; of a folder, or of the file itself.
    std::vector<TargetFile> files;
    bool hasErrors = false;      ///< Its logs speak of errors.
    bool isProcessGone = false;  ///< The process in its name does not run on that host any more.
    std::uint64_t samples = 0;   ///< Lines of data.jsonl.
    /// The process in its name is one in a container of that host, and this is its number on the host; 0: none is
    /// known.
    std::int64_t process = 0;
    bool wasThere = false;  ///< Features: the folder had some before the capture began.
};

/// A process that has once looked at the configuration, by the log that it keeps beside it.
struct Watcher {
    std::int64_t rank = 0;
    bool isGone = false;       ///< It runs on that host no more. Of a process of another host nobody here knows.
    bool hasLooked = false;    ///< It has logged something since the configuration was changed.
    bool hasLogOpen = false;   ///< Known only while the query names no processes.
    std::int64_t process = 0;  ///< Its number, where it runs on that host; of another one 0.
};

/// What can be seen of a capture on a target at a moment.
struct Listing {
    std::vector<ListedResult> results;    ///< Without those of `known`.
    std::optional<int> jobStatus;         ///< Of the job that was started, once it has ended.
    bool isJobGone = false;               ///< It does not run, and nobody knows how it ended.
    std::string logLine;                  ///< Last line of its output.
    std::string refusal;                  ///< The last line of its output that speaks of a step or profile not taken.
    std::string iteration;                ///< What it printed last of its steps, as "iteration 7/ 500".
    bool isConfigChanged = false;         ///< The configuration is not what was written any more.
    bool isConfigEnded = false;           ///< It is what the tool makes of it at its end.
    std::string watcherLine;              ///< Last line that the framework's watcher of the configuration has logged.
    std::vector<Watcher> watchers;        ///< Only if the query wants them; at most 1,000.
    std::vector<std::int64_t> processes;  ///< Those of the query that run.
};

struct ListingQuery {
    std::string results;  ///< Absolute folder.
    ResultKind kind = ResultKind::Folders;
    std::string jobFolder = {};           ///< Of startJob(); empty: none was started.
    std::string config = {};              ///< That writeConfig() has changed; empty: none.
    std::vector<std::string> known = {};  ///< Paths of results that were there before.
    bool wantsWatchers = false;
    std::vector<std::int64_t> processes = {};  ///< Numbers to be looked at.
    std::string environment = {};              ///< What the environment of these has; empty: anything.
    std::string logs = {};  ///< Folder of the logs of those who look at the configuration; needed with `config`.
    /// KnownResults::horizon: folders named after an earlier time were there before, too.
    std::string horizon = {};
};

/// Results that are there before a capture begins. Of folders the newest are named one by one: of any number in a
/// folder that is used for years only so many are remembered and compared at each look: 2000, and up to 20,000 of the
/// last two days, since the clock of a job may be that of another zone.
struct KnownResults {
    std::vector<std::string> paths;
    std::string
        horizon;  ///< 17 digits; what is named after an earlier time is none of them, and old. Empty: they are all.
    std::size_t count = 0;          ///< All that are there.
    std::vector<Watcher> watchers;  ///< As Listing::watchers.
};

/// One round trip, in which no folder is looked into.
/// @return Error as listResults, "capture.remote.too_much" beyond 64 MiB of names.
Result<KnownResults> knownResults(const RemoteShell& shell, const ListingQuery& query);

/// One round trip; follows no links below the folder of results.
Result<Listing> listResults(const RemoteShell& shell, const ListingQuery& query);

}  // namespace altiscope::capture
