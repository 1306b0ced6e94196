#include "core/analysis/memory/memory_allocations.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/saturating.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

constexpr RowKind kAllocationRows = RowKind::Allocation;
constexpr auto kHolderName = fixedColumn(kAllocationRows, "name");
constexpr auto kHolderSize = fixedColumn(kAllocationRows, "size");
constexpr auto kAllocatedAt = fixedColumn(kAllocationRows, "alloc_ts");
constexpr auto kReleasedAt = fixedColumn(kAllocationRows, "release_ts");
constexpr auto kHolderDevice = fixedColumn(kAllocationRows, "device_id");

using Moment = std::optional<std::int64_t>;

bool within(const std::vector<TimeRange>& times, Moment at) {
    if (!at) return false;
    const auto after = std::upper_bound(times.begin(), times.end(), TimeNs{*at},
                                        [](TimeNs t, const TimeRange& range) { return t < range.begin; });
    return after != times.begin() && (after - 1)->contains({*at});
}

bool isAlive(Moment allocated, Moment released, TimeNs at) {
    return (!allocated || *allocated <= at.value) && (!released || *released > at.value);
}

/// Whether no row of the block can have been allocated by then.
bool isLater(const RowTable& table, std::size_t row, TimeNs at) {
    const RowBlock& block = table.block(kAllocatedAt, row);
    return block.nulls == RowBlock::Nulls::None && block.min > at.value;
}

/// The device by which rows are chosen; nullopt where all are of one.
std::optional<std::int64_t> chosenDevice(const RowTable& table, std::optional<std::int64_t> device) {
    return device && hasSeveralDevices(table) ? device : std::nullopt;
}

/// Calls take(row) for the rows that may be alive then. @return False if cancelled.
template <class Take>
bool forRowsUntil(const RowTable& table, std::optional<TimeNs> at, const CancelToken& cancel, Take take) {
    for (std::size_t row = 0; row < table.size();) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return false;
        if (row % RowBlock::kBlock == 0 && at && isLater(table, row, *at)) {
            row += RowBlock::kBlock;
            continue;
        }
        take(row++);
    }
    return !cancel.cancelled();
}

}  // namespace

std::optional<std::vector<std::uint32_t>> allocationRows(const RowTable& allocations, const AllocationQuery& query,
                                                         const CancelToken& cancel) {
    std::vector<std::uint32_t> rows;
    const auto device = chosenDevice(allocations, query.device);
    const auto uses = query.limits ? useColumns(allocations) : std::nullopt;
    if (query.limits && !uses) return rows;
    const bool whole = forRowsUntil(allocations, query.aliveAt, cancel, [&](std::size_t row) {
        const Moment allocated = allocations.integer(kAllocatedAt, row),
                     released = allocations.integer(kReleasedAt, row);
        if (query.unreleased && released) return;
        if (device && allocations.integer(kHolderDevice, row) != device) return;
        if (query.aliveAt && !isAlive(allocated, released, *query.aliveAt)) return;
        if (query.touched && !within(*query.touched, allocated) && !within(*query.touched, released)) return;
        if (uses && !exceedsLimits(allocations, *uses, row, *query.limits)) return;
        rows.push_back(static_cast<std::uint32_t>(row));
    });
    return whole ? std::optional(std::move(rows)) : std::nullopt;
}

std::optional<AliveMemory> aliveAt(const RowTables& rows, TimeNs at, std::optional<std::int64_t> device,
                                   const CancelToken& cancel) {
    AliveMemory alive{.at = at, .holders = {}};
    const RowTable* table = rows.find(kAllocationRows);
    if (table == nullptr) return alive;
    device = chosenDevice(*table, device);
    std::unordered_map<std::int64_t, std::size_t> places;
    const bool whole = forRowsUntil(*table, at, cancel, [&](std::size_t row) {
        const Moment allocated = table->integer(kAllocatedAt, row), released = table->integer(kReleasedAt, row);
        const auto size = table->integer(kHolderSize, row);
        if (!isAlive(allocated, released, at) || !size || *size <= 0) return;
        if (device && table->integer(kHolderDevice, row) != device) return;
        const auto name = table->text(kHolderName, row);
        const auto [place, isNew] =
            places.try_emplace(name ? static_cast<std::int64_t>(name->value) : -1, alive.holders.size());
        if (isNew)
            alive.holders.push_back({.name = name ? std::string(rows.text(*name)) : std::string(),
                                     .oldest = {allocated.value_or(at.value)}});
        MemoryHolder& holder = alive.holders[place->second];
        addSaturated(holder.bytes, *size);
        holder.largest = std::max(holder.largest, *size);
        ++holder.count;
        if (!released) ++holder.unreleased;
        if (allocated) holder.oldest = std::min(holder.oldest, TimeNs{*allocated});
        addSaturated(alive.bytes, *size);
        ++alive.count;
    });
    if (!whole) return std::nullopt;
    std::sort(alive.holders.begin(), alive.holders.end(), [](const MemoryHolder& a, const MemoryHolder& b) {
        return std::tie(b.bytes, a.name) < std::tie(a.bytes, b.name);
    });
    return alive;
}

std::optional<SliceIndex> allocatingSlice(const TraceStore& trace, std::string_view name, TimeNs at) {
    const auto wanted = trace.texts().find(name);
    if (!wanted) return std::nullopt;
    std::optional<SliceIndex> found;
    DurationNs shortest{};
    for (const DepthRun& run : trace.runs()) {
        const TrackKind kind = trace.track({run.track}).kind;
        if (kind != TrackKind::Python && kind != TrackKind::Cann) continue;
        const std::uint32_t place = trace.firstEndingAfter(run, at);
        if (place == run.first + run.count) continue;
        const SliceIndex slice{place};
        if (trace.begin(slice) > at || trace.nameId(slice) != *wanted) continue;
        if (!found || trace.duration(slice) < shortest) {
            found = slice;
            shortest = trace.duration(slice);
        }
    }
    return found;
}

}  // namespace altiscope
