#include "views/timeline/page/timeline_saving.h"

#include "core/session/session.h"
#include "tests/core/report/odd_trace.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/picture/trace_picture.h"

#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QWidget>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// A window over a capture that is open in a session.
struct Bench {
    Bench() {
        QFile file(folder.filePath(u"capture/trace.json"_s));
        QDir(folder.path()).mkdir(u"capture"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(test::kOddTrace);
        file.close();
        id = session.open(folder.filePath(u"capture"_s));
        QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }));
        look.resize(800, 600);
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        test::showIn(scene, {{id, session.capture(id)->store}});
        QObject::connect(&saving, &TimelineSaving::statusMessage, &look,
                         [this](const QString& text) { reported = text; });
    }
    ~Bench() { runner.shutdown(); }
    QString path(const QString& name) const { return folder.filePath(name); }
    void wait() {
        QVERIFY(QTest::qWaitFor([&] { return !reported.isEmpty(); }));
    }

    QTemporaryDir folder;
    JobRunner runner{2};
    Session session{runner};
    TimelineScene scene{runner};
    Selection selection;
    TimelineSelection selected{scene, selection};
    QWidget look;
    TimelineSaving saving{session, scene, selected, look};
    CaptureId id;
    QString reported;
};

constexpr std::int64_t kBase = 1736412474714000000;

QStringList slicesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {u"no file"_s};
    QStringList names;
    for (const QJsonValue& event : QJsonDocument::fromJson(file.readAll()).object()[u"traceEvents"_s].toArray()) {
        if (event[u"ph"_s] == u"X"_s) names << event[u"name"_s].toString();
    }
    names.sort();
    return names;
}

}  // namespace

class TestTimelineSaving : public QObject {
    Q_OBJECT
private slots:
    void theTimeInSightOfAllTracks();
    void whatIsSeenOfARankWhoseClockIsAligned();
    void theMarkedRangeOfChosenTracks();
    void nothingIsWrittenIntoAnOpenCapture();
    void whatWasCancelledIsNotSaidToBeWritten();
    void tracksOfAClosedCaptureMakeNoPicture();
    void pictures_data();
    void pictures();
    void aPictureOfChosenTracksHasTheirGroups();
};

void TestTimelineSaving::theTimeInSightOfAllTracks() {
    Bench bench;
    bench.scene.change([](ViewWindow& w) { w.show({{kBase + 260'500}, {kBase + 264'000}}, HistoryMark::NewStep); });
    bench.saving.saveTrace(bench.path(u"out.json"_s));
    bench.wait();
    QVERIFY2(bench.reported.contains(u"4 slices"_s), qPrintable(bench.reported));
    QCOMPARE(slicesOf(bench.path(u"out.json"_s)), (QStringList{u"open \u00e9"_s, u"outer"_s, u"same"_s, u"same"_s}));
}

void TestTimelineSaving::whatIsSeenOfARankWhoseClockIsAligned() {
    Bench bench;
    constexpr std::int64_t kSuffix = 5'000'000;
    auto clocks = std::make_shared<ClockAlignment>();
    clocks->ranks.resize(1);
    clocks->ranks[0].state = RankClock::State::Aligned;
    clocks->ranks[0].offset = kSuffix;
    test::showIn(bench.scene, {{.capture = bench.id,
                                .store = bench.session.capture(bench.id)->store,
                                .origin = {},
                                .rankShifts = std::make_shared<const RankShifts>(RankShifts{clocks, {}})}});
    bench.scene.change([](ViewWindow& w) {
        w.show({{kBase + kSuffix + 260'500}, {kBase + kSuffix + 264'000}}, HistoryMark::NewStep);
    });
    bench.saving.saveTrace(bench.path(u"aligned.json"_s));
    bench.wait();
    QCOMPARE(slicesOf(bench.path(u"aligned.json"_s)),
             (QStringList{u"open \u00e9"_s, u"outer"_s, u"same"_s, u"same"_s}));
}

void TestTimelineSaving::theMarkedRangeOfChosenTracks() {
    Bench bench;
    const TraceStore& trace = *bench.session.capture(bench.id)->store->ranks[0].trace;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).name == "Thread 2")
            bench.selected.chooseTracks({.capture = bench.id, .parts = {{.rank = {0}, .track = trace.track({t}).id}}});
    }
    bench.saving.saveTrace(bench.path(u"track.json"_s));
    bench.wait();
    QCOMPARE(slicesOf(bench.path(u"track.json"_s)), QStringList{u"task"_s});
    bench.reported.clear();
    bench.selected.markRange({{kBase + 258'000}, {kBase + 260'000}}, 0);
    bench.saving.saveTrace(bench.path(u"range.json"_s));
    bench.wait();
    QCOMPARE(slicesOf(bench.path(u"range.json"_s)), QStringList());
}

