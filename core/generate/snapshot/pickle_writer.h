#pragma once

#include "core/base/text/text_buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope::generate {

/// Writes a pickle of protocol 4 the way Python's pickler does: each text once, then by its number.
class PickleWriter {
public:
    explicit PickleWriter(TextBuffer& out) : m_out(out) {}

    void begin() { m_out.add(std::string_view("\x80\x04", 2)); }
    void end() { m_out.add('.'); }
    void openDict() { open('}'); }
    void openList() { open(']'); }
    /// Ends the items of a dictionary, of a list. What is open may get more: addItems().
    void closeDict() { m_out.add('u'); }
    void closeList() { m_out.add('e'); }
    void moreItems() { m_out.add('('); }

    void text(std::string_view text);
    void integer(std::uint64_t value);
    void boolean(bool value) { m_out.add(value ? '\x88' : '\x89'); }
    void pair(std::uint64_t first, std::uint64_t second) {
        integer(first);
        integer(second);
        m_out.add('\x86');
    }
    void entry(std::string_view key, std::string_view value) {
        text(key);
        text(value);
    }
    void entry(std::string_view key, std::uint64_t value) {
        text(key);
        integer(value);
    }
    /// An object that was written before. @param number  What takeNumber() gave for it.
    void again(std::uint32_t number);
    /// Numbers the object that was just opened or closed, so that it can be written again.
    std::uint32_t takeNumber() {
        m_out.add('\x94');
        return m_count++;
    }

private:
    void open(char kind) {
        m_out.add(kind);
        m_out.add('(');
    }
    void bytes(std::uint64_t value, unsigned count);

    TextBuffer& m_out;
    std::unordered_map<std::string, std::uint32_t> m_texts;
    std::uint32_t m_count = 0;
};

}  // namespace altiscope::generate
