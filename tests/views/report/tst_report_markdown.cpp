#include "core/report/document/report_document.h"
#include "tests/support/test_main.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

using namespace altiscope;

namespace {

/// Names that a reader of Markdown would take for markup.
const char* const kMarkup[] = {"<script>alert(1)</script>",
                               "a|b",
                               "**bold** _it_ `code`",
                               "[x](http://e.x)",
                               "# heading",
                               "1. one",
                               "- item",
                               "~~gone~~ &lt; $x$",
                               "two\nlines",
                               "back\\slash",
                               "![p](file:///x.png)",
                               "www.e.x",
                               "a@e.x",
                               "rank_0_ascend_pt",
                               "_x_",
                               "a_",
                               "__init__"};

Report markupReport() {
    Report report;
    report.title = kMarkup[0];
    report.language = "en";
    report.program = "Altiscope";
    report.captures = {kMarkup[5]};
    ReportTable table{
        .title = kMarkup[4], .sql = "SELECT '```' AS x", .columns = {{"name", ""}, {"total", "ns"}}, .rows = {}};
    for (const char* name : kMarkup) table.rows.push_back({std::string(name), std::int64_t{1'234'567}});
    table.rows.push_back({ReportValue(), ReportValue()});
    report.sections.push_back({"operators", kMarkup[0], std::string(kMarkup[6]) + "\n= second", {table}});
    return report;
}

/// All text of a document, as a reader of Markdown that is not ours sees it.
QStringList linesOf(const QTextDocument& document) {
    QStringList lines;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) lines << block.text();
    return lines;
}

}  // namespace

class TestReportMarkdown : public QObject {
    Q_OBJECT
private slots:
    void namesAreText() {
        QTextDocument document;
        document.setMarkdown(QString::fromStdString(reportMarkdown(markupReport())),
                             QTextDocument::MarkdownDialectGitHub);
        const QStringList lines = linesOf(document);
        for (const char* name : kMarkup) {
            const QString shown = QString::fromLatin1(name).replace(u'\n', QStringLiteral("\\n"));
            QVERIFY2(lines.contains(shown), qPrintable(shown + u'\n' + lines.join(u'\n')));
        }
        QVERIFY(lines.contains(QStringLiteral("= second")));
        QVERIFY(lines.contains(QStringLiteral("SELECT '```' AS x")));
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            QVERIFY2(block.textList() == nullptr, qPrintable(block.text()));
            for (auto at = block.begin(); !at.atEnd(); ++at) {
                QVERIFY2(!at.fragment().charFormat().isAnchor(), qPrintable(block.text()));
                QVERIFY2(!at.fragment().charFormat().isImageFormat(), qPrintable(block.text()));
            }
        }
    }
    void indentedLinesAreText() {
        Report report;
        report.title = "t";
        report.language = "en";
        report.program = "Altiscope";
        report.notes = "  - item\r\n    code\r\n\t1. one\r\n \r\n   = line  \r\nlast";
        const std::string markdown = reportMarkdown(report);
        QVERIFY2(markdown.find("\\r") == std::string::npos, markdown.c_str());
        QTextDocument document;
        document.setMarkdown(QString::fromStdString(markdown), QTextDocument::MarkdownDialectGitHub);
        const QStringList lines = linesOf(document);
        for (const char* line : {"- item", "code", "1. one", "= line", "last"})
            QVERIFY2(lines.contains(QLatin1String(line)), qPrintable(lines.join(u'\n')));
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            QVERIFY2(block.textList() == nullptr, qPrintable(block.text()));
            QVERIFY2(!block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage) &&
                         !block.blockFormat().nonBreakableLines(),
                     qPrintable(block.text()));
        }
    }
    void eachRowIsARowOfTheTable() {
        const Report report = markupReport();
        QTextDocument document;
        document.setMarkdown(QString::fromStdString(reportMarkdown(report)), QTextDocument::MarkdownDialectGitHub);
        const QTextTable* table = nullptr;
        for (QTextFrame* frame : document.rootFrame()->childFrames()) {
            if (const auto* found = qobject_cast<QTextTable*>(frame)) table = found;
        }
        QVERIFY(table != nullptr);
        const auto& rows = report.sections.front().tables.front().rows;
        QCOMPARE(table->rows(), static_cast<int>(rows.size()) + 1);
        QCOMPARE(table->columns(), 2);
        QCOMPARE(table->cellAt(2, 0).firstCursorPosition().block().text(), QStringLiteral("a|b"));
        QCOMPARE(table->cellAt(2, 1).firstCursorPosition().block().text(), QStringLiteral("1.2 ms"));
    }
};

ALTI_TEST(TestReportMarkdown)

#include "tst_report_markdown.moc"
