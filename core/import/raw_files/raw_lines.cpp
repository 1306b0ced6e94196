#include "core/import/raw_files/raw_lines.h"

#include <string>

namespace altiscope::reader {

namespace {

constexpr std::size_t kMaxOfLine = std::size_t{64} << 10;

/// Lines of one series, put together of blocks.
class LineReader {
public:
    LineReader(const char* code, const std::function<bool(std::string_view, bool)>& take) : m_take(take), m_bad(code) {}

    void enter(const RawSlice& slice, Diagnostics& diagnostics) {
        if (m_slice == &slice) return;
        if (m_slice != nullptr) {
            // A line whose rest is missing would go on with another one.
            if (m_slice->isShort() || slice.isAfterGap) drop();
            m_bad.flush(m_slice->name, diagnostics);
        }
        m_slice = &slice;
        m_isFirst = m_line.empty();
    }
    void read(std::string_view bytes, std::uint64_t byte) {
        m_byte = byte;
        while (!bytes.empty()) {
            const auto end = bytes.find('\n');
            const std::string_view part = bytes.substr(0, end);
            if (m_line.size() + part.size() > kMaxOfLine) m_isTooLong = true;
            else m_line += part;
            m_byte += part.size();
            if (end == std::string_view::npos) return;
            finish();
            ++m_byte;
            bytes.remove_prefix(end + 1);
        }
    }
    void end(Diagnostics& diagnostics) {
        if (m_slice == nullptr) return;
        if (m_slice->isShort()) drop();
        finish();
        m_bad.flush(m_slice->name, diagnostics);
    }

private:
    void finish() {
        if (m_line.ends_with('\r')) m_line.pop_back();
        if (m_isTooLong || (!m_line.empty() && !m_take(m_line, m_isFirst))) m_bad.add(m_byte);
        m_isFirst = m_isTooLong = false;
        m_line.clear();
    }
    void drop() {
        if (!m_line.empty() || m_isTooLong) m_bad.add(m_byte);
        m_line.clear();
        m_isTooLong = false;
    }

    const std::function<bool(std::string_view, bool)>& m_take;
    const RawSlice* m_slice = nullptr;
    RawProblemCounter m_bad;
    std::string m_line;
    std::uint64_t m_byte = 0;
    bool m_isFirst = true, m_isTooLong = false;
};

}  // namespace

void eachRawLine(const RawFileSeries& series, const char* code, RawContext& context,
                 const std::function<bool(std::string_view line, bool isFirst)>& take) {
    RawBlocks blocks(series, 1, kNoRawMark, context);
    RawBlocks::Block block;
    LineReader lines(code, take);
    while (blocks.next(block)) {
        lines.enter(*block.slice, context.diagnostics);
        lines.read({block.bytes, block.count}, block.byte);
    }
    lines.end(context.diagnostics);
}

}  // namespace altiscope::reader
