#pragma once

#include <QLabel>

namespace altiscope {

/// A line of plain text that does not keep its window wide: without room for all of it, it ends in an ellipsis, and a
/// tool tip has it whole. GUI thread.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace altiscope
