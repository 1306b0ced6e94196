#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <string>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;

namespace {

using namespace std::string_literals;

/// A text of protocol 4.
std::string pickled(std::string_view text) {
    return "\x8c" + std::string(1, static_cast<char>(text.size())) + std::string(text);
}

/// A whole snapshot around a value that stands under the key "other".
std::string around(const std::string& value) {
    return "\x80\x04}("s + pickled("segments") + "]" + pickled("other") + value + pickled("device_traces") + "]u.";
}

/// A snapshot of one block that was allocated, and another that came and went.
std::string smallSnapshot(std::string_view file = "a.py", char line = 7) {
    const auto number = [](std::uint16_t value) {
        return "M"s + static_cast<char>(value & 0xFF) + static_cast<char>(value >> 8);
    };
    const std::string frames = "]\x94}("s + pickled("filename") + pickled(file) + pickled("line") + "K" + line +
                               pickled("name") + pickled("f") + "ua";
    const auto entry = [&](const char* action, std::uint16_t address, std::uint16_t size) {
        return "}("s + pickled("action") + pickled(action) + pickled("addr") + number(address) + pickled("size") +
               number(size) + pickled("stream") + std::string("K\0", 2) + pickled("frames") + frames + "u";
    };
    const std::string block = "}("s + pickled("size") + number(1024) + pickled("requested_size") + number(600) +
                              pickled("state") + pickled("active_allocated") + pickled("frames") + frames + "u";
    const std::string segment = "}("s + pickled("device") + std::string("K\0", 2) + pickled("address") + number(4096) +
                                pickled("total_size") + number(8192) + pickled("stream") + std::string("K\0", 2) +
                                pickled("blocks") + "]" + block + "au";
    return "\x80\x04}("s + pickled("segments") + "]" + segment + "a" + pickled("device_traces") + "]](" +
           entry("segment_alloc", 4096, 8192) + entry("alloc", 4096, 600) + entry("alloc", 5120, 9) +
           entry("free_requested", 5120, 9) + entry("free_completed", 5120, 9) + "eau.";
}

std::string outcomeIn(const TestFolder& folder, const std::string& bytes,
                      std::size_t chunkBytes = std::size_t{4} << 20) {
    const auto result = importForTest(folder.write("x.pkl", bytes), {.threads = 1, .chunkBytes = chunkBytes});
    if (!result.ok()) return result.error().code + (result.error().place.empty() ? "" : " " + result.error().place);
    return dumpTables(*result.value()) + dumpDiagnostics(result.value()->diagnostics);
}

std::string outcome(const std::string& bytes, std::size_t chunkBytes = std::size_t{4} << 20) {
    return outcomeIn(TestFolder(), bytes, chunkBytes);
}

}  // namespace

/// Pickles that were made to harm whoever reads them, and damaged ones.
class TestSnapshotHostile : public QObject {
    Q_OBJECT
private slots:
    void theSmallOneIsRead() {
        QCOMPARE(QString::fromStdString(outcome(smallSnapshot())),
                 QStringLiteral("? snapshot_event 0|0|segment_alloc|4096|8192|0|0|8192|a.py(7): f|-|-|-|-\n"
                                "? snapshot_event 0|1|alloc|4096|600|0|600|8192|a.py(7): f|-|-|-|-\n"
                                "? snapshot_event 0|2|alloc|5120|9|0|609|8192|a.py(7): f|-|-|-|-\n"
                                "? snapshot_event 0|3|free_requested|5120|9|0|600|8192|a.py(7): f|-|-|-|-\n"
                                "? snapshot_event 0|4|free_completed|5120|9|0|600|8192|a.py(7): f|-|-|-|-\n"
                                "? snapshot_block 0|4096|1024|600|active_allocated|4096|1|-|a.py(7): f|0|-|-\n"
                                "? snapshot_block 0|5120|-|9|freed|4096|2|4|a.py(7): f|-|-|-\n"
                                "info snapshot.misfit x.pkl x1\n"));
    }

