#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/steps/step_sums.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// What an operator of the framework does, as far as a fused one does the same. Views and casts are none: they stand
/// anywhere.
enum class OpWord : std::uint8_t {
    Other,
    Nothing,  ///< A view or a cast.
    MatMul,
    Scale,
    Add,
    Mask,
    Softmax,
    Dropout,
    Power,
    Mean,
    Rsqrt,
    Negate,
    Concatenate,
    Silu,
    Gelu
};

constexpr std::pair<std::string_view, OpWord> kWords[] = {
    {"view", OpWord::Nothing},      {"reshape", OpWord::Nothing}, {"_unsafe_view", OpWord::Nothing},
    {"transpose", OpWord::Nothing}, {"permute", OpWord::Nothing}, {"contiguous", OpWord::Nothing},
    {"expand", OpWord::Nothing},    {"squeeze", OpWord::Nothing}, {"unsqueeze", OpWord::Nothing},
    {"slice", OpWord::Nothing},     {"chunk", OpWord::Nothing},   {"split", OpWord::Nothing},
    {"t", OpWord::Nothing},         {"to", OpWord::Nothing},      {"_to_copy", OpWord::Nothing},
    {"type_as", OpWord::Nothing},   {"detach", OpWord::Nothing},  {"matmul", OpWord::MatMul},
    {"bmm", OpWord::MatMul},        {"baddbmm", OpWord::MatMul},  {"mul", OpWord::Scale},
    {"mul_", OpWord::Scale},        {"div", OpWord::Scale},       {"div_", OpWord::Scale},
    {"add", OpWord::Add},           {"add_", OpWord::Add},        {"masked_fill", OpWord::Mask},
    {"masked_fill_", OpWord::Mask}, {"where", OpWord::Mask},      {"softmax", OpWord::Softmax},
    {"_softmax", OpWord::Softmax},  {"dropout", OpWord::Dropout}, {"native_dropout", OpWord::Dropout},
    {"pow", OpWord::Power},         {"mean", OpWord::Mean},       {"rsqrt", OpWord::Rsqrt},
    {"neg", OpWord::Negate},        {"cat", OpWord::Concatenate}, {"silu", OpWord::Silu},
    {"silu_", OpWord::Silu},        {"gelu", OpWord::Gelu}};

struct Op {
    SliceIndex slice;
    OpWord word = OpWord::Other;
};

/// The outermost operators of a thread in the order of their begin, without views and casts.
class ThreadOps {
public:
    explicit ThreadOps(const TraceStore& trace)
        : m_trace(trace), m_aten(trace.texts().prefixRange("aten::")), m_npu(trace.texts().prefixRange("npu::")) {
        for (const auto& [name, word] : kWords) {
            if (const auto id = trace.texts().find("aten::" + std::string(name))) m_words.emplace(id->value, word);
        }
        m_any = std::any_of(m_words.begin(), m_words.end(), [](const auto& entry) {
            return entry.second == OpWord::Softmax || entry.second == OpWord::Rsqrt || entry.second == OpWord::Negate ||
                   entry.second == OpWord::Silu || entry.second == OpWord::Gelu;
        });
    }
    /// Whether any operator is there that belongs to a fused one.
    bool any() const { return m_any; }

    std::vector<Op> of(std::uint32_t track) const {
        std::vector<SliceIndex> slices;
        const TrackExtent& extent = m_trace.extent({track});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const StringId name = m_trace.nameId({i});
            if (isIn(name, m_aten) || isIn(name, m_npu)) slices.push_back({i});
        }
        std::stable_sort(slices.begin(), slices.end(), [&](SliceIndex a, SliceIndex b) {
            return m_trace.begin(a) != m_trace.begin(b) ? m_trace.begin(a) < m_trace.begin(b)
                                                        : m_trace.end(b) < m_trace.end(a);
        });
        std::vector<Op> ops;
        TimeNs covered{-kMaxTimeNs};
        for (const SliceIndex slice : slices) {
            if (m_trace.begin(slice) < covered) continue;
            covered = m_trace.end(slice);
            const auto word = m_words.find(m_trace.nameId(slice).value);
            if (word == m_words.end()) ops.push_back({slice, OpWord::Other});
            else if (word->second != OpWord::Nothing) ops.push_back({slice, word->second});
        }
        return ops;
    }

