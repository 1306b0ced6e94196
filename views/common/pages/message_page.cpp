#include "views/common/pages/message_page.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/command_palette.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace altiscope {

namespace {

constexpr int kIconSize = 32, kMargin = 16, kLowMargin = 4, kMinLinesWithIcon = 10;
/// Lines of about 70 characters can be read without losing the line.
constexpr int kTextWidthEm = 44;

QLabel* makeText(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignHCenter);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

MessagePage::MessagePage(QWidget* parent)
    : QWidget(parent), m_column(new QWidget(this)), m_icon(new QLabel(m_column)), m_title(makeText(m_column)),
      m_reason(makeText(m_column)), m_remedy(makeText(m_column)), m_buttons(new QHBoxLayout) {
    m_icon->setAlignment(Qt::AlignHCenter);
    m_buttons->setSpacing(8);
    auto* column = bareLayout<QVBoxLayout>(m_column, 8);
    column->addStretch(2);
    column->addWidget(m_icon);
    column->addWidget(m_title);
    column->addWidget(m_reason);
    column->addWidget(m_remedy);
    column->addSpacing(8);
    column->addLayout(m_buttons);
    column->addStretch(3);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    row->addStretch(1);
    row->addWidget(m_column, 1000);
    row->addStretch(1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    applyLook();
}

void MessagePage::setMessage(const PageMessage& message) {
    m_message = message;
    followTextSize(*m_title, 1.2);
    m_title->setText(withUnbrokenUnits(message.title));
    m_reason->setText(withUnbrokenUnits(message.reason));
    m_remedy->setText(withUnbrokenUnits(message.remedy));
    m_reason->setVisible(!message.reason.isEmpty());
    m_remedy->setVisible(!message.remedy.isEmpty());
    applyLook();
}

void MessagePage::addActionButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    // Stretches around the row keep it centred; they are put there with the first button.
    if (m_buttons->count() == 0) {
        m_buttons->addStretch();
        m_buttons->addStretch();
    }
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    const auto follow = [button, action] {
        button->setVisible(action->isVisible());
        // Chinese titles carry their key in brackets, which mean nothing outside of a menu.
        button->setText(withoutAccessKey(action->text()));
    };
    connect(action, &QAction::changed, button, follow);
    follow();
}

void MessagePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyLook();
    QWidget::changeEvent(event);
}

/// In a low panel the words need what height there is.
void MessagePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isLow = height() < fontMetrics().height() * kMinLinesWithIcon;
    m_icon->setHidden(isLow);
    layout()->setContentsMargins(kMargin, isLow ? kLowMargin : kMargin, kMargin, isLow ? kLowMargin : kMargin);
}

void MessagePage::applyLook() {
    const bool isError = m_message.kind == PageMessage::Kind::Error;
    const Theme& theme = themeOf(palette());
    const QString name = !m_message.icon.isEmpty() ? m_message.icon
                         : isError                 ? QStringLiteral("error")
                                                   : QStringLiteral("empty");
    m_icon->setPixmap(themedIcon(name, isError ? IconTone::Error : IconTone::Muted)
                          .pixmap(QSize(kIconSize, kIconSize), devicePixelRatio()));
    m_column->setMaximumWidth(fontMetrics().horizontalAdvance(u'm') * kTextWidthEm);
    QPalette quiet = palette();
    // On the base colour of this page labels take Text, not WindowText.
    for (const auto role : {QPalette::WindowText, QPalette::Text}) quiet.setColor(role, theme.muted);
    m_reason->setPalette(isError ? palette() : quiet);
    m_remedy->setPalette(palette());
}

}  // namespace altiscope
