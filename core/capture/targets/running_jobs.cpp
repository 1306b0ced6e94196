#include "core/capture/targets/running_jobs.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace altiscope::capture {

namespace {

/// Jobs of many ranks have long commands, but not so long.
constexpr std::size_t kMaxJobsBytes = std::size_t{8} << 20;

std::string_view baseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// In letters of any size.
bool containsWord(std::string_view text, std::string_view word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
           }) != text.end();
}

bool isPython(const RunningJob& job) {
    return !job.command.empty() &&
           (baseName(job.command[0]).starts_with("python") || job.command[0].starts_with("ray::"));
}

/// What an interpreter runs.
struct Program {
    std::string_view name;  ///< Of the file, or of the module; empty: none is named.
    std::string_view code;  ///< Of "-c".
};

Program programOf(const RunningJob& job) {
    const auto& words = job.command;
    if (!isPython(job)) return {words.empty() ? std::string_view() : baseName(words[0]), {}};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (!word.starts_with('-') || word == "-") return {baseName(word), {}};
        if (word == "--check-hash-based-pycs") ++i;
        if (word.starts_with("--")) continue;
        // Several may be one word, the last of them with its value: "-um torch.distributed.run", "-Xdev".
        const std::size_t at = word.find_first_of("cmWX", 1);
        if (at == std::string_view::npos) continue;
        const bool isApart = at + 1 == word.size();
        if (isApart && ++i >= words.size()) return {};
        const std::string_view value = isApart ? std::string_view(words[i]) : word.substr(at + 1);
        if (word[at] == 'm') return {value, {}};
        if (word[at] == 'c') return {{}, value};
    }
    return {};
}

bool isLauncher(const RunningJob& job) {
    static constexpr std::string_view kLaunchers[] = {"torchrun",
                                                      "msrun",
                                                      "torch.distributed.run",
                                                      "torch.distributed.launch",
                                                      "accelerate",
                                                      "accelerate.commands.launch",
                                                      "deepspeed",
                                                      "deepspeed.launcher.launch",
                                                      "deepspeed.launcher.runner"};
    return std::find(std::begin(kLaunchers), std::end(kLaunchers), programOf(job).name) != std::end(kLaunchers);
}

/// Processes that Python, or what watches a training, starts beside a job: they have its variables, and record nothing.
bool isHelper(const RunningJob& job) {
    const Program program = programOf(job);
    // msrun's scheduler brings the ranks together.
    return job.variable("MS_ROLE") == "MS_SCHED" || program.name == "wandb" ||
           program.code.find("multiprocessing.resource_tracker") != std::string_view::npos ||
           program.code.find("multiprocessing.forkserver") != std::string_view::npos;
}

/// Whether the program itself is of a framework: its file or module is named after it, or the code of "-c" imports it.
/// What stands among its arguments, or in the folders above, says nothing: a data set, the user's name.
bool isProgramOf(const RunningJob& job, std::string_view word) {
    const Program program = programOf(job);
    return containsWord(program.name, word) || containsWord(program.code, "import " + std::string(word)) ||
           containsWord(program.code, "from " + std::string(word));
}

bool looksLikeJob(const RunningJob& job) {
    if (job.isAttachable) return true;
    // The service itself is no program of Python.
    if (!job.command.empty() && baseName(job.command[0]).starts_with("mindie"))
        return !job.variable("SERVICE_PROF_CONFIG_PATH").empty();
    if (!isPython(job) || isLauncher(job)) return false;
    // How many there are does not make it one of them.
    const bool hasVariable = std::any_of(job.variables.begin(), job.variables.end(),
                                         [](const auto& variable) { return variable.first != "MS_WORKER_NUM"; });
    if (!job.framework.empty() || hasVariable || job.usesDevice || !job.tools.empty() || !job.torchConfig.empty() ||
        !job.mindsporeConfig.empty()) {
        return true;
    }
    static constexpr std::string_view kWords[] = {"torch_npu",       "mindspore", "mindspeed",
                                                  "mindformers",     "megatron",  "pretrain_",
                                                  "dynamic_profile", "vllm",      "sglang"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&job](std::string_view word) { return isProgramOf(job, word); });
}

/// What is not readable may be a job that its command does not show.
bool mayBeJob(const RunningJob& job) { return !job.isReadable && isPython(job) && !isLauncher(job) && !isHelper(job); }

std::string absolutePath(const std::string& path, const std::string& workdir) {
    return path.starts_with('/') || workdir.empty() ? path : workdir + "/" + path;
}

