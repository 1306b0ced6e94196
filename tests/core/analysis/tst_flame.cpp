#include "core/analysis/flame/flame_tree.h"
#include "core/base/threads/parallel.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using PathTimes = std::map<std::string, std::int64_t>;

/// A call as a test makes it up; layers are tracks of one thread, outermost first.
struct MadeCall {
    std::string name;
    std::int64_t begin = 0, end = 0;
    std::size_t layer = 0;
};

const char* const kLayerTracks[] = {"Python/Thread 7", "Python:second/Thread 7", "CANN/Thread 7"};

/// Calls that nest, of few names, so that they recur and meet themselves.
std::vector<MadeCall> madeCalls(std::mt19937& random, std::int64_t length) {
    std::vector<MadeCall> calls;
    const std::function<void(std::int64_t, std::int64_t, std::size_t, int)> make =
        [&](std::int64_t begin, std::int64_t end, std::size_t layer, int depth) {
            for (std::int64_t at = begin; depth < 8 && at < end;) {
                at += static_cast<std::int64_t>(random() % 4);
                const std::int64_t after = std::min(end, at + 1 + static_cast<std::int64_t>(random() % 40));
                if (at >= after) break;
                const std::size_t own = std::min<std::size_t>(2, layer + (random() % 4 == 0 ? 1 : 0));
                calls.push_back({std::string(1, static_cast<char>('a' + random() % 4)), at, after, own});
                make(at, after, own, depth + 1);
                at = after;
            }
        };
    make(0, length, 0, 0);
    return calls;
}

std::string madeText(const std::vector<MadeCall>& calls) {
    std::string text;
    for (std::size_t layer = 0; layer < 3; ++layer) {
        text += std::string(kLayerTracks[layer]) + ":";
        for (const MadeCall& call : calls) {
            if (call.layer == layer)
                text += ' ' + call.name + '[' + std::to_string(call.begin) + ',' + std::to_string(call.end) + ')';
        }
        text += '\n';
    }
    return text;
}

/// Names of the calls around a moment: those of outer layers first, in the order in which they were made up.
std::string pathAt(const std::vector<MadeCall>& calls, std::int64_t time, std::size_t last) {
    std::string path;
    for (std::size_t i = 0; i < last; ++i) {
        if (calls[i].begin <= time && time < calls[i].end) path += '/' + calls[i].name;
    }
    return path;
}

/// Moment by moment.
struct BruteForce {
    PathTimes self, calls, total;

    BruteForce(const std::vector<MadeCall>& made, const std::vector<TimeRange>& times) {
        for (const TimeRange& range : times) {
            for (std::int64_t t = range.begin.value; t < range.end.value; ++t) {
                const std::string path = pathAt(made, t, made.size());
                if (path.empty()) continue;
                ++self[path];
                for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
                    ++total[path.substr(0, at)];
                    if (at == std::string::npos) break;
                }
            }
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            const bool touches = std::any_of(times.begin(), times.end(), [&](const TimeRange& range) {
                return made[i].begin < range.end.value && made[i].end > range.begin.value;
            });
            if (touches) ++calls[pathAt(made, made[i].begin, i + 1)];
        }
    }
};

std::string pathOf(const FlameCalls& calls, std::uint32_t node) {
    std::string path;
    for (; node != 0; node = calls.nodes[node].parent) path = '/' + std::string(calls.name(node)) + path;
    return path;
}

std::shared_ptr<CaptureStore> captureOf(const std::vector<std::string>& ranks) {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string& text : ranks) {
        RankEntry& rank = capture->ranks.emplace_back();
        rank.info.rankId = static_cast<std::int64_t>(capture->ranks.size() - 1);
        rank.trace = rankTrace(text);
    }
    return capture;
}

// A queue between an operator and the launch; one task of an operator itself, one that only CANN's flow tells.
const char* const kLaunches =
    "Python/Thread 7: ProfilerStep#3|cpu_op[0,1000) aten::mm|cpu_op[100,300) aclnnMm|cpu_op[120,140) "
    "Enqueue|enqueue[150,160) ProfilerStep#4|cpu_op[1000,2000) aten::add|cpu_op[1100,1200)\n"
    "Python/Thread 9: Dequeue|dequeue[400,500)\n"
    "CANN/Thread 9: AscendCL@aclnnMm[410,490) Node@launch[450,460)\n"
    "CANN/Thread 7: AscendCL@aclrtMemcpy[1150,1160)\n"
    "Ascend Hardware/Stream 2: MatMul[600,650) Cast[700,707) MEMCPY_ASYNC[1300,1330) Lonely[1400,1500)\n"
    "flow async_npu Python/Thread 7@120 -> Ascend Hardware/Stream 2@600\n"
    "flow HostToDevice CANN/Thread 9@450 -> Ascend Hardware/Stream 2@600\n"
    "flow HostToDevice CANN/Thread 9@450 -> Ascend Hardware/Stream 2@700\n"
    "flow HostToDevice CANN/Thread 7@1150 -> Ascend Hardware/Stream 2@1300\n"
    "flow async_task_queue Python/Thread 7@150 -> Python/Thread 9@400\n";

