#include "tests/support/capture_dump.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// The rows of a store as texts, and which of them a window keeps: worked out from the rows of the whole trace alone,
/// as TraceBuilder says it.
struct Rows {
    std::vector<std::string> tracks, slices, samples, instants, flows;
};

bool touches(const TimeRange& window, TimeNs begin, TimeNs end) { return begin < window.end && end >= window.begin; }

std::string idText(const TraceStore& store, std::uint32_t slice, const std::set<std::int64_t>& kept) {
    if (slice == kNoSlice.value) return "-";
    const std::int64_t id = store.id({slice}).value;
    return kept.contains(id) ? std::to_string(id) : "-";
}

/// @param window  What is taken of the rows; nullptr: all, which are those of a windowed store.
Rows rowsOf(const TraceStore& store, const TimeRange* window) {
    Rows rows;
    const TraceColumns& c = store.columns();
    for (const Track& track : store.tracks())
        rows.tracks.push_back(std::to_string(track.id.value) + '|' + track.process + '|' + track.name + '|' +
                              std::string(trackKindName(track.kind)));
    std::set<std::int64_t> kept;
    for (const DepthRun& run : store.runs()) {
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            const SliceIndex slice{i};
            if (window != nullptr && !touches(*window, store.begin(slice), store.end(slice))) continue;
            kept.insert(store.id(slice).value);
            std::string row =
                std::to_string(store.track({run.track}).id.value) + " d" + std::to_string(run.depth) + ' ';
            row += std::to_string(store.id(slice).value) + ' ' + std::string(store.name(slice)) + '/' +
                   std::string(store.category(slice)) + ' ';
            row +=
                std::to_string(store.begin(slice).value) + '+' + std::to_string(store.duration(slice).value) + " self ";
            row += std::to_string(store.selfDuration(slice).value) + " in ";
            row += store.parent(slice) == kNoSlice ? "-" : std::to_string(store.id(store.parent(slice)).value);
            rows.slices.push_back(row);
        }
    }
    for (const CounterSeries& series : store.series()) {
        const std::string name =
            std::to_string(store.track({series.track}).id.value) + '/' + std::string(store.text(series.name)) + ' ';
        std::string before;
        for (std::uint64_t i = series.first; i < series.first + series.count; ++i) {
            const std::string row = name + std::to_string(c.sampleTime[i]) + '=' + std::to_string(c.sampleValue[i]);
            if (window != nullptr && TimeNs{c.sampleTime[i]} < window->begin) before = row;
            else if (window == nullptr || TimeNs{c.sampleTime[i]} < window->end) rows.samples.push_back(row);
        }
        if (!before.empty()) rows.samples.push_back(before);
    }
    for (std::size_t i = 0; i < c.instantTime.size(); ++i) {
        if (window != nullptr && !window->contains({c.instantTime[i]})) continue;
        rows.instants.push_back(std::to_string(store.track({c.instantTrack[i]}).id.value) + ' ' +
                                std::string(store.text(c.instantName[i])) + ' ' + std::to_string(c.instantTime[i]) +
                                ' ' + std::to_string(c.instantPos[i].packed));
    }
    for (std::size_t f = 0; f < store.flowCount(); ++f) {
        const std::string from = idText(store, c.flowFrom[f], kept), to = idText(store, c.flowTo[f], kept);
        const bool isTimeIn =
            window != nullptr && (window->contains({c.flowFromTime[f]}) || window->contains({c.flowToTime[f]}));
        if (window != nullptr && from == "-" && to == "-" && !isTimeIn) continue;
        rows.flows.push_back(std::to_string(store.flowNumber(f)) + ' ' + std::to_string(c.flowPos[f].packed) + ' ' +
                             std::string(store.flowCategory(f)) + ' ' + from + "->" + to + ' ' +
                             std::to_string(c.flowFromTime[f]) + "->" + std::to_string(c.flowToTime[f]));
    }
    for (auto* list : {&rows.slices, &rows.samples, &rows.instants, &rows.flows}) std::sort(list->begin(), list->end());
    return rows;
}

