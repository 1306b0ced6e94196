#include "views/capture/capture_page.h"

#include "tests/support/test_main.h"
#include "tests/views/capture/record_stage.h"
#include "views/capture/by_hand_dialog.h"
#include "views/capture/form/field_editor.h"
#include "views/capture/form/field_form.h"
#include "views/capture/form/job_form.h"
#include "views/capture/form/preview_panel.h"
#include "views/capture/form/target_list.h"
#include "views/capture/runs/captures_pane.h"
#include "views/capture/runs/history_panel.h"
#include "views/capture/runs/run_panel.h"
#include "views/capture/support/limit_box.h"
#include "views/capture/support/tone_label.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <iterator>
#include <memory>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Far beyond what anything takes, also on a loaded machine under a sanitizer.
constexpr int kPatience = 120'000;

bool says(const CapturePage& page, const char* text) {
    for (const auto* label : page.findChildren<ToneLabel*>()) {
        if (label->isVisibleTo(&page) && label->text().contains(QString::fromUtf8(text))) return true;
    }
    return false;
}

QAbstractButton* button(const QWidget& parent, const char* text) {
    for (auto* each : parent.findChildren<QAbstractButton*>()) {
        if (each->text().remove(QLatin1Char('&')) == QString::fromUtf8(text)) return each;
    }
    return nullptr;
}

}  // namespace

class TestCapturePage : public QObject {
    Q_OBJECT
private slots:
    void eachMethodHasAPreview_data();
    void eachMethodHasAPreview();
    void typingIsValidated();
    void fileIsReadAndItsChangeShown();
    void fileThatIsNotThere();
    void flavourWithAFileTakesOne();
    void historyIsShownAndRepeated();
    void aLinkIsRepeatedByItsName();
    void languageChanges();
    void withoutAFolderNothingStarts();
    void armsAndPutsBack();
    void cancelHoldsWhenTheWindowGoes();
    void windowGoesWhileItFetches();
    void captureThatNeverCameToBeSaysWhy();
    void largeFileIsLookedAtElsewhere();
    void whatWasRunByHandIsInTheHistory();
    void fetchingKeepsToItsLimit();
    void keysOfADaemonHereAreAskedForInTheWindow();
    void tabLeadsThroughTheFieldsToStart();
    void hostsOfAFileAreChosen();
};

void TestCapturePage::eachMethodHasAPreview_data() {
    QTest::addColumn<std::string>("method");
    for (const capture::Method& method : capture::methods())
        QTest::newRow(std::string(method.name).c_str()) << std::string(method.name);
}

void TestCapturePage::eachMethodHasAPreview() {
    QFETCH(std::string, method);
    RecordStage stage;
    stage.page.show();
    stage.page.chooseMethod(method);
    if (method == "msprof-attach") stage.page.setField("pid", "42");
    const auto* preview = stage.page.findChild<PreviewPanel*>();
    QCOMPARE(preview->text().toStdString(), stage.page.form().preview());
    QCOMPARE(preview->text().isEmpty(), !stage.page.form().isValid());
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
}

void TestCapturePage::typingIsValidated() {
    RecordStage stage;
    stage.page.show();
    stage.page.chooseMethod("torch-dynamic");
    stage.page.setField("active", "0");
    QVERIFY(says(stage.page, "1 setting(s) to correct: active"));
    QVERIFY(!button(stage.page, "Start")->isEnabled());
    stage.page.setField("active", "2");
    QVERIFY(says(stage.page, "Give the configuration file"));
    // A number that is wiped out is that of before.
    stage.page.setField("active", "");
    QCOMPARE(stage.page.form().settings.integer("active"), std::optional<std::int64_t>(1));
}

void TestCapturePage::fileIsReadAndItsChangeShown() {
    RecordStage stage;
    const std::string file = stage.write("profiler_config.json", "{\"active\": 1, \"mine\": [1.50]}\n");
    stage.page.show();
    stage.page.chooseMethod("torch-dynamic");
    stage.page.setField("active", "4");
    stage.page.findChild<JobForm*>()->fill("profiler_config.json", stage.folder.path().toStdString(), {}, {});
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QVERIFY(stage.page.form().hasFile);
    const QString text = stage.page.findChild<PreviewPanel*>()->text();
    QVERIFY2(text.contains(QStringLiteral("-{\"active\": 1")) && text.contains(QStringLiteral("+{\"active\": 4")) &&
                 text.contains(QStringLiteral("\"mine\": [1.50]")),
             qPrintable(text));
    QCOMPARE(RecordStage::read(file), QByteArray("{\"active\": 1, \"mine\": [1.50]}\n"));
}

