#include "views/overview/tree/correction_menu.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>
#include <limits>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Corrections {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Corrections)
};

/// Where a correction is made and by whom it is taken. Plain copies: the capture may be closed while a dialog is open.
struct Subject {
    Session& session;
    CaptureId capture;
    std::string rank;
    QWidget* window;

    RankCorrection said() const {
        const RankCorrections all = session.corrections(capture);
        const auto found = all.find(rank);
        return found == all.end() ? RankCorrection() : found->second;
    }
    void say(const RankCorrection& correction) const {
        if (session.correct(capture, rank, correction)) return;
        QMessageBox::warning(
            window, Corrections::tr("Not saved"),
            Corrections::tr("The correction lasts until the program ends: the file of corrections cannot be written."));
    }
};

void promptNumber(const Subject& subject, const QString& title, std::optional<std::int64_t> now) {
    bool isAccepted = false;
    const int number = QInputDialog::getInt(
        subject.window, Corrections::tr("Rank number"), Corrections::tr("Number in the job of %1:").arg(title),
        static_cast<int>(std::clamp<std::int64_t>(now.value_or(0), 0, std::numeric_limits<int>::max())), 0,
        std::numeric_limits<int>::max(), 1, &isAccepted);
    if (!isAccepted) return;
    RankCorrection correction = subject.said();
    correction.rankId = number;
    subject.say(correction);
}

}  // namespace

void addCorrections(QMenu& menu, Session& session, const OpenCapture& capture, const RankInfo& rank, QWidget* window) {
    const Subject subject{session, capture.id, rank.path, window};
    const QString title = rank.path == "." ? QFileInfo(capture.path).fileName() : toQString(rank.path);
    menu.addAction(Corrections::tr("Set the rank's &number…"), window,
                   [subject, title, now = rank.rankId] { promptNumber(subject, title, now); });
    QMenu* other = nullptr;
    for (const std::string& source : rank.alternatives) {
        const QString path = QDir(capture.path).filePath(toQString(source));
        const bool isCapture = QFileInfo(path).isDir();
        // Parts of the rank itself, and files that only one way of reading knows, cannot be chosen.
        const bool isSource = source.ends_with(".db") || source.ends_with(".json");
        const bool isPart = source.starts_with(rank.path + '/') || rank.path == ".";
        if (isCapture ? isPart : !isSource) continue;
        if (other == nullptr) other = menu.addMenu(Corrections::tr("Read instea&d"));
        // Names may hold the sign of access keys.
        const QString text = toQString(source).replace(u'&', u"&&"_s);
        other->addAction(isCapture ? Corrections::tr("%1 (opens beside this)", "a folder").arg(text) : text, window,
                         [subject, source, path, isCapture] {
                             if (isCapture) {
                                 subject.session.open(path);
                                 return;
                             }
                             RankCorrection correction = subject.said();
                             correction.source = source;
                             subject.say(correction);
                         });
    }
    if (!subject.said().empty())
        menu.addAction(Corrections::tr("As in the &files"), window, [subject] { subject.say({}); });
}

}  // namespace altiscope
