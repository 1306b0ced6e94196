#include "tests/core/generate/capture_reading.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <set>

using namespace altiscope;
using namespace altiscope::test;

namespace {

struct Sum {
    std::uint64_t count = 0;
    std::int64_t total = 0, min = 0, most = 0;
    double squares = 0;

    void add(std::int64_t ns) {
        min = count == 0 ? ns : std::min(min, ns);
        most = count == 0 ? ns : std::max(most, ns);
        ++count;
        total += ns;
        squares += static_cast<double>(ns) * static_cast<double>(ns) / 1e6;
    }
};

/// Where ranges of a kind lie without counting anything twice.
std::int64_t unionOf(std::vector<std::pair<std::int64_t, std::int64_t>> ranges) {
    std::sort(ranges.begin(), ranges.end());
    std::int64_t sum = 0;
    std::int64_t end = 0;
    for (const auto& [begin, stop] : ranges) {
        sum += std::max<std::int64_t>(stop - std::max(begin, end), 0);
        end = std::max(end, stop);
    }
    return sum;
}

}  // namespace

/// The summary files against the timeline of the same rank: one run, told twice.
class TestGenerateTables : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_made = std::make_unique<GeneratedCapture>(
            std::vector<std::string>{"--ranks", "4", "--steps", "3", "--layers", "2", "--seed", "3"});
        QVERIFY(m_made->summary.ok());
        m_trace = fileJson(m_made->output(1) / "trace_view.json");
        m_names = std::make_unique<TraceNames>(m_trace);
        m_kernels = readCsv(m_made->output(1) / "kernel_details.csv");
    }

    void kernelsAreTheComputingTasks() {
        std::multiset<std::tuple<std::string, std::int64_t, std::int64_t>> tasks;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X") continue;
            const std::string process = m_names->process(event);
            const bool collective = process == "HCCL" && m_names->thread(event).starts_with("Group");
            static const std::set<std::string> kTypes{"AI_CORE", "MIX_AIC", "MIX_AIV", "DSA_SQE"};
            const bool kernel = process == "Ascend Hardware" && kTypes.count(event["args"]["Task Type"]) != 0;
            if (collective || kernel) tasks.emplace(event["name"], startOf(event), durationOf(event));
        }
        std::multiset<std::tuple<std::string, std::int64_t, std::int64_t>> rows;
        std::int64_t last = 0;
        std::int64_t end = 0;
        for (const auto& row : m_kernels.rows) {
            const std::int64_t start = nsOf(row.at("Start Time(us)"));
            const std::int64_t duration = nsOf(row.at("Duration(us)"));
            rows.emplace(row.at("Name"), start, duration);
            QVERIFY(start >= last);
            QCOMPARE(nsOf(row.at("Wait Time(us)")), end == 0 ? 0 : std::max<std::int64_t>(start - end, 0));
            last = start;
            end = start + duration;
        }
        QVERIFY(!rows.empty());
        QVERIFY(rows == tasks);
    }

    void stepsOfKernelsFollowTheirTime() {
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> steps;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || !event["name"].get<std::string>().starts_with("ProfilerStep#")) continue;
            steps[event["name"].get<std::string>().substr(13)] = {startOf(event), startOf(event) + durationOf(event)};
        }
        QCOMPARE(steps.size(), std::size_t{3});
        for (const auto& row : m_kernels.rows) {
            const std::int64_t start = nsOf(row.at("Start Time(us)"));
            QVERIFY(start >= steps.at(row.at("Step Id")).first && start < steps.at(row.at("Step Id")).second);
        }
    }

    void opStatisticIsTheSumOfKernels() {
        std::map<std::pair<std::string, std::string>, Sum> sums;
        std::int64_t total = 0;
        for (const auto& row : m_kernels.rows) {
            if (row.at("Accelerator Core") == "HCCL") continue;
            sums[{row.at("Type"), row.at("Accelerator Core")}].add(nsOf(row.at("Duration(us)")));
            total += nsOf(row.at("Duration(us)"));
        }
        const CsvTable table = readCsv(m_made->output(1) / "op_statistic.csv");
        QCOMPARE(table.rows.size(), sums.size());
        double ratios = 0;
        for (const auto& row : table.rows) {
            const Sum& sum = sums.at({row.at("OP Type"), row.at("Core Type")});
            QCOMPARE(std::stoull(row.at("Count")), sum.count);
            QCOMPARE(nsOf(row.at("Total Time(us)")), sum.total);
            QCOMPARE(nsOf(row.at("Min Time(us)")), sum.min);
            QCOMPARE(nsOf(row.at("Max Time(us)")), sum.most);
            QVERIFY(std::abs(static_cast<double>(nsOf(row.at("Avg Time(us)"))) -
                             static_cast<double>(sum.total) / static_cast<double>(sum.count)) <= 0.5);
            const double ratio = std::stod(row.at("Ratio(%)"));
            QVERIFY(std::abs(ratio - 100. * static_cast<double>(sum.total) / static_cast<double>(total)) < 0.001);
            ratios += ratio;
        }
        QVERIFY(std::abs(ratios - 100) < 0.02);
    }

    void apiStatisticIsTheSumOfCalls() {
        std::map<std::pair<std::string, std::string>, Sum> sums;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || m_names->process(event) != "CANN") continue;
            const std::string name = event["name"];
            sums[{event["args"]["level"], name.substr(name.find('@') + 1)}].add(durationOf(event));
        }
        const CsvTable table = readCsv(m_made->output(1) / "api_statistic.csv");
        QCOMPARE(table.rows.size(), sums.size());
        for (const auto& row : table.rows) {
            const Sum& sum = sums.at({row.at("Level"), row.at("API Name")});
            QCOMPARE(std::stoull(row.at("Count")), sum.count);
            QCOMPARE(nsOf(row.at("Time(us)")), sum.total);
            QCOMPARE(nsOf(row.at("Min(us)")), sum.min);
            QCOMPARE(nsOf(row.at("Max(us)")), sum.most);
            const double count = static_cast<double>(sum.count);
            const double mean = static_cast<double>(sum.total) / 1e3 / count;
            const double variance = sum.squares / count - mean * mean;
            QVERIFY(std::abs(std::stod(row.at("Variance")) - variance) < 0.001 + variance * 1e-6);
        }
    }

    void operatorsAreTheFrameworkSlices() {
        std::multiset<std::pair<std::string, std::int64_t>> slices;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || !event.contains("cat") || event["cat"] != "cpu_op") continue;
            const std::string name = event["name"];
            if (!name.starts_with("ProfilerStep#")) slices.emplace(name, durationOf(event));
        }
        std::multiset<std::pair<std::string, std::int64_t>> rows;
        double deviceSelf = 0;
        for (const auto& row : readCsv(m_made->output(1) / "operator_details.csv").rows) {
            rows.emplace(row.at("Name"), nsOf(row.at("Host Total Duration(us)")));
            QVERIFY(nsOf(row.at("Host Self Duration(us)")) <= nsOf(row.at("Host Total Duration(us)")));
            QVERIFY(std::stod(row.at("Device Self Duration(us)")) <=
                    std::stod(row.at("Device Total Duration(us)")) + 1e-9);
            deviceSelf += std::stod(row.at("Device Self Duration With AICore(us)"));
        }
        QVERIFY(rows == slices);
        double kernels = 0;
        for (const auto& row : m_kernels.rows) {
            if (row.at("Accelerator Core") != "HCCL" && row.at("Accelerator Core") != "DSA_SQE")
                kernels += std::stod(row.at("Duration(us)"));
        }
        QVERIFY(std::abs(deviceSelf - kernels) < static_cast<double>(m_kernels.rows.size()) * 0.001);
    }

    void stepTraceTimeIsTheUnionOfKernels() {
        const CsvTable table = readCsv(m_made->output(1) / "step_trace_time.csv");
        QCOMPARE(table.rows.size(), std::size_t{3});
        for (const auto& row : table.rows) {
            std::vector<std::pair<std::int64_t, std::int64_t>> computing, communication, both;
            for (const auto& kernel : m_kernels.rows) {
                if (kernel.at("Step Id") != row.at("Step")) continue;
                const std::int64_t start = nsOf(kernel.at("Start Time(us)"));
                const std::pair range{start, start + nsOf(kernel.at("Duration(us)"))};
                (kernel.at("Accelerator Core") == "HCCL" ? communication : computing).push_back(range);
                both.push_back(range);
            }
            const std::int64_t computed = unionOf(computing);
            const std::int64_t communicated = unionOf(communication);
            const std::int64_t covered = unionOf(both);
            QCOMPARE(nsOf(row.at("Computing")), computed);
            QCOMPARE(nsOf(row.at("Communication")), communicated);
            QCOMPARE(nsOf(row.at("Communication(Not Overlapped)")), covered - computed);
            QCOMPARE(nsOf(row.at("Overlapped")), communicated - (covered - computed));
            const auto range = std::minmax_element(both.begin(), both.end());
            std::int64_t end = 0;
            for (const auto& [begin, stop] : both) end = std::max(end, stop);
            QCOMPARE(nsOf(row.at("Stage")), end - range.first->first);
            QCOMPARE(nsOf(row.at("Bubble")), std::int64_t{0});
        }
    }

    void memoryRecordsFollowTheAllocations() {
        // The framework's blocks in flight, from operator_memory.csv alone, against the totals of memory_record.csv.
        std::map<std::int64_t, std::int64_t> changes;
        std::size_t unreleased = 0;
        for (const auto& row : readCsv(m_made->output(1) / "operator_memory.csv").rows) {
            const auto bytes = static_cast<std::int64_t>(std::stod(row.at("Size(KB)")) * 1024);
            if (row.at("Name").starts_with("cann::")) continue;
            const std::int64_t allocated = nsOf(row.at("Allocation Time(us)"));
            changes[allocated] += bytes;
            if (row.at("Release Time(us)").empty()) {
                ++unreleased;
                continue;
            }
            // Blocks of a second stream stay active behind their release; the others are free when they are no longer
            // active.
            const std::int64_t released = nsOf(row.at("Release Time(us)"));
            changes[std::min(released, nsOf(row.at("Active Release Time(us)")))] -= bytes;
            QCOMPARE(nsOf(row.at("Duration(us)")), released - allocated);
        }
        QVERIFY(unreleased > 0);
        std::map<std::int64_t, std::int64_t> records;
        std::int64_t last = 0;
        const auto rows = readCsv(m_made->output(1) / "memory_record.csv").rows;
        for (const auto& row : rows) {
            if (row.at("Component") != "PTA") continue;
            const std::int64_t time = nsOf(row.at("Timestamp(us)"));
            QVERIFY(time >= last);
            last = time;
            records[time] = static_cast<std::int64_t>(std::stod(row.at("Total Allocated(MB)")) * 1048576);
            QVERIFY(std::stod(row.at("Total Reserved(MB)")) >= std::stod(row.at("Total Allocated(MB)")));
            QVERIFY(std::stod(row.at("Total Active(MB)")) >= std::stod(row.at("Total Allocated(MB)")));
        }
        const std::int64_t base = records.begin()->second - changes.begin()->second;
        std::int64_t selected = base;
        for (const auto& [time, change] : changes) {
            selected += change;
            QCOMPARE(records.at(time), selected);
        }
    }

    void processMemoryIsTheCounter() {
        std::map<std::int64_t, double> counters;
        for (const Json& event : m_trace) {
            if (event["ph"] == "C" && event["name"] == "APP/HBM")
                counters[startOf(event)] = event["args"]["KB"].get<double>();
        }
        std::size_t records = 0;
        for (const auto& row : readCsv(m_made->output(1) / "memory_record.csv").rows) {
            if (row.at("Component") != "APP") continue;
            ++records;
            QVERIFY(std::abs(counters.at(nsOf(row.at("Timestamp(us)"))) -
                             std::stod(row.at("Total Reserved(MB)")) * 1024) <= 1);
        }
        QCOMPARE(records, counters.size());
    }

    void communicationIsTheSumOfPlanes() {
        const Json communication = fileJson(m_made->output(1) / "communication.json");
        const Json matrix = fileJson(m_made->output(1) / "communication_matrix.json");
        std::map<std::string, std::int64_t> elapsed;
        std::int64_t hccsBytes = 0;
        for (const Json& event : m_trace) {
            if (event["ph"] != "X" || m_names->process(event) != "HCCL") continue;
            if (m_names->thread(event).starts_with("Group")) elapsed[event["name"]] = durationOf(event);
            else if (event["args"]["link type"] == "HCCS") hccsBytes += event["args"]["size(Byte)"].get<std::int64_t>();
        }
        std::int64_t saidBytes = 0;
        std::size_t operations = 0;
        for (const auto& [name, step] : communication.items()) {
            for (const auto& [key, info] : step["collective"].items()) {
                const Json& hccs = info["Communication Bandwidth Info"]["HCCS"];
                const auto bytes =
                    static_cast<std::int64_t>(std::llround(hccs["Transit Size(MB)"].get<double>() * 1e6));
                const Json& times = info["Communication Time Info"];
                const double sum = times["Transit Time(ms)"].get<double>() + times["Wait Time(ms)"].get<double>() +
                                   times["Idle Time(ms)"].get<double>();
                QVERIFY(std::abs(sum - times["Elapse Time(ms)"].get<double>()) < 1e-6);
                QVERIFY(times["Idle Time(ms)"].get<double>() >= 0);
                if (key == "Total Op Info") continue;
                ++operations;
                saidBytes += bytes;
                QCOMPARE(std::llround(times["Elapse Time(ms)"].get<double>() * 1e6),
                         elapsed.at(key.substr(0, key.find('@'))));
            }
            QVERIFY(matrix.contains(name));
        }
        QCOMPARE(operations, elapsed.size());
        QCOMPARE(saidBytes, hccsBytes);
    }

    void flowsMeetTheirSlices() {
        std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> starts;
        for (const Json& event : m_trace) {
            if (event["ph"] == "X") starts.emplace(event["pid"], event["tid"], startOf(event));
        }
        std::map<std::string, int> ends;
        for (const Json& event : m_trace) {
            if (event["ph"] != "f" && event["ph"] != "s") continue;
            // Kernels' flows begin inside the launching node; all others meet the begin of a slice.
            if (event["ph"] == "s" && event["cat"] == "HostToDevice") continue;
            QVERIFY(starts.count({event["pid"], event["tid"], startOf(event)}) == 1);
            if (event["ph"] == "f") ++ends[event["cat"]];
        }
        QCOMPARE(ends.size(), std::size_t{4});
    }

    void streamsRunInOrder() {
        // Compute and random numbers: one task at a time. Collectives' streams hold small tasks side by side.
        std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> streams;
        for (const Json& event : m_trace) {
            if (event["ph"] == "X" && m_names->process(event) == "Ascend Hardware" && event["tid"].get<int>() < 4) {
                streams[event["tid"]].emplace_back(startOf(event), startOf(event) + durationOf(event));
            }
        }
        QCOMPARE(streams.size(), std::size_t{3});
        for (auto& [tid, tasks] : streams) {
            std::sort(tasks.begin(), tasks.end());
            for (std::size_t i = 1; i < tasks.size(); ++i) QVERIFY(tasks[i].first >= tasks[i - 1].second);
        }
    }

private:
    std::unique_ptr<GeneratedCapture> m_made;
    Json m_trace;
    std::unique_ptr<TraceNames> m_names;
    CsvTable m_kernels;
};

ALTI_TEST(TestGenerateTables)
#include "tst_generate_tables.moc"
