#include "tests/core/analysis/numbered_calls.h"
#include "tests/core/analysis/replayed_job.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// When nodes start, found from the end by looking back, in whatever order that asks for them: the longest way to each.
class LongestWays {
public:
    explicit LongestWays(const JobGraph& graph) : m_graph(graph), m_starts(graph.nodeCount(), kUnknown) {}

    std::int64_t start(std::uint32_t wanted) {
        std::vector<std::uint32_t> stack{wanted};
        while (!stack.empty()) {
            const std::uint32_t node = stack.back();
            std::int64_t longest = m_graph.anchor[node];
            bool isKnown = true;
            for (std::uint32_t e = m_graph.firstEdge[node]; e < m_graph.firstEdge[node + 1]; ++e) {
                const std::uint32_t other = m_graph.from[e] / 2;
                if (m_starts[other] == kUnknown) {
                    stack.push_back(other);
                    isKnown = false;
                    continue;
                }
                const std::int64_t length = m_graph.from[e] % 2 == 1 ? m_graph.duration[other] : 0;
                longest = std::max(longest, m_starts[other] + length + m_graph.weight[e]);
            }
            if (!isKnown) continue;
            m_starts[node] = longest;
            stack.pop_back();
        }
        return m_starts[wanted];
    }
    /// Lengths of the job's steps: from the last rank's begin to the last one's end.
    std::vector<std::int64_t> steps() {
        std::vector<std::int64_t> begins(m_graph.steps.size(), kUnknown), ends(begins), lengths;
        for (const JobGraph::RankStep& step : m_graph.rankSteps) {
            begins[step.step] = std::max(begins[step.step], start(step.begin));
            ends[step.step] = std::max(ends[step.step], start(step.end));
        }
        for (std::size_t i = 0; i < begins.size(); ++i) lengths.push_back(ends[i] - begins[i]);
        return lengths;
    }

private:
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
    const JobGraph& m_graph;
    std::vector<std::int64_t> m_starts;
};

std::vector<std::int64_t> stepsWith(const JobGraph& graph, const std::vector<GraphChange>& changes) {
    Replay replay(graph);
    replay.add(changes);
    replay.run();
    return replay.steps();
}

/// "compute MatMul 100 100", in ns, a line each.
QString linesOf(const ReplayedJob& job, const std::vector<PathPiece>& path) {
    std::string text;
    for (const PathPiece& piece : path) {
        const TraceStore& trace = *job.capture->ranks[piece.rank.value].trace;
        text += std::string(pathKindName(piece.kind)) + " ";
        text += piece.slice == kNoSlice ? "-" : std::string(trace.name(piece.slice));
        text += " " + std::to_string(piece.begin.value) + " " + std::to_string(piece.duration) + "\n";
    }
    return QString::fromStdString(text);
}

std::vector<PathPiece> pathOf(const ReplayedJob& job) {
    Replay recorded(job.graph);
    recorded.run();
    return criticalPaths(job.input(), recorded, {});
}

}  // namespace

/// What the length of a step hangs on.
class TestCriticalPath : public QObject {
    Q_OBJECT
private slots:
    void leadsThroughKernelsOfAGraph();
    void leadsThroughTheHost();
    void isTheLongestWay_data();
    void isTheLongestWay();
};

/// A call launches one kernel of a graph; two more follow that no call names. By eye.
void TestCriticalPath::leadsThroughKernelsOfAGraph() {
    const ReplayedJob job(
        captureOfText("Ascend Hardware/Stream 1: MatMul#1[5100,9000) Add[9010,12000) Mul[12005,15000)\n"
                      "CANN/Thread 7: ModelExecute#1[5000,5060) "
                      "AscendCL@aclrtSynchronizeStream[5100,15010)\n"
                      "Python/Thread 7: train[100,15100)\n",
                      oneStep(0, 15200)));
    QCOMPARE(linesOf(job, pathOf(job)), QStringLiteral("host - 0 100\n"
                                                       "host train 100 4900\n"
                                                       "host ModelExecute#1 5000 60\n"
                                                       "host train 5060 40\n"
                                                       "compute MatMul#1 5100 3900\n"
                                                       "wait - 9000 10\n"
                                                       "compute Add 9010 2990\n"
                                                       "wait - 12000 5\n"
                                                       "compute Mul 12005 2995\n"
                                                       "host AscendCL@aclrtSynchronizeStream 15000 10\n"
                                                       "host train 15010 90\n"
                                                       "host - 15100 100\n"));
}

/// The device waits for the host: only the last kernel is on the path.
void TestCriticalPath::leadsThroughTheHost() {
    const ReplayedJob job(captureOfText("Ascend Hardware/Stream 1: MatMul#1[1100,2000) Add#2[900100,901000)\n"
                                        "CANN/Thread 7: Node@launch#1[1000,1060) Node@launch#2[900000,900060) "
                                        "AscendCL@aclrtSynchronizeStream[900070,901010)\n"
                                        "Python/Thread 7: train[0,901100) loss[1200,890000)\n",
                                        oneStep(0, 901100)));
    const QString lines = linesOf(job, pathOf(job));
    QVERIFY(lines.contains(QStringLiteral("host loss 1200 888800\n")));
    QVERIFY(!lines.contains(QStringLiteral("MatMul")));
    QVERIFY(lines.contains(QStringLiteral("compute Add#2 900100 900\n")));
}

