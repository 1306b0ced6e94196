#include "core/query/functions/text_functions.h"

#include "core/query/functions/sqlite_values.h"
#include "core/query/functions/text_patterns.h"
#include "core/query/functions/text_scan.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

namespace altiscope {

namespace {

void resultCancelled(sqlite3_context* context) { sqlite3_result_error_code(context, SQLITE_INTERRUPT); }
bool isNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

/// The value as text, whatever it was; a view as long as the value is.
std::string_view asText(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? std::string_view()
                           : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}
const char* asCText(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? "" : text;
}

/// Makes texts of all values but NULL. False if there is no memory for one, which is reported.
bool makeTexts(sqlite3_context* context, int count, sqlite3_value** values) {
    for (int i = 0; i < count; ++i) {
        if (isNull(values[i]) || sqlite3_value_text(values[i]) != nullptr) continue;
        sqlite3_result_error_nomem(context);
        return false;
    }
    return true;
}

/// instr(x, y): the place of y within x, counted from 1 in characters, in bytes if both are blobs; 0 if it is not
/// there.
void instrFunction(sqlite3_context* context, int, sqlite3_value** values) {
    if (isNull(values[0]) || isNull(values[1])) return;
    const bool isBytes = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
    if (!isBytes && !makeTexts(context, 2, values)) return;
    const std::string_view text = isBytes ? valueText(values[0]) : asText(values[0]);
    const std::string_view part = isBytes ? valueText(values[1]) : asText(values[1]);
    if (part.empty()) return resultInteger(context, 1);
    TextScan scan(text, part, tokenOf(context));
    while (const auto at = scan.next()) {
        // A part that begins within a character is not found there.
        if (!isBytes && *at > 0 && isWithinChar(text[*at])) {
            scan.goOnAt(*at + 1);
            continue;
        }
        if (*at == 0) return resultInteger(context, 1);
        // The first byte counts as a character, whatever it is.
        return resultInteger(context,
                             static_cast<std::int64_t>(isBytes ? *at + 1 : charCount(text.substr(1, *at - 1)) + 2));
    }
    scan.cancelled() ? resultCancelled(context) : resultInteger(context, 0);
}

/// replace(x, y, z): x with each y, from the left, as z.
void replaceFunction(sqlite3_context* context, int, sqlite3_value** values) {
    if (isNull(values[0]) || isNull(values[1])) return;
    if (!makeTexts(context, 3, values)) return;
    const std::string_view text = asText(values[0]), part = asText(values[1]);
    if (part.empty() || part.front() == '\0') return sqlite3_result_value(context, values[0]);
    if (isNull(values[2])) return;
    const std::string_view other = asText(values[2]);
    std::uint64_t parts = 0;
    TextScan count(text, part, tokenOf(context));
    while (const auto at = count.next()) {
        ++parts;
        count.goOnAt(*at + part.size());
    }
    if (count.cancelled()) return resultCancelled(context);
    const std::uint64_t bytes = text.size() + parts * other.size() - parts * part.size();
    const auto limit =
        static_cast<std::uint64_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
    if (bytes > limit) return sqlite3_result_error_toobig(context);
    auto* made = static_cast<char*>(sqlite3_malloc64(bytes + 1));
    if (made == nullptr) return sqlite3_result_error_nomem(context);
    char* end = made;
    const auto append = [&end](std::string_view piece) {
        std::memcpy(end, piece.data(), piece.size());
        end += piece.size();
    };
    std::size_t from = 0;
    TextScan scan(text, part, tokenOf(context));
    while (const auto at = scan.next()) {
        append(text.substr(from, *at - from));
        append(other);
        from = *at + part.size();
        scan.goOnAt(from);
    }
    if (scan.cancelled()) {
        sqlite3_free(made);
        return resultCancelled(context);
    }
    append(text.substr(from));
    *end = '\0';
    sqlite3_result_text64(context, made, bytes, sqlite3_free, SQLITE_UTF8);
}

/// Debian builds SQLite so that a blob matches no pattern.
bool areBlobsUnlike() {
    static const bool areUnlike = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") != 0;
    return areUnlike;
}

/// like(y, x), like(y, x, escape) and glob(y, x): the pattern comes first.
template <PatternKind kKind>
void patternFunction(sqlite3_context* context, int count, sqlite3_value** values) {
    sqlite3* connection = sqlite3_context_db_handle(context);
    const bool hasBlob = sqlite3_value_type(values[0]) == SQLITE_BLOB || sqlite3_value_type(values[1]) == SQLITE_BLOB;
    if (hasBlob && areBlobsUnlike()) return sqlite3_result_int(context, 0);
    if (sqlite3_value_bytes(values[0]) > sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1))
        return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
    if (!makeTexts(context, count, values)) return;
    std::uint32_t escape = 0;
    if (count == 3) {
        if (isNull(values[2])) return;
        std::string_view character = asText(values[2]);
        escape = takeSqliteChar(character);
        if (!character.empty() || escape == 0)
            return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
    }
    if (isNull(values[0]) || isNull(values[1])) return;
    const auto found = matchesPattern(kKind, asCText(values[0]), asCText(values[1]), escape, tokenOf(context));
    if (!found) return resultCancelled(context);
    sqlite3_result_int(context, *found ? 1 : 0);
}

/// trim(x, y), ltrim(x, y) and rtrim(x, y): x without the characters of y at its ends, those up to the first NUL.
template <bool kLeft, bool kRight>
void trimFunction(sqlite3_context* context, int, sqlite3_value** values) {
    if (isNull(values[0]) || isNull(values[1]) || !makeTexts(context, 2, values)) return;
    try {
        const auto left = trimmed(asText(values[0]), asCText(values[1]), kLeft, kRight, tokenOf(context));
        if (!left) return resultCancelled(context);
        sqlite3_result_text64(context, left->data() == nullptr ? "" : left->data(), left->size(), copyIt(),
                              SQLITE_UTF8);
    } catch (const std::bad_alloc&) { sqlite3_result_error_nomem(context); }
}

}  // namespace

int addTextFunctions(sqlite3* connection, const CancelToken& cancel) {
    struct Function {
        const char* name;
        int arguments;
        void (*call)(sqlite3_context*, int, sqlite3_value**);
    };
    constexpr Function kFunctions[] = {
        {"instr", 2, instrFunction},
        {"replace", 3, replaceFunction},
        {"like", 2, patternFunction<PatternKind::Like>},
        {"like", 3, patternFunction<PatternKind::Like>},
        {"glob", 2, patternFunction<PatternKind::Glob>},
        {"trim", 2, trimFunction<true, true>},
        {"ltrim", 2, trimFunction<true, false>},
        {"rtrim", 2, trimFunction<false, true>},
    };
    for (const Function& function : kFunctions) {
        constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
        const int rc =
            sqlite3_create_function_v2(connection, function.name, function.arguments, kFlags,
                                       const_cast<CancelToken*>(&cancel), function.call, nullptr, nullptr, nullptr);
        if (rc != SQLITE_OK) return rc;
    }
    return SQLITE_OK;
}

}  // namespace altiscope
