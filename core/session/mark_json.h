#pragma once

#include "core/session/marks.h"

#include <QJsonArray>

#include <cstdint>
#include <vector>

namespace altiscope {

/// Limit of marks of a capture; somebody else may have written the file. More than people set, and few enough to draw.
inline constexpr qsizetype kMaxMarks = 10'000;
inline constexpr int kMarkColours = 16;

/// The marks of a list that are some, the first kMaxMarks; {"begin", "end", "name", "note", "colour"} each.
std::vector<Mark> marksFromJson(const QJsonArray& list);
QJsonArray marksJson(const std::vector<Mark>& marks);

}  // namespace altiscope
