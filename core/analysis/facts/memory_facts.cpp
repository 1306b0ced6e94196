#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/saturating.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// What was allocated in a step on the host and not released when the next one ends, by step but the last; bytes.
std::vector<std::int64_t> keptAllocations(const RankEntry& rank, const std::vector<TimeRange>& steps,
                                          const CancelToken& cancel) {
    static constexpr auto kSize = rowColumn(RowKind::Allocation, "size");
    static constexpr auto kAllocated = rowColumn(RowKind::Allocation, "alloc_ts");
    static constexpr auto kReleased = rowColumn(RowKind::Allocation, "release_ts");
    const RowTable* table = rank.rows->find(RowKind::Allocation);
    if (table == nullptr || steps.size() < 2) return {};
    std::vector<std::int64_t> kept(steps.size() - 1);
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        const auto size = table->integer(kSize, row), begin = table->integer(kAllocated, row),
                   end = table->integer(kReleased, row);
        if (!size || !begin || *size <= 0) continue;
        const auto behind = std::upper_bound(steps.begin(), steps.end(), TimeNs{*begin},
                                             [](TimeNs t, const TimeRange& step) { return t < step.begin; });
        if (behind == steps.begin() || behind == steps.end() || !(behind - 1)->contains({*begin})) continue;
        if (!end || behind->end < TimeNs{*end})
            addSaturated(kept[static_cast<std::size_t>(behind - steps.begin()) - 1], *size);
    }
    return kept;
}

}  // namespace

void readMemoryFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                     const CancelToken& cancel) {
    static constexpr auto kComponent = rowColumn(RowKind::MemorySample, "component");
    static constexpr auto kTime = rowColumn(RowKind::MemorySample, "ts");
    static constexpr auto kAllocated = rowColumn(RowKind::MemorySample, "allocated");
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::MemorySample);
    if (table == nullptr || isOfAnotherRecording(rank, RowKind::MemorySample)) return;
    // The pool of the framework, by its name (core/import/csv/FORMAT.md section 6).
    std::optional<StringId> component;
    for (const std::string_view name : {"PTA", "MindSpore"}) {
        if (!component) component = rank.rows->texts().find(name);
    }
    std::vector<TimeNs> borders;
    std::vector<TimeRange> hosts;
    for (const StepSpan& span : steps) {
        if (!span.host) continue;
        if (borders.empty()) borders.push_back(span.host->begin);
        borders.push_back(span.host->end);
        hosts.push_back(*span.host);
    }
    if (!component || borders.empty()) return;
    facts.keptAllocations = keptAllocations(rank, hosts, cancel);
    std::optional<std::int64_t> first;
    std::vector<std::pair<TimeNs, std::int64_t>> last(borders.size(), {{-kMaxTimeNs}, -1});
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto time = table->integer(kTime, row), allocated = table->integer(kAllocated, row);
        if (table->text(kComponent, row) != component || !time || !allocated) continue;
        if (!first) first = *allocated;
        // The first border at or behind the sample; the sample holds for it until a later one comes.
        const auto border = std::lower_bound(borders.begin(), borders.end(), TimeNs{*time});
        if (border == borders.end()) continue;
        auto& known = last[static_cast<std::size_t>(border - borders.begin())];
        if (known.first <= TimeNs{*time}) known = {TimeNs{*time}, *allocated};
    }
    for (std::size_t i = 1; i < last.size(); ++i) {
        if (last[i].second < 0) last[i].second = last[i - 1].second;
    }
    for (const auto& [time, bytes] : last) {
        // Before the first sample the pool is as that one shows it, but for one block.
        facts.allocatedAtBorders.push_back(bytes >= 0 ? bytes : first.value_or(0));
    }
}

}  // namespace altiscope
