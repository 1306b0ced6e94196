#include "tests/support/capture_dump.h"
#include "tests/support/effort.h"
#include "tests/support/marked_text.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const char* const kSlice = R"({"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2})";

/// Imports a text as file t.json; thousands of times, so in one folder.
std::string dumpOf(std::string_view json, const ImportTestOptions& options = {}) {
    static const TestFolder folder;
    return dumpImport(importForTest(folder.write("t.json", json), options));
}

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

}  // namespace

/// What the tables hold for each kind of event, and what happens to each kind of bad input.
class TestTraceJsonReader : public QObject {
    Q_OBJECT

private slots:
    void events_data();
    void events();
    void containers_data();
    void containers();
    void wrongFields_data();
    void wrongFields();
    void damagedFiles_data();
    void damagedFiles();
    void cutAtEveryByte();
    void flippedAtEveryByte();
    void sameForEveryChunkSize_data();
    void sameForEveryChunkSize();
    void tenThousandThreads();
    void problemsAreCounted();
    void hugeRecordIsSkipped();

private:
    void compare();
};

/// Imports the row's "json" and compares the dump with its "expected".
void TestTraceJsonReader::compare() {
    QFETCH(QString, json);
    QFETCH(QString, expected);
    const MarkedText marked(json.toStdString());
    QCOMPARE(text(dumpOf(marked.text)), text(marked.resolved(expected.toStdString())));
    // The exact way that damaged files take says the same as the fast one.
    QCOMPARE(text(dumpOf(marked.text, {.threads = 1, .chunkBytes = 1})), text(marked.resolved(expected.toStdString())));
}

