#include "views/capture/form/field_form.h"

#include "tests/support/test_main.h"
#include "views/capture/form/field_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace altiscope;
using capture::FieldType;

namespace {

struct Shown {
    FormInput input;
    FieldForm form;

    explicit Shown(std::string_view method) { input.method = capture::findMethod(method); }
    void show() {
        const FormState state = formState(input);
        form.showRows(state.settings, rowStates(input, state, "en"));
    }
};

QString qt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace

class TestFieldForm : public QObject {
    Q_OBJECT
private slots:
    void editorForEachField_data();
    void editorForEachField();
    void whatIsNotSetIsNotCalledNull();
    void editsAreTextsOfSet();
    void messagesStandBelow();
    void changesCanBeTakenBack();
    void typingIsNotDisturbed();
    void valuesThatAreNoChoiceAreShown();
    void filterHidesOthers();
    void whatTheFilterFindsIsNotBelowAnEmptyPage();
    void otherFlavoursHaveOtherRows();
};

void TestFieldForm::editorForEachField_data() {
    QTest::addColumn<std::string>("method");
    for (const capture::Method& method : capture::methods())
        QTest::newRow(std::string(method.name).c_str()) << std::string(method.name);
}

void TestFieldForm::editorForEachField() {
    QFETCH(std::string, method);
    Shown shown(method);
    shown.show();
    const FormState state = formState(shown.input);
    QCOMPARE(shown.form.rowCount(), state.settings.all().size());
    for (const capture::Setting& setting : state.settings.all()) {
        const capture::Field& field = *setting.field;
        FieldEditor* editor = shown.form.editor(field.name);
        QVERIFY2(editor != nullptr, field.name.data());
        // What is shown means the value of the table.
        FormInput same = shown.input;
        same.edits = {{std::string(field.name), editor->text().toStdString()}};
        QCOMPARE(capture::plainText(formState(same).settings.value(field.name)), capture::plainText(setting.value));
        QVERIFY(editor->input() != nullptr);
        QVERIFY2(editor->input()->accessibleName().startsWith(qt(field.name)), field.name.data());
        QCOMPARE(editor->findChild<QComboBox*>() != nullptr, field.type == FieldType::Choice);
        if (field.type == FieldType::Bool) QVERIFY(editor->findChild<QCheckBox*>() != nullptr);
    }
}

void TestFieldForm::whatIsNotSetIsNotCalledNull() {
    for (const char* method : {"msprof", "mm-snapshot", "torch-dynamic", "dyno-npumonitor"}) {
        Shown shown(method);
        shown.show();
        for (const auto* line : shown.form.findChildren<QLineEdit*>())
            QVERIFY2(line->text() != QStringLiteral("null"), method);
    }
    Shown shown("msprof");
    shown.input.edits = {{"delay", "5"}};
    shown.show();
    FieldEditor* editor = shown.form.editor("delay");
    QSignalSpy edited(editor, &FieldEditor::edited);
    auto* line = editor->findChild<QLineEdit*>();
    QCOMPARE(line->text(), QStringLiteral("5"));
    QVERIFY(!line->placeholderText().isEmpty());
    // To wipe it out is to set it to nothing.
    QTest::keyClick(line, Qt::Key_Backspace);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].toString(), QStringLiteral("null"));
    editor->showText(QStringLiteral("null"));
    QCOMPARE(line->text(), QString());
    QCOMPARE(editor->text(), QStringLiteral("null"));
}

void TestFieldForm::editsAreTextsOfSet() {
    Shown shown("torch-dynamic");
    shown.show();
    const QSignalSpy spy(&shown.form, &FieldForm::edited);
    shown.form.editor("record_shapes")->findChild<QCheckBox*>()->click();
    shown.form.editor("activities")->findChildren<QCheckBox*>().first()->click();
    auto* level = shown.form.editor("profiler_level")->findChild<QComboBox*>();
    level->setCurrentIndex(2);
    emit level->activated(2);
    QTest::keyClicks(shown.form.editor("active")->findChild<QLineEdit*>(), QStringLiteral("2"));
    const QList<QVariantList> expected{{QStringLiteral("record_shapes"), QStringLiteral("true")},
                                       {QStringLiteral("activities"), QStringLiteral("NPU")},
                                       {QStringLiteral("profiler_level"), QStringLiteral("Level2")},
                                       {QStringLiteral("active"), QStringLiteral("12")}};
    QCOMPARE(spy.size(), expected.size());
    for (qsizetype i = 0; i < spy.size(); ++i) QCOMPARE(spy[i], expected[i]);
}

