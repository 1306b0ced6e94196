#include "core/analysis/account/rank_account.h"

#include "core/analysis/account/gap_causes.h"
#include "core/base/columns/interval_set.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace altiscope {

namespace {

/// What ran when, by the parts of an account; no two of them at once.
struct Parts {
    IntervalSet computing, transfer, absent, unknown, wait, copy, all;
    TimeRange work;  // from the first kernel or collective to the last
};

const DeviceBusyTimes* deviceOf(const DeviceActivity& activity, std::optional<std::int64_t> device) {
    for (const DeviceBusyTimes& one : activity.devices) {
        if (!device || one.device == device) return &one;
    }
    return activity.devices.empty() ? nullptr : &activity.devices.front();
}

Parts deviceParts(const AccountInput& input, const CancelToken& cancel) {
    Parts parts;
    std::vector<TimeRange> transfer, absent, unknown, wait, copy;
    const auto add = [](std::vector<TimeRange>& to, std::int64_t begin, std::int64_t end) {
        if (begin < end) to.push_back({{begin}, {end}});
    };
    for (const CollectiveShare& share : input.shares) {
        add(wait, share.begin, share.arrived);
        add(share.isAbsent ? absent : unknown, share.arrived, share.transferBegin);
        add(transfer, share.transferBegin, share.end);
    }
    for (const GraphNode& node : input.graph.nodes) {
        if (node.kind == NodeKind::Copy) add(copy, node.start, node.end);
    }
    if (const DeviceBusyTimes* device = deviceOf(input.activity, input.device)) {
        parts.computing = device->computing;
        // Without slices of collectives, rows of kernels alone say when they ran.
        if (input.shares.empty()) unknown = device->communication;
    }
    parts.all = parts.computing;
    const auto take = [&](std::vector<TimeRange>&& from, IntervalSet& to) {
        to = differenceOf(unionOf(std::move(from), cancel), parts.all);
        parts.all = unionOf(parts.all, to);
    };
    take(std::move(transfer), parts.transfer);
    take(std::move(absent), parts.absent);
    take(std::move(unknown), parts.unknown);
    take(std::move(wait), parts.wait);
    if (!parts.all.empty()) parts.work = {parts.all.front().begin, parts.all.back().end};
    take(std::move(copy), parts.copy);
    return parts;
}

/// A step with the node that is its end.
struct StepRange {
    std::optional<std::int64_t> step;
    TimeRange range;
    std::uint32_t border = kNoNode;
};

std::vector<StepRange> stepRanges(const AccountInput& input, const Parts& parts) {
    std::vector<StepRange> ranges;
    const RankGraph& graph = input.graph;
    for (std::size_t i = 0; i + 1 < graph.borders.size(); ++i) {
        const std::uint32_t end = graph.borders[i + 1];
        ranges.push_back({graph.steps[i],
                          {{graph.nodes[graph.borders[i]].start + graph.skew}, {graph.nodes[end].start + graph.skew}},
                          end});
    }
    if (!ranges.empty()) return ranges;
    const std::vector<StepSpan>& spans = input.activity.steps;
    if (!spans.empty() && spans.front().step) {
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const TimeNs end = i + 1 < spans.size() ? spans[i + 1].device.begin : spans[i].device.end;
            ranges.push_back({spans[i].step, {spans[i].device.begin, std::max(spans[i].device.begin, end)}});
        }
        return ranges;
    }
    if (!parts.all.empty()) ranges.push_back({std::nullopt, {parts.all.front().begin, parts.all.back().end}});
    return ranges;
}

/// What lies in a range and not in a set.
IntervalSet gapsWithin(const IntervalSet& set, TimeRange range) {
    const IntervalSet whole = range.empty() ? IntervalSet{} : IntervalSet{range};
    return differenceOf(whole, clipped(set, range));
}

void keepLongest(std::vector<GapFacts>& longest, GapFacts gap) {
    const auto isLonger = [](const GapFacts& a, const GapFacts& b) {
        return a.range.length() != b.range.length() ? a.range.length() > b.range.length()
                                                    : a.range.begin < b.range.begin;
    };
    if (longest.size() == StepAccount::kLongestGaps && !isLonger(gap, longest.back())) return;
    longest.insert(std::upper_bound(longest.begin(), longest.end(), gap, isLonger), std::move(gap));
    if (longest.size() > StepAccount::kLongestGaps) longest.pop_back();
}

