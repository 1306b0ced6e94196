#pragma once

class QLabel;
class QWidget;

namespace altiscope {

/// Lays a part of the overview out: a heading with something beside it, or nothing, above the content that it names.
void layOutTitled(QWidget& part, QLabel& title, QWidget* beside, QWidget& content);

}  // namespace altiscope
