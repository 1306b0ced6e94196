#include "views/common/tables/data_table.h"

#include "core/session/session.h"
#include "core/tables/sources/column_table.h"
#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"
#include "tests/views/common/small_table.h"
#include "views/common/tables/table_panel.h"
#include "views/common/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QDataStream>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

void clickHeading(DataTable& table, int column, Qt::KeyboardModifiers modifiers = {}) {
    auto* header = table.findChildren<QHeaderView*>().front();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, modifiers,
                      QPoint(header->sectionViewportPosition(column) + 10, 5));
}

}  // namespace

class TestDataTable : public QObject {
    Q_OBJECT
private slots:
    void sortsByHeadings();
    void keysMoveAndSelect();
    void enterActsOnTheOutlinedRow();
    void keepsTheCurrentRow();
    void selectedRowShowsWhereKeysGo();
    void newerValuesKeepWhatIsSelected();
    void theCurrentCellIsNoHiddenOne();
    void remembersColumns();
    void savedColumnsAreNotTakenForOthers();
    void hiddenColumnsStayHiddenWhenTheCaptureIsReadAgain();
    void anEmptyTableShowsItsHeadingsWhole();
    void columnsFollowTheTextsOfALaterAnswer();
    void filterLineAndChips();
    void aLowPanelShowsAWholeRow();
    void enterAndEscapeLeadFromTheFilterToTheRows();
    void enterDoesNotTakeAWordThatNobodyChose();
    void aHeadingIsAColumnInFilters();
    void completionLeavesTheMessageInSight();
    void tenMillionRowsDoNotBlock();
};

void TestDataTable::sortsByHeadings() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(500, 300);
    table.setSource(smallTable(), headings());
    table.show();
    settle(table);
    clickHeading(table, 1);
    settle(table);
    // Numbers begin with the greatest.
    QCOMPARE(shown(table), u"a \"b\"\t10000\t0.25\n'=SUM(A1)\t9\t0.5\nc,d\t1\t0\n"_s);
    clickHeading(table, 1);
    settle(table);
    QCOMPARE(shown(table), u"c,d\t1\t0\n'=SUM(A1)\t9\t0.5\na \"b\"\t10000\t0.25\n"_s);
    clickHeading(table, 1);
    settle(table);
    QVERIFY(table.loader().sort().empty());
    clickHeading(table, 0);
    clickHeading(table, 2, Qt::ShiftModifier);
    const std::vector<SortKey> both{{0, false}, {2, true}};
    QVERIFY(table.loader().sort() == both);
}

void TestDataTable::keysMoveAndSelect() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(500, 300);
    table.setSource(smallTable(), headings());
    table.show();
    settle(table);
    QVERIFY(!table.currentRow());
    QTest::keyClick(&table, Qt::Key_Down);
    QCOMPARE(table.currentRow(), std::optional<std::uint32_t>(0));
    QTest::keyClick(&table, Qt::Key_Down);
    QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(table.selection().count(), std::size_t{2});
    QTest::keyClick(&table, Qt::Key_Home);
    QCOMPARE(table.currentPlace(), std::size_t{0});
    QTest::keyClick(&table, Qt::Key_End);
    QCOMPARE(table.currentPlace(), std::size_t{2});
    QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(table.selection().count(), std::size_t{3});
    QTest::keyClick(&table, Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(table.selection().count(), std::size_t{2});
    std::optional<std::uint32_t> activated;
    connect(&table, &DataTable::activated, this, [&](std::uint32_t row) { activated = row; });
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, table.cellRect(1, 0).center());
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.cellRect(1, 0).center());
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(activated, std::optional<std::uint32_t>(1));
}

/// The first row had an outline, and Enter did nothing.
void TestDataTable::enterActsOnTheOutlinedRow() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(500, 300);
    std::optional<std::uint32_t> activated;
    connect(&table, &DataTable::activated, this, [&](std::uint32_t row) { activated = row; });
    table.show();
    QTest::keyClick(&table, Qt::Key_Return);
    QVERIFY(!activated);
    table.setSource(smallTable(), headings());
    settle(table);
    QVERIFY(!table.currentRow());
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(activated, std::optional<std::uint32_t>(0));
    QCOMPARE(table.currentRow(), std::optional<std::uint32_t>(0));
}

