#include "core/session/packing/unit_note.h"

#include "core/base/files/host_name.h"
#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace altiscope {

namespace {

/// A sentence or two.
constexpr std::size_t kMaxNoteBytes = std::size_t{64} << 10;

std::string textIn(const nlohmann::json& json, const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                           : std::string();
}

}  // namespace

UnitNote::UnitNote(const std::filesystem::path& path)
    : m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
    if (m_descriptor < 0) return;
    // A reader of the state has the lock for a moment; a process that has it for longer packs the same unit, and both
    // end with the same file.
    constexpr int kTries = 50;
    constexpr std::chrono::milliseconds kPause{10};
    for (int i = 0; i < kTries && ::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0; ++i)
        std::this_thread::sleep_for(kPause);
    write("running", {});
}

UnitNote::~UnitNote() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

void UnitNote::write(std::string_view state, std::string_view reason) {
    if (m_descriptor < 0) return;
    const std::string text =
        dumpJson(nlohmann::json{{"host", ownHostName()}, {"state", state}, {"reason", reason}}) + "\n";
    if (::ftruncate(m_descriptor, 0) != 0) return;
    [[maybe_unused]] const ssize_t written = ::pwrite(m_descriptor, text.data(), text.size(), 0);
}

void UnitNote::done() { write("done", {}); }

void UnitNote::failed(std::string_view reason) { write("failed", reason); }

bool mayBecomeNote(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return errno == ENOENT;
    struct stat status {};
    std::string text(kMaxNoteBytes, '\0');
    const bool isFile = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const ssize_t size = isFile ? ::pread(descriptor, text.data(), text.size(), 0) : -1;
    ::close(descriptor);
    if (size <= 0) return size == 0;
    text.resize(static_cast<std::size_t>(size));
    const nlohmann::json json = parseJson(text);
    constexpr std::size_t kKeys = 3;
    return json.is_object() && json.size() == kKeys && json.contains("host") && json.contains("state") &&
           json.contains("reason");
}

std::optional<ReadNote> readUnitNote(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    const bool isLocked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    std::string text(kMaxNoteBytes, '\0');
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    ::close(descriptor);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    const nlohmann::json json = parseJson(text);
    const std::string state = textIn(json, "state");
    ReadNote note{ReadNote::State::Ended, textIn(json, "host"), textIn(json, "reason")};
    if (isLocked) note.state = ReadNote::State::Running;
    else if (state == "done") note.state = ReadNote::State::Done;
    else if (state == "failed") note.state = ReadNote::State::Failed;
    return note;
}

}  // namespace altiscope
