#include "core/analysis/facts/memory_usage.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kUseRows = RowKind::Allocation;
/// Host memory names no device.
constexpr std::int64_t kHostMemory = -1;

/// Names with the most bytes.
class UseNames {
public:
    void add(std::optional<StringId> name, std::int64_t bytes) {
        if (name) addSaturated(m_bytes[name->value], bytes);
    }
    std::vector<NamedBytes> most(const RowTables& rows) const {
        std::vector<NamedBytes> sums;
        for (const auto& [name, bytes] : m_bytes) sums.push_back({std::string(rows.text(StringId{name})), bytes});
        std::sort(sums.begin(), sums.end(), [](const NamedBytes& a, const NamedBytes& b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
        });
        if (sums.size() > PoolUse::kMaxNames) sums.resize(PoolUse::kMaxNames);
        return sums;
    }

private:
    std::map<std::uint32_t, std::int64_t> m_bytes;
};

/// Number of a column that only some files fill; nullopt where none does.
std::optional<std::size_t> extraNamed(const RowTable& table, std::string_view name) {
    const auto& extras = table.extras();
    const auto found = std::find(extras.begin(), extras.end(), name);
    if (found == extras.end()) return std::nullopt;
    return rowColumns(table.kind()).size() + static_cast<std::size_t>(found - extras.begin());
}

void addUnused(const RowTables& rows, MemoryUsage& usage, const CancelToken& cancel) {
    constexpr auto kSize = fixedColumn(kUseRows, "size"), kBegin = fixedColumn(kUseRows, "alloc_ts"),
                   kEnd = fixedColumn(kUseRows, "release_ts"), kName = fixedColumn(kUseRows, "name");
    const RowTable* table = rows.find(kUseRows);
    if (table == nullptr) return;
    const auto firstUse = extraNamed(*table, "first_use"), idle = extraNamed(*table, "longest_idle"),
               unusedEnd = extraNamed(*table, "unused_end");
    if (!firstUse || !idle || !unusedEnd) return;
    UnusedAllocations& unused = usage.unused;
    std::map<std::uint32_t, std::int64_t> byName;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto size = table->integer(kSize, row), begin = table->integer(kBegin, row),
                   end = table->integer(kEnd, row);
        if (!size || *size < kMinUnusedBytes || !begin || !end || *end <= *begin) continue;
        const double early = table->real(*firstUse, row).value_or(0), pause = table->real(*idle, row).value_or(0),
                     late = table->real(*unusedEnd, row).value_or(0);
        const double longest = std::max({early, pause, late});
        if (longest < static_cast<double>(kMinUnusedNs) || longest <= kUnusedShare * static_cast<double>(*end - *begin))
            continue;
        if (longest == late) {
            ++unused.late;
            addSaturated(unused.lateBytes, *size);
        } else if (longest == early) {
            ++unused.early;
            addSaturated(unused.earlyBytes, *size);
        } else {
            ++unused.idle;
            addSaturated(unused.idleBytes, *size);
        }
        if (const auto name = table->text(kName, row)) addSaturated(byName[name->value], *size);
    }
    for (const auto& [name, bytes] : byName) {
        if (bytes <= unused.bytes) continue;
        unused.bytes = bytes;
        unused.name = std::string(rows.text(StringId{name}));
    }
}

