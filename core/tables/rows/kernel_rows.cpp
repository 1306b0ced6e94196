#include "core/tables/rows/kernel_rows.h"

#include "core/analysis/support/cell_reader.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_devices.h"
#include "core/tables/sources/column_table.h"

#include <algorithm>
#include <bit>
#include <map>

namespace altiscope {

namespace {

constexpr RowKind kKernels = RowKind::Kernel;
constexpr std::uint32_t kKernelsPerPoll = 65536;
constexpr std::size_t kKernelSlice = fixedColumn(kKernels, "slice_id"), kKernelStep = fixedColumn(kKernels, "step"),
                      kKernelBegin = fixedColumn(kKernels, "ts"), kKernelLength = fixedColumn(kKernels, "dur"),
                      kKernelDevice = fixedColumn(kKernels, "device_id");
static_assert(kKernelDevice + 1 == rowColumns(kKernels).size(), "left out at the end where there is one device");

std::optional<TimeRange> timeOfKernel(const RowTable& table, std::size_t row) {
    const auto begin = table.integer(kKernelBegin, row);
    if (!begin) return std::nullopt;
    return TimeRange{{*begin}, {*begin + table.integer(kKernelLength, row).value_or(0)}};
}

TableColumn kernelColumn(const RowColumn& column, TimeNs origin) {
    TableColumn made{.name = std::string(column.name),
                     .type = column.cell == RowCell::Text   ? CellType::Text
                             : column.cell == RowCell::Real ? CellType::Real
                                                            : CellType::Integer,
                     .unit = CellUnit::None};
    if (column.name == "ts") {
        made.unit = CellUnit::Time;
        made.origin = origin.value;
    }
    if (column.name == "dur" || column.name == "wait") made.unit = CellUnit::Duration;
    return made;
}

/// First begin of all kernels of a capture, so that excluded ones do not move the others; 0 without any. O(blocks).
TimeNs firstBeginOf(const CaptureStore& capture) {
    std::optional<std::int64_t> first;
    for (const RankEntry& rank : capture.ranks) {
        const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kKernels);
        for (std::size_t row = 0; table != nullptr && row < table->size(); row += RowBlock::kBlock) {
            const RowBlock& block = table->block(kKernelBegin, row);
            if (block.nulls != RowBlock::Nulls::All) first = std::min(first.value_or(block.min), block.min);
        }
    }
    return {first.value_or(0)};
}

FilteredRows filteredRowsOf(const RankEntry& rank, const RowTable& table, const ContextFilter& context,
                            std::optional<TimeRange> marked, const CancelToken& cancel) {
    if (!context.holds(rank.info)) return {};
    if (context.steps.empty() && !context.range && !marked) return FilteredRows::all(table.size());
    std::vector<std::uint32_t> selected;
    ContextFilter within;
    within.range = marked;
    CellReader steps(table, kKernelStep), begins(table, kKernelBegin), lengths(table, kKernelLength);
    for (std::uint32_t row = 0; row < table.size(); ++row) {
        if (row % kKernelsPerPoll == 0 && cancel.cancelled()) return {};
        if (!context.steps.empty()) {
            const std::int64_t step = steps.at(row);
            if (!context.holdsStep(step == kNoCell ? std::nullopt : std::optional(step))) continue;
        }
        if (context.range || marked) {
            const std::int64_t begin = begins.at(row), length = lengths.at(row);
            const std::optional<TimeRange> time =
                begin == kNoCell ? std::nullopt
                                 : std::optional(TimeRange{{begin}, {begin + (length == kNoCell ? 0 : length)}});
            if (!context.holdsTime(time) || !within.holdsTime(time)) continue;
        }
        selected.push_back(row);
    }
    return FilteredRows(std::move(selected));
}

const RowTable* kernelsOfRank(const RankEntry& rank) {
    return rank.rows == nullptr ? nullptr : rank.rows->find(kKernels);
}

/// Kernels of a rank, in a part for each of its devices.
std::vector<FilteredKernels> partsByDevice(FilteredKernels kernels, const RowTable& table, const CancelToken& cancel) {
    std::vector<FilteredKernels> parts;
    if (!hasSeveralDevices(table)) {
        parts.push_back(std::move(kernels));
        return parts;
    }
    std::map<std::int64_t, std::vector<std::uint32_t>> rows;
    CellReader devices(table, kKernelDevice);
    for (std::size_t i = 0; i < kernels.rows.size(); ++i) {
        if (i % kKernelsPerPoll == 0 && cancel.cancelled()) return {};
        rows[devices.at(kernels.rows[i])].push_back(kernels.rows[i]);
    }
    for (auto& [device, ofDevice] : rows)
        parts.push_back({kernels.rank, FilteredRows(std::move(ofDevice)),
                         device == kNoCell ? std::nullopt : std::optional(device)});
    return parts;
}

}  // namespace

