#include "core/session/sql_runner.h"

#include "core/base/files/pending_file.h"
#include "core/report/export/result_writer.h"
#include "core/session/session.h"

#include <QFile>
#include <QPointer>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

using SqlClock = std::chrono::steady_clock;

/// A slow statement shows what it has after so long, however few rows that are.
constexpr double kFirstLookSeconds = 0.05;
/// Later looks at a slow statement: so far apart, and while its rows are so few that a copy costs nothing.
constexpr double kLaterLookSeconds = 1;
constexpr std::size_t kMaxCopied = 20'000;
constexpr qsizetype kTitleLetters = 60;
/// With the rows that are kept, a statement stays below 100 MB.
constexpr std::size_t kSqlSortBytes = std::size_t{32} << 20;

double secondsSince(SqlClock::time_point start) {
    return std::chrono::duration<double>(SqlClock::now() - start).count();
}

QString titleOf(const std::string& sql) {
    const QString line = QString::fromUtf8(sql.c_str(), static_cast<qsizetype>(std::min<std::size_t>(sql.size(), 400)));
    const QString title = line.simplified();
    return u"SQL: "_s + (title.size() > kTitleLetters ? title.first(kTitleLetters) + u'…' : title);
}

}  // namespace

/// State that a run's thread and the GUI thread share beside its news.
struct SqlRunner::Shared {
    std::atomic<std::uint64_t> rows{0};
    std::atomic<bool> timeIsUp{false};
};

/// Its lookups are made by the first statement, on its worker, and shared by all.
struct SqlRunner::Database {
    explicit Database(std::shared_ptr<const CaptureStore> of) : capture(std::move(of)) {}
    const QueryDatabase& get() {
        std::call_once(once, [this] { database = std::make_unique<const QueryDatabase>(capture, kSqlSortBytes); });
        return *database;
    }

    const std::shared_ptr<const CaptureStore> capture;
    std::once_flag once;
    std::unique_ptr<const QueryDatabase> database;
};

/// Link of workers to the runner; it is followed on the GUI thread only.
struct SqlRunner::Link {
    SqlRunner* runner = nullptr;
};

namespace {

/// Counts rows, and hands the first ones on while the statement runs.
class WatchedRows : public RowSink {
public:
    using Publish = std::function<void(SqlRun)>;
    WatchedRows(SqlRows::Limits limits, TimeNs origin, std::atomic<std::uint64_t>& count, Publish publish)
        : m_rows(limits, origin), m_count(count), m_publish(std::move(publish)) {}

    void describe(std::span<const ColumnInfo* const> columns) override { m_rows.describe(columns); }
    bool begin(std::span<const std::string> columns) override { return m_rows.begin(columns); }
    bool row(std::span<const Value> values) override {
        if (!m_rows.row(values)) return false;
        m_count.store(m_rows.rowCount(), std::memory_order_relaxed);
        if (!m_first) {
            if (m_rows.rowCount() >= SqlRunner::kFirstRows || secondsSince(m_start) >= kFirstLookSeconds) publish();
        } else if (m_rows.rowCount() <= kMaxCopied && m_rows.rowCount() >= 2 * m_published &&
                   secondsSince(m_start) - m_last >= kLaterLookSeconds) {
            publish();
        }
        return true;
    }

    SqlRows& rows() { return m_rows; }
    double seconds() const { return secondsSince(m_start); }
    std::optional<double> first() const { return m_first; }

private:
    void publish() {
        m_last = seconds();
        if (!m_first) m_first = m_last;
        m_published = m_rows.rowCount();
        m_publish({.end = SqlEnd::Running,
                   .table = m_rows.soFar(),
                   .error = {},
                   .diagnostics = {},
                   .rows = m_published,
                   .seconds = m_last,
                   .firstRows = m_first});
    }

    const SqlClock::time_point m_start = SqlClock::now();
    SqlRows m_rows;
    std::atomic<std::uint64_t>& m_count;
    Publish m_publish;
    std::optional<double> m_first;
    double m_last = 0;
    std::size_t m_published = 0;
};

SqlEnd endOf(const Result<QuerySummary>& done, SqlRows::Full full, bool timeIsUp) {
    if (done.cancelled()) return timeIsUp ? SqlEnd::TimeLimit : SqlEnd::Cancelled;
    if (done.failed()) return SqlEnd::Failed;
    switch (full) {
    case SqlRows::Full::No: break;
    case SqlRows::Full::Rows: return SqlEnd::RowLimit;
    case SqlRows::Full::Bytes: return SqlEnd::MemoryLimit;
    }
    return SqlEnd::Complete;
}

SqlFile writeRows(const QueryDatabase& database, const SqlStatement& statement, const QString& file,
                  ProgressSlot& progress, const CancelToken& cancel) {
    SqlFile outcome;
    PendingFile out(QFile::encodeName(file).toStdString(), PendingFile::Access::Shared, &cancel);
    const auto failed = [&] { outcome.problem = QString::fromStdString(out.problem()); };
    progress.setPhase(ProgressPhase::Writing);
    if (!out.opened()) {
        outcome.cancelled = cancel.cancelled();
        failed();
        return outcome;
    }
    const bool isJson = file.endsWith(u".json"_s, Qt::CaseInsensitive);
    bool good = true;
    const ResultFormat format = isJson ? ResultFormat::Json : ResultFormat::SpreadsheetCsv;
    const auto writer = makeResultWriter(format, [&](std::string_view text) {
        good = good && !cancel.cancelled() && out.write(text);
        progress.addDone(text.size());
        return good;
    });
    const auto done = database.run(statement.sql, *writer, cancel, statement.parameters);
    outcome.cancelled = done.cancelled() || cancel.cancelled();
    if (outcome.cancelled) return outcome;
    if (done.failed()) {
        outcome.error = done.error();
        return outcome;
    }
    outcome.rows = done.value().rows;
    if (!good || !writer->finish() || !out.keep()) failed();
    return outcome;
}

}  // namespace

