#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/communication/data/communication_times.h"

#include "core/analysis/communication/link_picture.h"
#include "core/base/threads/parallel.h"
#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// What the files of one rank amount to.
struct Expected {
    std::int64_t operators = 0, elapsed = 0, transit = 0, wait = 0, synchronization = 0, idle = 0;  // ns
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> transports;                        // bytes, ns
    // by transport and bytes: count, ns
    std::map<std::pair<std::string, std::int64_t>, std::pair<std::int64_t, std::int64_t>> packets;
    std::int64_t linkSize = 0, linkTime = 0;
    bool operator==(const Expected&) const = default;
};

std::int64_t scaled(double value) { return std::llround(value * 1e6); }

nlohmann::json jsonOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray text = file.readAll();
    return nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
}

void addOperator(Expected& sums, const nlohmann::json& info) {
    const auto& times = info["Communication Time Info"];
    ++sums.operators;
    sums.elapsed += scaled(times["Elapse Time(ms)"]);
    sums.transit += scaled(times["Transit Time(ms)"]);
    sums.wait += scaled(times["Wait Time(ms)"]);
    sums.synchronization += scaled(times["Synchronization Time(ms)"]);
    sums.idle += scaled(times["Idle Time(ms)"]);
    for (const auto& [transport, facts] : info["Communication Bandwidth Info"].items()) {
        const double size = facts["Transit Size(MB)"], time = facts["Transit Time(ms)"];
        if (size != 0 || time != 0 || !facts["Size Distribution"].empty()) {
            sums.transports[transport].first += scaled(size);
            sums.transports[transport].second += scaled(time);
        }
        for (const auto& [packet, numbers] : facts["Size Distribution"].items()) {
            auto& sum = sums.packets[{transport, scaled(std::stod(packet))}];
            sum.first += numbers[0].get<std::int64_t>();
            sum.second += scaled(numbers[1]);
        }
    }
}

/// @param folder  ASCEND_PROFILER_OUTPUT
Expected fromText(const QString& folder) {
    Expected sums;
    const nlohmann::json times = jsonOf(folder + u"/communication.json"_s);
    for (const auto& [step, kinds] : times.items()) {
        for (const auto& [kind, operators] : kinds.items()) {
            for (const auto& [name, info] : operators.items()) {
                if (!name.starts_with("Total")) addOperator(sums, info);
            }
        }
    }
    const nlohmann::json matrix = jsonOf(folder + u"/communication_matrix.json"_s);
    // New files have totals by type beside single calls, old ones single calls alone.
    const bool hasTotals = matrix.dump().find("-total@") != std::string::npos;
    for (const auto& [step, kinds] : matrix.items()) {
        for (const auto& [kind, operators] : kinds.items()) {
            for (const auto& [name, links] : operators.items()) {
                if (name.starts_with("Total") || (name.find("-total@") != std::string::npos) != hasTotals) continue;
                for (const auto& [ends, link] : links.items()) {
                    sums.linkSize += scaled(link["Transit Size(MB)"]);
                    sums.linkTime += scaled(link["Transit Time(ms)"]);
                }
            }
        }
    }
    return sums;
}

/// @param path  analysis.db
Expected fromDb(const QString& path) {
    Expected sums;
    sqlite3* db = nullptr;
    sqlite3_open_v2((u"file:"_s + path + u"?immutable=1"_s).toUtf8().constData(), &db,
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    const auto rows = [db](const char* sql, auto take) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) != SQLITE_OK) return;
        while (sqlite3_step(statement) == SQLITE_ROW) take(statement);
        sqlite3_finalize(statement);
    };
    rows(
        "SELECT elapse_time, transit_time, wait_time, synchronization_time, idle_time FROM CommAnalyzerTime WHERE "
        "hccl_op_name NOT LIKE 'Total%'",
        [&](sqlite3_stmt* row) {
            ++sums.operators;
            std::int64_t* const parts[] = {&sums.elapsed, &sums.transit, &sums.wait, &sums.synchronization, &sums.idle};
            for (int i = 0; i < 5; ++i) *parts[i] += scaled(sqlite3_column_double(row, i));
        });
    // A row for each size of packets, each with the sums of its operator and transport.
    rows("SELECT transport_type, max(transit_size), max(transit_time) FROM CommAnalyzerBandwidth WHERE hccl_op_name "
         "NOT LIKE 'Total%' GROUP BY step, group_name, hccl_op_name, transport_type",
         [&](sqlite3_stmt* row) {
             auto& sum = sums.transports[reinterpret_cast<const char*>(sqlite3_column_text(row, 0))];
             sum.first += scaled(sqlite3_column_double(row, 1));
             sum.second += scaled(sqlite3_column_double(row, 2));
         });
    rows("SELECT transport_type, package_size, count, total_duration FROM CommAnalyzerBandwidth WHERE hccl_op_name NOT "
         "LIKE 'Total%' AND count > 0",
         [&](sqlite3_stmt* row) {
             auto& sum = sums.packets[{reinterpret_cast<const char*>(sqlite3_column_text(row, 0)),
                                       scaled(sqlite3_column_double(row, 1))}];
             sum.first += sqlite3_column_int64(row, 2);
             sum.second += scaled(sqlite3_column_double(row, 3));
         });
    rows("SELECT transit_size, transit_time FROM CommAnalyzerMatrix WHERE hccl_op_name LIKE '%-total%'",
         [&](sqlite3_stmt* row) {
             sums.linkSize += scaled(sqlite3_column_double(row, 0));
             sums.linkTime += scaled(sqlite3_column_double(row, 1));
         });
    sqlite3_close(db);
    return sums;
}

