#include "core/analysis/slices/slice_chain.h"

#include "core/analysis/slices/host_call.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kFlowsBetweenLooks = 4096;

TrackIndex trackOf(const TraceStore& trace, SliceIndex slice) { return {trace.runOf(slice).track}; }

bool isOnDevice(const TraceStore& trace, SliceIndex slice) {
    const TrackKind kind = trace.track(trackOf(trace, slice)).kind;
    return kind == TrackKind::Hardware || kind == TrackKind::Communication;
}

/// Gathers a chain; each slice once.
class Chain {
public:
    explicit Chain(const TraceStore& trace) : m_trace(trace) {}

    void add(ChainRole role, SliceIndex slice) {
        if (slice != kNoSlice && slice != m_requested && m_known.insert(slice.value).second)
            m_links.push_back({role, slice});
    }
    std::vector<ChainLink> causes(SliceIndex slice);

private:
    void fromDevice(SliceIndex slice);
    void fromCann(SliceIndex slice);
    void fromPython(SliceIndex slice);
    void addAround(SliceIndex slice);
    void addForward(SliceIndex slice);
    void addFrame(SliceIndex slice);
    SliceIndex dequeueAround(SliceIndex slice) const;

    const TraceStore& m_trace;
    SliceIndex m_requested = kNoSlice;
    std::vector<ChainLink> m_links;
    std::unordered_set<std::uint32_t> m_known;
    bool m_hasLine = false, m_hasModule = false;
};

/// From a task to what launched it. Flows to it come from calls of CANN and from operators.
void Chain::fromDevice(SliceIndex slice) {
    const TraceColumns& columns = m_trace.columns();
    SliceIndex call = kNoSlice, op = kNoSlice;
    for (const std::uint32_t flow : m_trace.flowsTo(slice)) {
        const SliceIndex from{columns.flowFrom[flow]};
        if (from == kNoSlice) continue;
        const TrackKind kind = m_trace.track(trackOf(m_trace, from)).kind;
        if (kind == TrackKind::Cann && call == kNoSlice) call = from;
        else if (kind == TrackKind::Python && op == kNoSlice) op = from;
        else add(ChainRole::Other, from);
    }
    if (call != kNoSlice) {
        add(hostCallOf(m_trace, call) == HostCall::Launch ? ChainRole::Launch : ChainRole::CannCall, call);
        fromCann(call);
    }
    if (op != kNoSlice) fromPython(op);
}

/// The calls of CANN around one, then who made them.
void Chain::fromCann(SliceIndex slice) {
    for (SliceIndex outer = m_trace.parent(slice); outer != kNoSlice; outer = m_trace.parent(outer))
        add(ChainRole::CannCall, outer);
    const auto hosts = tracksOfThread(m_trace, trackOf(m_trace, slice), TrackKind::Python);
    const SliceIndex around = innermostAt(m_trace, hosts, m_trace.begin(slice));
    if (around != kNoSlice) fromPython(around);
}

SliceIndex Chain::dequeueAround(SliceIndex slice) const {
    for (; slice != kNoSlice; slice = m_trace.parent(slice)) {
        if (hostCallOf(m_trace, slice) == HostCall::Dequeue) return slice;
    }
    return kNoSlice;
}

/// From the framework's side of a launch, be it the queue's or the operator's, to operators and Python; the slice
/// itself is part of it.
void Chain::fromPython(SliceIndex slice) {
    const SliceIndex dequeue = dequeueAround(slice);
    if (dequeue == kNoSlice) return addAround(slice);
    add(ChainRole::Dequeue, dequeue);
    for (const std::uint32_t flow : m_trace.flowsTo(dequeue)) {
        const SliceIndex from{m_trace.columns().flowFrom[flow]};
        if (from == kNoSlice) continue;
        add(hostCallOf(m_trace, from) == HostCall::Enqueue ? ChainRole::Enqueue : ChainRole::Other, from);
        addAround(from);
    }
}

void Chain::addForward(SliceIndex slice) {
    for (const std::uint32_t flow : m_trace.flowsTo(slice)) {
        if (m_trace.flowCategory(flow) == "fwdbwd") add(ChainRole::Forward, {m_trace.columns().flowFrom[flow]});
    }
}

