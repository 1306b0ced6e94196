#include "core/tables/rows/slice_rows.h"

#include "core/tables/sources/column_table.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

using namespace altiscope;

namespace {

std::shared_ptr<const CaptureStore> captureOf(std::initializer_list<std::string_view> ranks) {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string_view text : ranks) {
        RankEntry& rank = capture->ranks.emplace_back();
        rank.info.rankId = static_cast<std::int64_t>(capture->ranks.size()) + 6;
        rank.trace = test::traceFromText(text, nullptr, static_cast<std::uint32_t>(capture->ranks.size()));
    }
    return capture;
}

std::string rowText(const SliceRows& table, std::size_t row) {
    std::string text;
    for (std::size_t column = 0; column < SliceRows::kColumns; ++column) {
        const std::int64_t cell = table.cell(column, row);
        if (column > 0) text += ' ';
        text += table.columns()[column].type == CellType::Text ? std::string(table.text(column, cell))
                                                               : std::to_string(cell);
    }
    return text;
}

}  // namespace

class TestSliceRows : public QObject {
    Q_OBJECT
private slots:
    void rowsAreTheSlices();
    void numbersOfTextsAreInTheOrderOfTexts();
    void rowsOfSlices();
    void readsOverStretches();
    void empty();
    void ranksOfOneNumberAreDistinguished();
};

/// Both recordings of rank 7 were "7".
void TestSliceRows::ranksOfOneNumberAreDistinguished() {
    const auto capture =
        std::make_shared<CaptureStore>(*captureOf({"p1/t1: A[0,1)", "p1/t1: A[0,1)", "p1/t1: A[0,1)"}));
    capture->ranks[1].info = capture->ranks[0].info;
    capture->ranks[0].info.place = "run_1";
    capture->ranks[1].info.place = "run_2";
    capture->ranks[2].info.rankId.reset();
    capture->ranks[2].info.path = "node/rank_x";
    const SliceSelection selection = everySlice(capture);
    const auto table = SliceRows::make(selection, spansOf(selection), {0}, {});
    ColumnTableBuilder builder({{.name = "rank_id"}, {.name = "other"}});
    for (const RankEntry& rank : capture->ranks) {
        builder.addRow();
        builder.setRank(0, rank.info);
        builder.addRow();
    }
    const auto held = builder.finish();
    const std::string expected[] = {"run_1", "run_2", "rank_x"};
    for (std::size_t row = 0; row < 3; ++row) {
        QCOMPARE(std::string(table->beside(SliceRows::Rank, row)), expected[row]);
        QCOMPARE(std::string(held->beside(0, 2 * row)), expected[row]);
        QCOMPARE(std::string(held->beside(0, 2 * row + 1)), std::string());
        QCOMPARE(std::string(held->beside(1, 2 * row)), std::string());
        QCOMPARE(std::string(table->beside(SliceRows::Name, row)), std::string());
    }
    QCOMPARE(held->cell(0, 2), std::int64_t{7});
    QCOMPARE(table->label(SliceRows::Rank, 1), std::string("7 · run_2"));
    QCOMPARE(table->label(SliceRows::Name, 1), std::string());
}

void TestSliceRows::rowsAreTheSlices() {
    const SliceSelection selection = everySlice(
        captureOf({"p1/t1: B[0,100) A[10,30)\np1/t2: C[200,210)", "p1/t1: A0[5,6) C[7,9)"}), TimeRange{{0}, {150}});
    const auto table = SliceRows::make(selection, spansOf(selection), {0}, {});
    QStringList rows;
    for (std::size_t row = 0; row < table->rowCount(); ++row) rows << QString::fromStdString(rowText(*table, row));
    const QString process = QString::fromStdString(selection.capture->ranks[0].trace->tracks()[0].process);
    QCOMPARE(rows.join(u'\n'), QStringLiteral("7 %1 Thread 1 B  0 100 80 0\n7 %1 Thread 1 A  10 20 20 1\n8 %1 Thread 1 "
                                              "A0  5 1 1 0\n8 %1 Thread 1 C  7 2 2 0")
                                   .arg(process));
    QCOMPARE(table->slice(3), (SliceRef{1, {1}}));
}

void TestSliceRows::numbersOfTextsAreInTheOrderOfTexts() {
    for (const auto& capture : {captureOf({"p1/t1: B[0,1) A[2,3) C[4,5)"}),
                                captureOf({"p1/t1: B[0,1) D[2,3)", "p1/t1: C[0,1) A[2,3) D[5,6)"})}) {
        const SliceSelection selection = everySlice(capture);
        const auto table = SliceRows::make(selection, spansOf(selection), {0}, {});
        for (std::size_t a = 0; a < table->rowCount(); ++a) {
            for (std::size_t b = 0; b < table->rowCount(); ++b) {
                const std::int64_t left = table->cell(SliceRows::Name, a), right = table->cell(SliceRows::Name, b);
                QVERIFY(static_cast<std::size_t>(left) < table->textCount(SliceRows::Name));
                QCOMPARE(left < right, table->text(SliceRows::Name, left) < table->text(SliceRows::Name, right));
            }
        }
    }
}

void TestSliceRows::rowsOfSlices() {
    const SliceSelection selection =
        everySlice(captureOf({"p1/t1: B[0,100) A[10,30) X[12,13)\np1/t2: C[200,210)", "p1/t1: A0[5,6) C[7,9)"}));
    const std::vector<SliceSpan> spans = spansOf(selection);
    // All of them, and the last one of each span.
    auto last = std::make_shared<std::vector<std::vector<std::uint32_t>>>();
    for (const SliceSpan& span : spans) last->push_back({span.first + static_cast<std::uint32_t>(span.count()) - 1});
    for (const bool areAll : {true, false}) {
        const auto table = SliceRows::make(selection, spans, {0}, {}, areAll ? nullptr : last);
        QCOMPARE(table->rowCount(), areAll ? std::size_t{6} : spans.size());
        std::size_t found = 0;
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            for (std::uint32_t slice = 0; slice < 6; ++slice) {
                const auto row = table->rowOf({rank, {slice}});
                if (!row) continue;
                ++found;
                QCOMPARE(table->slice(*row), (SliceRef{rank, {slice}}));
            }
        }
        QCOMPARE(found, table->rowCount());
    }
}

void TestSliceRows::readsOverStretches() {
    const SliceSelection selection =
        everySlice(captureOf({"p1/t1: B[0,100) A[10,30) X[12,13)\np1/t2: C[200,210)", "p1/t1: A0[5,6) C[7,9)"}));
    const auto table = SliceRows::make(selection, spansOf(selection), {0}, {});
    for (std::size_t first = 0; first < table->rowCount(); ++first) {
        for (std::size_t count = 0; first + count <= table->rowCount(); ++count) {
            std::vector<std::int64_t> cells(count);
            table->read(SliceRows::Begin, first, cells);
            for (std::size_t i = 0; i < count; ++i) QCOMPARE(cells[i], table->cell(SliceRows::Begin, first + i));
        }
    }
}

void TestSliceRows::empty() {
    const SliceSelection selection = everySlice(captureOf({"p1/t1: A[0,10)"}), TimeRange{{20}, {30}});
    const auto table = SliceRows::make(selection, spansOf(selection), {0}, {});
    QCOMPARE(table->rowCount(), std::size_t{0});
    QCOMPARE(table->textCount(SliceRows::Name), std::size_t{0});
}

ALTI_TEST(TestSliceRows)
#include "tst_slice_rows.moc"
