#include "core/generate/database/db_writer.h"

#include "core/base/text/json_text.h"
#include "core/generate/database/analysis_rows.h"
#include "core/generate/database/db_rows.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/profiler_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace altiscope::generate {

namespace {

/// A database that is being written at its place in the capture.
struct OpenDatabase {
    std::filesystem::path path;
    std::unique_ptr<SqliteFile> file;
};

Result<OpenDatabase> openDatabase(DiskTarget& target, const std::filesystem::path& relative,
                                  std::span<const DbTableSchema> tables) {
    Result<std::filesystem::path> path = target.place(relative);
    if (!path.ok()) return path.as<OpenDatabase>();
    Result<std::unique_ptr<SqliteFile>> file = SqliteFile::create(path.value(), tables, "generate.write_failed");
    if (!file.ok()) return file.as<OpenDatabase>();
    return OpenDatabase{std::move(path).value(), std::move(file).value()};
}

/// Facts about the run and texts that are known before the first unit.
void addFacts(const Run& run, std::uint32_t rank, SqliteFile& file) {
    const RankIdentity& identity = run.plan.identities[rank];
    file.insert(DbTable::SessionTimeInfo, {run.plan.startOf(rank).value, (run.schedule.end(rank) + kLeadOut).value});
    file.insert(DbTable::NpuInfo, {identity.device, "Ascend910B"});
    file.insert(DbTable::HostInfo, {hostUid(rank), hostName(rank)});
    file.insert(DbTable::RankDeviceMap, {rank, identity.device});
    for (std::size_t table = 0; table < profilerTables(false).size(); ++table) {
        for (const auto& [id, name] : enumerationOf(static_cast<DbTable>(table)))
            file.insert(static_cast<DbTable>(table), {id, name});
    }
    for (const auto& [name, value] : {std::pair("SCHEMA_VERSION_MICRO", "0"), std::pair("SCHEMA_VERSION_MINOR", "0"),
                                      std::pair("SCHEMA_VERSION_MAJOR", "1"), std::pair("SCHEMA_VERSION", "1.0.0")}) {
        file.insert(DbTable::MetaData, {name, value});
    }
    const auto metadata = parseOrderedJson(profilerMetadataJson(run, rank));
    for (const auto& [key, value] : metadata.items()) file.insert(DbTable::MetaData, {key, dumpJson(value)});
}

void addTexts(const TextRange& range, SqliteFile& file) {
    std::uint32_t id = range.first();
    for (const std::string& text : range.texts()) file.insert(DbTable::StringIds, {id++, text});
}

class DbRankWriter {
public:
    DbRankWriter(const PassContext& context, const CommonTexts& texts, std::uint32_t rank, SqliteFile& profiler,
                 SqliteFile& analysis)
        : m_context(context), m_run(context.run), m_texts(texts), m_rank(rank), m_profiler(profiler),
          m_analysis(analysis), m_tracks(m_run.plan.identities[rank]) {
        m_truth.trace = TraceTally(m_tracks.tracks().size());
    }

    Result<RankTruth> write() {
        addFacts(m_run, m_rank, m_profiler);
        for (const TextRange* range : {&m_texts.cann(), &m_texts.framework(), &m_texts.memory()})
            addTexts(*range, m_profiler);
        DbRank rows{m_run, m_texts, m_tracks, m_rank, m_profiler, m_truth.trace};
        DbHostRows host(rows);
        DbDeviceRows device(rows);
        DbMemoryRows memory(rows);
        const auto render = [this](RenderedUnit& unit) { unit.communication = communicationOf(m_run, unit.record); };
        const auto collect = [&](RenderedUnit& unit) {
            host.unit(unit.record);
            device.unit(unit.record);
            memory.unit(unit.record);
            return collectStep(unit);
        };
        TraceTally unused(m_tracks.tracks().size());
        const Result<Done> done =
            runUnitPass(m_context, m_rank, {UnitParts::Everything, {}, render, collect, 0}, unused);
        if (!done.ok()) return done.as<RankTruth>();
        host.baseFrames();
        m_collector.finish();
        for (const StepTruth& step : m_truth.steps) addStepTraceRow(step, m_analysis);
        return std::move(m_truth);
    }

private:
    Result<Done> collectStep(RenderedUnit& unit) {
        if (const auto step = m_collector.add(unit.record, std::move(unit.communication)))
            addCommunicationRows(m_run, unit.record.step, *step, m_analysis);
        m_context.progress.addDone(m_profiler.newBytes() + m_analysis.newBytes());
        return m_profiler.state().ok() ? m_analysis.state() : m_profiler.state();
    }

    const PassContext& m_context;
    const Run& m_run;
    const CommonTexts& m_texts;
    std::uint32_t m_rank;
    SqliteFile& m_profiler;
    SqliteFile& m_analysis;
    RankTracks m_tracks;
    RankTruth m_truth;
    TruthCollector m_collector{m_run, m_rank, m_truth};
};

}  // namespace

Result<RankTruth> writeDbRank(const PassContext& context, const CommonTexts& texts, DiskTarget& target,
                              std::uint32_t rank) {
    const std::filesystem::path folder = rankFolder(rank, Framework::Torch);
    if (context.exportTypes == "db") {
        const std::string info = "profiler_info_" + std::to_string(rank) + ".json";
        Result<Done> done = writeFile(target, folder / info, profilerInfoJson(context.run, rank, context.exportTypes));
        if (done.ok())
            done = writeFile(target, folder / "profiler_metadata.json", profilerMetadataJson(context.run, rank));
        if (!done.ok()) return done.as<RankTruth>();
    }
    const std::filesystem::path output = folder / "ASCEND_PROFILER_OUTPUT";
    const std::string name = "ascend_pytorch_profiler_" + std::to_string(rank) + ".db";
    Result<OpenDatabase> profiler =
        openDatabase(target, output / name, profilerTables(context.run.plan.identities[rank].recordsGarbageCollection));
    if (!profiler.ok()) return profiler.as<RankTruth>();
    Result<OpenDatabase> analysis = openDatabase(target, output / "analysis.db", analysisTables());
    if (!analysis.ok()) return analysis.as<RankTruth>();
    Result<RankTruth> truth =
        DbRankWriter(context, texts, rank, *profiler.value().file, *analysis.value().file).write();
    if (!truth.ok()) return truth;
    for (OpenDatabase* database : {&profiler.value(), &analysis.value()}) {
        const Result<Done> closed = database->file->close();
        if (!closed.ok()) return closed.as<RankTruth>();
        target.count(database->path);
    }
    return truth;
}

}  // namespace altiscope::generate