/// What the history of each device says, and what is older.
void addSnapshotUse(const RowTables& rows, MemoryUsage& usage, const CancelToken& cancel) {
    constexpr RowKind E = RowKind::SnapshotEvent, B = RowKind::SnapshotBlock;
    constexpr auto kDevice = fixedColumn(E, "device_id"), kEvent = fixedColumn(E, "event_id"),
                   kAllocated = fixedColumn(E, "allocated"), kReserved = fixedColumn(E, "reserved"),
                   kBlockDevice = fixedColumn(B, "device_id"), kState = fixedColumn(B, "state"),
                   kAlloc = fixedColumn(B, "alloc_event"), kRequested = fixedColumn(B, "requested"),
                   kSize = fixedColumn(B, "size");
    std::map<std::int64_t, SnapshotUse> devices;
    const RowTable* events = rows.find(E);
    for (std::size_t row = 0; events != nullptr && row < events->size();) {
        if (cancel.cancelled()) return;
        const RowBlock& numbers = events->block(kDevice, row);
        const bool isOfOne = numbers.nulls == RowBlock::Nulls::None && numbers.min == numbers.max;
        const std::size_t end = std::min(events->size(), row + RowBlock::kBlock);
        // Most blocks of rows are of one device, and rise no higher than those before.
        if (isOfOne) {
            SnapshotUse& device = devices[numbers.min];
            device.entries = std::max(device.entries, events->block(kEvent, row).max + 1);
            device.highestAllocated = std::max(device.highestAllocated, events->block(kAllocated, row).max);
            if (events->block(kReserved, row).max <= device.highestReserved) row = end;
        }
        for (; row < end; ++row) {
            SnapshotUse& device = devices[events->integer(kDevice, row).value_or(kHostMemory)];
            const std::int64_t event = events->integer(kEvent, row).value_or(0);
            device.entries = std::max(device.entries, event + 1);
            device.highestAllocated = std::max(device.highestAllocated, events->integer(kAllocated, row).value_or(0));
            const std::int64_t reserved = events->integer(kReserved, row).value_or(0);
            if (reserved <= device.highestReserved) continue;
            device.highestReserved = reserved;
            device.highestReservedEvent = event;
        }
    }
    const RowTable* blocks = rows.find(B);
    const auto allocated = rows.texts().find("active_allocated");
    for (std::size_t row = 0; blocks != nullptr && allocated && row < blocks->size(); ++row) {
        if (row % RowBlock::kBlock == 0) {
            row = nextRowWith(*blocks, kState, row, allocated->value);
            if (row == blocks->size()) break;
            if (cancel.cancelled()) return;
        }
        const auto state = blocks->text(kState, row);
        if (!state || state != allocated) continue;
        SnapshotUse& device = devices[blocks->integer(kBlockDevice, row).value_or(kHostMemory)];
        const std::int64_t bytes = blocks->integer(kRequested, row).value_or(blocks->integer(kSize, row).value_or(0));
        addSaturated(device.allocatedBytes, bytes);
        if (blocks->integer(kAlloc, row)) continue;
        ++device.olderBlocks;
        addSaturated(device.olderBytes, bytes);
    }
    for (auto& [number, device] : devices) {
        device.device = number;
        usage.snapshots.push_back(device);
    }
}

/// Step of each time; nullopt between steps.
std::optional<std::size_t> stepAt(const std::vector<TimeRange>& steps, std::int64_t time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), TimeNs{time},
                                        [](TimeNs t, const TimeRange& step) { return t < step.begin; });
    if (after == steps.begin() || !(after - 1)->contains({time})) return std::nullopt;
    return static_cast<std::size_t>(after - steps.begin()) - 1;
}

/// Samples of a pool, by time.
using PoolSamples = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Fills in what the steps hold. @return When the highest of them is.
std::optional<std::pair<std::size_t, std::int64_t>> addSteps(PoolSamples samples, const std::vector<TimeRange>& steps,
                                                             PoolUse& pool) {
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t next = 0;
    std::int64_t level = samples.front().second;
    std::optional<std::pair<std::size_t, std::int64_t>> highest;
    const auto goTo = [&](TimeNs time, auto&& take) {
        for (; next < samples.size() && samples[next].first < time.value; ++next) {
            level = samples[next].second;
            take(samples[next]);
        }
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        goTo(steps[i].begin, [](const auto&) {});
        if (i == 0) pool.atBegin = level;
        std::pair<std::int64_t, std::int64_t> peak{steps[i].begin.value, level};
        goTo(steps[i].end, [&peak](const auto& sample) {
            if (sample.second > peak.second) peak = sample;
        });
        pool.highestInSteps.push_back(peak.second);
        pool.atEnds.push_back(level);
        if (!highest || peak.second > pool.highestInSteps[highest->first]) highest = {i, peak.first};
    }
    return highest;
}

