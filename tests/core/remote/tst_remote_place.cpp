#include "core/remote/remote_place.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace altiscope::remote;

class TestRemotePlace : public QObject {
    Q_OBJECT
private slots:
    void places_data();
    void places();
    void noPlaces_data();
    void noPlaces();
    void badAddresses_data();
    void badAddresses();
    void aFileHereComesFirst();
};

void TestRemotePlace::places_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("destination");
    QTest::addColumn<std::string>("port");
    QTest::addColumn<std::string>("path");
    const auto row = [](const char* text, const char* destination, const char* port, const char* path) {
        QTest::newRow(text) << std::string(text) << std::string(destination) << std::string(port) << std::string(path);
    };
    row("host:/a/b", "host", "", "/a/b");
    row("host:a", "host", "", "a");
    row("host:a:b/c:d", "host", "", "a:b/c:d");
    row("host:~/a b", "host", "", "~/a b");
    row("me@host:/a", "me@host", "", "/a");
    row("[::1]:/a", "::1", "", "/a");
    row("me@[fe80::1%eth0]:/a", "me@fe80::1%eth0", "", "/a");
    row("ssh://host/a/b", "host", "", "/a/b");
    row("ssh://me@host:2222/a%20b/%e6%ad%a5", "me@host", "2222", "/a b/\xe6\xad\xa5");
    row("ssh://[::1]:22/a", "::1", "22", "/a");
    row("ssh://host/~/runs", "host", "", "~/runs");
}

void TestRemotePlace::places() {
    QFETCH(std::string, text);
    const auto place = parseRemotePlace(text);
    QVERIFY(place.ok() && place.value());
    QTEST(place.value()->target.destination, "destination");
    QTEST(place.value()->target.port, "port");
    QTEST(place.value()->path, "path");
    QCOMPARE(place.value()->text, text);
}

void TestRemotePlace::noPlaces_data() {
    QTest::addColumn<std::string>("text");
    for (const char* text : {"", "a", "/a:b", "./a:b", "a/b:c", "C", ":a", "-o:a", "a b:c", "local:a", "ho$t:a",
                             "a;b:c", "host/docker:x", "[::1/a", "[::1]x:/a"})
        QTest::newRow(text) << std::string(text);
}

void TestRemotePlace::noPlaces() {
    QFETCH(std::string, text);
    const auto place = parseRemotePlace(text);
    QVERIFY(place.ok() && !place.value());
}

void TestRemotePlace::badAddresses_data() {
    QTest::addColumn<std::string>("text");
    for (const char* text : {"ssh://", "ssh://host", "ssh://host/", "ssh:///a", "ssh://-x/a", "ssh://host/%zz",
                             "ssh://host/%4", "ssh://host:99999/a", "ssh://host/a%00b", "ssh://local/a", "host:"})
        QTest::newRow(text) << std::string(text);
}

void TestRemotePlace::badAddresses() {
    QFETCH(std::string, text);
    const auto place = parseRemotePlace(text);
    QVERIFY(place.failed());
    QCOMPARE(place.error().code, std::string("remote.bad_address"));
    QCOMPARE(place.error().file, text);
}

void TestRemotePlace::aFileHereComesFirst() {
    const QTemporaryDir folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path().toStdString());
    std::ofstream("host:a") << "x";
    std::filesystem::create_symlink("nothing", "host:link");
    const auto file = remotePlaceOf("host:a"), link = remotePlaceOf("host:link"), none = remotePlaceOf("host:b");
    std::filesystem::current_path(before);
    QVERIFY(file.ok() && !file.value());
    QVERIFY(link.ok() && !link.value());
    QVERIFY(none.ok() && none.value());
}

ALTI_TEST(TestRemotePlace)
#include "tst_remote_place.moc"