/// Of the frames of Python only the innermost tell anything: the built-in, the line, the module.
void Chain::addFrame(SliceIndex slice) {
    const bool isModule = m_trace.name(slice).starts_with("nn.Module");
    bool& known = isModule ? m_hasModule : m_hasLine;
    const bool isBuiltIn = hostCallOf(m_trace, slice) == HostCall::BuiltIn;
    if (!known && (!isBuiltIn || !m_hasLine)) add(ChainRole::Python, slice);
    if (!isBuiltIn) known = true;
}

void Chain::addAround(SliceIndex slice) {
    std::vector<SliceIndex> operators;
    for (SliceIndex at = slice; at != kNoSlice; at = m_trace.parent(at)) {
        switch (hostCallOf(m_trace, at)) {
        case HostCall::Operator:
            add(ChainRole::Operator, at);
            operators.push_back(at);
            break;
        case HostCall::PythonFunction:
        case HostCall::BuiltIn: addFrame(at); break;
        case HostCall::Enqueue: add(ChainRole::Enqueue, at); break;
        case HostCall::Dequeue:
        case HostCall::CannCall:
        case HostCall::Launch:
        case HostCall::Other: break;
        }
    }
    // Stacks that were recorded as arguments stand on tracks of their own.
    if (!m_hasLine && slice != kNoSlice) {
        const auto stacks = tracksOfThread(m_trace, trackOf(m_trace, slice), TrackKind::Stack);
        for (SliceIndex at = innermostAt(m_trace, stacks, m_trace.begin(slice)); at != kNoSlice && !m_hasLine;
             at = m_trace.parent(at))
            addFrame(at);
    }
    for (const SliceIndex op : operators) addForward(op);
}

std::vector<ChainLink> Chain::causes(SliceIndex slice) {
    m_requested = slice;
    if (isOnDevice(m_trace, slice)) {
        fromDevice(slice);
    } else {
        switch (hostCallOf(m_trace, slice)) {
        case HostCall::Launch:
        case HostCall::CannCall: fromCann(slice); break;
        case HostCall::Other: break;
        case HostCall::Enqueue:
        case HostCall::Dequeue:
        case HostCall::Operator:
        case HostCall::PythonFunction:
        case HostCall::BuiltIn: fromPython(slice); break;
        }
        for (const std::uint32_t flow : m_trace.flowsTo(slice))
            add(ChainRole::Other, {m_trace.columns().flowFrom[flow]});
    }
    return std::move(m_links);
}

ChainRole roleOfEffect(const TraceStore& trace, std::size_t flow, SliceIndex to) {
    if (trace.flowCategory(flow) == "fwdbwd") return ChainRole::Backward;
    if (isOnDevice(trace, to)) return ChainRole::Device;
    return hostCallOf(trace, to) == HostCall::Dequeue ? ChainRole::Dequeue : ChainRole::Other;
}

/// The flows that begin at slices [first, last) of a run: neighbours in the order by slice.
std::span<const std::uint32_t> flowsFromSlices(const TraceStore& trace, std::uint32_t first, std::uint32_t last) {
    const TraceColumns& columns = trace.columns();
    const std::span<const std::uint32_t> order = columns.flowsByFrom.span();
    const auto before = [&](std::uint32_t flow, std::uint32_t slice) { return columns.flowFrom[flow] < slice; };
    const auto begin = std::lower_bound(order.begin(), order.end(), first, before);
    const auto end = std::lower_bound(begin, order.end(), last, before);
    return order.subspan(static_cast<std::size_t>(begin - order.begin()), static_cast<std::size_t>(end - begin));
}

/// The slices that flows lead to, each with the first flow that does.
class Reached {
public:
    explicit Reached(const TraceStore& trace, SliceIndex requested, const CancelToken& cancel)
        : m_trace(trace), m_requested(requested), m_cancel(cancel) {}