/// Names of what is there at the highest peak, and of what is kept.
void addNames(const RowTables& rows, const std::vector<TimeRange>& steps, std::pair<std::size_t, std::int64_t> highest,
              PoolUse& pool, const CancelToken& cancel) {
    constexpr auto kSize = fixedColumn(kUseRows, "size"), kBegin = fixedColumn(kUseRows, "alloc_ts"),
                   kEnd = fixedColumn(kUseRows, "release_ts"), kName = fixedColumn(kUseRows, "name"),
                   kDevice = fixedColumn(kUseRows, "device_id");
    const RowTable* table = rows.find(kUseRows);
    if (table == nullptr) return;
    UseNames atHighest, kept;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto size = table->integer(kSize, row), begin = table->integer(kBegin, row),
                   end = table->integer(kEnd, row);
        if (!size || *size <= 0 || !begin || (pool.device && table->integer(kDevice, row) != pool.device)) continue;
        const auto step = stepAt(steps, *begin);
        if (!step) continue;
        const auto name = table->text(kName, row);
        if (*step == highest.first && *begin <= highest.second && (!end || *end > highest.second))
            atHighest.add(name, *size);
        if (*step + 1 < steps.size() && (!end || *end > steps[*step + 1].end.value)) kept.add(name, *size);
    }
    pool.atHighest = atHighest.most(rows);
    pool.kept = kept.most(rows);
}

void addPools(const RankEntry& rank, const RankFacts& facts, MemoryUsage& usage, const CancelToken& cancel) {
    constexpr RowKind S = RowKind::MemorySample;
    constexpr auto kComponent = fixedColumn(S, "component"), kTime = fixedColumn(S, "ts"),
                   kAllocated = fixedColumn(S, "allocated"), kReserved = fixedColumn(S, "reserved"),
                   kDevice = fixedColumn(S, "device_id");
    const RowTable* table = rank.rows->find(S);
    if (table == nullptr || isOfAnotherRecording(rank, S)) return;
    // The pool of the framework, by its name (core/import/csv/FORMAT.md section 6).
    std::optional<StringId> component;
    for (const std::string_view name : {"PTA", "MindSpore"}) {
        if (!component) component = rank.rows->texts().find(name);
    }
    if (!component) return;
    std::vector<TimeRange> steps;
    for (const StepFacts& step : facts.steps) steps.push_back(step.range);
    const bool hasRanges =
        std::is_sorted(steps.begin(), steps.end(),
                       [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; }) &&
        std::all_of(steps.begin(), steps.end(), [](const TimeRange& one) { return one.begin < one.end; });
    const bool byDevice = hasSeveralDevices(*table);
    std::map<std::optional<std::int64_t>, std::pair<PoolUse, PoolSamples>> pools;
    std::map<std::optional<std::int64_t>, TimeRange> spans;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
        const auto time = table->integer(kTime, row), allocated = table->integer(kAllocated, row);
        if (table->text(kComponent, row) != component || !time || !allocated) continue;
        const auto device = byDevice ? table->integer(kDevice, row) : std::nullopt;
        auto& [pool, samples] = pools[device];
        auto& seen = spans.try_emplace(device, TimeRange{{*time}, {*time}}).first->second;
        seen = {std::min(seen.begin, TimeNs{*time}), std::max(seen.end, TimeNs{*time})};
        pool.highestAllocated = std::max(pool.highestAllocated, *allocated);
        pool.highestReserved = std::max(pool.highestReserved, table->integer(kReserved, row).value_or(0));
        if (hasRanges) samples.emplace_back(*time, *allocated);
    }
    for (auto& [device, found] : pools) {
        PoolUse& pool = found.first;
        pool.device = device;
        pool.span = spans[device].length().value;
        const auto highest = found.second.empty() ? std::nullopt : addSteps(std::move(found.second), steps, pool);
        if (highest) addNames(*rank.rows, steps, *highest, pool, cancel);
        usage.pools.push_back(std::move(pool));
    }
}

}  // namespace

std::vector<MemoryUsage> memoryUsage(const CaptureStore& capture, const CaptureFacts& facts,
                                     const CancelToken& cancel) {
    std::vector<MemoryUsage> usages(facts.ranks.size());
    parallelFor(std::min(usages.size(), capture.ranks.size()), [&](std::size_t r) {
        const RankEntry& rank = capture.ranks[r];
        if (rank.rows == nullptr) return;
        addPools(rank, facts.ranks[r], usages[r], cancel);
        addSnapshotUse(*rank.rows, usages[r], cancel);
        addUnused(*rank.rows, usages[r], cancel);
    });
    return usages;
}

}  // namespace altiscope
