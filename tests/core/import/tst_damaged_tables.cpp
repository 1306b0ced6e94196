#include "core/import/mindspore/special_tables.h"

#include "core/base/text/catalogue.h"
#include "core/base/threads/parallel.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/mindspore/legacy_times.h"
#include "tests/core/import/cluster_samples.h"
#include "tests/core/import/mindspore_samples.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

namespace samples = mindspore_samples;

using ReadTable = std::function<Result<Done>(const reader::SourceFile&, reader::TableContext&)>;

/// A small file of each CSV format: all its columns, and a few rows.
std::string csvSample(const reader::CsvFormat& format) {
    std::string header, row;
    for (const reader::CsvColumn& column : format.columns) {
        header += (header.empty() ? "" : ",") + std::string(column.header);
        const bool isText = column.cell == reader::CsvCell::Name || column.cell == reader::CsvCell::Text;
        row += (row.empty() ? "" : ",") + std::string(isText                                 ? "\"a,\nb\""
                                                      : column.cell == reader::CsvCell::List ? "\"\"\"1,2\"\"\""
                                                                                             : "12");
    }
    return header + '\n' + row + '\n' + row + "\r\n";
}

struct DamagedFile {
    std::string name, content;
    ReadTable read;
};

std::vector<DamagedFile> damagedFiles() {
    std::vector<DamagedFile> files;
    for (const reader::CsvFormat& format : reader::csvFormats())
        files.push_back(
            {std::string(format.name) + std::string(format.ending), csvSample(format),
             [&format](const auto& file, auto& context) { return reader::readCsv(file, format, context); }});
    const auto add = [&files](const char* name, const char* content, ReadTable read) {
        files.push_back({name, content, std::move(read)});
    };
    add("hccl_raw_0.csv", samples::kHcclRaw, reader::readHcclRaw);
    add("minddata_pipeline_summary_0.csv", samples::kSummary, reader::readPipelineSummary);
    add("pipeline_profiling_0.json", samples::kPipelineProfiling, reader::readPipelineProfiling);
    add("dataset_iterator_profiling_0.txt", samples::kIterator, reader::readIteratorTimes);
    add("host_info_0.csv", samples::kHostInfo, reader::readHostInfoTables);
    add("step_trace_raw_0_detail_time.csv", samples::kStepTrace, reader::readStepTrace);
    add("step_trace_raw_1_detail_time.csv", samples::kReduces, reader::readStepTrace);
    add("ascend_cluster_analyse_data-parallel_1_2_0.csv", samples::kClusterSteps, reader::readClusterSteps);
    add("step_trace_20260101000000.csv", samples::kIterations, reader::readIterations);
    add("dynamic_shape_info_0.json", samples::kGpuShapes, reader::readDynamicShapes);
    static const reader::GroupDirectory kGroups;
    add("communication.json",
        R"json({"step2":{"collective":{"hcom_allReduce__491_0_1@74":{"Communication Time Info":{"Start Timestamp(us)":1.5,"Elapse Time(ms)":0.5,"Transit Time(ms)":0.25,"Wait Time(ms)":0,"Synchronization Time(ms)":0,"Idle Time(ms)":0},)json"
        R"json("Communication Bandwidth Info":{"HCCS":{"Transit Size(MB)":2.5,"Transit Time(ms)":0.25,"Bandwidth(GB/s)":10,"Large Packet Ratio":0,"Size Distribution":{"1.25":[2,0.25]}}}}}}})json",
        [](const auto& file, auto& context) { return reader::readCommunication(file, kGroups, context); });
    add("communication_matrix.json",
        R"json({"step2":{"collective":{"allreduce-top1@74":{"0-1":{"Transport Type":"HCCS","Transit Size(MB)":2.5,"Transit Time(ms)":0.25,"Bandwidth(GB/s)":10,"Op Name":"hcom"}}}}})json",
        [](const auto& file, auto& context) { return reader::readCommunicationMatrix(file, kGroups, context); });
    return files;
}

}  // namespace

