#pragma once

#include "core/base/values/result.h"
#include "core/capture/methods/method.h"
#include "core/capture/session/advance.h"
#include "core/capture/session/common_step.h"
#include "core/capture/session/fetch.h"
#include "core/capture/session/observation.h"
#include "core/capture/session/progress.h"
#include "core/capture/session/record.h"
#include "core/capture/session/record_store.h"
#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/daemon.h"
#include "core/capture/targets/job_output.h"
#include "core/capture/targets/preflight.h"
#include "core/capture/targets/remote_shell.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::capture {

/// What the user wants to be recorded, and where.
struct StartRequest {
    const Method* method = nullptr;
    std::vector<Assignment> assignments;  ///< Over those of the preset.
    std::string preset;
    std::string file;     ///< The configuration on the target; of methods with a file.
    std::string workdir;  ///< Of the job; empty: where commands begin there.
    std::string launch;   ///< Empty: the job runs, or the user starts it.
    std::string results;  ///< Empty: as the settings say.
    std::vector<Target> targets;
    std::int64_t timeout = 0;  ///< Seconds that each phase may last; 0: any time.
};

/// How the tools of a target analyse what was recorded there.
struct AnalysisOptions {
    std::string python = "python3";  ///< Interpreter that has torch_npu or MindSpore; found as commands are there.
    std::string types = "text";      ///< "text", "db", "text,db".
};

/// Whether some of the results are raw, or badly analysed, so that CaptureRun::analyse() has something to do.
bool isAnalysable(const CaptureRecord& record);

/// What was found out about a target before anything is changed there.
struct TargetChecks {
    std::string name;
    std::vector<Check> checks;  ///< The last one failed where nothing can be begun.
};

/// Drives one capture on all its targets. Whatever happens to this process, the record in the store knows before
/// anything is changed what may have been changed, so that another process can go on or put it back. One thread; works
/// on the targets at the same time. What another process requests by RecordStore::requestCancel() counts as a cancel.
class CaptureRun {
public:
    /// @param cancelCheck, askpass  As RemoteShell::open; the former is called from several threads.
    CaptureRun(const RecordStore& store, CaptureRecord record, const CancelCheck& cancelCheck, Askpass askpass = {});
    CaptureRun(const CaptureRun&) = delete;
    CaptureRun& operator=(const CaptureRun&) = delete;
    ~CaptureRun();

    /// Looks at all targets as start() does, and begins nothing: no record is made.
    /// @param problems  As start().
    /// @return Checks of each target, in order, by name; what was not got to is not among them. Cancelled.
    Result<std::vector<TargetChecks>> check(const StartRequest& request, SettingProblems& problems);

    /// Looks at all targets, then puts the configuration in place, then starts the jobs: the next only after all of
    /// the former went well. Where something fails, all is put back and the record ends as failed.
    /// @param problems  Gets what is wrong with the settings, and what is only worth knowing.
    Result<Done> start(const StartRequest& request, SettingProblems& problems);

    /// Looks once at all targets, notes what has changed, and puts the configuration back when all is recorded.
    /// A target that cannot be reached is tried again at the next poll.
    /// @return False once it is over.
    Result<bool> poll();

    /// Ends jobs that were started and puts every changed file back. Error "capture.session.not_restored" if some
    /// could not be; then the record still knows them. Cancelled if that was abandoned.
    Result<Done> cancel();

    /// Goes on with what is there: waits for nothing more, puts every changed file back, lets jobs run, and ends the
    /// capture, as failed where something is missing.
    /// @param reason  Why, for the events.
    Result<Done> finish(const Error& reason);

    /// Seconds that each phase may last from now on; 0: any time. What is there then counts, as with finish().
    void setTimeout(std::int64_t seconds) { m_record.timeout = seconds; }

    /// Has what is raw, or was badly analysed, analysed by the tools of each target, as a job there. The capture is not
    /// over then: poll() follows it to its end, and judges by what is there, whatever status the tools end with.
    /// @return False if there is nothing to analyse.
    Result<bool> analyse(const AnalysisOptions& options);

    /// Copies all results of a capture that is over to `folder`/HOST/..., with their names and what stands above them
    /// below the folder of results. What was copied before is left as it is.
    /// Three hosts at the same time.
    /// @return False if something that was recorded could not be copied; what, the events say.
    Result<bool> fetch(const std::filesystem::path& folder, const FetchLimits& limits = {});

    /// Called for each change, in the thread of the caller, after it was saved.
    void setListener(std::function<void(const Event&)> listener) { m_listener = std::move(listener); }

    /// What puts everything back goes on whatever `cancelCheck` says. Once this says so, it leaves hosts that do not
    /// answer as they are: whoever drives the capture next goes on with it. As `cancelCheck`; not for this machine.
    void setAbandoned(CancelCheck abandoned) { m_abandoned = std::move(abandoned); }

    const CaptureRecord& record() const { return m_record; }

private:
    /// Of a target; opened when first needed.
    Result<RemoteShell*> shell(std::size_t target);
    void note(std::size_t target, const std::optional<std::int64_t>& rank, State state, Error message = {});
    /// Saves the record and gives the listener what is new.
    Result<Done> publish();
    struct Prepared;
    using TargetWork = std::function<Result<Done>(std::size_t)>;