void TestTraceJsonReader::events_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const char* json, const char* expected) {
        QTest::addRow("%s", clause) << QString::fromUtf8(json) << QString::fromUtf8(expected);
    };

    row("ts as text, three decimals",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":"1736412474714258.990","dur":31.84}])",
        "state ok\nslice 1/2 d0 A [1736412474714258990,+31840) @{a}\n");
    row("ts as text without decimals",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":"1736408883973810","dur":"7"}])",
        "state ok\nslice 1/2 d0 A [1736408883973810000,+7000) @{a}\n");
    row("ts as number", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":6042138.9999985695,"dur":0.60003125}])",
        "state ok\nslice 1/2 d0 A [6042139000,+600) @{a}\n");
    row("halves go up", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":25.2205,"dur":11134.8825}])",
        "state ok\nslice 1/2 d0 A [25221,+11134883) @{a}\n");
    row("ts with exponent", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1.5e3,"dur":1E0}])",
        "state ok\nslice 1/2 d0 A [1500000,+1000) @{a}\n");
    row("ts 0 and far away are kept",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":0,"dur":1},<b>{"ph":"X","name":"B","pid":1,"tid":2,"ts":1736412474714258,"dur":1}])",
        "state ok\nslice 1/2 d0 A [0,+1000) @{a}\nslice 1/2 d0 B [1736412474714258000,+1000) @{b}\n"
        "info far_event t.json x1 byte {a}\n");
    row("colours that are asked for",
        R"([<a>{"ph":"X","name":"A","cname":"good","pid":1,"tid":1,"ts":1,"dur":3},<b>{"ph":"X","name":"B","cname":null,"pid":1,"tid":1,"ts":5,"dur":1},<c>{"ph":"B","name":"C","cname":"\u0062ad","pid":1,"tid":1,"ts":7},{"ph":"E","cname":"terrible","pid":1,"tid":1,"ts":9}])",
        "state ok\nslice 1/1 d0 A [1000,+3000) cname=good @{a}\nslice 1/1 d0 B [5000,+1000) @{b}\nslice 1/1 d0 C "
        "[7000,+2000) cname=bad @{c}\n");
    row("category, key order, blanks",
        "[ <a>{ \"cat\" : \"c\" ,\n\t\"dur\" : 1 , \"ts\" : 2 , \"tid\" : 3 , \"pid\" : 4 , \"name\" : \"A\" , \"ph\" "
        ": \"X\" } ]\n",
        "state ok\nslice 4/3 d0 A [2000,+1000) cat=c @{a}\n");
    row("last of repeated keys counts",
        R"([<a>{"ph":"B","name":"A","ph":"X","name":"B","pid":1,"tid":2,"ts":1,"dur":2}])",
        "state partial\nslice 1/2 d0 B [1000,+2000) @{a}\nlost repeated_field t.json x1 byte {a}\n");
    row("two events that became one",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"args":{"a":1},"ph":"X","name":"B","pid":1,"tid":2,"ts":4,"dur":2},<b>{"ph":"i","name":"C","pid":1,"tid":2,"ts":5,"args":{"v":1,"v":2}}])",
        "state partial\nslice 1/2 d0 B [4000,+2000) @{a}\ninstant 1/2 C 5000 @{b}\nlost repeated_field t.json x1 byte "
        "{a}\n");
    row("escapes in keys and texts",
        R"([<a>{"\u0070h":"X","name":"\u00e9\n\"\\\ud83d\ude00","pid":"p","tid":"t\/1","ts":1,"dur":2}])",
        "state ok\nslice p/t/1 d0 \xC3\xA9\n\"\\\xF0\x9F\x98\x80 [1000,+2000) @{a}\n");
    row("ids as text and number are the same",
        R"([<a>{"ph":"X","name":"A","pid":"1","tid":2,"ts":0,"dur":9},<b>{"ph":"X","name":"B","pid":1,"tid":"2","ts":1,"dur":2}])",
        "state ok\nslice 1/2 d0 A [0,+9000) @{a}\nslice 1/2 d1 B [1000,+2000) @{b}\n");
    row("an end closes the begin of its name",
        R"([<a>{"ph":"B","name":"A","pid":1,"tid":2,"ts":0},<b>{"ph":"B","name":"B","pid":1,"tid":2,"ts":1},{"ph":"E","name":"A","pid":1,"tid":2,"ts":2},<c>{"ph":"X","name":"C","pid":1,"tid":2,"ts":9,"dur":6}])",
        "state ok\nslice 1/2 d0 A [0,+2000) @{a}\nslice 1/2 d1 B [1000,+14000) @{b}\nslice 1/2 d2 C [9000,+6000) "
        "@{c}\nrepaired "
        "unmatched_begin t.json x1 byte {b}\n");
    row("an end of another name closes the last begin",
        R"([<a>{"ph":"B","name":"A","pid":1,"tid":2,"ts":0},{"ph":"E","name":"Z","pid":1,"tid":2,"ts":2}])",
        "state ok\nslice 1/2 d0 A [0,+2000) @{a}\n");
    row("begin and end", R"([<a>{"ph":"B","name":"A","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":3}])",
        "state ok\nslice 1/2 d0 A [1000,+2000) @{a}\n");
    // Several of one id overlap, as requests do that a server works at.
    row("asynchronous events of an id are a track",
        R"([<a>{"ph":"b","cat":"r","name":"all","id":"1","pid":1,"tid":1,"ts":0},)"
        R"(<b>{"ph":"b","cat":"r","name":"A","id":"1","pid":1,"tid":1,"ts":0},)"
        R"(<c>{"ph":"b","cat":"r","name":"B","id":"1","pid":1,"tid":1,"ts":1},)"
        R"({"ph":"e","cat":"r","name":"A","id":"1","pid":1,"tid":2,"ts":3},)"
        R"(<d>{"ph":"n","cat":"r","name":"token","id":"1","pid":1,"tid":1,"ts":2},)"
        R"({"ph":"e","cat":"r","name":"B","id":"1","pid":1,"tid":1,"ts":4},)"
        R"({"ph":"e","cat":"r","name":"all","id":"1","pid":1,"tid":1,"ts":5}])",
        "state ok\nslice 1/async r 1 d0 all [0,+5000) cat=r @{a}\nslice 1/async r 1 d1 A [0,+3000) cat=r @{b}\n"
        "slice 1/async r 1 d2 B [1000,+3000) cat=r @{c}\ninstant 1/async r 1 token 2000 @{d}\n");
    row("asynchronous events with other keys",
        R"([<a>{"ph":"S","cat":"r","name":"old","id":8,"pid":1,"tid":1,"ts":10},)"
        R"({"ph":"F","cat":"r","name":"old","id":8,"pid":1,"tid":1,"ts":14},)"
        R"(<b>{"ph":"b","name":"local","id2":{"local":"0x1"},"pid":2,"tid":1,"ts":20},)"
        R"({"ph":"e","name":"local","id2":{"local":"0x1"},"pid":2,"tid":1,"ts":25},)"
        R"(<c>{"ph":"b","name":"none","pid":2,"tid":1,"ts":20}])",
        "state partial\nslice 1/async r 8 d0 old [10000,+4000) cat=r @{a}\nslice 2/async 0x1 d0 local [20000,+5000) "
        "@{b}\n"
        "lost missing_field t.json x1 byte {c}\n");
    row("end without begin",
        R"([<a>{"ph":"E","pid":1,"tid":2,"ts":3},<b>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2}])",
        "state partial\nslice 1/2 d0 A [1000,+2000) @{b}\nlost unmatched_end t.json x1 byte {a}\n");
    row("begin without end",
        R"([<a>{"ph":"B","name":"A","pid":1,"tid":2,"ts":1},<b>{"ph":"X","name":"B","pid":1,"tid":2,"ts":2,"dur":8}])",
        "state ok\nslice 1/2 d0 A [1000,+9000) @{a}\nslice 1/2 d1 B [2000,+8000) @{b}\nrepaired unmatched_begin t.json "
        "x1 byte {a}\n");
    row("instants",
        R"([<a>{"ph":"i","name":"A","pid":1,"tid":2,"ts":1,"s":"t"},<b>{"ph":"I","name":"B","pid":1,"tid":2,"ts":2}])",
        "state ok\ninstant 1/2 A 1000 @{a}\ninstant 1/2 B 2000 @{b}\n");
    row("counter with several values",
        R"([{"ph":"C","name":"M","pid":1,"ts":1,"args":{"a":1,"b":-2.5e1}},{"ph":"C","name":"M","pid":1,"tid":0,"ts":2,"args":{"a":18446744073709551615}}])",
        "state ok\ncounter 1/M a 1000 1\ncounter 1/M a 2000 18446744073709551616\ncounter 1/M b 1000 -25\n");
    row("identifying arguments",
        R"([{"ph":"C","name":"M","pid":1,"ts":1,"args":{"value":5,"acc_id":3}},{"ph":"C","name":"M","pid":1,"ts":1,"args":{"PA Link ID":"x","rx":1,"tx":2}},{"ph":"C","name":"M","pid":1,"ts":1,"id":"9","args":{"PCIE ID":0,"v":7}}])",
        "state ok\ncounter 1/M rx PA Link ID=x 1000 1\ncounter 1/M tx PA Link ID=x 1000 2\ncounter 1/M v PCIE ID=0 "
        "id=9 1000 7\ncounter 1/M value acc_id=3 1000 5\n");
    row("identifying arguments in any order make one series",
        R"([{"ph":"C","name":"M","pid":1,"ts":1,"args":{"acc_id":1,"v":5,"die_id":2}},{"ph":"C","name":"M","pid":1,"ts":2,"args":{"die_id":2,"acc_id":1,"v":6}}])",
        "state ok\ncounter 1/M v acc_id=1 die_id=2 1000 5\ncounter 1/M v acc_id=1 die_id=2 2000 6\n");
    row("counters have finite values",
        R"([<a>{"ph":"C","name":"M","pid":1,"ts":1,"args":{"v":1,"w":NaN}},<b>{"ph":"C","name":"M","pid":1,"ts":2,"args":{"v":Infinity,"w":2}}])",
        "state partial\ncounter 1/M v 1000 1\ncounter 1/M w 2000 2\nlost out_of_range t.json x2 byte "
        "{a}, byte {b}\n");
    row("last of repeated counter arguments counts",
        R"([{"ph":"C","name":"M","pid":1,"ts":1,"args":{"v":1,"w":3,"v":2}}])",
        "state ok\ncounter 1/M v 1000 2\ncounter 1/M w 1000 3\n");
    row("identifying argument that is an object",
        R"([<a>{"ph":"C","name":"M","pid":1,"ts":1,"args":{"v":1,"acc_id":{"x":1}}}])",
        "state ok\ncounter 1/M v 1000 1\nrepaired odd_type t.json x1 byte {a}\n");
    row("counter argument that is no number",
        R"([<a>{"ph":"C","name":"M","pid":1,"ts":1,"args":{"v":1,"t":"N/A","n":null}}])",
        "state ok\ncounter 1/M v 1000 1\ninfo counter_text t.json x2 byte {a}, byte {a}\n");
    row("flow, end before start, text and number ids",
        R"([{"ph":"f","bp":"e","cat":"c","name":"n","id":"7","pid":1,"tid":2,"ts":5},<b>{"ph":"X","name":"B","pid":1,"tid":2,"ts":5,"dur":1},<a>{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":3},{"ph":"s","cat":"c","name":"n","id":7,"pid":1,"tid":1,"ts":2}])",
        "state ok\nslice 1/1 d0 A [1000,+3000) @{a}\nslice 1/2 d0 B [5000,+1000) @{b}\nflow c {a} -> {b}\n");
    row("flow step counts as finish",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":3},{"ph":"s","cat":"c","id":"x","pid":1,"tid":1,"ts":1},{"ph":"t","cat":"c","id":"x","pid":1,"tid":1,"ts":2}])",
        "state ok\nslice 1/1 d0 A [1000,+3000) @{a}\nflow c {a} -> {a}\n");
    row("ids over 2^64 differ in their last digit",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":1},{"ph":"s","cat":"c","id":"40006882869110636543","pid":1,"tid":1,"ts":1},<b>{"ph":"X","name":"B","pid":1,"tid":1,"ts":5,"dur":1},{"ph":"s","cat":"c","id":40006882869110636542,"pid":1,"tid":1,"ts":5},<c>{"ph":"X","name":"C","pid":1,"tid":2,"ts":9,"dur":1},{"ph":"f","cat":"c","id":40006882869110636543,"pid":1,"tid":2,"ts":9}])",
        "state ok\nslice 1/1 d0 A [1000,+1000) @{a}\nslice 1/1 d0 B [5000,+1000) @{b}\nslice 1/2 d0 C [9000,+1000) "
        "@{c}\nflow c {a} -> {c}\ninfo unpaired_flow t.json x1\n");
    row("flow without partner",
        R"([{"ph":"s","cat":"c","id":1,"pid":1,"tid":1,"ts":1},{"ph":"f","cat":"d","id":1,"pid":1,"tid":1,"ts":1}])",
        "state ok\ninfo unpaired_flow t.json x2\n");
    row("borders inside of texts and arguments",
        R"([<a>{"ph":"X","name":"},{\"ph\":\"X\"","pid":1,"tid":2,"ts":1,"dur":2,"args":{"l":[{"ph":1},{"ph":2},{"name":"x","ph":"X"}],"s":"},{"}},<b>{"ph":"X","name":"B","pid":1,"tid":2,"ts":5,"dur":1}])",
        "state ok\nslice 1/2 d0 },{\"ph\":\"X\" [1000,+2000) @{a}\nslice 1/2 d0 B [5000,+1000) @{b}\n");
    row("whole events inside of arguments",
        R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{"l":[{},{"ph":"X","name":"inner","pid":8,"tid":9,"ts":1,"dur":2},{"ph":"X","name":"inner too","pid":8,"tid":9,"ts":1,"dur":2}]}}])",
        "state ok\nslice 1/2 d0 A [1000,+2000) @{a}\n");
    row("arguments that are no object", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":"text"}])",
        "state ok\nslice 1/2 d0 A [1000,+2000) @{a}\n");
    row("empty object at the end", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2},{}])",
        "state ok\nslice 1/2 d0 A [1000,+2000) @{a}\n");
    row("comma behind the last event", R"([<a>{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2},])",
        "state ok\nslice 1/2 d0 A [1000,+2000) @{a}\n");
}

