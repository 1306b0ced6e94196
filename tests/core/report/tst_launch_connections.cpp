#include "core/report/databases/launch_connections.h"

#include "tests/support/test_main.h"

#include <QString>

#include <initializer_list>
#include <vector>

using namespace altiscope;

namespace {

constexpr std::int64_t kMain = 1, kWorker = 2, kOther = 3;

QString ownersOf(const std::vector<HostInterval>& operators, const QueuedCalls& queue,
                 const std::vector<LaunchCall>& launches) {
    QString text;
    for (const OperatorLaunch& one : operatorLaunches(operators, queue, launches, CancelToken()))
        text += QStringLiteral("%1<-%2 ").arg(one.number).arg(one.connection);
    return text.trimmed();
}

}  // namespace

/// Which operator launched what, as the vendor's databases state it.
class TestLaunchConnections : public QObject {
    Q_OBJECT
private slots:
    /// An inner operator that begins with the enqueuing and ends before it does not own the launch.
    void theOperatorThatWhollyContainsTheEnqueuing() {
        const std::vector<HostInterval> operators{{kMain, 55, 75}, {kMain, 60, 64}, {kMain, 126, 146}};
        const QueuedCalls queue{{{kMain, 60, 65}, {kMain, 131, 136}}, {{kWorker, 99, 161}, {kWorker, 170, 239}}};
        QCOMPARE(ownersOf(operators, queue, {{{kWorker, 106, 156}, 2}, {{kWorker, 177, 234}, 5}}),
                 QStringLiteral("0<-2 2<-5"));
    }

    /// Of several the innermost; several launches of one dequeuing are all its own.
    void theInnermostOne() {
        const std::vector<HostInterval> operators{{kMain, 0, 100}, {kMain, 10, 50}, {kMain, 20, 40}};
        const QueuedCalls queue{{{kMain, 30, 31}}, {{kWorker, 200, 300}}};
        QCOMPARE(ownersOf(operators, queue, {{{kWorker, 210, 220}, 7}, {{kWorker, 230, 240}, 8}}),
                 QStringLiteral("2<-7 2<-8"));
    }

    void withoutAQueueByTheLaunchItself() {
        const std::vector<HostInterval> operators{{kMain, 0, 100}, {kMain, 10, 50}, {kOther, 15, 100}};
        QCOMPARE(ownersOf(operators, {}, {{{kMain, 20, 30}, 1}, {{kOther, 60, 70}, 2}, {{kWorker, 80, 90}, 3}}),
                 QStringLiteral("1<-1 2<-2"));
    }

    /// What no operator encloses, or no dequeuing, is of none.
    void nothingThatOnlyTouches() {
        const std::vector<HostInterval> operators{{kMain, 10, 20}};
        const QueuedCalls queue{{{kMain, 10, 15}}, {{kWorker, 30, 40}}};
        QCOMPARE(ownersOf(operators, queue, {{{kWorker, 31, 39}, 1}}), QString());
        QCOMPARE(ownersOf({{kMain, 9, 20}}, queue, {{{kWorker, 30, 39}, 1}, {{kWorker, 50, 60}, 2}}), QString());
    }
};

ALTI_TEST(TestLaunchConnections)
#include "tst_launch_connections.moc"
