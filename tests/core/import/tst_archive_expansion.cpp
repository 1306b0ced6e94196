#include "core/import/archive/archive_expansion.h"

#include "core/import/archive/archive_names.h"
#include "core/import/archive/archive_writer.h"
#include "core/import/archive/zip_names.h"
#include "tests/support/archive_builder.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace altiscope;
using namespace altiscope::reader;
using altiscope::test::ArchiveItem;
using altiscope::test::ArchiveKind;
using altiscope::test::TestFolder;
namespace fs = std::filesystem;

Q_DECLARE_METATYPE(std::vector<ArchiveItem>)
Q_DECLARE_METATYPE(ArchiveLimits)

namespace {

using Type = ArchiveItem::Type;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Files with their content, folders with a slash, sorted, one a line.
std::string treeOf(const fs::path& folder) {
    std::vector<std::string> lines;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        const std::string content = entry.is_directory() ? "/" : "=" + contentOf(entry.path());
        lines.push_back(name + (content.size() > 40 ? "=" + std::to_string(content.size() - 1) : content));
    }
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& line : lines) all += line + '\n';
    return all;
}

struct Expansion {
    std::string outcome;  ///< What lies in the folder, and the diagnostics; or the error's code.
    std::uint64_t reported = 0, promised = 0;
};

Expansion expand(const fs::path& archive, const ArchiveLimits& limits = {}, const CancelToken& cancel = {},
                 const std::vector<std::string>& rawFolders = {}) {
    const TestFolder folder;
    const auto file = ReadOnlyFile::open(archive);
    ProgressSlot progress;
    Expansion expansion;
    const auto expanded = expandArchive(file.value(), folder.path(), rawFolders, limits, progress, cancel);
    if (expanded.cancelled()) expansion.outcome = "cancelled";
    else if (expanded.failed()) expansion.outcome = "error " + expanded.error().code;
    else {
        std::string problems;
        for (const Diagnostic& one : expanded.value().diagnostics.entries())
            problems += std::string(severityName(one.severity)) + ' ' + one.code + ' ' + one.file + " x" +
                        std::to_string(one.count) + '\n';
        expansion.outcome = treeOf(folder.path()) + problems;
    }
    expansion.reported = progress.sample().done;
    expansion.promised = progress.sample().total;
    return expansion;
}

}  // namespace

class TestArchiveExpansion : public QObject {
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void members_data();
    void members();
    void limits_data();
    void limits();
    void refusedMembersCount();
    void progressCountsTheArchive();
    void cancelled();
    void membersWithTwoNames();
    void unknownFilesByTheirContent();
    void writerFails();
    void rawDataOfSomeFolders();
};

void TestArchiveExpansion::names_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("expected");  // parts with '|', "refused"
    const auto row = [](const char* clause, const QByteArray& name, const char* expected) {
        QTest::addRow("%s", clause) << name << QString::fromUtf8(expected);
    };
    row("plain", "a/b.json", "a|b.json");
    row("dots and doubled slashes mean nothing", "./a//./b/", "a|b");
    row("the archive itself", "./", "");
    row("dots in names", "..a/b..c/...", "..a|b..c|...");
    row("beyond ASCII", "\xE6\x95\xB0/x", "数|x");
    row("absolute", "/etc/passwd", "refused");
    row("up", "../a", "refused");
    row("up in the middle", "a/../../b", "refused");
    row("up at the end", "a/..", "refused");
    row("up, as in Windows", "a\\..\\b", "refused");
    row("absolute, as in Windows", "C:\\x", "refused");
    row("drive with a slash", "c:/x", "refused");
    row("network path", "\\\\host\\x", "refused");
    row("line end", "a\nb", "refused");
    row("escape", "a\x1b[31mb", "refused");
    row("nothing", "", "refused");
    row("part too long", QByteArray(256, 'x'), "refused");
    row("longest part", QByteArray(255, 'x'), std::string(255, 'x').c_str());
    row("too deep", QByteArray("a/").repeated(33), "refused");
    row("too long", QByteArray(100, 'x').append('/').repeated(21), "refused");
}

