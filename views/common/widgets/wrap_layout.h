#pragma once

#include <QLayout>
#include <QList>

namespace altiscope {

/// A row of controls that goes on in further lines where it has no room, so that neither are their texts cut nor does
/// the row make a window wide. What belongs together, as a field and its label, is one item (a layout). GUI thread.
class WrapLayout : public QLayout {
    Q_OBJECT
public:
    explicit WrapLayout(QWidget* parent) : QLayout(parent) {}
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arranged({0, 0, width, 0}, false); }
    /// Size of the widest item alone.
    QSize minimumSize() const override;
    /// Size with all items in one line.
    QSize sizeHint() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// @return The height of all lines, with margins.
    int arranged(const QRect& rect, bool isMeant) const;

    QList<QLayoutItem*> m_items;
};

}  // namespace altiscope
