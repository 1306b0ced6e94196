#include "app/gui/window_pages.h"
#include "core/session/find/slice_by_id.h"
#include "core/session/workspace/capture_link.h"
#include "core/session/workspace_file.h"
#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/support/link_request.h"
#include "views/common/tables/table_panel.h"
#include "views/report/panels/report_form.h"
#include "views/sql/editor/editor_tabs.h"
#include "views/sql/editor/sql_editor.h"
#include "views/timeline/page/timeline_page.h"
#include "views/workspace/link_opener.h"
#include "views/workspace/locate_dialog.h"
#include "views/workspace/notice_bar.h"
#include "views/workspace/workspace_keeper.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include <filesystem>
#include <optional>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// The same, with the parts that workspaces concern; it ends at once, without asking what to save.
struct WorkspaceProgram : Program {
    explicit WorkspaceProgram(const QString& recovery = {}) : Program({}, recovery, {1280, 800}) {}
    ~WorkspaceProgram() { window->leaveForNextStart(); }

    template <class T>
    T& part() {
        T* found = window->findChild<T*>();
        if (found == nullptr) qFatal("no such part");
        return *found;
    }
    TablePanel& tableOf(const QString& table) {
        TablePanel* found = window->findChild<TablePanel*>(table);
        if (found == nullptr) qFatal("no such table");
        return *found;
    }
    FilterBar& filterOf(const QString& table) { return tableOf(table).filterBar(); }
    WorkspaceKeeper& keeper() { return part<WorkspaceKeeper>(); }
};

QJsonObject jsonOf(const QString& file) {
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(in.readAll()).object();
}

void copyFolder(const QString& from, const QString& to) {
    std::filesystem::create_directories(to.toStdString());
    std::filesystem::copy(from.toStdString(), to.toStdString(), std::filesystem::copy_options::recursive);
}

/// The first slice of the first rank that has some.
std::optional<SliceKey> someSlice(const CaptureStore& store) {
    for (std::uint32_t rank = 0; rank < store.ranks.size(); ++rank) {
        const auto& trace = store.ranks[rank].trace;
        if (trace != nullptr && trace->sliceCount() > 0) return keyOf(store, {{rank}, SliceIndex{0}});
    }
    return std::nullopt;
}

}  // namespace

class TestWorkspaceWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everythingComesBack();
    void movedDataIsAskedForOnce();
    void otherDataIsReported();
    void changesAreMarked();
    void damagedFilesLeaveWhatIsOpen();
    void aLinkLeadsBack();
    void aLinkToACaptureThatIsNotOpen();
    void whatACrashLeftIsOffered();

private:
    QTemporaryDir m_folder;
    QString m_capture;
};

void TestWorkspaceWindow::initTestCase() {
    m_capture = m_folder.filePath(u"data/run"_s);
    copyFolder(goldenCapture(u"torch_two_ranks"_s), m_capture);
}

