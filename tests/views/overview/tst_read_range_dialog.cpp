#include "views/overview/dialogs/read_range_dialog.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/overview/changed_files_bar.h"
#include "views/overview/tree/capture_tree.h"
#include "views/overview/tree/capture_tree_model.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

using namespace altiscope;
using namespace altiscope::test;

namespace {

QPushButton* acceptButton(const QDialog& dialog) {
    auto* box = dialog.findChild<QDialogButtonBox*>();
    for (QAbstractButton* button : box->buttons()) {
        if (box->buttonRole(button) == QDialogButtonBox::AcceptRole) return qobject_cast<QPushButton*>(button);
    }
    return nullptr;
}

bool says(const QWidget& widget, const QString& text) {
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        // Numbers and their units stay on one line.
        if (QString(label->text()).replace(QChar(QChar::Nbsp), QChar(u' ')).contains(text)) return true;
    }
    return false;
}

}  // namespace

class TestReadRangeDialog : public QObject {
    Q_OBJECT
private slots:
    void seconds_data();
    void seconds();
    void noSeconds_data();
    void noSeconds();
    void typedRange();
    void stepFillsTheRange();
    void unknownTimes();
    void fromTheTree();
    void barOfChangedFiles();
};

void TestReadRangeDialog::seconds_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    QTest::addRow("none") << qint64{0} << QStringLiteral("0");
    QTest::addRow("every digit") << qint64{1'234'567'891} << QStringLiteral("1.234567891");
    QTest::addRow("no zeros at the end") << qint64{12'500'000'000} << QStringLiteral("12.5");
    QTest::addRow("in front of the origin") << qint64{-250'000'000} << QStringLiteral("-0.25");
    QTest::addRow("years") << qint64{1'736'412'474'714'260'501} << QStringLiteral("1736412474.714260501");
}

void TestReadRangeDialog::seconds() {
    QFETCH(qint64, ns);
    QFETCH(QString, text);
    for (const qint64 origin : {qint64{0}, qint64{77}}) {
        QCOMPARE(secondsText({origin + ns}, {origin}), text);
        QVERIFY(timeOfSeconds(text, {origin}) == TimeNs{origin + ns});
    }
}

void TestReadRangeDialog::noSeconds_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "x", "1s", "1,5", "1e3", "99999999999999"})
        QTest::addRow("%s", text) << QString::fromUtf8(text);
}

void TestReadRangeDialog::noSeconds() {
    QFETCH(QString, text);
    QVERIFY(!timeOfSeconds(text, {0}));
}