void TestDataTable::keepsTheCurrentRow() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(500, 300);
    table.setSource(smallTable(), headings());
    table.show();
    settle(table);
    table.setCurrent(1, 0);
    clickHeading(table, 1);
    clickHeading(table, 1);
    settle(table);
    QCOMPARE(table.currentPlace(), std::size_t{2});
    QCOMPARE(table.currentRow(), std::optional<std::uint32_t>(1));
}

void TestDataTable::newerValuesKeepWhatIsSelected() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(500, 300);
    table.setSource(smallTable(), headings());
    settle(table);
    table.loader().setSort({{1, true}});
    settle(table);
    table.setCurrent(1, 0);
    QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
    table.updateSource(smallTable(), headings());
    // Until the answer is there the old rows stay.
    QCOMPARE(table.loader().rows()->count, std::size_t{3});
    settle(table);
    QCOMPARE(table.selection().count(), std::size_t{2});
    QCOMPARE(table.currentRow(), std::optional<std::uint32_t>(2));
    // Other rows are other rows.
    ColumnTableBuilder fewer({{"name", CellType::Text},
                              {"dur", CellType::Integer, CellUnit::Duration},
                              {"share", CellType::Real, CellUnit::Share}});
    fewer.addRow();
    table.updateSource(fewer.finish(), headings());
    settle(table);
    QCOMPARE(table.loader().rows()->count, std::size_t{1});
    QVERIFY(!table.currentRow());
}

void TestDataTable::theCurrentCellIsNoHiddenOne() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.setSource(smallTable(), headings());
    settle(table);
    table.setCurrent(0, 1);
    const QString duration = table.accessibleDescription();
    table.setCurrent(0, 0);
    QVERIFY(table.accessibleDescription() != duration);
    table.setColumnHidden(0, true);
    QTest::keyClick(&table, Qt::Key_Home);
    QCOMPARE(table.accessibleDescription(), duration);
}

namespace {

/// The columns that stand still while others are scrolled: a header of their own lies over that of all.
std::vector<int> frozen(const DataTable& table) {
    std::vector<int> columns;
    const auto* header = table.findChild<QHeaderView*>(u"frozen"_s);
    for (int column = 0; !header->isHidden() && column < header->count(); ++column) {
        if (!header->isSectionHidden(column)) columns.push_back(column);
    }
    return columns;
}

}  // namespace

void TestDataTable::remembersColumns() {
    JobRunner jobs;
    Session session(jobs);
    QVariantMap kept;
    const ViewMemory memory{[&](const QString& name) { return kept.value(name); },
                            [&](const QString& name, const QVariant& value) { kept[name] = value; }};
    {
        TablePanel panel(session, memory, u"steps"_s);
        panel.setSource(smallTable(), headings());
        panel.table().setColumnHidden(0, true);
        panel.table().setFrozenColumns(2);
        panel.table().loader().setSort({{1, true}});
        settle(panel.table());
    }
    TablePanel panel(session, memory, u"steps"_s);
    panel.setSource(smallTable(), headings());
    settle(panel.table());
    QCOMPARE(frozen(panel.table()), std::vector<int>{1});
    QCOMPARE(shown(panel.table()), u"10000\t0.25\n9\t0.5\n1\t0\n"_s);
    // What is damaged is as good as nothing.
    panel.table().restoreColumns("garbage");
    QCOMPARE(frozen(panel.table()), std::vector<int>{1});
}

