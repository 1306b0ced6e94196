#include "views/report/layout/report_layout.h"

#include "tests/support/test_main.h"
#include "views/report/layout/page_composer.h"
#include "views/report/layout/report_pdf.h"
#include "views/report/output/report_file.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <set>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

const char* const kHostile[] = {"<script>alert(1)</script>", "]]></style>\" onload=\"x", "\xE2\x80\xAEgnirts",
                                "\xFF\xFE\x01", "&lt;\n\tnext"};

Report reportWith(ReportTable table) {
    Report report;
    report.title = "A run";
    report.language = "en";
    report.program = "Altiscope";
    report.generated = "2026-01-31T12:00:00Z";
    report.captures = {"/data/run"};
    report.sections.push_back({"facts", "Facts", "One line.\nAnother one.", {std::move(table)}});
    return report;
}

ReportTable tableOf(std::size_t rows) {
    ReportTable table{
        .title = "Kernels", .sql = "SELECT 1", .columns = {{"name", ""}, {"total_time", "ns"}}, .rows = {}};
    for (std::size_t i = 0; i < rows; ++i)
        table.rows.push_back({"kernel_" + std::to_string(i), static_cast<std::int64_t>(i) * 1000});
    return table;
}

std::shared_ptr<const ReportPages> laidOut(const Report& report) { return layoutReport(report, reportFonts(), {}); }

QString textOf(const PageContent& page) {
    QStringList texts;
    for (const PageText& text : page.texts) texts << text.text;
    return texts.join(u'\n');
}

QString textOf(const ReportPages& pages) {
    QStringList texts;
    for (const PageContent& page : pages.pages) texts << textOf(page);
    return texts.join(u'\n');
}

bool isOnPage(const ReportPages& pages, const PageText& text) {
    const double right = text.at.x() + pages.fonts.width(text.font, text.text);
    return text.at.x() >= 0 && right <= kPageSize.width() && text.at.y() > 0 && text.at.y() < kPageSize.height();
}

}  // namespace

/// The report on pages: nothing is lost or beside the page, whatever the capture holds.
class TestReportLayout : public QObject {
    Q_OBJECT
private slots:
    void hostileTextsAreText();
    void longNamesStayOnThePage();
    void headingsOnEachPageOfATable();
    void allRowsAreThere();
    void longTextsStandBelowTheirRow();
    void pagesAreNumberedAndFoundInTheContents();
    void emptyTablesAndOmittedRowsSaySo();
    void notesScopeAndPicturesAreThere();
    void chineseFitsToo();
    void pdfHoldsPagesAndFonts();
    void cancelled();
};

void TestReportLayout::hostileTextsAreText() {
    ReportTable table = tableOf(0);
    for (const char* name : kHostile) table.rows.push_back({std::string(name), std::int64_t{1}});
    Report report = reportWith(table);
    report.title = kHostile[0];
    report.notes = kHostile[2];
    const auto pages = laidOut(report);
    const QString text = textOf(*pages);
    QVERIFY(text.contains(u"<script>alert(1)</script>"_s));
    QVERIFY(text.contains(u"\\u202egnirts"_s) && !text.contains(QChar(0x202e)));
    QVERIFY(text.contains(u"&lt;\\n\\tnext"_s));
    QVERIFY(text.contains(QChar(0xFFFD)));
}

