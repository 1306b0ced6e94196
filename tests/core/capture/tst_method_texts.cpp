#include "core/capture/methods/conditions.h"
#include "core/capture/methods/method.h"

#include "tests/support/test_main.h"

using namespace altiscope;

/// Conditions and ranges of the tables of capture methods.
class TestMethodTexts : public QObject {
    Q_OBJECT

private slots:
    void conditions() {
        const capture::Method* method = capture::findMethod("mindspore-dynamic");
        QVERIFY(method != nullptr);
        // As they are by default: Level0, CPU and NPU, no marks.
        const capture::Settings settings(*method, "2.6");
        for (const auto& [condition, isTrue] : {std::pair("", true),
                                                {"profiler_level=Level0", true},
                                                {"profiler_level=Level1", false},
                                                {"profiler_level!=Level1", true},
                                                {"profiler_level!=Level0", false},
                                                {"mstx", false},
                                                {"not mstx", true},
                                                {"activities has CPU", true},
                                                {"activities has GPU", false},
                                                {"not mstx and profiler_level!=Level1", true},
                                                {"not mstx and profiler_level!=Level0", false},
                                                {"mstx and profiler_level=Level0", false}})
            QVERIFY2(capture::holds(condition, settings) == isTrue, condition);
        QVERIFY(capture::hasWord("2.4 2.6", "2.6") && !capture::hasWord("2.4 2.6", "2") && !capture::hasWord("", "2"));
    }

    void conditionsInWords() {
        using namespace std::string_literals;
        for (const auto& [condition, words] :
             {std::pair("analyse"s, "analyse is on"s),
              {"not mstx", "mstx is off"},
              {"export_type=Jsonl", "export_type is Jsonl"},
              {"level!=level0", "level is not level0"},
              {"host_sys_usage!=", "host_sys_usage is given"},
              {"mstx or msprof_tx and activities has NPU", "mstx is on or msprof_tx is on and activities has NPU"}})
            QCOMPARE(capture::conditionText(condition, "en"), words);
        QCOMPARE(capture::conditionText("analyse and activities has NPU", "zh_CN"),
                 "analyse 已开启 且 activities 包含 NPU"s);
        // Of each row of each method.
        for (const capture::Method& method : capture::methods()) {
            for (const capture::Field& field : method.fields) {
                if (!field.applies.empty())
                    QVERIFY(capture::conditionText(field.applies, "en").find("capture.") == std::string::npos);
            }
        }
    }

    void ranges() {
        capture::Field field;
        field.type = capture::FieldType::Integer;
        QCOMPARE(capture::rangeText(field), std::string());
        field.min = -1;
        QCOMPARE(capture::rangeText(field), std::string(">= -1"));
        field.max = 7;
        QCOMPARE(capture::rangeText(field), std::string("-1..7"));
        field.nullable = true;
        QCOMPARE(capture::rangeText(field), std::string("-1..7 or null"));
        field.min = capture::Field::kNoMin;
        QCOMPARE(capture::rangeText(field), std::string("<= 7 or null"));
    }
};

ALTI_TEST(TestMethodTexts)
#include "tst_method_texts.moc"
