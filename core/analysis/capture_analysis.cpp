#include "core/analysis/capture_analysis.h"

#include "core/analysis/collective_groups.h"
#include "core/analysis/rank_facts.h"
#include "core/base/parallel.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

namespace altiscope {

namespace {

/// A value that is made once, by whoever asks first; others wait for it.
template <class Value>
class Lazy {
public:
    template <class Make>
    std::shared_ptr<const Value> get(Make make, const CancelToken& cancel) {
        // Somebody else may be making it, for longer than a cancelled caller may take to stop.
        std::unique_lock lock(m_mutex, std::defer_lock);
        // Until a time of the system's clock: the thread sanitizer of g++ 12 does not know the steady clock's waits.
        while (!lock.try_lock_until(std::chrono::system_clock::now() + std::chrono::milliseconds(20)))
            if (cancel.cancelled()) return nullptr;
        if (!m_value) {
            if (auto made = make()) m_value = std::make_shared<const Value>(std::move(*made));
        }
        return m_value;
    }

private:
    std::timed_mutex m_mutex;
    std::shared_ptr<const Value> m_value;
};

}  // namespace

struct CaptureAnalysis::Impl {
    std::shared_ptr<const CaptureStore> capture;
    std::unique_ptr<Lazy<RankComputation>[]> ranks;
    Lazy<CaptureFacts> facts;
};

CaptureAnalysis::CaptureAnalysis(std::shared_ptr<const CaptureStore> capture) : m_impl(std::make_unique<Impl>()) {
    m_impl->ranks = std::make_unique<Lazy<RankComputation>[]>(capture->ranks.size());
    m_impl->capture = std::move(capture);
}

CaptureAnalysis::~CaptureAnalysis() = default;

const CaptureStore& CaptureAnalysis::capture() const { return *m_impl->capture; }

std::shared_ptr<const RankComputation> CaptureAnalysis::rank(std::uint32_t rank, const CancelToken& cancel) const {
    const CaptureStore& capture = *m_impl->capture;
    return m_impl->ranks[rank].get([&] { return computeRank(capture.ranks[rank], capture.rows.get(), cancel); }, cancel);
}

std::shared_ptr<const CaptureFacts> CaptureAnalysis::facts(const CancelToken& cancel) const {
    const CaptureStore& capture = *m_impl->capture;
    return m_impl->facts.get(
        [&]() -> std::optional<CaptureFacts> {
            CaptureFacts facts;
            facts.ranks.resize(capture.ranks.size());
            std::atomic<bool> complete{true};
            parallelFor(facts.ranks.size(), [&](std::size_t r) {
                auto read = readRankFacts(capture, static_cast<std::uint32_t>(r), cancel);
                if (read) facts.ranks[r] = std::move(*read);
                else complete = false;
            });
            if (!complete) return std::nullopt;
            const auto stages = pipelineStages(capture.rows.get());
            for (RankFacts& rank : facts.ranks) {
                const auto stage = rank.rankId ? stages.find(*rank.rankId) : stages.end();
                if (stage != stages.end()) rank.stage = stage->second;
            }
            return facts;
        },
        cancel);
}

}  // namespace altiscope
