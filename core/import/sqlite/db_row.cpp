#include "core/import/sqlite/db_row.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/import/communication/communication_names.h"
#include "core/store/rows/row_table.h"

#include <charconv>
#include <cmath>

namespace altiscope::reader {

bool hasLostDigits(double number) {
    static constexpr double kExact = 9007199254740992.0;  // whole numbers up to there are doubles
    return (std::abs(number) > kExact && std::abs(number) <= static_cast<double>(kMaxTimeNs)) ||
           number != std::floor(number);
}

std::optional<std::int64_t> DbRow::converted(int column, DbProblem otherType, DbProblem tooLarge) const {
    switch (typeOf(column)) {
    case SQLITE_NULL: return std::nullopt;
    case SQLITE_INTEGER: return integerAt(column);
    case SQLITE_FLOAT: {
        // NUMERIC columns may come back as reals, and so does every number beyond 64 bits.
        static constexpr double kLimit = 9223372036854775808.0;
        const double value = realAt(column);
        if (value >= -kLimit && value < kLimit) {
            if (hasLostDigits(value)) problem(DbProblem::InexactTime, column);
            return static_cast<std::int64_t>(std::llround(value));
        }
        problem(tooLarge, column);
        return std::nullopt;
    }
    case SQLITE_TEXT: {
        const std::string_view digits = text(column);
        const char* const last = digits.data() + digits.size();
        const PlainDecimal plain = plainDecimal(digits.data(), last);
        if (plain.end != nullptr && plain.end == last && plain.fraction == 0 &&
            plain.digits <= std::uint64_t{INT64_MAX})
            return static_cast<std::int64_t>(plain.digits);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), last, value);
        if (error == std::errc{} && end == last) return value;
        problem(error == std::errc::result_out_of_range ? tooLarge : otherType, column);
        return std::nullopt;
    }
    default: problem(otherType, column); return std::nullopt;
    }
}

std::optional<std::int64_t> DbRow::cell(int column) const {
    const auto value = integer(column);
    if (value != kNoCell) return value;
    problem(DbProblem::OddType, column);
    return std::nullopt;
}

std::optional<std::int64_t> DbRow::scaled(int column, std::int64_t factor) const {
    std::optional<std::int64_t> value;
    switch (typeOf(column)) {
    case SQLITE_NULL: return std::nullopt;
    // The shortest text of a real is what its writer printed, or would have.
    case SQLITE_FLOAT: value = parseScaled(shortestNumber(realAt(column)), factor); break;
    case SQLITE_BLOB: break;
    default: value = parseScaled(text(column), factor);
    }
    if (!value) problem(DbProblem::OddType, column);
    return value;
}

std::optional<std::int64_t> DbRow::convertedTime(int column) const {
    if (!isNull(column)) return converted(column, DbProblem::WrongType, DbProblem::OutOfRange);
    problem(DbProblem::MissingTime, column);
    return std::nullopt;
}

std::optional<std::int64_t> DbRow::convertedId(int column) const {
    if (!isNull(column)) return converted(column, DbProblem::MissingId, DbProblem::MissingId);
    problem(DbProblem::MissingId, column);
    return std::nullopt;
}

std::int64_t DbRow::convertedNameId(int column) const {
    const auto id = isNull(column) ? std::nullopt : converted(column, DbProblem::MissingName, DbProblem::MissingName);
    if (id && *id >= 0) return *id;
    // A cell that is no number at all has been reported by then.
    if (id || isNull(column)) problem(DbProblem::MissingName, column);
    return -1;
}

std::optional<std::int64_t> DbRow::amount(int column, std::int64_t factor) const {
    const auto value = scaled(column, factor);
    if (!value || *value >= 0) return value;
    problem(DbProblem::OddNumber, column);
    return std::nullopt;
}

std::optional<std::int64_t> DbRow::step(int column) const {
    const std::string_view word = text(column);
    const auto number = recordedStep(word);
    if (!number && !word.empty() && word != "step") problem(DbProblem::OddType, column);
    return number;
}

std::int64_t DbRow::durationFrom(std::int64_t begin, int column) const {
    auto end = plain(column);
    if (!end && isNull(column)) {
        problem(DbProblem::MissingEnd, column);
        return 0;
    }
    if (!end) end = converted(column, DbProblem::MissingEnd, DbProblem::MissingEnd);
    if (!end) return 0;
    if (*end < begin) {
        problem(DbProblem::NegativeDuration, column);
        return 0;
    }
    if (*end > kMaxTimeNs) {
        problem(DbProblem::MissingEnd, column);
        return 0;
    }
    return *end - begin;
}

std::optional<double> DbRow::real(int column, DbProblem otherType) const {
    const int type = typeOf(column);
    if (type == SQLITE_NULL) return std::nullopt;
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        const double value = realAt(column);
        if (std::isfinite(value)) return value;
    } else if (type == SQLITE_TEXT) {
        const std::string_view digits = text(column);
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error == std::errc{} && end == digits.data() + digits.size() && std::isfinite(value)) return value;
    }
    problem(otherType, column);
    return std::nullopt;
}

}  // namespace altiscope::reader
