#include "core/tables/order/table_order.h"

#include "core/tables/filters/row_filter.h"
#include "core/tables/sources/column_table.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace altiscope;

namespace {

struct PlainRow {
    std::optional<std::int64_t> number;
    std::optional<double> real;
    std::optional<std::string> text;
};

/// Values that fall together often, that are far apart, and that are absent.
std::vector<PlainRow> randomRows(std::size_t count, unsigned seed, bool wide) {
    std::mt19937 random(seed);
    std::vector<PlainRow> rows(count);
    for (PlainRow& row : rows) {
        const auto pick = random();
        if (pick % 7 != 0) {
            const auto value = static_cast<std::int64_t>(random());
            row.number = wide ? (value - 2'000'000'000) * 4'000'000'000 : value % 50 - 25;
        }
        if (pick % 5 != 0) row.real = (static_cast<double>(random() % 1000) - 500) / 8;
        if (pick % 11 != 0) row.text = "name" + std::to_string(random() % 40);
    }
    return rows;
}

std::shared_ptr<const ColumnTable> tableOf(const std::vector<PlainRow>& rows) {
    ColumnTableBuilder builder({{"number", CellType::Integer}, {"real", CellType::Real}, {"text", CellType::Text}});
    for (const PlainRow& row : rows) {
        builder.addRow();
        builder.setInteger(0, row.number);
        if (row.real) builder.setReal(1, *row.real);
        if (row.text) builder.setText(2, *row.text);
    }
    return builder.finish();
}

template <class T>
int compared(const std::optional<T>& a, const std::optional<T>& b, bool descending) {
    if (a.has_value() != b.has_value()) return a ? -1 : 1;
    if (!a || *a == *b) return 0;
    return (*a < *b) != descending ? -1 : 1;
}

std::vector<std::uint32_t> sortedByHand(const std::vector<PlainRow>& rows, const std::vector<SortKey>& keys) {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        for (const SortKey& key : keys) {
            const int c = key.column == 0   ? compared(rows[a].number, rows[b].number, key.descending)
                          : key.column == 1 ? compared(rows[a].real, rows[b].real, key.descending)
                                            : compared(rows[a].text, rows[b].text, key.descending);
            if (c != 0) return c < 0;
        }
        return false;
    });
    return order;
}

}  // namespace

class TestTableOrder : public QObject {
    Q_OBJECT
private slots:
    void sortsLikeAStableSort_data();
    void sortsLikeAStableSort();
    void firstRowsComeBeforeAll_data();
    void firstRowsComeBeforeAll();
    void textsWithAnOrderOfTheirOwn();
    void filtersAndFollows();
    void emptyTable();
    void stopsWhenAsked();
};

void TestTableOrder::sortsLikeAStableSort_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("wide");
    QTest::addColumn<std::vector<SortKey>>("keys");
    const std::vector<std::pair<const char*, std::vector<SortKey>>> cases{
        {"integers", {{0, false}}},
        {"integers, greatest first, absent still last", {{0, true}}},
        {"reals", {{1, false}}},
        {"reals, greatest first", {{1, true}}},
        {"texts", {{2, false}}},
        {"text, then number", {{2, true}, {0, false}}},
        {"three keys", {{2, false}, {0, true}, {1, false}}},
        {"no key", {}}};
    for (const auto& [name, keys] : cases) {
        QTest::addRow("%s", name) << 3000 << false << keys;
        QTest::addRow("%s, 64 bits apart", name) << 200'000 << true << keys;
    }
}

void TestTableOrder::sortsLikeAStableSort() {
    QFETCH(int, rows);
    QFETCH(bool, wide);
    QFETCH(std::vector<SortKey>, keys);
    const auto plain = randomRows(static_cast<std::size_t>(rows), 1, wide);
    const auto table = tableOf(plain);
    const auto result = orderRows(*table, {.filter = {}, .sort = keys, .follow = {}}, {}, {});
    QVERIFY(result && result->complete);
    QCOMPARE(result->count, plain.size());
    const auto expected = sortedByHand(plain, keys);
    for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(result->row(i), expected[i]);
}

