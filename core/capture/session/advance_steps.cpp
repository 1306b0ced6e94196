#include "core/capture/session/advance_steps.h"

#include "core/base/values/parse.h"
#include "core/capture/methods/rows.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/printed_steps.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace altiscope::capture {

namespace {

/// A tool looks at least every 50 s.
constexpr std::chrono::seconds kLongestAsk(60);
/// Start steps that are computed anew before each host begins at its own.
constexpr int kMaxCorrections = 3;

/// Whether a line in which a tool does not take a configuration speaks of that of this capture.
bool isOwnRefusal(const Progress& progress, std::size_t index, std::string_view line) {
    static constexpr std::string_view kField = "start_step";
    if (const auto at = line.find(kField); at != std::string_view::npos) {
        const auto digit = line.find_first_of("0123456789", at + kField.size());
        const auto end = std::min(line.find_first_not_of("0123456789", digit), line.size());
        const auto settings = settingsOf(progress.record, progress.record.targets[index]);
        if (digit != std::string_view::npos && settings && settings->find(kField) != nullptr)
            return wholeNumber(line.substr(digit, end - digit)) == settings->integer(kField);
    }
    // One without a number was there before the capture, or is of it.
    return !isEarlier(progress.record.targets[index], line);
}

/// Facts about the steps of all hosts that wait for a common one.
struct WaitingSteps {
    bool areAllWaiting = true;            ///< Each is armed, can be reached, and has its configuration.
    bool isUncounted = false;             ///< A tool refuses the step and does not say its own count.
    std::optional<std::int64_t> own;      ///< The highest count of a tool that refuses it.
    std::optional<std::int64_t> printed;  ///< The highest step that a job printed.
};

WaitingSteps waitingSteps(const Progress& progress) {
    WaitingSteps steps;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        const TargetWatch& watch = progress.watches[i];
        if (target.isSettled) continue;
        // Once one of them records, another step for the others would be another one.
        if (target.state != State::Armed || watch.isLost || target.isConfigDue) steps.areAllWaiting = false;
        steps.isUncounted = steps.isUncounted || (watch.refused && !watch.refusedStep);
        if (watch.refused && watch.refusedStep && progress.corrections < kMaxCorrections)
            steps.own = std::max(steps.own.value_or(0), *watch.refusedStep);
        if (watch.printed) steps.printed = std::max(steps.printed.value_or(0), *watch.printed);
    }
    return steps;
}

}  // namespace

void applyOutput(Progress& progress, std::size_t index, Observation& seen) {
    TargetRecord& target = progress.record.targets[index];
    TargetWatch& watch = progress.watches[index];
    if (seen.rankCount) watch.ranks = *seen.rankCount;
    if (!seen.output) return;
    Listing& listing = seen.listing.value();
    if (!seen.outputPaths.empty()) target.outputs = seen.outputPaths;
    for (const FileTail& tail : *seen.output) {
        if (target.jobFolder.empty() && !target.isOutputKnown && !watch.isJobGone) addEarlierOutput(target, tail.text);
        const std::string reason = tracebackReason(tail.text);
        if (!reason.empty() && !isEarlier(target, reason)) watch.reason = reason;
        if (const std::string_view line = refusalLine(tail.text);
            !line.empty() && isOwnRefusal(progress, index, line)) {
            listing.refusal = line;
            watch.refusal = line;
            watch.refusedStep = numberAfter(line, "current_step=");
        }
        // Other output hides it for a moment.
        const auto printed = printedStep(tail.text);
        if (printed) watch.printed = std::max(watch.printed.value_or(0), printed->step);
        if (printed && listing.iteration.empty())
            listing.iteration = "iteration " + std::to_string(printed->step) + "/";
    }
    target.isOutputKnown = true;
}

void applySteps(Progress& progress, std::size_t index, const Listing& listing) {
    CaptureRecord& record = progress.record;
    TargetRecord& target = record.targets[index];
    TargetWatch& watch = progress.watches[index];
    // A sentence of before is no news of a job that has ended, or of a daemon that does not answer.
    const bool isOnItsWay = target.state == State::Armed || target.state == State::Recording;
    if (!isOnItsWay || watch.isJobGone || watch.daemonProblem || watch.job == JobState::EndedWell ||
        watch.job == JobState::Failed) {
        target.steps = {};
        return;
    }
    std::optional<Error> sentence;
    if (watch.daemon) {
        // Its steps are those of a trace, which with a monitor is somebody else's.
        if (record.kind != ResultKind::Monitored) sentence = stepSentence(*watch.daemon);
    } else {
        // Other output hides for a moment what the job prints of its iterations.
        if (listing.iteration.empty()) return;
        if (!watch.steps) {
            const auto settings = settingsOf(record, target);
            watch.steps.emplace(settings ? recordedSteps(*settings) : std::nullopt);
        }
        if (*watch.steps && !isAsking(record)) {
            RecordedSteps steps = **watch.steps;
            if (record.isStepOwn) steps.printed = PrintedSteps::OwnCount;
            sentence = stepSentence(listing.iteration, steps);
        }
    }
    target.steps = sentence.value_or(Error{});
    // The step changes too often for a message each.
    if (target.steps.code.empty() || target.steps.code == watch.notedSteps || record.events.size() > kMaxMessages)
        return;
    watch.notedSteps = target.steps.code;
    note(progress, index, {}, target.state, target.steps);
}

