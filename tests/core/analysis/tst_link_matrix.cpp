#include "core/analysis/communication/link_matrix.h"

#include "core/analysis/communication/link_picture.h"
#include "core/analysis/communication/transport_bandwidths.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "core/trace/collective_names.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace altiscope;

namespace {

/// A row of `link` as a test writes it; -1: absent.
struct Row {
    std::int64_t step = 5;
    std::string group = "g";
    std::string op, selection;
    std::int64_t source = -1, target = -1;
    std::int64_t sourceLocal = -1, targetLocal = -1;
    std::string transport = "HCCS";
    std::int64_t size = 0, time = 0;
};

struct Operator {
    std::string group, name;
};

std::shared_ptr<const RowTables> rowsOf(const std::vector<Row>& links, const std::vector<Operator>& operators = {}) {
    RowTablesBuilder builder;
    constexpr RowKind L = RowKind::Link, C = RowKind::Collective;
    RowBatch batch = builder.batch(L);
    for (const Row& row : links) {
        batch.addRow();
        batch.setInteger(fixedColumn(L, "step"), row.step);
        batch.setText(fixedColumn(L, "group_name"), row.group);
        batch.setText(fixedColumn(L, "op_name"), row.op);
        batch.setText(fixedColumn(L, "selection"), row.selection);
        if (row.source >= 0) batch.setInteger(fixedColumn(L, "src_rank"), row.source);
        if (row.target >= 0) batch.setInteger(fixedColumn(L, "dst_rank"), row.target);
        if (row.sourceLocal >= 0) batch.setInteger(fixedColumn(L, "src_local"), row.sourceLocal);
        if (row.targetLocal >= 0) batch.setInteger(fixedColumn(L, "dst_local"), row.targetLocal);
        batch.setText(fixedColumn(L, "transport"), row.transport);
        batch.setInteger(fixedColumn(L, "size"), row.size);
        if (row.time >= 0) batch.setInteger(fixedColumn(L, "transit"), row.time);
    }
    builder.commit(batch);
    RowBatch collectives = builder.batch(C);
    for (const Operator& op : operators) {
        collectives.addRow();
        collectives.setInteger(fixedColumn(C, "step"), 5);
        collectives.setText(fixedColumn(C, "group_name"), op.group);
        collectives.setText(fixedColumn(C, "op_name"), op.name);
    }
    builder.commit(collectives);
    WorkerArena arena(2);
    std::shared_ptr<const RowTables> rows;
    arena.run([&] { rows = builder.seal({}).value(); });
    return rows;
}

CaptureStore captureOf(std::vector<std::shared_ptr<const RowTables>> ranks) {
    CaptureStore capture;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        RankEntry& rank = capture.ranks.emplace_back();
        rank.info.rankId = static_cast<std::int64_t>(r);
        rank.rows = std::move(ranks[r]);
    }
    return capture;
}

/// "0>1 HCCS 30/3 x2" for each link, by source and target.
QString dump(const LinkMatrix& matrix) {
    QStringList lines;
    for (std::size_t source = 0; source < matrix.nodes().size(); ++source) {
        for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
            const LinkSum link = matrix.link(source, place);
            const auto name = [&](std::uint32_t node) {
                const LinkNode& end = matrix.nodes()[node];
                return end.rank ? QString::number(*end.rank)
                                : QStringLiteral("%1[%2]").arg(QString::fromStdString(end.group)).arg(end.local);
            };
            lines << QStringLiteral("%1>%2 %3 %4/%5 x%6")
                         .arg(name(link.source), name(link.target),
                              QString::fromStdString(matrix.transportText(link.transports)))
                         .arg(link.size)
                         .arg(link.time)
                         .arg(link.calls);
        }
    }
    return lines.join(QStringLiteral("; "));
}

QString matrixText(const CaptureStore& capture, LinkQuery query) {
    for (RankIndex r; r.value < capture.ranks.size(); ++r.value) query.ranks.push_back(r);
    WorkerArena arena(2);
    std::shared_ptr<const LinkMatrix> matrix;
    arena.run([&] { matrix = linkMatrix(capture, query, {}); });
    return dump(*matrix);
}