void TestReportLayout::longNamesStayOnThePage() {
    ReportTable table = tableOf(3);
    table.columns.push_back({"detail", ""});
    table.columns.push_back({"shapes", ""});
    for (auto& row : table.rows) {
        row.emplace_back(std::string(10'000, 'w'));
        row.emplace_back(std::string("short"));
    }
    table.rows[1][0] = std::string(10'000, '<');
    table.title = std::string(10'000, 't');
    table.chart.parts = {1};
    Report report = reportWith(table);
    report.title = std::string(10'000, 'T');
    report.captures = {std::string(10'000, '/')};
    report.notes = std::string(30'000, 'n');
    report.sections[0].title = std::string(10'000, 's');
    const auto pages = laidOut(report);
    for (const PageContent& page : pages->pages) {
        for (const PageText& text : page.texts) QVERIFY2(isOnPage(*pages, text), qPrintable(text.text.left(40)));
        for (const PageBox& box : page.boxes) QVERIFY(QRectF({}, kPageSize).contains(box.rect));
    }
    QVERIFY(textOf(*pages).contains(u"…"_s));
    QVERIFY(pages->pages.size() < 20);
}

void TestReportLayout::headingsOnEachPageOfATable() {
    const auto pages = laidOut(reportWith(tableOf(300)));
    int with = 0;
    for (const PageContent& page : pages->pages) {
        const QString text = textOf(page);
        if (!text.contains(u"kernel_"_s)) continue;
        ++with;
        QCOMPARE(text.count(u"total time"_s), 1);
    }
    QVERIFY(with >= 4);
}

void TestReportLayout::allRowsAreThere() {
    const auto pages = laidOut(reportWith(tableOf(300)));
    std::set<QString> found;
    for (const PageContent& page : pages->pages)
        for (const PageText& text : page.texts)
            if (text.text.startsWith(u"kernel_"_s)) QVERIFY(found.insert(text.text).second);
    QCOMPARE(found.size(), std::size_t{300});
}

void TestReportLayout::longTextsStandBelowTheirRow() {
    ReportTable table = tableOf(1);
    table.columns.push_back({"detail", ""});
    table.rows[0].emplace_back(std::string("This sentence is longer than any cell of a table should be, and so it "
                                           "stands below the row that it belongs to."));
    const auto pages = laidOut(reportWith(table));
    QVERIFY(textOf(*pages).contains(u"detail: This sentence"_s));
    QVERIFY(textOf(*pages).simplified().contains(u"row that it belongs to."_s));
}

void TestReportLayout::pagesAreNumberedAndFoundInTheContents() {
    Report report = reportWith(tableOf(200));
    report.sections.push_back({"memory", "Memory", "Peaks.", {tableOf(3)}});
    const auto pages = laidOut(report);
    const int count = static_cast<int>(pages->pages.size());
    QVERIFY(count > 3);
    for (int i = 0; i < count; ++i)
        QVERIFY(textOf(pages->pages[static_cast<std::size_t>(i)]).contains(u"Page %1 of %2"_s.arg(i + 1).arg(count)));
    // In the contents the page follows the title; on that page it stands as a heading.
    const auto& first = pages->pages.front().texts;
    const auto entry =
        std::find_if(first.begin(), first.end(), [](const PageText& text) { return text.text == u"Memory"_s; });
    QVERIFY(entry != first.end());
    const auto page = std::next(entry)->text.toUInt();
    QVERIFY(page > 2 && page <= pages->pages.size());
    const auto& there = pages->pages[page - 1].texts;
    QVERIFY(std::any_of(there.begin(), there.end(), [](const PageText& text) {
        return text.text == u"Memory"_s && text.font == PageFont::Heading;
    }));
}

void TestReportLayout::emptyTablesAndOmittedRowsSaySo() {
    ReportTable cut = tableOf(2);
    cut.omitted = 40;
    Report report = reportWith(tableOf(0));
    report.sections[0].tables.push_back(cut);
    const QString text = textOf(*laidOut(report));
    QVERIFY(text.contains(u"There is no data for this table."_s));
    QVERIFY(text.contains(u"2 of 42 rows"_s));
}

void TestReportLayout::notesScopeAndPicturesAreThere() {
    QImage image(400, 200, QImage::Format_RGB32);
    image.fill(Qt::darkCyan);
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    QVERIFY(image.save(&png, "PNG"));
    Report report = reportWith(tableOf(1));
    report.notes = "First note.\nSecond note.";
    report.scope = "Ranks: 3.";
    report.pictures = {{"Timeline", "Look here.", png.data().toStdString()}, {"Broken", "", "no picture"}};
    const auto pages = laidOut(report);
    QCOMPARE(pages->pictures.size(), std::size_t{1});
    for (const char16_t* text :
         {u"First note.", u"Second note.", u"Ranks: 3.", u"Timeline", u"Look here.", u"Pictures"})
        QVERIFY2(textOf(*pages).contains(QString::fromUtf16(text)), qPrintable(QString::fromUtf16(text)));
    // As it is drawn: the picture's colour fills its place.
    const auto page = std::find_if(pages->pages.begin(), pages->pages.end(),
                                   [](const PageContent& content) { return !content.pictures.empty(); });
    QVERIFY(page != pages->pages.end());
    QImage drawn((kPageSize / 8).toSize(), QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    painter.scale(1 / 8.0, 1 / 8.0);
    pages->paint(painter, static_cast<std::size_t>(page - pages->pages.begin()));
    painter.end();
    QCOMPARE(drawn.pixelColor((page->pictures[0].rect.center() / 8).toPoint()), QColor(Qt::darkCyan));
}

void TestReportLayout::chineseFitsToo() {
    Report report = reportWith(tableOf(1));
    report.language = "zh_CN";
    report.sections[0].text = std::string();
    for (int i = 0; i < 200; ++i) report.sections[0].text += "计算与通信";
    const auto pages = laidOut(report);
    for (const PageContent& page : pages->pages)
        for (const PageText& text : page.texts) QVERIFY(isOnPage(*pages, text));
    QVERIFY(textOf(*pages).contains(u"第 1 页，共 "_s));
    // Lines end anywhere.
    QCOMPARE(textOf(*pages).remove(u'\n').count(u"计算与通信"_s), 200);
}

void TestReportLayout::pdfHoldsPagesAndFonts() {
    const auto pages = laidOut(reportWith(tableOf(120)));
    const QByteArray pdf = pdfOf(*pages, u"A run"_s, u"Altiscope"_s, {});
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    static const QRegularExpression kPage(u"/Type\\s*/Page[^s]"_s);
    QCOMPARE(QString::fromLatin1(pdf).count(kPage), static_cast<qsizetype>(pages->pages.size()));
    QVERIFY(pdf.contains("/FontFile"));
}

void TestReportLayout::cancelled() {
    const Report report = reportWith(tableOf(10));
    const auto pages = laidOut(report);
    CancelToken cancel;
    cancel.requestCancel();
    QVERIFY(layoutReport(report, reportFonts(), cancel) == nullptr);
    QVERIFY(pdfOf(*pages, {}, {}, cancel).isEmpty());
    QVERIFY(!reportContent(report, ReportFormat::Pdf, reportFonts(), cancel));
}

ALTI_TEST(TestReportLayout)
#include "tst_report_layout.moc"
