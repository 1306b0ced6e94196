#include "core/import/cluster/cluster_ranks.h"

#include "tests/core/import/cluster_samples.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
using namespace altiscope::test::cluster_samples;

namespace {

const char* const kNoTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])";

std::string dumpRanks(const CaptureStore& capture) {
    std::string text;
    for (const RankEntry& rank : capture.ranks) {
        text += (text.empty() ? "" : "; ") + (rank.info.rankId ? std::to_string(*rank.info.rankId) : "?") + ' ' +
                std::string(sourceKindName(rank.info.source)) + ' ' + std::string(rankStateName(rank.info.state)) +
                ' ' + rank.info.path;
        for (const Step& step : rank.steps) text += " step" + std::to_string(step.number) + (step.range ? "!" : "");
    }
    return text;
}

void writeCluster(const TestFolder& folder, const std::string& where) {
    folder.write(where + "cluster_step_trace_time.csv", kSteps);
    folder.write(where + "cluster_communication.json", kCommunication);
    folder.write(where + "cluster_communication_matrix.json", kMatrix);
    folder.write(where + "communication_group.json", kGroups);
}

/// The sum of a column over all ranks modulo 2^63, as tests/support/count_cluster.py makes it.
std::uint64_t sumOf(const CaptureStore& capture, const std::string& tableName, const std::string& column) {
    std::uint64_t sum = 0;
    for (const RankEntry& rank : capture.ranks) {
        for (std::size_t t = 0; rank.rows != nullptr && t < rank.rows->tables().size(); ++t) {
            const RowTable& table = rank.rows->tables()[t];
            if (rowKindName(table.kind()) != tableName) continue;
            for (std::size_t row = 0; row < table.size(); ++row) {
                if (column == "rows") ++sum;
                else if (column == "rank") sum += static_cast<std::uint64_t>(*rank.info.rankId);
                else sum += static_cast<std::uint64_t>(table.integer(rowColumn(table.kind(), column), row).value_or(0));
            }
        }
    }
    return sum & (~std::uint64_t{0} >> 1);
}

}  // namespace

class TestClusterRanks : public QObject {
    Q_OBJECT
private slots:
    void everyTable() {
        const TestFolder folder;
        writeCluster(folder, "cluster_analysis_output/");
        const auto result = importForTest(folder.path());
        QCOMPARE(
            QString::fromStdString(dumpTables(*result.value())),
            QStringLiteral(
                "0 step_breakdown 2|recorded|10500|3000|2000|1000|4000|20000|0|2000|-|-\n"
                "0 collective 2|recorded|the "
                "group|hcom_allReduce__491_0_1|collective|1000500|500000|250000|125000|125000|125000\n"
                "0 bandwidth 2|the group|hcom_allReduce__491_0_1|HCCS|2500000|250000|10|0\n"
                "0 packet 2|the group|hcom_allReduce__491_0_1|HCCS|1250000|2|250000\n"
                "0 link 2|the group|hcom_allReduce__491_0_1|top1|0|1|0|1|HCCS|2500000|250000|10\n"
                "1 step_breakdown 2|recorded|11500|4000|3000|1000|5000|21000|0|3000|-|-\n"
                "1 collective 2|recorded|the group|hcom_allReduce__491_0_1|collective|1001000|750000|0|0|0|750000\n"
                "1 link 2|the group|hcom_allReduce__491_0_1|top1|1|0|1|0|HCCS|1500000|500000|3\n"
                "- comm_group the group|7461056492133621760|dp|[0,1]\n"
                "- comm_group -|-|p2p|[0,1]\n"));
        QCOMPARE(QString::fromStdString(dumpRanks(*result.value())),
                 QStringLiteral(
                     "0 cluster listed cluster_analysis_output step2; 1 cluster listed cluster_analysis_output step2"));
        const std::string steps = "cluster_analysis_output/cluster_step_trace_time.csv";
        const Diagnostics& diagnostics = result.value()->diagnostics;
        QCOMPARE(diagnostics.entries().size(), std::size_t{1});
        QCOMPARE(dumpDiagnostics(diagnostics.about(steps)), "info cluster.stage_rows " + steps + " x1\n");
        QVERIFY(result.value()->state == CaptureStore::State::Ok);
    }

