#include "core/import/archive/archive_names.h"
#include "core/import/scan/folder_scanner.h"
#include "core/import/scan/snapshot_files.h"
#include "core/import/snapshot/pickle_place.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

std::vector<std::filesystem::path> picklesIn(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".pkl") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// What the script says of each file, by name.
std::map<std::string, std::string> rowsByScript(const std::vector<std::filesystem::path>& files) {
    std::map<std::string, std::string> rows;
    const std::string text = runScript("count_snapshot.py", files).value_or("");
    std::string* current = nullptr;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at);
        if (line.starts_with("file ")) current = &rows[line.substr(5, line.size() - 6)];
        else if (current != nullptr) *current += line;
        at = end;
    }
    return rows;
}

/// Rows of the one rank of a file, without the rank.
std::string rowsOf(const ImportResult& result) {
    if (!result.ok()) return "error " + result.error().code;
    const std::string text = dumpTables(*result.value());
    std::string rows;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        // Stacks have lines of their own.
        const bool isRow = text.compare(at + 1, 10, " snapshot_") == 0;
        rows.append(text, at + (isRow ? 2 : 0), end - at - (isRow ? 2 : 0));
        at = end;
    }
    return rows;
}

/// The first line in which two texts differ, for a message that can be read.
std::string firstDifference(const std::string& actual, const std::string& expected) {
    if (actual == expected) return {};
    const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
    const auto lineAt = [](const std::string& text, std::size_t at) {
        const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        return text.substr(begin, text.find('\n', at) - begin);
    };
    return lineAt(actual, static_cast<std::size_t>(a - actual.begin())) + "\nexpected\n" +
           lineAt(expected, static_cast<std::size_t>(e - expected.begin()));
}

std::string problemsOf(const ImportResult& result) {
    return result.ok() ? dumpDiagnostics(result.value()->diagnostics) : "error " + result.error().code + '\n';
}

/// Each file alone against the script, in one piece and in pieces of 1000 bytes.
void compareWithScript(const std::filesystem::path& folder) {
    const auto files = picklesIn(folder);
    const auto expected = rowsByScript(files);
    QVERIFY(!files.empty());
    QCOMPARE(expected.size(), files.size());
    for (const std::filesystem::path& file : files) {
        for (const std::size_t chunkBytes : {std::size_t{4} << 20, std::size_t{1000}}) {
            const auto result = importForTest(file, {.chunkBytes = chunkBytes});
            const std::string difference = firstDifference(rowsOf(result), expected.at(file.filename().string()));
            QVERIFY2(difference.empty(), (file.string() + '\n' + difference).c_str());
        }
    }
}

}  // namespace

