#include "core/import/json/json_leaves.h"

#include "core/import/json/json_text.h"
#include "core/import/json/json_tokens.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

std::size_t skipBlanks(std::string_view text, std::size_t at) {
    while (at < text.size() && isJsonBlank(text[at])) ++at;
    return at;
}

}  // namespace

JsonLeafWalk::State JsonLeafWalk::advance(std::string_view text, std::vector<JsonLeaf>& leaves, std::size_t limit) {
    const std::size_t before = leaves.size();
    while (leaves.size() - before < limit) {
        if (const auto ended = turn(text, leaves)) return *ended;
    }
    return State::NeedMore;
}

std::optional<JsonLeafWalk::State> JsonLeafWalk::turn(std::string_view text, std::vector<JsonLeaf>& leaves) {
    std::size_t at = skipBlanks(text, m_at);
    if (at == text.size()) return State::NeedMore;
    if (m_depth == 0) {
        if (text[at] != '{') return State::Broken;
        ++m_depth;
        m_keys.open();
        m_at = at + 1;
        return std::nullopt;
    }
    if (text[at] == ',') at = skipBlanks(text, at + 1);
    if (at == text.size()) return State::NeedMore;
    if (text[at] == '}') return close(at);
    if (text[at] != '"') return brokenAt(at);
    const ValueExtent key = valueExtent(text.substr(at));
    if (key.end == ValueExtent::End::NeedMore) return State::NeedMore;
    if (key.end == ValueExtent::End::Broken) return brokenAt(at + key.length);
    const std::size_t colon = skipBlanks(text, at + key.length);
    if (colon == text.size()) return State::NeedMore;
    if (text[colon] != ':') return brokenAt(colon);
    const std::size_t value = skipBlanks(text, colon + 1);
    if (value == text.size()) return State::NeedMore;
    return member(text, {unescapedJson(text.substr(at + 1, key.length - 2)).text, at, value}, leaves);
}

std::optional<JsonLeafWalk::State> JsonLeafWalk::close(std::size_t at) {
    m_at = at + 1;
    m_keys.close();
    if (--m_depth == 0) return State::Done;
    m_path.pop_back();
    return std::nullopt;
}

std::optional<JsonLeafWalk::State> JsonLeafWalk::member(std::string_view text, Member one,
                                                        std::vector<JsonLeaf>& leaves) {
    bool isLeaf = false;
    if (text[one.value] == '{') {
        const auto beginsLeaf = hasLeafKey(text, one.value);
        if (!beginsLeaf) return State::NeedMore;
        if (!*beginsLeaf) return enter(std::move(one));
        isLeaf = true;
    }
    const ValueExtent value = valueExtent(text.substr(one.value));
    if (value.end == ValueExtent::End::NeedMore) return State::NeedMore;
    if (value.end == ValueExtent::End::Broken) {
        m_isTooDeep = value.isTooDeep;
        return brokenAt(one.value + value.length);
    }
    m_keys.see(one.name, m_shortened + one.key);
    m_at = one.value + value.length;
    if (isLeaf) {
        leaves.push_back({m_path, one.value, value.length});
        leaves.back().path.push_back(std::make_shared<const std::string>(std::move(one.name)));
        return std::nullopt;
    }
    // The keys of operators end with their group.
    const bool isOperator = one.name.find('@') != std::string::npos;
    const char first = text[one.value];
    const bool isFact = m_depth == 1 && !isOperator && first != '{' && first != '[' && first != 'n';
    Oddities& odd = isFact ? m_oddFacts : m_odd;
    if (odd.count++ == 0) odd.first = m_shortened + one.value;
    return std::nullopt;
}

std::optional<bool> JsonLeafWalk::hasLeafKey(std::string_view text, std::size_t object) const {
    const std::size_t first = skipBlanks(text, object + 1);
    if (first == text.size()) return std::nullopt;
    if (text[first] != '"') return false;
    const ValueExtent key = valueExtent(text.substr(first));
    if (key.end == ValueExtent::End::NeedMore) return std::nullopt;
    const std::string_view word = text.substr(first + 1, key.length < 2 ? 0 : key.length - 2);
    return std::find(m_leafKeys.begin(), m_leafKeys.end(), word) != m_leafKeys.end();
}

std::optional<JsonLeafWalk::State> JsonLeafWalk::enter(Member one) {
    if (++m_depth > kMaxNesting) {
        m_isTooDeep = true;
        return brokenAt(one.value);
    }
    m_keys.see(one.name, m_shortened + one.key);
    m_keys.open();
    m_path.push_back(std::make_shared<const std::string>(std::move(one.name)));
    m_at = one.value + 1;
    return std::nullopt;
}

}  // namespace altiscope::reader
