#include "core/tables/filters/filter_expression.h"

#include "core/base/text/catalogue.h"
#include "core/tables/filters/filter_completion.h"
#include "core/tables/filters/row_filter.h"
#include "core/tables/sources/column_table.h"
#include "tests/support/test_main.h"

#include <QStringList>

using namespace altiscope;

namespace {

/// name dur size share rate step ts; "-" is an absent cell.
std::shared_ptr<const ColumnTable> kernels() {
    ColumnTableBuilder builder({{"name", CellType::Text},
                                {"dur", CellType::Integer, CellUnit::Duration},
                                {"size", CellType::Integer, CellUnit::Bytes},
                                {"share", CellType::Real, CellUnit::Share},
                                {"rate", CellType::Real, CellUnit::Rate},
                                {"step", CellType::Integer},
                                {"ts", CellType::Integer, CellUnit::Time, 1'000'000'000'000}});
    struct Row {
        const char* name;
        std::int64_t dur, size;
        double share, rate;
        std::int64_t step, ts;
    };
    const Row rows[] = {{"MatMulV2", 100'000, 1000, 0.5, 18.4e9, 1, 1'000'000'000'500},
                        {"FlashAttention", 100'001, 1024, 0.05, 1e9, 2, 1'000'001'500'000},
                        {"Add", 99'999, 0, 0.25, 0, kAbsentCell, 1'000'000'000'000},
                        {"a \"b\" (c)", 7, 1'048'576, 0, 5, 3, 1'002'000'000'000},
                        {nullptr, 1, -1, 1, 2, 1, 1'000'000'000'001}};
    for (const Row& row : rows) {
        builder.addRow();
        if (row.name != nullptr) builder.setText(0, row.name);
        builder.setInteger(1, row.dur);
        builder.setInteger(2, row.size);
        builder.setReal(3, row.share);
        builder.setReal(4, row.rate);
        if (row.step != kAbsentCell) builder.setInteger(5, row.step);
        builder.setInteger(6, row.ts);
    }
    return builder.finish();
}

/// Rows that pass, by number: "0 3".
QString passing(const std::shared_ptr<const ColumnTable>& table, const std::string& filter,
                std::span<const ColumnAlias> aliases = {}) {
    const ParsedFilter parsed = parseFilter(filter, table->columns(), aliases);
    if (!parsed.root) return parsed.problem ? QString::fromStdString(parsed.problem->code) : QStringLiteral("empty");
    std::vector<std::uint8_t> mask(table->rowCount());
    RowFilter(table, *parsed.root).match(0, mask);
    QStringList rows;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] != 0) rows << QString::number(i);
    }
    return rows.join(QLatin1Char(' '));
}
QString passing(const std::string& filter, std::span<const ColumnAlias> aliases = {}) {
    return passing(kernels(), filter, aliases);
}

/// A row of a rank that a table shows with its folder.
void addRank(ColumnTableBuilder& builder, std::optional<std::int64_t> number, const char* place) {
    RankInfo rank;
    rank.rankId = number;
    (number ? rank.place : rank.path) = place;
    builder.addRow();
    builder.setRank(0, rank);
}

}  // namespace

class TestFilterExpression : public QObject {
    Q_OBJECT
private slots:
    void passes_data();
    void passes();
    void pointsAtWhatIsWrong_data();
    void pointsAtWhatIsWrong();
    void aRankIsFilteredAsItIsShown_data();
    void aRankIsFilteredAsItIsShown();
    void foldersMayBeNumbers_data();
    void foldersMayBeNumbers();
    void labelsAreCompleted();
    void headingsAreNames_data();
    void headingsAreNames();
    void aWrongNameHasASuggestion();
    void hostileInput();
    void costlyPattern();
    void completes_data();
    void completes();
    void nothingIsOfferedRightAfterAValue();
    void literalsReadBack();
};

