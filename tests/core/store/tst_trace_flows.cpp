#include "core/store/columns/trace_store.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <random>
#include <set>

using namespace altiscope;
using altiscope::test::traceFromText;

/// Flows of a sealed store: which points are a pair, and which slices they attach to.
class TestTraceFlows : public QObject {
    Q_OBJECT
private slots:
    /// Slices in slices, hundreds deep, are searched another way: each end lies where the plain search finds it.
    void flowsAttachInDeepNests() {
        std::mt19937 random(29);
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 0;
        const auto track = names.thread("1", "1");
        const auto slice = [&](std::int64_t begin, std::int64_t duration) {
            segment.slices.add(track, begin, duration, names.text("s"), names.text(""), SourcePos::make(0, ++offset));
        };
        for (int i = 0; i < 400; ++i) slice(2 * i, 4000 - 3 * i);
        for (int i = 0; i < 600; ++i)
            slice(static_cast<std::int64_t>(random() % 4200), static_cast<std::int64_t>(random() % 40));
        for (std::uint64_t i = 0; i < 3000; ++i) {
            const auto point = [&](FlowPoint kind) {
                segment.flows.push_back({track, kind, names.text("c"), static_cast<std::int64_t>(random() % 4400),
                                         makeFlowKey(std::to_string(i)), SourcePos::make(0, ++offset)});
            };
            point(FlowPoint::Start);
            point(FlowPoint::Finish);
        }
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        const TraceColumns& c = store->columns();
        QCOMPARE(c.extents.size(), std::size_t{1});
        const TrackExtent& extent = c.extents[0];
        QVERIFY(extent.runCount > 400);
        const auto expected = [&](std::int64_t time) {
            std::uint32_t found = kNoSlice.value;
            bool isExact = false;
            for (std::uint32_t r = extent.firstRun; r < extent.firstRun + extent.runCount; ++r) {
                std::uint32_t last = kNoSlice.value;
                for (std::uint32_t s = c.runs[r].first; s < c.runs[r].first + c.runs[r].count; ++s) {
                    if (c.begin[s] <= time) last = s;
                }
                if (last == kNoSlice.value) continue;
                const bool startsHere = c.begin[last] == time;
                if (startsHere || (!isExact && c.begin[last] + c.duration[last] >= time)) found = last;
                isExact = isExact || startsHere;
            }
            return found;
        };
        QCOMPARE(store->flowCount(), std::size_t{3000});
        for (std::size_t i = 0; i < store->flowCount(); ++i) {
            QCOMPARE(c.flowFrom[i], expected(c.flowFromTime[i]));
            QCOMPARE(c.flowTo[i], expected(c.flowToTime[i]));
        }
    }

