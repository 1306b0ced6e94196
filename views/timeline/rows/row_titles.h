#pragma once

#include "views/timeline/rows/timeline_sources.h"

#include <QString>

namespace altiscope {

// Titles of rows, in the present language. GUI thread; the row is one of these sources'.

QString rowTitle(const TimelineSources& sources, const TrackNode& row);
/// Where a pinned row comes from: "Rank 3", and its process for a thread; empty for others.
QString rowOrigin(const TimelineSources& sources, const TrackNode& row);
/// Note of a few words, e.g. why a rank has no tracks; often empty.
QString rowNote(const TimelineSources& sources, const TimelineRow& row);
/// Title of a process, thread or counter by its key, also while it is hidden: "Python", "Python / Thread 1".
/// Empty if it is gone.
QString rowTitleOf(const TimelineSources& sources, const RowKey& key);

}  // namespace altiscope
