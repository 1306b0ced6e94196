#pragma once

#include <QString>
#include <QStringList>

namespace altiscope {

// Statements within a text. Pure functions; any thread; O(length).

/// [begin, end) of a text.
struct TextSpan {
    qsizetype begin = 0, end = 0;
    bool empty() const { return begin >= end; }
    bool operator==(const TextSpan&) const = default;
};

/// The statement that a cursor stands in, without the semicolon and blanks around it: between semicolons, and after the
/// last word the one before. Comments in front of a statement belong to it. Empty if there is no statement at all.
TextSpan statementAt(const QString& text, qsizetype cursor);

/// Names of the parameters, with their sign, each once, in the order of the text.
QStringList parametersOf(const QString& statement);

/// The word, name in quotes or parameter at a place; empty if there is none.
TextSpan wordAt(const QString& text, qsizetype at);

/// Line and column, from 1, of a place.
std::pair<int, int> lineAndColumnOf(const QString& text, qsizetype at);

/// Place in the text of a byte of its UTF-8.
qsizetype placeOfByte(const QString& text, qsizetype byte);

}  // namespace altiscope
