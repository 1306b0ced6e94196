#include "core/report/export/line_output.h"

#include "core/base/text/text.h"

namespace altiscope {

bool LineOutput::flush() {
    m_good = m_good && m_write(m_line);
    m_line.clear();
    return m_good;
}

std::size_t LineOutput::pieceLength(std::string_view text) {
    const std::size_t length = utf8Prefix(text, kPiece);
    // Bytes that continue a character which never began: cut anywhere.
    return length > 0 || text.empty() ? length : kPiece;
}

}  // namespace altiscope
