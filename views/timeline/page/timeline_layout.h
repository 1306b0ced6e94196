#pragma once

#include "views/timeline/scene/timeline_keys.h"

#include <utility>
#include <vector>

class QScrollBar;
class QToolButton;
class QWidget;

namespace altiscope {

class FindBar;
class FindController;
class FlowButton;
class OverviewStrip;
class StepBand;
class TimelineCanvas;
class TimelineScene;
class TimelineSelection;
class TimeRuler;
class TrackFilterButton;
class TrackHeader;

/// The widgets of the timeline beside and above each other: find bar, overview strip, ruler, names, canvas and scroll
/// bars, which follow the scene and move it. What the parts say to each other is the page's.
struct TimelineLayout {
    /// The widgets are children of `body`, which is a child of `page`.
    TimelineLayout(TimelineScene& scene, TimelineSelection& selection, FindController& find, QWidget* page);

    /// Heights and lanes by the font of the body.
    void followFont();
    /// Texts of the buttons, by language and keys.
    void retranslate();

    QWidget* body = nullptr;
    FindBar* findBar = nullptr;
    OverviewStrip* overview = nullptr;
    StepBand* steps = nullptr;  ///< Above the ruler.
    TimeRuler* ruler = nullptr;
    TimelineCanvas* canvas = nullptr;
    TrackHeader* header = nullptr;
    TrackFilterButton* tracks = nullptr;  ///< In the corner above the names.
    FlowButton* flows = nullptr;          ///< Likewise.

private:
    QWidget* makeCorner();
    void arrange();
    void sizeParts();
    void connectScrollBars();
    void updateScrollBars();

    TimelineScene& m_scene;
    QWidget* m_corner = nullptr;
    std::vector<std::pair<QToolButton*, TimelineAction>> m_buttons;  // in the corner
    QScrollBar* m_horizontal = nullptr;
    QScrollBar* m_vertical = nullptr;
    bool m_inScrollBars = false;  // they are being set, not moved
};

}  // namespace altiscope
