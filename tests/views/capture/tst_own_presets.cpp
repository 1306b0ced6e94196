#include "views/capture/form/own_presets.h"

#include "tests/support/test_main.h"
#include "views/capture/form/preset_box.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QVariantMap>

using namespace altiscope;

namespace {

struct Remembered {
    QVariantMap values;
    ViewMemory memory() {
        return {[this](const QString& name) { return values.value(name); },
                [this](const QString& name, const QVariant& value) { values.insert(name, value); }};
    }
};

const capture::Method& torch() { return *capture::findMethod("torch-dynamic"); }

}  // namespace

class TestOwnPresets : public QObject {
    Q_OBJECT
private slots:
    void textAndBack();
    void otherTextsAreNone_data();
    void otherTextsAreNone();
    void keptReplacedForgotten();
    void boxOffersThem();
};

void TestOwnPresets::textAndBack() {
    const OwnPreset preset{QStringLiteral("\"mine\" ü"), "memory", {{"active", "3"}, {"prof_dir", "/a b"}}};
    const QByteArray text = presetText(torch(), preset);
    QCOMPARE(text, QByteArray("{\"method\":\"torch-dynamic\",\"name\":\"\\\"mine\\\" ü\",\"preset\":\"memory\","
                              "\"settings\":[[\"active\",\"3\"],[\"prof_dir\",\"/a b\"]]}"));
    QVERIFY(presetOfText(torch(), text) == preset);
    QVERIFY(!presetOfText(*capture::findMethod("msprof"), text));
}

void TestOwnPresets::otherTextsAreNone_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("{");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("no name") << QByteArray(R"({"method":"torch-dynamic","settings":[]})");
    QTest::newRow("an unknown base") << QByteArray(R"({"method":"torch-dynamic","name":"a","preset":"x"})");
    QTest::newRow("settings that are none")
        << QByteArray(R"({"method":"torch-dynamic","name":"a","settings":[["active",3]]})");
}

void TestOwnPresets::otherTextsAreNone() {
    QFETCH(QByteArray, text);
    QVERIFY(!presetOfText(torch(), text));
}

void TestOwnPresets::keptReplacedForgotten() {
    Remembered remembered;
    keepPreset(remembered.memory(), torch(), {QStringLiteral("b"), "", {{"active", "1"}}});
    keepPreset(remembered.memory(), torch(), {QStringLiteral("a"), "memory", {}});
    keepPreset(remembered.memory(), torch(), {QStringLiteral("b"), "", {{"active", "2"}}});
    const auto presets = ownPresets(remembered.memory(), torch());
    QCOMPARE(presets.size(), std::size_t{2});
    QCOMPARE(presets[0].name, QStringLiteral("a"));
    QCOMPARE(presets[1].edits, (std::vector<capture::Assignment>{{"active", "2"}}));
    QVERIFY(ownPresets(remembered.memory(), *capture::findMethod("msprof")).empty());
    forgetPreset(remembered.memory(), torch(), QStringLiteral("b"));
    QCOMPARE(ownPresets(remembered.memory(), torch()).size(), std::size_t{1});
}

void TestOwnPresets::boxOffersThem() {
    Remembered remembered;
    PresetBox box(remembered.memory());
    box.setMethod(torch());
    box.showBase("memory");
    QCOMPARE(box.base(), std::string("memory"));
    QVERIFY(!box.ownEdits());
    box.setEdits({{"active", "4"}});
    box.save(QStringLiteral("mine"));
    QCOMPARE(box.base(), std::string("memory"));
    QCOMPARE(*box.ownEdits(), (std::vector<capture::Assignment>{{"active", "4"}}));
    // Another method has its own; the program's are the same.
    box.setMethod(*capture::findMethod("msprof"));
    QCOMPARE(box.base(), std::string("memory"));
    QVERIFY(!box.ownEdits());
    box.setMethod(torch());
    auto* list = box.findChild<QComboBox*>();
    QCOMPARE(list->itemText(list->count() - 1), QStringLiteral("mine"));
    const QSignalSpy spy(&box, &PresetBox::chosen);
    list->setCurrentIndex(list->count() - 1);
    emit list->activated(list->count() - 1);
    QCOMPARE(spy.size(), 1);
    QVERIFY(box.ownEdits().has_value());
}

ALTI_TEST(TestOwnPresets)
#include "tst_own_presets.moc"
