#include "views/help/manual.h"

#include "views/common/support/formatters.h"
#include "views/help/what_opens.h"

#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <QTextDocument>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr QLatin1StringView kMade("supported");

constexpr QLatin1StringView kPages[] = {QLatin1StringView("start"),
                                        QLatin1StringView("tutorial"),
                                        QLatin1StringView("overview"),
                                        QLatin1StringView("timeline"),
                                        QLatin1StringView("memory"),
                                        QLatin1StringView("snapshot"),
                                        QLatin1StringView("operators"),
                                        QLatin1StringView("communication"),
                                        QLatin1StringView("cluster"),
                                        QLatin1StringView("findings"),
                                        QLatin1StringView("compare"),
                                        QLatin1StringView("sql"),
                                        QLatin1StringView("report"),
                                        QLatin1StringView("capture"),
                                        QLatin1StringView("files"),
                                        kMade,
                                        QLatin1StringView("numbers"),
                                        QLatin1StringView("shell"),
                                        QLatin1StringView("trouble"),
                                        QLatin1StringView("reference/keys"),
                                        QLatin1StringView("reference/command-line"),
                                        QLatin1StringView("reference/window"),
                                        QLatin1StringView("reference/sql"),
                                        QLatin1StringView("reference/json"),
                                        QLatin1StringView("records")};

/// Pages of the reference are made from the programs, in English alone.
bool isReference(const QString& page) { return page.startsWith("reference/"_L1); }

QString fileOf(const QString& page) {
    if (isReference(page)) return u":/help/"_s + page + u".md"_s;
    return u":/help/manual/"_s + toQString(catalogueLanguage()) + u'/' + page + u".md"_s;
}

}  // namespace

std::span<const QLatin1StringView> manualPages() { return kPages; }

QString manualPageOf(ViewId view) {
    const QString name = viewName(view);
    return std::find(std::begin(kPages), std::end(kPages), name) == std::end(kPages) ? QString(kPages[0]) : name;
}

QUrl manualPlace(const QString& page) {
    const QString ending = page == kMade ? u".html"_s : u".md"_s;
    return QUrl((isReference(page) ? u"manual:/"_s : u"manual:/manual/any/"_s) + page + ending);
}

QString manualPageAt(const QUrl& place) {
    const bool isOurs = place.scheme() == "manual"_L1;
    const auto* page = std::find_if(std::begin(kPages), std::end(kPages), [&place](QLatin1StringView name) {
        return manualPlace(name).path() == place.path();
    });
    return isOurs && page != std::end(kPages) ? QString(*page) : QString();
}

QString manualPicture(const QUrl& name, bool dark) {
    const QString subject = QFileInfo(name.path()).completeBaseName().section(u'-', 0, 0);
    return u":/help/"_s + subject + (dark ? u"-dark-"_s : u"-light-"_s) + toQString(catalogueLanguage()) + u".png"_s;
}

QString manualText(const QString& page) {
    if (page == kMade) return whatOpensHtml();
    QFile file(fileOf(page));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll());
}

QString manualTitle(const QString& page) {
    if (page == kMade) return whatOpensTitle();
    const QString text = manualText(page);
    return text.startsWith("# "_L1) ? text.mid(2, text.indexOf(u'\n') - 2) : QString();
}

bool manualHas(const QString& page, const QString& words) {
    QString text = manualText(page);
    if (page == kMade) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(wanted.begin(), wanted.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace altiscope
