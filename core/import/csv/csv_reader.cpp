#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/csv/csv_borders.h"
#include "core/import/csv/csv_rows.h"
#include "core/import/files/text_zeros.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace altiscope::reader {

namespace {

/// Chunks of a window, and parts of a chunk: many small ones, so that no worker waits long for the last one.
constexpr std::size_t kChunksAtOnce = 4;
constexpr std::size_t kPartsOfChunk = 2;

/// A record that is longer is none; without a limit a file without line ends would have to fit into memory.
constexpr std::size_t kMaxRecordLength = std::size_t{16} << 20;

/// One CSV file on its way in: a window of whole records after the other is read and cut into parts, which all workers
/// take in while one of them reads the next window.
class CsvReading {
public:
    CsvReading(ReadOnlyFile file, const SourceFile& source, const CsvFormat& format, TableContext& context)
        : m_file(std::move(file)), m_source(source), m_format(format), m_context(context) {}

    Result<Done> run();

private:
    struct Part {
        std::string_view text;
        bool isCut = false;
        CsvProblems problems;
        std::uint64_t records = 0;
        RowTablesBuilder::Packed rows;
    };
    struct Window {
        std::unique_ptr<char[]> bytes;
        std::size_t room = 0;
        std::uint64_t begin = 0;  // of the file
        std::size_t filled = 0;
        std::size_t used = 0;  // by the header and parts; what is left begins with a record
        bool isLast = false;   // reaches to the end of the file
        std::vector<Part> parts;
        std::vector<std::uint64_t> strayQuotes, zeros;  // places in the file
        bool endsInZero = false;
        std::optional<Error> error;

        std::string_view left() const { return {bytes.get() + used, filled - used}; }
    };

    /// Reads what follows `before` in the file after what `before` left over.
    void fill(Window& window, const Window& before);
    std::optional<Error> readHeader(Window& window);
    Error tooLarge(std::uint64_t row, std::size_t limit) const {
        return {"csv.record_too_large",
                m_source.name,
                Place{PlaceUnit::Row, row}.text(),
                {{"limit", std::to_string(limit)}}};
    }
    void cut(Window& window);
    void read(Part& part, CsvRows& rows);
    void commit(Window& window);

    const ReadOnlyFile m_file;
    const SourceFile& m_source;
    const CsvFormat& m_format;
    TableContext& m_context;

    std::uint64_t m_row = 1;  // of the next record; the header is row 1
    bool m_hasHeader = false;
    CsvMapping m_mapping;
    CsvKeys m_keys;
    std::vector<std::unique_ptr<CsvRows>> m_readers;
};

void CsvReading::fill(Window& window, const Window& before) {
    const std::string_view rest = before.left();
    const std::uint64_t offset = before.begin + before.filled;
    // One byte beyond the end, to see that it is the end.
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), offset) + 1;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(left, std::max<std::size_t>(1, m_context.chunkBytes) * kChunksAtOnce));
    if (window.room < rest.size() + wanted) {
        window.room = rest.size() + wanted;
        window.bytes = std::make_unique_for_overwrite<char[]>(window.room);
    }
    std::copy(rest.begin(), rest.end(), window.bytes.get());
    window.begin = before.begin + before.used;
    window.filled = rest.size();
    window.used = 0;
    const auto got = m_file.read(offset, std::span(window.bytes.get() + rest.size(), wanted));
    if (!got.ok()) {
        window.error = got.error();
        return;
    }
    window.zeros.clear();
    window.endsInZero = findZeros(std::string_view(window.bytes.get() + window.filled, got.value()), offset,
                                  before.endsInZero, window.zeros);
    window.filled += got.value();
    window.isLast = got.value() < wanted;
    m_context.progress.addDone(got.value());
}

std::optional<Error> CsvReading::readHeader(Window& window) {
    std::string_view text = window.left();
    static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    text.remove_prefix(mark);
    static constexpr std::size_t kMaxHeader = std::size_t{1} << 20;
    const auto lineEnd = CsvBorders::lineEndOf(text, window.isLast);
    if (!lineEnd && text.size() < kMaxHeader) return std::nullopt;
    const std::size_t end = lineEnd ? text.find(*lineEnd) : std::string_view::npos;
    const std::string_view header = text.substr(0, end);
    if (header.size() > kMaxHeader) return tooLarge(1, kMaxHeader);
    m_mapping = mapCsvHeader(header, m_format, m_context.builder);
    m_mapping.lineEnd = lineEnd.value_or('\n');
    window.used = mark + header.size() + (end == std::string_view::npos ? 0 : 1);
    m_hasHeader = true;
    if (end == std::string_view::npos)
        m_context.diagnostics.add("csv.no_line_end", Severity::Info, m_source.name, {PlaceUnit::Row, 1});
    m_row = 2;
    if (!m_mapping.absent.empty())
        return Error{"csv.no_column", m_source.name, "row 1", {{"column", m_mapping.absent.front()}}};
    for (const std::string& repeated : m_mapping.repeated)
        m_context.diagnostics.add("csv.repeated_column", Severity::Lost, m_source.name, {PlaceUnit::Row, 1},
                                  {{"column", repeated}});
    for (const std::string& column : m_mapping.unitless)
        m_context.diagnostics.add("csv.no_unit", Severity::Info, m_source.name, {PlaceUnit::Row, 1},
                                  {{"column", repairedUtf8(column)}});
    if (m_mapping.metricsExcluded > 0) {
        m_context.diagnostics.add("csv.too_many_columns", Severity::Lost, m_source.name, {PlaceUnit::Row, 1},
                                  {{"limit", std::to_string(CsvMapping::kMaxMetrics)}}, m_mapping.metricsExcluded);
    }
    return std::nullopt;
}

