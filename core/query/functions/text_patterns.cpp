#include "core/query/functions/text_patterns.h"

#include <sqlite3.h>

#include <cstddef>

namespace altiscope {

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

std::uint32_t lowered(std::uint32_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/// How one part of a pattern, not the wildcard for any number of characters, compares with the front of a text.
enum class PatternStep : std::uint8_t { Fits, Differs, TextEnded, Never };

/// The characters that mean something in a pattern.
struct Wildcards {
    std::uint32_t any = 0, one = 0, set = 0, escape = 0;
    bool ignoresCase = false;
};

Wildcards wildcardsOf(PatternKind kind, std::uint32_t escape) {
    if (kind == PatternKind::Glob) return {.any = '*', .one = '?', .set = '['};
    Wildcards like{.any = '%', .one = '_', .escape = escape, .ignoresCase = true};
    // A wildcard that is the escape is none.
    if (like.any == escape) like.any = 0;
    if (like.one == escape) like.one = 0;
    return like;
}

/// GLOB's "[...]" after its bracket. Takes it off the pattern.
PatternStep compareSet(std::string_view& pattern, std::string_view& text) {
    if (text.empty()) return PatternStep::TextEnded;
    const std::uint32_t c = takeSqliteChar(text);
    bool seen = false, inverted = false;
    std::uint32_t before = 0;
    std::uint32_t member = takeSqliteChar(pattern);
    if (member == '^') {
        inverted = true;
        member = takeSqliteChar(pattern);
    }
    if (member == ']') {
        seen = c == ']';
        member = takeSqliteChar(pattern);
    }
    while (member != 0 && member != ']') {
        if (member == '-' && !pattern.empty() && pattern.front() != ']' && before > 0) {
            member = takeSqliteChar(pattern);
            seen = seen || (c >= before && c <= member);
            before = 0;
        } else {
            seen = seen || c == member;
            before = member;
        }
        member = takeSqliteChar(pattern);
    }
    if (member == 0) return PatternStep::Never;
    return seen != inverted ? PatternStep::Fits : PatternStep::Differs;
}

PatternStep compareOne(const Wildcards& wild, std::string_view& pattern, std::string_view& text) {
    std::uint32_t wanted = takeSqliteChar(pattern);
    if (wild.set != 0 && wanted == wild.set) return compareSet(pattern, text);
    bool isPlain = false;
    if (wild.escape != 0 && wanted == wild.escape) {
        wanted = takeSqliteChar(pattern);
        if (wanted == 0) return PatternStep::Never;
        isPlain = true;
    }
    if (text.empty()) return PatternStep::TextEnded;
    const std::uint32_t c = takeSqliteChar(text);
    if (c == wanted || (wild.ignoresCase && c < 0x80 && wanted < 0x80 && lowered(c) == lowered(wanted)))
        return PatternStep::Fits;
    return !isPlain && wild.one != 0 && wanted == wild.one ? PatternStep::Fits : PatternStep::Differs;
}

bool startsWithAny(const Wildcards& wild, std::string_view pattern) {
    return wild.any != 0 && !pattern.empty() && static_cast<unsigned char>(pattern.front()) == wild.any;
}

/// Goes back to the last wildcard alone: what an earlier one could take more, the last one can take as well.
std::optional<bool> comparePattern(const Wildcards& wild, std::string_view pattern, std::string_view text,
                                   const CancelToken& cancel) {
    std::optional<std::string_view> retry;  // pattern after the last wildcard
    std::string_view retryText;
    for (std::uint32_t steps = 1;; ++steps) {
        if ((steps & 4095U) == 0 && cancel.cancelled()) return std::nullopt;
        PatternStep step = PatternStep::Differs;
        if (startsWithAny(wild, pattern)) {
            pattern.remove_prefix(1);
            if (pattern.empty()) return true;
            retry = pattern;
            retryText = text;
            continue;
        }
        if (pattern.empty()) {
            if (text.empty()) return true;
        } else {
            step = compareOne(wild, pattern, text);
        }
        if (step == PatternStep::Fits) continue;
        if (step != PatternStep::Differs || !retry || retryText.empty()) return false;
        static_cast<void>(takeSqliteChar(retryText));
        pattern = *retry;
        text = retryText;
    }
}

}  // namespace

std::uint32_t takeSqliteChar(std::string_view& text) {
    if (text.empty()) return 0;
    std::uint32_t c = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (c < 0xc0) return c;
    // Bits of the lead byte; of the last two, which begin no character, none.
    c = c < 0xe0 ? c & 0x1fU : c < 0xf0 ? c & 0x0fU : c < 0xf8 ? c & 7U : c < 0xfc ? c & 3U : c < 0xfe ? c & 1U : 0;
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xc0U) == 0x80) {
        c = (c << 6U) + (static_cast<unsigned char>(text.front()) & 0x3fU);
        text.remove_prefix(1);
    }
    const bool isNone = c < 0x80 || (c & 0xfffff800U) == 0xd800 || (c & 0xfffffffeU) == 0xfffe;
    return isNone ? kReplacement : c;
}

std::optional<bool> matchesPattern(PatternKind kind, const char* pattern, const char* text, std::uint32_t escape,
                                   const CancelToken& cancel) {
    // SQLite's functions are faster, and done within some ms for so few steps.
    constexpr std::size_t kFewSteps = std::size_t{1} << 20;
    const std::string_view wanted(pattern), given(text);
    if ((wanted.size() + 1) * (given.size() + 1) > kFewSteps || escape == '%' || escape == '_')
        return comparePattern(wildcardsOf(kind, escape), wanted, given, cancel);
    return (kind == PatternKind::Glob ? sqlite3_strglob(pattern, text) : sqlite3_strlike(pattern, text, escape)) == 0;
}

}  // namespace altiscope
