#include "core/capture/session/job_methods.h"

#include "core/base/text/json_text.h"
#include "core/capture/session/secrets.h"
#include "core/capture/targets/target_threads.h"

#include <nlohmann/json.hpp>

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
    if (method.watchedBy == JobFramework::Service) {
        if (!config.empty()) return {};
        return job.isReadable ? reason("capture.job.no_service_file") : unreadable(job);
    }
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

/// The file that makes the job record.
std::string configOf(const RunningJob& job, JobFramework framework) {
    switch (framework) {
    case JobFramework::None: return {};
    case JobFramework::Torch: return job.torchConfig;
    case JobFramework::Mindspore: return job.mindsporeConfig;
    case JobFramework::Service: {
        const std::string file(job.variable("SERVICE_PROF_CONFIG_PATH"));
        return file.empty() || file.starts_with('/') || job.workdir.empty() ? file : job.workdir + "/" + file;
    }
    }
    return {};
}

/// The value of an option of a command, "--name VALUE" or "--name=VALUE"; nullopt: it has none.
std::optional<std::string> valueOfOption(const RunningJob& job, std::string_view name) {
    for (std::size_t i = 0; i < job.command.size(); ++i) {
        const std::string_view word = job.command[i];
        if (word == name && i + 1 < job.command.size()) return job.command[i + 1];
        if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=')
            return std::string(word.substr(name.size() + 1));
    }
    return std::nullopt;
}

/// The folder in vLLM's --profiler-config; empty: none.
std::string profilerFolder(const RunningJob& job) {
    if (const auto folder = valueOfOption(job, "--profiler-config.torch_profiler_dir")) return *folder;
    const auto config = valueOfOption(job, "--profiler-config");
    const auto value = config ? parseJson(*config) : nlohmann::json();
    const auto folder = value.is_object() ? value.find("torch_profiler_dir") : value.end();
    return folder == value.end() || !folder->is_string() ? std::string() : folder->get<std::string>();
}

/// Whether a program, or a module of Python, is one that serves: "vllm serve", "-m vllm.entrypoints.openai.api_server".
bool isServer(const RunningJob& job, std::string_view name, std::string_view module) {
    for (std::size_t i = 0; i < job.command.size(); ++i) {
        const std::string_view word = job.command[i];
        if (word == "-m" && i + 1 < job.command.size()) return job.command[i + 1].starts_with(module);
        if (word.substr(word.rfind('/') + 1) == name)
            return i + 1 < job.command.size() && job.command[i + 1] == "serve";
        if (i > 0 && !word.starts_with('-')) return false;
    }
    return false;
}

Error serviceReason(const RunningJob& job, const Method& method, std::vector<Assignment>& assignments) {
    const bool isVllm = method.name == "vllm-ascend";
    if (!(isVllm ? isServer(job, "vllm", "vllm.entrypoints") : isServer(job, "sglang", "sglang.launch_server")))
        return reason("capture.job.no_service", {{"name", isVllm ? "vLLM" : "SGLang"}});
    if (const auto port = valueOfOption(job, "--port")) assignments.emplace_back("port", *port);
    if (!isVllm) return {};
    const std::string folder = profilerFolder(job);
    if (folder.empty()) return reason("capture.job.no_profiler_config");
    const bool isAbsolute = folder.starts_with('/') || job.workdir.empty();
    assignments.emplace_back("torch_profiler_dir", isAbsolute ? folder : job.workdir + "/" + folder);
    const std::string name = forbiddenVariable(job, method.forbids);
    return name.empty() ? Error{} : reason("capture.job.variable", {{"name", name}});
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
        } else if (method.medium == Medium::Service) {
            one.reason = serviceReason(job, method, one.assignments);
        } else if (method.trigger == Trigger::Attach) {
            one.reason = attachReason(job);
            one.assignments.emplace_back("pid", process);
        } else if (method.medium == Medium::Request) {
            one.reason = daemonReason(job, method);
            one.assignments.emplace_back("pids", process);
        } else {
            one.file = configOf(job, method.watchedBy);
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
