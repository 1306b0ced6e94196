#include "views/workspace/link_opener.h"

#include "views/workspace/notice_bar.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace altiscope {

LinkOpener::LinkOpener(Session& session, CaptureIdentities& identities, NoticeBar& notices,
                       std::function<std::map<std::string, QString>()> recent, QWidget* window)
    : QObject(window), m_session(session), m_identities(identities), m_notices(notices), m_recent(std::move(recent)) {
    connect(&identities, &CaptureIdentities::found, this, &LinkOpener::goOn);
    for (const auto signal : {&Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &LinkOpener::goOn);
}

void LinkOpener::copy(const LinkPlace& place) {
    m_place = place;
    goOn();
    if (m_place) emit statusMessage(tr("The link is copied as soon as the capture's checksum is known."));
}

void LinkOpener::follow(const QString& text) {
    const auto link = linkFromText(text);
    if (!link) {
        return emit statusMessage(
            tr("Not a link: %1 was found, altiscope:CAPTURE/rank/R/slice/S or …/range/A-B was expected.")
                .arg(text.trimmed().left(80)));
    }
    m_link = link;
    m_isOffered = false;
    goOn();
}

/// A capture may still turn out to be the one.
bool LinkOpener::isWaiting() const {
    const auto& captures = m_session.captures();
    return std::any_of(captures.begin(), captures.end(), [this](const OpenCapture& open) {
        const bool isLost = open.error || (open.cancelled && open.store == nullptr);
        return !isLost && !m_identities.of(open.id);
    });
}

void LinkOpener::goOn() {
    if (m_place) {
        const OpenCapture* open = m_session.capture(m_place->capture);
        const auto identity = m_identities.of(m_place->capture);
        if (open == nullptr || open->error) m_place.reset();
        else if (identity && open->store != nullptr) {
            const LinkPlace place = *std::exchange(m_place, std::nullopt);
            if (identity->empty()) return emit statusMessage(tr("No link: the capture's files cannot be read."));
            CaptureLink link{*identity, {}, place.slice, place.range};
            if (place.rank && place.rank->value < open->store->ranks.size())
                link.rank = open->store->ranks[place.rank->value].info.rankId;
            const QString text = linkText(link);
            QGuiApplication::clipboard()->setText(text);
            emit statusMessage(tr("In the clipboard: %1").arg(text));
        }
    }
    if (!m_link) return;
    if (const CaptureId capture = m_identities.captureOf(m_link->identity); capture != kNoCapture) {
        const CaptureLink link = *std::exchange(m_link, std::nullopt);
        return emit placeRequested(capture, link);
    }
    if (isWaiting() || m_isOffered) return;
    const auto recent = m_recent();
    const auto known = recent.find(m_link->identity);
    if (known == recent.end() || !QFileInfo::exists(known->second)) {
        m_link.reset();
        m_notices.show({tr("The capture of this link is neither open nor among the recent ones. Open its folder, then "
                           "follow the link again."),
                        {}});
        return;
    }
    m_isOffered = true;
    m_notices.show({tr("The capture of this link is not open. It was recently opened from %1.").arg(known->second),
                    tr("&Open it"),
                    [this, path = known->second] {
                        m_isOffered = false;
                        emit openRequested(path);
                    },
                    [this] { m_link.reset(); }});
}

}  // namespace altiscope
