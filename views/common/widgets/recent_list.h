#pragma once

#include <QStringList>

namespace altiscope {

/// Paths that were opened lately, newest first.
inline constexpr qsizetype kMaxRecent = 12;

/// `list` with `path` at its head: once, and at most kMaxRecent entries.
QStringList withRecent(QStringList list, const QString& path);

}  // namespace altiscope
