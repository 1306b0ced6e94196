#include "core/pack/text_map.h"

#include "core/store/rows/row_pack.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace altiscope::pack {

namespace {

/// The texts of a pool after a map, and the number of each by its former one.
struct MappedPool {
    StringPool pool;
    std::vector<StringId> ids;

    StringId of(StringId before) const { return ids[before.value]; }
};

MappedPool mapped(const StringPool& before, const TextMap& map) {
    std::vector<std::string> texts(before.size());
    // The empty text is number 0 and stays.
    for (std::uint32_t i = 1; i < texts.size(); ++i) texts[i] = map(before.text({i}));
    std::vector<std::uint32_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
    std::vector<std::uint64_t> offsets{0};
    std::vector<char> bytes;
    MappedPool result;
    result.ids.resize(texts.size());
    const std::string* last = nullptr;
    for (const std::uint32_t i : order) {
        if (last == nullptr || *last != texts[i]) {
            bytes.insert(bytes.end(), texts[i].begin(), texts[i].end());
            offsets.push_back(bytes.size());
            last = &texts[i];
        }
        result.ids[i] = {static_cast<std::uint32_t>(offsets.size() - 2)};
    }
    result.pool = StringPool(Column(std::move(offsets)), Column(std::move(bytes)));
    return result;
}

template <class T, class Change>
Column<T> changed(const Column<T>& before, const Change& change) {
    std::vector<T> values(before.begin(), before.end());
    for (T& value : values) change(value);
    return Column<T>(std::move(values));
}

/// By track and name, each once.
Column<NameStat> sortedStats(const Column<NameStat>& before) {
    std::vector<NameStat> stats(before.begin(), before.end());
    const auto key = [](const NameStat& stat) { return std::pair(stat.track, stat.name.value); };
    std::stable_sort(stats.begin(), stats.end(),
                     [&key](const NameStat& a, const NameStat& b) { return key(a) < key(b); });
    std::vector<NameStat> merged;
    for (const NameStat& stat : stats) {
        if (merged.empty() || key(merged.back()) != key(stat)) {
            merged.push_back(stat);
            continue;
        }
        NameStat& sum = merged.back();
        sum.count += stat.count;
        sum.total += stat.total;
        sum.selfTotal += stat.selfTotal;
        sum.minimum = std::min(sum.minimum, stat.minimum);
        sum.maximum = std::max(sum.maximum, stat.maximum);
    }
    return Column(std::move(merged));
}

/// All cells of a column as plain integers, each changed.
template <class Change>
PackedColumn changedCells(const PackedColumn& column, std::size_t rows, RowCell cell, const Change& change) {
    std::vector<std::int64_t> cells(rows);
    for (std::size_t first = 0; first < rows; first += RowBlock::kBlock) {
        const std::span part = std::span(cells).subspan(first, std::min(RowBlock::kBlock, rows - first));
        unpackBlock(column, first / RowBlock::kBlock, part);
    }
    for (std::int64_t& value : cells)
        if (value != kNoCell) value = change(value);
    ColumnPacker packer(cell);
    packer.append(cells);
    return packer.finish();
}

/// The tables with some columns changed: change(table, column number) is the new one, or nullopt.
template <class Change>
std::vector<RowTable> changedTables(const RowTables& rows, const Change& change) {
    std::vector<RowTable> tables;
    for (const RowTable& table : rows.tables()) {
        std::vector<PackedColumn> columns = table.columns();
        for (std::size_t i = 0; i < rowColumns(table.kind()).size(); ++i)
            if (auto column = change(table, i)) columns[i] = std::move(*column);
        tables.emplace_back(table.kind(), table.size(), table.extras(), std::move(columns));
    }
    return tables;
}

/// Parts of a store that stay without some tracks: the new number of each track and slice.
struct KeptParts {
    static constexpr std::uint32_t kGone = 0xffffffffU;
    std::vector<std::uint32_t> track, slice;

