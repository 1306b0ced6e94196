#include "core/report/deliverables/deliverable_file.h"

namespace altiscope {

namespace {

constexpr std::size_t kGatheredBytes = std::size_t{1} << 18;

}  // namespace

DeliverableFile::DeliverableFile(const std::filesystem::path& path, Dialect dialect, const CancelToken& cancel)
    : m_dialect(dialect), m_cancel(cancel), m_file(path, PendingFile::Access::Shared, &cancel),
      m_isGood(m_file.opened()) {}

void DeliverableFile::line(std::span<const std::string> cells) {
    bool isFirst = true;
    for (const std::string& cell : cells) {
        if (!isFirst) m_text.add(',');
        isFirst = false;
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            m_text.add(cell);
            continue;
        }
        m_text.add('"');
        for (const char c : cell) {
            if (c == '"') m_text.add('"');
            m_text.add(c);
        }
        m_text.add('"');
    }
    m_text.add(m_dialect == Dialect::Cann ? "\n" : "\r\n");
}

bool DeliverableFile::goesOn() {
    if (m_cancel.cancelled()) return false;
    if (m_text.size() < kGatheredBytes) return m_isGood;
    m_isGood = m_isGood && m_file.write(m_text.view());
    m_text.clear();
    return m_isGood;
}

bool DeliverableFile::keep() {
    m_isGood = m_isGood && !m_cancel.cancelled() && m_file.write(m_text.view());
    m_text.clear();
    return m_isGood && m_file.keep();
}

}  // namespace altiscope
