#include "core/import/csv/csv_borders.h"

#include <algorithm>
#include <cstring>

namespace altiscope::reader {

namespace {

constexpr auto npos = std::string_view::npos;

/// Where the quoted cell that opens at `open` closes; npos if it does not within the text.
std::size_t closingQuote(std::string_view text, std::size_t open, bool isLast) {
    for (std::size_t at = open + 1; (at = text.find('"', at)) != npos; at += 2) {
        // At the end of the text a second quote may follow.
        if (at + 1 == text.size()) return isLast ? at : npos;
        if (text[at + 1] != '"') return at;
    }
    return npos;
}

/// The line end that is the last in [from, to); npos if there is none.
std::size_t lastLineEnd(std::string_view text, std::size_t from, std::size_t to, char lineEnd) {
    const std::size_t at = text.substr(from, to - from).rfind(lineEnd);
    return at == npos ? npos : from + at;
}

/// @param tail  From here on the last line end is looked for: searching backwards is slow.
CsvBorders::Found findBorders(std::string_view text, std::size_t partBytes, bool isLast, std::size_t tail,
                              char lineEnd) {
    // At the end of the text a line feed may follow.
    if (lineEnd == '\r' && !isLast && text.ends_with('\r')) text.remove_suffix(1);
    using Found = CsvBorders::Found;
    Found found;
    std::size_t target = partBytes;
    std::size_t last = npos;  // the last end of a record so far
    const auto closeWith = [&](std::size_t end) {
        if (end == npos) return;
        if (lineEnd == '\r' && text.substr(end + 1).starts_with('\n')) ++end;
        if (found.ends.empty() || found.ends.back() < end + 1) found.ends.push_back(end + 1);
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t quote = std::min(text.find('"', at), text.size());
        // Between `at` and the quote every line end is one of a record.
        while (quote > target) {
            const std::size_t end = text.find(lineEnd, std::max(at, target));
            if (end == npos || end >= quote) break;
            closeWith(end);
            target = end + 1 + partBytes;
        }
        if (quote > tail) {
            if (const std::size_t end = lastLineEnd(text, at, quote, lineEnd); end != npos) last = end;
        }
        if (quote == text.size()) break;
        const bool opens =
            quote == 0 || text[quote - 1] == ',' || text[quote - 1] == '\n' || text[quote - 1] == lineEnd;
        if (!opens) {
            at = quote + 1;
            continue;
        }
        const std::size_t close = closingQuote(text, quote, isLast);
        const std::size_t length = std::min(close, text.size()) - quote;
        if (close == npos || length > CsvBorders::kMaxCell) {
            const bool isStray = length > CsvBorders::kMaxCell || (isLast && length > CsvBorders::kMaxCutCell);
            if (isStray) found.strayQuote = quote;
            found.isQuoteOpen = true;
            break;
        }
        at = close + 1;
    }
    closeWith(last);
    return found;
}

}  // namespace

std::optional<char> CsvBorders::lineEndOf(std::string_view text, bool isLast) {
    const std::size_t loader = std::min(text.find('\n'), text.size());
    const std::size_t carriage = text.substr(0, loader).find('\r');
    if (carriage != npos && carriage + 1 < loader) return '\r';
    if (loader < text.size()) return '\n';
    if (carriage != npos && isLast) return '\r';
    return isLast ? std::optional('\n') : std::nullopt;
}

CsvBorders::Found CsvBorders::find(std::string_view text, std::size_t partBytes, bool isLast, char lineEnd) {
    static constexpr std::size_t kTail = std::size_t{64} << 10;
    static constexpr std::size_t kLong = std::size_t{1} << 20;
    const std::size_t tail = text.size() > kTail && !isLast ? text.size() - kTail : 0;
    Found found = findBorders(text, partBytes, isLast, tail, lineEnd);
    if (found.ends.empty() && tail > 0) found = findBorders(text, partBytes, isLast, 0, lineEnd);
    const bool isMixed = found.ends.empty() && found.strayQuote == npos && text.size() > kLong;
    return isMixed ? findBorders(text, partBytes, isLast, 0, lineEnd == '\r' ? '\n' : '\r') : found;
}

}  // namespace altiscope::reader