std::vector<FilteredKernels> filteredKernels(const CaptureStore& capture, const ContextFilter& context,
                                             const std::optional<MarkedTime>& marked, const CancelToken& cancel) {
    std::vector<std::vector<FilteredKernels>> byRank(capture.ranks.size());
    parallelFor(byRank.size(), [&](std::size_t i) {
        const RowTable* table = kernelsOfRank(capture.ranks[i]);
        if (table == nullptr || cancel.cancelled()) return;
        const RankIndex rank = rankIndex(i);
        byRank[i] =
            partsByDevice({rank, filteredRowsOf(capture.ranks[i], *table, context.onClockOf(rank),
                                                marked ? std::optional(marked->on(rank)) : std::nullopt, cancel)},
                          *table, cancel);
    });
    std::vector<FilteredKernels> selected;
    for (auto& parts : byRank) {
        for (FilteredKernels& kernels : parts) {
            if (!kernels.rows.empty()) selected.push_back(std::move(kernels));
        }
    }
    return cancel.cancelled() ? std::vector<FilteredKernels>() : selected;
}

std::shared_ptr<const KernelRows> KernelRows::make(std::shared_ptr<const CaptureStore> capture,
                                                   const ContextFilter& context,
                                                   const std::optional<MarkedTime>& marked,
                                                   std::optional<TimeNs> origin, const CancelToken& cancel) {
    const std::vector<FilteredKernels> selected = filteredKernels(*capture, context, marked, cancel);
    return cancel.cancelled() ? nullptr : make(std::move(capture), selected, origin, cancel);
}

std::shared_ptr<const KernelRows> KernelRows::make(std::shared_ptr<const CaptureStore> capture,
                                                   const std::vector<FilteredKernels>& selected,
                                                   std::optional<TimeNs> origin, const CancelToken& cancel) {
    auto rows = std::make_shared<KernelRows>();
    rows->m_capture = std::move(capture);
    std::vector<const StringPool*> pools;
    for (const FilteredKernels& kernels : selected) {
        const RankEntry& rank = rows->m_capture->ranks[kernels.rank.value];
        rows->m_parts.push_back({.firstRow = rows->m_rows,
                                 .rank = kernels.rank,
                                 .rows = kernels.rows,
                                 .table = kernelsOfRank(rank),
                                 .places = {},
                                 .texts = pools.size()});
        rows->m_rows += kernels.rows.size();
        pools.push_back(&rank.rows->texts());
        rows->m_pool = rank.rows.get();
    }
    if (pools.size() > 1) rows->m_texts = std::make_shared<const MergedTexts>(mergedTexts(pools, cancel));
    rows->nameColumns(origin ? *origin : firstBeginOf(*rows->m_capture));
    return cancel.cancelled() ? nullptr : rows;
}

std::shared_ptr<const KernelRows> KernelRows::only(const std::vector<FilteredKernels>& selected) const {
    auto rows = std::make_shared<KernelRows>();
    rows->m_capture = m_capture;
    rows->m_columns = m_columns;
    rows->m_texts = m_texts;
    rows->m_pool = m_pool;
    for (const FilteredKernels& kernels : selected) {
        const auto of =
            std::find_if(m_parts.begin(), m_parts.end(), [&](const Part& part) { return part.rank == kernels.rank; });
        if (of == m_parts.end() || kernels.rows.empty()) continue;
        Part& part = rows->m_parts.emplace_back(*of);
        part.firstRow = rows->m_rows;
        part.rows = kernels.rows;
        rows->m_rows += kernels.rows.size();
    }
    return rows;
}

