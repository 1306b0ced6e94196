#pragma once

#include "views/timeline/scene/timeline_keys.h"
#include "views/timeline/scene/timeline_selection.h"

#include <functional>
#include <optional>
#include <vector>

class QMenu;
class QWidget;

namespace altiscope {

class TimelineCanvas;
struct CanvasHit;

/// Dialogs that the menu leads to beyond the canvas. Those about a slice are for the selected one.
struct CanvasMenuCalls {
    std::function<void()> copyDetails, copyJson, findLike, findCollective;
    std::function<void(const TrackChoice& tracks, const QString& title)> listSlices;
    std::function<void(QMenu& menu)> addExports;  ///< May be empty.
};

/// Fills a menu with what can be done at a place of the canvas.
void fillCanvasMenu(QMenu& menu, const std::optional<CanvasHit>& hit, TimelineCanvas& canvas, TimelineScene& scene,
                    TimelineSelection& selection, const CanvasMenuCalls& calls);

}  // namespace altiscope
