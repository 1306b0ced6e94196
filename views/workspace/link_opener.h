#pragma once

#include "core/session/capture_identities.h"
#include "core/session/workspace/capture_link.h"
#include "views/common/support/link_request.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>

class QWidget;

namespace altiscope {

class NoticeBar;

/// Copies links to places of captures, and follows them: to a capture that is open, to one that is being read once it
/// is, and to one that was opened lately if the user agrees. GUI thread.
class LinkOpener : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    /// @param recent  Where captures were opened lately, by identity.
    LinkOpener(Session& session, CaptureIdentities& identities, NoticeBar& notices,
               std::function<std::map<std::string, QString>()> recent, QWidget* window);

    /// Into the clipboard; of a capture that is not identified yet as soon as it is.
    void copy(const LinkPlace& place);
    /// Says what is wrong with a text that is no link.
    void follow(const QString& text);
    bool idle() const { return !m_link && !m_place; }

signals:
    /// The capture is open, and the place is to be shown.
    void placeRequested(CaptureId capture, const altiscope::CaptureLink& link);
    void openRequested(const QString& path);
    void statusMessage(const QString& text);

private:
    void goOn();
    bool isWaiting() const;

    Session& m_session;
    CaptureIdentities& m_identities;
    NoticeBar& m_notices;
    std::function<std::map<std::string, QString>()> m_recent;
    std::optional<CaptureLink> m_link;  // to be followed once its capture is known
    std::optional<LinkPlace> m_place;   // to be copied then
    bool m_isOffered = false;           // opening the capture of m_link
};

}  // namespace altiscope