void TestCriticalPath::isTheLongestWay_data() {
    QTest::addColumn<std::vector<std::string>>("words");
    const std::vector<std::vector<std::string>> kinds{
        {"--ranks", "2", "--plant", "host-bound=300"},
        {"--ranks", "2", "--plant", "gc-pause=8", "--clock-offset-us", "3000", "--clock-drift-ppm", "20"},
        {"--ranks", "3", "--plant", "slow-rank=1:20"},
        {"--ranks", "4", "--plant", "slow-link=2-3:4", "--uneven-warmup"},
        {"--ranks", "4", "--plant", "no-overlap", "--clock-offset-us", "500"},
    };
    for (int seed = 401; seed <= 420; ++seed) {
        std::vector<std::string> words = kinds[static_cast<std::size_t>(seed) % kinds.size()];
        // Of so many the stages of a pipeline are apart.
        if (seed == 420) words = {"--ranks", "16", "--plant", "slow-rank=5:20"};
        for (const char* word : {"--steps", "2", "--layers", "1", "--seed"}) words.emplace_back(word);
        words.push_back(std::to_string(seed));
        QTest::addRow("seed %d", seed) << words;
    }
}

void TestCriticalPath::isTheLongestWay() {
    QFETCH(std::vector<std::string>, words);
    QTemporaryDir folder;
    const auto capture = generatedCapture(folder, words);
    QVERIFY(capture != nullptr);
    const ReplayedJob job(capture);
    QCOMPARE(job.facts->account->job.refusal, ReplayRefusal::None);
    LongestWays ways(job.graph);
    const std::vector<std::int64_t> steps = ways.steps();
    QCOMPARE(steps, job.facts->account->job.recorded);
    // Exactly, by whatever the ranks are apart.
    std::vector<std::int64_t> sums(steps.size(), 0);
    const std::vector<PathPiece> path = pathOf(job);
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> nodes;  // by rank and slice
    for (std::size_t r = 0; r < job.graphs.size(); ++r) {
        const auto& own = job.graphs[r]->nodes;
        for (std::uint32_t i = 0; i < own.size(); ++i) {
            if (own[i].kind == NodeKind::Kernel) nodes[{r, own[i].slice.value}] = job.graph.nodeOf[r][i];
        }
    }
    constexpr std::int64_t kMore = 1'000;
    std::size_t kernels = 0, ranks = 0;
    std::vector<bool> isPassed(job.graphs.size(), false);
    for (std::size_t i = 0; i < path.size(); ++i) {
        const PathPiece& piece = path[i];
        QVERIFY(piece.duration > 0);
        sums[piece.step] += piece.duration;
        ranks += isPassed[piece.rank.value] ? 0 : 1;
        isPassed[piece.rank.value] = true;
        // On one rank the pieces lie one behind the other, but for what its clocks drift and the host's is later.
        if (piece.kind != PathKind::Compute || ++kernels % 40 != 1) continue;
        const auto node = nodes.find({piece.rank.value, piece.slice.value});
        if (node == nodes.end()) continue;
        // What is on the path makes its step longer by all that it takes longer.
        const std::vector<std::int64_t> longer = stepsWith(job.graph, {{node->second, false, kMore}});
        QVERIFY2(longer[piece.step] == steps[piece.step] + kMore, std::to_string(i).c_str());
    }
    QCOMPARE(sums, steps);
    QVERIFY(kernels > 20);
    QVERIFY(ranks > 1 || job.graphs.size() < 3);
    // How late each may come: no more, and no less.
    Replay recorded(job.graph);
    recorded.run();
    std::vector<std::string> groups;
    const std::vector<ArrivalSlack> slacks = arrivalSlacks(job.input(), recorded, groups);
    QVERIFY(slacks.size() >= job.graphs.size() * 4);
    std::size_t tried = 0, positive = 0;
    const std::size_t every = std::max<std::size_t>(1, slacks.size() / 40);
    for (std::size_t i = 0; i < slacks.size(); i += every) {
        const ArrivalSlack& one = slacks[i];
        QVERIFY(one.slack);
        QVERIFY(*one.slack >= 0);
        const RankGraph& graph = *job.graphs[one.rank.value];
        const auto collective =
            std::find_if(graph.collectives.begin(), graph.collectives.end(),
                         [&](const GraphCollective& known) { return known.slice.value == one.slice.value; });
        const std::uint32_t node = job.graph.nodeOf[one.rank.value][collective->arrival];
        const auto late = [&](std::int64_t by) {
            std::vector<GraphChange> changes;
            for (std::uint32_t e = job.graph.firstEdge[node]; e < job.graph.firstEdge[node + 1]; ++e)
                changes.push_back({e, true, by});
            return stepsWith(job.graph, changes);
        };
        QCOMPARE(late(*one.slack), steps);
        const std::vector<std::int64_t> longer = late(*one.slack + kMore);
        QVERIFY(std::equal(longer.begin(), longer.end(), steps.begin(), std::greater_equal<>()));
        QVERIFY(longer != steps);
        ++tried;
        positive += *one.slack > 0 ? 1 : 0;
    }
    QVERIFY(tried >= 8);
    QVERIFY(positive > 0);
}

ALTI_TEST(TestCriticalPath)
#include "tst_critical_path.moc"