std::shared_ptr<const CommunicationSource> sourceOf(const std::shared_ptr<const CaptureStore>& store) {
    return communicationSource(store, std::make_shared<const CaptureAnalysis>(store), {}, {});
}

/// What the page shows of a rank.
Expected shownOf(const CommunicationSource& source, const CommunicationTimes& times, RankIndex rank) {
    Expected sums;
    for (const RankCollectives& one : times.set->ranks) {
        if (one.rank != rank) continue;
        sums.operators = static_cast<std::int64_t>(one.items.size());
        sums.elapsed = one.sum.elapsed;
        sums.transit = one.sum.transit.value_or(0);
        sums.wait = one.sum.wait;
        sums.synchronization = one.sum.synchronization;
        sums.idle = one.sum.idle.value_or(0);
    }
    for (const RankTransfers& one : times.transfers) {
        if (one.rank != rank) continue;
        for (const TransportSum& sum : one.transports) sums.transports[sum.transport] = {sum.size, sum.time};
        for (const PacketSum& sum : one.packets) sums.packets[{sum.transport, sum.packetSize}] = {sum.count, sum.time};
    }
    LinkQuery query;
    query.ranks = {rank};
    for (std::size_t r = 0; r < source.ranks.size(); ++r) {
        if (source.ranks[r] == rank) query.computed = {source.computedLinks[r]};
    }
    const auto matrix = linkMatrix(*source.capture, query, {});
    for (std::size_t node = 0; node < matrix->nodes().size(); ++node) {
        for (std::size_t place = matrix->rowBegin(node); place < matrix->rowEnd(node); ++place) {
            sums.linkSize += matrix->link(node, place).size;
            sums.linkTime += matrix->link(node, place).time;
        }
    }
    return sums;
}

/// Everything but what tells of communication beside the events.
void copyWithoutCommunication(const QString& from, const QString& to) {
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QFileInfo file(files.next());
        if (file.fileName() == u"communication.json"_s || file.fileName() == u"communication_matrix.json"_s ||
            file.fileName() == u"analysis.db"_s)
            continue;
        const QString place = to + u'/' + QDir(from).relativeFilePath(file.filePath());
        QVERIFY(QDir().mkpath(QFileInfo(place).path()) && QFile::copy(file.filePath(), place));
    }
}

std::shared_ptr<const LinkMatrix> matrixOf(const CommunicationSource& source, const LinkCalls& calls, bool isComputed) {
    LinkQuery query{
        .ranks = source.ranks, .calls = calls, .computed = source.computedLinks, .wholeRun = source.wholeRunLinks};
    auto matrix = linkMatrix(*source.capture, query, {});
    for (std::size_t node = 0; node < matrix->nodes().size(); ++node) {
        if (matrix->rowEnd(node) > matrix->rowBegin(node) && matrix->isComputed(node) != isComputed) return nullptr;
    }
    return matrix;
}

RankIndex placeOf(const CommunicationSource& source, const QString& rank) {
    RankIndex place;
    while (place.value < source.capture->ranks.size() &&
           !QString::fromStdString(source.capture->ranks[place.value].info.path).contains(rank))
        ++place.value;
    return place;
}

/// Equal keys, bytes and counts; times to the rounding of tasks to whole ns.
template <class Key>
bool sameButRounding(const std::map<Key, std::pair<std::int64_t, std::int64_t>>& a,
                     const std::map<Key, std::pair<std::int64_t, std::int64_t>>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one.first == other.first && one.second.first == other.second.first &&
               std::abs(one.second.second - other.second.second) <= one.second.second / 10'000 + 8;
    });
}

}  // namespace

