#include "core/import/json/json_event.h"

#include "core/import/json/json_text.h"

namespace altiscope::reader {

bool JsonCursor::hasNoZero(std::uint32_t at) const { return text(at).find('\0') == std::string_view::npos; }

std::uint32_t JsonCursor::skipNested(std::uint32_t at, int depth) const {
    switch (kind(at)) {
    case TokenClass::OpenObject: return depth < kMaxDepth ? skipObject(at, depth + 1) : kBroken;
    case TokenClass::OpenArray: return depth < kMaxDepth ? skipArray(at, depth + 1) : kBroken;
    case TokenClass::String:
    case TokenClass::Scalar:
    case TokenClass::Bad:
    case TokenClass::CloseObject:
    case TokenClass::CloseArray:
    case TokenClass::Comma:
    case TokenClass::Colon: break;
    }
    return kBroken;
}

bool JsonCursor::isTooDeep(std::uint32_t at) const {
    for (int depth = 0; at < m_count; ++at) {
        const TokenClass token = kind(at);
        if (token == TokenClass::OpenObject || token == TokenClass::OpenArray) ++depth;
        if (token == TokenClass::CloseObject || token == TokenClass::CloseArray) --depth;
        // The value itself, and as many within it.
        if (depth > kMaxDepth + 1) return true;
    }
    return false;
}

std::uint32_t JsonCursor::skipObject(std::uint32_t at, int depth) const {
    if (kind(at + 1) == TokenClass::CloseObject) return at + 2;
    for (std::uint32_t key = at + 1;;) {
        if (kind(key) != TokenClass::String || kind(key + 1) != TokenClass::Colon) return kBroken;
        const std::uint32_t after = skipValue(key + 2, depth);
        if (after == kBroken) return kBroken;
        if (kind(after) == TokenClass::CloseObject) return after + 1;
        if (kind(after) != TokenClass::Comma) return kBroken;
        key = after + 1;
    }
}

std::uint32_t JsonCursor::skipArray(std::uint32_t at, int depth) const {
    if (kind(at + 1) == TokenClass::CloseArray) return at + 2;
    for (std::uint32_t value = at + 1;;) {
        const std::uint32_t after = skipValue(value, depth);
        if (after == kBroken) return kBroken;
        if (kind(after) == TokenClass::CloseArray) return after + 1;
        if (kind(after) != TokenClass::Comma) return kBroken;
        value = after + 1;
    }
}

namespace {

std::string_view* fieldOf(JsonEvent& event, std::string_view key) {
    switch (key.size()) {
    case 2:
        if (isWord(key, "ph")) return &event.phase;
        if (isWord(key, "ts")) return &event.time;
        if (isWord(key, "id")) return &event.id;
        break;
    case 3:
        if (isWord(key, "pid")) return &event.process;
        if (isWord(key, "tid")) return &event.thread;
        if (isWord(key, "dur")) return &event.duration;
        if (isWord(key, "cat")) return &event.category;
        break;
    case 4:
        if (isWord(key, "name")) return &event.name;
        break;
    case 5:
        if (isWord(key, "cname")) return &event.colour;
        break;
    default: break;
    }
    return nullptr;
}

}  // namespace

void JsonCursor::assign(JsonEvent& event, std::string_view key, std::uint32_t value) const {
    if (std::string_view* field = fieldOf(event, key)) {
        const std::string_view found = text(value);
        if (!field->empty() && *field != found) event.repeats = true;
        *field = found;
    } else if (isWord(key, "args")) {
        event.repeats = event.repeats || event.args != 0;
        event.args = value;
    } else if (isWord(key, "id2")) {
        event.id2 = value;
    } else if (key.find('\\') != std::string_view::npos) {
        // A key may be spelt with escapes. The text without them has none left, or the key is none of ours.
        const std::string plain = unescapedJson(key).text;
        if (plain.find('\\') == std::string::npos) assign(event, plain, value);
    }
}

std::uint32_t JsonCursor::readEvent(std::uint32_t at, JsonEvent& event) const {
    event = {};
    if (kind(at + 1) == TokenClass::CloseObject) return at + 2;
    event.hasFields = true;
    for (std::uint32_t key = at + 1;;) {
        if (kind(key) != TokenClass::String || kind(key + 1) != TokenClass::Colon) return kBroken;
        const std::uint32_t after = skipValue(key + 2);
        if (after == kBroken) return kBroken;
        const std::string_view quoted = text(key);
        assign(event, quoted.substr(1, quoted.size() - 2), key + 2);
        if (kind(after) == TokenClass::CloseObject) return after + 1;
        if (kind(after) != TokenClass::Comma) return kBroken;
        key = after + 1;
    }
}

}  // namespace altiscope::reader