void TestTraceJsonReader::events() { compare(); }

void TestTraceJsonReader::containers_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("expected");
    const std::string slice = std::string("<a>") + kSlice;
    const std::string kept = "slice 1/2 d0 A [1000,+2000) @{a}\n";
    const auto row = [](const char* clause, const std::string& json, const std::string& expected) {
        QTest::addRow("%s", clause) << text(json) << text(expected);
    };

    row("array", "[" + slice + "]", "state ok\n" + kept);
    row("byte order mark", "\xEF\xBB\xBF[" + slice + "]", "state ok\n" + kept);
    row("object", "{\"traceEvents\":[" + slice + "]}", "state ok\n" + kept);
    row("object with more around",
        R"({"displayTimeUnit":"ms","o":{"traceEvents":[1]}, "traceEvents" : [)" + slice + R"(],"m":[{"a":1}]} )",
        "state ok\n" + kept);
    row("no events", "[ ]", "state ok\ninfo trace.no_events t.json x1 byte 1\n");
    row("object without events", R"({"traceEvents":[]})", "state ok\ninfo trace.no_events t.json x1 byte 16\n");
    row("empty file", "", "error trace.empty byte 0\n");
    row("blanks only", " \n ", "error trace.empty byte 0\n");
    row("not JSON", "  hello", "error trace.not_json byte 2\n");
    row("binary", std::string("\x00\x01\x02", 3), "error trace.not_json byte 0\n");
    row("object without traceEvents", R"( {"maps":{},"minT":1})", "error trace.not_a_timeline byte 1\n");
    row("traceEvents is no list", R"({"traceEvents":1})", "error trace.not_a_timeline byte 0\n");
    row("object that breaks off", R"({"traceEv)", "error trace.not_a_timeline byte 0\n");
    row("array of numbers", "[1,2,3]", "error trace.not_a_timeline\n");
    row("array of other objects", R"([{"a":1},{"b":2}])", "error trace.not_a_timeline\n");
    row("something behind an array", "[" + slice + "]\n<b>[1]",
        "state partial\n" + kept + "lost trace.trailing_data t.json x1 byte {b}\n");
    row("events behind the end are not taken",
        "[" + slice +
            "]<b>,{\"ph\":\"X\",\"name\":\"B\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2},{\"ph\":\"X\",\"name\":\"C\","
            "\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}]",
        "state partial\n" + kept + "lost trace.trailing_data t.json x1 byte {b}\n");
    row("a second list of events", "{\"traceEvents\":[" + slice + "]<b>,\"traceEvents\":[]}",
        "state partial\n" + kept + "lost trace.trailing_data t.json x1 byte {b}\n");
    row("something behind an object", "{\"traceEvents\":[" + slice + "]}<b>}",
        "state partial\n" + kept + "lost trace.trailing_data t.json x1 byte {b}\n");
    row("object without its end", "{\"traceEvents\":[" + slice + "],\"x\":1<b>",
        "state ok\n" + kept + "repaired trace.unclosed_object t.json x1 byte {b}\n");
}

