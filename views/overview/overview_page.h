#pragma once

#include <QWidget>

#include <cstdint>

class QLabel;
class QTableWidget;

namespace altiscope {

class RankModel;
class ReportModel;
class ReportView;
class Session;
class TableView;

/// The first page: the ranks of all open captures with what was read of them, the settings of the current rank's recording,
/// and the import report.
class OverviewPage : public QWidget {
    Q_OBJECT
public:
    /// Session and report must outlive the page.
    OverviewPage(Session& session, ReportModel& report, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showMetadata();
    void retranslate();

    RankModel* m_rankModel;
    TableView* m_ranks;
    QTableWidget* m_metadata;
    ReportView* m_report;
    QLabel* m_ranksTitle;
    QLabel* m_metadataTitle;
    QLabel* m_reportTitle;
};

}  // namespace altiscope
