#include "core/generate/run_plan.h"
#include "tests/support/test_main.h"

#include <set>

using namespace altiscope::generate;

class TestRunPlan : public QObject {
    Q_OBJECT

private slots:
    void hash_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<qulonglong>("expected");
        QTest::addRow("group_name_0") << QByteArray("group_name_0") << 5'862'276'093'215'481'612ULL;
        QTest::addRow("group_name_19") << QByteArray("group_name_19") << 3'985'310'405'473'756'128ULL;
    }

    void hash() {
        QFETCH(QByteArray, name);
        QTEST(static_cast<qulonglong>(groupHash(name.toStdString())), "expected");
    }

    void layout_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("tensorParallel");
        QTest::addColumn<int>("dataParallel");
        QTest::addColumn<int>("groups");
        QTest::addRow("alone") << 1 << 1 << 1 << 0;
        QTest::addRow("two are data parallel") << 2 << 1 << 2 << 1;
        QTest::addRow("odd numbers are data parallel") << 5 << 1 << 5 << 1;
        QTest::addRow("four in pairs") << 4 << 2 << 2 << 4;
        QTest::addRow("two hosts") << 16 << 2 << 8 << 10;
    }

    void layout() {
        QFETCH(int, ranks);
        const RunPlan plan = planRun({static_cast<std::uint32_t>(ranks), 1, 1, 1}, 1);
        QTEST(static_cast<int>(plan.model.tensorParallel), "tensorParallel");
        QTEST(static_cast<int>(plan.model.dataParallel), "dataParallel");
        QTEST(static_cast<int>(plan.groups.size()), "groups");
        std::set<std::pair<std::uint32_t, std::uint32_t>> processes;
        for (const RankIdentity& identity : plan.identities) {
            // A process number may occur on two hosts, not on one.
            QVERIFY(processes.emplace(identity.rank / kDevicesPerHost, identity.hostPid).second);
            for (const auto& place : identity.memberships) {
                if (!place) continue;
                QCOMPARE(plan.groups[place->group].members[place->localRank], identity.rank);
                for (const std::uint32_t peer : place->peers)
                    QVERIFY(peer != place->localRank && peer < plan.groups[place->group].members.size());
            }
        }
    }
};

ALTI_TEST(TestRunPlan)
#include "tst_run_plan.moc"
