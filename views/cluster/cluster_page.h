#pragma once

#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/cluster/data/cluster_source.h"
#include "views/cluster/data/cluster_texts.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/view_memory.h"

#include <QString>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QMenu;
class QTabWidget;

namespace altiscope {

class ClusterBar;
class DelayPanel;
class PipelinePanel;
class PlotView;
class RankCanvas;
class TablePanel;

/// The job as a whole: what a step could win and by what, its ranks as a grid in the dimensions of the job, and how
/// they differ. Shows the capture that is chosen in the tree, within the context that all pages share. GUI thread;
/// everything is read on workers, and only while the page is in sight.
class ClusterPage : public FramedPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    ClusterPage(Session& session, Selection& selection, FindingsLoader& loader, const ViewMemory& memory,
                QWidget* parent = nullptr);
    ~ClusterPage() override;

    bool idle() const override;
    const std::shared_ptr<const ClusterSource>& shown() const { return m_source; }
    const ClusterSentence& sentence() const { return m_sentence; }
    ClusterBar& bar() { return *m_bar; }
    RankCanvas& canvas() { return *m_canvas; }
    TablePanel& ranks() { return *m_ranks; }
    TablePanel& dimensions() { return *m_dimensions; }
    DelayPanel& delays() { return *m_delays; }
    PipelinePanel& pipeline() { return *m_pipeline; }
    QTabWidget& tabs() { return *m_tabs; }

signals:
    /// All pages are to show this rank alone, by its number, and the overview is to be shown.
    void overviewRequested(std::int64_t rank);

private:
    void setUp();
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;
    /// With what it is compared with.
    struct Sources {
        std::shared_ptr<const ClusterSource> shown, base;
    };
    void take(Sources sources);
    void showSentence();
    void showRanks();
    void showSpread();
    void followLink(const QString& link);
    void chooseRank(std::uint32_t rank);
    void takeChosen(std::size_t cell);
    void openCell(std::size_t cell);
    void openRank(std::uint32_t rank);
    void fillMenu(QMenu& menu, std::uint32_t rank);
    std::uint32_t rankOfCell(std::size_t cell) const;

    FindingsLoader& m_loader;
    CaptureId m_shownCapture;  ///< The capture of m_source.
    std::shared_ptr<const ClusterSource> m_source, m_baseSource;
    ClusterSentence m_sentence;
    JobSlot m_slot;
    QLabel* m_head;
    ClusterBar* m_bar;
    RankCanvas* m_canvas;
    QTabWidget* m_tabs;
    TablePanel *m_ranks, *m_dimensions;
    DelayPanel* m_delays;
    PipelinePanel* m_pipeline;
    PlotView* m_spread;
    std::vector<std::uint32_t> m_rows;  ///< Indexes in ClusterSource::places of the rows of m_ranks.
};

}  // namespace altiscope
