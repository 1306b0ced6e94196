#include "core/import/scan/recorded_data.h"

#include "core/base/files/file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace altiscope::reader {

namespace {

/// Bytes of the longest file that is searched for content: a longer one has some.
constexpr std::uint64_t kSmall = std::uint64_t{64} << 10;

/// At most kSmall bytes from a place on; empty if they cannot be read.
std::string bytesAt(const ReadOnlyFile& file, std::uint64_t offset) {
    std::string bytes(static_cast<std::size_t>(std::min(kSmall, file.size() - std::min(offset, file.size()))), '\0');
    const auto read = file.read(offset, std::span(bytes.data(), bytes.size()));
    bytes.resize(read.ok() ? read.value() : 0);
    return bytes;
}

RecordedData ofTimeline(const ReadOnlyFile& file) {
    const std::string end = bytesAt(file, file.size() - std::min(kSmall, file.size()));
    if (file.size() <= kSmall && end.find("\"ph\"") == std::string::npos) return RecordedData::Nothing;
    const std::size_t last = end.find_last_not_of(" \t\r\n");
    const bool isClosed = last != std::string::npos && (end[last] == ']' || end[last] == '}');
    return isClosed ? RecordedData::Whole : RecordedData::Cut;
}

/// The number of pages holds where the change counter equals the version for which it is valid. Source:
/// https://www.sqlite.org/fileformat.html section 1.3.
RecordedData ofDatabase(const ReadOnlyFile& file) {
    constexpr std::size_t kHeader = 100, kPageSize = 16, kChanges = 24, kPages = 28, kValidFor = 92;
    if (file.size() == 0) return RecordedData::Nothing;
    const std::string head = bytesAt(file, 0);
    if (head.size() < kHeader) return RecordedData::Cut;
    const auto number = [&head](std::size_t at, std::size_t bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(head[at + i]);
        return value;
    };
    const std::uint64_t stated = number(kPageSize, 2), pageSize = stated == 1 ? 65536 : stated;
    const bool isStated = number(kChanges, 4) == number(kValidFor, 4) && number(kPages, 4) > 0;
    return isStated && file.size() < pageSize * number(kPages, 4) ? RecordedData::Cut : RecordedData::Whole;
}

RecordedData ofTrace(const SourceFile& source) {
    if (source.format == SourceFormat::Raw) return RecordedData::Whole;
    const auto file = ReadOnlyFile::open(source.path);
    if (!file.ok() || file.value().size() == 0) return RecordedData::Nothing;
    if (source.format == SourceFormat::Database) return ofDatabase(file.value());
    if (source.format != SourceFormat::TraceJson || source.path.extension() == ".gz") return RecordedData::Whole;
    return ofTimeline(file.value());
}

/// A table with a header alone has no rows.
bool hasRows(const TableFile& table) {
    const auto file = ReadOnlyFile::open(table.source.path);
    if (!file.ok()) return false;
    const std::string begin = bytesAt(file.value(), 0);
    const std::size_t line = begin.find('\n');
    return line != std::string::npos && begin.find_first_not_of(" \t\r\n", line) != std::string::npos;
}

}  // namespace

std::string_view newerFolderCode(RecordedData data) {
    switch (data) {
    case RecordedData::Nothing: return "newer_folder.empty";
    case RecordedData::Raw: return "newer_folder.raw";
    case RecordedData::Cut:
    case RecordedData::Whole: break;
    }
    return "newer_folder.cut";
}

RecordedData recordedData(const RankManifest& rank) {
    if (rank.info.state == RankState::Raw) return RecordedData::Raw;
    RecordedData most = RecordedData::Nothing;
    for (const SourceFile& trace : rank.traces) {
        const RecordedData one = ofTrace(trace);
        if (one == RecordedData::Cut) return one;
        most = std::max(most, one);
    }
    if (most == RecordedData::Nothing && std::any_of(rank.tables.begin(), rank.tables.end(), hasRows))
        return RecordedData::Whole;
    return most;
}

}  // namespace altiscope::reader
