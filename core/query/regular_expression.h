#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope {

/// A pattern in the syntax of Perl (PCRE2), compiled. Texts are UTF-8; bytes that are none match no character.
/// Thread: matches() from any number of threads at a time.
class RegularExpression {
public:
    explicit RegularExpression(std::string_view pattern);
    ~RegularExpression();
    RegularExpression(const RegularExpression&) = delete;
    RegularExpression& operator=(const RegularExpression&) = delete;

    /// What is wrong with the pattern, and where; empty if nothing is.
    const std::string& problem() const { return m_problem; }

    enum class Match : std::uint8_t { No, Yes, TooCostly };
    /// Whether the pattern is found anywhere in the text. TooCostly for patterns that try too many ways ("(a+)+b"): some ms
    /// have gone by then.
    Match search(std::string_view text) const;

private:
    struct Compiled;
    std::unique_ptr<Compiled> m_compiled;  ///< Null if there is a problem.
    std::string m_problem;
};

}  // namespace altiscope