void compareLists(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
    for (std::size_t i = 0; i < std::min(part.size(), whole.size()); ++i) {
        if (part[i] != whole[i]) QCOMPARE(QString::fromStdString(part[i]), QString::fromStdString(whole[i]));
    }
    QCOMPARE(part.size(), whole.size());
}

/// What a store must be in itself, however little it holds.
void checkShape(const TraceStore& store) {
    std::uint32_t next = 0, track = 0, depth = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::int64_t>> stats;
    for (const DepthRun& run : store.runs()) {
        if (run.track != track) depth = 0;
        track = run.track;
        QCOMPARE(run.first, next);
        QCOMPARE(run.depth, depth++);
        next += run.count;
        std::int64_t after = INT64_MIN;
        for (std::uint32_t i = run.first; i < next; ++i) {
            QVERIFY(store.begin({i}).value >= after);
            after = store.end({i}).value;
            QVERIFY(&store.runOf({i}) == &run);
            QVERIFY(store.findSlice(store.id({i})) == SliceIndex{i});
            auto& [count, self] = stats[{run.track, store.nameId({i}).value}];
            ++count;
            self += store.selfDuration({i}).value;
        }
    }
    QCOMPARE(next, static_cast<std::uint32_t>(store.sliceCount()));
    QCOMPARE(store.columns().nameStats.size(), stats.size());
    for (const NameStat& stat : store.columns().nameStats.span())
        QCOMPARE(std::pair(stat.count, stat.selfTotal), (stats[{stat.track, stat.name.value}]));
    for (std::uint32_t t = 0; t < store.tracks().size(); ++t) {
        const auto all = store.runs(TrackIndex{t});
        if (!all.empty()) QVERIFY(all.back().count > 0);
        for (const DepthRun& run : all) {
            QCOMPARE(store.firstEndingAfter(run, {INT64_MIN}), run.first);
            QCOMPARE(store.firstBeginningAt(run, {INT64_MAX}), run.first + run.count);
            std::int64_t longest = 0, ofBlocks = 0;
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
                longest = std::max(longest, store.duration({i}).value);
            const auto blocks = store.columns().blocks.span().subspan(run.firstBlock, lowestBlocks(run.count));
            for (const SliceBlock& block : blocks) ofBlocks = std::max(ofBlocks, block.duration);
            if (!blocks.empty()) QCOMPARE(ofBlocks, longest);
        }
    }
}

const RankEntry& firstRank(const ImportResult& result) { return result.value()->ranks.front(); }

ImportResult importWindow(const std::filesystem::path& path, TimeRange window, unsigned threads = 2,
                          std::size_t chunk = std::size_t{4} << 20) {
    ImportTestOptions options{.threads = threads, .chunkBytes = chunk};
    options.ranks.window = window;
    return importForTest(path, options);
}

void compareWindow(const TraceStore& whole, const ImportResult& part, TimeRange window) {
    QVERIFY(part.ok());
    QVERIFY(firstRank(part).window == window);
    QVERIFY(firstRank(part).trace != nullptr);
    const TraceStore& store = *firstRank(part).trace;
    const Rows expected = rowsOf(whole, &window);
    const Rows rows = rowsOf(store, nullptr);
    QCOMPARE(rows.tracks, expected.tracks);
    compareLists(rows.slices, expected.slices);
    compareLists(rows.samples, expected.samples);
    compareLists(rows.instants, expected.instants);
    compareLists(rows.flows, expected.flows);
    QCOMPARE(store.allFlowCount(), std::uint64_t{whole.flowCount()});
    checkShape(store);
}

