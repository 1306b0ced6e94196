#include "views/help/what_opens.h"

#include "core/base/text/catalogue.h"
#include "core/session/reading/input_kinds.h"
#include "core/trace/data_kinds.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/view_list.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Help {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Help)
};

QString catalogue(std::string_view code, const MessageParameters& parameters = {}) {
    return toQString(catalogueText(code, catalogueLanguage(), parameters)).toHtmlEscaped();
}

QString code(std::string_view text) { return u"<code>"_s + toQString(text).toHtmlEscaped() + u"</code>"_s; }

/// "a, b" with each part as code.
QString codes(std::string_view names) {
    QStringList parts;
    for (const QString& name : toQString(names).split(u", "_s))
        parts << u"<code>"_s + name.toHtmlEscaped() + u"</code>"_s;
    return parts.join(u", "_s);
}

QString heading(const QString& text) { return u"<h2>"_s + text.toHtmlEscaped() + u"</h2>"_s; }

QString row(const QStringList& cells, QLatin1StringView cell = "td"_L1) {
    QString html = u"<tr>"_s;
    // Without a width the first column takes the room of the others.
    for (const QString& text : cells)
        html += u'<' + QString(cell) + (html.size() <= 4 ? u" width=\"28%\""_s : QString()) + u" align=\"left\">"_s +
                text + u"</"_s + cell + u'>';
    return html + u"</tr>"_s;
}

QString table(const QStringList& head, const QStringList& rows) {
    return u"<table width=\"100%\">"_s + row(head, "th"_L1) + rows.join(QString()) + u"</table>"_s;
}

const DataKind* kindOf(std::string_view what) {
    const auto kinds = dataKinds();
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [what](const DataKind& kind) { return kind.what() == what; });
    return found == kinds.end() ? nullptr : &*found;
}

QString switchText(const DataKind& kind) { return code(std::string(kind.option) + " = " + std::string(kind.value)); }

/// What a page needs, each with its switch; of several kinds one is enough.
QString needsText(ViewId view) {
    if (traitsOf(view).needsNoCapture) return Help::tr("nothing").toHtmlEscaped();
    QStringList needs;
    for (const std::string_view what : viewNeeds(view)) {
        const DataKind* kind = kindOf(what);
        const QString title = dataTitle(what).toHtmlEscaped();
        needs << (kind == nullptr
                      ? title
                      : Help::tr("%1 (%2)", "kind of data, switch that records it").arg(title, switchText(*kind)));
    }
    return needs.isEmpty() ? Help::tr("any capture").toHtmlEscaped()
                           : needs.join(u' ' + Help::tr("or", "one or the other") + u' ');
}

}  // namespace

QString whatOpensTitle() { return Help::tr("Supported files and required data"); }

QString whatOpensHtml() {
    QString html = u"<h1>"_s + whatOpensTitle().toHtmlEscaped() + u"</h1><p>"_s +
                   Help::tr("Drop a folder, a file or an archive on the window, or open it from the File menu. Nothing "
                            "in it is changed, and "
                            "nothing is written beside it.")
                       .toHtmlEscaped() +
                   u"</p>"_s;
    QStringList rows;
    for (const InputKind& input : inputKinds()) rows << row({codes(input.names), catalogue(input.code)});
    html += heading(Help::tr("What opens")) + table({Help::tr("Folder or file"), Help::tr("What it is")}, rows);

    rows.clear();
    for (const ViewId view : allViews())
        rows << row({viewTitle(view).toHtmlEscaped(), viewPurpose(view).toHtmlEscaped(), needsText(view)});
    html += heading(Help::tr("What each page needs")) +
            table({Help::tr("Page"), Help::tr("Shows"), Help::tr("Needs")}, rows);

    rows.clear();
    for (const DataKind& kind : dataKinds())
        rows << row({dataTitle(kind.what()).toHtmlEscaped(), switchText(kind),
                     catalogue(kind.code, {{"switch", std::string(kind.option)}})});
    html += heading(Help::tr("Which switch records what")) +
            table({Help::tr("Data"), Help::tr("Switch"), Help::tr("Without it")}, rows);

    rows.clear();
    for (const TableInput& input : tableInputs()) rows << row({code(input.table), codes(input.names)});
    html += heading(Help::tr("Which files fill which tables")) + u"<p>"_s +
            Help::tr("SQL tables beside those of the timeline. A profiler's database fills most of them too; of two "
                     "files with the same content only one is read, and the import report says which.")
                .toHtmlEscaped() +
            u"</p>"_s + table({Help::tr("Table"), Help::tr("Files")}, rows);
    return html;
}

}  // namespace altiscope
