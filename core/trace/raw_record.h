#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace altiscope {

static_assert(std::endian::native == std::endian::little, "raw records are read as they lie in the file");

enum class RawType : std::uint8_t { U8, U16, U32, U64, I64, F64 };

/// A field of a record.
struct RawField {
    std::string_view name;
    std::uint16_t offset;  ///< Bytes from the begin of the record.
    RawType type;
    std::string_view meaning;
    std::uint16_t count = 1;  ///< Values one after the other.
};

/// A kind of record: fixed size, little endian, fields at any alignment. Reading, what `generate` writes, the records
/// of tests and the manual's page "records" come from the same lists.
struct RawLayout {
    std::string_view name;    ///< As part of file names.
    std::uint32_t size;       ///< Bytes.
    std::string_view source;  ///< Section of the reference that core/import/raw_records/FORMAT.md names.
    std::string_view sample;  ///< Captures that prove it; empty: none, see "reader.experimental".
    std::span<const RawField> fields;
};

template <RawType type>
struct RawValueOf;
template <>
struct RawValueOf<RawType::U8> {
    using Type = std::uint8_t;
};
template <>
struct RawValueOf<RawType::U16> {
    using Type = std::uint16_t;
};
template <>
struct RawValueOf<RawType::U32> {
    using Type = std::uint32_t;
};
template <>
struct RawValueOf<RawType::U64> {
    using Type = std::uint64_t;
};
template <>
struct RawValueOf<RawType::I64> {
    using Type = std::int64_t;
};
template <>
struct RawValueOf<RawType::F64> {
    using Type = double;
};

/// Name of a field as a template argument.
template <std::size_t size>
struct RawFieldName {
    char text[size]{};
    consteval RawFieldName(const char (&name)[size]) {
        for (std::size_t i = 0; i < size; ++i) text[i] = name[i];
    }
    constexpr std::string_view view() const { return {text, size - 1}; }
};

/// The field of that name; does not compile if there is none.
template <const RawLayout& layout, RawFieldName name>
consteval RawField rawField() {
    for (const RawField& field : layout.fields) {
        if (field.name == name.view()) return field;
    }
    throw "no such field";
}

template <const RawLayout& layout, RawFieldName name>
using RawValue = typename RawValueOf<rawField<layout, name>().type>::Type;

/// The bytes of one record, by the names of its fields.
template <const RawLayout& layout>
class RawRecord {
public:
    /// @param bytes  layout.size of them.
    explicit RawRecord(const char* bytes) : m_bytes(bytes) {}

    template <RawFieldName name>
    RawValue<layout, name> get() const {
        return at<name>(0);
    }
    /// One of several values. @param number  Below the field's count.
    template <RawFieldName name>
    RawValue<layout, name> at(std::size_t number) const {
        static constexpr RawField field = rawField<layout, name>();
        RawValue<layout, name> value;
        static_assert(field.offset + field.count * sizeof value <= layout.size);
        std::memcpy(&value, m_bytes + field.offset + number * sizeof value, sizeof value);
        return value;
    }

    /// Values one after the other, as they lie in the record. @param count  Bytes; at most those of the field.
    template <RawFieldName name>
    std::string_view bytes(std::size_t count) const {
        static constexpr RawField field = rawField<layout, name>();
        static_assert(field.offset + field.count * sizeof(RawValue<layout, name>) <= layout.size);
        return {m_bytes + field.offset, std::min(count, field.count * sizeof(RawValue<layout, name>))};
    }

private:
    const char* m_bytes;
};

/// A record in the making: zeros but for what was set.
template <const RawLayout& layout>
class RawRecordBytes {
public:
    template <RawFieldName name>
    RawRecordBytes& set(RawValue<layout, name> value) {
        return setAt<name>(0, value);
    }
    /// One of several values. @param number  Below the field's count.
    template <RawFieldName name>
    RawRecordBytes& setAt(std::size_t number, RawValue<layout, name> value) {
        static constexpr RawField field = rawField<layout, name>();
        static_assert(field.offset + field.count * sizeof value <= layout.size);
        std::memcpy(m_bytes.data() + field.offset + number * sizeof value, &value, sizeof value);
        return *this;
    }
    std::string_view bytes() const { return {m_bytes.data(), m_bytes.size()}; }

private:
    std::array<char, layout.size> m_bytes{};
};

}  // namespace altiscope