void TestTraceJsonReader::containers() { compare(); }

void TestTraceJsonReader::wrongFields_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("expected");
    // Each event stands between two good ones, which must survive.
    const auto row = [](const char* clause, const std::string& event, const std::string& expectedRow,
                        const std::string& diagnostic) {
        const std::string json = R"([<a>{"ph":"X","name":"first","pid":1,"tid":1,"ts":0,"dur":1},<e>)" + event +
                                 R"(,<z>{"ph":"X","name":"last","pid":3,"tid":1,"ts":0,"dur":1}])";
        const std::string state = diagnostic.find("lost") == 0 ? "state partial\n" : "state ok\n";
        QTest::addRow("%s", clause) << text(json)
                                    << text(state + "slice 1/1 d0 first [0,+1000) @{a}\n" + expectedRow +
                                            "slice 3/1 d0 last [0,+1000) @{z}\n" + diagnostic);
    };
    const std::string kept = "slice 2/1 d0 A [1000,+2000) @{e}\n";
    const std::string keptEmpty = "slice 2/1 d0 A [1000,+0) @{e}\n";
    const auto lost = [](const std::string& code) { return "lost " + code + " t.json x1 byte {e}\n"; };
    const auto repaired = [](const std::string& code) { return "repaired " + code + " t.json x1 byte {e}\n"; };

    row("no ph", R"({"name":"A","pid":2,"tid":1,"ts":1,"dur":2})", "", lost("missing_field"));
    row("ph is a number", R"({"ph":1,"name":"A","pid":2,"tid":1,"ts":1,"dur":2})", "", lost("wrong_type"));
    row("unknown phase", R"({"ph":"Z","name":"A","pid":2,"tid":1,"ts":1,"dur":2})", "", lost("unknown_phase"));
    row("phase of two letters", R"({"ph":"XX","name":"A","pid":2,"tid":1,"ts":1,"dur":2})", "", lost("unknown_phase"));
    row("no ts", R"({"ph":"X","name":"A","pid":2,"tid":1,"dur":2})", "", lost("missing_field"));
    row("ts null", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":null,"dur":2})", "", lost("missing_field"));
    row("ts true", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":true,"dur":2})", "", lost("wrong_type"));
    row("ts an object", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":{"a":1},"dur":2})", "", lost("wrong_type"));
    row("ts a word", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":"soon","dur":2})", "", lost("wrong_type"));
    row("ts an empty text", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":"","dur":2})", "", lost("wrong_type"));
    row("ts NaN", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":NaN,"dur":2})", "", lost("wrong_type"));
    row("ts too large", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":99999999999999999999,"dur":2})", "",
        lost("out_of_range"));
    row("ts too large, by its exponent", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1e999,"dur":2})", "",
        lost("out_of_range"));
    row("negative ts is kept", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":-1.5,"dur":2})",
        "slice 2/1 d0 A [-1500,+2000) @{e}\n", "");
    row("no dur", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1})", keptEmpty, repaired("missing_duration"));
    row("dur out of range", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1,"dur":1e30})", keptEmpty,
        repaired("duration_out_of_range"));
    row("negative dur", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1,"dur":-5})", keptEmpty,
        repaired("negative_duration"));
    row("dur a word", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1,"dur":"long"})", keptEmpty, repaired("odd_type"));
    row("dur a list", R"({"ph":"X","name":"A","pid":2,"tid":1,"ts":1,"dur":[2]})", keptEmpty, repaired("odd_type"));
    row("no name", R"({"ph":"X","pid":2,"tid":1,"ts":1,"dur":2})", "slice 2/1 d0  [1000,+2000) @{e}\n",
        repaired("missing_name"));
    row("name a number", R"({"ph":"X","name":12,"pid":2,"tid":1,"ts":1,"dur":2})",
        "slice 2/1 d0 12 [1000,+2000) @{e}\n", repaired("odd_type"));
    row("name an object", R"({"ph":"X","name":{"a":1},"pid":2,"tid":1,"ts":1,"dur":2})",
        "slice 2/1 d0  [1000,+2000) @{e}\n", repaired("odd_type"));
    row("cat null", R"({"ph":"X","name":"A","cat":null,"pid":2,"tid":1,"ts":1,"dur":2})", kept, "");
    row("cat a list", R"({"ph":"X","name":"A","cat":[1],"pid":2,"tid":1,"ts":1,"dur":2})", kept, repaired("odd_type"));
    row("no tid", R"({"ph":"X","name":"A","pid":2,"ts":1,"dur":2})", "slice 2/ d0 A [1000,+2000) @{e}\n",
        repaired("missing_thread"));
    row("tid an object", R"({"ph":"X","name":"A","pid":2,"tid":{},"ts":1,"dur":2})",
        "slice 2/ d0 A [1000,+2000) @{e}\n", repaired("odd_type"));
    row("unknown escape", R"({"ph":"X","name":"A\q","pid":2,"tid":1,"ts":1,"dur":2})",
        "slice 2/1 d0 A\\q [1000,+2000) @{e}\n", repaired("bad_escape"));
    row("half a surrogate pair", R"({"ph":"X","name":"A\ud83d","pid":2,"tid":1,"ts":1,"dur":2})",
        "slice 2/1 d0 A\xEF\xBF\xBD [1000,+2000) @{e}\n", repaired("bad_escape"));
    row("counter without arguments", R"({"ph":"C","name":"M","pid":2,"ts":1})", "", lost("missing_field"));
    row("counter with empty arguments", R"({"ph":"C","name":"M","pid":2,"ts":1,"args":{}})", "", lost("missing_field"));
    row("counter that only identifies", R"({"ph":"C","name":"M","pid":2,"ts":1,"args":{"acc_id":3}})", "",
        lost("missing_field"));
    row("counter with a list", R"({"ph":"C","name":"M","pid":2,"ts":1,"args":[1]})", "", lost("wrong_type"));
    row("counter value too large", R"({"ph":"C","name":"M","pid":2,"ts":1,"args":{"v":1e999}})", "",
        lost("out_of_range"));
    row("counter value no number", R"({"ph":"C","name":"M","pid":2,"ts":1,"args":{"v":1x}})", "", lost("wrong_type"));
    row("flow without id", R"({"ph":"s","cat":"c","pid":2,"tid":1,"ts":1})", "", lost("missing_field"));
    row("flow with an object as id", R"({"ph":"s","cat":"c","id":{},"pid":2,"tid":1,"ts":1})", "", lost("wrong_type"));
    row("metadata of another kind", R"({"ph":"M","name":"zoom","pid":2,"args":{"name":"x"}})", "",
        "info unknown_metadata t.json x1 byte {e}\n");
    row("metadata without its value", R"({"ph":"M","name":"process_name","pid":2,"args":{}})", "",
        lost("missing_field"));
    row("sort index a word", R"({"ph":"M","name":"process_sort_index","pid":2,"args":{"sort_index":"x"}})", "",
        lost("wrong_type"));
    row("not an object", "12", "", "lost not_an_event t.json x1 byte {e}\n");
    row("an array", R"([{"ph":"X"},{"ph":"X"}])", "", "lost not_an_event t.json x1 byte {e}\n");
}

