#include "views/compare/difference_table.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/support/finding_texts.h"
#include "views/compare/step_bars.h"

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

Difference differenceOf(Dimension dimension, std::string key, std::int64_t base, std::int64_t current,
                        std::optional<std::int64_t> rank = {}) {
    Difference difference;
    difference.dimension = dimension;
    difference.key = std::move(key);
    difference.rankId = rank;
    if (dimension == Dimension::Memory) difference.unit = DifferenceUnit::Bytes;
    difference.change = {base, current, current - base, {}, {}, false};
    return difference;
}

/// One of each kind, as a comparison orders them.
std::shared_ptr<Comparison> comparison() {
    auto made = std::make_shared<Comparison>();
    made->step = Change{1'000'000, 1'200'000, 200'000, 150'000, 250'000, true};
    made->differences = {
        differenceOf(Dimension::Category, "exposed_communication", 300'000, 500'000),
        differenceOf(Dimension::Category, "exposed_communication", 300'000, 400'000, 3),
        differenceOf(Dimension::Kernel, "MatMul_1 | MatMul | 2,3;3,4", 80'000, 50'000),
        differenceOf(Dimension::Collective, "hcom_allReduce", 0, 20'000),
        differenceOf(Dimension::Memory, "peak_reserved", 1024, 3072),
    };
    made->differences[0].change.low = 150'000;
    made->differences[0].change.high = 250'000;
    made->differences[0].change.significant = true;
    made->differences[1].change.low = -10;
    made->differences[1].change.high = 210'000;
    made->differences[3].onlyIn = Difference::Side::Current;
    Difference counted = differenceOf(Dimension::Finding, "ai_cpu", 0, 2, 1);
    counted.unit = DifferenceUnit::Count;
    made->differences.push_back(counted);
    made->omitted[static_cast<std::size_t>(Dimension::Kernel)] = 7;
    return made;
}

/// The cells of a row in the order of the columns, apart by "|".
QString shownRow(const DifferenceTable& table, std::size_t row) {
    const auto headings = differenceHeadings();
    QStringList cells;
    for (std::size_t column = 0; column < kDifferenceColumns; ++column)
        cells << shownCell(*table.table, headings, column, row);
    return cells.join(u'|');
}

}  // namespace

/// Differences as rows: by kind, in their units, with what is not known left empty.
class TestDifferenceTable : public QObject {
    Q_OBJECT
private slots:
    void whatBecameBetterIsNoWarning() {
        Change change{100, 50, -50, -60, -40, true};
        QCOMPARE(differenceIcon(change), u"ok"_s);
        change = {50, 100, 50, 40, 60, true};
        QCOMPARE(differenceIcon(change), u"warning"_s);
        change.significant = false;
        QVERIFY(differenceIcon(change).isEmpty());
    }

    void aFindingOnAnotherRankNamesBoth() {
        auto moved = std::make_shared<Comparison>();
        moved->differences = {differenceOf(Dimension::Finding, "slow_rank", 900, 1'000)};
        moved->differences[0].baseRanks = {2, 5};
        moved->differences[0].currentRanks = {3};
        const auto table = differenceTable(moved, {}, false);
        const QString row = shownRow(*table, 0);
        QVERIFY2(row.contains(ruleWord(u"slow_rank"_s) + u" (2, 5 -> 3)"_s), qPrintable(row));
        QVERIFY2(!row.contains(u"only in"_s), qPrintable(row));
    }

    void whatFollowsFromAnotherNamesIt() {
        auto explained = comparison();
        explained->differences[0].cause = 1;
        explained->differences[3].cause = 2;
        const auto table = differenceTable(explained, {}, false);
        const auto cause = [&](std::size_t row) {
            return shownCell(*table->table, differenceHeadings(), static_cast<std::size_t>(DifferenceColumn::Cause),
                             row);
        };
        // Right below its cause, and marked as following instead of "no".
        QCOMPARE(cause(0), QString());
        QCOMPARE(cause(1), u"Exposed communication, rank 3"_s);
        QCOMPARE(table->rows, (std::vector<std::uint32_t>{1, 0, 2, 3}));
        QCOMPARE(cause(3), u"MatMul_1"_s);
    }

    void rowsOfEachGroup_data();
    void rowsOfEachGroup();
    void onlySignificantOnes();
    void columnsThatNobodyFillsAreNamed();
    void omittedOnesAreCounted();
    void namesOfKernels_data();
    void namesOfKernels();
    void hostileNamesAreText();
    void partsOfAStep();
};

void TestDifferenceTable::rowsOfEachGroup_data() {
    QTest::addColumn<int>("group");
    QTest::addColumn<QStringList>("rows");
    const QString all = u"yes|Exposed communication|Parts of a step||300 µs|500 µs|200 µs|67 %|150 µs|250 µs|||||||"_s;
    const QString ofRank =
        u"no|Exposed communication|Parts of a step|3|300 µs|400 µs|100 µs|33 %|-10 ns|210 µs|||||||"_s;
    QTest::newRow("parts of a step") << static_cast<int>(Dimension::Category) << QStringList{all, ofRank};
    QTest::newRow("kernels: name, type, shapes")
        << static_cast<int>(Dimension::Kernel)
        << QStringList{u"|MatMul_1|Kernels||80.0 µs|50.0 µs|-30.0 µs|-38 %||||||||MatMul|2,3;3,4"_s};
    QTest::newRow("what one side alone has")
        << static_cast<int>(Dimension::Collective)
        << QStringList{u"|hcom_allReduce|Collectives||0 ns|20.0 µs|20.0 µs||||only in current||||||"_s};
    QTest::newRow("memory in bytes") << static_cast<int>(Dimension::Memory)
                                     << QStringList{
                                            u"|Peak reserved|Memory||1.00 KiB|3.00 KiB|2.00 KiB|200 %|||||||||"_s};
    QTest::newRow("counted findings") << static_cast<int>(Dimension::Finding)
                                      << QStringList{u"|%1|Findings|1|||||||||0|2|2||"_s.arg(ruleWord(u"ai_cpu"_s))};
}

void TestDifferenceTable::rowsOfEachGroup() {
    QFETCH(int, group);
    QFETCH(QStringList, rows);
    const auto table = differenceTable(comparison(), static_cast<Dimension>(group), false);
    QStringList found;
    for (std::size_t row = 0; row < table->rows.size(); ++row) found << shownRow(*table, row);
    QCOMPARE(found.join(u'\n'), rows.join(u'\n'));
}

void TestDifferenceTable::onlySignificantOnes() {
    QCOMPARE(differenceTable(comparison(), {}, false)->rows, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    QCOMPARE(differenceTable(comparison(), {}, true)->rows, (std::vector<std::uint32_t>{0}));
    QCOMPARE(differenceTable(comparison(), Dimension::Kernel, true)->rows.size(), std::size_t{0});
}

void TestDifferenceTable::columnsThatNobodyFillsAreNamed() {
    const auto has = [](const DifferenceTable& table, DifferenceColumn column) {
        return std::find(table.emptyOnes.begin(), table.emptyOnes.end(), column) == table.emptyOnes.end();
    };
    const auto all = differenceTable(comparison(), {}, false);
    QVERIFY(has(*all, DifferenceColumn::Dimension) && has(*all, DifferenceColumn::Type));
    QVERIFY(!has(*all, DifferenceColumn::BaseCount));
    const auto kernels = differenceTable(comparison(), Dimension::Kernel, false);
    QVERIFY(has(*kernels, DifferenceColumn::Shapes) && !has(*kernels, DifferenceColumn::Dimension));
    QVERIFY(!has(*kernels, DifferenceColumn::Significant) && !has(*kernels, DifferenceColumn::Low));
    QVERIFY(has(*differenceTable(comparison(), Dimension::Finding, false), DifferenceColumn::BaseCount));
}

void TestDifferenceTable::omittedOnesAreCounted() {
    QCOMPARE(differenceTable(comparison(), Dimension::Kernel, false)->omitted, std::size_t{7});
    QCOMPARE(differenceTable(comparison(), Dimension::Api, false)->omitted, std::size_t{0});
    QCOMPARE(differenceTable(comparison(), {}, false)->omitted, std::size_t{7});
}

void TestDifferenceTable::namesOfKernels_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("parts");
    QTest::newRow("three") << u"a | b | c"_s << u"a/b/c"_s;
    QTest::newRow("empty type and shapes") << u"a |  | "_s << u"a//"_s;
    QTest::newRow("the sign in the name") << u"x | y | T | 1,2"_s << u"x | y/T/1,2"_s;
    QTest::newRow("no parts") << u"abc"_s << u"abc//"_s;
    QTest::newRow("two parts") << u"a | b"_s << u"a | b//"_s;
    QTest::newRow("empty") << QString() << u"//"_s;
}

void TestDifferenceTable::namesOfKernels() {
    QFETCH(QString, key);
    const Difference difference = differenceOf(Dimension::Kernel, key.toStdString(), 0, 1);
    const DifferenceName name = nameOf(difference);
    const auto text = [](std::string_view part) { return QString::fromUtf8(part.data(), qsizetype(part.size())); };
    QTEST(text(name.name) + u'/' + text(name.type) + u'/' + text(name.shapes), "parts");
}

void TestDifferenceTable::hostileNamesAreText() {
    auto hostile = comparison();
    hostile->differences[2].key = "\xFF<b>\xE2\x80\xAE | t | s";
    const auto table = differenceTable(hostile, Dimension::Kernel, false);
    const auto column = static_cast<std::size_t>(DifferenceColumn::Name);
    QVERIFY(table->table->text(column, table->table->cell(column, 0)).starts_with("\xEF\xBF\xBD<b>"));
}

void TestDifferenceTable::partsOfAStep() {
    QVERIFY(!stepSides(*comparison()));
    auto known = comparison();
    // Computing, exposed communication, bubble (which old files do not state), free.
    known->parts = {std::array<std::int64_t, 2>{600'000, 610'000}, std::array<std::int64_t, 2>{300'000, 500'000},
                    std::nullopt, std::array<std::int64_t, 2>{100'000, 90'000}};
    const auto sides = stepSides(*known);
    QVERIFY(sides.has_value());
    QCOMPARE((*sides)[0], (std::array<std::int64_t, 4>{600'000, 300'000, 0, 100'000}));
    QCOMPARE((*sides)[1], (std::array<std::int64_t, 4>{610'000, 500'000, 0, 90'000}));
    known->parts[2] = {20'000, 30'000};
    QCOMPARE((*stepSides(*known))[1][2], std::int64_t{30'000});
    known->parts[3].reset();
    QVERIFY(!stepSides(*known));
}

ALTI_TEST(TestDifferenceTable)
#include "tst_difference_table.moc"