void CsvReading::cut(Window& window) {
    window.parts.clear();
    window.strayQuotes.clear();
    const std::string_view text = window.left();
    CsvBorders::Found found;
    for (;;) {
        found = CsvBorders::find(text, std::max<std::size_t>(1, m_context.chunkBytes / kPartsOfChunk), window.isLast,
                                 m_mapping.lineEnd);
        if (found.strayQuote == std::string_view::npos) break;
        // A blank instead of the quote: blanks around a cell are no part of it.
        const std::size_t at = window.used + found.strayQuote;
        window.bytes[at] = ' ';
        window.strayQuotes.push_back(window.begin + at);
    }
    if (window.isLast && (found.ends.empty() ? 0 : found.ends.back()) < text.size()) found.ends.push_back(text.size());
    std::size_t from = 0;
    for (const std::size_t end : found.ends) {
        window.parts.emplace_back();
        window.parts.back().text = text.substr(from, end - from);
        from = end;
    }
    window.used += from;
    // Writers may leave out the last line end, so it takes missing cells too to call a record cut.
    if (window.isLast && !window.parts.empty() &&
        (found.isQuoteOpen || (!text.ends_with('\n') && !text.ends_with(m_mapping.lineEnd))))
        window.parts.back().isCut =
            found.isQuoteOpen || csvCells(window.parts.back().text).size() < m_mapping.rules.size();
}

void CsvReading::read(Part& part, CsvRows& rows) {
    if (m_context.cancel.cancelled()) return;
    rows.read(part.text, part.isCut, part.problems);
    part.records = rows.records();
    part.rows = RowTablesBuilder::pack(rows.batch());
}

void CsvReading::commit(Window& window) {
    for (const std::uint64_t place : window.strayQuotes)
        m_context.diagnostics.add("csv.stray_quote", Severity::Repaired, m_source.name, {PlaceUnit::Byte, place});
    reportZeros(window.zeros, m_source.name, m_context.diagnostics);
    for (Part& part : window.parts) {
        part.problems.addTo(m_context.diagnostics, m_source.name, m_row);
        m_row += part.records;
        m_context.builder.append(std::move(part.rows));
    }
    // A record that is cut was reported as that.
    const auto endsInRecord = [&](const Part& part) {
        return !part.isCut && !part.text.ends_with('\n') && !part.text.ends_with(m_mapping.lineEnd);
    };
    if (window.isLast && !window.parts.empty() && endsInRecord(window.parts.back()))
        m_context.diagnostics.add("csv.no_line_end", Severity::Info, m_source.name, {PlaceUnit::Row, m_row - 1});
}

Result<Done> CsvReading::run() {
    Window current, next;
    while (!m_hasHeader) {
        std::swap(current, next);
        fill(current, next);
        if (current.error) return *current.error;
        // Nothing of the windows before is committed.
        current.zeros.insert(current.zeros.begin(), next.zeros.begin(), next.zeros.end());
        if (current.filled == 0) {
            m_context.diagnostics.add("csv.empty", Severity::Lost, m_source.name, {});
            return Done{};
        }
        if (const auto error = readHeader(current)) return *error;
    }
    cut(current);
    for (;;) {
        while (m_readers.size() < current.parts.size())
            m_readers.push_back(std::make_unique<CsvRows>(m_mapping, m_context.builder, m_keys));
        // The first of rows that are alike counts, so one comes after the other.
        const bool hasKey = !m_mapping.key.empty();
        for (std::size_t i = 0; hasKey && i < current.parts.size(); ++i) {
            if (m_context.cancel.cancelled()) return Cancelled{};
            read(current.parts[i], *m_readers[i]);
        }
        parallelFor(1 + (hasKey ? 0 : current.parts.size()), [&](std::size_t i) {
            if (i > 0) return read(current.parts[i - 1], *m_readers[i - 1]);
            if (current.isLast) return;
            fill(next, current);
            if (!next.error) cut(next);
        });
        if (m_context.cancel.cancelled()) return Cancelled{};
        commit(current);
        if (current.isLast) return Done{};
        if (current.left().size() > kMaxRecordLength) return tooLarge(m_row, kMaxRecordLength);
        if (next.error) return *next.error;
        std::swap(current, next);
    }
}

}  // namespace

Result<Done> readCsv(const SourceFile& source, const CsvFormat& format, TableContext& context) {
    auto file = ReadOnlyFile::openText(source.path, context.cancel);
    if (!file.ok()) return file.as<Done>();
    return CsvReading(std::move(file).value(), source, format, context).run();
}

}  // namespace altiscope::reader