void TestTraceJsonReader::wrongFields() { compare(); }

void TestTraceJsonReader::damagedFiles_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const std::string& json, const std::string& expected) {
        QTest::addRow("%s", clause) << QString::fromLatin1(json.data(), static_cast<qsizetype>(json.size()))
                                    << text(expected);
    };
    const std::string first = R"([<a>{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":1})";
    const std::string last = R"(,<z>{"ph":"X","name":"Z","pid":9,"tid":1,"ts":1,"dur":1}])";
    const std::string a = "slice 1/1 d0 A [1000,+1000) @{a}\n";
    const std::string z = "slice 9/1 d0 Z [1000,+1000) @{z}\n";

    row("interrupted behind an event", first + "<e>",
        "state partial\n" + a + "lost trace.unclosed t.json x1 byte {e}\n");
    row("interrupted behind a comma", first + ",\n<e>",
        "state partial\n" + a + "lost trace.unclosed t.json x1 byte {e}\n");
    row("cut inside of an event", first + R"(,<e>{"ph":"X","na)",
        "state partial\n" + a + "lost trace.cut t.json x1 byte {e}\n");
    row("cut inside of a text with a border", first + R"(,<e>{"ph":"X","name":"},{)",
        "state partial\n" + a + "lost trace.cut t.json x1 byte {e}\n");
    row("only the bracket", "[<e>",
        "state partial\ninfo trace.no_events t.json x1 byte 1\nlost trace.unclosed t.json x1 byte {e}\n");
    row("missing comma", first + R"( <e>{"ph":"X","name":"B","pid":2,"tid":1,"ts":1,"dur":1})" + last,
        "state ok\n" + a + "slice 2/1 d0 B [1000,+1000) @{e}\n" + z + "repaired missing_comma t.json x1 byte {e}\n");
    row("one comma too many", first + ",<e>" + last,
        "state ok\n" + a + z + "repaired extra_comma t.json x1 byte {e}\n");
    row("missing quote", first + R"(,<e>{"ph":"X,"name":"B","pid":2,"tid":1,"ts":1,"dur":1})" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {e}\n");
    row("missing quote at the end of an event",
        first + R"(,<e>{"ph":"X","pid":2,"tid":1,"ts":1,"dur":1,"name":"B})" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {e}\n");
    row("missing colon", first + R"(,<e>{"ph" "X","pid":2,"tid":1,"ts":1,"dur":1})" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {e}\n");
    row("wrong bracket", first + R"(,<e>{"ph":"X","args":{"x":[1}},"pid":2,"tid":1,"ts":1,"dur":1})" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {e}\n");
    row("garbage between events", first + "<e> garbage {}" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {g}\n");
    row("garbage word as value", first + R"(,<e>{"ph":"X","args":{"x":garbage},"pid":2,"tid":1,"ts":1,"dur":1})" + last,
        "state partial\n" + a + z + "lost broken_record t.json x1 byte {e}\n");
    row("zeros in the file", first + "," + std::string(20, '\0') + last, "");
    row("control characters in a text",
        first + ",<e>{\"ph\":\"X\",\"name\":\"B<f>\x01\n\",\"pid\":2,\"tid\":1,\"ts\":1,\"dur\":1}" + last,
        "state ok\n" + a + "slice 2/1 d0 B\x01\n [1000,+1000) @{e}\n" + z +
            "repaired control_characters t.json x1 byte {f}\n");
    row("invalid UTF-8 in a text",
        first + ",<e>{\"ph\":\"X\",\"name\":\"B<f>\xC3(\xFF\",\"pid\":2,\"tid\":1,\"ts\":1,\"dur\":1}" + last,
        "state ok\n" + a + "slice 2/1 d0 B\xEF\xBF\xBD(\xEF\xBF\xBD [1000,+1000) @{e}\n" + z +
            "repaired invalid_utf8 t.json x1 byte {f}\n");
    row("nested too deep",
        first + R"(,<e>{"ph":"X","args":)" + std::string(2000, '[') + std::string(2000, ']') + "}" + last,
        "state partial\n" + a + z + "lost record_too_deep t.json x1 byte {e}\n");
}

void TestTraceJsonReader::damagedFiles() {
    QFETCH(QString, json);
    QFETCH(QString, expected);
    const QByteArray latin = json.toLatin1();  // bytes, so that rows can hold what is no UTF-8
    MarkedText marked(std::string_view(latin.data(), static_cast<std::size_t>(latin.size())));
    if (marked.places.count('e') > 0) marked.places['g'] = marked.places['e'] + 1;
    if (expected.isEmpty()) {
        // A run of zeros reads as one broken place behind the comma.
        const std::size_t zeros = marked.text.find('\0');
        expected = text("state partial\nslice 1/1 d0 A [1000,+1000) @{a}\nlost broken_record t.json x1 byte " +
                        std::to_string(zeros) + "\n");
    }
    QCOMPARE(text(dumpOf(marked.text)), text(marked.resolved(expected.toStdString())));
    for (const std::size_t chunk : {1, 7, 64, 200}) {
        QCOMPARE(text(dumpOf(marked.text, {.threads = 2, .chunkBytes = chunk})),
                 text(marked.resolved(expected.toStdString())));
    }
}

namespace {

/// A small trace with every kind of event, places that look like borders, and odd names.
const std::string kSmallTrace =
    R"([{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"Python"}},)"
    R"({"ph":"X","name":"a\"},{\"b","cat":"cpu_op","pid":1,"tid":2,"ts":"1.500","dur":9.5,"args":{"s":"},{","l":[{"x":1},{"x":2}]}},)"
    "\n "
    R"({"ph":"X","name":"\u00e9","pid":1,"tid":2,"ts":2,"dur":1}, {"ph":"C","name":"M","pid":1,"ts":1,"args":{"v":1.5,"acc_id":2}},)"
    R"({"ph":"s","cat":"c","id":"5","pid":1,"tid":2,"ts":2},{"ph":"f","cat":"c","id":5,"pid":1,"tid":2,"ts":3},)"
    R"({"ph":"B","name":"o","pid":1,"tid":3,"ts":1},{"ph":"E","pid":1,"tid":3,"ts":4},{"ph":"i","name":"n","pid":1,"tid":3,"ts":2}])";

/// Lines of a dump that are rows.
std::vector<std::string> rowsOf(const std::string& dump) {
    std::vector<std::string> rows;
    for (const QString& line : text(dump).split(u'\n')) {
        if (line.startsWith(QLatin1String("slice")) || line.startsWith(QLatin1String("instant")) ||
            line.startsWith(QLatin1String("counter")) || line.startsWith(QLatin1String("flow")))
            rows.push_back(line.toStdString());
    }
    return rows;
}

}  // namespace