void KernelRows::nameColumns(TimeNs origin) {
    m_columns = {{.name = "rank_id", .type = CellType::Integer}};
    m_columns.front().hasBeside = std::any_of(m_parts.begin(), m_parts.end(), [this](const Part& part) {
        return !besideRank(m_capture->ranks[part.rank.value].info).empty();
    });
    const bool byDevice =
        std::any_of(m_parts.begin(), m_parts.end(), [](const Part& part) { return hasSeveralDevices(*part.table); });
    const std::size_t fixed = rowColumns(kKernels).size(), common = byDevice ? fixed : fixed - 1;
    for (std::size_t c = 0; c < common; ++c) m_columns.push_back(kernelColumn(rowColumns(kKernels)[c], origin));
    const std::size_t firstExtra = m_columns.size();
    for (const Part& part : m_parts) {
        for (const std::string& name : part.table->extras()) {
            const auto known =
                std::find_if(m_columns.begin() + static_cast<std::ptrdiff_t>(firstExtra), m_columns.end(),
                             [&](const TableColumn& column) { return column.name == name; });
            // Metrics that are times are kept in ns; see kernel_metric in resources/help/reference/sql.md.
            if (known == m_columns.end())
                m_columns.push_back({.name = name,
                                     .type = CellType::Real,
                                     .unit = name.ends_with("_time") ? CellUnit::Duration : CellUnit::None});
        }
    }
    for (Part& part : m_parts) {
        for (std::size_t c = 0; c < common; ++c) part.places.emplace_back(c);
        const auto& extras = part.table->extras();
        for (std::size_t c = firstExtra; c < m_columns.size(); ++c) {
            const auto found = std::find(extras.begin(), extras.end(), m_columns[c].name);
            part.places.push_back(found == extras.end()
                                      ? std::nullopt
                                      : std::optional(fixed + static_cast<std::size_t>(found - extras.begin())));
        }
    }
}

const KernelRows::Part& KernelRows::partOf(std::size_t row) const {
    return *std::prev(std::upper_bound(m_parts.begin(), m_parts.end(), row,
                                       [](std::size_t r, const Part& part) { return r < part.firstRow; }));
}

std::optional<SliceRef> KernelRows::slice(std::size_t row) const {
    const Part& part = partOf(row);
    const auto slice = part.table->integer(kKernelSlice, rowIn(part, row));
    const auto& trace = m_capture->ranks[part.rank.value].trace;
    if (!slice || trace == nullptr) return std::nullopt;
    return SliceRef{part.rank, {static_cast<std::uint32_t>(*slice)}};
}

std::optional<TimeRange> KernelRows::time(std::size_t row) const {
    const Part& part = partOf(row);
    return timeOfKernel(*part.table, rowIn(part, row));
}

std::optional<std::size_t> KernelRows::rowOf(SliceRef slice) const {
    for (const Part& part : m_parts) {
        if (part.rank != slice.rank) continue;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            if (part.table->integer(kKernelSlice, part.rows[i]) == std::int64_t{slice.slice.value})
                return part.firstRow + i;
        }
    }
    return std::nullopt;
}

std::int64_t KernelRows::cellOf(const Part& part, std::size_t column, std::uint32_t row) const {
    if (column == 0) return m_capture->ranks[part.rank.value].info.rankId.value_or(kAbsentCell);
    const auto place = part.places[column - 1];
    if (!place) return kAbsentCell;
    if (m_columns[column].type == CellType::Real) {
        const auto value = part.table->real(*place, row);
        return value ? std::bit_cast<std::int64_t>(*value + 0.0) : kAbsentCell;
    }
    const auto value = part.table->integer(*place, row);
    if (!value) return kAbsentCell;
    if (m_columns[column].type == CellType::Text)
        return m_texts == nullptr ? *value : m_texts->numbers[part.texts][static_cast<std::size_t>(*value)];
    // Slices are identified by their ids, as in SQL.
    if (column - 1 < rowColumns(kKernels).size() && rowColumns(kKernels)[column - 1].cell == RowCell::Slice) {
        const auto& trace = m_capture->ranks[part.rank.value].trace;
        return trace == nullptr ? kAbsentCell : trace->id({static_cast<std::uint32_t>(*value)}).value;
    }
    return *value;
}

void KernelRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    if (out.empty()) return;
    const Part* part = &partOf(first);
    for (std::size_t i = 0; i < out.size(); ++i) {
        while (part != &m_parts.back() && first + i >= (part + 1)->firstRow) ++part;
        out[i] = cellOf(*part, column, rowIn(*part, first + i));
    }
}

std::string_view KernelRows::text(std::size_t, std::int64_t number) const {
    return m_texts == nullptr ? m_pool->text({static_cast<std::uint32_t>(number)})
                              : m_texts->texts[static_cast<std::size_t>(number)];
}

std::string_view KernelRows::beside(std::size_t column, std::size_t row) const {
    return column == 0 ? besideRank(m_capture->ranks[rank(row).value].info) : std::string_view();
}

std::size_t KernelRows::textCount(std::size_t column) const {
    if (m_columns[column].type != CellType::Text || m_parts.empty()) return 0;
    return m_texts == nullptr ? m_pool->texts().size() : m_texts->texts.size();
}

}  // namespace altiscope
