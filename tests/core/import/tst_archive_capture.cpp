#include "core/import/archive/archive_capture.h"

#include "core/base/files/file.h"
#include "core/base/text/catalogue.h"
#include "core/base/threads/parallel.h"
#include "core/import/files/gzip_input.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"
#include "core/store/rows/row_table.h"
#include "tests/support/archive_builder.h"
#include "tests/support/capture_dump.h"
#include "tests/support/effort.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <chrono>
#include <clocale>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

const char* const kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{"k":"v"}},
{"ph":"X","name":"B","pid":1,"tid":2,"ts":5,"dur":-1},
{"ph":"C","name":"c","pid":1,"ts":2,"args":{"x":1.5}}])";

/// A run of two ranks with tables, a setting, and raw data that nobody reads.
void writeCapture(const TestFolder& folder, const std::string& below) {
    for (const std::string rank : {"0", "1"}) {
        const std::string base = below + "host_7_2026010112000000" + rank + "_ascend_pt/";
        folder.write(base + "profiler_info_" + rank + ".json",
                     R"({"rank_id":)" + rank + R"(,"torch_npu_version":"2.1"})");
        folder.write(base + "ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        folder.write(
            base + "ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
            "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
            "Communication(Not Overlapped and Exclude Receive),Preparing\n3,5,1.5,2,0,2,1,4.5,0,2,0\n");
        folder.write(base + "FRAMEWORK/torch.op_range", std::string(5000, 'r'));
    }
}

std::string rowsOf(const RowTables* rows) {
    std::string text;
    for (std::size_t t = 0; rows != nullptr && t < rows->tables().size(); ++t) {
        const RowTable& table = rows->tables()[t];
        text += std::string(rowKindName(table.kind())) + ' ' + std::to_string(table.size()) + ':';
        for (std::size_t row = 0; row < table.size(); ++row) {
            for (std::size_t c = 0; c < table.columnCount(); ++c) {
                const auto value = table.integer(c, row);
                text += ' ' + (value ? std::to_string(*value) : std::string("-"));
            }
        }
        text += '\n';
    }
    return text;
}

/// Everything that an import says but times and places on disk.
std::string everything(const ImportResult& result) {
    std::string text = dumpCapture(result);
    if (!result.ok()) return text;
    for (const RankEntry& rank : result.value()->ranks) {
        if (rank.trace) text += storeBytes(*rank.trace);
        text += rowsOf(rank.rows.get());
    }
    return text;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// An import with its cache and the progress that it reported.
struct CachedImport {
    std::optional<ImportResult> result;
    std::uint64_t bytes = 0;  ///< That the progress promised.
};

CachedImport importCached(const fs::path& path, const fs::path& cacheFolder) {
    WorkerArena arena(2);
    const StoreCache cache(cacheFolder);
    reader::ImportOptions options;
    options.cache = &cache;
    ProgressSlot progress;
    CachedImport import;
    arena.run([&] { import.result = reader::importCapture(path, options, progress, {}); });
    import.bytes = progress.sample().total;
    return import;
}

std::string argumentsOf(const CaptureStore& capture) {
    const RankEntry& rank = capture.ranks.at(0);
    const auto text = rank.arguments->arguments(rank.trace->pos({0}));
    return text.ok() ? text.value() : text.error().code;
}

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

constexpr std::pair<const char*, ArchiveKind> kCollections[] = {{"run.zip", ArchiveKind::Zip},
                                                                {"run.tar", ArchiveKind::Tar},
                                                                {"run.tar.gz", ArchiveKind::TarGz},
                                                                {"run.tar.zst", ArchiveKind::TarZst}};

}  // namespace

class TestArchiveCapture : public QObject {
    Q_OBJECT

private slots:
    void sameAsTheFolder_data();
    void sameAsTheFolder();
    void singleFiles_data();
    void singleFiles();
    void namesDoNotMatter();
    void contentOfARankFolder();
    void namesOfAllLocales();
    void nothingIsKeptOfNothing();
    void secondOpeningExpandsNothing();
    void argumentsOutliveTheArchive();
    void changedArchiveIsExpandedAnew();
    void withoutCacheNothingStays();
    void unusableCacheOnlyCostsTime();
    void evidenceStays();
    void cancelled();
    void errors_data();
    void errors();
    void cutAnywhere_data();
    void cutAnywhere();
    void flippedAnywhere_data();
    void flippedAnywhere();
    void whatOnlyTheEndTells_data();
    void whatOnlyTheEndTells();
    void fillingWithoutEndIsCancelled();
};