void TestTraceJsonReader::cutAtEveryByte() {
    const std::string whole = dumpOf(kSmallTrace);
    QVERIFY2(whole.starts_with("state ok\n"), whole.c_str());
    const std::size_t allRows = rowsOf(whole).size();
    QCOMPARE(allRows, std::size_t{6});
    for (std::size_t length = 0; length < kSmallTrace.size(); length += kStride) {
        const std::string cut = kSmallTrace.substr(0, length);
        const std::string dump = dumpOf(cut);
        // An event is complete with the brace that closes it; what ends in a whole event lacks the bracket only.
        QVERIFY2(!dump.starts_with("state ok"), (cut + '\n' + dump).c_str());
        if (length == 0) {
            QCOMPARE(text(dump), QStringLiteral("error trace.empty byte 0\n"));
            continue;
        }
        const bool isCut = dump.find("lost trace.cut t.json x1") != std::string::npos;
        const bool isUnclosed =
            dump.find("lost trace.unclosed t.json x1 byte " + std::to_string(length)) != std::string::npos;
        QVERIFY2(isCut != isUnclosed, (cut + '\n' + dump).c_str());
        for (const std::size_t chunk : {1, 50})
            QCOMPARE(text(dumpOf(cut, {.threads = 2, .chunkBytes = chunk})), text(dump));
    }
}

