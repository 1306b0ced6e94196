#include "tests/support/test_main.h"
#include "views/timeline/panels/slice_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

SliceFacts facts() {
    SliceFacts facts;
    facts.key = {0, {77}};
    facts.details.name = "a \"quoted\"\tname\\";
    facts.details.category = "cpu_op";
    facts.details.begin = {1'736'408'883'573'950'123};
    facts.details.duration = {9'000'000'000'001};
    facts.details.selfDuration = {5};
    facts.details.depth = 2;
    facts.details.arguments = {{"Input Dims", "[[2,3]]", "[[2,3]]"},
                               {"big", "18446744073709551615", "18446744073709551615"}};
    facts.details.callStack = {"train.py(5): \"step\"", "main.py(1)"};
    facts.capturePath = "/data/\xE6\xA0\xB7\xE4\xBE\x8B";
    facts.rank.rankId = 3;
    facts.rank.path = "rank3";
    facts.track.process = "Python";
    facts.track.name = "Thread 7";
    facts.parent = SliceKey{0, {76}};
    facts.parentName = "outer";
    facts.links = {{"async_npu", true, "kernel", "NPU / Stream 2", {500}, {10}, SliceKey{0, {99}}},
                   {"fwdbwd", false, {}, {}, {400}, {}, {}}};
    return facts;
}

}  // namespace

class TestSliceText : public QObject {
    Q_OBJECT
private slots:
    void jsonHoldsEverythingExactly();
    void jsonOfABareSlice();
    void whatIsLeftOutIsSaid();
};

void TestSliceText::jsonHoldsEverythingExactly() {
    const QString text = jsonText(facts());
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8(), &error).object();
    QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString() + text));
    QCOMPARE(json[u"name"_s].toString(), u"a \"quoted\"\tname\\"_s);
    QCOMPARE(json[u"capture"_s].toString(), u"/data/\u6837\u4F8B"_s);
    QCOMPARE(json[u"ts"_s].toInteger(), 1'736'408'883'573'950'123);
    QCOMPARE(json[u"dur"_s].toInteger(), 9'000'000'000'001);
    QCOMPARE(json[u"self_dur"_s].toInteger(), 5);
    QCOMPARE(json[u"slice_id"_s].toInteger(), 77);
    QCOMPARE(json[u"parent_id"_s].toInteger(), 76);
    QCOMPARE(json[u"parent"_s].toString(), u"outer"_s);
    QCOMPARE(json[u"rank_id"_s].toInteger(), 3);
    QCOMPARE(json[u"depth"_s].toInteger(), 2);
    QCOMPARE(json[u"process"_s].toString() + json[u"track"_s].toString(), u"PythonThread 7"_s);
    QCOMPARE(json[u"call_stack"_s].toArray(), (QJsonArray{u"train.py(5): \"step\""_s, u"main.py(1)"_s}));
    // Arguments stand as in the source: a number is none of quotes, and keeps all of its digits.
    QCOMPARE(json[u"args"_s].toObject()[u"Input Dims"_s].toArray(), (QJsonArray{QJsonArray{2, 3}}));
    QVERIFY(text.contains(u"\"big\": 18446744073709551615"_s));
    const QJsonArray flows = json[u"flows"_s].toArray();
    QCOMPARE(flows.size(), 2);
    QCOMPARE(flows[0].toObject(), (QJsonObject{{u"direction"_s, u"to"_s},
                                               {u"category"_s, u"async_npu"_s},
                                               {u"slice_id"_s, 99},
                                               {u"name"_s, u"kernel"_s},
                                               {u"ts"_s, 500}}));
    QVERIFY(flows[1].toObject()[u"slice_id"_s].isNull());
    QCOMPARE(flows[1].toObject()[u"direction"_s].toString(), u"from"_s);
}

void TestSliceText::jsonOfABareSlice() {
    SliceFacts bare;
    bare.details.name = "x";
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(jsonText(bare).toUtf8(), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    for (const QString& key : {u"rank_id"_s, u"parent_id"_s, u"parent"_s, u"category"_s})
        QVERIFY2(json.contains(key) && json[key].isNull(), qPrintable(key));
    QVERIFY(json[u"args"_s].toObject().isEmpty() && json[u"call_stack"_s].toArray().isEmpty() &&
            json[u"flows"_s].toArray().isEmpty());
}

void TestSliceText::whatIsLeftOutIsSaid() {
    SliceFacts many = facts();
    many.effects.push_back({ChainRole::Device, "kernel", "NPU / Stream 2", {500}, {10}, SliceKey{0, {99}}});
    QVERIFY(!plainText(many).contains(u"more"_s));
    many.effectsExcluded = 1234;
    QVERIFY(plainText(many).endsWith(u"1,234 more\n"_s));
}

ALTI_TEST(TestSliceText)
#include "tst_slice_text.moc"
