#include "views/cluster/data/rank_numbers.h"

#include "core/analysis/communication/collective_set.h"
#include "core/analysis/facts/core_frequency.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace altiscope {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double& valueOf(RankNumbers& numbers, RankMetric metric) { return numbers.byMetric[static_cast<std::size_t>(metric)]; }

void addStepParts(const CountedSteps& counted, std::vector<RankNumbers>& numbers) {
    constexpr std::array<std::pair<RankMetric, StepPart>, 5> kParts{{{RankMetric::StepTime, StepPart::Step},
                                                                     {RankMetric::Computing, StepPart::Computing},
                                                                     {RankMetric::Exposed, StepPart::Exposed},
                                                                     {RankMetric::Bubble, StepPart::Bubble},
                                                                     {RankMetric::Free, StepPart::Free}}};
    std::vector<std::array<std::pair<double, std::size_t>, kParts.size()>> sums(numbers.size());
    for (const StepTime& time : counted.times) {
        // Of several devices of one rank the busiest stands for it.
        if (time.use == StepUse::OtherDevice) continue;
        ++numbers[time.rank.value].steps;
        for (std::size_t part = 0; part < kParts.size(); ++part) {
            const auto value = time.part(kParts[part].second);
            if (!value) continue;
            sums[time.rank.value][part].first += static_cast<double>(*value);
            ++sums[time.rank.value][part].second;
        }
    }
    for (std::size_t r = 0; r < numbers.size(); ++r) {
        for (std::size_t part = 0; part < kParts.size(); ++part) {
            const auto& [sum, count] = sums[r][part];
            if (count > 0) valueOf(numbers[r], kParts[part].first) = sum / static_cast<double>(count);
        }
    }
}

bool addWaits(const RankNumberSources& sources, std::vector<RankNumbers>& numbers, const CancelToken& cancel) {
    std::vector<CollectiveRows> rows;
    for (RankIndex r; r.value < numbers.size(); ++r.value) {
        if (numbers[r.value].isInContext && sources.collectives[r.value] != nullptr)
            rows.push_back({r, sources.collectives[r.value], false, sources.context.shiftOf(r)});
    }
    if (rows.empty()) return true;
    CollectiveQuery query;
    query.steps = sources.context.steps;
    query.range = sources.context.range;
    const auto set = collectiveSet(rows, query, cancel);
    if (set == nullptr) return false;
    const std::vector<LateRank> late = lateRanks(*set, cancel);
    if (cancel.cancelled()) return false;
    for (std::size_t i = 0; i < set->ranks.size(); ++i) {
        RankNumbers& rank = numbers[set->ranks[i].rank.value];
        std::set<std::optional<std::int64_t>> steps;
        for (const CollectiveItem& item : set->ranks[i].items) steps.insert(item.step);
        // What belongs to no step is no step where there are others.
        if (steps.size() > 1) steps.erase(std::nullopt);
        const auto count = static_cast<double>(std::max<std::size_t>(1, steps.size()));
        valueOf(rank, RankMetric::WaitSuffered) = static_cast<double>(set->ranks[i].sum.wait) / count;
        if (late[i].compared == 0) continue;
        valueOf(rank, RankMetric::WaitCaused) = static_cast<double>(late[i].waited) / count;
        rank.compared = late[i].compared;
        rank.last = late[i].last;
    }
    return true;
}

void addRecoverable(const RankNumberSources& sources, std::vector<RankNumbers>& numbers) {
    if (sources.job == nullptr) return;
    const JobAccount& job = *sources.job;
    const std::vector<std::size_t> places = stepsOfJob(job, sources.capture, sources.context);
    if (places.empty()) return;
    std::set<std::optional<std::int64_t>> steps;
    for (const std::size_t place : places) steps.insert(job.steps[place]);
    std::vector<std::int64_t> sums(numbers.size());
    for (const WaitCause& wait : job.waits) {
        if (wait.causeRank != kNoRank && wait.causeRank.value < sums.size() && steps.contains(wait.step))
            sums[wait.causeRank.value] += wait.recoverable;
    }
    for (std::size_t r = 0; r < numbers.size(); ++r) {
        if (numbers[r].isInContext && sources.capture.ranks[r].trace != nullptr)
            valueOf(numbers[r], RankMetric::Recoverable) =
                static_cast<double>(sums[r]) / static_cast<double>(places.size());
    }
}

