#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "views/report/panels/picture_list.h"

#include <QDateTime>
#include <QPointer>
#include <QTimer>

#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Of one run without a choice of its own. Coprime to 24: a run at the same hour of each day takes all of them, too.
constexpr qint64 kParts = 49;
/// Chooses another part, "3/49", or all of them, "all".
constexpr char kChoice[] = "ALTI_COMMAND_PAIRS";

/// Rejects each dialog that waits for the user, and closes menus and lists that would take the mouse.
class Impatience : public QObject {
public:
    Impatience() {
        m_timer.setInterval(5);
        connect(&m_timer, &QTimer::timeout, this, [] {
            if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
            if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
        });
        m_timer.start();
    }

private:
    QTimer m_timer;
};

/// Menus fill some of their entries when they open.
void fill(QMenu& menu) { QMetaObject::invokeMethod(&menu, "aboutToShow"); }

/// The commands of a menu and of those in it: where each stands, by places that are the same in all languages.
void collect(QMenu& menu, const QList<int>& place, std::vector<QList<int>>& found) {
    fill(menu);
    const QList<QAction*> actions = menu.actions();
    for (int i = 0; i < actions.size(); ++i) {
        if (actions[i]->isSeparator()) continue;
        if (actions[i]->menu() != nullptr) collect(*actions[i]->menu(), place + QList{i}, found);
        else found.push_back(place + QList{i});
    }
}

QAction* actionAt(Program& program, const QList<int>& place) {
    QList<QAction*> actions = program.window->menuBar()->actions();
    QAction* action = nullptr;
    for (const int i : place) {
        if (i >= actions.size()) return nullptr;
        action = actions[i];
        if (QMenu* menu = action->menu()) {
            fill(*menu);
            actions = menu->actions();
        }
    }
    return action != nullptr && action->menu() == nullptr ? action : nullptr;
}

/// A sequence in which each of `count` commands follows each other one, and itself, once.
std::vector<std::size_t> allPairs(std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t first = 0; first < count; ++first) {
        order.push_back(first);
        for (std::size_t second = first + 1; second < count; ++second) order.insert(order.end(), {first, second});
    }
    if (count > 0) order.push_back(0);
    return order;
}

/// Of a sequence the part of number `part` of `parts`, with the command before it.
std::vector<std::size_t> partOf(const std::vector<std::size_t>& order, std::size_t part, std::size_t parts) {
    const std::size_t begin = part * (order.size() - 1) / parts, end = (part + 1) * (order.size() - 1) / parts;
    return {order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end + 1)};
}

}  // namespace

class TestCommandPairs : public QObject {
    Q_OBJECT
private slots:
    void everyCommandFollowsEveryOtherOne();
    void aPictureInTheReportSurvivesTheTheme();
    void noWidgetGoesWhileTheThemeChanges();
    void theSequenceHoldsAllPairs();

private:
    static void walk(const std::vector<std::size_t>& order);
};

/// Independent of how the sequence is made.
void TestCommandPairs::theSequenceHoldsAllPairs() {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
        const auto order = allPairs(count);
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t part = 0; part < 3; ++part) {
            const auto some = partOf(order, part, 3);
            for (std::size_t i = 1; i < some.size(); ++i) pairs.emplace(some[i - 1], some[i]);
        }
        QCOMPARE(pairs.size(), count * count);
        QCOMPARE(order.size(), count * count + 1);
    }
}

/// Ctrl+Shift+R and then Theme > Dark ended the program: the list of pictures deleted its rows while Qt went through a
/// list of all widgets.
void TestCommandPairs::aPictureInTheReportSurvivesTheTheme() {
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    for (const ViewId view : {ViewId::Overview, ViewId::Report}) {
        program.window->showView(view);
        program.action(u"Add page to report"_s)->trigger();
        for (const char16_t* theme : {u"Dark", u"Light", u"Dark", u"Light"}) {
            program.action(QString::fromUtf16(theme))->trigger();
            QVERIFY(program.waitUntilIdle());
        }
    }
    QVERIFY(!program.window->findChild<PictureList*>()->pictures().empty());
}