/// Once the columns of Operators stood in another order, others were hidden and sorted by than the user had chosen.
void TestDataTable::savedColumnsAreNotTakenForOthers() {
    JobRunner jobs;
    Session session(jobs);
    DataTable saved(session), same(session), other(session), older(session);
    const auto fill = [](DataTable& table, std::initializer_list<const char*> names) {
        std::vector<TableColumn> columns;
        std::vector<ColumnHeading> titles;
        for (const char* name : names) {
            columns.push_back({.name = name});
            titles.push_back({QString::fromLatin1(name), {}});
        }
        table.setSource(ColumnTableBuilder(columns).finish(), titles);
        settle(table);
    };
    fill(saved, {"count", "total", "base"});
    saved.setColumnHidden(2, true);
    saved.loader().setSort({{1, true}});
    const QByteArray bytes = saved.saveColumns();
    fill(same, {"count", "total", "base"});
    same.restoreColumns(bytes);
    QVERIFY(same.isColumnHidden(2) && same.loader().sort().size() == 1);
    fill(other, {"base", "count", "total"});
    other.restoreColumns(bytes);
    QVERIFY(!other.isColumnHidden(2) && other.loader().sort().empty());
    // As it was written before the columns' names stood in it.
    QByteArray former;
    QDataStream stream(&former, QIODevice::WriteOnly);
    stream << quint32(3) << saved.findChildren<QHeaderView*>().front()->saveState() << qint32(0) << quint32(1)
           << quint32(1) << true << quint32(0);
    fill(older, {"base", "count", "total"});
    older.restoreColumns(former);
    QVERIFY(!older.isColumnHidden(2) && older.loader().sort().empty());
}

void TestDataTable::hiddenColumnsStayHiddenWhenTheCaptureIsReadAgain() {
    JobRunner jobs;
    Session session(jobs);
    QVariantMap kept;
    const ViewMemory memory{[&](const QString& name) { return kept.value(name); },
                            [&](const QString& name, const QVariant& value) { kept[name] = value; }};
    TablePanel panel(session, memory, u"steps"_s);
    panel.setSource(smallTable(), headings());
    panel.table().setColumnHidden(1, true);
    panel.table().loader().setSort({{0, false}});
    settle(panel.table());
    const QString before = shown(panel.table());
    const QVariantMap remembered = kept;
    // While a capture is read there is no table.
    panel.setSource(nullptr, {});
    settle(panel.table());
    QVERIFY(kept == remembered);
    panel.setSource(smallTable(), headings());
    settle(panel.table());
    QCOMPARE(shown(panel.table()), before);
    // What is remembered now hides them in the next run, too.
    TablePanel next(session, memory, u"steps"_s);
    next.setSource(smallTable(), headings());
    settle(next.table());
    QCOMPARE(shown(next.table()), before);
    QVERIFY(next.table().isColumnHidden(1));
}

/// Right-aligned headings lose their beginning where a column keeps Qt's default width.
void TestDataTable::anEmptyTableShowsItsHeadingsWhole() {
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    const QString title = u"Longest time between two launches"_s;
    table.setSource(ColumnTableBuilder({{"gap", CellType::Integer, CellUnit::Duration}}).finish(), {{title, {}}});
    settle(table);
    const auto* header = table.findChildren<QHeaderView*>().front();
    QVERIFY(header->sectionSize(0) > header->fontMetrics().horizontalAdvance(title));
}

void TestDataTable::columnsFollowTheTextsOfALaterAnswer() {
    JobRunner jobs;
    Session session(jobs);
    QVariantMap kept;
    const ViewMemory memory{[&](const QString& name) { return kept.value(name); },
                            [&](const QString& name, const QVariant& value) { kept[name] = value; }};
    const auto named = [](const QString& name) {
        ColumnTableBuilder builder({{.name = "name", .type = CellType::Text}});
        builder.addRow();
        builder.setText(0, name.toStdString());
        return builder.finish();
    };
    const QString brief = u"add"_s, full = u"aclnnMatmul_MatMulV2_and_more"_s;
    TablePanel panel(session, memory, u"names"_s);
    auto* header = panel.table().findChildren<QHeaderView*>().front();
    const auto widthFor = [&](const QString& name) {
        panel.setSource(named(name), {{u"Name"_s, {}}});
        settle(panel.table());
        return header->sectionSize(0);
    };
    const int first = widthFor(brief), second = widthFor(full);
    QVERIFY(first < second && second > panel.fontMetrics().horizontalAdvance(full));
    QCOMPARE(widthFor(brief), first);
    // Nothing of that is remembered: another table has its own texts.
    TablePanel fresh(session, memory, u"names"_s);
    QVERIFY(widthFor(full) == second);
    fresh.setSource(named(brief), {{u"Name"_s, {}}});
    settle(fresh.table());
    QCOMPARE(fresh.table().findChildren<QHeaderView*>().front()->sectionSize(0), first);
    // As the user has it, it stays, also next time.
    header->resizeSection(0, first);
    QCOMPARE(widthFor(full), first);
    TablePanel later(session, memory, u"names"_s);
    later.setSource(named(full), {{u"Name"_s, {}}});
    settle(later.table());
    QCOMPARE(later.table().findChildren<QHeaderView*>().front()->sectionSize(0), first);
}