void TestCapturePage::fileThatIsNotThere() {
    RecordStage stage;
    stage.page.show();
    stage.page.chooseMethod("mm-static");
    stage.page.findChild<JobForm*>()->fill("tools.json", stage.folder.path().toStdString(), "sh run.sh", {});
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QVERIFY(says(stage.page, "The file does not exist yet"));
    QVERIFY(button(stage.page, "Start")->isEnabled());
    stage.page.findChild<JobForm*>()->fill("no/tools.json", stage.folder.path().toStdString(), "sh run.sh", {});
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QVERIFY(says(stage.page, "cannot be a configuration"));
}

void TestCapturePage::flavourWithAFileTakesOne() {
    RecordStage stage;
    const std::string text = "training:\n  lr: 1 # mine\n", file = stage.write("a.yaml", text.c_str());
    stage.page.show();
    stage.page.chooseMethod("llm-flags");
    QVERIFY(says(stage.page, "Give the command"));
    stage.page.setField("backend", "fsdp2");
    QVERIFY(says(stage.page, "Give the configuration file"));
    stage.page.findChild<JobForm*>()->fill(file, {}, "sh run.sh", {});
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle() && stage.page.form().hasFile, kPatience);
    QVERIFY(stage.page.findChild<PreviewPanel*>()->text().contains(QStringLiteral("+  profile: true")));
    QVERIFY(says(stage.page, "a.yaml is changed as shown, the command is started"));
    stage.page.setField("backend", "megatron");
    QVERIFY(says(stage.page, "started with the options shown"));
    QVERIFY(!stage.page.form().hasFile);
}

void TestCapturePage::historyIsShownAndRepeated() {
    RecordStage stage;
    capture::CaptureRecord record;
    record.method = "mm-static";
    record.preset = "memory";
    record.assignments = {{"start_step", "3"}};
    record.launch = "sh run.sh";
    record.state = capture::State::Done;
    record.targets.resize(1);
    record.targets[0].name = "node7";
    record.targets[0].state = capture::State::Done;
    record.targets[0].config = "/job/tools.json";
    record.targets[0].workdir = "/job";
    record.targets[0].results = "/job/prof";
    QVERIFY(stage.store().create(record).ok());
    stage.page.show();
    auto* history = stage.page.findChild<HistoryPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QCOMPARE(stage.page.findChild<RunPanel*>()->shownId(), std::string());
    history->choose(record.id);
    QCOMPARE(stage.page.findChild<RunPanel*>()->shownId(), record.id);
    button(*history, "Repeat")->click();
    QCOMPARE(stage.page.form().settings.method().name, std::string_view("mm-static"));
    QCOMPARE(stage.page.form().settings.integer("start_step"), std::optional<std::int64_t>(3));
    QVERIFY(stage.page.form().settings.isOn("with_memory"));
    QCOMPARE(stage.page.findChild<TargetList*>()->chosen(), std::vector<std::string>{"node7"});
    QCOMPARE(stage.page.findChild<JobForm*>()->launch(), std::string("sh run.sh"));
    QVERIFY(says(stage.page, "On node7: /job/tools.json is changed as shown"));
    // Nobody contacts a host before the user says so.
    QVERIFY(button(stage.page, "Read the file on node7")->isVisibleTo(&stage.page));
    // And what is shown meanwhile is not said to be the change.
    QVERIFY(says(stage.page, "The file on node7 has not been read yet. What it contains stays"));
}

/// The job keeps its logs beside the link.
void TestCapturePage::aLinkIsRepeatedByItsName() {
    RecordStage stage;
    capture::CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = capture::State::Done;
    record.targets.resize(1);
    record.targets[0].name = "node7";
    record.targets[0].config = "/real/profiler_config.json";
    record.targets[0].file = "/job/profiler_config.json";
    QVERIFY(stage.store().create(record).ok());
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(record.id);
    button(*history, "Repeat")->click();
    QCOMPARE(stage.page.findChild<JobForm*>()->file(), std::string("/job/profiler_config.json"));
}