/// Qt goes through a list of all widgets that it has made before: none in it may be deleted meanwhile.
void TestCommandPairs::noWidgetGoesWhileTheThemeChanges() {
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    const CaptureStore& store = *program.session.captures().front().store;
    program.selection.selectSlice(program.session.captures().front().id,
                                  {.rank = {0}, .id = store.ranks[0].trace->id({2})});
    for (const ViewId view : allViews()) {
        program.window->showView(view);
        QVERIFY(program.waitUntilIdle());
        program.action(u"Add page to report"_s)->trigger();
        for (const char16_t* theme : {u"Dark", u"Light"}) {
            std::vector<std::pair<QPointer<QWidget>, QString>> before;
            for (QWidget* widget : QApplication::allWidgets())
                before.emplace_back(widget,
                                    QString::fromLatin1(widget->metaObject()->className()) + u" in "_s +
                                        (widget->parentWidget() == nullptr
                                             ? QString()
                                             : QString::fromLatin1(widget->parentWidget()->metaObject()->className())));
            program.action(QString::fromUtf16(theme))->trigger();
            for (const auto& [widget, name] : before)
                QVERIFY2(widget != nullptr, qPrintable(viewName(view) + u": "_s + name));
            QVERIFY(program.waitUntilIdle());
        }
    }
}

void TestCommandPairs::walk(const std::vector<std::size_t>& order) {
    const Impatience impatience;
    std::optional<Program> program(std::in_place);
    const auto open = [&program] {
        program->window->open({goldenCapture(u"torch_two_ranks"_s)});
        program->window->open({goldenCapture(u"torch_two_ranks"_s)});
        QVERIFY(program->waitUntilIdle());
    };
    open();
    std::vector<QList<int>> places;
    for (QAction* top : program->window->menuBar()->actions())
        collect(*top->menu(), {static_cast<int>(program->window->menuBar()->actions().indexOf(top))}, places);
    bool isEmpty = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        // Entries that were there at first, or others of their menus.
        QAction* action = actionAt(*program, places[order[i] % places.size()]);
        if (action == nullptr || !action->isEnabled()) continue;
        qInfo("%zu: %s", i, qPrintable(action->text()));
        action->trigger();
        // Some commands follow while what the one before has begun still runs.
        if (i % 2 == 0) QVERIFY(program->waitUntilIdle());
        else QCoreApplication::processEvents();
        if (!program->window->isVisible()) program.emplace();
        if (std::exchange(isEmpty, program->session.captures().empty()) && isEmpty) open();
        if (QTest::currentTestFailed()) return;
    }
    QVERIFY(program->waitUntilIdle());
}

/// All ordered pairs of commands of the menus, a part of them in each run: by the hour, or as ALTI_COMMAND_PAIRS says.
/// Prints which, and each command, so that a run that ends early says what it did last.
void TestCommandPairs::everyCommandFollowsEveryOtherOne() {
    std::size_t count = 0;
    {
        Program program;
        program.window->open({goldenCapture(u"torch_two_ranks"_s)});
        QVERIFY(program.waitUntilIdle());
        std::vector<QList<int>> places;
        for (QAction* top : program.window->menuBar()->actions()) collect(*top->menu(), {0}, places);
        count = places.size();
    }
    QVERIFY(count > 50);
    const auto order = allPairs(count);
    const QStringList words = qEnvironmentVariable(kChoice).split(u'/');
    if (words.front() == u"all") return walk(order);
    const bool isChosen = words.size() == 2 && words[1].toInt() > 0;
    const auto parts = static_cast<std::size_t>(isChosen ? words[1].toInt() : kParts);
    const auto part =
        static_cast<std::size_t>(isChosen ? words[0].toInt() : QDateTime::currentSecsSinceEpoch() / 3600 % kParts);
    QVERIFY(part < parts);
    qInfo("Part %zu/%zu of the pairs of %zu commands; again: %s=%zu/%zu", part, parts, count, kChoice, part, parts);
    walk(partOf(order, part, parts));
}

ALTI_TEST(TestCommandPairs)
#include "tst_command_pairs.moc"
