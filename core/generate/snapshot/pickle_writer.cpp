#include "core/generate/snapshot/pickle_writer.h"

namespace altiscope::generate {

void PickleWriter::bytes(std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) m_out.add(static_cast<char>(value >> (8 * i) & 0xFF));
}

void PickleWriter::text(std::string_view text) {
    const auto known = m_texts.find(std::string(text));
    if (known != m_texts.end()) return again(known->second);
    constexpr std::size_t kShort = 256;
    if (text.size() < kShort) {
        m_out.add('\x8c');
        bytes(text.size(), 1);
    } else {
        m_out.add('X');
        bytes(text.size(), 4);
    }
    m_out.add(text);
    m_texts.emplace(text, takeNumber());
}

void PickleWriter::integer(std::uint64_t value) {
    if (value < 0x100) {
        m_out.add('K');
        bytes(value, 1);
    } else if (value < 0x10000) {
        m_out.add('M');
        bytes(value, 2);
    } else if (value < 0x80000000) {
        m_out.add('J');
        bytes(value, 4);
    } else {
        unsigned count = 5;
        // The last byte holds the sign.
        while (count < 9 && value >> (8 * count - 1) != 0) ++count;
        m_out.add('\x8a');
        bytes(count, 1);
        bytes(value, count > 8 ? 8 : count);
        if (count > 8) m_out.add('\0');
    }
}

void PickleWriter::again(std::uint32_t number) {
    const bool isShort = number < 0x100;
    m_out.add(isShort ? 'h' : 'j');
    bytes(number, isShort ? 1 : 4);
}

}  // namespace altiscope::generate
