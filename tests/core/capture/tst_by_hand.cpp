#include "core/capture/session/by_hand.h"

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

namespace {

/// Names with their bytes and times, for what must not be touched.
std::map<std::string, std::pair<std::string, fs::file_time_type>> everythingIn(const fs::path& folder) {
    std::map<std::string, std::pair<std::string, fs::file_time_type>> found;
    for (const auto& at : fs::recursive_directory_iterator(folder)) {
        std::string text;
        if (at.is_regular_file()) {
            std::ifstream file(at.path());
            text.assign(std::istreambuf_iterator<char>(file), {});
        }
        found[at.path().string()] = {text, fs::last_write_time(at)};
    }
    return found;
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

}  // namespace

/// A folder that the user has made and copied without this program ("Run manually").
class TestByHand : public QObject {
    Q_OBJECT
private slots:
    void eachRankIsJudgedByItsMarks();
    void whatTheMethodDoesNotMakeIsNotTaken();
    void snapshotsOfAMethod();
};

void TestByHand::eachRankIsJudgedByItsMarks() {
    const QTemporaryDir folder;
    const fs::path results = fs::path(folder.path().toStdString()) / "from all hosts", one = results / "node1",
                   two = results / "node2";
    const RecordStore store(fs::path(folder.path().toStdString()) / "captures");
    const fs::path good = one / "node1_7_20260101120000120_ascend_pt",
                   raw = two / "node2_8_20260101120000120_ascend_pt", cut = two / "node2_9_20260101120000120_ascend_pt";
    write(good / "profiler_info_0.json", "{}");
    write(good / "ASCEND_PROFILER_OUTPUT/trace_view.json", "[]");
    write(good / "ASCEND_PROFILER_OUTPUT/analyse.done", "");
    write(raw / "profiler_info_1.json", "{}");
    write(raw / "FRAMEWORK/torch.op_range", "x");
    write(cut / "FRAMEWORK/torch.op_range", "x");
    const auto before = everythingIn(results);

    SettingProblems problems;
    const std::vector<Assignment> assignments{{"ranks", "0,1,2"}, {"analyse_flag", "false"}};
    const Settings settings = makeSettings(*findMethod("mm-static"), assignments, nullptr, problems);
    const auto taken = takeByHand(store, settings, "first-look", assignments, results);
    QVERIFY(taken.ok());
    QCOMPARE(everythingIn(results), before);

    const auto loaded = store.load(taken.value().id);
    QVERIFY(loaded.ok());
    const CaptureRecord& record = loaded.value();
    QCOMPARE(record.method, std::string("mm-static"));
    QCOMPARE(record.preset, std::string("first-look"));
    QVERIFY(record.assignments == assignments);
    // Rank 2 is missing, and a result without the mark of its end is none.
    QCOMPARE(stateText(record.state), std::string_view("failed"));
    QCOMPARE(record.targets.size(), std::size_t{1});
    std::map<std::string, std::pair<std::string, std::string>> ranks;
    for (const RankRecord& rank : record.targets[0].ranks)
        ranks[rank.path] = {std::string(stateText(rank.state)), rank.message.code};
    const std::map<std::string, std::pair<std::string, std::string>> expected{
        {good.string(), {"done", ""}},
        {raw.string(), {"done", "capture.result.raw"}},
        {cut.string(), {"failed", "capture.result.incomplete"}}};
    QCOMPARE(ranks, expected);
    const auto isMissing = [](const Event& event) {
        return event.rank == 2 && event.message.code == "capture.result.rank_missing";
    };
    QCOMPARE(std::count_if(record.events.begin(), record.events.end(), isMissing), std::ptrdiff_t{1});
    // It is opened where it lies.
    QCOMPARE(fs::path(record.targets[0].fetched).parent_path(), results);
}

void TestByHand::whatTheMethodDoesNotMakeIsNotTaken() {
    const QTemporaryDir folder;
    const fs::path results = fs::path(folder.path().toStdString()) / "results";
    const RecordStore store(fs::path(folder.path().toStdString()) / "captures");
    write(results / "notes.txt", "mine");
    write(results / "snapshot_2026-01-01-12-00_0.pickle", "x");
    SettingProblems problems;
    const Settings settings = makeSettings(*findMethod("torch-dynamic"), {}, nullptr, problems);
    const auto taken = takeByHand(store, settings, {}, {}, results);
    QVERIFY(taken.failed());
    QCOMPARE(taken.error().code, std::string("capture.by_hand.nothing"));
    QVERIFY(store.list().empty());
}

void TestByHand::snapshotsOfAMethod() {
    const QTemporaryDir folder;
    const fs::path results = fs::path(folder.path().toStdString()) / "results";
    const RecordStore store(fs::path(folder.path().toStdString()) / "captures");
    write(results / "snapshot_2026-01-01-12-00_0.pickle", "x");
    write(results / "snapshot_2026-01-01-12-00_3.pickle", "x");
    SettingProblems problems;
    const std::vector<Assignment> assignments{{"dump_ranks", "0,3"}};
    const Settings settings = makeSettings(*findMethod("mm-snapshot"), assignments, nullptr, problems);
    const auto taken = takeByHand(store, settings, {}, assignments, results);
    QVERIFY(taken.ok());
    QCOMPARE(stateText(taken.value().state), std::string_view("done"));
    std::vector<std::int64_t> ranks;
    for (const RankRecord& rank : taken.value().targets[0].ranks) ranks.push_back(rank.rank.value_or(-1));
    std::sort(ranks.begin(), ranks.end());
    QCOMPARE(ranks, (std::vector<std::int64_t>{0, 3}));
}

ALTI_TEST(TestByHand)
#include "tst_by_hand.moc"
