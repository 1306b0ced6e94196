#include "core/capture/session/record_store.h"

#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/base/text/text.h"

#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr const char* kRecordName = "session.json";
constexpr const char* kCancelName = "cancel";
constexpr const char* kFinishName = "finish";
constexpr const char* kLockName = "lock";
constexpr const char* kNoteName = "note.txt";
constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{64} << 20;

std::string newId(std::int64_t timeNs) {
    const std::time_t second = static_cast<std::time_t>(timeNs / 1'000'000'000);
    std::tm utc{};
    ::gmtime_r(&second, &utc);
    char text[32], random[16];
    const std::size_t length = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &utc);
    std::snprintf(random, sizeof random, "%06x", QRandomGenerator::system()->generate() & 0xffffffU);
    return std::string(text, length) + random;
}

/// What the window calls results: the method and when, in local time.
std::string placeName(const CaptureRecord& record) {
    const std::time_t second = static_cast<std::time_t>(record.started / 1'000'000'000);
    std::tm local{};
    ::localtime_r(&second, &local);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, " %Y-%m-%d %H.%M.%S", &local);
    return record.method + std::string(text, length);
}

/// Ids are names of folders, also those that a user types.
bool isId(std::string_view id) {
    constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz-";
    return !id.empty() && id.size() <= 64 && id.find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace

std::filesystem::path RecordStore::standardFolder() {
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && xdg[0] == '/')
        return std::filesystem::path(xdg) / "altiscope" / "captures";
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home != nullptr ? home : "/") / ".local" / "share" / "altiscope" / "captures";
}

Result<Done> RecordStore::create(CaptureRecord& record) const {
    record.started = nowNs();
    record.id = newId(record.started);
    record.place = placeName(record);
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (!error) std::filesystem::create_directory(folderOf(record.id), error);
    if (!error) std::filesystem::permissions(folderOf(record.id), std::filesystem::perms::owner_all, error);
    if (error) return Error{"capture.session.not_written", folderOf(record.id), {}, {{"reason", error.message()}}};
    return save(record);
}

Result<Done> RecordStore::save(const CaptureRecord& record) const {
    const auto path = folderOf(record.id) / kRecordName;
    PendingFile file(path, PendingFile::Access::Owner);
    if (file.opened() && file.write(recordJson(record)) && file.keep()) return Done{};
    return Error{"capture.session.not_written", path, {}, {{"reason", file.problem()}}};
}

Result<CaptureRecord> RecordStore::load(std::string_view id) const {
    if (!isId(id)) return Error{"capture.session.missing", {}, {}, {{"id", std::string(id)}}};
    const auto path = folderOf(id) / kRecordName;
    const auto text = readSmallFile(path, kMaxRecordBytes);
    if (!text.ok()) return Error{"capture.session.missing", path, {}, {{"id", std::string(id)}}};
    auto record = recordOfJson(text.value());
    if (!record.ok() || record.value().id != id) return Error{"capture.session.damaged", path, {}, {}};
    if (auto note = readSmallFile(noteFile(id), kMaxNoteBytes); note.ok())
        record.value().note = repairedUtf8(note.value());
    return record;
}

std::filesystem::path RecordStore::resultsOf(const CaptureRecord& record) const {
    // Of a version before; what was copied there is not copied again.
    std::error_code ignored;
    const auto older = folderOf(record.id) / "results";
    if (std::filesystem::is_directory(std::filesystem::symlink_status(older, ignored))) return older;
    // The zone of another process may be another one.
    const bool isKept = !record.place.empty() && record.place.find('/') == std::string::npos;
    return folderOf(record.id) / (isKept ? record.place : placeName(record));
}

std::filesystem::path RecordStore::noteFile(std::string_view id) const { return folderOf(id) / kNoteName; }

Result<Done> RecordStore::setNote(std::string_view id, std::string_view text) const {
    const auto path = noteFile(id);
    std::error_code error;
    if (text.empty()) {
        std::filesystem::remove(path, error);
        if (!error) return Done{};
        return Error{"capture.session.not_written", path, {}, {{"reason", error.message()}}};
    }
    PendingFile file(path, PendingFile::Access::Owner);
    if (file.opened() && file.write(text.substr(0, kMaxNoteBytes)) && file.keep()) return Done{};
    return Error{"capture.session.not_written", path, {}, {{"reason", file.problem()}}};
}

std::vector<CaptureRecord> RecordStore::list() const {
    std::vector<CaptureRecord> records;
    std::error_code error;
    for (std::filesystem::directory_iterator at(m_folder, error), end; !error && at != end; at.increment(error)) {
        if (auto record = load(at->path().filename().string()); record.ok())
            records.push_back(std::move(record).value());
    }
    std::sort(records.begin(), records.end(), [](const CaptureRecord& a, const CaptureRecord& b) {
        return std::tie(a.started, a.id) > std::tie(b.started, b.id);
    });
    return records;
}

void RecordStore::requestCancel(std::string_view id) const {
    const int file = ::open((folderOf(id) / kCancelName).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) ::close(file);
}

void RecordStore::withdrawCancel(std::string_view id) const { ::unlink((folderOf(id) / kCancelName).c_str()); }

bool RecordStore::isCancelRequested(std::string_view id) const {
    return ::access((folderOf(id) / kCancelName).c_str(), F_OK) == 0;
}

void RecordStore::requestFinish(std::string_view id) const {
    const int file = ::open((folderOf(id) / kFinishName).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) ::close(file);
}

void RecordStore::withdrawFinish(std::string_view id) const { ::unlink((folderOf(id) / kFinishName).c_str()); }

bool RecordStore::isFinishRequested(std::string_view id) const {
    return ::access((folderOf(id) / kFinishName).c_str(), F_OK) == 0;
}

void RecordStore::showWork(std::string_view id) const {
    ::utimensat(AT_FDCWD, (folderOf(id) / kLockName).c_str(), nullptr, 0);
}

std::int64_t RecordStore::signOfWork(std::string_view id) const { return stampOf(folderOf(id) / kLockName).modifiedNs; }

std::optional<CaptureLock> CaptureLock::take(const RecordStore& store, std::string_view id) {
    if (!isId(id)) return std::nullopt;
    const int file = ::open((store.folderOf(id) / kLockName).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) return std::nullopt;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return CaptureLock(file);
    ::close(file);
    return std::nullopt;
}

std::string CaptureLock::problem(const RecordStore& store, std::string_view id) {
    if (!isId(id)) return {};
    const int file = ::open((store.folderOf(id) / kLockName).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && errno != ENOENT) return std::generic_category().message(errno);
    if (file >= 0) ::close(file);
    return {};
}

CaptureLock::~CaptureLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

}  // namespace altiscope::capture