/// A matrix of random links, and the same by place.
struct RandomMatrix {
    explicit RandomMatrix(std::size_t side, double filled)
        : values(side * side, std::numeric_limits<float>::quiet_NaN()) {
        std::mt19937 random(11);
        std::vector<LinkNode> nodes;
        for (std::size_t i = 0; i < side; ++i) nodes.push_back({static_cast<std::int64_t>(i), {}, 0});
        std::vector<LinkSum> sums;
        for (std::uint32_t source = 0; source < side; ++source) {
            for (std::uint32_t target = 0; target < side; ++target) {
                if (std::uniform_real_distribution<>(0, 1)(random) > filled) continue;
                const std::int64_t size = LinkSum::kSmallTransfer + static_cast<std::int64_t>(random() % 100'000),
                                   time = 1 + static_cast<std::int64_t>(random() % 1000);
                sums.push_back({source, target, size, time, 1, 1});
                values[source * side + target] =
                    static_cast<float>(static_cast<double>(size) / static_cast<double>(time));
            }
        }
        std::shuffle(sums.begin(), sums.end(), random);
        WorkerArena arena(2);
        arena.run([&] {
            matrix = std::make_shared<const LinkMatrix>(LinkMatrix::make(std::move(nodes), {"HCCS"}, std::move(sums)));
            picture = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Shown, {});
        });
    }
    std::vector<float> values;
    std::shared_ptr<const LinkMatrix> matrix;
    std::shared_ptr<const LinkPicture> picture;
};

}  // namespace

class TestLinkMatrix : public QObject {
    Q_OBJECT
private slots:
    void typesOfOperators();
    void totalsAreNotAddedToSingleCalls();
    void oldFilesAreSummedUp();
    void oneCallIsCountedOnce();
    void selectionsOfFilesThatListAllCalls();
    void computedRowsCountInsteadOfRecordedOnes();
    void computedCallsAreComplete();
    void placesAreKnownFromTheWholeRun();
    void placesOfGroupsWithoutNamesStayApart();
    void timesThatAreNotReportedMakeNoBandwidth();
    void placesBecomeRanks();
    void placesThatTwoRanksClaimStayPlaces();
    void stepsAndGroups();
    void callsOfALink();
    void nothingIsLostAtAnyZoom();
    void largeMatrixAgrees();
    void sumsOfRowsAndColumns();
    void innerLinksAreHidden();
    void slowestTransportStands();
    void tinyTransfersSetNoColoursAndStandForNone();
    void bandwidthsOfTransports();
};

/// Of HCCS 10, 20 and 30 GB/s, and a transfer too small to count; of RDMA one without a time; of LOCAL only inner ones.
void TestLinkMatrix::bandwidthsOfTransports() {
    constexpr std::int64_t kMegabytes = 30'000'000;
    std::vector<LinkNode> nodes;
    for (std::int64_t rank = 0; rank < 4; ++rank) nodes.push_back({rank, {}, 0});
    constexpr std::uint16_t kRdma = 1, kHccs = 2, kLocal = 4;
    LinkMatrix matrix;
    WorkerArena arena(2);
    arena.run([&] {
        matrix = LinkMatrix::make(nodes, {"RDMA", "HCCS", "LOCAL"},
                                  {{0, 1, kMegabytes, 3'000'000, 1, kHccs},
                                   {0, 2, kMegabytes, 1'500'000, 1, kHccs},
                                   {0, 3, kMegabytes, 1'000'000, 1, kHccs},
                                   {1, 2, 100, 1'000'000, 1, kHccs},
                                   {1, 3, kMegabytes, LinkSum::kTimeUnknown, 1, kRdma},
                                   {2, 2, kMegabytes, 100'000, 1, kLocal},
                                   {3, 0, 0, 0, 0, 0}});
    });
    const auto rows = transportBandwidths(matrix, false);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].transport, std::string("RDMA"));
    QVERIFY(!rows[0].mean && rows[0].withoutBandwidth == 1 && rows[0].reference == 20.0);
    QCOMPARE(rows[1].transport, std::string("HCCS"));
    QVERIFY(rows[1].links == 4 && rows[1].withoutBandwidth == 1);
    QCOMPARE(*rows[1].min, 10.0);
    QCOMPARE(*rows[1].mean, 20.0);
    QCOMPARE(*rows[1].max, 30.0);
    QCOMPARE(rows[1].reference.value_or(0), 18.0);
    const auto all = transportBandwidths(matrix, true);
    QCOMPARE(all.size(), std::size_t{3});
    QCOMPARE(all[2].transport, std::string("LOCAL"));
    // It depends on the machine.
    QVERIFY(all[2].max && !all[2].reference);
}