void TestArchiveCapture::sameAsTheFolder_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    for (const auto& [name, kind] : kCollections)
        QTest::addRow("%s", name) << QString::fromUtf8(name) << static_cast<int>(kind);
}

void TestArchiveCapture::sameAsTheFolder() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    const TestFolder folder, packed;
    writeCapture(folder, "run/");
    const fs::path archive = packed.path() / name.toStdString();
    writeArchive(archive, static_cast<ArchiveKind>(kind), itemsOf(folder.path()));
    const std::string expected = everything(importForTest(folder.path()));
    QVERIFY(expected.find("slice 1/2 d0 A") != std::string::npos && expected.find("negative") != std::string::npos);
    QVERIFY2(expected.find("step_breakdown 1:") != std::string::npos, expected.c_str());
    const auto result = importForTest(archive);
    QCOMPARE(text(everything(result)), text(expected));
    QCOMPARE(result.value()->path, archive.string());
    QCOMPARE(result.value()->ranks.at(0).sources->at(0).path, archive);
    const TestFolder cache;
    QCOMPARE(text(everything(*importCached(archive, cache.path()).result)), text(expected));
    QCOMPARE(text(everything(*importCached(archive, cache.path()).result)), text(expected));
}

void TestArchiveCapture::singleFiles_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addRow("gzip") << "trace_view.json.gz" << static_cast<int>(ArchiveKind::Gz);
    QTest::addRow("zstd") << "trace_view.json.zst" << static_cast<int>(ArchiveKind::Zst);
}

void TestArchiveCapture::singleFiles() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    const TestFolder folder;
    const fs::path file = folder.write("trace_view.json", kTrace);
    writeArchive(folder.path() / name.toStdString(), static_cast<ArchiveKind>(kind), {{"any", kTrace}});
    QCOMPARE(text(everything(importForTest(folder.path() / name.toStdString()))),
             text(everything(importForTest(file))));
}

void TestArchiveCapture::namesDoNotMatter() {
    const TestFolder folder;
    for (const auto& [name, kind] : kCollections) {
        const fs::path archive = folder.path() / (std::string(name) + ".json");
        writeArchive(archive, kind, {{"notes.txt", kTrace}});
        const auto result = importForTest(archive);
        QVERIFY2(result.ok(), dumpImport(result).c_str());
        QCOMPARE(text(argumentsOf(*result.value())), text(R"({"k":"v"})"));
    }
}

