#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <memory>
#include <mutex>
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

    /// Fault of the pattern, and where it is; empty if nothing is.
    const std::string& problem() const { return m_problem; }

    /// Texts up to this length are searched within some ms, whatever the pattern.
    static constexpr std::size_t kShortText = 8192;

    enum class Match : std::uint8_t { No, Yes, TooCostly, Cancelled };
    /// Whether the pattern is found anywhere in the text. TooCostly for patterns that try too many ways ("(a+)+b"):
    /// some ms have gone by then. In longer texts than kShortText the search looks at the token with each part of the
    /// pattern that it tries, and is slower for it.
    Match search(std::string_view text, const CancelToken& cancel = CancelToken()) const;

private:
    struct Compiled;
    static std::unique_ptr<Compiled> compile(std::string_view pattern, unsigned options, std::string& problem);

    std::string m_pattern, m_problem;
    std::unique_ptr<Compiled> m_compiled;           ///< Null if there is a problem.
    mutable std::unique_ptr<Compiled> m_stoppable;  ///< The same for long texts, made for the first of them.
    mutable std::once_flag m_once;
};

}  // namespace altiscope
