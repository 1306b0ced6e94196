#include "app/gui/main_window.h"
#include "app/gui/quit_signals.h"
#include "app/gui/screen_fit.h"
#include "app/gui/screenshot.h"
#include "core/base/text/printable_text.h"
#include "core/session/cache_view.h"
#include "core/session/demo_capture.h"
#include "core/session/marks.h"
#include "core/session/workspace_file.h"
#include "views/capture/capture_page.h"
#include "views/capture/runs/askpass_helper.h"
#include "views/common/support/formatters.h"
#include "views/report/output/report_run.h"

#include <QApplication>
#include <QFontInfo>
#include <QScreen>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <unistd.h>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

void print(std::FILE* stream, const QString& text) { std::fputs(text.toUtf8().constData(), stream); }

/// A line for a person on stderr. Names of files may hold anything, also what a terminal obeys.
void printMessage(const QString& text) { std::fprintf(stderr, "%s\n", printableText(text.toStdString()).c_str()); }

/// The system's font for windows, and a Chinese one after it: Chinese names occur in any language, and which forms
/// their characters take must not depend on the system's.
QFont uiFont() {
    QFont font = QApplication::font();
    font.setFamilies({QFontInfo(font).family(), u"Noto Sans CJK SC"_s});
    return font;
}

QString languageFor(const QString& requested, const UserSettings& settings) {
    if (!requested.isEmpty()) return requested;
    return settings.language().isEmpty() ? LanguageController::systemLanguage() : settings.language();
}

/// Qt ends what finds no display by abort(); that is no fault of this program.
void endWithSentence(QtMsgType type, const QMessageLogContext&, const QString& message) {
    printMessage(message);
    if (type == QtFatalMsg) std::_Exit(1);
}

/// A scale by which no window can be drawn: one takes the square of it in memory.
std::optional<Error> problemOfScale() {
    static constexpr double kMax = 8, kMin = 0.25, kUsualDpi = 96;
    for (const QScreen* screen : QGuiApplication::screens()) {
        for (const double scale : {screen->devicePixelRatio(), screen->logicalDotsPerInch() / kUsualDpi})
            if (!(scale >= kMin && scale <= kMax))
                return Error{"window.scale", {}, {}, {{"scale", QString::number(scale).toStdString()}}};
    }
    return std::nullopt;
}

void prepare(const GuiOptions& options, UserSettings& settings, ThemeController& theme, LanguageController& language) {
    theme.setChoice(themeChoiceFromName(options.theme.isEmpty() ? settings.theme() : options.theme));
    language.setLanguage(languageFor(options.language, settings));
}

/// The texts of --help and of wrong usage in the language of the user. Needs no display.
GuiCommandLine parseTranslated(const QStringList& arguments) {
    int count = 1;
    char name[] = "altiscope";
    char* values[] = {name, nullptr};
    const QCoreApplication application(count, values);
    // Options may be wrong, so the language is looked for by itself.
    const QString option = u"--language"_s;
    QString requested;
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == option && i + 1 < arguments.size()) requested = arguments[i + 1];
        if (arguments[i].startsWith(option + u'=')) requested = arguments[i].sliced(option.size() + 1);
    }
    LanguageController language;
    language.setLanguage(languageFor(requested, UserSettings(UserSettings::defaultFile())));
    return parseGuiArguments(arguments);
}

void fulfil(const GuiOptions& options, MainWindow& window) {
    if (options.size.isValid()) {
        window.resize(options.size);
    } else if (!options.screenshot.isEmpty()) {
        window.resize(GuiOptions::kScreenshotSize);
    }
    window.open(options.captures);
    // A place in time is one of the timeline.
    const bool wantsTimeline = options.range || options.select;
    if (options.view || wantsTimeline) window.keepView(options.view.value_or(ViewId::Timeline));
    if (options.range) window.showRange(*options.range);
    if (options.select) window.selectWhenRead(*options.select);
}

/// Says on stderr what could not be opened. @return Whether anything could not.
bool reportFailures(const Session& session, const MainWindow& window) {
    const auto problem = window.problem();
    if (problem) printMessage(errorSentence(*problem));
    bool any = problem.has_value();
    for (const OpenCapture& capture : session.captures()) {
        if (!capture.error) continue;
        any = true;
        printMessage(errorSentence(*capture.error));
    }
    return any;
}

