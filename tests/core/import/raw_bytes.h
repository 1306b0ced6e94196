#pragma once

#include "core/trace/raw/raw_record.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace altiscope::test {

/// A record as a text.
template <const RawLayout& layout>
class RecordBytes {
public:
    template <RawFieldName name>
    RecordBytes& set(RawValue<layout, name> value) {
        m_record.template set<name>(value);
        return *this;
    }
    std::string text() const { return std::string(m_record.bytes()); }

private:
    RawRecordBytes<layout> m_record;
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
