#pragma once

#include <cstdint>

namespace altiscope::reader {

/// Kinds of values of a pickle, as far as a snapshot needs them.
enum class PickleKind : std::uint8_t {
    Nothing,  ///< No value.
    Opaque,   ///< Useless for a snapshot: bytes, a tuple, an integer of more than 64 bits.
    Integer,  ///< Also True and False.
    Text,
    Dict,
    List,    ///< Also a tuple with lists or dictionaries.
    Stack,   ///< Call frames that were a list.
    Pair,    ///< A tuple of two integers: `index` is that of its text, "(0, 1)".
    Global,  ///< A function of FORMAT.md section 2.
    Tuple,   ///< One that may be the arguments of such a function.
    // Useful only where they stand: kept nowhere, as Opaque there.
    Null,  ///< None.
    Real,
};

/// A value on the stack of the machine. Small on purpose: some writers put all entries there.
struct PickleValue {
    PickleKind kind = PickleKind::Nothing;
    PickleKind first = PickleKind::Nothing;  ///< Kind of a tuple's first item, see below; Nothing of an empty one.
    std::uint32_t index = 0;                 ///< Number of the text, dictionary, list, stack; of a tuple's first item.
    /// The integer, or the bits of the real; of a list that was a tuple the number of its first item.
    std::int64_t number = 0;
};

}  // namespace altiscope::reader
