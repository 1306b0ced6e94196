#include "tests/core/generate/capture_reading.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <set>

using namespace altiscope;
using namespace altiscope::test;

/// Folders of MindSpore beside those of torch_npu.
class TestFormatWriters : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_made = std::make_unique<GeneratedCapture>(
            std::vector<std::string>{"--format=mindspore", "--format=text", "--ranks=2", "--steps=2", "--layers=1"});
        QVERIFY(m_made->summary.ok());
    }
    void cleanupTestCase() { m_made.reset(); }

    /// Twins: files that both copy from CANN, and those without headings, are the same; MindSpore's folder has those of
    /// its data pipeline beside them.
    void mindSporeIsTheSameRun() {
        const std::set<std::string> further{"dataset.csv", "minddata_pipeline_raw_1.csv",
                                            "minddata_pipeline_summary_1.csv", "minddata_pipeline_summary_1.json"};
        std::set<std::string> only;
        std::set<std::string> same;
        for (const auto& entry : std::filesystem::directory_iterator(output(1))) {
            const std::string name = entry.path().filename().string();
            if (!std::filesystem::exists(m_made->output(1) / name)) only.insert(name);
            else if (fileText(entry.path()) == fileText(m_made->output(1) / name)) same.insert(name);
        }
        QVERIFY(only == further);
        QVERIFY(same == (std::set<std::string>{"api_statistic.csv", "communication.json", "op_statistic.csv",
                                               "operator_memory.csv", "step_trace_time.csv", "trace_view.json"}));
        QVERIFY(std::filesystem::exists(m_made->path() / "rank1_ascend_ms" / "profiler_info_1.json"));
    }

    /// The heading is "Step ID", as MindSpore's guide and source have it, and no column names the device.
    void kernelsOfMindSporeHaveItsHeadings() {
        CsvTable torch = readCsv(m_made->output(1) / "kernel_details.csv");
        const CsvTable own = readCsv(output(1) / "kernel_details.csv");
        QCOMPARE(own.header.front(), std::string("Step ID"));
        QVERIFY(std::find(own.header.begin(), own.header.end(), "Device_id") == own.header.end());
        QCOMPARE(own.header.size() + 1, torch.header.size());
        for (auto& row : torch.rows) {
            row["Step ID"] = row.at("Step Id");
            row.erase("Step Id");
            row.erase("Device_id");
        }
        QVERIFY(own.rows == torch.rows);
    }

    /// The components of memory have the framework's names; what the process holds is behind them.
    void memoryOfMindSporeIsNotCalledPta() {
        const CsvTable own = readCsv(output(1) / "memory_record.csv");
        std::set<std::string> met;
        for (const auto& row : own.rows) met.insert(row.at("Component"));
        QVERIFY(met == (std::set<std::string>{"APP", "GE", "MindSpore", "MindSpore+GE"}));
        QCOMPARE(own.rows.size(), readCsv(m_made->output(1) / "memory_record.csv").rows.size());
        QCOMPARE(own.rows.back().at("Component"), std::string("APP"));
    }

    /// Averages follow from the samples, and the summary from the raw file.
    void dataPipeline() {
        const CsvTable raw = readCsv(output(0) / "minddata_pipeline_raw_0.csv");
        const Json summary = fileJson(output(0) / "minddata_pipeline_summary_0.json");
        QCOMPARE(raw.rows.size(), std::size_t{3});
        for (std::size_t i = 0; i < raw.rows.size(); ++i) {
            const auto& row = raw.rows[i];
            QCOMPARE(row.at("op_id"), std::to_string(i));
            QVERIFY(summary["op_names"][i] == row.at("op_type"));
            QCOMPARE(row.at("parent_id"), i == 0 ? std::string() : std::to_string(i - 1));
            if (row.at("output_queue_size").empty()) {
                QVERIFY(summary["queue_average_size"][i] == -1.0);
                continue;
            }
            const Json samples = Json::parse(row.at("output_queue_size"));
            double sum = 0;
            for (const Json& sample : samples) sum += sample.get<double>();
            const double average = sum / static_cast<double>(samples.size());
            QVERIFY(std::abs(std::stod(row.at("output_queue_average_size")) - average) <= 0.00051);
            QVERIFY(std::abs(std::stod(row.at("output_queue_usage_rate")) - average / 64) <= 0.00002);
            QVERIFY(std::abs(summary["queue_utilization_pct"][i].get<double>() - average / 64 * 100) <= 0.002);
        }
        // Without a header; the key, then a value for each operation or one in all.
        const std::string csv = fileText(output(0) / "minddata_pipeline_summary_0.csv");
        QVERIFY(csv.starts_with("op_ids,0,1,2\r\nop_names,Batch,Shuffle,TFReader\r\n"));
        QCOMPARE(readCsv(output(0) / "dataset.csv").header,
                 (std::vector<std::string>{"Operation", "Stage", "Occurrences", "Avg. time (us)", "Custom Info"}));
    }

    void columnsOfReal() {
        const auto real = sharedData("mindspore_legacy/run_1/profiler/minddata_pipeline_raw_1.csv");
        if (!real) QSKIP(kNoSharedData);
        QCOMPARE(readCsv(output(0) / "minddata_pipeline_raw_0.csv").header, readCsv(*real).header);
    }

private:
    std::filesystem::path output(int rank) const {
        return m_made->path() / ("rank" + std::to_string(rank) + "_ascend_ms") / "ASCEND_PROFILER_OUTPUT";
    }

    std::unique_ptr<GeneratedCapture> m_made;
};

ALTI_TEST(TestFormatWriters)
#include "tst_format_writers.moc"
