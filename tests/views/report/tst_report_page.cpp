#include "views/report/report_page.h"

#include "tests/views/report/report_stage.h"
#include "views/report/output/report_run.h"
#include "views/report/panels/page_preview.h"
#include "views/report/panels/picture_list.h"
#include "views/report/panels/report_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

struct ReportStage : PageStage {
    ReportPage page{session, selection, memory};

    ReportStage() {
        page.resize(1000, 700);
        page.show();
    }
    CaptureId open(const QString& capture) {
        const CaptureId id = openAndWait(session, capture);
        settle();
        return id;
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 60'000));
    }
    QByteArray written(const QString& name) {
        const QString file = folder.filePath(name);
        page.write(file);
        settle();
        return contentOf(file);
    }
    QJsonObject json() { return QJsonDocument::fromJson(written(u"report.json"_s)).object(); }
    QStringList sections() {
        QStringList ids;
        for (const auto& section : json()[u"sections"].toArray()) ids << section.toObject()[u"id"].toString();
        return ids;
    }
    QCheckBox* section(const QString& title) {
        for (QCheckBox* box : page.form().findChildren<QCheckBox*>())
            if (box->text() == title) return box;
        return nullptr;
    }

    QTemporaryDir folder;
};

QImage somePicture() {
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::red);
    return image;
}

}  // namespace

/// The page Report: what is chosen is what is shown and written.
class TestReportPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_run.isMade && m_other.isMade); }
    void pagesOfTheShownCapture();
    void sectionsAreChosenAndRemembered();
    void titleAndNotesAreWritten();
    void contextNarrowsIt();
    void picturesAreWrittenMovedAndTakenOut();
    void picturesComeBackFromAWorkspace();
    void allFormatsByTheEnding();
    void nothingIsWrittenIntoTheCapture();
    void otherNamesAndFoldersAreRefused();
    void comparedWithAnotherCapture();
    void aClosedCaptureIsGone();
    void nothingIsMadeOutOfSight();
    void runWithoutAWindow();

private:
    GeneratedRun m_run{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    GeneratedRun m_other{{"--ranks", "2", "--steps", "2", "--layers", "1", "--seed", "7"}};
};

void TestReportPage::pagesOfTheShownCapture() {
    ReportStage stage;
    QVERIFY(stage.page.preview().pages() == nullptr);
    auto* write = stage.page.findChild<QPushButton*>();
    QVERIFY(!write->isEnabled());
    QVERIFY(stage.open(m_run.path()) != kNoCapture);
    QVERIFY(stage.page.preview().pages() != nullptr);
    QVERIFY(stage.page.preview().pages()->pages.size() > 3);
    QVERIFY(write->isEnabled());
    QCOMPARE(stage.page.gaps(), QString());
}

void TestReportPage::sectionsAreChosenAndRemembered() {
    ReportStage stage;
    stage.open(m_run.path());
    const QStringList all = stage.sections();
    QCOMPARE(all.size(), 8);
    const auto before = stage.page.preview().pages()->pages.size();
    stage.section(u"Operators"_s)->click();
    stage.section(u"Communication"_s)->click();
    stage.settle();
    QStringList rest = all;
    rest.removeAll(u"operators"_s);
    rest.removeAll(u"communication"_s);
    QCOMPARE(stage.sections(), rest);
    QVERIFY(stage.page.preview().pages()->pages.size() < before);
    const ReportForm again(stage.memory);
    QVERIFY(again.choices().unwanted == (std::set<std::string>{"communication", "operators"}));
}

void TestReportPage::titleAndNotesAreWritten() {
    ReportStage stage;
    stage.open(m_run.path());
    auto* title = stage.page.form().findChild<QLineEdit*>();
    QVERIFY(title->placeholderText().contains(u"run"_s));
    QCOMPARE(stage.json()[u"title"].toString(), title->placeholderText());
    QVERIFY(!stage.json().contains(u"notes"));
    title->setText(u"Why <b> is slow"_s);
    stage.page.form().findChild<QPlainTextEdit*>()->setPlainText(u"The third rank.\n第三张卡。"_s);
    // Without a pause: what stands there now is written.
    QCOMPARE(stage.json()[u"title"].toString(), u"Why <b> is slow"_s);
    QCOMPARE(stage.json()[u"notes"].toString(), u"The third rank.\n第三张卡。"_s);
    const QByteArray html = stage.written(u"report.html"_s);
    QVERIFY(html.contains("<p>The third rank.</p>"));
    QVERIFY(html.contains("Why &lt;b&gt; is slow"));
    QVERIFY(!html.contains("img-src"));
}

