#include "core/capture/session/capture_run.h"

#include "core/base/text/catalogue.h"
#include "core/base/values/parse.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/fetch.h"
#include "core/capture/session/result_steps.h"

#include <algorithm>
#include <map>

namespace altiscope::capture {

namespace {

/// What is copied into one folder here.
struct Part {
    std::string source;  ///< Folder on the target.
    std::vector<RemoteFile> files;
    std::optional<std::int64_t> rank;
};

std::string parentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Whether a folder here may be called so: not as one that another result is copied to, see fetchFiles().
bool isFolderName(const std::string& name) {
    return isSafeName(name) && (name + '/').find(".partial/") == std::string::npos;
}

/// Where a result goes below its host's folder; empty if it has no safe name.
std::string pathBelowHost(const std::string& path, const std::string& results) {
    if (path.size() > results.size() + 1 && path.starts_with(results + "/")) {
        if (const std::string below = path.substr(results.size() + 1); isSafeName(below))
            return isFolderName(below) ? below : std::string();
    }
    const std::string name(lastPathPart(path));
    return isFolderName(name) ? name : std::string();
}

}  // namespace

Result<Done> CaptureRun::fetchTarget(std::size_t index, const std::filesystem::path& folder, const FetchLimits& limits,
                                     std::vector<Event>& events) {
    const TargetRecord& target = m_record.targets[index];
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<Done>();
    const RemoteShell& remote = *opened.value();
    std::map<std::string, Part> parts;
    for (const RankRecord& rank : target.ranks) {
        const bool isFile = m_record.kind == ResultKind::Snapshots || m_record.kind == ResultKind::Monitored;
        const std::string source = isFile ? parentOf(rank.path) : rank.path;
        const std::string place = isFile ? (m_record.kind == ResultKind::Snapshots ? "snapshots/" : "monitor/") +
                                               pathBelowHost(source, parentOf(target.results))
                                         : pathBelowHost(source, target.results);
        if (place.empty() || place.back() == '/') {
            return Error{"capture.fetch.hostile_name", rank.path, {}, {{"host", target.name}, {"name", rank.path}}};
        }
        // Features lie in the folder that the user has named, not below it.
        auto files = listFiles(remote, rank.path, rank.path == target.results);
        if (!files.ok()) return files.as<Done>();
        Part& part = parts[place];
        part.source = source;
        part.rank = rank.rank;
        part.files.insert(part.files.end(), files.value().begin(), files.value().end());
    }
    for (const auto& [place, part] : parts) {
        auto fetched = fetchFiles(remote, part.source, part.files, folder / place, limits);
        if (!fetched.ok()) return fetched;
        events.push_back(
            {nowNs(), target.name, part.rank, State::Done, Error{"capture.event.fetched", folder / place, {}, {}}});
    }
    return Done{};
}

void CaptureRun::takeCopiedSteps(std::size_t index, const std::filesystem::path& folder) {
    TargetRecord& target = m_record.targets[index];
    const Method* method = findMethod(m_record.method);
    // Others record the steps that their settings say.
    if (method == nullptr || method->startField.empty() || m_record.kind != ResultKind::Folders) return;
    const auto settings = settingsOf(m_record, target);
    const std::int64_t warmup = settings ? settings->integer("warmup").value_or(0) : 0;
    for (RankRecord& rank : target.ranks) {
        if (rank.steps) continue;
        const auto steps = stepsOfResult(folder / pathBelowHost(rank.path, target.results));
        // Older versions count from the begin of each recording, which says nothing.
        if (steps && steps->first > warmup + 1) rank.steps = steps;
    }
}

Result<bool> CaptureRun::fetch(const std::filesystem::path& folder, const FetchLimits& limits) {
    // More would only share the same way here.
    static constexpr std::size_t kHostsAtOnce = 3;
    // They share the limit; who has nothing to give needs no part of it.
    const auto givers = std::count_if(m_record.targets.begin(), m_record.targets.end(),
                                      [](const TargetRecord& target) { return !target.ranks.empty(); });
    FetchLimits each = limits;
    each.bytesPerSecond /= std::clamp<std::uint64_t>(static_cast<std::uint64_t>(givers), 1, kHostsAtOnce);
    std::vector<std::string> names;
    for (const TargetRecord& target : m_record.targets) names.push_back(target.name);
    const auto labels = targetLabels(names);
    const State before = m_record.state;
    m_record.state = State::Fetching;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) note(i, {}, State::Fetching);
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    std::vector<std::vector<Event>> events(labels.size());
    std::vector<Result<Done>> results(labels.size(), Result<Done>(Done{}));
    m_hasStruck.store(false, std::memory_order_relaxed);
    const auto all = untilDeadline([&] {
        return onTargets(
            [&](std::size_t i) -> Result<Done> {
                return results[i] = fetchTarget(i, folder / labels[i], each, events[i]);
            },
            kHostsAtOnce);
    });
    for (auto& result : results) {
        // Another host's fault may be what the work as a whole has ended with.
        if (result.cancelled() && m_hasStruck.load(std::memory_order_relaxed)) result = timeoutSentence(m_record);
    }
    m_record.state = before;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (results[i].ok()) takeCopiedSteps(i, folder / labels[i]);
    }
    bool good = true, cancelled = false;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        m_record.events.insert(m_record.events.end(), events[i].begin(), events[i].end());
        good = good && results[i].ok();
        cancelled = cancelled || results[i].cancelled();
        if (results[i].ok()) m_record.targets[i].fetched = (folder / labels[i]).string();
        if (results[i].failed()) note(i, {}, State::Failed, results[i].error());
        else if (results[i].ok()) note(i, {}, m_record.targets[i].state);
    }
    m_progress.now = momentNow();
    if (!cancelled && m_record.steps.code.empty()) compareSteps(m_progress);
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    if (cancelled) return Cancelled{};
    return good;
}

}  // namespace altiscope::capture