void TestFilterExpression::passes_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("rows");
    const std::pair<const char*, const char*> cases[] = {{"dur > 100us and name ~ \"flash\"", "1"},
                                                         {"dur > 100us", "1"},
                                                         {"dur >= 100 us", "0 1"},
                                                         {"dur < 0.1ms", "2 3 4"},
                                                         {"dur <= 100us", "0 2 3 4"},
                                                         {"dur = 0.0000001s", ""},
                                                         {"dur > 99.9995us", "0 1"},
                                                         {"dur < 99.9995us", "2 3 4"},
                                                         {"dur >= 99.9995us", "0 1"},
                                                         {"dur <= 99.9995us", "2 3 4"},
                                                         {"dur = 99.9995us", ""},
                                                         {"dur != 0.5", "0 1 2 3 4"},
                                                         {"dur = 7", "3"},
                                                         {"dur == 7ns", "3"},
                                                         {"dur in (7, 1)", "3 4"},
                                                         {"dur > 1e3", "0 1 2"},
                                                         {"dur > -1", "0 1 2 3 4"},
                                                         {"size = 1KB", "0"},
                                                         {"size = 1KiB", "1"},
                                                         {"size >= 1MiB", "3"},
                                                         {"size < -0.5", "4"},
                                                         {"size > -0.5", "0 1 2 3"},
                                                         {"share > 5%", "0 2 4"},
                                                         {"share = 0.25", "2"},
                                                         {"share != 0.25", "0 1 3 4"},
                                                         {"rate > 1GB/s", "0"},
                                                         {"size = 1B/s", "filter.wrong_unit"},
                                                         {"dur > 0.0000016min", "0 1 2"},
                                                         {"dur > 0.00000002h", "0 1 2"},
                                                         {"dur > 0.00000003h", ""},
                                                         {"rate >= 1GB", "0 1"},
                                                         {"name = MatMulV2", "0"},
                                                         {"name = \"matmulv2\"", ""},
                                                         {"name != \"Add\"", "0 1 3"},
                                                         {"name < \"B\"", "2"},
                                                         {"name <= \"B\"", "2"},
                                                         {"name > \"B\"", "0 1 3"},
                                                         {"name < \"FlashAttention\"", "2"},
                                                         {"name <= \"FlashAttention\"", "1 2"},
                                                         {"name > \"FlashAttention\"", "0 3"},
                                                         {"name >= \"FlashAttention\"", "0 1 3"},
                                                         {"name > Zzz", "3"},
                                                         {"name in (Add, \"MatMulV2\", nothing)", "0 2"},
                                                         {"name ~ mat", "0"},
                                                         {"name ~ Mat", "0"},
                                                         {"name ~ MAT", ""},
                                                         {"name ~ \"^a\"", "2 3"},
                                                         {"name ~ \"\\d\"", "0"},
                                                         {"name ~ \"mat\\D\"", "0"},
                                                         {"name !~ \"a\"", ""},
                                                         {"name !~ flash", "0 2 3"},
                                                         {"name = \"a \\\"b\\\" (c)\"", "3"},
                                                         {"name = 'a \"b\" (c)'", "3"},
                                                         {"\"(c)\"", "3"},
                                                         {"\"ADD\"", ""},
                                                         {"\"add\"", "2"},
                                                         {"flash", "1"},
                                                         {"FLASH", ""},
                                                         {"mat v2", "0"},
                                                         {"mat flash", ""},
                                                         {"flash or add", "1 2"},
                                                         {"add dur", "filter.expected_operator"},
                                                         {"flash and dur > 1", "1"},
                                                         {"not flash and dur > 50us", "0 2"},
                                                         {"(flash or mat) and dur = 100us", "0"},
                                                         {"2", "0"},
                                                         {"\"mat\" v2", "0"},
                                                         {"in", ""},
                                                         {"step = none", "2"},
                                                         {"step != none", "0 1 3 4"},
                                                         {"step != 1", "1 3"},
                                                         {"step = 0x3", "3"},
                                                         {"size >= 0x400 and size = 0X100000", "3"},
                                                         {"name = 0x3", ""},
                                                         {"step in (none, 3)", "2 3"},
                                                         {"name = none", "4"},
                                                         {"not step = 1", "1 2 3"},
                                                         {"not (step = 1 or step = 2)", "2 3"},
                                                         {"step = 1 or step = 2 and dur > 1", "0 1 4"},
                                                         {"(step = 1 or step = 2) and dur > 1", "0 1"},
                                                         {"NOT step = 1 AND dur > 1ns", "1 2 3"},
                                                         {"ts > 1ms", "1 3"},
                                                         {"ts = 1000000000001", "4"},
                                                         {"ts <= 0s", "2"},
                                                         {"", "empty"},
                                                         {"  ", "empty"}};
    for (const auto& [filter, rows] : cases)
        QTest::addRow("%s", filter) << QString::fromUtf8(filter) << QString::fromUtf8(rows);
}