/// Memory snapshots against Python's own unpickler.
class TestSnapshot : public QObject {
    Q_OBJECT
private slots:
    void formsAgreeWithPython() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        compareWithScript(folder.path());
    }

    void samplesAgreeWithPython() {
        const auto folder = sharedData("snapshot");
        if (!folder) QSKIP(kNoSharedData);
        compareWithScript(*folder);
    }

    void whatDoesNotHoldIsReported() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        std::map<std::string, std::string> problems;
        for (const std::filesystem::path& file : picklesIn(folder.path())) {
            const std::string name = file.filename().string();
            std::string text = problemsOf(importForTest(file));
            for (std::size_t at = 0; (at = text.find(name)) != std::string::npos;) text.erase(at, name.size() + 1);
            problems[name.substr(0, name.find('_'))] = text;
        }
        for (const char* form : {"plain", "streams", "expandable", "old", "bare", "devices", "zip", "script",
                                 "annotated", "nohistory", "segments", "pending"})
            QVERIFY2(problems.at(form).empty(), (form + (": " + problems.at(form))).c_str());
        const std::string& late = problems.at("late");
        QVERIFY2(late.starts_with("info snapshot.history_late x") && late.find("disagrees") == std::string::npos,
                 late.c_str());
        QCOMPARE(problems.at("workspace"), std::string("repaired snapshot.workspace x1\n"));
        const std::string& tuples = problems.at("tuples");
        QVERIFY2(tuples.starts_with("lost snapshot.bad_frame x") && tuples.find('\n') + 1 == tuples.size(),
                 tuples.c_str());
        QCOMPARE(problems.at("ranges"), std::string("lost snapshot.bad_range x5\n"));
        for (const char* code :
             {"info snapshot.time_order x", "lost snapshot.bad_annotation x", "lost snapshot.bad_time x"})
            QVERIFY2(problems.at("timed").find(code) != std::string::npos, problems.at("timed").c_str());
    }

    void aFolderOfSnapshotsIsACapture() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        const auto forms = picklesIn(folder.path());
        std::filesystem::create_directories(folder.path() / "run");
        const auto copy = [&](std::size_t form, const char* name) {
            std::filesystem::copy_file(forms[form], folder.path() / "run" / name);
        };
        copy(0, "snapshot_2026-01-31-08-15_3.pickle");
        copy(1, "snapshot_2026-01-31-08-14_3.pickle");
        copy(2, "snapshot_rank4.pkl");
        folder.write("run/other.pkl", "\x80\x04K\x01.");
        folder.write("run/checkpoint.pkl", "PK\x03\x04 of something else");
        const auto result = importForTest(folder.path() / "run");
        QVERIFY(result.ok());
        const CaptureStore& capture = *result.value();
        QCOMPARE(capture.ranks.size(), std::size_t{2});
        QCOMPARE(*capture.ranks[0].info.rankId, std::int64_t{3});
        QCOMPARE(capture.ranks[0].info.path, std::string("snapshot_2026-01-31-08-15_3.pickle"));
        QCOMPARE(capture.ranks[0].info.alternatives, std::vector<std::string>{"snapshot_2026-01-31-08-14_3.pickle"});
        QCOMPARE(*capture.ranks[1].info.rankId, std::int64_t{4});
        QCOMPARE(*capture.ranks[0].info.deviceId, std::int64_t{0});
        for (const RankEntry& rank : capture.ranks) {
            QVERIFY(rank.rows != nullptr);
            QVERIFY(rank.rows->find(RowKind::SnapshotEvent) != nullptr);
            QVERIFY(rank.info.state == RankState::Ok);
        }
    }

    void ofSeveralSnapshotsTheFailedRequestComesFirstThenTheLast_data() {
        QTest::addColumn<int>("failed");  // Iteration whose snapshot has a request that failed; 0: none has.
        QTest::addColumn<qint64>("at");   // Where the word for it stands in the file.
        QTest::addColumn<QString>("expected");
        constexpr qint64 kPart = qint64{4} << 20;
        QTest::newRow("as people count") << 0 << qint64{0} << u"100,11,10,9"_s;
        QTest::newRow("not by its name") << 10 << qint64{100'000} << u"10,100,11,9"_s;
        // A file is searched in parts.
        for (qint64 before = 0; before < 6; ++before)
            QTest::addRow("a word %lld bytes before the end of a part", before)
                << 9 << kPart - before << u"9,100,11,10"_s;
        QTest::newRow("in the second part") << 9 << kPart + 1000 << u"9,100,11,10"_s;
    }
    void ofSeveralSnapshotsTheFailedRequestComesFirstThenTheLast() {
        QFETCH(int, failed);
        QFETCH(qint64, at);
        QFETCH(QString, expected);
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        const auto forms = picklesIn(folder.path());
        const auto plain = std::find_if(forms.begin(), forms.end(), [](const std::filesystem::path& form) {
            return form.filename().string().starts_with("nohistory");
        });
        QVERIFY(plain != forms.end());
        std::ifstream file(*plain, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        QVERIFY(bytes.find("oom") == std::string::npos);
        for (const int iteration : {9, 10, 11, 100}) {
            std::string content = bytes;
            if (iteration == failed) {
                content.resize(static_cast<std::size_t>(at), ' ');
                content += "\x8c\x03oom";
            }
            folder.write("run/rank3_iteration_" + std::to_string(iteration) + ".pickle", content);
        }
        const auto manifest = reader::scanCapture(folder.path() / "run", {}, {});
        QVERIFY(manifest.ok());
        QCOMPARE(manifest.value().ranks.size(), std::size_t{1});
        const RankInfo& rank = manifest.value().ranks[0].info;
        QStringList order{QString::fromStdString(rank.path)};
        for (const std::string& other : rank.alternatives) order << QString::fromStdString(other);
        order.replaceInStrings(u"rank3_iteration_"_s, QString()).replaceInStrings(u".pickle"_s, QString());
        QCOMPARE(order.join(u','), expected);
        QVERIFY(dumpDiagnostics(manifest.value().diagnostics).find("info snapshot.further") != std::string::npos);
    }

    /// Speech has segments too.
    void picklesOfOtherProgramsAreNoRanks() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        const auto forms = picklesIn(folder.path());
        std::filesystem::create_directories(folder.path() / "run");
        std::filesystem::copy_file(forms[0], folder.path() / "run" / "snapshot_1.pickle");
        const std::string speech =
            std::string("\x80\x04}(\x8c\x08segments](}(\x8c\x05startK\x01\x8c\x04textX\x0d\0\0\0", 38);
        folder.write("run/speech.pkl", speech + "say segments!ueu.");
        // The word as a value, and as a part of another key.
        folder.write("run/a.pkl", std::string("\x80\x04\x8c\x0f") + "of device_traces.");
        std::filesystem::create_directories(folder.path() / "run" / "checkpoints.pkl");
        const auto result = importForTest(folder.path() / "run");
        QVERIFY(result.ok());
        QCOMPARE(result.value()->ranks.size(), std::size_t{1});
        QVERIFY(result.value()->state == CaptureStore::State::Ok);
        QCOMPARE(dumpDiagnostics(result.value()->diagnostics), std::string());
    }

    void amongManyPicklesTheSnapshotIsFound() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        const auto forms = picklesIn(folder.path());
        for (int i = 0; i < 1200; ++i) folder.write("run/data/a" + std::to_string(i) + ".pkl", "\x80\x04K\x01.");
        std::filesystem::copy_file(forms[0], folder.path() / "run" / "zz_memory.pkl");
        const auto result = importForTest(folder.path() / "run");
        QVERIFY(result.ok());
        QCOMPARE(result.value()->ranks.size(), std::size_t{1});
        QVERIFY(result.value()->state == CaptureStore::State::Ok);
        QCOMPARE(dumpDiagnostics(result.value()->diagnostics), std::string("info scan.pickle_limit - x201\n"));
    }

    void compressedSnapshotsInAFolderAreReported() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        const auto forms = picklesIn(folder.path());
        std::filesystem::create_directories(folder.path() / "run");
        std::filesystem::copy_file(forms[0], folder.path() / "run" / "snapshot_1.pickle");
        folder.write("run/snapshot_2.pickle", "\x1F\x8B\x08 and so on");
        folder.write("run/weights.pkl", "\x1F\x8B\x08 and so on");
        const auto result = importForTest(folder.path() / "run");
        QVERIFY(result.ok());
        QCOMPARE(
            dumpDiagnostics(result.value()->diagnostics),
            std::string("lost snapshot.compressed snapshot_2.pickle x1\ninfo snapshot.compressed weights.pkl x1\n"));
    }

    void largePicklesInArchivesAreLookedAt() {
        using reader::MemberUse;
        constexpr std::uint64_t kLarge = std::uint64_t{50} << 20;
        QVERIFY(reader::useByName("weights.pkl", kLarge) == MemberUse::Unknown);
        QVERIFY(reader::useByName("small.pkl", 1000) == MemberUse::Needed);
        QVERIFY(reader::useByName("trace_view.json", kLarge) == MemberUse::Needed);
        const std::string snapshot = std::string("\x80\x04}(\x8c\x0d") + "device_traces]";
        QVERIFY(reader::useByHead("weights.pkl", snapshot) == MemberUse::Needed);
        QVERIFY(reader::useByHead("weights.pkl", "\x80\x04}(\x8c\x05model}") == MemberUse::Unknown);
        // As torch.save writes it, and of a checkpoint.
        const std::string header =
            std::string("PK\x03\x04") + std::string(26, '\0') + "archive/data.pkl" + std::string(20, 'Z');
        QVERIFY(reader::useByHead("x.pkl", header + snapshot) == MemberUse::Needed);
        QVERIFY(reader::useByHead("x.pkl", header + "\x80\x02}q") == MemberUse::Unknown);
    }

    void ranksInNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("rank");
        QTest::addRow("a minute, then the rank") << "snapshot_2026-01-31-08-15_12.pickle" << 12;
        QTest::addRow("a time in ns") << "snapshot_1768383987920985470.pkl" << -1;
        QTest::addRow("a word") << "snapshot_expandable.pkl" << -1;
        QTest::addRow("rank in words") << "memory-rank7.pkl" << 7;
        QTest::addRow("no number") << "snapshot.pkl" << -1;
        QTest::addRow("a rank alone") << "snapshot_5.pickle" << 5;
        QTest::addRow("how far a training came") << "snapshot_iter_100.pickle" << -1;
        QTest::addRow("a version") << "model_v_2.pkl" << -1;
        QTest::addRow("a part of something else") << "part_7.pkl" << -1;
    }
    void ranksInNames() {
        QFETCH(QString, name);
        QFETCH(int, rank);
        QCOMPARE(reader::rankInSnapshotName(name.toStdString()).value_or(-1), std::int64_t{rank});
    }
};

ALTI_TEST(TestSnapshot)
#include "tst_snapshot.moc"
