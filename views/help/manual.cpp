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

constexpr QLatin1StringView kBeforeViews[] = {"start"_L1, "tutorial"_L1};
constexpr QLatin1StringView kAfterViews[] = {"files"_L1,
                                             kMade,
                                             "numbers"_L1,
                                             "settings"_L1,
                                             "shell"_L1,
                                             "trouble"_L1,
                                             "reference/keys"_L1,
                                             "reference/command-line"_L1,
                                             "reference/window"_L1,
                                             "reference/sql"_L1,
                                             "reference/json"_L1,
                                             "records"_L1};

/// Pages of the reference are made from the programs, in English alone.
bool isReference(const QString& page) { return page.startsWith("reference/"_L1); }

QString fileOf(const QString& page) {
    if (isReference(page)) return u":/help/"_s + page + u".md"_s;
    return u":/help/manual/"_s + toQString(catalogueLanguage()) + u'/' + page + u".md"_s;
}

}  // namespace

const QStringList& manualPages() {
    static const QStringList kPages = [] {
        QStringList pages(std::begin(kBeforeViews), std::end(kBeforeViews));
        for (const ViewId view : allViews()) pages << manualPageOf(view);
        return pages + QStringList(std::begin(kAfterViews), std::end(kAfterViews));
    }();
    return kPages;
}

QString manualPageOf(ViewId view) { return viewName(view); }

QUrl manualPlace(const QString& page) {
    const QString ending = page == kMade ? u".html"_s : u".md"_s;
    return QUrl((isReference(page) ? u"manual:/"_s : u"manual:/manual/any/"_s) + page + ending);
}

QString manualPageAt(const QUrl& place) {
    const bool isOurs = place.scheme() == "manual"_L1;
    const auto page = std::find_if(manualPages().begin(), manualPages().end(),
                                   [&place](const QString& name) { return manualPlace(name).path() == place.path(); });
    return isOurs && page != manualPages().end() ? *page : QString();
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
