// The page that records jobs: how long it takes to be made, shown and painted for the first time, and how long the GUI
// thread is held by one piece of work while 64 hosts report, as the window sees it: by session files that change.
// Usage: bench_capture_page [ROUNDS]   prints one JSON object; times in ms, of the clock and of the thread's own work.
#include "core/capture/session/record_store.h"
#include "core/session/session.h"
#include "views/capture/capture_page.h"
#include "views/capture/runs/history_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

using namespace altiscope;
using namespace altiscope::capture;

namespace {

constexpr int kHosts = 64, kRanksPerHost = 8, kReports = 40;

struct Times {
    double wall = 0, work = 0;  ///< ms.
};

/// From its making on.
class Watch {
public:
    Watch() : m_work(workMs()) { m_timer.start(); }
    Times elapsed() const { return {static_cast<double>(m_timer.nsecsElapsed()) / 1e6, workMs() - m_work}; }

private:
    static double workMs() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    double m_work;
    QElapsedTimer m_timer;
};

/// The longest time that one event took.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;
    Times longest;

    bool notify(QObject* receiver, QEvent* event) override {
        if (++m_depth > 1) {
            const bool inner = QApplication::notify(receiver, event);
            --m_depth;
            return inner;
        }
        const Watch watch;
        const bool result = QApplication::notify(receiver, event);
        const Times took = watch.elapsed();
        longest = {std::max(longest.wall, took.wall), std::max(longest.work, took.work)};
        --m_depth;
        return result;
    }

private:
    int m_depth = 0;
};

double medianOf(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

CaptureRecord recordOfHosts() {
    CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = State::Recording;
    for (int i = 0; i < kHosts; ++i) {
        TargetRecord target;
        target.name = "host" + std::to_string(i);
        target.state = State::Recording;
        target.results = "/results";
        for (int rank = 0; rank < kRanksPerHost; ++rank)
            target.ranks.push_back(
                {"/results/r" + std::to_string(rank), i * kRanksPerHost + rank, State::Recording, {}});
        record.targets.push_back(std::move(target));
    }
    return record;
}

/// One line of its log from each host.
void report(CaptureRecord& record, int number) {
    for (const TargetRecord& target : record.targets) {
        record.events.push_back({nowNs(),
                                 target.name,
                                 {},
                                 State::Recording,
                                 Error{"capture.event.log", {}, {}, {{"line", "step " + std::to_string(number)}}}});
    }
}

}  // namespace

int main(int argc, char** argv) {
    WatchedApplication application(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    std::vector<double> opened, work;
    for (int i = 0; i < rounds; ++i) {
        const QTemporaryDir folder;
        JobRunner jobs;
        Session session(jobs);
        const Watch watch;
        CapturePage page(session, {}, folder.path().toStdString());
        page.resize(1600, 900);
        page.show();
        if (!QTest::qWaitForWindowExposed(&page)) return 1;
        page.grab();
        opened.push_back(watch.elapsed().wall);
        work.push_back(watch.elapsed().work);
        while (!page.idle()) QTest::qWait(10);
    }
    const QTemporaryDir folder;
    const capture::RecordStore store(folder.path().toStdString());
    CaptureRecord record = recordOfHosts();
    if (!store.create(record).ok()) return 1;
    JobRunner jobs;
    Session session(jobs);
    CapturePage page(session, {}, folder.path().toStdString());
    page.resize(1600, 900);
    page.show();
    while (!page.idle()) QTest::qWait(10);
    auto* history = page.findChild<HistoryPanel*>();
    history->choose(record.id);
    QTest::qWait(500);
    application.longest = {};
    for (int i = 0; i < kReports; ++i) {
        report(record, i);
        if (!store.save(record).ok()) return 1;
        history->refresh();
        QTest::qWait(100);
    }
    std::printf("{\"opened_ms\": %.1f, \"opened_work_ms\": %.1f, \"first_opened_work_ms\": %.1f, \"longest_ms\": %.1f, "
                "\"longest_work_ms\": %.1f}\n",
                medianOf(opened), medianOf(work), work[0], application.longest.wall, application.longest.work);
    return 0;
}
