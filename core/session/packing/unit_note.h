#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// Note of a process that packs a unit about itself, for the engine that follows the units: a file of JSON,
/// {"host":H,"state":"running|done|failed","reason":R}, that is locked (flock) as long as the process lives. A reader
/// can tell a process that was killed, on any machine that shares the file system.
class UnitNote {
public:
    /// Writes "running". A file that cannot be made costs the note, not the unit.
    explicit UnitNote(const std::filesystem::path& path);
    /// Without an end it stays "running", without a lock.
    ~UnitNote();
    UnitNote(const UnitNote&) = delete;
    UnitNote& operator=(const UnitNote&) = delete;

    void done();
    void failed(std::string_view reason);

private:
    void write(std::string_view state, std::string_view reason);
    int m_descriptor = -1;
};

/// Whether nothing but a note is lost where one is written: there is no file, an empty one, or a note.
bool mayBecomeNote(const std::filesystem::path& path);

struct ReadNote {
    enum class State { Running, Ended, Done, Failed };
    State state = State::Ended;  ///< Ended: it said neither "done" nor "failed", and lives no more.
    std::string host, reason;
};

/// nullopt if there is none. A damaged one is of a process that has Ended.
std::optional<ReadNote> readUnitNote(const std::filesystem::path& path);

}  // namespace altiscope