void TestCapturePage::languageChanges() {
    RecordStage stage;
    stage.page.show();
    QEvent event(QEvent::LanguageChange);
    QCoreApplication::sendEvent(&stage.page, &event);
    QCOMPARE(stage.page.form().settings.method().name, std::string_view("torch-dynamic"));
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
}

void TestCapturePage::withoutAFolderNothingStarts() {
    JobRunner jobs;
    Session session(jobs);
    CapturePage page(session, {}, {});
    page.show();
    page.chooseMethod("mm-static");
    page.findChild<JobForm*>()->fill("tools.json", {}, "sh run.sh", {});
    QVERIFY(!button(page, "Start")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(page.idle(), kPatience);
}

/// Without a job: the configuration is put in place, shown as armed, and as it was after the cancel.
void TestCapturePage::armsAndPutsBack() {
    RecordStage stage;
    const QByteArray before = "{\"active\": 1, \"mine\": [1.50]}\n";
    const std::string file = stage.write("profiler_config.json", before);
    stage.page.show();
    stage.page.chooseMethod("torch-dynamic");
    stage.page.setField("prof_dir", stage.path("out").string());
    stage.page.findChild<JobForm*>()->fill(file, {}, {}, {});
    QVERIFY(button(stage.page, "Start")->isEnabled());
    button(stage.page, "Start")->click();
    const auto* history = stage.page.findChild<HistoryPanel*>();
    const auto stateIs = [history](capture::State state) {
        return history->current() != nullptr && history->current()->state == state;
    };
    QTRY_VERIFY_WITH_TIMEOUT(stateIs(capture::State::Armed), kPatience);
    QVERIFY(RecordStage::read(file) != before);
    auto* run = stage.page.findChild<RunPanel*>();
    QCOMPARE(run->shownId(), history->current()->id);
    button(*run, "Cancel")->click();
    QTRY_VERIFY_WITH_TIMEOUT(stateIs(capture::State::Cancelled), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(RecordStage::read(file), before, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!button(*run, "Cancel")->isVisibleTo(run), kPatience);
}

/// Whoever cancels and closes the window at once finds everything put back, and nothing at work any more.
void TestCapturePage::cancelHoldsWhenTheWindowGoes() {
    RecordStage stage;
    const QByteArray before = "{\"active\": 1}\n";
    const std::string file = stage.write("profiler_config.json", before);
    auto page = std::make_unique<CapturePage>(stage.session, ViewMemory(), stage.captures());
    page->show();
    page->chooseMethod("torch-dynamic");
    page->setField("prof_dir", stage.path("out").string());
    page->findChild<JobForm*>()->fill(file, {}, {}, {});
    button(*page, "Start")->click();
    const auto* history = page->findChild<HistoryPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(history->current() != nullptr && history->current()->state == capture::State::Armed,
                             kPatience);
    QVERIFY(RecordStage::read(file) != before);
    const std::string id = history->current()->id;
    button(*page->findChild<RunPanel*>(), "Cancel")->click();
    page.reset();
    const auto record = stage.store().load(id);
    QVERIFY(record.ok());
    QCOMPARE(capture::stateText(record.value().state), std::string_view("cancelled"));
    QCOMPARE(RecordStage::read(file), before);
    QVERIFY(!stage.store().isCancelRequested(id));
    QVERIFY(capture::CaptureLock::take(stage.store(), id).has_value());
}

void TestCapturePage::windowGoesWhileItFetches() {
    RecordStage stage;
    capture::CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = capture::State::Done;
    record.targets.resize(1);
    record.targets[0].name = "local";
    record.targets[0].state = capture::State::Done;
    record.targets[0].results = stage.path("out").string();
    record.targets[0].ranks = {{stage.path("out/a_ascend_pt").string(), 0, capture::State::Done, {}}};
    std::filesystem::create_directories(stage.path("out/a_ascend_pt"));
    QVERIFY(!stage.write("out/a_ascend_pt/profiler_info_0.json", "{}").empty());
    QVERIFY(stage.store().create(record).ok());
    auto page = std::make_unique<CapturePage>(stage.session, ViewMemory(), stage.captures());
    page->show();
    auto* history = page->findChild<HistoryPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(page->idle(), kPatience);
    history->choose(record.id);
    button(*page->findChild<RunPanel*>(), "Fetch")->click();
    page.reset();
    QVERIFY(stage.store().load(record.id).ok());
    QVERIFY(capture::CaptureLock::take(stage.store(), record.id).has_value());
}

/// Also while another capture is chosen.
void TestCapturePage::captureThatNeverCameToBeSaysWhy() {
    RecordStage stage;
    const std::string file = stage.write("profiler_config.json", "{}\n");
    capture::CaptureRecord record;
    record.method = "mm-static";
    record.state = capture::State::Done;
    QVERIFY(stage.store().create(record).ok());
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    stage.page.findChild<HistoryPanel*>()->choose(record.id);
    stage.page.chooseMethod("torch-dynamic");
    stage.page.setField("prof_dir", stage.path("out").string());
    stage.page.findChild<JobForm*>()->fill(file, {}, {}, {});
    std::filesystem::rename(stage.captures(), stage.path("gone"));
    QVERIFY(!stage.write("captures", "no folder").empty());
    QSignalSpy said(&stage.page, &CapturePage::statusMessage);
    button(stage.page, "Start")->click();
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, kPatience);
    const QString text = said[0][0].toString();
    QVERIFY2(text.contains(QString::fromStdString(stage.captures().string())), qPrintable(text));
    QCOMPARE(RecordStage::read(file), QByteArray("{}\n"));
}

void TestCapturePage::largeFileIsLookedAtElsewhere() {
    RecordStage stage;
    QByteArray text = "{\n  \"active\": 1";
    for (int i = 0; i < 10'000; ++i) text += ",\n  \"mine" + QByteArray::number(i) + "\": 1.50";
    const std::string file = stage.write("profiler_config.json", text + "\n}\n");
    stage.page.show();
    stage.page.chooseMethod("torch-dynamic");
    stage.page.findChild<JobForm*>()->fill(file, {}, {}, {});
    stage.page.setField("prof_dir", stage.path("out").string());
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QVERIFY(stage.page.form().hasFile);
    QVERIFY(button(stage.page, "Start")->isEnabled());
    // Nothing starts before it is known what would be changed; of several keys the last counts.
    stage.page.setField("active", "0");
    stage.page.setField("active", "4");
    QVERIFY(!stage.page.idle());
    QVERIFY(!button(stage.page, "Start")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    QVERIFY(button(stage.page, "Start")->isEnabled());
    const QString change = stage.page.findChild<PreviewPanel*>()->text();
    QVERIFY2(change.contains(QStringLiteral("+  \"active\": 4")), qPrintable(change));
}

void TestCapturePage::whatWasRunByHandIsInTheHistory() {
    RecordStage stage;
    const std::filesystem::path result = stage.path("mine/node1_7_20260101120000120_ascend_pt");
    std::filesystem::create_directories(result / "ASCEND_PROFILER_OUTPUT");
    for (const char* name :
         {"profiler_info_0.json", "ASCEND_PROFILER_OUTPUT/trace_view.json", "ASCEND_PROFILER_OUTPUT/analyse.done"})
        QVERIFY(!stage.write(("mine/node1_7_20260101120000120_ascend_pt/" + std::string(name)).c_str(), "{}").empty());
    stage.page.show();
    stage.page.chooseMethod("llm-flags");
    stage.page.setField("profile_ranks", "0");
    QSignalSpy opened(&stage.page, &CapturePage::openRequested);
    button(*stage.page.findChild<PreviewPanel*>(), "Run manually")->click();
    auto* dialog = stage.page.findChild<ByHandDialog*>();
    QVERIFY(dialog != nullptr);
    emit dialog->openRequested(QString::fromStdString(stage.path("mine").string()));
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle() && !stage.store().list().empty(), kPatience);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toStringList(), QStringList{QString::fromStdString(stage.path("mine").string())});
    const auto* history = stage.page.findChild<HistoryPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(history->current() != nullptr, kPatience);
    QCOMPARE(history->current()->method, std::string("llm-flags"));
    QCOMPARE(capture::stateText(history->current()->state), std::string_view("done"));
}

/// Of what is copied by the window, too, and from one run to the next.
/// On this machine nothing asks but the password of a key.
void TestCapturePage::keysOfADaemonHereAreAskedForInTheWindow() {
    RecordStage stage;
    CapturesPane pane(stage.jobs, stage.captures(), [] { return capture::FetchLimits{}; });
    for (const char* method : {"dyno-nputrace", "dyno-npumonitor"})
        QVERIFY(!pane.askpass({"local"}, capture::findMethod(method)).program.empty());
    CapturesPane other(stage.jobs, stage.captures(), [] { return capture::FetchLimits{}; });
    QVERIFY(other.askpass({"local"}, capture::findMethod("torch-dynamic")).program.empty());
    QVERIFY(!other.askpass({"local", "node7"}, capture::findMethod("torch-dynamic")).program.empty());
}

void TestCapturePage::fetchingKeepsToItsLimit() {
    RecordStage stage;
    capture::CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = capture::State::Done;
    record.targets.resize(1);
    record.targets[0].name = "local";
    record.targets[0].state = capture::State::Done;
    record.targets[0].results = stage.path("out").string();
    record.targets[0].ranks = {{stage.path("out/a_ascend_pt").string(), 0, capture::State::Done, {}}};
    std::filesystem::create_directories(stage.path("out/a_ascend_pt"));
    QVERIFY(!stage.write("out/a_ascend_pt/data", QByteArray(2'000'000, 'x')).empty());
    QVERIFY(stage.store().create(record).ok());
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    stage.page.findChild<HistoryPanel*>()->choose(record.id);
    stage.page.findChild<LimitBox*>()->setValue(1);
    QElapsedTimer timer;
    timer.start();
    button(*stage.page.findChild<RunPanel*>(), "Fetch")->click();
    const std::filesystem::path copied = stage.store().resultsOf(record) / "local/a_ascend_pt/data";
    QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(copied), kPatience);
    // 2 MB at 1 MB/s; of the first piece nobody knows how long it took.
    QVERIFY2(timer.elapsed() > 1000, qPrintable(QString::number(timer.elapsed())));
    const LimitBox again({[&stage](const QString& name) { return stage.values.value(name); }, {}});
    QCOMPARE(again.limits().bytesPerSecond, std::uint64_t{1'000'000});
}