/// What the page shows of real captures against what a few lines make of the files themselves.
class TestCommunicationTruth : public QObject {
    Q_OBJECT
private slots:
    void realFiles_data();
    void realFiles();
    void computedTimesEqualRecordedOnes();
    void computedLinksEqualRecordedOnes_data();
    void computedLinksEqualRecordedOnes();
    void oneRankWithoutFilesKeepsItsPlaces();
};

void TestCommunicationTruth::realFiles_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QString>("rank");  // its folder
    QTest::addColumn<bool>("isDb");
    for (const int rank : {0, 1}) {
        QTest::addRow("torch_text level1 rank %d", rank)
            << u"torch_text/level1"_s << u"rank%1_ascend_pt"_s.arg(rank) << false;
        QTest::addRow("torch_cluster_level2 rank %d", rank)
            << u"torch_cluster_level2"_s << u"rank_%1_ascend_pt"_s.arg(rank) << false;
        QTest::addRow("old matrix rank %d", rank) << u"test_ranks"_s << u"test_rank_%1"_s.arg(rank) << false;
        QTest::addRow("torch_db rank %d", rank) << u"torch_db/level1"_s << u"rank%1_ascend_pt"_s.arg(rank) << true;
    }
}

void TestCommunicationTruth::realFiles() {
    QFETCH(QString, capture);
    QFETCH(QString, rank);
    QFETCH(bool, isDb);
    const QString path = qEnvironmentVariable("ALTI_SHARED_DATA") + u'/' + capture;
    if (!QDir(path).exists()) QSKIP(kNoSharedData);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, path);
    QVERIFY(id != kNoCapture);
    const auto store = session.capture(id)->store;
    std::uint32_t place = 0;
    while (place < store->ranks.size() && !QString::fromStdString(store->ranks[place].info.path).contains(rank))
        ++place;
    QVERIFY(place < store->ranks.size());
    WorkerArena arena(2);
    Expected shown;
    arena.run([&] {
        const auto source = sourceOf(store);
        shown = shownOf(*source, *communicationTimes(source, {}, {}), {place});
    });
    const QString output = path + u'/' + rank + u"/ASCEND_PROFILER_OUTPUT"_s;
    const Expected expected = isDb ? fromDb(output + u"/analysis.db"_s) : fromText(output);
    QVERIFY(expected.operators > 0 && expected.linkSize > 0 && !expected.packets.empty());
    QCOMPARE(shown.operators, expected.operators);
    QCOMPARE(shown.elapsed, expected.elapsed);
    QCOMPARE(shown.transit, expected.transit);
    QCOMPARE(shown.wait, expected.wait);
    QCOMPARE(shown.synchronization, expected.synchronization);
    QCOMPARE(shown.idle, expected.idle);
    QVERIFY(shown.transports == expected.transports);
    QVERIFY(shown.packets == expected.packets);
    QCOMPARE(shown.linkSize, expected.linkSize);
    QCOMPARE(shown.linkTime, expected.linkTime);
}

/// Without its communication files a rank's times are computed, and are those that the files told, to the rounding of
/// each.
void TestCommunicationTruth::computedTimesEqualRecordedOnes() {
    QTemporaryDir folder;
    const QString path = folder.filePath(u"capture"_s);
    const std::vector<std::string> words{path.toStdString(), "--ranks", "4",       "--steps",    "2",
                                         "--layers",         "2",       "--plant", "slow-rank=1"};
    ProgressSlot progress;
    const auto options = generate::parseGenerateOptions(words);
    QVERIFY(options.ok() && generate::generateCapture(options.value(), progress, {}).ok());
    std::vector<Expected> recorded;
    for (int rank = 0; rank < 4; ++rank) {
        const QString output = path + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/"_s.arg(rank);
        recorded.push_back(fromText(output));
        for (const QString& name : {u"communication.json"_s, u"communication_matrix.json"_s})
            QVERIFY(QFile::remove(output + name));
    }
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, path);
    QVERIFY(id != kNoCapture);
    WorkerArena arena(2);
    arena.run([&] {
        const auto source = sourceOf(session.capture(id)->store);
        const auto times = communicationTimes(source, {}, {});
        QCOMPARE(times->set->ranks.size(), std::size_t{4});
        for (std::size_t r = 0; r < 4; ++r) {
            const RankCollectives& rank = times->set->ranks[r];
            QVERIFY(rank.isComputed);
            QCOMPARE(static_cast<std::int64_t>(rank.items.size()), recorded[r].operators);
            const auto isNear = [&](std::int64_t a, std::int64_t b) {
                return std::abs(a - b) <= 2 * recorded[r].operators;
            };
            QVERIFY(isNear(rank.sum.elapsed, recorded[r].elapsed));
            QVERIFY(isNear(*rank.sum.transit, recorded[r].transit));
            QVERIFY(isNear(rank.sum.wait, recorded[r].wait));
            QVERIFY(isNear(rank.sum.synchronization, recorded[r].synchronization));
            QVERIFY(isNear(*rank.sum.idle, recorded[r].idle));
        }
    });
}