SqlRunner::SqlRunner(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_link(std::make_shared<Link>(Link{this})) {
    m_run.end = SqlEnd::Complete;
    m_clock.setSingleShot(true);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (m_shared != nullptr) m_shared->timeIsUp = true;
        m_session.jobs().cancel(m_job);
    });
}

SqlRunner::~SqlRunner() {
    m_link->runner = nullptr;
    cancel();
}

void SqlRunner::setCapture(std::shared_ptr<const CaptureStore> capture, TimeNs origin) {
    cancel();
    m_origin = origin;
    m_capture = capture == nullptr ? nullptr : std::make_shared<Database>(std::move(capture));
}

std::uint64_t SqlRunner::rowsFound() const { return m_shared == nullptr ? 0 : m_shared->rows.load(); }

void SqlRunner::cancel() {
    if (m_job != 0) m_session.jobs().cancel(m_job);
}

void SqlRunner::run(SqlStatement statement) {
    if (m_capture == nullptr) return;
    cancel();
    m_clock.stop();  // of the statement before
    const std::uint64_t run = ++m_runs;
    m_run = {};
    m_shared = std::make_shared<Shared>();
    auto publish = [jobs = &m_session.jobs(), link = std::weak_ptr<Link>(m_link), run](SqlRun news) {
        jobs->toGui([link, run, news = std::move(news)] {
            const auto alive = link.lock();
            if (alive && alive->runner != nullptr) alive->runner->take(run, news);
        });
    };
    m_job = m_session.jobs().start(
        titleOf(statement.sql),
        [capture = m_capture, shared = m_shared, limits = m_limits, origin = m_origin, publish,
         statement = std::move(statement)](ProgressSlot& progress,
                                           const CancelToken& token) -> std::shared_ptr<const void> {
            progress.setPhase(ProgressPhase::Querying);
            WatchedRows rows(limits, origin, shared->rows, publish);
            const auto done = capture->get().run(statement.sql, rows, token, statement.parameters);
            auto news = std::make_shared<SqlRun>();
            news->end = endOf(done, rows.rows().full(), shared->timeIsUp);
            // Whoever cancels wants an end, not a table; the first rows are to be seen anyway.
            if (news->end != SqlEnd::Cancelled) news->table = rows.rows().finish({});
            if (done.failed()) news->error = done.error();
            if (done.ok()) news->diagnostics = done.value().diagnostics;
            news->rows = rows.rows().rowCount();
            news->seconds = rows.seconds();
            news->firstRows = rows.first();
            return news;
        },
        [link = std::weak_ptr<Link>(m_link), run](const std::shared_ptr<const void>& outcome) {
            const auto alive = link.lock();
            if (alive && alive->runner != nullptr) alive->runner->end(run, outcome);
        });
    if (m_timeLimit.count() > 0) m_clock.start(m_timeLimit);
    emit changed();
}

void SqlRunner::take(std::uint64_t run, const SqlRun& news) {
    if (run != m_runs || m_job == 0) return;
    m_run = news;
    emit changed();
}

void SqlRunner::end(std::uint64_t run, const std::shared_ptr<const void>& outcome) {
    if (run != m_runs) return;
    m_job = 0;
    m_clock.stop();
    if (const auto* news = static_cast<const SqlRun*>(outcome.get()); news != nullptr) {
        const SqlRun before = std::exchange(m_run, *news);
        if (m_run.end == SqlEnd::Cancelled) {
            m_run.table = before.table;
            m_run.rows = before.rows;
        }
    } else {
        m_run.end = SqlEnd::NotKept;
    }
    emit changed();
}

void SqlRunner::writeAll(const SqlStatement& statement, const QString& file) {
    if (m_capture == nullptr) return;
    if (const auto refused = m_session.refusedToWrite(file))
        return emit written(file, {.error = *refused, .problem = {}});
    m_session.jobs().start(
        file,
        [capture = m_capture, statement, file](ProgressSlot& progress,
                                               const CancelToken& cancel) -> std::shared_ptr<const void> {
            return std::make_shared<const SqlFile>(writeRows(capture->get(), statement, file, progress, cancel));
        },
        [runner = QPointer<SqlRunner>(this), file](const std::shared_ptr<const void>& outcome) {
            const auto* done = static_cast<const SqlFile*>(outcome.get());
            if (runner && done != nullptr) emit runner->written(file, *done);
        });
}

}  // namespace altiscope
