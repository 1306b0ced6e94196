#pragma once

#include "core/base/values/ids.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QStackedLayout;

namespace altiscope {

class MessagePage;
class ReportModel;
class Session;
class TablePanel;

/// The import report: a table of everything that was noticed while captures were read, with the chosen row in full
/// below it; or a sentence that nothing was.
class ReportView : public Translated<QWidget> {
    Q_OBJECT
public:
    /// Short: without place and code at first, for narrow places; both are in the full text.
    enum class Columns : unsigned char { All, Short };

    /// The model may be shared by several views; both must outlive them.
    ReportView(ReportModel& model, Session& session, const ViewMemory& memory, Columns columns,
               QWidget* parent = nullptr);

    /// Brings a capture's first row into sight.
    void showCapture(CaptureId capture);

private:
    void takeRows(bool sameRows);
    void showWanted();
    void showCurrent();
    void retranslate() override;

    ReportModel& m_model;
    bool m_severalShown = true;
    CaptureId m_wanted;  ///< The capture whose first row is to be shown as soon as the rows are in order.
    TablePanel* m_panel;
    QLabel* m_full;
    MessagePage* m_nothing;
    QStackedLayout* m_stack;
};

}  // namespace altiscope