/// Events of all kinds, overlapping and in any order, some pairs without an end.
std::string randomTrace(std::mt19937& random, int events) {
    const auto below = [&random](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
    std::vector<std::string> records;
    const auto place = [&] { return "\"pid\":" + std::to_string(below(2)) + ",\"tid\":" + std::to_string(below(3)); };
    static constexpr const char* kCategories[] = {"cpu_op", "async_npu", "", "MsTx"};
    for (int i = 0; i < events; ++i) {
        const std::string name = "\"name\":\"n" + std::to_string(below(20)) + "\"";
        const std::string time = "\"ts\":" + std::to_string(below(1000)) + "." + std::to_string(below(4));
        const std::string category = std::string("\"cat\":\"") + kCategories[below(4)] + "\"";
        const std::string head = name + "," + time + "," + place();
        switch (below(10)) {
        default: {
            const int length = below(20) == 0 ? below(900) : below(4) == 0 ? 0 : below(40);
            records.push_back("{\"ph\":\"X\"," + head + "," + category + ",\"dur\":" + std::to_string(length) +
                              ",\"args\":{\"a\":\"},{\\\"ph\"}}");
            break;
        }
        case 5: records.push_back("{\"ph\":\"" + std::string(below(2) != 0 ? "B" : "E") + "\"," + head + "}"); break;
        case 6: records.push_back("{\"ph\":\"i\"," + head + "}"); break;
        case 7:
            records.push_back("{\"ph\":\"C\"," + head + ",\"args\":{\"v\":" + std::to_string(below(9)) + ",\"w\":1}}");
            break;
        case 8:
            records.push_back("{\"ph\":\"s\"," + head + "," + category + ",\"id\":" + std::to_string(below(30)) + "}");
            break;
        case 9:
            records.push_back("{\"ph\":\"f\"," + head + "," + category + ",\"id\":" + std::to_string(below(30)) + "}");
            break;
        }
    }
    records.push_back(R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"Python"}})");
    std::string text = "[";
    for (const std::string& record : records) text += (text.size() > 1 ? "," : "") + record;
    return text + "]";
}

TimeRange randomWindow(std::mt19937& random, TimeRange all) {
    std::uniform_int_distribution<std::int64_t> time(all.begin.value - 10, all.end.value + 10);
    const auto [first, last] = std::minmax({time(random), time(random)});
    // Short ones too: they keep little, and depths without a slice.
    const std::int64_t end =
        random() % 3 == 0 ? std::min(last, first + 1 + static_cast<std::int64_t>(random() % 50'000)) : last;
    return {{first}, {std::max(end, first + 1)}};
}

}  // namespace

/// What is read with a window of time is the same as in the whole trace, row by row.
class TestWindowImport : public QObject {
    Q_OBJECT

private slots:
    void text_data();
    void text();
    void randomTraces();
    void sameForThreadsAndChunks();
    void cutFiles();
    void realSamples_data();
    void realSamples();
    void whatIsSaid();
    void partsOfKnownRanks();
};

void TestWindowImport::text_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("rows");
    // Windows are [100, 200) us.
    const auto slice = [](const char* name, int begin, int duration) {
        return QStringLiteral(R"({"ph":"X","name":"%1","pid":1,"tid":2,"ts":%2,"dur":%3})")
            .arg(QLatin1String(name))
            .arg(begin)
            .arg(duration);
    };
    QTest::addRow("nothing outside is kept")
        << slice("A", 10, 20) + u',' + slice("B", 120, 20) + u',' + slice("C", 200, 5) << "B d0 self 20000";
    QTest::addRow("a slice that ends where the window begins touches it")
        << slice("A", 90, 10) + u',' + slice("B", 120, 20) << "A d0 self 10000\nB d0 self 20000";
    QTest::addRow("children outside take part in self time")
        << slice("P", 0, 1000) + u',' + slice("A", 10, 20) + u',' + slice("B", 300, 100) << "P d0 self 880000";
    QTest::addRow("an overlap outside decides the depth")
        << slice("A", 10, 50) + u',' + slice("B", 40, 100) << "B d1 self 100000";
    QTest::addRow("whom an overlapping slice overlaps counts too")
        << slice("A", 0, 30) + u',' + slice("B", 20, 30) + u',' + slice("C", 25, 30) + u',' + slice("D", 50, 90)
        << "D d0 self 90000";
    QTest::addRow("a pair around the window")
        << QStringLiteral(R"({"ph":"B","name":"P","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":900})")
        << "P d0 self 899000";
    QTest::addRow("a pair in front of it")
        << QStringLiteral(R"({"ph":"B","name":"P","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":9},)") +
               slice("B", 120, 20)
        << "B d0 self 20000";
    QTest::addRow("a begin without an end lasts to the end of its track, which lies behind")
        << QStringLiteral(R"({"ph":"B","name":"P","pid":1,"tid":2,"ts":150},)") + slice("C", 300, 5)
        << "P d0 self 150000";
}

