#include "core/import/cluster/cluster_ranks.h"

#include "core/base/values/parse.h"
#include "core/import/cluster/cluster_db.h"
#include "core/import/cluster/cluster_folder.h"
#include "core/import/cluster/cluster_split.h"
#include "core/import/communication/cluster_groups.h"
#include "core/import/communication/cluster_keys.h"
#include "core/import/communication/communication_rows.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/files/numbered_steps.h"
#include "core/import/files/profiler_info.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

std::vector<const SourceFile*> filesOf(const ClusterManifest& cluster) {
    std::vector<const SourceFile*> files;
    for (const auto* file : {&cluster.steps, &cluster.communication, &cluster.matrix, &cluster.groups,
                             &cluster.metadata, &cluster.database}) {
        if (*file) files.push_back(&**file);
    }
    return files;
}

std::vector<FileStamp> clusterStamps(const ClusterManifest& cluster) {
    std::vector<FileStamp> stamps;
    for (const SourceFile* file : filesOf(cluster)) stamps.push_back(altiscope::stampOf(file->originalFile()));
    return stamps;
}

/// cluster_step_trace_time.csv: the columns of a rank's file, and whose they are, which goes where the origin does.
const CsvFormat& clusterStepFormat() {
    static const std::vector<CsvColumn> columns = [] {
        const auto formats = csvFormats();
        const auto own = std::find_if(formats.begin(), formats.end(),
                                      [](const CsvFormat& format) { return format.name == "step_trace_time"; });
        std::vector<CsvColumn> all(own->columns.begin(), own->columns.end());
        all.push_back({"Index", CsvCell::Name, fixedColumn(RowKind::StepBreakdown, "origin"), true});
        return all;
    }();
    // All further columns are numbers: the coordinate of the rank in each dimension of the job.
    static constexpr std::string_view kNoNumbers[] = {"Type"};
    static constexpr std::size_t kKey[] = {fixedColumn(RowKind::StepBreakdown, "step"),
                                           fixedColumn(RowKind::StepBreakdown, "device_id"),
                                           fixedColumn(RowKind::StepBreakdown, "origin")};
    static const CsvFormat format{.name = "cluster_step_trace_time",
                                  .kind = RowKind::StepBreakdown,
                                  .columns = columns,
                                  .notMetrics = kNoNumbers,
                                  .key = kKey};
    return format;
}

/// Columns of step times that state where a rank stands in the job, in files and databases of clusters, and the
/// metadata that they become.
constexpr std::pair<std::string_view, std::string_view> kPlaceColumns[] = {
    {"DP Index", "dp_index"}, {"PP Index", "pp_index"}, {"TP Index", "tp_index"},
    {"dp_index", "dp_index"}, {"pp_index", "pp_index"}, {"tp_index", "tp_index"}};

/// Reads one cluster.
class ClusterReader {
public:
    ClusterReader(const ClusterManifest& cluster, CaptureManifest& manifest, GroupDirectory& groups,
                  const ClusterReading& reading, ProgressSlot& progress, const CancelToken& cancel)
        : m_cluster(cluster), m_manifest(manifest), m_groups(groups), m_reading(reading), m_progress(progress),
          m_cancel(cancel) {
        for (const RankManifest& rank : manifest.ranks) {
            if (!rank.info.rankId || rank.info.source == SourceKind::Cluster || !liesIn(rank.info.path, cluster.run))
                continue;
            m_own.insert(*rank.info.rankId);
            m_framework = rank.info.framework;
        }
    }

    Result<std::vector<RankManifest>> read();

private:
    Result<Done> read(const std::optional<SourceFile>& file, RowTablesBuilder& builder,
                      const std::function<Result<Done>(const SourceFile&, TableContext&)>& reader);
    void readMetadataOfGroups();
    void readDbFacts();
    void addSteps(const RowTables& steps, RowTablesBuilder& builder);
    std::vector<RankManifest> manifests(ClusterRows& rows);
    void report(std::string_view code, const std::optional<SourceFile>& file, std::uint64_t count,
                Severity severity = Severity::Info) {
        if (count > 0) m_manifest.diagnostics.add(code, severity, file ? file->name : m_cluster.path, {}, {}, count);
    }

