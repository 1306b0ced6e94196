#include "core/import/sqlite/db_names.h"

#include "core/base/text/ascii.h"
#include "core/base/text/text.h"
#include "core/base/values/digits.h"
#include "core/import/files/near_names.h"

#include <algorithm>
#include <cctype>

namespace altiscope::reader {

namespace {

constexpr std::size_t kMaxNameLength = 256;  // a longer one is no profiler's

/// No program names a table or a column so: control characters, or what is no text.
bool isGarbled(std::string_view name) {
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    return std::any_of(name.begin(), name.end(), isControl) || repairedUtf8(name) != name;
}

std::string shortened(std::string_view name) {
    const std::size_t end = utf8Prefix(name, kMaxNameLength);
    // What is no text may consist of parts of characters alone.
    return std::string(name.substr(0, end == 0 ? kMaxNameLength : end));
}

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

const DbKnownTable* knownTable(std::string_view name) {
    const auto tables = knownTables();
    const auto found =
        std::find_if(tables.begin(), tables.end(), [name](const DbKnownTable& one) { return one.name == name; });
    return found == tables.end() ? nullptr : &*found;
}

/// Words of a declared type.
std::vector<std::string_view> wordsOf(std::string_view type) {
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::vector<std::string_view> words;
    for (auto at = type.begin(); at != type.end();) {
        at = std::find_if(at, type.end(), isWord);
        const auto end = std::find_if_not(at, type.end(), isWord);
        if (at != end) words.emplace_back(at, end);
        at = end;
    }
    return words;
}

/// Looks at the names of one schema.
class NameCheck {
public:
    explicit NameCheck(const DbSchema& schema) : m_schema(schema) {}

    std::vector<DbDamagedName> run() {
        for (const std::string& name : m_schema.odd()) add({shortened(name), {}, {}});
        for (const auto& [name, table] : m_schema.tables()) {
            if (m_found.size() >= kMaxDamagedNames) break;
            const DbKnownTable* known = knownTable(name);
            if (table.columns.empty()) add({shortened(name), {}, {}});
            else if (known == nullptr) checkUnknown(name);
            else checkColumns(table, *known);
        }
        return std::move(m_found);
    }

private:
    void add(DbDamagedName name) {
        if (m_found.size() < kMaxDamagedNames) m_found.push_back(std::move(name));
    }
    void checkUnknown(const std::string& name) {
        for (const DbKnownTable& known : knownTables()) {
            const bool isAbsent = m_schema.table(known.name) == nullptr && m_schema.insteadOf(known.name).empty();
            if (isAbsent && isNearlyName(name, known.name)) return add({std::string(known.name), {}, name});
        }
        if (isGarbled(name)) add({shortened(name), {}, shortened(name)});
    }
    void checkColumns(const DbTable& table, const DbKnownTable& known) {
        std::vector<std::string_view> absent;
        for (const std::string_view column : known.columns) {
            if (!table.has(column)) absent.push_back(column);
        }
        for (std::size_t i = 0; i < table.declared.size(); ++i) {
            const DbColumn& column = table.declared[i];
            if (!holds(known.columns, column.name)) checkUnknownColumn(table, i, known, absent);
            checkType(table, column, absent);
        }
    }
    void checkUnknownColumn(const DbTable& table, std::size_t index, const DbKnownTable& known,
                            const std::vector<std::string_view>& absent) {
        const std::string& name = table.declared[index].name;
        for (const std::string_view column : absent) {
            // "endNs0INTEGER": what parted name and type was changed.
            const bool grewIntoType = table.declared[index].type.empty() && name.starts_with(column) && name != column;
            if (isNearlyName(name, column) || grewIntoType || standsAt(table, index, known, column))
                return add({table.name, std::string(column), shortened(name)});
        }
        if (isGarbled(name)) add({table.name, shortened(name), shortened(name)});
    }
    /// Whether a column stands between those between which the known one belongs.
    static bool standsAt(const DbTable& table, std::size_t index, const DbKnownTable& known, std::string_view column) {
        const auto at = std::find(known.columns.begin(), known.columns.end(), column);
        if (index == 0 || index + 1 >= table.declared.size() || at == known.columns.begin() ||
            at + 1 == known.columns.end())
            return false;
        return table.declared[index - 1].name == *(at - 1) && table.declared[index + 1].name == *(at + 1);
    }
    /// A comma that was changed makes the next column a part of a type; a row id whose words are damaged is none.
    void checkType(const DbTable& table, const DbColumn& column, const std::vector<std::string_view>& absent) {
        static const std::vector<std::string_view> kOfSql{"UNSIGNED", "SIGNED", "BIG",      "INT",       "DOUBLE",
                                                          "REAL",     "LONG",   "VARYING",  "PRECISION", "NATIVE",
                                                          "VARCHAR",  "CHAR",   "CHARACTER"};
        if (column.type.size() > kMaxNameLength) return;
        const auto words = wordsOf(column.type);
        const auto isOfSql = [&](std::string_view word) { return isDigit(word[0]) || holds(kOfSql, word); };
        // The rows of such a key are its numbers only under exactly that word.
        if (column.isKey && isNearlyName(column.type, "INTEGER")) add({table.name, column.name, column.type});
        if (words.size() < 2 || std::all_of(words.begin(), words.end(), isOfSql)) return;
        const auto swallowed =
            std::find_if(words.begin(), words.end(), [&](std::string_view word) { return holds(absent, word); });
        add({table.name, swallowed == words.end() ? column.name : std::string(*swallowed), column.type});
    }

    const DbSchema& m_schema;
    std::vector<DbDamagedName> m_found;
};

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

std::vector<DbDamagedName> damagedNames(const DbSchema& schema) { return NameCheck(schema).run(); }

}  // namespace altiscope::reader
