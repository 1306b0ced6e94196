#include "core/import/scan/source_sniffing.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/utf16.h"
#include "core/base/values/parse.h"
#include "core/import/csv/csv_borders.h"
#include "core/import/files/file_names.h"
#include "core/import/files/gzip_input.h"
#include "core/import/json/json_text.h"
#include "core/import/json/json_tokens.h"
#include "core/import/snapshot/pickle_place.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Converts a text in UTF-16 to UTF-8; leaves all else as it is.
std::string utf8Head(std::string head) {
    const auto form = utf16FormOf(head);
    if (!form) return head;
    std::string text;
    appendUtf8OfUtf16(std::string_view(head).substr(form->mark, (head.size() - form->mark) & ~std::size_t{1}),
                      form->order, {}, {}, text);
    return text;
}

/// The first bytes of a file; as many as its name for the list of events usually lies within.
constexpr std::size_t kHead = std::size_t{64} << 10;
std::string headOf(const std::filesystem::path& path, std::size_t bytes = kHead) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return {};
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, file.value().size())), '\0');
    const auto got = file.value().read(0, head);
    head.resize(got.ok() ? got.value() : 0);
    return utf8Head(std::move(head));
}

/// The same of what packed JSON holds.
std::string unpackedHeadOf(const std::filesystem::path& path, const CancelToken& cancel) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return {};
    GzipInput input(file.value(), cancel);
    std::string head(kHead, '\0');
    std::size_t size = 0;
    for (std::size_t got = 1; got > 0 && size < head.size(); size += got)
        got = input.read(std::span(head.data() + size, head.size() - size));
    head.resize(size);
    return utf8Head(std::move(head));
}

std::string traceHeadOf(const std::filesystem::path& path, const CancelToken& cancel) {
    return isPackedJson(path.filename().string()) ? unpackedHeadOf(path, cancel) : headOf(path);
}

std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && isJsonBlank(text.front())) text.remove_prefix(1);
    return text;
}

bool looksLikeTrace(std::string_view text) {
    static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    text = withoutBlanks(text);
    if (text.starts_with('{')) return text.find("\"traceEvents\"") != std::string_view::npos;
    if (!text.starts_with('[')) return false;
    text = withoutBlanks(text.substr(1));
    if (!text.starts_with('{')) return false;
    return text.substr(0, valueExtent(text).length).find("\"ph\"") != std::string_view::npos;
}

/// Cells of a CSV line; quotes keep commas together and are taken off.
std::vector<std::string> cellsOf(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) cells.emplace_back();
        else if (c != '\r') cells.back() += c;
    }
    return cells;
}

constexpr std::string_view kRankKey = "\"distributedInfo\"";

/// The rank in what stands behind that key.
std::optional<std::int64_t> rankOf(std::string_view text) {
    const std::string_view value = withoutBlanks(text);
    if (!value.starts_with(':')) return std::nullopt;
    const std::string_view object = withoutBlanks(value.substr(1));
    const auto facts = parseJson(object.substr(0, valueExtent(object).length));
    if (!facts.is_object() || !facts.contains("rank") || !facts["rank"].is_number_integer()) return std::nullopt;
    const auto rank = facts["rank"].get<std::int64_t>();
    return rank < 0 ? std::nullopt : std::optional(rank);
}

/// The last bytes of a file; empty if it cannot be read.
std::string tailOf(const std::filesystem::path& path) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return {};
    std::string tail(static_cast<std::size_t>(std::min<std::uint64_t>(file.value().size(), kHead)), '\0');
    const auto got = file.value().read(file.value().size() - tail.size(), tail);
    tail.resize(got.ok() ? got.value() : 0);
    return tail;
}

}  // namespace

FileType fileTypeOf(const std::filesystem::path& path) { return fileTypeOfHead(headOf(path)); }

FileType fileTypeOfHead(std::string_view text) {
    using namespace std::string_view_literals;
    if (text.starts_with("SQLite format 3\0"sv)) return FileType::Database;
    for (const std::string_view magic : {"PK\x03\x04"sv, "PK\x05\x06"sv, "\x1F\x8B"sv, "\x28\xB5\x2F\xFD"sv}) {
        if (text.starts_with(magic)) return FileType::Archive;
    }
    static constexpr std::size_t kTarMagic = 257;
    if (text.size() > kTarMagic && text.substr(kTarMagic).starts_with("ustar")) return FileType::Archive;
    if (mayBeSnapshot(text)) return FileType::Snapshot;
    return looksLikeTrace(utf8Head(std::string(text))) ? FileType::TraceJson : FileType::Unknown;
}

std::optional<std::int64_t> deviceInCsv(const std::filesystem::path& path) {
    // The first two lines mostly fit into a page or two, and many ranks have such files.
    constexpr std::size_t kFirstLook = std::size_t{8} << 10;
    std::string head;
    std::size_t first = std::string::npos, second = std::string::npos;
    for (const std::size_t bytes : {kFirstLook, kHead}) {
        head = headOf(path, bytes);
        const char lineEnd = CsvBorders::lineEndOf(head, false).value_or('\n');
        first = head.find(lineEnd);
        second = first == std::string::npos ? first : head.find(lineEnd, first + 1);
        if (second != std::string::npos) break;
    }
    if (second == std::string::npos) return std::nullopt;
    const auto names = cellsOf(std::string_view(head).substr(0, first));
    const auto values = cellsOf(std::string_view(head).substr(first + 1, second - first - 1));
    for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) {
        if (names[i] != "Device_id" && names[i] != "Device" && names[i] != "Device Type") continue;
        return wholeNumber(values[i].starts_with("NPU:") ? values[i].substr(4) : values[i]);
    }
    return std::nullopt;
}

bool holdsTrace(const std::filesystem::path& path, const CancelToken& cancel) {
    return fileTypeOfHead(traceHeadOf(path, cancel)) == FileType::TraceJson;
}

std::optional<std::int64_t> rankInTrace(const std::filesystem::path& path, const CancelToken& cancel) {
    const std::string head = traceHeadOf(path, cancel);
    const std::string_view front = std::string_view(head).substr(0, head.find("\"traceEvents\""));
    if (const std::size_t key = front.find(kRankKey); key != std::string_view::npos)
        return rankOf(front.substr(key + kRankKey.size()));
    if (isPackedJson(path.filename().string())) return std::nullopt;
    const std::string tail = tailOf(path);
    const std::size_t key = tail.rfind(kRankKey);
    if (key == std::string::npos) return std::nullopt;
    // Behind the list only what closes the object of the whole file follows; an argument of an event has more.
    const std::string rest = '{' + tail.substr(key);
    const ValueExtent extent = valueExtent(rest);
    if (extent.end != ValueExtent::End::Complete ||
        !withoutBlanks(std::string_view(rest).substr(extent.length)).empty())
        return std::nullopt;
    return rankOf(std::string_view(tail).substr(key + kRankKey.size()));
}

}  // namespace altiscope::reader
