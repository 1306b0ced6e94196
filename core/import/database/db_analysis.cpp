#include "core/import/database/db_analysis.h"

#include "core/base/text/text.h"
#include "core/import/communication/communication_names.h"
#include "core/import/database_lookup/db_row_texts.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>

namespace altiscope::reader {

namespace {

constexpr auto kBandwidthRows = RowKind::Bandwidth;
constexpr auto kCollectiveRows = RowKind::Collective;
constexpr auto kLinkRows = RowKind::Link;
constexpr auto kPacketRows = RowKind::Packet;
constexpr auto kStepRows = RowKind::StepBreakdown;

constexpr std::int64_t kThousand = 1'000;       // us -> ns
constexpr std::int64_t kMillionth = 1'000'000;  // ms -> ns, megabytes -> bytes

/// Columns by which all tables of communication say whose their numbers are.
struct Owner {
    std::optional<std::int64_t> step;
    std::string op, group, type;
};

/// Turns the rows of one table into rows of the store.
class AnalysisRows {
public:
    AnalysisRows(const GroupDirectory& groups, RowTablesBuilder& builder) : m_groups(groups), m_builder(builder) {}

    void addStep(const DbRow& row);
    void addTime(const DbRow& row);
    void addBandwidth(const DbRow& row);
    void addLink(const DbRow& row);
    /// Hands over what has come together once it is much.
    void commit(bool isLast);

private:
    void setScaled(RowBatch& batch, std::size_t column, const DbRow& row, int source, std::int64_t factor) {
        if (const auto value = row.amount(source, factor)) batch.setInteger(column, *value);
    }
    void setReal(RowBatch& batch, std::size_t column, const DbRow& row, int source) {
        const auto value = row.real(source);
        if (value && *value < 0) row.problem(DbProblem::OddNumber, source);
        else if (value) batch.setReal(column, *value);
    }
    Owner ownerOf(const DbRow& row) const;
    void setOwner(RowBatch& batch, const Owner& owner);

