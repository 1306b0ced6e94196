#include "core/capture/session/capture_run.h"

#include "core/capture/files/target_scripts.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/presets.h"
#include "core/capture/methods/validation.h"
#include "core/capture/targets/config_edit.h"

#include <algorithm>
#include <utility>

namespace altiscope::capture {

namespace {

/// Ranks begin to look one after the other; what is changed before the last one has begun, that one overlooks.
constexpr std::chrono::seconds kAllLook(2);

/// Settings of the user for the second file.
std::vector<Assignment> followerAssignments(const CaptureRecord& record, const Method& first, const Method& second,
                                            const std::string& results) {
    auto all = presetAssignments(first, record.preset);
    all.insert(all.end(), record.assignments.begin(), record.assignments.end());
    const Settings fields(second, {}), own(first, {});
    std::erase_if(all, [&](const Assignment& one) {
        const Setting* mine = own.find(one.first);
        return fields.find(one.first) == nullptr || (mine != nullptr && !mine->field->key.empty());
    });
    // The folder in the file may differ from the one that is looked into.
    const auto isOutput = [&](const Assignment& one) { return fields.find(one.first) == fields.find("prof_dir"); };
    if (std::none_of(all.begin(), all.end(), isOutput)) all.emplace_back("prof_dir", results);
    return all;
}

}  // namespace

Result<Done> CaptureRun::armFollowers() {
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        // One that cannot be reached is tried again.
        if (m_record.targets[i].follower.empty() || !shell(i).ok()) continue;
        if (const auto armed = armFollower(i); armed.cancelled()) return Cancelled{};
    }
    return Done{};
}

Result<Done> CaptureRun::armFollower(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    TargetLink& link = m_links[index];
    const Method* first = findMethod(m_record.method);
    const Method* second = first == nullptr ? nullptr : findMethod(first->followedBy);
    if (second == nullptr || link.followerProblem || target.isSettled) return Done{};
    const RemoteShell& shell = *link.shell;
    /// Tries on a host that answers.
    static constexpr int kMaxFailures = 5;
    const auto retry = [&link](const auto& result) -> Result<Done> {
        if (result.cancelled()) return Cancelled{};
        if (!isUnreached(result.error()) && ++link.failedFollows >= kMaxFailures) link.followerProblem = result.error();
        return Done{};
    };
    const auto fail = [&link](const auto& result) -> Result<Done> {
        if (result.cancelled()) return Cancelled{};
        link.followerProblem = result.error();
        return Done{};
    };
    const std::vector<std::string> arguments{target.follower};
    const auto lookers = shell.run(listLookersScript(), arguments);
    // One that cannot be reached is tried again.
    if (!lookers.ok()) return lookers.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
    const std::string logs = lookers.value().output;
    link.followed.note(logs == std::exchange(link.followerLogs, logs));
    if (logs.empty() || !link.followed.lasts(1, kAllLook)) return Done{};

    if (target.config == target.follower) {
        // First the remains of a broken try, if there are any.
        const auto restored = restoreConfig(shell, target.config, m_record.id, false);
        if (!restored.ok()) return retry(restored);
        if (const auto taken = takeBack(index, restored.value()); !taken.ok()) return taken;
        noteTakenBack();
    }
    auto config = readConfig(shell, target.follower);
    if (!config.ok()) return retry(config);
    const bool isOurs = config.value().owner.starts_with(m_record.id);
    if (!isOurs && !config.value().owner.empty()) {
        link.followerProblem = Error{"capture.config.busy", target.follower, {}, {{"owner", config.value().owner}}};
        return Done{};
    }
    SettingProblems problems;
    const std::string* text = config.value().text ? &*config.value().text : nullptr;
    const Settings settings =
        makeSettings(*second, followerAssignments(m_record, *first, *second, target.results), text, problems);
    validate(settings, problems);
    if (hasErrors(problems)) {
        const auto wrong = std::find_if(problems.begin(), problems.end(),
                                        [](const SettingProblem& one) { return one.severity == ProblemLevel::Error; });
        link.followerProblem =
            Error{"capture.start.follower", target.follower, {}, {{"reason", problemText(*wrong, "en")}}};
        return Done{};
    }
    const auto plan = makePlan(settings, text, target.follower);
    if (!plan.ok()) return fail(plan);
    // The job has read the first one at its start.
    const auto restored = restoreConfig(shell, target.config, m_record.id, false);
    if (!restored.ok()) return retry(restored);
    if (const auto taken = takeBack(index, restored.value()); !taken.ok()) return taken;
    noteTakenBack();
    const std::string path = target.follower;
    target.config = path;
    target.original = config.value().text;
    target.logs = path.substr(0, path.rfind('/')) + "/log";
    // On a disk that targets share one of them writes it for all.
    target.isConfigChanged = !isOurs;
    if (isOurs) target.follower.clear();
    if (auto saved = m_store.save(m_record); !saved.ok()) return fail(saved);
    if (isOurs) return Done{};
    const auto written = writeConfig(shell, path, target.original, plan.value().file, ownerText(m_record.id));
    // It may be there nevertheless: the next try, or the end, puts it back first.
    if (!written.ok()) return retry(written);
    target.follower.clear();
    link.hasFollowed = true;
    return m_store.save(m_record);
}

}  // namespace altiscope::capture
