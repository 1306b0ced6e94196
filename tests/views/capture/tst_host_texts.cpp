#include "views/capture/support/host_texts.h"

#include "tests/support/test_main.h"
#include "views/capture/check_dialog.h"
#include "views/capture/form/form_state.h"

#include <QTreeWidget>

#include <string>

using namespace altiscope;

/// Words of a host or of its files, which may be anything.
class TestHostTexts : public QObject {
    Q_OBJECT
private slots:
    void aSentenceBeginsWithACapitalAndNamesStay();
    void checksCallThisMachineAsAllElseDoes();
    void aRowHidesNothingThatTheFileSays();
};

void TestHostTexts::aSentenceBeginsWithACapitalAndNamesStay() {
    const auto sentence = [](const char* host) {
        return hostSentence({"capture.remote.no_reply", {}, {}, {{"host", host}}});
    };
    QVERIFY2(sentence("local").startsWith(QStringLiteral("This machine did not")), qPrintable(sentence("local")));
    QVERIFY2(sentence("node7").startsWith(QStringLiteral("node7 did not")), qPrintable(sentence("node7")));
}

void TestHostTexts::checksCallThisMachineAsAllElseDoes() {
    JobRunner jobs;
    CheckDialog dialog(jobs, nullptr);
    dialog.showChecks({{"local", {{"reach", capture::Check::State::Good, {}, {}}}},
                       {"node\xe2\x80\xae"
                        "7",
                        {{"reach", capture::Check::State::Good, {}, {}}}}});
    const auto* table = dialog.findChild<QTreeWidget*>();
    QCOMPARE(table->topLevelItem(0)->text(0), targetTitle("local"));
    QVERIFY(!table->topLevelItem(1)->text(0).contains(QChar(0x202e)));
}

void TestHostTexts::aRowHidesNothingThatTheFileSays() {
    FormInput input;
    input.method = capture::findMethod("torch-dynamic");
    input.fileText = "{\"active\": \"a\xe2\x80\xae\\nb\"}\n";
    const FormState state = formState(input);
    bool isSaid = false;
    for (const RowState& row : rowStates(input, state, "en")) {
        isSaid = isSaid || row.kind == RowState::Kind::Error;
        QVERIFY2(row.message.find("\xe2\x80\xae") == std::string::npos, row.message.c_str());
        QVERIFY2(row.message.find('\n') == std::string::npos, row.message.c_str());
    }
    QVERIFY(isSaid);
}

ALTI_TEST(TestHostTexts)
#include "tst_host_texts.moc"
