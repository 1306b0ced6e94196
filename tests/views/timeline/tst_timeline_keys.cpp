#include "tests/support/test_main.h"
#include "views/timeline/timeline_keys.h"

#include <QKeyEvent>

#include <set>

using namespace altiscope;

using A = TimelineAction;

class TestTimelineKeys : public QObject {
    Q_OBJECT
private slots:
    void keysOfTheContract_data();
    void keysOfTheContract();
    void otherKeysAreLeftAlone_data();
    void otherKeysAreLeftAlone();
    void everyActionHasAKeyAndAText();
    void noKeyHasTwoActions();
};

void TestTimelineKeys::keysOfTheContract_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<int>("action");
    const auto row = [](const char* name, Qt::Key key, Qt::KeyboardModifiers modifiers, A action) {
        QTest::addRow("%s", name) << static_cast<int>(key) << static_cast<int>(modifiers.toInt()) << static_cast<int>(action);
    };
    row("W", Qt::Key_W, Qt::NoModifier, A::ZoomIn);
    row("S", Qt::Key_S, Qt::NoModifier, A::ZoomOut);
    row("A", Qt::Key_A, Qt::NoModifier, A::PanLeft);
    row("D", Qt::Key_D, Qt::NoModifier, A::PanRight);
    row("Left", Qt::Key_Left, Qt::NoModifier, A::PanLeft);
    row("Right of the keypad", Qt::Key_Right, Qt::KeypadModifier, A::PanRight);
    row("Up", Qt::Key_Up, Qt::NoModifier, A::ScrollUp);
    row("Down", Qt::Key_Down, Qt::NoModifier, A::ScrollDown);
    row("Shift+Z", Qt::Key_Z, Qt::ShiftModifier, A::ZoomToSelection);
    row("Backspace", Qt::Key_Backspace, Qt::NoModifier, A::UndoView);
    row("Ctrl+Z", Qt::Key_Z, Qt::ControlModifier, A::UndoView);
    row("Ctrl+0", Qt::Key_0, Qt::ControlModifier, A::WholeRun);
    row("M", Qt::Key_M, Qt::NoModifier, A::RangeOfSlice);
    row("[", Qt::Key_BracketLeft, Qt::NoModifier, A::FlowBack);
    row("]", Qt::Key_BracketRight, Qt::NoModifier, A::FlowForward);
    row("[ by AltGr", Qt::Key_BracketLeft, Qt::GroupSwitchModifier, A::FlowBack);
    row("?", Qt::Key_Question, Qt::ShiftModifier, A::ShowKeys);
    row("Escape", Qt::Key_Escape, Qt::NoModifier, A::ClearSelection);
}

void TestTimelineKeys::keysOfTheContract() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    const QKeyEvent event(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers));
    const auto action = actionOf(event, defaultTimelineKeys());
    QVERIFY(action.has_value());
    QTEST(static_cast<int>(*action), "action");
}

void TestTimelineKeys::otherKeysAreLeftAlone_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addRow("Q is the window's") << static_cast<int>(Qt::Key_Q) << 0;
    QTest::addRow("Ctrl+W closes") << static_cast<int>(Qt::Key_W) << static_cast<int>(Qt::ControlModifier);
    QTest::addRow("Ctrl+Shift+P is the palette") << static_cast<int>(Qt::Key_P) << static_cast<int>((Qt::ControlModifier | Qt::ShiftModifier).toInt());
    QTest::addRow("Tab moves the focus") << static_cast<int>(Qt::Key_Tab) << 0;
    QTest::addRow("Alt+Left") << static_cast<int>(Qt::Key_Left) << static_cast<int>(Qt::AltModifier);
}

void TestTimelineKeys::otherKeysAreLeftAlone() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QVERIFY(!actionOf(QKeyEvent(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers)), defaultTimelineKeys()));
}

void TestTimelineKeys::everyActionHasAKeyAndAText() {
    for (int i = 0; i <= static_cast<int>(A::ShowKeys); ++i) {
        const auto action = static_cast<A>(i);
        QVERIFY(!keyText(action, defaultTimelineKeys()).isEmpty());
        QVERIFY(!describeAction(action).isEmpty());
    }
    QCOMPARE(keyText(A::WholeRun, defaultTimelineKeys()), QStringLiteral("Ctrl+0"));
    QVERIFY(!timelineGestures().empty());
}

void TestTimelineKeys::noKeyHasTwoActions() {
    std::set<int> seen;
    for (const TimelineKey& key : defaultTimelineKeys()) {
        QVERIFY(seen.insert(QKeyCombination(key.modifiers, key.key).toCombined()).second);
    }
}

ALTI_TEST(TestTimelineKeys)
#include "tst_timeline_keys.moc"
