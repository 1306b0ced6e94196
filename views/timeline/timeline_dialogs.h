#pragma once

#include "views/timeline/timeline_keys.h"
#include "views/timeline/timeline_selection.h"

#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace altiscope {

class TimelineCanvas;
struct CanvasHit;

/// Fills a menu with what can be done at a place of the canvas. `copyDetails` is called for the selected slice.
void fillCanvasMenu(QMenu& menu, const CanvasHit& hit, TimelineCanvas& canvas, TimelineScene& scene, TimelineSelection& selection,
                    std::function<void()> copyDetails, std::function<void()> findLike);

} // namespace altiscope
