#include "core/capture/files/json_document.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/capture/files/key_path.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::size_t kMaxDepth = 64;           // far beyond any configuration; bounds the recursion
constexpr std::size_t kMaxJsonBytes = 1 << 20;  // what torch_npu's watcher takes

bool isJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// `json` inside of objects for each word of `path`.
std::string nested(std::string_view path, std::string_view json) {
    if (path.empty()) return std::string(json);
    const auto [key, rest] = splitKeyPath(path);
    return "{" + jsonQuoted(key) + ": " + nested(rest, json) + "}";
}

}  // namespace

/// Finds where values stand. Whether they are well-formed was found out before.
class JsonDocument::Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    /// False beyond kMaxDepth.
    bool parse(Node& node, std::size_t depth = 0) {
        skipSpace();
        node.begin = m_at;
        if (depth > kMaxDepth) return false;
        const char first = m_text[m_at];
        bool good = true;
        if (first == '{') good = parseObject(node, depth);
        else if (first == '[') good = parseArray(depth);
        else if (first == '"') skipString();
        else
            while (m_at < m_text.size() && !isJsonSpace(m_text[m_at]) &&
                   std::string_view(",]}").find(m_text[m_at]) == std::string_view::npos)
                ++m_at;
        node.end = m_at;
        return good;
    }

private:
    void skipSpace() {
        while (m_at < m_text.size() && isJsonSpace(m_text[m_at])) ++m_at;
    }
    void skipString() {
        for (++m_at; m_text[m_at] != '"'; ++m_at) {
            if (m_text[m_at] == '\\') ++m_at;
        }
        ++m_at;
    }
    /// After an element: true if another one follows. Else the closing bracket is taken.
    bool another() {
        skipSpace();
        return m_text[m_at++] == ',';
    }
    bool parseObject(Node& node, std::size_t depth) {
        node.isObject = true;
        ++m_at;
        skipSpace();
        if (m_text[m_at] == '}') return ++m_at, true;
        do {
            skipSpace();
            const std::size_t begin = m_at;
            skipString();
            node.keyBegins.push_back(begin);
            node.keys.push_back(parseJson(m_text.substr(begin, m_at - begin)).get<std::string>());
            skipSpace();
            ++m_at;  // the colon
            if (!parse(node.members.emplace_back(), depth + 1)) return false;
        } while (another());
        return true;
    }
    bool parseArray(std::size_t depth) {
        ++m_at;
        skipSpace();
        if (m_text[m_at] == ']') return ++m_at, true;
        do {
            Node element;
            if (!parse(element, depth + 1)) return false;
        } while (another());
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

const JsonDocument::Node* JsonDocument::Node::member(std::string_view key) const {
    const auto found = std::find(keys.rbegin(), keys.rend(), key);
    return found == keys.rend() ? nullptr : &members[static_cast<std::size_t>(keys.rend() - found) - 1];
}

Result<JsonDocument> JsonDocument::parse(std::string text) {
    const auto bad = [](std::size_t line) {
        return Error{"capture.file.bad_json", {}, "line " + std::to_string(line), {}};
    };
    if (text.size() > kMaxJsonBytes) return Error{"file.too_large", {}, {}, {{"limit", std::to_string(kMaxJsonBytes)}}};
    // The library takes these; Python's parser does not, and places would count from elsewhere.
    if (text.starts_with("\xef\xbb\xbf") || text.find('\0') != std::string::npos) return bad(1);
    // Depth is bounded before anything recurses: the library's parser does not.
    std::size_t errorByte = 0;
    if (!parseJson(text, &errorByte).is_object()) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(errorByte, text.size()));
        return bad(1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n')));
    }
    JsonDocument document(std::move(text));
    if (!Parser(document.m_text).parse(document.m_root)) return bad(1);
    return document;
}

void JsonDocument::reparse() {
    m_root = {};
    Parser(m_text).parse(m_root);
}

const JsonDocument::Node* JsonDocument::nodeAt(std::string_view path) const {
    const Node* node = &m_root;
    while (node != nullptr && !path.empty()) {
        const auto [key, rest] = splitKeyPath(path);
        node = node->member(key);
        path = rest;
    }
    return node;
}

std::optional<std::string> JsonDocument::find(std::string_view path) const {
    const Node* node = nodeAt(path);
    if (node == nullptr) return std::nullopt;
    return m_text.substr(node->begin, node->end - node->begin);
}

void JsonDocument::set(std::string_view path, std::string_view json) {
    const Node* node = &m_root;
    while (node->isObject && !path.empty()) {
        const auto [key, rest] = splitKeyPath(path);
        const Node* next = node->member(key);
        if (next == nullptr) {
            insert(*node, key, nested(rest, json));
            return reparse();
        }
        node = next;
        path = rest;
    }
    m_text.replace(node->begin, node->end - node->begin, nested(path, json));
    reparse();
}

void JsonDocument::insert(const Node& object, std::string_view key, std::string_view json) {
    if (object.members.empty()) {
        m_text.replace(object.begin, object.end - object.begin, "{" + jsonQuoted(key) + ": " + std::string(json) + "}");
        return;
    }
    // Laid out as its neighbour: what stands before the last key, and between that key and its value.
    const std::size_t last = object.members.size() - 1;
    const std::size_t keyBegin = object.keyBegins[last];
    std::size_t before = keyBegin;
    while (isJsonSpace(m_text[before - 1])) --before;
    std::string space = m_text.substr(before, keyBegin - before);
    // The first member may stand right after its bracket.
    if (last == 0 && space.empty()) space = " ";
    m_text.insert(object.members[last].end, "," + space + jsonQuoted(key) + ": " + std::string(json));
}

void JsonDocument::collect(const Node& node, const std::string& path, std::vector<std::string>& out) {
    if (!node.isObject) return out.push_back(path);
    for (std::size_t i = 0; i < node.members.size(); ++i) {
        collect(node.members[i], path.empty() ? node.keys[i] : path + "." + node.keys[i], out);
    }
}

std::vector<std::string> JsonDocument::leaves(std::string_view path) const {
    std::vector<std::string> out;
    if (const Node* node = nodeAt(path)) collect(*node, std::string(path), out);
    return out;
}

void JsonDocument::remove(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    const Node* object = nodeAt(dot == std::string_view::npos ? std::string_view() : path.substr(0, dot));
    const std::string_view key = dot == std::string_view::npos ? path : path.substr(dot + 1);
    const Node* value = object == nullptr ? nullptr : object->member(key);
    if (value == nullptr) return;
    const auto i = static_cast<std::size_t>(value - object->members.data());
    // With the comma on one side, so that the layout of its neighbours stays.
    std::size_t begin = object->keyBegins[i], end = value->end;
    if (i > 0) begin = object->members[i - 1].end;
    else if (object->members.size() > 1) end = object->keyBegins[1];
    m_text.erase(begin, end - begin);
    reparse();
}

std::optional<std::string> jsonTakenBack(const std::string& text, const std::string& original,
                                         const std::string& written) {
    auto document = JsonDocument::parse(text);
    const auto before = JsonDocument::parse(original), ours = JsonDocument::parse(written);
    if (!document.ok() || !before.ok() || !ours.ok()) return std::nullopt;
    for (const std::string& path : ours.value().leaves({})) {
        const auto value = ours.value().find(path), old = before.value().find(path);
        // Another program may format the same value differently.
        const auto now = document.value().find(path);
        if (value == old || !now || parseJson(*now) != parseJson(*value)) continue;
        if (old) document.value().set(path, *old);
        else document.value().remove(path);
    }
    return document.value().text();
}

}  // namespace altiscope::capture
