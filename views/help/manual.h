#pragma once

#include "views/common/support/view_list.h"

#include <QString>
#include <QStringList>
#include <QUrl>

namespace altiscope {

/// The manual: what users read about each page of the window, files, numbers and the command line, and the reference
/// that is made from the programs. GUI thread; texts are in the language of the window.

/// Names of all pages, in the order in which one would read them: among them one for each view.
const QStringList& manualPages();

/// The page about a view.
QString manualPageOf(ViewId view);

/// The address of a page, the same in every language; links between the files of resources/help are relative to it.
QUrl manualPlace(const QString& page);

/// The page at such an address; empty if it is none.
QString manualPageAt(const QUrl& place);

/// A picture that a page shows, in the look of the moment: ":/help/memory-dark-zh_CN.png" for
/// "../../memory-light-en.png".
QString manualPicture(const QUrl& name, bool dark);

/// Markdown, or HTML of the page that is made. Empty for an unknown page.
QString manualText(const QString& page);

/// Its first heading.
QString manualTitle(const QString& page);

/// Whether all words of `words`, which blanks separate, stand in the page, in any case of letters.
bool manualHas(const QString& page, const QString& words);

}  // namespace altiscope