void TestReportPage::contextNarrowsIt() {
    ReportStage stage;
    stage.open(m_run.path());
    QVERIFY(!stage.json().contains(u"scope"));
    stage.selection.setContext({.ranks = {1}, .devices = {}, .steps = {}, .range = {}});
    stage.settle();
    QCOMPARE(stage.json()[u"scope"].toString(), u"Ranks: 1."_s);
    for (const auto& section : stage.json()[u"sections"].toArray()) {
        if (section.toObject()[u"id"].toString() != u"steps") continue;
        const QJsonArray byRank = section.toObject()[u"tables"].toArray().last().toObject()[u"rows"].toArray();
        QCOMPARE(byRank.size(), 1);
        QCOMPARE(byRank[0].toArray()[0].toInt(), 1);
    }
    // A report of none of its ranks is not one of all.
    stage.selection.setContext({.ranks = {77}, .devices = {}, .steps = {}, .range = {}});
    stage.settle();
    QVERIFY(stage.page.preview().pages() == nullptr);
    QVERIFY(!stage.page.form().isVisible());
    stage.selection.setContext({});
    stage.settle();
    QVERIFY(stage.page.preview().pages() != nullptr);
}

void TestReportPage::picturesAreWrittenMovedAndTakenOut() {
    ReportStage stage;
    stage.open(m_run.path());
    QCOMPARE(stage.page.addPicture(somePicture(), u"Timeline"_s), u"In the report: Timeline"_s);
    stage.page.addPicture(somePicture(), u"Memory"_s);
    stage.settle();
    PictureList& list = stage.page.form().pictures();
    const auto edits = list.findChildren<QLineEdit*>();
    QCOMPARE(edits.size(), 4);
    edits[3]->setText(u"a leak"_s);
    const auto buttons = list.findChildren<QToolButton*>();
    QVERIFY(!buttons[0]->isEnabled());
    buttons[2]->click();  // up, of the second
    QTRY_COMPARE(list.pictures()[0].title, std::string("Memory"));
    stage.settle();
    const QJsonArray pictures = stage.json()[u"pictures"].toArray();
    QCOMPARE(pictures.size(), 2);
    QCOMPARE(pictures[0].toObject()[u"note"].toString(), u"a leak"_s);
    const auto png = QByteArray::fromBase64(pictures[0].toObject()[u"png"].toString().toLatin1());
    QCOMPARE(QImage::fromData(png).size(), QSize(40, 30));
    const QByteArray html = stage.written(u"report.html"_s);
    QCOMPARE(html.count("src=\"data:image/png;base64," + png.toBase64() + '"'), 2);
    QVERIFY(html.contains("img-src data:"));
    list.findChildren<QToolButton*>()[1]->click();
    QTRY_COMPARE(list.pictures().size(), std::size_t{1});
    for (std::size_t i = 1; i < PictureList::kMaxPictures; ++i) QVERIFY(list.add(somePicture(), u"x"_s));
    QVERIFY(!list.add(somePicture(), u"one more"_s));
}

