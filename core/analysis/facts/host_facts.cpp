#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/slices/host_call.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace altiscope {

namespace {

/// What a slice on a host's track tells by its name.
enum class HostKind : std::uint8_t {
    Other,
    Enqueue,
    DataLoader,
    Optimizer,
    Foreach,
    Synchronize,
    Memory,
    Compile,
    BatchNorm
};

/// Words by the ids of names: names with a common begin are neighbours in the pool.
class HostKinds {
public:
    explicit HostKinds(const TraceStore& trace) : m_words(trace.texts().size(), HostKind::Other) {
        know(trace, "Enqueue", HostKind::Enqueue);
        know(trace, "enumerate(DataLoader)", HostKind::DataLoader);
        know(trace, "Optimizer.step#", HostKind::Optimizer);
        know(trace, "aten::_foreach_", HostKind::Foreach);
        know(trace, "AscendCL@aclrtSynchronize", HostKind::Synchronize);
        know(trace, "AscendCL@aclopCompileAndExecute", HostKind::Compile);
        for (const std::string_view name : {"SyncBatchNorm", "syncbatchnorm"}) know(trace, name, HostKind::BatchNorm);
        for (const std::string_view name : kMemoryCalls) {
            if (const auto id = trace.texts().find(name)) m_words[id->value] = HostKind::Memory;
        }
        m_any = std::any_of(m_words.begin(), m_words.end(), [](HostKind word) { return word != HostKind::Other; });
    }
    HostKind of(StringId name) const { return m_words[name.value]; }
    bool any() const { return m_any; }

private:
    void know(const TraceStore& trace, std::string_view begin, HostKind word) {
        const auto [first, last] = trace.texts().prefixRange(begin);
        for (std::uint32_t id = first.value; id < last.value; ++id) m_words[id] = word;
    }
    std::vector<HostKind> m_words;
    bool m_any = false;
};

/// "AdamW" of "Optimizer.step#AdamW.step".
std::string optimizerName(std::string_view name) {
    name.remove_prefix(name.find('#') + 1);
    if (name.ends_with(".step")) name.remove_suffix(5);
    return std::string(name);
}

/// Whether a slice lies in one of a kind.
bool liesIn(HostKind kind, const TraceStore& trace, const HostKinds& words, SliceIndex slice) {
    for (SliceIndex parent = trace.parent(slice); parent != kNoSlice; parent = trace.parent(parent)) {
        if (words.of(trace.nameId(parent)) == kind) return true;
    }
    return false;
}

/// The calls of the host that cost time by themselves, in the order of the store.
struct HostCalls {
    std::vector<SliceIndex> collections, loading, synchronizations, memory, compilations, optimizers;
};

/// Gaps in which a synchronisation ends, each once: the host launches again only then.
void addGapsAfter(const std::vector<SliceIndex>& synchronizations, const TraceStore& trace,
                  const DeviceActivity& activity, RankFacts& facts) {
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Device);
    for (const DeviceBusyTimes& device : activity.devices) {
        if (facts.device && device.device != facts.device) continue;
        const IntervalSet gaps = gapsOf(unionOf(device.computing, device.communication));
        std::vector<bool> seen(gaps.size());
        for (const SliceIndex slice : synchronizations) {
            const TimeNs end = trace.end(slice);
            const auto after = std::upper_bound(gaps.begin(), gaps.end(), end,
                                                [](TimeNs time, const TimeRange& gap) { return time < gap.begin; });
            if (after == gaps.begin() || (after - 1)->end <= end) continue;
            const auto gap = static_cast<std::size_t>(after - gaps.begin()) - 1;
            if (seen[gap]) continue;
            seen[gap] = true;
            sums.addUnseen(facts.freeAfterSynchronization, gaps[gap], gaps[gap].length().value);
        }
    }
}

/// From end to end, also where a collection takes a part.
void readLongestLaunchGaps(const TraceStore& trace, RankFacts& facts) {
    for (const FactSlice& launch : facts.launchGaps.longest) {
        if (const auto slice = trace.findSlice(launch.id))
            facts.longestLaunchGaps.push_back(timeBeforeCall(trace, trace.runOf(*slice), slice->value));
    }
}

}  // namespace

void readHostFacts(const TraceStore& trace, const DeviceActivity& activity, RankFacts& facts,
                   const CancelToken& cancel) {
    const HostKinds words(trace);
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Host);
    HostCalls calls;
    std::vector<TimeRange> collected;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Gc) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            calls.collections.push_back({i});
            collected.push_back({trace.begin({i}), trace.end({i})});
        }
    }
    // A collection stops all threads: what else they did in the meantime is none of their own time.
    const IntervalSet collections = unionOf(std::move(collected), cancel);
    for (std::uint32_t t = 0; t < trace.tracks().size() && words.any(); ++t) {
        const TrackKind kind = trace.tracks()[t].kind;
        if (kind != TrackKind::Python && kind != TrackKind::Cann) continue;
        for (const DepthRun& run : trace.runs({t})) {
            if (cancel.cancelled()) return;
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                switch (words.of(trace.nameId({i}))) {
                case HostKind::Enqueue: {
                    const TimeRange gap = timeBeforeCall(trace, run, i);
                    sums.add(facts.launchGaps, {i}, gap.length().value - lengthWithin(collections, gap).value);
                    break;
                }
                case HostKind::DataLoader:
                    // A loader that combines others is one call.
                    if (!liesIn(HostKind::DataLoader, trace, words, {i})) calls.loading.push_back({i});
                    break;
                case HostKind::Optimizer: {
                    // One that consists of others is one call, with the names of all.
                    if (!liesIn(HostKind::Optimizer, trace, words, {i})) calls.optimizers.push_back({i});
                    std::string name = optimizerName(trace.name({i}));
                    auto& names = facts.optimizerNames;
                    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
                    break;
                }
                case HostKind::Foreach:
                    facts.hasForeachOptimizer =
                        facts.hasForeachOptimizer || liesIn(HostKind::Optimizer, trace, words, {i});
                    break;
                case HostKind::Synchronize: calls.synchronizations.push_back({i}); break;
                case HostKind::Memory: calls.memory.push_back({i}); break;
                case HostKind::Compile:
                    if (trace.duration({i}).value >= kCompilationNs) calls.compilations.push_back({i});
                    break;
                case HostKind::BatchNorm: ++facts.syncBatchNorms; break;
                case HostKind::Other: break;
                }
            }
        }
    }
    readLongestLaunchGaps(trace, facts);
    addGapsAfter(calls.synchronizations, trace, activity, facts);
    sums.addUnion(facts.garbageCollections, std::move(calls.collections), {});
    sums.addUnion(facts.dataLoading, std::move(calls.loading), collections);
    sums.addUnion(facts.optimizers, std::move(calls.optimizers), {});
    sums.addUnion(facts.memoryCalls, std::move(calls.memory), collections);
    sums.addUnion(facts.compilations, std::move(calls.compilations), collections);
    sums.addUnion(facts.synchronizations, std::move(calls.synchronizations), collections);
}

}  // namespace altiscope