void TestArchiveCapture::contentOfARankFolder() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "host_7_20260101120000000_ascend_pt.tar.gz";
    writeArchive(archive, ArchiveKind::TarGz,
                 {{"./ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace}, {"./profiler_info_3.json", "{}"}});
    const auto result = importForTest(archive);
    QVERIFY(result.ok());
    const RankInfo& info = result.value()->ranks.at(0).info;
    QCOMPARE(info.rankId.value_or(-1), std::int64_t{3});
    QCOMPARE(info.host, std::string("host"));
    QCOMPARE(info.path, std::string("."));
}

void TestArchiveCapture::namesOfAllLocales() {
    // 数/trace_view.json with one slice, as Python's zipfile writes it: names are UTF-8, and say so.
    const QByteArray zip = QByteArray::fromBase64(
        "UEsDBBQAAAgAAAAAIQDJ6h3oNgAAADYAAAATAAAA5pWwL3RyYWNlX3ZpZXcuanNvblt7InBoIjoiWCIsIm5hbWUiOiJBIiwicGlkIjoxLCJ0aW"
        "QiOjIsInRzIjoxLCJkdXIiOjJ9XVBLAQIUAxQAAAgAAAAAIQDJ6h3oNgAAADYAAAATAAAAAAAAAAAAAACAAQAAAADmlbAvdHJhY2Vfdmlldy5q"
        "c29uUEsFBgAAAAABAAEAQQAAAGcAAAAAAA==");
    const TestFolder folder;
    const fs::path archive = folder.write("u.zip", zip.toStdString());
    for (const char* locale : {"C", "C.UTF-8"}) {
        const std::string before = std::setlocale(LC_ALL, nullptr);
        QVERIFY(std::setlocale(LC_ALL, locale) != nullptr);
        const auto result = importForTest(archive);
        std::setlocale(LC_ALL, before.c_str());
        QVERIFY2(result.ok(), dumpImport(result).c_str());
        QCOMPARE(text(result.value()->ranks.at(0).info.path), text("数"));
    }
}

void TestArchiveCapture::nothingIsKeptOfNothing() {
    const TestFolder folder, cache;
    const fs::path archive = folder.path() / "a.zip";
    writeArchive(archive, ArchiveKind::Zip, {{"notes.txt", "x"}, {"todo.txt", "y"}});
    QVERIFY(importCached(archive, cache.path()).result->failed());
    QVERIFY(fs::is_empty(cache.path()));
}

void TestArchiveCapture::secondOpeningExpandsNothing() {
    const TestFolder folder, cache;
    writeCapture(folder, "run/");
    const fs::path archive = folder.path() / "run.tar.zst";
    writeArchive(archive, ArchiveKind::TarZst, itemsOf(folder.path()));
    const auto first = importCached(archive, cache.path());
    const auto second = importCached(archive, cache.path());
    QCOMPARE(first.bytes - second.bytes, static_cast<std::uint64_t>(fs::file_size(archive)));
    const auto columns = [](const CachedImport& import) {
        return import.result->value()->ranks[0].trace->columns().begin.span().data();
    };
    QVERIFY(columns(first) != columns(second));
    const auto entries = StoreCache(cache.path()).entries();
    QCOMPARE(entries.size(), std::size_t{3});  // the copy and two ranks
    for (const auto& entry : entries) QVERIFY2(entry.note.starts_with(archive.string()), entry.note.c_str());
    // The sealed ranks belong to the archive, not to its copy.
    fs::remove_all(entries.back().path);
    for (const auto& entry : entries) {
        if (entry.path.extension() == ".altifolder") fs::remove_all(entry.path);
    }
    const auto third = importCached(archive, cache.path());
    QCOMPARE(text(everything(*third.result)), text(everything(*importCached(archive, cache.path()).result)));
}

void TestArchiveCapture::argumentsOutliveTheArchive() {
    const TestFolder folder, cache;
    const fs::path archive = folder.path() / "t.zip";
    writeArchive(archive, ArchiveKind::Zip, {{"trace_view.json", kTrace}});
    const auto import = importCached(archive, cache.path());
    const CaptureStore& capture = *import.result->value();
    QCOMPARE(text(argumentsOf(capture)), text(R"({"k":"v"})"));
    fs::remove(archive);
    QCOMPARE(text(argumentsOf(capture)), text(R"({"k":"v"})"));
    // What is in use is not cleared away.
    StoreCache(cache.path()).clear();
    QCOMPARE(text(argumentsOf(capture)), text(R"({"k":"v"})"));
    fs::remove_all(cache.path());
    QCOMPARE(text(argumentsOf(capture)), text("args.source_changed"));
}

void TestArchiveCapture::changedArchiveIsExpandedAnew() {
    const TestFolder folder, cache;
    const fs::path archive = folder.path() / "t.zip";
    writeArchive(archive, ArchiveKind::Zip, {{"trace_view.json", kTrace}});
    const auto first = importCached(archive, cache.path());
    QCOMPARE(first.result->value()->ranks.at(0).trace->sliceCount(), std::size_t{2});
    writeArchive(archive, ArchiveKind::Zip,
                 {{"trace_view.json", R"([{"ph":"X","name":"N","pid":1,"tid":2,"ts":1,"dur":2}])"}});
    const auto second = importCached(archive, cache.path());
    QCOMPARE(second.result->value()->ranks.at(0).trace->sliceCount(), std::size_t{1});
    QCOMPARE(text(argumentsOf(*first.result->value())), text(R"({"k":"v"})"));
}

void TestArchiveCapture::withoutCacheNothingStays() {
    const TestFolder folder, temporary;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", QByteArray::fromStdString(temporary.path().string()));
    const fs::path archive = folder.path() / "t.tar";
    writeArchive(archive, ArchiveKind::Tar, {{"trace_view.json", kTrace}});
    {
        const auto result = importForTest(archive);
        QVERIFY(!fs::is_empty(temporary.path()));
        QCOMPARE(text(argumentsOf(*result.value())), text(R"({"k":"v"})"));
    }
    QVERIFY(fs::is_empty(temporary.path()));
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
}

void TestArchiveCapture::unusableCacheOnlyCostsTime() {
    const TestFolder folder;
    const fs::path archive = folder.path() / "t.tar";
    writeArchive(archive, ArchiveKind::Tar, {{"trace_view.json", kTrace}});
    const auto import = importCached(archive, folder.write("file", "x") / "below");
    QVERIFY(import.result->ok());
    QCOMPARE(text(argumentsOf(*import.result->value())), text(R"({"k":"v"})"));
}

void TestArchiveCapture::evidenceStays() {
    const TestFolder folder, cache;
    const fs::path archive = folder.path() / "t.tar.gz";
    writeArchive(archive, ArchiveKind::TarGz, {{"trace_view.json", kTrace}});
    const std::string before = contentOf(archive);
    const auto time = fs::last_write_time(archive);
    QVERIFY(importCached(archive, cache.path()).result->ok());
    QVERIFY(importForTest(archive).ok());
    QVERIFY(contentOf(archive) == before && fs::last_write_time(archive) == time);
    QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), std::ptrdiff_t{1});
}

