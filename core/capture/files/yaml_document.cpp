#include "core/capture/files/yaml_document.h"

#include "core/base/values/parse.h"
#include "core/capture/files/key_path.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace altiscope::capture {

namespace {

constexpr std::size_t kMaxYamlBytes = 1 << 20;

std::string plainKey(std::string_view key) {
    if (key.size() >= 2 && (key[0] == '"' || key[0] == '\'') && key.back() == key[0])
        key = key.substr(1, key.size() - 2);
    std::string text(key);
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

/// After what is quoted at `at`, or `at` if nothing is.
std::size_t afterQuotes(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return at;
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote; ++at) {
        if (quote == '"' && text[at] == '\\') ++at;
    }
    return std::min(at + 1, text.size());
}

/// First of `marks` in [at, end) outside of quotes, brackets and comments; end if there is none.
std::size_t findOutside(std::string_view text, std::size_t at, std::size_t end, std::string_view marks) {
    int depth = 0;
    while (at < end) {
        const char c = text[at];
        if (depth == 0 && marks.find(c) != std::string_view::npos) return at;
        if (c == '"' || c == '\'') {
            at = afterQuotes(text, at);
            continue;
        }
        if (c == '#' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n')) {
            at = std::min(text.find('\n', at), end);
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at;
    }
    return end;
}

std::size_t lineEnd(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool isBlank(std::string_view line) {
    const auto text = trimmed(line);
    return text.empty() || text[0] == '#';
}

/// Position of the colon after a key that begins at `at`, or npos.
std::size_t colonAfterKey(std::string_view line, std::size_t at) {
    std::size_t colon = afterQuotes(line, at);
    for (; colon < line.size(); ++colon) {
        if (line[colon] == '#' && colon > 0 && line[colon - 1] == ' ') return std::string_view::npos;
        if (line[colon] == ':' && (colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\r'))
            return colon;
    }
    return std::string_view::npos;
}

}  // namespace

YamlDocument::Span YamlDocument::whole() const {
    // The mark of its encoding that a text may begin with is none of the first key.
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return {m_text.starts_with(kMark) ? kMark.size() : 0, m_text.size(), false};
}

Result<YamlDocument> YamlDocument::parse(std::string text) {
    const auto bad = [](std::size_t line) {
        return Error{"capture.file.bad_yaml", {}, "line " + std::to_string(line), {}};
    };
    if (text.size() > kMaxYamlBytes) return Error{"file.too_large", {}, {}, {{"limit", std::to_string(kMaxYamlBytes)}}};
    if (text.find('\0') != std::string::npos) return bad(1);
    const std::string_view all = text;
    std::size_t number = 1;
    bool hasContent = false;
    for (std::size_t at = 0; at < all.size(); at = lineEnd(all, at) + 1, ++number) {
        const auto line = all.substr(at, lineEnd(all, at) - at);
        const auto first = line.find_first_not_of(' ');
        if (first != std::string_view::npos && line[first] == '\t' && !isBlank(line)) return bad(number);
        if (line.starts_with("---") && hasContent) return bad(number);
        hasContent = hasContent || !isBlank(line);
    }
    return YamlDocument(std::move(text));
}

std::vector<YamlDocument::Entry> YamlDocument::blockEntries(Span span) const {
    const std::string_view all = m_text;
    std::vector<Entry> found;
    std::optional<std::size_t> indent;
    for (std::size_t at = span.begin; at < span.end;) {
        std::size_t end = lineEnd(all, at);
        const auto line = all.substr(at, end - at);
        const std::size_t depth = indentOf(line);
        const std::size_t next = std::min(end + 1, all.size());
        const bool isMark = line.starts_with("---") || line.starts_with("...") || line.starts_with("%");
        if (!isBlank(line) && !isMark && !indent) indent = depth;
        const std::size_t colon = isBlank(line) || isMark || depth != indent || line[depth] == '-'
                                      ? std::string_view::npos
                                      : colonAfterKey(line, depth);
        if (colon == std::string_view::npos) {
            // Belongs to the entry above; comments and blank lines only if more of it follows.
            if (!found.empty() && !isBlank(line)) found.back().bodyEnd = next;
            at = next;
            continue;
        }
        Entry entry;
        entry.key = plainKey(trimmed(line.substr(depth, colon - depth)));
        entry.indent = depth;
        const std::size_t begin = std::min(all.find_first_not_of(" \t", at + colon + 1), end);
        entry.valueBegin = entry.valueEnd = at + colon + 1;
        std::size_t after = next;
        if (begin < end && all[begin] != '#' && all[begin] != '\r') {
            std::size_t valueEnd = begin;
            if (all[begin] == '{' || all[begin] == '[') {
                // May go over several lines.
                valueEnd = std::min(findOutside(all, begin + 1, span.end, all[begin] == '{' ? "}" : "]") + 1, span.end);
                after = std::min(lineEnd(all, valueEnd) + 1, all.size());
            } else {
                valueEnd = afterQuotes(all, begin);
                if (valueEnd == begin) {
                    const auto comment = all.substr(begin, end - begin).find(" #");
                    valueEnd = comment == std::string_view::npos ? end : begin + comment;
                }
                while (valueEnd > begin && (all[valueEnd - 1] == ' ' || all[valueEnd - 1] == '\r')) --valueEnd;
            }
            entry.valueBegin = begin;
            entry.valueEnd = valueEnd;
        }
        entry.bodyBegin = entry.bodyEnd = after;
        found.push_back(std::move(entry));
        at = after;
    }
    return found;
}

std::vector<YamlDocument::Entry> YamlDocument::flowEntries(Span span) const {
    const std::string_view all = m_text;
    std::vector<Entry> found;
    for (std::size_t at = span.begin; at < span.end;) {
        const std::size_t end = findOutside(all, at, span.end, ",");
        const std::size_t colon = findOutside(all, at, end, ":");
        if (colon < end) {
            Entry entry;
            std::string_view key = all.substr(at, colon - at);
            // A comment above the key is none of it.
            if (const auto line = trimmed(key).rfind('\n'); line != std::string_view::npos)
                key = trimmed(key).substr(line);
            entry.key = plainKey(trimmed(key));
            entry.valueBegin = std::min(all.find_first_not_of(" \t\r\n", colon + 1), end);
            entry.valueEnd = end;
            while (entry.valueEnd > entry.valueBegin &&
                   std::string_view(" \t\r\n").find(all[entry.valueEnd - 1]) != std::string_view::npos)
                --entry.valueEnd;
            entry.bodyBegin = entry.bodyEnd = end;
            entry.inFlow = true;
            found.push_back(std::move(entry));
        }
        at = end + 1;
    }
    return found;
}

std::vector<YamlDocument::Entry> YamlDocument::entries(Span span) const {
    return span.inFlow ? flowEntries(span) : blockEntries(span);
}

std::optional<YamlDocument::Span> YamlDocument::mappingOf(const Entry& entry) const {
    const auto value = trimmed(std::string_view(m_text).substr(entry.valueBegin, entry.valueEnd - entry.valueBegin));
    if (value.starts_with('{') && value.ends_with('}')) return Span{entry.valueBegin + 1, entry.valueEnd - 1, true};
    if (!value.empty() || entry.inFlow) return std::nullopt;
    return Span{entry.bodyBegin, entry.bodyEnd, false};
}

std::string YamlDocument::valueOf(const Entry& entry) const {
    if (entry.valueBegin != entry.valueEnd) return m_text.substr(entry.valueBegin, entry.valueEnd - entry.valueBegin);
    const std::string_view all = m_text;
    std::string list;
    for (std::size_t at = entry.bodyBegin; at < entry.bodyEnd; at = lineEnd(all, at) + 1) {
        const auto line = trimmed(all.substr(at, lineEnd(all, at) - at));
        if (isBlank(line)) continue;
        if (!line.starts_with("- ")) return list.empty() ? std::string() : "{}";
        const auto item = line.substr(2);
        const auto comment = item.find(" #");
        list += (list.empty() ? "" : ", ") + std::string(trimmed(item.substr(0, comment)));
    }
    return list.empty() ? list : "[" + list + "]";
}

std::optional<std::string> YamlDocument::find(std::string_view path) const {
    Span span = whole();
    while (true) {
        const auto [key, rest] = splitKeyPath(path);
        const auto all = entries(span);
        const auto entry = std::find_if(all.rbegin(), all.rend(), [k = key](const Entry& e) { return e.key == k; });
        if (entry == all.rend()) return std::nullopt;
        if (rest.empty()) return valueOf(*entry);
        const auto inner = mappingOf(*entry);
        if (!inner) return std::nullopt;
        span = *inner;
        path = rest;
    }
}

std::vector<std::string> YamlDocument::keys(std::string_view path) const {
    Span span = whole();
    while (!path.empty()) {
        const auto [key, rest] = splitKeyPath(path);
        const auto all = entries(span);
        const auto entry = std::find_if(all.rbegin(), all.rend(), [k = key](const Entry& e) { return e.key == k; });
        const auto inner = entry == all.rend() ? std::nullopt : mappingOf(*entry);
        if (!inner) return {};
        span = *inner;
        path = rest;
    }
    std::vector<std::string> names;
    for (const Entry& entry : entries(span)) names.push_back(entry.key);
    return names;
}

void YamlDocument::replace(const Entry& entry, std::string_view yaml) {
    if (entry.valueBegin != entry.valueEnd) {
        // A plain text may go on in the lines below.
        m_text.erase(entry.bodyBegin, entry.bodyEnd - entry.bodyBegin);
        m_text.replace(entry.valueBegin, entry.valueEnd - entry.valueBegin, yaml);
        return;
    }
    // Lines of a list in block style go, comments between them stay.
    std::string kept;
    const std::string_view all = m_text;
    for (std::size_t at = entry.bodyBegin; at < entry.bodyEnd;) {
        const std::size_t next = std::min(lineEnd(all, at) + 1, entry.bodyEnd);
        if (isBlank(all.substr(at, next - at))) kept += all.substr(at, next - at);
        at = next;
    }
    m_text.replace(entry.bodyBegin, entry.bodyEnd - entry.bodyBegin, kept);
    m_text.insert(entry.valueBegin, " " + std::string(yaml));
}

void YamlDocument::insert(Span mapping, std::size_t indent, std::string_view path, std::string_view yaml) {
    const auto present = entries(mapping);
    if (mapping.inFlow) {
        std::string text;
        std::string closing;
        for (auto [key, rest] = splitKeyPath(path);; std::tie(key, rest) = splitKeyPath(rest)) {
            text += std::string(key) + ": ";
            if (rest.empty()) break;
            text += "{";
            closing += "}";
        }
        text += std::string(yaml) + closing;
        const std::size_t at = present.empty() ? mapping.begin : present.back().valueEnd;
        m_text.insert(at, (present.empty() ? "" : ", ") + text);
        return;
    }
    if (!present.empty()) indent = present.back().indent;
    std::string text;
    for (auto [key, rest] = splitKeyPath(path);; std::tie(key, rest) = splitKeyPath(rest)) {
        text += std::string(indent, ' ') + std::string(key) + ":";
        if (rest.empty()) break;
        text += "\n";
        indent += 2;
    }
    text += " " + std::string(yaml) + "\n";
    std::size_t at = present.empty() ? mapping.begin : present.back().bodyEnd;
    if (at > 0 && m_text[at - 1] != '\n') {
        m_text.insert(at, "\n");
        ++at;
    }
    m_text.insert(at, text);
}

Result<Done> YamlDocument::set(std::string_view path, std::string_view yaml) {
    Span span = whole();
    std::size_t indent = 0;
    while (true) {
        const auto [key, rest] = splitKeyPath(path);
        const auto all = entries(span);
        const auto entry = std::find_if(all.rbegin(), all.rend(), [k = key](const Entry& e) { return e.key == k; });
        if (entry == all.rend()) {
            insert(span, indent, path, yaml);
            return Done{};
        }
        const std::string value = valueOf(*entry);
        const bool isReference = !value.empty() && std::string_view("&*!|>").find(value[0]) != std::string_view::npos;
        const auto inner = mappingOf(*entry);
        if (isReference || (!rest.empty() && (!inner || value.starts_with('[')))) {
            const auto line =
                1 + std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(entry->valueBegin), '\n');
            return Error{"capture.file.bad_yaml", {}, "line " + std::to_string(line), {}};
        }
        if (rest.empty()) {
            replace(*entry, yaml);
            return Done{};
        }
        indent = entry->indent + 2;
        span = *inner;
        path = rest;
    }
}

}  // namespace altiscope::capture