std::map<std::string, std::string> deviceTimes(const FlameCalls& calls) {
    std::map<std::string, std::string> times;
    for (std::uint32_t i = 0; i < calls.nodes.size(); ++i) {
        const CallNode& node = calls.nodes[i];
        if (node.tasks > 0) times[pathOf(calls, i)] = std::to_string(node.tasks) + " x " + std::to_string(node.device);
    }
    return times;
}

/// Frames with their weights as lines, by path from the root.
PathTimes widths(const FlameTree& tree) {
    PathTimes all;
    std::vector<std::string> paths;
    for (const FrameNode& node : tree.nodes) {
        paths.push_back(paths.empty() ? "" : paths[node.parent] + '/' + std::string(tree.frames[node.frame].name));
        all[paths.back()] = node.weight;
    }
    return all;
}

}  // namespace

class TestFlame : public QObject {
    Q_OBJECT
private slots:
    void randomCallsMomentByMoment();
    void tasksBelongToTheOperatorThatLaunchedThem();
    void bottomUpMomentByMoment();
    void childrenLieWithinTheirParent();
    void differenceByShares();
    void namesWithoutAddressesAndSteps();
    void splitByRankAndThread();
    void cancelled();

private:
    std::shared_ptr<const FlameCalls> callsOf(const std::shared_ptr<const CaptureStore>& capture,
                                              const std::optional<std::vector<TimeRange>>& times = {},
                                              FlameSource source = FlameSource::Calls,
                                              FlameSplit split = FlameSplit::None) {
        FlameQuery query{.capture = capture, .ranks = {}, .threads = {}, .split = split};
        for (std::uint32_t rank = 0; rank < capture->ranks.size(); ++rank) query.ranks.push_back({rank, times});
        query.threads = flameThreads(*capture, query.ranks, source);
        std::shared_ptr<const FlameCalls> calls;
        m_arena.run([&] { calls = flameCalls(query, {}); });
        return calls;
    }
    std::shared_ptr<const FlameTree> treeOf(const std::shared_ptr<const FlameCalls>& calls, FlameWeight weight,
                                            FlameOrder order) {
        return flameTree(calls, nullptr, weight, order, {});
    }

    WorkerArena m_arena{2};
};

void TestFlame::randomCallsMomentByMoment() {
    std::mt19937 random(17);
    for (int round = 0; round < 60; ++round) {
        const std::vector<MadeCall> made = madeCalls(random, 150);
        std::optional<std::vector<TimeRange>> times;
        if (round % 3 > 0) {
            // Ranges that cut calls, also several in one call.
            times.emplace();
            for (std::int64_t at = static_cast<std::int64_t>(random() % 20); at < 150;) {
                const std::int64_t end = at + 1 + static_cast<std::int64_t>(random() % 30);
                times->push_back({{at}, {end}});
                at = end + static_cast<std::int64_t>(random() % 30);
            }
        }
        const auto calls = callsOf(captureOf({madeText(made)}), times);
        const BruteForce expected(made, times.value_or(std::vector<TimeRange>{{{0}, {150}}}));
        PathTimes self, total, count;
        for (std::uint32_t i = 1; i < calls->nodes.size(); ++i) {
            const CallNode& node = calls->nodes[i];
            const std::string path = pathOf(*calls, i);
            if (node.self > 0) self[path] = node.self;
            if (node.total > 0) total[path] = node.total;
            count[path] = static_cast<std::int64_t>(node.calls);
        }
        QCOMPARE(self, expected.self);
        QCOMPARE(total, expected.total);
        QCOMPARE(count, expected.calls);
        QCOMPARE(calls->folded, 0U);
    }
}

