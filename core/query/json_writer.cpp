#include "core/base/text.h"
#include "core/query/result_writers.h"

namespace altiscope {

namespace {

void appendJsonValue(std::string& line, const Value& value) {
    switch (value.type) {
    case ValueType::Null: line += "null"; return;
    case ValueType::Integer: line += std::to_string(value.integer); return;
    case ValueType::Real: line += realText(value.real); return;
    case ValueType::Text: line += jsonQuoted(value.bytes); return;
    case ValueType::Blob:
        line += '"';
        line += hexText(value.bytes);
        line += '"';
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
    return m_write("[");
}

bool JsonWriter::row(std::span<const Value> values) {
    m_line = m_any ? ",\n{" : "\n{";
    m_any = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) m_line += ',';
        m_line += m_keys[i];
        appendJsonValue(m_line, values[i]);
    }
    m_line += '}';
    return m_write(m_line);
}

bool JsonWriter::finish() { return m_write(m_any ? "\n]\n" : "]\n"); }

}  // namespace altiscope
