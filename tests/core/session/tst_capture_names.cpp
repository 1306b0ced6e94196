#include "core/session/capture_names.h"
#include "core/session/disk_size.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;
using namespace Qt::StringLiterals;

/// How captures and ranks are called, and what they take on disk.
class TestCaptureNames : public QObject {
    Q_OBJECT
private slots:
    void equalNamesAreToldApart_data();
    void equalNamesAreToldApart();
    void aNameOfTheUsersStandsUntilItIsEmpty();
    void ranksKeepTheirNameWhenTheyAreReadAgain();
    void captureOfOneNameSharesItWithTheNext();
    void sizesOnDisk();
};

namespace {

void writeRank(const QString& capture) {
    const QString output = capture + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"_s;
    QVERIFY(QDir().mkpath(output));
    QFile file(output + u"/trace_view.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.0","dur":1}])");
}

CaptureId openAndWait(Session& session, const QString& path) {
    const CaptureId id = session.open(path);
    return QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000) ? id : kNoCapture;
}

}  // namespace

void TestCaptureNames::equalNamesAreToldApart_data() {
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<QStringList>("names");
    const auto add = [](const char* what, const QStringList& paths, const QStringList& names) {
        QTest::newRow(what) << paths << names;
    };
    add("different", {u"/d/a"_s, u"/d/b"_s}, {u"a"_s, u"b"_s});
    add("one folder above", {u"/d/x/run"_s, u"/d/y/run"_s}, {u"run · x"_s, u"run · y"_s});
    add("two folders above", {u"/d/x/out/run"_s, u"/d/y/out/run"_s}, {u"run · x/out"_s, u"run · y/out"_s});
    add("as much as each needs", {u"/d/x/out/run"_s, u"/d/y/out/run"_s, u"/d/z/run"_s},
        {u"run · x/out"_s, u"run · y/out"_s, u"run · z"_s});
    add("one above the other", {u"/run"_s, u"/d/run"_s}, {u"run"_s, u"run · d"_s});
    add("others stay", {u"/d/x/run"_s, u"/d/y/run"_s, u"/d/y/b"_s}, {u"run · x"_s, u"run · y"_s, u"b"_s});
    add("the root", {u"/"_s}, {u"/"_s});
}

void TestCaptureNames::equalNamesAreToldApart() {
    QFETCH(QStringList, paths);
    QFETCH(QStringList, names);
    const std::vector<QString> found = displayNames({paths.begin(), paths.end()});
    QCOMPARE(QStringList(found.begin(), found.end()), names);
}

void TestCaptureNames::captureOfOneNameSharesItWithTheNext() {
    const QTemporaryDir folder;
    writeRank(folder.filePath(u"x/run"_s));
    writeRank(folder.filePath(u"y/run"_s));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId first = openAndWait(session, folder.filePath(u"x/run"_s));
    QCOMPARE(session.capture(first)->title, u"run"_s);
    QSignalSpy changed(&session, &Session::captureChanged);
    const CaptureId second = openAndWait(session, folder.filePath(u"y/run"_s));
    QCOMPARE(session.capture(first)->title, u"run · x"_s);
    QCOMPARE(session.capture(second)->title, u"run · y"_s);
    bool isReported = false;
    for (const auto& call : changed) isReported |= call[0].value<CaptureId>() == first;
    QVERIFY(isReported);
    session.close(second);
    QCOMPARE(session.capture(first)->title, u"run"_s);
}

void TestCaptureNames::aNameOfTheUsersStandsUntilItIsEmpty() {
    const QTemporaryDir folder;
    writeRank(folder.filePath(u"run"_s));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, folder.filePath(u"run"_s));
    session.rename(id, u"  before \n the change  "_s);
    QCOMPARE(session.capture(id)->title, u"before the change"_s);
    session.rename(id, QString(500, u'a'));
    QCOMPARE(session.capture(id)->title.size(), kMaxCaptureName);
    session.rename(id, {});
    QCOMPARE(session.capture(id)->title, u"run"_s);
    session.setGroup(id, u"tp 8"_s);
    QCOMPARE(session.capture(id)->names.group, u"tp 8"_s);
    // What a workspace hands over comes as one.
    session.setNames(id, {u"x"_s, {{"rank0_ascend_pt", "first"}, {"other", ""}}, {}});
    QCOMPARE(session.capture(id)->title, u"x"_s);
    QCOMPARE(session.capture(id)->names.rankAliases.size(), std::size_t{1});
    QCOMPARE(session.capture(id)->store->ranks[0].info.alias, std::string("first"));
}

void TestCaptureNames::ranksKeepTheirNameWhenTheyAreReadAgain() {
    const QTemporaryDir folder;
    writeRank(folder.filePath(u"run"_s));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = session.open(folder.filePath(u"run"_s));
    // Before anything of it is known, as a workspace does.
    session.renameRank(id, "rank0_ascend_pt", u"stage 0"_s);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QCOMPARE(session.capture(id)->store->ranks[0].info.alias, std::string("stage 0"));
    const auto trace = session.capture(id)->store->ranks[0].trace;
    session.renameRank(id, "rank0_ascend_pt", u"stage 1"_s);
    QCOMPARE(session.capture(id)->store->ranks[0].info.alias, std::string("stage 1"));
    // The events are the same ones.
    QVERIFY(session.capture(id)->store->ranks[0].trace == trace);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QCOMPARE(session.capture(id)->store->ranks[0].info.alias, std::string("stage 1"));
    session.renameRank(id, "rank0_ascend_pt", {});
    QCOMPARE(session.capture(id)->store->ranks[0].info.alias, std::string());
}

void TestCaptureNames::sizesOnDisk() {
    const QTemporaryDir folder;
    const auto write = [&](const QString& name, int bytes) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(bytes, 'x'));
    };
    QVERIFY(QDir(folder.path()).mkpath(u"run/inner"_s));
    write(u"run/a"_s, 10);
    write(u"run/inner/b"_s, 300);
    QVERIFY(QFile::link(folder.path(), folder.filePath(u"run/loop"_s)));
    const auto whole = diskSizeOf(folder.filePath(u"run"_s), {});
    QVERIFY(whole.has_value());
    QCOMPARE(whole->bytes, std::uint64_t{310});
    QCOMPARE(whole->files, std::uint64_t{2});
    QVERIFY(whole->isWhole && whole->newest.isValid());
    QCOMPARE(diskSizeOf(folder.filePath(u"run/a"_s), {})->bytes, std::uint64_t{10});
    QVERIFY(!diskSizeOf(folder.filePath(u"nothing"_s), {}));
    CancelToken cancelled;
    cancelled.requestCancel();
    QVERIFY(!diskSizeOf(folder.filePath(u"run"_s), cancelled));
}

ALTI_TEST(TestCaptureNames)
#include "tst_capture_names.moc"
