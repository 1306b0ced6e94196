#include "core/session/reading/capture_loader.h"

#include "core/analysis/steps/steps.h"
#include "core/pack/open_pack.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_set.h"
#include "core/session/files/write_guard.h"
#include "core/store/cache/store_cache.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Adds what the import does not know. A trace is looked at once, however often the capture is announced: states share
/// their traces. Provisional traces get no steps, which would have to be searched for again and again.
class CaptureCompleter {
public:
    std::shared_ptr<const CaptureStore> completed(const std::shared_ptr<const CaptureStore>& capture) {
        std::shared_ptr<CaptureStore> copy;
        for (std::size_t i = 0; i < capture->ranks.size(); ++i) {
            const RankEntry& entry = capture->ranks[i];
            if (entry.trace == nullptr || entry.trace->provisional() || !entry.steps.empty()) continue;
            const std::vector<Step>& steps = stepsOf(entry.trace);
            if (steps.empty()) continue;
            if (copy == nullptr) copy = std::make_shared<CaptureStore>(*capture);
            copy->ranks[i].steps = steps;
        }
        if (copy == nullptr) return capture;
        return copy;
    }

private:
    const std::vector<Step>& stepsOf(const std::shared_ptr<const TraceStore>& trace) {
        const auto [known, isNew] = m_steps.try_emplace(trace);
        if (isNew) known->second = findSteps(*trace);
        return known->second;
    }

    std::map<std::shared_ptr<const TraceStore>, std::vector<Step>> m_steps;
};

}  // namespace

Result<std::shared_ptr<const CaptureStore>> loadCapture(const std::filesystem::path& path, const LoadOptions& options,
                                                        ProgressSlot& progress, const CancelToken& cancel) {
    // Updates never overlap, and the last one is over before the import returns.
    CaptureCompleter completer;
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    if (options.onUpdate) {
        onUpdate = [&](const std::shared_ptr<const CaptureStore>& capture) {
            options.onUpdate(completer.completed(capture));
        };
    }
    std::function<void(std::size_t, RankEntry&)> onRank;
    if (options.onRank) {
        onRank = [&](std::size_t place, RankEntry& rank) {
            if (rank.trace != nullptr && rank.steps.empty()) rank.steps = findSteps(*rank.trace);
            options.onRank(place, rank);
        };
    }
    if (pack::isPack(path) || pack::isPackFolder(path)) {
        const pack::PackReading reading{
            options.ranks, options.corrections, options.onlySums, options.packSource, onUpdate, onRank};
        auto capture = pack::openPack(path, reading, progress, cancel);
        if (!capture.ok()) return capture;
        return completer.completed(capture.value());
    }
    reader::ImportOptions importOptions;
    importOptions.ranks = options.ranks;
    importOptions.preferText = options.preferText;
    importOptions.preferDatabase = options.preferDatabase;
    importOptions.onlyRaw = options.onlyRaw;
    importOptions.corrections = options.corrections;
    const StoreCache cache(options.cacheFolder, options.cacheLimit);
    if (!options.cacheFolder.empty()) {
        importOptions.cache = &cache;
        importOptions.isCacheInEvidence = liesInCapture(path, options.cacheFolder / "entry");
    }
    importOptions.onUpdate = onUpdate;
    importOptions.onRank = onRank;
    auto capture = reader::importCapture(path, importOptions, progress, cancel);
    if (!capture.ok()) return capture;
    return completer.completed(capture.value());
}

}  // namespace altiscope
