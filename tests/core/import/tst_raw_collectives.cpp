#include "core/import/raw_host/raw_collectives.h"
#include "core/import/raw_records/raw_overlap.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

/// A host with one collective whose parts are given by what HCCL says of them; part i is launched at time i + 1.
RawHost hostOf(std::vector<RawHcclTask> tasks) {
    RawHost host;
    RawCall call;
    call.item = 1;
    host.calls.push_back(call);
    RawCollective& collective = host.collectives.emplace_back();
    collective.group = 5687037626;
    collective.hasGroup = true;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].group = collective.group;
        host.collectiveParts.push_back({0, i + 1, static_cast<std::int64_t>(i), 1, true});
        RawHostTask& task = host.tasks.emplace_back();
        task.firstPart = static_cast<std::uint32_t>(i);
        task.parts = 1;
    }
    host.hcclTasks = std::move(tasks);
    return host;
}

RawHcclTask rdma(std::uint32_t kind, std::uint64_t bytes) {
    RawHcclTask task;
    task.transport = 1;
    task.rdma = kind;
    task.bytes = bytes;
    task.link = 3;
    task.remoteRank = 1;
    return task;
}

/// Each task of the host ran for 10 ns, one begun each 20 ns.
std::vector<RawCollectiveTask> ranOnce(const RawHost& host, std::int64_t begin) {
    std::vector<RawCollectiveTask> tasks;
    for (std::size_t i = 0; i < host.tasks.size(); ++i) {
        const std::int64_t at = begin + 20 * static_cast<std::int64_t>(i);
        tasks.push_back({i, at, at + 10, i});
    }
    return tasks;
}

TimeRange range(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

std::string textOf(const IntervalSet& intervals) {
    std::string text;
    for (const TimeRange& one : intervals)
        text += std::to_string(one.begin.value) + '-' + std::to_string(one.end.value) + ' ';
    return text;
}

}  // namespace

/// From tasks of a device to collectives with their numbers.
class TestRawCollectives : public QObject {
    Q_OBJECT
private slots:
    /// A graph that runs twice gives two collectives; their number counts launches, not runs.
    void replays() {
        const RawHost host = hostOf({RawHcclTask{}, RawHcclTask{}});
        std::vector<RawCollectiveTask> tasks = ranOnce(host, 100);
        for (const RawCollectiveTask& task : ranOnce(host, 300)) tasks.push_back(task);
        const auto runs = rawCollectives(host, tasks, 0);
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].name, std::string("1_626_0_1"));
        QCOMPARE(runs[1].name, std::string("1_626_0_2"));
        QVERIFY(runs[1].begin == 300 && runs[1].end == 330 && runs[1].parts.size() == 2);
    }

    /// Without a task of the master stream nothing says when it ran.
    void noMaster() {
        RawHost host = hostOf({RawHcclTask{}});
        host.collectiveParts[0].isMaster = false;
        const auto runs = rawCollectives(host, ranOnce(host, 100), 0);
        QVERIFY(runs.size() == 1 && !runs[0].hasMaster);
    }

    /// A run of payloads ends with the notify that closes it; one whose end is missing does not count.
    void payloads() {
        std::vector<RawHcclTask> tasks{rdma(1, 1000), rdma(1, 500)};
        for (int i = 0; i < 4; ++i) tasks.push_back(rdma(0, 0));
        const RawHost host = hostOf(tasks);
        const auto runs = rawCollectives(host, ranOnce(host, 100), 0);
        const RawCollectiveTimes times = rawCollectiveTimes(host, runs.at(0));
        const RawTraffic& traffic = times.traffic[static_cast<std::size_t>(RawTransport::Rdma)];
        // Two payloads, closed by the third task behind them: 100 .. 210.
        QVERIFY(traffic.bytes == 1500 && traffic.time == 110 && times.transit == 110 && times.elapsed == 110);
        QVERIFY(times.links.size() == 1 && times.links[0].transport == "RDMA" && times.links[0].bytes == 1500);
        const RawHost cut = hostOf({rdma(1, 1000), rdma(1, 500), rdma(0, 0)});
        const auto cutRuns = rawCollectives(cut, ranOnce(cut, 100), 0);
        QCOMPARE(rawCollectiveTimes(cut, cutRuns.at(0)).transit, std::int64_t{0});
    }

    /// Ranks that there are not, as the vendor counts them.
    void linksWithoutRanks() {
        RawHcclTask local = rdma(1, 1), nowhere = rdma(1, 1);
        local.remoteRank = kNone;
        nowhere.localRank = kNone;
        for (const auto& [task, links] : {std::pair(local, std::size_t{1}), std::pair(nowhere, std::size_t{0})}) {
            std::vector<RawHcclTask> tasks{task};
            for (int i = 0; i < 4; ++i) tasks.push_back(rdma(0, 0));
            const RawHost host = hostOf(tasks);
            const auto runs = rawCollectives(host, ranOnce(host, 100), 0);
            const RawCollectiveTimes times = rawCollectiveTimes(host, runs.at(0));
            QCOMPARE(times.links.size(), links);
            if (links == 1) QVERIFY(times.links[0].source == 0 && times.links[0].target == 0);
        }
    }

    void overlap() {
        const RawOverlap overlap = rawOverlap({range(10, 20), range(20, 30), range(50, 60), range(7, 7)},
                                              {range(25, 40), range(55, 58)}, range(0, 70));
        QCOMPARE(textOf(overlap.computing), std::string("10-30 50-60 "));
        QCOMPARE(textOf(overlap.communication), std::string("25-40 55-58 "));
        QCOMPARE(textOf(overlap.notOverlapped), std::string("30-40 "));
        QCOMPARE(textOf(overlap.free), std::string("0-10 40-50 60-70 "));
    }
};

ALTI_TEST(TestRawCollectives)
#include "tst_raw_collectives.moc"
