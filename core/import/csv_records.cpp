#include "core/import/csv_records.h"

#include "core/base/diagnostics.h"
#include "core/base/file.h"
#include "core/import/csv_rows.h"

#include <algorithm>
#include <span>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kReadStep = std::size_t{1} << 20;
constexpr std::size_t kMaxRecord = std::size_t{16} << 20;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

/// Where the line end is that closes the record at the front of a text; npos if it is not there.
std::size_t recordEnd(std::string_view text, std::size_t from, bool& isQuoted) {
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '"') isQuoted = !isQuoted;
        else if (text[i] == '\n' && !isQuoted) return i;
    }
    return std::string_view::npos;
}

}  // namespace

Result<Done> eachCsvRecord(const SourceFile& source, ProgressSlot& progress, const CancelToken& cancel,
                           const std::function<void(CsvRecord&)>& visit) {
    const auto opened = ReadOnlyFile::open(source.path);
    if (!opened.ok()) return opened.as<Done>();
    std::string window;
    std::uint64_t offset = 0;  // of the window's end in the file
    std::uint64_t row = 0;
    bool isEnd = false, isQuoted = false;
    std::size_t used = 0, looked = 0;
    while (!isEnd || used < window.size()) {
        if (cancel.cancelled()) return Cancelled{};
        std::size_t end = recordEnd(window, looked, isQuoted);
        if (end == std::string::npos && !isEnd) {
            if (window.size() - used > kMaxRecord) return Error{"csv.record_too_large", source.name, Place{PlaceUnit::Row, row + 1}.text(), {}};
            window.erase(0, std::exchange(used, 0));
            looked = window.size();
            window.resize(looked + kReadStep);
            const auto got = opened.value().read(offset, std::span(window).subspan(looked));
            if (!got.ok()) return got.as<Done>();
            window.resize(looked + got.value());
            isEnd = got.value() < kReadStep;
            if (offset == 0 && window.starts_with(kMark)) used = looked = kMark.size();
            offset += got.value();
            progress.addDone(got.value());
            continue;
        }
        CsvRecord record;
        record.isLast = end == std::string::npos;
        end = std::min(end, window.size());
        record.byte = offset - window.size() + used;
        record.row = ++row;
        const std::string_view text = std::string_view(window).substr(used, end - used);
        if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
            record.cells = csvCells(text);
            visit(record);
        }
        used = looked = std::min(end + 1, window.size());
        isQuoted = false;
    }
    return Done{};
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