void TestArchiveCapture::cancelled() {
    const TestFolder folder, cacheFolder;
    const fs::path archive = folder.path() / "t.tar.gz";
    writeArchive(archive, ArchiveKind::TarGz, {{"trace_view.json", kTrace}});
    const CancelToken cancel;
    cancel.requestCancel();
    const StoreCache cache(cacheFolder.path());
    ProgressSlot progress;
    QVERIFY(reader::scanArchive(archive, {}, &cache, progress, cancel).cancelled());
    QVERIFY(fs::is_empty(cacheFolder.path()));
}

void TestArchiveCapture::errors_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("code");
    const TestFolder folder;
    const auto packed = [&](ArchiveKind kind, const std::vector<ArchiveItem>& items, const std::string& password = {}) {
        writeArchive(folder.path() / "a", kind, items, password);
        return QByteArray::fromStdString(contentOf(folder.path() / "a"));
    };
    const auto row = [](const char* clause, const char* name, const QByteArray& content, const char* code) {
        QTest::addRow("%s", clause) << QString::fromUtf8(name) << content << QString::fromUtf8(code);
    };
    row("no gzip at all", "a.json.gz", QByteArray("\x1f\x8b\x08", 3), "archive.truncated");
    row("no zip at all", "a.zip", QByteArray("PK\x03\x04", 4), "archive.truncated");
    row("tar by name only", "a.tar", QByteArray(2000, 'x'), "archive.damaged");
    row("empty tar", "a.tar.gz", packed(ArchiveKind::TarGz, {}), "archive.empty");
    row("empty zip", "a.zip", packed(ArchiveKind::Zip, {}), "archive.empty");
    row("only a folder", "a.zip", packed(ArchiveKind::Zip, {{"d/", {}, ArchiveItem::Type::Folder}}), "archive.empty");
    row("nothing known", "a.zip", packed(ArchiveKind::Zip, {{"notes.txt", "x"}, {"todo.txt", "x"}}),
        "capture.nothing_found");
    row("nothing known but what was refused", "a.zip",
        packed(ArchiveKind::Zip, {{"notes.txt", "x"}, {"../t.json", kTrace}, {"o.txt", "x"}}), "archive.path_refused");
    row("one file that is no trace", "a.gz", packed(ArchiveKind::Gz, {{"x", "hello"}}), "trace.not_json");
    row("compressed twice", "a.gz",
        packed(ArchiveKind::Gz, {{"x", packed(ArchiveKind::Gz, {{"x", kTrace}}).toStdString()}}), "archive.nested");
    row("behind a password", "a.zip", packed(ArchiveKind::Zip, {{"trace_view.json", kTrace}}, "secret"),
        "archive.encrypted");
    row("only an absolute path", "a.tar", packed(ArchiveKind::Tar, {{"/trace_view.json", kTrace}}),
        "archive.path_refused");
}

void TestArchiveCapture::errors() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, code);
    const TestFolder folder;
    const fs::path archive = folder.write(name.toStdString(), content.toStdString());
    const auto result = importForTest(archive);
    QVERIFY(result.failed());
    QCOMPARE(text(result.error().code), code);
    // Nobody knows where it was expanded to.
    QVERIFY2(result.error().file.starts_with(archive.string()), result.error().file.c_str());
    for (const char* language : {"en", "zh_CN"}) {
        const std::string sentence = errorText(result.error(), language);
        QVERIFY2(sentence.find('{') == std::string::npos && sentence.size() > 30, sentence.c_str());
    }
}