void TestFlame::tasksBelongToTheOperatorThatLaunchedThem() {
    const auto capture = captureOf({kLaunches});
    using Times = std::map<std::string, std::string>;
    const Times expected{{"/ProfilerStep#/aten::mm/aclnnMm", "1 x 50"},
                         {"/ProfilerStep#/aten::mm/Enqueue", "1 x 7"},
                         {"/ProfilerStep#/aten::add/AscendCL@aclrtMemcpy", "1 x 30"}};
    const auto calls = callsOf(capture);
    QCOMPARE(deviceTimes(*calls), expected);
    QCOMPARE(calls->nodes[0].allTasks, 3U);
    QCOMPARE(calls->nodes[0].allDevice, 87);
    QCOMPARE(deviceTimes(*callsOf(capture, {}, FlameSource::Python)),
             (Times{{"/ProfilerStep#/aten::mm/aclnnMm", "1 x 50"},
                    {"/ProfilerStep#/aten::mm/Enqueue", "1 x 7"},
                    {"/ProfilerStep#/aten::add", "1 x 30"}}));
    QCOMPARE(deviceTimes(*callsOf(capture, {}, FlameSource::Cann)),
             (Times{{"/AscendCL@aclnnMm/Node@launch", "2 x 57"}, {"/AscendCL@aclrtMemcpy", "1 x 30"}}));
    // Of the second step alone: tasks go by the calls.
    QCOMPARE(deviceTimes(*callsOf(capture, std::vector<TimeRange>{{{1000}, {2000}}})),
             (Times{{"/ProfilerStep#/aten::add/AscendCL@aclrtMemcpy", "1 x 30"}}));
}

void TestFlame::bottomUpMomentByMoment() {
    std::mt19937 random(23);
    for (int round = 0; round < 30; ++round) {
        const std::vector<MadeCall> made = madeCalls(random, 120);
        const auto calls = callsOf(captureOf({madeText(made)}));
        PathTimes self, host;  // by function and callers
        for (std::int64_t t = 0; t < 120; ++t) {
            const std::string path = pathAt(made, t, made.size());
            // Names are single letters: the path backwards is the function and its callers.
            for (std::size_t end = path.size(); end > 0; end -= 2) {
                const std::string around = path.substr(0, end);
                const bool isRecursive = around.find(around.back()) + 1 < around.size();
                for (std::size_t begin = end; begin > 0; begin -= 2) {
                    std::string callers(around.rbegin(), around.rend());
                    callers.resize(end - begin + 2);
                    std::string key;
                    for (std::size_t c = 0; c < callers.size(); c += 2) key += std::string("/") + callers[c];
                    if (end == path.size()) ++self[key];
                    if (!isRecursive) ++host[key];
                }
            }
        }
        PathTimes found = widths(*treeOf(calls, FlameWeight::Self, FlameOrder::BottomUp));
        QCOMPARE(found[""], calls->nodes[0].total);
        found.erase("");
        QCOMPARE(found, self);
        found = widths(*treeOf(calls, FlameWeight::Host, FlameOrder::BottomUp));
        found.erase("");
        QCOMPARE(found, host);
    }
}

void TestFlame::childrenLieWithinTheirParent() {
    std::mt19937 random(5);
    const auto calls = callsOf(captureOf({madeText(madeCalls(random, 400)), madeText(madeCalls(random, 300))}));
    const auto other = callsOf(captureOf({madeText(madeCalls(random, 200))}));
    for (const auto& base : {std::shared_ptr<const FlameCalls>(), other}) {
        for (const FlameOrder order : {FlameOrder::TopDown, FlameOrder::BottomUp}) {
            const auto tree = flameTree(calls, base, FlameWeight::Self, order, {});
            QVERIFY(tree->nodes.size() > 20);
            for (std::uint32_t i = 1; i < tree->nodes.size(); ++i) {
                const FrameNode &node = tree->nodes[i], &parent = tree->nodes[node.parent];
                QVERIFY(node.parent < i && i < parent.end && node.end <= parent.end);
                QCOMPARE(node.depth, parent.depth + 1);
                QVERIFY(parent.offset <= node.offset);
                QVERIFY(node.offset + node.weight <= parent.offset + parent.weight);
                // Behind a sibling nothing is wider.
                if (node.end < parent.end) {
                    QCOMPARE(tree->nodes[node.end].offset, node.offset + node.weight);
                    QVERIFY(tree->nodes[node.end].weight <= node.weight);
                }
            }
        }
    }
    std::vector<bool> hits(calls->names.size());
    std::int64_t all = 0;
    for (std::size_t name = 0; name < hits.size(); ++name) {
        hits.assign(hits.size(), false);
        hits[name] = true;
        std::int64_t expected = 0;
        for (std::uint32_t i = 1; i < calls->nodes.size(); ++i) {
            if (pathOf(*calls, i).find(calls->names[name]) != std::string::npos) expected += calls->nodes[i].self;
        }
        QCOMPARE(matchedWeight(*calls, FlameWeight::Self, hits), expected);
        all += expected;
    }
    QVERIFY(all > calls->nodes[0].total);
}

