#include "core/base/text.h"
#include "core/report/result_writers.h"

namespace altiscope {

namespace {

std::string withDoubledQuotes(std::string_view text) {
    if (!isValidUtf8(text)) return withDoubledQuotes(repairedUtf8(text));
    std::string doubled;
    doubled.reserve(text.size());
    for (const char c : text) {
        if (c == '"') doubled += '"';
        doubled += c;
    }
    return doubled;
}

void appendCsvText(LineOutput& line, std::string_view text) {
    // An empty field means NULL, so an empty text is quoted; so are blanks at the ends, which some readers strip. A
    // long text is not searched for what must be quoted.
    const bool plain = !text.empty() && text.size() <= LineOutput::kPiece &&
                       text.find_first_of(",\"\r\n") == std::string_view::npos && text.front() != ' ' &&
                       text.back() != ' ';
    if (plain) {
        if (isValidUtf8(text)) line.text() += text;
        else line.text() += repairedUtf8(text);
        return;
    }
    line.text() += '"';
    line.append(text, withDoubledQuotes);
    line.text() += '"';
}

void appendCsvValue(LineOutput& line, const Value& value) {
    switch (value.type) {
    case ValueType::Null: return;
    case ValueType::Integer: line.text() += std::to_string(value.integer); return;
    case ValueType::Real: line.text() += realText(value.real); return;
    case ValueType::Text: return appendCsvText(line, value.bytes);
    case ValueType::Blob: return line.append(value.bytes, hexText);
    }
}

}  // namespace

bool CsvWriter::begin(std::span<const std::string> columns) {
    const std::vector<std::string> names = distinctNames(columns);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) m_line.text() += ',';
        appendCsvText(m_line, names[i]);
    }
    m_line.text() += "\r\n";
    return m_line.flush();
}

bool CsvWriter::row(std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line.text() += ',';
        appendCsvValue(m_line, values[i]);
    }
    // A record of a single empty field would be an empty line, which many readers skip.
    const bool isBlank = values.size() == 1 && values.front().bytes.empty();
    const ValueType type = isBlank ? values.front().type : ValueType::Text;
    if (type == ValueType::Null || type == ValueType::Blob) m_line.text() += "\"\"";
    m_line.text() += "\r\n";
    return m_line.flush();
}

}  // namespace altiscope