/// At scale 2, under a finding, half a row was left of the lower table of Operators.
void TestDataTable::aLowPanelShowsAWholeRow() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.setSource(smallTable(), headings());
    settle(panel.table());
    panel.show();
    const auto* status = panel.findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
    QCOMPARE(status->text(), panel.statusText());
    panel.resize(400, 400);
    QTRY_VERIFY(status->geometry().top() > panel.table().geometry().bottom());
    // Columns that need a scroll bar.
    panel.resize(panel.minimumSizeHint().width(), panel.minimumSizeHint().height());
    QTRY_COMPARE(panel.table().geometry().bottom(), panel.rect().bottom());
    QVERIFY(status->isVisible() && status->geometry().bottom() < panel.table().geometry().top());
    QVERIFY(status->geometry().left() > panel.filterBar().geometry().right());
    QVERIFY(panel.table().horizontalScrollBar()->isVisible());
    QVERIFY(panel.table().viewport()->height() >= panel.table().fontMetrics().height() * 13 / 10);
    panel.resize(400, 400);
    QTRY_VERIFY(status->geometry().top() > panel.table().geometry().bottom());
}

void TestDataTable::enterAndEscapeLeadFromTheFilterToTheRows() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.setSource(smallTable(), headings());
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
        panel.filterBar().line()->setFocus();
        panel.filterBar().setText(u"c"_s);
        QTest::keyClick(panel.filterBar().line(), key);
        QVERIFY(panel.table().hasFocus());
        QTRY_COMPARE(panel.table().loader().rows()->count, std::size_t{1});
        QTest::keyClick(&panel.table(), Qt::Key_Down);
        QCOMPARE(panel.table().currentRow(), std::optional<std::uint32_t>(2));
    }
}

/// Enter after "dur > 1ms" made it "dur > 1msand": the list of completions had its first word chosen.
void TestDataTable::enterDoesNotTakeAWordThatNobodyChose() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.setSource(smallTable(), headings());
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QLineEdit* line = panel.filterBar().line();
    line->setFocus();
    QTest::keyClicks(line, u"na"_s);
    const auto popup = [] { return QApplication::activePopupWidget(); };
    QTRY_VERIFY(popup() != nullptr);
    QTest::keyClick(popup(), Qt::Key_Return);
    QCOMPARE(line->text(), u"na"_s);
    QVERIFY(panel.table().hasFocus());
    // What is chosen is taken.
    line->setFocus();
    line->clear();
    QTest::keyClicks(line, u"na"_s);
    QTRY_VERIFY(popup() != nullptr);
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Return);
    QCOMPARE(line->text(), u"name "_s);
}

void TestDataTable::aHeadingIsAColumnInFilters() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.setSource(smallTable(), headings());
    panel.filterBar().setText(u"Time > 5ns and Share = 50%"_s);
    settle(panel.table());
    QVERIFY(!panel.table().loader().problem().has_value());
    QCOMPARE(panel.statusText(), u"1 of 3 rows"_s);
    // In the other language.
    panel.table().setHeadings({{u"名称"_s, {}}, {u"时间"_s, {}}, {u"占比"_s, {}}});
    panel.filterBar().setText(u"时间 > 5ns"_s);
    settle(panel.table());
    QCOMPARE(panel.statusText(), u"2 of 3 rows"_s);
    panel.filterBar().setText(u"sum"_s);
    settle(panel.table());
    QCOMPARE(panel.statusText(), u"1 of 3 rows"_s);
}

