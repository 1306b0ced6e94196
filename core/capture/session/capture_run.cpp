#include "core/capture/session/capture_run.h"

#include "core/capture/methods/plan.h"
#include "core/capture/methods/presets.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/secrets.h"
#include "core/capture/session/size_estimate.h"
#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/job.h"
#include "core/capture/targets/preflight.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

namespace altiscope::capture {

namespace {

/// Who changes a configuration, for others who want to: the id of the capture first.
std::string ownerText(const std::string& id) {
    char host[256] = "?";
    ::gethostname(host, sizeof host - 1);
    const char* user = std::getenv("USER");
    return id + " " + (user != nullptr ? user : std::to_string(::getuid())) + "@" + host;
}

/// What msprof is to be able to do, and with which process.
void takeCommand(const Settings& settings, Needs& needs) {
    const auto plan = makePlan(settings, nullptr, {});
    if (!plan.ok()) return;
    for (const std::string& word : plan.value().words) {
        if (word.starts_with("--"))
            needs.options += (needs.options.empty() ? "" : " ") + word.substr(0, word.find('='));
    }
    if (const auto pid = settings.integer("pid")) needs.pid = std::to_string(*pid);
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

/// What phase one has found out about a target.
struct CaptureRun::Prepared {
    TargetRecord target;
    std::optional<std::string> after;  ///< The configuration as it will be.
    std::optional<Launch> launch;
    Expectation expectation;
    SettingProblems problems;
    std::vector<Check> checks;
};

CaptureRun::~CaptureRun() {
    for (const auto& shell : m_shells) {
        if (shell) shell->hangUp();
    }
}

CaptureRun::CaptureRun(const RecordStore& store, CaptureRecord record, const Interrupted& interrupted, Askpass askpass)
    : m_store(store), m_record(std::move(record)), m_interrupted([this, interrupted] {
          return (interrupted && interrupted()) || (!m_record.id.empty() && m_store.isCancelRequested(m_record.id));
      }),
      m_askpass(std::move(askpass)), m_published(m_record.events.size()), m_shells(m_record.targets.size()),
      m_watched(m_record.targets.size()) {}

Result<RemoteShell*> CaptureRun::shell(std::size_t target) {
    auto& shell = m_shells[target];
    if (!shell) {
        const auto parsed = parseTarget(m_record.targets[target].name);
        if (!parsed) return Error{"capture.session.damaged", m_store.folderOf(m_record.id), {}, {}};
        auto opened = RemoteShell::open(*parsed, m_interrupted, m_askpass);
        if (!opened.ok()) return opened.as<RemoteShell*>();
        shell.emplace(std::move(opened).value());
    }
    return &*shell;
}

void CaptureRun::note(std::size_t target, const std::optional<std::int64_t>& rank, State state, Error message) {
    // A host that never stops to report ranks must not fill the record.
    static constexpr std::size_t kMaxEvents = 20'000;
    if (m_record.events.size() > kMaxEvents && !isOver(state)) return;
    m_record.events.push_back({nowNs(), m_record.targets[target].name, rank, state, std::move(message)});
}

Result<Done> CaptureRun::publish() {
    auto saved = m_store.save(m_record);
    for (; m_published < m_record.events.size(); ++m_published) {
        if (m_listener) m_listener(m_record.events[m_published]);
    }
    return saved;
}

Result<Done> CaptureRun::onTargets(const TargetWork& work, std::size_t atOnce) {
    std::vector<Result<Done>> results(m_record.targets.size(), Result<Done>(Done{}));
    forEachTarget(
        results.size(), [&](std::size_t i) { results[i] = work(i); }, atOnce);
    for (const auto& result : results) {
        if (!result.ok()) return result;
    }
    return Done{};
}

Result<Done> CaptureRun::prepare(std::size_t index, const StartRequest& request, Prepared& prepared) {
    auto assignments = presetAssignments(*request.method, request.preset);
    assignments.insert(assignments.end(), request.assignments.begin(), request.assignments.end());
    const Method& method = flavourOf(*request.method, assignments);
    const RemoteShell& shell = *m_shells[index];
    // Where results appear may depend on what the file says, and that is read first.
    const bool launches = !request.launch.empty() || method.trigger == Trigger::Attach ||
                          (method.medium == Medium::Command && method.trigger == Trigger::Launch);
    Needs needs{request.workdir,
                request.results,
                method.takesFile() ? request.file : std::string(),
                launches,
                method.medium == Medium::Command ? "msprof" : "",
                // The other tools keep no logs beside it.
                method.watchedBy == JobFramework::Torch,
                request.launch,
                std::string(method.forbids),
                {},
                {}};
    if (method.medium == Medium::Command) {
        SettingProblems unused;  // found again below
        takeCommand(makeSettings(method, assignments, nullptr, unused), needs);
    }
    auto flight = preflight(shell, needs);
    if (flight.failed()) prepared.checks.push_back({"reach", Check::State::Failed, flight.error(), {}});
    if (!flight.ok()) return flight.as<Done>();
    prepared.checks = flight.value().checks;
    if (const Check* failure = flight.value().failure()) return failure->problem;
    TargetRecord& target = prepared.target;
    target.config = flight.value().config;
    target.logs = flight.value().logs;
    if (!target.config.empty()) {
        auto config = readConfig(shell, target.config);
        if (!config.ok()) return config.as<Done>();
        const std::string& owner = config.value().owner;
        if (!owner.empty()) {
            const Error busy{"capture.config.busy", target.config, {}, {{"owner", owner}}};
            prepared.checks.push_back({"config", Check::State::Failed, busy, {}});
            return busy;
        }
        target.original = std::move(config.value().text);
    }
    const std::string* fileText = target.original ? &*target.original : nullptr;
    Settings settings = makeSettings(method, assignments, fileText, prepared.problems);
    // Where results go is always written: the tools' own standard values differ.
    if (const Setting* output = settings.find(settings.outputField());
        output != nullptr && output->origin == SettingOrigin::Standard) {
        settings.set(settings.outputField(), Value(output->value), SettingOrigin::User);
    }
    validate(settings, prepared.problems);
    if (hasErrors(prepared.problems)) {
        const Error wrong{"capture.start.wrong_settings", {}, {}, {}};
        prepared.checks.push_back({"settings", Check::State::Failed, wrong, {}});
        return wrong;
    }
    prepared.checks.push_back({"settings", Check::State::Good, {}, {}});
    auto plan = makePlan(settings, fileText, target.config);
    if (!plan.ok()) return plan.as<Done>();
    if (method.takesFile()) prepared.after = plan.value().file;
    if (launches) {
        if (method.medium == Medium::Command && method.trigger == Trigger::Launch && request.launch.empty() &&
            plan.value().application.empty() && settings.text("sys_devices").empty()) {
            return Error{"capture.start.needs_launch", {}, {}, {{"method", std::string(method.name)}}};
        }
        prepared.launch =
            Launch{{}, {}, launchText(settings, plan.value(), request.launch), frameOf(settings, plan.value(), index)};
    }
    if (request.results.empty()) {
        const std::string output = settings.output();
        const bool isKnown =
            output.starts_with('/') || launches || !request.workdir.empty() || method.trigger == Trigger::Launch;
        if (settings.outputField().empty() || !isKnown) return Error{"capture.start.needs_results", {}, {}, {}};
        needs.results = output.empty() ? "." : output;
        needs.config.clear();
        flight = preflight(shell, needs);
        if (!flight.ok()) return flight.as<Done>();
        for (const Check& check : flight.value().checks) {
            if (check.name == "results" || check.name == "space") prepared.checks.push_back(check);
        }
        if (const Check* failure = flight.value().failure()) return failure->problem;
    }
    if (method.medium == Medium::Request) {
        if (auto daemon = checkDaemon(shell, settings, prepared.checks); !daemon.ok()) return daemon;
    }
    target.workdir = flight.value().workdir;
    target.results = flight.value().results;
    prepared.expectation = expectationOf(settings);
    // Where nothing says which job it is, any other of the same folder would be taken for it.
    const bool isNamed = !request.workdir.empty() || !request.launch.empty() || !request.file.empty();
    const SizeQuery query{shell.target().name, target.workdir, target.config, m_record.launch, m_record.targets.size()};
    if (auto size = isNamed ? sizeCheck(settings, query, flight.value(), m_formers) : std::nullopt)
        prepared.checks.push_back(*size);
    const bool hasWatchers = method.watchedBy == JobFramework::Torch;
    auto known = knownResults(shell, {target.results,
                                      prepared.expectation.kind,
                                      {},
                                      hasWatchers ? target.config : std::string(),
                                      {},
                                      hasWatchers,
                                      {},
                                      {},
                                      target.logs});
    if (!known.ok()) return known.as<Done>();
    for (const Watcher& watcher : known.value().watchers) {
        if (watcher.hasLogOpen) target.processes.push_back(watcher.process);
    }
    target.known = std::move(known.value().paths);
    target.horizon = std::move(known.value().horizon);
    if (!target.horizon.empty()) {
        const Error many{
            "capture.check.many_results",
            target.results,
            {},
            {{"count", std::to_string(known.value().count)}, {"kept", std::to_string(target.known.size())}}};
        prepared.checks.push_back({"results", Check::State::Warning, many, {}});
    }
    return Done{};
}

Result<Done> CaptureRun::failStart(const Result<Done>& failure) {
    const Error problem = failure.failed() ? failure.error() : Error{};
    noteUnstoppable();
    const auto restored = putBack();
    if (restored.cancelled()) return restored;
    m_record.state = failure.failed() ? State::Failed : State::Cancelled;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        m_record.targets[i].state = m_record.state;
        note(i, {}, m_record.state, problem);
    }
    const auto saved = publish();
    if (!restored.ok()) return restored;
    if (!saved.ok()) return saved;
    return failure;
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
    auto assignments = presetAssignments(*request.method, request.preset);
    assignments.insert(assignments.end(), request.assignments.begin(), request.assignments.end());
    const bool takesFile = flavourOf(*request.method, assignments).takesFile();
    for (const Target& target : request.targets) {
        m_record.targets.emplace_back();
        m_record.targets.back().name = target.name;
        if (takesFile) m_record.targets.back().file = request.file;
    }
    if (countsSteps(*request.method)) m_formers = m_store.list();
    m_shells.resize(m_record.targets.size());
    m_watched.resize(m_record.targets.size());
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
        return opened.ok() ? prepare(i, request, prepared[i]) : opened.template as<Done>();
    });
}