void TestReadRangeDialog::typedRange() {
    ReadRangeDialog dialog({.title = QStringLiteral("c"),
                            .bytes = 700'000'000,
                            .times = {.range = TimeRange{{1'000'000'000}, {11'000'000'000}}, .steps = {}},
                            .origin = TimeNs{1'000'000'000}});
    QVERIFY2(dialog.range() == (TimeRange{{1'000'000'000}, {11'000'000'000}}), "it begins with all that is known");
    QVERIFY(says(dialog, QStringLiteral("0 s to 10 s")));
    QVERIFY(dialog.findChild<QComboBox*>() == nullptr);
    const auto fields = dialog.findChildren<QLineEdit*>();
    QCOMPARE(fields.size(), 2);
    fields[0]->setText(QStringLiteral("2"));
    fields[1]->setText(QStringLiteral("4.5"));
    QVERIFY(dialog.range() == (TimeRange{{3'000'000'000}, {5'500'000'000}}));
    QVERIFY(acceptButton(dialog)->isEnabled());
    // A quarter of the time: a quarter of 95.4 MiB.
    QVERIFY(says(dialog, QStringLiteral("23.8 MiB of memory. All of it: ")));
    QVERIFY(says(dialog, QStringLiteral("95.4 MiB of memory.")));
    fields[1]->setText(QStringLiteral("2"));
    QVERIFY(!dialog.range());
    QVERIFY(!acceptButton(dialog)->isEnabled());
    QVERIFY(says(dialog, QStringLiteral("From is the smaller one")));
}

void TestReadRangeDialog::stepFillsTheRange() {
    KnownTimes times{.range = TimeRange{{0}, {9'000'000'000}},
                     .steps = {{7, TimeRange{{1'500'000'000}, {2'000'000'000}}}}};
    ReadRangeDialog dialog({.title = QStringLiteral("c"),
                            .bytes = 1,
                            .times = times,
                            .timesAreOfOthers = true,
                            .origin = TimeNs{500'000'000}});
    QVERIFY(says(dialog, QStringLiteral("The ranks that were read")));
    dialog.findChild<QComboBox*>()->setCurrentIndex(1);
    QVERIFY(dialog.range() == (TimeRange{{1'500'000'000}, {2'000'000'000}}));
    QCOMPARE(dialog.findChildren<QLineEdit*>()[0]->text(), QStringLiteral("1"));
}

void TestReadRangeDialog::unknownTimes() {
    const ReadRangeDialog dialog({.title = QStringLiteral("c"), .bytes = 1});
    QVERIFY(says(dialog, QStringLiteral("own clock")));
    QVERIFY(!dialog.range());
    QVERIFY(!acceptButton(dialog)->isEnabled());
}

void TestReadRangeDialog::fromTheTree() {
    JobRunner jobs;
    Session session(jobs);
    CaptureTree tree(session);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    const QAbstractItemModel& model = *tree.model();
    const QModelIndex capture = model.index(0, 0), host = model.index(0, 0, capture), rank = model.index(1, 0, host);
    tree.setCurrentIndex(rank);
    const auto trigger = [&tree](const QString& text) {
        for (QAction* action : tree.findChildren<QAction*>()) {
            if (action->text() == text) action->trigger();
        }
    };
    trigger(QStringLiteral("Read a range of &time…"));
    auto* dialog = tree.findChild<ReadRangeDialog*>();
    QVERIFY(dialog != nullptr);
    const TimeRange all = *dialog->range();
    QVERIFY(all == session.capture(id)->store->ranks[1].trace->homeRange());
    const auto fields = dialog->findChildren<QLineEdit*>();
    const TimeNs origin = *session.capture(id)->times.origin();
    fields[1]->setText(secondsText({all.begin.value + all.length().value / 2}, origin));
    acceptButton(*dialog)->click();
    const auto state = [](const QModelIndex& index) {
        return index.siblingAtColumn(CaptureTreeModel::StateColumn).data().toString();
    };
    QTRY_COMPARE(state(rank), QStringLiteral("in part"));
    QCOMPARE(state(capture), QStringLiteral("in part"));
    QCOMPARE(state(model.index(0, 0, host)), QString());
    QVERIFY(rank.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Read in part: ")));
    QCOMPARE(session.capture(id)->store->ranks[1].window->end.value, all.begin.value + all.length().value / 2);
    trigger(QStringLiteral("Read &all of it"));
    QTRY_COMPARE(state(rank), QString());
    QCOMPARE(state(capture), QString());
}

void TestReadRangeDialog::barOfChangedFiles() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("t.json")));
    const auto write = [&file](const QByteArray& text) {
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
    };
    const QByteArray first = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])";
    write(first);
    JobRunner jobs;
    Session session(jobs);
    QWidget window;
    ChangedFilesBar bar(session, &window);
    window.show();
    QVERIFY(!bar.isVisible());
    const CaptureId id = openAndWait(session, file.fileName());
    const auto buttons = bar.findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    write(first + "  ");
    session.checkFiles();
    QTRY_VERIFY(bar.isVisible());
    QVERIFY(says(bar, QStringLiteral("Files of t.json have changed")));
    buttons[1]->click();
    QVERIFY(!bar.isVisible());
    write(first + "    ");
    session.checkFiles();
    QTRY_VERIFY(bar.isVisible());
    buttons[0]->click();
    QVERIFY(!bar.isVisible());
    QTRY_COMPARE(session.capture(id)->job, std::uint64_t{0});
    session.close(id);
    QVERIFY(!bar.isVisible());
}

ALTI_TEST(TestReadRangeDialog)
#include "tst_read_range_dialog.moc"