/// What is saved, opened in another program and saved there is the same, to the letter.
void TestWorkspaceWindow::everythingComesBack() {
    const QString first = m_folder.filePath(u"first.altiscope"_s), second = m_folder.filePath(u"second.altiscope"_s);
    SliceId slice;
    {
        WorkspaceProgram program;
        program.window->open({m_capture});
        QVERIFY(program.waitUntilIdle());
        const OpenCapture& open = program.session.captures().front();
        const auto key = someSlice(*open.store);
        QVERIFY(key);
        slice = key->id;
        const TimeRange all = program.part<TimelinePage>().captureRange(open.id).value();
        program.window->showView(ViewId::Timeline);
        program.selection.selectSlice(open.id, *key);
        program.selection.setRange(TimeRange{all.begin, all.begin + DurationNs{5}});
        ContextFilter context;
        context.steps = {1, 2};
        program.selection.setContext(context);
        program.marks.add(open.id, {{{5}, {9}}, u"look"_s, u"here"_s, 0});
        program.filterOf(u"steps"_s).setText(u"free > 1ms"_s);
        program.filterOf(u"steps"_s).addChip(u"rank_id = 0"_s);
        QVERIFY(program.tableOf(u"steps"_s).table().loader().source());
        program.tableOf(u"steps"_s).restoreSort({QJsonArray{u"free"_s, true}, QJsonArray{u"step"_s, false}});
        program.part<EditorTabs>().editor().setPlainText(u"SELECT 41 + 1"_s);
        program.part<ReportForm>().findChild<QLineEdit*>()->setText(u"For Monday"_s);
        program.part<ReportForm>().findChild<QPlainTextEdit*>()->setPlainText(u"Rank 3 waits."_s);
        program.part<TimelinePage>().showCaptureRange(open.id,
                                                      {all.begin + DurationNs{all.length().value / 4}, all.end});
        QVERIFY(program.waitUntilIdle());
        QVERIFY(program.keeper().saveTo(first));
        QVERIFY(program.waitUntilIdle());
    }
    const QJsonObject saved = jsonOf(first);
    QCOMPARE(saved.value("captures"_L1).toArray().at(0).toObject().value("path"_L1).toString(), u"data/run"_s);
    QCOMPARE(saved.value("captures"_L1).toArray().at(0).toObject().value("identity"_L1).toString().size(), 32);
    QCOMPARE(saved.value("selection"_L1).toObject().value("slice"_L1).toInteger(), slice.value);
    const QJsonObject pages = saved.value("pages"_L1).toObject();
    const QJsonObject steps =
        pages.value("overview"_L1).toObject().value("tables"_L1).toObject().value("steps"_L1).toObject();
    QCOMPARE(steps.value("filter"_L1).toString(), u"free > 1ms"_s);
    QCOMPARE(pages.value("sql"_L1).toObject().value("tabs"_L1).toArray().at(0).toObject().value("text"_L1).toString(),
             u"SELECT 41 + 1"_s);
    QCOMPARE(pages.value("report"_L1).toObject().value("title"_L1).toString(), u"For Monday"_s);

    WorkspaceProgram program;
    program.window->open({first});
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QVERIFY(program.selection.current().slice);
    QCOMPARE(program.selection.current().slice->id.value, slice.value);
    QCOMPARE(program.part<WindowPages>().currentView(), ViewId::Timeline);
    QCOMPARE(program.window->windowTitle(), u"first – run – Altiscope"_s);
    const TableLoader& stepRows = program.tableOf(u"steps"_s).table().loader();
    const auto orderOf = [&stepRows](std::size_t key) {
        return std::pair(stepRows.source()->columns()[stepRows.sort()[key].column].name,
                         stepRows.sort()[key].descending);
    };
    QCOMPARE(stepRows.sort().size(), std::size_t{2});
    QCOMPARE(orderOf(0), std::pair(std::string("free"), true));
    QCOMPARE(orderOf(1), std::pair(std::string("step"), false));
    QVERIFY(!program.keeper().isModified());
    QVERIFY(program.keeper().saveTo(second));
    QCOMPARE(QString::fromUtf8(QJsonDocument(jsonOf(second)).toJson()),
             QString::fromUtf8(QJsonDocument(saved).toJson()));
}

