#pragma once

#include "core/base/values/error.h"
#include "core/base/values/result.h"
#include "core/capture/methods/validation.h"
#include "core/capture/targets/result_listing.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::capture {

/// How far a capture is, on a host or of a rank; in the order in which it gets there.
enum class State { Preparing, Armed, Recording, Analysing, Fetching, Done, Failed, Cancelled };
/// "preparing", "armed", ...
std::string_view stateText(State state);
inline bool isOver(State state) { return state >= State::Done; }

/// A change, as people and scripts see it.
struct Event {
    std::int64_t time = 0;  ///< ns since 1970.
    std::string host;       ///< Name of the target; empty: of all.
    std::optional<std::int64_t> rank;
    State state = State::Preparing;
    Error message;  ///< Sentence of the catalogue; without a code if there is nothing to say.
};

/// Results of one rank on a host, or of one that has no number.
struct RankRecord {
    std::string path;  ///< On the target, absolute.
    std::optional<std::int64_t> rank;
    State state = State::Recording;
    Error message;
    std::uint64_t bytes = 0;   ///< Of all its files; 0: not known, as of a version before.
    std::int64_t process = 0;  ///< ListedResult::process, since it was seen.
    /// Steps [first, end) that it recorded, as the tool's log or the result says; nullopt: not known.
    std::optional<std::pair<std::int64_t, std::int64_t>> steps = {};
};

/// What is known of a capture on one target, all that is needed to put it back.
struct TargetRecord {
    std::string name;
    State state = State::Preparing;
    std::string workdir, results, config;  ///< Absolute, on the target; config: empty if no file is changed.
    std::optional<std::string> original;   ///< The configuration before; nullopt: there was none.
    bool isConfigChanged = false;          ///< It stands there changed, or may do so.
    std::string jobName;                   ///< Of the job that was, or may have been started; empty: none.
    std::string jobFolder;                 ///< On the target, once it has been started.
    std::vector<std::string> known;        ///< Results that were there before.
    std::vector<RankRecord> ranks;
    std::string fetched;  ///< Folder here, when all of it has been fetched.
    /// Of the job, where it was not started from here and these are known: they ran when the capture was armed.
    std::vector<std::int64_t> processes = {};
    std::string logs = {};  ///< Logs of the watchers of the configuration; may have a link's name for it.
    Error steps = {};       ///< How far its recording is; without a code while that is not known.
    std::string file = {};  ///< The configuration as the user named it: maybe a link, or relative; empty: none.
    std::vector<std::string> watchers = {};       ///< Paths of the logs of its ranks' watchers.
    std::vector<std::int64_t> runningRanks = {};  ///< Ranks that ran there when it was armed, as far as known.
    std::string horizon = {};                     ///< KnownResults::horizon.
    /// Absolute, on the target: the second file, until it is changed in the place of `config`. Empty: none.
    std::string follower = {};
    bool isSettled = false;    ///< It has come to its end before others: nothing more is waited for.
    bool hasCommand = false;   ///< The end has come, and the command of its job may still lie there.
    bool isConfigDue = false;  ///< Its configuration is to be written again, for another step.
    /// Files that its job prints to, as that names them: read where it has ended before another process looks.
    std::vector<std::string> outputs = {};
    /// Its job's output was looked at: lines that were there then are none of the capture.
    bool isOutputKnown = false;
    /// Digests of reasons and refusals that were printed before the capture, or that speak of a configuration which was
    /// replaced. The lines themselves may hold secrets.
    std::set<std::uint64_t> earlierLines = {};
};

/// One capture from its start to its end: all that is needed to go on with it, or to put everything back, in another
/// process. Holds no secrets.
struct CaptureRecord {
    std::string id, method, preset;
    std::vector<Assignment> assignments;
    std::string launch;  ///< Command of the user; empty: the job runs, or is started otherwise.
    std::int64_t started = 0;
    State state = State::Preparing;
    ResultKind kind = ResultKind::Folders;
    std::vector<std::int64_t> expectedRanks;  ///< Empty: not known.
    Analysis analysis = Analysis::Unknown;
    bool areRanksStandard = false;    ///< These are the tool's own list, which nobody has chosen for this job.
    std::int64_t resultsPerRank = 1;  ///< 0: as many as come until the job ends.
    std::vector<TargetRecord> targets;
    std::vector<Event> events;
    std::string note = {};  ///< The user's own words about it; a file of its own has them, see RecordStore::setNote().
    std::string place =
        {};  ///< Name of the folder of its results, see RecordStore::resultsOf(); empty: older than that.
    /// At which all hosts begin to record, where it was computed; else nullopt.
    std::optional<std::int64_t> commonStep = {};
    bool isStepOwn = false;         ///< That step is counted as the tool counts, not as the job prints.
    std::int64_t commonMargin = 0;  ///< Steps from the furthest host to that one, when it was computed.
    /// Whether all ranks recorded the same steps, once it is over: "capture.steps.same", "capture.steps.differ";
    /// without a code where that is not known.
    Error steps = {};
    std::int64_t timeout = 0;     ///< Seconds that each phase may last; 0: any time.
    std::int64_t phaseBegin = 0;  ///< ns since 1970 at which its state became what it is.
};

/// Whether such a line is one of TargetRecord::earlierLines.
bool isEarlier(const TargetRecord& target, std::string_view line);
/// Makes a line one of them; empty ones are none.
void addEarlier(TargetRecord& target, std::string_view line);

/// The record as session.json holds it, schema 1.
std::string recordJson(const CaptureRecord& record);
/// @return Error "capture.session.damaged" for what is no such text.
Result<CaptureRecord> recordOfJson(const std::string& json);

/// {"ts":NS,"host":H,"rank":R,"state":S,"message":M}, without an end of line. A rank or message that is not there is
/// null.
std::string eventJson(const Event& event);

/// ns since 1970, now.
std::int64_t nowNs();

}  // namespace altiscope::capture