void TestLinkMatrix::typesOfOperators() {
    QCOMPARE(collectiveType("hcom_allReduce__586_0_1"), std::string("allreduce"));
    QCOMPARE(collectiveType("hcom_reduceScatter__097_5_1"), std::string("reduce"));
    QCOMPARE(collectiveType("hcom_batchSendRecv__128_3_1"), std::string("batchsendrecv"));
    QCOMPARE(collectiveType("hcom_alltoallvc__1_0"), std::string("alltoall"));
    QCOMPARE(collectiveType("Mystery__1_0"), std::string("Mystery"));
}

void TestLinkMatrix::totalsAreNotAddedToSingleCalls() {
    const CaptureStore capture = captureOf({rowsOf(
        {{.op = "allreduce", .selection = "total", .source = 0, .target = 1, .size = 30, .time = 3},
         {.op = "allgather", .selection = "total", .source = 0, .target = 1, .size = 10, .time = 2},
         {.op = "hcom_allReduce__1_0", .selection = "top1", .source = 0, .target = 1, .size = 20, .time = 1},
         {.op = "hcom_allReduce__1_1", .selection = "bottom1", .source = 0, .target = 1, .size = 10, .time = 2}},
        {{"g", "hcom_allReduce__1_0"}, {"g", "hcom_allReduce__1_1"}, {"g", "hcom_allGather__1_2"}})});
    QCOMPARE(matrixText(capture, {}), QStringLiteral("0>1 HCCS 40/5 x3"));
    QCOMPARE(matrixText(capture, {.calls = {LinkCalls::Kind::Type, "allreduce", {}, {}}}),
             QStringLiteral("0>1 HCCS 30/3 x2"));
    QCOMPARE(matrixText(capture, {.calls = {LinkCalls::Kind::Selection, "allreduce", "bottom1", {}}}),
             QStringLiteral("0>1 HCCS 10/2 x1"));
}

void TestLinkMatrix::oldFilesAreSummedUp() {
    const CaptureStore capture = captureOf(
        {rowsOf({{.op = "hcom_broadcast__1_0", .selection = "single", .source = 0, .target = 1, .size = 5, .time = 1},
                 {.op = "hcom_allReduce__1_1",
                  .selection = "single",
                  .source = 0,
                  .target = 1,
                  .transport = "RDMA",
                  .size = 7,
                  .time = 4}})});
    QCOMPARE(matrixText(capture, {}), QStringLiteral("0>1 RDMA, HCCS 12/5 x2"));
    QCOMPARE(matrixText(capture, {.calls = {LinkCalls::Kind::Type, "broadcast", {}, {}}}),
             QStringLiteral("0>1 HCCS 5/1 x1"));
}

void TestLinkMatrix::oneCallIsCountedOnce() {
    std::vector<Row> rows;
    for (const char* selection : {"top1", "middle", "bottom1"})
        rows.push_back(
            {.op = "hcom_allReduce__1_0", .selection = selection, .source = 0, .target = 1, .size = 20, .time = 4});
    rows.push_back({.op = "allreduce", .selection = "total", .source = 0, .target = 1, .size = 20, .time = 4});
    const CaptureStore capture = captureOf({rowsOf(rows)});
    QCOMPARE(matrixText(capture, {.calls = {LinkCalls::Kind::Operator, {}, {}, "hcom_allReduce__1_0"}}),
             QStringLiteral("0>1 HCCS 20/4 x1"));
}