void TestCommunicationTruth::computedLinksEqualRecordedOnes_data() {
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QStringList>("ranks");
    QTest::addRow("torch_text level1") << u"torch_text/level1"_s
                                       << QStringList{u"rank0_ascend_pt"_s, u"rank1_ascend_pt"_s};
    QTest::addRow("torch_db level1") << u"torch_db/level1"_s << QStringList{u"rank0_ascend_pt"_s, u"rank1_ascend_pt"_s};
    QTest::addRow("generated text") << u"text"_s << QStringList{u"rank0_ascend_pt"_s, u"rank3_ascend_pt"_s};
    QTest::addRow("generated db") << u"db"_s << QStringList{u"rank0_ascend_pt"_s, u"rank3_ascend_pt"_s};
}

/// Links, bandwidths and packets of a copy without communication files against the same capture with them: each link of
/// each choice, by bytes exactly, and by time to the rounding of each task to whole ns.
void TestCommunicationTruth::computedLinksEqualRecordedOnes() {
    QFETCH(QString, capture);
    QFETCH(QStringList, ranks);
    QTemporaryDir folder;
    QString whole = qEnvironmentVariable("ALTI_SHARED_DATA") + u'/' + capture;
    if (!capture.contains(u'/')) {
        whole = folder.filePath(u"whole"_s);
        const std::vector<std::string> words{whole.toStdString(),  "--ranks", "4",       "--steps",       "2",
                                             "--layers",           "2",       "--plant", "slow-link=1-3", "--format",
                                             capture.toStdString()};
        ProgressSlot progress;
        QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
    } else if (!QDir(whole).exists()) {
        QSKIP(kNoSharedData);
    }
    const QString copy = folder.filePath(u"copy"_s);
    copyWithoutCommunication(whole, copy);
    JobRunner jobs;
    Session session(jobs);
    const CaptureId ids[] = {openAndWait(session, whole), openAndWait(session, copy)};
    QVERIFY(ids[0] != kNoCapture && ids[1] != kNoCapture);
    WorkerArena arena(2);
    arena.run([&] {
        const auto recorded = sourceOf(session.capture(ids[0])->store),
                   computed = sourceOf(session.capture(ids[1])->store);
        const auto recordedTimes = communicationTimes(recorded, {}, {}),
                   computedTimes = communicationTimes(computed, {}, {});
        QVERIFY(recorded->hasLinks && computed->hasLinks);
        QCOMPARE(computed->unknownTasks, std::uint64_t{0});
        QVERIFY(computed->movingTasks > 0);
        std::vector<LinkCalls> choices{{}};
        for (const std::string& type : recorded->choices.types) {
            choices.push_back({LinkCalls::Kind::Type, type, {}, {}});
            for (const std::string& selection : recorded->choices.selections)
                choices.push_back({LinkCalls::Kind::Selection, type, selection, {}});
        }
        QVERIFY(choices.size() > 5);
        std::size_t links = 0;
        for (const LinkCalls& calls : choices) {
            const auto a = matrixOf(*recorded, calls, false), b = matrixOf(*computed, calls, true);
            QVERIFY(a != nullptr && b != nullptr);
            QCOMPARE(b->size(), a->size());
            // Events do not name a group whose ranks nobody tells.
            QVERIFY(std::equal(a->nodes().begin(), a->nodes().end(), b->nodes().begin(), b->nodes().end(),
                               [](const LinkNode& one, const LinkNode& other) {
                                   return one.rank == other.rank && one.local == other.local;
                               }));
            for (std::size_t node = 0; node < a->nodes().size(); ++node) {
                for (std::size_t place = a->rowBegin(node); place < a->rowEnd(node); ++place, ++links) {
                    const LinkSum one = a->link(node, place), other = b->link(node, place);
                    QCOMPARE(other.target, one.target);
                    if (calls.kind == LinkCalls::Kind::Selection) {
                        // Of calls that were equally fast to the ns, which one is chosen is not told.
                        QVERIFY(std::abs(*other.bandwidth() - *one.bandwidth()) <= *one.bandwidth() / 1000);
                    } else {
                        QCOMPARE(other.size, one.size);
                        QVERIFY2(std::abs(other.time - one.time) <= one.time / 10'000 + 8,
                                 qPrintable(u"%1 %2"_s.arg(other.time).arg(one.time)));
                    }
                    QCOMPARE(b->transportText(other.transports), a->transportText(one.transports));
                    QCOMPARE(other.calls, one.calls);
                }
            }
        }
        QVERIFY(links > 20);
        // Of one operator files have the calls that were chosen, and the events all.
        const LinkCalls one{LinkCalls::Kind::Operator, {}, {}, recorded->choices.operators.front()};
        const auto some = matrixOf(*recorded, one, false), every = matrixOf(*computed, one, true);
        QVERIFY(some != nullptr && every != nullptr && !some->empty());
        const auto placeIn = [&](const LinkNode& node) {
            return static_cast<std::size_t>(std::find_if(every->nodes().begin(), every->nodes().end(),
                                                         [&](const LinkNode& other) {
                                                             return other.rank == node.rank &&
                                                                    other.local == node.local;
                                                         }) -
                                            every->nodes().begin());
        };
        for (std::size_t node = 0; node < some->nodes().size(); ++node) {
            for (std::size_t place = some->rowBegin(node); place < some->rowEnd(node); ++place) {
                const auto link =
                    every->find(placeIn(some->nodes()[node]), placeIn(some->nodes()[some->target(place)]));
                QVERIFY(link.has_value());
                QCOMPARE(link->size, some->link(node, place).size);
                QCOMPARE(link->calls, some->link(node, place).calls);
            }
        }
        for (const QString& rank : ranks) {
            const Expected with = shownOf(*recorded, *recordedTimes, placeOf(*recorded, rank)),
                           without = shownOf(*computed, *computedTimes, placeOf(*computed, rank));
            QVERIFY(with.packets.size() > 1 && !with.transports.empty());
            QVERIFY(sameButRounding(with.transports, without.transports));
            QVERIFY(sameButRounding(with.packets, without.packets));
        }
    });
}

