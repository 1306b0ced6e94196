#include "core/query/lookup/run_walk.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>
#include <tuple>

using namespace altiscope;

namespace {

/// Bucket, time, place of the part, place in the part.
using Row = std::tuple<std::uint32_t, std::int64_t, std::uint32_t, std::uint64_t>;

struct Parts {
    std::vector<std::vector<std::int64_t>> times;
    std::vector<RunPart> parts;
    std::vector<Row> rows;  // as listed

    /// @param most  Times are below this: few of them make many ties.
    Parts(unsigned seed, std::uint32_t count, std::uint32_t buckets, std::uint32_t most) : times(count) {
        std::mt19937 random(seed);
        for (std::uint32_t p = 0; p < count; ++p) {
            for (std::size_t n = 1 + random() % 9; n > 0; --n)
                times[p].push_back(static_cast<std::int64_t>(random() % most));
            std::sort(times[p].begin(), times[p].end());
            RunPart& part = parts.emplace_back();
            part.times = times[p].data();
            part.first = random() % times[p].size();  // a stretch of its column
            part.last = times[p].size();
            part.run = p;
            part.bucket = p * buckets / count;
            for (std::uint64_t row = part.first; row < part.last; ++row)
                rows.emplace_back(part.bucket, times[p][row], p, row);
        }
    }
};

std::vector<Row> walked(const Parts& parts, RunOrder order) {
    std::vector<Row> rows;
    RunWalk walk;
    for (walk.start(parts.parts, order); !walk.atEnd(); walk.next())
        rows.emplace_back(walk.part().bucket, walk.part().times[walk.row()], walk.part().run, walk.row());
    return rows;
}

}  // namespace

class TestRunWalk : public QObject {
    Q_OBJECT
private slots:
    /// By bucket, then by time, at equal times by place in the list.
    void againstSorting() {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Parts parts(seed, 1 + seed % 13, 1 + seed % 3, 3 + seed % 20);
            QCOMPARE(walked(parts, RunOrder::AsListed), parts.rows);
            std::vector<Row> expected = parts.rows;
            std::sort(expected.begin(), expected.end());
            QCOMPARE(walked(parts, RunOrder::Ascending), expected);
            std::sort(expected.begin(), expected.end(), [](const Row& a, const Row& b) {
                const auto& [aBucket, aTime, aPart, aRow] = a;
                const auto& [bBucket, bTime, bPart, bRow] = b;
                return std::tuple(aBucket, -aTime, aPart, -static_cast<std::int64_t>(aRow)) <
                       std::tuple(bBucket, -bTime, bPart, -static_cast<std::int64_t>(bRow));
            });
            QCOMPARE(walked(parts, RunOrder::Descending), expected);
        }
    }

    void nothing() {
        RunWalk walk;
        for (const RunOrder order : {RunOrder::AsListed, RunOrder::Ascending, RunOrder::Descending}) {
            walk.start({}, order);
            QVERIFY(walk.atEnd());
        }
    }
};

ALTI_TEST(TestRunWalk)
#include "tst_run_walk.moc"
