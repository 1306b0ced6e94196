#include "core/analysis/fact_readers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace altiscope {

namespace {

/// What a slice on a host's track tells by its name.
enum class HostWord : std::uint8_t { Other, Enqueue, DataLoader, Optimizer, Synchronize };

/// Words by the ids of names: names with a common begin are neighbours in the pool.
class HostWords {
public:
    explicit HostWords(const TraceStore& trace) : m_words(trace.texts().size(), HostWord::Other) {
        know(trace, "Enqueue", HostWord::Enqueue);
        know(trace, "enumerate(DataLoader)", HostWord::DataLoader);
        know(trace, "Optimizer.step#", HostWord::Optimizer);
        know(trace, "AscendCL@aclrtSynchronize", HostWord::Synchronize);
        m_any = std::any_of(m_words.begin(), m_words.end(), [](HostWord word) { return word != HostWord::Other; });
    }
    HostWord of(StringId name) const { return m_words[name.value]; }
    bool any() const { return m_any; }

private:
    void know(const TraceStore& trace, std::string_view begin, HostWord word) {
        const auto [first, last] = trace.texts().prefixRange(begin);
        for (std::uint32_t id = first.value; id < last.value; ++id) m_words[id] = word;
    }
    std::vector<HostWord> m_words;
    bool m_any = false;
};

/// From what ran before on the host, its operator's begin or the end of what the operator called, to the slice.
std::int64_t gapBefore(const TraceStore& trace, const DepthRun& run, std::uint32_t slice) {
    const SliceIndex parent = trace.parent({slice});
    if (parent == kNoSlice) return 0;
    TimeNs before = trace.begin(parent);
    if (slice > run.first && trace.parent({slice - 1}) == parent) before = std::max(before, trace.end({slice - 1}));
    return std::max<std::int64_t>(0, (trace.begin({slice}) - before).value);
}

/// "AdamW" of "Optimizer.step#AdamW.step".
std::string optimizerName(std::string_view name) {
    name.remove_prefix(name.find('#') + 1);
    if (name.ends_with(".step")) name.remove_suffix(5);
    return std::string(name);
}

}  // namespace

void readHostFacts(const TraceStore& trace, const std::vector<StepSpan>& steps, RankFacts& facts, const CancelToken& cancel) {
    const HostWords words(trace);
    const StepSums sums(&trace, steps, StepSums::Clock::Host);
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const TrackKind kind = trace.tracks()[t].kind;
        const bool isHost = kind == TrackKind::Python || kind == TrackKind::Cann;
        if (kind != TrackKind::Gc && (!isHost || !words.any())) continue;
        for (const DepthRun& run : trace.runs({t})) {
            if (cancel.cancelled()) return;
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                if (kind == TrackKind::Gc) {
                    sums.add(facts.garbageCollections, {i}, trace.duration({i}).value);
                    continue;
                }
                const HostWord word = words.of(trace.nameId({i}));
                if (word == HostWord::Other) continue;
                const std::int64_t duration = trace.duration({i}).value;
                switch (word) {
                case HostWord::Enqueue: sums.add(facts.launchGaps, {i}, gapBefore(trace, run, i)); break;
                case HostWord::DataLoader: sums.add(facts.dataLoading, {i}, duration); break;
                case HostWord::Optimizer: {
                    sums.add(facts.optimizers, {i}, duration);
                    std::string name = optimizerName(trace.name({i}));
                    auto& names = facts.optimizerNames;
                    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
                    break;
                }
                case HostWord::Synchronize: sums.add(facts.synchronizations, {i}, duration); break;
                case HostWord::Other: break;
                }
            }
        }
    }
}

}  // namespace altiscope
