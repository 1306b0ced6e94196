#pragma once

#include <QString>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// The pages of the window, in the order of their tabs. Each has one row in view_list.cpp, from which all that follows
/// here is taken; its icon, its page of the manual and its picture have the row's name.
enum class ViewId : unsigned char {
    Overview,
    Timeline,
    Memory,
    Snapshot,
    Operators,
    Communication,
    Cluster,
    Findings,
    Compare,
    Sql,
    Report,
    Capture,
};

/// All of them, in order.
std::span<const ViewId> allViews();

/// The word of the command line: "overview", "timeline", ... (resources/help/reference/command-line.md).
QString viewName(ViewId view);
/// The words that viewFromName() knows: those of all pages.
QStringList viewNames();
std::optional<ViewId> viewFromName(const QString& name);

QString viewTitle(ViewId view);     ///< Title of the tab, translated.
QString viewSynonyms(ViewId view);  ///< What else people call it, in both languages: found by, not shown.
QString viewPurpose(ViewId view);   ///< One or two sentences: what the page shows; translated.
QString viewIcon(ViewId view);      ///< Name for themedIcon().

/// What a capture must hold for a page to show anything: words of RankInfo::present and MissingData::what, any of which
/// is enough. Empty: the page needs nothing special.
std::vector<std::string_view> viewNeeds(ViewId view);

/// What bars, menus and reports do with a page.
struct PageTraits {
    bool followsContext = false;  ///< It shows what the bar above the pages says.
    bool choosesRanks = false;    ///< It has a list of ranks of its own, so the bar has none.
    bool choosesSteps = false;    ///< The same of steps.
    bool needsNoCapture = false;  ///< It is of use while no capture is open.
    bool goesIntoReport = false;  ///< What it shows can be put into a report.
};
PageTraits traitsOf(ViewId view);

}  // namespace altiscope
