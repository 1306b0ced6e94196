#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "views/common/support/evidence_spots.h"

#include <QObject>

#include <cstddef>
#include <cstdint>

class QWidget;

namespace altiscope {

class EvidenceBar;
class FindingsLoader;
struct MemoryPlace;
class TimelinePage;

/// Leads from a finding to its evidence: the bar with its sentences, and what the timeline shows for it. GUI thread.
class EvidenceController : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    EvidenceController(const WindowServices& services, FindingsLoader& loader, TimelinePage& timeline, QWidget* parent);

    EvidenceBar& bar() { return *m_bar; }
    CaptureId capture() const { return m_capture; }  ///< Whose evidence the bar shows.
    /// @param finding  Index in what the feed has found. @param spot  See evidenceSpots().
    void show(std::size_t finding, std::size_t spot);

signals:
    void timelineRequested();
    void sliceRequested(altiscope::SliceId slice);
    void rowsRequested(const altiscope::FindingEvidence::Rows& rows);
    /// The page Memory is to show it.
    void memoryRequested(const altiscope::MemoryPlace& place);
    /// The finding is to be shown in full; an index in what the feed has found, or beyond: just the page.
    void listRequested(std::size_t finding);

private:
    void follow();
    void showMemory(const FindingEvidence::Range& of, const FindingEvidence& evidence);

    const WindowServices m_services;
    FindingsLoader& m_loader;
    TimelinePage& m_timeline;
    EvidenceBar* m_bar;
    CaptureId m_capture;
};

}  // namespace altiscope