void TestFilterExpression::passes() {
    QFETCH(QString, filter);
    QFETCH(QString, rows);
    QCOMPARE(passing(filter.toStdString()), rows);
}

void TestFilterExpression::pointsAtWhatIsWrong_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("place");
    const char* cases[][3] = {{"durr > 1", "filter.unknown_column_near", "durr"},
                              {"bandwidth > 1", "filter.unknown_column", "bandwidth"},
                              {"dur", "filter.expected_comparison", ""},
                              {"dur 5", "filter.expected_comparison", "5"},
                              {"dur >", "filter.expected_value", ""},
                              {"dur > \"a\"", "filter.expected_number", "\"a\""},
                              {"dur > 1KB", "filter.wrong_unit", "1KB"},
                              {"dur > 5%", "filter.wrong_unit", "5%"},
                              {"step > 5us", "filter.wrong_unit", "5us"},
                              {"step = 0xg", "filter.wrong_unit", "0xg"},
                              {"step = 0 x3", "filter.wrong_unit", "0 x3"},
                              {"dur > 1..2", "filter.expected_number", "1..2"},
                              {"dur > 99999999999999999999", "filter.expected_number", "99999999999999999999"},
                              {"dur ~ \"1\"", "filter.not_text", "~"},
                              {"name ~ \"(\"", "filter.bad_pattern", "\"(\""},
                              {"(dur > 1", "filter.open_parenthesis", "("},
                              {"dur > 1)", "filter.expected_operator", ")"},
                              {"dur > 1 dur", "filter.wrong_unit", "1 dur"},
                              {"name = a name", "filter.expected_operator", "name"},
                              {"dur > 1 and", "filter.expected_column", ""},
                              {"dur in 5", "filter.expected_list", "5"},
                              {"dur in (5", "filter.open_parenthesis", "("},
                              {"step < none", "filter.none_has_no_order", "none"},
                              {"dur ! 5", "filter.expected_comparison", "!"},
                              {"; drop", "filter.expected_column", ";"}};
    for (const auto& [filter, code, place] : cases)
        QTest::addRow("%s", filter) << QString::fromUtf8(filter) << QString::fromUtf8(code) << QString::fromUtf8(place);
}

void TestFilterExpression::pointsAtWhatIsWrong() {
    QFETCH(QString, filter);
    QFETCH(QString, code);
    QFETCH(QString, place);
    const std::string text = filter.toStdString();
    const ParsedFilter parsed = parseFilter(text, kernels()->columns());
    QVERIFY(!parsed.root && parsed.problem);
    QCOMPARE(QString::fromStdString(parsed.problem->code), code);
    QCOMPARE(QString::fromStdString(text.substr(parsed.problem->begin, parsed.problem->end - parsed.problem->begin)),
             place);
    const std::string sentence = catalogueText(parsed.problem->code, "en", parsed.problem->parameters);
    QVERIFY2(sentence != parsed.problem->code && sentence.find('{') == std::string::npos, sentence.c_str());
}

/// Of two recordings of rank 1 a filter took both: "1 · run_2" was no number.
void TestFilterExpression::aRankIsFilteredAsItIsShown_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("rows");
    const std::pair<const char*, const char*> cases[] = {{"rank_id = 1", "0 1"},
                                                         {"rank_id = \"1 · run_1/x\"", "0"},
                                                         {"rank_id = 1 · run_2", "1"},
                                                         {"rank_id = run_2", "1"},
                                                         {"rank_id != \"1 · run_2\"", "0 2 3"},
                                                         {"rank_id != 1", "2 3"},
                                                         {"rank_id != rank_x", "0 1 2"},
                                                         {"rank_id != none", "0 1 2"},
                                                         {"rank_id = none", "3"},
                                                         {"rank_id = \"1\"", "0 1"},
                                                         {"rank_id in (\"2\", 1 · run_2)", "1 2"},
                                                         {"rank_id = 1 us", "filter.wrong_unit"},
                                                         {"rank_id = 1 · run_2 and step = 5", ""},
                                                         {"rank_id in (2, \"1 · run_2\")", "1 2"},
                                                         {"rank_id in (rank_x, 2)", "2 3"},
                                                         {"rank_id = rank_x", "3"},
                                                         {"rank_id ~ \"run_\"", "0 1"},
                                                         {"rank_id ~ 1", "0 1"},
                                                         {"rank_id ~ 2", "1 2"},
                                                         {"rank_id ~ \"^2$\"", "2"},
                                                         {"rank_id !~ \"run_2\"", "0 2 3"},
                                                         {"RUN_2", ""},
                                                         {"run_2", "1"},
                                                         {"not run_2", "0 2 3"},
                                                         {"rank_id > run_2", "filter.expected_number"},
                                                         {"step = run_2", "filter.expected_number"},
                                                         {"step ~ run_2", "filter.not_text"}};
    for (const auto& [filter, rows] : cases) QTest::newRow(filter) << QString::fromUtf8(filter) << rows;
}