/// What follows from the facts about one process, the strongest first: the log that it has open, its environment, its
/// arguments.
void conclude(RunningJob& job, const std::string& log, const std::array<std::string, 2>& named) {
    const auto number = [&job](std::initializer_list<std::string_view> names) -> std::optional<std::int64_t> {
        for (const std::string_view name : names) {
            if (const auto value = wholeNumber(job.variable(name)); value && *value >= 0) return value;
        }
        return std::nullopt;
    };
    job.rank = number({"RANK", "RANK_ID", "OMPI_COMM_WORLD_RANK"});
    job.ranks = number({"WORLD_SIZE", "RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "MS_WORKER_NUM"});
    job.torchConfig = named[0];
    job.mindsporeConfig = named[1];
    const std::string folder(job.variable("PROF_CONFIG_PATH"));
    if (!folder.empty()) job.torchConfig = absolutePath(folder, job.workdir) + "/profiler_config.json";
    if (const auto at = log.rfind("/log/"); at != std::string::npos) {
        job.torchConfig = log.substr(0, at) + "/profiler_config.json";
        job.isWatching = true;
        const std::string_view rank = std::string_view(log).substr(log.rfind("_rank_") + 6);
        if (!job.rank) job.rank = wholeNumber(rank.substr(0, rank.find('.')));
    }
    if (!job.framework.empty()) return;
    if (!job.torchConfig.empty() || !job.tools.empty()) job.framework = "torch";
    else if (!job.mindsporeConfig.empty() || !job.variable("MS_PROFILER_OPTIONS").empty()) job.framework = "mindspore";
    else if (isProgramOf(job, "mindspore") || isProgramOf(job, "mindformers") || !job.variable("MS_ROLE").empty())
        job.framework = "mindspore";
    else if (isProgramOf(job, "torch_npu")) job.framework = "torch";
}

/// A process that was forked to load data is like its parent in all that can be seen; any other that works for a rank
/// has its number, and no NPU of its own.
bool isWorkerOf(const RunningJob& job, const RunningJob& parent) {
    if (job.isWatching || job.isAttachable || job.rank != parent.rank) return false;
    return (job.rank && !job.usesDevice) || (job.command == parent.command && job.usesDevice == parent.usesDevice);
}

}  // namespace

std::string_view RunningJob::variable(std::string_view name) const {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [name](const auto& variable) { return variable.first == name; });
    return found == variables.end() ? std::string_view() : std::string_view(found->second);
}

Result<RunningJobs> runningJobs(const RemoteShell& shell) {
    const auto reply = shell.run(runningJobsScript(), {}, {kMaxJobsBytes});
    if (!reply.ok()) return reply.as<RunningJobs>();
    RunningJobs found;
    std::string log;
    std::array<std::string, 2> named;
    ContainerName own;  // of those who look
    const auto finish = [&] {
        if (!found.jobs.empty()) conclude(found.jobs.back(), std::exchange(log, {}), std::exchange(named, {}));
    };
    for (std::string_view rest = reply.value().output; !rest.empty();) {
        const std::string_view record = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), record.size() + 1));
        if (record.empty()) continue;
        const std::string text(record.substr(1));
        if (record[0] == 'J') {
            finish();
            found.jobs.emplace_back();
            found.jobs.back().process = wholeNumber(text).value_or(0);
        }
        if (record[0] == 'O') own = containerOf(text);
        if (record[0] == 'X') found.unseen = wholeNumber<std::size_t>(text).value_or(0);
        if (found.jobs.empty()) continue;
        RunningJob& job = found.jobs.back();
        switch (record[0]) {
        case 'P': job.parent = wholeNumber(text).value_or(0); break;
        case 'U': job.user = text; break;
        case 'C': job.workdir = text; break;
        case 'M': job.isCut = true; break;
        case 'A': job.command.push_back(text); break;
        case 'T': job.tools = text; break;
        case 'F': {
            const std::size_t kind = text.starts_with("mindspore ") ? 1 : 0;
            if (named[kind].empty()) named[kind] = text.substr(text.find(' ') + 1);
            break;
        }
        case 'R': job.isReadable = true; break;
        case 'E':
            if (const auto at = text.find('='); at != std::string::npos && at + 1 < text.size())
                job.variables.emplace_back(text.substr(0, at), text.substr(at + 1));
            break;
        case 'L': log = text; break;
        case 'D': job.usesDevice = true; break;
        case 'K':
            if (job.framework.empty()) job.framework = text;
            break;
        case 'N': job.isContained = true; break;
        case 'I': job.innerProcess = wholeNumber(text).value_or(0); break;
        case 'G':
            if (const ContainerName container = containerOf(text); container != own) job.container = container;
            // Also where its root cannot be looked at.
            if (!job.container.runtime.empty() || job.innerProcess != job.process) job.isContained = true;
            break;
        case 'S': job.isAttachable = true; break;
        default: break;
        }
    }
    finish();
    std::erase_if(found.jobs, [](const RunningJob& job) { return job.process <= 0; });
    std::erase_if(found.jobs, [&found](const RunningJob& job) {
        if (looksLikeJob(job)) return false;
        found.closed += mayBeJob(job) ? 1 : 0;
        return true;
    });
    std::map<std::int64_t, const RunningJob*> byProcess;
    for (const RunningJob& job : found.jobs) byProcess.emplace(job.process, &job);
    std::vector<std::int64_t> workers;
    for (const RunningJob& job : found.jobs) {
        auto parent = byProcess.find(job.parent);
        // What a server of forks has started works for who started that.
        if (parent != byProcess.end() && isHelper(*parent->second)) parent = byProcess.find(parent->second->parent);
        if (isHelper(job) || (parent != byProcess.end() && isWorkerOf(job, *parent->second)))
            workers.push_back(job.process);
    }
    std::erase_if(found.jobs, [&workers](const RunningJob& job) {
        return std::find(workers.begin(), workers.end(), job.process) != workers.end();
    });
    const auto place = [](const RunningJob& job) { return std::tuple(!job.rank, job.rank.value_or(0), job.process); };
    std::sort(found.jobs.begin(), found.jobs.end(),
              [&place](const RunningJob& a, const RunningJob& b) { return place(a) < place(b); });
    return found;
}

}  // namespace altiscope::capture
