#include "tests/core/generate/db_reading.h"
#include "tests/support/test_main.h"

#include <set>
#include <tuple>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What stands under the kinds of operations of a step: kind, key, value.
std::vector<std::tuple<std::string, std::string, Json>> entriesOf(const Json& kinds) {
    std::vector<std::tuple<std::string, std::string, Json>> entries;
    for (const auto& [kind, list] : kinds.items()) {
        for (const auto& [key, value] : list.items()) entries.emplace_back(kind, key, value);
    }
    return entries;
}

}  // namespace

/// analysis.db against the communication files and the step times of the text twin: the same numbers.
class TestAnalysisRows : public QObject {
    Q_OBJECT

private slots:
    void communication() {
        const GeneratedCapture made(
            {"--format", "text", "--format=db", "--ranks", "16", "--steps", "2", "--layers", "2"});
        QVERIFY(made.summary.ok());
        const DbFile analysis(made.output(kRank) / "analysis.db");
        Lines text, bandwidth, links, steps;
        const Json file = fileJson(made.output(kRank) / "communication.json");
        for (const auto& [step, kinds] : file.items()) {
            for (const auto& [kind, key, info] : entriesOf(kinds)) {
                if (key.starts_with("Total")) continue;
                const std::string op = key.substr(0, key.find('@')) + "|" + key.substr(key.find('@') + 1);
                const Json& time = info["Communication Time Info"];
                text.insert(
                    joined({op, plain(time["Start Timestamp(us)"]), plain(time["Elapse Time(ms)"]),
                            plain(time["Transit Time(ms)"]), plain(time["Wait Time(ms)"]),
                            plain(time["Synchronization Time(ms)"]), plain(time["Idle Time(ms)"]), step, kind}));
                for (const auto& [transport, sum] : info["Communication Bandwidth Info"].items()) {
                    if (sum["Transit Size(MB)"] == 0) continue;
                    const std::string head =
                        joined({op, transport, plain(sum["Transit Size(MB)"]), plain(sum["Transit Time(ms)"]),
                                plain(sum["Bandwidth(GB/s)"]), plain(sum["Large Packet Ratio"])});
                    for (const auto& [size, packet] : sum["Size Distribution"].items())
                        bandwidth.insert(joined({head, plain(size), packet[0].dump(), plain(packet[1]), step, kind}));
                    if (sum["Size Distribution"].empty()) bandwidth.insert(joined({head, "0", "0", "0", step, kind}));
                }
            }
        }
        const auto numbers = [](const DbFile& db, const std::string& sql, const std::set<std::size_t>& texts) {
            Lines lines;
            for (auto row : db.rows(sql)) {
                for (std::size_t i = 0; i < row.size(); ++i) {
                    if (texts.count(i) == 0) row[i] = plain(row[i]);
                }
                lines.insert(joined(row));
            }
            return lines;
        };
        QCOMPARE(
            difference(text, numbers(analysis,
                                     "SELECT hccl_op_name, group_name, start_timestamp, elapse_time, transit_time, "
                                     "wait_time, synchronization_time, idle_time, step, type FROM CommAnalyzerTime",
                                     {0, 1, 8, 9})),
            QString());
        QCOMPARE(difference(
                     bandwidth,
                     numbers(analysis,
                             "SELECT hccl_op_name, group_name, transport_type, transit_size, transit_time, bandwidth, "
                             "large_packet_ratio, package_size, count, total_duration, step, type FROM "
                             "CommAnalyzerBandwidth",
                             {0, 1, 2, 10, 11})),
                 QString());
        const Json matrix = fileJson(made.output(kRank) / "communication_matrix.json");
        for (const auto& [step, kinds] : matrix.items()) {
            for (const auto& [kind, key, ends] : entriesOf(kinds)) {
                for (const auto& [link, sum] : ends.items()) {
                    links.insert(
                        joined({key.substr(0, key.find('@')), key.substr(key.find('@') + 1),
                                link.substr(0, link.find('-')), link.substr(link.find('-') + 1), sum["Transport Type"],
                                plain(sum["Transit Size(MB)"]), plain(sum["Transit Time(ms)"]),
                                plain(sum["Bandwidth(GB/s)"]), step, sum.value("Op Name", ""), kind}));
                }
            }
        }
        QCOMPARE(
            difference(links,
                       numbers(analysis,
                               "SELECT hccl_op_name, group_name, src_rank, dst_rank, transport_type, "
                               "transit_size, transit_time, bandwidth, step, op_name, type FROM CommAnalyzerMatrix",
                               {0, 1, 2, 3, 4, 8, 9, 10})),
            QString());
        const CsvTable table = readCsv(made.output(kRank) / "step_trace_time.csv");
        for (const auto& row : table.rows) {
            std::vector<std::string> cells;
            for (const std::string& column : table.header) cells.push_back(plain(row.at(column)));
            steps.insert(joined(cells));
        }
        QCOMPARE(difference(steps, numbers(analysis, "SELECT * FROM StepTraceTime", {})), QString());
    }

private:
    /// Of the second pipeline stage, which has experts: it has operations of all kinds.
    static constexpr int kRank = 8;
};

ALTI_TEST(TestAnalysisRows)
#include "tst_analysis_rows.moc"
