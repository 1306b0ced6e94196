#include "core/capture/session/completeness.h"

#include <algorithm>
#include <set>
#include <utility>

namespace altiscope::capture {

namespace {

/// Without any change before it is believed that no more ranks come, where nobody says how many there are.
constexpr std::chrono::seconds kSettled(3);

}  // namespace

std::vector<std::int64_t> awaitedRanks(const Progress& progress, bool areOver) {
    std::vector<std::int64_t> awaited = progress.record.expectedRanks;
    std::set<std::int64_t> running, lost, found;
    bool areKnown = true;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        for (const std::int64_t rank : target.runningRanks) {
            const bool has = std::any_of(target.ranks.begin(), target.ranks.end(),
                                         [rank](const RankRecord& one) { return one.rank == rank; });
            (target.isSettled && !has ? lost : running).insert(rank);
        }
        areKnown = areKnown && (!target.runningRanks.empty() || progress.watches[i].isShared);
        for (const RankRecord& rank : target.ranks) {
            if (rank.rank) found.insert(*rank.rank);
        }
        // Which of them would have come from there nobody knows: what came from others counts.
        if (target.isSettled && target.runningRanks.empty() && target.ranks.empty()) return {};
    }
    std::erase_if(awaited, [&lost](std::int64_t rank) { return lost.contains(rank); });
    if (!progress.record.areRanksStandard) return awaited;
    // The tool's own list names ranks whether the job has them or not.
    for (const TargetWatch& watched : progress.watches) {
        if (watched.ranks > 0) std::erase_if(awaited, [&](std::int64_t rank) { return rank >= watched.ranks; });
    }
    if (areKnown) std::erase_if(awaited, [&running](std::int64_t rank) { return !running.contains(rank); });
    else if (areOver && !found.empty() && *found.rbegin() + 1 == static_cast<std::int64_t>(found.size()))
        std::erase_if(awaited, [&found](std::int64_t rank) { return rank > *found.rbegin(); });
    return awaited;
}

std::map<std::int64_t, std::int64_t> resultsOfRanks(const Progress& progress, bool areOver) {
    std::map<std::int64_t, std::int64_t> ranks;
    for (const std::int64_t rank : awaitedRanks(progress, areOver)) ranks[rank] = 0;
    for (const TargetRecord& target : progress.record.targets) {
        for (const RankRecord& rank : target.ranks) {
            // Others than were chosen are welcome, and not waited for.
            if (rank.rank && (progress.record.expectedRanks.empty() || ranks.contains(*rank.rank))) ++ranks[*rank.rank];
        }
    }
    return ranks;
}

std::int64_t resultsOfEach(const CaptureRecord& record) { return std::max(record.resultsPerRank, std::int64_t{1}); }

bool haveAllResults(const Progress& progress, bool areOver) {
    const auto ranks = resultsOfRanks(progress, areOver);
    return std::all_of(ranks.begin(), ranks.end(),
                       [each = resultsOfEach(progress.record)](const auto& rank) { return rank.second >= each; });
}

bool areJobsOver(const Progress& progress) {
    // Nothing more is expected of those that have come to their end before.
    bool anyJob = std::all_of(progress.record.targets.begin(), progress.record.targets.end(),
                              [](const TargetRecord& target) { return target.isSettled; });
    const bool anyLeft = std::any_of(progress.watches.begin(), progress.watches.end(),
                                     [](const TargetWatch& watched) { return watched.isLeft; });
    for (std::size_t i = 0; i < progress.watches.size(); ++i) {
        const JobState job = progress.watches[i].job;
        if (progress.record.targets[i].isSettled) continue;
        if (job == JobState::Runs || progress.watches[i].isLost) return false;
        // That one host has only results of processes that are gone says nothing of another one.
        const bool hasOrMustHave = !progress.record.targets[i].ranks.empty() ||
                                   (progress.record.expectedRanks.empty() && !progress.watches[i].isShared);
        if (anyLeft && job == JobState::Unknown && hasOrMustHave) return false;
        anyJob = anyJob || job != JobState::Unknown;
        if (!progress.watches[i].results.stable().lasts(kOverLooks, {}, progress.now.steady)) return false;
    }
    return anyJob;
}

bool isComplete(const Progress& progress, bool areOver) {
    const auto awaited = awaitedRanks(progress, areOver);
    std::int64_t found = 0;
    bool allNumbered = true, allStable = true;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        found += static_cast<std::int64_t>(target.ranks.size());
        if (target.isSettled) continue;
        for (const RankRecord& rank : target.ranks) {
            if (!isOver(rank.state)) return false;
            allNumbered = allNumbered && rank.rank;
        }
        if (target.ranks.empty() && awaited.empty() && !progress.watches[i].isShared) return false;
        allStable = allStable && progress.watches[i].results.stable().lasts(kOverLooks, kSettled, progress.now.steady);
    }
    // As many as come: which one is the last, only the end of the job says.
    if (progress.record.resultsPerRank == 0 && !areOver) return false;
    const std::int64_t each = resultsOfEach(progress.record);
    // Stages may lie minutes apart: that nothing changes says nothing before each rank has all of its results.
    const bool hasAll = haveAllResults(progress, areOver);
    if (awaited.empty() || !allNumbered) {
        const auto expected = static_cast<std::int64_t>(awaited.size());
        return found > 0 && found >= std::max(expected, std::int64_t{1}) * each && (allStable || areOver) &&
               (!allNumbered || hasAll);
    }
    return hasAll;
}

void noteMissing(Progress& progress, bool areOver) {
    const std::int64_t each = resultsOfEach(progress.record);
    for (const auto& [rank, results] : resultsOfRanks(progress, areOver)) {
        if (results >= each) continue;
        Error missing{"capture.result.rank_missing", {}, {}, {}};
        if (results > 0) {
            missing = {"capture.result.some_missing",
                       {},
                       {},
                       {{"found", std::to_string(results)}, {"expected", std::to_string(each)}}};
        }
        // Nobody knows the host of a rank without any result.
        const auto has = [number = rank](const TargetRecord& target) {
            return std::any_of(target.ranks.begin(), target.ranks.end(),
                               [number](const RankRecord& one) { return one.rank == number; });
        };
        const auto where = std::find_if(progress.record.targets.begin(), progress.record.targets.end(), has);
        const bool isKnown = where != progress.record.targets.end();
        note(progress, isKnown ? static_cast<std::size_t>(where - progress.record.targets.begin()) : 0, rank,
             State::Failed, missing);
    }
}

}  // namespace altiscope::capture