void TestLinkMatrix::selectionsOfFilesThatListAllCalls() {
    std::vector<Row> rows;
    // 10, 5, 2 and 1 bytes per ns; and a single one of another link.
    for (const std::int64_t time : {10, 1, 5, 2})
        rows.push_back({.op = "hcom_allReduce__1_" + std::to_string(time),
                        .selection = "single",
                        .source = 0,
                        .target = 1,
                        .size = 10,
                        .time = time});
    rows.push_back(
        {.op = "hcom_allReduce__1_9", .selection = "single", .source = 1, .target = 0, .size = 12, .time = 4});
    const CaptureStore capture = captureOf({rowsOf(rows)});
    const auto selected = [&](const char* selection) {
        return matrixText(capture, {.calls = {LinkCalls::Kind::Selection, "allreduce", selection, {}}});
    };
    QCOMPARE(selected("top1"), QStringLiteral("0>1 HCCS 10/1 x1; 1>0 HCCS 12/4 x1"));
    QCOMPARE(selected("middle"), QStringLiteral("0>1 HCCS 10/5 x1; 1>0 HCCS 12/4 x1"));
    QCOMPARE(selected("bottom1"), QStringLiteral("0>1 HCCS 10/10 x1; 1>0 HCCS 12/4 x1"));
    QCOMPARE(selected("bottom2"), QStringLiteral("0>1 HCCS 10/5 x1"));
    QCOMPARE(selected("bottom3"), QStringLiteral("0>1 HCCS 10/2 x1"));
    QCOMPARE(matrixText(capture, {}), QStringLiteral("0>1 HCCS 40/18 x4; 1>0 HCCS 12/4 x1"));
}

void TestLinkMatrix::computedRowsCountInsteadOfRecordedOnes() {
    const auto recorded =
        rowsOf({{.op = "allreduce", .selection = "total", .source = 0, .target = 1, .size = 30, .time = 3}});
    const auto computed =
        rowsOf({{.op = "hcom_allReduce__1_0", .selection = "single", .source = 1, .target = 0, .size = 7, .time = 1}});
    const CaptureStore capture = captureOf({recorded, recorded});
    WorkerArena arena(2);
    arena.run([&] {
        const LinkQuery query{.ranks = {{0}, {1}}, .computed = {nullptr, computed}};
        const auto matrix = linkMatrix(capture, query, {});
        QCOMPARE(dump(*matrix), QStringLiteral("0>1 HCCS 30/3 x0; 1>0 HCCS 7/1 x1"));
        QVERIFY(!matrix->isComputed(0) && matrix->isComputed(1));
        const auto calls = linkCalls(capture, query, {1, {}, 0}, {0, {}, 0}, {});
        QCOMPARE(calls.size(), std::size_t{1});
        QVERIFY(calls[0].isComputed && calls[0].rows == computed && calls[0].rank == RankIndex{1});
    });
}

/// What is computed has a row for each transport of a call, and a name may come again.
void TestLinkMatrix::computedCallsAreComplete() {
    const auto computed = rowsOf({{.op = "hcom_allReduce__1_0",
                                   .selection = "single",
                                   .source = 0,
                                   .target = 1,
                                   .transport = "HCCS",
                                   .size = 10,
                                   .time = 5},
                                  {.op = "hcom_allReduce__1_0",
                                   .selection = "single",
                                   .source = 0,
                                   .target = 1,
                                   .transport = "RDMA",
                                   .size = 8000,
                                   .time = -1},
                                  {.op = "hcom_allReduce__1_0",
                                   .selection = "single",
                                   .source = 0,
                                   .target = 1,
                                   .transport = "HCCS",
                                   .size = 20,
                                   .time = 5}});
    const CaptureStore capture = captureOf({nullptr});
    WorkerArena arena(2);
    arena.run([&] {
        LinkQuery query{.ranks = {{0}}, .computed = {computed}};
        for (const LinkCalls::Kind kind : {LinkCalls::Kind::All, LinkCalls::Kind::Operator}) {
            query.calls = {.kind = kind, .type = {}, .selection = {}, .name = "hcom_allReduce__1_0"};
            const auto matrix = linkMatrix(capture, query, {});
            QCOMPARE(matrix->size(), std::size_t{1});
            QCOMPARE(matrix->find(0, 1)->size, 8030);
            QCOMPARE(matrix->find(0, 1)->calls, 2U);
            QVERIFY(!matrix->find(0, 1)->hasTime());
            QCOMPARE(linkCalls(capture, query, {0, {}, 0}, {1, {}, 0}, {}).size(), std::size_t{3});
        }
        // How fast RDMA was nobody knows, so it is neither the slowest nor the fastest.
        query.calls = {.kind = LinkCalls::Kind::Selection, .type = "allreduce", .selection = "bottom1", .name = {}};
        QCOMPARE(dump(*linkMatrix(capture, query, {})), QStringLiteral("0>1 HCCS 10/5 x1"));
        query.calls.selection = "top1";
        QCOMPARE(dump(*linkMatrix(capture, query, {})), QStringLiteral("0>1 HCCS 20/5 x1"));
    });
}

