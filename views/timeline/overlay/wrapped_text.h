#pragma once

#include <QTextBrowser>

namespace altiscope {

/// A text to read, select and copy, as high as it needs to be at the width that it is given. Unlike a label it breaks
/// lines within words where it must, so that a name of a thousand characters without a blank makes nothing wider; what
/// is copied is the text itself. It may be one link, reported by anchorClicked(). GUI thread.
class WrappedText : public QTextBrowser {
    Q_OBJECT
public:
    explicit WrappedText(QWidget* parent = nullptr);

    void setText(const QString& text);
    void setLink(const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void fit();
};

}  // namespace altiscope