    std::uint32_t ofSlice(std::uint32_t before) const {
        return before == kNoSlice.value || slice[before] == kGone ? kNoSlice.value : slice[before];
    }
};

KeptParts keptParts(const TraceColumns& columns) {
    KeptParts kept{std::vector<std::uint32_t>(columns.tracks.size(), KeptParts::kGone),
                   std::vector<std::uint32_t>(columns.begin.size(), KeptParts::kGone)};
    std::uint32_t tracks = 0, slices = 0;
    for (std::size_t t = 0; t < columns.tracks.size(); ++t) {
        const TrackExtent& extent = columns.extents[t];
        const bool isStack = columns.tracks[t].kind == TrackKind::Stack;
        if (isStack && extent.seriesCount == 0 && extent.instantCount == 0) continue;
        kept.track[t] = tracks++;
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) kept.slice[extent.firstSlice + i] = slices++;
    }
    return kept;
}

template <class T>
Column<T> keptSlices(const Column<T>& before, const KeptParts& kept) {
    std::vector<T> values;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (kept.slice[i] != KeptParts::kGone) values.push_back(before[i]);
    return Column<T>(std::move(values));
}

void keepRuns(const TraceColumns& before, const KeptParts& kept, TraceColumns& after) {
    std::vector<DepthRun> runs;
    std::vector<TrackExtent> extents;
    std::vector<SliceBlock> blocks;
    std::uint32_t slices = 0;
    for (std::size_t t = 0; t < before.tracks.size(); ++t) {
        if (kept.track[t] == KeptParts::kGone) continue;
        TrackExtent extent = before.extents[t];
        const std::uint32_t firstRun = extent.firstRun;
        extent.firstRun = static_cast<std::uint32_t>(runs.size());
        extent.firstSlice = slices;
        for (std::uint32_t r = 0; r < extent.runCount; ++r) {
            DepthRun run = before.runs[firstRun + r];
            const std::uint64_t firstBlock = run.firstBlock;
            run.track = kept.track[t];
            run.first = slices;
            run.firstBlock = blocks.size();
            slices += run.count;
            for (std::uint64_t b = 0; b < allBlocks(run.count); ++b) {
                blocks.push_back(before.blocks[firstBlock + b]);
                blocks.back().longest = kept.ofSlice(blocks.back().longest);
            }
            runs.push_back(run);
        }
        extents.push_back(extent);
        after.tracks.push_back(before.tracks[t]);
    }
    after.runs = Column(std::move(runs));
    after.extents = Column(std::move(extents));
    after.blocks = Column(std::move(blocks));
}

void keepPositions(TraceColumns& after) {
    std::vector<SourcePos> lowest, highest;
    for (std::size_t first = 0; first < after.pos.size(); first += TraceStore::kPosBlock) {
        const auto part = after.pos.span().subspan(first, std::min(TraceStore::kPosBlock, after.pos.size() - first));
        const auto [low, high] = std::minmax_element(part.begin(), part.end());
        lowest.push_back(*low);
        highest.push_back(*high);
    }
    after.blockPosMin = Column(std::move(lowest));
    after.blockPosMax = Column(std::move(highest));
}

/// Numbers of flows by slice, those in no slice last.
Column<std::uint32_t> flowsBySlice(const Column<std::uint32_t>& before, const Column<std::uint32_t>& slices) {
    std::vector<std::uint32_t> order(before.begin(), before.end());
    std::stable_sort(order.begin(), order.end(),
                     [&slices](std::uint32_t a, std::uint32_t b) { return slices[a] < slices[b]; });
    return Column(std::move(order));
}

void rename(TraceColumns& columns, MappedPool texts) {
    const auto id = [&texts](StringId& name) { name = texts.of(name); };
    const auto named = [&texts](auto& part) { part.name = texts.of(part.name); };
    columns.name = changed(columns.name, id);
    columns.category = changed(columns.category, id);
    columns.colour = changed(columns.colour, [&](StringId& colour) {
        if (colour != kNoColour) id(colour);
    });
    columns.blocks = changed(columns.blocks, named);
    columns.nameStats = sortedStats(changed(columns.nameStats, named));
    columns.series = changed(columns.series, named);
    columns.instantName = changed(columns.instantName, id);
    columns.flowCategory = changed(columns.flowCategory, id);
    columns.texts = std::move(texts.pool);
}

