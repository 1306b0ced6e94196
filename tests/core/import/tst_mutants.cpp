#include "core/base/threads/parallel.h"
#include "core/generate/generate_capture.h"
#include "tests/core/import/mindspore_samples.h"
#include "tests/core/import/mutant_files.h"
#include "tests/support/capture_dump.h"
#include "tests/support/effort.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

/// A file of a capture that is to be damaged; the others lie beside it.
struct MutantSample {
    fs::path root;  ///< Of the capture.
    fs::path file;  ///< Within it.
    std::string whole;
    std::map<std::string, std::uint64_t> rows;  ///< As read whole.
};

bool isReadFile(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".json" || ending == ".csv" || ending == ".db" || ending == ".txt" || ending == ".jsonl";
}

/// Whether the statements that made the tables of a database read otherwise.
bool hasOtherNames(std::string_view database, std::string_view mutant) {
    static constexpr std::string_view kCreate = "CREATE TABLE ";
    for (std::size_t at = 0; (at = database.find(kCreate, at)) != std::string_view::npos; ++at) {
        const std::string_view statement = database.substr(at, database.find(')', at) - at);
        if (mutant.find(statement) == std::string_view::npos) return true;
    }
    return false;
}

bool hasFewer(std::string_view mutant, std::string_view whole, std::string_view word) {
    const auto count = [word](std::string_view text) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) ++found;
        return found;
    };
    return count(mutant) < count(whole);
}

bool holdsCode(const Diagnostics& diagnostics, std::string_view code) {
    const auto entries = diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [code](const Diagnostic& one) { return one.code == code; });
}

std::string_view headerOf(std::string_view text) { return text.substr(0, text.find('\n')); }

/// As npu-monitor writes them.
std::string monitorLines() {
    std::string text;
    for (std::int64_t i = 0; i < 300; ++i) {
        const std::string times = "\"endNs\":" + std::to_string(1'772'360'100'000'000'900 + i * 1000) +
                                  ",\"name\":\"name" + std::to_string(i % 7) + "\",";
        const std::string start = "\"startNs\":" + std::to_string(1'772'360'100'000'000'000 + i * 1000);
        const std::string id = "{\"correlationId\":" + std::to_string(i / 2 + 1) + ",";
        if (i % 2 == 0) text += id + times + "\"kind\":\"API\",\"processId\":7," + start + ",\"threadId\":8}\n";
        else
            text += id + "\"deviceId\":0," + times + "\"kind\":\"Kernel\"," + start +
                    ",\"streamId\":2,\"type\":\"KERNEL_AIVEC\"}\n";
    }
    return text;
}

class TestMutants : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void lossesAreReported();

private:
    void addSamples(const fs::path& root, std::uintmax_t most);

    std::vector<std::unique_ptr<TestFolder>> m_folders;
    std::vector<MutantSample> m_samples;
};

void TestMutants::addSamples(const fs::path& root, std::uintmax_t most) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file() || !isReadFile(entry.path()) || entry.file_size() == 0 || entry.file_size() > most)
            continue;
        // The file alone, where it lies: what others hold of it must not hide what is missing.
        m_folders.push_back(std::make_unique<TestFolder>());
        const fs::path within = fs::relative(entry.path(), root);
        MutantSample sample{m_folders.back()->path() / "capture", within, bytesOfFile(entry.path()), {}};
        m_folders.back()->write(("capture" / within).string(), sample.whole);
        const auto result = importForTest(sample.root);
        if (!result.ok()) continue;
        sample.rows = rowCounts(*result.value());
        const bool hasRows =
            std::any_of(sample.rows.begin(), sample.rows.end(), [](const auto& one) { return one.second > 0; });
        if (!hasRows) continue;
        const Diagnostics& reported = result.value()->diagnostics;
        const std::vector<Diagnostic> before = reported.entries();
        const bool isKnown = std::any_of(before.begin(), before.end(),
                                         [](const Diagnostic& one) { return one.severity != Severity::Info; });
        // Where something is told anyway, nothing can be learnt.
        if (!isKnown) m_samples.push_back(std::move(sample));
        else qInfo("left out: %s: %s", within.c_str(), dumpDiagnostics(reported).substr(0, 300).c_str());
    }
}

