#include "core/query/functions/regexp_function.h"

#include "core/base/text/regular_expression.h"
#include "core/query/functions/sqlite_values.h"

#include <sqlite3.h>

#include <memory>
#include <new>
#include <string>

namespace altiscope {

namespace {

using Expression = std::shared_ptr<const RegularExpression>;

/// The pattern of this call, compiled. SQLite may keep it for the next rows, or let it go at once.
Expression expressionOf(sqlite3_context* context, sqlite3_value* pattern) {
    if (const void* kept = sqlite3_get_auxdata(context, 0)) return *static_cast<const Expression*>(kept);
    const auto expression = std::make_shared<const RegularExpression>(valueText(pattern));
    auto kept = std::make_unique<Expression>(expression);
    sqlite3_set_auxdata(context, 0, kept.release(), [](void* old) { delete static_cast<Expression*>(old); });
    return expression;
}

/// regexp(pattern, text): SQLite turns the sides of the operator round.
void regexp(sqlite3_context* context, int, sqlite3_value** arguments) {
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL || sqlite3_value_type(arguments[1]) == SQLITE_NULL) return;
    try {
        // Values that are no texts are compared as texts, as LIKE does it.
        static_cast<void>(sqlite3_value_text(arguments[0]));
        static_cast<void>(sqlite3_value_text(arguments[1]));
        const Expression expression = expressionOf(context, arguments[0]);
        if (!expression->problem().empty()) {
            return sqlite3_result_error(context, ("regular expression: " + expression->problem()).c_str(), -1);
        }
        const auto& cancel = tokenOf(context);
        const RegularExpression::Match match = expression->search(valueText(arguments[1]), cancel);
        if (match == RegularExpression::Match::Cancelled) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
        if (match == RegularExpression::Match::TooCostly) {
            return sqlite3_result_error(context, "regular expression: it tries too many ways", -1);
        }
        sqlite3_result_int(context, match == RegularExpression::Match::Yes ? 1 : 0);
    } catch (const std::bad_alloc&) { sqlite3_result_error_nomem(context); }
}

}  // namespace

int addRegexpFunction(sqlite3* connection, const CancelToken& cancel) {
    return sqlite3_create_function_v2(connection, "regexp", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      const_cast<CancelToken*>(&cancel), regexp, nullptr, nullptr, nullptr);
}

}  // namespace altiscope
