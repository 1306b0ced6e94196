#include "core/session/kernel_rows.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <bit>

namespace altiscope {

namespace {

constexpr RowKind kKernels = RowKind::Kernel;
constexpr std::size_t kKernelSlice = rowColumn(kKernels, "slice_id"), kKernelStep = rowColumn(kKernels, "step"), kKernelBegin = rowColumn(kKernels, "ts"),
                      kKernelLength = rowColumn(kKernels, "dur");

std::optional<TimeRange> timeOfKernel(const RowTable& table, std::size_t row) {
    const auto begin = table.integer(kKernelBegin, row);
    if (!begin) return std::nullopt;
    return TimeRange{{*begin}, {*begin + table.integer(kKernelLength, row).value_or(0)}};
}

TableColumn kernelColumn(const RowColumn& column, TimeNs origin) {
    TableColumn made{.name = std::string(column.name),
                     .type = column.cell == RowCell::Text ? CellType::Text : column.cell == RowCell::Real ? CellType::Real : CellType::Integer,
                     .unit = CellUnit::None};
    if (column.name == "ts") {
        made.unit = CellUnit::Time;
        made.origin = origin.value;
    }
    if (column.name == "dur" || column.name == "wait") made.unit = CellUnit::Duration;
    return made;
}

/// Of all kernels of a capture, so that what is left out does not move the others; 0 without any.
TimeNs firstBeginOf(const CaptureStore& capture) {
    std::optional<std::int64_t> first;
    for (const RankEntry& rank : capture.ranks) {
        const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kKernels);
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            if (const auto begin = table->integer(kKernelBegin, row)) first = std::min(first.value_or(*begin), *begin);
        }
    }
    return {first.value_or(0)};
}

}  // namespace

std::vector<std::uint32_t> KernelRows::heldOf(const RankEntry& rank, const RowTable& table, const ContextFilter& context, std::optional<TimeRange> marked) {
    std::vector<std::uint32_t> held;
    if (!context.holds(rank.info)) return held;
    ContextFilter within;
    within.range = marked;
    for (std::uint32_t row = 0; row < table.size(); ++row) {
        if (!context.holdsStep(table.integer(kKernelStep, row))) continue;
        if ((context.range || marked) && !(context.holdsTime(timeOfKernel(table, row)) && within.holdsTime(timeOfKernel(table, row)))) continue;
        held.push_back(row);
    }
    return held;
}

std::shared_ptr<const KernelRows> KernelRows::make(std::shared_ptr<const CaptureStore> capture, const ContextFilter& context, const std::optional<MarkedTime>& marked,
                                                   std::optional<TimeNs> origin, const CancelToken& cancel) {
    auto rows = std::make_shared<KernelRows>();
    rows->m_capture = std::move(capture);
    const auto& ranks = rows->m_capture->ranks;
    std::vector<std::vector<std::uint32_t>> held(ranks.size());
    const auto tableOf = [&](std::size_t rank) { return ranks[rank].rows == nullptr ? nullptr : ranks[rank].rows->find(kKernels); };
    parallelFor(ranks.size(), [&](std::size_t rank) {
        if (const RowTable* table = tableOf(rank); table != nullptr && !cancel.cancelled()) held[rank] = heldOf(ranks[rank], *table, context, marked ? std::optional(marked->on(static_cast<std::uint32_t>(rank))) : std::nullopt);
    });
    std::vector<const StringPool*> pools;
    for (std::uint32_t rank = 0; rank < ranks.size() && !cancel.cancelled(); ++rank) {
        if (held[rank].empty()) continue;
        rows->m_parts.push_back({.firstRow = rows->m_rows.size(), .rank = rank, .table = tableOf(rank), .places = {}});
        rows->m_rows.insert(rows->m_rows.end(), held[rank].begin(), held[rank].end());
        pools.push_back(&ranks[rank].rows->texts());
    }
    if (pools.size() > 1) rows->m_texts = mergedTexts(pools, cancel);
    rows->nameColumns(origin ? *origin : firstBeginOf(*rows->m_capture));
    return cancel.cancelled() ? nullptr : rows;
}

