#include "views/common/widgets/wrap_layout.h"

#include <algorithm>

namespace altiscope {

WrapLayout::~WrapLayout() {
    // A layout among them takes itself out.
    while (!m_items.isEmpty()) delete m_items.takeLast();
}

void WrapLayout::addItem(QLayoutItem* item) {
    // A layout's widgets belong to the widget that has it.
    if (QLayout* layout = item->layout()) addChildLayout(layout);
    m_items << item;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize WrapLayout::minimumSize() const {
    QSize widest;
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty()) widest = widest.expandedTo(item->sizeHint());
    }
    return widest.grownBy(contentsMargins());
}

QSize WrapLayout::sizeHint() const {
    QSize line(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize one = item->sizeHint();
        line = {line.width() + one.width() + (line.width() > 0 ? spacing() : 0), std::max(line.height(), one.height())};
    }
    return line.grownBy(contentsMargins());
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arranged(rect, true);
}

int WrapLayout::arranged(const QRect& rect, bool isMeant) const {
    const QMargins margins = contentsMargins();
    const QRect room = rect.marginsRemoved(margins);
    int x = room.left(), y = room.top(), height = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint();
        if (x > room.left() && x + size.width() > room.right() + 1) {
            x = room.left();
            y += height + spacing() / 2;
            height = 0;
        }
        if (isMeant) item->setGeometry({{x, y}, size});
        x += size.width() + spacing();
        height = std::max(height, size.height());
    }
    return y + height - rect.top() + margins.bottom();
}

}  // namespace altiscope
