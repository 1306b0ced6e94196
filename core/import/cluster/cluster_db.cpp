#include "core/import/cluster/cluster_db.h"

#include "core/base/text/text.h"
#include "core/import/communication/cluster_groups.h"
#include "core/import/communication/communication_names.h"
#include "core/import/communication/communication_rows.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kUsToNs = 1'000;
constexpr std::int64_t kMsToNs = 1'000'000;  // also megabytes of communication to bytes

/// A database of a cluster, open.
class ClusterDb {
public:
    static Result<ClusterDb> open(const SourceFile& file, const CancelToken& cancel) {
        auto database = CheckedDatabase::open(file, cancel);
        if (!database.ok()) return database.as<ClusterDb>();
        return ClusterDb{std::move(database).value(), cancel};
    }

    const CheckedDatabase& database() const { return m_database; }

    /// Calls `take` for each row of the first of the tables that is there, in the order of the rows. Columns that it
    /// lacks are NULL; of names that are joined by '|' the first that is there is taken.
    /// @param needed  So many of the first columns must be there.
    /// @param holdsSums  No two rows are alike: one that says what another one says is reported.
    void each(std::vector<std::string_view> names, const std::vector<const char*>& columns, std::size_t needed,
              DbProblemLog& problems, const std::function<void(const DbRow&)>& take) const {
        const DbTable* table = nullptr;
        for (const std::string_view name : names) {
            const DbTable* known = m_database.schema.table(name);
            if (table == nullptr && known != nullptr && !known->empty()) table = known;
        }
        if (table == nullptr) return;
        std::vector<std::string> found;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            found.push_back(columnOf(*table, columns[i]));
            if (found.back().empty() && i < needed)
                return problems.add(DbProblem::MissingColumn, table->name, -1, columns[i]);
        }
        readDbTable(m_database, *table, found, columns, problems, m_cancel,
                    [&take](const DbRow& row, std::int64_t) { take(row); });
    }

    ClusterDb(CheckedDatabase database, const CancelToken& cancel)
        : m_database(std::move(database)), m_cancel(cancel) {}

private:
    static std::string columnOf(const DbTable& table, std::string_view names) {
        while (!names.empty()) {
            const std::string_view one = names.substr(0, names.find('|'));
            if (table.has(one)) return std::string(one);
            names.remove_prefix(std::min(names.size(), one.size() + 1));
        }
        return {};
    }

    CheckedDatabase m_database;
    const CancelToken& m_cancel;
};

/// Turns rows of communication into rows of the store.
class ClusterDbRows {
public:
    ClusterDbRows(const SourceFile& file, const ClusterDbFacts& facts, const GroupDirectory& groups, ClusterKeys& keys,
                  TableContext& context)
        : m_file(file), m_facts(facts), m_groups(groups), m_keys(keys), m_context(context),
          m_times(CommunicationRows::batchOf(context.builder, RowKind::Collective, CommunicationOf::Cluster)),
          m_bandwidths(CommunicationRows::batchOf(context.builder, RowKind::Bandwidth, CommunicationOf::Cluster)),
          m_packets(CommunicationRows::batchOf(context.builder, RowKind::Packet, CommunicationOf::Cluster)),
          m_links(CommunicationRows::batchOf(context.builder, RowKind::Link, CommunicationOf::Cluster)) {}

    void addTime(const DbRow& row) {
        const auto rank = rankOf(row);
        if (!rank || row.text(2).starts_with("Total")) return;
        m_times.addRow();
        m_times.setText(fixedColumn(RowKind::Collective, "origin"), "recorded");
        setOwner(m_times, row, *rank, row.step(0));
        m_times.setText(fixedColumn(RowKind::Collective, "kind"), operatorKind(row.text(2)));
        set(m_times, "ts", row.amount(4, kUsToNs));
        int column = 5;
        for (const char* name : {"elapsed", "transit", "wait", "synchronization"})
            set(m_times, name, row.amount(column++, kMsToNs));
        // The rest after the other times, as doubles: a hair below 0 is no fault.
        set(m_times, "idle", row.scaled(column, kMsToNs));
        commit(m_times);
    }