void TestArchiveCapture::cutAnywhere_data() {
    sameAsTheFolder_data();
    QTest::addRow("gzip") << "run.json.gz" << static_cast<int>(ArchiveKind::Gz);
    QTest::addRow("zstd") << "run.json.zst" << static_cast<int>(ArchiveKind::Zst);
}

void TestArchiveCapture::cutAnywhere() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    const TestFolder folder, packed;
    writeCapture(folder, "");
    const bool isSingle =
        static_cast<ArchiveKind>(kind) == ArchiveKind::Gz || static_cast<ArchiveKind>(kind) == ArchiveKind::Zst;
    const fs::path archive = packed.path() / name.toStdString();
    writeArchive(archive, static_cast<ArchiveKind>(kind),
                 isSingle ? std::vector<ArchiveItem>{{"x", kTrace}} : itemsOf(folder.path()));
    const std::string whole = contentOf(archive), expected = everything(importForTest(archive));
    const std::size_t step = (isSingle ? 3 : 64) * kStride;
    for (std::size_t size = 1; size < whole.size(); size += step) {
        packed.write(name.toStdString(), std::string_view(whole).substr(0, size));
        const auto result = importForTest(archive);
        QVERIFY(!result.cancelled());
        // Either nothing is missing, or somebody says so.
        if (!result.ok()) continue;
        if (result.value()->state == CaptureStore::State::Ok) QCOMPARE(text(everything(result)), text(expected));
    }
}

void TestArchiveCapture::flippedAnywhere_data() { cutAnywhere_data(); }

void TestArchiveCapture::flippedAnywhere() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    const TestFolder packed;
    const fs::path archive = packed.path() / name.toStdString();
    writeArchive(archive, static_cast<ArchiveKind>(kind), {{"trace_view.json", kTrace}});
    const std::string whole = contentOf(archive), expected = everything(importForTest(archive));
    // The checksum of gzip is that of all that it holds.
    const bool isChecked =
        static_cast<ArchiveKind>(kind) == ArchiveKind::Gz || static_cast<ArchiveKind>(kind) == ArchiveKind::TarGz;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < whole.size(); at += kStride) {
        // A tar is mostly padding.
        if (whole[at] == 0 && at % 64 != 0) continue;
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x5A);
        packed.write(name.toStdString(), flipped);
        const auto result = importForTest(archive);
        QVERIFY(!result.cancelled());
        if (result.ok()) ++kept;
        if (isChecked && result.ok() && result.value()->state == CaptureStore::State::Ok)
            QCOMPARE(text(everything(result)), text(expected));
    }
    QVERIFY2(kept < whole.size(), std::to_string(kept).c_str());
}

