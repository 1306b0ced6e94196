#include "core/capture/session/capture_run.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/files/target_scripts.h"
#include "core/capture/targets/job.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

/// Whether the tools of the target could make more of it.
bool isAnalysable(const RankRecord& rank) {
    return rank.message.code == "capture.result.raw" || rank.message.code == "capture.result.analysis_failed" ||
           rank.message.code == "capture.result.analysis_empty";
}

}  // namespace

bool isAnalysable(const CaptureRecord& record) {
    if (record.kind != ResultKind::Folders || (record.state != State::Done && record.state != State::Failed))
        return false;
    return std::any_of(record.targets.begin(), record.targets.end(), [](const TargetRecord& target) {
        return std::any_of(target.ranks.begin(), target.ranks.end(),
                           [](const RankRecord& rank) { return isAnalysable(rank); });
    });
}

Result<bool> CaptureRun::analyse(const AnalysisOptions& options) {
    if (!isAnalysable(m_record)) return false;
    std::vector<Launch> launches(m_record.targets.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
        TargetRecord& target = m_record.targets[i];
        std::vector<std::string> words{options.python, options.types};
        for (const RankRecord& rank : target.ranks) {
            if (isAnalysable(rank)) words.push_back(rank.path);
        }
        if (words.size() == 2) continue;
        // bash where there is one: the toolkit's environment is written for it.
        const std::string frame =
            "shell=sh; command -v bash >/dev/null 2>&1 && shell=bash\nexec $shell \"$1/launch.sh\" " +
            shellCommand(words) + "\n";
        // Each analysis has a folder of its own.
        const auto number = std::count_if(m_record.events.begin(), m_record.events.end(), [](const Event& event) {
            return event.message.code == "capture.event.analysis";
        });
        launches[i] = {m_record.id + "." + std::to_string(i) + ".analysis" + std::to_string(number), target.results,
                       std::string(analyseScript()), frame};
        target.jobName = launches[i].name;
        target.jobFolder.clear();
    }
    std::vector<std::vector<RankRecord>> before;
    for (const TargetRecord& target : m_record.targets) before.push_back(target.ranks);
    // One that was meant for the recording is none for this.
    m_store.withdrawFinish(m_record.id);
    m_progress.now = momentNow();
    enter(m_progress, State::Analysing);
    m_record.analysis = Analysis::There;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        // Nothing more comes from a host without anything to analyse.
        m_record.targets[i].isSettled = launches[i].name.empty();
        if (launches[i].name.empty()) continue;
        m_record.targets[i].state = State::Analysing;
        note(i, {}, State::Analysing, Error{"capture.event.analysis", {}, {}, {}});
        for (RankRecord& rank : m_record.targets[i].ranks) {
            if (isAnalysable(rank)) rank = {rank.path, rank.rank, State::Analysing, {}};
        }
    }
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    const auto started = onTargets([&](std::size_t i) -> Result<Done> {
        if (launches[i].name.empty()) return Done{};
        const auto opened = shell(i);
        if (!opened.ok()) return opened.template as<Done>();
        auto folder = startJob(*opened.value(), launches[i]);
        if (!folder.ok()) return folder.template as<Done>();
        m_record.targets[i].jobFolder = std::move(folder).value();
        return Done{};
    });
    if (!started.ok()) {
        const auto failed = failStart(started);
        // What was recorded is as it was.
        for (std::size_t i = 0; i < before.size(); ++i) m_record.targets[i].ranks = before[i];
        if (auto published = publish(); !published.ok()) return published.as<bool>();
        return failed.as<bool>();
    }
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    return true;
}

}  // namespace altiscope::capture
