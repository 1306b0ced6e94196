#include "core/base/text/printable_text.h"
#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "core/report/export/result_writers.h"
#include "core/report/export/text_width.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Longer texts stick out instead of pushing the columns after them to the right in every row.
constexpr std::size_t kMaxColumnWidth = 60;
/// Bytes of rows that wait.
constexpr std::size_t kMaxPendingBytes = std::size_t{16} << 20;

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
    if (m_open) return print(values);
    Cells cells;
    cells.reserve(values.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        // The beginning of a long value tells the width.
        Value beginning = values[i];
        beginning.bytes = beginning.bytes.substr(0, utf8Prefix(beginning.bytes, LineOutput::kPiece));
        cells.push_back(cellText(beginning));
        bytes += values[i].bytes.size();
        Column& column = m_columns[i];
        column.width = std::max(column.width, std::min(textWidth(cells[i]), kMaxColumnWidth));
        if (values[i].type == ValueType::Text || values[i].type == ValueType::Blob) column.numeric = false;
    }
    if (bytes > LineOutput::kPiece || m_pendingBytes + bytes > kMaxPendingBytes) return printPending() && print(values);
    m_pendingBytes += bytes;
    m_pending.push_back(std::move(cells));
    return m_pending.size() < kTableRows || printPending();
}

bool TableWriter::printPending() {
    m_open = true;
    Cells names;
    Cells rules;
    for (const Column& column : m_columns) {
        names.push_back(column.name);
        rules.emplace_back(column.width, '-');
    }
    if (!print(names) || !print(rules)) return false;
    for (const Cells& cells : m_pending) {
        if (!print(cells)) return false;
    }
    m_pending = {};
    return true;
}

void TableWriter::printCell(std::size_t column, const std::string& cell) {
    const std::size_t width = textWidth(cell);
    const std::string padding(m_columns[column].width - std::min(width, m_columns[column].width), ' ');
    if (m_columns[column].numeric) m_line.text() += padding;
    m_line.text() += cell;
    if (!m_columns[column].numeric && column + 1 < m_columns.size()) m_line.text() += padding;
}

bool TableWriter::print(const Cells& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) m_line.text() += "  ";
        printCell(i, cells[i]);
    }
    m_line.text() += '\n';
    return m_line.flush();
}

bool TableWriter::print(std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line.text() += "  ";
        // A long value sticks out, so nothing is added to it.
        if (values[i].bytes.size() > LineOutput::kPiece)
            m_line.append(values[i].bytes, values[i].type == ValueType::Blob ? hexText : printableText);
        else printCell(i, cellText(values[i]));
    }
    m_line.text() += '\n';
    return m_line.flush();
}

bool TableWriter::finish() { return m_open || printPending(); }

}  // namespace altiscope
