// How long each page of the window takes to open: from the click on its tab to the end of the first frame that shows
// its numbers, and to the last one that changes anything. The capture has been imported before and is opened again for
// each page, so that nothing is known of it but what its cache holds. And how long a workspace with the capture takes
// until the window looks as it does in the end. Usage: bench_pages CAPTURE CACHE_FOLDER [ROUNDS]
//  prints one JSON object; medians in ms.
#include "app/gui/main_window.h"

#include "core/session/demo_capture.h"
#include "core/session/marks.h"
#include "core/session/workspace_file.h"
#include "views/common/support/view_list.h"
#include "views/common/tables/data_table.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QImage>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize kWindow{1920, 1080};
/// A frame follows what changed it within this.
constexpr int kRestMs = 40;
constexpr int kMaxMsLength = 120'000;

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// Tells of each event that has been dealt with; `isFrame`: it painted the window.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;

    std::function<void()> before, after;
    std::function<void()> frameEnded;

    bool notify(QObject* receiver, QEvent* event) override {
        const bool isFrame = event->type() == QEvent::UpdateRequest;
        if (isFrame && before) before();
        const bool result = QApplication::notify(receiver, event);
        if (isFrame && frameEnded) frameEnded();
        if (after) after();
        return result;
    }
};

WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }

/// The program as main() puts it together.
struct Program {
    explicit Program(const char* cache) : session(jobs, cache) {
        window.emplace(WindowServices{session, selection, theme, language, settings, demo, marks});
        window->resize(kWindow);
        window->show();
    }
    ~Program() {
        jobs.shutdown();
        window.reset();
    }
    bool rest() {
        return QTest::qWaitFor([&] { return jobs.jobs().empty() && window->idle(); }, kMaxMsLength);
    }
    QTabWidget& pages() {
        for (QTabWidget* tabs : window->findChildren<QTabWidget*>()) {
            if (tabs->count() == static_cast<int>(allViews().size())) return *tabs;
        }
        std::abort();
    }

    UserSettings settings{QString()};
    ThemeController theme{*qApp};
    LanguageController language;
    JobRunner jobs;
    Session session;
    Selection selection;
    Marks marks{session, {}};
    DemoCapture demo{session, {}};
    std::optional<MainWindow> window;
};

struct Opening {
    double numbers = 0, complete = 0;
};

/// The page shows sums, whatever is still to come: of those that show them in parts.
bool hasNumbers(const Program& program, QWidget& page, ViewId view) {
    if (view == ViewId::Operators) {
        for (DataTable* table : page.findChildren<DataTable*>()) {
            if (table->accessibleName() == "Operators in groups"_L1)
                return table->loader().rows()->count > 0 || program.window->idle();
        }
    }
    return program.window->idle();
}

Opening openPage(Program& program, ViewId view) {
    QTabWidget& pages = program.pages();
    const auto place = static_cast<int>(std::find(allViews().begin(), allViews().end(), view) - allViews().begin());
    QWidget& page = *pages.widget(place);
    const QPoint tab = pages.tabBar()->tabRect(place).center();
    Opening opening;
    QEventLoop loop;
    QTimer rest;
    rest.setSingleShot(true);
    QElapsedTimer clock;
    const auto now = [&] { return static_cast<double>(clock.nsecsElapsed()) / 1e6; };
    bool isClicked = false, isShown = false, isIdle = false;
    QObject::connect(&rest, &QTimer::timeout, &loop, [&] {
        if (isIdle) loop.quit();
    });
    application().before = [&] { isShown = isClicked && hasNumbers(program, page, view); };
    application().frameEnded = [&] {
        if (isShown && opening.numbers == 0) opening.numbers = now();
        if (isIdle) opening.complete = now();
    };
    application().after = [&] {
        if (!isClicked) return;
        if (!hasNumbers(program, page, view)) opening.numbers = 0;  // it went on
        const bool wasIdle = std::exchange(isIdle, program.window->idle());
        if (isIdle && !wasIdle) {
            opening.complete = now();
            rest.start(kRestMs);
        }
    };
    clock.start();
    QTest::mouseClick(pages.tabBar(), Qt::LeftButton, {}, tab);
    isClicked = true;
    QTimer::singleShot(kMaxMsLength, &loop, &QEventLoop::quit);
    loop.exec();
    application().before = application().frameEnded = application().after = {};
    if (pages.currentIndex() != place || !isIdle) std::abort();
    // Nothing that is seen changed after it was there.
    if (opening.numbers == 0) opening.numbers = opening.complete;
    return opening;
}

