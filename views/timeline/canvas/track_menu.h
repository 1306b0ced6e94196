#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <span>
#include <vector>

class QMenu;

namespace altiscope {

// Commands on the arrangement of rows; the scene remembers each as one step. GUI thread.

void togglePin(TimelineScene& scene, const TimelineRow& row);
/// Moves a row to where its `to`-th sibling (see TimelineModel::siblingsOf) stands.
void moveRow(TimelineScene& scene, const TimelineRow& row, std::size_t to);
/// Up (-1) or down (1) among its siblings, as far as there are any.
void moveRowBy(TimelineScene& scene, const TimelineRow& row, std::ptrdiff_t by);
void resizeRow(TimelineScene& scene, const TimelineRow& row, int height, HistoryMark mark);
/// Back to the height that a row has by itself.
void resetHeight(TimelineScene& scene, const TimelineRow& row);

/// Entries that pin, move, size and merge a row.
/// @param chosen  Rows that the user has chosen, `row` among them; else `row` alone.
void fillArrangementMenu(QMenu& menu, TimelineScene& scene, const TimelineRow& row, std::span<const RowKey> chosen);
/// Entries that take changes back.
void fillUndoMenu(QMenu& menu, TimelineScene& scene);

}  // namespace altiscope