void TestFlame::differenceByShares() {
    const auto calls = callsOf(captureOf({"Python/Thread 7: a[0,100) b[0,75) d[80,85)\n"}));
    const auto base = callsOf(captureOf({"Python/Thread 7: a[0,1000) b[0,250) c[500,1000)\n"}));
    const auto tree = flameTree(calls, base, FlameWeight::Host, FlameOrder::TopDown, {});
    std::map<std::string_view, double> changes;
    std::map<std::string_view, std::int64_t> wide;
    for (std::uint32_t i = 1; i < tree->nodes.size(); ++i) {
        changes[tree->frame(i).name] = tree->change(i);
        wide[tree->frame(i).name] = tree->nodes[i].weight;
    }
    QCOMPARE(changes.size(), std::size_t{4});
    QCOMPARE(changes["a"], 0.0);
    QCOMPARE(changes["b"], 0.75 - 0.25);
    QCOMPARE(changes["c"], -0.5);
    QCOMPARE(changes["d"], 0.05);
    QCOMPARE(wide["b"], 750'000'000'000);
    QCOMPARE(wide["c"], 500'000'000'000);
    // More than everything, as b was short where c was long.
    QCOMPARE(wide["a"], 1'300'000'000'000);
}

void TestFlame::namesWithoutAddressesAndSteps() {
    QCOMPARE(flameName("ProfilerStep#12"), std::string("ProfilerStep#"));
    QCOMPARE(flameName("<built-in method add of type object at 0xfffd3a20>"),
             std::string("<built-in method add of type object at 0x...>"));
    QCOMPARE(flameName("load 0x1f of 0x"), std::string("load 0x1f of 0x"));
    QCOMPARE(flameName("aten::add"), std::string("aten::add"));
    const auto calls = callsOf(
        captureOf({"Python/Thread 7: ProfilerStep#1[0,10) f_0xabcd12[2,6) ProfilerStep#2[10,30) f_0x123400[12,15)\n"}));
    QCOMPARE(calls->nodes.size(), std::size_t{3});
    QCOMPARE(calls->nodes[1].total, 30);
    QCOMPARE(calls->nodes[2].calls, 2U);
    QCOMPARE(calls->nodes[2].self, 7);
}

void TestFlame::splitByRankAndThread() {
    const std::vector<std::string> ranks{"Python/Thread 7: a[0,10)\nPython/Thread 8: a[0,5)\n",
                                         "Python/Thread 7: a[0,20)\n"};
    const auto totals = [&](FlameSplit split) {
        PathTimes times;
        const auto calls = callsOf(captureOf(ranks), {}, FlameSource::Calls, split);
        for (std::uint32_t i = 1; i < calls->nodes.size(); ++i) times[pathOf(*calls, i)] = calls->nodes[i].total;
        return times;
    };
    QCOMPARE(totals(FlameSplit::None), (PathTimes{{"/a", 35}}));
    QCOMPARE(totals(FlameSplit::Rank),
             (PathTimes{{"/Rank 0", 15}, {"/Rank 0/a", 15}, {"/Rank 1", 20}, {"/Rank 1/a", 20}}));
    QCOMPARE(totals(FlameSplit::Thread),
             (PathTimes{{"/Thread 7", 30}, {"/Thread 7/a", 30}, {"/Thread 8", 5}, {"/Thread 8/a", 5}}));
}

void TestFlame::cancelled() {
    const auto capture = captureOf({kLaunches});
    FlameQuery query{.capture = capture, .ranks = {{.rank = {0}}}, .threads = {}, .split = FlameSplit::None};
    query.threads = flameThreads(*capture, query.ranks, FlameSource::Calls);
    const CancelToken cancel;
    cancel.requestCancel();
    std::shared_ptr<const FlameCalls> calls;
    m_arena.run([&] { calls = flameCalls(query, cancel); });
    QVERIFY(calls == nullptr);
}

ALTI_TEST(TestFlame)
#include "tst_flame.moc"
