#pragma once

#include "core/analysis/capture_analysis.h"
#include "core/findings/finding.h"
#include "core/findings/thresholds.h"
#include "core/session/reading/kept_results.h"
#include "core/session/session.h"
#include "core/tables/scope/context_filter.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

struct CaptureResults;

/// Findings of all rules in a capture. Constant.
struct CaptureFindings {
    std::shared_ptr<const CaptureStore> capture;  ///< Null: none is open, or it is still being read.
    std::vector<Finding> findings;                ///< The worst first.
    TimeNs origin;                                ///< Where its times count from for people.
};

/// Whether a finding of a capture is about something that the context holds. One that is about all steps holds for any
/// of them and at any time, wherever its evidence lies; one about the whole capture holds for each rank.
bool contextHolds(const ContextFilter& context, const CaptureStore& capture, const Finding& finding);

/// Runs the rules on workers, over the capture that is looked at and with the thresholds of the user; the newest
/// request wins, and the old result stays until there is the new one. GUI thread.
class FindingsLoader : public QObject {
    Q_OBJECT
public:
    /// The session must outlive it.
    explicit FindingsLoader(Session& session, QObject* parent = nullptr);

    /// OpenCapture::id; 0: the newest one.
    void showCapture(CaptureId capture);
    void setThresholds(const FindingThresholds& thresholds);
    const FindingThresholds& thresholds() const { return m_thresholds; }

    /// OpenCapture::id of what found() describes, or will; 0: none.
    CaptureId shown() const { return m_shown; }
    /// Never null.
    const std::shared_ptr<const CaptureFindings>& found() const { return m_found; }
    /// Results for a state of a capture, for all who request the same one: the newest is kept.
    std::shared_ptr<const CaptureAnalysis> analysisOf(const std::shared_ptr<const CaptureStore>& capture);
    /// Results that the pack that is shown holds of all of its ranks, from some time after it was opened on, read or
    /// not, or that the cache holds of the ranks that were read; null: neither has any, or the user has corrected the
    /// ranks of a pack. Announced by changed().
    const std::shared_ptr<const CaptureResults>& results() const { return m_results; }
    bool busy() const { return m_slot.busy() || m_packSlot.busy(); }

signals:
    void changed();  ///< found()

private:
    struct Run;

    KeptResults keptResults() const;
    void refresh();
    void lookIntoPack(const OpenCapture& open);
    bool isStillThePack(const OpenCapture& open) const;
    void showResults(const OpenCapture& shown);
    void run(const std::shared_ptr<const CaptureStore>& capture, TimeNs origin);
    void keep(const std::shared_ptr<const CaptureStore>& capture);

    Session& m_session;
    CaptureId m_wanted;
    CaptureId m_shown;  ///< Capture that found() describes.
    FindingThresholds m_thresholds;
    std::shared_ptr<const CaptureAnalysis> m_analysis;
    std::shared_ptr<const CaptureFindings> m_found;
    std::shared_ptr<const CaptureStore> m_requested;  ///< Store that the rules run over, or have run over.
    TimeNs m_origin;
    CaptureId m_lookedInto;  ///< Capture that m_results are of, or would be if it were a pack that has some.
    std::shared_ptr<const CaptureResults> m_results;
    std::shared_ptr<const CaptureStore> m_keptOf;  ///< Store that the cache holds m_results of; null: a pack does.
    std::vector<FileStamp> m_packStamps;           ///< Files of it when it was looked into.
    JobSlot m_slot, m_packSlot, m_keepSlot;
};

}  // namespace altiscope