/// Files that were cut, or of which a byte is another one.
class TestDamagedTables : public QObject {
    Q_OBJECT
private slots:
    void everyByte_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const DamagedFile& file : damagedFiles()) QTest::addRow("%s", file.name.c_str()) << number++;
    }
    /// Nothing fails, no more rows come than the text has room for, and what is told names the file, and where it can
    /// the place.
    void everyByte() {
        QFETCH(int, number);
        const DamagedFile file = damagedFiles().at(static_cast<std::size_t>(number));
        const TestFolder folder;
        reader::SourceFile source;
        source.path = folder.path() / file.name;
        source.name = file.name;
        WorkerArena arena(1);
        const auto check = [&](const std::string& text, const char* how, std::size_t at) {
            // A new file each time: some file systems write one that is cut to the disk at once.
            std::filesystem::remove(source.path);
            std::ofstream(source.path, std::ios::binary) << text;
            source.size = text.size();
            arena.run([&] {
                RowTablesBuilder builder;
                ProgressSlot progress;
                Diagnostics diagnostics;
                const CancelToken cancel;
                reader::TableContext context{builder, diagnostics, progress, cancel, 64};
                const auto read = file.read(source, context);
                const std::string where = std::string(how) + ' ' + std::to_string(at);
                if (read.failed()) QVERIFY2(read.error().place.size() + read.error().file.size() > 0, where.c_str());
                std::size_t rows = 0;
                for (std::size_t kind = 0; kind < kRowKinds; ++kind)
                    rows += builder.rowCount(static_cast<RowKind>(kind));
                QVERIFY2(rows <= text.size(), where.c_str());
                QVERIFY2(builder.seal(cancel).ok(), where.c_str());
                for (const Diagnostic& one : diagnostics.entries()) {
                    QVERIFY2(one.file == file.name, where.c_str());
                    QVERIFY2(one.code == "csv.empty" || one.code.starts_with("communication") ||
                                 !one.places.front().text().empty(),
                             (where + ' ' + one.code).c_str());
                }
            });
        };
        for (std::size_t at = 0; at <= file.content.size(); ++at) check(file.content.substr(0, at), "cut at", at);
        for (std::size_t at = 0; at < file.content.size(); ++at) {
            const std::array bytes{'"', '\n', static_cast<char>(file.content[at] ^ '\x80')};
            std::string text = file.content;
            text[at] = bytes[at % bytes.size()];
            check(text, "flipped at", at);
            if (QTest::currentTestFailed()) return;
        }
    }

    /// Damage after which a file can be read to its end, with rows inside a name or under another one.
    void hiddenRowsAreReported_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const char* file, const char* from, const QString& to,
                            const char* expected) {
            QTest::addRow("%s", clause) << QString::fromUtf8(file) << QString::fromUtf8(from) << to
                                        << QString::fromUtf8(expected);
        };
        const auto text = [](const char* word) { return QString::fromUtf8(word); };
        const char* const communication = "communication.json";
        row("whole", communication, "step2", text("step2"), "");
        // A name that lost what was between its begin and the end of a later one.
        row("zeros in a name", communication, "Start Timestamp(us)\":1.5,\"Elapse", QString(9, QChar(0)),
            "communication.broken_objecttext.zeros");
        row("zeros in a matrix", "communication_matrix.json", "Size(MB)\":2.5,\"Transit", QString(9, QChar(0)),
            "communication.broken_objecttext.zeros");
        row("a time below zero", communication, "Elapse Time(ms)\":", text("Elapse Time(ms)\":-"),
            "communication.bad_number");
        row("a time in another unit", communication, "Elapse Time(ms)", text("Elapse Time(us)"),
            "communication.unknown_key");
        row("a link's size in other letters", "communication_matrix.json", "Transit Size(MB)", text("transit size(MB)"),
            "communication.unknown_key");
        row("the share of the bandwidth beside it", communication, "\"Large Packet",
            text("\"Bandwidth(Utilization)\":0.5,\"Large Packet"), "");
        row("an operator in a total", communication, "hcom_allReduce__491_0_1@74\":{",
            text("Total Op Info\":{\"Communication Bandwidth Info\":{\"SIO\":{\"step3\":{\"collective\":{}}}},"),
            "communication.nested_object");
        row("a link in a total", "communication_matrix.json", "allreduce-top1@74\":{\"0-1\":{",
            text("Total@74\":{\"0-1\":{\"Transport Type\":\"SIO\",\"1-0\":{},"), "communication.nested_object");
        row("an operator that is no object", communication, "{\"hcom", text("{\"hcom_send__1_0_1@74\":null,\"hcom"),
            "communication.odd_value");
        row("a step that is a list", communication, "{\"step2", text("{\"step1\":[7],\"step2"),
            "communication.odd_value");
        row("a word beside the steps", communication, "{\"step2", text("{\"version\":\"2\",\"step2"),
            "communication.odd_fact");
        row("a step that stands twice", communication, "{\"step2", text("{\"step2\":{},\"step2"),
            "communication.repeated_key");
        row("a cell beyond the header", "kernel_details.csv", "12\n", text("12,7\n"), "csv.long_record");
        const char* const steps = "step_trace_raw_0_detail_time.csv";
        row("steps", steps, "-", text("-"), "");
        row("a step's number twice", steps, "\n2,", text("\n1,"), "table.broken");
        row("a step that is gone", steps, "2,300,500,200,320,480,20,160,20,7\n", QString(), "");
        row("steps between two are gone", steps, "\n2,", text("\n4,"), "");
        row("a step appended once more", steps, "\n-,", text("\n2,300,500,200,320,480,20,160,20,7\n-,"),
            "table.broken");
        row("a step that became part of the header", steps, "op1\n1,", text("op1,1,"), "table.broken");
        row("collectives that became part of the header", "hccl_raw_0.csv", "cost\n1,", text("cost,1,"),
            "table.broken");
        row("a point behind the end of its step", steps, ",120,280,", text(",120,380,"), "table.broken");
        row("a reduce that ends before it begins", "step_trace_raw_1_detail_time.csv", ",110,130,", text(",110,100,"),
            "table.broken");
        row("a quote that hides the steps after it", steps, "480,20", text("\"480,20"), "csv.cuttable.broken");
    }
    void hiddenRowsAreReported() {
        QFETCH(QString, file);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        const std::vector<DamagedFile> files = damagedFiles();
        const auto damaged = std::find_if(files.begin(), files.end(),
                                          [&](const DamagedFile& one) { return one.name == file.toStdString(); });
        std::string text = damaged->content;
        const std::size_t at = text.find(from.toStdString());
        QVERIFY(at != std::string::npos);
        text.replace(at, static_cast<std::size_t>(from.size()), to.toStdString());
        const TestFolder folder;
        folder.write(damaged->name, text);
        reader::SourceFile source;
        source.path = folder.path() / damaged->name;
        source.name = damaged->name;
        source.size = text.size();
        WorkerArena arena(1);
        arena.run([&] {
            RowTablesBuilder builder;
            ProgressSlot progress;
            Diagnostics diagnostics;
            const CancelToken cancel;
            reader::TableContext context{builder, diagnostics, progress, cancel, 64};
            QVERIFY(damaged->read(source, context).ok());
            // A value that became empty is repaired, not lost; it is reported all the same.
            std::string reported;
            for (const Diagnostic& one : diagnostics.entries())
                if (one.severity == Severity::Lost || one.code == expected.toStdString()) reported += one.code;
            QCOMPARE(QString::fromStdString(reported), expected);
        });
    }

    /// A rank that goes away while others are read: they stay, and it is told.
    void rankDisappears() {
        const TestFolder folder;
        for (const char* rank : {"rank0", "rank1", "rank2"}) {
            folder.write(std::string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json",
                         R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])");
            folder.write(std::string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv",
                         "OP Type,Count,Total Time(us)\nA,1,1\n");
        }
        WorkerArena arena(2);
        ProgressSlot progress;
        reader::ImportOptions options;
        options.onUpdate = [&](const std::shared_ptr<const CaptureStore>&) {
            std::filesystem::remove_all(folder.path() / "rank1_ascend_pt");
        };
        ImportResult result = Cancelled{};
        arena.run([&] { result = reader::importCapture(folder.path(), options, progress, {}); });
        QVERIFY(result.ok());
        const auto& ranks = result.value()->ranks;
        QCOMPARE(ranks.size(), std::size_t{3});
        QVERIFY(ranks[0].trace != nullptr && ranks[1].trace == nullptr && ranks[2].trace != nullptr);
        const std::string reported = dumpDiagnostics(result.value()->diagnostics);
        QVERIFY2(reported.find("lost file.missing rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json") !=
                     std::string::npos,
                 reported.c_str());
        QVERIFY2(reported.find("lost file.missing rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv") !=
                     std::string::npos,
                 reported.c_str());
    }

    /// Every second file is broken: the others are shown, and each broken one is reported in both languages.
    void everySecondFile() {
        const TestFolder folder;
        const std::string trace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])";
        const std::vector<std::pair<std::string, std::string>> files{
            {"trace_view.json", trace},
            {"kernel_details.csv", "Name,Start Time(us),Duration(us)\nA,1,2\n"},
            {"op_statistic.csv", "OP Type,Count,Total Time(us)\nA,1,1\n"},
            {"memory_record.csv", "Component,Timestamp(us),Total Reserved(MB)\nPTA,1,1\n"},
            {"communication.json", R"({"step2":{"collective":{}}})"},
            {"communication_matrix.json", R"({"step2":{"collective":{}}})"}};
        for (int rank = 0; rank < 2; ++rank) {
            for (std::size_t i = 0; i < files.size(); ++i) {
                const bool isBroken = (i + static_cast<std::size_t>(rank)) % 2 == 1;
                folder.write("rank" + std::to_string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/" + files[i].first,
                             isBroken ? "x{" : files[i].second);
            }
        }
        const auto result = importForTest(folder.path());
        QVERIFY(result.ok());
        QCOMPARE(result.value()->state, CaptureStore::State::Partial);
        const auto& ranks = result.value()->ranks;
        QVERIFY(ranks[0].trace != nullptr && ranks[0].rows->find(RowKind::OpStat) != nullptr &&
                ranks[0].rows->find(RowKind::Kernel) == nullptr);
        QVERIFY(ranks[1].trace == nullptr && ranks[1].rows->find(RowKind::Kernel) != nullptr &&
                ranks[1].rows->find(RowKind::MemorySample) != nullptr);
        std::set<std::string> broken;
        for (const Diagnostic& one : result.value()->diagnostics.entries()) {
            if (one.severity == Severity::Lost) broken.insert(one.file);
            for (const char* language : {"en", "zh_CN"}) {
                const std::string sentence = one.message(language);
                QVERIFY2(!sentence.empty() && sentence != one.code && sentence.find('{') == std::string::npos,
                         (one.code + ": " + sentence).c_str());
            }
            QVERIFY(one.message("en") != one.message("zh_CN"));
        }
        QCOMPARE(broken.size(), files.size());
    }
};

ALTI_TEST(TestDamagedTables)
#include "tst_damaged_tables.moc"
