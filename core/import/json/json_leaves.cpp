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
    // Each turn takes one member or one bracket; only then m_at moves, so that a turn without its end is taken again.
    while (leaves.size() - before < limit) {
        std::size_t at = skipBlanks(text, m_at);
        if (at == text.size()) return State::NeedMore;
        if (m_depth == 0) {
            if (text[at] != '{') return State::Broken;
            ++m_depth;
            m_keys.open();
            m_at = at + 1;
            continue;
        }
        if (text[at] == ',') at = skipBlanks(text, at + 1);
        if (at == text.size()) return State::NeedMore;
        if (text[at] == '}') {
            m_at = at + 1;
            m_keys.close();
            if (--m_depth == 0) return State::Done;
            m_path.pop_back();
            continue;
        }
        if (text[at] != '"') {
            m_at = at;
            return State::Broken;
        }
        const ValueExtent key = valueExtent(text.substr(at));
        if (key.end == ValueExtent::End::NeedMore) return State::NeedMore;
        if (key.end == ValueExtent::End::Broken) {
            m_at = at + key.length;
            return State::Broken;
        }
        const std::size_t place = at;
        std::string name = unescapedJson(text.substr(at + 1, key.length - 2)).text;
        at = skipBlanks(text, at + key.length);
        if (at == text.size()) return State::NeedMore;
        if (text[at] != ':') {
            m_at = at;
            return State::Broken;
        }
        at = skipBlanks(text, at + 1);
        if (at == text.size()) return State::NeedMore;
        bool isLeaf = false;
        if (text[at] == '{') {
            const std::size_t first = skipBlanks(text, at + 1);
            if (first == text.size()) return State::NeedMore;
            if (text[first] == '"') {
                const ValueExtent inner = valueExtent(text.substr(first));
                if (inner.end == ValueExtent::End::NeedMore) return State::NeedMore;
                const std::string_view word = text.substr(first + 1, inner.length < 2 ? 0 : inner.length - 2);
                isLeaf = std::find(m_leafKeys.begin(), m_leafKeys.end(), word) != m_leafKeys.end();
            }
            if (!isLeaf) {
                if (++m_depth > kMaxNesting) {
                    m_isTooDeep = true;
                    m_at = at;
                    return State::Broken;
                }
                m_keys.see(name, m_shortened + place);
                m_keys.open();
                m_path.push_back(std::make_shared<const std::string>(std::move(name)));
                m_at = at + 1;
                continue;
            }
        }
        const ValueExtent value = valueExtent(text.substr(at));
        if (value.end == ValueExtent::End::NeedMore) return State::NeedMore;
        if (value.end == ValueExtent::End::Broken) {
            m_isTooDeep = value.isTooDeep;
            m_at = at + value.length;
            return State::Broken;
        }
        m_keys.see(name, m_shortened + place);
        if (isLeaf) {
            leaves.push_back({m_path, at, value.length});
            leaves.back().path.push_back(std::make_shared<const std::string>(std::move(name)));
        } else {
            // The keys of operators end with their group.
            const bool isOperator = name.find('@') != std::string::npos;
            const bool isFact = m_depth == 1 && !isOperator && text[at] != '{' && text[at] != '[' && text[at] != 'n';
            Oddities& odd = isFact ? m_oddFacts : m_odd;
            if (odd.count++ == 0) odd.first = m_shortened + at;
        }
        m_at = at + value.length;
    }
    return State::NeedMore;
}

}  // namespace altiscope::reader
