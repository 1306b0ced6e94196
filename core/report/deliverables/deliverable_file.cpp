#include "core/report/deliverables/deliverable_file.h"

#include "core/base/text/byte_scan.h"
#include "core/base/threads/parallel.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kGatheredBytes = std::size_t{1} << 18;

}  // namespace

DeliverableFile::DeliverableFile(const std::filesystem::path& path, Dialect dialect, const CancelToken& cancel)
    : m_dialect(dialect), m_cancel(cancel), m_file(path, PendingFile::Access::Shared, &cancel),
      m_isGood(m_file.opened()) {}

void CellText::next() {
    if (!m_isFirst) m_out.add(',');
    m_isFirst = false;
}

void CellText::addDoubled(std::string_view text) {
    for (;;) {
        const std::size_t quote = std::min(text.find('"'), text.size());
        m_out.add(text.substr(0, quote));
        if (quote == text.size()) return;
        m_out.add("\"\"");
        text.remove_prefix(quote + 1);
    }
}

void CellText::text(std::string_view cell) {
    next();
    const std::size_t plain = bytesBefore(
        cell,
        [](std::uint64_t eight) {
            return bytesEqualTo(eight, ',') | bytesEqualTo(eight, '"') | bytesEqualTo(eight, '\r') |
                   bytesEqualTo(eight, '\n');
        },
        [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
    if (plain == cell.size()) return m_out.add(cell);
    m_out.add('"');
    addDoubled(cell);
    m_out.add('"');
}

void CellText::textInQuotes(std::string_view cell) {
    next();
    m_out.add("\"\"\"");
    addDoubled(cell);
    m_out.add("\"\"\"");
}

void CellText::plain(std::string_view cell) {
    next();
    m_out.add(cell);
}

void CellText::number(std::int64_t value) {
    next();
    m_out.addNumber(value);
}

void CellText::microseconds(std::int64_t ns) {
    next();
    m_out.addDuration({ns});
}

void CellText::time(std::int64_t ns) {
    microseconds(ns);
    m_out.add('\t');
}

void CellText::rounded(double value) {
    // Numbers of so few digits are printed in full: by the digits of their thousandths.
    static constexpr double kTwelveDigits = 1e12;
    const double thousandths = roundedThousandths(value);
    if (!(thousandths >= 0 && thousandths < kTwelveDigits)) return plain(roundedText(value));
    next();
    m_out.addTrimmed(static_cast<std::int64_t>(thousandths), 3);
}

void CellText::whole(double value) {
    static constexpr double kFifteenDigits = 1e15;
    const bool isPlain = !std::signbit(value) && value < kFifteenDigits && std::floor(value) == value;
    isPlain ? number(static_cast<std::int64_t>(value)) : plain(fixedText(value, 0));
}

void CellText::exact(double value) {
    if (!isPlainExact(value)) return plain(exactText(value));
    next();
    m_out.addDouble(value);
}

void CellText::exactMicroseconds(std::int64_t ns) {
    // The double nearest to a number of so few digits reads back from them.
    static constexpr std::int64_t kFifteenDigits = 1'000'000'000'000'000;
    if (ns < 0 || ns >= kFifteenDigits) return exact(altiscope::microseconds(ns));
    next();
    m_out.addTrimmed(ns, 3);
}

void CellText::sixDecimals(std::int64_t ns) {
    // The double of so short a time is nearer to it than the sixth decimal shows.
    static constexpr std::int64_t kShort = 1'000'000'000'000;
    if (ns < 0 || ns >= kShort) return plain(fixedText(altiscope::microseconds(ns), 6));
    microseconds(ns);
    m_out.add("000");
}

void CellText::endLine() {
    m_out.add(m_dialect == Dialect::Cann ? "\n" : "\r\n");
    m_isFirst = true;
}

void DeliverableFile::line(std::span<const std::string> cells) {
    CellText text(m_text, m_dialect);
    for (const std::string& cell : cells) text.text(cell);
    text.endLine();
}

void DeliverableFile::append(std::string_view text) {
    if (text.size() < kGatheredBytes / 4) {
        m_text.add(text);
        goesOn();
        return;
    }
    m_isGood = m_isGood && m_file.write(m_text.view()) && m_file.write(text);
    m_text.clear();
}

void DeliverableFile::eachBlock(std::size_t blocks, const Make& make, const Take& take) {
    std::size_t made = 0;  // before
    for (std::size_t first = 0; (first < blocks || made > 0) && goesOn();) {
        const std::size_t count = std::min(kBlocksAtOnce, blocks - first);
        parallelFor(count + 1, [&](std::size_t i) {
            if (i == 0) {
                for (std::size_t before = 0; before < made; ++before) take(m_blocks[1][before].view());
                return;
            }
            TextBuffer& text = m_blocks[0][i - 1];
            text.clear();
            make(first + i - 1, text);
        });
        std::swap(m_blocks[0], m_blocks[1]);
        first += count;
        made = count;
    }
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
