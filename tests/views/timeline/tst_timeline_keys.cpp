#include "tests/support/test_main.h"
#include "views/timeline/page/keys_dialog.h"
#include "views/timeline/scene/timeline_keys.h"

#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include <set>

using namespace altiscope;

using A = TimelineAction;

class TestTimelineKeys : public QObject {
    Q_OBJECT
private slots:
    void keysOfTheContract_data();
    void keysOfTheContract();
    void lettersAndDigitsCountByTheirPlace();
    void otherKeysAreLeftAlone_data();
    void otherKeysAreLeftAlone();
    void everyActionHasAKeyAndAText();
    void noKeyHasTwoActions();
    void aNewKeyIsTakenFromWhateverHadIt();
    void changedKeysAreRemembered();
    void keysAreChangedInTheList();
};

void TestTimelineKeys::aNewKeyIsTakenFromWhateverHadIt() {
    const auto keys = withKey(defaultTimelineKeys(), A::ZoomIn, Qt::Key_A, Qt::NoModifier);
    const auto with = [&](int key) { return actionOf(QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier), keys); };
    QVERIFY(with(Qt::Key_A) == A::ZoomIn);
    QVERIFY2(!with(Qt::Key_W), "the old ones are gone");
    QVERIFY2(with(Qt::Key_Left) == A::PanLeft, "what lost a key keeps its others");
    QCOMPARE(keyText(A::ZoomIn, keys), QStringLiteral("A"));
    QVERIFY(withKey(defaultTimelineKeys(), A::AddMark, Qt::Key_K, Qt::NoModifier) == defaultTimelineKeys());
}

void TestTimelineKeys::changedKeysAreRemembered() {
    QVERIFY(savedKeys(defaultTimelineKeys()).isEmpty());
    auto keys = withKey(defaultTimelineKeys(), A::AddMark, Qt::Key_M, Qt::NoModifier);  // M was RangeOfSlice's only key
    keys = withKey(keys, A::GoTo, Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    const QStringList saved = savedKeys(keys);
    QCOMPARE(saved.size(), 3);
    QVERIFY(saved.contains(QStringLiteral("range_of_slice=")));
    const auto again = keysFrom(saved);
    for (const A action : allTimelineActions()) QCOMPARE(keyText(action, again), keyText(action, keys));
    QVERIFY(keyText(A::RangeOfSlice, again).isEmpty());
    QVERIFY(keysFrom({QStringLiteral("no_such_action=W"), QStringLiteral("nonsense"), QString()}) ==
            defaultTimelineKeys());
}

void TestTimelineKeys::keysAreChangedInTheList() {
    JobRunner jobs(1);
    TimelineScene scene(jobs);
    KeysDialog dialog(scene);
    auto* table = dialog.findChild<QTableWidget*>();
    auto* field = dialog.findChild<QKeySequenceEdit*>();
    int row = 0;
    while (table->item(row, 1)->text() != describeAction(A::AddMark)) ++row;
    table->setCurrentCell(row, 0);
    QTest::keyClick(field, Qt::Key_J, Qt::ControlModifier);
    QTRY_COMPARE(keyText(A::AddMark, scene.keys()), QStringLiteral("Ctrl+J"));
    QCOMPARE(table->item(row, 0)->text(), QStringLiteral("Ctrl+J"));
    // W belongs to zooming: it loses it, and that is told.
    table->setCurrentCell(row, 0);
    field->setKeySequence(QKeySequence(Qt::Key_W));
    QCOMPARE(keyText(A::AddMark, scene.keys()), QStringLiteral("W"));
    bool reported = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        reported |= label->text().contains(describeAction(A::ZoomIn));
    QVERIFY(reported);
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Reset &all")) button->click();
    }
    QVERIFY(scene.keys() == defaultTimelineKeys());
    // A gesture has no key.
    table->setCurrentCell(table->rowCount() - 1, 0);
    QVERIFY(!field->isEnabled());
    jobs.shutdown();
}

void TestTimelineKeys::keysOfTheContract_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<int>("action");
    const auto row = [](const char* name, Qt::Key key, Qt::KeyboardModifiers modifiers, A action) {
        QTest::addRow("%s", name) << static_cast<int>(key) << static_cast<int>(modifiers.toInt())
                                  << static_cast<int>(action);
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
    row("L", Qt::Key_L, Qt::NoModifier, A::AlignStarts);
    row("R", Qt::Key_R, Qt::NoModifier, A::AlignEnds);
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

void TestTimelineKeys::lettersAndDigitsCountByTheirPlace() {
    const auto at = [](Qt::Key place, int key, Qt::KeyboardModifiers modifiers) {
        return actionAt(place, QKeyEvent(QEvent::KeyPress, key, modifiers), defaultTimelineKeys());
    };
    // On a US layout Shift+0 is ")", on a French one the key of the 0 is "a" with a grave accent.
    QCOMPARE(at(Qt::Key_0, Qt::Key_ParenRight, Qt::ShiftModifier), std::optional(A::ResetClocks));
    QCOMPARE(at(Qt::Key_0, Qt::Key_Agrave, Qt::ControlModifier), std::optional(A::WholeRun));
    QCOMPARE(at(Qt::Key_W, Qt::Key_Z, Qt::NoModifier), std::optional(A::ZoomIn));
    QVERIFY(!at(Qt::Key_9, Qt::Key_0, Qt::ControlModifier));
}

void TestTimelineKeys::otherKeysAreLeftAlone_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addRow("Q is the window's") << static_cast<int>(Qt::Key_Q) << 0;
    QTest::addRow("Ctrl+W closes") << static_cast<int>(Qt::Key_W) << static_cast<int>(Qt::ControlModifier);
    QTest::addRow("Ctrl+Shift+P is the palette")
        << static_cast<int>(Qt::Key_P) << static_cast<int>((Qt::ControlModifier | Qt::ShiftModifier).toInt());
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
