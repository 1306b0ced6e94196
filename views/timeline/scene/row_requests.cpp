#include "views/timeline/scene/row_requests.h"

#include "core/analysis/memory/memory_tracks.h"
#include "core/base/threads/parallel.h"

#include <utility>

namespace altiscope {

void RowRequests::merge(std::vector<MergedThreads::Group> groups) {
    if (groups.empty()) return m_mergeSlot.cancel();
    using Merged = std::vector<std::shared_ptr<const MergedTracks>>;
    m_mergeSlot.start(
        [groups = std::move(groups)](const CancelToken& cancel) {
            Merged threads(groups.size());
            parallelFor(groups.size(),
                        [&](std::size_t i) { threads[i] = mergeTracks(groups[i].trace, groups[i].tracks, cancel); });
            std::erase(threads, nullptr);
            return threads;
        },
        [this](const Merged& threads) {
            emit merged(threads);
            emit done();
        });
}

void RowRequests::sample(std::vector<MemoryTraces::Samples> samples) {
    if (samples == m_sampled) return;
    m_sampled = samples;
    if (samples.empty()) return m_sampleSlot.cancel();
    m_sampleSlot.start(
        [samples = std::move(samples)](const CancelToken& cancel) {
            MemoryTraces::Made memory;
            for (const auto& one : samples) memory.emplace_back(one, memoryTracks(one.rows, cancel));
            return memory;
        },
        [this](const MemoryTraces::Made& memory) {
            emit sampled(memory);
            emit done();
        });
}

void RowRequests::findModels(const std::vector<std::shared_ptr<const CaptureStore>>& captures) {
    std::erase_if(m_models, [](const auto& known) { return known.second.trace.expired(); });
    std::vector<RankEntry> unknown;
    for (const auto& capture : captures) {
        for (const RankEntry& rank : capture->ranks) {
            if (rank.trace != nullptr && rank.arguments != nullptr && !m_models.contains(rank.trace.get()))
                unknown.push_back(rank);
        }
    }
    if (unknown.empty()) return m_modelSlot.cancel();
    using Found = std::vector<KnownModels>;
    m_modelSlot.start(
        [unknown = std::move(unknown)](const CancelToken& cancel) {
            Found found(unknown.size());
            parallelFor(unknown.size(), [&](std::size_t r) {
                found[r] = {unknown[r].trace, std::make_shared<const StreamModels>(streamModels(unknown[r], cancel))};
            });
            return cancel.cancelled() ? Found() : found;
        },
        [this](const Found& found) {
            bool isNews = false;
            for (const KnownModels& known : found) {
                const auto trace = known.trace.lock();
                if (trace == nullptr) continue;
                m_models[trace.get()] = known;
                isNews = isNews || !known.models->empty();
            }
            if (isNews) emit modelsFound();
            emit done();
        });
}

std::vector<std::shared_ptr<const StreamModels>> RowRequests::modelsOf(const CaptureStore& store) const {
    std::vector<std::shared_ptr<const StreamModels>> models(store.ranks.size());
    for (std::size_t r = 0; r < store.ranks.size(); ++r) {
        const auto known = m_models.find(store.ranks[r].trace.get());
        if (known != m_models.end() && !known->second.trace.expired()) models[r] = known->second.models;
    }
    return models;
}

}  // namespace altiscope
