#include "core/base/threads/parallel.h"
#include "core/store/columns/home_range.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/slice_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

using namespace altiscope;
using altiscope::test::dumpSlices;
using altiscope::test::traceFromText;

namespace {

/// Random events of several threads and processes, cut into segments at random places.
struct RandomEvents {
    struct Slice {
        std::string tid;
        std::int64_t begin, duration;
        std::string name;
    };
    std::vector<Slice> slices;
    std::vector<std::size_t> cuts;

    explicit RandomEvents(unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < 3000; ++i) {
            slices.push_back({std::to_string(random() % 5), static_cast<std::int64_t>(random() % 100000),
                              static_cast<std::int64_t>(random() % 300), "n" + std::to_string(random() % 40)});
        }
        for (int i = 0; i < 7; ++i) cuts.push_back(random() % slices.size());
        std::sort(cuts.begin(), cuts.end());
    }
};

std::shared_ptr<const TraceStore> build(const RandomEvents& events, const std::vector<std::size_t>& cuts,
                                        bool backwards) {
    TraceBuilder builder("id");
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    std::size_t from = 0;
    for (const std::size_t cut : cuts) {
        parts.emplace_back(from, cut);
        from = cut;
    }
    parts.emplace_back(from, events.slices.size());
    if (backwards) std::reverse(parts.begin(), parts.end());
    for (const auto& [first, last] : parts) {
        TraceBuilder::Names names(builder);
        Segment segment;
        for (std::size_t i = first; i < last; ++i) {
            const auto& slice = events.slices[i];
            segment.slices.add(names.thread("1", slice.tid), slice.begin, slice.duration, names.text(slice.name),
                               names.text("c"), SourcePos::make(0, 100 * i));
        }
        builder.commit(SourcePos::make(0, 100 * first), std::move(segment));
    }
    Diagnostics diagnostics;
    return builder.seal("f", diagnostics, {}).value();
}

template <class T>
QByteArray bytesOf(const Column<T>& column) {
    return QByteArray(reinterpret_cast<const char*>(column.span().data()), static_cast<qsizetype>(column.bytes()));
}

/// Every block of every level tells what its slices tell.
void verifyBlocks(const TraceStore& store, const DepthRun& run) {
    const SliceBlock* block = store.columns().blocks.span().data() + run.firstBlock;
    std::uint64_t size = kBlockSlices, blocks = run.count > kBlockSlices ? (run.count + size - 1) / size : 0;
    while (blocks > 0) {
        for (std::uint64_t b = 0; b < blocks; ++b, ++block) {
            const auto from = run.first + static_cast<std::uint32_t>(b * size);
            const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(from + size, run.first + run.count));
            std::uint32_t longest = from;
            for (std::uint32_t i = from; i < to; ++i) {
                if (store.duration({i}) > store.duration({longest})) longest = i;
            }
            QCOMPARE(block->begin, store.begin({from}).value);
            QCOMPARE(block->end, store.end({to - 1}).value);
            QCOMPARE(block->longest, longest);
            QCOMPARE(block->duration, store.duration({longest}).value);
            QCOMPARE(block->name.value, store.nameId({longest}).value);
        }
        if (blocks <= kBlockFan) return;
        size *= kBlockFan;
        blocks = (run.count + size - 1) / size;
    }
}

}  // namespace

class TestTraceStore : public QObject {
    Q_OBJECT
private slots:
    void slicesStandByTrackDepthAndBegin() {
        const auto store = traceFromText("p1/t2: X[5,6)\n"
                                         "p1/t1: B[50,90) C[20,30) A[0,100) D[10,40) E[60,110)");
        QCOMPARE(QString::fromStdString(dumpSlices(*store)), QStringLiteral("t1 0 A [0,100) self 30 parent -\n"
                                                                            "t1 1 D [10,40) self 20 parent A\n"
                                                                            "t1 1 B [50,90) self 40 parent A\n"
                                                                            "t1 2 C [20,30) self 10 parent D\n"
                                                                            "t1 2 E [60,110) self 50 parent -\n"
                                                                            "t2 0 X [5,6) self 1 parent -\n"));
        QCOMPARE(store->range(), (TimeRange{{0}, {110}}));
    }

