#pragma once

#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "views/common/pages/data_page.h"
#include "views/common/support/finding_settings.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/link_request.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QAction;
class QCheckBox;
class QLabel;
class QMenu;
class QStackedLayout;
class QTabWidget;

namespace altiscope {

class FindingDetails;
class MessagePage;
class TablePanel;
class ThresholdsPanel;

/// All findings of the capture, within the ranks and steps that all pages share: a table, below it the chosen one in
/// full, and the thresholds. GUI thread.
class FindingsPage : public DataPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    FindingsPage(Session& session, Selection& selection, FindingsLoader& loader, FindingSettings& settings,
                 const ViewMemory& memory, QWidget* parent = nullptr);

    bool idle() const override;
    /// The finding that is shown in full; an index in the feed's findings.
    std::optional<std::size_t> currentFinding() const;
    /// The chosen findings (all without a choice) as plain text.
    QString asText() const;

    /// Makes a finding the current one, if it is shown. @param place  In the feed's findings.
    void showFinding(std::size_t place);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setUp();
    void takeFindings();
    void rebuild();
    void showReason();
    void keepCurrent();
    void showCurrent();
    void showTitle();
    void showEvidence(std::uint32_t row);
    std::optional<LinkPlace> evidencePlace(std::uint32_t row) const;
    void fillMenu(QMenu& menu, std::uint32_t row);
    void muteChosen();
    void retranslate();
    /// Indexes in the feed's findings of the selected rows; without a selection of all rows.
    std::vector<std::size_t> chosen() const;

    Selection& m_selection;
    Session& m_session;
    FindingsLoader& m_loader;
    FindingSettings& m_settings;
    std::shared_ptr<const CaptureFindings> m_found;
    std::vector<FindingItem> m_items;  ///< One for each finding, in their order.
    std::vector<std::size_t> m_shown;  ///< Indexes in m_items, by row of the table.
    int m_outside = 0;                 ///< Findings that the ranks and steps of all pages exclude.
    QString m_currentKey;              ///< FindingItem::key; outlives new findings.
    QLabel* m_title;
    QCheckBox* m_showHidden;
    QStackedLayout* m_stack;
    MessagePage* m_nothing;
    TablePanel* m_table;
    QTabWidget* m_below;
    FindingDetails* m_details;
    ThresholdsPanel* m_thresholds;
    QAction* m_mute;
};

}  // namespace altiscope
