#include "core/session/trace_saving.h"

#include "core/report/export/chrome_json.h"
#include "core/report/export/trace_export.h"
#include "core/session/session.h"

#include <QFile>

#include <algorithm>

namespace altiscope {

void saveTrace(Session& session, TraceCut cut, const QString& file, std::function<void(const TraceSaved&)> done) {
    if (const auto refused = session.refusedToWrite(file)) {
        TraceSaved saved;
        saved.problem = *refused;
        return done(saved);
    }
    TraceExportOptions options{.range = cut.range, .ranks = {}, .tracks = {}};
    options.computed = true;
    options.clocks = std::move(cut.clocks);
    options.chosen.emplace();
    for (const auto& [rank, track] : cut.tracks) options.chosen->push_back({rank, track});
    std::sort(options.chosen->begin(), options.chosen->end());
    session.jobs().start(
        file,
        [capture = std::move(cut.capture), options = std::move(options),
         path = QFile::encodeName(file).toStdString()](ProgressSlot& progress, const CancelToken& cancel) {
            auto saved = std::make_shared<TraceSaved>();
            const auto result = exportTrace(*capture, options, path, progress, cancel);
            saved->cancelled = result.cancelled();
            if (result.failed()) saved->problem = result.error();
            if (result.ok()) {
                const TraceExportSummary& summary = result.value();
                saved->slices = summary.slices;
                saved->samples = summary.samples;
                saved->instants = summary.instants;
                saved->flows = summary.flows;
                saved->lostArguments = summary.diagnostics.anyLost();
            }
            return std::shared_ptr<const void>(std::move(saved));
        },
        [done = std::move(done)](const std::shared_ptr<const void>& result) {
            if (const auto* saved = static_cast<const TraceSaved*>(result.get())) done(*saved);
        });
}

}  // namespace altiscope