std::vector<RowTable> renamedTables(const RowTables& rows, const MappedPool& texts) {
    return changedTables(rows, [&](const RowTable& table, std::size_t column) {
        if (rowColumns(table.kind())[column].cell != RowCell::Text) return std::optional<PackedColumn>();
        return std::optional(
            changedCells(table.columns()[column], table.size(), RowCell::Text, [&texts](std::int64_t cell) {
                return std::int64_t{texts.of({static_cast<std::uint32_t>(cell)}).value};
            }));
    });
}

/// A pool without the texts that nothing uses.
MappedPool usedTexts(const StringPool& before, const std::vector<bool>& isUsed) {
    return mapped(before, [&](std::string_view text) {
        const auto id = before.find(text);
        return id && isUsed[id->value] ? std::string(text) : std::string();
    });
}

std::vector<bool> usedBy(const TraceColumns& columns) {
    std::vector<bool> isUsed(columns.texts.size());
    const auto id = [&isUsed](StringId name) { isUsed[name.value] = true; };
    for (const auto* ids : {&columns.name, &columns.category, &columns.instantName, &columns.flowCategory})
        for (const StringId name : *ids) id(name);
    for (const StringId name : columns.colour)
        if (name != kNoColour) id(name);
    for (const NameStat& stat : columns.nameStats) id(stat.name);
    for (const CounterSeries& series : columns.series) id(series.name);
    for (const SliceBlock& block : columns.blocks) id(block.name);
    return isUsed;
}

std::vector<bool> usedBy(const std::vector<RowTable>& tables, const StringPool& texts) {
    std::vector<bool> isUsed(texts.size());
    for (const RowTable& table : tables) {
        const auto columns = rowColumns(table.kind());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i].cell != RowCell::Text) continue;
            for (std::size_t row = 0; row < table.size(); ++row)
                if (const auto id = table.text(i, row)) isUsed[id->value] = true;
        }
    }
    return isUsed;
}

}  // namespace

std::shared_ptr<const TraceStore> withTexts(const TraceStore& trace, const TextMap& map) {
    TraceColumns columns = trace.columns();
    rename(columns, mapped(columns.texts, map));
    for (Track& track : columns.tracks)
        for (std::string* text : {&track.pid, &track.tid, &track.process, &track.thread, &track.name, &track.labels})
            *text = map(*text);
    return std::make_shared<const TraceStore>(std::move(columns), trace.provisional());
}

std::shared_ptr<const RowTables> withTexts(const RowTables& rows, const TextMap& map) {
    MappedPool texts = mapped(rows.texts(), map);
    std::vector<RowTable> tables = renamedTables(rows, texts);
    for (RowTable& table : tables) {
        std::vector<std::string> extras = table.extras();
        for (std::string& name : extras) name = map(name);
        if (!extras.empty()) table = RowTable(table.kind(), table.size(), std::move(extras), table.columns());
    }
    return std::make_shared<const RowTables>(std::move(tables), std::move(texts.pool));
}

Diagnostics withTexts(const Diagnostics& diagnostics, const TextMap& ofFile, const NamedTextMap& ofParameter) {
    Diagnostics result;
    for (const Diagnostic& one : diagnostics.entries()) {
        MessageParameters parameters;
        for (const auto& [name, value] : one.parameters) parameters.emplace_back(name, ofParameter(name, value));
        // The last place that is named stands for all that follow.
        const std::size_t places = std::max<std::size_t>(1, one.places.size());
        for (std::size_t i = 0; i < places; ++i)
            result.add(one.code, one.severity, ofFile(one.file), one.places.empty() ? Place{} : one.places[i],
                       parameters, i + 1 < places ? 1 : one.count - i);
    }
    return result;
}

