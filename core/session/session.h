#pragma once

#include "core/base/files/file.h"
#include "core/base/values/error.h"
#include "core/base/values/result.h"
#include "core/session/cache_choice.h"
#include "core/session/capture_names.h"
#include "core/session/files/corrections_file.h"
#include "core/session/job_runner.h"
#include "core/session/reading/known_times.h"
#include "core/store/capture_store.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

namespace reader {
struct RankChoice;
}

/// One open capture as views see it. `store` is replaced as a whole when more has been read; never null once the
/// manifest is known.
struct OpenCapture {
    CaptureId id;  ///< Stable while open; never reused.
    QString path;  ///< Absolute.
    std::shared_ptr<const CaptureStore> store;
    std::optional<Error> error;  ///< Set when opening failed.
    bool cancelled = false;      ///< The user stopped the import; what had been read stays.
    std::uint64_t job = 0;       ///< Running import, 0 if none.
    RankTimes times;             ///< Times of its ranks, as far as a reading has shown them.
    bool filesChanged = false;   ///< Since they were read; the user has not chosen to leave it at that.
    QString title;               ///< For people: the alias, else displayNames() of what is open.
    CaptureNames names;          ///< By the user; `store` has those of ranks in RankInfo::alias too.
};

/// True for a rank that has a timeline which nobody has chosen to read: its capture is big.
bool isExcluded(const OpenCapture& capture, const RankEntry& rank);

/// The open captures. Lives on the GUI thread; imports run as jobs, any number at a time.
class Session : public QObject {
    Q_OBJECT
public:
    static constexpr int kUpdateMs = 100;

    /// @param cacheFolder  Of sealed stores, see cache_view.h; empty: captures are read from their own files each
    /// time.
    /// @param correctionsFile  See CorrectionsFile.
    explicit Session(JobRunner& jobs, std::filesystem::path cacheFolder = {}, QString correctionsFile = {},
                     QObject* parent = nullptr);
    ~Session() override;

    /// Starts to open a capture; one that is open already is only announced again by captureChanged(), or read once
    /// more if it had failed or was stopped. Never fails itself: what is wrong with the path becomes the capture's
    /// error.
    CaptureId open(const QString& path);
    void close(CaptureId capture);
    /// Reads a capture again from its files: the ranks, and of them the times, that were read before. What is shown of
    /// a rank stays until there is something newer of it.
    void reload(CaptureId capture);
    /// Reads ranks that were left out so far (see isExcluded), by RankInfo::path; the others stay as they are. While an
    /// import of the capture runs nothing happens.
    /// @param window  Only this time, on the traces' own clock (what is kept: TraceBuilder); nullopt: all of it. A rank
    ///                of which another part was read is read again.
    void readRanks(CaptureId capture, std::vector<std::string> ranks, std::optional<TimeRange> window = {});
    /// A capture whose traces have more bytes than this is read in part: its first ranks. Default: autoLoadLimit().
    void setAutoLoadLimit(std::uint64_t bytes) { m_autoLoadLimit = bytes; }
    /// Bytes of memory that this process may take for captures; 0: as much as memoryUnasked(). More ranks than fit are
    /// not read unasked, and of those that are, timelines that nobody looks at lie on the disk (limitMemory()).
    void setMemoryLimit(std::uint64_t bytes);
    /// Takes what the user says of a rank (by RankInfo::path) for true, from now on and in later runs, and reads the
    /// capture again; an empty correction takes that back. @return False if it cannot be remembered.
    bool correct(CaptureId capture, const std::string& rank, const RankCorrection& correction);
    /// Corrections of a capture's ranks by the user.
    RankCorrections corrections(CaptureId capture) const;
    /// Calls a capture and its ranks as the user wants, and puts it into a group, which is there as long as a capture
    /// is in it.
    void setNames(CaptureId capture, CaptureNames names);
    void rename(CaptureId capture, const QString& alias);
    void renameRank(CaptureId capture, const std::string& rank, const QString& alias);
    void setGroup(CaptureId capture, const QString& group);
    /// Looks on a worker whether files have changed since they were read, and announces captures of which that is news
    /// (OpenCapture::filesChanged). Costs one system call for each file of a trace that was read.
    void checkFiles();
    /// Stops announcing the present change of files; the next one is announced again.
    void ignoreChange(CaptureId capture);
    /// Stops the running import; what has been read so far stays.
    void cancel(CaptureId capture);

    const std::vector<OpenCapture>& captures() const { return m_captures; }
    const OpenCapture* capture(CaptureId id) const;

    /// Why a file may not be written: it would change an open capture, which is evidence. nullopt if it may. Whoever
    /// writes a file that the user names asks first. Costs some system calls.
    std::optional<Error> refusedToWrite(const QString& file) const;

    /// The cache of captures that are opened from now on; without a folder: none.
    CacheChoice cacheInUse() const;

    JobRunner& jobs() { return m_jobs; }

signals:
    void captureOpened(CaptureId id);
    /// Its store, error or state is newer. While an import runs, at most once per kUpdateMs.
    void captureChanged(CaptureId id);
    void captureClosed(CaptureId id);

private:
    struct Import;

    void startImport(OpenCapture& capture, reader::RankChoice ranks);
    void takeUpdate(CaptureId id, std::uint64_t run, std::shared_ptr<const CaptureStore> store);
    void takeOutcome(CaptureId id, std::uint64_t run, const Result<std::shared_ptr<const CaptureStore>>& outcome);
    void takeFileStamps(CaptureId id, const std::shared_ptr<const CaptureStore>& of, std::vector<FileStamp> now);
    void announceUpdate(CaptureId id, std::uint64_t run);
    /// @return Those whose title has changed.
    std::vector<CaptureId> nameAll();
    OpenCapture* find(CaptureId id);
    OpenCapture* find(CaptureId id, std::uint64_t run);

    JobRunner& m_jobs;
    std::filesystem::path m_cacheFolder;
    CorrectionsFile m_corrections;
    std::uint64_t m_autoLoadLimit;
    std::vector<OpenCapture> m_captures;
    std::map<CaptureId, Import> m_imports;
    std::map<CaptureId, std::vector<FileStamp>> m_seenFiles;  ///< As the last check found them changed.
    JobSlot m_fileCheck;
    std::shared_ptr<Session*> m_alive;  ///< Link of imports to the session: their calls end with it.
    std::uint32_t m_nextId = 1;
    std::uint64_t m_nextRun = 1;
};

}  // namespace altiscope
