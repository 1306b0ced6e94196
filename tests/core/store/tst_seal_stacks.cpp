#include "core/base/threads/parallel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal_stacks.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace altiscope;

namespace {

struct Operator {
    std::string tid;
    std::int64_t begin, duration;
    std::vector<std::string> stack;  // outermost first; empty: none was recorded
};

/// Two threads of nested and overlapping operators that are called from few places.
std::vector<Operator> randomOperators(unsigned seed, std::size_t count = 300) {
    std::mt19937 random(seed);
    std::vector<Operator> operators;
    std::vector<std::string> stack;
    for (std::size_t i = 0; i < count; ++i) {
        // Some frames go, some come, as in a program.
        for (std::size_t gone = random() % 3; gone > 0 && !stack.empty(); --gone) stack.pop_back();
        for (std::size_t come = random() % 3; come > 0 && stack.size() < 8; --come)
            stack.push_back("f" + std::to_string(random() % 4));
        operators.push_back({std::to_string(random() % 2), static_cast<std::int64_t>(i * 7 + random() % 5),
                             static_cast<std::int64_t>(random() % 30), random() % 6 == 0 ? decltype(stack)() : stack});
    }
    return operators;
}

std::shared_ptr<const TraceStore> build(const std::vector<Operator>& operators, std::size_t parts = 1,
                                        std::optional<TimeRange> window = {}, Diagnostics* known = nullptr) {
    TraceBuilder builder("id", window);
    // Later parts first: what is met first must not matter.
    for (std::size_t part = parts; part-- > 0;) {
        TraceBuilder::Names names(builder);
        Segment segment;
        const std::size_t from = operators.size() * part / parts, to = operators.size() * (part + 1) / parts;
        for (std::size_t i = from; i < to; ++i) {
            const Operator& one = operators[i];
            const ProvisionalTrack track = names.thread("1", one.tid);
            const SourcePos pos = SourcePos::make(3, 10 * i);
            segment.slices.add(track, one.begin, one.duration, names.text("op"), names.text("cpu_op"), pos);
            const std::vector<std::string_view> frames(one.stack.begin(), one.stack.end());
            const ProvisionalStack stack = names.stack(frames);
            if (stack != CallStackPool::kNoStack)
                segment.stackedOperators.push_back({track, stack, one.begin, one.duration, pos});
        }
        builder.commit(SourcePos::make(3, 10 * from), std::move(segment));
    }
    Diagnostics diagnostics;
    auto store = builder.seal("f", known == nullptr ? diagnostics : *known, {}).value();
    return store;
}

/// Thread, depth, begin, end, name.
using Frame = std::tuple<std::string, std::uint32_t, std::int64_t, std::int64_t, std::string>;

/// The rule, operator by operator and depth by depth.
std::multiset<Frame> expectedFrames(const std::vector<Operator>& operators) {
    std::map<std::string, std::vector<Operator>> threads;
    for (const Operator& one : operators) {
        if (!one.stack.empty() && one.duration > 0) threads[one.tid].push_back(one);
    }
    std::multiset<Frame> frames;
    for (auto& thread : threads) {
        const std::string& tid = thread.first;
        std::vector<Operator>& all = thread.second;
        std::stable_sort(all.begin(), all.end(), [](const Operator& a, const Operator& b) {
            return std::pair(a.begin, -a.duration) < std::pair(b.begin, -b.duration);
        });
        const auto sharesFrames = [&all](std::size_t a, std::size_t b, std::size_t depth) {
            return all[a].stack.size() > depth && all[b].stack.size() > depth &&
                   std::equal(all[a].stack.begin(), all[a].stack.begin() + static_cast<std::ptrdiff_t>(depth) + 1,
                              all[b].stack.begin());
        };
        for (std::size_t first = 0; first < all.size(); ++first) {
            for (std::size_t depth = 0; depth < all[first].stack.size(); ++depth) {
                if (first > 0 && sharesFrames(first - 1, first, depth)) continue;
                std::int64_t end = 0;
                std::size_t next = first;
                for (; next < all.size() && sharesFrames(first, next, depth); ++next)
                    end = std::max(end, all[next].begin + all[next].duration);
                if (next < all.size()) end = std::min(end, all[next].begin);
                if (end > all[first].begin) frames.emplace(tid, depth, all[first].begin, end, all[first].stack[depth]);
            }
        }
    }
    return frames;
}

template <class Visit>
void eachFrame(const TraceStore& store, const Visit& visit) {
    for (const DepthRun& run : store.runs()) {
        if (store.track({run.track}).kind != TrackKind::Stack) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) visit(run, SliceIndex{i});
    }
}

