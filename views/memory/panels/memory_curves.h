#pragma once

#include "views/common/support/translated.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/data/memory_lines.h"

#include <QWidget>

class QLabel;

namespace altiscope {

class CurveLegend;
class Marks;
class Session;
struct MemoryBase;
struct RankMemory;

/// The upper half of the memory page: curves, what of the reserved memory is unused, and their legend. GUI thread.
class MemoryCurves : public Translated<QWidget> {
    Q_OBJECT
public:
    /// All must outlive it.
    MemoryCurves(Session& session, CurveWindow& window, QWidget* parent = nullptr);

    /// @param base  Drawn over it; null: nothing is.
    void setLines(const MemorySeriesSet& set, MemoryGrouping grouping, const MemoryBase* base);
    QString baseNote() const;
    /// @param peaks  Drawn on the curves themselves, not on the shares.
    void setOverlay(CurveOverlay overlay, std::vector<CurvePoint> peaks);
    CurveCanvas& curves() { return *m_curves; }

signals:
    void momentChosen(altiscope::TimeNs at);
    /// nullopt: nothing is to be marked.
    void marked(std::optional<altiscope::TimeRange> range);
    void menuOpens(QMenu* menu, altiscope::TimeNs at);
    /// Curves were shown or hidden: other peaks count.
    void shownChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void retranslate() override;
    void showShares();

    CurveCanvas *m_curves, *m_shares;
    QLabel *m_sharesTitle, *m_baseNote;
    CurveLegend* m_legend;
    bool m_hasShares = false;
};

}  // namespace altiscope
