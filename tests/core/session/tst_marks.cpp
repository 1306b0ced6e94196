#include "core/session/marks.h"

#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <utility>
#include <vector>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// On a clock that no double holds exactly.
constexpr std::int64_t kOdd = 1'736'408'883'573'888'001;

Mark moment(std::int64_t at, const QString& name = {}) { return {{{at}, {at}}, name, {}, 0}; }

}  // namespace

class TestMarks : public QObject {
    Q_OBJECT
private slots:
    void areKeptToTheNanosecond();
    void standByBegin();
    void whatCannotBeUnderstoodIsKeptBeside();
    void anUnwritableFileIsReported();
    void twoWindowsKeepEachOthersMarks();
    void rangesThatGoBackAreNone();
    void moreThanTheMostAreKeptInTheFile();
    void manyMarksOfAWorkspaceAreOneChange();

private:
    /// A file of marks of one capture.
    static void write(const QString& file, const QString& capture, const QJsonArray& marks) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QJsonDocument(QJsonObject{{capture, marks}}).toJson());
    }
    static qsizetype countIn(const QString& file, const QString& capture) {
        QFile in(file);
        if (!in.open(QIODevice::ReadOnly)) return -1;
        return QJsonDocument::fromJson(in.readAll()).object().value(capture).toArray().size();
    }
};

void TestMarks::rangesThatGoBackAreNone() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"marks.json"_s), path = folder.filePath(u"capture"_s);
    QJsonArray list;
    for (const auto& [begin, end] : {std::pair<qint64, qint64>(5, 4), {4, 4}, {-7, -8}, {-9, 3}})
        list.append(QJsonObject{{u"begin"_s, begin}, {u"end"_s, end}});
    list.append(QJsonObject{{u"end"_s, 7}});
    write(file, path, list);
    JobRunner jobs;
    Session session(jobs);
    const Marks marks(session, file);
    const std::vector<Mark>& found = marks.of(session.open(path));
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY((found[0].range == TimeRange{{-9}, {3}}));
    QVERIFY((found[1].range == TimeRange{{4}, {4}}));
}