void TestWorkspaceWindow::movedDataIsAskedForOnce() {
    const QString file = m_folder.filePath(u"moved.altiscope"_s), other = m_folder.filePath(u"gone/b/run2"_s),
                  now = m_folder.filePath(u"elsewhere/data2"_s);
    copyFolder(goldenCapture(u"torch_two_ranks"_s), other);
    {
        WorkspaceProgram program;
        program.window->open({m_capture, other});
        QVERIFY(program.waitUntilIdle());
        QVERIFY(program.keeper().saveTo(file));
    }
    std::filesystem::create_directories(now.toStdString());
    std::filesystem::rename(other.toStdString(), (now + u"/run2"_s).toStdString());
    WorkspaceProgram program;
    program.window->open({file});
    auto* dialog = QTest::qWaitFor([&] { return program.window->findChild<LocateDialog*>() != nullptr; }, 60'000)
                       ? program.window->findChild<LocateDialog*>()
                       : nullptr;
    QVERIFY(dialog != nullptr);
    dialog->setPath(m_folder.filePath(u"nowhere"_s));
    QVERIFY(QTest::qWaitFor([&] { return dialog->found() == LocateDialog::Found::NotThere; }, 60'000));
    // A part of the data is other data.
    dialog->setPath(m_folder.path());
    QVERIFY(QTest::qWaitFor([&] { return dialog->found() == LocateDialog::Found::Other; }, 60'000));
    dialog->setPath(now + u"/run2"_s);
    QVERIFY(QTest::qWaitFor([&] { return dialog->found() == LocateDialog::Found::Same; }, 60'000));
    dialog->accept();
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{2});
    QCOMPARE(program.session.captures().back().path, now + u"/run2"_s);
    QCOMPARE(program.part<NoticeBar>().text(), QString());
}

void TestWorkspaceWindow::otherDataIsReported() {
    const QString file = m_folder.filePath(u"other.altiscope"_s), capture = m_folder.filePath(u"changing/run"_s);
    copyFolder(goldenCapture(u"torch_two_ranks"_s), capture);
    {
        WorkspaceProgram program;
        program.window->open({capture});
        QVERIFY(program.waitUntilIdle());
        QVERIFY(program.keeper().saveTo(file));
    }
    QFile added(capture + u"/later.json"_s);
    QVERIFY(added.open(QIODevice::WriteOnly));
    added.write("[]");
    added.close();
    WorkspaceProgram program;
    program.window->open({file});
    QVERIFY(program.waitUntilIdle());
    QVERIFY2(program.part<NoticeBar>().text().contains(u"is not the data"_s),
             qPrintable(program.part<NoticeBar>().text()));
}

void TestWorkspaceWindow::changesAreMarked() {
    const QString file = m_folder.filePath(u"mine.altiscope"_s);
    WorkspaceProgram program;
    program.window->open({m_capture});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.keeper().saveTo(file));
    QCOMPARE(program.window->windowTitle(), u"mine – run – Altiscope"_s);
    // Where one looks is no change.
    program.window->showView(ViewId::Memory);
    QTest::qWait(1500);
    QVERIFY(!program.keeper().isModified());
    program.filterOf(u"steps"_s).setText(u"free > 2ms"_s);
    QTRY_COMPARE_WITH_TIMEOUT(program.window->windowTitle(), u"mine* – run – Altiscope"_s, 20'000);
    QVERIFY(program.keeper().save());
    QCOMPARE(program.window->windowTitle(), u"mine – run – Altiscope"_s);
}

void TestWorkspaceWindow::damagedFilesLeaveWhatIsOpen() {
    const QString file = m_folder.filePath(u"damaged.altiscope"_s);
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("{\"schema\":1,\"captures\":[{\"pa");
    out.close();
    WorkspaceProgram program;
    program.window->open({m_capture});
    program.window->open({file});
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QVERIFY(program.window->problem());
    QVERIFY(program.part<NoticeBar>().text().contains(u"damaged.altiscope"_s));
}

void TestWorkspaceWindow::aLinkLeadsBack() {
    WorkspaceProgram program;
    program.window->open({m_capture});
    QVERIFY(program.waitUntilIdle());
    const OpenCapture& open = program.session.captures().front();
    const auto key = someSlice(*open.store);
    QVERIFY(key);
    QApplication::clipboard()->clear();
    requestLink(program.part<TimelinePage>(), {0, key->rank, key->id, {}});
    QVERIFY(program.waitUntilIdle());
    const QString text = QApplication::clipboard()->text();
    const auto link = linkFromText(text);
    QVERIFY2(link, qPrintable(text));
    QCOMPARE(link->slice->value, key->id.value);
    QVERIFY(link->rank == open.store->ranks[key->rank.value].info.rankId);

    program.window->showView(ViewId::Memory);
    program.part<LinkOpener>().follow(text);
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.selection.current().slice == key);
    QCOMPARE(program.part<WindowPages>().currentView(), ViewId::Timeline);
    // A time, on the rank's own clock.
    CaptureLink range{link->identity, link->rank, {}, open.store->ranks[key->rank.value].trace->range()};
    program.part<LinkOpener>().follow(linkText(range));
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.selection.current().range == range.range);
}

void TestWorkspaceWindow::aLinkToACaptureThatIsNotOpen() {
    WorkspaceProgram program;
    program.window->open({m_capture});
    QVERIFY(program.waitUntilIdle());
    QApplication::clipboard()->clear();
    requestLink(*program.window, {});
    QVERIFY(program.waitUntilIdle());
    const QString text = QApplication::clipboard()->text();
    program.session.close(program.session.captures().front().id);
    program.part<LinkOpener>().follow(text);
    QVERIFY2(program.part<NoticeBar>().text().contains(m_capture), qPrintable(program.part<NoticeBar>().text()));
    const auto buttons = program.part<NoticeBar>().findChildren<QToolButton*>();
    buttons.front()->click();
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QVERIFY(program.part<LinkOpener>().idle());
    // One that nobody knows.
    program.part<LinkOpener>().follow(u"altiscope:00000000000000000000000000000000/rank/0"_s);
    QVERIFY(program.part<NoticeBar>().text().contains(u"neither open nor among"_s));
}

void TestWorkspaceWindow::whatACrashLeftIsOffered() {
    const QString recovery = m_folder.filePath(u"recovery"_s);
    const auto kept = [&recovery] { return QDir(recovery).entryInfoList({u"*.altiscope"_s}); };
    {
        WorkspaceProgram program(recovery);
        program.window->open({m_capture});
        QVERIFY(program.waitUntilIdle());
        program.filterOf(u"steps"_s).setText(u"free > 3ms"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), 20'000);
        QTest::qWait(2500);
        // What a process that is killed leaves: the file without its lock.
        QVERIFY(QFile::copy(kept().front().absoluteFilePath(), recovery + u"/1-1.altiscope"_s));
        program.window->close();
    }
    QCOMPARE(kept().size(), 1);
    WorkspaceProgram program(recovery);
    QVERIFY(program.part<NoticeBar>().text().contains(u"unexpectedly"_s));
    program.part<NoticeBar>().findChildren<QToolButton*>().front()->click();
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.session.captures().size(), std::size_t{1});
    QCOMPARE(program.filterOf(u"steps"_s).line()->text(), u"free > 3ms"_s);
    QVERIFY(!QFile::exists(recovery + u"/1-1.altiscope"_s));
}

ALTI_TEST(TestWorkspaceWindow)
#include "tst_workspace_window.moc"
