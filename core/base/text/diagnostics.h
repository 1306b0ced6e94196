#pragma once

#include "core/base/values/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// How much a diagnostic matters for what is shown.
enum class Severity : std::uint8_t {
    Info,      ///< Worth knowing; nothing changed.
    Repaired,  ///< A record was kept in a changed form, by a named rule.
    Lost,      ///< A record or more is not in the tables.
};

/// "info", "repaired", "lost": the words of resources/help/reference/json.md.
std::string_view severityName(Severity severity);

/// Unit that a number in a Place counts.
enum class PlaceUnit : std::uint8_t { Whole, Byte, Row };

/// Where in a file. Prints as "byte 17", "row 3", or "" for the whole file.
struct Place {
    PlaceUnit unit = PlaceUnit::Whole;
    std::uint64_t value = 0;
    auto operator<=>(const Place&) const = default;
    std::string text() const;
};

/// One kind of trouble in one file: how often, and where first.
struct Diagnostic {
    static constexpr std::size_t kSamples = 5;

    std::string code;  ///< Stable code of the catalogue.
    Severity severity = Severity::Info;
    std::string file;  ///< Path relative to the capture, or as given for a single file; empty: the capture itself.
    std::uint64_t count = 0;
    std::vector<Place> places;     ///< The first kSamples places, ascending.
    MessageParameters parameters;  ///< Those of the first occurrence in file order.

    /// The sentence of the catalogue in `language` ("en", "zh_CN"); it knows the file and the first place.
    std::string message(std::string_view language) const;
};

/// Counted findings of an import. One object belongs to one thread; results of workers are merged, and the outcome does
/// not depend on the order of merging.
class Diagnostics {
public:
    void add(std::string_view code, Severity severity, std::string_view file, Place place,
             const MessageParameters& parameters = {}, std::uint64_t count = 1);
    void merge(const Diagnostics& other);
    /// Drops what was said about a file, which is to be read again.
    void forget(std::string_view file);
    /// Entries about one file.
    Diagnostics about(std::string_view file) const;

    /// Sorted by file, then code.
    std::vector<Diagnostic> entries() const;
    bool empty() const { return m_entries.empty(); }
    /// True if any entry is of severity Lost.
    bool anyLost() const;

private:
    std::map<std::pair<std::string, std::string>, Diagnostic> m_entries;  // key: file, code
};

}  // namespace altiscope
