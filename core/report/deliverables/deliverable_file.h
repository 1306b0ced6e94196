#pragma once

#include "core/base/cancel.h"
#include "core/base/pending_file.h"
#include "core/base/text_buffer.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// The two ways in which the vendors' programs write. Source: core/report/deliverables/FORMAT.md section 1.
enum class Dialect : std::uint8_t {
    Cann,   ///< msprof: lines end with LF, JSON has no spaces.
    Torch,  ///< The analysis of torch_npu: CRLF, JSON has spaces.
};

/// A file that is written in pieces, which has its name once it is complete. One thread.
class DeliverableFile {
public:
    DeliverableFile(const std::filesystem::path& path, Dialect dialect, const CancelToken& cancel);

    Dialect dialect() const { return m_dialect; }
    /// What is to be written next; looked at by goesOn() and keep().
    TextBuffer& text() { return m_text; }
    /// A line of CSV. Cells are quoted where they hold a comma, a quote or a line end (RFC 4180).
    void line(std::span<const std::string> cells);
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
};

}  // namespace altiscope