void TestWindowImport::text() {
    QFETCH(QString, trace);
    QFETCH(QString, rows);
    const TestFolder folder;
    const auto path = folder.write("t.json", "[" + trace.toStdString() + "]");
    const auto part = importWindow(path, {{100'000}, {200'000}});
    QVERIFY(part.ok());
    const TraceStore& store = *firstRank(part).trace;
    QStringList kept;
    for (const DepthRun& run : store.runs()) {
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
            kept << QStringLiteral("%1 d%2 self %3")
                        .arg(QString::fromStdString(std::string(store.name({i}))))
                        .arg(run.depth)
                        .arg(store.selfDuration({i}).value);
    }
    kept.sort();
    QCOMPARE(kept.join(QLatin1Char('\n')), rows);
}

void TestWindowImport::randomTraces() {
    std::mt19937 random(7);
    const TestFolder folder;
    for (int round = 0; round < 25; ++round) {
        const auto path = folder.write("t.json", randomTrace(random, 20 + round * 12));
        const auto whole = importForTest(path);
        for (int i = 0; i < 8; ++i) {
            const TimeRange window = randomWindow(random, firstRank(whole).trace->range());
            compareWindow(*firstRank(whole).trace, importWindow(path, window), window);
            if (QTest::currentTestFailed())
                QFAIL(qPrintable(QStringLiteral("round %1, window %2..%3")
                                     .arg(round)
                                     .arg(window.begin.value)
                                     .arg(window.end.value)));
        }
    }
}

void TestWindowImport::sameForThreadsAndChunks() {
    std::mt19937 random(11);
    const TestFolder folder;
    const auto path = folder.write("t.json", randomTrace(random, 3000));
    const auto whole = importForTest(path);
    for (int i = 0; i < 4; ++i) {
        const TimeRange window = randomWindow(random, firstRank(whole).trace->range());
        const std::string expected = storeBytes(*firstRank(importWindow(path, window)).trace);
        for (const unsigned threads : {1U, 2U, 7U}) {
            for (const std::size_t chunk : {std::size_t{300}, std::size_t{5000}, std::size_t{1} << 20})
                QVERIFY(storeBytes(*firstRank(importWindow(path, window, threads, chunk)).trace) == expected);
        }
    }
}

void TestWindowImport::cutFiles() {
    std::mt19937 random(13);
    const TestFolder folder;
    const std::string trace = randomTrace(random, 60);
    for (std::size_t length = 1; length < trace.size(); length += 37) {
        const auto path = folder.write("t.json", std::string_view(trace).substr(0, length));
        const auto whole = importForTest(path);
        const TimeRange window{{200'000}, {600'000}};
        const auto part = importWindow(path, window, 2, 700);
        QCOMPARE(part.ok(), whole.ok());
        if (!whole.ok() || firstRank(whole).trace == nullptr) continue;
        compareWindow(*firstRank(whole).trace, part, window);
        if (QTest::currentTestFailed()) return;
    }
}

void TestWindowImport::realSamples_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder :
         {"torch_text/level0/rank0_ascend_pt", "torch_text/level1/rank0_ascend_pt", "raw/torch/expected"})
        QTest::addRow("%s", folder) << QString::fromUtf8(folder);
}