void TestArchiveExpansion::names() {
    QFETCH(QByteArray, name);
    QFETCH(QString, expected);
    const auto parts = memberParts(name.toStdString());
    QString found = QStringLiteral("refused");
    if (parts) {
        QStringList list;
        for (const std::string& part : *parts) list << text(part);
        found = list.join(QLatin1Char('|'));
    }
    QCOMPARE(found, expected);
}

void TestArchiveExpansion::members_data() {
    QTest::addColumn<std::vector<ArchiveItem>>("items");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, std::vector<ArchiveItem> items, const std::string& expected) {
        QTest::addRow("%s", clause) << std::move(items) << text(expected);
    };
    row("folders and files", {{"d/", {}, Type::Folder}, {"d/a.json", "1"}, {"e/f/b.csv", "2"}, {"c.txt", ""}},
        "c.txt=\nd/\nd/a.json=1\ne/\ne/f/\ne/f/b.csv=2\n");
    row("never out of the folder", {{"a.json", "1"}, {"../b.json", "2"}, {"/tmp/c.json", "3"}, {"d/../../e.json", "4"}},
        "a.json=1\nlost archive.path_refused ../b.json x1\nlost archive.path_refused /tmp/c.json x1\nlost "
        "archive.path_refused d/../../e.json x1\n");
    row("control characters", {{"a.json", "1"}, {"b\nc.json", "2"}},
        "a.json=1\nlost archive.path_refused b?c.json x1\n");
    row("links", {{"a.json", "1"}, {"l", "/etc", Type::Link}, {"l/passwd", "2"}, {"h", "a.json", Type::HardLink}},
        "a.json=1\nl/\nl/passwd=2\ninfo archive.link_skipped h x1\ninfo archive.link_skipped l x1\n");
    row("devices and pipes", {{"a.json", "1"}, {"null", {}, Type::Device}, {"p", {}, Type::Pipe}},
        "a.json=1\ninfo archive.special_skipped null x1\ninfo archive.special_skipped p x1\n");
    row("the last of several counts", {{"a.json", "first"}, {"a.json", "2"}},
        "a.json=2\ninfo archive.repeated a.json x1\n");
    row("a file where a folder is", {{"a/b.json", "1"}, {"a", "2"}},
        "a/\na/b.json=1\nlost archive.path_refused a x1\n");
    row("a folder where a file is", {{"a", "1"}, {"a/b.json", "2"}}, "a=1\nlost archive.path_refused a/b.json x1\n");
    row("archives inside", {{"a.json", "1"}, {"b.tar.gz", "2"}, {"c.zip", "3"}},
        "a.json=1\ninfo archive.nested b.tar.gz x1\ninfo archive.nested c.zip x1\n");
    row("raw data is only told",
        {{"a.json", "1"},
         {"PROF_1/device_0/data/x.bin.slice_0", "2"},
         {"PROF_1/host/sqlite/a.db", "3"},
         {"r/FRAMEWORK/torch.x", "4"}},
        "PROF_1/\nPROF_1/device_0/\nPROF_1/device_0/data/\nPROF_1/host/\nPROF_1/host/sqlite/\na.json=1\nr/\nr/"
        "FRAMEWORK/\n");
    std::vector<ArchiveItem> many{{"a.json", "1"}};
    for (int i = 0; i < 150; ++i) many.push_back({"../" + std::to_string(i), "x"});
    QTest::addRow("only some are named") << many << QString();
}

void TestArchiveExpansion::members() {
    QFETCH(std::vector<ArchiveItem>, items);
    QFETCH(QString, expected);
    const TestFolder folder;
    for (const ArchiveKind kind : {ArchiveKind::Tar, ArchiveKind::TarGz, ArchiveKind::TarZst}) {
        const fs::path archive = folder.path() / "a";
        writeArchive(archive, kind, items);
        const std::string outcome = expand(archive).outcome;
        if (!expected.isEmpty()) QCOMPARE(text(outcome), expected);
        else
            QVERIFY2(std::count(outcome.begin(), outcome.end(), '\n') == 102 &&
                         outcome.find("path_refused . x50") != std::string::npos,
                     outcome.c_str());
    }
}

