#include "views/capture/form/form_state.h"

#include "core/capture/methods/conditions.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace altiscope;
using Edits = std::vector<capture::Assignment>;

namespace {

FormInput inputOf(const char* method, Edits edits = {}) {
    FormInput input;
    input.method = capture::findMethod(method);
    input.edits = std::move(edits);
    return input;
}

std::optional<RowState> rowOf(const FormInput& input, const char* field) {
    const FormState state = formState(input);
    const auto rows = rowStates(input, state, "en");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (state.settings.all()[i].field->name == field) return rows[i];
    }
    return std::nullopt;
}

struct Said {
    int status = -1;
    std::string text;
};

/// What `capture validate` prints.
Said validated(const FormInput& input, const QString& file) {
    QStringList words{QStringLiteral("capture"), QStringLiteral("validate"),
                      QString::fromUtf8(input.method->name.data(), static_cast<qsizetype>(input.method->name.size()))};
    for (const auto& [name, text] : input.edits)
        words << QStringLiteral("--set") << QString::fromStdString(name + "=" + text);
    if (!file.isEmpty()) words << QStringLiteral("--file") << file;
    QProcess program;
    program.start(qEnvironmentVariable("ALTI_CLI"), words);
    if (!program.waitForFinished(120'000)) return {};
    return {program.exitCode(), program.readAllStandardOutput().toStdString()};
}

}  // namespace

class TestFormState : public QObject {
    Q_OBJECT
private slots:
    void rowForEachField_data();
    void rowForEachField();
    void previewIsWhatValidatePrints_data();
    void previewIsWhatValidatePrints();
    void rowsSayWhatIsWrong();
    void rowsWithoutEffectAreLocked();
    void whatWasSetWithoutEffectCanBeChanged();
    void presetsAreNoEdits();
    void editsAreReplacedAndTakenBack();
    void damagedFileIsExplained();
};

void TestFormState::rowForEachField_data() {
    QTest::addColumn<std::string>("method");
    for (const capture::Method& method : capture::methods())
        QTest::newRow(std::string(method.name).c_str()) << std::string(method.name);
}

void TestFormState::rowForEachField() {
    QFETCH(std::string, method);
    const FormInput input = inputOf(method.c_str());
    const FormState state = formState(input);
    const auto rows = rowStates(input, state, "en");
    std::size_t expected = 0;
    const std::string variant(state.settings.variant());
    for (const capture::Field& field : input.method->fields)
        expected += field.variants.empty() || capture::hasWord(field.variants, variant) ? 1 : 0;
    QCOMPARE(rows.size(), expected);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const capture::Field& field = *state.settings.all()[i].field;
        QVERIFY2(!field.fixed || rows[i].isLocked, field.name.data());
        QVERIFY(!rows[i].isEdited);
    }
}

void TestFormState::previewIsWhatValidatePrints_data() {
    QTest::addColumn<std::string>("method");
    QTest::addColumn<Edits>("edits");
    QTest::addColumn<std::string>("file");
    for (const capture::Method& method : capture::methods())
        QTest::newRow((std::string(method.name) + " as it is").c_str())
            << std::string(method.name) << Edits{} << std::string();
    QTest::newRow("a change of JSON") << std::string("torch-dynamic") << Edits{{"active", "3"}, {"activities", "NPU"}}
                                      << std::string("{\"mine\": [1.50],\n \"active\": 1}\n");
    QTest::newRow("a change of YAML") << std::string("rl-yaml")
                                      << Edits{{"profile_step_end", "5"}, {"stage", "actor_update"}}
                                      << std::string(
                                             "# mine\nprofiler_config:\n  integrated:\n    profile: false  # off\n");
    QTest::newRow("options") << std::string("llm-flags")
                             << Edits{{"profile_ranks", "0 8"}, {"profile_with_cpu", "true"}} << std::string();
    QTest::newRow("another flavour") << std::string("llm-flags")
                                     << Edits{{"backend", "fsdp2"}, {"profile_step_end", "4"}} << std::string();
    QTest::newRow("a variable") << std::string("mindspore-env") << Edits{{"output_path", "/data/it's mine"}}
                                << std::string();
    QTest::newRow("a command") << std::string("msprof") << Edits{{"output", "/data/p"}, {"application", "python3 a.py"}}
                               << std::string();
    QTest::newRow("a wrong value") << std::string("torch-dynamic") << Edits{{"active", "0"}} << std::string();
    QTest::newRow("no number") << std::string("torch-dynamic") << Edits{{"active", "three"}} << std::string();
    QTest::newRow("an unknown field") << std::string("torch-dynamic") << Edits{{"actve", "3"}} << std::string();
}

