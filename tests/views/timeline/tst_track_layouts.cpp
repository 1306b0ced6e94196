#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/track_menu.h"
#include "views/timeline/panels/track_filter_button.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/scene/track_layouts.h"

#include <QHash>
#include <QLineEdit>

using namespace altiscope;

namespace {

constexpr std::string_view kThreads = "p1/t1: A[0,100)\np1/t2: D[0,50)\np1/t3: E[0,50)";

/// One run of the program: what is remembered outlives it.
struct Run {
    explicit Run(QHash<QString, QVariant>& kept, std::string path = "/captures/run1")
        : runner(2), scene(runner), layouts(scene,
                                            {[&kept](const QString& key) { return kept.value(key); },
                                             [&kept](const QString& key, const QVariant& value) { kept[key] = value; }},
                                            nullptr) {
        auto capture = test::captureFromTexts({kThreads, kThreads});
        capture->path = std::move(path);
        test::showIn(scene, {{1, capture}});
        QVERIFY(QTest::qWaitFor([this] { return layouts.idle() && scene.idle(); }));
    }
    ~Run() { runner.shutdown(); }
    QString order() const {
        QString text;
        for (const TimelineRow& row : scene.model().rows()) {
            if (row.pinned) text += u'^';
            if (row.kind == TimelineRowKind::Rank) text += u'|';
            if (row.kind == TimelineRowKind::Thread) text += rowTitle(scene.model().sources(), row).right(1);
        }
        return text;
    }
    TimelineRow row(QChar mark) const {
        for (const TimelineRow& found : scene.model().rows()) {
            if (found.kind == TimelineRowKind::Thread && rowTitle(scene.model().sources(), found).endsWith(mark))
                return found;
        }
        return {};
    }

    JobRunner runner;
    TimelineScene scene;
    TrackLayouts layouts;
};

}  // namespace

class TestTrackLayouts : public QObject {
    Q_OBJECT
private slots:
    void savedAndAppliedElsewhere();
    void theFieldHasTheTextOfALayout();
    void renamedAndRemoved();
    void lastArrangementComesBack();
    void keptWhenTheCaptureIsClosed();
    void whatCameBackIsNoStep();
    void unreadMemoryDoesNothing();
    void whatIsNotAppliedYetIsNotReplaced();
};

void TestTrackLayouts::savedAndAppliedElsewhere() {
    QHash<QString, QVariant> kept;
    {
        Run run(kept);
        togglePin(run.scene, run.row(u'2'));
        run.scene.setFilter(
            {.text = {}, .hiddenKinds = {TrackKind::Gc}, .hidden = {run.scene.model().sources().keyOf(run.row(u'3'))}});
        run.scene.setColourBy(ColourBy::Duration);
        run.layouts.save(QStringLiteral("mine"));
    }
    Run other(kept, "/captures/other");
    QCOMPARE(other.order(), QStringLiteral("|123|123"));
    other.layouts.apply(QStringLiteral("mine"));
    QCOMPARE(other.order(), QStringLiteral("^2|1|123"));
    QCOMPARE(other.scene.colourBy(), ColourBy::Duration);
    QVERIFY(other.scene.model().filter().hiddenKinds.contains(TrackKind::Gc));
    other.scene.undoArrangement();
    QCOMPARE(other.order(), QStringLiteral("|123|123"));
    other.layouts.apply(QStringLiteral("not there"));
    QCOMPARE(other.order(), QStringLiteral("|123|123"));
}