/// A marked time may leave out the link of a rank to itself, which tells its place.
void TestLinkMatrix::placesAreKnownFromTheWholeRun() {
    const Row own{
        .op = "hcom_allReduce__1_0", .selection = "single", .sourceLocal = 0, .targetLocal = 0, .size = 1, .time = 1};
    const Row other{
        .op = "hcom_allReduce__1_1", .selection = "single", .sourceLocal = 0, .targetLocal = 1, .size = 2, .time = 1};
    const auto whole = rowsOf({own, other}), marked = rowsOf({other});
    const CaptureStore capture = captureOf({nullptr});
    QCOMPARE(matrixText(capture, {.computed = {marked}, .wholeRun = {whole}}), QStringLiteral("0>g[1] HCCS 2/1 x1"));
    QCOMPARE(matrixText(capture, {.computed = {marked}}), QStringLiteral("g[0]>g[1] HCCS 2/1 x1"));
}

/// Events may not name groups; operators' names tell them apart.
void TestLinkMatrix::placesOfGroupsWithoutNamesStayApart() {
    const CaptureStore capture = captureOf({rowsOf({{.group = "",
                                                     .op = "hcom_allReduce__586_0",
                                                     .selection = "single",
                                                     .sourceLocal = 0,
                                                     .targetLocal = 1,
                                                     .size = 1,
                                                     .time = 1},
                                                    {.group = "",
                                                     .op = "hcom_send__097_0",
                                                     .selection = "single",
                                                     .sourceLocal = 0,
                                                     .targetLocal = 1,
                                                     .size = 2,
                                                     .time = 1}})});
    QCOMPARE(matrixText(capture, {}), QStringLiteral("__097[0]>__097[1] HCCS 2/1 x1; __586[0]>__586[1] HCCS 1/1 x1"));
}

void TestLinkMatrix::timesThatAreNotReportedMakeNoBandwidth() {
    const CaptureStore capture = captureOf(
        {rowsOf({{.op = "hcom_send__1_0",
                  .selection = "single",
                  .source = 0,
                  .target = 1,
                  .transport = "RDMA",
                  .size = 50,
                  .time = -1},
                 {.op = "hcom_send__1_1", .selection = "single", .source = 0, .target = 1, .size = 10, .time = 5},
                 {.op = "hcom_send__1_1", .selection = "single", .source = 0, .target = 2, .size = 10, .time = 5}})});
    WorkerArena arena(2);
    arena.run([&] {
        const auto matrix = linkMatrix(capture, {.ranks = {{0}}}, {});
        QVERIFY(!matrix->find(0, 1)->hasTime() && !matrix->find(0, 1)->bandwidth());
        QCOMPARE(matrix->find(0, 1)->size, 60);
        QCOMPARE(*matrix->find(0, 2)->bandwidth(), 2.0);
        const auto times = LinkPicture::make(matrix, LinkMetric::Time, LinkPicture::Inner::Shown, {}),
                   rates = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Shown, {});
        QVERIFY(std::isnan(times->sample({1, 0, 1, 1}, 1, 1)[0]));
        QVERIFY(!times->ofSources()[0] && !rates->ofSources()[0] && !rates->ofTargets()[1]);
        QCOMPARE(*rates->ofTargets()[2], 2.0);
    });
}

void TestLinkMatrix::placesBecomeRanks() {
    // Ranks 0 and 1 are places 0 and 1 of g, as their links to themselves tell; nobody tells who place 2 is.
    const CaptureStore capture = captureOf(
        {rowsOf({{.op = "allreduce",
                  .selection = "total",
                  .sourceLocal = 0,
                  .targetLocal = 0,
                  .transport = "LOCAL",
                  .size = 1,
                  .time = 1},
                 {.op = "allreduce", .selection = "total", .sourceLocal = 0, .targetLocal = 1, .size = 2, .time = 1},
                 {.op = "allreduce", .selection = "total", .sourceLocal = 0, .targetLocal = 2, .size = 3, .time = 1}}),
         rowsOf(
             {{.op = "allreduce",
               .selection = "total",
               .sourceLocal = 1,
               .targetLocal = 1,
               .transport = "LOCAL",
               .size = 4,
               .time = 1},
              {.op = "allreduce", .selection = "total", .sourceLocal = 1, .targetLocal = 0, .size = 5, .time = 1}})});
    QCOMPARE(
        matrixText(capture, {}),
        QStringLiteral("0>0 LOCAL 1/1 x0; 0>1 HCCS 2/1 x0; 0>g[2] HCCS 3/1 x0; 1>0 HCCS 5/1 x0; 1>1 LOCAL 4/1 x0"));
}