    const ClusterManifest& m_cluster;
    CaptureManifest& m_manifest;
    GroupDirectory& m_groups;
    const ClusterReading& m_reading;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;
    std::set<std::int64_t> m_own;    // ranks with a folder
    std::set<std::int64_t> m_ranks;  // that the small files name
    // metadata of ranks that state their place in the job
    std::map<std::int64_t, std::map<std::string, std::string>> m_places;
    Framework m_framework = Framework::Torch;
    bool m_usesDb = false;
    ClusterDbFacts m_facts;
};

Result<Done> ClusterReader::read(const std::optional<SourceFile>& file, RowTablesBuilder& builder,
                                 const std::function<Result<Done>(const SourceFile&, TableContext&)>& reader) {
    if (!file) return Done{};
    TableContext context{builder, m_manifest.diagnostics, m_progress, m_cancel, m_reading.chunkBytes};
    m_progress.addTotal(file->size);
    m_progress.setFile(file->name);
    const Result<Done> done = reader(*file, context);
    if (!done.failed()) return done;
    const std::string_view place = done.error().place;
    const auto row = wholeNumber<std::uint64_t>(place.substr(place.find(' ') + 1));
    m_manifest.diagnostics.add(done.error().code, Severity::Lost, file->name,
                               row ? Place{PlaceUnit::Row, *row} : Place{}, done.error().parameters);
    return Done{};
}

/// Reads facts of groups and ranks from the database, if the cluster is read from it.
void ClusterReader::readDbFacts() {
    if (!m_cluster.database) return;
    const SourceFile& database = *m_cluster.database;
    m_usesDb = !m_cluster.steps && !m_cluster.communication && !m_cluster.matrix;
    if (!m_usesDb)
        return m_manifest.diagnostics.add("source_not_taken", Severity::Info, database.name, {},
                                          {{"taken", m_cluster.path}});
    auto facts = readClusterDbFacts(database, m_groups, m_ranks, m_manifest.diagnostics);
    m_usesDb = facts.ok();
    if (m_usesDb) m_facts = std::move(facts).value();
    else m_manifest.diagnostics.add(facts.error().code, Severity::Lost, database.name, {}, facts.error().parameters);
}

void ClusterReader::readMetadataOfGroups() {
    if (!m_cluster.metadata) return;
    RankInfo info;
    info.metadata = readMetadata(m_cluster.metadata->path, m_cluster.metadata->name, m_manifest.diagnostics);
    m_groups.add(info);
}

/// Puts the step times of ranks into the tables of all files.
/// @param steps  As the file has them: `origin` says whose a row is.
void ClusterReader::addSteps(const RowTables& steps, RowTablesBuilder& builder) {
    static constexpr auto kKind = RowKind::StepBreakdown;
    static constexpr std::size_t kOrigin = fixedColumn(kKind, "origin");
    builder.extraColumn(kKind, "cluster_rank");
    RowBatch batch = builder.batch(kKind);
    const RowTable& table = *steps.find(kKind);
    std::uint64_t stages = 0, odd = 0, repeated = 0;
    std::set<std::vector<std::int64_t>> sets;
    // columns of the table, and what they are called in the metadata
    std::vector<std::pair<std::size_t, std::string>> places;
    for (std::size_t i = 0; i < table.extras().size(); ++i) {
        for (const auto& [header, key] : kPlaceColumns) {
            if (table.extras()[i] == header) places.emplace_back(rowColumns(kKind).size() + i, key);
        }
    }
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto index = table.text(kOrigin, row);
        const std::string_view whose = index ? steps.text(*index) : std::string_view();
        const auto rank = clusterRankOf(whose);
        if (!rank) {
            const auto set = rankSetOf(whose);
            ++(set ? stages : odd);
            if (set) sets.insert(set->ranks);
            repeated += set ? set->repeated : 0;
            continue;
        }
        m_ranks.insert(*rank);
        for (const auto& [column, key] : places) {
            if (const auto place = table.real(column, row))
                m_places[*rank][key] = std::to_string(static_cast<std::int64_t>(*place));
        }
        batch.addRow();
        for (std::size_t column = 0; column < rowColumns(kKind).size(); ++column) {
            if (column == kOrigin) batch.setText(column, "recorded");
            else if (const auto value = table.integer(column, row)) batch.setInteger(column, *value);
        }
        batch.setReal(clusterRankColumn(kKind), static_cast<double>(*rank));
    }
    builder.commit(batch);
    // Stages are consecutive blocks of ranks, so sets in the order of their ranks are in that of the stages.
    std::int64_t stage = 0;
    if (sets.size() < 2) sets.clear();
    for (const std::vector<std::int64_t>& set : sets) {
        for (const std::int64_t rank : set) m_places[rank]["pipeline_stage"] = std::to_string(stage);
        ++stage;
    }
    report("cluster.stage_rows", m_cluster.steps, stages);
    report("cluster.repeated_rank", m_cluster.steps, repeated, Severity::Repaired);
    report("cluster.no_rank", m_cluster.steps, odd, Severity::Lost);
}

