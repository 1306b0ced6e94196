#include "core/session/cache_choice.h"
#include "tests/app/gui/window_program.h"
#include "views/common/widgets/key_editor.h"
#include "views/findings/thresholds_panel.h"
#include "views/settings/look_page.h"
#include "views/settings/settings_dialog.h"
#include "views/settings/storage_page.h"
#include "views/timeline/page/colour_rules_panel.h"

#include <QComboBox>
#include <QFontInfo>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>

#include <map>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// The dialog, opened by its key.
SettingsDialog* opened(Program& program) {
    // Keys of menus count in the window that is active.
    QApplication::setActiveWindow(&*program.window);
    QTest::keyClick(&*program.window, Qt::Key_Comma, Qt::ControlModifier);
    auto* dialog = program.window->findChild<SettingsDialog*>();
    return dialog != nullptr && dialog->isVisible() ? dialog : nullptr;
}

KeyEditor* editorOf(SettingsDialog& dialog, const QString& name) {
    for (KeyEditor* editor : dialog.findChildren<KeyEditor*>())
        if (editor->accessibleName() == name) return editor;
    return nullptr;
}

/// Chooses the line of an effect and presses a key in the field.
void give(KeyEditor& editor, const QString& effect, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    auto* table = editor.findChild<QTableWidget*>();
    int row = 0;
    while (row < table->rowCount() && table->item(row, 1)->text() != effect) ++row;
    QVERIFY2(row < table->rowCount(), qPrintable(effect));
    table->setCurrentCell(row, 0);
    auto* field = editor.findChild<QKeySequenceEdit*>();
    QTest::keyClick(field, key, modifiers);
    // The field waits for more keys, which are no part of ours.
    QTRY_VERIFY(field->keySequence().isEmpty());
}

bool says(const QWidget& part, const QString& text) {
    for (const QLabel* label : part.findChildren<QLabel*>())
        if (label->text().contains(text)) return true;
    return false;
}

void press(KeyEditor& editor, const QString& button) {
    for (QPushButton* one : editor.findChildren<QPushButton*>())
        if (one->text() == button) QTest::keyClick(one, Qt::Key_Space);
}

}  // namespace

/// The settings of the program in its window: each acts at once and survives the end of the program.
class TestSettingsWindow : public QObject {
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_temp.isValid()); }
    void cleanup() {
        chooseCache({});
        QApplication::setFont(m_font);
    }

    void everySubjectHasItsPage();
    void namesOfCommandsAreUnique();
    void aCommandGetsAnotherKey();
    void aKeyIsTakenFromWhateverHadIt();
    void aKeyOfADockStays();
    void keysOfTheTimelineAreNamed();
    void damagedKeysAreThoseOfAFreshInstallation();
    void whatIsChosenSurvivesTheProgram();
    void menusFollowTheDialog();
    void everyTextHasTheChosenSize();

private:
    const QFont m_font = QApplication::font();
    QTemporaryDir m_temp;
    QString settingsFile(const QString& name) const { return m_temp.filePath(name); }
};

void TestSettingsWindow::everySubjectHasItsPage() {
    Program program;
    SettingsDialog* dialog = opened(program);
    QVERIFY(dialog != nullptr);
    auto* subjects = dialog->findChild<QListWidget*>();
    QCOMPARE(subjects->count(), 6);
    const auto seen = [&](int row, auto* part) {
        subjects->setCurrentRow(row);
        return part != nullptr && part->isVisible();
    };
    QVERIFY(seen(0, dialog->findChild<LookPage*>()));
    QVERIFY(seen(1, dialog->findChild<StoragePage*>()));
    QVERIFY(seen(2, editorOf(*dialog, u"Keys of the window"_s)));
    QVERIFY(seen(3, editorOf(*dialog, u"Keys of the timeline"_s)));
    QVERIFY(seen(4, dialog->findChild<ThresholdsPanel*>()));
    QVERIFY(seen(5, dialog->findChild<ColourRulesPanel*>()));
    // The same key brings it back, once.
    QVERIFY(opened(program) == dialog);
    QCOMPARE(program.window->findChildren<SettingsDialog*>().size(), 1);
    program.language.setLanguage(u"zh_CN"_s);
    QCoreApplication::processEvents();
    QCOMPARE(subjects->item(0)->text(), u"外观与语言"_s);
    program.language.setLanguage(u"en"_s);
}

