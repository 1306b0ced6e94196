#include "core/query/database.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"
#include "views/common/plots/plot_view.h"
#include "views/sql/results/result_plot.h"

#include <QSignalSpy>

#include <cmath>

using namespace altiscope;

namespace {

std::shared_ptr<const SqlTable> tableOf(const char* sql) {
    SqlRows rows({});
    if (!QueryDatabase(std::make_shared<CaptureStore>()).run(sql, rows, {}).ok()) return nullptr;
    return rows.finish({});
}

PlotChoice choiceOf(PlotChoice::Kind kind, std::optional<std::size_t> across, std::vector<std::size_t> values) {
    return {kind, across, std::move(values)};
}

}  // namespace

/// Results as plots: what is chosen by itself, and that every value is where it belongs.
class TestResultPlot : public QObject {
    Q_OBJECT
private slots:
    void usualChoiceFitsTheResult();
    void barsAreNamedByWhatTellsThemApart();
    void barsHaveAValueEach();
    void linesStandInTheOrderOfTheirPlaces();
    void histogramCountsEveryValue();
    void resultsWithoutNumbersSayWhy();
    void choiceStaysWhileColumnsDo();
};

void TestResultPlot::usualChoiceFitsTheResult() {
    const auto few = tableOf("SELECT 'a' AS name, 3 AS rank_id, 7 AS total UNION ALL SELECT 'b', 4, 9");
    const auto choice = usualChoice(*few);
    QVERIFY(choice && choice->kind == PlotChoice::Kind::Bars);
    // What ranks are called is no quantity.
    QCOMPARE(choice->values, std::vector<std::size_t>{2});
    QVERIFY(choice->across == std::optional<std::size_t>(0));
    const auto many = tableOf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                              "SELECT i * i AS square FROM n");
    QVERIFY(usualChoice(*many)->kind == PlotChoice::Kind::Histogram);
    QVERIFY(!usualChoice(*tableOf("SELECT 'a' AS name")));
    QVERIFY(!usualChoice(*tableOf("SELECT 1 AS x WHERE 0")));
}

/// Of "Kernel time by type" all bars but one were called "compute".
void TestResultPlot::barsAreNamedByWhatTellsThemApart() {
    const auto table = tableOf("SELECT 'compute' AS kind, 'Add' AS type, 'AIC' AS core, 7 AS total UNION ALL "
                               "SELECT 'compute', 'Mul', 'AIV', 9 UNION ALL SELECT 'compute', 'Sub', 'AIV', 9");
    QVERIFY(usualChoice(*table)->across == std::optional<std::size_t>(1));
    // Of equal ones the first.
    const auto equal = tableOf("SELECT 'a' AS name, 'x' AS other, 7 AS total UNION ALL SELECT 'b', 'y', 9");
    QVERIFY(usualChoice(*equal)->across == std::optional<std::size_t>(0));
    // What is too long to be read below a bar is taken only where nothing else tells them apart.
    const std::string stack(61, 'x');
    for (const std::string& text : {stack, std::string("{\"a\":"), std::string("[1, ")}) {
        const auto sql = [&](const char* first, const char* second) {
            return "SELECT '" + text + "1' AS args, '" + first + "' AS name, 7 AS total UNION ALL SELECT '" + text +
                   "2', '" + second + "', 9 UNION ALL SELECT '" + text + "3', '" + second + "', 9";
        };
        QVERIFY(usualChoice(*tableOf(sql("a", "b").c_str()))->across == std::optional<std::size_t>(1));
        QVERIFY(usualChoice(*tableOf(sql("a", "a").c_str()))->across == std::optional<std::size_t>(0));
    }
    const auto one = tableOf("SELECT '{}' AS args, 'a' AS name, 7 AS total");
    QVERIFY(usualChoice(*one)->across == std::optional<std::size_t>(1));
}

