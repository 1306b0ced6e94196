#include "core/session/sql/sql_table.h"

#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "core/query/schema/schema.h"
#include "core/report/export/result_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace altiscope {

namespace {

/// Columns grow by so many cells: doubling would waste up to half of the memory.
constexpr std::size_t kGrowth = std::size_t{1} << 16;
/// A text that is new costs so much beside its bytes: its view, twice, and its place in the lookup.
constexpr std::size_t kTextCost = 96;
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::int64_t kExactInReals = std::int64_t{1} << 53;
constexpr std::size_t kPoll = 1 << 14;

/// The schema knows times from durations by their names alone.
bool isTime(std::string_view name) { return name == "ts" || name.ends_with("_ts"); }

CellUnit unitOf(const ColumnInfo& column) {
    if (column.unit == "ns") return isTime(column.name) ? CellUnit::Time : CellUnit::Duration;
    if (column.unit == "bytes") return CellUnit::Bytes;
    return column.unit == "bytes/s" ? CellUnit::Rate : CellUnit::None;
}

/// A number as the writers of results print it.
std::string numberText(std::int64_t cell, bool isReal) {
    if (!isReal) return std::to_string(cell);
    const double value = std::bit_cast<double>(cell);
    if (std::isinf(value)) return value < 0 ? "-1e999" : "1e999";
    return shortestNumber(value);
}

/// Whether a cell of numbers can hold it: plain integers have one value that means "absent", and files have no word for
/// infinities.
bool fitsNumbers(const Value& value) {
    if (value.type == ValueType::Integer) return value.integer != kAbsentCell;
    return value.type == ValueType::Real && std::isfinite(value.real);
}

bool isExactAsReal(std::int64_t value) { return value >= -kExactInReals && value <= kExactInReals; }

/// The sum makes -0, whose bits are those of an absent cell, a 0.
std::int64_t realCell(double value) { return std::bit_cast<std::int64_t>(value + 0.0); }

}  // namespace

void SqlTable::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    std::copy_n(m_cells[column].values.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
}

std::string_view SqlTable::text(std::size_t column, std::int64_t number) const {
    return m_cells[column].texts[static_cast<std::size_t>(number)];
}

/// Texts one after the other, in blocks that never move.
struct SqlRows::TextBytes {
    std::vector<std::unique_ptr<char[]>> blocks;
    std::size_t used = 0, size = 0;  // of the last block

    std::string_view keep(std::string_view text) {
        if (text.empty()) return {};
        if (size - used < text.size()) {
            size = std::max(kBlockBytes, text.size());
            blocks.push_back(std::make_unique<char[]>(size));
            used = 0;
        }
        char* at = blocks.back().get() + used;
        std::memcpy(at, text.data(), text.size());
        used += text.size();
        return {at, text.size()};
    }
};

SqlRows::SqlRows(Limits limits, TimeNs origin)
    : m_limits(limits), m_origin(origin), m_bytes(std::make_shared<TextBytes>()) {}

void SqlRows::describe(std::span<const ColumnInfo* const> columns) {
    m_named.resize(columns.size());
    m_facts.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] == nullptr) continue;
        m_named[i].unit = unitOf(*columns[i]);
        m_named[i].origin = m_named[i].unit == CellUnit::Time ? m_origin.value : 0;
        m_facts[i] = {std::string(columns[i]->unit), std::string(columns[i]->meaning)};
    }
}

bool SqlRows::begin(std::span<const std::string> columns) {
    m_begun = true;
    m_named.resize(columns.size());
    m_facts.resize(columns.size());
    m_columns.resize(columns.size());
    const std::vector<std::string> names = distinctNames(columns);
    for (std::size_t i = 0; i < names.size(); ++i) m_named[i].name = names[i];
    return true;
}

bool SqlRows::row(std::span<const Value> values) {
    std::size_t bytes = 0;
    for (const Value& value : values) {
        bytes += sizeof(std::int64_t);
        if (value.type == ValueType::Text) bytes += value.bytes.size() + kTextCost;
        else if (value.type == ValueType::Blob) bytes += 2 * value.bytes.size() + kTextCost;
    }
    // Texts that are kept already cost less than this: near the limit a row may be refused that would just have fitted.
    if (m_rows == m_limits.rows) m_full = Full::Rows;
    else if (m_usedBytes + bytes > m_limits.bytes) m_full = Full::Bytes;
    if (m_full != Full::No) return false;
    for (std::size_t i = 0; i < values.size(); ++i) add(m_columns[i], values[i]);
    m_usedBytes += values.size() * sizeof(std::int64_t);
    ++m_rows;
    return true;
}

