#include "core/import/raw/raw_argument_text.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace altiscope::reader {

void RawArgumentText::text(std::string_view name, std::string_view value) {
    key(name);
    m_out.addQuoted(value);
}

void RawArgumentText::list(std::string_view name, std::string_view items) {
    if (!isValidUtf8(items)) return list(name, repairedUtf8(items));
    key(name);
    m_out.add('"');
    while (!items.empty()) {
        const std::size_t end = items.find(';');
        const std::size_t size = end == std::string_view::npos ? items.size() : end + 1;
        m_out.addEscaped(items.substr(0, size));
        if (end != std::string_view::npos) m_out.add("\\r\\n");
        items.remove_prefix(size);
    }
    m_out.add('"');
}

void RawArgumentText::real(std::string_view name, double value) {
    // The library's text has an exponent beyond these, and is slow.
    static constexpr double kSmallest = 1e-4, kMax = 1e15;
    key(name);
    if (value == 0 || (std::abs(value) >= kSmallest && std::abs(value) < kMax)) m_out.addDouble(value);
    else m_out.add(dumpJson(nlohmann::json(value)));
}

void RawArgumentText::numberInQuotes(std::string_view name, std::uint64_t value) {
    key(name);
    m_out.add('"');
    m_out.addNumber(value);
    m_out.add('"');
}

void RawArgumentText::key(std::string_view name) {
    m_out.add(m_isFirst ? "\"" : ",\"");
    m_isFirst = false;
    m_out.add(name);
    m_out.add("\":");
}

}  // namespace altiscope::reader
