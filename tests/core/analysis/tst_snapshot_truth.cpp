#include "core/analysis/snapshot/memory_shortage.h"
#include "core/analysis/snapshot/pool_state.h"
#include "core/analysis/snapshot/snapshot_curve.h"
#include "core/analysis/snapshot/stack_tree.h"
#include "tests/support/capture_dump.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

constexpr int kScriptColumns = 37;

std::string numbers(std::initializer_list<std::int64_t> values) {
    std::string text;
    for (const std::int64_t value : values) text += ' ' + std::to_string(value);
    return text;
}

void dumpState(const PoolHistory& history, const StackFrames& frames, EventNumber at, std::string& text) {
    const DeviceSnapshot& snapshot = history.snapshot();
    const PoolState state = history.stateAt(at);
    text +=
        "state" + numbers({snapshot.where.device, at, state.allocated, snapshot.activeAt(at), state.reserved}) + '\n';
    const char* words[] = {" allocated", " waits", " hole"};
    for (const PoolSegment& segment : state.segments) {
        text += "segment" + numbers({segment.address, segment.size}) + '\n';
        for (std::size_t i = 0; i < segment.parts; ++i) {
            const PoolPart& part = state.parts[segment.firstPart + i];
            text += "part" + numbers({part.address, part.size, part.requested}) + words[static_cast<int>(part.state)] +
                    '\n';
        }
    }
    std::set<std::string> sums;
    const StackQuery query{StackQuery::What::Alive, {at, at + 1}};
    for (const StackSum& sum : stackSums(snapshot, query)) {
        std::string stack(snapshot.stackText(sum.stack));
        std::replace(stack.begin(), stack.end(), '\n', '|');
        sums.insert("stack " + (stack.empty() ? "-" : stack) +
                    numbers({sum.bytes, static_cast<std::int64_t>(sum.blocks)}) + '\n');
    }
    for (const std::string& sum : sums) text += sum;
    // The tree says the same of everything.
    const auto tree = stackTree(frames, query);
    if (tree->nodes.front().weight != snapshot.activeAt(at)) text += "the root of the tree differs\n";
    if (state.allocated + state.waiting != snapshot.activeAt(at)) text += "the pool differs\n";
    if (state.allocated != snapshot.allocatedAt(at) || state.reserved != snapshot.reservedAt(at))
        text += "the totals of the rows differ\n";
}

std::string stateText(const std::shared_ptr<const DeviceSnapshot>& snapshot) {
    const auto curve = SnapshotCurve::make(snapshot, {});
    const auto history = PoolHistory::make(snapshot, {});
    const auto frames = StackFrames::make(snapshot, {});
    const EventNumber count = snapshot->events;
    std::set<EventNumber> wanted{kBeforeHistory, count - 1};
    for (std::int64_t i = 0; i < 20; ++i) wanted.insert(static_cast<EventNumber>(i * count / 20));
    if (count == 0) wanted = {kBeforeHistory};
    std::string text;
    for (const EventNumber at : wanted) dumpState(*history, *frames, at, text);
    const EventNumber peak = curve->peak();
    text += "peak" + numbers({peak, snapshot->allocatedAt(peak)}) + '\n';
    std::vector<std::vector<TotalExtremes>> totals;
    for (const SnapshotTotal total : {SnapshotTotal::Allocated, SnapshotTotal::Active, SnapshotTotal::Reserved})
        totals.push_back(curveColumns(*curve, total, kBeforeHistory, count, kScriptColumns));
    for (std::size_t column = 0; column < kScriptColumns; ++column) {
        text += "column" + numbers({static_cast<std::int64_t>(column)});
        for (const auto& of : totals) text += numbers({of[column].min, of[column].max});
        text += '\n';
    }
    return text;
}

/// Lines with the same words but for stacks, which a file may sort in another order.
std::map<std::string, std::vector<std::string>> linesByFile(const std::string& text) {
    std::map<std::string, std::vector<std::string>> files;
    std::vector<std::string>* current = nullptr;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string line = text.substr(at, end - at - 1);
        if (line.starts_with("file ")) current = &files[line.substr(5)];
        else if (current != nullptr) current->push_back(line);
        at = end;
    }
    return files;
}

void compareStates(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string ending = entry.path().extension().string();
        if (ending == ".pkl" || ending == ".pickle") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    const auto expected = linesByFile(runScript("count_pool.py", files).value_or(""));
    QVERIFY(!files.empty());
    for (const std::filesystem::path& file : files) {
        const auto result = importForTest(file);
        QVERIFY2(result.ok(), file.c_str());
        std::string text = "file " + file.filename().string() + '\n';
        for (const RankEntry& rank : result.value()->ranks) {
            for (const SnapshotRows& device : snapshotDevices(*rank.rows))
                text += stateText(deviceSnapshot(rank.rows, device.device, nullptr, {}));
        }
        std::vector<std::string> actual = linesByFile(text).begin()->second,
                                 wanted = expected.at(file.filename().string());
        // Bytes order texts here, letters there.
        std::size_t first = 0;
        const auto isStack = [](const std::string& line) { return line.starts_with("stack "); };
        for (auto* lines : {&actual, &wanted}) {
            for (auto begin = lines->begin(); begin != lines->end();) {
                begin = std::find_if(begin, lines->end(), isStack);
                const auto end = std::find_if_not(begin, lines->end(), isStack);
                std::sort(begin, end);
                begin = end;
            }
        }
        while (first < actual.size() && first < wanted.size() && actual[first] == wanted[first]) ++first;
        const auto at = [&](const std::vector<std::string>& lines) {
            return first < lines.size() ? lines[first] : "nothing";
        };
        QVERIFY2(first == actual.size() && first == wanted.size(),
                 (file.string() + " line " + std::to_string(first) + '\n' + at(actual) + "\nexpected\n" + at(wanted))
                     .c_str());
        QVERIFY(actual.size() > kScriptColumns);
    }
}

}  // namespace

/// Pool states, totals, peaks and sums of memory snapshots against Python's own unpickler.
class TestSnapshotTruth : public QObject {
    Q_OBJECT
private slots:
    void formsHaveTheStatesThatPythonFinds() {
        const TestFolder folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path()}));
        compareStates(folder.path());
    }

    void samplesHaveTheStatesThatPythonFinds() {
        const auto folder = sharedData("snapshot");
        if (!folder) QSKIP(kNoSharedData);
        compareStates(*folder);
    }
};

ALTI_TEST(TestSnapshotTruth)
#include "tst_snapshot_truth.moc"
