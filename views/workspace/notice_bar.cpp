#include "views/workspace/notice_bar.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_accept(new QToolButton(this)), m_close(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_close->setIcon(themedIcon(u"close"_s));
    m_close->setAutoRaise(true);
    for (QToolButton* button : {m_accept, m_close}) button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_text, 1);
    row->addWidget(m_accept);
    row->addWidget(m_close);
    connect(m_accept, &QToolButton::clicked, this, [this] {
        const auto accepted = m_notices.front().accepted;
        next();
        if (accepted) accepted();
    });
    connect(m_close, &QToolButton::clicked, this, [this] {
        const auto closed = m_notices.front().closed;
        next();
        if (closed) closed();
    });
    refresh();
}

void NoticeBar::show(Notice notice) {
    const bool isKnown = std::any_of(m_notices.begin(), m_notices.end(),
                                     [&notice](const Notice& one) { return one.text == notice.text; });
    if (!isKnown) m_notices.push_back(std::move(notice));
    refresh();
}

void NoticeBar::clear() {
    m_notices.clear();
    refresh();
}

QString NoticeBar::text() const { return m_notices.empty() ? QString() : m_notices.front().text; }

void NoticeBar::next() {
    m_notices.pop_front();
    refresh();
}

void NoticeBar::refresh() {
    setVisible(!m_notices.empty());
    m_close->setToolTip(tr("Close this notice"));
    m_close->setAccessibleName(m_close->toolTip());
    if (m_notices.empty()) return;
    m_text->setText(withUnbrokenUnits(m_notices.front().text));
    m_accept->setText(m_notices.front().accept);
    m_accept->setVisible(!m_notices.front().accept.isEmpty());
}

void NoticeBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
