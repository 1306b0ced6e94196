#include "core/session/raw_analysis_job.h"

#include "core/session/session.h"

#include <QFile>

#include <algorithm>
#include <memory>
#include <utility>

namespace altiscope {

bool holdsRawData(const CaptureStore& capture) {
    return std::any_of(capture.ranks.begin(), capture.ranks.end(), [](const RankEntry& rank) {
        return rank.info.source == SourceKind::Raw && rank.trace != nullptr;
    });
}

void startRawAnalysis(Session& session, const RawAnalysisOptions& options,
                      std::function<void(const RawAnalysisOutcome&)> done) {
    const QString folder = QFile::decodeName(options.out.c_str());
    if (auto refused = session.refusedToWrite(folder + QStringLiteral("/file"))) {
        RawAnalysisOutcome outcome;
        outcome.problem = std::move(refused);
        return done(outcome);
    }
    session.jobs().start(
        folder,
        [options](ProgressSlot& progress, const CancelToken& cancel) {
            auto outcome = std::make_shared<RawAnalysisOutcome>();
            auto result = analyseRaw(options, progress, cancel);
            outcome->cancelled = result.cancelled();
            if (result.failed()) outcome->problem = result.error();
            if (result.ok()) outcome->analysis = std::move(result).value();
            return std::shared_ptr<const void>(std::move(outcome));
        },
        [done = std::move(done)](const std::shared_ptr<const void>& result) {
            if (const auto* outcome = static_cast<const RawAnalysisOutcome*>(result.get())) done(*outcome);
        });
}

}  // namespace altiscope