void TestTrackLayouts::theFieldHasTheTextOfALayout() {
    QHash<QString, QVariant> kept;
    Run run(kept);
    const TrackFilterButton button(run.scene);
    const auto* field = button.findChild<QLineEdit*>();
    run.scene.setFilter({.text = QStringLiteral("thread 1"), .hiddenKinds = {}, .hidden = {}});
    QCOMPARE(field->text(), QStringLiteral("thread 1"));
    run.layouts.save(QStringLiteral("ones"));
    run.scene.setFilter({});
    QCOMPARE(field->text(), QString());
    run.layouts.apply(QStringLiteral("ones"));
    QCOMPARE(run.order(), QStringLiteral("|1|1"));
    QCOMPARE(field->text(), QStringLiteral("thread 1"));
    run.scene.undoArrangement();
    QCOMPARE(run.order(), QStringLiteral("|123|123"));
    QCOMPARE(field->text(), QString());
}

void TestTrackLayouts::renamedAndRemoved() {
    QHash<QString, QVariant> kept;
    Run run(kept);
    run.layouts.save(QStringLiteral("a"));
    run.layouts.save(QStringLiteral("b"));
    run.layouts.save(QString());
    run.layouts.rename(QStringLiteral("a"), QStringLiteral("c"));
    QCOMPARE(run.layouts.names(), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
    run.layouts.remove(QStringLiteral("b"));
    QCOMPARE(run.layouts.names(), (QStringList{QStringLiteral("c")}));
}

void TestTrackLayouts::lastArrangementComesBack() {
    QHash<QString, QVariant> kept;
    {
        Run run(kept);
        moveRow(run.scene, run.row(u'1'), 2);
        togglePin(run.scene, run.row(u'3'));
    }
    QCOMPARE(Run(kept).order(), QStringLiteral("^3|21|123"));
    QCOMPARE(Run(kept, "/captures/other").order(), QStringLiteral("|123|123"));
    {
        Run run(kept);
        run.layouts.reset();
    }
    QCOMPARE(Run(kept).order(), QStringLiteral("|123|123"));
}

void TestTrackLayouts::keptWhenTheCaptureIsClosed() {
    QHash<QString, QVariant> kept;
    Run run(kept);
    moveRow(run.scene, run.row(u'1'), 2);
    togglePin(run.scene, run.row(u'3'));
    test::showIn(run.scene, {});
    QCOMPARE(Run(kept).order(), QStringLiteral("^3|21|123"));
}

void TestTrackLayouts::whatCameBackIsNoStep() {
    QHash<QString, QVariant> kept;
    {
        Run run(kept);
        togglePin(run.scene, run.row(u'3'));
    }
    Run run(kept);
    run.scene.undoArrangement();
    QCOMPARE(run.order(), QStringLiteral("^3|12|123"));
    togglePin(run.scene, run.row(u'1'));
    run.scene.undoArrangement();
    QCOMPARE(run.order(), QStringLiteral("^3|12|123"));
}

/// Names are looked up on a worker: until then nothing is known of what is shown.
void TestTrackLayouts::whatIsNotAppliedYetIsNotReplaced() {
    QHash<QString, QVariant> kept;
    {
        Run run(kept);
        togglePin(run.scene, run.row(u'3'));
    }
    const auto before = kept;
    {
        JobRunner runner(2);
        TimelineScene scene(runner);
        TrackLayouts layouts(scene,
                             {[&kept](const QString& key) { return kept.value(key); },
                              [&kept](const QString& key, const QVariant& value) { kept[key] = value; }},
                             nullptr);
        const auto capture = test::captureFromTexts({kThreads, kThreads});
        scene.setCaptures({{1, capture}});
        scene.setAllExpanded(false);
        runner.shutdown();
    }
    QCOMPARE(kept, before);
}

void TestTrackLayouts::unreadMemoryDoesNothing() {
    QHash<QString, QVariant> kept{{QStringLiteral("timeline/layouts"), QStringLiteral("{nonsense")}};
    Run run(kept);
    QVERIFY(run.layouts.names().isEmpty());
    run.layouts.save(QStringLiteral("a"));
    QCOMPARE(run.layouts.names(), (QStringList{QStringLiteral("a")}));
}

ALTI_TEST(TestTrackLayouts)
#include "tst_track_layouts.moc"