Result<std::vector<TargetChecks>> CaptureRun::check(const StartRequest& request, SettingProblems& problems) {
    takeRequest(request);
    std::vector<Prepared> prepared;
    const auto done = prepareAll(request, prepared);
    if (done.cancelled()) return Cancelled{};
    problems = prepared.empty() ? SettingProblems{} : prepared[0].problems;
    std::vector<TargetChecks> checks;
    for (std::size_t i = 0; i < prepared.size(); ++i)
        checks.push_back({m_record.targets[i].name, std::move(prepared[i].checks)});
    const bool isSaid = std::any_of(checks.begin(), checks.end(), [](const TargetChecks& target) {
        return std::any_of(target.checks.begin(), target.checks.end(),
                           [](const Check& check) { return check.state == Check::State::Failed; });
    });
    if (done.failed() && !isSaid) return done.error();
    return checks;
}

Result<Done> CaptureRun::start(const StartRequest& request, SettingProblems& problems) {
    takeRequest(request);
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) note(i, {}, State::Preparing);
    if (auto created = m_store.create(m_record); !created.ok()) return created;
    if (auto published = publish(); !published.ok()) return published;

    // 1. Nothing is changed anywhere until all targets are as needed.
    std::vector<Prepared> prepared;
    auto done = prepareAll(request, prepared);
    m_formers.clear();
    problems = prepared.empty() ? SettingProblems{} : prepared[0].problems;
    if (!done.ok()) return failStart(done);
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        prepared[i].target.name = m_record.targets[i].name;
        prepared[i].target.file = m_record.targets[i].file;
        m_record.targets[i] = prepared[i].target;
        for (const Check& check : prepared[i].checks) {
            if (check.state == Check::State::Warning) note(i, {}, State::Preparing, check.problem);
        }
        if (prepared[i].launch) {
            prepared[i].launch->name = m_record.id + "." + std::to_string(i);
            prepared[i].launch->workdir = prepared[i].target.workdir;
        }
        m_record.targets[i].isConfigChanged = prepared[i].after.has_value();
    }
    m_record.kind = prepared[0].expectation.kind;
    m_record.expectedRanks = prepared[0].expectation.ranks;
    m_record.analysis = prepared[0].expectation.analysis;
    m_record.resultsPerRank = prepared[0].expectation.resultsPerRank;
    if (done = publish(); !done.ok()) return failStart(done);

    // 2. The configuration. On a disk that targets share one of them writes it for all.
    const std::string owner = ownerText(m_record.id);
    done = onTargets([&](std::size_t i) -> Result<Done> {
        if (!prepared[i].after) return Done{};
        auto written = writeConfig(*m_shells[i], m_record.targets[i].config, m_record.targets[i].original,
                                   *prepared[i].after, owner);
        const auto ownId = [&](const auto& pair) {
            return pair.first == "owner" && pair.second.starts_with(m_record.id);
        };
        if (written.failed() && written.error().code == "capture.config.busy" &&
            std::any_of(written.error().parameters.begin(), written.error().parameters.end(), ownId)) {
            m_record.targets[i].isConfigChanged = false;
            return Done{};
        }
        return written;
    });
    if (!done.ok()) return failStart(done);

    // 3. The jobs; what may have been started is known before it is.
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (prepared[i].launch) m_record.targets[i].jobName = prepared[i].launch->name;
        if (request.method->medium == Medium::Request) m_record.targets[i].isConfigChanged = true;
    }
    if (done = publish(); !done.ok()) return failStart(done);
    done = onTargets([&](std::size_t i) -> Result<Done> {
        if (!prepared[i].launch) return Done{};
        auto folder = startJob(*m_shells[i], *prepared[i].launch);
        if (!folder.ok()) return folder.template as<Done>();
        m_record.targets[i].jobFolder = std::move(folder).value();
        return Done{};
    });
    if (done.ok() && request.method->medium == Medium::Request) done = sendRequests(*requestSettings());
    if (!done.ok()) return failStart(done);
    m_record.state = State::Armed;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        m_record.targets[i].state = State::Armed;
        note(i, {}, State::Armed);
    }
    return publish();
}

