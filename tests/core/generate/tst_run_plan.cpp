#include "core/generate/model/run_plan.h"
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
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("pipelineParallel");
        QTest::addColumn<int>("tensorParallel");
        QTest::addColumn<int>("dataParallel");
        QTest::addColumn<int>("expertParallel");
        QTest::addColumn<int>("groups");
        QTest::addRow("alone") << 1 << 4 << 1 << 1 << 1 << 1 << 0;
        QTest::addRow("two are data parallel") << 2 << 4 << 1 << 1 << 2 << 1 << 1;
        QTest::addRow("odd numbers are data parallel") << 5 << 4 << 1 << 1 << 5 << 1 << 1;
        QTest::addRow("four in pairs") << 4 << 4 << 1 << 2 << 2 << 1 << 4;
        QTest::addRow("layers cannot be halved") << 16 << 3 << 1 << 2 << 8 << 1 << 10;
        QTest::addRow("hosts are not filled") << 20 << 4 << 1 << 2 << 10 << 1 << 12;
        // dp, tp, pp, ep, and where there are several times as many ranks as experts are shared by, dp_modulo_ep.
        QTest::addRow("two stages") << 16 << 4 << 2 << 2 << 4 << 4 << 4 + 8 + 8 + 4;
        QTest::addRow("experts in pairs") << 24 << 2 << 2 << 2 << 6 << 2 << 4 + 12 + 12 + 12 + 8;
        QTest::addRow("experts several times") << 32 << 4 << 2 << 2 << 8 << 4 << 4 + 16 + 16 + 8 + 16;
    }

    void layout() {
        QFETCH(int, ranks);
        QFETCH(int, layers);
        const RunPlan plan = planRun({static_cast<std::uint32_t>(ranks), 1, static_cast<std::uint32_t>(layers), 1}, 1);
        QTEST(static_cast<int>(plan.model.pipelineParallel), "pipelineParallel");
        QTEST(static_cast<int>(plan.model.tensorParallel), "tensorParallel");
        QTEST(static_cast<int>(plan.model.dataParallel), "dataParallel");
        QTEST(static_cast<int>(plan.model.expertParallel), "expertParallel");
        QTEST(static_cast<int>(plan.groups.size()), "groups");
        for (const PlannedGroup& group : plan.groups) {
            // Data and experts stay within a stage; only the pipeline's pairs cross it, over the network.
            const bool isPair = group.parallelType == "pp";
            const std::uint32_t front = group.members.front();
            const std::uint32_t back = group.members.back();
            QCOMPARE(plan.identities[front].stage != plan.identities[back].stage, isPair);
            if (isPair) QVERIFY(group.members.size() == 2 && front / kDevicesPerHost != back / kDevicesPerHost);
            if (group.parallelType == "ep") QCOMPARE(front / kDevicesPerHost, back / kDevicesPerHost);
        }
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