    void flowsAttach_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("flows");
        const QString slices = QStringLiteral("p1/t1: A[0,100) B[10,40) C[10,40) D[50,60)\np1/t2: X[20,30) Y[30,35)\n");
        const auto row = [&](const char* clause, const char* flow, const char* expected) {
            QTest::addRow("%s", clause) << slices + QString::fromUtf8(flow) << QString::fromUtf8(expected);
        };
        row("exact start, the deepest of several", "flow f:1 p1/t1@10 -> p1/t2@20", "f C->X");
        row("inside, innermost", "flow f:1 p1/t1@15 -> p1/t2@25", "f C->X");
        row("inside after a child's end", "flow f:1 p1/t1@45 -> p1/t2@20", "f A->X");
        row("end included", "flow f:1 p1/t1@60 -> p1/t2@35", "f D->Y");
        row("exact start before the end of another", "flow f:1 p1/t1@50 -> p1/t2@30", "f D->Y");
        row("no slice there", "flow f:1 p1/t1@500 -> p1/t2@20", "f NULL->X");
        row("unknown track", "flow f:1 p1/t9@5 -> p1/t2@20", "f NULL->X");
        row("finish before start is drawn all the same", "flow f:1 p1/t1@50 -> p1/t2@20", "f D->X");
    }
    void flowsAttach() {
        QFETCH(QString, text);
        QFETCH(QString, flows);
        const auto store = traceFromText(text.toStdString());
        const auto& c = store->columns();
        QCOMPARE(store->flowCount(), std::size_t{1});
        const auto name = [&](std::uint32_t slice) {
            return slice == kNoSlice.value ? std::string("NULL") : std::string(store->name({slice}));
        };
        QCOMPARE(QString::fromStdString(std::string(store->flowCategory(0)) + " " + name(c.flowFrom[0]) + "->" +
                                        name(c.flowTo[0])),
                 flows);
    }

    void flowsPairByCategoryAndId() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 0;
        const auto point = [&](FlowPoint kind, const char* category, const char* id, std::int64_t time) {
            segment.flows.push_back({names.thread("1", "1"), kind, names.text(category), time, makeFlowKey(id),
                                     SourcePos::make(0, offset++)});
        };
        segment.slices.add(names.thread("1", "1"), 0, 1000, names.text("s"), names.text(""), SourcePos::make(0, 999));
        point(FlowPoint::Finish, "a", "7", 50);  // its start stands later in the file
        point(FlowPoint::Start, "b", "7", 10);   // another category
        point(FlowPoint::Start, "a", "7", 20);
        point(FlowPoint::Start, "a", "7", 40);                      // the last one before the finish
        point(FlowPoint::Finish, "a", "7", 60);                     // a second end of the same start
        point(FlowPoint::Finish, "a", "40006882869110636543", 70);  // beyond 2^64
        point(FlowPoint::Start, "a", "40006882869110636543", 65);
        point(FlowPoint::Finish, "a", "40006882869110636544", 70);  // no start
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        std::multiset<std::pair<std::int64_t, std::int64_t>> pairs;
        for (std::size_t i = 0; i < store->flowCount(); ++i)
            pairs.emplace(store->columns().flowFromTime[i], store->columns().flowToTime[i]);
        QCOMPARE(pairs, (std::multiset<std::pair<std::int64_t, std::int64_t>>{{40, 50}, {40, 60}, {65, 70}}));
        const auto entries = diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].code, std::string("unpaired_flow"));
        QCOMPARE(entries[0].count, std::uint64_t{3});  // start b:7, the unused start a:7@20, the finish without start
        QCOMPARE(store->flowsFrom({0}).size(), std::size_t{3});
        QCOMPARE(store->flowsTo({0}).size(), std::size_t{3});
    }

    /// A start counts for a finish of the same time wherever it stands, and another category's or id's does not.
    void aFlowMayStartAndFinishAtOneTime_data() {
        QTest::addColumn<bool>("finishIsFirst");
        QTest::addRow("start first in the file") << false;
        QTest::addRow("finish first in the file") << true;
    }
    void aFlowMayStartAndFinishAtOneTime() {
        QFETCH(bool, finishIsFirst);
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        const auto point = [&](FlowPoint kind, std::int64_t time, std::uint64_t offset) {
            segment.flows.push_back(
                {names.thread("1", "1"), kind, names.text("c"), time, makeFlowKey("7"), SourcePos::make(0, offset)});
        };
        segment.slices.add(names.thread("1", "1"), 0, 100, names.text("s"), names.text(""), SourcePos::make(0, 9));
        point(FlowPoint::Start, 20, 1);
        point(FlowPoint::Start, 80, finishIsFirst ? 3 : 2);
        point(FlowPoint::Finish, 80, finishIsFirst ? 2 : 3);
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(store->flowCount(), std::size_t{1});
        QCOMPARE(store->columns().flowFromTime[0], 80);
        QCOMPARE(store->columns().flowToTime[0], 80);
        QCOMPARE(diagnostics.entries().at(0).count, std::uint64_t{1});  // the start at 20 ends nowhere
    }

    void flowsStandInTheOrderOfTheirFinishes() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        const auto point = [&](FlowPoint kind, const char* id, std::int64_t time, std::uint64_t offset) {
            segment.flows.push_back(
                {names.thread("1", "1"), kind, names.text("c"), time, makeFlowKey(id), SourcePos::make(0, offset)});
        };
        point(FlowPoint::Start, "1", 10, 1);
        point(FlowPoint::Start, "2", 20, 2);
        point(FlowPoint::Finish, "2", 40, 3);
        point(FlowPoint::Finish, "1", 30, 4);
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(store->flowCount(), std::size_t{2});
        QCOMPARE(store->columns().flowToTime[0], 40);
        QCOMPARE(store->columns().flowToTime[1], 30);
    }

    void flowKeys() {
        QVERIFY(makeFlowKey("7") == makeFlowKey("7"));
        QVERIFY(makeFlowKey("7") != makeFlowKey("07"));
        QVERIFY(makeFlowKey("18446744073709551616") != makeFlowKey("0"));
        QVERIFY(makeFlowKey("18446744073709551616") == (FlowKey{1, 0}));
        QVERIFY(makeFlowKey("abc") != makeFlowKey("abd"));
        QVERIFY(makeFlowKey(std::string(200, '9')) != makeFlowKey(std::string(201, '9')));
        QVERIFY(makeFlowKey("") == makeFlowKey(""));
    }
};

ALTI_TEST(TestTraceFlows)
#include "tst_trace_flows.moc"
