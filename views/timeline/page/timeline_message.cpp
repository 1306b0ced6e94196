#include "views/timeline/page/timeline_message.h"

#include "core/session/session.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/timeline/page/timeline_page.h"

#include <QAction>

#include <algorithm>

namespace altiscope {

TimelineMessage::TimelineMessage(const Session& session, QWidget* parent)
    : MessagePage(parent), m_session(session), m_report(new QAction(themedIcon(QStringLiteral("report")), {}, this)) {
    addActionButton(m_report);
    setFocusPolicy(Qt::StrongFocus);
    connect(m_report, &QAction::triggered, this, [this] { emit reportRequested(m_unreadCapture); });
}

void TimelineMessage::refresh() {
    PageMessage text{.kind = PageMessage::Kind::Empty,
                     .title = TimelinePage::tr("Timeline"),
                     .reason = {},
                     .remedy = {},
                     .icon = {}};
    const auto& captures = m_session.captures();
    const bool isLoading =
        std::any_of(captures.begin(), captures.end(), [](const OpenCapture& capture) { return capture.job != 0; });
    if (captures.empty()) {
        text.reason = TimelinePage::tr("All ranks, processes and streams over time. Nothing is open yet.");
        text.remedy = TimelinePage::tr("Open a capture with Ctrl+O, or drop its folder here.");
    } else if (isLoading) {
        text.reason = TimelinePage::tr("The capture is being read. The first tracks appear as soon as they are known.");
    } else {
        text.reason = TimelinePage::tr("No open capture has a timeline.");
        text.remedy =
            TimelinePage::tr("The tree of captures lists what is missing, and which switch would have recorded it.");
        if (const QString advice = adviceOfUnread(); !advice.isEmpty()) text.remedy = advice;
    }
    m_report->setText(TimelinePage::tr("Import report"));
    m_report->setVisible(!captures.empty() && !isLoading);
    setMessage(text);
}

/// Remedy for the first source that is there and cannot be read; empty if there is none.
QString TimelineMessage::adviceOfUnread() {
    m_unreadCapture = m_session.captures().front().id;
    for (const OpenCapture& capture : m_session.captures()) {
        if (capture.store == nullptr) continue;
        for (const Diagnostic& diagnostic : capture.store->diagnostics.entries()) {
            if (!isUnreadSource(diagnostic)) continue;
            m_unreadCapture = capture.id;
            return toQString(diagnostic.message(catalogueLanguage()));
        }
    }
    return {};
}

}  // namespace altiscope
