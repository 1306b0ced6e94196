#include "views/overview/changed_files_bar.h"

#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/overview/facts/capture_texts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

ChangedFilesBar::ChangedFilesBar(Session& session, QWidget* parent)
    : Translated(parent), m_session(session), m_text(new QLabel(this)), m_reload(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_reload->setIcon(themedIcon(u"reload"_s));
    m_reload->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_close->setIcon(themedIcon(u"close"_s));
    m_close->setAutoRaise(true);
    for (QToolButton* button : {m_reload, m_close}) button->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_reload);
    layout->addWidget(m_close);
    connect(m_reload, &QToolButton::clicked, this, [this] { m_session.reload(m_capture); });
    connect(m_close, &QToolButton::clicked, this, [this] { m_session.ignoreChange(m_capture); });
    for (const auto signal : {&Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &ChangedFilesBar::refresh);
    retranslate();
}

void ChangedFilesBar::refresh() {
    const auto& captures = m_session.captures();
    const auto changed =
        std::find_if(captures.begin(), captures.end(), [](const OpenCapture& open) { return open.filesChanged; });
    setVisible(changed != captures.end());
    if (changed == captures.end()) return;
    m_capture = changed->id;
    m_text->setText(withUnbrokenUnits(tr("Files of %1 have changed since they were read.").arg(captureName(*changed))));
}

void ChangedFilesBar::retranslate() {
    m_reload->setText(tr("Read again"));
    m_close->setToolTip(tr("Keep what is shown"));
    m_close->setAccessibleName(m_close->toolTip());
    refresh();
}

}  // namespace altiscope
