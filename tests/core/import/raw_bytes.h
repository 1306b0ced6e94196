#pragma once

#include "core/import/raw/raw_record.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace altiscope::test {

/// A record made by the same list that reads it.
template <const reader::RawLayout& layout>
class RecordBytes {
public:
    template <reader::RawFieldName name>
    RecordBytes& set(reader::RawValue<layout, name> value) {
        std::memcpy(m_bytes.data() + reader::rawField<layout, name>().offset, &value, sizeof value);
        return *this;
    }
    const std::string& text() const { return m_bytes; }

private:
    std::string m_bytes = std::string(layout.size, '\0');
};

/// A value with its type and length in front, as files of FRAMEWORK hold them.
inline std::string tlvBytes(std::uint16_t type, std::string_view value) {
    const auto length = static_cast<std::uint32_t>(value.size());
    std::string bytes(sizeof type + sizeof length, '\0');
    std::memcpy(bytes.data(), &type, sizeof type);
    std::memcpy(bytes.data() + sizeof type, &length, sizeof length);
    return bytes.append(value);
}

}  // namespace altiscope::test