Result<Done> CaptureRun::putBackTarget(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    // Of a start or cancel that was broken off nobody knows what came of it.
    const bool isCertain = m_record.state == State::Done || m_record.state == State::Failed;
    // A job goes on after its recording.
    const bool stops = !target.jobName.empty() && !isCertain;
    const bool restores = !target.config.empty() && (target.isConfigChanged || !isCertain);
    if (!isCertain && target.config.empty() && target.isConfigChanged) {
        if (auto stopped = stopRequest(index); !stopped.ok()) return stopped;
        target.isConfigChanged = false;
    }
    if (!stops && !restores) return Done{};
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<Done>();
    // Here nothing hangs on a connection.
    if (opened.value()->target().isLocal) opened.value()->setInterrupted({});
    if (stops) {
        if (auto stopped = stopJob(*opened.value(), target.jobFolder.empty() ? target.jobName : target.jobFolder);
            !stopped.ok()) {
            return stopped;
        }
    }
    if (!restores) return Done{};
    const auto restored = restoreConfig(*opened.value(), target.config, m_record.id, target.isConfigChanged);
    if (!restored.ok()) return restored.as<Done>();
    target.isConfigChanged = false;
    return Done{};
}

Result<Done> CaptureRun::putBack() {
    // Also what was begun when the user lost patience is put back; scripts end by themselves.
    const Interrupted interrupted = std::exchange(m_interrupted, m_abandoned);
    // The connections stay: another one might ask the user for a password again.
    const auto setAll = [this](const Interrupted& now) {
        for (auto& shell : m_shells) {
            if (shell) shell->setInterrupted(now);
        }
    };
    setAll(m_abandoned);
    auto done = onTargets([this](std::size_t i) -> Result<Done> {
        const bool hadShell = m_shells[i].has_value();
        auto put = putBackTarget(i);
        m_store.showWork(m_record.id);
        // One that hangs may be the fault of its connection.
        if (!put.failed() || !hadShell || !put.error().code.starts_with("capture.ssh.")) return put;
        m_shells[i].reset();
        return putBackTarget(i);
    });
    m_interrupted = interrupted;
    setAll(interrupted);
    return done;
}

Result<Done> CaptureRun::cancel() {
    noteUnstoppable();
    const auto restored = putBack();
    if (!isOver(m_record.state) && restored.ok()) {
        m_record.state = State::Cancelled;
        for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
            m_record.targets[i].state = State::Cancelled;
            m_record.targets[i].steps = {};
            note(i, {}, State::Cancelled);
        }
    }
    const auto saved = publish();
    return restored.ok() ? saved : restored;
}

}  // namespace altiscope::capture