void requestStep(Progress& progress, std::int64_t step) {
    progress.record.commonStep = step;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        TargetRecord& target = progress.record.targets[i];
        TargetWatch& watch = progress.watches[i];
        // These speak of the configuration that is replaced now.
        for (const std::string* line : {&watch.refusal, &watch.watcherLine, &watch.logLine}) {
            addEarlier(target, *line);
        }
        watch.refused.reset();
        watch.refusedStep.reset();
        watch.diagnosis.clear();
        watch.steps.reset();
        watch.failedWrites = 0;
        target.isConfigDue = !target.isSettled && target.isConfigChanged && !target.config.empty();
    }
}

Actions dueConfigs(Progress& progress) {
    const auto& targets = progress.record.targets;
    const bool isAny =
        std::any_of(targets.begin(), targets.end(), [](const auto& target) { return target.isConfigDue; });
    return isAny ? Actions{{Action::Kind::WriteConfigs}} : Actions{};
}

Actions correctStep(Progress& progress) {
    CaptureRecord& record = progress.record;
    const Method* method = findMethod(record.method);
    if (record.commonStep.value_or(-1) < 0 || method == nullptr || method->medium != Medium::JsonFile) return {};
    const auto [areAllWaiting, isUncounted, own, printed] = waitingSteps(progress);
    if (!areAllWaiting) return {};
    // Long past it by the job's count, and the tool has not begun: it counts fewer, as after a resume.
    const bool isOverdue = !own && progress.corrections < kMaxCorrections && !isAsking(record) && !record.isStepOwn &&
                           printed && *printed > *record.commonStep + std::max<std::int64_t>(record.commonMargin, 5);
    const auto now = progress.now.steady;
    if (!isAsking(record)) progress.asked.reset();
    else if (!progress.asked) progress.asked = now;
    // Nobody can read the reply, or there is none: then each host begins at its own step.
    if (!own && progress.asked && (isUncounted || now - *progress.asked >= kLongestAsk)) {
        noteAll(progress, Error{"capture.steps.unknown", {}, {}, {}});
        requestStep(progress, -1);
        return dueConfigs(progress);
    }
    if (!own && !isOverdue) return {};
    ++progress.corrections;
    record.isStepOwn = own.has_value();
    std::int64_t step = kAskingStep;
    if (own) {
        // A tool that counts several steps for one that is printed counts them as much faster.
        const std::int64_t shown = std::max<std::int64_t>(printed.value_or(1), 1);
        const std::int64_t each = (*own + shown - 1) / shown;
        const std::int64_t margin = record.commonMargin + record.commonMargin / 2;
        step = *own + margin * std::clamp<std::int64_t>(each, 1, 100);
    }
    noteAll(progress, Error{own ? "capture.steps.corrected" : "capture.steps.asks",
                            {},
                            {},
                            {{"step", std::to_string(step)}, {"own", std::to_string(own.value_or(0))}}});
    requestStep(progress, step);
    return dueConfigs(progress);
}

void compareSteps(Progress& progress) {
    // Stages, and jobs that record as often as they like, have their own.
    if (progress.record.resultsPerRank != 1) return;
    std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::string, std::vector<std::int64_t>>> groups;
    std::size_t known = 0, all = 0;
    for (const TargetRecord& target : progress.record.targets) {
        for (const RankRecord& rank : target.ranks) {
            ++all;
            if (!rank.steps) continue;
            ++known;
            groups[*rank.steps][target.name].push_back(rank.rank.value_or(-1));
        }
    }
    if (known < 2) return;
    const auto stepsText = [](const std::pair<std::int64_t, std::int64_t>& steps) {
        return steps.second - steps.first > 1 ? std::to_string(steps.first) + "-" + std::to_string(steps.second - 1)
                                              : std::to_string(steps.first);
    };
    if (groups.size() == 1) {
        progress.record.steps = Error{known == all ? "capture.steps.same" : "capture.steps.same_some",
                                      {},
                                      {},
                                      {{"steps", stepsText(groups.begin()->first)},
                                       {"known", std::to_string(known)},
                                       {"ranks", std::to_string(all)}}};
    } else {
        std::string text;
        for (auto& [steps, hosts] : groups) {
            text += (text.empty() ? "" : "; ") + stepsText(steps) + ":";
            std::size_t count = 0;
            for (auto& [host, ranks] : hosts) {
                // More than these would be no sentence.
                if (++count > 8) {
                    text += " ...";
                    break;
                }
                std::erase(ranks, -1);
                std::sort(ranks.begin(), ranks.end());
                text += (count > 1 ? ", " : " ") + host + (ranks.empty() ? "" : " (" + numberRanges(ranks) + ")");
            }
        }
        progress.record.steps = Error{"capture.steps.differ", {}, {}, {{"groups", text}}};
    }
    noteAll(progress, progress.record.steps);
}

}  // namespace altiscope::capture
