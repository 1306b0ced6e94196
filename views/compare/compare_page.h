#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/data_page.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_list.h"
#include "views/common/support/view_memory.h"
#include "views/compare/compared_side.h"
#include "views/compare/difference_table.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QToolButton;

namespace altiscope {

class MessagePage;
class OrderPanel;
class SideChoice;
class StepBars;
class TablePanel;

/// The page Compare: two captures, or ranks or steps of one, first the result in a sentence, then what changed, the
/// largest first. Comparing is a visible job that begins by itself while the page is in sight and both sides differ.
/// GUI thread.
class ComparePage : public DataPage, public PageState {
    Q_OBJECT
public:
    /// All must outlive the page.
    ComparePage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~ComparePage() override;

    bool idle() const override;
    SideChoice& base() { return *m_base; }
    SideChoice& current() { return *m_current; }
    TablePanel& table() { return *m_table; }
    OrderPanel& order() { return *m_order; }
    QTabWidget& tabs() { return *m_tabs; }
    const std::shared_ptr<const DifferenceTable>& shown() const { return m_shown; }
    /// Two captures as a whole; they are compared once both are read.
    void choose(CaptureId base, CaptureId current);
    void setGroup(DifferenceGroup group);
    QString sentence() const;
    /// Message in place of a result; empty while there is one.
    QString message() const;
    /// {"base":SIDE,"current":SIDE}, a SIDE as SideChoice::state().
    QJsonObject state(const WorkspaceIds& captures) const override;
    void restore(const QJsonObject& state, const WorkspaceIds& captures) override;
    /// Writes the comparison as a job: HTML or JSON by the ending of the name.
    void write(const QString& file);
    QString outcome() const { return m_outcome; }

signals:
    /// Another page shows what a row is about.
    void viewRequested(altiscope::ViewId view, CaptureId capture);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    using Sides = std::pair<ComparedSide, ComparedSide>;

    QWidget* makeBar();
    QWidget* makeBody();
    void connectParts();
    void fillCaptures();
    std::optional<ComparedSide> sideOf(const SideChoice& choice);
    void follow();
    void start();
    void take(std::uint64_t run, const Result<Comparison>& result);
    void regroup();
    void showTable();
    void openRow(std::uint32_t row);
    void goTo(const Difference& difference);
    void showKernel(CaptureId capture, SliceKey slice);
    void saveAs();
    void showState();
    void retranslate();

    Session& m_session;
    Selection& m_selection;
    ViewMemory m_memory;
    std::map<CaptureId, ComparedSide> m_captures;  ///< Wholly read captures, as they are now.
    std::optional<Sides> m_requested;
    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const DifferenceTable> m_shown;
    QString m_problem, m_outcome;
    std::uint64_t m_job = 0, m_run = 0;
    bool m_isWriting = false, m_wasFilled = false;
    JobSlot m_grouping, m_search;
    SideChoice *m_base, *m_current;
    QToolButton* m_swap;
    QLabel* m_groupName;
    QComboBox* m_group;
    QCheckBox* m_onlySignificant;
    QPushButton *m_again, *m_write;
    QLabel *m_sentence, *m_facts;
    StepBars* m_bars;
    QTabWidget* m_tabs;
    TablePanel* m_table;
    OrderPanel* m_order;
    QStackedLayout* m_stack;
    QWidget* m_body;
    MessagePage* m_nothing;
};

}  // namespace altiscope
