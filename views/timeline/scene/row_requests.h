#pragma once

#include "core/session/job_runner.h"
#include "views/timeline/rows/timeline_model.h"

#include <QObject>

#include <memory>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Parts of rows that are not there at once: threads as one, curves of memory, models of streams. Made on
/// workers; the newest request of each kind wins, and an empty one ends what is under way. GUI thread.
class RowRequests : public QObject {
    Q_OBJECT
public:
    explicit RowRequests(JobRunner& jobs, QObject* parent = nullptr)
        : QObject(parent), m_mergeSlot(jobs), m_sampleSlot(jobs), m_modelSlot(jobs) {}

    void merge(std::vector<MergedThreads::Group> groups);
    /// Nothing happens if these are being read already.
    void sample(std::vector<MemoryTraces::Samples> samples);
    /// Reads the models of ranks where they are not known.
    void findModels(const std::vector<std::shared_ptr<const CaptureStore>>& captures);
    /// As CaptureStore::ranks; null: not known.
    std::vector<std::shared_ptr<const StreamModels>> modelsOf(const CaptureStore& store) const;
    bool idle() const { return !m_mergeSlot.busy() && !m_sampleSlot.busy() && !m_modelSlot.busy(); }

signals:
    void merged(const std::vector<std::shared_ptr<const altiscope::MergedTracks>>& threads);
    void sampled(const altiscope::MemoryTraces::Made& memory);
    /// modelsOf() says more than before.
    void modelsFound();
    /// After each of those, and if no models were found.
    void done();

private:
    JobSlot m_mergeSlot;
    JobSlot m_sampleSlot;
    JobSlot m_modelSlot;
    std::vector<MemoryTraces::Samples> m_sampled;  // what is read now
    /// Weak: until a trace is no longer shown.
    struct KnownModels {
        std::weak_ptr<const TraceStore> trace;
        std::shared_ptr<const StreamModels> models;
    };
    std::unordered_map<const TraceStore*, KnownModels> m_models;
};

}  // namespace altiscope
