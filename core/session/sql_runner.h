#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/error.h"
#include "core/query/database.h"
#include "core/session/job_runner.h"
#include "core/session/sql/sql_table.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

class Session;

/// A statement and the values of its parameters.
struct SqlStatement {
    std::string sql;
    std::vector<QueryParameter> parameters;
};

/// How a statement ended, or that it runs.
enum class SqlEnd : std::uint8_t {
    Running,
    Complete,
    RowLimit,     ///< There are more rows than are kept.
    MemoryLimit,  ///< The rows take more memory than is kept.
    TimeLimit,
    Cancelled,
    Failed,
    NotKept,  ///< There was not enough memory at all.
};

/// State of a run.
struct SqlRun {
    SqlEnd end = SqlEnd::Running;
    std::shared_ptr<const SqlTable> table;  ///< Null while there is nothing to show.
    std::optional<Error> error;
    Diagnostics diagnostics;          ///< Trouble that left NULL in place of a value.
    std::uint64_t rows = 0;           ///< Rows of the table.
    double seconds = 0;               ///< Until now, or its end.
    std::optional<double> firstRows;  ///< Seconds until the first rows were there.
};

/// Outcome of writing all rows to a file.
struct SqlFile {
    std::optional<Error> error;
    QString problem;  ///< The system's words.
    std::uint64_t rows = 0;
    bool cancelled = false;
};

/// Runs statements over one capture as jobs, one at a time: a new one cancels the one before. The first rows come
/// early, the others at the end; no more are kept than SqlRows::Limits say. GUI thread.
class SqlRunner : public QObject {
    Q_OBJECT
public:
    /// So many rows are handed over before all are known.
    static constexpr std::size_t kFirstRows = 256;

    explicit SqlRunner(Session& session, QObject* parent = nullptr);
    ~SqlRunner() override;

    /// Capture that statements are about; null: none. Cancels what runs. Lookups of the former capture go.
    void setCapture(std::shared_ptr<const CaptureStore> capture, TimeNs origin);
    bool hasCapture() const { return m_capture != nullptr; }

    void run(SqlStatement statement);
    void cancel();
    bool busy() const { return m_job != 0; }
    const SqlRun& current() const { return m_run; }
    /// Rows that were found so far, also such as are not to be seen yet.
    std::uint64_t rowsFound() const;

    /// Limit of the runs that follow; 0: none.
    void setTimeLimit(std::chrono::milliseconds limit) { m_timeLimit = limit; }
    void setLimits(SqlRows::Limits limits) { m_limits = limits; }
    const SqlRows::Limits& limits() const { return m_limits; }

    /// Runs a statement to its end and writes all of its rows, without a limit of ours: CSV, or JSON if the name ends
    /// so, as `altiscope-cli query` writes them. The file appears when it is complete, and never in an open capture.
    void writeAll(const SqlStatement& statement, const QString& file);

signals:
    void changed();  ///< current() has more rows, or has ended.
    void written(const QString& file, const altiscope::SqlFile& outcome);

private:
    struct Shared;
    struct Link;
    struct Database;

    void take(std::uint64_t run, const SqlRun& news);
    void end(std::uint64_t run, const std::shared_ptr<const void>& outcome);

    Session& m_session;
    std::shared_ptr<Database> m_capture;
    TimeNs m_origin;
    SqlRows::Limits m_limits;
    std::chrono::milliseconds m_timeLimit{0};
    QTimer m_clock;
    std::uint64_t m_job = 0, m_runs = 0;
    SqlRun m_run;
    std::shared_ptr<Shared> m_shared;
    std::shared_ptr<Link> m_link;
};

}  // namespace altiscope