void TestWindowImport::realSamples() {
    QFETCH(QString, folder);
    const auto path = sharedData(folder.toStdString());
    if (!path) QSKIP(kNoSharedData);
    const auto whole = importForTest(*path);
    std::mt19937 random(17);
    for (int i = 0; i < 6; ++i) {
        const TimeRange window = randomWindow(random, firstRank(whole).trace->range());
        compareWindow(*firstRank(whole).trace, importWindow(*path, window), window);
        if (QTest::currentTestFailed()) return;
    }
}

void TestWindowImport::whatIsSaid() {
    const TestFolder folder;
    const auto path = folder.write(
        "t.json",
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2},{"ph":"X","name":"B","pid":1,"tid":2,"ts":10,"dur":2},)"
        R"({"ph":"C","name":"c","pid":1,"ts":1,"args":{"v":1}},{"ph":"C","name":"c","pid":1,"ts":2,"args":{"v":2}},)"
        R"({"ph":"i","name":"j","pid":1,"tid":2,"ts":1},{"ph":"s","name":"f","id":1,"pid":1,"tid":2,"ts":1},)"
        R"({"ph":"f","name":"f","id":1,"pid":1,"tid":2,"ts":2}])");
    const auto part = importWindow(path, {{9'000}, {20'000}});
    QVERIFY(part.value()->state == CaptureStore::State::Ok);
    const auto entries = part.value()->diagnostics.entries();
    QCOMPARE(entries.size(), std::size_t{1});
    QCOMPARE(entries[0].code, std::string("window.left_out"));
    QVERIFY(entries[0].severity == Severity::Info);
    const MessageParameters expected{{"start", "9000"}, {"end", "20000"},  {"slices", "1"},
                                     {"samples", "1"},  {"instants", "1"}, {"flows", "1"}};
    QVERIFY(std::is_permutation(entries[0].parameters.begin(), entries[0].parameters.end(), expected.begin(),
                                expected.end()));
}

void TestWindowImport::partsOfKnownRanks() {
    const TestFolder folder;
    static constexpr const char* kTrace =
        R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2},{"ph":"X","name":"B","pid":1,"tid":2,"ts":10,"dur":2}])";
    for (const char* rank : {"rank0", "rank1"})
        folder.write(std::string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
    const auto open = [&](reader::RankChoice choice) {
        ImportTestOptions options;
        options.ranks = std::move(choice);
        return importForTest(folder.path(), options).value();
    };
    const auto whole = open({});
    const std::string second = whole->ranks[1].info.path;
    const TimeRange window{{5'000}, {20'000}};
    const auto part = open({.wanted = {second}, .known = whole, .windows = {{second, window}}});
    QVERIFY(part->ranks[0].trace == whole->ranks[0].trace);
    QVERIFY(!part->ranks[0].window);
    QVERIFY(part->ranks[1].window == window);
    QCOMPARE(part->ranks[1].trace->sliceCount(), std::size_t{1});
    QCOMPARE(part->diagnostics.entries().size(), std::size_t{1});
    // Asked for once more it is not read again.
    QVERIFY(open({.wanted = {second}, .known = part, .windows = {{second, window}}})->ranks[1].trace ==
            part->ranks[1].trace);
    // Another part replaces what was said of the first.
    const auto other = open({.wanted = {second}, .known = part, .windows = {{second, TimeRange{{0}, {20'000}}}}});
    QCOMPARE(other->ranks[1].trace->sliceCount(), std::size_t{2});
    QCOMPARE(other->diagnostics.entries().size(), std::size_t{1});
    const auto all = open({.wanted = {second}, .known = part});
    QVERIFY(!all->ranks[1].window);
    QCOMPARE(storeBytes(*all->ranks[1].trace), storeBytes(*whole->ranks[1].trace));
    QVERIFY(all->diagnostics.empty());
    // A capture that changed is read again as it was read before.
    folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", std::string(kTrace) + " ");
    const auto changed = open({.wanted = {whole->ranks[0].info.path}, .known = part});
    QVERIFY(changed->ranks[0].trace != part->ranks[0].trace);
    QVERIFY(changed->ranks[1].window == window);
}

ALTI_TEST(TestWindowImport)
#include "tst_window_import.moc"
