#pragma once

#include "core/analysis/communication/link_picture.h"
#include "core/session/session.h"
#include "views/common/support/view_memory.h"
#include "views/communication/canvas/matrix_canvas.h"
#include "views/communication/data/communication_source.h"
#include "views/communication/data/link_calls.h"
#include "views/communication/data/link_table.h"
#include "views/communication/data/transport_table.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <utility>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTabWidget;

namespace altiscope {

class TablePanel;

/// The links of a base.
struct LinkBase {
    std::shared_ptr<const CommunicationSource> source;  ///< Not null.
    LinkQuery query;
    QString title;
};

/// The matrix of links with its settings, all links as a table, and the calls of the chosen one. GUI thread; rows are
/// read and summed up on workers.
class MatrixView : public QWidget {
    Q_OBJECT
public:
    MatrixView(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown. What was shown stays until the result is there.
    /// @param base  What it is compared with.
    void show(std::shared_ptr<const CommunicationSource> source, const LinkQuery& query, TimeNs origin,
              std::optional<LinkBase> base = std::nullopt);
    bool idle() const;

    MatrixCanvas& canvas() { return *m_canvas; }
    TablePanel& links() { return *m_links; }
    TablePanel& calls() { return *m_calls; }
    TablePanel& transports() { return *m_transports; }
    LinkMetric chosenMetric() const;
    void setMetric(LinkMetric metric);
    void setInnerShown(bool shown);
    /// With a base: whether the matrix shows what changed from it.
    bool showsDifference() const;
    void setDifferenceShown(bool shown);
    /// Chooses the link between two ranks, whichever direction has data; once the result is there, if it is on its way.
    void chooseLink(std::int64_t source, std::int64_t target);
    /// Further tabs beside links and calls.
    QTabWidget& tabs() { return *m_tabs; }

signals:
    void sliceRequested(altiscope::SliceId slice);
    void placeRequested(RankIndex rank, altiscope::TimeRange range);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setUp(const ViewMemory& memory);
    void setUpCalls();
    /// Result of a reading.
    struct Shown {
        std::shared_ptr<const LinkPicture> picture;
        std::shared_ptr<const LinkTable> table;
        std::shared_ptr<const TransportTable> transports;
        std::shared_ptr<const LinkComparison> comparison;
    };
    void readPicture();
    void takePicture(Shown shown);
    void showColours();
    void showScope();
    void chooseLink(MatrixCanvas::Link link, bool fromTable);
    void markInTable(MatrixCanvas::Link link);
    void readCalls();
    void openCall(std::uint32_t row);
    void openLink();
    void fillMenu(QMenu& menu);
    void retranslate();

    ViewMemory m_memory;
    std::shared_ptr<const CommunicationSource> m_source;
    LinkQuery m_query;
    TimeNs m_origin;
    std::optional<LinkBase> m_base;
    std::shared_ptr<const LinkComparison> m_comparison;
    std::shared_ptr<const LinkMatrix> m_matrix;
    std::shared_ptr<const LinkTable> m_table;
    std::shared_ptr<const TransportTable> m_transportTable;
    std::shared_ptr<const LinkCallList> m_callList;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_wantedLink;
    bool m_opensSlowest = false;  ///< The slowest call is to be shown once calls are known.
    JobSlot m_pictureSlot, m_callSlot, m_sliceSlot;
    QLabel *m_metricLabel, *m_rangeLabel, *m_unit;
    QComboBox* m_metric;
    QCheckBox *m_inner, *m_log, *m_difference;
    QLineEdit *m_low, *m_high;
    MatrixCanvas* m_canvas;
    QTabWidget* m_tabs;
    TablePanel *m_links, *m_calls, *m_transports;
};

}  // namespace altiscope
