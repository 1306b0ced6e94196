#include "core/capture/session/progress.h"

#include "core/capture/session/printed_steps.h"
#include "core/capture/session/secrets.h"

#include <algorithm>
#include <utility>

namespace altiscope::capture {

Moment momentNow() { return {std::chrono::steady_clock::now(), nowNs()}; }

void note(Progress& progress, std::size_t target, const std::optional<std::int64_t>& rank, State state, Error message) {
    // A host that never stops to report ranks must not fill the record.
    static constexpr std::size_t kMaxEvents = 20'000;
    CaptureRecord& record = progress.record;
    if (record.events.size() > kMaxEvents && !isOver(state)) return;
    record.events.push_back({progress.now.ns, record.targets[target].name, rank, state, std::move(message)});
}

void noteAll(Progress& progress, Error message) {
    progress.record.events.push_back({progress.now.ns, {}, {}, progress.record.state, std::move(message)});
}

void noteOnce(Progress& progress, std::size_t target, std::string& last, const std::string& line, const char* code) {
    if (line.empty() || line == last || progress.record.events.size() > kMaxMessages) return;
    last = line;
    note(progress, target, {}, progress.record.targets[target].state,
         Error{code, {}, {}, {{"line", withoutSecrets(line)}}});
}

void enter(Progress& progress, State state) {
    if (progress.record.state != state) progress.record.phaseBegin = progress.now.ns;
    progress.record.state = state;
}

bool isAsking(const CaptureRecord& record) { return record.commonStep == kAskingStep; }

void addEarlierOutput(TargetRecord& target, std::string_view text) {
    addEarlier(target, tracebackReason(text));
    addEarlier(target, refusalLine(text));
}

State stateOfRanks(const std::vector<RankRecord>& ranks) {
    State state = State::Done;
    for (const RankRecord& rank : ranks) {
        if (!isOver(rank.state)) state = std::min(state, rank.state);
    }
    if (isOver(state) &&
        std::any_of(ranks.begin(), ranks.end(), [](const auto& r) { return r.state == State::Failed; })) {
        return State::Failed;
    }
    return state;
}

bool ownsConfig(const CaptureRecord& record, std::size_t target) {
    const TargetRecord& own = record.targets[target];
    for (std::size_t i = 0; i < record.targets.size(); ++i) {
        const TargetRecord& other = record.targets[i];
        // Only one of those that share it has written it.
        if (i != target && !other.isSettled && other.config == own.config && !other.isConfigChanged) return false;
    }
    return true;
}

Error timeoutSentence(const CaptureRecord& record) {
    return Error{"capture.timeout",
                 {},
                 {},
                 {{"phase", std::string(stateText(record.state))}, {"seconds", std::to_string(record.timeout)}}};
}

}  // namespace altiscope::capture
