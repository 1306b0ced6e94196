#pragma once

#include <QFile>
#include <QHash>
#include <QString>
#include <QStringList>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope::test {

// The profiler's memory files as plain text, for numbers that owe nothing to our readers.

using TextRow = QHash<QString, QString>;

/// Rows of a CSV without quotes in its cells, by heading. Blanks and tabs around cells are dropped.
inline std::vector<TextRow> textRows(const QString& path) {
    QFile file(path);
    std::vector<TextRow> rows;
    if (!file.open(QIODevice::ReadOnly)) return rows;
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QChar(u'\n'), Qt::SkipEmptyParts);
    const QStringList names = lines.value(0).trimmed().split(QChar(u','));
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QStringList cells = lines[i].trimmed().split(QChar(u','));
        TextRow row;
        for (qsizetype column = 0; column < names.size(); ++column) row[names[column]] = cells.value(column).trimmed();
        rows.push_back(row);
    }
    return rows;
}

/// Microseconds with up to three digits behind the point, or with an exponent, as ns.
inline std::optional<std::int64_t> nsOf(const QString& text) {
    if (text.isEmpty()) return std::nullopt;
    if (text.contains(QChar(u'E'))) return std::llround(text.toDouble() * 1000);
    return text.section(QChar(u'.'), 0, 0).toLongLong() * 1000 +
           text.section(QChar(u'.'), 1).leftJustified(3, QChar(u'0')).left(3).toLongLong();
}

/// A number of units of 1024 * 1024 (or 1024) bytes as bytes.
inline std::optional<std::int64_t> bytesOf(const QString& text, double unit) {
    return text.isEmpty() ? std::nullopt : std::optional<std::int64_t>(std::llround(text.toDouble() * unit));
}

inline constexpr double kMiB = 1024.0 * 1024, kKiB = 1024;

}  // namespace altiscope::test
