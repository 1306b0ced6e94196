#include "views/common/theme/focus_ring.h"

#include "tests/support/test_main.h"
#include "views/common/theme/theme.h"

#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTest>

using namespace altiscope;

namespace {

struct Window {
    Window() {
        window.setPalette(paletteOf(lightTheme()));
        window.resize(400, 300);
        one.setGeometry(20, 20, 80, 30);
        two.setGeometry(20, 80, 80, 30);
        window.show();
        QApplication::setActiveWindow(&window);
    }
    QWidget window;
    QPushButton one{&window}, two{&window};
    FocusRing ring;
};

/// Pixels of the accent from the left edge of the ring on, at half of its height.
int ringWidth(QWidget& window, const QRect& ring) {
    const QImage picture = window.grab().toImage();
    int width = 0;
    while (picture.pixelColor(ring.left() + width, ring.center().y()) == lightTheme().accent) ++width;
    return width;
}

}  // namespace

class TestFocusRing : public QObject {
    Q_OBJECT
private slots:
    void keysShowIt();
    void mouseTakesItAway();
    void followsTheWidget();
    void framesTheChosenTab();
    void framesWhatIsInSight();
    void goesWithItsWindow();
};

void TestFocusRing::keysShowIt() {
    Window window;
    window.one.setFocus(Qt::OtherFocusReason);
    QVERIFY(window.ring.frame() == nullptr || window.ring.frame()->isHidden());
    window.two.setFocus(Qt::TabFocusReason);
    QVERIFY(window.ring.frame() != nullptr && window.ring.frame()->isVisible());
    QCOMPARE(window.ring.frame()->geometry(), QRect(18, 78, 84, 34));
    QCOMPARE(ringWidth(window.window, window.ring.frame()->geometry()), kFocusRing);
    // The next focus is framed as well.
    window.one.setFocus(Qt::OtherFocusReason);
    QCOMPARE(window.ring.frame()->geometry(), QRect(18, 18, 84, 34));
}

void TestFocusRing::mouseTakesItAway() {
    Window window;
    window.two.setFocus(Qt::TabFocusReason);
    QTest::mouseClick(&window.one, Qt::LeftButton);
    QVERIFY(window.ring.frame()->isHidden());
    window.two.setFocus(Qt::OtherFocusReason);
    QVERIFY(window.ring.frame()->isHidden());
    // A press goes to what lies below the frame.
    window.two.setFocus(Qt::TabFocusReason);
    QVERIFY(window.window.childAt(QPoint(19, 95)) != window.ring.frame());
}

void TestFocusRing::followsTheWidget() {
    Window window;
    window.two.setFocus(Qt::TabFocusReason);
    window.one.setFocus(Qt::TabFocusReason);
    window.one.setGeometry(100, 100, 50, 40);
    QCOMPARE(window.ring.frame()->geometry(), QRect(98, 98, 54, 44));
    window.one.hide();
    QVERIFY(window.ring.frame()->isHidden() || window.window.focusWidget() != &window.one);
}

void TestFocusRing::framesTheChosenTab() {
    Window window;
    QTabBar tabs(&window.window);
    for (const char* title : {"one", "two", "three"}) tabs.addTab(QString::fromLatin1(title));
    tabs.setGeometry(10, 200, 300, 30);
    tabs.show();
    tabs.setFocus(Qt::TabFocusReason);
    QCOMPARE(FocusRing::framedPart(tabs), tabs.tabRect(0).translated(10, 200));
    QTest::keyClick(&tabs, Qt::Key_Right);
    QCOMPARE(tabs.currentIndex(), 1);
    QCOMPARE(window.ring.frame()->geometry().center().x(), tabs.tabRect(1).translated(10, 200).center().x());
}

void TestFocusRing::framesWhatIsInSight() {
    Window window;
    QScrollArea area(&window.window);
    auto* content = new QWidget;
    content->resize(200, 1000);
    area.setFrameShape(QFrame::NoFrame);
    area.setWidget(content);
    area.setGeometry(100, 100, 200, 100);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.show();
    QCOMPARE(FocusRing::framedPart(*content), QRect(100, 100, 200, 100));
}

void TestFocusRing::goesWithItsWindow() {
    FocusRing ring;
    {
        QWidget window;
        QPushButton first(&window), button(&window);
        window.show();
        QApplication::setActiveWindow(&window);
        first.setFocus(Qt::TabFocusReason);
        button.setFocus(Qt::TabFocusReason);
        QVERIFY(ring.frame() != nullptr);
    }
    QVERIFY(ring.frame() == nullptr);
}

ALTI_TEST(TestFocusRing)
#include "tst_focus_ring.moc"