void TestTableOrder::firstRowsComeBeforeAll_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<std::vector<SortKey>>("keys");
    QTest::addRow("sorted") << QString() << std::vector<SortKey>{{1, true}};
    QTest::addRow("filtered") << QStringLiteral("text = name7") << std::vector<SortKey>{};
    QTest::addRow("by two columns") << QString() << std::vector<SortKey>{{2, false}, {0, true}};
    QTest::addRow("by three, absent cells in all")
        << QString() << std::vector<SortKey>{{0, true}, {2, true}, {1, false}};
    QTest::addRow("both") << QStringLiteral("text = name7") << std::vector<SortKey>{{0, false}};
}

void TestTableOrder::firstRowsComeBeforeAll() {
    QFETCH(QString, filter);
    QFETCH(std::vector<SortKey>, keys);
    const auto table = tableOf(randomRows(700'000, 2, false));
    TableQuery query{.filter = {}, .sort = keys, .firstRows = 100, .follow = {}};
    if (!filter.isEmpty())
        query.filter = std::make_shared<RowFilter>(table, *parseFilter(filter.toStdString(), table->columns()).root);
    std::vector<TableRows> early;
    const auto result = orderRows(*table, query, [&](TableRows rows) { early.push_back(std::move(rows)); }, {});
    QVERIFY(result && result->complete);
    QCOMPARE(early.size(), std::size_t{1});
    QVERIFY(!early.front().complete);
    QCOMPARE(early.front().count, std::size_t{100});
    for (std::size_t i = 0; i < 100; ++i) QCOMPARE(early.front().row(i), result->row(i));
}

void TestTableOrder::textsWithAnOrderOfTheirOwn() {
    ColumnTableBuilder builder({{.name = "severity", .type = CellType::Text, .order = {"low", "medium", "high"}}});
    for (const char* text : {"medium", "high", "", "low", "unknown", "high"}) {
        builder.addRow();
        if (*text != '\0') builder.setText(0, text);
    }
    const auto table = builder.finish();
    const auto rows = [&](bool descending) {
        return orderRows(*table, {.filter = {}, .sort = {{0, descending}}, .follow = {}}, {}, {})->rows;
    };
    // What the order does not name comes after it, what is absent last.
    QCOMPARE(rows(false), (std::vector<std::uint32_t>{3, 0, 1, 5, 4, 2}));
    QCOMPARE(rows(true), (std::vector<std::uint32_t>{4, 1, 5, 0, 3, 2}));
}

void TestTableOrder::filtersAndFollows() {
    const auto plain = randomRows(5000, 3, false);
    const auto table = tableOf(plain);
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t row : sortedByHand(plain, {{1, false}})) {
        if (plain[row].number && *plain[row].number > 10) expected.push_back(row);
    }
    TableQuery query{.filter = {}, .sort = {{1, false}}, .follow = expected[17]};
    query.filter = std::make_shared<RowFilter>(table, *parseFilter("number > 10", table->columns()).root);
    const auto result = orderRows(*table, query, {}, {});
    QVERIFY(result.has_value());
    QCOMPARE(result->rows, expected);
    QCOMPARE(result->total, std::size_t{5000});
    QCOMPARE(result->place, std::optional<std::size_t>(17));
    const auto hidden =
        std::find_if(plain.begin(), plain.end(), [](const PlainRow& row) { return row.number && *row.number < 0; });
    query.follow = static_cast<std::uint32_t>(hidden - plain.begin());
    QVERIFY(!orderRows(*table, query, {}, {})->place);
}

void TestTableOrder::emptyTable() {
    const auto table = tableOf({});
    const auto result = orderRows(*table, {.filter = {}, .sort = {{0, true}}, .follow = {}}, {}, {});
    QVERIFY(result.has_value());
    QCOMPARE(result->count, std::size_t{0});
}

void TestTableOrder::stopsWhenAsked() {
    const auto table = tableOf(randomRows(100'000, 4, false));
    const CancelToken token;
    token.requestCancel();
    QVERIFY(!orderRows(*table, {.filter = {}, .sort = {{0, false}}, .follow = {}}, {}, token));
}

ALTI_TEST(TestTableOrder)
#include "tst_table_order.moc"
