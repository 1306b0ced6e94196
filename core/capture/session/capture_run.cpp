#include "core/capture/session/capture_run.h"

#include "core/capture/files/json_document.h"
#include "core/capture/session/prepared.h"
#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/job.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <unistd.h>

namespace altiscope::capture {

std::string CaptureRun::ownerText(const std::string& id) {
    char host[256] = "?";
    ::gethostname(host, sizeof host - 1);
    const char* user = std::getenv("USER");
    return id + " " + (user != nullptr ? user : std::to_string(::getuid())) + "@" + host;
}

CaptureRun::~CaptureRun() {
    for (const TargetLink& link : m_links) {
        if (link.shell) link.shell->beginClose();
    }
}

CaptureRun::CaptureRun(const RecordStore& store, CaptureRecord record, const CancelCheck& cancelCheck, Askpass askpass)
    : m_store(store), m_progress{.record = std::move(record)}, m_cancelCheck([this, cancelCheck] {
          const std::int64_t deadline = m_deadline.load(std::memory_order_relaxed);
          if (deadline != 0 && std::chrono::steady_clock::now().time_since_epoch().count() > deadline) {
              m_hasStruck.store(true, std::memory_order_relaxed);
              return true;
          }
          return (cancelCheck && cancelCheck()) || (!m_record.id.empty() && m_store.isCancelRequested(m_record.id));
      }),
      m_askpass(std::move(askpass)), m_published(m_record.events.size()), m_links(m_record.targets.size()) {
    m_progress.watches.resize(m_record.targets.size());
}

Result<RemoteShell*> CaptureRun::shell(std::size_t target) {
    auto& shell = m_links[target].shell;
    if (!shell) {
        const auto parsed = parseTarget(m_record.targets[target].name);
        if (!parsed) return Error{"capture.session.damaged", m_store.folderOf(m_record.id), {}, {}};
        auto opened = RemoteShell::open(*parsed, m_cancelCheck, m_askpass);
        if (!opened.ok()) return opened.as<RemoteShell*>();
        shell.emplace(std::move(opened).value());
    }
    return &*shell;
}

void CaptureRun::note(std::size_t target, const std::optional<std::int64_t>& rank, State state, Error message) {
    m_progress.now.ns = nowNs();
    capture::note(m_progress, target, rank, state, std::move(message));
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

Result<Done> CaptureRun::failStart(const Result<Done>& failure) {
    const Error problem = failure.failed() ? failure.error() : Error{};
    noteUnstoppable();
    const auto restored = restoreTargets();
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

Result<Done> CaptureRun::untilDeadline(const std::function<Result<Done>()>& work) {
    if (m_record.timeout <= 0) return work();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(m_record.timeout);
    m_hasStruck.store(false, std::memory_order_relaxed);
    m_deadline.store(end.time_since_epoch().count(), std::memory_order_relaxed);
    auto done = work();
    m_deadline.store(0, std::memory_order_relaxed);
    if (!done.cancelled() || !m_hasStruck.load(std::memory_order_relaxed)) return done;
    return timeoutSentence(m_record);
}

Result<Done> CaptureRun::start(const StartRequest& request, SettingProblems& problems) {
    takeRequest(request);
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) note(i, {}, State::Preparing);
    if (auto created = m_store.create(m_record); !created.ok()) return created;
    if (auto published = publish(); !published.ok()) return published;
    const auto done = untilDeadline([&] { return startTargets(request, problems); });
    if (!done.ok()) return failStart(done);
    m_progress.now = momentNow();
    enter(m_progress, State::Armed);
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        m_record.targets[i].state = State::Armed;
        note(i, {}, State::Armed);
    }
    return publish();
}

Result<Done> CaptureRun::startTargets(const StartRequest& request, SettingProblems& problems) {
    // 1. Nothing is changed anywhere until all targets are as needed.
    std::vector<Prepared> prepared;
    auto done = prepareAll(request, prepared);
    m_formers.clear();
    problems = prepared.empty() ? SettingProblems{} : prepared[0].problems;
    if (!done.ok()) return done;
    const auto steps = chooseSteps(request, prepared);
    if (!steps.ok()) return steps.as<Done>();
    if (steps.value()) m_record.events.push_back({nowNs(), {}, {}, State::Preparing, steps.value()->problem});
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (prepared[i].outputs.processes > 0) {
            m_links[i].outputs = prepared[i].outputs;
            prepared[i].target.isOutputKnown = true;
            for (const OutputFile& file : prepared[i].outputs.files) prepared[i].target.outputs.push_back(file.path);
        }
        for (const std::string& tail : prepared[i].tails) addEarlierOutput(prepared[i].target, tail);
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
    m_record.areRanksStandard = prepared[0].expectation.areRanksStandard;
    m_record.analysis = prepared[0].expectation.analysis;
    m_record.resultsPerRank = prepared[0].expectation.resultsPerRank;
    if (done = publish(); !done.ok()) return done;

    // Rank 0 alone makes the folder of snapshots, on its own host.
    if (m_record.kind == ResultKind::Snapshots)
        done = onTargets([&](std::size_t i) { return makeFolder(*m_links[i].shell, m_record.targets[i].results); });
    if (!done.ok()) return done;

    // 2. The configuration. On a disk that targets share one of them writes it for all.
    const std::string owner = ownerText(m_record.id);
    done = onTargets([&](std::size_t i) -> Result<Done> {
        if (!prepared[i].after) return Done{};
        auto written = writeConfig(*m_links[i].shell, m_record.targets[i].config, m_record.targets[i].original,
                                   *prepared[i].after, owner, prepared[i].ended);
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
    if (!done.ok()) return done;

    // 3. The jobs; what may have been started is known before it is.
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (prepared[i].launch) m_record.targets[i].jobName = prepared[i].launch->name;
        if (request.method->medium == Medium::Request) m_record.targets[i].isConfigChanged = true;
    }
    if (done = publish(); !done.ok()) return done;
    done = onTargets([&](std::size_t i) -> Result<Done> {
        if (!prepared[i].launch) return Done{};
        auto folder = startJob(*m_links[i].shell, *prepared[i].launch);
        if (!folder.ok()) return folder.template as<Done>();
        m_record.targets[i].jobFolder = std::move(folder).value();
        return Done{};
    });
    if (done.ok() && request.method->medium == Medium::Request) done = sendRequests(*requestSettings());
    return done;
}

Result<Done> CaptureRun::restoreTarget(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    // Of a start or cancel that was broken off nobody knows what came of it.
    const bool isCertain = m_record.state == State::Done || m_record.state == State::Failed;
    // A job goes on after its recording.
    const bool stops = !target.jobName.empty() && !isCertain;
    // The command of a host that could not be reached at the end of the capture.
    if (isCertain && target.hasCommand) {
        const auto reached = shell(index);
        if (!reached.ok()) return reached.as<Done>();
        if (auto forgotten = forgetCommand(*reached.value(), target.jobFolder); !forgotten.ok()) return forgotten;
        target.hasCommand = false;
    }
    const bool restores = !target.config.empty() && (target.isConfigChanged || !isCertain);
    if (target.config.empty() && target.isConfigChanged) {
        if (auto stopped = stopRequest(index); !stopped.ok()) return stopped;
        target.isConfigChanged = false;
    }
    if (!stops && !restores) return Done{};
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<Done>();
    // Here nothing hangs on a connection.
    if (opened.value()->target().isLocal) opened.value()->setCancelCheck({});
    if (stops) {
        if (auto stopped = stopJob(*opened.value(), target.jobFolder.empty() ? target.jobName : target.jobFolder);
            !stopped.ok()) {
            return stopped;
        }
    }
    if (!restores) return Done{};
    const auto restored = restoreConfig(*opened.value(), target.config, m_record.id, target.isConfigChanged);
    if (!restored.ok()) return restored.as<Done>();
    // Where it was put back before, that has been said.
    return std::exchange(target.isConfigChanged, false) ? takeBack(index, restored.value()) : Result<Done>(Done{});
}

Result<Done> CaptureRun::takeBack(std::size_t index, const Restored& restored) {
    if (!restored.isChangedByOthers) return Done{};
    const TargetRecord& target = m_record.targets[index];
    m_links[index].reverted = restored;
    // A file that cannot be read stays as it is, and so does a YAML file.
    const auto now = readConfig(*m_links[index].shell, target.config);
    if (!now.ok()) return now.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
    // Another capture has changed it since, and puts it back itself.
    if (!now.value().owner.empty() && !now.value().owner.starts_with(m_record.id)) return Done{};
    if (!now.value().text || !target.original) return Done{};
    const auto text = jsonTakenBack(*now.value().text, *target.original, restored.written);
    if (!text || *text == *now.value().text) return Done{};
    const auto done = replaceConfig(*m_links[index].shell, target.config, *now.value().text, *text);
    return done.cancelled() ? done : Result<Done>(Done{});
}

void CaptureRun::noteTakenBack() {
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        const auto restored = std::exchange(m_links[i].reverted, std::nullopt);
        if (!restored) continue;
        const TargetRecord& target = m_record.targets[i];
        const char* code = restored->original.empty() ? "capture.event.others_new" : "capture.event.others";
        note(i, {}, target.state, Error{code, target.config, {}, {{"original", restored->original}}});
    }
}

Result<Done> CaptureRun::restoreTargets() {
    // Also what was begun when the user lost patience is put back; scripts end by themselves.
    const CancelCheck cancelCheck = std::exchange(m_cancelCheck, m_abandoned);
    // The connections stay: another one might ask the user for a password again.
    const auto setAll = [this](const CancelCheck& now) {
        for (TargetLink& link : m_links) {
            if (link.shell) link.shell->setCancelCheck(now);
        }
    };
    setAll(m_abandoned);
    auto done = onTargets([this](std::size_t i) -> Result<Done> {
        const bool hadShell = m_links[i].shell.has_value();
        auto put = restoreTarget(i);
        m_store.showWork(m_record.id);
        // One that hangs may be the fault of its connection.
        if (!put.failed() || !hadShell || !put.error().code.starts_with("capture.ssh.")) return put;
        m_links[i].shell.reset();
        return restoreTarget(i);
    });
    m_cancelCheck = cancelCheck;
    setAll(cancelCheck);
    noteTakenBack();
    return done;
}

Result<Done> CaptureRun::cancel() {
    noteUnstoppable();
    const auto restored = restoreTargets();
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
