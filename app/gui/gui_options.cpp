#include "app/gui/gui_options.h"

#include "core/base/values/parse.h"
#include "views/capture/hosts/remote_dialog.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QRegularExpression>

#include <array>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Usage {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Usage)
};

/// Wider or higher windows are a typing error, and their picture would not fit into memory.
constexpr int kMaxSide = 16384;

QSize parseSize(const QString& text) {
    static const QRegularExpression kSize(u"^([0-9]{1,5})x([0-9]{1,5})$"_s);
    const QRegularExpressionMatch match = kSize.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sane = !size.isEmpty() && size.width() <= kMaxSide && size.height() <= kMaxSide;
    return sane ? size : QSize();
}

/// The names of all options, defined once: for the parser and for reading them.
struct Options {
    QCommandLineOption view{u"view"_s, Usage::tr("Opens on this page."), u"NAME"_s};
    QCommandLineOption range{u"range"_s,
                             Usage::tr("Shows this part of the timeline, in nanoseconds of the trace's clock."),
                             u"START..END"_s};
    QCommandLineOption select{u"select"_s, Usage::tr("Selects the slice with this id."), u"SLICE_ID"_s};
    QCommandLineOption theme{u"theme"_s, Usage::tr("Look of the window: light, dark or system."), u"NAME"_s};
    QCommandLineOption language{u"language"_s, Usage::tr("Language of the window: en or zh_CN."), u"NAME"_s};
    QCommandLineOption screenshot{u"screenshot"_s,
                                  Usage::tr("Saves a picture of the window when everything is loaded, and exits."),
                                  u"FILE.png"_s};
    QCommandLineOption report{u"report"_s, Usage::tr("Writes the report of a capture, without a window, and exits."),
                              u"FILE.pdf|.html"_s};
    QCommandLineOption size{u"size"_s, Usage::tr("Size of the window, e.g. 1600x1000."), u"WxH"_s};
};

/// @return What is wrong with --report; empty if nothing is.
QString wrongReport(const GuiOptions& options) {
    const QString& file = options.report;
    if (!file.endsWith(u".pdf"_s, Qt::CaseInsensitive) && !file.endsWith(u".html"_s, Qt::CaseInsensitive))
        return Usage::tr("--report takes a name that ends with .pdf or .html");
    if (options.captures.size() != 1) return Usage::tr("--report takes one capture");
    return options.screenshot.isEmpty() ? QString() : Usage::tr("--report and --screenshot exclude each other");
}

/// @return What is wrong with captures on hosts, which need consent; empty if nothing is.
QString wrongPlace(const GuiOptions& options) {
    if (options.screenshot.isEmpty() && options.report.isEmpty()) return {};
    for (const QString& capture : options.captures)
        if (namesCaptureOnHost(capture))
            return Usage::tr("--screenshot and --report need the capture here: altiscope-cli pack %1 --out "
                             "FILE.altipack fetches it")
                .arg(capture);
    return {};
}

/// @return What is wrong with the values; empty if nothing is.
QString readValues(const QCommandLineParser& parser, const Options& names, GuiOptions& options) {
    const auto wrong = [](const QCommandLineOption& option, const QString& value, const QString& expected) {
        return Usage::tr("--%1: \"%2\" is not possible. Expected: %3")
            .arg(option.names().constFirst(), value, expected);
    };
    options.captures = parser.positionalArguments();
    if (parser.isSet(names.view)) {
        options.view = viewFromName(parser.value(names.view));
        if (!options.view) return wrong(names.view, parser.value(names.view), viewNames().join(u' '));
    }
    if (parser.isSet(names.range)) {
        options.range = timeRangeOf(parser.value(names.range).toStdString());
        if (!options.range) return wrong(names.range, parser.value(names.range), u"START_NS..END_NS"_s);
    }
    if (parser.isSet(names.select)) {
        bool ok = false;
        options.select = SliceId{parser.value(names.select).toLongLong(&ok)};
        if (!ok) return wrong(names.select, parser.value(names.select), Usage::tr("a whole number"));
    }
    options.theme = parser.value(names.theme);
    if (parser.isSet(names.theme) && !QStringList{u"light"_s, u"dark"_s, u"system"_s}.contains(options.theme)) {
        return wrong(names.theme, options.theme, u"light dark system"_s);
    }
    options.language = parser.value(names.language);
    if (parser.isSet(names.language) && !QStringList{u"en"_s, u"zh_CN"_s}.contains(options.language)) {
        return wrong(names.language, options.language, u"en zh_CN"_s);
    }
    options.screenshot = parser.value(names.screenshot);
    if (parser.isSet(names.screenshot) && options.screenshot.isEmpty())
        return wrong(names.screenshot, {}, u"FILE.png"_s);
    options.report = parser.value(names.report);
    if (parser.isSet(names.report)) {
        if (const QString wrongly = wrongReport(options); !wrongly.isEmpty()) return wrongly;
    }
    if (const QString wrongly = wrongPlace(options); !wrongly.isEmpty()) return wrongly;
    if (parser.isSet(names.size)) {
        options.size = parseSize(parser.value(names.size));
        if (!options.size.isValid()) return wrong(names.size, parser.value(names.size), u"1600x1000"_s);
    }
    return {};
}

}  // namespace

GuiCommandLine parseGuiArguments(const QStringList& arguments) {
    const Options names;
    QCommandLineParser parser;
    parser.setApplicationDescription(Usage::tr("Viewer and analyser for Ascend NPU profiles."));
    // Not addHelpOption(): that brings --help-all, whose text only a running application knows.
    const QCommandLineOption help({u"h"_s, u"help"_s}, Usage::tr("Shows this help."));
    parser.addOption(help);
    const QCommandLineOption version = parser.addVersionOption();
    parser.addOptions({names.view, names.range, names.select, names.theme, names.language, names.screenshot,
                       names.report, names.size});
    parser.addPositionalArgument(u"CAPTURE"_s, Usage::tr("Folders or files to open."), u"[CAPTURE...]"_s);

    GuiCommandLine line;
    const auto wrongUsage = [&line](const QString& what) {
        line.text = Usage::tr("altiscope: %1\nSee altiscope --help.").arg(what) + u'\n';
        line.exitStatus = 2;
        return line;
    };
    if (!parser.parse(arguments)) return wrongUsage(parser.errorText());
    if (parser.isSet(help)) {
        // Qt takes the program's name from the application, which is not there yet.
        line.text = parser.helpText().replace(u"<executable_name>"_s, u"altiscope"_s);
        line.exitStatus = 0;
        return line;
    }
    if (parser.isSet(version)) {
        line.text = u"altiscope "_s + QCoreApplication::applicationVersion() + u'\n';
        line.exitStatus = 0;
        return line;
    }
    const QString problem = readValues(parser, names, line.options);
    if (!problem.isEmpty()) return wrongUsage(problem);
    return line;
}

}  // namespace altiscope