    void recognised_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* where, const char* open, const char* expected) {
            QTest::addRow("%s", name) << QString::fromUtf8(where) << QString::fromUtf8(open)
                                      << QString::fromUtf8(expected);
        };
        row("alone", "run/my_cluster_analysis_output/", "",
            "0 cluster listed run/my_cluster_analysis_output step2; 1 cluster listed run/my_cluster_analysis_output "
            "step2");
        row("the folder itself", "cluster_analysis_output/", "cluster_analysis_output",
            "0 cluster listed . step2; 1 cluster listed . step2");
        row("one of its files", "cluster_analysis_output/", "cluster_analysis_output/communication_group.json",
            "0 cluster listed . step2; 1 cluster listed . step2");
        row("under another name", "result/", "", "0 cluster listed result step2; 1 cluster listed result step2");
        row("inside a rank", "rank_0_ascend_pt/cluster_analysis_output/", "",
            "0 text ok rank_0_ascend_pt; 1 cluster listed rank_0_ascend_pt/cluster_analysis_output step2");
        row("inside the output of a rank", "rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT/cluster_analysis_output/", "",
            "0 text ok rank_0_ascend_pt; 1 cluster listed "
            "rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT/cluster_analysis_output step2");
    }
    void recognised() {
        QFETCH(QString, where);
        QFETCH(QString, open);
        QFETCH(QString, expected);
        const TestFolder folder;
        writeCluster(folder, where.toStdString());
        if (where.startsWith(u"rank_0"))
            folder.write("rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kNoTrace);
        const auto result = importForTest(open.isEmpty() ? folder.path() : folder.path() / open.toStdString());
        QVERIFY(result.ok());
        QCOMPARE(QString::fromStdString(dumpRanks(*result.value())), expected);
    }

    /// A rank with a folder keeps its own rows; a cluster of another run beside it stays whole.
    void ranksWithFolders() {
        const TestFolder folder;
        writeCluster(folder, "a/cluster_analysis_output/");
        writeCluster(folder, "b/cluster_analysis_output/");
        folder.write(
            "a/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json",
            R"j({"step7":{"collective":{"own@1":{"Communication Time Info":{"Start Timestamp(us)":1,"Elapse Time(ms)":1,"Transit Time(ms)":1,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},"Communication Bandwidth Info":{}}}}})j");
        const auto result = importForTest(folder.path());
        QCOMPARE(
            QString::fromStdString(dumpRanks(*result.value())),
            QStringLiteral(
                "0 cluster listed a/cluster_analysis_output step2; 0 cluster listed b/cluster_analysis_output step2; "
                "1 text ok a/rank1_ascend_pt step7; 1 cluster listed b/cluster_analysis_output step2"));
        QCOMPARE(sumOf(*result.value(), "collective", "rows"), std::uint64_t{4});
        QVERIFY(dumpDiagnostics(result.value()->diagnostics)
                    .find("info cluster.own_folders a/cluster_analysis_output x1\n") != std::string::npos);
    }

    /// What was read of a cluster is taken over while the folders of ranks are read one by one, and read again when it
    /// changes.
    void takenOver() {
        const TestFolder folder;
        writeCluster(folder, "cluster_analysis_output/");
        folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kNoTrace);
        const auto first = importForTest(folder.path()).value();
        ImportTestOptions more;
        more.ranks.known = first;
        const auto second = importForTest(folder.path(), more).value();
        QVERIFY(second->ranks[1].rows == first->ranks[1].rows && first->ranks[1].rows != nullptr);
        QCOMPARE(dumpTables(*second), dumpTables(*first));
        QCOMPARE(dumpDiagnostics(second->diagnostics), dumpDiagnostics(first->diagnostics));
        folder.write("cluster_analysis_output/cluster_step_trace_time.csv",
                     std::string(kSteps) + "3,rank,1,1,1,1,1,1,1,1,1\n");
        const auto third = importForTest(folder.path(), more).value();
        QCOMPARE(third->ranks[1].steps.size(), std::size_t{2});
    }

    void oldForms_data() {
        QTest::addColumn<QString>("matrix");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& matrix, const char* expected) {
            QTest::addRow("%s", name) << QString::fromStdString(matrix) << QString::fromUtf8(expected);
        };
        const std::string link =
            R"j({"Transport Type":"RDMA","Transit Size(MB)":1,"Transit Time(ms)":1,"Bandwidth(GB/s)":1})j";
        row("global ranks", R"({"<4, 8>":{"step":{"hcom_x__1_0@1":{"4-8":)" + link + "}}}}", "4 - single 4-8 0-1\n");
        row("local ranks", R"({"<4, 8>":{"step":{"hcom_x__1_0@1":{"0-1":)" + link + R"(,"1-1":)" + link + "}}}}",
            "4 - single 4-8 0-1\n8 - single 8-8 1-1\nlocal_ranks 4\n");
        row("local ranks, some of which are ranks",
            R"({"<1, 2, 3>":{"step":{"hcom_x__1_0@1":{"1-2":)" + link + R"(,"0-1":)" + link + "}}}}",
            "1 - single 1-2 0-1\n2 - single 2-3 1-2\nlocal_ranks 1\n");
        row("no set", R"({"p2p":{"step3":{"hcom_send__1_0@1":{"0-8":)" + link + "}}}}", "0 3 single 0-8 ---\n");
        row("an end that is no rank of the set", R"({"<4, 8>":{"step":{"hcom_x__1_0@1":{"4-9":)" + link + "}}}}",
            "4 - single 4-9 0--\nrank_outside 1\n");
        row("totals are none",
            R"({"<4,>":{"step":{"Total Op Info":{"4-4":)" + link + R"(},"x-total@1":{"4-4":)" + link + "}}}}",
            "4 - total 4-4 0-0\n");
    }
    void oldForms() {
        QFETCH(QString, matrix);
        QFETCH(QString, expected);
        const TestFolder folder;
        // A raw string cannot hold a bracket before a quotation mark.
        matrix.replace(u'<', u'(').replace(u'>', u')');
        folder.write("cluster_analysis_output/cluster_communication_matrix.json", matrix.toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        std::string text;
        for (const RankEntry& rank : result.value()->ranks) {
            const RowTable& links = *rank.rows->find(RowKind::Link);
            const auto cell = [&](std::string_view column, std::size_t row) {
                return cellText(*rank.rows, links, rowColumn(RowKind::Link, column), row);
            };
            for (std::size_t row = 0; row < links.size(); ++row)
                text += std::to_string(*rank.info.rankId) + ' ' + cell("step", row) + ' ' + cell("selection", row) +
                        ' ' + cell("src_rank", row) + '-' + cell("dst_rank", row) + ' ' + cell("src_local", row) + '-' +
                        cell("dst_local", row) + '\n';
        }
        for (const Diagnostic& one : result.value()->diagnostics.entries())
            text += one.code.substr(8) + ' ' + std::to_string(one.count) + '\n';
        QCOMPARE(QString::fromStdString(text), expected);
    }

    void groups_data() {
        QTest::addColumn<QString>("groups");
        QTest::addColumn<QString>("expected");
        QTest::addRow("old") << R"({"collective":[[0,1],[11,3],[5],[0,1]],"p2p":[[0,1]]})"
                             << "-|-|-|[0,1]\n-|-|p2p|[0,1]\n-|-|-|[3,11]\n-|-|-|[5]\n";
        QTest::addRow("name from the hash") << R"({"comm_group_parallel_info":[{"rank_set":[2],"group_name":"77"}]})"
                                            << "77|77|-|[2]\n";
        QTest::addRow("hash from the name")
            << R"({"comm_group_parallel_info":[{"rank_set":[2],"group_id":"group_name_0"}]})"
            << "group_name_0|5862276093215481612|-|[2]\n";
        QTest::addRow("a set with a name is not there once more")
            << R"({"collective":[[2]],"comm_group_parallel_info":[{"rank_set":[2],"group_name":"77","pg_name":"tp"}]})"
            << "77|77|tp|[2]\n";
    }
    void groups() {
        QFETCH(QString, groups);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write("cluster_analysis_output/communication_group.json", groups.toStdString());
        std::string text;
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        const RowTable& table = *result.value()->rows->find(RowKind::CommGroup);
        for (std::size_t row = 0; row < table.size(); ++row) {
            for (std::size_t c = 0; c < 4; ++c)
                text += (c == 0 ? "" : "|") + cellText(*result.value()->rows, table, c, row);
            text += '\n';
        }
        QCOMPARE(QString::fromStdString(text), expected);
        QVERIFY(result.value()->diagnostics.empty());
    }

    void badInput_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("problems");
        QTest::addColumn<int>("rows");
        const auto row = [](const char* name, const char* file, const std::string& content, const char* problems,
                            int rows) {
            QTest::addRow("%s", name) << QString::fromUtf8(file) << QString::fromStdString(content)
                                      << QString::fromUtf8(problems) << rows;
        };
        const std::string info =
            R"j({"Communication Time Info":{"Start Timestamp(us)":1,"Elapse Time(ms)":1,"Transit Time(ms)":1,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},"Communication Bandwidth Info":{}})j";
        row("groups: no JSON", "communication_group.json", "{]", "lost metadata.broken x1 byte 1\n", 0);
        row("groups: a list", "communication_group.json", "[]", "lost metadata.broken x1 byte 0\n", 0);
        row("groups: no list of sets", "communication_group.json", R"({"collective":7})", "lost cluster.bad_group x1\n",
            0);
        row("groups: no set, no ranks", "communication_group.json", R"({"collective":[[0],7,["a"],[-1]]})",
            "lost cluster.bad_group x3 row 2, row 3, row 4\n", 0);
        row("groups: no information", "communication_group.json",
            R"({"comm_group_parallel_info":[{"group_name":"1"},8]})", "lost cluster.bad_group x2 row 1, row 2\n", 0);
        row("groups: a rank twice", "communication_group.json",
            R"({"comm_group_parallel_info":[{"type":"collective","rank_set":[0,1,2,3,3],"group_name":"7"}]})",
            "repaired cluster.repeated_rank x1 row 1\n", 0);
        row("operators: a rank twice in the set", "cluster_communication.json",
            R"({"<0, 0, 1>":{"step":{"a@1":{"0":)" + info + R"(,"1":)" + info + "}}}}",
            "repaired cluster.repeated_rank x1\n", 2);
        row("steps: no index", "cluster_step_trace_time.csv", "Step,Computing\n1,2\n", "lost csv.no_column x1 row 1\n",
            0);
        row("steps: odd index", "cluster_step_trace_time.csv", "Step,Index,Computing\n1,x,2\n1,3,2\n",
            "lost cluster.no_rank x1\n", 1);
        row("steps: a rank beyond any run", "cluster_step_trace_time.csv", "Step,Index,Computing\n1,99999999999,2\n",
            "lost cluster.no_rank x1\n", 0);
        row("steps: empty", "cluster_step_trace_time.csv", "", "lost csv.empty x1\n", 0);
        row("operators: no rank", "cluster_communication.json",
            R"({"<0,>":{"step":{"a@1":{"x":)" + info + R"(,"0":)" + info + "}}}}", "lost cluster.no_rank x1 byte 28\n",
            1);
        row("operators: negative rank", "cluster_communication.json",
            R"({"<0,>":{"step":{"a@1":{"-1":)" + info + "}}}}", "lost cluster.no_rank x1 byte 29\n", 0);
        row("operators: cut", "cluster_communication.json", R"({"<0,>":{"step":{"a@1":{"0":)" + info + ",",
            "lost communication.cut x1 byte 221\n", 1);
        row("operators: no object", "cluster_communication.json", "[1]", "lost communication.broken x1 byte 0\n", 0);
        row("links: no ends", "cluster_communication_matrix.json",
            R"({"<0,>":{"step":{"a@1":{"0":{"Transport Type":"X"}}}}})", "lost cluster.no_rank x1 byte 28\n", 0);
        row("links: wrong type", "cluster_communication_matrix.json",
            R"({"<0,>":{"step":{"a@1":{"0-0":{"Transport Type":7}}}}})",
            "lost communication.broken_object x1 byte 30\n", 1);
    }
    void badInput() {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, problems);
        QFETCH(int, rows);
        const TestFolder folder;
        const std::string name = "cluster_analysis_output/" + file.toStdString();
        folder.write(name, content.replace(u'<', u'(').replace(u'>', u')').toStdString());
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        std::string expected = problems.toStdString();
        const std::size_t count = expected.find(" x");
        expected.insert(count, ' ' + name);
        QCOMPARE(QString::fromStdString(dumpDiagnostics(result.value()->diagnostics)),
                 QString::fromStdString(expected));
        int found = 0;
        for (const RankEntry& rank : result.value()->ranks) {
            for (std::size_t t = 0; rank.rows != nullptr && t < rank.rows->tables().size(); ++t)
                found += static_cast<int>(rank.rows->tables()[t].size());
        }
        QCOMPARE(found, rows);
    }

    /// Cut and changed at every byte: the same for all pieces, and never silent where something is missing.
    void damagedAnywhere_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addRow("groups") << "communication_group.json"
                                << R"({"p2p":[[0,1]],"comm_group_parallel_info":[{"rank_set":[1],"group_name":"7"}]})";
        QTest::addRow("steps") << "cluster_step_trace_time.csv"
                               << "Step,Index,Computing,Free\n2,0,10.5,2\n2,\"(0, 1)\",1,2\n3,1,5,6\n";
        QTest::addRow("operators")
            << "cluster_communication.json"
            << R"j({"(0,)":{"step2":{"a@1":{"0":{"Communication Time Info":{"Elapse Time(ms)":0.5},"Communication Bandwidth Info":{"X":{"Transit Size(MB)":2,"Size Distribution":{"1":[2,3]}}}}}}}})j";
        QTest::addRow("links")
            << "cluster_communication_matrix.json"
            << R"j({"(4, 5)":{"step2":{"a-top1@1":{"0-1":{"Transport Type":"X","Transit Size(MB)":2}}}}})j";
    }
    void damagedAnywhere() {
        QFETCH(QString, file);
        QFETCH(QString, content);
        const std::string whole = content.toStdString();
        const TestFolder folder;
        const std::string name = "cluster_analysis_output/" + file.toStdString();
        const auto outcome = [&](const std::string& text, std::size_t chunk) {
            folder.write(name, text);
            const auto result = importForTest(folder.path(), {.threads = 1, .chunkBytes = chunk});
            return result.ok() ? dumpTables(*result.value()) + dumpDiagnostics(result.value()->diagnostics)
                               : result.error().code;
        };
        static constexpr std::size_t kWhole = 1 << 20;
        const std::string sound = outcome(whole, kWhole);
        for (std::size_t byte = 0; byte < whole.size(); ++byte) {
            const std::string cut = outcome(whole.substr(0, byte), kWhole);
            if (file.endsWith(u".json") && byte > 0) QVERIFY2(cut.find("lost ") != std::string::npos, cut.c_str());
            std::string flipped = whole;
            flipped[byte] = static_cast<char>(flipped[byte] ^ 0x10);
            const std::string changed = outcome(flipped, kWhole);
            if (byte % 5 != 0) continue;
            QCOMPARE(outcome(whole.substr(0, byte), 7), cut);
            QCOMPARE(outcome(flipped, 7), changed);
        }
        QCOMPARE(outcome(whole, 10), sound);
    }

    /// The vendor's differences, as its databases have them; and a step of a rank that would count twice.
    void partsBelowZeroAndRepeatedSteps() {
        const TestFolder folder;
        folder.write(
            "cluster_analysis_output/cluster_step_trace_time.csv",
            "Step,Type,Index,Computing,Stage,Communication(Not Overlapped and Exclude Receive),Preparing,Free\n"
            "2,rank,0,1,-2,-3,-4,5\n2,rank,1,1,2,3,4,5\n3,rank,0,1,2,3,4,-5\n2,rank,0,9,9,9,9,9\n");
        const auto capture = importForTest(folder.path()).value();
        QCOMPARE(QString::fromStdString(dumpTables(*capture)),
                 QStringLiteral("0 step_breakdown 2|recorded|1000|-|-|-|5000|-2000|-|-3000|-4000|-\n"
                                "0 step_breakdown 3|recorded|1000|-|-|-|-|2000|-|3000|4000|-\n"
                                "1 step_breakdown 2|recorded|1000|-|-|-|5000|2000|-|3000|4000|-\n"));
        const QString place = QStringLiteral(" cluster_analysis_output/cluster_step_trace_time.csv x1 row ");
        QCOMPARE(QString::fromStdString(dumpDiagnostics(capture->diagnostics)),
                 QStringLiteral("repaired csv.out_of_range") + place + QStringLiteral("4\nlost csv.repeated_row") +
                     place + QStringLiteral("5\n"));
    }

    void realNumbers() {
        const auto path = sharedData("cluster_text/cluster_analysis_output");
        if (!path) QSKIP(kNoSharedData);
        const auto counted = nlohmann::json::parse(runScript("count_cluster.py", {*path}).value_or(""), nullptr, false);
        QVERIFY(counted.is_object() && counted.size() == 5);
        const auto result = importForTest(*path);
        QCOMPARE(result.value()->ranks.size(), std::size_t{16});
        for (const auto& [table, columns] : counted.items()) {
            for (const auto& [column, expected] : columns.items())
                QVERIFY2(sumOf(*result.value(), table, column) == expected.get<std::uint64_t>(),
                         (table + '.' + column).c_str());
        }
        for (const Diagnostic& one : result.value()->diagnostics.entries())
            QVERIFY2(one.severity == Severity::Info, one.code.c_str());
    }
};

ALTI_TEST(TestClusterRanks)
#include "tst_cluster_ranks.moc"