void TestMarks::moreThanTheMostAreKeptInTheFile() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"marks.json"_s), path = folder.filePath(u"capture"_s);
    QJsonArray list;
    for (qint64 i = 0; i < 10'003; ++i) list.append(QJsonObject{{u"begin"_s, i}, {u"end"_s, i + 1}});
    write(file, path, list);
    JobRunner jobs;
    Session session(jobs);
    Marks marks(session, file);
    const CaptureId capture = session.open(path);
    QCOMPARE(marks.of(capture).size(), std::size_t{10'000});
    marks.remove(capture, Mark(marks.of(capture)[0]));
    QCOMPARE(marks.of(capture).size(), std::size_t{9'999});
    QCOMPARE(countIn(file, path), qsizetype{10'002});
}

/// A change and a signal for each of them took their square: 2,000 took more than two minutes.
void TestMarks::manyMarksOfAWorkspaceAreOneChange() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"marks.json"_s), path = folder.filePath(u"capture"_s);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId capture = session.open(path);
    Marks marks(session, file);
    marks.add(capture, moment(5, u"own"_s));
    const Mark own = marks.of(capture)[0];
    std::vector<Mark> added{own, {{{7}, {9}}, {}, u"note"_s, 3}, {{{7}, {9}}, {}, u"note"_s, 3}};
    for (std::int64_t i = 9'999; i > 0; --i) added.push_back({{{100 * i}, {100 * i + 1}}, u"m"_s, {}, 2});
    QSignalSpy changed(&marks, &Marks::changed);
    marks.join(capture, added);
    QCOMPARE(changed.count(), 1);
    const std::vector<Mark>& all = marks.of(capture);
    QCOMPARE(all.size(), std::size_t{10'000});
    QVERIFY(all[0] == own && all[1] == added[1]);
    QCOMPARE(all[2].range.begin.value, std::int64_t{200});  // those of the list come in its order, up to the limit
    QCOMPARE(all.back().range.begin.value, std::int64_t{999'900});
    QCOMPARE(countIn(file, path), qsizetype{10'000});
    marks.join(capture, added);
    QCOMPARE(marks.of(capture).size(), std::size_t{10'000});
}

void TestMarks::twoWindowsKeepEachOthersMarks() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"marks.json"_s), path = folder.filePath(u"capture"_s);
    JobRunner jobs;
    Session one(jobs), other(jobs);
    Marks first(one, file), second(other, file);
    const CaptureId here = one.open(path), there = other.open(path);
    QVERIFY(first.of(here).empty() && second.of(there).empty());
    first.add(here, moment(10, u"a"_s));
    second.add(there, moment(20, u"b"_s));
    QCOMPARE(second.of(there).size(), std::size_t{2});
    first.remove(here, Mark(first.of(here)[0]));
    QCOMPARE(first.of(here).size(), std::size_t{1});
    QCOMPARE(first.of(here)[0].name, u"b"_s);
    // One that is gone in the file is not brought back by a change of it.
    second.change(there, Mark(second.of(there)[0]), moment(30, u"c"_s));
    QCOMPARE(second.of(there).size(), std::size_t{1});
}

void TestMarks::areKeptToTheNanosecond() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"deep/marks.json"_s);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId capture = session.open(folder.filePath(u"capture"_s));
    const Mark range{{{kOdd}, {kOdd + 3}}, u"warm-up \u6b65"_s, u"two\nlines"_s, 0};
    {
        Marks marks(session, file);
        marks.add(capture, range);
        QCOMPARE(marks.of(capture).size(), std::size_t{1});
        QVERIFY(marks.of({99}).empty());
    }
    Marks again(session, file);
    QVERIFY(again.of(capture) == std::vector{range});
    again.clear(capture);
    Marks emptied(session, file);
    QVERIFY(emptied.of(capture).empty());
    QVERIFY2(!QFile::exists(file + u".unread"_s), "an empty file is one that is understood");
}

void TestMarks::standByBegin() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    const CaptureId capture = session.open(folder.filePath(u"capture"_s));
    Marks marks(session, {});
    QSignalSpy changed(&marks, &Marks::changed);
    marks.add(capture, moment(30));
    marks.add(capture, moment(10));
    QCOMPARE(changed.count(), 2);
    QCOMPARE(marks.of(capture)[0].range.begin.value, 10);
    QCOMPARE(marks.of(capture)[0].name, u"2"_s);
    QVERIFY(marks.of(capture)[0].colour != marks.of(capture)[1].colour);
    marks.change(capture, marks.of(capture)[0], moment(50, u"later"_s));
    QCOMPARE(marks.of(capture)[1].name, u"later"_s);
    marks.change(capture, marks.of(capture)[1], marks.of(capture)[1]);
    QCOMPARE(changed.count(), 3);
    marks.remove(capture, Mark(marks.of(capture)[0]));
    QCOMPARE(marks.of(capture).size(), std::size_t{1});
}

void TestMarks::whatCannotBeUnderstoodIsKeptBeside() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"marks.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"half");
    file.close();
    JobRunner jobs;
    Session session(jobs);
    const CaptureId capture = session.open(folder.filePath(u"capture"_s));
    Marks marks(session, path);
    QVERIFY(marks.of(capture).empty());
    marks.add(capture, moment(1));
    QFile unread(path + u".unread"_s);
    QVERIFY(unread.open(QIODevice::ReadOnly));
    QCOMPARE(unread.readAll(), QByteArray("{\"half"));
    Marks again(session, path);
    QCOMPARE(again.of(capture).size(), std::size_t{1});
}

void TestMarks::anUnwritableFileIsReported() {
    const QTemporaryDir folder;
    QFile blocker(folder.filePath(u"blocker"_s));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId capture = session.open(folder.filePath(u"capture"_s));
    Marks marks(session, folder.filePath(u"blocker/marks.json"_s));
    QSignalSpy reported(&marks, &Marks::notKept);
    marks.add(capture, moment(1));
    QCOMPARE(reported.count(), 1);
    QCOMPARE(marks.of(capture).size(), std::size_t{1});
}

ALTI_TEST(TestMarks)
#include "tst_marks.moc"
