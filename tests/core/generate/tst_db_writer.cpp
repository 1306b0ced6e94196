#include "tests/core/generate/db_reading.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <set>
#include <tuple>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// A decimal number times a factor, as the nearest integer; empty stays empty.
std::string scaled(const std::string& text, double factor) {
    return text.empty() ? text : std::to_string(std::llround(std::stold(text) * static_cast<long double>(factor)));
}
std::string nsText(const std::string& us) { return us.empty() ? us : std::to_string(nsOf(us)); }

constexpr double kMb = 1048576.0;

const char* const kName = "(SELECT value FROM STRING_IDS WHERE id = %1)";
std::string textOf(const char* column) { return QString::fromLatin1(kName).arg(QLatin1String(column)).toStdString(); }

}  // namespace

/// The databases against the text files of the same run: every number that both hold is the same.
class TestDbWriter : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_made = std::make_unique<GeneratedCapture>(std::vector<std::string>{
            "--format", "text", "--format=db", "--ranks", "16", "--steps", "2", "--layers", "2", "--seed", "7"});
        QVERIFY(m_made->summary.ok());
        m_trace = fileJson(m_made->output(kRank) / "trace_view.json");
        m_db = std::make_unique<DbFile>(m_made->output(kRank) / "ascend_pytorch_profiler_8.db");
    }
    void cleanupTestCase() {
        m_db.reset();
        m_made.reset();
    }

    void slices_data() {
        QTest::addColumn<QString>("process");
        QTest::addColumn<QString>("sql");
        const QString name = QLatin1String(kName);
        const QString thread = u"'Thread ' || (globalTid & 4294967295)"_qs;
        QTest::addRow("python") << "Python"
                                << u"SELECT %1, startNs, endNs - startNs, %2 FROM PYTORCH_API"_qs.arg(
                                       thread, name.arg(u"name"_qs));
        QTest::addRow("cann")
            << "CANN"
            << u"SELECT %1, startNs, endNs - startNs, CASE type WHEN 20000 THEN 'AscendCL@' || %2 WHEN "
               "5500 THEN 'Hccl@' || %2 ELSE 'Node@' || %2 END FROM CANN_API"_qs.arg(thread, name.arg(u"name"_qs));
        QTest::addRow("hardware") << "Ascend Hardware"
                                  << u"SELECT 'Stream ' || streamId, startNs, endNs - startNs, %1 FROM TASK LEFT JOIN "
                                     u"COMPUTE_TASK_INFO c USING "
                                     "(globalTaskId)"_qs.arg(name.arg(u"COALESCE(c.name, TASK.taskType)"_qs));
        QTest::addRow("planes")
            << "Planes"
            << u"SELECT 'Plane ' || planeId, startNs, endNs - startNs, %1 FROM COMMUNICATION_TASK_INFO c "
               "JOIN TASK USING (globalTaskId)"_qs.arg(name.arg(u"c.taskType"_qs));
        QTest::addRow("collectives") << "Collectives"
                                     << u"SELECT 'Group', startNs, endNs - startNs, %1 FROM COMMUNICATION_OP"_qs.arg(
                                            name.arg(u"opName"_qs));
    }

    void slices() {
        QFETCH(QString, process);
        QFETCH(QString, sql);
        const TraceNames names(m_trace);
        Lines text;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X") continue;
            std::string of = names.process(event);
            std::string thread = names.thread(event);
            if (of == "HCCL") {
                const bool group = thread.starts_with("Group");
                of = group ? "Collectives" : "Planes";
                if (group) thread = "Group";
            }
            if (of != process.toStdString()) continue;
            text.insert(
                joined({thread, std::to_string(startOf(event)), std::to_string(durationOf(event)), event["name"]}));
        }
        QCOMPARE(difference(text, m_db->lines(sql.toStdString())), QString());
    }

    void operatorArguments() {
        Lines text;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || event.value("cat", "") != "cpu_op") continue;
            const Json& args = event["args"];
            std::string frame = args.value("Call stack", "");
            frame = frame.substr(0, frame.find(";\r\n"));
            text.insert(
                joined({std::to_string(startOf(event)), args["Sequence number"].dump(), args["Fwd thread id"].dump(),
                        args.value("Input type", ""), args.value("Input Dims", ""), frame}));
        }
        const std::string sql = "SELECT startNs, sequenceNumber, fwdThreadId, " + textOf("inputDtypes") + ", " +
                                textOf("inputShapes") + ", " + textOf("c.stack") +
                                " FROM PYTORCH_API p LEFT JOIN PYTORCH_CALLCHAINS c ON c.id = p.callchainId AND "
                                "c.stackDepth = 0 WHERE type = 50001";
        QCOMPARE(difference(text, m_db->lines(sql)), QString());
        std::size_t frames = 0;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || !event.contains("args") || !event["args"].contains("Call stack")) continue;
            frames +=
                static_cast<std::size_t>(QString::fromStdString(event["args"]["Call stack"]).split(u";\r\n"_qs).size());
        }
        QCOMPARE(m_db->rows("SELECT COUNT(*) FROM PYTORCH_CALLCHAINS").front().front(), std::to_string(frames));
    }

    /// Flows of the text, by their ends, and connections of the database.
    void flows_data() {
        QTest::addColumn<QString>("category");
        QTest::addColumn<QString>("sql");
        const QString pairs =
            u"FROM PYTORCH_API a JOIN CONNECTION_IDS x ON x.id = a.connectionId JOIN CONNECTION_IDS y ON "
            "y.connectionId = x.connectionId JOIN PYTORCH_API b ON b.connectionId = y.id AND b.type = a.type "
            "WHERE a.rowid <> b.rowid AND "_qs;
        QTest::addRow("queue")
            << "async_task_queue"
            << u"SELECT a.startNs, b.startNs "_qs + pairs +
                   u"a.type = 50002 AND (SELECT value FROM STRING_IDS WHERE id = a.name) = 'Enqueue'"_qs;
        QTest::addRow("forward to backward")
            << "fwdbwd"
            << u"SELECT a.startNs, b.startNs "_qs + pairs + u"a.type = 50001 AND a.fwdThreadId < b.fwdThreadId"_qs;
        QTest::addRow("operator to device")
            << "async_npu"
            << u"SELECT a.startNs, (SELECT MIN(t) FROM (SELECT startNs t FROM TASK WHERE connectionId = x.connectionId "
               u"UNION "
               "ALL SELECT startNs FROM COMMUNICATION_OP WHERE connectionId = x.connectionId)) FROM PYTORCH_API a JOIN "
               "CONNECTION_IDS x ON x.id = a.connectionId WHERE a.type = 50001 AND x.connectionId IN (SELECT "
               "connectionId "
               "FROM CANN_API)"_qs;
    }

    void flows() {
        QFETCH(QString, category);
        QFETCH(QString, sql);
        std::map<std::string, std::string> starts;
        for (const Json& event : m_trace) {
            if (event["ph"] == "s" && event["cat"] == category.toStdString())
                starts[event["id"].dump()] = std::to_string(startOf(event));
        }
        // Operators have no arrow to a copy in databases of the vendor.
        std::set<std::int64_t> copies;
        for (const Json& event : m_trace) {
            if (event["ph"] == "X" && event["name"] == "MEMCPY_ASYNC") copies.insert(startOf(event));
        }
        Lines text;
        for (const Json& event : m_trace) {
            if (event["ph"] == "f" && event["cat"] == category.toStdString() &&
                (category != u"async_npu"_qs || !copies.contains(startOf(event))))
                text.insert(starts[event["id"].dump()] + "|" + std::to_string(startOf(event)));
        }
        QCOMPARE(difference(text, m_db->lines(sql.toStdString())), QString());
    }

    void kernels() {
        Lines text, metrics;
        const std::map<std::string, std::string> renamed{{"aicore_time", "aic_total_time"},
                                                         {"aiv_time", "aiv_total_time"}};
        for (const auto& row : readCsv(m_made->output(kRank) / "kernel_details.csv").rows) {
            const std::string start = nsText(row.at("Start Time(us)"));
            if (row.at("Accelerator Core") == "HCCL") continue;
            text.insert(joined({start, nsText(row.at("Duration(us)")), row.at("Name"), row.at("Type"),
                                row.at("Accelerator Core"), row.at("Block Dim"), row.at("Mix Block Dim"),
                                row.at("Task ID"), row.at("Stream ID"), row.at("Input Shapes"),
                                row.at("Input Data Types"), row.at("Output Formats")}));
            for (const auto& [column, value] : row) {
                if (!column.starts_with("aic") && !column.starts_with("aiv")) continue;
                const bool time = column.ends_with("(us)");
                std::string name = column.substr(0, column.find('('));
                if (renamed.count(name) > 0) name = renamed.at(name);
                if (value != "N/A") metrics.insert(joined({start, name, time ? plain(nsText(value)) : plain(value)}));
            }
        }
        const std::string from = " FROM COMPUTE_TASK_INFO c JOIN TASK t USING (globalTaskId)";
        QCOMPARE(difference(text, m_db->lines("SELECT startNs, endNs - startNs, " + textOf("c.name") + ", " +
                                              textOf("c.opType") + ", " + textOf("c.taskType") +
                                              ", blockDim, mixBlockDim, taskId, streamId, REPLACE(" +
                                              textOf("inputShapes") + ", '\"', ''), " + textOf("inputDataTypes") +
                                              ", " + textOf("outputFormats") + from)),
                 QString());
        Lines db;
        for (const auto& row :
             m_db->rows("SELECT startNs, " + textOf("p.name") +
                        ", value FROM TASK_PMU_INFO p JOIN TASK USING (globalTaskId) WHERE " + textOf("p.name") +
                        " NOT LIKE 'aiv_ma%' AND " + textOf("p.name") + " NOT LIKE 'aiv_mte1%'")) {
            db.insert(joined({row[0], row[1], plain(row[2])}));
        }
        QCOMPARE(difference(metrics, db), QString());
    }

    void memory() {
        Lines text, app;
        for (const auto& row : readCsv(m_made->output(kRank) / "memory_record.csv").rows) {
            const std::string time = nsText(row.at("Timestamp(us)"));
            const std::string reserved = scaled(row.at("Total Reserved(MB)"), kMb);
            const bool graph = row.at("Component") == "GE";
            if (row.at("Component") == "APP") app.insert(time + "|" + reserved);
            else
                text.insert(joined({row.at("Component"), time, scaled(row.at("Total Allocated(MB)"), kMb), reserved,
                                    graph ? "0" : scaled(row.at("Total Active(MB)"), kMb), row.at("Stream Ptr")}));
        }
        QCOMPARE(difference(text, m_db->lines("SELECT " + textOf("component") +
                                              ", timestamp, totalAllocated, totalReserved, totalActive, streamPtr FROM "
                                              "MEMORY_RECORD")),
                 QString());
        QCOMPARE(
            difference(app, m_db->lines("SELECT timestampNs, hbm FROM NPU_MEM WHERE " + textOf("type") + " = 'app'")),
            QString());
    }

    void allocations() {
        Lines text;
        std::size_t graphEvents = 0;
        for (const auto& row : readCsv(m_made->output(kRank) / "operator_memory.csv").rows) {
            std::vector<std::string> cells{row.at("Name"), scaled(row.at("Size(KB)"), 1024)};
            for (const char* column : {"Allocation Time(us)", "Release Time(us)", "Active Release Time(us)",
                                       "Duration(us)", "Active Duration(us)"}) {
                cells.push_back(nsText(row.at(column)));
            }
            for (const char* column :
                 {"Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)", "Allocation Total Active(MB)",
                  "Release Total Allocated(MB)", "Release Total Reserved(MB)", "Release Total Active(MB)"}) {
                cells.push_back(scaled(row.at(column), kMb));
            }
            cells.push_back(row.at("Stream Ptr"));
            if (row.at("Stream Ptr").empty()) graphEvents += row.at("Release Time(us)").empty() ? 1 : 2;
            text.insert(joined(cells));
        }
        QCOMPARE(difference(text, m_db->lines("SELECT " + textOf("name") +
                                              ", size, allocationTime, releaseTime, activeReleaseTime, duration, "
                                              "activeDuration, allocationTotalAllocated, allocationTotalReserved, "
                                              "allocationTotalActive, releaseTotalAllocated, releaseTotalReserved, "
                                              "releaseTotalActive, streamPtr FROM OP_MEMORY")),
                 QString());
        QCOMPARE(m_db->rows("SELECT COUNT(*) FROM NPU_OP_MEM").front().front(), std::to_string(graphEvents));
        Lines modules;
        for (const auto& row : readCsv(m_made->output(kRank) / "npu_module_mem.csv").rows)
            modules.insert(joined(
                {row.at("Component"), nsText(row.at("Timestamp(us)")), scaled(row.at("Total Reserved(MB)"), kMb)}));
        QCOMPARE(
            difference(modules, m_db->lines("SELECT (SELECT name FROM ENUM_MODULE WHERE id = moduleId), timestampNs, "
                                            "totalReserved FROM NPU_MODULE_MEM")),
            QString());
    }

    void counters_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("sql");
        const auto row = [](const char* name, double factor, const char* sql) {
            QTest::newRow(name) << QString::fromLatin1(name) << factor << QString::fromLatin1(sql);
        };
        row("AI Core Freq", 1, "SELECT timestampNs, freq FROM AICORE_FREQ");
        row("HBM 3/Write", kMb,
            "SELECT timestampNs, bandwidth FROM HBM JOIN STRING_IDS s ON s.id = type WHERE hbmId = 3 AND value = "
            "'write'");
        row("HBM 0/Read", kMb,
            "SELECT timestampNs, bandwidth FROM HBM JOIN STRING_IDS s ON s.id = type WHERE hbmId = 0 AND value = "
            "'read'");
        row("LLC 0 Read/Hit Rate", 1, "SELECT timestampNs, hitRate / 100 FROM LLC WHERE llcId = 0");
        row("LLC 1 Read/Throughput", kMb, "SELECT timestampNs, throughput FROM LLC WHERE llcId = 1");
        row("APP/HBM", 1024,
            "SELECT timestampNs, hbm FROM NPU_MEM JOIN STRING_IDS s ON s.id = type WHERE value = 'app'");
        row("Device/Memory", 1024,
            "SELECT timestampNs, hbm + ddr FROM NPU_MEM JOIN STRING_IDS s ON s.id = type WHERE value = 'device'");
        row("QoS OTHERS", kMb, "SELECT timestampNs, bandwidth FROM QOS");
        row("read_bandwidth", 1, "SELECT timestampNs, readBwLevel FROM ACC_PMU");
        row("write_ost", 1, "SELECT timestampNs, writeOstLevel FROM ACC_PMU");
        row("L2 Buffer Bw Level", 1, "SELECT timestampNs, l2BufferBwLevel FROM SOC_BANDWIDTH_LEVEL");
        row("Mata Bw Level", 1, "SELECT timestampNs, mataBwLevel FROM SOC_BANDWIDTH_LEVEL");
    }

    void counters() {
        QFETCH(QString, name);
        QFETCH(double, factor);
        QFETCH(QString, sql);
        std::multimap<std::int64_t, double> text;
        for (const Json& event : m_trace) {
            if (event["ph"] == "C" && event["name"] == name.toStdString())
                text.emplace(startOf(event), event["args"].begin().value().get<double>() * factor);
        }
        // Arguments are sorted by name here; the number is the one that is no id.
        if (name.contains(u'_')) {
            text.clear();
            for (const Json& event : m_trace) {
                if (event["ph"] == "C" && event["name"] == name.toStdString())
                    text.emplace(startOf(event), event["args"]["value"].get<double>());
            }
        }
        const auto rows = m_db->rows(sql.toStdString() + " ORDER BY 1, 2");
        QVERIFY(!text.empty());
        QCOMPARE(rows.size(), text.size());
        std::vector<std::pair<std::int64_t, double>> sorted(text.begin(), text.end());
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(std::stoll(rows[i][0]), sorted[i].first);
            // A throughput has three decimals in MB/s in the text, and is whole bytes/s in the database.
            QVERIFY(std::abs(std::stod(rows[i][1]) - sorted[i].second) <= 0.5 + std::abs(sorted[i].second) * 1e-12);
        }
    }

    /// Names and types of the operations, which both formats have beside the times.
    void operations() {
        Lines text;
        std::set<std::string> types;
        for (const auto& row : readCsv(m_made->output(kRank) / "kernel_details.csv").rows) {
            if (row.at("Accelerator Core") != "HCCL") continue;
            text.insert(joined({row.at("Name"), row.at("Type"), nsText(row.at("Start Time(us)"))}));
            types.insert(row.at("Type"));
        }
        QCOMPARE(types, (std::set<std::string>{"hcom_allReduce_", "hcom_alltoallv_", "hcom_receive_", "hcom_send_"}));
        QCOMPARE(difference(text, m_db->lines("SELECT " + textOf("opName") + ", " + textOf("opType") +
                                              ", startNs FROM COMMUNICATION_OP")),
                 QString());
    }

private:
    /// Of the second pipeline stage, which has experts: it has links over the network and operations of all kinds.
    static constexpr int kRank = 8;
    std::unique_ptr<GeneratedCapture> m_made;
    Json m_trace;
    std::unique_ptr<DbFile> m_db;
};

ALTI_TEST(TestDbWriter)
#include "tst_db_writer.moc"
