#pragma once

#include <QComboBox>

namespace altiscope {

/// A box whose entries may be paths: what is too long loses its middle, and is whole in its tip. GUI thread.
class ElidedComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit ElidedComboBox(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The chosen entry as far as there is room for it.
    QString shownText() const;
};

}  // namespace altiscope
