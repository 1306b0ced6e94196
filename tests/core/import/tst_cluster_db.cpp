#include "core/import/cluster/cluster_db.h"

#include "tests/core/import/cluster_samples.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <sqlite3.h>

#include <map>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

void makeClusterDb(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

}  // namespace

class TestClusterDb : public QObject {
    Q_OBJECT
private slots:
    /// The numbers of the text files, in the database's words.
    void likeItsText_data() {
        QTest::addColumn<QString>("sql");
        const QString now = QString::fromUtf8(cluster_samples::kDatabase);
        QTest::addRow("current names") << now;
        QTest::addRow("old names")
            << QString(now)
                   .replace(QStringLiteral("ClusterCommunicationTime"), QStringLiteral("ClusterCommAnalyzerTime"))
                   .replace(QStringLiteral("ClusterCommunicationBandwidth"),
                            QStringLiteral("ClusterCommAnalyzerBandwidth"))
                   .replace(QStringLiteral("ClusterCommunicationMatrix"), QStringLiteral("ClusterCommAnalyzerMatrix"))
                   .replace(QStringLiteral("CommunicationGroupMapping"), QStringLiteral("CommunicationGroup"))
                   .replace(QStringLiteral("elapsed_time"), QStringLiteral("elapse_time"));
    }
    void likeItsText() {
        QFETCH(QString, sql);
        const TestFolder text, db;
        text.write("cluster_analysis_output/cluster_step_trace_time.csv", cluster_samples::kSteps);
        text.write("cluster_analysis_output/cluster_communication.json", cluster_samples::kCommunication);
        text.write("cluster_analysis_output/cluster_communication_matrix.json", cluster_samples::kMatrix);
        text.write("cluster_analysis_output/communication_group.json", cluster_samples::kGroups);
        std::filesystem::create_directory(db.path() / "cluster_analysis_output");
        makeClusterDb(db.path() / "cluster_analysis_output/cluster_analysis.db", sql.toStdString());
        const auto expected = importForTest(text.path()).value(), found = importForTest(db.path()).value();
        QCOMPARE(QString::fromStdString(dumpTables(*found)), QString::fromStdString(dumpTables(*expected)));
        QCOMPARE(found->ranks[1].info.deviceId, std::optional<std::int64_t>(5));
        QCOMPARE(found->ranks[1].info.host, std::string("node1"));
        QCOMPARE(dumpDiagnostics(found->diagnostics),
                 std::string("info cluster.stage_rows cluster_analysis_output x1\n"));
    }

    void stepTimesTellPlacesInTheJob() {
        // The indices of ranks 0 to 3, and the sets of ranks that the rows of stages name.
        const TestFolder text, db;
        text.write("cluster_analysis_output/cluster_step_trace_time.csv",
                   "Step,Type,Index,Computing,Free,DP Index,PP Index,TP "
                   "Index\n2,rank,0,1,1,0,0,0\n2,rank,1,1,1,1,0,0\n2,rank,2,1,1,0,1,0\n2,rank,3,1,1,1,1,0\n"
                   "2,stage,\"(0, 1)\",1,1,NA,NA,NA\n2,stage,\"(2, 3)\",1,1,NA,NA,NA\n");
        std::filesystem::create_directory(db.path() / "cluster_analysis_output");
        makeClusterDb(db.path() / "cluster_analysis_output/cluster_analysis.db",
                      "CREATE TABLE ClusterStepTraceTime(step TEXT, type TEXT, 'index' TEXT, computing, "
                      "communication_not_overlapped, free, dp_index, pp_index, tp_index);"
                      "INSERT INTO ClusterStepTraceTime "
                      "VALUES('2','rank','0',1,1,1,0,0,0),('2','rank','1',1,1,1,1,0,0),('2','rank','2',1,1,1,0,1,0),('"
                      "2','rank','3',1,1,1,1,1,0),"
                      "('2','stage','(0,1)',1,1,1,0,0,0),('2','stage','(2,3)',1,1,1,0,0,0);");
        for (const TestFolder* folder : {&text, &db}) {
            const auto capture = importForTest(folder->path()).value();
            QCOMPARE(capture->ranks.size(), std::size_t{4});
            for (std::size_t r = 0; r < 4; ++r) {
                const auto& metadata = capture->ranks[r].info.metadata;
                const std::map<std::string, std::string> found(metadata.begin(), metadata.end());
                const std::map<std::string, std::string> expected{{"dp_index", std::to_string(r % 2)},
                                                                  {"pipeline_stage", std::to_string(r / 2)},
                                                                  {"pp_index", std::to_string(r / 2)},
                                                                  {"tp_index", "0"}};
                QVERIFY(found == expected);
            }
        }
    }

