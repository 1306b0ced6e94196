#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/kernel_walk.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Kernels that follow each other on one stream, nothing between them.
class KernelRun {
public:
    bool isFull() const {
        constexpr std::size_t kMax = 10;  // no fused kernel stands for more
        return m_kernels.size() == kMax;
    }
    /// Whether a kernel goes on where this one ends: of one step, in order, and without a pause in between that no
    /// launch explains.
    bool goesOnWith(const KernelCells& kernel, std::optional<std::size_t> step) const {
        constexpr DurationNs kLongPause{1'000'000};
        return !m_kernels.empty() && step == m_step && m_end <= kernel.range->begin &&
               kernel.range->begin - m_end < kLongPause;
    }
    void add(const KernelCells& kernel, std::optional<std::size_t> step, bool movesData) {
        if (m_kernels.empty()) m_begin = kernel.range->begin, m_step = step;
        m_kernels.push_back(kernel);
        m_end = kernel.range->end;
        addSaturated(m_time, kernel.duration);
        m_longest = std::max(m_longest, kernel.duration);
        if (movesData) addSaturated(m_moving, kernel.duration);
    }
    /// All but the longest.
    void addSavings(std::vector<KernelSaving>& to) const {
        bool isKept = false;
        for (const KernelCells& kernel : m_kernels) {
            if (!isKept && kernel.duration == m_longest) isKept = true;
            else if (kernel.slice) to.push_back({WhatIf::FusedSequence, *kernel.slice, kernel.duration});
        }
    }
    const std::vector<KernelCells>& kernels() const { return m_kernels; }
    TimeRange range() const { return {m_begin, m_end}; }
    std::int64_t time() const { return m_time; }
    /// A kernel that does it all takes at least as long as the longest of them.
    std::int64_t saved() const { return saturatedDifference(m_time, m_longest); }
    /// A fused kernel keeps in the cores what these move to memory and back, and is launched once. Nothing else makes
    /// it faster.
    bool isWorthIt() const {
        constexpr double kMoving = 0.8, kBusy = 0.4;
        const auto wall = static_cast<double>((m_end - m_begin).value), time = static_cast<double>(m_time);
        return m_kernels.size() > 1 && (static_cast<double>(m_moving) > kMoving * time || time < kBusy * wall);
    }

private:
    std::vector<KernelCells> m_kernels;
    std::optional<std::size_t> m_step;
    TimeNs m_begin, m_end;
    std::int64_t m_time = 0, m_longest = 0, m_moving = 0;
};

/// Whether a kernel of the vector cores moves data for longer than it computes.
class MovedData {
public:
    explicit MovedData(const RowTable& table) : m_table(table) {
        const auto place = [&](std::string_view name) -> std::size_t {
            const auto found = std::find(table.extras().begin(), table.extras().end(), name);
            return found == table.extras().end()
                       ? 0
                       : rowColumns(RowKind::Kernel).size() + static_cast<std::size_t>(found - table.extras().begin());
        };
        m_vector = place("aiv_vec_ratio");
        m_in = place("aiv_mte2_ratio");
        m_out = place("aiv_mte3_ratio");
    }
    bool of(std::size_t row) const {
        if (m_vector == 0 || m_in == 0 || m_out == 0) return false;
        return std::max(m_table.real(m_in, row).value_or(0), m_table.real(m_out, row).value_or(0)) >
               m_table.real(m_vector, row).value_or(0);
    }

private:
    const RowTable& m_table;
    std::size_t m_vector = 0, m_in = 0, m_out = 0;  // 0: there is none
};

}  // namespace

std::string typesText(const SequenceFacts& sequence) {
    std::string text;
    for (const std::string& type : sequence.types) text += (text.empty() ? "" : ", ") + type;
    return text;
}

void readSequenceFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                       const CancelToken& cancel) {
    static constexpr auto kStream = fixedColumn(RowKind::Kernel, "stream");
    const KernelWalk walk(rank, steps, facts.device);
    if (walk.table() == nullptr) return;
    const CoreClasses classes(walk.texts());
    const MovedData moved(*walk.table());
    // Kernels over lists of tensors are fused ones.
    const std::pair<StringId, StringId> lists = walk.texts().prefixRange("Foreach");
    std::map<std::int64_t, KernelRun> runs;  // by stream
    /// Most come once: what grows with the steps is made for those that come again.
    struct Seen {
        std::optional<KernelCells> front;
        TimeRange range;
        std::int64_t time = 0, saved = 0;
        SequenceFacts facts;
        std::vector<KernelSaving> savings;
    };
    std::map<std::vector<std::uint32_t>, Seen> byTypes;
    const auto finish = [&](KernelRun& run) {
        if (run.isWorthIt()) {
            std::vector<std::uint32_t> types;
            for (const KernelCells& kernel : run.kernels()) types.push_back(kernel.type->value);
            const auto [known, isNew] = byTypes.try_emplace(std::move(types));
            Seen& seen = known->second;
            run.addSavings(seen.savings);
            if (isNew) {
                seen.front = run.kernels().front();
                seen.range = run.range();
                seen.time = run.time();
                seen.saved = run.saved();
            } else {
                if (seen.front) {
                    addSaturated(seen.facts.time, seen.time);
                    walk.add(seen.facts.saved, *std::exchange(seen.front, std::nullopt), seen.saved, seen.range);
                }
                addSaturated(seen.facts.time, run.time());
                walk.add(seen.facts.saved, run.kernels().front(), run.saved(), run.range());
            }
        }
        run = KernelRun();
    };
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        KernelRun& run = runs[walk.table()->integer(kStream, kernel.row).value_or(kNoCell)];
        const bool isList = kernel.type && !(*kernel.type < lists.first) && *kernel.type < lists.second;
        if (!kernel.type || !kernel.range || isList || classes.of(kernel.core) != CoreClass::Vector) {
            finish(run);
            return;
        }
        const auto step = walk.sums().stepAt(kernel.range->begin);
        if (run.isFull() || !run.goesOnWith(kernel, step)) finish(run);
        run.add(kernel, step, moved.of(kernel.row));
    });
    for (auto& [stream, run] : runs) finish(run);
    std::int64_t most = 0;
    const double repeats = kFusibleRepeats * static_cast<double>(std::max<std::size_t>(1, facts.steps.size()));
    for (auto& [types, seen] : byTypes) {
        SequenceFacts& sequence = seen.facts;
        if (sequence.saved.count < 2) continue;
        for (const std::uint32_t type : types) sequence.types.emplace_back(walk.texts().text(StringId{type}));
        if (static_cast<double>(sequence.saved.count) >= repeats && sequence.saved.total > most) {
            most = sequence.saved.total;
            facts.savedSequence = typesText(sequence);
            std::erase_if(facts.savings, [](const KernelSaving& one) { return one.whatIf == WhatIf::FusedSequence; });
            facts.savings.insert(facts.savings.end(), seen.savings.begin(), seen.savings.end());
        }
        facts.sequences.push_back(std::move(sequence));
    }
    constexpr std::size_t kKept = 20;
    const auto last = facts.sequences.begin() + static_cast<std::ptrdiff_t>(std::min(kKept, facts.sequences.size()));
    std::partial_sort(facts.sequences.begin(), last, facts.sequences.end(),
                      [](const SequenceFacts& a, const SequenceFacts& b) { return a.saved.total > b.saved.total; });
    facts.sequences.erase(last, facts.sequences.end());
}

void readShapeFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                    const CancelToken& cancel) {
    static constexpr auto kShapes = fixedColumn(RowKind::Kernel, "input_shapes");
    const KernelWalk walk(rank, steps, facts.device);
    if (walk.table() == nullptr || walk.table()->presentCount(kShapes) == 0) return;
    facts.shapes.resize(facts.steps.size());
    std::unordered_map<std::uint64_t, std::size_t> firstSeen;  // step, by type and shapes
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        const auto shapes = walk.table()->text(kShapes, kernel.row);
        if (!shapes || !kernel.type || !kernel.range) return;
        const auto step = walk.sums().stepAt(kernel.range->begin);
        if (!step || *step >= facts.shapes.size()) return;
        const std::size_t seen =
            firstSeen.try_emplace(std::uint64_t{kernel.type->value} << 32U | shapes->value, *step).first->second;
        ShapeFacts& sum = facts.shapes[*step];
        ++sum.kernels;
        if (seen == *step) ++sum.newShapes;
    });
}

}  // namespace altiscope