/// Also of a method that was chosen later, whose fields are younger than all else.
void TestCapturePage::tabLeadsThroughTheFieldsToStart() {
    RecordStage stage;
    stage.page.show();
    for (const char* method : {"torch-dynamic", "msprof"}) {
        stage.page.chooseMethod(method);
        const auto* form = stage.page.findChild<FieldForm*>();
        const std::string_view first = stage.page.form().settings.all().front().field->name,
                               last = stage.page.form().settings.all().back().field->name;
        const QWidget* stops[] = {form->editor(first)->focusProxy(), form->editor(last)->focusProxy(),
                                  button(*stage.page.findChild<PreviewPanel*>(), "Copy"), button(stage.page, "Start")};
        std::size_t found = 0;
        const QWidget* start = stage.page.focusProxy();
        for (const QWidget* at = start->nextInFocusChain(); at != start && found < std::size(stops);
             at = at->nextInFocusChain()) {
            for (std::size_t i = 0; i < std::size(stops); ++i) {
                if (at == stops[i]) QCOMPARE(i, found++);
            }
        }
        QCOMPARE(found, std::size(stops));
    }
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
}

void TestCapturePage::hostsOfAFileAreChosen() {
    using Names = std::vector<std::string>;
    RecordStage stage;
    auto* targets = stage.page.findChild<TargetList*>();
    const auto read = [&stage](const char* name, const QByteArray& text) {
        stage.page.readHosts(QString::fromStdString(stage.write(name, text)));
        return QTest::qWaitFor([&stage] { return stage.page.idle(); }, 120'000);
    };
    QVERIFY(read("hostfile", "# all\nnode1 slots=8\nme@node2:2222 slots=8\n"));
    QCOMPARE(targets->chosen(), (Names{"node1", "me@node2:2222"}));
    // One that is wrong changes nothing, and says where.
    QVERIFY(read("wrong", "node3\nnode4 node5\n"));
    QCOMPARE(targets->chosen(), (Names{"node1", "me@node2:2222"}));
    QStringList texts;
    for (const QLabel* label : targets->findChildren<QLabel*>()) {
        if (!label->isHidden()) texts << label->text();
    }
    QVERIFY2(texts.join(u'\n').contains(QStringLiteral("line 2 is not a host")), qPrintable(texts.join(u'\n')));
}

ALTI_TEST(TestCapturePage)
#include "tst_capture_page.moc"
