#pragma once

#include "core/capture/methods/validation.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/expectation.h"
#include "core/capture/targets/job.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::capture {

/// What CaptureRun::prepare() finds out about a target before anything is changed there. Its functions are the steps,
/// in this order; the first that fails is the last.
struct CaptureRun::Prepared {
    TargetRecord target;
    std::optional<std::string> after;  ///< The configuration as it will be.
    std::string ended;                 ///< Text that the tool makes of that at its end; empty: none.
    std::optional<Launch> launch;
    Expectation expectation;
    std::optional<Settings> settings;
    JobOutputs outputs;              ///< Where those print who look at the configuration.
    std::vector<std::string> tails;  ///< The last lines that they printed.
    bool hasOtherHosts = false;      ///< Others than the target look at it, too: it lies on a disk that they share.
    SettingProblems problems;
    std::vector<Check> checks;
    std::optional<Error> failure;  ///< What ended the preparation, where no check says it.

    /// Whether everything is there that can be looked for before the settings are known.
    Result<Preflight> checkTarget(const RemoteShell& shell, const PreflightRequest& needs);
    /// The configuration as it is, which nobody else may be changing.
    Result<Done> readOriginal(const RemoteShell& shell);
    const std::string* fileText() const { return target.original ? &*target.original : nullptr; }
    Result<Done> checkSettings();
    /// The configuration and the command as they will be.
    Result<Done> planChanges(const Settings& settings, const StartRequest& request, std::size_t index);
    /// Where results appear as the settings say, and whether they can.
    Result<Preflight> checkResults(const RemoteShell& shell, const Settings& settings, PreflightRequest needs);
    /// What is there already, and which processes look at the configuration.
    Result<Done> listKnown(const RemoteShell& shell, const Method& method);
    /// Where those print who look at it.
    void takeOutputs(JobOutputs found);

private:
    Result<Done> fail(const char* check, Error problem) {
        checks.push_back({check, Check::State::Failed, problem, {}});
        return problem;
    }
};

}  // namespace altiscope::capture
