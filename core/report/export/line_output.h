#pragma once

#include "core/report/export/result_writer.h"

#include <string>
#include <string_view>
#include <utility>

namespace altiscope {

/// A line on its way to a WriteText: goes out in pieces, so that long values are never copied whole.
class LineOutput {
public:
    static constexpr std::size_t kPiece = std::size_t{1} << 16;

    explicit LineOutput(WriteText write) : m_write(std::move(write)) {}

    /// The line so far; short texts may be appended to it, then ended or flushed.
    std::string& text() { return m_line; }
    /// Appends what `convert` makes of each piece of some text of UTF-8, which is cut between characters.
    template <class Convert>
    void append(std::string_view text, Convert convert) {
        do {
            std::size_t length = pieceLength(text);
            m_line += convert(text.substr(0, length));
            text.remove_prefix(length);
            if (m_line.size() >= kPiece) flush();
        } while (!text.empty());
    }
    /// @return False if nothing more can be written.
    bool flush();

private:
    static std::size_t pieceLength(std::string_view text);

    WriteText m_write;
    std::string m_line;
    bool m_good = true;
};

}  // namespace altiscope
