#include "core/import/sqlite/db_names.h"

#include "core/base/text/ascii.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

const DbKnownTable* knownTable(std::string_view name) {
    const auto tables = knownTables();
    const auto found =
        std::find_if(tables.begin(), tables.end(), [name](const DbKnownTable& one) { return one.name == name; });
    return found == tables.end() ? nullptr : &*found;
}

}  // namespace

std::string spelledAsKnown(std::string_view table) {
    for (const DbKnownTable& known : knownTables()) {
        if (equalsIgnoringCase(known.name, table)) return std::string(known.name);
    }
    return std::string(table);
}

std::string spelledAsKnown(std::string_view table, std::string_view column) {
    if (const DbKnownTable* known = knownTable(table)) {
        if (holds(known->columns, column)) return std::string(column);
        for (const std::string_view name : known->columns) {
            if (equalsIgnoringCase(name, column)) return std::string(name);
        }
    }
    return std::string(column);
}

}  // namespace altiscope::reader