/// ms until the window looks as it does at the end, without the time that looking takes here.
double openWorkspace(Program& program, const QString& file) {
    std::vector<std::pair<double, QImage>> frames;
    QEventLoop loop;
    QTimer rest;
    rest.setSingleShot(true);
    QElapsedTimer clock;
    double looking = 0;
    const auto now = [&] { return static_cast<double>(clock.nsecsElapsed()) / 1e6 - looking; };
    bool isLooking = false;
    const auto isIdle = [&program] {
        return !program.session.captures().empty() && program.jobs.jobs().empty() && program.window->idle();
    };
    QObject::connect(&rest, &QTimer::timeout, &loop, [&] {
        if (isIdle()) loop.quit();
    });
    application().frameEnded = [&] {
        if (std::exchange(isLooking, true)) return;
        const double time = now();
        frames.emplace_back(time, program.window->grab().toImage());
        looking += now() - time;
        isLooking = false;
    };
    application().after = [&] {
        if (isIdle() && !rest.isActive()) rest.start(10 * kRestMs);
    };
    clock.start();
    program.window->open({file});
    QTimer::singleShot(kMaxMsLength, &loop, &QEventLoop::quit);
    loop.exec();
    application().frameEnded = application().after = {};
    if (!isIdle() || frames.empty()) std::abort();
    double first = frames.back().first;
    for (std::size_t i = frames.size(); i > 0 && frames[i - 1].second == frames.back().second; --i)
        first = frames[i - 1].first;
    return first;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
    const WatchedApplication application(argc, argv);
    Program program(argv[2]);
    const QString capture = QString::fromLocal8Bit(argv[1]);
    constexpr ViewId kPages[] = {ViewId::Overview,      ViewId::Timeline, ViewId::Memory,  ViewId::Operators,
                                 ViewId::Communication, ViewId::Cluster,  ViewId::Findings};
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"bench.altiscope"_s);
    Workspace workspace;
    workspace.captures.push_back({QDir().absoluteFilePath(capture), {}, {}});
    workspace.page = u"timeline"_s;
    if (writeWorkspace(workspace, file)) return 1;
    std::vector<double> restored;
    std::map<ViewId, std::vector<double>> numbers, complete;
    for (int round = -1; round < rounds; ++round) {
        const double workspaceMs = openWorkspace(program, file);
        if (round >= 0) restored.push_back(workspaceMs);
        program.session.close(program.session.captures().front().id);
        for (const ViewId view : kPages) {
            // From a page that asks for nothing; nothing of the capture is known but what the cache holds.
            program.window->open({capture});
            program.window->showView(ViewId::Sql);
            if (!program.rest()) return 1;
            const Opening opening = openPage(program, view);
            if (!program.rest()) return 1;
            program.session.close(program.session.captures().front().id);
            if (round < 0) continue;  // fonts, icons and the cache
            numbers[view].push_back(opening.numbers);
            complete[view].push_back(opening.complete);
        }
    }
    std::printf("{\"workspace\": %.0f, ", median(restored));
    for (const ViewId view : kPages) {
        std::printf("%s\"%s\": {\"numbers\": %.0f, \"complete\": %.0f}", view == kPages[0] ? "" : ", ",
                    qPrintable(viewName(view)), median(numbers[view]), median(complete[view]));
    }
    std::printf("}\n");
    return 0;
}