std::shared_ptr<const RowTables> onlyKind(const RowTables& rows, RowKind kind) {
    std::vector<RowTable> tables;
    if (const RowTable* table = rows.find(kind)) tables.push_back(*table);
    MappedPool texts = usedTexts(rows.texts(), usedBy(tables, rows.texts()));
    const RowTables all(std::move(tables), rows.texts());
    return std::make_shared<const RowTables>(renamedTables(all, texts), std::move(texts.pool));
}

std::shared_ptr<const RowTables> withoutStacks(const RowTables& rows) {
    const auto tables = changedTables(rows, [](const RowTable& table, std::size_t column) {
        const std::string_view name = rowColumns(table.kind())[column].name;
        if (name != "call_stack" && name != "stack") return std::optional<PackedColumn>();
        ColumnPacker packer(RowCell::Text);
        packer.append(std::vector<std::int64_t>(table.size(), kNoCell));
        return std::optional(packer.finish());
    });
    // Their texts go with them.
    MappedPool texts = usedTexts(rows.texts(), usedBy(tables, rows.texts()));
    const RowTables all(tables, rows.texts());
    return std::make_shared<const RowTables>(renamedTables(all, texts), std::move(texts.pool));
}

std::shared_ptr<const TraceStore> withoutStacks(const TraceStore& trace, std::shared_ptr<const RowTables>& rows) {
    const TraceColumns& before = trace.columns();
    const KeptParts kept = keptParts(before);
    TraceColumns after = before;
    after.tracks.clear();
    keepRuns(before, kept, after);
    after.begin = keptSlices(before.begin, kept);
    after.duration = keptSlices(before.duration, kept);
    after.selfDuration = keptSlices(before.selfDuration, kept);
    after.name = keptSlices(before.name, kept);
    after.category = keptSlices(before.category, kept);
    after.pos = keptSlices(before.pos, kept);
    if (before.colour.size() != 0) after.colour = keptSlices(before.colour, kept);
    const auto renumber = [&kept](std::uint32_t& slice) { slice = kept.ofSlice(slice); };
    after.parent = changed(keptSlices(before.parent, kept), renumber);
    keepPositions(after);
    std::vector<NameStat> stats;
    for (NameStat stat : before.nameStats) {
        if (kept.track[stat.track] == KeptParts::kGone) continue;
        stat.track = kept.track[stat.track];
        stats.push_back(stat);
    }
    after.nameStats = Column(std::move(stats));
    after.series = changed(before.series, [&kept](CounterSeries& one) { one.track = kept.track[one.track]; });
    after.instantTrack = changed(before.instantTrack, [&kept](std::uint32_t& track) { track = kept.track[track]; });
    after.flowFrom = changed(before.flowFrom, renumber);
    after.flowTo = changed(before.flowTo, renumber);
    after.flowsByFrom = flowsBySlice(before.flowsByFrom, after.flowFrom);
    after.flowsByTo = flowsBySlice(before.flowsByTo, after.flowTo);
    if (rows != nullptr) {
        auto tables = changedTables(*rows, [&](const RowTable& table, std::size_t column) {
            if (rowColumns(table.kind())[column].cell != RowCell::Slice) return std::optional<PackedColumn>();
            return std::optional(
                changedCells(table.columns()[column], table.size(), RowCell::Slice, [&kept](std::int64_t cell) {
                    const std::uint32_t slice = kept.ofSlice(static_cast<std::uint32_t>(cell));
                    return slice == kNoSlice.value ? kNoCell : std::int64_t{slice};
                }));
        });
        rows = std::make_shared<const RowTables>(std::move(tables), rows->texts());
    }
    MappedPool texts = usedTexts(after.texts, usedBy(after));
    rename(after, std::move(texts));
    return std::make_shared<const TraceStore>(std::move(after), trace.provisional());
}

}  // namespace altiscope::pack
