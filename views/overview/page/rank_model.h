#pragma once

#include "core/session/session.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"
#include "views/overview/facts/capture_texts.h"

#include <QIcon>
#include <QObject>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// One row per rank of every open capture, with what was read of it. GUI thread; O(ranks) per change.
class RankModel : public QObject {
    Q_OBJECT
public:
    enum class Column : std::size_t {
        Capture,
        Rank,
        Device,
        Host,
        State,
        Framework,
        Source,
        Start,
        Span,
        Steps,
        Tracks,
        Slices,
        Flows,
        Missing
    };
    using Metadata = std::vector<std::pair<std::string, std::string>>;

    explicit RankModel(Session& session, QObject* parent = nullptr);

    std::size_t rowCount() const { return m_rows.size(); }
    const std::shared_ptr<const ColumnTable>& table() const { return m_table; }
    static std::vector<ColumnHeading> headings();
    /// Icon of its state.
    QIcon icon(std::size_t row) const;
    /// Rest of what a cell shows; empty if it shows all.
    QString tip(std::size_t row, Column column) const;

    /// Rows of more than one capture: only then their names matter.
    bool severalCaptures() const { return !m_rows.empty() && m_rows.front().capture != m_rows.back().capture; }
    /// Settings of the recording, as its metadata files state them: key and value. Empty for a row that does not
    /// exist.
    const Metadata& metadata(std::size_t row) const;

signals:
    /// @param sameRows  The same ranks, with newer numbers.
    void changed(bool sameRows);

private:
    struct Row {
        CaptureId capture;
        QString captureName;
        std::shared_ptr<const CaptureStore> store;  ///< Keeps `rank` alive.
        const RankEntry* rank = nullptr;
    };

    void rebuild();
    void buildTable();
    RankSummary summaryOf(const Row& row) const;

    Session& m_session;
    std::vector<Row> m_rows;
    std::shared_ptr<const ColumnTable> m_table;
};

}  // namespace altiscope