void TestDataTable::completionLeavesTheMessageInSight() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.resize(500, 300);
    panel.setSource(smallTable(), headings());
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    settle(panel.table());
    auto* line = panel.findChild<QLineEdit*>();
    line->setFocus();
    QTest::keyClicks(line, u"nam > 1 and na"_s);
    auto* const popup = panel.filterBar().findChild<QCompleter*>()->popup();
    QTRY_VERIFY(popup->isVisible());
    auto* message = panel.filterBar().findChild<QLabel*>();
    QTRY_VERIFY(message->isVisible());
    QTRY_VERIFY(!QRect(popup->mapToGlobal(QPoint()), popup->size())
                     .intersects(QRect(message->mapToGlobal(QPoint()), message->size())));
}

void TestDataTable::filterLineAndChips() {
    JobRunner jobs;
    Session session(jobs);
    TablePanel panel(session, {}, u"steps"_s);
    panel.setSource(smallTable(), headings());
    panel.filterBar().setText(u"dur > 5ns"_s);
    settle(panel.table());
    QCOMPARE(panel.statusText(), u"2 of 3 rows"_s);
    panel.filterBar().addChip(u"share = 0.5"_s);
    settle(panel.table());
    QCOMPARE(panel.filterBar().filter(), u"share = 0.5 and (dur > 5ns)"_s);
    QCOMPARE(shown(panel.table()), u"'=SUM(A1)\t9\t0.5\n"_s);
    // What is wrong keeps the rows that are shown.
    panel.filterBar().setText(u"durr > 5"_s);
    settle(panel.table());
    QVERIFY(panel.table().loader().problem().has_value());
    QCOMPARE(panel.statusText(), u"1 of 3 rows"_s);
}

void TestDataTable::tenMillionRowsDoNotBlock() {
    /// Any cell is made when it is asked for.
    class Endless : public TableSource {
    public:
        std::size_t rowCount() const override { return 10'000'000; }
        std::span<const TableColumn> columns() const override { return m_columns; }
        void read(std::size_t, std::size_t first, std::span<std::int64_t> out) const override {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = static_cast<std::int64_t>((first + i) * 2654435761U % 1'000'000);
        }
        std::string_view text(std::size_t, std::int64_t) const override { return {}; }
        std::size_t textCount(std::size_t) const override { return 0; }

    private:
        std::vector<TableColumn> m_columns{{"value", CellType::Integer}};
    };
    JobRunner jobs;
    Session session(jobs);
    DataTable table(session);
    table.resize(300, 300);
    table.show();
    ThreadClock timer;
    table.setSource(std::make_shared<Endless>(), {{u"Value"_s, {}}});
    table.loader().setSort({{0, true}});
    table.grab();
    // Ten million rows would take seconds; the bar of a frame is bench_table's.
    QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
    QTRY_VERIFY_WITH_TIMEOUT(!table.loader().busy(), 60'000);
    QCOMPARE(table.loader().rows()->count, std::size_t{10'000'000});
    timer.restart();
    QTest::keyClick(&table, Qt::Key_End);
    QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
    table.grab();
    QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(table.currentPlace(), std::size_t{9'999'999});
}

/// Two tables with selected rows must not look as if both had the keys.
void TestDataTable::selectedRowShowsWhereKeysGo() {
    JobRunner jobs;
    Session session(jobs);
    QWidget window;
    DataTable table(session, &window);
    QLineEdit other(&window);
    table.resize(300, 200);
    other.move(0, 220);
    window.setPalette(paletteOf(lightTheme()));
    window.resize(300, 260);
    window.show();
    table.setSource(smallTable(), headings());
    QTRY_VERIFY(!table.loader().busy());
    const auto selectedColour = [&table] {
        const QImage picture = table.viewport()->grab().toImage();
        return picture.pixelColor(picture.width() - 2, 4);
    };
    table.setFocus();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    table.setCurrent(0, 0);
    QCOMPARE(selectedColour(), lightTheme().accent);
    other.setFocus();
    QTRY_COMPARE(selectedColour(), lightTheme().quiet);
}

ALTI_TEST(TestDataTable)
#include "tst_data_table.moc"
