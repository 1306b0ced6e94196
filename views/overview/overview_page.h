#pragma once

#include "core/session/context_filter.h"
#include "core/session/findings_feed.h"
#include "core/session/overview_numbers.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/heading_model.h"
#include "views/common/view_memory.h"
#include "views/overview/findings_list.h"
#include "views/overview/step_plots.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QTabWidget;

namespace altiscope {

class Marks;
class PlotView;
class RankModel;
class ReportModel;
class ReportView;
class TablePanel;

/// The first page: where the time of a step goes, by rank and over the steps; what is suspicious or missing; the numbers behind it;
/// ranks, settings of the recording and the import report. Shows the capture that is chosen in the tree, within the context that
/// all pages share. Everything is read on workers; the newest question wins.
class OverviewPage : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the page.
    OverviewPage(Session& session, Selection& selection, FindingsFeed& findings, FindingSettings& findingSettings, ReportModel& report, Marks& marks,
                 const ViewMemory& memory, QWidget* parent = nullptr);
    ~OverviewPage() override;

    /// 0: the newest one.
    void showCapture(std::uint32_t capture);
    /// Brings the table with the rows of a SQL table to the front.
    void showTable(const QString& name);
    /// Nothing is on its way.
    bool idle() const { return !m_numbersSlot.busy() && !m_durationsSlot.busy(); }

signals:
    /// The timeline is to show this, of the capture that the page shows.
    void sliceRequested(altiscope::SliceId slice);
    /// @param rank  Place in CaptureStore::ranks.
    void placeRequested(std::uint32_t rank, altiscope::TimeRange range);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// What workers make of the numbers for this page.
    struct Shown;
    static std::shared_ptr<const Shown> shownOf(OverviewNumbers numbers, const ContextFilter& context, bool isWhole);

    void setUpUpper(QWidget* upper);
    void setUpTables();
    void refresh();
    void take(std::shared_ptr<const Shown> shown);
    void showPlot();
    void showMarks();
    void showFacts();
    void showFindings();
    void showFindingsTitle();
    void showEvidence(std::size_t item);
    void showStep(std::uint32_t row);
    void showPeak(std::uint32_t row);
    void showRanks(bool sameRows);
    void showMetadata();
    static std::vector<ColumnHeading> metadataHeadings();
    /// Reads how long the kernels of the chosen operator took, each by itself.
    void readDurations();
    void clickPlot(std::size_t place, std::size_t row);
    void followFact(const QString& link);
    void retranslate();
    const OpenCapture* capture() const;
    ContextFilter contextOfPage() const;

    Session& m_session;
    Selection& m_selection;
    FindingsFeed& m_feed;
    FindingSettings& m_settings;
    const Marks& m_marks;
    std::vector<Finding> m_found;  ///< Without those about missing data, which the list has by ranks.
    std::uint32_t m_wanted = 0;
    JobSlot m_numbersSlot;
    std::shared_ptr<const Shown> m_shown;
    /// The operator whose single kernels are looked at, and how long they take.
    struct OperatorChoice { std::string type, core; };
    std::optional<OperatorChoice> m_operator;
    Histogram m_durations;
    JobSlot m_durationsSlot;
    QLabel* m_facts;
    QComboBox* m_plotKind;
    int m_chosenPlot = -1;  ///< By the user; the first kind while there is none, or it has nothing to show.
    PlotView* m_plot;
    QLabel* m_plotTitle;
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
