#include "core/report/comparison_json.h"
#include "core/report/document/comparison_tables.h"

#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

using namespace altiscope;

namespace {

/// 60 significant kernels, of which one is beyond the limit and only counted, with four more.
Comparison cutComparison() {
    Comparison comparison;
    for (std::int64_t i = 0; i < 59; ++i) {
        Difference difference{.dimension = Dimension::Kernel, .key = "kernel", .rankId = {}, .change = {}};
        difference.change = {.base = 0, .current = 100 - i, .change = 100 - i, .low = {}, .high = {}};
        difference.change.significant = true;
        comparison.differences.push_back(difference);
    }
    comparison.significant = 60;
    comparison.omitted[static_cast<std::size_t>(Dimension::Kernel)] = 5;
    return comparison;
}

}  // namespace

class TestComparisonText : public QObject {
    Q_OBJECT
private slots:
    void tablesCountWhatTheyLeaveOut() {
        const auto tables = comparisonTables(cutComparison(), "en");
        QCOMPARE(tables.size(), std::size_t{3});
        QCOMPARE(tables[1].rows.size() + tables[1].omitted, std::size_t{60});
        QCOMPARE(tables[1].rows.size(), std::size_t{50});
        QCOMPARE(tables[2].rows.size() + tables[2].omitted, std::size_t{64});
        Report report;
        report.language = "en";
        report.sections.push_back({"compare", "c", "t", tables});
        QVERIFY(reportHtml(report).find("50 of 60 rows; the others are left out.") != std::string::npos);
    }

    void orderOfKernelsIsInTheReport() {
        Comparison comparison = cutComparison();
        OrderComparison order;
        order.base = {.rankId = 0, .step = 5, .rank = {0}, .kernels = 103, .isCut = false};
        order.current = {.rankId = 1, .step = {}, .rank = {1}, .kernels = 102, .isCut = true};
        order.same = 101;
        order.rows.resize(60);
        order.rows[0].kind = OrderKind::Fused;
        order.rows[0].base = {"Mul | Mul | 2", "<b>Add</b>"};
        order.rows[0].current = {"Axpy"};
        order.rows[0].count = 7;
        order.rows[0].change = {.base = 3'000'000, .current = 1'000'000, .change = -2'000'000, .low = {}, .high = {}};
        order.omitted = 4;
        comparison.order = order;
        const ReportTable table = comparisonTables(comparison, "en").back();
        QCOMPARE(table.rows.size() + table.omitted, std::size_t{64});
        QVERIFY2(table.note.find("rank 0, step 5 of the base beside rank 1, step - of the current side: 101 kernels") ==
                     0,
                 table.note.c_str());
        QVERIFY(table.note.find("Only the first 200000 kernels") != std::string::npos);
        Report report;
        report.language = "en";
        report.sections.push_back({"compare", "c", "t", {table}});
        const std::string html = reportHtml(report), json = reportJson(report);
        QVERIFY(html.find("Mul | Mul | 2 + &lt;b&gt;Add&lt;/b&gt;") != std::string::npos);
        QVERIFY(html.find(">-2.0 ms<") != std::string::npos);
        QVERIFY(html.find("101 kernels are the same") != std::string::npos);
        QVERIFY(json.find("[\"fused\",\"Mul | Mul | 2 + <b>Add</b>\",\"Axpy\",7,3000000,1000000,-2000000,null,null]") !=
                std::string::npos);
    }

    void kernelsInTheSameOrderAreSaidToBe() {
        Comparison comparison;
        comparison.order.emplace();
        comparison.order->same = 5;
        Report report;
        report.language = "zh_CN";
        report.sections.push_back({"compare", "c", "t", {comparisonTables(comparison, "zh_CN").back()}});
        const std::string html = reportHtml(report);
        QVERIFY(html.find("5 个相同") != std::string::npos);
        QVERIFY(html.find("此表没有数据") == std::string::npos);
    }

    void aFindingOnAnotherRankNamesBoth() {
        Comparison comparison;
        Difference moved{.dimension = Dimension::Finding, .key = "slow_rank", .rankId = {}, .change = {}};
        moved.baseRanks = {2};
        moved.currentRanks = {1, 3};
        comparison.differences = {moved};
        const std::string text = comparisonText(comparison, {0, 5});
        QVERIFY2(text.find("slow_rank (ranks 2 -> 1, 3)\n") != std::string::npos, text.c_str());
    }

    void wordsOfTheProgramAreTranslated() {
        Difference difference{
            .dimension = Dimension::Category, .key = "exposed_communication", .rankId = {}, .change = {}};
        difference.change = {.base = 1, .current = 3, .change = 2, .low = 1, .high = 3, .significant = true};
        Difference kernel{.dimension = Dimension::Kernel, .key = "free", .rankId = {}, .change = difference.change};
        kernel.onlyIn = Difference::Side::Current;
        Difference finding{.dimension = Dimension::Finding, .key = "slow_rank", .rankId = {}, .change = {}};
        Comparison comparison;
        comparison.differences = {difference, kernel, finding};
        Report report;
        report.language = "zh_CN";
        report.sections.push_back({"compare", "c", "t", comparisonTables(comparison, "zh_CN")});
        ReportTable problems{.title = "d", .sql = {}, .columns = {{"severity", {}}}, .rows = {}};
        for (const char* severity : {"high", "lost", "unheard"}) problems.rows.push_back({std::string(severity)});
        report.sections.push_back({"diagnostics", "d", "t", {problems}});
        const std::string html = reportHtml(report);
        for (const char* word :
             {">未掩盖通信<", ">步的组成<", ">是<", ">当前<", "<span class=\"high\">高</span>", ">丢失<", ">unheard<"})
            QVERIFY2(html.find(word) != std::string::npos, word);
        for (const char* word : {"exposed_communication", ">yes<", ">high<", ">category<", ">lost<", ">slow_rank<"})
            QVERIFY2(html.find(word) == std::string::npos, word);
        // A kernel may have any name.
        QVERIFY(html.find(">free<") != std::string::npos);
        QVERIFY(reportJson(report).find("\"exposed_communication\",\"category\"") != std::string::npos);
    }

