#pragma once

#include "core/base/error.h"
#include "core/session/job_runner.h"
#include "core/store/capture_store.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// One open capture as views see it. `store` is replaced as a whole when more has been read; never null once the manifest
/// is known.
struct OpenCapture {
    std::uint32_t id = 0;              ///< Stable while open; never reused.
    QString path;                      ///< Absolute.
    std::shared_ptr<const CaptureStore> store;
    std::optional<Error> error;        ///< Set when opening failed.
    bool cancelled = false;            ///< The user stopped the import; what had been read stays.
    std::uint64_t job = 0;             ///< Running import, 0 if none.
};

/// What is open. Lives on the GUI thread; imports run as jobs.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(JobRunner& jobs, QObject* parent = nullptr);
    ~Session() override;

    /// Starts to open a capture; one that is open already is only announced again by captureChanged().
    std::uint32_t open(const QString& path);
    void close(std::uint32_t capture);
    void reload(std::uint32_t capture);

    const std::vector<OpenCapture>& captures() const { return m_captures; }
    const OpenCapture* capture(std::uint32_t id) const;

    JobRunner& jobs() { return m_jobs; }

signals:
    void captureOpened(std::uint32_t id);
    void captureChanged(std::uint32_t id);  ///< Its store, error or state is newer.
    void captureClosed(std::uint32_t id);

private:
    void startImport(std::uint32_t id);
    OpenCapture* find(std::uint32_t id);

    JobRunner& m_jobs;
    std::vector<OpenCapture> m_captures;
    std::uint32_t m_nextId = 1;
};

} // namespace altiscope