std::int64_t SqlRows::numberOf(Column& column, std::string_view text) {
    if (const auto known = column.numbers.find(text); known != column.numbers.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(column.texts.size());
    column.texts.push_back(m_bytes->keep(text));
    column.numbers.emplace(column.texts.back(), number);
    m_usedBytes += text.size() + kTextCost;
    return number;
}

/// Numbers so far become texts.
void SqlRows::makeText(Column& column) {
    const bool isReal = column.kind == Kind::Real;
    for (std::int64_t& value : column.values) {
        if (value != kAbsentCell) value = numberOf(column, numberText(value, isReal));
    }
    column.kind = Kind::Text;
}

/// Integers so far become real numbers, if none of them loses a digit.
void SqlRows::makeReal(Column& column) {
    auto& cells = column.values;
    const auto isExact = [](std::int64_t cell) { return cell == kAbsentCell || isExactAsReal(cell); };
    if (!std::all_of(cells.begin(), cells.end(), isExact)) return;
    for (std::int64_t& cell : cells) {
        if (cell != kAbsentCell) cell = realCell(static_cast<double>(cell));
    }
    column.kind = Kind::Real;
}

/// @return False if the value is no number that the column can hold beside those it has.
bool SqlRows::addNumber(Column& column, const Value& value) {
    if (column.kind == Kind::Text || !fitsNumbers(value)) return false;
    const bool isInteger = value.type == ValueType::Integer;
    if (column.kind == Kind::Integer && !isInteger) makeReal(column);
    if (column.kind == Kind::Integer) {
        if (isInteger) column.values.push_back(value.integer);
        return isInteger;
    }
    if (isInteger && !isExactAsReal(value.integer)) return false;
    column.values.push_back(realCell(isInteger ? static_cast<double>(value.integer) : value.real));
    return true;
}

/// @pre The column holds texts.
void SqlRows::addText(Column& column, const Value& value) {
    const auto add = [&](std::string_view text) { column.values.push_back(numberOf(column, text)); };
    switch (value.type) {
    case ValueType::Null: break;
    case ValueType::Integer: add(numberText(value.integer, false)); break;
    case ValueType::Real: add(numberText(std::bit_cast<std::int64_t>(value.real), true)); break;
    case ValueType::Text: isValidUtf8(value.bytes) ? add(value.bytes) : add(repairedUtf8(value.bytes)); break;
    case ValueType::Blob: add(hexText(value.bytes)); break;
    }
}

void SqlRows::add(Column& column, const Value& value) {
    auto& cells = column.values;
    if (cells.size() == cells.capacity() && cells.size() >= kGrowth) cells.reserve(cells.size() + kGrowth);
    if (value.type == ValueType::Null) return cells.push_back(kAbsentCell);
    if (column.kind == Kind::Absent) {
        column.kind = !fitsNumbers(value) ? Kind::Text : value.type == ValueType::Integer ? Kind::Integer : Kind::Real;
    }
    if (addNumber(column, value)) return;
    if (column.kind != Kind::Text) makeText(column);
    addText(column, value);
}

std::shared_ptr<SqlTable> SqlRows::emptyTable() const {
    auto table = std::make_shared<SqlTable>();
    table->m_rows = m_rows;
    table->m_usedBytes = m_usedBytes;
    table->m_columns = m_named;
    table->m_facts = m_facts;
    table->m_cells.resize(m_columns.size());
    table->m_bytes = m_bytes;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        TableColumn& column = table->m_columns[i];
        const Kind kind = m_columns[i].kind;
        column.type = kind == Kind::Text ? CellType::Text : kind == Kind::Real ? CellType::Real : CellType::Integer;
        // A column of another type than that of the schema has no unit: a time is an integer.
        const bool isTimeOfReals = column.unit == CellUnit::Time && kind == Kind::Real;
        if (kind == Kind::Text || isTimeOfReals) column.unit = CellUnit::None;
    }
    return table;
}

/// Numbers of texts become their places in order. @return False if cancelled.
bool SqlRows::sortTexts(SqlTable& table, std::size_t column, const CancelToken& cancel) {
    auto& [values, texts] = table.m_cells[column];
    std::vector<std::uint32_t> order(texts.size()), place(texts.size());
    std::iota(order.begin(), order.end(), 0U);
    // The texts themselves would be moved more often, but are next to each other.
    std::sort(order.begin(), order.end(),
              [&texts = texts](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
    if (cancel.cancelled()) return false;
    std::vector<std::string_view> sorted(texts.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        sorted[i] = texts[order[i]];
    }
    texts = std::move(sorted);
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (row % kPoll == 0 && cancel.cancelled()) return false;
        if (values[row] != kAbsentCell) values[row] = place[static_cast<std::size_t>(values[row])];
    }
    return true;
}

std::shared_ptr<const SqlTable> SqlRows::soFar() const {
    if (!m_begun) return nullptr;
    auto table = emptyTable();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        table->m_cells[i] = {m_columns[i].values, m_columns[i].texts};
        if (m_columns[i].kind == Kind::Text) sortTexts(*table, i, {});
    }
    return table;
}

std::shared_ptr<const SqlTable> SqlRows::finish(const CancelToken& cancel) {
    if (!m_begun) return nullptr;
    auto table = emptyTable();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_columns[i].numbers = {};
        table->m_cells[i] = {std::move(m_columns[i].values), std::move(m_columns[i].texts)};
        if (m_columns[i].kind == Kind::Text && !sortTexts(*table, i, cancel)) return nullptr;
    }
    return table;
}

}  // namespace altiscope