    void whatFollowsFromAnotherNamesItInTheReport() {
        Comparison comparison;
        Difference cause{.dimension = Dimension::Category, .key = "computing", .rankId = 3, .change = {}};
        cause.apart = StepsApart{.isCurrent = true, .count = 4, .steps = 8, .change = 14'300'000};
        Difference link{.dimension = Dimension::Link, .key = "0-1 HCCS", .rankId = {}, .change = {}};
        Difference waiting{.dimension = Dimension::Category, .key = "exposed_communication", .rankId = 0, .change = {}};
        waiting.cause = 0;
        Difference collective{.dimension = Dimension::Collective, .key = "hcom_allReduce", .rankId = {}, .change = {}};
        collective.cause = 1;
        comparison.differences = {cause, link, waiting, collective};
        const auto tables = comparisonTables(comparison, "zh_CN");
        for (std::size_t i = 1; i < tables.size(); ++i) {
            QCOMPARE(tables[i].columns.size(), std::size_t{12});
            QVERIFY(tables[i].columns[10].name == "follows_from" && tables[i].columns[11].name == "steps_apart");
            for (const auto& row : tables[i].rows) QCOMPARE(row.size(), tables[i].columns.size());
        }
        Report report;
        report.language = "zh_CN";
        report.sections.push_back({"compare", "c", "t", tables});
        const std::string html = reportHtml(report), json = reportJson(report);
        for (const char* word : {">源于<", ">计算 (3)<", " 0-1 HCCS<", ">8 步中有 4 步多用 14.3 ms。<"})
            QVERIFY2(html.find(word) != std::string::npos, word);
        QVERIFY(html.find("category computing") == std::string::npos);
        QVERIFY(json.find("\"category computing (3)\"") != std::string::npos);
    }

    void saturatedChangeHasNoSignInWords() {
        const StepsApart apart{
            .isCurrent = true, .count = 1, .steps = 2, .change = std::numeric_limits<std::int64_t>::min()};
        const std::string text = stepsApartText(apart, "en");
        QVERIFY2(text.find('-') == std::string::npos && text.find(" less.") != std::string::npos, text.c_str());
    }

    void textCountsWhatIsLeftOutEverywhere() {
        const std::string text = comparisonText(cutComparison(), {0, 25});
        QVERIFY2(text.ends_with("and 39 further differences, see --json, which counts the 5 smallest only\n"),
                 text.c_str());
        Comparison whole = cutComparison();
        whole.omitted = {};
        QVERIFY(comparisonText(whole, {0, 25}).ends_with("and 34 further differences, see --json\n"));
        QVERIFY(comparisonText(whole, {0, 59}).find("further") == std::string::npos);
    }

    void aPartOfTheDifferencesSaysWhereItGoesOn() {
        Comparison comparison = cutComparison();
        const std::size_t total = comparison.differences.size();
        for (std::size_t i = 0; i < total; ++i) comparison.differences[i].key += std::to_string(i);
        const std::string whole = comparisonJson(comparison);
        QVERIFY(whole.find("\"lists\"") == std::string::npos);
        const auto differences = [](const std::string& json) { return nlohmann::json::parse(json)["differences"]; };
        nlohmann::json pages = nlohmann::json::array();
        for (std::size_t offset = 0; offset < total; offset += 7) {
            const std::string text = comparisonJson(comparison, {offset, 7});
            for (const auto& difference : differences(text)) pages.push_back(difference);
            const auto list = nlohmann::json::parse(text)["lists"]["differences"];
            QCOMPARE(list["total"].get<std::size_t>(), total);
            QCOMPARE(list["offset"].get<std::size_t>(), offset);
            QVERIFY(list["next_offset"].is_null() == (offset + 7 >= total));
        }
        QVERIFY(pages == differences(whole));
        QVERIFY(differences(comparisonJson(comparison, {total + 1, 7})).empty());
        const std::string second = comparisonText(comparison, {1, 1});
        QVERIFY(second.find("kernel0\n") == std::string::npos);
        QVERIFY(second.find("kernel1\n") != std::string::npos);
        QVERIFY(second.find("kernel2\n") == std::string::npos);
    }

    void stepThatIsNotKnownIsNoZero() {
        const std::string json = comparisonJson(cutComparison());
        QVERIFY(json.find("\"step\":null") != std::string::npos);
        QVERIFY(comparisonText(cutComparison(), {0, 1}).starts_with("The step time is not recorded on both sides.\n"));
    }
};

ALTI_TEST(TestComparisonText)
#include "tst_comparison_text.moc"
