#include "core/analysis/support/account_facts.h"

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

std::int64_t meanOfAffected(const std::vector<std::int64_t>& gains, const std::vector<std::int64_t>& by) {
    const std::int64_t largest = by.empty() ? 0 : *std::max_element(by.begin(), by.end());
    std::int64_t sum = 0, count = 0;
    for (std::size_t i = 0; i < by.size() && i < gains.size(); ++i) {
        if (!isAffected(by[i], largest)) continue;
        sum += gains[i];
        ++count;
    }
    return count == 0 ? 0 : sum / count;
}

std::int64_t sumOf(const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

std::string_view causeName(Cause cause) {
    switch (cause) {
    case Cause::Kernel: return "kernel";
    case Cause::Host: return "host";
    case Cause::Wait: return "wait";
    case Cause::Gc: return "gc";
    case Cause::Gil: return "gil";
    case Cause::Lock: return "lock";
    case Cause::Preempted: return "preempted";
    case Cause::Interrupt: return "interrupt";
    case Cause::Syscall: return "syscall";
    case Cause::Compile: return "compile";
    case Cause::Synchronize: return "synchronize";
    case Cause::DataLoading: return "data_loading";
    case Cause::Checkpoint: return "checkpoint";
    case Cause::Copy: return "copy";
    case Cause::Frequency: return "frequency";
    case Cause::Transfer: return "transfer";
    case Cause::Turnaround: return "turnaround";
    case Cause::Bubble: return "bubble";
    case Cause::Absent: return "absent";
    case Cause::Unknown: break;
    }
    return "unknown";
}

std::string_view refusalCode(ReplayRefusal refusal) {
    switch (refusal) {
    case ReplayRefusal::None: break;
    case ReplayRefusal::NoTimeline: return "replay.no_timeline";
    case ReplayRefusal::Cut: return "replay.cut";
    case ReplayRefusal::NoSynchronization: return "replay.no_synchronization";
    case ReplayRefusal::Cycle: return "replay.cycle";
    case ReplayRefusal::Contradiction: return "replay.contradiction";
    case ReplayRefusal::Error: return "replay.error";
    case ReplayRefusal::TooLarge: return "replay.too_large";
    }
    return {};
}

std::int64_t StepAccount::gap() const { return std::accumulate(gaps.begin(), gaps.end(), std::int64_t{0}); }

std::int64_t StepAccount::communication() const { return transfer + absent + unknownCommunication + wait; }

std::int64_t StepAccount::sum() const { return computing + communication() + copy + gap(); }

bool isAffected(std::int64_t gain, std::int64_t largest) {
    constexpr std::int64_t kGainShare = 5;
    return gain > 0 && gain >= largest / kGainShare;
}

std::int64_t CauseFacts::total() const { return sumOf(removal); }

std::size_t CauseFacts::stepsWithAny() const {
    const std::int64_t largest = removal.empty() ? 0 : *std::max_element(removal.begin(), removal.end());
    return static_cast<std::size_t>(std::count_if(removal.begin(), removal.end(),
                                                  [largest](std::int64_t gain) { return isAffected(gain, largest); }));
}

std::int64_t CauseFacts::perAffectedStep() const { return meanOfAffected(removal, removal); }

std::int64_t CauseFacts::alonePerAffectedStep() const { return meanOfAffected(alone, removal); }

std::int64_t JobAccount::recordedTotal() const { return sumOf(recorded); }

}  // namespace altiscope
