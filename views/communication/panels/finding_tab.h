#pragma once

#include "core/session/findings_loader.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace altiscope {

class FindingSettings;
class TablePanel;

/// Findings about communication: slow ranks and links, small packets, communication that nothing hides. A row
/// leads to its link or rank on this page. GUI thread.
class FindingTab : public QWidget {
    Q_OBJECT
public:
    /// All must outlive it.
    FindingTab(Session& session, FindingsLoader& loader, const FindingSettings& settings, const ViewMemory& memory,
               QWidget* parent = nullptr);

    TablePanel& table() { return *m_table; }
    bool idle() const;

signals:
    void linkRequested(std::int64_t source, std::int64_t target);  ///< Numbers of ranks.
    void rankRequested(RankIndex rank);
    /// @param finding  Index in what the feed has found. @param spot  See evidenceSpots().
    void evidenceRequested(std::size_t finding, std::size_t spot);

protected:
    void changeEvent(QEvent* event) override;

private:
    void take();
    void showCurrent();
    void show(std::uint32_t row);

    FindingsLoader& m_loader;
    const FindingSettings& m_settings;
    std::shared_ptr<const CaptureFindings> m_found;
    std::vector<std::size_t> m_shown;  ///< Indexes in m_found->findings, by row.
    std::vector<FindingItem> m_items;  ///< By row.
    TablePanel* m_table;
    QLabel* m_detail;
};

}  // namespace altiscope
