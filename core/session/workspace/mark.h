#pragma once

#include "core/base/time.h"

#include <QJsonArray>
#include <QString>

#include <vector>

namespace altiscope {

/// A moment or a range of time that the user has marked.
struct Mark {
    TimeRange range;  ///< On the clock of its capture's traces; empty: a moment.
    QString name, note;
    int colour = 0;  ///< Which of the theme's hues.
    bool operator==(const Mark&) const = default;
};

/// Of a capture; somebody else may have written the file. More than people set, and few enough to draw.
inline constexpr qsizetype kMostMarks = 10'000;
inline constexpr int kMarkColours = 16;

/// The marks of a list that are some, the first kMostMarks; {"begin", "end", "name", "note", "colour"} each.
std::vector<Mark> marksFromJson(const QJsonArray& list);
QJsonArray marksJson(const std::vector<Mark>& marks);

}  // namespace altiscope
