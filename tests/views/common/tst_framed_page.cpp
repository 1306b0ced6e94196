#include "views/common/pages/framed_page.h"

#include "core/session/selection.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// All that such a page needs: it shows how many ranks the capture has.
class RankCountPage : public FramedPage {
public:
    RankCountPage(Session& session, Selection& selection)
        : FramedPage(session, selection, nullptr), m_count(new QLabel(m_frame)) {
        m_frame->setParts(new QLabel(m_frame), m_count);
        follow();
    }
    bool idle() const override { return true; }
    QString shown() const { return m_count->isVisible() ? m_count->text() : QString(); }

    QStringList refreshes;  ///< In sight or not.
    int translations = 0;

private:
    void refresh(bool isInSight) override {
        refreshes << (isInSight ? u"seen"_s : u"hidden"_s);
        m_count->clear();
        if (const OpenCapture* open = m_capture.whole(); open != nullptr && isInSight)
            m_count->setText(QString::number(open->store->ranks.size()));
        showGaps();
        showReason();
    }
    PageTexts texts() const override { return {u"Ranks"_s, u"How many."_s, u"Reading."_s, u"No ranks"_s, {}}; }
    QStringList shownGaps() const override { return {m_count->text() == u"1"_s ? u"One only."_s : QString()}; }
    std::optional<QStringList> missing() const override { return std::nullopt; }
    bool isContentShown() const override { return !m_count->text().isEmpty(); }
    void retranslate() override { ++translations; }

    QLabel* m_count;
};

}  // namespace

/// What a page about one capture has from its base.
class TestFramedPage : public QObject {
    Q_OBJECT
private slots:
    void followsTheShownCaptureWhileItIsSeen();
    void catchesUpWhenItAppears();
    void languageReachesTextsMessageAndGaps();
};

void TestFramedPage::followsTheShownCaptureWhileItIsSeen() {
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    RankCountPage page(session, selection);
    page.show();
    QCOMPARE(page.findChild<MessagePage*>()->message().reason, u"How many."_s);
    const CaptureId two = openAndWait(session, goldenCapture(u"torch_two_ranks"_s)),
                    one = openAndWait(session, goldenCapture(u"chrome_object"_s));
    QVERIFY(two != kNoCapture && one != kNoCapture);
    QCOMPARE(page.shown(), u"1"_s);
    QCOMPARE(page.gaps(), u"One only."_s);
    selection.showCapture(two);
    QCOMPARE(page.shown(), u"2"_s);
    QCOMPARE(page.gaps(), QString());
    session.close(two);
    session.close(one);
    QCOMPARE(page.shown(), QString());
}

void TestFramedPage::catchesUpWhenItAppears() {
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    RankCountPage page(session, selection);
    QVERIFY(openAndWait(session, goldenCapture(u"torch_two_ranks"_s)) != kNoCapture);
    QVERIFY(!page.refreshes.contains(u"seen"_s));
    page.refreshes.clear();
    page.show();
    QCOMPARE(page.refreshes, QStringList{u"seen"_s});
    QCOMPARE(page.shown(), u"2"_s);
    ContextFilter context;
    context.ranks = {1};
    selection.setContext(context);
    QCOMPARE(page.refreshes.size(), 2);
}

void TestFramedPage::languageReachesTextsMessageAndGaps() {
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    RankCountPage page(session, selection);
    page.findChild<MessagePage*>()->setMessage({});
    QEvent event(QEvent::LanguageChange);
    QApplication::sendEvent(&page, &event);
    QCOMPARE(page.translations, 1);
    QCOMPARE(page.findChild<MessagePage*>()->message().title, u"Ranks"_s);
}

ALTI_TEST(TestFramedPage)
#include "tst_framed_page.moc"
