#include "tests/core/import/mutant_files.h"
#include "tests/support/capture_dump.h"
#include "tests/support/effort.h"
#include "tests/support/raw_run.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// A raw capture of which one file is damaged at a time, and what there is of it whole.
struct RawSample {
    fs::path root;
    std::vector<fs::path> files;  ///< Within it.
    Counts rows;
    std::set<std::string> reported;
};

/// Rows that events are. Not those of groups (statistics, links, ...), which another value of one of them may join, nor
/// what is computed of the time that events cover.
Counts rowsOfEvents(const CaptureStore& capture) {
    static constexpr std::string_view kGroups[] = {"op_stat",   "api_stat",   "bandwidth",      "packet", "link",
                                                   "name_stat", "comm_group", "step_breakdown", "slice"};
    Counts counts = rowCounts(capture);
    for (const std::string_view group : kGroups) counts.erase(std::string(group));
    for (const RankEntry& rank : capture.ranks) {
        if (!rank.trace) continue;
        counts["flow"] += rank.trace->flowCount();
        for (std::size_t i = 0; i < rank.trace->tracks().size(); ++i) {
            const TrackIndex track{static_cast<std::uint32_t>(i)};
            if (rank.trace->track(track).process.find("Overlap") == std::string::npos)
                counts["slice"] += rank.trace->extent(track).sliceCount;
        }
    }
    return counts;
}

/// What is reported beside the count of what was read.
std::set<std::string> reportsOf(const CaptureStore& capture) {
    std::set<std::string> reports;
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (one.code != "raw.read") reports.insert(one.code + ' ' + one.file + ' ' + std::to_string(one.count));
    }
    return reports;
}

void copyCapture(const fs::path& from, const fs::path& to) {
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        if (!entry.is_regular_file()) continue;
        const fs::path path = to / fs::relative(entry.path(), from);
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytesOfFile(entry.path());
    }
}

class TestRawMutants : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void lossesAreReported();

private:
    void addSample(const fs::path& root);

    std::vector<std::unique_ptr<TestFolder>> m_folders;
    std::vector<RawSample> m_samples;
};

void TestRawMutants::addSample(const fs::path& root) {
    const auto whole = importForTest(root);
    QVERIFY(whole.ok());
    RawSample sample{root, {}, rowsOfEvents(*whole.value()), reportsOf(*whole.value())};
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_regular_file() && entry.file_size() > 0 && entry.path().extension() != ".done")
            sample.files.push_back(fs::relative(entry.path(), root));
    }
    std::sort(sample.files.begin(), sample.files.end());
    QVERIFY(sample.rows["slice"] > 10);
    m_samples.push_back(std::move(sample));
}

void TestRawMutants::initTestCase() {
    // For whoever looks for more: another capture alone.
    if (const char* other = std::getenv("ALTI_MUTANTS_OF")) {
        m_folders.push_back(std::make_unique<TestFolder>());
        copyCapture(other, m_folders.back()->path());
        return addSample(m_folders.back()->path());
    }
    m_folders.push_back(std::make_unique<TestFolder>());
    addSample(writeRawRun(m_folders.back()->path()));
    for (const char* name : {"small", "flip_ffts", "torch"}) {
        const auto real = sharedData("raw/" + std::string(name) + "/input");
        if (!real) continue;
        m_folders.push_back(std::make_unique<TestFolder>());
        copyCapture(*real, m_folders.back()->path());
        addSample(m_folders.back()->path());
    }
}

/// Whatever is done to a file of raw data: no crash, an answer soon, and where events are missing that the whole file
/// tells of, something is reported.
void TestRawMutants::lossesAreReported() {
    // As of the mutants of other files.
    const std::size_t first = numberFrom("ALTI_MUTANTS_FROM", 0), wanted = numberFrom("ALTI_MUTANTS", 120 / kStride);
    std::size_t failed = 0, lost = 0;
    for (std::size_t number = first; number < first + wanted; ++number) {
        std::mt19937 random(static_cast<std::uint32_t>(number) + 1);
        const RawSample& sample = m_samples[random() % m_samples.size()];
        const fs::path& file = sample.files[random() % sample.files.size()];
        const std::string whole = bytesOfFile(sample.root / file);
        const MutantOf mutant = mutantOf(whole, random);
        std::ofstream(sample.root / file, std::ios::binary | std::ios::trunc) << mutant.text;
        const std::string where = std::to_string(number) + ' ' + file.string() + ' ' + mutant.how;
        QElapsedTimer timer;
        timer.start();
        const auto result = importForTest(sample.root);
        QVERIFY2(timer.elapsed() < 20'000, where.c_str());
        std::ofstream(sample.root / file, std::ios::binary | std::ios::trunc) << whole;
        if (!result.ok()) continue;
        Counts rows = rowsOfEvents(*result.value());
        const auto isFewer = [&rows](const auto& one) { return rows[one.first] < one.second; };
        const auto less = std::find_if(sample.rows.begin(), sample.rows.end(), isFewer);
        if (less == sample.rows.end()) continue;
        ++lost;
        const std::set<std::string> reported = reportsOf(*result.value());
        if (!std::includes(sample.reported.begin(), sample.reported.end(), reported.begin(), reported.end())) continue;
        ++failed;
        qWarning("%s: %s %llu -> %llu, nothing reported", where.c_str(), less->first.c_str(),
                 static_cast<unsigned long long>(less->second), static_cast<unsigned long long>(rows[less->first]));
    }
    qInfo("%zu mutants of %zu captures, %zu with losses", wanted, m_samples.size(), lost);
    QVERIFY(lost > wanted / 10);
    QCOMPARE(failed, std::size_t{0});
}

}  // namespace

ALTI_TEST(TestRawMutants)
#include "tst_raw_mutants.moc"