    void addBandwidth(const DbRow& row) {
        const auto rank = rankOf(row);
        if (!rank || row.text(2).starts_with("Total")) return;
        const auto size = row.amount(5, kMsToNs), transit = row.amount(6, kMsToNs), packet = row.amount(9, kMsToNs),
                   count = row.amount(10, 1), duration = row.amount(11, kMsToNs), step = row.step(0);
        const bool isPacket = packet.value_or(0) != 0 || count.value_or(0) != 0 || duration.value_or(0) != 0;
        const std::string transport = repairedUtf8(row.text(4));
        if (isPacket) {
            m_packets.addRow();
            setOwner(m_packets, row, *rank, step);
            m_packets.setText(fixedColumn(RowKind::Packet, "transport"), transport);
            set(m_packets, "packet_size", packet);
            set(m_packets, "count", count);
            set(m_packets, "dur", duration);
            commit(m_packets);
        }
        if (!isPacket && size.value_or(0) == 0 && transit.value_or(0) == 0) return;
        // The totals of a transport stand on each of its rows.
        const std::tuple key{*rank, std::string(row.text(0)), std::string(row.text(2)), std::string(row.text(3)),
                             transport};
        if (!m_seen.insert(key).second) return;
        m_bandwidths.addRow();
        setOwner(m_bandwidths, row, *rank, step);
        m_bandwidths.setText(fixedColumn(RowKind::Bandwidth, "transport"), transport);
        set(m_bandwidths, "size", size);
        set(m_bandwidths, "transit", transit);
        real(m_bandwidths, "gb_per_s", row, 7);
        real(m_bandwidths, "large_packet_ratio", row, 8);
        commit(m_bandwidths);
    }

    void addLink(const DbRow& row) {
        const std::string key = repairedUtf8(row.text(2)), hash = groupOf(row);
        if (key.starts_with("Total")) return;
        const auto source = clusterRankOf(row.text(1)), target = clusterRankOf(row.text(4));
        if (!source || !target) return nowhere(row);
        const std::uint32_t place =
            m_keys.addLink(leafOf(hash, std::to_string(*source) + '-' + std::to_string(*target)));
        const LinkKeyParts words = linkKeyParts(operatorKey(key).op);
        const std::string called = repairedUtf8(row.text(9));
        m_links.addRow();
        setOwner(m_links, row, *source, row.step(0));
        m_links.setText(fixedColumn(RowKind::Link, "op_name"), called.empty() ? words.op : operatorKey(called).op);
        m_links.setText(fixedColumn(RowKind::Link, "selection"), words.selection);
        m_links.setInteger(fixedColumn(RowKind::Link, "src_rank"), *source);
        m_links.setInteger(fixedColumn(RowKind::Link, "dst_rank"), *target);
        m_links.setReal(kClusterSetColumn, place);
        m_links.setText(fixedColumn(RowKind::Link, "transport"), repairedUtf8(row.text(5)));
        set(m_links, "size", row.amount(6, kMsToNs));
        set(m_links, "transit", row.amount(7, kMsToNs));
        real(m_links, "gb_per_s", row, 8);
        commit(m_links);
    }

    void finish() {
        for (RowBatch* batch : {&m_times, &m_bandwidths, &m_packets, &m_links}) m_context.builder.commit(*batch);
    }

private:
    // The first columns of all tables: step, rank, operator, group.
    std::optional<std::int64_t> rankOf(const DbRow& row) {
        const auto rank = clusterRankOf(row.text(1));
        if (!rank) nowhere(row);
        return rank;
    }
    void nowhere(const DbRow& row) {
        m_context.diagnostics.add("cluster.no_rank", Severity::Lost, m_file.name,
                                  {PlaceUnit::Row, static_cast<std::uint64_t>(row.number())});
    }
    /// A link's place in the files of text, whose keys state what the database has in a table of its own.
    JsonLeaf leafOf(const std::string& hash, std::string ends) {
        if (m_groupKey == nullptr || hash != m_group) {
            const auto set = m_facts.sets.find(hash);
            m_group = hash;
            m_setKey = std::make_shared<const std::string>(set == m_facts.sets.end() ? std::string() : set->second);
            m_groupKey = std::make_shared<const std::string>('@' + hash);
        }
        return {{m_setKey, m_groupKey, std::make_shared<const std::string>(std::move(ends))}, 0, 0};
    }
    static std::string groupOf(const DbRow& row) {
        const std::string_view group = row.text(3);
        return repairedUtf8(group.empty() ? operatorKey(row.text(2)).group.value_or(group) : group);
    }
    void setOwner(RowBatch& batch, const DbRow& row, std::int64_t rank, std::optional<std::int64_t> step) {
        const RowKind kind = batch.kind();
        set(batch, "step", step);
        if (const std::string group = groupOf(row); !group.empty())
            batch.setText(rowColumn(kind, "group_name"), m_groups.name(group));
        batch.setText(rowColumn(kind, "op_name"), repairedUtf8(operatorKey(row.text(2)).op));
        batch.setReal(clusterRankColumn(kind), static_cast<double>(rank));
    }
    static void set(RowBatch& batch, std::string_view column, std::optional<std::int64_t> value) {
        if (value) batch.setInteger(rowColumn(batch.kind(), column), *value);
    }
    static void real(RowBatch& batch, std::string_view column, const DbRow& row, int source) {
        const auto value = row.real(source);
        if (value && *value < 0) row.problem(DbProblem::OddNumber, source);
        else if (value) batch.setReal(rowColumn(batch.kind(), column), *value);
    }
    void commit(RowBatch& batch) {
        static constexpr std::size_t kRows = 8192;
        if (batch.size() >= kRows) m_context.builder.commit(batch);
    }

