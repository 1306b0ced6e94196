#include "core/generate/collective_tasks.h"
#include "core/generate/stage_emitter.h"
#include "tests/support/test_main.h"

#include <map>

using namespace altiscope;
using namespace altiscope::generate;

class TestCollectiveTasks : public QObject {
    Q_OBJECT

private slots:
    void tasks_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<qlonglong>("waitNs");
        QTest::addRow("pair") << 2 << 33'554'432ULL << 0LL;
        QTest::addRow("pair waits") << 2 << 33'554'432ULL << 5'000'000LL;
        QTest::addRow("odd group") << 5 << 400'000'000ULL << 300'000LL;
        QTest::addRow("two hosts") << 32 << 400'000'000ULL << 300'000LL;
        QTest::addRow("small payload") << 5 << 65'536ULL << 0LL;
    }

    /// Each rank of the data parallel group: bounds, planes, bytes, who is waited for.
    void tasks() {
        QFETCH(int, ranks);
        QFETCH(qulonglong, bytes);
        QFETCH(qlonglong, waitNs);
        const RunPlan plan = planRun({static_cast<std::uint32_t>(ranks), 1, 1, 1}, 1);
        const CommunicationGroup& group = plan.groups[0];
        const TimeNs ready{1'000'000'000};
        const auto last = static_cast<std::uint32_t>(group.members.size() - 1);
        const CollectiveTiming timing{ready, static_cast<std::uint32_t>(transferTime(group, bytes).value), last};
        for (const std::uint32_t member : group.members) {
            const Membership& place = *plan.identities[member].memberships[kDataParallelSlot];
            const TimeNs start = place.localRank == last ? ready : ready - DurationNs{waitNs};
            const CollectiveView view{0, place.localRank, start, ready + DurationNs{timing.transferNs}, bytes, member, 1, 1, {}};
            const std::vector<PlaneTask> tasks = planeTasks(group, place, view, timing);
            QVERIFY(!tasks.empty());
            QCOMPARE(tasks.front().start.value, view.start.value);
            std::map<std::uint32_t, std::uint64_t> moved;
            std::int64_t lastEnd = 0;
            for (std::size_t i = 0; i < tasks.size(); ++i) {
                const PlaneTask& task = tasks[i];
                QVERIFY(i == 0 || tasks[i - 1].start <= task.start);
                const std::int64_t end = task.start.value + task.duration.roundedNs();
                QVERIFY2(task.start >= view.start && end <= view.end.value,
                         qPrintable(QString::number(end - view.end.value)));
                QVERIFY(task.duration.ticks >= 0);
                QVERIFY(task.plane <= place.peers.size());
                lastEnd = std::max(lastEnd, end);
                if (task.plane > 0 && task.kind != PlaneTaskKind::NotifyRecord &&
                    task.kind != PlaneTaskKind::NotifyWait) {
                    QVERIFY2(task.start >= ready, "data moves only after everybody has come");
                    moved[task.plane] += task.bytes;
                }
            }
            QCOMPARE(lastEnd, view.end.value);
            QCOMPARE(moved.size(), place.peers.size());
            const std::uint64_t part = std::max<std::uint64_t>(bytes / group.members.size() / 512 * 512, 512);
            for (const auto& [plane, sum] : moved) QCOMPARE(sum, 2 * part);
        }
    }

    void membersEndTogetherHoweverLateTheyStart() {
        const RunPlan plan = planRun({2, 1, 1, 1}, 1);
        const CollectiveTiming timing{TimeNs{5'000'000}, 1'000'000, 1};
        const CollectiveView early{0, 0, TimeNs{1'000'000}, TimeNs{6'000'000}, 1 << 20, 1, 1, 1, {}};
        const std::vector<PlaneTask> tasks =
            planeTasks(plan.groups[0], *plan.identities[0].memberships[0], early, timing);
        std::int64_t waited = 0;
        for (const PlaneTask& task : tasks) {
            if (task.kind == PlaneTaskKind::NotifyWait) waited = std::max(waited, task.duration.roundedNs());
        }
        // From the first handshake until the last member is there.
        QVERIFY(waited > 3'980'000 && waited <= 4'000'000);
    }
};

ALTI_TEST(TestCollectiveTasks)
#include "tst_collective_tasks.moc"
