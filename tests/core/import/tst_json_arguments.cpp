#include "core/import/import_capture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{ "a" : [1, "}{"] }}])";

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

}  // namespace

class TestJsonArguments : public QObject {
    Q_OBJECT

private slots:
    void asInTheSource();
    void ofAChangedFile();
};

void TestJsonArguments::asInTheSource() {
    const TestFolder folder;
    const std::string json =
        "["
        R"({"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args": { "a" : [1, "}{"] } },)"
        R"({"ph":"X","name":"B","pid":1,"tid":2,"ts":5,"dur":2},)"
        "{\"args\":{\"bad\":\"\xFF\n\"},\"ph\":\"X\",\"name\":\"C\",\"pid\":1,\"tid\":2,\"ts\":8,\"dur\":2},"
        R"({"ph":"X","name":"D","pid":1,"tid":2,"ts":11,"dur":2,"args":{"long":")" +
        std::string(100000, 'x') +
        R"("}},)"
        R"({"ph":"X","name":"E","pid":1,"tid":2,"ts":14,"dur":2,"args":  17 }])";
    const auto result = importForTest(folder.write("t.json", json));
    const RankEntry& rank = result.value()->ranks[0];
    const auto args = [&](std::uint32_t slice) {
        return text(rank.arguments->arguments(rank.trace->pos({slice})).value());
    };
    QCOMPARE(args(0), QStringLiteral(R"({ "a" : [1, "}{"] })"));
    QCOMPARE(args(1), QString());
    QCOMPARE(args(2), text("{\"bad\":\"\xEF\xBF\xBD\\u000a\"}"));
    QCOMPARE(args(3).size(), qsizetype{100000 + 11});
    QCOMPARE(args(4), QStringLiteral("17"));
    QCOMPARE(text(rank.arguments->arguments(SourcePos::make(0, 5)).error().code),
             QStringLiteral("args.source_changed"));
    QCOMPARE(text(rank.arguments->arguments(SourcePos::make(9, 1)).error().code),
             QStringLiteral("args.source_changed"));
}

void TestJsonArguments::ofAChangedFile() {
    const TestFolder folder;
    const fs::path path = folder.write("t.json", kTrace);
    const auto result = importForTest(path);
    const RankEntry& rank = result.value()->ranks[0];
    const auto code = [&] {
        const auto args = rank.arguments->arguments(rank.trace->pos({0}));
        return text(args.ok() ? args.value() : args.error().code);
    };
    const auto stamp = fs::last_write_time(path);
    QCOMPARE(code(), QStringLiteral(R"({ "a" : [1, "}{"] })"));
    fs::last_write_time(path, stamp + std::chrono::seconds(1));
    QCOMPARE(code(), QStringLiteral("args.source_changed"));
    folder.write("t.json", std::string(std::string_view(kTrace).size() - 5, ' '));
    fs::last_write_time(path, stamp);
    QCOMPARE(code(), QStringLiteral("args.source_changed"));
    folder.write("t.json", std::string(std::string_view(kTrace).size(), ' '));
    fs::last_write_time(path, stamp);
    QCOMPARE(code(), QStringLiteral("args.source_changed"));
    fs::remove(path);
    QCOMPARE(code(), QStringLiteral("args.source_changed"));
}

ALTI_TEST(TestJsonArguments)
#include "tst_json_arguments.moc"
