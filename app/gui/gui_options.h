#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "views/common/support/view_list.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace altiscope {

/// Requests on the command line of the GUI (resources/help/reference/command-line.md).
struct GuiOptions {
    QStringList captures;
    std::optional<ViewId> view;
    std::optional<TimeRange> range;
    std::optional<SliceId> select;
    QString theme;       ///< "light", "dark", "system"; empty if not given.
    QString language;    ///< "en", "zh_CN"; empty if not given.
    QString screenshot;  ///< Path of the picture; empty: stay open.
    QString report;      ///< Path of the report, .pdf or .html; empty: none. No window then.
    QSize size;          ///< Size of the window; not valid if not given.

    /// The picture's size without --size.
    static constexpr QSize kScreenshotSize{1600, 1000};
};

/// A parsed command line: options, or a text to print and an exit status.
struct GuiCommandLine {
    GuiOptions options;
    QString text;         ///< For --help and --version, or what is wrong.
    int exitStatus = -1;  ///< -1: run; 0: print `text` to stdout; 2: wrong usage, print `text` to stderr.
};

/// Needs no application object. @param arguments  With the program's name first.
GuiCommandLine parseGuiArguments(const QStringList& arguments);

}  // namespace altiscope