    /// Functions of C++ read as "??(0): aten::clone".
    void framesWithoutAFileReadAsTheFunctionAlone() {
        const QString named = QString::fromStdString(outcome(smallSnapshot()));
        for (const std::string_view file : {"??", ""})
            QCOMPARE(QString::fromStdString(outcome(smallSnapshot(file, 0))),
                     QString(named).replace(QStringLiteral("a.py(7): f"), QStringLiteral("f")));
        QCOMPARE(QString::fromStdString(outcome(smallSnapshot("??"))),
                 QString(named).replace(QStringLiteral("a.py"), QStringLiteral("??")));
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const std::string& bytes, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray::fromStdString(bytes) << QString::fromLatin1(expected);
        };
        row("os.system as a line",
            "\x80\x02"
            "cos\nsystem\n(X\x02\0\0\0idtR."s,
            "snapshot.global byte 2");
        row("posix.system",
            "\x80\x02"
            "cposix\nsystem\n."s,
            "snapshot.global byte 2");
        row("builtins.eval from the stack", "\x80\x04" + pickled("builtins") + pickled("eval") + "\x93.",
            "snapshot.global byte 18");
        row("copyreg",
            "\x80\x02"
            "ccopyreg\n_reconstructor\n."s,
            "snapshot.global byte 2");
        row("in the middle", around(pickled("os") + pickled("system") + "\x93"), "snapshot.global byte 34");
        row("a name without end",
            "\x80\x02"
            "c"s +
                std::string(1000, 'x'),
            "snapshot.too_large byte 2");
        row("INST", "\x80\x02(ios\nsystem\n."s, "snapshot.opcode byte 3");
        row("OBJ", "\x80\x02(o."s, "snapshot.opcode byte 3");
        row("NEWOBJ", "\x80\x02}}\x81."s, "snapshot.opcode byte 4");
        row("BUILD", "\x80\x02}}b."s, "snapshot.opcode byte 4");
        row("REDUCE of something else", "\x80\x02})R."s, "snapshot.opcode byte 4");
        row("a persistent id", "\x80\x02Pid\n."s, "snapshot.opcode byte 2");
        row("a persistent id from the stack", "\x80\x02}Q."s, "snapshot.opcode byte 3");
        row("an extension", "\x80\x02\x82\x01."s, "snapshot.opcode byte 2");
        row("protocol 0", "(dp0\n."s, "snapshot.not_pickle byte 0");
        row("protocol 6", "\x80\x06}."s, "snapshot.not_pickle byte 0");
        row("text", "hello", "snapshot.not_pickle byte 0");
        row("nothing", "", "snapshot.cut byte 0");
        row("another object", "\x80\x04K\x01."s, "snapshot.not_snapshot");
        row("no lists", "\x80\x04}("s + pickled("segments") + "}" + pickled("device_traces") + "}u.",
            "snapshot.not_snapshot");
        row("gzip", "\x1F\x8B\x08", "snapshot.compressed");
        row("an archive of something else", "PK\x03\x04 and no more", "snapshot.not_snapshot");
        row("too deep", "\x80\x04" + std::string(65, '('), "snapshot.too_deep byte 66");
        row("a text beyond the file", "\x80\x04X\xff\xff\xff\x7f"s, "snapshot.size byte 2");
        row("a text of 2^63 bytes", "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f"s, "snapshot.size byte 2");
        row("bytes beyond the file", "\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xff"s, "snapshot.size byte 2");
        row("a negative size", "\x80\x04\x8b\xff\xff\xff\xff."s, "snapshot.size byte 2");
        row("a frame beyond the file", "\x80\x04\x95\xff\0\0\0\0\0\0\0}."s, "snapshot.size byte 2");
        row("no such memo", "\x80\x04h\x05."s, "snapshot.memo byte 2");
        row("a memo far away", "\x80\x04}r\xff\xff\xff\xff."s, "snapshot.too_large byte 3");
        row("no mark", "\x80\x04}u."s, "snapshot.stack byte 3");
        row("items of a number", "\x80\x04K\x01(e."s, "snapshot.stack byte 5");
        row("a key without a value", "\x80\x04}("s + pickled("size") + "u.", "snapshot.stack byte 10");
        row("a key that is no text", "\x80\x04}K\x01K\x01s."s, "snapshot.key byte 7");
        row("a value below the mark", "\x80\x04}(00."s, "snapshot.stack byte 6");
        row("two objects", "\x80\x04}}."s, "snapshot.stack byte 4");
        row("an entry that is a frame of its own stack", around("}\x94" + pickled("frames") + "]h\x00"s + "as"),
            "snapshot.changed byte 36");
        row("the same with all items at once", around("}\x94(" + pickled("frames") + "]h\x00"s + "au"),
            "snapshot.changed byte 37");
        row("a stack that grows after its use", around("]\x94}" + pickled("frames") + "h\x00s0h\x00K\x01"s + "a"),
            "snapshot.changed byte 41");
    }
    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(outcome(bytes.toStdString())), expected);
        QCOMPARE(QString::fromStdString(outcome(bytes.toStdString(), 1)), expected);
    }

    void whatIsOddIsCounted_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const std::string& bytes, const char* expected) {
            QTest::addRow("%s", clause) << QByteArray::fromStdString(bytes) << QString::fromLatin1(expected);
        };
        const std::string event = "}" + pickled("action") + pickled("oom") + "s";
        const auto traced = [](const std::string& segments, const std::string& entries) {
            return "\x80\x04}("s + pickled("segments") + segments + pickled("device_traces") + "]](" + entries + "eau.";
        };
        const std::string shown = "? snapshot_event 0|0|oom|-|-|-|0|0|-|-|-|-|-\n";
        // Each has its row: an entry is known by its index in the file.
        row("entries that are none", traced("]", "K\x01}" + event),
            "? snapshot_event 0|0|-|-|-|-|0|0|-|-|-|-|-\n? snapshot_event 0|1|-|-|-|-|0|0|-|-|-|-|-\n"
            "? snapshot_event 0|2|oom|-|-|-|0|0|-|-|-|-|-\nlost snapshot.bad_entry x.pkl x2 row 0\n");
        const std::string segment = "](}("s + pickled("address") + "K\x00"s + pickled("total_size") + "K\x10";
        row("blocks that are no list", traced(segment + pickled("blocks") + pickled("none") + "ue", event),
            "? snapshot_event 0|0|oom|-|-|-|0|16|-|-|-|-|-\nlost snapshot.bad_block x.pkl x1\n");
        row("a history that is no list",
            "\x80\x04}("s + pickled("segments") + segment + "ue" + pickled("device_traces") + pickled("none") + "u.",
            "snapshot.bad_entry");
        row("a segment that is none", traced("]Na", event), (shown + "lost snapshot.bad_block x.pkl x1\n").c_str());
        row("a size that cannot be",
            traced("]", event + "}(" + pickled("action") + pickled("alloc") + pickled("size") + "J\xff\xff\xff\xffu"),
            (shown + "? snapshot_event 0|1|alloc|-|-|-|0|0|-|-|-|-|-\nlost snapshot.bad_entry x.pkl x1 row 1\n")
                .c_str());
        const auto with = [&](const char* key, const std::string& value) {
            return "}("s + pickled("action") + pickled("oom") + pickled(key) + value + "u";
        };
        const auto real = [](std::uint64_t bits) {
            std::string bytes = "G";
            for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift);
            return bytes;
        };
        const auto timed = [&](const std::string& value) { return traced("]", with("time_us", value)); };
        const auto times = [](const char* time) {
            return "? snapshot_event 0|0|oom|-|-|-|0|0|-|"s + time + "|-|-|-\n";
        };
        const std::string badTime = times("-") + "lost snapshot.bad_time x.pkl x1 row 0\n";
        row("a time of whole microseconds", timed("K\x07"), times("7000").c_str());
        row("a time of parts of microseconds", timed(real(0x4319A5DA478BEFC9)), times("1804807834893298250").c_str());
        row("the last time", timed("\x8a\x07\xfb\xa9\xf1\xd2\x4d\x62\x10"), times("4611686018427387000").c_str());
        row("a time behind the last", timed("\x8a\x07\xfc\xa9\xf1\xd2\x4d\x62\x10"), badTime.c_str());
        row("a negative time", timed("J\xff\xff\xff\xff"), badTime.c_str());
        row("a negative part of a time", timed(real(0xBFE0000000000000)), badTime.c_str());
        row("no number as time", timed(real(0x7FF8000000000000)), badTime.c_str());
        row("an infinite time", timed(real(0x7FF0000000000000)), badTime.c_str());
        row("a time of very many digits", timed(real(0x7E37E43C8800759C)), badTime.c_str());
        row("a text as time", timed(pickled("7")), badTime.c_str());
        row("None as time", timed("N"), times("-").c_str());
        const std::string badFrame = shown + "lost snapshot.bad_frame x.pkl x1\n";
        row("a frame that is a number",
            traced("]", with("frames", "]K\x01"
                                       "a")),
            badFrame.c_str());
        row("a stack that is a text", traced("]", with("frames", pickled("a.py"))), badFrame.c_str());
        row("None, and no frame, as a stack", traced("]", with("frames", "N") + with("frames", ")")),
            (shown + "? snapshot_event 0|1|oom|-|-|-|0|0|-|-|-|-|-\n").c_str());
        row("a frame that is a tuple",
            traced("]", with("frames", "](" + pickled("a.py") + "K\x07" + pickled("f") + "ta")),
            "? snapshot_event 0|0|oom|-|-|-|0|0|a.py(7): f|-|-|-|-\n");
        row("a tuple of frames, the function first",
            traced("]", with("frames", pickled("f") + pickled("a.py") + "K\x07\x87\x85")),
            "? snapshot_event 0|0|oom|-|-|-|0|0|a.py(7): f|-|-|-|-\n");
        row("an annotation", traced("]", with("user_metadata", pickled("device"))),
            "? snapshot_event 0|0|oom|-|-|-|0|0|-|-|device|-|-\n");
        row("an empty annotation", traced("]", with("user_metadata", pickled(""))), shown.c_str());
        row("a number as annotation", traced("]", with("user_metadata", "K\x07")),
            (shown + "lost snapshot.bad_annotation x.pkl x1 row 0\n").c_str());
        row("times that go back",
            traced("]", with("time_us", "K\x07") + with("time_us", "K\x09") + event + with("time_us", "K\x08")),
            "? snapshot_event 0|0|oom|-|-|-|0|0|-|7000|-|-|-\n? snapshot_event 0|1|oom|-|-|-|0|0|-|9000|-|-|-\n"
            "? snapshot_event 0|2|oom|-|-|-|0|0|-|-|-|-|-\n? snapshot_event 0|3|oom|-|-|-|0|0|-|8000|-|-|-\n"
            "info snapshot.time_order x.pkl x1 row 3\n");
        row("a time that is set again", traced("]", with("time_us", "K\x07") + pickled("time_us") + "K\x08s"),
            times("8000").c_str());
        row("a time that is taken back", traced("]", with("time_us", "K\x07") + pickled("time_us") + "Ns"),
            times("-").c_str());
        row("bytes behind the end", traced("]", event) + "more",
            (shown + "lost snapshot.trailing x.pkl x1 byte 52\n").c_str());
        row("nothing that can be read", traced("]Na", ""), "snapshot.bad_block");
        row("a list of itself",
            around("]\x94h\x00"
                   "a"s),
            "");
    }
    void whatIsOddIsCounted() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(outcome(bytes.toStdString())), expected);
    }

    /// Entries of each device are numbered from 0, so a number alone leads nowhere.
    void entriesAreNamedWithTheirDevice() {
        const TestFolder folder;
        const std::string event = "}" + pickled("action") + pickled("oom") + "s";
        const std::string timed = "}(" + pickled("action") + pickled("oom") + pickled("time_us") + pickled("7") + "u";
        const auto path =
            folder.write("x.pkl", "\x80\x04}("s + pickled("segments") + "]" + pickled("device_traces") + "](](" +
                                      event + "K\x01" + timed + "e](K\x02K\x03" + event + "eK\x04" + "eu.");
        const auto capture = importForTest(path).value();
        QCOMPARE(
            QString::fromStdString(dumpDiagnostics(capture->diagnostics)),
            QStringLiteral("lost snapshot.bad_entry x.pkl x4 row 0, row 1\nlost snapshot.bad_time x.pkl x1 row 2\n"));
        const auto entries = capture->diagnostics.entries();
        for (const auto& [number, named] : {std::pair(0, "0: 1, 1: 0, 2: -"), {1, "0: 2"}}) {
            const std::string sentence = entries.at(static_cast<std::size_t>(number)).message("en");
            QVERIFY2(sentence.find(std::string("the first entry: ") + named + ")") != std::string::npos,
                     sentence.c_str());
        }
    }

    /// A few bytes that refer to one another over and over.
    void bombsEndSoon() {
        std::string lists = "]\x94";
        // Each list holds the one before twice.
        for (char level = 0; level < 60; ++level) lists += "]("s + 'h' + level + 'h' + level + "e\x94";
        QCOMPARE(QString::fromStdString(outcome(around("("s + lists + "t"))), QString());
        // An event list that is a million times that of another device.
        std::string traces = "]\x94("s;
        for (int i = 0; i < 1000; ++i) traces += "}" + pickled("action") + pickled("oom") + "s";
        traces += "e";
        std::string many = "\x80\x04}("s + pickled("segments") + "]" + pickled("device_traces") + "](" + traces;
        for (int i = 0; i < 2000; ++i) many += "h\x00"s;
        QCOMPARE(QString::fromStdString(outcome(many + "eu.")), QStringLiteral("snapshot.device"));
        QCOMPARE(QString::fromStdString(outcome("\x80\x04" + std::string(3 << 20, 'N'))),
                 QStringLiteral("snapshot.too_large byte 1245186"));
    }

    /// A dictionary whose values are set over and over, with numbers of other lengths.
    void dictionariesThatChangeStaySmall() {
        std::string entry = "}" + pickled("action") + pickled("oom") + "s";
        for (int i = 0; i < 1000; ++i)
            entry += pickled("size") + std::string(i % 2 == 0 ? "K\x07" : "J\x40\x42\x0f\x01") + "s";
        entry += pickled("size") + "K\x09s"s + pickled("stream") + "K\x05s"s;
        const std::string bytes =
            "\x80\x04}("s + pickled("segments") + "]" + pickled("device_traces") + "]](" + entry + "eau.";
        QCOMPARE(QString::fromStdString(outcome(bytes)),
                 QStringLiteral("? snapshot_event 0|0|oom|-|9|5|0|0|-|-|-|-|-\n"));
    }

    void cutAnywhere() {
        const TestFolder folder;
        const std::string whole = smallSnapshot();
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const std::string text = outcomeIn(folder, whole.substr(0, size), 64);
            QVERIFY2(text.starts_with("snapshot."), (std::to_string(size) + ": " + text).c_str());
        }
    }

    void flippedAnywhere() {
        const TestFolder folder;
        const std::string whole = smallSnapshot();
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const int bit : {0x01, 0x80}) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(bytes[at] ^ bit);
                const std::string text = outcomeIn(folder, bytes, 4096);
                QVERIFY2(text == outcomeIn(folder, bytes, 64), std::to_string(at).c_str());
            }
        }
    }
};

ALTI_TEST(TestSnapshotHostile)
#include "tst_snapshot_hostile.moc"
