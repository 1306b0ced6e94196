#include "tests/core/generate/capture_reading.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <set>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Two pipeline stages with experts.
constexpr int kRanks = 16;
constexpr int kStages = 2;

std::string tupleText(const Json& ranks) {
    std::string text = "(";
    for (const Json& rank : ranks) text += (text.size() > 1 ? ", " : "") + rank.dump();
    return text + ")";
}

const std::string kStageRanks[kStages] = {"(0, 1, 2, 3, 4, 5, 6, 7)", "(8, 9, 10, 11, 12, 13, 14, 15)"};

std::string groupOf(const std::string& key) { return key.substr(key.find('@') + 1); }

}  // namespace

/// The files of a cluster against those of its ranks: every number that both hold is the same.
class TestClusterWriter : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_made = std::make_unique<GeneratedCapture>(std::vector<std::string>{
            "--format=text", "--format=cluster", "--ranks=16", "--steps=2", "--layers=2", "--uneven-warmup"});
        QVERIFY(m_made->summary.ok());
        m_groups = fileJson(clusterFile("communication_group.json"));
        for (const Json& group : m_groups["comm_group_parallel_info"]) m_ranks[group["group_name"]] = group["rank_set"];
    }
    void cleanupTestCase() { m_made.reset(); }

    void groups() {
        std::set<std::string> fromRanks;
        for (int rank = 0; rank < kRanks; ++rank) {
            const Json metadata = fileJson(m_made->rank(rank) / "profiler_metadata.json");
            for (const auto& [id, group] : metadata["parallel_group_info"].items())
                fromRanks.insert(id + group["global_ranks"].dump());
        }
        std::set<std::string> fromCluster;
        for (const Json& group : m_groups["comm_group_parallel_info"])
            fromCluster.insert(group["group_id"].get<std::string>() + group["rank_set"].dump());
        QCOMPARE(fromCluster, fromRanks);
        QCOMPARE(m_groups["p2p"].dump(), std::string("[[0,8],[1,9],[2,10],[3,11],[4,12],[5,13],[6,14],[7,15]]"));
        const Json distributed = fileJson(m_made->rank(9) / "profiler_metadata.json")["distributed_args"];
        QCOMPARE(distributed["pipeline_model_parallel_size"].get<int>(), kStages);
        QCOMPARE(distributed["expert_model_parallel_size"].get<int>(), 4);
        QCOMPARE(distributed["data_parallel_size"].get<int>(), 4);
    }

    /// Stage is without the bubble, which is the time of the receiving operators.
    void bubbles() {
        for (int rank = 0; rank < kRanks; ++rank) {
            std::map<std::string, std::int64_t> received;
            for (const auto& row : readCsv(m_made->output(rank) / "kernel_details.csv").rows) {
                if (row.at("Type") == "hcom_receive_") received[row.at("Step Id")] += nsOf(row.at("Duration(us)"));
            }
            for (const auto& row : readCsv(m_made->output(rank) / "step_trace_time.csv").rows) {
                const std::int64_t bubble = nsOf(row.at("Bubble"));
                QVERIFY(bubble > 0);
                QCOMPARE(bubble, received[row.at("Step")]);
                QCOMPARE(nsOf(row.at("Communication(Not Overlapped and Exclude Receive)")),
                         std::max<std::int64_t>(nsOf(row.at("Communication(Not Overlapped)")) - bubble, 0));
                const std::int64_t span =
                    nsOf(row.at("Computing")) + nsOf(row.at("Communication(Not Overlapped)")) + nsOf(row.at("Free"));
                QVERIFY(nsOf(row.at("Stage")) > 0 && nsOf(row.at("Stage")) + bubble <= span);
            }
        }
    }

    void operations() {
        const Json cluster = fileJson(clusterFile("cluster_communication.json"));
        std::size_t compared = 0;
        for (int rank = 0; rank < kRanks; ++rank) {
            const Json file = fileJson(m_made->output(rank) / "communication.json");
            for (const auto& [step, kinds] : file.items()) {
                for (const Json& operations : kinds) {
                    for (const auto& [key, info] : operations.items()) {
                        if (key.starts_with("Total")) continue;
                        const Json& of = cluster[tupleText(m_ranks[groupOf(key)])][step];
                        QVERIFY(of[key][std::to_string(rank)] == info);
                        QVERIFY(of["Total Op Info@" + groupOf(key)].contains(std::to_string(rank)));
                        ++compared;
                    }
                }
            }
        }
        std::size_t all = 0;
        for (const Json& steps : cluster) {
            for (const Json& step : steps) {
                for (const auto& [key, ranks] : step.items()) all += key.starts_with("Total") ? 0 : ranks.size();
            }
        }
        QVERIFY(compared > 0);
        QCOMPARE(all, compared);
    }

    void links() {
        const Json cluster = fileJson(clusterFile("cluster_communication_matrix.json"));
        std::size_t compared = 0;
        for (int rank = 0; rank < kRanks; ++rank) {
            const Json file = fileJson(m_made->output(rank) / "communication_matrix.json");
            for (const auto& [step, kinds] : file.items()) {
                for (const Json& words : kinds) {
                    for (const auto& [key, ends] : words.items()) {
                        const Json& members = m_ranks[groupOf(key)];
                        for (const auto& [link, sum] : ends.items()) {
                            // Local ranks there, ranks of the run here.
                            const std::size_t dash = link.find('-');
                            const Json& source = members[std::stoul(link.substr(0, dash))];
                            const Json& target = members[std::stoul(link.substr(dash + 1))];
                            QVERIFY(cluster[tupleText(members)][step][key][source.dump() + "-" + target.dump()] == sum);
                            ++compared;
                        }
                    }
                }
            }
        }
        std::size_t all = 0;
        for (const Json& steps : cluster) {
            for (const Json& step : steps) {
                for (const auto& [key, ends] : step.items()) all += key.starts_with("Total") ? 0 : ends.size();
            }
        }
        QVERIFY(compared > 0);
        QCOMPARE(all, compared);
    }

    void stepTimes() {
        const CsvTable cluster = readCsv(clusterFile("cluster_step_trace_time.csv"));
        QCOMPARE(cluster.rows.size(), std::size_t{2 * (kRanks + kStages)});
        std::map<std::pair<std::string, std::string>, std::map<std::string, double>> most;
        for (int rank = 0; rank < kRanks; ++rank) {
            for (const auto& row : readCsv(m_made->output(rank) / "step_trace_time.csv").rows) {
                const auto found = std::find_if(cluster.rows.begin(), cluster.rows.end(), [&](const auto& one) {
                    return one.at("Type") == "rank" && one.at("Index") == std::to_string(rank) &&
                           one.at("Step") == row.at("Step");
                });
                QVERIFY(found != cluster.rows.end());
                for (const auto& [column, value] : row) {
                    QCOMPARE(std::stod(found->at(column)), std::stod(value));
                    double& largest = most[{row.at("Step"), kStageRanks[rank * kStages / kRanks]}][column];
                    largest = std::max(largest, std::stod(value));
                }
            }
        }
        for (const auto& row : cluster.rows) {
            if (row.at("Type") != "stage") continue;
            for (const auto& [column, value] : most.at({row.at("Step"), row.at("Index")}))
                QCOMPARE(std::stod(row.at(column)), value);
        }
    }

    /// A run of the cluster format alone does not write ranks, and is the same run.
    void alone() {
        const GeneratedCapture alone({"--format=cluster", "--ranks=16", "--steps=2", "--layers=2", "--uneven-warmup"},
                                     4);
        QVERIFY(alone.summary.ok());
        for (const char* name : {"cluster_communication.json", "cluster_communication_matrix.json",
                                 "cluster_step_trace_time.csv", "communication_group.json"}) {
            QVERIFY2(fileText(alone.path() / "cluster_analysis_output" / name) == fileText(clusterFile(name)), name);
        }
        QVERIFY(!std::filesystem::exists(alone.rank(0)));
        const Json truth = fileJson(alone.path() / "truth.json");
        const Json full = fileJson(m_made->path() / "truth.json");
        QVERIFY(truth["links"] == full["links"]);
        for (std::size_t rank = 0; rank < kRanks; ++rank)
            QVERIFY(truth["ranks"][rank]["steps"] == full["ranks"][rank]["steps"]);
    }

    /// Columns of the real file; newer versions add Preparing and the place in the parallel layout.
    void columnsOfReal() {
        const auto real = sharedData("cluster_text/cluster_analysis_output/cluster_step_trace_time.csv");
        if (!real) QSKIP(kNoSharedData);
        std::vector<std::string> columns = readCsv(*real).header;
        for (const char* newer : {"Preparing", "DP Index", "PP Index", "TP Index"}) columns.emplace_back(newer);
        QCOMPARE(readCsv(clusterFile("cluster_step_trace_time.csv")).header, columns);
        const auto known = sharedData("cluster_text/communication_group/communication_group.json");
        const Json group = fileJson(*known)["comm_group_parallel_info"].front();
        for (const auto& [key, value] : m_groups["comm_group_parallel_info"].front().items())
            QCOMPARE(QString::fromLatin1(group[key].type_name()), QString::fromLatin1(value.type_name()));
    }

private:
    std::filesystem::path clusterFile(const std::string& name) const {
        return m_made->path() / "cluster_analysis_output" / name;
    }

    std::unique_ptr<GeneratedCapture> m_made;
    Json m_groups;
    std::map<std::string, Json> m_ranks;  ///< By hash of the group.
};

ALTI_TEST(TestClusterWriter)
#include "tst_cluster_writer.moc"