std::vector<RankManifest> ClusterReader::manifests(ClusterRows& rows) {
    std::vector<RankManifest> ranks;
    for (const auto& [rank, tables] : rows) m_ranks.insert(rank);
    for (const std::int64_t rank : m_ranks) {
        if (m_own.contains(rank)) continue;
        RankManifest made;
        made.info.rankId = rank;
        made.info.framework = m_framework;
        made.info.source = SourceKind::Cluster;
        made.info.path = m_cluster.path;
        if (const auto facts = m_facts.ranks.find(rank); facts != m_facts.ranks.end()) {
            made.info.deviceId = facts->second.device;
            made.info.host = facts->second.host;
        }
        if (const auto places = m_places.find(rank); places != m_places.end())
            made.info.metadata.assign(places->second.begin(), places->second.end());
        if (const auto found = rows.find(rank); found != rows.end()) {
            made.clusterRows = std::move(found->second);
            made.steps = numberedSteps(*made.clusterRows);
            if (made.clusterRows->find(RowKind::Collective) || made.clusterRows->find(RowKind::Link))
                made.info.present.emplace_back("communication");
            if (made.clusterRows->find(RowKind::StepBreakdown)) made.info.present.emplace_back("steps");
        }
        ranks.push_back(std::move(made));
    }
    return ranks;
}

Result<std::vector<RankManifest>> ClusterReader::read() {
    using Ranks = std::vector<RankManifest>;
    if (m_cluster.groups) readClusterGroups(*m_cluster.groups, m_groups, m_ranks, m_manifest.diagnostics);
    readMetadataOfGroups();
    readDbFacts();
    ClusterKeys keys;
    RowTablesBuilder stepBuilder, builder;
    const auto readSteps = [](const SourceFile& file, TableContext& context) {
        return readCsv(file, clusterStepFormat(), context);
    };
    const auto readDbSteps = [](const SourceFile& file, TableContext& context) {
        return readClusterDbSteps(file, context);
    };
    if ((m_usesDb ? read(m_cluster.database, stepBuilder, readDbSteps) : read(m_cluster.steps, stepBuilder, readSteps))
            .cancelled())
        return Cancelled{};
    const auto steps = stepBuilder.seal(m_cancel);
    if (!steps.ok()) return steps.as<Ranks>();
    if (steps.value() != nullptr) addSteps(*steps.value(), builder);
    // With a folder for each rank there is nothing in the large files that is taken from them.
    if (m_ranks.empty() || !std::includes(m_own.begin(), m_own.end(), m_ranks.begin(), m_ranks.end())) {
        const auto readOperators = [&](const SourceFile& file, TableContext& context) {
            return readClusterCommunication(file, m_groups, keys, context);
        };
        const auto readLinks = [&](const SourceFile& file, TableContext& context) {
            return readClusterMatrix(file, m_groups, keys, context);
        };
        const auto readDb = [&](const SourceFile& file, TableContext& context) {
            return readClusterDbCommunication(file, m_facts, m_groups, keys, context);
        };
        if (m_usesDb && read(m_cluster.database, builder, readDb).cancelled()) return Cancelled{};
        if (read(m_cluster.communication, builder, readOperators).cancelled() ||
            read(m_cluster.matrix, builder, readLinks).cancelled())
            return Cancelled{};
    }
    for (const auto& [hash, place] : keys.groups()) {
        if (const ClusterSet& set = keys.sets()[place]; !set.ranks.empty()) m_groups.add({hash, hash, {}, set.ranks});
    }
    const auto all = builder.seal(m_cancel);
    if (!all.ok()) return all.as<Ranks>();
    ClusterRows rows;
    if (all.value() != nullptr) {
        auto split = splitByRank(
            *all.value(), keys.sets(), [this](std::int64_t rank) { return !m_own.contains(rank); }, m_cancel);
        if (!split.ok()) return split.as<Ranks>();
        rows = std::move(split).value();
    }

    std::uint64_t local = 0, outside = 0;
    for (const ClusterSet& set : keys.sets()) (set.usesLocalRanks() ? local : outside) += set.outside;
    std::uint64_t repeated = 0;
    // The row of a database has been named already.
    for (const ClusterSet& set : keys.sets()) repeated += m_usesDb ? 0 : set.repeated;
    report("cluster.repeated_rank", m_cluster.communication ? m_cluster.communication : m_cluster.matrix, repeated,
           Severity::Repaired);
    report("cluster.local_ranks", m_cluster.matrix, local);
    report("cluster.rank_outside", m_cluster.matrix, outside);
    Ranks ranks = manifests(rows);
    std::vector<std::int64_t> twice;
    std::set_intersection(m_ranks.begin(), m_ranks.end(), m_own.begin(), m_own.end(), std::back_inserter(twice));
    report("cluster.own_folders", std::nullopt, twice.size());
    return ranks;
}

