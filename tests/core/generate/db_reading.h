#pragma once

#include "tests/core/generate/capture_reading.h"

#include <sqlite3.h>

#include <QString>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Reads databases by the library alone, and compares them with text files line by line.
namespace altiscope::test {

using Lines = std::multiset<std::string>;

/// One database, opened read-only.
class DbFile {
public:
    explicit DbFile(const std::filesystem::path& path) {
        const std::string uri = "file:" + path.string() + "?mode=ro&immutable=1";
        sqlite3_open_v2(uri.c_str(), &m_db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    }
    ~DbFile() { sqlite3_close(m_db); }
    DbFile(const DbFile&) = delete;
    DbFile& operator=(const DbFile&) = delete;

    /// Rows as texts; NULL is empty. A statement that is wrong gives one row with the reason.
    std::vector<std::vector<std::string>> rows(const std::string& sql) const {
        std::vector<std::vector<std::string>> rows;
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            return {{sqlite3_errmsg(m_db)}};
        while (sqlite3_step(statement) == SQLITE_ROW) {
            rows.emplace_back();
            for (int i = 0; i < sqlite3_column_count(statement); ++i) {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
                rows.back().emplace_back(text == nullptr ? "" : text);
            }
        }
        sqlite3_finalize(statement);
        return rows;
    }

    /// Each row as one line, cells separated by '|'.
    Lines lines(const std::string& sql) const {
        Lines lines;
        for (const auto& row : rows(sql)) {
            std::string line;
            for (const std::string& cell : row) line += (line.empty() && &cell == &row.front() ? "" : "|") + cell;
            lines.insert(line);
        }
        return lines;
    }

private:
    sqlite3* m_db = nullptr;
};

inline std::string joined(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : "|") + cells[i];
    return line;
}

/// Text of a number with twelve significant digits: integers and reals of the same value look alike.
inline std::string plain(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.12g", value);
    return text;
}
inline std::string plain(const Json& value) { return plain(value.get<double>()); }
inline std::string plain(const std::string& text) { return plain(std::stod(text)); }

/// Empty if both hold the same; else how many lines differ and the first ones.
inline QString difference(const Lines& text, const Lines& db) {
    Lines onlyText, onlyDb;
    std::set_difference(text.begin(), text.end(), db.begin(), db.end(), std::inserter(onlyText, onlyText.end()));
    std::set_difference(db.begin(), db.end(), text.begin(), text.end(), std::inserter(onlyDb, onlyDb.end()));
    if (text.empty()) return QStringLiteral("nothing to compare");
    if (onlyText.empty() && onlyDb.empty()) return {};
    const auto first = [](const Lines& lines) { return lines.empty() ? std::string("-") : *lines.begin(); };
    return QStringLiteral("only in text %1: %2; only in db %3: %4")
        .arg(onlyText.size())
        .arg(QString::fromStdString(first(onlyText)))
        .arg(onlyDb.size())
        .arg(QString::fromStdString(first(onlyDb)));
}

}  // namespace altiscope::test
