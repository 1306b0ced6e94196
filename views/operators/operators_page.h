#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/view_memory.h"
#include "views/operators/operator_numbers.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

class QLabel;
class QTabWidget;

namespace altiscope {

class CallSitePanel;
class DispatchList;
class FlamePanel;
class KernelList;
class LayerPanel;
class OperatorBar;
class OverallPanel;
class PlotView;
class ShareBars;
class SharePie;
class TablePanel;

/// Which operators cost most: kernels in groups with what they amount to, their shares, how they spread over ranks,
/// every single one, and where they were called from. Shows the capture that is chosen in the tree, within the context
/// that all pages share and the marked time. GUI thread; sums are made on workers, and only while the page is in sight.
class OperatorsPage : public FramedPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    OperatorsPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~OperatorsPage() override;

    bool idle() const override;
    /// The capture that is shown; kNoCapture: none.
    CaptureId shownCapture() const { return m_capture.id(); }

    const std::shared_ptr<const OperatorNumbers>& shown() const { return m_shown; }
    /// nullopt: all.
    void chooseGroup(std::optional<std::size_t> group);
    OperatorBar& bar() { return *m_bar; }
    TablePanel& statistics() { return *m_statistics; }
    TablePanel& aiCpu() { return *m_aiCpu; }
    KernelList& kernels() { return *m_kernels; }
    DispatchList& dispatch() { return *m_dispatch; }
    FlamePanel& flame() { return *m_flame; }
    OverallPanel& overall() { return *m_overall; }
    ShareBars& bars() { return *m_bars; }
    QTabWidget& pictures() { return *m_pictures; }
    QTabWidget& tabs() { return *m_tabs; }

private:
    void setUp();
    void connectParts();
    std::optional<Scope> scope() const;
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;
    void requestGroups();
    void setCallsOnly(bool isSo);
    void setPanelScope(std::optional<Scope> scope, std::optional<Scope> base);
    void take(std::shared_ptr<const OperatorNumbers> numbers);
    bool regroup(const OperatorNumbers& numbers);
    void showStatistics(bool isSame);
    void hideColumns(bool isSame);
    bool isOnlyInBase(std::uint32_t row) const;
    void showShares();
    void showSpread();
    void showAiCpu();
    void showDispatch();
    void showSums();
    void openGroup(std::size_t group, QTabWidget& tabs, QWidget& panel);
    void chooseKey(std::uint32_t key);
    void chooseCore(std::uint32_t key);
    bool holds(SliceRef slice) const;
    void showSlice(SliceRef slice);
    QString scopeText() const;

    Selection& m_selection;
    CaptureId m_barCapture;  ///< Whose ranks the bar has.
    CaptureId m_fitted;      ///< Whose first result has been seen, see regroup.
    std::shared_ptr<const OperatorNumbers> m_shown;
    /// Request that m_shown answers, or will when its result is there.
    std::optional<OperatorRequest> m_requested;
    std::optional<std::size_t> m_group;
    std::optional<SliceRef> m_kernel;     ///< Whose task alone is shown.
    bool m_isCallsOnly = false;           ///< Without kernels there is the flame graph alone.
    QWidget* m_tabWithKernels = nullptr;  ///< The tab that was chosen before that.
    bool m_showsBase = false;             ///< Columns of a base are to be seen.
    JobSlot m_slot, m_spreadSlot;
    OperatorBar* m_bar;
    QWidget* m_body;
    QLabel* m_sums;
    QWidget* m_upper;
    TablePanel* m_statistics;
    QTabWidget* m_pictures;
    ShareBars* m_bars;
    QWidget* m_pies;
    SharePie *m_groupPie, *m_corePie;
    PlotView* m_spread;
    QTabWidget* m_tabs;
    KernelList* m_kernels;
    CallSitePanel* m_callSites;
    DispatchList* m_dispatch;
    FlamePanel* m_flame;
    OverallPanel* m_overall;
    TablePanel* m_aiCpu;
    LayerPanel* m_layers;
};

}  // namespace altiscope
