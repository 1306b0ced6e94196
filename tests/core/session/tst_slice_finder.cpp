#include "core/session/find/slice_finder.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"
#include "core/tables/rows/slice_rows.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>
#include <random>
#include <tuple>

using namespace altiscope;

namespace {

/// Arguments by the number of the record; finds like a file does: the place behind the record's begin.
class StatedArguments : public ArgumentSource {
public:
    explicit StatedArguments(std::vector<std::string> texts) : m_texts(std::move(texts)) {}
    Result<std::string> arguments(SourcePos pos) const override { return m_texts.at(pos.offset() / 100); }
    Result<std::vector<SourcePos>> find(std::string_view text, bool ignoreCase, const CancelToken&) const override {
        ++searches;
        std::vector<SourcePos> places;
        for (std::size_t i = 0; i < m_texts.size(); ++i) {
            const QString where = QString::fromStdString(m_texts[i]),
                          what = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            if (where.contains(what, ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive))
                places.push_back(SourcePos::make(0, i * 100 + 50));
        }
        return places;
    }
    mutable int searches = 0;

private:
    std::vector<std::string> m_texts;
};

std::shared_ptr<CaptureStore> captureOf(std::initializer_list<std::string_view> ranks) {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string_view text : ranks)
        capture->ranks.emplace_back().trace =
            test::traceFromText(text, nullptr, static_cast<std::uint32_t>(capture->ranks.size()));
    return capture;
}

/// Names of the hits, by their place.
QString namesOf(const SliceHits& hits) {
    QStringList names;
    for (std::uint64_t place = 0; place < hits.count(); ++place) {
        const SliceRef slice = hits.at(place).slice;
        const std::string_view name = hits.selection().capture->ranks[slice.rank.value].trace->name(slice.slice);
        names << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return names.join(u'|');
}

std::shared_ptr<const SliceHits> found(const SliceSelection& selection, const SliceQuery& query) {
    return findSlices(selection, query, {}, {}).value();
}

}  // namespace

class TestSliceFinder : public QObject {
    Q_OBJECT
private slots:
    void texts_data();
    void texts();
    void wrongPattern();
    void costlyPatternIsReported();
    void argumentsAndShapes();
    void restrictions();
    void placesEqualSorting();
    void hitsAsATable();
    void cancelled();
};

void TestSliceFinder::texts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("expected");
    const auto add = [](const char* clause, const char* text, const char* options, const char* expected) {
        QTest::addRow("%s", clause) << QString::fromUtf8(text) << QString::fromUtf8(options)
                                    << QString::fromUtf8(expected);
    };
    add("plain, whatever the case", "matmul", "", "MatMul|MatMulV2|aten::matmul");
    add("with case", "MatMul", "c", "MatMul|MatMulV2");
    add("whole words", "matmul", "w", "MatMul|aten::matmul");
    add("whole words beside signs", "aten::", "w", "");
    add("signs are letters in a plain text", "a.c(", "", "a.c(x)");
    add("the end of a quotation", "\\E", "", "b\\Ed");
    add("regex", "^a.*(l|x\\))$", "r", "aten::matmul|a.c(x)");
    add("regex with case", "v2$", "rc", "");
    add("other letters", "\xe9\x80\x9a\xe4\xbf\xa1", "", "\xe9\x80\x9a\xe4\xbf\xa1");
    add("nothing", "nowhere", "", "");
    add("an empty text is everywhere", "", "", "MatMul|MatMulV2|aten::matmul|a.c(x)|b\\Ed|\xe9\x80\x9a\xe4\xbf\xa1");
    add("tracks", "thread 2", "tn", "b\\Ed|\xe9\x80\x9a\xe4\xbf\xa1");
}