/// Nothing but recorded rows names the group of this sample: the rank without files must not become another group's.
void TestCommunicationTruth::oneRankWithoutFilesKeepsItsPlaces() {
    const QString whole = qEnvironmentVariable("ALTI_SHARED_DATA") + u"/torch_text/level1"_s;
    if (!QDir(whole).exists()) QSKIP(kNoSharedData);
    QTemporaryDir folder;
    const QString copy = folder.filePath(u"copy"_s);
    copyWithoutCommunication(whole, copy);
    const QString kept = u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/"_s;
    for (const QString& file : {u"communication.json"_s, u"communication_matrix.json"_s})
        QVERIFY(QFile::copy(whole + kept + file, copy + kept + file));
    JobRunner jobs;
    Session session(jobs);
    const CaptureId ids[] = {openAndWait(session, whole), openAndWait(session, copy)};
    QVERIFY(ids[0] != kNoCapture && ids[1] != kNoCapture);
    WorkerArena arena(2);
    arena.run([&] {
        const auto recorded = sourceOf(session.capture(ids[0])->store),
                   mixed = sourceOf(session.capture(ids[1])->store);
        QCOMPARE(mixed->choices.groups.size(), recorded->choices.groups.size());
        const auto all = [](const CommunicationSource& source) {
            return linkMatrix(*source.capture,
                              {.ranks = source.ranks,
                               .groups = {source.choices.groups.front().name},
                               .computed = source.computedLinks,
                               .wholeRun = source.wholeRunLinks},
                              {});
        };
        const auto a = all(*recorded), b = all(*mixed);
        QCOMPARE(b->nodes().size(), a->nodes().size());
        QVERIFY(a->nodes() == b->nodes());
        for (std::size_t node = 0; node < a->nodes().size(); ++node)
            QCOMPARE(b->toOthers(node).size, a->toOthers(node).size);
        QVERIFY(!b->isComputed(0) && b->isComputed(1));
        // A mark over everything tells the same of the same group.
        const auto& store = session.capture(ids[0])->store;
        ContextFilter context;
        context.range = TimeRange{TimeNs{0}, TimeNs{std::numeric_limits<std::int64_t>::max()}};
        const auto marked =
            all(*communicationSource(store, std::make_shared<const CaptureAnalysis>(store), context, {}));
        QVERIFY(marked->nodes() == a->nodes());
        for (std::size_t node = 0; node < a->nodes().size(); ++node)
            QCOMPARE(marked->toOthers(node).size, a->toOthers(node).size);
    });
}

ALTI_TEST(TestCommunicationTruth)
#include "tst_communication_truth.moc"