void TestLinkMatrix::placesThatTwoRanksClaimStayPlaces() {
    const std::vector<Row> claim{{.op = "allreduce",
                                  .selection = "total",
                                  .sourceLocal = 0,
                                  .targetLocal = 0,
                                  .transport = "LOCAL",
                                  .size = 1,
                                  .time = 1}};
    const CaptureStore capture = captureOf({rowsOf(claim), rowsOf(claim)});
    QCOMPARE(matrixText(capture, {}), QStringLiteral("g[0]>g[0] LOCAL 2/2 x0"));
}

void TestLinkMatrix::stepsAndGroups() {
    const CaptureStore capture = captureOf({rowsOf(
        {{.step = 5, .group = "a", .op = "send", .selection = "total", .source = 0, .target = 1, .size = 1, .time = 1},
         {.step = 6, .group = "a", .op = "send", .selection = "total", .source = 0, .target = 1, .size = 2, .time = 1},
         {.step = 6,
          .group = "b",
          .op = "send",
          .selection = "total",
          .source = 0,
          .target = 1,
          .size = 4,
          .time = 1}})});
    QCOMPARE(matrixText(capture, {}), QStringLiteral("0>1 HCCS 7/3 x0"));
    QCOMPARE(matrixText(capture, {.steps = {6}}), QStringLiteral("0>1 HCCS 6/2 x0"));
    QCOMPARE(matrixText(capture, {.steps = {6}, .groups = {"a"}}), QStringLiteral("0>1 HCCS 2/1 x0"));
    QCOMPARE(matrixText(capture, {.groups = {"c"}}), QString());
}

void TestLinkMatrix::callsOfALink() {
    std::vector<Row> rows;
    for (const char* selection : {"top1", "middle"})
        rows.push_back(
            {.op = "hcom_allReduce__1_0", .selection = selection, .source = 0, .target = 1, .size = 20, .time = 4});
    rows.push_back(
        {.op = "hcom_allReduce__1_1", .selection = "bottom1", .source = 0, .target = 1, .size = 20, .time = 9});
    rows.push_back(
        {.op = "hcom_allReduce__1_1", .selection = "bottom1", .source = 0, .target = 2, .size = 20, .time = 9});
    rows.push_back({.op = "allreduce", .selection = "total", .source = 0, .target = 1, .size = 40, .time = 13});
    rows.push_back({.op = "send", .selection = "total", .source = 0, .target = 3, .size = 1, .time = 1});
    const CaptureStore capture = captureOf({rowsOf(rows)});
    WorkerArena arena(2);
    const auto found = [&](std::int64_t target, LinkCalls calls) {
        QStringList names;
        arena.run([&] {
            for (const LinkRow& call :
                 linkCalls(capture, {.ranks = {{0}}, .calls = std::move(calls)}, {0, {}, 0}, {target, {}, 0}, {})) {
                const RowTables& tables = *capture.ranks[0].rows;
                names << QString::fromUtf8(
                    tables.text(*tables.find(RowKind::Link)->text(fixedColumn(RowKind::Link, "op_name"), call.row)));
            }
        });
        return names.size();
    };
    QCOMPARE(found(1, {}), 2);
    QCOMPARE(found(1, {LinkCalls::Kind::Operator, {}, {}, "hcom_allReduce__1_1"}), 1);
    QCOMPARE(found(3, {}), 1);  // nothing but a total
    QCOMPARE(found(4, {}), 0);
}