void KernelRows::nameColumns(TimeNs origin) {
    m_columns = {{.name = "rank_id", .type = CellType::Integer}};
    for (const RowColumn& column : rowColumns(kKernels)) m_columns.push_back(kernelColumn(column, origin));
    const std::size_t common = rowColumns(kKernels).size(), firstExtra = m_columns.size();
    for (const Part& part : m_parts) {
        for (const std::string& name : part.table->extras()) {
            const auto known = std::find_if(m_columns.begin() + static_cast<std::ptrdiff_t>(firstExtra), m_columns.end(),
                                            [&](const TableColumn& column) { return column.name == name; });
            // Metrics that are times are kept in ns; see kernel_metric in product.md.
            if (known == m_columns.end()) m_columns.push_back({.name = name, .type = CellType::Real, .unit = name.ends_with("_time") ? CellUnit::Duration : CellUnit::None});
        }
    }
    for (Part& part : m_parts) {
        for (std::size_t c = 0; c < common; ++c) part.places.emplace_back(c);
        const auto& extras = part.table->extras();
        for (std::size_t c = firstExtra; c < m_columns.size(); ++c) {
            const auto found = std::find(extras.begin(), extras.end(), m_columns[c].name);
            part.places.push_back(found == extras.end() ? std::nullopt : std::optional(common + static_cast<std::size_t>(found - extras.begin())));
        }
    }
}

const KernelRows::Part& KernelRows::partOf(std::size_t row) const {
    return *std::prev(std::upper_bound(m_parts.begin(), m_parts.end(), row, [](std::size_t r, const Part& part) { return r < part.firstRow; }));
}

std::optional<SliceRef> KernelRows::slice(std::size_t row) const {
    const Part& part = partOf(row);
    const auto slice = part.table->integer(kKernelSlice, m_rows[row]);
    const auto& trace = m_capture->ranks[part.rank].trace;
    if (!slice || trace == nullptr) return std::nullopt;
    return SliceRef{part.rank, {static_cast<std::uint32_t>(*slice)}};
}

std::optional<TimeRange> KernelRows::time(std::size_t row) const { return timeOfKernel(*partOf(row).table, m_rows[row]); }

std::optional<std::size_t> KernelRows::rowOf(SliceRef slice) const {
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        if (m_parts[p].rank != slice.rank) continue;
        const std::size_t last = p + 1 < m_parts.size() ? m_parts[p + 1].firstRow : m_rows.size();
        for (std::size_t row = m_parts[p].firstRow; row < last; ++row) {
            if (m_parts[p].table->integer(kKernelSlice, m_rows[row]) == std::int64_t{slice.slice.value}) return row;
        }
    }
    return std::nullopt;
}

std::int64_t KernelRows::cellOf(const Part& part, std::size_t column, std::uint32_t row) const {
    if (column == 0) return m_capture->ranks[part.rank].info.rankId.value_or(kAbsentCell);
    const auto place = part.places[column - 1];
    if (!place) return kAbsentCell;
    if (m_columns[column].type == CellType::Real) {
        const auto value = part.table->real(*place, row);
        return value ? std::bit_cast<std::int64_t>(*value + 0.0) : kAbsentCell;
    }
    const auto value = part.table->integer(*place, row);
    if (!value) return kAbsentCell;
    if (m_columns[column].type == CellType::Text)
        return m_texts.numbers.empty() ? *value : m_texts.numbers[static_cast<std::size_t>(&part - m_parts.data())][static_cast<std::size_t>(*value)];
    // Slices are told by their ids, as in SQL.
    if (column - 1 < rowColumns(kKernels).size() && rowColumns(kKernels)[column - 1].cell == RowCell::Slice) {
        const auto& trace = m_capture->ranks[part.rank].trace;
        return trace == nullptr ? kAbsentCell : trace->id({static_cast<std::uint32_t>(*value)}).value;
    }
    return *value;
}

void KernelRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    if (out.empty()) return;
    const Part* part = &partOf(first);
    for (std::size_t i = 0; i < out.size(); ++i) {
        while (part != &m_parts.back() && first + i >= (part + 1)->firstRow) ++part;
        out[i] = cellOf(*part, column, m_rows[first + i]);
    }
}

std::string_view KernelRows::text(std::size_t, std::int64_t number) const {
    if (!m_texts.numbers.empty()) return m_texts.texts[static_cast<std::size_t>(number)];
    return m_capture->ranks[m_parts.front().rank].rows->text({static_cast<std::uint32_t>(number)});
}

std::size_t KernelRows::textCount(std::size_t column) const {
    if (m_columns[column].type != CellType::Text || m_parts.empty()) return 0;
    return m_texts.numbers.empty() ? m_capture->ranks[m_parts.front().rank].rows->texts().size() : m_texts.texts.size();
}

}  // namespace altiscope
