#pragma once

#include "core/base/values/ids.h"
#include "views/common/pages/message_page.h"

class QAction;

namespace altiscope {

class Session;

/// Message of the page while no capture has anything to show: that nothing is open, that it is being read, or what is
/// missing, with a way to the report. GUI thread.
class TimelineMessage : public MessagePage {
    Q_OBJECT
public:
    /// The session must outlive it.
    explicit TimelineMessage(const Session& session, QWidget* parent = nullptr);

    /// By what is open now, in the present language.
    void refresh();

signals:
    /// Wants to see why a capture shows nothing here.
    void reportRequested(CaptureId capture);

private:
    QString adviceOfUnread();

    const Session& m_session;
    QAction* m_report;
    CaptureId m_unreadCapture;  // the one that the message is about
};

}  // namespace altiscope
