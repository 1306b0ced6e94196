#include "views/common/theme/language_controller.h"
#include "views/help/manual.h"
#include "views/help/manual_text.h"
#include "views/help/manual_window.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

QStringList titlesIn(const ManualWindow& window) {
    const auto* list = window.findChild<QListWidget*>();
    QStringList titles;
    for (int row = 0; row < list->count(); ++row) titles << list->item(row)->text();
    return titles;
}

}  // namespace

class TestManual : public QObject {
    Q_OBJECT
private slots:
    void everyPageHasATextInBothLanguages_data() { addLanguages(); }
    void everyPageHasATextInBothLanguages() {
        QFETCH(QString, language);
        LanguageController controller;
        controller.setLanguage(language);
        for (const QString& page : manualPages()) {
            QVERIFY2(!manualTitle(page).isEmpty(), qPrintable(page));
            QCOMPARE(manualPageAt(manualPlace(page)), page);
        }
    }

    void noFileIsWithoutALineInTheContents() {
        for (const char* language : {"en", "zh_CN"}) {
            const QDir folder(u":/help/manual/"_s + QLatin1StringView(language));
            QVERIFY(!folder.isEmpty());
            for (const QString& file : folder.entryList())
                QVERIFY2(!manualPageAt(QUrl(u"manual:/manual/any/"_s + file)).isEmpty(), qPrintable(file));
        }
    }

    void linksAndPicturesLeadSomewhere_data() { addLanguages(); }
    void linksAndPicturesLeadSomewhere() {
        QFETCH(QString, language);
        LanguageController controller;
        controller.setLanguage(language);
        static const QRegularExpression link(u"\\]\\(([^)]*)\\)"_s);
        int links = 0;
        for (const QString& page : manualPages()) {
            const QString text = manualText(page);
            for (auto match = link.globalMatch(text); match.hasNext(); ++links) {
                const QString target = match.next().captured(1);
                const QUrl place = manualPlace(page).resolved(QUrl(target));
                QVERIFY2(target.endsWith(".png"_L1)
                             ? QFile::exists(manualPicture(place, true)) && QFile::exists(manualPicture(place, false))
                             : !manualPageAt(place).isEmpty(),
                         qPrintable(page + u": "_s + target));
            }
        }
        QVERIFY(links > 20);
    }

    /// The same chapters, tables and commands: a page that was changed in one language alone is noticed.
    void bothLanguagesHaveTheSameParts() {
        static const QRegularExpression headings(u"^#+ "_s, QRegularExpression::MultilineOption);
        static const QRegularExpression rows(u"^\\|"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression items(u"^(- |\\d\\. )"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression blocks(u"^```\\w+\\n(.*?)^```"_s,
                                               QRegularExpression::MultilineOption |
                                                   QRegularExpression::DotMatchesEverythingOption);
        const auto inLanguage = [](const QString& language, const QString& page) {
            LanguageController controller;
            controller.setLanguage(language);
            return manualText(page);
        };
        for (const QString& page : manualPages()) {
            const QString en = inLanguage(u"en"_s, page), zh = inLanguage(u"zh_CN"_s, page);
            for (const QRegularExpression* part : {&headings, &rows, &items})
                QVERIFY2(en.count(*part) == zh.count(*part), qPrintable(page + u' ' + part->pattern()));
            auto ours = blocks.globalMatch(en), theirs = blocks.globalMatch(zh);
            while (ours.hasNext() && theirs.hasNext()) QCOMPARE(theirs.next().captured(1), ours.next().captured(1));
            QCOMPARE(theirs.hasNext(), ours.hasNext());
        }
    }

    void pagesOfTheWindowLeadToTheirOwn() {
        QCOMPARE(manualPageOf(ViewId::Memory), u"memory"_s);
        QCOMPARE(manualPageOf(ViewId::Sql), u"sql"_s);
    }

    void searchListsThePagesThatHaveAllWords() {
        ManualWindow window({}, nullptr);
        window.showPage(u"memory"_s);
        QCOMPARE(titlesIn(window).size(), static_cast<qsizetype>(manualPages().size()));
        auto* search = window.findChild<QLineEdit*>();
        QTest::keyClicks(search, u"PROFILE_memory mindspore"_s);
        QVERIFY(titlesIn(window).contains(u"Memory"_s));
        QVERIFY(!titlesIn(window).contains(u"Report"_s));
        auto* text = window.findChild<ManualText*>();
        QVERIFY(text->extraSelections().size() >= 2);
        QTest::keyClick(search, Qt::Key_Return);
        const int first = text->textCursor().position();
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(text->textCursor().position() != first);
        QTest::keyClick(search, Qt::Key_Escape);
        QCOMPARE(titlesIn(window).size(), static_cast<qsizetype>(manualPages().size()));
        QVERIFY(text->extraSelections().isEmpty());
        QVERIFY(window.isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!window.isVisible());
    }

    void backLeadsToThePageBefore() {
        ManualWindow window({}, nullptr);
        window.showPage(u"memory"_s);
        window.showPage(u"supported"_s);
        auto* text = window.findChild<ManualText*>();
        QVERIFY(text->toPlainText().contains("trace_view.json"_L1));
        text->backward();
        QCOMPARE(text->page(), u"memory"_s);
        QVERIFY(window.windowTitle().startsWith("Memory"_L1));
    }

    void picturesFitThePage() {
        ManualWindow window({}, nullptr);
        window.resize(900, 600);
        window.showPage(u"memory"_s);
        const auto* text = window.findChild<ManualText*>();
        QTRY_COMPARE(text->horizontalScrollBar()->maximum(), 0);
        QVERIFY(text->verticalScrollBar()->maximum() > 0);
    }

    void anotherLanguageShowsTheSamePage() {
        LanguageController controller;
        ManualWindow window({}, nullptr);
        window.showPage(u"findings"_s);
        controller.setLanguage(u"zh_CN"_s);
        QCoreApplication::processEvents();
        auto* text = window.findChild<ManualText*>();
        QCOMPARE(text->page(), u"findings"_s);
        QVERIFY(text->toPlainText().startsWith(u"诊断结论"_s));
    }

    /// A page is text of ours; should it ever name a place outside, that is not opened.
    void linksToOtherPlacesAreNotFollowed() {
        ManualWindow window({}, nullptr);
        window.showPage(u"start"_s);
        auto* text = window.findChild<ManualText*>();
        const QString before = text->toPlainText();
        text->setSource(QUrl(u"https://example.org/x.html"_s));
        text->setSource(QUrl(u"file:///manual/any/start.md"_s));
        QCOMPARE(text->toPlainText(), before);
        QCOMPARE(text->page(), u"start"_s);
    }

private:
    static void addLanguages() {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << QString::fromLatin1(language);
    }
};

ALTI_TEST(TestManual)
#include "tst_manual.moc"