void TestTraceJsonReader::flippedAtEveryByte() {
    const std::size_t allRows = rowsOf(dumpOf(kSmallTrace)).size();
    for (std::size_t at = 0; at < kSmallTrace.size(); at += kStride) {
        for (const int mask : {0x01, 0x20, 0x80}) {
            std::string flipped = kSmallTrace;
            flipped[at] = static_cast<char>(flipped[at] ^ mask);
            const std::string dump = dumpOf(flipped);
            // A flip may turn an event into another one; then as many rows are there, or a diagnostic says what is not.
            const bool allThere = rowsOf(dump).size() >= allRows;
            const bool isKnown = !dump.starts_with("state ok") || dump.find("unpaired_flow") != std::string::npos ||
                                 dump.find("unmatched_begin") != std::string::npos;
            QVERIFY2(allThere || isKnown, (flipped + '\n' + dump).c_str());
            QCOMPARE(text(dumpOf(flipped, {.threads = 1, .chunkBytes = 40})), text(dump));
        }
    }
}

void TestTraceJsonReader::sameForEveryChunkSize_data() {
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* clause, const std::string& json) {
        QTest::addRow("%s", clause) << QByteArray(json.data(), static_cast<qsizetype>(json.size()));
    };
    const std::string inner = R"({"ph":"X","name":"inner","pid":8,"tid":9,"ts":1,"dur":2})";
    std::string nested = R"([{"ph":"X","name":"outer","pid":1,"tid":1,"ts":1,"dur":2,"args":{"l":[)";
    for (int i = 0; i < 20; ++i) nested += inner + ',';
    nested += inner + R"(]}},{"ph":"X","name":"next","pid":1,"tid":1,"ts":4,"dur":2}])";

    row("small trace", kSmallTrace);
    row("events nested in arguments", nested);
    row("events nested in arguments, cut", nested.substr(0, nested.size() - 70));
    row("events behind the end", "[" + std::string(kSlice) + "]," + kSlice + "," + kSlice + "," + kSlice + "]");
    row("damaged in the middle", kSmallTrace.substr(0, 200) + "\"" + kSmallTrace.substr(200));
    row("invalid UTF-8", kSmallTrace.substr(0, 90) + "\xFF" + kSmallTrace.substr(90));
}