void TestResultPlot::barsHaveAValueEach() {
    const auto table = tableOf("SELECT 'a' AS name, 3 AS v UNION ALL SELECT 'b', NULL UNION ALL SELECT 'c', -5");
    const auto picture = resultPicture(table, choiceOf(PlotChoice::Kind::Bars, 0, {1}), {});
    const auto* bars = std::get_if<StackedBars>(&picture);
    QVERIFY(bars != nullptr);
    QCOMPARE(bars->labels, (QStringList{QStringLiteral("a"), QStringLiteral("c")}));
    QCOMPARE(bars->series.front().values, (std::vector<double>{3, -5}));
    QVERIFY(bars->tip(1, 2).contains(QStringLiteral("v: -5")));
    QVERIFY(bars->tip(0, 2).contains(QStringLiteral("2")));
}

void TestResultPlot::linesStandInTheOrderOfTheirPlaces() {
    const auto table = tableOf("SELECT 30 AS x, 1 AS y, 0.5 AS z UNION ALL SELECT 10, 2, NULL UNION ALL "
                               "SELECT NULL, 3, 1.5 UNION ALL SELECT 20, 4, 2.5");
    const auto picture = resultPicture(table, choiceOf(PlotChoice::Kind::Lines, 0, {1, 2}), {});
    const auto* lines = std::get_if<NumberLines>(&picture);
    QVERIFY(lines != nullptr);
    QCOMPARE(lines->places, (std::vector<double>{10, 20, 30}));
    QCOMPARE(lines->lines.size(), std::size_t{2});
    QCOMPARE(lines->lines[0].values, (std::vector<double>{2, 4, 1}));
    QVERIFY(std::isnan(lines->lines[1].values[0]));
    QCOMPARE(lines->lines[1].values[1], 2.5);
    QVERIFY(lines->tip(1).contains(QStringLiteral("y: 4")));
}

void TestResultPlot::histogramCountsEveryValue() {
    for (const char* sql :
         {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i AS v "
          "FROM n",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
          "SELECT i / 1000.0 - 0.05 AS v FROM n"}) {
        const auto picture = resultPicture(tableOf(sql), choiceOf(PlotChoice::Kind::Histogram, {}, {0}), {});
        const auto* histogram = std::get_if<Histogram>(&picture);
        QVERIFY(histogram != nullptr);
        QCOMPARE(histogram->count(0, histogram->counts.size()), std::uint64_t{300});
        const double first = static_cast<double>(histogram->first) * histogram->scale;
        QVERIFY(std::abs(first - (histogram->scale == 1 ? 1 : -0.049)) < 1e-6);
    }
}

void TestResultPlot::resultsWithoutNumbersSayWhy() {
    JobRunner jobs;
    Session session(jobs);
    ResultPlot plot(session);
    plot.resize(600, 300);
    plot.show();
    plot.setTable(tableOf("SELECT 'a' AS name"));
    QVERIFY(!plot.choice());
    plot.setTable(tableOf("SELECT 2 AS v"));
    QVERIFY(QTest::qWaitFor([&] { return plot.idle(); }, 10'000));
    QVERIFY(!std::holds_alternative<std::monostate>(plot.shown()));
}

void TestResultPlot::choiceStaysWhileColumnsDo() {
    JobRunner jobs;
    Session session(jobs);
    ResultPlot plot(session);
    plot.resize(600, 300);
    plot.show();
    plot.setTable(tableOf("SELECT 1 AS a, 2 AS b"));
    plot.choose(choiceOf(PlotChoice::Kind::Histogram, {}, {1}));
    plot.setTable(tableOf("SELECT 3 AS a, 4 AS b UNION ALL SELECT 5, 6"));
    QVERIFY(plot.choice()->kind == PlotChoice::Kind::Histogram && plot.choice()->values.front() == 1);
    QVERIFY(QTest::qWaitFor([&] { return plot.idle(); }, 10'000));
    const auto* histogram = std::get_if<Histogram>(&plot.shown());
    QVERIFY(histogram != nullptr && histogram->count(0, histogram->counts.size()) == 2);
    plot.setTable(tableOf("SELECT 'x' AS name, 4 AS b"));
    QVERIFY(plot.choice()->kind == PlotChoice::Kind::Bars);
}

ALTI_TEST(TestResultPlot)
#include "tst_result_plot.moc"