void TestFilterExpression::aRankIsFilteredAsItIsShown() {
    QFETCH(QString, filter);
    ColumnTableBuilder builder({{.name = "rank_id"}, {.name = "step"}, {.name = "name", .type = CellType::Text}});
    const std::pair<std::optional<std::int64_t>, const char*> ranks[] = {
        {1, "run_1/x"}, {1, "run_2"}, {2, ""}, {std::nullopt, "rank_x"}};
    for (const auto& [number, place] : ranks) {
        addRank(builder, number, place);
        builder.setText(2, "a");
    }
    const auto table = builder.finish();
    QTEST(passing(table, filter.toStdString()), "rows");
    // What the menu of a row makes of the cell.
    QCOMPARE(passing(table, "rank_id = " + rowLiteral(*table, 0, 1)), QStringLiteral("1"));
    QCOMPARE(passing(table, "rank_id = " + rowLiteral(*table, 0, 2)), QStringLiteral("2"));
    const std::string begun = "rank_id = ";
    const auto offered = completeFilter(begun, begun.size(), *table, {}).words;
    QVERIFY(std::find(offered.begin(), offered.end(), "\"1 · run_2\"") != offered.end());
}

/// Folders are named by days: their labels were numbers with wrong units, or other numbers.
void TestFilterExpression::foldersMayBeNumbers_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("rows");
    const std::pair<const char*, const char*> cases[] = {{"rank_id = 1 · 20240501", "0"},
                                                         {"rank_id = 1 · 20240501_x", "1"},
                                                         {"rank_id = 1 · 2024_05-1/a", "2"},
                                                         {"rank_id = 20240501", "0 4"},
                                                         {"rank_id = \"20240501\"", "0 4"},
                                                         {"rank_id = 20240501_x", "1"},
                                                         {"rank_id = 2024_05-1/a", "2"},
                                                         {"rank_id != 20240501_x", "0 2 3 4"},
                                                         {"rank_id in (20240501_x, 1 · 2024_05-1/a)", "1 2"},
                                                         {"rank_id ~ 2024_05", "2"},
                                                         {"rank_id ~ 202405", "0 1 4"},
                                                         {"rank_id = 1", "0 1 2"},
                                                         {"rank_id = 1 and rank_id ~ 2024", "0 1 2"},
                                                         {"name ~ 2024_05", "1"},
                                                         {"name = 2024_05", "1"}};
    for (const auto& [filter, rows] : cases) QTest::newRow(filter) << QString::fromUtf8(filter) << rows;
}

void TestFilterExpression::foldersMayBeNumbers() {
    QFETCH(QString, filter);
    ColumnTableBuilder builder({{.name = "rank_id"}, {.name = "name", .type = CellType::Text}});
    addRank(builder, 1, "20240501");
    addRank(builder, 1, "20240501_x");
    builder.setText(1, "2024_05");
    addRank(builder, 1, "2024_05-1/a");
    addRank(builder, 2, "");
    addRank(builder, std::nullopt, "20240501");
    const auto table = builder.finish();
    QTEST(passing(table, filter.toStdString()), "rows");
    for (const std::size_t row : {0, 1, 2})
        QCOMPARE(passing(table, "rank_id = " + rowLiteral(*table, 0, row)), QString::number(row));
}

