#include "views/overview/planned_page.h"

#include "views/common/support/data_texts.h"
#include "views/overview/facts/capture_facts.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>

namespace altiscope {

namespace {

struct DataState {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DataState)
};

bool contains(const std::vector<std::string_view>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// One capture's line; empty while nothing is known of it.
QString lineOf(const OpenCapture& capture, const std::vector<std::string_view>& needs) {
    if (capture.store == nullptr || capture.store->ranks.empty()) return {};
    std::size_t with = 0;
    QStringList reasons;
    for (const RankEntry& rank : capture.store->ranks) {
        const RankInfo& info = rank.info;
        with += std::any_of(info.present.begin(), info.present.end(),
                            [&](const auto& what) { return contains(needs, what); })
                    ? 1
                    : 0;
        for (const MissingData& missing : info.missing) {
            if (contains(needs, missing.what)) reasons << missingText(missing);
        }
    }
    reasons.removeDuplicates();
    const int ranks = static_cast<int>(capture.store->ranks.size());
    const QString name = captureName(capture);
    if (with == capture.store->ranks.size())
        return DataState::tr("%1: its data is recorded for %n rank(s).", nullptr, ranks).arg(name);
    const QString share =
        with == 0 ? DataState::tr("%1: its data is not recorded.").arg(name)
                  : DataState::tr("%1: its data is recorded for %2 of %n rank(s).", nullptr, ranks).arg(name).arg(with);
    return reasons.isEmpty() ? share : share + QChar(u' ') + reasons.join(QChar(u' '));
}

}  // namespace

QString dataStateOf(const std::vector<OpenCapture>& captures, ViewId view) {
    const std::vector<std::string_view> needs = viewNeeds(view);
    QStringList lines;
    for (const OpenCapture& capture : captures) {
        const QString line = needs.empty() ? QString() : lineOf(capture, needs);
        if (!line.isEmpty()) lines << line;
    }
    return lines.join(QChar(u'\n'));
}

PlannedPage::PlannedPage(Session& session, ViewId view, QWidget* parent)
    : MessagePage(parent), m_session(session), m_view(view) {
    connect(&session, &Session::captureOpened, this, &PlannedPage::refresh);
    connect(&session, &Session::captureChanged, this, &PlannedPage::refresh);
    connect(&session, &Session::captureClosed, this, &PlannedPage::refresh);
    refresh();
}

void PlannedPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    MessagePage::changeEvent(event);
}

void PlannedPage::refresh() {
    setMessage({.title = viewTitle(m_view),
                .reason = viewPurpose(m_view) + QStringLiteral("\n\n") + tr("This page comes with a later version."),
                .remedy = dataStateOf(m_session.captures(), m_view),
                .icon = viewIcon(m_view)});
}

}  // namespace altiscope