void TestFieldForm::messagesStandBelow() {
    Shown shown("torch-dynamic");
    shown.input.edits = {{"active", "0"}};
    shown.show();
    QVERIFY(shown.form.message("active").startsWith(QStringLiteral("0 is not allowed")));
    QCOMPARE(shown.form.message("rank_list"), QStringLiteral("It has no effect unless is_rank is on."));
    QVERIFY(!shown.form.editor("rank_list")->isEnabled());
    shown.input.edits.clear();
    shown.show();
    QCOMPARE(shown.form.message("active"), QString());
}

void TestFieldForm::changesCanBeTakenBack() {
    Shown shown("torch-dynamic");
    shown.input.edits = {{"active", "2"}};
    shown.show();
    const QSignalSpy spy(&shown.form, &FieldForm::takenBack);
    int offered = 0;
    for (QToolButton* button : shown.form.findChildren<QToolButton*>()) {
        if (!button->isVisibleTo(&shown.form)) continue;
        ++offered;
        button->click();
    }
    QCOMPARE(offered, 1);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].toString(), QStringLiteral("active"));
}

void TestFieldForm::typingIsNotDisturbed() {
    Shown shown("torch-dynamic");
    shown.show();
    auto* line = shown.form.editor("rank_list")->findChild<QLineEdit*>();
    shown.input.edits = {{"is_rank", "true"}, {"rank_list", "0, "}};
    line->setText(QStringLiteral("0, "));
    line->setCursorPosition(1);
    shown.show();
    QCOMPARE(line->text(), QStringLiteral("0, "));
    QCOMPARE(line->cursorPosition(), 1);
}

void TestFieldForm::valuesThatAreNoChoiceAreShown() {
    Shown shown("torch-dynamic");
    shown.input.fileText = R"({"experimental_config": {"profiler_level": "Level9"}})";
    shown.show();
    QCOMPARE(shown.form.editor("profiler_level")->text(), QStringLiteral("Level9"));
    QVERIFY(shown.form.message("profiler_level").contains(QStringLiteral("Level9")));
}

/// The last of forty settings.
void TestFieldForm::whatTheFilterFindsIsNotBelowAnEmptyPage() {
    Shown shown("dyno-nputrace");
    shown.show();
    shown.form.resize(500, 900);
    shown.form.show();
    const FieldEditor* editor = shown.form.editor("certs_dir");
    QTRY_VERIFY(editor->y() > 400);
    shown.form.setFilter(QStringLiteral("certs"));
    QTRY_VERIFY2(editor->y() < 2 * editor->height(), qPrintable(QString::number(editor->y())));
    shown.form.setFilter({});
    QTRY_VERIFY(editor->y() > 400);
}

void TestFieldForm::filterHidesOthers() {
    Shown shown("msprof");
    shown.show();
    shown.form.setFilter(QStringLiteral("AIC_"));
    QVERIFY(shown.form.editor("aic_metrics")->isVisibleTo(&shown.form));
    QVERIFY(!shown.form.editor("output")->isVisibleTo(&shown.form));
    shown.form.setFilter({});
    QVERIFY(shown.form.editor("output")->isVisibleTo(&shown.form));
}

void TestFieldForm::otherFlavoursHaveOtherRows() {
    Shown shown("mindspore-api");
    shown.show();
    QVERIFY(shown.form.editor("op_time") == nullptr);
    shown.input.edits = {{"version", "2.3"}};
    shown.show();
    QVERIFY(shown.form.editor("op_time") != nullptr);
    QVERIFY(shown.form.editor("skip_first") == nullptr);
    QCOMPARE(shown.form.editor("version")->text(), QStringLiteral("2.3"));
}

ALTI_TEST(TestFieldForm)
#include "tst_field_form.moc"
