#pragma once

#include "core/base/files/pending_file.h"
#include "core/base/text/text_buffer.h"
#include "core/base/values/cancel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// The two ways in which the vendors' programs write. Source: core/report/deliverables/FORMAT.md section 1.
enum class Dialect : std::uint8_t {
    Cann,   ///< msprof: lines end with LF, JSON has no spaces.
    Torch,  ///< The analysis of torch_npu: CRLF, JSON has spaces.
};

/// Lines of CSV, cell by cell. Cells are quoted where they hold a comma, a quote or a line end (RFC 4180).
class CellText {
public:
    CellText(TextBuffer& out, Dialect dialect) : m_out(out), m_dialect(dialect) {}

    void text(std::string_view cell);
    /// A cell that has quotes of its own around it.
    void textInQuotes(std::string_view cell);
    /// A cell that needs no quotes.
    void plain(std::string_view cell);
    void number(std::int64_t value);
    /// As microsecondsText(), timeCell(), roundedText() and exactText() of number_text.h.
    void microseconds(std::int64_t ns);
    void time(std::int64_t ns);
    void rounded(double value);
    void exact(double value);
    /// As exactText() of microseconds.
    void exactMicroseconds(std::int64_t ns);
    /// As fixedText() without decimals.
    void whole(double value);
    /// As fixedText() of microseconds with six decimals.
    void sixDecimals(std::int64_t ns);
    void empty() { next(); }
    void endLine();

private:
    void next();
    void addDoubled(std::string_view text);

    TextBuffer& m_out;
    const Dialect m_dialect;
    bool m_isFirst = true;
};

/// A file that is written in pieces, which has its name once it is complete. One thread.
class DeliverableFile {
public:
    DeliverableFile(const std::filesystem::path& path, Dialect dialect, const CancelToken& cancel);

    Dialect dialect() const { return m_dialect; }
    /// The next text to be written; looked at by goesOn() and keep().
    TextBuffer& text() { return m_text; }
    /// A line of CSV. Cells are quoted where they hold a comma, a quote or a line end (RFC 4180).
    void line(std::span<const std::string> cells);
    /// Text that was made elsewhere.
    void append(std::string_view text);
    /// Has text made in blocks on all workers of the current arena while what was made before is taken.
    /// @param make  Writes a block into an empty buffer; any number at once.
    /// @param take  Gets the blocks in their order, one at a time.
    using Make = std::function<void(std::size_t block, TextBuffer& text)>;
    using Take = std::function<void(std::string_view text)>;
    void eachBlock(std::size_t blocks, const Make& make, const Take& take);
    /// Hands over what has gathered. @return False once nothing more can be written, or if cancelled.
    bool goesOn();
    /// Ends the file. @return False if it could not be written; see problem().
    bool keep();
    std::string problem() const { return m_file.problem(); }

private:
    Dialect m_dialect;
    const CancelToken& m_cancel;
    PendingFile m_file;
    TextBuffer m_text;
    bool m_isGood;
    static constexpr std::size_t kBlocksAtOnce = 8;
    std::array<std::array<TextBuffer, kBlocksAtOnce>, 2> m_blocks;  // made now, made before
};

}  // namespace altiscope
