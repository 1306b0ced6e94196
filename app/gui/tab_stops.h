#pragma once

class QWidget;

namespace altiscope {

/// Where Tab leads from the widget of a window that has the focus; null: nowhere.
///
/// Qt stops at a widget that hands its focus on to a part of it, and so skips what stands before that part: the
/// line of a filter above its rows, the settings above a page's table. Here such a widget is no stop, only its parts
/// are. Back, with Shift, Qt does the same. O(widgets); GUI thread.
QWidget* nextTabStop(QWidget& window);

}  // namespace altiscope
