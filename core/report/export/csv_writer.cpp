#include "core/base/text/table_text.h"
#include "core/report/export/result_writers.h"

namespace altiscope {

namespace {

void appendCsvText(LineOutput& line, std::string_view text, bool isGuarded) {
    const bool needsGuard = isGuarded && isFormula(text);
    if (text.size() <= LineOutput::kPiece) {
        line.text() += needsGuard ? csvField(kFormulaGuard + std::string(text)) : csvField(text);
        return;
    }
    // A long text is not searched for what must be quoted.
    line.text() += '"';
    if (needsGuard) line.text() += kFormulaGuard;
    line.append(text, csvQuotedPart);
    line.text() += '"';
}

void appendCsvValue(LineOutput& line, const Value& value, bool isGuarded) {
    switch (value.type) {
    case ValueType::Null: return;
    case ValueType::Integer: line.text() += std::to_string(value.integer); return;
    case ValueType::Real: line.text() += realText(value.real); return;
    case ValueType::Text: return appendCsvText(line, value.bytes, isGuarded);
    case ValueType::Blob: return line.append(value.bytes, hexText);
    }
}

}  // namespace

bool CsvWriter::begin(std::span<const std::string> columns) {
    const std::vector<std::string> names = distinctNames(columns);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) m_line.text() += ',';
        appendCsvText(m_line, names[i], m_isGuarded);
    }
    m_line.text() += "\r\n";
    return m_line.flush();
}

bool CsvWriter::row(std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line.text() += ',';
        appendCsvValue(m_line, values[i], m_isGuarded);
    }
    // A record of a single empty field would be an empty line, which many readers skip.
    const bool isBlank = values.size() == 1 && values.front().bytes.empty();
    const ValueType type = isBlank ? values.front().type : ValueType::Text;
    if (type == ValueType::Null || type == ValueType::Blob) m_line.text() += "\"\"";
    m_line.text() += "\r\n";
    return m_line.flush();
}

}  // namespace altiscope
