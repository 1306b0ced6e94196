#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/import/csv_borders.h"
#include "core/import/csv_rows.h"
#include "core/import/table_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace altiscope::reader {

namespace {

/// Parts of a file that are in memory at a time: enough to keep some workers busy.
constexpr std::size_t kPartsAtOnce = 4;

/// One CSV file on its way in: a window of whole records after the other is read, cut into parts, and taken in by all workers.
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

    Result<Done> fill();
    std::optional<Error> readHeader();
    /// The records at the front of the window, as parts; what is left begins with a record.
    std::vector<Part> cutParts();
    void readParts(std::vector<Part>& parts);
    void tellAboutHeader();

    const ReadOnlyFile m_file;
    const SourceFile& m_source;
    const CsvFormat& m_format;
    TableContext& m_context;

    std::vector<char> m_window;
    std::size_t m_filled = 0;
    std::size_t m_used = 0;       // of the window, by records that are done with
    std::uint64_t m_offset = 0;   // of the file, up to where it was read
    bool m_isLast = false;        // the window reaches to the end of the file
    std::uint64_t m_row = 1;      // of the next record; the header is row 1
    bool m_hasHeader = false;
    CsvMapping m_mapping;
    std::vector<std::unique_ptr<CsvRows>> m_readers;
};

/// Moves what is left to the front and fills the window up.
Result<Done> CsvReading::fill() {
    if (m_filled > m_used) std::memmove(m_window.data(), m_window.data() + m_used, m_filled - m_used);
    m_filled -= m_used;
    m_used = 0;
    // One byte beyond the end, to see that it is the end.
    const std::uint64_t left = m_file.size() - std::min(m_file.size(), m_offset) + 1;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::size_t>(1, m_context.chunkBytes) * kPartsAtOnce));
    if (m_window.size() < m_filled + wanted) m_window.resize(m_filled + wanted);
    const std::size_t step = std::max<std::size_t>(1, m_context.chunkBytes);
    const std::size_t steps = (wanted + step - 1) / step;
    std::vector<std::size_t> got(steps);
    std::vector<std::optional<Error>> errors(steps);
    parallelFor(steps, [&](std::size_t i) {
        const std::size_t from = i * step;
        const auto read = m_file.read(m_offset + from, std::span(m_window).subspan(m_filled + from, std::min(step, wanted - from)));
        if (read.ok()) got[i] = read.value();
        else errors[i] = read.error();
    });
    for (const auto& error : errors)
        if (error) return *error;
    std::size_t total = 0;
    for (std::size_t i = 0; i < steps && !m_isLast; ++i) {
        total += got[i];
        m_isLast = got[i] < std::min(step, wanted - i * step);
    }
    m_offset += total;
    m_filled += total;
    m_context.progress.addDone(total);
    return Done{};
}

std::optional<Error> CsvReading::readHeader() {
    std::string_view text(m_window.data(), m_filled);
    static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    text.remove_prefix(mark);
    const std::size_t end = text.find('\n');
    static constexpr std::size_t kMaxHeader = std::size_t{1} << 20;
    if (end == std::string_view::npos && !m_isLast && text.size() < kMaxHeader) return std::nullopt;
    const std::string_view header = text.substr(0, end);
    m_mapping = mapCsvHeader(header, m_format, m_context.builder);
    m_used = mark + header.size() + (end == std::string_view::npos ? 0 : 1);
    m_hasHeader = true;
    m_row = 2;
    if (m_mapping.absent.empty()) return std::nullopt;
    return Error{"csv.no_column", m_source.name, "row 1", {{"column", m_mapping.absent.front()}}};
}

void CsvReading::tellAboutHeader() {
    for (const std::string& header : m_mapping.repeated)
        m_context.diagnostics.add("csv.repeated_column", Severity::Info, m_source.name, {PlaceUnit::Row, 1}, {{"column", header}});
}

std::vector<CsvReading::Part> CsvReading::cutParts() {
    for (;;) {
        const std::string_view text(m_window.data() + m_used, m_filled - m_used);
        auto found = CsvBorders::find(text, std::max<std::size_t>(1, m_context.chunkBytes), m_isLast);
        if (found.strayQuote != std::string_view::npos) {
            // A blank instead of the quote: blanks around a cell are no part of it.
            const std::size_t at = m_used + found.strayQuote;
            m_window[at] = ' ';
            m_context.diagnostics.add("csv.stray_quote", Severity::Repaired, m_source.name,
                                      {PlaceUnit::Byte, m_offset - m_filled + at});
            continue;
        }
        if (m_isLast && (found.ends.empty() ? 0 : found.ends.back()) < text.size()) found.ends.push_back(text.size());
        std::vector<Part> parts;
        std::size_t from = 0;
        for (const std::size_t end : found.ends) {
            parts.emplace_back();
            parts.back().text = text.substr(from, end - from);
            from = end;
        }
        m_used += from;
        // Writers may leave out the last line end, so it takes missing cells too to call a record cut.
        if (m_isLast && !parts.empty() && (found.isQuoteOpen || !text.ends_with('\n')))
            parts.back().isCut = found.isQuoteOpen || csvCells(parts.back().text).size() < m_mapping.rules.size();
        return parts;
    }
}

void CsvReading::readParts(std::vector<Part>& parts) {
    while (m_readers.size() < parts.size()) m_readers.push_back(std::make_unique<CsvRows>(m_mapping, m_context.builder));
    parallelFor(parts.size(), [&](std::size_t i) {
        if (m_context.cancel.cancelled()) return;
        CsvRows& reader = *m_readers[i];
        reader.read(parts[i].text, parts[i].isCut, parts[i].problems);
        parts[i].records = reader.records();
        parts[i].rows = RowTablesBuilder::pack(reader.batch());
    });
    for (Part& part : parts) {
        part.problems.addTo(m_context.diagnostics, m_source.name, m_row);
        m_row += part.records;
        m_context.builder.append(std::move(part.rows));
    }
}

Result<Done> CsvReading::run() {
    while (!m_isLast || m_used < m_filled) {
        if (m_context.cancel.cancelled()) return Cancelled{};
        if (!m_isLast) {
            if (auto filled = fill(); !filled.ok()) return filled;
        }
        if (m_filled == 0) {
            if (!m_hasHeader) m_context.diagnostics.add("csv.empty", Severity::Info, m_source.name, {});
            return Done{};
        }
        if (!m_hasHeader) {
            if (const auto error = readHeader()) return *error;
            if (!m_hasHeader) continue;
            tellAboutHeader();
        }
        std::vector<Part> parts = cutParts();
        readParts(parts);
    }
    if (m_context.cancel.cancelled()) return Cancelled{};
    return Done{};
}

}  // namespace

Result<Done> readCsv(const SourceFile& source, const CsvFormat& format, TableContext& context) {
    auto file = ReadOnlyFile::open(source.path);
    if (!file.ok()) return file.as<Done>();
    return CsvReading(std::move(file).value(), source, format, context).run();
}

}  // namespace altiscope::reader