/// Names a gap without a cause after the slice of another track that covers it: timelines of older programs show work
/// of the device on tracks that nothing tells apart.
void nameByOtherTracks(const TraceStore& trace, GapFacts& gap) {
    std::int64_t most = 0;
    SliceIndex longest = kNoSlice;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Other) continue;
        for (const auto& run : trace.runs({t})) {
            for (std::uint32_t i = trace.firstEndingAfter(run, gap.range.begin);
                 i < run.first + run.count && trace.begin({i}) < gap.range.end; ++i) {
                const std::int64_t covered =
                    std::min(trace.end({i}), gap.range.end).value - std::max(trace.begin({i}), gap.range.begin).value;
                // A slice that encloses much more, as a step or a request does, says nothing of the gap.
                const bool isOfGap =
                    static_cast<double>(covered) >= kNamedShare * static_cast<double>(trace.duration({i}).value);
                if (covered <= most || !isOfGap) continue;
                most = covered;
                longest = {i};
            }
        }
    }
    const double share =
        static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(1, gap.range.length().value));
    if (share < kNamedShare) return;
    gap.coverage = share;
    gap.slice = trace.id(longest);
    gap.name = trace.name(longest);
}

/// Works out the gaps of one step. @return How many there are.
std::uint64_t addGaps(const AccountInput& input, const StepRange& range, const Parts& parts, std::size_t step,
                      GapCauses& causes, StepAccount& account, std::vector<AccountGap>* gaps) {
    const TraceStore& trace = *input.rank.trace;
    const auto isTask = [](const GraphNode& node) { return isOnDevice(node.kind); };
    const auto first = std::find_if(input.graph.nodes.begin(), input.graph.nodes.end(), isTask);
    const std::uint32_t stream = first == input.graph.nodes.end() ? 0 : first->track;
    const IntervalSet all = gapsWithin(parts.all, range.range);
    for (const TimeRange& gap : all) {
        const bool endsStep = gap.end == range.range.end;
        const std::vector<CausePiece>& pieces = causes.cut(gap, endsStep ? range.border : kNoNode);
        std::int64_t sum = 0;
        for (const CausePiece& piece : pieces) {
            account.gaps[static_cast<std::size_t>(piece.cause)] += piece.range.length().value;
            sum += piece.range.length().value;
        }
        assert(sum == gap.length().value);
        static_cast<void>(sum);
        const bool isWithinWork = parts.work.begin <= gap.begin && gap.end <= parts.work.end;
        const bool isKept = isWithinWork && (account.longestGaps.size() < StepAccount::kLongestGaps ||
                                             account.longestGaps.back().range.length() < gap.length());
        if (!isKept && gaps == nullptr) continue;
        GapFacts facts = factsOf(trace, gap, pieces);
        std::uint32_t track = stream;
        if (causes.next() != kNoNode) {
            const GraphNode& next = input.graph.nodes[causes.next()];
            facts.next = trace.id(next.slice);
            facts.nextName = trace.name(next.slice);
            track = next.track;
        }
        if (gaps != nullptr) gaps->push_back({step, track, facts});
        if (isKept) keepLongest(account.longestGaps, std::move(facts));
    }
    for (GapFacts& gap : account.longestGaps) {
        if (gap.cause == Cause::Unknown) nameByOtherTracks(trace, gap);
    }
    return all.size();
}

}  // namespace

std::optional<RankAccount> accountOfRank(const AccountInput& input, std::vector<AccountGap>* gaps,
                                         const CancelToken& cancel) {
    RankAccount account;
    account.tasks = input.graph.tasks;
    account.launched = input.graph.launched;
    account.waitsWithoutRecord = input.graph.waitsWithoutRecord;
    account.hasLaunches = account.tasks > 0 && 2 * account.launched >= account.tasks;
    const Parts parts = deviceParts(input, cancel);
    GapCauses causes(input.graph, input.host);
    for (const StepRange& range : stepRanges(input, parts)) {
        if (cancel.cancelled()) return std::nullopt;
        StepAccount step;
        step.step = range.step;
        step.range = range.range;
        const auto length = [&](const IntervalSet& part) { return lengthWithin(part, range.range).value; };
        step.computing = length(parts.computing);
        step.transfer = length(parts.transfer);
        step.absent = length(parts.absent);
        step.unknownCommunication = length(parts.unknown);
        step.wait = length(parts.wait);
        step.copy = length(parts.copy);
        account.gaps += addGaps(input, range, parts, account.steps.size(), causes, step, gaps);
        assert(step.sum() == step.range.length().value);
        account.steps.push_back(std::move(step));
    }
    return account;
}

}  // namespace altiscope
