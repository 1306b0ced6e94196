#include "views/snapshot/panels/profile_bar.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace altiscope {

using namespace Qt::StringLiterals;

ProfileBar::ProfileBar(ProfileLink& link, SnapshotSelection& selection, QWidget* parent)
    : Translated(parent), m_link(link), m_selection(selection), m_text(new QLabel(this)), m_time(new QLabel(this)),
      m_operator(new QToolButton(this)), m_clock(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 4);
    row->setSpacing(8);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_time->setTextFormat(Qt::PlainText);
    m_operator->setIcon(themedIcon(u"view_timeline"_s));
    m_operator->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_clock->setPopupMode(QToolButton::InstantPopup);
    m_clock->setMenu(new QMenu(m_clock));
    for (QToolButton* button : {m_operator, m_clock}) button->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(m_text, 1);
    row->addWidget(m_time);
    row->addWidget(m_operator);
    row->addWidget(m_clock);
    connect(m_operator, &QToolButton::clicked, this, [this] { m_link.goToOperator(m_selection.block()); });
    connect(m_clock->menu(), &QMenu::aboutToShow, this, &ProfileBar::fillMenu);
    connect(&link, &ProfileLink::changed, this, &ProfileBar::refresh);
    connect(&selection, &SnapshotSelection::blockChanged, this, &ProfileBar::refresh);
    retranslate();
}

// Keys of Snapshot:
// - `Ctrl+J`: Go to the operator that allocated the selected block
void ProfileBar::retranslate() {
    m_operator->setText(tr("Go to &operator"));
    m_operator->setToolTip(tr("The slice of the timeline in which the selected block was allocated (Ctrl+J)"));
    m_operator->setShortcut(Qt::CTRL | Qt::Key_J);
    m_clock->setText(tr("C&lock"));
    m_clock->setToolTip(tr("Set the time of an event by hand where the recordings cannot be joined automatically"));
    refresh();
}

void ProfileBar::refresh() {
    m_text->setText(withUnbrokenUnits(m_link.text()));
    const QString time = m_link.eventTime();
    m_time->setText(time.isEmpty() ? QString() : tr("This event: %1").arg(time));
    m_operator->setEnabled(m_link.profile() && !m_link.clock().empty() && m_selection.block() != kNoBlock);
    m_clock->setEnabled(m_link.profile().has_value());
    // Without a timeline there is nothing that could be done here but what the text says.
    m_operator->setVisible(m_link.profile().has_value());
    m_clock->setVisible(m_link.profile().has_value());
}

void ProfileBar::fillMenu() {
    QMenu& menu = *m_clock->menu();
    menu.clear();
    const auto time = m_link.timelineTime();
    menu.addAction(tr("The selected event was when the time &marked on the timeline begins"), this,
                   [this] {
                       if (const auto at = m_link.timelineTime()) m_link.setByHand(*at);
                   })
        ->setEnabled(time.has_value() && m_selection.eventNumber() >= 0);
    menu.addAction(tr("&Reset the times set by hand"), &m_link, &ProfileLink::forgetByHand)
        ->setEnabled(m_link.isByHand());
}

}  // namespace altiscope