    void textComesFirst() {
        const TestFolder folder;
        folder.write("cluster_analysis_output/cluster_step_trace_time.csv", cluster_samples::kSteps);
        folder.write("cluster_analysis_output/cluster_analysis.db", "SQLite format 3");
        const auto result = importForTest(folder.path()).value();
        QCOMPARE(result->ranks.size(), std::size_t{2});
        QVERIFY(dumpDiagnostics(result->diagnostics)
                    .find("info source_not_taken cluster_analysis_output/cluster_analysis.db x1\n") !=
                std::string::npos);
    }

    /// What a recipe writes alone, and a database that was taken out of its folder.
    void timeSummary() {
        const TestFolder folder;
        const auto path = folder.write("of a friend.db", "");
        makeClusterDb(path, "CREATE TABLE ClusterTimeSummary(rank, step, stepTime, computation, "
                            "communicationNotOverlapComputation, communicationOverlapComputation,"
                            " communication, free); INSERT INTO ClusterTimeSummary VALUES(3,7,100,60.5,10,5,15,29.5);");
        const auto result = importForTest(path);
        QVERIFY(result.ok());
        QCOMPARE(QString::fromStdString(dumpTables(*result.value())),
                 QStringLiteral("3 step_breakdown 7|recorded|60500|15000|10000|5000|29500|-|-|-|-|-\n"));
        QCOMPARE(dumpDiagnostics(result.value()->diagnostics), std::string());
        QVERIFY(result.value()->ranks.at(0).info.source == SourceKind::Cluster);
    }

    /// Totals have no operator of their own: they are called by their key.
    void linksWithoutAName() {
        const TestFolder folder;
        const auto path = folder.write("cluster_analysis_output/cluster_analysis.db", "");
        makeClusterDb(path, "CREATE TABLE ClusterCommunicationMatrix(step, hccl_op_name, group_name, src_rank, "
                            "dst_rank, transit_size, transit_time, bandwidth,"
                            " transport_type, op_name); INSERT INTO ClusterCommunicationMatrix "
                            "VALUES('step2','batchsendrecv-of-a-long-name-total@7461','7461',0,1,2.5,0.25,"
                            "10.0,'HCCS','');");
        const QString rows = QString::fromStdString(dumpTables(*importForTest(folder.path()).value()));
        QVERIFY2(rows.contains(QStringLiteral("|batchsendrecv-of-a-long-name|total|")), qPrintable(rows));
    }

    void badInput_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("problems");
        const auto row = [](const char* clause, const char* sql, const char* problems) {
            QTest::addRow("%s", clause) << QString::fromUtf8(sql) << QString::fromUtf8(problems);
        };
        row("no database", "", "lost db.not_a_database F x1\n");
        row("no rank",
            "CREATE TABLE ClusterCommunicationTime(step, rank_id, hccl_op_name); INSERT INTO ClusterCommunicationTime "
            "VALUES('1','x','a@1'),('1',-1,'a@1')",
            "lost cluster.no_rank F x2 row 1, row 2\n");
        row("no column",
            "CREATE TABLE ClusterCommunicationMatrix(step, src_rank); INSERT INTO ClusterCommunicationMatrix "
            "VALUES('1',2)",
            "lost db.missing_column F x1\n");
        row("no set",
            "CREATE TABLE CommunicationGroupMapping(type, rank_set, group_name); INSERT INTO CommunicationGroupMapping "
            "VALUES('collective','[0]','1')",
            "lost cluster.bad_group F x1 row 1\n");
        row("a rank twice in a set",
            "CREATE TABLE CommunicationGroupMapping(type, rank_set, group_name); INSERT INTO CommunicationGroupMapping "
            "VALUES('collective','(0,1,1)','1')",
            "repaired cluster.repeated_rank F x1 row 1\n");
        row("the step of a rank twice",
            "CREATE TABLE ClusterStepTraceTime(step, type, 'index', computing); INSERT INTO ClusterStepTraceTime "
            "VALUES('1','rank','0',1),('1','rank','1',1),('2','rank','0',1),('1','rank','0',2)",
            "lost db.repeated_row F x1 row 4\n");
        row("text for a number",
            "CREATE TABLE ClusterStepTraceTime(step, type, 'index', computing); INSERT INTO ClusterStepTraceTime "
            "VALUES('1','rank','0','much')",
            "repaired db.odd_type F x1 row 1\n");
    }
    void badInput() {
        QFETCH(QString, sql);
        QFETCH(QString, problems);
        const TestFolder folder;
        const auto path = folder.write("cluster_analysis_output/cluster_analysis.db",
                                       sql.isEmpty() ? "SQLite format 3 and no more" : "");
        if (!sql.isEmpty()) makeClusterDb(path, sql.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        const QString reported = QString::fromStdString(dumpDiagnostics(result.value()->diagnostics));
        QCOMPARE(reported, problems.replace(QStringLiteral(" F "),
                                            QStringLiteral(" cluster_analysis_output/cluster_analysis.db ")));
    }
};

ALTI_TEST(TestClusterDb)
#include "tst_cluster_db.moc"