void TestSliceFinder::texts() {
    QFETCH(QString, text);
    QFETCH(QString, options);
    QFETCH(QString, expected);
    const auto capture = captureOf({"p1/t1: MatMul[0,10) MatMulV2[20,30) aten::matmul[40,50) a.c(x)[60,70)\np1/t2: "
                                    "b\\Ed[80,90) \xe9\x80\x9a\xe4\xbf\xa1[100,110)"});
    const SliceQuery query{.text = text.toStdString(),
                           .isRegex = options.contains(u'r'),
                           .wholeWords = options.contains(u'w'),
                           .matchCase = options.contains(u'c'),
                           .inNames = !options.contains(u'n'),
                           .inTracks = options.contains(u't')};
    QCOMPARE(namesOf(*found(everySlice(capture), query)), expected);
}

void TestSliceFinder::wrongPattern() {
    const auto result = findSlices(everySlice(captureOf({"p1/t1: A[0,10)"})), {.text = "a(", .isRegex = true}, {}, {});
    QVERIFY(result.failed());
    QCOMPARE(result.error().code, std::string("search.pattern"));
    QVERIFY(!result.error().parameters.at(0).second.empty());
}

void TestSliceFinder::costlyPatternIsReported() {
    const auto capture = captureOf({"p1/t1: " + std::string(60, 'a') + "c[0,10) B[20,30)"});
    QVERIFY(found(everySlice(capture), {.text = "^(a+)+$", .isRegex = true})->tooCostly > 0);
}

void TestSliceFinder::argumentsAndShapes() {
    TraceBuilder builder("r");
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = 0; i < 4; ++i)
        segment.slices.add(names.thread("1", "1"), static_cast<std::int64_t>(i) * 10, 5,
                           names.text("n" + std::to_string(i)), names.text(""), SourcePos::make(0, i * 100));
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.trace = builder.seal({"f"}, capture->diagnostics, {}).value();
    const auto arguments = std::make_shared<StatedArguments>(
        std::vector<std::string>{R"({"a": "Alpha"})", "", R"({"b": "alphabet"})", R"({"c": 7})"});
    rank.arguments = arguments;
    constexpr auto K = RowKind::Kernel;
    RowTablesBuilder rows;
    RowBatch batch = rows.batch(K);
    batch.addRow();
    batch.setInteger(fixedColumn(K, "slice_id"), 1);
    batch.setText(fixedColumn(K, "input_shapes"), "\"4096,1024;8\"");
    rows.commit(batch);
    rank.rows = rows.seal({}).value();
    const SliceSelection selection = everySlice(capture);

    QCOMPARE(namesOf(*found(selection, {.text = "alpha"})), QString());
    QCOMPARE(namesOf(*found(selection, {.text = "alpha", .inArguments = true})), QStringLiteral("n0|n2"));
    QCOMPARE(arguments->searches, 1);
    QCOMPARE(namesOf(*found(selection, {.text = "alpha", .matchCase = true, .inArguments = true})),
             QStringLiteral("n2"));
    QCOMPARE(namesOf(*found(selection, {.text = "alpha", .wholeWords = true, .inArguments = true})),
             QStringLiteral("n0"));
    QCOMPARE(namesOf(*found(selection, {.text = "\"c\": \\d", .isRegex = true, .inArguments = true})),
             QStringLiteral("n3"));
    QCOMPARE(namesOf(*found(selection, {.text = "1024", .inShapes = true})), QStringLiteral("n1"));
    QCOMPARE(namesOf(*found(selection, {.text = "1024"})), QString());
    // What names alone give is told before arguments are read.
    std::vector<std::uint64_t> counts;
    QCOMPARE(findSlices(selection, {.text = "a|n3", .isRegex = true, .inArguments = true},
                        [&](std::uint64_t count) { counts.push_back(count); }, {})
                 .value()
                 ->count(),
             std::uint64_t{3});
    QCOMPARE(counts, std::vector<std::uint64_t>{1});
}

void TestSliceFinder::restrictions() {
    const auto capture = captureOf({"p1/t1: A[0,10) A[20,100)\np1/t2: A[30,35)", "p1/t1: A[40,41)"});
    SliceSelection selection = everySlice(capture, TimeRange{{15}, {50}});
    QCOMPARE(found(selection, {.text = "A"})->count(), std::uint64_t{3});
    QCOMPARE(found(selection, {.text = "A", .shortest = 5, .longest = 80})->count(), std::uint64_t{2});
    QCOMPARE(found(selection, {.text = "A", .shortest = 6})->count(), std::uint64_t{1});
    selection.ranks.erase(selection.ranks.begin());
    QCOMPARE(found(selection, {.text = "A"})->count(), std::uint64_t{1});
}