void TestMutants::initTestCase() {
    static constexpr std::uintmax_t kMax = std::uintmax_t{2300} << 10;
    const TestFolder folder;
    std::vector<std::string> words{"--ranks",  "2",        "--steps",  "2",         "--layers",
                                   "1",        "--format", "text",     "--format",  "db",
                                   "--format", "cluster",  "--format", "mindspore", (folder.path() / "made").string()};
    const auto options = generate::parseGenerateOptions(words);
    QVERIFY(options.ok());
    WorkerArena arena(2);
    ProgressSlot progress;
    Result<generate::GenerateSummary> made = Cancelled{};
    arena.run([&] { made = generate::generateCapture(options.value(), progress, CancelToken()); });
    QVERIFY2(made.ok(), made.failed() ? made.error().code.c_str() : "");
    addSamples(folder.path() / "made", kMax);
    QVERIFY(m_samples.size() > 10);
    folder.write("lines/msmonitor_7_20260301101500123_0.jsonl", monitorLines());
    const std::size_t before = m_samples.size();
    addSamples(folder.path() / "lines", kMax);
    QCOMPARE(m_samples.size(), before + 1);
    addSamples(qEnvironmentVariable("ALTI_SOURCE_DIR").toStdString() + "/tests/golden/mindspore_phases/capture", kMax);
    folder.write("summary/PROF_000001_20260101000000000_A/mindstudio_profiler_output/step_trace_20260101000000.csv",
                 mindspore_samples::kIterations);
    addSamples(folder.path() / "summary", kMax);
    std::string tasks =
        "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)\n";
    for (std::int64_t i = 0; i < 300; ++i)
        tasks += "0,name" + std::to_string(i % 7) + ",AI_CORE,2," + std::to_string(i) + ",0.9," +
                 std::to_string(1'772'360'100'000'000 + i) + ".000\t," + std::to_string(1'772'360'100'000'000 + i) +
                 ".900\t\n";
    folder.write("tasks/PROF_000001_20260101000000000_A/mindstudio_profiler_output/task_time_20260101000000.csv",
                 tasks);
    const std::size_t beforeTasks = m_samples.size();
    addSamples(folder.path() / "tasks", kMax);
    QCOMPARE(m_samples.size(), beforeTasks + 1);
    QVERIFY(m_samples.size() > before + 5);
    if (const auto real = sharedData("")) {
        for (const auto& capture : fs::directory_iterator(*real)) {
            if (capture.is_directory()) addSamples(capture.path(), kMax);
        }
    }
    qInfo("%zu files", m_samples.size());
}

/// Whatever is done to a file: no crash, an answer soon, and where fewer rows come than the whole file has, something
/// is told; but of a file that is as good as any other: well-formed, and complete in itself.
void TestMutants::lossesAreReported() {
    // ALTI_MUTANTS_FROM gives other mutants than every run has: 2,000 from a number of the day before a release.
    const std::size_t first = numberFrom("ALTI_MUTANTS_FROM", 0), wanted = numberFrom("ALTI_MUTANTS", 200 / kStride);
    std::size_t failed = 0;
    std::uint64_t lost = 0;
    for (std::size_t number = first; number < first + wanted; ++number) {
        std::mt19937 random(static_cast<std::uint32_t>(number) + 1);
        const MutantSample& sample = m_samples[random() % m_samples.size()];
        const MutantOf mutant = mutantOf(sample.whole, random);
        const std::string where = std::to_string(number) + ' ' + sample.root.parent_path().filename().string() + '/' +
                                  sample.file.string() + ' ' + mutant.how;
        fs::remove(sample.root / sample.file);
        std::ofstream(sample.root / sample.file, std::ios::binary) << mutant.text;
        QElapsedTimer timer;
        timer.start();
        const auto result = importForTest(sample.root);
        QVERIFY2(timer.elapsed() < 20'000, where.c_str());
        std::ofstream(sample.root / sample.file, std::ios::binary | std::ios::trunc) << sample.whole;
        if (!result.ok()) continue;
        // A text that ends where a line does is a shorter one, and the last line of a table needs no end.
        const bool isOfLines = sample.file.extension() == ".csv" || sample.file.extension() == ".txt" ||
                               sample.file.extension() == ".jsonl";
        const bool endsWithLine = isOfLines && mutant.how.starts_with("cut") &&
                                  (mutant.text.ends_with('\n') || mutant.text.ends_with('\r') ||
                                   holdsCode(result.value()->diagnostics, "csv.no_line_end"));
        const auto entries = result.value()->diagnostics.entries();
        const bool isKnown = std::any_of(entries.begin(), entries.end(),
                                         [](const Diagnostic& one) { return one.severity != Severity::Info; });
        auto rows = rowCounts(*result.value());
        for (const auto& [table, count] : sample.rows) {
            if (rows[table] >= count) continue;
            ++lost;
            // Other names of columns, of tables, of modules, or of keys in metadata, are names that nobody knows.
            const bool isRenamed =
                (table == "dataset_op" && hasFewer(mutant.text, sample.whole, ",Dataset,")) ||
                (sample.file.extension() == ".csv" && headerOf(mutant.text) != headerOf(sample.whole)) ||
                (sample.file.extension() == ".db" && hasOtherNames(sample.whole, mutant.text)) ||
                (table == "comm_group" && sample.file.filename() == "profiler_metadata.json" &&
                 !mutant.how.starts_with("cut"));
            if (isKnown || endsWithLine || isRenamed) continue;
            ++failed;
            qWarning("%s: %s %llu -> %llu, state %d, nothing told: %s", where.c_str(), table.c_str(),
                     static_cast<unsigned long long>(count), static_cast<unsigned long long>(rows[table]),
                     static_cast<int>(result.value()->state), dumpDiagnostics(result.value()->diagnostics).c_str());
        }
    }
    qInfo("%zu mutants, %llu tables with losses", wanted, static_cast<unsigned long long>(lost));
    QCOMPARE(failed, std::size_t{0});
}

}  // namespace

ALTI_TEST(TestMutants)
#include "tst_mutants.moc"