void TestFilterExpression::labelsAreCompleted() {
    ColumnTableBuilder builder({{.name = "rank_id"}, {.name = "step"}});
    // Ranks of one folder one after another.
    for (const int number : {1, 2}) addRank(builder, number, "run_2");
    const auto table = builder.finish();
    const auto offered = [&](const std::string& text) {
        const FilterCompletion completion = completeFilter(text, text.size(), *table, {});
        QStringList whole;
        for (const std::string& word : completion.words)
            whole << QString::fromStdString(text.substr(0, completion.begin) + word);
        return whole;
    };
    QVERIFY(offered("rank_id = ").contains(QStringLiteral("rank_id = \"1 · run_2\"")));
    QVERIFY(offered("rank_id = ").contains(QStringLiteral("rank_id = \"2 · run_2\"")));
    for (const char* text : {"rank_id = 1 · ", "rank_id = 1 · r", "rank_id = 1 · run_2"})
        QCOMPARE(offered(text), QStringList{QStringLiteral("rank_id = \"1 · run_2\"")});
    QCOMPARE(offered("rank_id in (1 · r"), QStringList{QStringLiteral("rank_id in (\"1 · run_2\"")});
    QVERIFY(offered("rank_id ").contains(QStringLiteral("rank_id ~")));
    QVERIFY(!offered("step ").contains(QStringLiteral("step ~")));
    for (const std::string text : {"rank_id = 1 · run_2 ", "rank_id = 1 · 2024 ", "rank_id = 2024-1 "})
        QVERIFY2(offered(text).contains(QString::fromStdString(text + "and")), text.c_str());
}

void TestFilterExpression::headingsAreNames_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("rows");
    const std::pair<const char*, const char*> cases[] = {{"Duration > 100us", "1"},
                                                         {"duration > 100us", "1"},
                                                         {"Start time > 1ms", "1 3"},
                                                         {"START TIME > 1ms and Duration > 1us", "1"},
                                                         {"\"Start time\" > 1ms", "1 3"},
                                                         {"开始时间 > 1ms", "1 3"},
                                                         {"Share (%) > 5%", "0 2 4"},
                                                         {"Duration in (7, 1)", "3 4"},
                                                         {"Start > 1ms", "1 3"},
                                                         {"Start times > 1ms", "filter.expected_operator"},
                                                         // Without a comparison they are words like others.
                                                         {"Start time", ""},
                                                         {"name ~ \"a\" and Duration < 1us", "3"}};
    for (const auto& [filter, rows] : cases)
        QTest::addRow("%s", filter) << QString::fromUtf8(filter) << QString::fromUtf8(rows);
}

void TestFilterExpression::headingsAreNames() {
    QFETCH(QString, filter);
    QFETCH(QString, rows);
    const std::vector<ColumnAlias> headings{{"Duration", 1}, {"Start", 6},     {"Start time", 6},
                                            {"", 0},         {"Share (%)", 3}, {"开始时间", 6}};
    QCOMPARE(passing(filter.toStdString(), headings), rows);
}

void TestFilterExpression::aWrongNameHasASuggestion() {
    const std::vector<ColumnAlias> headings{{"Duration", 1}};
    const auto suggested = [&](std::string_view filter) {
        const ParsedFilter parsed = parseFilter(filter, kernels()->columns(), headings);
        if (!parsed.problem || parsed.problem->code != "filter.unknown_column_near") return std::string();
        return parsed.problem->parameters.front().second;
    };
    QCOMPARE(suggested("durr > 1"), "dur");
    QCOMPARE(suggested("naem = a"), "name");
    QCOMPARE(suggested("Durations > 1"), "Duration");
    QCOMPARE(suggested("SHARE > 1"), "share");
    QCOMPARE(suggested("bandwidth > 1"), "");
    QCOMPARE(suggested("x > 1"), "");
}

void TestFilterExpression::hostileInput() {
    QCOMPARE(passing(std::string(5000, 'a')), QStringLiteral("filter.too_long"));
    QCOMPARE(passing(std::string(2000, '(')), QStringLiteral("filter.too_deep"));
    std::string nots;
    for (int i = 0; i < 900; ++i) nots += "not ";
    QCOMPARE(passing(nots + "dur = 1"), QStringLiteral("filter.too_deep"));
    std::string deep = std::string(60, '(') + "dur = 7" + std::string(60, ')');
    QCOMPARE(passing(deep), QStringLiteral("3"));
    std::string wide = "dur = 7";
    while (wide.size() < 4000) wide += " or dur = 7";
    QCOMPARE(passing(wide), QStringLiteral("3"));
    // Any bytes at all end in an answer.
    for (int seed = 0; seed < 20000; ++seed) {
        static const char* const kWords[] = {"dur ", "name ", "> ", "\"",    "(",  ")",    "and ", "or ", "not ",
                                             "in ",  "5us ",  "~ ", "none ", "\\", "\xff", "%",    "."};
        std::string text;
        unsigned state = static_cast<unsigned>(seed) * 2654435761U + 1;
        for (int i = 0; i < 12; ++i) {
            state = state * 1664525U + 1013904223U;
            text += kWords[(state >> 16) % std::size(kWords)];
        }
        (void)passing(text);
        (void)completeFilter(text, text.size(), *kernels(), {});
    }
}