void TestSettingsWindow::namesOfCommandsAreUnique() {
    QMenuBar bar;
    const WindowActions actions(bar);
    std::set<QString> names;
    for (const KeyedAction& keyed : actions.keyed()) {
        QVERIFY2(!keyed.name.isEmpty() && !keyed.name.contains(u'='), qPrintable(keyed.name));
        QVERIFY2(names.insert(keyed.name).second, qPrintable(keyed.name));
    }
    QVERIFY(names.contains(u"open_folder"_s) && names.contains(u"page_timeline"_s));
}

void TestSettingsWindow::aCommandGetsAnotherKey() {
    const QString file = settingsFile(u"keys.ini"_s);
    {
        Program program(file);
        SettingsDialog* dialog = opened(program);
        QVERIFY(dialog != nullptr);
        KeyEditor* editor = editorOf(*dialog, u"Keys of the window"_s);
        give(*editor, u"Go › Memory"_s, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
        dialog->close();
        program.action(viewTitle(ViewId::Overview))->trigger();
        QApplication::setActiveWindow(&*program.window);
        QTest::keyClick(&*program.window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(program.pages().tabText(program.pages().currentIndex()), viewTitle(ViewId::Memory));
    }
    Program again(file);
    QCOMPARE(again.action(viewTitle(ViewId::Memory))->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J));
    SettingsDialog* dialog = opened(again);
    KeyEditor* editor = editorOf(*dialog, u"Keys of the window"_s);
    press(*editor, u"Reset &all"_s);
    QVERIFY(again.settings.keys().isEmpty());
    QVERIFY(again.action(viewTitle(ViewId::Memory))->shortcut() != QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J));
}

