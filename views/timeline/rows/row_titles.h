#pragma once

#include "views/timeline/rows/timeline_model.h"

#include <QString>

namespace altiscope {

// What rows are called, in the present language. GUI thread; the row is one of the model's.

QString rowTitle(const TimelineModel& model, const TimelineRow& row);
/// Where a pinned row comes from: "Rank 3", and its process for a thread; empty for others.
QString rowOrigin(const TimelineModel& model, const TimelineRow& row);
/// What else is to be said in a few words, e.g. why a rank has no tracks; often empty.
QString rowNote(const TimelineModel& model, const TimelineRow& row);
/// What a process, thread or counter is called by its key, also while it is hidden: "Python", "Python / Thread 1".
/// Empty if it is gone.
QString rowTitleOf(const TimelineModel& model, const RowKey& key);

}  // namespace altiscope