/// Writes a report. @return The exit status.
int writeReport(const GuiOptions& options) {
    static constexpr int kCancelled = 130;
    LanguageController language;
    language.setLanguage(languageFor(options.language, UserSettings(QString())));
    JobRunner jobs;
    Session session(jobs, cacheFolder(std::nullopt));
    // With a workspace: the capture that its pages show.
    QString capture = options.captures.front();
    if (isWorkspaceName(capture)) {
        const auto workspace = readWorkspace(capture);
        const bool isEmpty = workspace.ok() && workspace.value().captures.empty();
        if (!workspace.ok() || isEmpty) {
            const Error problem = workspace.failed() ? workspace.error() : Error{"capture.missing", "", {}, {}};
            printMessage(errorSentence(problem));
            return 1;
        }
        capture = workspace.value().captures[workspace.value().current].path;
    }
    int status = kCancelled;  // unless it ends by itself
    const ReportRun run(session, capture, options.report);
    QObject::connect(&run, &ReportRun::finished, qApp, [&status](const QString& problem) {
        if (!problem.isEmpty()) printMessage(problem);
        status = problem.isEmpty() ? 0 : 1;
        QCoreApplication::quit();
    });
    const QuitSignals quitSignals;
    QApplication::exec();
    jobs.shutdown();
    return status;
}

int run(const GuiOptions& options) {
    // A picture for a manual or a test neither depends on what the user did before nor changes what is remembered.
    UserSettings settings(options.screenshot.isEmpty() ? UserSettings::defaultFile() : QString());
    ThemeController theme(*qApp);
    LanguageController language;
    JobRunner jobs;
    const std::filesystem::path cache = cacheFolder(std::nullopt);
    Session session(jobs, cache, options.screenshot.isEmpty() ? UserSettings::correctionsFile() : QString());
    Selection selection;
    // Without a cache folder there is no place for a demo: the current folder may be anybody's. Beside the cache: that
    // is not used for captures that lie in its folder.
    DemoCapture demo(session, cache.empty() ? cache : cache.parent_path() / "altiscope-demo-" ALTI_VERSION);
    Marks marks(session, options.screenshot.isEmpty() ? UserSettings::marksFile() : QString());
    prepare(options, settings, theme, language);

    int status = 0;
    {
        const std::filesystem::path captures =
            options.screenshot.isEmpty() ? standardCaptureFolder() : std::filesystem::path();
        const QString recovery = options.screenshot.isEmpty() ? UserSettings::recoveryFolder() : QString();
        MainWindow window({session, selection, theme, language, settings, demo, marks, captures, recovery});
        fulfil(options, window);
        ScreenFit screenFit;
        if (options.screenshot.isEmpty()) qApp->installEventFilter(&screenFit);
        window.show();
        std::optional<Screenshot> screenshot;
        const auto refused = options.screenshot.isEmpty() ? std::nullopt : session.refusedToWrite(options.screenshot);
        if (refused) {
            printMessage(errorSentence(*refused));
            status = 1;
        } else if (!options.screenshot.isEmpty()) {
            screenshot.emplace(window, options.screenshot);
            QObject::connect(&*screenshot, &Screenshot::finished, qApp,
                             [&session, &window, &status](const QString& problem) {
                                 if (!problem.isEmpty()) printMessage(problem);
                                 status = reportFailures(session, window) || !problem.isEmpty() ? 1 : 0;
                                 window.leaveForNextStart();  // without a prompt
                                 QCoreApplication::quit();
                             });
        }
        const QuitSignals quitSignals;
        QObject::connect(&quitSignals, &QuitSignals::quitting, &window, &MainWindow::leaveForNextStart);
        if (!refused) QApplication::exec();
        // Before any widget goes: nothing may come back to one.
        jobs.shutdown();
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    // OpenSSH starts this program to ask the user for something (views/capture/runs/askpass_helper.h).
    if (const char* socket = std::getenv(kAskpassVariable); socket != nullptr && argc == 2) {
        const char* kind = std::getenv("SSH_ASKPASS_PROMPT");
        return runAskpass(socket, argv[1], kind != nullptr ? kind : "", STDOUT_FILENO);
    }
    // Both are reported by the call that fails: the reader is gone, or the file is larger than the shell allows.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    QCoreApplication::setApplicationName(u"altiscope"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(ALTI_VERSION));
    // Wrong usage and --help need no display, so they come before the application.
    const GuiCommandLine line = parseGuiArguments(arguments);
    if (line.exitStatus >= 0) {
        print(line.exitStatus == 0 ? stdout : stderr, parseTranslated(arguments).text);
        return line.exitStatus;
    }
    // Nothing is shown, so that no display is needed.
    if (!line.options.report.isEmpty()) qputenv("QT_QPA_PLATFORM", "offscreen");
    int qtArguments = 1;
    const QtMessageHandler before = qInstallMessageHandler(endWithSentence);
    const QApplication application(qtArguments, argv);
    qInstallMessageHandler(before);
    if (const auto problem = problemOfScale()) {
        LanguageController language;
        language.setLanguage(languageFor(line.options.language, UserSettings(UserSettings::defaultFile())));
        printMessage(errorSentence(*problem));
        return 1;
    }
    QApplication::setFont(uiFont());
    QApplication::setWindowIcon(QIcon(u":/icons/altiscope.svg"_s));
    return line.options.report.isEmpty() ? run(line.options) : writeReport(line.options);
}
