#include "core/import/json/json_keys.h"

#include "tests/core/import/cluster_samples.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr const char* kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])";

QString withChange(const char* text, const QString& from, const QString& to) {
    QString changed = QString::fromUtf8(text);
    if (!from.isEmpty() && changed.contains(from)) changed.replace(changed.indexOf(from), from.size(), to);
    return changed;
}

/// What is reported above information.
QString reported(const CaptureStore& capture) {
    QString text;
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (one.severity == Severity::Info) continue;
        text += QString::fromStdString(std::string(severityName(one.severity)) + ' ' + one.code);
        if (!one.places.empty() && one.places.front().unit != PlaceUnit::Whole)
            text += u' ' + QString::fromStdString(one.places.front().text());
        text += u'\n';
    }
    return text;
}

}  // namespace

/// What stands twice where each thing stands once: another one is missing.
class TestRepeatedKeys : public QObject {
    Q_OBJECT
private slots:
    void keysOfATwiceKeyedObject_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("first");
        const auto row = [](const char* clause, const char* json, int count, int first) {
            QTest::addRow("%s", clause) << QString::fromUtf8(json).replace(u'\'', u'"') << count << first;
        };
        row("once", "{'a':1,'b':{'a':2},'c':[{'a':3},{'a':4}]}", 0, 0);
        row("twice", "{'a':1,'b':2,'a':3}", 1, 13);
        row("three times", "{'a':1,'a':2,'a':3}", 2, 7);
        row("inside", "{'x':[{'a':1,'a':2}],'y':{'b':1, 'b' : 2}}", 2, 13);
        row("values are no keys", "{'a':'b','c':'b','d':['a','a']}", 0, 0);
        row("quotes and brackets in texts", "{'a\\'':'}{\\'a\\':','a':'{'}", 0, 0);
        row("no JSON", "}}{'a':'b", 0, 0);
    }
    void keysOfATwiceKeyedObject() {
        QFETCH(QString, json);
        QFETCH(int, count);
        QFETCH(int, first);
        const auto found = reader::repeatedKeys(json.toStdString());
        QCOMPARE(static_cast<int>(found.count), count);
        QCOMPARE(static_cast<int>(found.first), first);
    }

    void groupsOfACluster_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << ""
                               << ""
                               << "";
        QTest::newRow("a rank twice in a list") << "[[0, 1]], \"p2p\""
                                                << "[[1, 1]], \"p2p\""
                                                << "repaired cluster.repeated_rank row 1\n";
        QTest::newRow("a rank twice in a description") << "[1, 0]"
                                                       << "[1, 1]"
                                                       << "repaired cluster.repeated_rank row 1\n";
        const QString transfers =
            QStringLiteral(R"({"type": "p2p", "rank_set": [0, 1], "group_name": "", "group_id": "", "pg_name": ""})");
        const QString again =
            QStringLiteral(R"({"type": "%1", "rank_set": [%2], "group_name": "12653996348938564412", )"
                           R"("group_id": "%3", "pg_name": ""})");
        const auto twice = [&](const char* type, const char* ranks, const char* id) {
            return again.arg(QString::fromUtf8(type), QString::fromUtf8(ranks), QString::fromUtf8(id));
        };
        QTest::newRow("a group for collectives and for transfers")
            << transfers << twice("p2p", "0, 1", "the group") << "";
        QTest::newRow("transfers of a part of the group") << transfers << twice("p2p", "0", "the group") << "";
        QTest::newRow("a group twice, the same") << transfers << twice("collective", "0, 1", "the group") << "";
        QTest::newRow("a group twice, one without its id") << transfers << twice("collective", "0, 1", "") << "";
        QTest::newRow("a group twice with other ranks")
            << transfers << twice("collective", "0", "the group") << "lost cluster.repeated_group row 2\n";
        QTest::newRow("a group twice with another id")
            << transfers << twice("collective", "0, 1", "another") << "lost cluster.repeated_group row 2\n";
        QTest::newRow("descriptions alone") << R"("collective": [[0, 1]], "p2p": [[0, 1]], )"
                                            << ""
                                            << "";
        QTest::newRow("half of the ranks were collected") << "\"rank_set\": [1, 0]"
                                                          << "\"rank_set\": [3, 2, 1, 0]"
                                                          << "";
        QTest::newRow("ranks that the description lacks") << "[[0, 1]], \"p2p\""
                                                          << "[[0, 2]], \"p2p\""
                                                          << "";
        QTest::newRow("an entry that is no group is reported once") << "[1, 0]"
                                                                    << "[1, \"0\"]"
                                                                    << "lost cluster.bad_group row 1\n";
        QTest::newRow("a set that is gone from the lists") << "[[0, 1]], \"p2p\""
                                                           << "[], \"p2p\""
                                                           << "";
        QTest::newRow("a description that no list has")
            << R"({"type": "p2p", "rank_set": [0, 1], "group_name": "", "group_id": "", "pg_name": ""})"
            << R"({"type": "collective", "rank_set": [0], "group_name": "", "group_id": "", "pg_name": ""})"
            << "";
        QTest::newRow("a set of point to point without a description")
            << R"({"type": "p2p", "rank_set": [0, 1], "group_name": "", "group_id": "", "pg_name": ""})"
            << R"({"type": "collective", "rank_set": [0, 1], "group_name": "", "group_id": "", "pg_name": ""})"
            << "";
        QTest::newRow("lists without descriptions") << R"("comm_group_parallel_info")"
                                                    << R"("of another version")"
                                                    << "";
        QTest::newRow("an id of another group") << "\"the group\""
                                                << "\"another\""
                                                << "";
        QTest::newRow("a list twice") << "\"p2p\": [[0, 1]]"
                                      << R"("collective": [[0, 1]])"
                                      << "lost json.repeated_key byte 25\n";
    }
    void groupsOfACluster() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        // With the hash of its id.
        const QString groups = withChange(cluster_samples::kGroups, QStringLiteral("7461056492133621760"),
                                          QStringLiteral("12653996348938564412"));
        const TestFolder folder;
        folder.write("communication_group.json", withChange(groups.toUtf8().constData(), from, to).toStdString());
        folder.write("cluster_step_trace_time.csv", cluster_samples::kSteps);
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        // Order of severity, not of the file.
        QStringList ours = reported(*result.value()).split(u'\n'), theirs = expected.split(u'\n');
        ours.sort();
        theirs.sort();
        QCOMPARE(ours, theirs);
    }

    void valuesOfOneKey_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("metadata") << "profiler_info_0.json"
                                  << R"({"rank_id":0,"config":{"a":1,"a":2}})"
                                  << "lost json.repeated_key byte 29\n";
        QTest::newRow("metadata, once") << "profiler_info_0.json"
                                        << R"({"rank_id":0,"config":{"a":1,"b":{"a":2}}})"
                                        << "";
        const QString operators = QString::fromUtf8(
            R"j({"step2":{"collective":{"hcom_allReduce__491_0_1@74":{"Communication Time Info":{)j"
            R"j("Start Timestamp(us)":1.5,"Elapse Time(ms)":0.5,"Transit Time(ms)":0.25,"Wait Time(ms)":0,)j"
            R"j("Synchronization Time(ms)":0,"Idle Time(ms)":0.25},"Communication Bandwidth Info":{"HCCS":{)j"
            R"j("Transit Size(MB)":2.5,"Transit Time(ms)":0.25,"Bandwidth(GB/s)":10,"Large Packet Ratio":0,)j"
            R"j("Size Distribution":{"1.25":[2,0.25]}}}}}}})j");
        const auto operatorRow =
            [&operators](const char* clause, const char* from, const char* to, const char* expected) {
                QTest::addRow("%s", clause)
                    << "ASCEND_PROFILER_OUTPUT/communication.json"
                    << withChange(operators.toUtf8().constData(), QString::fromUtf8(from), QString::fromUtf8(to))
                    << expected;
            };
        operatorRow("operators, once", "", "", "");
        operatorRow("a time", R"j("Elapse Time(ms)":0.5)j", R"j("Elapse Time(ms)":0.5,"Elapse Time(ms)":0.5)j",
                    "lost json.repeated_key byte 53\n");
        operatorRow("a size of packets", R"j("1.25":[2,0.25])j", R"j("1.25":[1,0.125],"1.25":[1,0.125])j",
                    "lost json.repeated_key byte 53\n");
        operatorRow("a transport", R"j("Communication Bandwidth Info":{)j",
                    R"j("Communication Bandwidth Info":{"HCCS":{"Transit Size(MB)":1,"Transit Time(ms)":0.25,)j"
                    R"j("Bandwidth(GB/s)":4,"Large Packet Ratio":0,"Size Distribution":{}},)j",
                    "lost json.repeated_key byte 53\n");
        QTest::newRow("links of MindSpore")
            << "profiler/hccl_raw_0.csv"
            << "step_num,link_info,communication_operator_cost\n"
               "1,\"{\"\"0-1\"\": {\"\"SDMA\"\": [1, 2, 3]}, \"\"0-1\"\": {\"\"SDMA\"\": [1, 2, 3]}}\",{}\n"
            << "lost json.repeated_key row 2\n";
        const auto cells = [](const char* clause, const char* all, const char* each, const char* expected) {
            const auto cell = [](const char* json) {
                return QString::fromUtf8(json).replace(u'\'', QStringLiteral("\"\""));
            };
            QTest::addRow("%s", clause) << "profiler/hccl_raw_0.csv"
                                        << QStringLiteral("step_num,link_info,communication_operator_cost\n"
                                                          "1,\"%1\",\"%2\"\n")
                                               .arg(cell(all), cell(each))
                                        << expected;
        };
        cells("links of MindSpore that are no JSON", "{'0-1': {'0-1': 1}, '0-1': 2", "{}", "lost table.broken row 2\n");
        cells("links that are no JSON beside operators of one key", "'0-1', '0-1': ", "{'a': {}, 'a': {}}",
              "lost json.repeated_key row 2\nlost table.broken row 2\n");
    }
    void valuesOfOneKey() {
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const TestFolder folder;
        folder.write((file.startsWith(u"profiler/") ? "" : "a_ascend_pt/") + file.toStdString(), text.toStdString());
        if (file.startsWith(u"profiler_info"))
            folder.write("a_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(reported(*result.value()), expected);
    }
};

ALTI_TEST(TestRepeatedKeys)
#include "tst_repeated_keys.moc"