    void add(std::span<const std::uint32_t> flows) {
        const TraceColumns& columns = m_trace.columns();
        for (const std::uint32_t flow : flows) {
            if (++m_seen % kFlowsBetweenLooks == 0 && m_cancel.cancelled()) return;
            const std::uint32_t to = columns.flowTo[flow];
            if (to == kNoSlice.value || to == m_requested.value) continue;
            const First first{columns.flowToTime[flow], m_seen, flow};
            const auto [known, isNew] = m_first.try_emplace(to, first);
            if (!isNew) known->second = std::min(known->second, first);
        }
    }
    /// Flows from what runs on a track in a time at or below a depth.
    void addWithin(TrackIndex track, TimeRange time, std::uint32_t depth) {
        for (const DepthRun& run : m_trace.runs(track)) {
            if (run.depth < depth || m_cancel.cancelled()) continue;
            const std::uint32_t first = m_trace.firstBeginningAt(run, time.begin),
                                last = m_trace.firstBeginningAt(run, time.end);
            add(flowsFromSlices(m_trace, first, std::max(first, last)));
        }
    }
    /// Slices and the flows to them, the first ones by time.
    std::vector<std::pair<SliceIndex, std::uint32_t>> first(std::size_t most) const {
        std::vector<std::pair<First, std::uint32_t>> all;
        all.reserve(m_first.size());
        for (const auto& [slice, first] : m_first) all.emplace_back(first, slice);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
        std::partial_sort(all.begin(), end, all.end());
        std::vector<std::pair<SliceIndex, std::uint32_t>> reached;
        for (auto at = all.begin(); at != end; ++at)
            reached.emplace_back(SliceIndex{at->second}, std::get<2>(at->first));
        return reached;
    }
    std::size_t count() const { return m_first.size(); }
    bool holds(SliceIndex slice) const { return m_first.contains(slice.value); }

private:
    using First = std::tuple<std::int64_t, std::size_t, std::uint32_t>;  // time, order in which it was found, flow
    const TraceStore& m_trace;
    SliceIndex m_requested;
    const CancelToken& m_cancel;
    std::size_t m_seen = 0;
    std::unordered_map<std::uint32_t, First> m_first;
};

/// The call that was waiting when a task ended, and came back first.
SliceIndex waiterFor(const TraceStore& trace, TimeNs end) {
    SliceIndex first = kNoSlice;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Cann) continue;
        for (const DepthRun& run : trace.runs({t})) {
            const std::uint32_t at = trace.firstEndingAfter(run, end);
            if (at == run.first + run.count || trace.begin({at}) > end ||
                trace.name({at}).find("Synchronize") == std::string_view::npos)
                continue;
            if (first == kNoSlice || trace.end({at}) < trace.end(first)) first = {at};
        }
    }
    return first;
}

}  // namespace

std::vector<ChainLink> causesOf(const TraceStore& trace, SliceIndex slice) { return Chain(trace).causes(slice); }

SliceEffects effectsOf(const TraceStore& trace, SliceIndex slice, std::size_t most, const CancelToken& cancel) {
    const DepthRun& run = trace.runOf(slice);
    const TimeRange time{trace.begin(slice), trace.end(slice)};
    Reached reached(trace, slice, cancel);
    reached.add(trace.flowsFrom(slice));
    const bool onDevice = isOnDevice(trace, slice);
    if (!onDevice) {
        reached.addWithin({run.track}, time, run.depth + 1);
        // What a frame of Python called stands on the other tracks of its thread.
        if (trace.track({run.track}).kind == TrackKind::Stack) {
            for (const TrackIndex track : tracksOfThread(trace, {run.track}, TrackKind::Python))
                reached.addWithin(track, time, 0);
        }
        // What the queue's thread calls stands on the track of CANN.
        const TrackKind kind = trace.track({run.track}).kind;
        if (kind == TrackKind::Python && hostCallOf(trace, slice) != HostCall::Other) {
            for (const TrackIndex track : tracksOfThread(trace, {run.track}, TrackKind::Cann))
                reached.addWithin(track, time, 0);
        }
    }
    if (cancel.cancelled()) return {};
    SliceEffects effects;
    for (const auto& [to, flow] : reached.first(most)) effects.links.push_back({roleOfEffect(trace, flow, to), to});
    std::size_t all = reached.count();
    const auto add = [&](ChainRole role, SliceIndex to) {
        const bool isKnown = reached.holds(to) || std::any_of(effects.links.begin(), effects.links.end(),
                                                              [to](const ChainLink& link) { return link.slice == to; });
        if (to == kNoSlice || to == slice || isKnown) return;
        ++all;
        if (effects.links.size() < most) effects.links.push_back({role, to});
    };
    if (onDevice) {
        if (slice.value + 1 < run.first + run.count) add(ChainRole::Next, {slice.value + 1});
        add(ChainRole::Synchronize, waiterFor(trace, time.end));
    }
    effects.excluded = all - effects.links.size();
    return effects;
}

}  // namespace altiscope