std::multiset<Frame> framesIn(const TraceStore& store) {
    std::multiset<Frame> frames;
    eachFrame(store, [&](const DepthRun& run, SliceIndex i) {
        frames.emplace(store.track({run.track}).tid, run.depth, store.begin(i).value, store.end(i).value,
                       std::string(store.name(i)));
    });
    return frames;
}

/// Ids, parents and self times too.
QString wholeText(const TraceStore& store, std::optional<TimeRange> window = {}) {
    QString text;
    eachFrame(store, [&](const DepthRun& run, SliceIndex i) {
        if (window && (store.begin(i) >= window->end || store.end(i) < window->begin)) return;
        const SliceIndex parent = store.parent(i);
        text += QStringLiteral("%1 %2 %3 %4 %5 %6 %7 %8\n")
                    .arg(store.track({run.track}).id.value)
                    .arg(store.id(i).value)
                    .arg(run.depth)
                    .arg(store.begin(i).value)
                    .arg(store.duration(i).value)
                    .arg(store.selfDuration(i).value)
                    .arg(parent == kNoSlice ? 0 : store.id(parent).value)
                    .arg(QString::fromUtf8(store.name(i).data(), static_cast<qsizetype>(store.name(i).size())));
    });
    return text;
}

}  // namespace

class TestSealStacks : public QObject {
    Q_OBJECT
private slots:
    void framesOfRandomOperators() {
        for (unsigned seed = 1; seed <= 30; ++seed) {
            const auto operators = randomOperators(seed);
            const auto expected = expectedFrames(operators);
            QVERIFY(expected.size() > 100);
            QVERIFY(framesIn(*build(operators)) == expected);
        }
    }

    /// Step and optimizer are called by frames that have returned when what runs in them is called.
    void frameEndsWhereAnotherIsCalled() {
        const auto store = build({{"7", 0, 100, {"main", "step", "enter"}},
                                  {"7", 10, 20, {"main", "step", "forward"}},
                                  {"7", 40, 20, {"main", "step", "forward"}},
                                  {"7", 70, 10, {"main", "step"}}});
        const std::multiset<Frame> expected{
            {"7", 0, 0, 100, "main"}, {"7", 1, 0, 100, "step"}, {"7", 2, 0, 10, "enter"}, {"7", 2, 10, 60, "forward"}};
        QVERIFY(framesIn(*store) == expected);
    }

    /// Another path to the same function is another frame.
    void equalFramesBelowOthersStayApart() {
        const auto store = build({{"7", 0, 10, {"a", "f"}}, {"7", 20, 10, {"b", "f"}}});
        const std::multiset<Frame> expected{
            {"7", 0, 0, 10, "a"}, {"7", 1, 0, 10, "f"}, {"7", 0, 20, 30, "b"}, {"7", 1, 20, 30, "f"}};
        QVERIFY(framesIn(*store) == expected);
    }

    /// Each frame lies within the one below which it stands, and that is its parent.
    void framesNestInTheirCallers() {
        const auto store = build(randomOperators(4));
        eachFrame(*store, [&](const DepthRun& run, SliceIndex i) {
            const SliceIndex parent = store->parent(i);
            QCOMPARE(parent == kNoSlice, run.depth == 0);
            if (parent == kNoSlice) return;
            QCOMPARE(store->runOf(parent).depth + 1, run.depth);
            QVERIFY(store->begin(parent) <= store->begin(i) && store->end(i) <= store->end(parent));
        });
    }