void TestTimelineSaving::nothingIsWrittenIntoAnOpenCapture() {
    Bench bench;
    for (const QString& name : {u"capture/out.json"_s, u"capture/trace.json"_s}) {
        bench.reported.clear();
        const qint64 before = QFileInfo(bench.path(name)).size();
        bench.saving.saveTrace(bench.path(name));
        bench.wait();
        QVERIFY2(bench.reported.startsWith(u"Not saved"_s), qPrintable(bench.reported));
        QCOMPARE(QFileInfo(bench.path(name)).size(), before);
    }
    bench.reported.clear();
    bench.saving.savePicture(bench.path(u"capture/out.png"_s));
    bench.wait();
    QVERIFY(!QFileInfo::exists(bench.path(u"capture/out.png"_s)));
}

void TestTimelineSaving::whatWasCancelledIsNotSaidToBeWritten() {
    Bench bench;
    bench.saving.savePicture(bench.path(u"out.png"_s));
    bench.runner.cancelAll();
    QVERIFY(QTest::qWaitFor([&] { return bench.runner.idle(); }));
    // It may have been done before.
    QCOMPARE(!bench.reported.isEmpty(), QFileInfo::exists(bench.path(u"out.png"_s)));
}

void TestTimelineSaving::tracksOfAClosedCaptureMakeNoPicture() {
    Bench bench;
    const TrackChoice choice{.capture = {bench.id.value + 1}, .parts = {{.rank = {0}, .track = {}}}};
    const TracePicture picture =
        pictureOf(bench.scene, &choice, bench.scene.window().range(), 800, 1, bench.look.font(), darkTheme());
    QVERIFY(picture.rows.empty());
}

void TestTimelineSaving::pictures_data() {
    QTest::addColumn<double>("ratio");
    QTest::newRow("as it is") << 1.0;
    QTest::newRow("twice as fine") << 2.0;
}

void TestTimelineSaving::pictures() {
    QFETCH(double, ratio);
    Bench bench;
    TracePicture picture =
        pictureOf(bench.scene, nullptr, bench.scene.window().range(), 800, ratio, bench.look.font(), lightTheme());
    picture.source = u"here and then"_s;
    QCOMPARE(picture.rows.size(), bench.scene.model().rows().size());
    QCOMPARE(picture.height(), static_cast<int>(bench.scene.model().layout().height()));
    QVERIFY(writePicture(picture, bench.path(u"out.png"_s), {}) == QString());
    const QImage image(bench.path(u"out.png"_s));
    QCOMPARE(image.size(), (QSizeF(picture.size()) * ratio).toSize());
    // Slices are there, in their colours and at their places.
    const QRgb outer = lightTheme().hueOf("outer").rgb();
    int coloured = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) coloured += image.pixel(x, y) == outer ? 1 : 0;
    }
    QVERIFY(coloured > 100);
    QVERIFY(writePicture(picture, bench.path(u"out.svg"_s), {}) == QString());
    QFile svg(bench.path(u"out.svg"_s));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    for (const char* part : {"<svg", "here and then", "Thread 2", "HBM", "</svg>"}) QVERIFY2(text.contains(part), part);
    QVERIFY2(!text.contains("<image"), "slices are shapes, not a picture within the picture");
    QVERIFY2(text.count("<rect") < picture.width,
             "counters that keep their value are one shape, not one for each pixel");
}

void TestTimelineSaving::aPictureOfChosenTracksHasTheirGroups() {
    Bench bench;
    const TraceStore& trace = *bench.session.capture(bench.id)->store->ranks[0].trace;
    TrackChoice choice{.capture = bench.id, .parts = {}};
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).name == "Thread 2") choice.parts.push_back({.rank = {0}, .track = trace.track({t}).id});
    }
    const TracePicture picture =
        pictureOf(bench.scene, &choice, bench.scene.window().range(), 800, 1, bench.look.font(), darkTheme());
    QCOMPARE(picture.rows.size(), std::size_t{3});
    QCOMPARE(picture.rows.back().title, u"Thread 2"_s);
    QCOMPARE(picture.rows[0].top, 0);
    QCOMPARE(picture.rows[1].top, picture.rows[0].height);
}

ALTI_TEST(TestTimelineSaving)
#include "tst_timeline_saving.moc"
