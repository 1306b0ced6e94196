#pragma once

#include <QWidget>

#include <cstdint>

class QStackedLayout;

namespace altiscope {

class MessagePage;
class ReportModel;
class TableView;

/// The import report: a table of everything that was noticed while captures were read, or a sentence that nothing was.
class ReportView : public QWidget {
    Q_OBJECT
public:
    /// Short: without place and code, for narrow places; both are in the tooltips.
    enum class Columns : unsigned char { All, Short };

    /// The model may be shared by several views and must outlive them.
    ReportView(ReportModel& model, Columns columns, QWidget* parent = nullptr);

    /// Brings a capture's first row into sight.
    void showCapture(std::uint32_t capture);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fitMessages();

    ReportModel& m_model;
    Columns m_columns;
    TableView* m_table;
    MessagePage* m_nothing;
    QStackedLayout* m_stack;
};

}  // namespace altiscope
