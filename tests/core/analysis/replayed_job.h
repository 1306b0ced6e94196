#pragma once

#include "core/analysis/account/account.h"
#include "core/analysis/account/candidates.h"
#include "core/analysis/capture_analysis.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/base/threads/parallel.h"
#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/import/import_capture.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::test {

/// A generated capture, read. Null if that failed.
inline std::shared_ptr<const CaptureStore> generatedCapture(const QTemporaryDir& folder,
                                                            std::vector<std::string> words) {
    words.insert(words.begin(), folder.filePath(QStringLiteral("capture")).toStdString());
    std::shared_ptr<const CaptureStore> capture;
    WorkerArena arena(2);
    arena.run([&] {
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        if (!options.ok() || !generate::generateCapture(options.value(), progress, {}).ok()) return;
        const auto read = reader::importCapture(words[0], {}, progress, {});
        if (read.ok()) capture = read.value();
    });
    return capture;
}

/// A job as the account replays it, with all that it is made of.
struct ReplayedJob {
    explicit ReplayedJob(std::shared_ptr<const CaptureStore> of)
        : capture(std::move(of)), analysis(capture), directory(*capture), facts(analysis.facts({})),
          graphs(capture->ranks.size()) {
        std::vector<const RowTables*> computed;
        for (std::size_t r = 0; r < graphs.size(); ++r) {
            graphs[r] = makeRankGraph(capture->ranks[r], facts->ranks[r].device, {});
            kept.push_back(analysis.rank(rankIndex(r), {}));
            computed.push_back(kept.back()->rows.get());
        }
        collectives = joinCollectives(*capture, directory, graphs, *analysis.allCollectives({}), computed, true, {});
        graph = makeJobGraph(graphs, *collectives);
    }
    ReplayedJob(const ReplayedJob&) = delete;
    ReplayedJob& operator=(const ReplayedJob&) = delete;

    CandidateInput input() const { return {*capture, directory, facts->ranks, graphs, none, *collectives, graph}; }

    std::shared_ptr<const CaptureStore> capture;
    CaptureAnalysis analysis;
    CaptureGroups directory;
    std::shared_ptr<const CaptureFacts> facts;
    std::vector<std::optional<RankGraph>> graphs;
    std::vector<std::shared_ptr<const RankComputation>> kept;
    std::optional<JobCollectives> collectives;
    JobGraph graph;
    std::vector<std::unique_ptr<HostCover>> none;
};

}  // namespace altiscope::test
