#include "core/generate/format_writers.h"

#include "core/base/threads/parallel.h"
#include "core/generate/database/db_writer.h"
#include "core/generate/ranks/cluster_writer.h"
#include "core/generate/ranks/profiler_facts.h"
#include "core/generate/ranks/rank_writer.h"
#include "core/generate/raw/raw_writer.h"
#include "core/generate/records/data_pipeline.h"
#include "core/generate/snapshot/snapshot_writer.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::generate {

namespace {

/// Writes ranks one by one, each in one format after the other.
class RankFormats {
public:
    RankFormats(const GenerateOptions& options, const PassContext& context, DiskTarget& target)
        : m_context(context), m_target(target), m_text(wants(options, CaptureFormat::Text)),
          m_db(wants(options, CaptureFormat::Db)), m_mindSpore(wants(options, CaptureFormat::MindSpore)),
          m_snapshot(wants(options, CaptureFormat::Snapshot)), m_raw(wants(options, CaptureFormat::Raw)),
          m_jsonTexts(context.run.program) {
        if (m_db) m_dbTexts.emplace(context.run.plan, context.run.program);
    }

    Result<RankTruth> write(std::uint32_t rank) const {
        std::optional<Result<RankTruth>> truth;  // of the first format, unless another one fails
        const auto keep = [&truth](Result<RankTruth> written) {
            if (!truth || !written.ok()) truth = std::move(written);
            return truth->ok();
        };
        if (m_text && !keep(writeRank(m_context, m_jsonTexts, m_target, rank))) return *std::move(truth);
        if (m_db && !keep(writeDbRank(m_context, *m_dbTexts, m_target, rank))) return *std::move(truth);
        if (m_mindSpore && !keep(writeMindSpore(rank))) return *std::move(truth);
        if (!m_snapshot && !m_raw) return *std::move(truth);
        if (!truth) {
            // What a profiler would have written of the run.
            CountingTarget unwritten;
            if (!keep(writeRank(m_context, m_jsonTexts, unwritten, rank))) return *std::move(truth);
        }
        Result<Done> done = m_raw ? writeRaw(rank) : Result<Done>(Done{});
        if (done.ok() && m_snapshot) done = writeSnapshot(m_context, m_target, rank);
        return done.ok() ? *std::move(truth) : done.as<RankTruth>();
    }

private:
    /// Records as the profiler leaves them, and what describes the rank if no other format has.
    Result<Done> writeRaw(std::uint32_t rank) const {
        const std::filesystem::path folder = rankFolder(rank, Framework::Torch);
        Result<Done> done = Done{};
        if (!m_text && !m_db) {
            done = writeFile(m_target, folder / ("profiler_info_" + std::to_string(rank) + ".json"),
                             profilerInfoJson(m_context.run, rank, m_context.exportTypes));
            if (done.ok())
                done =
                    writeFile(m_target, folder / "profiler_metadata.json", profilerMetadataJson(m_context.run, rank));
        }
        return done.ok() ? writeRawRank(m_context, m_target, rank) : done;
    }

    /// The same files as torch_npu's under another name, and those of the data pipeline.
    Result<RankTruth> writeMindSpore(std::uint32_t rank) const {
        PassContext context = m_context;
        context.framework = Framework::MindSpore;
        context.exportTypes = "text";
        Result<RankTruth> truth = writeRank(context, m_jsonTexts, m_target, rank);
        if (!truth.ok()) return truth;
        const std::filesystem::path folder = rankFolder(rank, context.framework);
        for (const auto& [name, text] : dataPipelineFiles(context.run, rank)) {
            const std::filesystem::path file = folder / "ASCEND_PROFILER_OUTPUT" / name;
            const Result<Done> done = writeFile(m_target, file, text);
            if (!done.ok()) return done.as<RankTruth>();
        }
        return truth;
    }

    const PassContext& m_context;
    DiskTarget& m_target;
    bool m_text;
    bool m_db;
    bool m_mindSpore;
    bool m_snapshot;
    bool m_raw;
    JsonTexts m_jsonTexts;
    std::optional<CommonTexts> m_dbTexts;
};

Result<std::vector<RankTruth>> writeRankFormats(const GenerateOptions& options, const PassContext& context,
                                                DiskTarget& target) {
    const RankFormats formats(options, context, target);
    std::vector<std::optional<Result<RankTruth>>> results(context.run.plan.ranks);
    std::atomic<bool> failed = false;
    parallelFor(results.size(), [&](std::size_t rank) {
        if (failed) return;
        results[rank] = formats.write(static_cast<std::uint32_t>(rank));
        if (!results[rank]->ok()) failed = true;
    });
    std::vector<RankTruth> truths;
    for (auto& result : results) {
        if (result && !result->ok()) return result->as<std::vector<RankTruth>>();
        if (result) truths.push_back(std::move(*result).value());
    }
    return truths;
}

}  // namespace

bool isClusterAlone(const GenerateOptions& options) { return options.formats == std::vector{CaptureFormat::Cluster}; }

Result<std::vector<RankTruth>> writeFormats(const GenerateOptions& options, PassContext context,
                                            std::vector<StepCollector> steps, DiskTarget& target) {
    const bool text = wants(options, CaptureFormat::Text);
    const bool db = wants(options, CaptureFormat::Db);
    context.exportTypes = text && db ? "text,db" : db ? "db" : "text";
    Result<std::vector<RankTruth>> truths =
        isClusterAlone(options) ? clusterTruth(context, std::move(steps)) : writeRankFormats(options, context, target);
    if (!truths.ok() || !wants(options, CaptureFormat::Cluster)) return truths;
    const Result<Done> done = writeCluster(context, truths.value(), target);
    if (!done.ok()) return done.as<std::vector<RankTruth>>();
    return truths;
}

}  // namespace altiscope::generate
