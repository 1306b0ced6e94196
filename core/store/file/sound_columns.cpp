#include "core/store/file/sound_columns.h"

#include "core/store/columns/pyramid.h"
#include "core/store/rows/row_pack.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace altiscope {

namespace {

/// Whether a part [first, first + count) lies in so many elements.
bool isPart(std::uint64_t first, std::uint64_t count, std::uint64_t all) {
    return first <= all && count <= all - first;
}

/// Elements that are looked at before somebody asks whether to go on.
constexpr std::size_t kPoll = std::size_t{1} << 20;

/// Whether isGood(element number) holds for each.
template <class Test>
bool each(std::size_t count, const CancelToken& cancel, Test isGood) {
    for (std::size_t from = 0; from < count; from += kPoll) {
        if (cancel.cancelled()) return false;
        for (std::size_t i = from; i < std::min(count, from + kPoll); ++i)
            if (!isGood(i)) return false;
    }
    return true;
}

bool isSoundPool(const StringPool& pool, const CancelToken& cancel) {
    const auto& offsets = pool.offsets();
    return offsets.size() > 0 && offsets.size() <= std::numeric_limits<std::uint32_t>::max() && offsets[0] == 0 &&
           offsets[offsets.size() - 1] <= pool.bytes().size() &&
           each(offsets.size() - 1, cancel, [&](std::size_t i) { return offsets[i] <= offsets[i + 1]; });
}

bool haveSameSize(std::size_t size, std::initializer_list<std::size_t> sizes) {
    return std::all_of(sizes.begin(), sizes.end(), [size](std::size_t one) { return one == size; });
}

bool areSlicesSound(const TraceColumns& c, const CancelToken& cancel) {
    const std::size_t slices = c.begin.size(), texts = c.texts.size();
    const std::size_t blocks = (slices + TraceStore::kPosBlock - 1) / TraceStore::kPosBlock;
    if (slices >= kNoSlice.value || !haveSameSize(blocks, {c.blockPosMin.size(), c.blockPosMax.size()}) ||
        !haveSameSize(slices, {c.duration.size(), c.selfDuration.size(), c.name.size(), c.category.size(),
                               c.parent.size(), c.pos.size()}))
        return false;
    if (c.colour.size() != 0 && c.colour.size() != slices) return false;
    return each(slices, cancel,
                [&](std::size_t i) {
                    return isTraceTime(c.begin[i]) && c.duration[i] >= 0 && isTraceTime(c.duration[i]) &&
                           isTraceTime(c.begin[i] + c.duration[i]) && c.selfDuration[i] >= 0 &&
                           c.selfDuration[i] <= c.duration[i] && c.name[i].value < texts &&
                           c.category[i].value < texts && (c.parent[i] < i || c.parent[i] == kNoSlice.value);
                }) &&
           each(c.colour.size(), cancel,
                [&](std::size_t i) { return c.colour[i] == kNoColour || c.colour[i].value < texts; }) &&
           each(c.blocks.size(), cancel,
                [&](std::size_t i) { return c.blocks[i].longest < slices && c.blocks[i].name.value < texts; });
}

/// Runs follow one another and hold all slices.
bool areRunsSound(const TraceColumns& c, const CancelToken& cancel) {
    std::uint64_t next = 0;
    for (const DepthRun& run : c.runs) {
        if (run.track >= c.tracks.size() || run.first != next || !isPart(run.first, run.count, c.begin.size()) ||
            !isPart(run.firstBlock, allBlocks(run.count), c.blocks.size()))
            return false;
        const bool ascends = each(run.count, cancel, [&](std::size_t i) {
            return i == 0 || c.begin[run.first + i - 1] <= c.begin[run.first + i];
        });
        if (!ascends) return false;
        next += run.count;
    }
    return next == c.begin.size();
}

bool areExtentsSound(const TraceColumns& c) {
    if (c.extents.size() != c.tracks.size()) return false;
    for (std::uint32_t track = 0; track < c.extents.size(); ++track) {
        const TrackExtent& extent = c.extents[track];
        if (!isPart(extent.firstRun, extent.runCount, c.runs.size()) ||
            !isPart(extent.firstSlice, extent.sliceCount, c.begin.size()) ||
            !isPart(extent.firstSeries, extent.seriesCount, c.series.size()) ||
            !isPart(extent.firstInstant, extent.instantCount, c.instantTime.size()))
            return false;
        const auto runs = c.runs.span().subspan(extent.firstRun, extent.runCount);
        if (!std::all_of(runs.begin(), runs.end(), [track](const DepthRun& run) { return run.track == track; }))
            return false;
    }
    return std::all_of(c.nameStats.begin(), c.nameStats.end(), [&c](const NameStat& stat) {
        return stat.track < c.tracks.size() && stat.name.value < c.texts.size();
    });
}

bool areCountersSound(const TraceColumns& c, const CancelToken& cancel) {
    return c.sampleTime.size() == c.sampleValue.size() &&
           each(c.sampleTime.size(), cancel, [&](std::size_t i) { return isTraceTime(c.sampleTime[i]); }) &&
           std::all_of(c.series.begin(), c.series.end(), [&c](const CounterSeries& series) {
               return series.track < c.tracks.size() && series.name.value < c.texts.size() && series.count > 0 &&
                      isPart(series.first, series.count, c.sampleTime.size()) &&
                      isPart(series.pyramid, pyramidNodes(series.count), c.minMax.size());
           });
}

bool areInstantsSound(const TraceColumns& c, const CancelToken& cancel) {
    const std::size_t count = c.instantTime.size();
    return haveSameSize(count, {c.instantTrack.size(), c.instantName.size(), c.instantPos.size()}) &&
           each(count, cancel, [&](std::size_t i) {
               return isTraceTime(c.instantTime[i]) && c.instantTrack[i] < c.tracks.size() &&
                      c.instantName[i].value < c.texts.size();
           });
}

bool areFlowsSound(const TraceColumns& c, const CancelToken& cancel) {
    const std::size_t count = c.flowPos.size(), slices = c.begin.size();
    const auto isEnd = [slices](std::uint32_t slice) { return slice < slices || slice == kNoSlice.value; };
    return haveSameSize(count, {c.flowFrom.size(), c.flowTo.size(), c.flowFromTime.size(), c.flowToTime.size(),
                                c.flowCategory.size(), c.flowsByFrom.size(), c.flowsByTo.size()}) &&
           each(count, cancel, [&](std::size_t i) {
               return isEnd(c.flowFrom[i]) && isEnd(c.flowTo[i]) && isTraceTime(c.flowFromTime[i]) &&
                      isTraceTime(c.flowToTime[i]) && c.flowCategory[i].value < c.texts.size() &&
                      c.flowsByFrom[i] < count && c.flowsByTo[i] < count;
           });
}

bool isSound(const RowBlock& block, std::size_t rows, std::size_t bytes) {
    const bool isWidth = block.width <= 2 || block.width == 4 || block.width == 8;
    const bool isScale = block.scale <= RowBlock::kMaxScale || block.scale == RowBlock::kRawReal;
    return isWidth && isScale && block.nulls <= RowBlock::Nulls::All && block.absent <= rows &&
           (block.nulls == RowBlock::Nulls::All || isPart(block.offset, rows * block.width, bytes));
}

/// The blocks of a column; of texts and slices also each cell, which is a number below `end`.
bool isSound(const PackedColumn& column, std::size_t rows, std::optional<std::uint64_t> end,
             const CancelToken& cancel) {
    std::vector<std::int64_t> cells(RowBlock::kBlock);
    for (std::size_t b = 0; b < column.blocks.size(); ++b) {
        if (cancel.cancelled()) return false;
        const std::size_t inBlock = std::min(RowBlock::kBlock, rows - b * RowBlock::kBlock);
        if (!isSound(column.blocks[b], inBlock, column.bytes.size())) return false;
        if (!end) continue;
        cells.resize(inBlock);
        unpackBlock(column, b, cells);
        const auto isGood = [&](std::int64_t cell) {
            return cell == kNoCell || (cell >= 0 && static_cast<std::uint64_t>(cell) < *end);
        };
        if (!std::all_of(cells.begin(), cells.end(), isGood)) return false;
    }
    return true;
}

}  // namespace

bool isSound(const TraceColumns& columns, const CancelToken& cancel) {
    return isSoundPool(columns.texts, cancel) && columns.tracks.size() < std::numeric_limits<std::uint32_t>::max() &&
           areExtentsSound(columns) && areRunsSound(columns, cancel) && areSlicesSound(columns, cancel) &&
           areCountersSound(columns, cancel) && areInstantsSound(columns, cancel) && areFlowsSound(columns, cancel);
}

bool isSound(const RowTables& rows, std::size_t slices, const CancelToken& cancel) {
    if (!isSoundPool(rows.texts(), cancel)) return false;
    for (const RowTable& table : rows.tables()) {
        const auto fixed = rowColumns(table.kind());
        for (std::size_t i = 0; i < table.columnCount(); ++i) {
            const RowCell cell = i < fixed.size() ? fixed[i].cell : RowCell::Real;
            std::optional<std::uint64_t> end;
            if (cell == RowCell::Text) end = rows.texts().size();
            if (cell == RowCell::Slice) end = slices;
            if (!isSound(table.columns()[i], table.size(), end, cancel)) return false;
        }
    }
    return true;
}

}  // namespace altiscope
