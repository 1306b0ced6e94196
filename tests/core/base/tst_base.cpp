#include "core/base/columns/string_pool.h"
#include "core/base/files/file.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/diagnostics.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/ids.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace altiscope;

class TestBase : public QObject {
    Q_OBJECT
private slots:
    void sourcePositionsKeepFileAndOffset() {
        const SourcePos pos = SourcePos::make(3, 123456789012);
        QCOMPARE(pos.file(), 3U);
        QCOMPARE(pos.offset(), std::uint64_t{123456789012});
        QVERIFY(SourcePos::make(0, 0).packed != 0);
        QVERIFY(SourcePos::make(2, 0) > SourcePos::make(1, (std::uint64_t{1} << 42) - 1));
    }

    void utf8_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("repaired");
        const QByteArray mark("\xEF\xBF\xBD");
        QTest::addRow("ascii") << QByteArray("abc") << QByteArray("abc");
        QTest::addRow("chinese") << QByteArray("\xE6\x97\xB6") << QByteArray("\xE6\x97\xB6");
        QTest::addRow("four bytes") << QByteArray("\xF0\x9F\x98\x80") << QByteArray("\xF0\x9F\x98\x80");
        QTest::addRow("lone continuation") << QByteArray("a\x80"
                                                         "b")
                                           << QByteArray("a") + mark + "b";
        QTest::addRow("overlong") << QByteArray("\xC0\xAF") << mark + mark;
        QTest::addRow("surrogate") << QByteArray("\xED\xA0\x80") << mark + mark + mark;
        QTest::addRow("cut at the end") << QByteArray("a\xE6\x97") << QByteArray("a") + mark + mark;
        QTest::addRow("beyond U+10FFFF") << QByteArray("\xF4\x90\x80\x80") << mark + mark + mark + mark;
    }
    void utf8() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, repaired);
        QCOMPARE(isValidUtf8(text.toStdString()), text == repaired);
        QCOMPARE(repairedUtf8(text.toStdString()), repaired.toStdString());
    }

    void jsonText() {
        QCOMPARE(jsonQuoted("a\"b\\c\n\x01\xE6\x97\xB6"), std::string("\"a\\\"b\\\\c\\n\\u0001\xE6\x97\xB6\""));
        QCOMPARE(shortestNumber(0.1), std::string("0.1"));
        QCOMPARE(shortestNumber(5), std::string("5"));
        QCOMPARE(shortestNumber(1.0 / 0.0), std::string("null"));
        QCOMPARE(utf8Prefix("\xE6\x97\xB6\xE6\x97\xB6", 4), std::size_t{3});
        QCOMPARE(utf8Prefix("abc", 9), std::size_t{3});
    }

    void naturalOrder() {
        std::vector<std::string> names{"Stream 10", "Stream 2", "Stream 02", "stream", "Stream", "Stream 2a", ""};
        std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return naturalCompare(a, b) < 0; });
        QCOMPARE(names,
                 (std::vector<std::string>{"", "Stream", "Stream 02", "Stream 2", "Stream 2a", "Stream 10", "stream"}));
        QCOMPARE(naturalCompare("x1", "x1"), 0);
    }

    void sealedPoolIsSortedWhateverTheOrder() {
        for (const bool backwards : {false, true}) {
            SharedStringPool shared;
            SharedStringPool::Cache cache(shared);
            std::vector<std::string> texts{"beta", "alpha", "alphabet", "", "gamma"};
            if (backwards) std::reverse(texts.begin(), texts.end());
            std::map<std::string, std::uint32_t> ids;
            for (const auto& text : texts) ids[text] = cache.id(text);
            for (const auto& text : texts) QCOMPARE(cache.id(text), ids[text]);
            const auto sealed = shared.sealed();
            QCOMPARE(sealed.pool.size(), std::size_t{5});
            for (const auto& [text, id] : ids) QCOMPARE(std::string(sealed.pool.text(sealed.finalId[id])), text);
            QCOMPARE(std::string(sealed.pool.text({0})), std::string());
            QCOMPARE(std::string(sealed.pool.text({2})), std::string("alphabet"));
            QVERIFY(!sealed.pool.find("alph").has_value());
            const auto [first, last] = sealed.pool.prefixRange("alph");
            QCOMPARE(first.value, 1U);
            QCOMPARE(last.value, 3U);
        }
    }

    void poolIsSharedBetweenWorkers() {
        SharedStringPool shared;
        std::vector<std::thread> workers;
        for (int w = 0; w < 4; ++w) {
            workers.emplace_back([&shared] {
                SharedStringPool::Cache cache(shared);
                for (int i = 0; i < 20000; ++i) cache.id("name" + std::to_string(i % 5000));
            });
        }
        for (auto& worker : workers) worker.join();
        QCOMPARE(shared.texts().size(), std::size_t{5001});
    }

    void theHighestSeverityOfACodeCounts() {
        Diagnostics info, lost;
        info.add("json.x", Severity::Info, "f", {PlaceUnit::Byte, 1});
        lost.add("json.x", Severity::Lost, "f", {PlaceUnit::Byte, 2});
        for (const bool isInfoFirst : {false, true}) {
            Diagnostics merged = isInfoFirst ? info : lost;
            merged.merge(isInfoFirst ? lost : info);
            QCOMPARE(merged.entries().at(0).severity, Severity::Lost);
        }
    }

    void diagnosticsDoNotDependOnTheOrderOfMerging() {
        Diagnostics a, b;
        for (std::uint64_t i = 0; i < 10; ++i) {
            (i % 2 == 0 ? a : b).add("json.x", Severity::Lost, "f", {PlaceUnit::Byte, i}, {{"n", std::to_string(i)}});
        }
        Diagnostics ab = a, ba = b;
        ab.merge(b);
        ba.merge(a);
        for (const Diagnostics& merged : {ab, ba}) {
            const auto entries = merged.entries();
            QCOMPARE(entries.size(), std::size_t{1});
            QCOMPARE(entries[0].count, std::uint64_t{10});
            QCOMPARE(entries[0].places.size(), Diagnostic::kSamples);
            QCOMPARE(entries[0].places[4].text(), std::string("byte 4"));
            QCOMPARE(entries[0].parameters[0].second, std::string("0"));
            QVERIFY(merged.anyLost());
        }
    }

    void catalogueFillsParameters() {
        const Error error{"file.missing", "/x/y", "", {}};
        QVERIFY(errorText(error, "en").starts_with("/x/y does not exist"));
        QVERIFY(errorText(error, "zh_CN").starts_with("/x/y "));
        QVERIFY(errorText(error, "en") != errorText(error, "zh_CN"));
        QCOMPARE(catalogueText("no.such.code", "en"), std::string("no.such.code"));
    }

    void filesReadByPosition() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("f")).toStdString();
        QFile out(QString::fromStdString(path));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("0123456789");
        out.close();
        const auto file = ReadOnlyFile::open(path);
        QVERIFY(file.ok());
        QCOMPARE(file.value().size(), std::uint64_t{10});
        char buffer[8] = {};
        QCOMPARE(file.value().read(6, buffer).value(), std::size_t{4});
        QCOMPARE(std::string(buffer), std::string("6789"));
        QCOMPARE(readSmallFile(path, 10).value(), std::string("0123456789"));
        QCOMPARE(readSmallFile(path, 9).error().code, std::string("file.too_large"));
        QCOMPARE(ReadOnlyFile::open(path + "x").error().code, std::string("file.missing"));
        QCOMPARE(ReadOnlyFile::open(folder.path().toStdString()).error().code, std::string("file.folder"));
    }

    void parallelForVisitsEachOnce() {
        WorkerArena arena(3);
        std::vector<std::atomic<int>> visits(1000);
        arena.run([&] { parallelFor(visits.size(), [&](std::size_t i) { ++visits[i]; }); });
        for (const auto& count : visits) QCOMPARE(count.load(), 1);
    }
};

ALTI_TEST(TestBase)
#include "tst_base.moc"
