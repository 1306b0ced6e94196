#pragma once

#include "core/base/values/time.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace altiscope {

/// Text that grows at its end; made for writing numbers fast. Keeps its memory when cleared.
class TextBuffer {
public:
    std::string_view view() const { return {m_data.get(), m_size}; }
    std::size_t size() const { return m_size; }
    void clear() { m_size = 0; }

    void add(std::string_view text) {
        if (text.empty()) return;
        std::memcpy(room(text.size()), text.data(), text.size());
        m_size += text.size();
    }
    void add(char c) {
        *room(1) = c;
        ++m_size;
    }
    void addNumber(std::uint64_t value);
    void addNumber(std::int64_t value);
    /// The last `digits` decimal digits of a number, zeros in front kept.
    void addPadded(std::uint64_t value, unsigned digits);
    /// value / 10^decimals without zeros at the end, but with one decimal at least: 145570, 3 -> "145.57"; 470000, 3 ->
    /// "470.0".
    void addTrimmed(std::int64_t value, unsigned decimals);
    /// Microseconds with three decimals, as time stamps are written: "1736408883688177.930", "-0.001".
    void addTime(TimeNs time) { addMicroseconds(time.value); }
    void addDuration(DurationNs duration) { addMicroseconds(duration.value); }
    /// Shortest text that reads back as the same finite double, with one decimal at least; an exponent only where the
    /// number would need more than 60 digits.
    void addDouble(double value);
    /// A JSON string literal, see jsonQuoted().
    void addQuoted(std::string_view text);
    /// A part of a JSON string literal: text that is UTF-8.
    void addEscaped(std::string_view text);

private:
    void addMicroseconds(std::int64_t ns);
    char* room(std::size_t bytes) {
        if (m_capacity - m_size < bytes) grow(bytes);
        return m_data.get() + m_size;
    }
    void grow(std::size_t bytes);

    std::unique_ptr<char[]> m_data;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

}  // namespace altiscope