    /// On so many targets at the same time. @return The first failure.
    Result<Done> onTargets(const TargetWork& work, std::size_t atOnce = kMaxTargets);
    void takeRequest(const StartRequest& request);
    Result<Done> prepare(std::size_t index, const StartRequest& request, Prepared& prepared);
    Result<Done> prepareAll(const StartRequest& request, std::vector<Prepared>& prepared);
    Result<Done> restoreTarget(std::size_t index);
    Result<Done> restoreTargets();
    Result<Done> failStart(const Result<Done>& failure);
    /// Ends the work at the deadline, with an Error.
    Result<Done> untilDeadline(const std::function<Result<Done>()>& work);
    Result<Done> startTargets(const StartRequest& request, SettingProblems& problems);
    Result<Done> fetchTarget(std::size_t index, const std::filesystem::path& folder, const FetchLimits& limits,
                             std::vector<Event>& events);

    // The first step of a poll: all that is read.
    Result<std::vector<Observation>> observe();
    Observation observeTarget(std::size_t index);
    void observeOutput(std::size_t index, Observation& seen);
    std::optional<Result<DaemonStatus>> queryDaemon(std::size_t index);

    // The last step of a poll, for what the second one has decided (advance.h): all that is changed.
    /// Saves the record first. @return Cancelled, or why it could not be saved.
    Result<Done> act(const Actions& actions);
    Result<Done> act(const Action& action);
    Result<Done> actEnd();
    void actEndHost(std::size_t index, const Error& reason);

    // Configurations that are put back.
    Result<Done> restoreConfigs();
    void putBackConfig(std::size_t index);
    /// Takes what was ours out of a file that somebody else has changed. Any thread.
    Result<Done> takeBack(std::size_t index, const Restored& restored);
    /// That such files are there, once for each.
    void noteTakenBack();
    /// Who changes a configuration, for others who want to: the id of the capture first.
    static std::string ownerText(const std::string& id);
    /// Whether it says nothing but that a host did not answer now.
    static bool isUnreached(const Error& problem);

    // Second files of methods that have one; before the first step, since each change is saved before it is made.
    Result<Done> armFollowers();
    /// Changes it once the job looks at it.
    Result<Done> armFollower(std::size_t index);

    // Which steps are recorded; capture_steps.cpp.
    Result<JobOutputs> findOutput(const RemoteShell& shell, const Method& method, const TargetRecord& target) const;
    /// At which step a host's job is.
    Result<StepSight> sightOf(std::size_t index, const Settings& settings, const JobOutputs& outputs);
    /// Where several hosts are to begin at their next step: one step for all of them, by looking at their jobs for some
    /// seconds. @return What there is to say about it; nullopt if nothing is.
    Result<std::optional<Check>> chooseSteps(const StartRequest& request, std::vector<Prepared>& prepared);
    /// A host that cannot be written now is tried again at each poll.
    Result<Done> writeDueConfigs();
    /// @return Why the host can record nothing more; nullopt if the file is written. Any thread.
    Result<std::optional<Error>> rewriteConfig(std::size_t index);
    /// Steps by the logs of the tool, or by the names of results.
    void takeRecordedSteps(std::size_t index);
    /// Steps by the results themselves, of ranks whose steps no log has said.
    void takeCopiedSteps(std::size_t index, const std::filesystem::path& folder);

    // Of methods whose configuration is a message to a daemon.
    std::optional<Settings> requestSettings() const;
    /// How the daemons are spoken to. Certificates are read, and their password is prompted for, once. Any thread.
    Result<DaemonAccess> daemonAccess(const Settings& settings);
    Result<Done> checkDaemon(const RemoteShell& shell, const Settings& settings, std::vector<Check>& checks);
    Result<Done> sendRequests(const Settings& settings);
    Result<Done> stopRequest(std::size_t index);
    /// That what was requested goes on, where nothing can take it back.
    void noteUnstoppable();

    /// How a target is reached and looked at; nothing that decides.
    struct TargetLink {
        std::optional<RemoteShell> shell;
        std::optional<JobOutputs> outputs;  ///< Once they have been looked for.
        std::chrono::steady_clock::time_point nextFind{}, nextCount{}, nextDaemon{};
        std::optional<Restored> reverted;         ///< A file of others that no event has spoken of yet.
        std::optional<std::int64_t> writtenTime;  ///< Restored::time of the configuration before.
        StableSince followed;                     ///< The logs of those who look at the second file.
        std::string followerLogs;                 ///< Their names.
        int failedFollows = 0;                    ///< Tries of the second file.
        bool hasFollowed = false;                 ///< It has been changed since the last look.
        std::optional<Error> followerProblem;
    };
    static constexpr std::size_t kMaxTargets = 1024;

    const RecordStore& m_store;
    Progress m_progress;
    CaptureRecord& m_record = m_progress.record;
    CancelCheck m_cancelCheck, m_abandoned;
    Askpass m_askpass;
    std::function<void(const Event&)> m_listener;
    std::size_t m_published = 0;
    std::vector<CaptureRecord> m_formers;     ///< Newest first; read where sizes are to be estimated.
    std::vector<TargetLink> m_links;          ///< One for each target.
    std::atomic<std::int64_t> m_deadline{0};  ///< ns of the steady clock; 0: none.
    std::atomic<bool> m_hasStruck{false};     ///< Work was broken off because the deadline was over.
    std::mutex m_accessMutex;
    std::optional<Result<DaemonAccess>> m_access;
};

}  // namespace altiscope::capture
