#pragma once

#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/tables/scope/context_filter.h"
#include "views/common/pages/data_page.h"
#include "views/common/pages/shown_capture.h"
#include "views/common/support/heading_model.h"
#include "views/common/support/view_memory.h"
#include "views/overview/page/findings_list.h"
#include "views/overview/page/overview_shown.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QTabWidget;

namespace altiscope {

class Marks;
class RankModel;
struct CaptureResults;
class ReportModel;
class ReportView;
class StepPlotPanel;
class TablePanel;

/// The first page: where the time of a step goes, by rank and over the steps; what is suspicious or missing, with
/// its numbers; ranks, settings of the recording and the import report. Shows the capture that is chosen in the
/// tree, within the context that all pages share. Everything is read on workers; the newest request wins.
class OverviewPage : public DataPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    OverviewPage(Session& session, Selection& selection, FindingsLoader& findings, FindingSettings& findingSettings,
                 ReportModel& report, Marks& marks, const ViewMemory& memory, QWidget* parent = nullptr);
    ~OverviewPage() override;

    bool idle() const override;
    /// Parts of the page that can be pointed at.
    QWidget* stepPlot() const;
    QWidget* findingsPart() const { return m_findingsPart; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void setUpTables();
    void refresh();
    std::shared_ptr<const CaptureAnalysis> analysisOfBase();
    void take(std::shared_ptr<const OverviewShown> shown);
    void showFacts();
    void showFindings();
    void showFindingsTitle();
    void showEvidence(std::size_t item);
    void showStep(std::uint32_t row);
    void showPeak(std::uint32_t row);
    void showRanks(bool sameRows);
    void showMetadata();
    static std::vector<ColumnHeading> metadataHeadings();
    void followFact(const QString& link);
    void retranslate();

    Selection& m_selection;
    FindingsLoader& m_loader;
    FindingSettings& m_settings;
    ShownCapture m_capture;
    std::vector<Finding> m_found;        ///< Without those about missing data, which the list has by ranks.
    std::vector<std::size_t> m_foundAt;  ///< Their indexes in what the feed has found.
    int m_findingsOutside = 0;           ///< Findings that the ranks and steps of all pages exclude.
    JobSlot m_numbersSlot;
    std::shared_ptr<const OverviewShown> m_shown;
    std::shared_ptr<const CaptureResults> m_results;  ///< That the request in m_numbersSlot knows.
    QLabel* m_facts;
    StepPlotPanel* m_plot;
    QWidget* m_findingsPart;
    QLabel* m_findingsTitle;
    FindingsList* m_findings;
    QTabWidget* m_tables;
    TablePanel* m_steps;
    TablePanel* m_operators;
    TablePanel* m_memoryPeaks;
    RankModel* m_rankModel;
    bool m_severalShown = true;  ///< The column with the captures' names.
    TablePanel* m_ranks;
    TablePanel* m_metadata;
    std::vector<std::pair<std::string, std::string>> m_shownMetadata;
    ReportView* m_report;
};

}  // namespace altiscope
