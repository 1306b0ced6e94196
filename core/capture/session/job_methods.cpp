#include "core/capture/session/job_methods.h"

#include "core/capture/session/secrets.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <optional>

namespace altiscope::capture {

namespace {

Error reason(const char* code, MessageParameters parameters = {}) { return Error{code, {}, {}, std::move(parameters)}; }

/// The first of the variables that the job has, where a method must not have it; names as Method::forbids.
std::string forbiddenVariable(const RunningJob& job, std::string_view names) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        const auto equals = name.find('=');
        const std::string_view value = job.variable(name.substr(0, equals));
        if (equals == std::string_view::npos ? !value.empty() : value == name.substr(equals + 1))
            return std::string(name);
    }
    return {};
}

Error unreadable(const RunningJob& job) { return reason("capture.job.unreadable", {{"user", job.user}}); }

Error fileReason(const RunningJob& job, const Method& method, const std::string& config) {
    const bool isMindspore = method.watchedBy == JobFramework::Mindspore;
    if (config.empty() && !job.framework.empty() && (job.framework == "mindspore") != isMindspore)
        return reason("capture.job.framework",
                      {{"framework", job.framework == "mindspore" ? "MindSpore" : "PyTorch (torch_npu)"}});
    if (const std::string name = forbiddenVariable(job, method.forbids); !name.empty())
        return reason("capture.job.variable", {{"name", name}});
    if (!config.empty()) return {};
    return job.isReadable ? reason(isMindspore ? "capture.job.no_monitor" : "capture.job.no_watcher") : unreadable(job);
}

Error daemonReason(const RunningJob& job, const Method& method) {
    if (!job.isReadable) return unreadable(job);
    if (job.variable("MSMONITOR_USE_DAEMON") != "1" && job.variable("KINETO_USE_DAEMON") != "1")
        return reason("capture.job.no_daemon");
    // That one wins over the daemon, and these turn the profiler of torch_npu off.
    const bool isMonitor = method.results == ResultKind::Monitored;
    const std::string name = forbiddenVariable(
        job, isMonitor ? "PROF_CONFIG_PATH" : "PROF_CONFIG_PATH PROFILING_MODE PROFILER_SAMPLECONFIG");
    return name.empty() ? Error{} : reason("capture.job.variable", {{"name", name}});
}

Error attachReason(const RunningJob& job) {
    if (job.isAttachable || job.variable("PROFILING_MODE") == "dynamic") return {};
    return job.isReadable ? reason("capture.job.no_mode") : unreadable(job);
}

}  // namespace

std::vector<JobMethod> methodsFor(const std::string& target, const RunningJob& job) {
    const bool isUnreachable = job.isContained && startTarget(target, job) == target;
    std::vector<JobMethod> made;
    for (const Method& method : methods()) {
        JobMethod one{&method, {}, {}, {}};
        const std::string process =
            std::to_string(job.isContained && job.innerProcess > 0 ? job.innerProcess : job.process);
        if (method.trigger == Trigger::Launch) {
            one.reason = reason("capture.job.at_start");
        } else if (job.container.runtime == "kubernetes") {
            one.reason = reason("capture.job.pod", {{"id", job.container.name}});
        } else if (isUnreachable) {
            one.reason = reason("capture.job.container");
        } else if (method.trigger == Trigger::Attach) {
            one.reason = attachReason(job);
            one.assignments.emplace_back("pid", process);
        } else if (method.medium == Medium::Request) {
            one.reason = daemonReason(job, method);
            one.assignments.emplace_back("pids", process);
        } else {
            one.file = method.watchedBy == JobFramework::Mindspore ? job.mindsporeConfig : job.torchConfig;
            one.reason = fileReason(job, method, one.file);
        }
        made.push_back(std::move(one));
    }
    std::stable_partition(made.begin(), made.end(),
                          [](const JobMethod& one) { return one.method->trigger != Trigger::Launch; });
    return made;
}

std::string startTarget(const std::string& target, const RunningJob& job) {
    const std::string part = job.isContained ? job.container.targetPart() : std::string();
    // From one container nothing leads into another.
    return part.empty() || target.find('/') != std::string::npos ? target : target + "/" + part;
}

std::string commandText(const RunningJob& job) { return commandWithoutSecrets(job.command) + (job.isCut ? "…" : ""); }

std::string shortCommandText(const RunningJob& job) {
    constexpr std::size_t kMaxBytes = 200;
    std::string text = commandText(job);
    if (text.size() <= kMaxBytes) return text;
    std::size_t end = kMaxBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

std::vector<Result<RunningJobs>> jobsOn(const std::vector<Target>& targets, const CancelCheck& cancelCheck,
                                        const Askpass& askpass) {
    std::vector<Result<RunningJobs>> found(targets.size(), Result<RunningJobs>(Cancelled{}));
    forEachTarget(targets.size(), [&](std::size_t i) {
        const auto shell = RemoteShell::open(targets[i], cancelCheck, askpass);
        found[i] = shell.ok() ? runningJobs(shell.value()) : shell.as<RunningJobs>();
    });
    return found;
}

}  // namespace altiscope::capture
