#include "core/session/demo_capture.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;

class TestDemoCapture : public QObject {
    Q_OBJECT
private slots:
    void isMadeOnceAndOpened();
    void cancelledLeavesNothing();
    void failureIsReported();
    void somebodysFolderStays();
    void withoutAFolderNothingIsWritten();
};

void TestDemoCapture::isMadeOnceAndOpened() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    DemoCapture demo(session, (folder.path() + QStringLiteral("/demo")).toStdString());
    QSignalSpy opened(&demo, &DemoCapture::opened), failed(&demo, &DemoCapture::failed);
    demo.open();
    demo.open();
    QCOMPARE(jobs.jobs().size(), std::size_t{1});
    // A disk may be full.
    QVERIFY(QTest::qWaitFor([&] { return opened.count() + failed.count() > 0; }, 240'000));
    QCOMPARE(failed.count(), 0);
    QCOMPARE(opened.count(), 1);
    QVERIFY(QTest::qWaitFor([&] { return session.captures().front().job == 0; }, 240'000));
    QCOMPARE(session.captures().front().store->ranks.size(), std::size_t{16});
    QCOMPARE(QDir(folder.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList{QStringLiteral("demo")});
    session.close(session.captures().front().id);
    demo.open();
    QCOMPARE(opened.count(), 2);
}

void TestDemoCapture::cancelledLeavesNothing() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    DemoCapture demo(session, (folder.path() + QStringLiteral("/demo")).toStdString());
    QSignalSpy failed(&demo, &DemoCapture::failed);
    demo.open();
    jobs.cancelAll();
    QVERIFY(QTest::qWaitFor([&] { return jobs.jobs().empty(); }, 10'000));
    QVERIFY(session.captures().empty());
    QCOMPARE(failed.count(), 0);
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestDemoCapture::failureIsReported() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    JobRunner jobs;
    Session session(jobs);
    // A file stands where a folder would have to be.
    DemoCapture demo(session, (file.fileName() + QStringLiteral("/demo")).toStdString());
    QSignalSpy failed(&demo, &DemoCapture::failed);
    demo.open();
    QVERIFY(failed.wait(10'000));
    QVERIFY(session.captures().empty());
}

void TestDemoCapture::somebodysFolderStays() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("demo")));
    QFile letter(folder.filePath(QStringLiteral("demo/letter.txt")));
    QVERIFY(letter.open(QIODevice::WriteOnly));
    JobRunner jobs;
    Session session(jobs);
    DemoCapture demo(session, (folder.path() + QStringLiteral("/demo")).toStdString());
    QSignalSpy failed(&demo, &DemoCapture::failed);
    demo.open();
    QVERIFY(failed.wait(240'000));
    QVERIFY(letter.exists());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("demo")});
    QVERIFY(session.captures().empty());
}

void TestDemoCapture::withoutAFolderNothingIsWritten() {
    JobRunner jobs;
    Session session(jobs);
    DemoCapture demo(session, {});
    QVERIFY(!demo.possible());
    demo.open();
    QVERIFY(jobs.jobs().empty());
    QVERIFY(session.captures().empty());
}

ALTI_TEST(TestDemoCapture)
#include "tst_demo_capture.moc"
