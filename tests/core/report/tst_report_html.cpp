#include "core/report/document/report_document.h"

#include "tests/support/test_main.h"

#include <QXmlStreamReader>

#include <string>

using namespace altiscope;

namespace {

const char* const kHostile[] = {"<script>alert(1)</script>", "]]></style></pre><img src=x onerror=alert(1)>",
                                "\" onload=\"alert(1)",      "' style='x",
                                "\xE2\x80\xAEgnirts",        "&lt;&#x3c;",
                                "\xFF\xFE\x01\x00",          "</title></svg><script>"};

Report hostileReport() {
    Report report;
    report.title = kHostile[0];
    report.language = "en";
    report.program = "Altiscope";
    report.captures = {kHostile[1]};
    ReportTable table{.title = kHostile[3], .sql = kHostile[1], .columns = {{"name", ""}, {"total", "ns"}}, .rows = {}};
    for (const char* name : kHostile) table.rows.push_back({std::string(name), std::int64_t{1'234'567}});
    table.rows.push_back({std::string(10'000, '<'), 1.5});
    table.rows.push_back({ReportValue(), ReportValue()});
    table.chart.parts = {1};
    report.sections.push_back({"facts", kHostile[0], std::string(kHostile[7]) + "\nsecond", {table}});
    return report;
}

}  // namespace

class TestReportHtml : public QObject {
    Q_OBJECT
private slots:
    void hostileNamesAreText() {
        const std::string html = reportHtml(hostileReport());
        QXmlStreamReader reader(QByteArray::fromStdString(html));
        QStringList elements, texts;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement()) {
                elements << reader.name().toString();
                for (const auto& attribute : reader.attributes())
                    QVERIFY2(!attribute.name().startsWith(u"on") && attribute.name() != u"src",
                             qPrintable(elements.last()));
            }
            if (reader.isCharacters()) texts << reader.text().toString();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const char* forbidden : {"script", "img", "link", "iframe", "object"})
            QVERIFY(!elements.contains(QString::fromLatin1(forbidden)));
        QCOMPARE(elements.count(QStringLiteral("svg")), 1);
        QVERIFY(texts.contains(QString::fromLatin1(kHostile[0])));
        QVERIFY(texts.contains(QString(10'000, u'<')));
        // What turns the direction is shown, not obeyed.
        QVERIFY(html.find("\xE2\x80\xAE") == std::string::npos);
        QVERIFY(texts.contains(QStringLiteral("\\u202egnirts")));
    }

    void numbersAreExactBesideTheRounded() {
        const std::string html = reportHtml(hostileReport());
        QVERIFY(html.find("title=\"1234567\"") != std::string::npos);
        QVERIFY(html.find(">1.2 ms<") != std::string::npos);
    }

    void longChartsSayWhatTheyLeaveOut() {
        Report report = hostileReport();
        ReportTable& table = report.sections[0].tables[0];
        table.rows.assign(45, {std::string("a"), std::int64_t{1}});
        QVERIFY(reportHtml(report).find("5 further rows") != std::string::npos);
        table.rows.resize(40);
        QVERIFY(reportHtml(report).find("further rows") == std::string::npos);
    }

    void emptyTablesSaySo() {
        Report report = hostileReport();
        report.sections[0].tables[0].rows.clear();
        const std::string html = reportHtml(report);
        QVERIFY(html.find("There is no data for this table.") != std::string::npos);
        QVERIFY(html.find("<svg") == std::string::npos);
    }

    /// Who reads one screen had a table of all ranks before the first number.
    void theMainThingStandsFirst() {
        Report report;
        report.language = "en";
        report.sections = {{"facts",
                            "Facts",
                            "",
                            {{.title = "Ranks", .sql = {}, .columns = {{"path", ""}}, .rows = {{std::string("r0")}}}}},
                           {"steps",
                            "Steps",
                            "A step takes 9 ms.",
                            {{.title = "Mean",
                              .sql = {},
                              .columns = {{"free", "ns"}, {"computing", "ns"}, {"exposed_communication", "ns"}},
                              .rows = {{std::int64_t{1'000'000}, std::int64_t{6'000'000}, std::int64_t{2'000'000}}}}}},
                           {"findings",
                            "Findings",
                            "Look first at <b>.",
                            {{.title = "All",
                              .sql = {},
                              .columns = {{"severity", ""}, {"title", ""}, {"recoverable", "ns"}},
                              .rows = {{std::string("high"), std::string("<b>"), std::int64_t{1'234'567}},
                                       {std::string("low"), std::string("Bubble"), std::int64_t{0}}}}}}};
        const std::string html = reportHtml(report);
        const std::size_t begin = html.find("<section id=\"summary\">"), end = html.find("<section id=\"facts\">");
        QVERIFY(begin < end);
        const std::string summary = html.substr(begin, end - begin);
        for (const char* text :
             {"A step takes 9 ms.", "Look first at &lt;b&gt;.", "class=\"high\"", ">1.2 ms<", "computing: 6.0 ms"})
            QVERIFY2(summary.find(text) != std::string::npos, text);
        QVERIFY2(summary.find("0.0 us") == std::string::npos, "nothing to save is no number");
    }

    void jsonKeepsValues() {
        const std::string json = reportJson(hostileReport());
        QVERIFY(json.find("[\"<script>alert(1)</script>\",1234567]") != std::string::npos);
        QVERIFY(json.find("[null,null]") != std::string::npos);
        QVERIFY(json.find("\"columns\":[{\"name\":\"name\",\"unit\":\"\"},{\"name\":\"total\",\"unit\":\"ns\"}]") !=
                std::string::npos);
    }
};

ALTI_TEST(TestReportHtml)
#include "tst_report_html.moc"
