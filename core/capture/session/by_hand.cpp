#include "core/capture/session/by_hand.h"

#include "core/capture/methods/method.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/results.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace altiscope::capture {

namespace {

/// A capture that is copied is as complete as it will be: what has no mark of its end is judged as after a job that
/// ended.
constexpr int kByHandLooks = 3;
constexpr auto kByHandRest = std::chrono::milliseconds(200);

}  // namespace

Result<CaptureRecord> takeByHand(const RecordStore& store, const Settings& settings, const std::string& preset,
                                 const std::vector<Assignment>& assignments, const std::filesystem::path& folder) {
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    if (!shell.ok()) return shell.as<CaptureRecord>();
    const Expectation expectation = expectationOf(settings);
    ResultWatch watch;
    TargetRecord target;
    target.name = "local";
    target.results = folder.string();
    for (int i = 0; i < kByHandLooks; ++i) {
        if (i > 0) std::this_thread::sleep_for(kByHandRest);
        auto listing = listResults(shell.value(), {.results = target.results, .kind = expectation.kind});
        if (!listing.ok()) return listing.as<CaptureRecord>();
        target.ranks = watch.look(listing.value(), expectation.kind, expectation.analysis, JobState::EndedWell);
    }
    if (target.ranks.empty()) {
        return Error{"capture.by_hand.nothing", folder, {}, {{"method", std::string(settings.method().name)}}};
    }
    // "FOLDER/": what lies above it is what is opened.
    target.fetched = target.results + "/";
    CaptureRecord record;
    record.method = settings.method().name;
    record.preset = preset;
    record.assignments = assignments;
    record.kind = expectation.kind;
    record.analysis = expectation.analysis;
    record.expectedRanks = expectation.ranks;
    record.state = State::Done;
    record.events.push_back(
        {nowNs(), target.name, {}, State::Preparing, Error{"capture.by_hand.taken", folder, {}, {}}});
    for (const RankRecord& rank : target.ranks) {
        record.events.push_back({nowNs(), target.name, rank.rank, rank.state, rank.message});
        if (rank.state != State::Done) record.state = State::Failed;
    }
    for (const std::int64_t wanted : expectation.ranks) {
        const bool isThere = std::any_of(target.ranks.begin(), target.ranks.end(),
                                         [wanted](const RankRecord& rank) { return rank.rank == wanted; });
        if (isThere) continue;
        record.state = State::Failed;
        record.events.push_back(
            {nowNs(), target.name, wanted, State::Failed, Error{"capture.result.rank_missing", {}, {}, {}}});
    }
    target.state = record.state;
    record.targets.push_back(std::move(target));
    record.events.push_back({nowNs(), "local", {}, record.state, {}});
    if (auto created = store.create(record); !created.ok()) return created.as<CaptureRecord>();
    return record;
}

}  // namespace altiscope::capture
