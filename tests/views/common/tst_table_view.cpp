#include "views/common/table_view.h"

#include "tests/support/test_main.h"

#include <QHeaderView>
#include <QStandardItemModel>

using namespace altiscope;

class TestTableView : public QObject {
    Q_OBJECT
private slots:
    void sortsByValueNotByText();
    void copiesWhatIsSelected();
    void rowsOfTheSource();

private:
    static void fill(QStandardItemModel& model) {
        model.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Total")});
        const std::pair<const char*, int> rows[] = {{"a\tb", 9}, {"b", 10}, {"c", 1}};
        for (const auto& [name, total] : rows) {
            auto* text = new QStandardItem(QString::fromLatin1(name));
            text->setData(QString::fromLatin1(name), kSortRole);
            auto* number = new QStandardItem(QString::number(total) + QStringLiteral(" ms"));
            number->setData(total, kSortRole);
            number->setData(QString::number(total), kCopyRole);
            model.appendRow({text, number});
        }
    }
};

void TestTableView::sortsByValueNotByText() {
    QStandardItemModel model;
    fill(model);
    TableView table;
    table.setSource(&model);
    table.sortByColumn(1, Qt::AscendingOrder);
    // As text "10 ms" would stand before "9 ms".
    QCOMPARE(table.selectedText(), QStringLiteral("Name\tTotal\nc\t1\na b\t9\nb\t10\n"));
}

void TestTableView::copiesWhatIsSelected() {
    QStandardItemModel model;
    fill(model);
    TableView table;
    table.setSource(&model);
    table.selectRow(1);
    QCOMPARE(table.selectedText(), QStringLiteral("Name\tTotal\nb\t10\n"));
    table.setColumnHidden(0, true);
    QCOMPARE(table.selectedText(), QStringLiteral("Total\n10\n"));
    table.setColumnHidden(0, false);
    table.horizontalHeader()->moveSection(0, 1);
    QCOMPARE(table.selectedText(), QStringLiteral("Total\tName\n10\tb\n"));
}

void TestTableView::rowsOfTheSource() {
    QStandardItemModel model;
    fill(model);
    TableView table;
    table.setSource(&model);
    QCOMPARE(table.currentSourceRow(), -1);
    table.sortByColumn(1, Qt::AscendingOrder);
    table.showSourceRow(2);
    QCOMPARE(table.currentIndex().row(), 0);
    QCOMPARE(table.currentSourceRow(), 2);
}

ALTI_TEST(TestTableView)
#include "tst_table_view.moc"
