#pragma once

#include "core/session/session.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <QIcon>
#include <QObject>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Everything that was noticed while captures were read: one row per diagnostic of every open capture, and one per
/// capture that failed. GUI thread.
class ReportModel : public QObject {
    Q_OBJECT
public:
    enum class Column : std::size_t { Severity, Count, Capture, Message, File, Place, Code };
    /// By weight.
    enum class Weight : unsigned char { Info, Repaired, Lost, Failed };

    struct Row {
        CaptureId capture;
        QString captureName;
        Weight weight = Weight::Info;
        bool unread = false;
        std::uint64_t count = 1;
        QString file, place, message, code;
        bool operator==(const Row&) const = default;
    };

    explicit ReportModel(Session& session, QObject* parent = nullptr);

    const std::vector<Row>& rows() const { return m_rows; }
    /// The rows with the columns of the SQL table `diagnostic` and the capture's name. Sentences are in the window's
    /// language.
    const std::shared_ptr<const ColumnTable>& table() const { return m_table; }
    static std::vector<ColumnHeading> headings();
    static QIcon icon(Weight weight);
    /// A row in full, a line each.
    static QString fullText(const Row& row);

    /// Rows that are more than worth knowing: something was repaired, lost or failed, or a source could not be read.
    int warningCount() const;
    /// Rows of more than one capture: only then their names matter.
    bool severalCaptures() const;
    /// First row of a capture, if it has any.
    std::optional<std::size_t> firstRowOf(CaptureId capture) const;

    /// Sets all texts again, in the language of the moment.
    void retranslate() { rebuild(); }

signals:
    /// @param sameRows  Counts grew, or the language changed.
    void changed(bool sameRows);
    void warningCountChanged();

private:
    void rebuild();
    void buildTable();
    static void appendRows(const OpenCapture& capture, std::vector<Row>& rows);

    Session& m_session;
    std::vector<Row> m_rows;
    std::shared_ptr<const ColumnTable> m_table;
};

}  // namespace altiscope
