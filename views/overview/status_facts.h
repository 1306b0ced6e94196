#pragma once

#include "core/session/session.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace altiscope {

class ReportModel;

/// The right end of the status bar: number of slices, warnings (a button that leads to the report), kind of source.
/// Empty while nothing is open.
class StatusFacts : public QWidget {
    Q_OBJECT
public:
    /// Session and report must outlive the widget.
    StatusFacts(Session& session, ReportModel& report, QWidget* parent = nullptr);

signals:
    void reportRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    Session& m_session;
    ReportModel& m_report;
    QLabel* m_slices;
    QToolButton* m_warnings;
    QLabel* m_source;
};

}  // namespace altiscope