void TestArchiveCapture::whatOnlyTheEndTells_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reported");  // empty: nothing is wrong
    const TestFolder folder;
    const auto packed = [&](ArchiveKind kind, const char* name, const std::string& content = kTrace) {
        writeArchive(folder.path() / "a", kind, {{name, content}});
        return QByteArray::fromStdString(contentOf(folder.path() / "a"));
    };
    const std::string trace = kTrace;
    const QByteArray one = packed(ArchiveKind::Gz, "x"), many = packed(ArchiveKind::TarGz, "trace_view.json");
    const auto flipped = [](QByteArray bytes, qsizetype fromEnd) {
        bytes[bytes.size() - fromEnd] = static_cast<char>(bytes[bytes.size() - fromEnd] ^ 1);
        return bytes;
    };
    static constexpr qsizetype kChecksum = 8, kLength = 4;
    const QString damaged = QStringLiteral("lost archive.damaged");
    QTest::addRow("a file: another checksum") << "a.json.gz" << flipped(one, kChecksum) << damaged;
    QTest::addRow("a file: another length") << "a.json.gz" << flipped(one, kLength) << damaged;
    QTest::addRow("a file: something behind it") << "a.json.gz" << one + "more" << damaged;
    QTest::addRow("a file: a checksum that is cut")
        << "a.json.gz" << one.chopped(3) << QStringLiteral("lost archive.truncated");
    QTest::addRow("a file: zeros behind it") << "a.json.gz" << one + QByteArray(700, '\0') << QString();
    QTest::addRow("a file in two parts") << "a.json.gz"
                                         << packed(ArchiveKind::Gz, "x", trace.substr(0, 50)) +
                                                packed(ArchiveKind::Gz, "x", trace.substr(50))
                                         << QString();
    const auto part = [&](std::size_t from, std::size_t size) {
        return packed(ArchiveKind::Gz, "x", trace.substr(from, size));
    };
    const QByteArray first = part(0, 40), second = part(40, 10), third = part(50, std::string::npos);
    const auto inMiddle = [&](const QByteArray& middle) { return first + middle + third; };
    const auto at = [&](qsizetype place) {
        return QStringLiteral("lost archive.damaged a.json.gz x1 byte %1\n").arg(place);
    };
    QTest::addRow("a file: another checksum in the middle")
        << "a.json.gz" << inMiddle(flipped(second, kChecksum)) << at(first.size());
    QTest::addRow("a file: other lengths in two parts")
        << "a.json.gz" << flipped(first, kLength) + flipped(second, kLength) + third
        << QStringLiteral("lost archive.damaged a.json.gz x2 byte 0, byte %1\n").arg(first.size());
    // Bytes 2, 3: method and flags; 10: the first field.
    const auto withFields = [&](char flags, const QByteArray& fields) {
        QByteArray bytes = second;
        bytes[3] = flags;
        return inMiddle(bytes.insert(10, fields));
    };
    QTest::addRow("a file: an extra field, a name and a comment")
        << "a.json.gz" << withFields(4 + 8 + 16, QByteArray("\3\0ab\0name\0comment\0", 18)) << QString();
    QTest::addRow("a file: another checksum of a header")
        << "a.json.gz" << withFields(2, QByteArray("\1\2", 2)) << at(first.size());
    QTest::addRow("a file: a name without end behind it")
        << "a.json.gz" << one + withFields(8, {}).mid(first.size(), 10) + QByteArray(2 << 20, 'x') << damaged;
    QTest::addRow("a file: another form behind it") << "a.json.gz" << one + QByteArray("\x1f\x8b\7\0", 4) << damaged;
    QTest::addRow("a file: a header that is cut")
        << "a.json.gz" << one + second.left(7) << QStringLiteral("lost archive.truncated");
    QTest::addRow("a collection: another checksum") << "a.tar.gz" << flipped(many, kChecksum) << damaged;
    QTest::addRow("a collection: another one behind it") << "a.tar.gz" << many + many << damaged;
    const QByteArray two = packed(ArchiveKind::Tar, "trace_view.json");
    QTest::addRow("a tar: another one behind it") << "a.tar" << two + two << damaged;
    QTest::addRow("a tar: zeros behind it") << "a.tar" << two + QByteArray(700, '\0') << QString();
    QTest::addRow("a collection: zeros behind it") << "a.tar.gz" << many + QByteArray(700, '\0') << QString();
}

void TestArchiveCapture::fillingWithoutEndIsCancelled() {
    const TestFolder folder;
    writeArchive(folder.path() / "a.gz", ArchiveKind::Gz, {{"x", kTrace}});
    // A hole of 64 GB: to read it all would take a minute.
    std::filesystem::resize_file(folder.path() / "a.gz", std::uint64_t{64} << 30);
    const auto file = ReadOnlyFile::open(folder.path() / "a.gz");
    QVERIFY(file.ok());
    CancelToken cancel;
    reader::GzipInput input(file.value(), cancel);
    std::thread later([&cancel] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        cancel.requestCancel();
    });
    std::vector<char> out(std::size_t{1} << 20);
    QCOMPARE(input.read(out), std::string_view(kTrace).size());
    later.join();
    QCOMPARE(input.read(out), std::size_t{0});
    QVERIFY(input.problem().empty());
    QVERIFY2(input.position() < std::uint64_t{32} << 30, std::to_string(input.position()).c_str());
}

/// Nothing but the checksum, or what stands behind the end, says that something is missing or changed.
void TestArchiveCapture::whatOnlyTheEndTells() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, reported);
    const TestFolder folder;
    const auto result = importForTest(folder.write(name.toStdString(), content.toStdString()));
    QVERIFY(result.ok());
    const QString diagnostics = text(dumpDiagnostics(result.value()->diagnostics));
    QVERIFY2(diagnostics.contains(QStringLiteral("archive.")) != reported.isEmpty() && diagnostics.contains(reported),
             qPrintable(diagnostics));
    QVERIFY(result.value()->ranks.at(0).trace != nullptr);
    QCOMPARE(result.value()->ranks[0].trace->sliceCount(), std::uint64_t{2});
}

ALTI_TEST(TestArchiveCapture)
#include "tst_archive_capture.moc"