    const SourceFile& m_file;
    const ClusterDbFacts& m_facts;
    const GroupDirectory& m_groups;
    ClusterKeys& m_keys;
    TableContext& m_context;
    RowBatch m_times, m_bandwidths, m_packets, m_links;
    std::string m_group;  // of the next two
    JsonKey m_setKey, m_groupKey;
    std::set<std::tuple<std::int64_t, std::string, std::string, std::string, std::string>> m_seen;
};

}  // namespace

namespace {

void reportOtherForms(const CheckedDatabase& database, DbProblemLog& problems) {
    database.reportOthers({"CommunicationGroupMapping", "CommunicationGroup", "HostInfo", "RankDeviceMap",
                           "ClusterStepTraceTime", "ClusterTimeSummary", "ClusterCommunicationTime",
                           "ClusterCommAnalyzerTime", "ClusterCommunicationBandwidth", "ClusterCommAnalyzerBandwidth",
                           "ClusterCommunicationMatrix", "ClusterCommAnalyzerMatrix"},
                          problems);
}

}  // namespace

Result<ClusterDbFacts> readClusterDbFacts(const SourceFile& file, GroupDirectory& groups, std::set<std::int64_t>& ranks,
                                          Diagnostics& diagnostics) {
    const CancelToken never;
    const auto db = ClusterDb::open(file, never);
    if (!db.ok()) return db.as<ClusterDbFacts>();
    // Reported here alone: the file is opened again for its other tables.
    db.value().database().reportDamage(file.name, diagnostics);
    ClusterDbFacts facts;
    DbProblemLog problems;
    reportOtherForms(db.value().database(), problems);
    db.value().each({"CommunicationGroupMapping", "CommunicationGroup"},
                    {"rank_set", "group_name", "group_id", "pg_name", "type"}, 1, problems, [&](const DbRow& row) {
                        const auto set = rankSetOf(row.text(0));
                        if (!set)
                            return diagnostics.add("cluster.bad_group", Severity::Lost, file.name,
                                                   {PlaceUnit::Row, static_cast<std::uint64_t>(row.number())});
                        if (set->repeated > 0)
                            reportRepeatedRanks(file.name, {PlaceUnit::Row, static_cast<std::uint64_t>(row.number())},
                                                set->repeated, diagnostics);
                        ranks.insert(set->ranks.begin(), set->ranks.end());
                        const std::string id = repairedUtf8(row.text(2));
                        std::string hash = repairedUtf8(row.text(1)), type = repairedUtf8(row.text(3));
                        if (hash.empty() && !id.empty()) hash = groupHash(id);
                        if (type.empty() && row.text(4) == "p2p") type = "p2p";
                        if (hash.empty()) return groups.addUnnamed(set->ranks, type);
                        facts.sets.emplace(hash, std::string(row.text(0)));
                        groups.add({id.empty() ? hash : id, hash, type, set->ranks});
                    });
    std::map<std::string, std::string, std::less<>> hosts;
    db.value().each({"HostInfo"}, {"hostUid", "hostName"}, 2, problems,
                    [&](const DbRow& row) { hosts.emplace(repairedUtf8(row.text(0)), repairedUtf8(row.text(1))); });
    db.value().each({"RankDeviceMap"}, {"rankId", "deviceId", "hostUid"}, 1, problems, [&](const DbRow& row) {
        const auto rank = clusterRankOf(row.text(0));
        if (!rank) return;
        ranks.insert(*rank);
        ClusterRankFacts& one = facts.ranks[*rank];
        if (const auto device = clusterRankOf(row.text(1))) one.device = device;
        if (const auto host = hosts.find(row.text(2)); host != hosts.end()) one.host = host->second;
    });
    problems.addTo(diagnostics, file.name);
    return facts;
}