/// Each pixel must show the lowest of the cells that overlap it, and may show one just beyond its border.
void TestLinkMatrix::nothingIsLostAtAnyZoom() {
    const std::size_t side = 150;
    const RandomMatrix random(side, 0.3);
    const LinkWindow windows[] = {
        {0, 0, 150, 150}, {10.3, 20.7, 100, 90}, {40, 40, 8, 6}, {0, 0, 150, 50}, {149, 149, 1, 1}};
    for (const LinkWindow& window : windows) {
        const int columns = 37, rows = 29;
        const std::vector<float> picture = random.picture->sample(window, columns, rows);
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < columns; ++x) {
                const auto lowest = [&](double margin) {
                    float best = std::numeric_limits<float>::infinity();
                    const double width = window.width / columns, height = window.height / rows;
                    const double left = window.left + x * width - margin,
                                 right = window.left + (x + 1) * width + margin, top = window.top + y * height - margin,
                                 bottom = window.top + (y + 1) * height + margin;
                    for (auto row = static_cast<std::size_t>(std::max(0.0, top));
                         row < side && static_cast<double>(row) < bottom - 1e-9; ++row) {
                        for (auto column = static_cast<std::size_t>(std::max(0.0, left));
                             column < side && static_cast<double>(column) < right - 1e-9; ++column) {
                            const float value = random.values[row * side + column];
                            if (!std::isnan(value)) best = std::min(best, value);
                        }
                    }
                    return best;
                };
                float shown = picture[static_cast<std::size_t>(y * columns + x)];
                if (std::isnan(shown)) shown = std::numeric_limits<float>::infinity();
                const double beyond = std::max(1.0, std::max(window.width / columns, window.height / rows) * 2);
                QVERIFY2(shown <= lowest(0), qPrintable(QStringLiteral("%1 %2").arg(x).arg(y)));
                QVERIFY(shown >= lowest(beyond));
            }
        }
    }
}

void TestLinkMatrix::largeMatrixAgrees() {
    // More nodes than the finest level has cells: links are read themselves where they are larger than a pixel.
    std::vector<LinkNode> nodes;
    for (std::int64_t i = 0; i < 9000; ++i) nodes.push_back({i, {}, 0});
    WorkerArena arena(2);
    std::shared_ptr<const LinkPicture> picture;
    arena.run([&] {
        auto matrix = std::make_shared<const LinkMatrix>(
            LinkMatrix::make(std::move(nodes), {"HCCS"},
                             {{8999, 5, 70'000'000, 10'000'000, 1, 1}, {8999, 6, 20'000'000, 10'000'000, 1, 1}}));
        picture = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Shown, {});
    });
    const std::vector<float> near = picture->sample({4, 8998, 4, 2}, 4, 2);
    QVERIFY(std::isnan(near[0]) && std::isnan(near[4]));
    QCOMPARE(near[5], 7.0F);
    QCOMPARE(near[6], 2.0F);
    const std::vector<float> all = picture->sample({0, 0, 9000, 9000}, 10, 10);
    QCOMPARE(all[90], 2.0F);
    QCOMPARE(static_cast<int>(std::count_if(all.begin(), all.end(), [](float value) { return !std::isnan(value); })),
             1);
    QCOMPARE(picture->standsFor({0, 8990, 10, 10})->target, 6U);
}

void TestLinkMatrix::sumsOfRowsAndColumns() {
    const CaptureStore capture =
        captureOf({rowsOf({{.op = "send", .selection = "total", .source = 0, .target = 1, .size = 30, .time = 10},
                           {.op = "send", .selection = "total", .source = 0, .target = 2, .size = 10, .time = 10},
                           {.op = "send", .selection = "total", .source = 2, .target = 1, .size = 10, .time = 30}})});
    WorkerArena arena(2);
    arena.run([&] {
        const auto matrix = linkMatrix(capture, {.ranks = {{0}}}, {});
        const auto rates = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Shown, {});
        QCOMPARE(*rates->ofSources()[0], 2.0);
        QVERIFY(!rates->ofSources()[1]);
        QCOMPARE(*rates->ofTargets()[1], 1.0);
        QCOMPARE(*LinkPicture::make(matrix, LinkMetric::Size, LinkPicture::Inner::Shown, {})->ofTargets()[1], 40.0);
    });
}

void TestLinkMatrix::innerLinksAreHidden() {
    const CaptureStore capture = captureOf({rowsOf(
        {{.op = "send",
          .selection = "total",
          .source = 0,
          .target = 0,
          .transport = "LOCAL",
          .size = 900'000'000,
          .time = 1'000'000},
         {.op = "send", .selection = "total", .source = 0, .target = 1, .size = 10'000'000, .time = 10'000'000}})});
    WorkerArena arena(2);
    arena.run([&] {
        const auto matrix = linkMatrix(capture, {.ranks = {{0}}}, {});
        const auto all = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Shown, {}),
                   outer = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Hidden, {});
        QCOMPARE(*all->max(), 900.0);
        QCOMPARE(*outer->max(), 1.0);
        QVERIFY(std::isnan(outer->sample({0, 0, 2, 2}, 2, 2)[0]));
        QCOMPARE(outer->sample({0, 0, 2, 2}, 2, 2)[1], 1.0F);
    });
}

