#include "core/base/text.h"
#include "core/query/result_writers.h"

namespace altiscope {

namespace {

void appendCsvText(std::string& line, std::string_view text) {
    if (!isValidUtf8(text)) return appendCsvText(line, repairedUtf8(text));
    // An empty field means NULL, so an empty text is quoted; so are blanks at the ends, which some readers strip.
    const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       text.front() != ' ' && text.back() != ' ';
    if (plain) {
        line += text;
        return;
    }
    line += '"';
    for (const char c : text) {
        if (c == '"') line += '"';
        line += c;
    }
    line += '"';
}

void appendCsvValue(std::string& line, const Value& value) {
    switch (value.type) {
    case ValueType::Null: return;
    case ValueType::Integer: line += std::to_string(value.integer); return;
    case ValueType::Real: line += realText(value.real); return;
    case ValueType::Text: return appendCsvText(line, value.bytes);
    case ValueType::Blob: line += hexText(value.bytes); return;
    }
}

}  // namespace

bool CsvWriter::begin(std::span<const std::string> columns) {
    m_line.clear();
    const std::vector<std::string> names = distinctNames(columns);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) m_line += ',';
        appendCsvText(m_line, names[i]);
    }
    m_line += "\r\n";
    return m_write(m_line);
}

bool CsvWriter::row(std::span<const Value> values) {
    m_line.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line += ',';
        appendCsvValue(m_line, values[i]);
    }
    // A record of a single empty field would be an empty line, which many readers skip.
    if (m_line.empty()) m_line = "\"\"";
    m_line += "\r\n";
    return m_write(m_line);
}

}  // namespace altiscope
