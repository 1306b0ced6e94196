#include "views/help/tour_bubble.h"

#include "views/common/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

namespace {

constexpr int kBubbleGap = 8;
constexpr int kFrameWidth = 2;

}  // namespace

QRect bubblePlace(QSize bubble, const QRect& area, const QRect& window) {
    const QRect room = window.adjusted(kBubbleGap, kBubbleGap, -kBubbleGap, -kBubbleGap);
    const auto within = [&](QPoint at) {
        const int x = std::clamp(at.x(), room.left(), std::max(room.left(), room.right() + 1 - bubble.width()));
        const int y = std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() + 1 - bubble.height()));
        return QRect(QPoint(x, y), bubble);
    };
    if (area.isEmpty()) return within(room.center() - QPoint(bubble.width() / 2, bubble.height() / 2));
    const QPoint places[] = {{area.left(), area.bottom() + 1 + kBubbleGap},
                             {area.left(), area.top() - kBubbleGap - bubble.height()},
                             {area.right() + 1 + kBubbleGap, area.top()},
                             {area.left() - kBubbleGap - bubble.width(), area.top()}};
    for (const QPoint& place : places) {
        if (const QRect moved = within(place); !moved.intersects(area)) return moved;
    }
    return within({area.right() + 1 - kBubbleGap - bubble.width(), area.bottom() + 1 - kBubbleGap - bubble.height()});
}

TourBubble::TourBubble(QWidget* parent)
    : QFrame(parent), m_title(new QLabel(this)), m_text(new QLabel(this)), m_count(new QLabel(this)),
      m_skip(new QPushButton(this)), m_back(new QPushButton(this)), m_next(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour_bubble"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 8);
    column->setSpacing(8);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    for (QLabel* label : {m_title, m_text}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        // Lines of a length that is read at a glance.
        label->setFixedWidth(fontMetrics().averageCharWidth() * 52);
        column->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_count);
    row->addStretch(1);
    for (QPushButton* button : {m_skip, m_back, m_next}) {
        button->setAutoDefault(true);
        button->installEventFilter(this);
        row->addWidget(button);
    }
    column->addLayout(row);
    connect(m_skip, &QPushButton::clicked, this, &TourBubble::skipped);
    connect(m_back, &QPushButton::clicked, this, &TourBubble::wentBack);
    connect(m_next, &QPushButton::clicked, this, &TourBubble::wentOn);
    hide();
}

void TourBubble::say(const QString& title, const QString& text, std::size_t at, std::size_t all) {
    m_title->setText(title);
    m_text->setText(text);
    m_count->setText(tr("%1 of %2", "stop of the tour").arg(at + 1).arg(all));
    m_skip->setText(tr("&Skip"));
    m_skip->setToolTip(tr("Leaves the tour (Esc)"));
    m_back->setText(tr("&Back"));
    m_next->setText(at + 1 < all ? tr("&Next") : tr("&Done"));
    m_back->setEnabled(at > 0);
    m_skip->setVisible(at + 1 < all);
    setAccessibleName(title);
    setAccessibleDescription(text);
    m_next->setAccessibleDescription(title + QStringLiteral(". ") + text);
    // A label that wraps would like to be narrower than it is, and so higher.
    for (QLabel* label : {m_title, m_text}) label->setFixedHeight(label->heightForWidth(label->minimumWidth()));
    adjustSize();
}

void TourBubble::takeFocus() { m_next->setFocus(); }

/// Buttons would take the arrows for themselves, to go from one to the next.
bool TourBubble::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right) {
            keyPressEvent(key);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void TourBubble::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape: return emit skipped();
    case Qt::Key_Right: return emit wentOn();
    case Qt::Key_Left: return emit wentBack();
    case Qt::Key_Return:
    case Qt::Key_Enter: return emit wentOn();
    default: QFrame::keyPressEvent(event);
    }
}

TourFrame::TourFrame(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void TourFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(QPen(themeOf(palette()).accent, kFrameWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(
        QRectF(rect()).adjusted(kFrameWidth / 2.0, kFrameWidth / 2.0, -kFrameWidth / 2.0, -kFrameWidth / 2.0));
}

}  // namespace altiscope