    void sealedStoreDoesNotDependOnCuttingOrThreads() {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            const RandomEvents events(seed);
            const auto whole = build(events, {}, false);
            for (const bool backwards : {false, true}) {
                for (const unsigned threads : {1U, 2U, 7U}) {
                    WorkerArena arena(threads);
                    std::shared_ptr<const TraceStore> cut;
                    arena.run([&] { cut = build(events, events.cuts, backwards); });
                    const TraceColumns& a = whole->columns();
                    const TraceColumns& b = cut->columns();
                    QCOMPARE(bytesOf(a.begin), bytesOf(b.begin));
                    QCOMPARE(bytesOf(a.duration), bytesOf(b.duration));
                    QCOMPARE(bytesOf(a.selfDuration), bytesOf(b.selfDuration));
                    QCOMPARE(bytesOf(a.name), bytesOf(b.name));
                    QCOMPARE(bytesOf(a.parent), bytesOf(b.parent));
                    QCOMPARE(bytesOf(a.pos), bytesOf(b.pos));
                    QCOMPARE(bytesOf(a.blocks), bytesOf(b.blocks));
                    QCOMPARE(bytesOf(a.texts.bytes()), bytesOf(b.texts.bytes()));
                    for (std::size_t t = 0; t < a.tracks.size(); ++t)
                        QCOMPARE(a.tracks[t].id.value, b.tracks[t].id.value);
                }
            }
        }
    }

    void lookupsEqualBruteForce() {
        const RandomEvents events(11);
        const auto store = build(events, events.cuts, false);
        QCOMPARE(store->sliceCount(), events.slices.size());
        std::mt19937 random(3);
        for (std::size_t i = 0; i < events.slices.size(); ++i) {
            const auto found = store->findSlice({static_cast<std::int64_t>(SourcePos::make(0, 100 * i).packed)});
            QVERIFY(found.has_value());
            QCOMPARE(store->begin(*found).value, events.slices[i].begin);
            QCOMPARE(store->name(*found), std::string_view(events.slices[i].name));
            QCOMPARE(store->track({store->runOf(*found).track}).tid, events.slices[i].tid);
        }
        QVERIFY(!store->findSlice({static_cast<std::int64_t>(SourcePos::make(0, 55).packed)}).has_value());
        for (const DepthRun& run : store->runs()) {
            for (int round = 0; round < 50; ++round) {
                const TimeNs time{static_cast<std::int64_t>(random() % 101000)};
                std::uint32_t ending = run.first, beginning = run.first;
                while (ending < run.first + run.count && store->end({ending}) <= time) ++ending;
                while (beginning < run.first + run.count && store->begin({beginning}) < time) ++beginning;
                QCOMPARE(store->firstEndingAfter(run, time), ending);
                QCOMPARE(store->firstBeginningAt(run, time), beginning);
            }
            verifyBlocks(*store, run);
        }
    }

    void sumsOfHostileDurationsStayAtTheBorder() {
        TraceBuilder builder("test");
        TraceBuilder::Names names(builder);
        Segment segment;
        for (std::uint64_t i = 0; i < 5; ++i)
            segment.slices.add(names.thread("1", "1"), static_cast<std::int64_t>(i), kMaxTimeNs, names.text("a"),
                               names.text(""), SourcePos::make(0, i));
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("test", diagnostics, {}).value();
        QCOMPARE(store->columns().nameStats[0].total, std::numeric_limits<std::int64_t>::max());
    }

    void nameStatsEqualBruteForce() {
        const RandomEvents events(12);
        const auto store = build(events, events.cuts, false);
        std::map<std::pair<std::string, std::string>, std::array<std::int64_t, 4>> expected;
        for (const auto& slice : events.slices) {
            auto [it, isNew] = expected.try_emplace({slice.tid, slice.name},
                                                    std::array<std::int64_t, 4>{0, 0, slice.duration, slice.duration});
            auto& [count, total, min, max] = it->second;
            ++count;
            total += slice.duration;
            min = std::min(min, slice.duration);
            max = std::max(max, slice.duration);
        }
        std::int64_t self = 0;
        QCOMPARE(store->columns().nameStats.size(), expected.size());
        for (const NameStat& stat : store->columns().nameStats) {
            const auto& [count, total, min, max] =
                expected.at({store->track({stat.track}).tid, std::string(store->text(stat.name))});
            QCOMPARE(static_cast<std::int64_t>(stat.count), count);
            QCOMPARE(stat.total, total);
            QCOMPARE(stat.minimum, min);
            QCOMPARE(stat.maximum, max);
            self += stat.selfTotal;
        }
        std::int64_t allSelf = 0;
        for (std::uint32_t i = 0; i < store->sliceCount(); ++i) allSelf += store->selfDuration({i}).value;
        QCOMPARE(self, allSelf);
    }

    void seriesStandAsPeopleCount() {
        const auto store = traceFromText("p1/c:HBM Series10[0]=1 Series2[0]=1 Series1[0]=1");
        std::string names;
        for (const CounterSeries& series : store->series()) names += std::string(store->text(series.name)) + ' ';
        QCOMPARE(names, std::string("Series1 Series2 Series10 "));
    }

    void counters() {
        const auto store = traceFromText("p1/c:HBM write[30]=3 read[10]=1 read[5]=7 read[10]=2 write[1]=-4");
        QCOMPARE(store->tracks().size(), std::size_t{1});
        QVERIFY(store->track({0}).kind == TrackKind::Counter);
        QCOMPARE(store->series().size(), std::size_t{2});
        const CounterSeries& read = store->series()[0];
        QCOMPARE(store->text(read.name), std::string_view("read"));
        const auto& c = store->columns();
        std::vector<std::pair<std::int64_t, double>> samples;
        for (std::uint64_t i = read.first; i < read.first + read.count; ++i)
            samples.emplace_back(c.sampleTime[i], c.sampleValue[i]);
        QCOMPARE(samples, (std::vector<std::pair<std::int64_t, double>>{{5, 7}, {10, 1}, {10, 2}}));
        QCOMPARE(read.minimum, 1.0);
        QCOMPARE(read.maximum, 7.0);
        QCOMPARE(store->minMax(read, read.first + 1, read.first + 3).maximum, 2.0);
        QCOMPARE(store->range(), (TimeRange{{1}, {30}}));
    }

    void minMaxEqualsBruteForce() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::mt19937 random(5);
        std::vector<double> values;
        for (std::int64_t i = 0; i < 5000; ++i) {
            values.push_back(static_cast<double>(random() % 100000));
            segment.samples.push_back({names.counter("1", "c"), names.text("s"), i, values.back(),
                                       SourcePos::make(0, static_cast<std::uint64_t>(i))});
        }
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        const CounterSeries& series = store->series()[0];
        for (int round = 0; round < 500; ++round) {
            const std::size_t from = random() % values.size();
            const std::size_t to = from + 1 + random() % (values.size() - from);
            const auto [low, high] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(from),
                                                         values.begin() + static_cast<std::ptrdiff_t>(to));
            const MinMax extremes = store->minMax(series, series.first + from, series.first + to);
            QCOMPARE(extremes.minimum, *low);
            QCOMPARE(extremes.maximum, *high);
        }
    }

    void farEventsAreVisitedOnBothSides() {
        std::string body = "p1/t1: z[0,10)";
        for (int i = 0; i < 100; ++i) {
            const std::int64_t begin = 1736408883000000000 + i * 1000000;
            body += " a[" + std::to_string(begin) + ',' + std::to_string(begin + 500000) + ')';
        }
        const auto store = traceFromText(body + " y[2200000000000000000,2200000000000000010)");
        std::vector<std::int64_t> times;
        eachFarEvent(*store, [&](const FarEvent& event) { times.push_back(event.time.value); });
        std::sort(times.begin(), times.end());
        QCOMPARE(times, (std::vector<std::int64_t>{0, 2200000000000000000}));
    }

    void theRangeReachesToInstantsAndSamples() {
        const auto spanOf = [](const std::string& text) { return traceFromText(text)->range(); };
        QVERIFY((spanOf("p1/t1: A[10,20)\n") == TimeRange{{10}, {20}}));
        QVERIFY((spanOf("p1/t1: A[10,20)\np1/t2: !mark[5] !mark[50]\n") == TimeRange{{5}, {50}}));
        QVERIFY((spanOf("p1/t1: A[10,20)\np1/c:Read r[4]=1 r[7]=2 r[60]=1\n") == TimeRange{{4}, {60}}));
        QVERIFY((spanOf("p1/t1: !mark[50] !mark[70]\n") == TimeRange{{50}, {70}}));
    }

    void openEndsPair() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 0;
        const auto end = [&](bool isBegin, const char* tid, std::int64_t time, const char* name) {
            segment.openEnds.push_back({names.thread("1", tid), isBegin, time, names.text(name), names.text(""),
                                        SourcePos::make(0, offset++)});
        };
        end(false, "1", 40, "");  // closes A: ends may stand before their begins in the file
        end(true, "1", 0, "A");
        end(true, "1", 10, "B");
        end(false, "1", 20, "");
        end(false, "1", 50, "");    // closes nothing
        end(true, "2", 5, "open");  // nothing closes it
        segment.slices.add(names.thread("1", "2"), 0, 90, names.text("X"), names.text(""), SourcePos::make(0, 100));
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(QString::fromStdString(dumpSlices(*store)), QStringLiteral("t1 0 A [0,40) self 30 parent -\n"
                                                                            "t1 1 B [10,20) self 10 parent A\n"
                                                                            "t2 0 X [0,90) self 5 parent -\n"
                                                                            "t2 1 open [5,90) self 85 parent X\n"));
        const auto entries = diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{2});
        QCOMPARE(entries[0].code, std::string("unmatched_begin"));
        QVERIFY(entries[0].severity == Severity::Repaired);
        QCOMPARE(entries[0].places[0].text(), std::string("byte 5"));
        QCOMPARE(entries[1].code, std::string("unmatched_end"));
        QVERIFY(entries[1].severity == Severity::Lost);
        QCOMPARE(entries[1].places[0].text(), std::string("byte 4"));
    }

    void tracksAreNamedClassifiedAndOrdered() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 1;
        const auto slice = [&](const char* pid, const char* tid, const char* category) {
            segment.slices.add(names.thread(pid, tid), 0, 1, names.text("s"), names.text(category),
                               SourcePos::make(0, offset++));
        };
        slice("20", "10", "");
        slice("20", "9", "");
        slice("7", "7", "cpu_op");
        slice("55", "1", "");
        segment.samples.push_back({names.counter("20", "freq"), names.text("MHz"), 5, 1, SourcePos::make(0, offset++)});
        segment.flows.push_back({names.thread("99", "1"), FlowPoint::Start, names.text("x"), 0, makeFlowKey("1"),
                                 SourcePos::make(0, offset++)});
        builder.setProcessName("20", "old name", SourcePos::make(0, 500));
        builder.setProcessName("20", "Ascend Hardware", SourcePos::make(0, 900));
        builder.setProcessSort("20", 13, SourcePos::make(0, 900));
        builder.setProcessSort("7", 1, SourcePos::make(0, 900));
        builder.setThreadName("20", "9", "Stream 9", SourcePos::make(0, 900));
        builder.setProcessLabels("20", "NPU 3", SourcePos::make(0, 900));
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QStringList rows;
        for (const Track& track : store->tracks()) {
            rows << QString::fromStdString(track.process + "|" + track.name + "|" +
                                           std::string(trackKindName(track.kind)));
        }
        QCOMPARE(rows, (QStringList{QStringLiteral("Process 7|Thread 7|python"),
                                    QStringLiteral("Ascend Hardware|Stream 9|hardware"),
                                    QStringLiteral("Ascend Hardware|Stream 10|hardware"),
                                    QStringLiteral("Ascend Hardware|freq|counter"),
                                    QStringLiteral("Process 55|Thread 1|other")}));
        QCOMPARE(store->track({1}).labels, std::string("NPU 3"));
        for (std::uint32_t t = 0; t < store->tracks().size(); ++t)
            QCOMPARE(store->findTrack(store->track({t}).id)->value, t);
    }

    void viewOpensOnTheDataBesideFarAwayEvents_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QString body = QStringLiteral("p1/t1:");
        for (int i = 0; i < 100; ++i)
            body += QStringLiteral(" a[%1,%2)")
                        .arg(1736408883000000000LL + i * 1000000)
                        .arg(1736408883000500000LL + i * 1000000);
        const qint64 begin = 1736408883000000000LL;
        const qint64 end = 1736408883099500000LL;
        QTest::addRow("sane") << body << begin << end;
        QTest::addRow("an event at 0") << body + QStringLiteral(" z[0,10)") << begin << end;
        QTest::addRow("an event in the far future")
            << body + QStringLiteral(" z[2200000000000000000,2200000000000000010)") << begin << end;
        QTest::addRow("a fifth of the events at 0") << body + QStringLiteral(" z[0,10)").repeated(25) << begin << end;
        QTest::addRow("an event that lasts from 0 on")
            << body + QStringLiteral(" z[0,1736408883050000000)") << begin << end;
        QTest::addRow("one of two events at 0")
            << QStringLiteral("p1/t1: z[0,10) a[%1,%2)").arg(begin).arg(end) << begin << end;
        QTest::addRow("one of three events at 0")
            << QStringLiteral("p1/t1: z[0,10) a[%1,%2) b[%2,%2)").arg(begin).arg(end) << begin << end;
        QTest::addRow("times of day beside a system's start")
            << QStringLiteral("p1/t1: a[%1,%2) b[5000000000,5000000100) c[6000000000,6000000100)").arg(begin).arg(end)
            << qint64{5000000000} << qint64{6000000100};
        QTest::addRow("no time of day at all")
            << QStringLiteral("p1/t1: a[0,10) b[5000000000,5000000100)") << qint64{0} << qint64{5000000100};
        // Less than a day is a wait.
        const QString few = QStringLiteral("p1/t1: a[0,1) a[1,2) a[2,3) a[3,4) a[4,5) a[5,6) a[6,7)");
        QTest::addRow("an event within the day")
            << few + QStringLiteral(" z[86000000000000,86000000000010)") << qint64{0} << qint64{86000000000010};
        QTest::addRow("an event a day later")
            << few + QStringLiteral(" z[86500000000000,86500000000010)") << qint64{0} << qint64{7};
        QTest::addRow("both") << body + QStringLiteral(" z[0,10) y[2200000000000000000,2200000000000000010)") << begin
                              << end;
    }
    void viewOpensOnTheDataBesideFarAwayEvents() {
        QFETCH(QString, text);
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        const auto store = traceFromText(text.toStdString());
        QCOMPARE(store->homeRange().begin.value, std::int64_t{begin});
        QCOMPARE(store->homeRange().end.value, std::int64_t{end});
    }

    void emptyStore() {
        TraceBuilder builder("id");
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QCOMPARE(store->sliceCount(), std::size_t{0});
        QVERIFY(store->range().empty());
        QVERIFY(diagnostics.empty());
    }

    void snapshotLeavesTheBuilderUsable() {
        TraceBuilder builder("id");
        for (std::uint64_t part = 0; part < 3; ++part) {
            TraceBuilder::Names names(builder);
            Segment segment;
            segment.slices.add(names.thread("1", "1"), static_cast<std::int64_t>(part) * 10, 5, names.text("s"),
                               names.text(""), SourcePos::make(0, part));
            builder.commit(SourcePos::make(0, part), std::move(segment));
            const auto store = builder.snapshot({}).value();
            QVERIFY(store->provisional());
            QCOMPARE(store->sliceCount(), std::size_t{part + 1});
        }
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        QVERIFY(!store->provisional());
        QCOMPARE(store->sliceCount(), std::size_t{3});
    }

    void cancelledSealIsCancelled() {
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        segment.slices.add(names.thread("1", "1"), 0, 5, names.text("s"), names.text(""), SourcePos::make(0, 1));
        builder.commit(SourcePos::make(0, 1), std::move(segment));
        CancelToken cancel;
        cancel.requestCancel();
        Diagnostics diagnostics;
        QVERIFY(builder.seal("f", diagnostics, cancel).cancelled());
    }

    void sliceBudget() {
        // The README of the room promises at most 48 bytes a slice, level of detail included.
        TraceBuilder builder("id");
        TraceBuilder::Names names(builder);
        Segment segment;
        for (std::int64_t i = 0; i < 200000; ++i) {
            segment.slices.add(names.thread("1", std::to_string(i % 10)), i * 10, 5, names.text("s"), names.text(""),
                               SourcePos::make(0, static_cast<std::uint64_t>(i)));
        }
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("f", diagnostics, {}).value();
        const double perSlice =
            static_cast<double>(test::sliceBytes(*store)) / static_cast<double>(store->sliceCount());
        QVERIFY2(perSlice <= 48.0, qPrintable(QString::number(perSlice)));
        QVERIFY(perSlice > 40.0);
    }
};

ALTI_TEST(TestTraceStore)
#include "tst_trace_store.moc"