void TestLinkMatrix::slowestTransportStands() {
    const CaptureStore capture = captureOf({rowsOf(
        {{.op = "send", .selection = "total", .source = 0, .target = 1, .transport = "HCCS", .size = 1, .time = 1},
         {.op = "send", .selection = "total", .source = 1, .target = 1, .transport = "RDMA", .size = 1, .time = 1}})});
    WorkerArena arena(2);
    arena.run([&] {
        const auto picture = LinkPicture::make(linkMatrix(capture, {.ranks = {{0}}}, {}), LinkMetric::Transport,
                                               LinkPicture::Inner::Shown, {});
        QCOMPARE(picture->matrix().transports(), (std::vector<std::string>{"RDMA", "HCCS"}));
        QCOMPARE(picture->sample({0, 0, 2, 2}, 1, 1)[0], 2.0F);
    });
}

/// 96 bytes at 57 MB/s once were the slowest link of all.
void TestLinkMatrix::tinyTransfersSetNoColoursAndStandForNone() {
    constexpr std::int64_t kMany = 50'000'000;
    const CaptureStore capture = captureOf({rowsOf(
        {{.op = "hcom_allReduce__1_0",
          .selection = "single",
          .source = 0,
          .target = 1,
          .size = kMany,
          .time = kMany / 10},
         {.op = "hcom_send__1_1", .selection = "single", .source = 1, .target = 0, .size = 96, .time = 1700},
         {.op = "hcom_send__1_2", .selection = "single", .source = 1, .target = 1, .size = 96, .time = 1700}})});
    WorkerArena arena(2);
    arena.run([&] {
        const auto matrix = linkMatrix(capture, {.ranks = {{0}}}, {});
        QVERIFY(matrix->isTooSmall(*matrix->find(1, 0)) && !matrix->isTooSmall(*matrix->find(0, 1)) &&
                !matrix->isTooSmall(*matrix->find(1, 1)));
        const auto rates = LinkPicture::make(matrix, LinkMetric::Bandwidth, LinkPicture::Inner::Hidden, {});
        QCOMPARE(*rates->min(), 10.0);
        QCOMPARE(*rates->minPositive(), 10.0);
        QVERIFY(rates->anyTooSmall());
        QCOMPARE(rates->sample({0, 1, 1, 1}, 1, 1)[0], LinkPicture::kTooSmall);
        QCOMPARE(rates->sample({0, 0, 2, 2}, 1, 1)[0], 10.0F);
        QCOMPARE(rates->standsFor({0, 0, 2, 2})->target, 1U);
        QCOMPARE(rates->standsFor({0, 1, 1, 1})->size, 96);
        QCOMPARE(*LinkPicture::make(matrix, LinkMetric::Size, LinkPicture::Inner::Hidden, {})->min(), 96.0);
        // The mean of many calls counts.
        const LinkSum many{0, 1, LinkSum::kSmallTransfer * 10, 1, 20, 1},
            few{0, 1, LinkSum::kSmallTransfer * 10, 1, 10, 1};
        QVERIFY(many.isTooSmall(false) && !many.isTooSmall(true) && !few.isTooSmall(false));
    });
    // Where all are as small they are held against each other.
    const CaptureStore tiny = captureOf({rowsOf(
        {{.op = "hcom_send__1_0", .selection = "single", .source = 0, .target = 1, .size = 96, .time = 12},
         {.op = "hcom_send__1_1", .selection = "single", .source = 1, .target = 0, .size = 96, .time = 24},
         {.op = "hcom_send__1_2", .selection = "single", .source = 1, .target = 1, .size = kMany, .time = 9}})});
    arena.run([&] {
        const auto rates = LinkPicture::make(linkMatrix(tiny, {.ranks = {{0}}}, {}), LinkMetric::Bandwidth,
                                             LinkPicture::Inner::Hidden, {});
        QCOMPARE(rates->min().value_or(0), 4.0);
    });
}

ALTI_TEST(TestLinkMatrix)
#include "tst_link_matrix.moc"
