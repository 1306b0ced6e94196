#include "core/analysis/memory/memory_series.h"

#include "core/base/threads/parallel.h"
#include "core/store/rows/row_devices.h"
#include "core/store/rows/row_pack.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kSampleRows = RowKind::MemorySample;
constexpr auto kSampleComponent = fixedColumn(kSampleRows, "component");
constexpr auto kSampleTime = fixedColumn(kSampleRows, "ts");
constexpr auto kSampleStream = fixedColumn(kSampleRows, "stream");
constexpr auto kSampleDevice = fixedColumn(kSampleRows, "device_id");

/// Blocks of rows that one call on a worker sorts out.
constexpr std::size_t kRowBlocksTogether = 64;

/// As plain integers; kNoCell for what does not distinguish series.
struct SeriesKey {
    std::int64_t component = kNoCell, device = kNoCell, stream = kNoCell;
    auto operator<=>(const SeriesKey&) const = default;
};
/// What distinguishes series, besides their component.
struct SeriesSplit {
    bool byDevice = false, byStream = false;
};

/// Rows of one key in a part of the table.
struct SeriesPart {
    std::vector<std::uint32_t> rows;
    std::int64_t first = 0, last = 0;  // times
    bool ascends = true;
};
using SeriesParts = std::map<SeriesKey, SeriesPart>;

/// A block of a column as plain integers.
std::vector<std::int64_t> unpacked(const RowTable& table, std::size_t column, std::size_t block) {
    std::vector<std::int64_t> cells(std::min(RowBlock::kBlock, table.size() - block * RowBlock::kBlock));
    unpackBlock(table.columns()[column], block, cells);
    return cells;
}

void sortOut(const RowTable& table, std::size_t block, SeriesSplit split, SeriesParts& parts) {
    const std::vector<std::int64_t> components = unpacked(table, kSampleComponent, block),
                                    times = unpacked(table, kSampleTime, block);
    std::vector<std::int64_t> devices, streams;
    if (split.byDevice) devices = unpacked(table, kSampleDevice, block);
    if (split.byStream) streams = unpacked(table, kSampleStream, block);
    SeriesPart* part = nullptr;
    SeriesKey known;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] == kNoCell) continue;
        const SeriesKey key{components[i], split.byDevice ? devices[i] : kNoCell,
                            split.byStream ? streams[i] : kNoCell};
        if (part == nullptr || key != known) {
            known = key;
            part = &parts[key];
        }
        if (part->rows.empty()) part->first = part->last = times[i];
        part->ascends = part->ascends && part->last <= times[i];
        part->last = times[i];
        part->rows.push_back(static_cast<std::uint32_t>(block * RowBlock::kBlock + i));
    }
}

/// The rows of one key by time.
std::vector<std::uint32_t> ordered(const RowTable& table, std::vector<const SeriesPart*> parts) {
    std::size_t count = 0;
    for (const SeriesPart* part : parts) count += part->rows.size();
    std::vector<std::uint32_t> rows;
    rows.reserve(count);
    bool ascends = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        ascends = ascends && parts[i]->ascends && (i == 0 || parts[i - 1]->last <= parts[i]->first);
        rows.insert(rows.end(), parts[i]->rows.begin(), parts[i]->rows.end());
    }
    if (ascends) return rows;
    std::vector<std::pair<std::int64_t, std::uint32_t>> byTime;
    byTime.reserve(count);
    for (const std::uint32_t row : rows) byTime.emplace_back(table.integer(kSampleTime, row).value_or(0), row);
    std::sort(byTime.begin(), byTime.end());
    std::transform(byTime.begin(), byTime.end(), rows.begin(), [](const auto& entry) { return entry.second; });
    return rows;
}

}  // namespace

std::optional<MemorySeriesSet> memorySeries(const std::shared_ptr<const RowTables>& rows, bool byStream,
                                            const CancelToken& cancel) {
    const RowTable* table = rows == nullptr ? nullptr : rows->find(kSampleRows);
    if (table == nullptr) return MemorySeriesSet{};
    const SeriesSplit split{.byDevice = hasSeveralDevices(*table), .byStream = byStream};
    const std::size_t blocks = (table->size() + RowBlock::kBlock - 1) / RowBlock::kBlock;
    std::vector<SeriesParts> parts((blocks + kRowBlocksTogether - 1) / kRowBlocksTogether);
    parallelFor(parts.size(), [&](std::size_t i) {
        for (std::size_t block = i * kRowBlocksTogether; block < std::min(blocks, (i + 1) * kRowBlocksTogether);
             ++block) {
            if (cancel.cancelled()) return;
            sortOut(*table, block, split, parts[i]);
        }
    });
    if (cancel.cancelled()) return std::nullopt;

    // Texts of the pool are sorted, so that keys are in the order of components' names.
    std::map<SeriesKey, std::vector<const SeriesPart*>> keys;
    for (const SeriesParts& some : parts) {
        for (const auto& [key, part] : some) keys[key].push_back(&part);
    }
    std::vector<std::tuple<std::size_t, SeriesKey>> sizes;
    for (const auto& [key, some] : keys) {
        std::size_t count = 0;
        for (const SeriesPart* part : some) count += part->rows.size();
        sizes.emplace_back(count, key);
    }
    MemorySeriesSet set;
    if (sizes.size() > MemorySeriesSet::kMax) {
        std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
            return std::tuple(std::get<0>(b), std::get<1>(a)) < std::tuple(std::get<0>(a), std::get<1>(b));
        });
        for (std::size_t i = MemorySeriesSet::kMax; i < sizes.size(); ++i) keys.erase(std::get<1>(sizes[i]));
        set.excluded = sizes.size() - MemorySeriesSet::kMax;
    }
    for (auto& [key, some] : keys) {
        if (cancel.cancelled()) return std::nullopt;
        const auto known = [](std::int64_t cell) { return cell == kNoCell ? std::nullopt : std::optional(cell); };
        MemoryOwner owner{.component = {}, .device = known(key.device), .stream = known(key.stream)};
        if (key.component != kNoCell) owner.component = rows->text(StringId{static_cast<std::uint32_t>(key.component)});
        set.series.push_back(
            std::make_shared<const MemorySeries>(rows, ordered(*table, std::move(some)), std::move(owner)));
    }
    return set;
}

}  // namespace altiscope
