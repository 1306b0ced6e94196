#pragma once

#include <cstdint>

namespace altiscope::reader {

/// How many rows of a table may say to the letter what a row before them says.
enum class AlikeRows : std::uint8_t {
    Any,   ///< Rows that state no time, as two calls of an operator. They are not compared.
    Some,  ///< Samples: now and then two of a moment are alike.
    None,  ///< Each row states its time and what it is.
};

/// Whether a part of the table was appended to it once more: so many of its rows stand there again.
constexpr bool holdsRepetition(AlikeRows alike, std::uint64_t again, std::uint64_t rows) {
    constexpr std::uint64_t kRepeatedShare = 8;  // of the rows one at least
    return again > 0 && (alike == AlikeRows::None || (alike == AlikeRows::Some && again * kRepeatedShare >= rows));
}

}  // namespace altiscope::reader
