#include "views/common/pages/page_frame.h"

#include "core/session/selection.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/shown_capture.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

struct FrameBench {
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    ShownCapture capture{session, selection, nullptr};
    QWidget page;
    PageFrame& frame = *new PageFrame(&page);
    QLabel* bar = new QLabel;
    QPlainTextEdit* content = new QPlainTextEdit;

    FrameBench() {
        frame.setParts(bar, content);
        frame.setFocusProxy(content);
    }
    QString message(const std::optional<QStringList>& missing) {
        frame.setMessage({u"title"_s, u"about"_s, u"reading"_s, u"nothing"_s, {}}, capture, missing);
        const PageMessage& message = frame.findChild<MessagePage*>()->message();
        return QStringList{message.title, message.reason, message.remedy}.join(u'|');
    }
};

ContextFilter onlyRank(std::int64_t rank) {
    ContextFilter context;
    context.ranks = {rank};
    return context;
}

}  // namespace

/// The frame of pages about one capture, and which capture that is.
class TestPageFrame : public QObject {
    Q_OBJECT
private slots:
    void newestCaptureUnlessOneIsChosen();
    void changesAndContextAreReported();
    void messages();
    void contentOrMessage();
    void gapsWithoutSentencesTakeNoRoom();
    void changeOutOfSightIsTakenUpWhenThePageAppears();
    void contentThatAppearsTakesTheFocus();
    void messagesKeepNumbersWithTheirUnits();
};

void TestPageFrame::newestCaptureUnlessOneIsChosen() {
    FrameBench bench;
    QVERIFY(bench.capture.open() == nullptr && bench.capture.whole() == nullptr);
    QCOMPARE(bench.capture.id(), kNoCapture);
    const CaptureId first = openAndWait(bench.session, goldenCapture(u"torch_two_ranks"_s)),
                    second = openAndWait(bench.session, goldenCapture(u"chrome_object"_s));
    QCOMPARE(bench.capture.id(), second);
    bench.selection.showCapture(first);
    QCOMPARE(bench.capture.id(), first);
    QVERIFY(bench.capture.whole() == bench.capture.open());
    bench.session.close(first);
    QCOMPARE(bench.capture.id(), second);
}

void TestPageFrame::changesAndContextAreReported() {
    FrameBench bench;
    QSignalSpy changes(&bench.capture, &ShownCapture::changed), contexts(&bench.capture, &ShownCapture::contextChanged);
    const CaptureId id = openAndWait(bench.session, goldenCapture(u"torch_two_ranks"_s));
    QVERIFY(changes.count() > 0);
    changes.clear();
    bench.selection.showCapture(id);
    bench.selection.showCapture(id);
    QCOMPARE(changes.count(), 1);
    SelectionState state = bench.selection.current();
    state.capture = id;
    state.range = TimeRange{TimeNs{1}, TimeNs{2}};
    bench.selection.set(state);
    QCOMPARE(contexts.count(), 0);
    QVERIFY(!bench.capture.choosesRanks());
    bench.selection.setContext(onlyRank(1));
    QCOMPARE(contexts.count(), 1);
    QVERIFY(bench.capture.choosesRanks());
}

void TestPageFrame::messages() {
    FrameBench bench;
    QCOMPARE(bench.message(std::nullopt), u"title|about|"_s);
    const CaptureId id = bench.session.open(goldenCapture(u"torch_two_ranks"_s));
    QVERIFY(bench.capture.isBeingRead() && bench.capture.whole() == nullptr);
    QCOMPARE(bench.message(QStringList{u"gap"_s}), u"title|reading|"_s);
    QVERIFY(QTest::qWaitFor([&] { return bench.session.capture(id)->job == 0; }));
    QCOMPARE(bench.message(QStringList{u"gap"_s, u"other"_s}),
             u"nothing|No rank of this capture has any.|gap\nother"_s);
    bench.selection.setContext(onlyRank(1));
    QCOMPARE(bench.message(QStringList()), u"nothing|No rank within the filter of all pages has any.|"_s);
}

void TestPageFrame::contentOrMessage() {
    FrameBench bench;
    bench.page.show();
    auto* message = bench.frame.findChild<MessagePage*>();
    QVERIFY(message->isVisible() && !bench.content->isVisible() && !bench.bar->isVisible());
    bench.frame.setContentShown(true);
    QVERIFY(!message->isVisible() && bench.content->isVisible() && bench.bar->isVisible());
}

void TestPageFrame::gapsWithoutSentencesTakeNoRoom() {
    FrameBench bench;
    bench.page.resize(400, 300);
    bench.page.show();
    bench.frame.setContentShown(true);
    const int whole = bench.content->mapTo(&bench.page, QPoint()).y();
    bench.frame.setGaps({u"one"_s, QString(), u"two"_s});
    QCOMPARE(bench.frame.gaps(), u"one\ntwo"_s);
    QTRY_VERIFY(bench.content->mapTo(&bench.page, QPoint()).y() > whole);
    bench.frame.setGaps({QString()});
    QTRY_COMPARE(bench.content->mapTo(&bench.page, QPoint()).y(), whole);
}

void TestPageFrame::changeOutOfSightIsTakenUpWhenThePageAppears() {
    FrameBench bench;
    QSignalSpy overdue(&bench.frame, &PageFrame::overdue);
    QVERIFY(!bench.frame.noteChange() && bench.frame.isStale());
    bench.page.show();
    QCOMPARE(overdue.count(), 1);
    QVERIFY(bench.frame.noteChange() && !bench.frame.isStale());
    bench.page.hide();
    bench.page.show();
    QCOMPARE(overdue.count(), 1);
}

void TestPageFrame::contentThatAppearsTakesTheFocus() {
    FrameBench bench;
    bench.page.show();
    bench.page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.page));
    bench.frame.setContentShown(true);
    QVERIFY(bench.content->hasFocus());
}

/// A line of an empty page broke between a number and its unit.
void TestPageFrame::messagesKeepNumbersWithTheirUnits() {
    MessagePage page;
    page.setMessage({.kind = PageMessage::Kind::Empty,
                     .title = u"Marked: 12.5 ms"_s,
                     .reason = u"of 3 GiB"_s,
                     .remedy = u"at 18.4 GB/s"_s,
                     .icon = {}});
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) texts << label->text();
    for (const QString& part : {u"12.5\u00a0ms"_s, u"3\u00a0GiB"_s, u"18.4\u00a0GB/s"_s})
        QVERIFY2(texts.join(u'|').contains(part), qPrintable(texts.join(u'|')));
}

ALTI_TEST(TestPageFrame)
#include "tst_page_frame.moc"
