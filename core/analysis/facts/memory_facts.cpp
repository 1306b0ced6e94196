#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/saturating.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using PoolDevice = std::optional<std::int64_t>;
using BytesByStep = std::vector<std::int64_t>;

/// What was allocated in a step on the host and not released when the next one ends, by device and by step but the
/// last.
std::map<PoolDevice, BytesByStep> keptAllocations(const RankEntry& rank, const std::vector<TimeRange>& steps,
                                                  const CancelToken& cancel) {
    static constexpr auto kSize = fixedColumn(RowKind::Allocation, "size");
    static constexpr auto kAllocated = fixedColumn(RowKind::Allocation, "alloc_ts");
    static constexpr auto kReleased = fixedColumn(RowKind::Allocation, "release_ts");
    static constexpr auto kDevice = fixedColumn(RowKind::Allocation, "device_id");
    const RowTable* table = rank.rows->find(RowKind::Allocation);
    if (table == nullptr || steps.size() < 2) return {};
    const bool byDevice = hasSeveralDevices(*table);
    std::map<PoolDevice, BytesByStep> kept;
    if (!byDevice) kept[std::nullopt].resize(steps.size() - 1);
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        const auto size = table->integer(kSize, row), begin = table->integer(kAllocated, row),
                   end = table->integer(kReleased, row);
        if (!size || !begin || *size <= 0) continue;
        const auto after = std::upper_bound(steps.begin(), steps.end(), TimeNs{*begin},
                                            [](TimeNs t, const TimeRange& step) { return t < step.begin; });
        if (after == steps.begin() || after == steps.end() || !(after - 1)->contains({*begin})) continue;
        BytesByStep& ofDevice = kept[byDevice ? table->integer(kDevice, row) : std::nullopt];
        ofDevice.resize(steps.size() - 1);
        if (!end || after->end < TimeNs{*end})
            addSaturated(ofDevice[static_cast<std::size_t>(after - steps.begin()) - 1], *size);
    }
    return kept;
}

/// How much a pool holds at moments that ascend.
class PoolAtMoments {
public:
    explicit PoolAtMoments(std::size_t moments)
        : m_last(moments, {{-kMaxTimeNs}, kUnknown}), m_lowest(moments, kUnknown) {}

    /// @param moment  The first one at or after the sample, which holds for it until a later one comes; the number of
    /// moments: after all.
    void add(std::size_t moment, TimeNs time, std::int64_t allocated) {
        if (moment >= m_last.size()) return;
        if (m_last[moment].first <= time) m_last[moment] = {time, allocated};
        if (m_lowest[moment] == kUnknown || allocated < m_lowest[moment]) m_lowest[moment] = allocated;
    }
    /// At each moment from the first one that a sample comes before: one block more or less hides a small leak.
    BytesByStep bytes() const {
        BytesByStep all;
        for (const auto& [time, allocated] : m_last) {
            if (allocated != kUnknown) all.push_back(allocated);
            else if (!all.empty()) all.push_back(std::int64_t{all.back()});
        }
        return all;
    }
    /// Between each two moments, where each has samples; else empty.
    BytesByStep lowest() const {
        if (m_lowest.empty() || std::find(m_lowest.begin() + 1, m_lowest.end(), kUnknown) != m_lowest.end()) return {};
        return {m_lowest.begin() + 1, m_lowest.end()};
    }
    /// The same, what the first moment of each two holds included.
    BytesByStep lowestFromBegins() const {
        BytesByStep all = lowest();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (m_last[i].second != kUnknown) all[i] = std::min(all[i], m_last[i].second);
        }
        return all;
    }

private:
    static constexpr std::int64_t kUnknown = -1;
    std::vector<std::pair<TimeNs, std::int64_t>> m_last;  // sample before each moment
    BytesByStep m_lowest;                                 // of the samples between the moment before and each
};

}  // namespace

void readMemoryFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                     const CancelToken& cancel) {
    static constexpr auto kComponent = fixedColumn(RowKind::MemorySample, "component");
    static constexpr auto kTime = fixedColumn(RowKind::MemorySample, "ts");
    static constexpr auto kAllocated = fixedColumn(RowKind::MemorySample, "allocated");
    static constexpr auto kDevice = fixedColumn(RowKind::MemorySample, "device_id");
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
    const bool byDevice = hasSeveralDevices(*table);
    std::map<PoolDevice, PoolAtMoments> pools;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto time = table->integer(kTime, row), allocated = table->integer(kAllocated, row);
        if (table->text(kComponent, row) != component || !time || !allocated) continue;
        const auto border = std::lower_bound(borders.begin(), borders.end(), TimeNs{*time});
        pools.try_emplace(byDevice ? table->integer(kDevice, row) : std::nullopt, borders.size())
            .first->second.add(static_cast<std::size_t>(border - borders.begin()), TimeNs{*time}, *allocated);
    }
    std::map<PoolDevice, BytesByStep> kept = keptAllocations(rank, hosts, cancel);
    for (const auto& [device, pool] : pools) {
        const auto ofDevice = kept.find(device);
        facts.pools.push_back(
            {.device = device,
             .allocatedAtBorders = pool.bytes(),
             .lowestInSteps = pool.lowest(),
             .lowestFromBegins = pool.lowestFromBegins(),
             .keptAllocations = ofDevice == kept.end() ? BytesByStep() : std::move(ofDevice->second)});
    }
}

}  // namespace altiscope
