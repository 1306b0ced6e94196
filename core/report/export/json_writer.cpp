#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "core/report/export/result_writers.h"

namespace altiscope {

namespace {

std::string quotedWithoutQuotes(std::string_view text) {
    std::string quoted = jsonQuoted(text);
    quoted.pop_back();
    quoted.erase(0, 1);
    return quoted;
}

void appendJsonValue(LineOutput& line, const Value& value) {
    switch (value.type) {
    case ValueType::Null: line.text() += "null"; return;
    case ValueType::Integer: line.text() += std::to_string(value.integer); return;
    case ValueType::Real: line.text() += realText(value.real); return;
    case ValueType::Text:
        if (value.bytes.size() <= LineOutput::kPiece) {
            line.text() += jsonQuoted(value.bytes);
            return;
        }
        [[fallthrough]];
    case ValueType::Blob:
        line.text() += '"';
        line.append(value.bytes, value.type == ValueType::Text ? quotedWithoutQuotes : hexText);
        line.text() += '"';
        return;
    }
}

}  // namespace

bool JsonWriter::begin(std::span<const std::string> columns) {
    for (const std::string& name : distinctNames(columns)) {
        std::string& key = m_keys.emplace_back();
        key += jsonQuoted(name);
        key += ':';
    }
    m_line.text() += "[";
    return m_line.flush();
}

bool JsonWriter::row(std::span<const Value> values) {
    m_line.text() += m_any ? ",\n{" : "\n{";
    m_any = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line.text() += ',';
        m_line.text() += m_keys[i];
        appendJsonValue(m_line, values[i]);
    }
    m_line.text() += '}';
    return m_line.flush();
}

bool JsonWriter::finish() {
    m_line.text() += m_any ? "\n]\n" : "]\n";
    return m_line.flush();
}

}  // namespace altiscope