Result<Done> readClusterDbSteps(const SourceFile& file, TableContext& context) {
    static constexpr auto kKind = RowKind::StepBreakdown;
    const auto db = ClusterDb::open(file, context.cancel);
    if (!db.ok()) return db.as<Done>();
    DbProblemLog problems;
    static constexpr const char* kPlaces[] = {"dp_index", "pp_index", "tp_index"};
    std::vector<std::size_t> places;
    for (const char* name : kPlaces) places.push_back(context.builder.extraColumn(kKind, name));
    RowBatch batch = context.builder.batch(kKind);
    std::set<std::pair<std::int64_t, std::string>> seen;  // step, and whose
    static constexpr const char* kTimes[] = {"computing", "not_overlapped", "overlapped", "communication",
                                             "free",      "stage",          "bubble",     "not_overlapped_excl_receive",
                                             "preparing"};
    db.value().each(
        {"ClusterStepTraceTime", "ClusterTimeSummary"},
        {"index|rank", "computing|computation", "communication_not_overlapped|communicationNotOverlapComputation",
         "overlapped|communicationOverlapComputation", "communication", "free", "stage", "bubble",
         "communication_not_overlapped_and_exclude_receive", "preparing", "step", "dp_index", "pp_index", "tp_index"},
        2, problems, [&](const DbRow& row) {
            const auto step = row.step(10);
            // Rows of unknown steps are not alike.
            const bool isOdd = !step && !row.text(10).empty() && row.text(10) != "step";
            if (!isOdd && !seen.emplace(step.value_or(kNoCell), row.text(0)).second)
                return row.problem(DbProblem::RepeatedRow, 0);
            batch.addRow();
            batch.setText(fixedColumn(kKind, "origin"), repairedUtf8(row.text(0)));
            int column = 1;
            // Parts of a step are differences of others, and may be below 0.
            for (const char* name : kTimes) {
                if (const auto value = row.scaled(column++, kUsToNs)) batch.setInteger(rowColumn(kKind, name), *value);
            }
            if (step) batch.setInteger(fixedColumn(kKind, "step"), *step);
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (const auto place = row.real(11 + static_cast<int>(i))) batch.setReal(places[i], *place);
            }
        });
    context.builder.commit(batch);
    context.progress.addDone(file.size);
    problems.addTo(context.diagnostics, file.name);
    return context.cancel.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
}

Result<Done> readClusterDbCommunication(const SourceFile& file, const ClusterDbFacts& facts,
                                        const GroupDirectory& groups, ClusterKeys& keys, TableContext& context) {
    const auto db = ClusterDb::open(file, context.cancel);
    if (!db.ok()) return db.as<Done>();
    DbProblemLog problems;
    ClusterDbRows rows(file, facts, groups, keys, context);
    db.value().each({"ClusterCommunicationTime", "ClusterCommAnalyzerTime"},
                    {"step", "rank_id", "hccl_op_name", "group_name", "start_timestamp", "elapsed_time|elapse_time",
                     "transit_time", "wait_time", "synchronization_time", "idle_time"},
                    3, problems, [&](const DbRow& row) { rows.addTime(row); });
    db.value().each({"ClusterCommunicationBandwidth", "ClusterCommAnalyzerBandwidth"},
                    {"step", "rank_id", "hccl_op_name", "group_name", "band_type|transport_type", "transit_size",
                     "transit_time", "bandwidth", "large_packet_ratio", "package_size", "count", "total_duration"},
                    3, problems, [&](const DbRow& row) { rows.addBandwidth(row); });
    db.value().each({"ClusterCommunicationMatrix", "ClusterCommAnalyzerMatrix"},
                    {"step", "src_rank", "hccl_op_name", "group_name", "dst_rank", "transport_type", "transit_size",
                     "transit_time", "bandwidth", "op_name"},
                    3, problems, [&](const DbRow& row) { rows.addLink(row); });
    rows.finish();
    context.progress.addDone(file.size);
    problems.addTo(context.diagnostics, file.name);
    return context.cancel.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
}

}  // namespace altiscope::reader