private:
    static bool isIn(StringId id, const std::pair<StringId, StringId>& range) {
        return !(id < range.first) && id < range.second;
    }

    const TraceStore& m_trace;
    std::pair<StringId, StringId> m_aten, m_npu;
    std::map<std::uint32_t, OpWord> m_words;  // by id of the name
    bool m_any = false;
};

/// Operators [first, last] that one of torch_npu does at once.
struct FusibleCall {
    std::string_view api;
    std::size_t first = 0, last = 0;
};

OpWord wordAt(const std::vector<Op>& ops, std::size_t place) {
    return place < ops.size() ? ops[place].word : OpWord::Other;  // also for a place before the first
}

std::optional<FusibleCall> aroundSoftmax(const std::vector<Op>& ops, std::size_t softmax) {
    std::size_t first = softmax, last = softmax + 1;
    bool isMasked = false;
    for (;; --first) {
        const OpWord before = wordAt(ops, first - 1);
        if (before != OpWord::Scale && before != OpWord::Add && before != OpWord::Mask) break;
        isMasked = isMasked || before != OpWord::Scale;
    }
    while (wordAt(ops, last) == OpWord::Dropout) ++last;
    if (wordAt(ops, first - 1) == OpWord::MatMul && wordAt(ops, last) == OpWord::MatMul)
        return FusibleCall{"npu_fusion_attention", first - 1, last};
    if (isMasked) return FusibleCall{"npu_scaled_masked_softmax", first, softmax};
    return std::nullopt;
}

/// The fused operator whose mark an operator is. Patterns: the documentation of torch_npu's fused operators.
std::optional<FusibleCall> callAt(const std::vector<Op>& ops, std::size_t place) {
    const auto follow = [&](std::initializer_list<OpWord> words) {
        std::size_t at = place + 1;
        return std::all_of(words.begin(), words.end(), [&](OpWord word) { return wordAt(ops, at++) == word; });
    };
    switch (ops[place].word) {
    case OpWord::Softmax: return aroundSoftmax(ops, place);
    case OpWord::Power:
        if (follow({OpWord::Mean, OpWord::Add, OpWord::Rsqrt, OpWord::Scale}))
            return FusibleCall{"npu_rms_norm", place, place + 4};
        break;
    case OpWord::Negate:
        if (follow({OpWord::Concatenate, OpWord::Scale, OpWord::Add}))
            return FusibleCall{"npu_rotary_mul", place, place + 3};
        break;
    case OpWord::Silu:
        if (follow({OpWord::Scale})) return FusibleCall{"npu_swiglu", place, place + 1};
        break;
    case OpWord::Gelu:
        if (follow({OpWord::Scale})) return FusibleCall{"npu_geglu", place, place + 1};
        break;
    default: break;
    }
    return std::nullopt;
}

}  // namespace

void readFusibleCalls(const TraceStore& trace, const std::vector<StepSpan>& steps, RankFacts& facts,
                      const CancelToken& cancel) {
    const ThreadOps threads(trace);
    if (!threads.any()) return;
    const StepSums sums(&trace, steps, StepSums::Clock::Host);
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (cancel.cancelled()) return;
        if (trace.tracks()[t].kind != TrackKind::Python) continue;
        const std::vector<Op> ops = threads.of(t);
        for (std::size_t place = 0; place < ops.size(); ++place) {
            const auto call = callAt(ops, place);
            if (!call) continue;
            const TimeNs begin = trace.begin(ops[call->first].slice), end = trace.end(ops[call->last].slice);
            sums.add(facts.fusibleCalls[std::string(call->api)], ops[place].slice, (end - begin).value,
                     TimeRange{begin, end});
            place = call->last;
        }
    }
}

}  // namespace altiscope
