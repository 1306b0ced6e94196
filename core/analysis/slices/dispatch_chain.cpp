#include "core/analysis/slices/dispatch_chain.h"

#include "core/analysis/slices/host_call.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::uint32_t kSlicesBetweenPolls = 4096;

/// Follows enqueued tasks of one trace.
class DispatchReader {
public:
    DispatchReader(const TraceStore& trace, const CancelToken& cancel, const std::vector<bool>* only)
        : m_trace(trace), m_cancel(cancel), m_only(only) {}
    /// nullopt if it is none of those that are wanted.
    std::optional<Dispatch> read(SliceIndex enqueue);

private:
    void findPython(Dispatch& dispatch) const;
    void findDequeue(Dispatch& dispatch) const;
    void readCalls(Dispatch& dispatch, TimeNs& launchEnd);
    void countKernels(Dispatch& dispatch, SliceIndex call);
    const std::vector<TrackIndex>& cannTracks(std::uint32_t track);

    const TraceStore& m_trace;
    const CancelToken& m_cancel;
    const std::vector<bool>* m_only;
    bool m_isWanted = false;                                  // the task that is being read
    std::map<std::uint32_t, std::vector<TrackIndex>> m_cann;  // by track of the dequeuing
};

const std::vector<TrackIndex>& DispatchReader::cannTracks(std::uint32_t track) {
    const auto [known, isNew] = m_cann.try_emplace(track);
    if (isNew) known->second = tracksOfThread(m_trace, {track}, TrackKind::Cann);
    return known->second;
}

void DispatchReader::findPython(Dispatch& dispatch) const {
    SliceIndex inner = kNoSlice, library = kNoSlice;
    for (SliceIndex at = m_trace.parent(dispatch.enqueue); at != kNoSlice; at = m_trace.parent(at)) {
        const HostCall call = hostCallOf(m_trace, at);
        if (call == HostCall::Operator) {
            if (inner == kNoSlice) inner = at;
            if (isLibraryOperator(m_trace.name(at))) library = at;
        } else if (call == HostCall::BuiltIn) {
            dispatch.python = at;
            break;
        }
    }
    dispatch.op = library != kNoSlice ? library : inner;
    if (dispatch.python == kNoSlice) dispatch.python = library;
}

void DispatchReader::findDequeue(Dispatch& dispatch) const {
    for (const std::uint32_t flow : m_trace.flowsFrom(dispatch.enqueue)) {
        const SliceIndex to{m_trace.columns().flowTo[flow]};
        if (to == kNoSlice || hostCallOf(m_trace, to) != HostCall::Dequeue) continue;
        dispatch.dequeue = to;
        return;
    }
}

void DispatchReader::countKernels(Dispatch& dispatch, SliceIndex call) {
    for (const std::uint32_t flow : m_trace.flowsFrom(call)) {
        const SliceIndex to{m_trace.columns().flowTo[flow]};
        if (to == kNoSlice) continue;
        ++dispatch.kernels;
        m_isWanted = m_isWanted || (*m_only)[to.value];
        if (dispatch.kernel == kNoSlice || m_trace.begin(to) < m_trace.begin(dispatch.kernel)) dispatch.kernel = to;
    }
}

/// What CANN did on the thread of the dequeuing while it lasted.
void DispatchReader::readCalls(Dispatch& dispatch, TimeNs& launchEnd) {
    const TimeNs begin = m_trace.begin(dispatch.dequeue), end = m_trace.end(dispatch.dequeue);
    for (const TrackIndex track : cannTracks(m_trace.runOf(dispatch.dequeue).track)) {
        for (const DepthRun& run : m_trace.runs(track)) {
            for (std::uint32_t i = m_trace.firstBeginningAt(run, begin);
                 i < run.first + run.count && m_trace.begin({i}) < end; ++i) {
                if (i % kSlicesBetweenPolls == 0 && m_cancel.cancelled()) return;
                const std::string_view name = m_trace.name({i});
                countKernels(dispatch, {i});
                if (hostCallOf(m_trace, {i}) == HostCall::Launch) {
                    if (dispatch.launch == kNoSlice || m_trace.begin({i}) < m_trace.begin(dispatch.launch))
                        dispatch.launch = {i};
                    ++dispatch.launches;
                    dispatch.launching = dispatch.launching.value_or(0) + m_trace.duration({i}).value;
                    launchEnd = std::max(launchEnd, m_trace.end({i}));
                } else if (dispatch.call == kNoSlice && (name.starts_with("AscendCL@aclnn") ||
                                                         name.starts_with("AscendCL@aclopCompileAndExecute"))) {
                    dispatch.call = {i};
                    dispatch.path = name.starts_with("AscendCL@aclnn") ? DispatchPath::AclNn : DispatchPath::AclOp;
                }
            }
        }
    }
    // At level 0 CANN's calls are not recorded; the queue names the task by its interface.
    if (dispatch.call == kNoSlice && m_trace.name(dispatch.dequeue).starts_with("Dequeue@aclnn"))
        dispatch.path = DispatchPath::AclNn;
}

