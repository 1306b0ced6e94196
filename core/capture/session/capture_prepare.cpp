#include "core/capture/session/prepared.h"

#include "core/capture/methods/plan.h"
#include "core/capture/methods/presets.h"
#include "core/capture/methods/service_calls.h"
#include "core/capture/methods/validation.h"
#include "core/capture/session/secrets.h"
#include "core/capture/session/size_estimate.h"
#include "core/capture/targets/config_edit.h"

#include <algorithm>
#include <span>
#include <utility>

namespace altiscope::capture {

namespace {

/// Those of the preset, then the user's, which win.
std::vector<Assignment> allAssignments(const StartRequest& request) {
    auto assignments = presetAssignments(*request.method, request.preset);
    assignments.insert(assignments.end(), request.assignments.begin(), request.assignments.end());
    return assignments;
}

/// Whether a job is started there, or a program that attaches to one.
bool launchesJob(const StartRequest& request, const Method& method) {
    return !request.launch.empty() || method.trigger == Trigger::Attach ||
           (method.medium == Medium::Command && method.trigger == Trigger::Launch);
}

/// What msprof is to be able to do, and with which process.
void addCommand(const Settings& settings, PreflightRequest& needs) {
    const auto plan = makePlan(settings, nullptr, {});
    if (!plan.ok()) return;
    for (const std::string& word : plan.value().words) {
        if (word.starts_with("--"))
            needs.options += (needs.options.empty() ? "" : " ") + word.substr(0, word.find('='));
    }
    if (const auto pid = settings.integer("pid")) needs.pid = std::to_string(*pid);
}

PreflightRequest preflightRequest(const StartRequest& request, const Method& method,
                                  const std::vector<Assignment>& assignments) {
    PreflightRequest needs;
    needs.workdir = request.workdir;
    needs.results = request.results;
    if (method.takesFile()) needs.config = request.file;
    needs.launches = launchesJob(request, method);
    // The other tools keep no logs beside it.
    needs.isWatched = method.watchedBy == JobFramework::Torch;
    needs.launch = request.launch;
    needs.forbidden = method.forbids;
    if (findMethod(method.name)->medium == Medium::Service) {
        needs.program = "curl python3";
        SettingProblems unused;
        if (method.medium == Medium::Service) {
            const Settings settings = makeSettings(method, assignments, nullptr, unused);
            validate(settings, unused);
            // Nothing is sent to what is no address.
            if (!hasErrors(unused)) needs.service = serviceCalls(settings).start.url;
        }
    }
    if (method.medium == Medium::Command) {
        needs.program = "msprof";
        SettingProblems unused;  // found again with the file
        addCommand(makeSettings(method, assignments, nullptr, unused), needs);
    }
    return needs;
}

/// As the file, the preset and the user have them, with what is wrong with them.
Settings validatedSettings(const Method& method, const std::vector<Assignment>& assignments,
                           const std::string* fileText, SettingProblems& problems) {
    Settings settings = makeSettings(method, assignments, fileText, problems);
    // Where results go is always written: the tools' own standard values differ.
    if (const Setting* output = settings.find(settings.outputField());
        output != nullptr && output->origin == SettingOrigin::Standard) {
        settings.set(settings.outputField(), Value(output->value), SettingOrigin::User);
    }
    validate(settings, problems);
    return settings;
}

/// What is likely to be written against what is free; nullopt where nothing can be said.
std::optional<Check> sizeCheck(const Settings& settings, const SizeQuery& query, const Preflight& flight,
                               std::span<const CaptureRecord> formers) {
    const auto size = estimateSize(settings, query, formers);
    if (!size || !flight.free) return std::nullopt;
    const bool fits = size->bytes < *flight.free;
    Error sentence{fits ? "capture.check.size" : "capture.check.size_low",
                   {},
                   {},
                   {{"size", megabytes(size->bytes, Rounded::Up)},
                    {"former", megabytes(size->formerBytes, Rounded::Up)},
                    {"id", size->former},
                    {"free", megabytes(*flight.free, Rounded::Down)}}};
    return Check{"size", fits ? Check::State::Good : Check::State::Warning, std::move(sentence), {}};
}

/// One line of a user's text or path for a message or a script's argument; such with line ends are refused.
bool isOneLine(const std::string& text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

Result<Preflight> CaptureRun::Prepared::checkTarget(const RemoteShell& shell, const PreflightRequest& needs) {
    auto flight = preflight(shell, needs);
    if (flight.failed()) checks.push_back({"reach", Check::State::Failed, flight.error(), {}});
    if (!flight.ok()) return flight;
    checks = flight.value().checks;
    if (const Check* failure = firstFailure(flight.value().checks)) return failure->problem;
    target.config = flight.value().config;
    target.logs = flight.value().logs;
    return flight;
}

Result<Done> CaptureRun::Prepared::readOriginal(const RemoteShell& shell) {
    if (target.config.empty()) return Done{};
    auto config = readConfig(shell, target.config);
    if (!config.ok()) return config.as<Done>();
    const std::string& owner = config.value().owner;
    if (!owner.empty()) return fail("config", {"capture.config.busy", target.config, {}, {{"owner", owner}}});
    target.original = std::move(config.value().text);
    return Done{};
}

Result<Done> CaptureRun::Prepared::checkSettings() {
    if (hasErrors(problems)) return fail("settings", {"capture.start.wrong_settings", {}, {}, {}});
    checks.push_back({"settings", Check::State::Good, {}, {}});
    return Done{};
}

Result<Done> CaptureRun::Prepared::planChanges(const Settings& settings, const StartRequest& request,
                                               std::size_t index) {
    const Method& method = settings.method();
    auto plan = makePlan(settings, fileText(), target.config);
    if (!plan.ok()) return plan.as<Done>();
    if (method.takesFile()) after = plan.value().file;
    if (after && method.ended != nullptr) ended = method.ended(*after);
    if (!launchesJob(request, method)) return Done{};
    if (method.medium == Medium::Command && method.trigger == Trigger::Launch && request.launch.empty() &&
        plan.value().application.empty() && settings.text("sys_devices").empty()) {
        return Error{"capture.start.needs_launch", {}, {}, {{"method", std::string(method.name)}}};
    }
    launch.emplace();
    launch->command = launchText(settings, plan.value(), request.launch);
    launch->frame = frameOf(settings, plan.value(), index);
    return Done{};
}

Result<Preflight> CaptureRun::Prepared::checkResults(const RemoteShell& shell, const Settings& settings,
                                                     PreflightRequest needs) {
    const std::string output = settings.output();
    const bool isKnown = output.starts_with('/') || needs.launches || !needs.workdir.empty() ||
                         settings.method().trigger == Trigger::Launch;
    if (settings.outputField().empty() || !isKnown) return Error{"capture.start.needs_results", {}, {}, {}};
    needs.results = output.empty() ? "." : output;
    needs.config.clear();
    auto flight = preflight(shell, needs);
    if (!flight.ok()) return flight;
    for (const Check& check : flight.value().checks) {
        if (check.name == "results" || check.name == "space") checks.push_back(check);
    }
    if (const Check* failure = firstFailure(flight.value().checks)) return failure->problem;
    return flight;
}

Result<Done> CaptureRun::Prepared::listKnown(const RemoteShell& shell, const Method& method) {
    const bool hasWatchers = method.watchedBy == JobFramework::Torch;
    auto known = knownResults(shell, {.results = target.results,
                                      .kind = expectation.kind,
                                      .config = hasWatchers ? target.config : std::string(),
                                      .wantsWatchers = hasWatchers,
                                      .logs = target.logs});
    if (!known.ok()) return known.as<Done>();
    for (const Watcher& watcher : known.value().watchers) {
        if (watcher.hasLogOpen) target.processes.push_back(watcher.process);
        hasOtherHosts = hasOtherHosts || watcher.process == 0;
    }
    target.known = std::move(known.value().paths);
    target.horizon = std::move(known.value().horizon);
    if (!target.horizon.empty()) {
        const Error many{
            "capture.check.many_results",
            target.results,
            {},
            {{"count", std::to_string(known.value().count)}, {"kept", std::to_string(target.known.size())}}};
        checks.push_back({"results", Check::State::Warning, many, {}});
    }
    return Done{};
}

Result<Done> CaptureRun::prepare(std::size_t index, const StartRequest& request, Prepared& prepared) {
    const RemoteShell& shell = *m_links[index].shell;
    const auto assignments = allAssignments(request);
    const Method& method = flavourOf(*request.method, assignments);
    const PreflightRequest needs = preflightRequest(request, method, assignments);
    auto flight = prepared.checkTarget(shell, needs);
    if (!flight.ok()) return flight.as<Done>();
    if (auto read = prepared.readOriginal(shell); !read.ok()) return read;
    const Settings settings = validatedSettings(method, assignments, prepared.fileText(), prepared.problems);
    if (auto checked = prepared.checkSettings(); !checked.ok()) return checked;
    if (auto planned = prepared.planChanges(settings, request, index); !planned.ok()) return planned;
    // Where results appear may depend on what the file says.
    if (request.results.empty()) flight = prepared.checkResults(shell, settings, needs);
    if (!flight.ok()) return flight.as<Done>();
    if (method.medium == Medium::Request) {
        if (auto daemon = checkDaemon(shell, settings, prepared.checks); !daemon.ok()) return daemon;
    }
    TargetRecord& target = prepared.target;
    target.workdir = flight.value().workdir;
    target.results = flight.value().results;
    prepared.expectation = expectationOf(settings);
    prepared.settings = settings;
    if (!method.followedBy.empty()) {
        std::string folder = settings.text(method.followerFolder);
        while (folder.starts_with("./")) folder.erase(0, 2);
        if (!folder.starts_with('/')) folder = target.workdir + "/" + folder;
        while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
        target.follower = folder + "/profiler_config.json";
    }
    // Where nothing says which job it is, any other of the same folder would be taken for it.
    const bool isNamed = !request.workdir.empty() || !request.launch.empty() || !request.file.empty();
    const SizeQuery job{.target = shell.target().name,
                        .workdir = target.workdir,
                        .config = target.config,
                        .launch = m_record.launch,
                        .targets = m_record.targets.size()};
    if (auto size = isNamed ? sizeCheck(settings, job, flight.value(), m_formers) : std::nullopt)
        prepared.checks.push_back(*size);
    if (auto listed = prepared.listKnown(shell, method); !listed.ok()) return listed;
    if (method.trigger != Trigger::Edit || method.medium == Medium::Request) return Done{};
    // The output is worth having, and no condition.
    const auto warn = [&prepared](const Error& problem) {
        prepared.checks.push_back({"steps", Check::State::Warning, problem, {}});
        return Done{};
    };
    auto outputs = findOutput(shell, method, target);
    if (outputs.cancelled()) return Cancelled{};
    if (outputs.failed()) return warn(outputs.error());
    prepared.takeOutputs(std::move(outputs).value());
    const auto tails = readTails(shell, prepared.outputs.files, {});
    if (tails.cancelled()) return Cancelled{};
    if (tails.failed()) return warn(tails.error());
    for (const FileTail& tail : tails.value()) prepared.tails.push_back(tail.text);
    return Done{};
}

void CaptureRun::Prepared::takeOutputs(JobOutputs found) {
    // In a container they have other numbers than their logs say.
    const bool isContained = target.processes.empty();
    for (const RankProcess& rank : found.ranks) {
        if (isContained) target.processes.push_back(rank.process);
        if (rank.rank >= 0) target.runningRanks.push_back(rank.rank);
        target.watchers.push_back(target.logs + "/" + rank.log);
    }
    outputs = std::move(found);
}

void CaptureRun::takeRequest(const StartRequest& request) {
    m_record.method = request.method->name;
    m_record.preset = request.preset;
    m_record.assignments = request.assignments;
    // What another process needs of these is on the target, for its user only.
    if (request.method->medium == Medium::Command) {
        for (auto& [name, text] : m_record.assignments) text = withoutSecrets(text);
    }
    m_record.launch = withoutSecrets(request.launch);
    m_record.timeout = request.timeout;
    m_record.phaseBegin = nowNs();
    const bool takesFile = flavourOf(*request.method, allAssignments(request)).takesFile();
    for (const Target& target : request.targets) {
        m_record.targets.emplace_back();
        m_record.targets.back().name = target.name;
        if (takesFile) m_record.targets.back().file = request.file;
    }
    if (countsSteps(*request.method)) m_formers = m_store.list();
    m_links.resize(m_record.targets.size());
    m_progress.watches.resize(m_record.targets.size());
}

Result<Done> CaptureRun::prepareAll(const StartRequest& request, std::vector<Prepared>& prepared) {
    for (const std::string* text : {&request.file, &request.workdir, &request.results, &request.launch}) {
        const bool mayHaveLines = text == &request.launch;
        if (mayHaveLines ? text->find('\0') != std::string::npos : !isOneLine(*text))
            return Error{"capture.start.characters", {}, {}, {}};
    }
    // A capture that is repeated has its command as it was remembered.
    const bool isBare = request.method->medium == Medium::Command &&
                        std::any_of(request.assignments.begin(), request.assignments.end(),
                                    [](const Assignment& one) { return lacksSecret(one.second); });
    if (isBare || lacksSecret(request.launch)) return Error{"capture.start.secret", {}, {}, {}};
    prepared.resize(m_record.targets.size());
    return onTargets([&](std::size_t i) -> Result<Done> {
        const auto opened = shell(i);
        if (opened.failed()) prepared[i].checks.push_back({"reach", Check::State::Failed, opened.error(), {}});
        if (!opened.ok()) return opened.template as<Done>();
        auto done = prepare(i, request, prepared[i]);
        if (done.failed() && !firstFailure(prepared[i].checks)) prepared[i].failure = done.error();
        return done;
    });
}

Result<std::vector<TargetChecks>> CaptureRun::check(const StartRequest& request, SettingProblems& problems) {
    takeRequest(request);
    std::vector<Prepared> prepared;
    const auto done = prepareAll(request, prepared);
    if (done.cancelled()) return Cancelled{};
    problems = prepared.empty() ? SettingProblems{} : prepared[0].problems;
    if (done.ok()) {
        auto steps = chooseSteps(request, prepared);
        if (steps.cancelled()) return Cancelled{};
        if (steps.ok() && steps.value()) prepared[0].checks.push_back(*steps.value());
    }
    const bool isSaid =
        std::any_of(prepared.begin(), prepared.end(), [](const Prepared& one) { return firstFailure(one.checks); });
    if (done.failed() && !isSaid) return done.error();
    std::vector<TargetChecks> checks;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (prepared[i].failure)
            prepared[i].checks.push_back({"start", Check::State::Failed, *prepared[i].failure, {}});
        checks.push_back({m_record.targets[i].name, std::move(prepared[i].checks)});
    }
    return checks;
}

}  // namespace altiscope::capture
