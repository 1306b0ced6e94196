#include "core/base/printable_text.h"
#include "core/query/result_writers.h"
#include "core/query/text_width.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Longer texts stick out instead of pushing the columns behind them to the right in every row.
constexpr std::size_t kMaxColumnWidth = 60;

std::string cellText(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return "NULL";
    case ValueType::Integer: return std::to_string(value.integer);
    case ValueType::Real: return realText(value.real);
    case ValueType::Text: return printableText(value.bytes);
    case ValueType::Blob: return hexText(value.bytes);
    }
    return {};
}

}  // namespace

bool TableWriter::begin(std::span<const std::string> columns) {
    for (const std::string& name : distinctNames(columns)) {
        Column& column = m_columns.emplace_back();
        column.name = printableText(name);
        column.width = std::min(textWidth(column.name), kMaxColumnWidth);
    }
    return true;
}

bool TableWriter::row(std::span<const Value> values) {
    Cells cells;
    cells.reserve(values.size());
    for (const Value& value : values) cells.push_back(cellText(value));
    if (m_open) return print(cells);
    for (std::size_t i = 0; i < values.size(); ++i) {
        Column& column = m_columns[i];
        column.width = std::max(column.width, std::min(textWidth(cells[i]), kMaxColumnWidth));
        if (values[i].type == ValueType::Text || values[i].type == ValueType::Blob) column.numeric = false;
    }
    m_held.push_back(std::move(cells));
    return m_held.size() < kTableRows || printHeld();
}

bool TableWriter::printHeld() {
    m_open = true;
    Cells names;
    Cells rules;
    for (const Column& column : m_columns) {
        names.push_back(column.name);
        rules.emplace_back(column.width, '-');
    }
    if (!print(names) || !print(rules)) return false;
    for (const Cells& cells : m_held) {
        if (!print(cells)) return false;
    }
    m_held.clear();
    return true;
}

bool TableWriter::print(const Cells& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t width = textWidth(cells[i]);
        const std::string padding(m_columns[i].width - std::min(width, m_columns[i].width), ' ');
        if (i > 0) line += "  ";
        if (m_columns[i].numeric) line += padding;
        line += cells[i];
        if (!m_columns[i].numeric && i + 1 < cells.size()) line += padding;
    }
    line += '\n';
    return m_write(line);
}

bool TableWriter::finish() { return m_open || printHeld(); }

}  // namespace altiscope
