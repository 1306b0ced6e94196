#include "core/generate/model/stage_emitter.h"
#include "core/generate/records/plane_tasks.h"
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
        QTest::addColumn<uint>("packets");
        QTest::addRow("pair") << 2 << 33'554'432ULL << 0LL << 1U;
        QTest::addRow("pair, in packets of which the last is larger") << 2 << 33'554'432ULL << 0LL << 7U;
        QTest::addRow("pair waits") << 2 << 33'554'432ULL << 5'000'000LL << 1U;
        QTest::addRow("odd group") << 5 << 400'000'000ULL << 300'000LL << 1U;
        QTest::addRow("two hosts") << 32 << 400'000'000ULL << 300'000LL << 1U;
        QTest::addRow("small payload") << 5 << 65'536ULL << 0LL << 1U;
    }

    /// Each rank of the data parallel group: bounds, planes, bytes, who is waited for.
    void tasks() {
        QFETCH(int, ranks);
        QFETCH(qulonglong, bytes);
        QFETCH(qlonglong, waitNs);
        QFETCH(uint, packets);
        const RunPlan plan = planRun({static_cast<std::uint32_t>(ranks), 1, 1, 1}, 1);
        const PlannedGroup& group = plan.groups[0];
        const TimeNs ready{1'000'000'000};
        const CollectivePayload payload{CollectiveOperation::AllReduce, bytes};
        const auto last = static_cast<std::uint32_t>(group.members.size() - 1);
        const CollectiveTiming timing{ready, static_cast<std::uint32_t>(transferTime(group, payload).value), last};
        for (const std::uint32_t member : group.members) {
            const Membership& place = *plan.identities[member].memberships[kDataParallelSlot];
            const TimeNs start = place.localRank == last ? ready : ready - DurationNs{waitNs};
            const CollectiveView view{
                0, place.localRank, start, ready + DurationNs{timing.transferNs}, bytes, member, packets, 1, {}};
            const std::vector<PlaneTask> tasks = planeTasks(group, place, view, timing);
            QVERIFY(!tasks.empty());
            QCOMPARE(tasks.front().start.value, view.start.value);
            std::map<std::uint32_t, std::uint64_t> moved;
            std::int64_t lastEnd = 0;
            std::int64_t waited = 0;
            for (std::size_t i = 0; i < tasks.size(); ++i) {
                const PlaneTask& task = tasks[i];
                QVERIFY(i == 0 || tasks[i - 1].start <= task.start);
                const std::int64_t end = task.start.value + task.duration.roundedNs();
                QVERIFY2(task.start >= view.start && end <= view.end.value,
                         qPrintable(QString::number(end - view.end.value)));
                QVERIFY(task.duration.ticks >= 0);
                QVERIFY(task.plane <= place.peers.size());
                lastEnd = std::max(lastEnd, end);
                if (task.kind == PlaneTaskKind::NotifyWait) waited = std::max(waited, task.duration.roundedNs());
                if (task.plane > 0 && task.kind != PlaneTaskKind::NotifyRecord &&
                    task.kind != PlaneTaskKind::NotifyWait) {
                    QVERIFY2(task.start >= ready, "data moves only after everybody has come");
                    moved[task.plane] += task.bytes;
                }
            }
            QCOMPARE(lastEnd, view.end.value);
            // Whoever is not the last waits for it, on another host too.
            QVERIFY2(place.localRank == last || waited >= waitNs * 9 / 10, qPrintable(QString::number(waited)));
            QCOMPARE(moved.size(), place.peers.size());
            const std::uint64_t part = std::max<std::uint64_t>(bytes / group.members.size() / 512 * 512, 512);
            for (const auto& [plane, sum] : moved) QCOMPARE(sum, 2 * part);
        }
    }

    void operations_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("slot");
        QTest::addColumn<int>("rank");
        QTest::addColumn<qlonglong>("waitNs");
        QTest::addColumn<int>("transfers");  // To other ranks.
        QTest::addColumn<int>("copies");
        const auto row = [](const char* name, CollectiveOperation operation, std::uint32_t slot) -> QTestData& {
            return QTest::newRow(name) << static_cast<int>(operation) << static_cast<int>(slot);
        };
        row("exchange", CollectiveOperation::AllToAllV, kExpertSlot) << 2 << 0LL << 3 << 1;
        row("exchange, early", CollectiveOperation::AllToAllV, kExpertSlot) << 2 << 900'000LL << 3 << 1;
        row("sender", CollectiveOperation::Send, kPipelineSlot) << 3 << 0LL << 1 << 1;
        row("sender, early", CollectiveOperation::Send, kPipelineSlot) << 3 << 5'000'000LL << 1 << 1;
        row("receiver", CollectiveOperation::Receive, kPipelineSlot) << 11 << 0LL << 0 << 1;
        row("receiver, early", CollectiveOperation::Receive, kPipelineSlot) << 11 << 5'000'000LL << 0 << 1;
    }

    /// Exchanges and transfers between stages: data in one direction and one phase, and no reductions of data.
    void operations() {
        QFETCH(int, operation);
        QFETCH(int, slot);
        QFETCH(int, rank);
        QFETCH(qlonglong, waitNs);
        const RunPlan plan = planRun({16, 1, 4, 1}, 1);
        const Membership& place =
            *plan.identities[static_cast<std::size_t>(rank)].memberships[static_cast<std::size_t>(slot)];
        const PlannedGroup& group = plan.groups[place.group];
        const CollectivePayload payload{static_cast<CollectiveOperation>(operation), 33'554'432};
        const TimeNs ready{1'000'000'000};
        const TimeNs end = ready + transferTime(group, payload);
        const std::uint32_t last = waitNs > 0 ? (place.localRank + 1) % 2 : place.localRank;
        const CollectiveTiming timing{ready, static_cast<std::uint32_t>((end - ready).value), last};
        const CollectiveView view{
            place.group, place.localRank,  ready - DurationNs{waitNs}, end, payload.bytes, 5, 1, 1,
            {},          payload.operation};
        int transfers = 0;
        int copies = 0;
        std::uint64_t bytes = 0;
        std::int64_t waited = 0;
        TimeNs lastEnd;
        for (const PlaneTask& task : planeTasks(group, place, view, timing)) {
            QVERIFY(task.start >= view.start && task.start + DurationNs{task.duration.roundedNs()} <= view.end);
            lastEnd = std::max(lastEnd, task.start + DurationNs{task.duration.roundedNs()});
            // Marks at the begin and the end of every operation.
            if (task.kind == PlaneTaskKind::ReduceInline) QCOMPARE(task.bytes, 4ULL);
            if (task.kind == PlaneTaskKind::NotifyWait) waited += task.duration.roundedNs();
            if (task.kind != PlaneTaskKind::Memcpy) continue;
            ++(task.plane == 0 ? copies : transfers);
            bytes += task.plane == 0 ? 0 : task.bytes;
            QVERIFY(task.plane == 0 || task.start >= ready);
        }
        QTEST(transfers, "transfers");
        QTEST(copies, "copies");
        QCOMPARE(lastEnd.value, view.end.value);
        QVERIFY(waited >= waitNs * 9 / 10);
        if (payload.operation == CollectiveOperation::AllToAllV) QCOMPARE(bytes, payload.bytes / 4 * 3);
        if (payload.operation == CollectiveOperation::Send) QCOMPARE(bytes, payload.bytes);
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
#include "tst_plane_tasks.moc"
