#include "core/pack/redaction.h"
#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"

#include <string>

using namespace altiscope::pack;

namespace {

/// The text after all that was learned of it alone.
std::string redacted(const std::string& text, const std::string& key = {}) {
    Redaction redaction;
    redaction.learn(text, key);
    redaction.giveNumbers();
    return redaction.text(text);
}

}  // namespace

class TestRedaction : public QObject {
    Q_OBJECT
private slots:
    void texts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::addRow("%s", name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        row("a frame keeps its line and function",
            "/home"
            "/ann/proj/net.py(123): forward",
            "/path-1.py(123): forward");
        row("a path of several", "/a/b.py:7;/c/d.py:8", "/path-1.py:7;/path-2.py:8");
        row("the same path", "/a/b.py(1): f;\r\n/a/b.py(2): g", "/path-1.py(1): f;\r\n/path-1.py(2): g");
        row("a path with spaces", "/data/my project/net.py(3): f", "/path-1.py(3): f");
        row("relative", "model/net.py(3): f", "path-1.py(3): f");
        row("home", "at ~/x/y reads ../z/a", "at /path-2 reads /path-1");
        row("JSON in JSON", "{\\\"a\\\":\\\"\\/opt\\/x y\\\",\\n/b/c}", "{\\\"a\\\":\\\"/path-2\\\",\\n/path-1}");
        row("the rest of a path that is the whole text", "/data/li/Falcon Secret X", "/path-1");
        row("the rest of a path of lines", "/a/R&D (x)/y.py(3): f;\n/a/R&D z", "/path-1.py(3): f;\n/path-2");
        row("the rest of a path with other signs", "load /data/R&D/falcon, and /data/a:b,c/d!e/f.",
            "load /path-1, and /path-2.");
        row("the rest of a path in quotes", "\"/data/R&D (x)\" and '/y [z]/a'", "\"/path-1\" and '/path-2'");
        row("drive", "C:\\Users\\ann\\x.py(4)", "/path-1.py(4)");
        row("server", "\\\\files\\share\\x.csv", "/path-1.csv");
        row("address of the web", "see https://h.example/x?token=1 now", "see /path-1 now");
        row("no path: scope", "Default/network-Net/Conv2D-op1", "Default/network-Net/Conv2D-op1");
        row("no path: unit", "Read(MB/s)", "Read(MB/s)");
        row("no path: fraction", "step 3 /4", "step 3 /4");
        row("no path: function", "aten::add", "aten::add");
        row("no path: name with a dot", "transformer.h.0", "transformer.h.0");
        row("address", "from 10.1.2.3:2222", "from host-1:2222");
        row("address in a name", "10.1.2.3%eth0_60000 link_10.1.2.4", "host-1%eth0_60000 link_host-2");
        row("address behind a name and a dot", "group_info.192.168.0.1%eth0_6", "group_info.host-1%eth0_6");
        row("version", "8.0.0.1.2", "8.0.0.1.2");
        row("version with four parts", "CANN 8.0.1.3, version: 9.1.2.3", "CANN 8.0.1.3, version: 9.1.2.3");
        row("six numbers", "fe80::1c2:33 and 02:42:ac:11:00:02", "host-2 and host-1");
        row("time of day", "12:34:56", "12:34:56");
        row("mail", "ann.b@node7.example wrote", "user-1@host-1 wrote");
        row("kernel with the sign", "te_matmul@1a2b", "te_matmul@1a2b");
        row("lines of source", "File \"/a/b.py\", line 3, in f\n    x = secret(y)\n",
            "File \"/path-1.py\", line 3, in f\n    source-1\n");
        row("a line in the same line", "In file /a/b.py:12/    y = net(x)/", "In file /path-1.py:12/    source-1");
        row("nothing", "", "");
    }
    void texts() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(redacted(text.toStdString())), expected);
    }

    void namesAreFoundAnywhere() {
        Redaction redaction;
        redaction.learnHost("worker-7");
        redaction.learn("ann", "env.USER");
        redaction.learn("/home"
                        "/bob/x");
        redaction.learnPath("node9_123_20240101010101001_ascend_pt");
        redaction.giveNumbers();
        QCOMPARE(redaction.text("worker-7 of ann"), std::string("host-2 of user-1"));
        QCOMPARE(redaction.text("bob's loop on node9"), std::string("user-2's loop on host-1"));
        QCOMPARE(redaction.text("ANN at Worker-7, Worker-7"), std::string("user-1 at host-2, host-2"));
        QCOMPARE(redaction.text("worker-7.corp.example is up."), std::string("host-2 is up."));
        QCOMPARE(redaction.text("anna worker-71"), std::string("anna worker-71"));
    }

    void foldersCalledAsNumbersChangeNoNumber() {
        Redaction redaction;
        for (const char* path : {"0", "1", "forward", "a/b"}) redaction.learnPath(path);
        redaction.learnJson(R"({"stream":"1"})");
        redaction.giveNumbers();
        QCOMPARE(redaction.text("1"), std::string("1"));
        QCOMPARE(redaction.text("forward"), std::string("forward"));
        QCOMPARE(redaction.text("a/b"), std::string("path-3"));
        QCOMPARE(redaction.json(R"({"stream":"1","node":"1","addr":"0x12c0"})"),
                 std::string(R"({"stream":"1","node":"1","addr":"0x12c0"})"));
        QCOMPARE(redaction.path("0"), std::string("path-1"));
    }

    void fieldsOfHostsAndUsersAreReplacedWhole_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* key, const char* text, const char* expected) {
            QTest::addRow("%s %s", key, text)
                << QString::fromUtf8(key) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        row("user", "li", "user-1");
        row("env.USER", "00512345", "user-1");
        row("SLURM_JOB_USER", "wu", "user-1");
        row("env.MASTER_ADDR", "gpu77:29500", "host-1:29500");
        row("SLURMD_NODENAME", "n7", "host-1");
        row("SLURM_NODELIST", "n[01-04,07],h1", "host-2,host-1");
        row("hosts", "N7 n7 n7.corp.example", "host-1 host-1 host-1");
        row("host_uid", "1234567", "host-1");
        row("cann_version", "8.0.1.3", "8.0.1.3");
        row("output_path", "Falcon Secret", "path-1");
        row("LD_LIBRARY_PATH", "/opt/x y:/opt/z", "/path-1");
        row("rank_id", "3", "3");
    }
    void fieldsOfHostsAndUsersAreReplacedWhole() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        Redaction redaction;
        redaction.learn(text.toStdString(), key.toStdString());
        redaction.giveNumbers();
        QCOMPARE(QString::fromStdString(redaction.text(text.toStdString(), key.toStdString())), expected);
    }

    void theNameOfAHostIsFoundWithoutItsDomainAndPort() {
        Redaction redaction;
        redaction.learn("gpu77.corp.example:29500", "MASTER_ADDR");
        redaction.learnHost("n7");
        redaction.giveNumbers();
        QCOMPARE(redaction.text("GPU77 and gpu77.corp.example"), std::string("host-1 and host-1"));
        QCOMPARE(redaction.host("N7"), std::string("host-2"));
    }

    void usersBeforeAHostDoNotDependOnTheOrder() {
        for (const bool isHostFirst : {true, false}) {
            Redaction redaction;
            if (isHostFirst) redaction.learnHost("gpuhost9");
            redaction.learn("carol@gpuhost9");
            redaction.learn("te_matmul@1a2b");
            if (!isHostFirst) redaction.learnHost("gpuhost9");
            redaction.giveNumbers();
            QCOMPARE(redaction.text("carol@gpuhost9, te_matmul@1a2b"), std::string("user-1@host-1, te_matmul@1a2b"));
        }
    }

    void longTextsTakeNoTimeOfTheirSquare() {
        for (const char* part : {"/a ", "x /a ", "a@", "/=", "/a&", "a+", "=~a"}) {
            const auto millisecondsFor = [part](std::size_t bytes) {
                std::string text = "x ";
                while (text.size() < bytes) text += part;
                const altiscope::ThreadClock clock;
                redacted(text);
                return clock.elapsed();
            };
            // Both are longer than the look-ahead of 4 KiB. Work that is a square takes 16 times as much.
            const std::int64_t some = millisecondsFor(8'000), four = millisecondsFor(32'000);
            QVERIFY2(four <= 9 * some + 20, qPrintable(QStringLiteral("%1 ms, %2 ms").arg(some).arg(four)));
        }
    }

    void jsonKeepsItsNumbers() {
        Redaction redaction;
        const std::string json =
            R"({"Sequence number": 17, "x":1.50, "Call stack": "\/Users\/ann\/a.py(3): f;\r\nb.py(4): g", )"
            R"("host":"zeta"})";
        redaction.learnJson(json);
        redaction.giveNumbers();
        QCOMPARE(
            redaction.json(json),
            std::string(R"({"Sequence number": 17, "x":1.50, "Call stack": "/path-1.py(3): f;\r\npath-2.py(4): g", )"
                        R"("host":"host-1"})"));
        QCOMPARE(redaction.json(R"({"a":"plain A"})"), std::string(R"({"a":"plain A"})"));
    }

    void numbersDoNotDependOnTheOrder() {
        Redaction one, other;
        for (const char* text : {"/b/x", "/a/x", "/c/x"}) one.learn(text);
        for (const char* text : {"/c/x", "/a/x", "/b/x"}) other.learn(text);
        one.giveNumbers();
        other.giveNumbers();
        QCOMPARE(one.text("/b/x"), std::string("/path-2"));
        QCOMPARE(one.text("/b/x"), other.text("/b/x"));
    }

    void counts() {
        Redaction redaction;
        redaction.learn("of /a/x and /b/x");
        redaction.giveNumbers();
        redaction.text("of /a/x and /a/x");
        QCOMPARE(redaction.count(SecretKind::Path).texts, std::uint64_t{2});
        QCOMPARE(redaction.count(SecretKind::Path).replaced, std::uint64_t{2});
        QCOMPARE(redaction.count(SecretKind::User).texts, std::uint64_t{0});
    }

    void onlyPaths() {
        Redaction redaction(Redaction::Scope::Paths);
        redaction.learn("/home"
                        "/ann/x.py(3): f at 10.0.0.1, ann");
        redaction.giveNumbers();
        QCOMPARE(redaction.text("/home"
                                "/ann/x.py(3): f at 10.0.0.1, ann"),
                 std::string("/path-1.py(3): f at 10.0.0.1, ann"));
    }

    void stacksOfArguments() {
        QCOMPARE(withoutStackTexts(R"({"Call stack": "a.py(1): f", "n": 3})"),
                 std::string(R"({"Call stack": "", "n": 3})"));
    }
};

ALTI_TEST(TestRedaction)
#include "tst_redaction.moc"
