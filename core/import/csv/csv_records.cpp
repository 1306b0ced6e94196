#include "core/import/csv/csv_records.h"

#include "core/base/files/file.h"
#include "core/base/values/decimal.h"
#include "core/import/csv/csv_borders.h"
#include "core/import/csv/csv_rows.h"
#include "core/import/files/text_zeros.h"

#include <algorithm>
#include <span>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kReadStep = std::size_t{1} << 20;
constexpr std::size_t kMaxRecord = std::size_t{16} << 20;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

/// The records of a file, a window of it after the other.
class CsvRecordWalk {
public:
    CsvRecordWalk(const ReadOnlyFile& file, const SourceFile& source, ProgressSlot& progress)
        : m_file(file), m_source(source), m_progress(progress) {}

    /// Reads on after what is left of the window.
    Result<Done> fill();
    /// Visits the whole records of the window.
    void visit(const CancelToken& cancel, const std::function<void(CsvRecord&)>& visit);

    bool isEnd() const { return m_isEnd; }
    void report(Diagnostics& problems) const;

private:
    void take(std::string_view text, const std::function<void(CsvRecord&)>& visit);

    const ReadOnlyFile& m_file;
    const SourceFile& m_source;
    ProgressSlot& m_progress;
    std::string m_window;
    std::uint64_t m_begin = 0;  // of the window in the file
    std::uint64_t m_row = 0;
    bool m_isEnd = false, m_endsInRecord = false;
    std::vector<std::uint64_t> m_zeros, m_strayQuotes;  // places in the file
    bool m_endsInZero = false, m_isQuoteOpen = false;
    std::optional<char> m_lineEnd;  // once the first line is known
};

Result<Done> CsvRecordWalk::fill() {
    if (m_window.size() > kMaxRecord) {
        return Error{"csv.record_too_large",
                     m_source.name,
                     Place{PlaceUnit::Row, m_row + 1}.text(),
                     {{"limit", std::to_string(kMaxRecord)}}};
    }
    const std::size_t left = m_window.size();
    m_window.resize(left + kReadStep);
    const auto got = m_file.read(m_begin + left, std::span(m_window).subspan(left));
    if (!got.ok()) return got.as<Done>();
    m_window.resize(left + got.value());
    m_endsInZero = findZeros(std::string_view(m_window).substr(left), m_begin + left, m_endsInZero, m_zeros);
    m_isEnd = got.value() < kReadStep;
    m_progress.addDone(got.value());
    if (m_begin == 0 && m_row == 0 && m_window.starts_with(kMark)) {
        m_window.erase(0, kMark.size());
        m_begin = kMark.size();
    }
    if (!m_lineEnd) m_lineEnd = CsvBorders::lineEndOf(m_window, m_isEnd);
    return Done{};
}

void CsvRecordWalk::take(std::string_view text, const std::function<void(CsvRecord&)>& visit) {
    CsvRecord record;
    record.isLast = !text.ends_with('\n') && !text.ends_with(m_lineEnd.value_or('\n'));
    m_endsInRecord = record.isLast;
    if (!record.isLast) text.remove_suffix(1);
    record.byte = m_begin + static_cast<std::uint64_t>(text.data() - m_window.data());
    record.row = ++m_row;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
    record.cells = csvCells(text);
    visit(record);
}

void CsvRecordWalk::report(Diagnostics& problems) const {
    if (m_row == 0) problems.add("csv.empty", Severity::Lost, m_source.name, {});
    reportZeros(m_zeros, m_source.name, problems);
    for (const std::uint64_t place : m_strayQuotes)
        problems.add("csv.stray_quote", Severity::Repaired, m_source.name, {PlaceUnit::Byte, place});
    // The records after the quote are in its cell.
    if (m_isQuoteOpen) problems.add("csv.cut", Severity::Lost, m_source.name, {PlaceUnit::Row, m_row});
    if (m_endsInRecord) problems.add("csv.no_line_end", Severity::Info, m_source.name, {PlaceUnit::Row, m_row});
}

void CsvRecordWalk::visit(const CancelToken& cancel, const std::function<void(CsvRecord&)>& visit) {
    const char lineEnd = m_lineEnd.value_or('\n');
    CsvBorders::Found found = CsvBorders::find(m_window, 0, m_isEnd, lineEnd);
    for (; found.strayQuote != std::string_view::npos; found = CsvBorders::find(m_window, 0, m_isEnd, lineEnd)) {
        m_strayQuotes.push_back(m_begin + found.strayQuote);
        m_window[found.strayQuote] = ' ';
    }
    m_isQuoteOpen = m_isEnd && found.isQuoteOpen;
    if (m_isEnd && (found.ends.empty() ? 0 : found.ends.back()) < m_window.size())
        found.ends.push_back(m_window.size());
    std::size_t from = 0;
    for (const std::size_t end : found.ends) {
        if (cancel.cancelled()) return;
        take(std::string_view(m_window).substr(from, end - from), visit);
        from = end;
    }
    m_window.erase(0, from);
    m_begin += from;
}

}  // namespace

Result<Done> eachCsvRecord(const SourceFile& source, Diagnostics* problems, ProgressSlot& progress,
                           const CancelToken& cancel, const std::function<void(CsvRecord&)>& visit) {
    const auto opened = ReadOnlyFile::openText(source.path, cancel);
    if (!opened.ok()) return opened.as<Done>();
    CsvRecordWalk walk(opened.value(), source, progress);
    while (!walk.isEnd()) {
        if (auto filled = walk.fill(); !filled.ok()) return filled;
        walk.visit(cancel, visit);
        if (cancel.cancelled()) return Cancelled{};
    }
    if (problems != nullptr) walk.report(*problems);
    return Done{};
}

bool holdsValues(const CsvRecord& header) {
    return std::any_of(header.cells.begin(), header.cells.end(),
                       [](const std::string& cell) { return parseReal(cell).has_value(); });
}

std::optional<std::size_t> CsvColumns::find(std::string_view name) const {
    const auto found = std::find(m_header.begin(), m_header.end(), name);
    if (found == m_header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_header.begin());
}

std::optional<std::size_t> CsvColumns::findAny(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
        if (const auto found = find(name)) return found;
    }
    return std::nullopt;
}

}  // namespace altiscope::reader