    void trackIsNamedAfterItsThreadAndStandsBelowIt() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        const ProvisionalTrack track = names.thread("1", "7");
        segment.slices.add(track, 0, 10, names.text("op"), names.text("cpu_op"), SourcePos::make(0, 0));
        segment.stackedOperators.push_back(
            {track, names.stack(std::vector<std::string_view>{"main"}), 0, 10, SourcePos::make(0, 0)});
        segment.slices.add(names.thread("1", "8"), 0, 10, names.text("op"), names.text("cpu_op"),
                           SourcePos::make(0, 1));
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        builder.setProcessName("1", "Python", SourcePos::make(0, 0));
        builder.setThreadName("1", "7", "main thread", SourcePos::make(0, 0));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(store->tracks().size(), std::size_t{3});
        QString text;
        for (const Track& one : store->tracks())
            text +=
                QStringLiteral("%1/%2 %3 %4 %5\n")
                    .arg(QString::fromStdString(one.process), QString::fromStdString(one.thread),
                         QString::fromStdString(one.name), QString::fromStdString(std::string(trackKindName(one.kind))),
                         QString::fromStdString(std::string(originName(one.origin))));
        QVERIFY(text.contains(QStringLiteral("Python/main thread main thread python recorded\n"
                                             "Python/main thread main thread stack computed\n")));
        QVERIFY(store->tracks()[0].id != store->tracks()[1].id && store->tracks()[1].id != store->tracks()[2].id);
        QVERIFY(diagnostics.entries().empty());
    }

    void resultDoesNotDependOnCuttingOrOrder() {
        const auto operators = randomOperators(9);
        const QString whole = wholeText(*build(operators));
        for (const std::size_t parts : {2U, 7U, 50U}) QCOMPARE(wholeText(*build(operators, parts)), whole);
    }

    /// Frames that touch the window are those of the whole trace: begin, end, id, self time.
    void windowKeepsWholeFrames() {
        const auto operators = randomOperators(5);
        const auto whole = build(operators);
        for (const std::int64_t begin : {0, 300, 1000, 2000}) {
            const TimeRange window{{begin}, {begin + 150}};
            const auto part = build(operators, 5, window);
            QCOMPARE(wholeText(*part), wholeText(*whole, window));
        }
    }

    void picturesOfUnfinishedTracesHaveNone() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        const ProvisionalTrack track = names.thread("1", "7");
        segment.slices.add(track, 0, 10, names.text("op"), names.text("cpu_op"), SourcePos::make(0, 0));
        segment.stackedOperators.push_back(
            {track, names.stack(std::vector<std::string_view>{"main"}), 0, 10, SourcePos::make(0, 0)});
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        QCOMPARE(builder.snapshot({}).value()->tracks().size(), std::size_t{1});
        Diagnostics diagnostics;
        QCOMPARE(builder.seal("f", diagnostics, {}).value()->tracks().size(), std::size_t{2});
    }

    /// Few rows of a database could make a thousand frames of each operator: the outer ones are shown.
    void innermostFramesAreLeftOutWhereThereAreTooMany() {
        std::vector<Operator> operators;
        std::vector<std::vector<std::string>> stacks(2, {"main"});
        for (std::size_t i = 0; i < 600; ++i) {
            for (std::size_t s = 0; s < 2; ++s) stacks[s].push_back((s == 0 ? "a" : "b") + std::to_string(i));
        }
        const std::size_t count = 2 * kMaxStackSlices / CallStackPool::kMaxFrames;
        for (std::size_t i = 0; i < count; ++i)
            operators.push_back({"7", static_cast<std::int64_t>(10 * i), 5, stacks[i % 2]});
        Diagnostics diagnostics;
        const auto store = build(operators, 3, {}, &diagnostics);
        std::size_t frames = 0;
        std::uint32_t deepest = 0;
        eachFrame(*store, [&](const DepthRun& run, SliceIndex) {
            ++frames;
            deepest = std::max(deepest, run.depth);
        });
        QVERIFY(frames <= kMaxStackSlices);
        // One more depth would have been too many.
        QVERIFY(frames + count > kMaxStackSlices);
        QCOMPARE(frames, 1 + count * deepest);
        QCOMPARE(diagnostics.entries().size(), std::size_t{1});
        QCOMPARE(diagnostics.entries().front().code, std::string("stack.cut"));
    }

    void tooManyDifferentFramesMakeNoTrack() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        const ProvisionalTrack track = names.thread("1", "7");
        const std::string text(std::size_t{1} << 20, 'x');
        for (std::size_t i = 0; i <= CallStackPool::kMaxBytes >> 20; ++i) {
            const std::string frame = text + std::to_string(i);
            const SourcePos pos = SourcePos::make(0, i);
            const auto time = static_cast<std::int64_t>(i);
            segment.slices.add(track, time, 1, names.text("op"), names.text("cpu_op"), pos);
            segment.stackedOperators.push_back(
                {track, names.stack(std::vector<std::string_view>{frame}), time, 1, pos});
        }
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(store->tracks().size(), std::size_t{1});
        QVERIFY(store->texts().bytes().bytes() < 1000);
        QCOMPARE(diagnostics.entries().size(), std::size_t{1});
        QCOMPARE(diagnostics.entries().front().code, std::string("stack.too_many"));
    }
};

ALTI_TEST(TestSealStacks)
#include "tst_seal_stacks.moc"
