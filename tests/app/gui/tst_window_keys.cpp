#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/theme/focus_ring.h"
#include "views/common/widgets/command_palette.h"
#include "views/timeline/canvas/track_header.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// The palette with what it has found.
QStringList found(Program& program, const QString& query) {
    program.action(u"Commands…"_s)->trigger();
    auto* palette = program.window->findChild<CommandPalette*>();
    palette->findChild<QLineEdit*>()->setText(query);
    const auto* list = palette->findChild<QListWidget*>();
    QStringList titles;
    const bool isThere = QTest::qWaitFor([&] {
        titles.clear();
        for (int i = 0; i < list->count(); ++i) titles << list->item(i)->text();
        return program.jobs.idle() && !titles.contains(u"Searching…"_s);
    });
    return isThere ? titles : QStringList();
}

/// Runs the first line that begins so.
void run(Program& program, const QString& begin) {
    auto* palette = program.window->findChild<CommandPalette*>();
    auto* list = palette->findChild<QListWidget*>();
    for (int i = 0; i < list->count(); ++i) {
        if (!list->item(i)->text().startsWith(begin)) continue;
        list->setCurrentRow(i);
        return QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    }
    QFAIL(qPrintable(begin));
}

bool hasBegin(const QStringList& titles, const QString& begin) {
    return std::any_of(titles.begin(), titles.end(),
                       [&begin](const QString& title) { return title.startsWith(begin); });
}

}  // namespace

/// Parts of the window that keys alone reach.
class TestWindowKeys : public QObject {
    Q_OBJECT
private slots:
    void tracksAreFoundByName();
    void findingsAreFoundByName();
    void everyTabStopIsFramed();
};

void TestWindowKeys::tracksAreFoundByName() {
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    const auto& trace = *program.session.captures().front().store->ranks[1].trace;
    const QString name = QString::fromStdString(trace.track({0}).name);
    const QStringList titles = found(program, u"rank 1 "_s + name);
    QVERIFY2(hasBegin(titles, u"Tracks › "_s), qPrintable(titles.join(u'\n')));
    // In any case and order; the slash is between process and track.
    QVERIFY(hasBegin(found(program, name.toUpper() + u" / RANK 1"_s), u"Tracks › "_s));
    QVERIFY(!hasBegin(found(program, name + u" nosuchword"_s), u"Tracks › "_s));
    QVERIFY(hasBegin(found(program, u"rank 1 "_s + name), u"Tracks › "_s));
    run(program, u"Tracks › "_s);
    QCOMPARE(program.pages().tabText(program.pages().currentIndex()), viewTitle(ViewId::Timeline));
    QTRY_COMPARE(program.window->focusWidget(), program.window->findChild<TrackHeader*>());
}

void TestWindowKeys::findingsAreFoundByName() {
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    const QStringList titles = found(program, u"findings"_s);
    QVERIFY2(hasBegin(titles, u"Findings › "_s), qPrintable(titles.join(u'\n')));
    run(program, u"Findings › "_s);
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.pages().tabText(program.pages().currentIndex()) != viewTitle(ViewId::Overview));
}

void TestWindowKeys::everyTabStopIsFramed() {
    Program program({}, {}, QSize(1280, 800));
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    QApplication::setActiveWindow(&*program.window);
    const auto* ring = program.window->findChild<FocusRing*>();
    QVERIFY(ring != nullptr);
    constexpr int kMost = 120;
    for (const ViewId view : allViews()) {
        program.action(viewTitle(view))->trigger();
        QVERIFY(program.waitUntilIdle());
        const QWidget* first = nullptr;
        int stops = 0;
        for (; stops < kMost; ++stops) {
            QWidget* from = program.window->focusWidget();
            QTest::keyClick(from != nullptr ? from : &*program.window, Qt::Key_Tab);
            const QWidget* at = program.window->focusWidget();
            if (at == nullptr || at == first) break;
            if (first == nullptr) first = at;
            if (qobject_cast<const QMenuBar*>(at) != nullptr) continue;
            const QRect part = FocusRing::framedPart(*at);
            const QString where = u"%1: %2 %3"_s.arg(viewName(view), QString::fromLatin1(at->metaObject()->className()),
                                                     at->accessibleName());
            QVERIFY2(ring->frame() != nullptr && ring->frame()->isVisible(), qPrintable(where));
            QVERIFY2(ring->frame()->geometry().intersects(part) && ring->frame()->mask().boundingRect().width() > 0,
                     qPrintable(where));
        }
        QVERIFY2(stops > 2, qPrintable(viewName(view)));
    }
}

ALTI_TEST(TestWindowKeys)
#include "tst_window_keys.moc"