void TestFormState::previewIsWhatValidatePrints() {
    QFETCH(std::string, method);
    QFETCH(Edits, edits);
    QFETCH(std::string, file);
    FormInput input = inputOf(method.c_str(), edits);
    const QTemporaryDir folder;
    QString path;
    if (!file.empty()) {
        path = folder.filePath(QStringLiteral("config"));
        QFile written(path);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(file.c_str());
        written.close();
        input.file = path.toStdString();
        input.fileText = file;
    }
    const Said said = validated(input, path);
    const FormState state = formState(input);
    QCOMPARE(state.isValid(), said.status == 0);
    QCOMPARE(state.preview(), said.text);
}

void TestFormState::rowsSayWhatIsWrong() {
    const auto wrong = rowOf(inputOf("torch-dynamic", {{"active", "0"}}), "active");
    QVERIFY(wrong->kind == RowState::Kind::Error);
    QVERIFY(wrong->isEdited);
    QCOMPARE(wrong->text, std::string("0"));
    QVERIFY2(wrong->message.starts_with("0 is not allowed"), wrong->message.c_str());
    const auto dear = rowOf(inputOf("torch-dynamic", {{"with_stack", "true"}}), "with_stack");
    QVERIFY(dear->kind == RowState::Kind::Warning);
    const auto fine = rowOf(inputOf("torch-dynamic", {{"active", "2"}}), "active");
    QVERIFY(fine->kind == RowState::Kind::Quiet);
    QCOMPARE(fine->message, std::string());
}

void TestFormState::rowsWithoutEffectAreLocked() {
    const auto off = rowOf(inputOf("torch-dynamic"), "async_mode");
    QVERIFY(off->isLocked && !off->applies);
    QCOMPARE(off->message, std::string("It has no effect unless analyse is on."));
    const auto on = rowOf(inputOf("torch-dynamic", {{"analyse", "true"}}), "async_mode");
    QVERIFY(!on->isLocked && on->applies);
    QCOMPARE(on->message, std::string());
}

void TestFormState::whatWasSetWithoutEffectCanBeChanged() {
    const auto row = rowOf(inputOf("torch-dynamic", {{"async_mode", "true"}}), "async_mode");
    QVERIFY(!row->isLocked);
    QVERIFY(row->kind == RowState::Kind::Error);
}

void TestFormState::presetsAreNoEdits() {
    FormInput input = inputOf("torch-dynamic");
    input.preset = "memory";
    const auto row = rowOf(input, "profile_memory");
    QCOMPARE(row->text, std::string("true"));
    QVERIFY(!row->isEdited);
    input.edits = {{"profile_memory", "false"}};
    QCOMPARE(rowOf(input, "profile_memory")->text, std::string("false"));
}

void TestFormState::editsAreReplacedAndTakenBack() {
    Edits edits;
    applyEdit(edits, "a", "1");
    applyEdit(edits, "b", "2");
    applyEdit(edits, "a", "3");
    QCOMPARE(edits, (Edits{{"a", "3"}, {"b", "2"}}));
    applyEdit(edits, "a", std::nullopt);
    applyEdit(edits, "c", std::nullopt);
    QCOMPARE(edits, (Edits{{"b", "2"}}));
}

void TestFormState::damagedFileIsExplained() {
    FormInput input = inputOf("torch-dynamic");
    input.fileText = "{\"active\": ";
    const FormState state = formState(input);
    QVERIFY(!state.isValid());
    QCOMPARE(state.preview(), std::string());
}

ALTI_TEST(TestFormState)
#include "tst_form_state.moc"