void TestFilterExpression::costlyPattern() {
    ColumnTableBuilder builder({{"name", CellType::Text}});
    builder.addRow();
    builder.setText(0, std::string(60, 'a'));
    const auto table = builder.finish();
    const ParsedFilter parsed = parseFilter("name ~ \"(a+)+b\"", table->columns());
    QVERIFY(parsed.root.has_value());
    const RowFilter filter(table, *parsed.root);
    std::uint8_t mask = 1;
    filter.match(0, {&mask, 1});
    QCOMPARE(mask, std::uint8_t{0});
    // Either it is found impossible at once, or it is given up.
    (void)filter.tooCostly();
}

void TestFilterExpression::completes_data() {
    QTest::addColumn<QString>("text");  // | is the cursor
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("whole");
    const char* cases[][3] = {{"|", "name", "name"},
                              {"du|", "dur", "dur"},
                              {"dur |", ">", "dur >"},
                              {"name |", "=", "name ="},
                              {"name = |", "\"Add\"", "name = \"Add\""},
                              {"name = fl|", "\"FlashAttention\"", "name = \"FlashAttention\""},
                              {"name = \"fl|", "\"FlashAttention\"", "name = \"FlashAttention\""},
                              {"name = b|", "\"a \\\"b\\\" (c)\"", "name = \"a \\\"b\\\" (c)\""},
                              {"dur > 5us |", "and", "dur > 5us and"},
                              {"dur > 5us and ra|te < 1", "rate", "dur > 5us and ratete < 1"},
                              {"name in (|", "\"Add\"", "name in (\"Add\""},
                              {"name in (Add |", ",", "name in (Add ,"},
                              {"step = |", "none", "step = none"},
                              {"not |", "name", "not name"}};
    for (const auto& [text, first, whole] : cases)
        QTest::addRow("%s", text) << QString::fromUtf8(text) << QString::fromUtf8(first) << QString::fromUtf8(whole);
}

void TestFilterExpression::completes() {
    QFETCH(QString, text);
    QFETCH(QString, first);
    QFETCH(QString, whole);
    std::string plain = text.toStdString();
    const std::size_t cursor = plain.find('|');
    plain.erase(cursor, 1);
    const FilterCompletion completion = completeFilter(plain, cursor, *kernels(), {});
    QVERIFY(!completion.words.empty());
    QCOMPARE(QString::fromStdString(completion.words.front()), first);
    QCOMPARE(QString::fromStdString(
                 plain.replace(completion.begin, completion.end - completion.begin, completion.words.front())),
             whole);
}

/// "and" was offered, and made "5usand".
void TestFilterExpression::nothingIsOfferedRightAfterAValue() {
    for (const std::string_view text : {"dur > 5us", "(dur > 5us)", "name = \"Add\""})
        QVERIFY2(completeFilter(text, text.size(), *kernels(), {}).words.empty(), text.data());
}

void TestFilterExpression::literalsReadBack() {
    const auto table = kernels();
    for (std::size_t column = 0; column < table->columns().size(); ++column) {
        for (std::size_t row = 0; row < table->rowCount(); ++row) {
            const std::string filter =
                table->columns()[column].name + " = " + filterLiteral(*table, column, table->cell(column, row));
            const ParsedFilter parsed = parseFilter(filter, table->columns());
            QVERIFY2(parsed.root, filter.c_str());
            std::vector<std::uint8_t> mask(table->rowCount());
            RowFilter(table, *parsed.root).match(0, mask);
            for (std::size_t i = 0; i < mask.size(); ++i)
                QCOMPARE(mask[i] != 0, table->cell(column, i) == table->cell(column, row));
        }
    }
}

ALTI_TEST(TestFilterExpression)
#include "tst_filter_expression.moc"