void TestSliceFinder::placesEqualSorting() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937_64 random(seed);
        auto capture = std::make_shared<CaptureStore>();
        for (std::uint32_t rank = 0; rank < 3; ++rank) {
            TraceBuilder builder("r" + std::to_string(rank));
            TraceBuilder::Names names(builder);
            Segment segment;
            for (std::uint64_t i = 0; i < 60; ++i)
                segment.slices.add(names.thread("1", std::to_string(random() % 3)),
                                   static_cast<std::int64_t>(random() % 80), static_cast<std::int64_t>(random() % 30),
                                   names.text(random() % 2 == 0 ? "hit" : "no"), names.text(""),
                                   SourcePos::make(rank, i));
            builder.commit(SourcePos::make(rank, 0), std::move(segment));
            capture->ranks.emplace_back().trace = builder.seal({"f"}, capture->diagnostics, {}).value();
        }
        SliceSelection selection = everySlice(capture);
        selection.ranks[1].shift = {seed % 2 == 0 ? 0 : 25};
        const auto hits = found(selection, {.text = "hit"});
        // slices of a rank stand by track and depth
        std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> sorted;
        for (std::uint32_t r = 0; r < 3; ++r) {
            const TraceStore& store = storeOf(selection, r);
            for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
                if (store.name({i}) == "hit")
                    sorted.emplace_back((store.begin({i}) + selection.ranks[r].shift).value, r, i);
            }
        }
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(hits->count(), sorted.size());
        for (std::size_t place = 0; place < sorted.size(); ++place) {
            const auto [begin, rank, slice] = sorted[place];
            QCOMPARE(hits->at(place).slice, (SliceRef{rank, {slice}}));
            QCOMPARE(hits->at(place).begin.value, begin);
            QCOMPARE(*hits->placeOf({rank, {slice}}), place);
        }
        for (std::int64_t time = -5; time < 120; ++time) {
            const auto first =
                std::find_if(sorted.begin(), sorted.end(), [&](const auto& hit) { return std::get<0>(hit) >= time; });
            QCOMPARE(hits->firstFrom({time}), static_cast<std::uint64_t>(first - sorted.begin()));
        }
        const TimeRange range{{7}, {78}};
        for (const std::uint32_t width : {1U, 10U, 71U, 200U}) {
            std::vector<bool> expected(width);
            for (const auto& [begin, rank, slice] : sorted) {
                if (range.contains({begin})) expected[static_cast<std::size_t>((begin - 7) * width / 71)] = true;
            }
            QCOMPARE(hits->marks(range, width), expected);
        }
    }
}

void TestSliceFinder::hitsAsATable() {
    const auto capture = captureOf({"p1/t1: hit[0,10) no[20,30) hit[40,50)\np1/t2: no[0,1)", "p1/t1: hit[5,6)"});
    const SliceSelection selection = everySlice(capture);
    const auto hits = found(selection, {.text = "hit"});
    const auto table =
        SliceRows::make(selection, hits->spans(), {0}, {},
                        std::shared_ptr<const std::vector<std::vector<std::uint32_t>>>(hits, &hits->slices()));
    QCOMPARE(table->rowCount(), std::size_t{3});
    std::vector<std::int64_t> begins(3);
    table->read(SliceRows::Begin, 0, begins);
    QCOMPARE(begins, (std::vector<std::int64_t>{0, 40, 5}));
    QCOMPARE(table->slice(2), (SliceRef{1, {0}}));
}

void TestSliceFinder::cancelled() {
    CancelToken token;
    token.requestCancel();
    QVERIFY(findSlices(everySlice(captureOf({"p1/t1: A[0,10)"})), {.text = "A"}, {}, token).cancelled());
}

ALTI_TEST(TestSliceFinder)
#include "tst_slice_finder.moc"