void TestArchiveExpansion::limits_data() {
    QTest::addColumn<ArchiveLimits>("limits");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* clause, const ArchiveLimits& limits, const char* expected) {
        QTest::addRow("%s", clause) << limits << QString::fromUtf8(expected);
    };
    row("within", {}, "a.json=1000000\nb.json=1000000\nc.json=123\n");
    row("bytes", {.bytes = 1'500'000}, "lost archive.too_large b.json x1");
    row("ratio", {.ratio = 10, .bytesAtAnyRatio = 1'200'000}, "lost archive.too_large b.json x1");
    row("small archives at any ratio", {.ratio = 10, .bytesAtAnyRatio = 3'000'000},
        "a.json=1000000\nb.json=1000000\nc.json=123\n");
    row("members", {.members = 1}, "a.json=1000000\nlost archive.too_many a x1\n");
    row("files", {.files = 2}, "a.json=1000000\nb.json=1000000\nlost archive.too_many a x1\n");
}

void TestArchiveExpansion::limits() {
    QFETCH(ArchiveLimits, limits);
    QFETCH(QString, expected);
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    for (const ArchiveKind kind : {ArchiveKind::Zip, ArchiveKind::TarGz, ArchiveKind::TarZst}) {
        writeArchive(
            archive, kind,
            {{"a.json", std::string(1'000'000, 'x')}, {"b.json", std::string(1'000'000, 'x')}, {"c.json", "123"}});
        const QString outcome = text(expand(archive, limits).outcome);
        QVERIFY2(outcome.contains(expected) && outcome.startsWith(u"a.json=1000000"), qPrintable(outcome));
        if (expected.startsWith(u"a.json=") && !expected.contains(u"lost")) QCOMPARE(outcome, expected);
    }
}