std::optional<Dispatch> DispatchReader::read(SliceIndex enqueue) {
    m_isWanted = m_only == nullptr;
    Dispatch dispatch;
    dispatch.enqueue = enqueue;
    dispatch.enqueuing = m_trace.duration(enqueue).value;
    findPython(dispatch);
    findDequeue(dispatch);
    dispatch.range = {m_trace.begin(enqueue), m_trace.end(enqueue)};
    const bool hasPython = dispatch.python != kNoSlice, isDequeued = dispatch.dequeue != kNoSlice;
    if (hasPython) {
        const TimeNs begin = m_trace.begin(dispatch.python);
        dispatch.prepare = (m_trace.begin(enqueue) - begin).value;
        dispatch.pythonApi = m_trace.duration(dispatch.python).value;
        dispatch.range.begin = std::min(dispatch.range.begin, begin);
        dispatch.range.end = std::max(dispatch.range.end, m_trace.end(dispatch.python));
    }
    if (isDequeued) {
        const TimeNs begin = m_trace.begin(dispatch.dequeue);
        TimeNs end{begin};
        readCalls(dispatch, end);
        if (dispatch.launches == 0) end = m_trace.end(dispatch.dequeue);
        dispatch.queue = (begin - m_trace.end(enqueue)).value;
        dispatch.pipeline2 = (end - begin).value;
        if (hasPython) dispatch.endToEnd = (end - m_trace.begin(dispatch.python)).value;
        dispatch.range.end = std::max(dispatch.range.end, std::max(end, m_trace.end(dispatch.dequeue)));
    }
    if (hasPython && isDequeued)
        dispatch.status = dispatch.launches > 0 ? DispatchStatus::Complete : DispatchStatus::Fallback;
    return m_isWanted ? std::optional(dispatch) : std::nullopt;
}

/// Calls body(slice) for each enqueuing of a track until it says no, or is cancelled.
template <class Body>
void forEnqueuings(const TraceStore& trace, TrackIndex track, const CancelToken& cancel, Body body) {
    const auto [firstName, afterName] = trace.texts().prefixRange("Enqueue");
    for (const DepthRun& run : trace.runs(track)) {
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            if (i % kSlicesBetweenPolls == 0 && cancel.cancelled()) return;
            const StringId name = trace.nameId({i});
            if (name >= firstName && name < afterName && !body(SliceIndex{i})) return;
        }
    }
}

}  // namespace

std::vector<Dispatch> dispatchChains(const TraceStore& trace, const CancelToken& cancel,
                                     const std::vector<bool>* only) {
    std::vector<Dispatch> dispatches;
    DispatchReader reader(trace, cancel, only);
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Python) continue;
        const std::size_t first = dispatches.size();
        forEnqueuings(trace, {t}, cancel, [&](SliceIndex enqueue) {
            if (auto dispatch = reader.read(enqueue)) dispatches.push_back(*dispatch);
            return !cancel.cancelled();
        });
        if (cancel.cancelled()) return {};
        std::stable_sort(
            dispatches.begin() + static_cast<std::ptrdiff_t>(first), dispatches.end(),
            [&](const Dispatch& a, const Dispatch& b) { return trace.begin(a.enqueue) < trace.begin(b.enqueue); });
    }
    return dispatches;
}

bool hasDispatch(const TraceStore& trace, const CancelToken& cancel) {
    bool any = false;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !any; ++t) {
        if (trace.tracks()[t].kind != TrackKind::Python) continue;
        forEnqueuings(trace, {t}, cancel, [&](SliceIndex) {
            any = true;
            return false;
        });
    }
    return any;
}

}  // namespace altiscope