/// Mean over the time that the context holds; NaN without samples.
double meanFrequency(const RankEntry& rank, const ContextFilter& context) {
    if (rank.trace == nullptr) return kNoNumber;
    const CoreFrequency frequency = coreFrequency(*rank.trace, std::nullopt);
    if (frequency.samples.empty() || !frequency.isPlausible()) return kNoNumber;
    const std::vector<TimeRange> times = timesOf(context, rank).value_or(std::vector{rank.trace->homeRange()});
    double sum = 0, length = 0;
    const auto& samples = frequency.samples;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        // Until the first sample there is nothing better than that one.
        const TimeNs begin = i == 0 ? TimeNs{std::numeric_limits<std::int64_t>::min()} : samples[i].first,
                     end = i + 1 < samples.size() ? samples[i + 1].first
                                                  : TimeNs{std::numeric_limits<std::int64_t>::max()};
        for (const TimeRange& time : times) {
            const TimeNs from = std::max(begin, time.begin), to = std::min(end, time.end);
            if (!(from < to)) continue;
            sum += samples[i].second * static_cast<double>((to - from).value);
            length += static_cast<double>((to - from).value);
        }
    }
    return length > 0 ? sum / length : kNoNumber;
}

}  // namespace

bool isTime(RankMetric metric) { return metric != RankMetric::Frequency; }

const char* metricName(RankMetric metric) {
    switch (metric) {
    case RankMetric::StepTime: return "step_time";
    case RankMetric::Computing: return "computing";
    case RankMetric::Exposed: return "exposed_communication";
    case RankMetric::Bubble: return "bubble";
    case RankMetric::Free: return "free";
    case RankMetric::WaitCaused: return "others_waited";
    case RankMetric::WaitSuffered: return "wait";
    case RankMetric::Recoverable: return "recoverable";
    case RankMetric::Frequency: return "frequency_mhz";
    }
    return "";
}

std::vector<std::size_t> stepsOfJob(const JobAccount& job, const CaptureStore& capture, const ContextFilter& context) {
    ContextFilter ofAll = context;
    ofAll.ranks.clear();
    ofAll.devices.clear();
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < job.steps.size(); ++i) {
        bool isHeld = false;
        for (RankIndex r; r.value < capture.ranks.size() && !isHeld; ++r.value)
            isHeld = ofAll.onClockOf(r).holds(capture.ranks[r.value], job.steps[i]);
        if (isHeld) found.push_back(i);
    }
    return found;
}

std::vector<RankNumbers> rankNumbers(const RankNumberSources& sources, const CancelToken& cancel) {
    std::vector<RankNumbers> numbers(sources.capture.ranks.size());
    for (std::size_t r = 0; r < numbers.size(); ++r) {
        numbers[r].byMetric.fill(kNoNumber);
        numbers[r].isInContext = sources.context.holds(sources.capture.ranks[r].info);
    }
    addStepParts(sources.counted, numbers);
    if (!addWaits(sources, numbers, cancel)) return {};
    addRecoverable(sources, numbers);
    parallelFor(numbers.size(), [&](std::size_t r) {
        if (!numbers[r].isInContext || cancel.cancelled()) return;
        const RankIndex rank{static_cast<std::uint32_t>(r)};
        valueOf(numbers[r], RankMetric::Frequency) =
            meanFrequency(sources.capture.ranks[r], sources.context.onClockOf(rank));
    });
    if (cancel.cancelled()) return {};
    return numbers;
}

}  // namespace altiscope