/// In a stream even what is passed over has to be expanded.
void TestArchiveExpansion::refusedMembersCount() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    writeArchive(archive, ArchiveKind::TarGz,
                 {{"a.json", "1"}, {"../b.json", std::string(1'000'000, 'x')}, {"c.json", "123"}});
    const QString outcome = text(expand(archive, {.bytes = 500'000}).outcome);
    QCOMPARE(outcome,
             QStringLiteral("a.json=1\nlost archive.path_refused ../b.json x1\nlost archive.too_large ../b.json x1\n"));
}

void TestArchiveExpansion::progressCountsTheArchive() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    for (const ArchiveKind kind : {ArchiveKind::Zip, ArchiveKind::Tar, ArchiveKind::TarGz, ArchiveKind::Gz}) {
        writeArchive(archive, kind, {{"a.json", std::string(100'000, 'x')}});
        const Expansion expansion = expand(archive);
        QCOMPARE(expansion.promised, static_cast<std::uint64_t>(fs::file_size(archive)));
        QCOMPARE(expansion.reported, expansion.promised);
    }
}

void TestArchiveExpansion::cancelled() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    writeArchive(archive, ArchiveKind::TarZst, {{"a.json", "1"}});
    const CancelToken cancel;
    cancel.requestCancel();
    QCOMPARE(expand(archive, {}, cancel).outcome, std::string("cancelled"));
}

/// Unpacked by another program, such an archive gives other files.
void TestArchiveExpansion::membersWithTwoNames() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    writeArchive(archive, ArchiveKind::Zip, {{"a.json", "1"}, {"b.json", "2"}, {"c.json", "3"}});
    const std::string whole = contentOf(archive);
    const auto renamed = [&](std::size_t at) {
        folder.write("a", std::string(whole).replace(at, 6, "x.json"));
        return text(expand(archive).outcome);
    };
    const std::size_t header = whole.find("b.json"), listed = whole.rfind("b.json");
    QCOMPARE(renamed(header), QStringLiteral("a.json=1\nc.json=3\nx.json=2\nlost archive.two_names x.json x1\n"));
    QCOMPARE(renamed(listed), QStringLiteral("a.json=1\nb.json=2\nc.json=3\nlost archive.two_names b.json x1\n"));
    // The list has the second one again as the third: its place is 4 bytes before the name, after 42 others.
    std::string twice = whole;
    const std::size_t third = whole.rfind("c.json");
    folder.write("a", twice.replace(third - 4, 4, whole.substr(listed - 4, 4)));
    QCOMPARE(text(expand(archive).outcome), QStringLiteral("a.json=1\nb.json=2\nlost archive.two_names b.json x1\n"));
    const auto file = ReadOnlyFile::open(archive);
    const auto zipAliases = [&file](std::size_t limit) {
        std::vector<ZipAlias> found;
        const auto done =
            eachZipAlias(file.value(), limit, {}, [&found](const ZipAlias& alias) { found.push_back(alias); });
        return done.ok() ? found : std::vector<ZipAlias>();
    };
    const auto aliases = zipAliases(100);
    QCOMPARE(aliases.size(), std::size_t{1});
    QCOMPARE(aliases[0].listed, std::string("c.json"));
    QCOMPARE(aliases[0].own, std::string("b.json"));
    QCOMPARE(aliases[0].place, std::uint64_t{header - 30});
    QVERIFY(zipAliases(1).empty());
}

void TestArchiveExpansion::unknownFilesByTheirContent() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    // Small files of any name are notes; large ones must look like something.
    const std::string rest(2'000'000, ' '), trace = R"([{"ph":"X","ts":1}])" + rest, gzip = "\x1f\x8b" + rest;
    for (const ArchiveKind kind : {ArchiveKind::Zip, ArchiveKind::Tar, ArchiveKind::TarZst}) {
        writeArchive(archive, kind, {{"trace", trace}, {"binary", rest}, {"inner", gzip}, {"note", "x"}});
        QCOMPARE(text(expand(archive).outcome),
                 text("note=x\ntrace=" + std::to_string(trace.size()) + "\ninfo archive.nested inner x1\n"));
    }
}

void TestArchiveExpansion::writerFails() {
    const TestFolder folder;
    ArchiveWriter writer;
    QCOMPARE(writer.begin(folder.path() / "none" / "a"), ENOENT);
    folder.write("taken", "x");
    QCOMPARE(writer.begin(folder.path() / "taken"), EEXIST);
    QCOMPARE(writer.begin(folder.path() / "b"), 0);
    const std::string bytes(3'000'000, 'y');
    writer.write(0, std::span(bytes.data(), bytes.size()));
    writer.write(4'000'000, std::span(bytes.data(), 1));
    QCOMPARE(writer.finish(), 0);
    QCOMPARE(fs::file_size(folder.path() / "b"), std::uintmax_t{4'000'001});
    QCOMPARE(contentOf(folder.path() / "taken"), std::string("x"));
}

void TestArchiveExpansion::rawDataOfSomeFolders() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "a";
    // No names of data files, and too large for notes.
    const std::string records(2'000'000, '\0'), size = '=' + std::to_string(records.size()) + '\n';
    for (const ArchiveKind kind : {ArchiveKind::Zip, ArchiveKind::Tar, ArchiveKind::TarZst}) {
        writeArchive(archive, kind,
                     {{"r0/PROF_1/device_0/data/x.slice_0", records},
                      {"r0/PROF_1/host/sqlite/a.db", records},
                      {"r0/FRAMEWORK/torch.x", records},
                      {"r01/FRAMEWORK/torch.x", records}});
        const std::string folders = "r0/\nr0/FRAMEWORK/\n", prof = "r0/PROF_1/\nr0/PROF_1/device_0/\nr0/PROF_1/"
                                                                   "device_0/data/\n";
        const std::string others = "r0/PROF_1/host/\nr0/PROF_1/host/sqlite/\nr01/\nr01/FRAMEWORK/\n";
        QCOMPARE(text(expand(archive).outcome), text(folders + prof + others));
        const std::string one =
            folders + "r0/FRAMEWORK/torch.x" + size + prof + "r0/PROF_1/device_0/data/x.slice_0" + size + others;
        QCOMPARE(text(expand(archive, {}, {}, {"r0"}).outcome), text(one));
        QCOMPARE(text(expand(archive, {}, {}, {"."}).outcome), text(one + "r01/FRAMEWORK/torch.x" + size));
    }
}

ALTI_TEST(TestArchiveExpansion)
#include "tst_archive_expansion.moc"