/// "},{" within strings and arrays at every chunk size, and with every number of threads.
void TestTraceJsonReader::sameForEveryChunkSize() {
    QFETCH(QByteArray, json);
    const std::string_view bytes(json.data(), static_cast<std::size_t>(json.size()));
    const TestFolder folder;
    const std::filesystem::path path = folder.write("t.json", bytes);
    const auto whole = importForTest(path, {.threads = 1});
    const std::string expected = dumpImport(whole);
    QVERIFY(whole.ok());
    const std::string expectedBytes = storeBytes(*whole.value()->ranks.front().trace);
    for (std::size_t chunk = 1; chunk <= bytes.size() + 1; chunk += (chunk < 150 ? 1 : 13) * kStride) {
        const unsigned threads = chunk % 3 == 0 ? 1 : chunk % 3 == 1 ? 2 : 7;
        const auto again = importForTest(path, {.threads = threads, .chunkBytes = chunk});
        QCOMPARE(text(dumpImport(again)), text(expected));
        QVERIFY2(storeBytes(*again.value()->ranks.front().trace) == expectedBytes, std::to_string(chunk).c_str());
    }
}

void TestTraceJsonReader::tenThousandThreads() {
    std::string json = "[";
    for (int i = 0; i < 10000; ++i) {
        json += (i == 0 ? "" : ",") + std::string(R"({"ph":"X","name":"A","pid":1,"tid":)") + std::to_string(i) +
                R"(,"ts":)" + std::to_string(i) + R"(,"dur":1})";
    }
    const TestFolder folder;
    const auto result = importForTest(folder.write("t.json", json + "]"));
    QVERIFY(result.ok());
    QCOMPARE(result.value()->state, CaptureStore::State::Ok);
    const TraceStore& store = *result.value()->ranks.front().trace;
    QCOMPARE(store.tracks().size(), std::size_t{10000});
    QCOMPARE(store.sliceCount(), std::size_t{10000});
    // Tracks are ordered by number, so track i holds the slice that begins at i us.
    for (std::uint32_t i = 0; i < 10000; ++i) QCOMPARE(store.begin({i}).value, std::int64_t{i} * 1000);
}

void TestTraceJsonReader::problemsAreCounted() {
    std::string json = "[";
    std::vector<std::size_t> places;
    for (int i = 0; i < 1000; ++i) {
        if (i > 0) json += ",\n";
        places.push_back(json.size());
        json += R"({"ph":"X","name":"A","pid":1,"tid":1,"ts":)" + std::to_string(i) + R"(,"dur":-1})";
    }
    const TestFolder folder;
    const auto path = folder.write("t.json", json + "]");
    for (const std::size_t chunk : {100, 1000, 1000000}) {
        const auto result = importForTest(path, {.threads = 2, .chunkBytes = chunk});
        const auto entries = result.value()->diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(text(entries[0].code), QStringLiteral("negative_duration"));
        QCOMPARE(entries[0].count, std::uint64_t{1000});
        QCOMPARE(entries[0].places.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) QCOMPARE(entries[0].places[i].value, std::uint64_t{places[i]});
        QCOMPARE(result.value()->ranks[0].trace->sliceCount(), std::size_t{1000});
    }
}

/// A record above the limit is told and stepped over; one just below it is read.
void TestTraceJsonReader::hugeRecordIsSkipped() {
    const auto trace = [](std::size_t bytes) {
        return std::string(
                   R"([{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":1},{"ph":"X","name":"B","pid":1,"tid":1,"ts":2,"dur":1,"args":{"x":")") +
               std::string(bytes, 'x') + R"("}},{"ph":"X","name":"C","pid":1,"tid":1,"ts":3,"dur":1}])";
    };
    const TestFolder folder;
    const auto large = importForTest(folder.write("large.json", trace(std::size_t{15} << 20)));
    QCOMPARE(large.value()->state, CaptureStore::State::Ok);
    QCOMPARE(large.value()->ranks[0].trace->sliceCount(), std::size_t{3});
    const auto huge = importForTest(folder.write("huge.json", trace(std::size_t{17} << 20)));
    QCOMPARE(huge.value()->state, CaptureStore::State::Partial);
    QCOMPARE(huge.value()->ranks[0].trace->sliceCount(), std::size_t{2});
    QCOMPARE(text(dumpDiagnostics(huge.value()->diagnostics)),
             QStringLiteral("lost record_too_large huge.json x1 byte 54\n"));
}

ALTI_TEST(TestTraceJsonReader)
#include "tst_trace_json_reader.moc"
