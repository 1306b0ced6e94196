#include "tests/support/test_main.h"
#include "views/common/plots/gesture_canvas.h"

#include <QKeyEvent>

using namespace altiscope;

/// Meanings of keys on a canvas: resources/help/reference/keys.md, "Curves, charts, maps and flame graphs".
class TestCanvasCommand : public QObject {
    Q_OBJECT
private slots:
    void keys_data();
    void keys();
};

void TestCanvasCommand::keys_data() {
    QTest::addColumn<Qt::Key>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* name, Qt::Key key, CanvasCommand expected,
                        Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::newRow(name) << key << modifiers << static_cast<int>(expected);
    };
    row("W", Qt::Key_W, CanvasCommand::ZoomIn);
    row("+, which many keyboards type with Shift", Qt::Key_Plus, CanvasCommand::ZoomIn, Qt::ShiftModifier);
    row("=, which has the + of some keyboards", Qt::Key_Equal, CanvasCommand::ZoomIn);
    row("S", Qt::Key_S, CanvasCommand::ZoomOut);
    row("-", Qt::Key_Minus, CanvasCommand::ZoomOut);
    row("A", Qt::Key_A, CanvasCommand::PanLeft);
    row("Left", Qt::Key_Left, CanvasCommand::PanLeft);
    row("D", Qt::Key_D, CanvasCommand::PanRight);
    row("Right", Qt::Key_Right, CanvasCommand::PanRight);
    row("Ctrl+0", Qt::Key_0, CanvasCommand::ShowAll, Qt::ControlModifier);
    row("0 alone", Qt::Key_0, CanvasCommand::None);
    row("Backspace", Qt::Key_Backspace, CanvasCommand::Undo);
    row("Shift+Backspace", Qt::Key_Backspace, CanvasCommand::Redo, Qt::ShiftModifier);
    row("any other", Qt::Key_Q, CanvasCommand::None);
}

void TestCanvasCommand::keys() {
    QFETCH(Qt::Key, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(int, expected);
    const QKeyEvent event(QEvent::KeyPress, key, modifiers);
    QCOMPARE(static_cast<int>(canvasCommand(event)), expected);
}

ALTI_TEST(TestCanvasCommand)
#include "tst_canvas_command.moc"