    const GroupDirectory& m_groups;
    RowTablesBuilder& m_builder;
    RowBatch m_steps = m_builder.batch(kStepRows), m_times = m_builder.batch(kCollectiveRows),
             m_bandwidths = m_builder.batch(kBandwidthRows), m_packets = m_builder.batch(kPacketRows),
             m_links = m_builder.batch(kLinkRows);
    std::set<std::pair<std::int64_t, std::int64_t>> m_deviceSteps;  // step, device
    // step, operator, group, transport
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>> m_transports;
};

/// The rest of a key "{op}@{group}" where a writer has left the group at the name.
Owner AnalysisRows::ownerOf(const DbRow& row) const {
    Owner owner{row.step(2), repairedUtf8(row.text(0)), repairedUtf8(row.text(1)), {}};
    if (const std::size_t sign = owner.op.rfind('@'); sign != std::string::npos) {
        if (owner.group.empty()) owner.group = owner.op.substr(sign + 1);
        owner.op.resize(sign);
    }
    owner.type = row.text(3);
    return owner;
}

void AnalysisRows::setOwner(RowBatch& batch, const Owner& owner) {
    const RowKind kind = batch.kind();
    if (owner.step) batch.setInteger(rowColumn(kind, "step"), *owner.step);
    if (!owner.group.empty()) batch.setText(rowColumn(kind, "group_name"), m_groups.name(owner.group));
    batch.setText(rowColumn(kind, "op_name"), owner.op);
}

void AnalysisRows::addStep(const DbRow& row) {
    static constexpr std::size_t kTimes[] = {
        fixedColumn(kStepRows, "computing"),  fixedColumn(kStepRows, "not_overlapped"),
        fixedColumn(kStepRows, "overlapped"), fixedColumn(kStepRows, "communication"),
        fixedColumn(kStepRows, "free"),       fixedColumn(kStepRows, "stage"),
        fixedColumn(kStepRows, "bubble"),     fixedColumn(kStepRows, "not_overlapped_excl_receive"),
        fixedColumn(kStepRows, "preparing")};
    const auto step = row.step(0), device = row.cell(static_cast<int>(std::size(kTimes)) + 1);
    // Rows of unknown steps are not alike.
    const bool isOdd = !step && !row.text(0).empty() && row.text(0) != "step";
    if (!isOdd && !m_deviceSteps.emplace(step.value_or(kNoCell), device.value_or(kNoCell)).second)
        return row.problem(DbProblem::RepeatedRow, 0);
    m_steps.addRow();
    m_steps.setText(fixedColumn(kStepRows, "origin"), "recorded");
    if (step) m_steps.setInteger(fixedColumn(kStepRows, "step"), *step);
    // The vendor's parts are differences of others, and may be below 0: what is exposed less what is received, say.
    for (std::size_t i = 0; i < std::size(kTimes); ++i) {
        if (const auto value = row.scaled(static_cast<int>(i) + 1, kThousand)) m_steps.setInteger(kTimes[i], *value);
    }
    if (device) m_steps.setInteger(fixedColumn(kStepRows, "device_id"), *device);
}

void AnalysisRows::addTime(const DbRow& row) {
    const Owner owner = ownerOf(row);
    m_times.addRow();
    m_times.setText(fixedColumn(kCollectiveRows, "origin"), "recorded");
    setOwner(m_times, owner);
    const bool isKnown = owner.type == "p2p" || owner.type == "collective";
    m_times.setText(fixedColumn(kCollectiveRows, "kind"),
                    isKnown ? std::string_view(owner.type) : operatorKind(owner.op));
    setScaled(m_times, fixedColumn(kCollectiveRows, "ts"), row, 4, kThousand);
    static constexpr std::size_t kTimes[] = {
        fixedColumn(kCollectiveRows, "elapsed"), fixedColumn(kCollectiveRows, "transit"),
        fixedColumn(kCollectiveRows, "wait"), fixedColumn(kCollectiveRows, "synchronization"),
        fixedColumn(kCollectiveRows, "idle")};
    for (std::size_t i = 0; i + 1 < std::size(kTimes); ++i)
        setScaled(m_times, kTimes[i], row, static_cast<int>(i) + 5, kMillionth);
    // The rest after the other times, as doubles: a hair below 0 is no fault.
    if (const auto idle = row.scaled(9, kMillionth)) m_times.setInteger(fixedColumn(kCollectiveRows, "idle"), *idle);
}

void AnalysisRows::addBandwidth(const DbRow& row) {
    const Owner owner = ownerOf(row);
    const std::string transport = repairedUtf8(row.text(4));
    // A transport without packets of its own has one row with zeros.
    const auto packetSize = row.amount(9, kMillionth), count = row.amount(10, 1), duration = row.amount(11, kMillionth);
    const bool isPacket = packetSize.value_or(0) != 0 || count.value_or(0) != 0 || duration.value_or(0) != 0;
    if (isPacket) {
        m_packets.addRow();
        setOwner(m_packets, owner);
        m_packets.setText(fixedColumn(kPacketRows, "transport"), transport);
        if (packetSize) m_packets.setInteger(fixedColumn(kPacketRows, "packet_size"), *packetSize);
        if (count) m_packets.setInteger(fixedColumn(kPacketRows, "count"), *count);
        if (duration) m_packets.setInteger(fixedColumn(kPacketRows, "dur"), *duration);
    }
    const auto size = row.amount(5, kMillionth), transit = row.amount(6, kMillionth);
    if (!isPacket && size.value_or(0) == 0 && transit.value_or(0) == 0) {
        // A transport that moved nothing has no bandwidth.
        if (row.real(7).value_or(0) != 0) row.problem(DbProblem::OddNumber, 7);
        return;
    }
    // The totals stand on each row of a transport.
    const std::tuple key{owner.step.value_or(kNoCell), m_bandwidths.textId(owner.op), m_bandwidths.textId(owner.group),
                         m_bandwidths.textId(transport)};
    if (!m_transports.insert(key).second) return;
    m_bandwidths.addRow();
    setOwner(m_bandwidths, owner);
    m_bandwidths.setText(fixedColumn(kBandwidthRows, "transport"), transport);
    if (size) m_bandwidths.setInteger(fixedColumn(kBandwidthRows, "size"), *size);
    if (transit) m_bandwidths.setInteger(fixedColumn(kBandwidthRows, "transit"), *transit);
    setReal(m_bandwidths, fixedColumn(kBandwidthRows, "gb_per_s"), row, 7);
    setReal(m_bandwidths, fixedColumn(kBandwidthRows, "large_packet_ratio"), row, 8);
}

void AnalysisRows::addLink(const DbRow& row) {
    Owner owner = ownerOf(row);
    if (owner.op.starts_with("Total")) return;
    const LinkKeyParts key = linkKeyParts(owner.op);
    m_links.addRow();
    m_links.setText(fixedColumn(kLinkRows, "selection"), key.selection);
    const std::string_view called = row.text(10);
    owner.op = called.empty() ? std::string(key.op) : repairedUtf8(operatorKey(called).op);
    setOwner(m_links, owner);
    m_links.setText(fixedColumn(kLinkRows, "transport"), repairedUtf8(row.text(4)));
    // A local rank is a place among the group's ranks.
    const KnownGroup* group = m_groups.find(owner.group);
    const auto setEnd = [&](int source, std::size_t local, std::size_t global) {
        const auto rank = row.cell(source);
        if (!rank) return;
        m_links.setInteger(local, *rank);
        if (group == nullptr || *rank < 0 || *rank >= static_cast<std::int64_t>(group->ranks.size())) return;
        m_links.setInteger(global, group->ranks[static_cast<std::size_t>(*rank)]);
    };
    setEnd(8, fixedColumn(kLinkRows, "src_local"), fixedColumn(kLinkRows, "src_rank"));
    setEnd(9, fixedColumn(kLinkRows, "dst_local"), fixedColumn(kLinkRows, "dst_rank"));
    setScaled(m_links, fixedColumn(kLinkRows, "size"), row, 5, kMillionth);
    setScaled(m_links, fixedColumn(kLinkRows, "transit"), row, 6, kMillionth);
    setReal(m_links, fixedColumn(kLinkRows, "gb_per_s"), row, 7);
}

void AnalysisRows::commit(bool isLast) {
    static constexpr std::size_t kRows = 8192;
    for (RowBatch* batch : {&m_steps, &m_times, &m_bandwidths, &m_packets, &m_links}) {
        if (batch->size() > 0 && (isLast || batch->size() >= kRows)) m_builder.commit(*batch);
    }
}

/// Whether any of what is to be reported about a file was reported already.
bool holdsAny(const Diagnostics& reported, const Diagnostics& some, const std::string& file) {
    const auto before = reported.about(file).entries();
    return std::any_of(before.begin(), before.end(), [news = some.entries()](const Diagnostic& one) {
        return std::any_of(news.begin(), news.end(),
                           [&one](const Diagnostic& other) { return other.code == one.code; });
    });
}

struct AnalysisScan {
    std::string_view table;
    std::vector<const char*> columns;
    std::vector<const char*> needed;
    void (AnalysisRows::*add)(const DbRow&);
};

const std::vector<AnalysisScan>& analysisScans() {
    static const std::vector<AnalysisScan> kScans{
        {kAnalysisSteps,
         {"step", "computing", "communication_not_overlapped", "overlapped", "communication", "free", "stage", "bubble",
          "communication_not_overlapped_and_exclude_receive", "preparing", "deviceId"},
         {"computing"},
         &AnalysisRows::addStep},
        {kAnalysisTimes,
         {"hccl_op_name", "group_name", "step", "type", "start_timestamp", "elapse_time", "transit_time", "wait_time",
          "synchronization_time", "idle_time"},
         {"hccl_op_name"},
         &AnalysisRows::addTime},
        {kAnalysisBandwidths,
         {"hccl_op_name", "group_name", "step", "type", "transport_type", "transit_size", "transit_time", "bandwidth",
          "large_packet_ratio", "package_size", "count", "total_duration"},
         {"hccl_op_name", "transport_type"},
         &AnalysisRows::addBandwidth},
        {kAnalysisLinks,
         {"hccl_op_name", "group_name", "step", "type", "transport_type", "transit_size", "transit_time", "bandwidth",
          "src_rank", "dst_rank", "op_name"},
         {"hccl_op_name", "src_rank", "dst_rank"},
         &AnalysisRows::addLink},
    };
    return kScans;
}

}  // namespace

Result<std::vector<std::string_view>> filledAnalysisTables(const std::filesystem::path& path, const std::string& name) {
    using Tables = std::vector<std::string_view>;
    const auto connection = openDatabase(path, name, nullptr);
    if (!connection.ok()) return connection.as<Tables>();
    const auto schema = DbSchema::read(connection.value().get(), name);
    if (!schema.ok()) return schema.as<Tables>();
    Tables filled;
    for (const std::string_view table : kAnalysisTables) {
        if (schema.value().filled(table)) filled.push_back(table);
    }
    if (filled.empty()) {
        for (const std::string_view table : kAnalysisTables) {
            if (const std::string_view what = schema.value().insteadOf(table); !what.empty())
                return Error{
                    "db.not_a_table", name, {}, {{"table", std::string(table)}, {"detail", std::string(what)}}};
        }
        if (const auto damage = damageInSchema(path, name, schema.value())) return *damage;
    }
    return filled;
}

Result<Done> readAnalysisTable(const SourceFile& file, std::string_view table, const GroupDirectory& groups,
                               TableContext& context) {
    const auto opened = CheckedDatabase::open(file, context.cancel);
    if (!opened.ok()) return opened.as<Done>();
    const CheckedDatabase& database = opened.value();
    // Each of its tables is read by itself; what is wrong with the file is reported once.
    Diagnostics reported;
    database.reportDamage(file.name, reported);
    DbProblemLog others;
    database.reportOthers({kAnalysisSteps, kAnalysisTimes, kAnalysisBandwidths, kAnalysisLinks}, others);
    others.addTo(reported, file.name);
    if (!reported.empty() && !holdsAny(context.diagnostics, reported, file.name)) context.diagnostics.merge(reported);
    const DbTable* known = database.schema.table(table);
    context.progress.addDone(file.size);
    if (known == nullptr || known->empty()) return Done{};

    const auto& scans = analysisScans();
    const AnalysisScan& scan =
        *std::find_if(scans.begin(), scans.end(), [table](const AnalysisScan& one) { return one.table == table; });
    DbProblemLog problems;
    const auto missing = std::find_if(scan.needed.begin(), scan.needed.end(),
                                      [known](const char* column) { return !known->has(column); });
    if (missing != scan.needed.end()) {
        problems.add(DbProblem::MissingColumn, table, -1, *missing);
        problems.addTo(context.diagnostics, file.name);
        return Done{};
    }
    std::vector<std::string> columns;
    for (const char* column : scan.columns) columns.emplace_back(known->has(column) ? column : "");
    AnalysisRows rows(groups, context.builder);
    readDbTable(database, *known, columns, scan.columns, problems, context.cancel, [&](const DbRow& row, std::int64_t) {
        (rows.*scan.add)(row);
        rows.commit(false);
    });
    if (context.cancel.cancelled()) return Cancelled{};
    rows.commit(true);
    problems.addTo(context.diagnostics, file.name);
    return Done{};
}

}  // namespace altiscope::reader
