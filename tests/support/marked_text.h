#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace altiscope::test {

/// A text in which "<a>", "<b>", ... name places: they are no part of it, and what is expected can refer to them as
/// "{a}".
struct MarkedText {
    std::string text;
    std::map<char, std::size_t> places;

    explicit MarkedText(std::string_view marked) {
        for (std::size_t i = 0; i < marked.size(); ++i) {
            const bool isMark = i + 2 < marked.size() && marked[i] == '<' && marked[i + 1] >= 'a' &&
                                marked[i + 1] <= 'z' && marked[i + 2] == '>';
            if (!isMark) {
                text += marked[i];
                continue;
            }
            places[marked[i + 1]] = text.size();
            i += 2;
        }
    }

    /// `expected` with "{a}" replaced by the offset of "<a>".
    std::string resolved(std::string_view expected) const {
        std::string out;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const bool isMark = i + 2 < expected.size() && expected[i] == '{' && expected[i + 2] == '}' &&
                                places.count(expected[i + 1]) > 0;
            if (!isMark) {
                out += expected[i];
                continue;
            }
            out += std::to_string(places.at(expected[i + 1]));
            i += 2;
        }
        return out;
    }
};

}  // namespace altiscope::test
