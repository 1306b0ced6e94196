#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace altiscope::capture {

/// What the values of a field are.
enum class FieldType { Bool, Integer, Number, Text, Path, Choice, IntegerList, ChoiceList, TextList, Object };

/// One setting of a capture method. Form, validation, preview and help all come from these rows.
struct Field {
    static constexpr std::int64_t kNoMin = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kNoMax = std::numeric_limits<std::int64_t>::max();

    std::string_view name;  ///< As --set takes it.
    std::string_view key;   ///< Where it stands: dotted path in a file, or name of an option. Empty: steers us only.
    FieldType type = FieldType::Text;
    std::string_view standard = "\"\"";  ///< Value of a new configuration, as JSON.
    std::string_view unit = {};          ///< "step", "rank", "s", "ms", "MB", "Hz", ...; empty if it has none.
    /// Allowed words, separated by spaces; of a list: of each element; of a list of integers: instead of it.
    std::string_view choices = {};
    std::int64_t min = kNoMin;  ///< Of numbers and of elements of lists of numbers, inclusive.
    std::int64_t max = kNoMax;
    bool nullable = false;           ///< null is a value.
    bool absent = false;             ///< null is not written: the tool would take it for something else.
    std::string_view applies = {};   ///< When the tool looks at it: see conditions.h; empty: always.
    std::string_view variants = {};  ///< Flavours of the tool that know the row, separated by spaces; empty: all.
    bool fixed = false;              ///< What makes the method work: always written with `standard`.
    /// Written wherever it applies, also where nobody has set it: what the tool would take instead follows another row.
    bool stated = false;
    std::string_view joint = {};  ///< Between the elements of a list that the tool takes as one text; empty: as a list.

    constexpr Field when(std::string_view condition) const { return with(&Field::applies, condition); }
    constexpr Field in(std::string_view flavours) const { return with(&Field::variants, flavours); }
    constexpr Field orWord(std::string_view word) const { return with(&Field::choices, word); }
    constexpr Field orNull() const { return with(&Field::nullable); }
    constexpr Field orAbsent() const { return with(&Field::nullable).with(&Field::absent); }
    constexpr Field always() const { return with(&Field::fixed); }
    constexpr Field spelledOut() const { return with(&Field::stated); }
    constexpr Field joinedBy(std::string_view text) const { return with(&Field::joint, text); }

private:
    constexpr Field with(std::string_view Field::*member, std::string_view text) const {
        Field copy = *this;
        copy.*member = text;
        return copy;
    }
    constexpr Field with(bool Field::*member) const {
        Field copy = *this;
        copy.*member = true;
        return copy;
    }
};

/// "bool", "integer", "number", "text", "path", "choice", "list of integers", "list of choices", "list of texts",
/// "object".
std::string_view typeText(FieldType type);

/// Allowed values for people: ">= 1", "0..7", "text db"; empty if all are.
std::string rangeText(const Field& field);

}  // namespace altiscope::capture