void TestSettingsWindow::aKeyIsTakenFromWhateverHadIt() {
    Program program;
    SettingsDialog* dialog = opened(program);
    KeyEditor* editor = editorOf(*dialog, u"Keys of the window"_s);
    give(*editor, u"File › Open file…"_s, Qt::Key_R, Qt::ControlModifier);
    QVERIFY(says(*editor, u"Ctrl+R no longer does: File › Record a job…"_s));
    QCOMPARE(program.action(u"Open file…"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_R));
    QVERIFY(program.action(u"Record a job…"_s)->shortcut().isEmpty());
    // Each by itself: the one gets its own back, and the other its.
    press(*editor, u"&Reset"_s);
    QCOMPARE(program.action(u"Open file…"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    press(*editor, u"Reset &all"_s);
    QCOMPARE(program.action(u"Record a job…"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_R));
}

void TestSettingsWindow::aKeyOfADockStays() {
    Program program;
    SettingsDialog* dialog = opened(program);
    KeyEditor* editor = editorOf(*dialog, u"Keys of the window"_s);
    give(*editor, u"File › Open file…"_s, Qt::Key_Q, Qt::NoModifier);
    QVERIFY(says(*editor, u"Q stays the key of: "_s));
    // A button's.
    give(*editor, u"File › Open file…"_s, Qt::Key_J, Qt::ControlModifier);
    QVERIFY(says(*editor, u"Ctrl+J stays the key of: "_s));
    QCOMPARE(program.action(u"Open file…"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
}

void TestSettingsWindow::keysOfTheTimelineAreNamed() {
    Program program;
    SettingsDialog* dialog = opened(program);
    KeyEditor* editor = editorOf(*dialog, u"Keys of the window"_s);
    give(*editor, u"File › Open file…"_s, Qt::Key_K, Qt::NoModifier);
    QVERIFY(says(*editor, u"On the timeline K still does: "_s));
    QCOMPARE(program.action(u"Open file…"_s)->shortcut(), QKeySequence(Qt::Key_K));
    // The timeline's own, in the same form.
    KeyEditor* timeline = editorOf(*dialog, u"Keys of the timeline"_s);
    give(*timeline, u"Zoom in at the pointer"_s, Qt::Key_J, Qt::ControlModifier);
    QCOMPARE(program.settings.viewValue(u"timeline/keys"_s).toStringList(), QStringList{u"zoom_in=Ctrl+J"_s});
    press(*timeline, u"&Reset"_s);
    QVERIFY(program.settings.viewValue(u"timeline/keys"_s).toStringList().isEmpty());
}

void TestSettingsWindow::damagedKeysAreThoseOfAFreshInstallation() {
    const QString file = settingsFile(u"damaged.ini"_s);
    {
        UserSettings settings(file);
        settings.setKeys(
            {u"no_such=Ctrl+J"_s, u"open_file"_s, u"nonsense"_s, u"record_a_job=Ctrl+J, Ctrl+K"_s, u"quit=Ctrl+W"_s});
    }
    Program program(file);
    QVERIFY(program.action(u"Record a job…"_s)->shortcut().isEmpty());
    QCOMPARE(program.action(u"Quit"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_W));
    QVERIFY2(program.action(u"Close capture"_s)->shortcut().isEmpty(), "no key has two commands");
}

void TestSettingsWindow::whatIsChosenSurvivesTheProgram() {
    const QString file = settingsFile(u"chosen.ini"_s);
    const QString folder = m_temp.filePath(u"cache"_s);
    {
        Program program(file);
        SettingsDialog* dialog = opened(program);
        auto* look = dialog->findChild<LookPage*>();
        auto* size = look->findChild<QSpinBox*>();
        QTest::keyClick(size, Qt::Key_Up);
        QCOMPARE(program.theme.textSize(), 110);
        auto* storage = dialog->findChild<StoragePage*>();
        auto* line = storage->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
        dialog->showPage(1);
        QTest::keyClicks(line, folder);
        QTest::keyClick(line, Qt::Key_Return);
        QTest::keyClick(storage->findChildren<QSpinBox*>()[0], Qt::Key_Up);
        QTest::keyClick(storage->findChildren<QSpinBox*>()[1], Qt::Key_Up);
        dialog->showPage(5);
        auto* rules = dialog->findChild<ColourRulesPanel*>();
        QTest::keyClick(rules->findChild<QPushButton*>(), Qt::Key_Space);
        QTest::keyClicks(rules->findChild<QLineEdit*>(), u"Mat"_s);
    }
    chooseCache({});
    Program again(file);
    QCOMPARE(again.theme.textSize(), 110);
    QCOMPARE(cacheChoice().folder, std::filesystem::path(folder.toStdString()));
    QCOMPARE(cacheChoice().limit, CacheChoice::kDefaultLimit + (std::uint64_t{1} << 30));
    QCOMPARE(again.settings.memoryLimit(), quint64{1} << 30);
    SettingsDialog* dialog = opened(again);
    QCOMPARE(dialog->findChild<ColourRulesPanel*>()->findChild<QLineEdit*>()->text(), u"Mat"_s);
}

void TestSettingsWindow::menusFollowTheDialog() {
    Program program;
    SettingsDialog* dialog = opened(program);
    const auto boxes = dialog->findChild<LookPage*>()->findChildren<QComboBox*>();
    QTest::keyClick(boxes[0], Qt::Key_End);
    QCOMPARE(program.theme.choice(), ThemeChoice::Dark);
    QCOMPARE(program.settings.theme(), u"dark"_s);
    QVERIFY(program.action(u"Dark"_s)->isChecked());
    // And the other way round.
    program.action(u"Light"_s)->trigger();
    QTRY_COMPARE(boxes[0]->currentIndex(), 1);
    QTest::keyClick(boxes[1], Qt::Key_Down);
    QCOMPARE(program.settings.language(), u"zh_CN"_s);
    QTRY_COMPARE(dialog->windowTitle(), u"设置"_s);
    program.language.setLanguage(u"en"_s);
    program.theme.setChoice(ThemeChoice::System);
}

/// Widgets with a font of their own are not reached by the program's.
void TestSettingsWindow::everyTextHasTheChosenSize() {
    Program program;
    const auto sizeOf = [](const QWidget& widget) { return QFontInfo(widget.font()).pointSizeF(); };
    std::map<QWidget*, double> before;
    for (QWidget* widget : program.window->findChildren<QWidget*>())
        if (widget->testAttribute(Qt::WA_SetFont)) before.emplace(widget, sizeOf(*widget));
    QVERIFY(before.size() > 5);
    // Qt announces another font only while the program runs.
    QTimer::singleShot(0, &program.theme, [&program] {
        program.theme.setTextSize(150);
        QApplication::quit();
    });
    QApplication::exec();
    QStringList old;
    for (const auto& [widget, size] : before) {
        if (sizeOf(*widget) > 1.3 * size) continue;
        const auto* label = qobject_cast<QLabel*>(widget);
        old << u"%1 %2 in %3"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                                    label != nullptr ? label->text() : widget->objectName(),
                                    QString::fromLatin1(widget->parent()->metaObject()->className()));
    }
    QVERIFY2(old.isEmpty(), qPrintable(old.join(u'\n')));
    program.theme.setTextSize(100);
}

ALTI_TEST(TestSettingsWindow)
#include "tst_settings_window.moc"