/// The ranks of a cluster as a former state of the capture has them; none if its files have changed, or it is not
/// there.
std::vector<RankManifest> knownRanks(const ClusterManifest& cluster, const CaptureStore& known) {
    std::vector<RankManifest> ranks;
    const std::vector<FileStamp> now = clusterStamps(cluster);
    bool isSame = false;
    for (const RankEntry& entry : known.ranks) {
        if (entry.info.source != SourceKind::Cluster || entry.info.path != cluster.path) continue;
        isSame = isSame || (entry.sources != nullptr && *entry.sources == now);
        RankManifest rank;
        rank.info = entry.info;
        rank.clusterRows = entry.rows;
        rank.steps = entry.steps;
        rank.clusterSources = entry.sources;
        ranks.push_back(std::move(rank));
    }
    return isSame ? ranks : std::vector<RankManifest>();
}

/// Whether a former state of the capture has the same ranks with folders: these decide which ranks of a cluster are
/// taken.
bool hasSameFolders(const CaptureManifest& manifest, const CaptureStore& known) {
    std::set<std::pair<std::string, std::optional<std::int64_t>>> now, then;
    for (const RankManifest& rank : manifest.ranks) now.emplace(rank.info.path, rank.info.rankId);
    for (const RankEntry& entry : known.ranks) {
        if (entry.info.source != SourceKind::Cluster) then.emplace(entry.info.path, entry.info.rankId);
    }
    return now == then;
}

}  // namespace

Result<Done> addClusterRanks(CaptureManifest& manifest, GroupDirectory& groups, const ClusterReading& reading,
                             ProgressSlot& progress, const CancelToken& cancel) {
    const bool isKnown = reading.known != nullptr && hasSameFolders(manifest, *reading.known);
    for (const ClusterManifest& cluster : manifest.clusters) {
        std::vector<RankManifest> ranks;
        if (isKnown) ranks = knownRanks(cluster, *reading.known);
        if (!ranks.empty()) {
            if (reading.known->rows != nullptr) groups.add(*reading.known->rows);
            manifest.diagnostics.merge(reading.known->diagnostics.about(cluster.path));
            for (const SourceFile* file : filesOf(cluster))
                manifest.diagnostics.merge(reading.known->diagnostics.about(file->name));
        } else {
            const auto sources = std::make_shared<const std::vector<FileStamp>>(clusterStamps(cluster));
            auto read = ClusterReader(cluster, manifest, groups, reading, progress, cancel).read();
            if (!read.ok()) return read.as<Done>();
            ranks = std::move(read).value();
            if (!ranks.empty()) ranks.front().clusterSources = sources;
        }
        manifest.ranks.insert(manifest.ranks.end(), std::make_move_iterator(ranks.begin()),
                              std::make_move_iterator(ranks.end()));
    }
    std::stable_sort(manifest.ranks.begin(), manifest.ranks.end(), [](const RankManifest& a, const RankManifest& b) {
        return std::tie(a.info.rankId, a.info.path) < std::tie(b.info.rankId, b.info.path);
    });
    return Done{};
}

}  // namespace altiscope::reader