void TestReportPage::picturesComeBackFromAWorkspace() {
    ReportStage stage;
    stage.page.addPicture(somePicture(), u"Timeline"_s);
    stage.page.addPicture(somePicture(), u"Memory"_s);
    stage.settle();
    PictureList& list = stage.page.form().pictures();
    list.findChildren<QLineEdit*>()[3]->setText(u"a leak"_s);
    // As a file has it.
    QJsonObject state = QJsonDocument::fromJson(QJsonDocument(stage.page.state({})).toJson()).object();
    ReportStage other;
    other.page.addPicture(somePicture(), u"of before"_s);
    other.page.restore(state, {});
    const auto& back = other.page.form().pictures().pictures();
    QCOMPARE(back.size(), std::size_t{2});
    QCOMPARE(back[1].title, std::string("Memory"));
    QCOMPARE(back[1].note, std::string("a leak"));
    QCOMPARE(back[1].png, list.pictures()[1].png);
    QCOMPARE(other.page.state({}), state);
    // A file of somebody else's.
    state.insert(u"pictures"_s, QJsonArray{5, QJsonObject{{u"png"_s, u"iVBORw0KGgo="_s}}, QJsonObject{{u"png"_s, 7}}});
    other.page.restore(state, {});
    QVERIFY(back.empty());

    // One that does not compress.
    QImage noise(1200, 1000, QImage::Format_RGB32);
    std::uint32_t seed = 1;
    for (int y = 0; y < noise.height(); ++y)
        for (int x = 0; x < noise.width(); ++x) noise.setPixel(x, y, seed = seed * 1'664'525U + 1'013'904'223U);
    QVERIFY(stage.page.addPicture(noise, u"noise"_s).contains(u"too large"_s));
    QCOMPARE(list.state().size(), 2);
    QCOMPARE(list.pictures().size(), std::size_t{3});
    // Though the state that comes back is the one that is there, what it does not have goes.
    stage.page.restore(stage.page.state({}), {});
    QCOMPARE(list.pictures().size(), std::size_t{2});
}

void TestReportPage::allFormatsByTheEnding() {
    ReportStage stage;
    stage.open(m_run.path());
    QSignalSpy messages(&stage.page, &DataPage::statusMessage);
    QVERIFY(stage.written(u"r.html"_s).startsWith("<!DOCTYPE html>"));
    QVERIFY(stage.written(u"r.PDF"_s).startsWith("%PDF-"));
    QCOMPARE(QJsonDocument::fromJson(stage.written(u"r.json"_s)).object()[u"schema"].toInt(), 1);
    QCOMPARE(messages.size(), 3);
    QVERIFY(stage.page.outcome().contains(stage.folder.filePath(u"r.json"_s)));
}

void TestReportPage::nothingIsWrittenIntoTheCapture() {
    ReportStage stage;
    stage.open(m_run.path());
    const QString file = m_run.path() + u"/report.html"_s;
    stage.page.write(file);
    stage.settle();
    QVERIFY(!QFile::exists(file));
    QVERIFY2(stage.page.outcome().contains(u"evidence"_s), qPrintable(stage.page.outcome()));
}

void TestReportPage::otherNamesAndFoldersAreRefused() {
    ReportStage stage;
    stage.open(m_run.path());
    stage.page.write(stage.folder.filePath(u"report.docx"_s));
    stage.settle();
    QVERIFY(stage.page.outcome().contains(u".pdf"_s));
    QVERIFY(!QFile::exists(stage.folder.filePath(u"report.docx"_s)));
    stage.page.write(u"/nowhere/at/all.html"_s);
    stage.settle();
    QVERIFY2(stage.page.outcome().contains(u"/nowhere/at/all.html"_s), qPrintable(stage.page.outcome()));
}

void TestReportPage::comparedWithAnotherCapture() {
    ReportStage stage;
    const CaptureId base = stage.open(m_other.path());
    stage.open(m_run.path());
    QVERIFY(!stage.section(u"Comparison"_s)->isVisible());
    stage.page.form().setBase(base);
    stage.settle();
    QVERIFY(stage.section(u"Comparison"_s)->isVisible());
    QVERIFY(stage.sections().contains(u"compare"_s));
    QCOMPARE(stage.json()[u"captures"].toArray().size(), 2);
    stage.session.close(base);
    stage.settle();
    QVERIFY(!stage.sections().contains(u"compare"_s));
}

void TestReportPage::aClosedCaptureIsGone() {
    ReportStage stage;
    const CaptureId id = stage.open(m_run.path());
    std::weak_ptr<const CaptureStore> store = stage.session.capture(id)->store;
    stage.session.close(id);
    stage.settle();
    QVERIFY(stage.page.preview().pages() == nullptr);
    QTRY_VERIFY(store.expired());
}

void TestReportPage::nothingIsMadeOutOfSight() {
    ReportStage stage;
    stage.page.hide();
    stage.open(m_run.path());
    QVERIFY(stage.page.preview().pages() == nullptr);
    stage.page.show();
    stage.settle();
    QVERIFY(stage.page.preview().pages() != nullptr);
}

void TestReportPage::runWithoutAWindow() {
    const QTemporaryDir folder;
    const auto problemOf = [](const QString& capture, const QString& file) {
        JobRunner jobs;
        Session session(jobs);
        const ReportRun run(session, capture, file);
        QSignalSpy finished(&run, &ReportRun::finished);
        return finished.wait(60'000) && finished.size() == 1 ? finished[0][0].toString() : u"did not end"_s;
    };
    const QString pdf = folder.filePath(u"r.pdf"_s), html = folder.filePath(u"r.html"_s);
    QCOMPARE(problemOf(m_run.path(), pdf), QString());
    QVERIFY(contentOf(pdf).startsWith("%PDF-"));
    QCOMPARE(problemOf(m_run.path(), html), QString());
    QVERIFY(contentOf(html).contains("<html"));
    QVERIFY(problemOf(u"/nowhere/at/all"_s, html).contains(u"/nowhere/at/all"_s));
    QVERIFY(problemOf(m_run.path(), m_run.path() + u"/r.pdf"_s).contains(u"evidence"_s));
    QVERIFY(problemOf(goldenCapture(u"raw_only"_s), html) != u"did not end"_s);
}

ALTI_TEST(TestReportPage)
#include "tst_report_page.moc"
