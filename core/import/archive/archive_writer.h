#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace altiscope::reader {

/// Writes new files one after the other on a thread of its own, so that the maker of their content goes on meanwhile;
/// small ones at once, which takes less time than to hand them over. Some megabytes of memory. To be used by one
/// thread.
class ArchiveWriter {
public:
    ArchiveWriter();
    /// Waits for what is under way.
    ~ArchiveWriter();
    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

    /// Begins a file, in a folder that is there. @return 0, or the system's number for what is in the way.
    int begin(const std::filesystem::path& path);
    /// Adds bytes to the file that was begun; waits while too many are under way. Gaps between offsets
    /// read as zeros.
    void write(std::uint64_t offset, std::span<const char> bytes);
    void end();
    /// Waits until everything is written. @return 0, or the system's number for what failed first.
    int finish();
    /// As finish() at the end will return it, as far as it is known.
    int problem();

private:
    struct Piece {
        std::vector<char> bytes;
        std::uint64_t offset = 0;
        int file = -1;
        bool isLast = false;
    };

    void send(bool isLast);
    /// Writes what is at hand on the caller's thread.
    void writeHere(bool isLast);
    void work();
    /// Writes a piece unless something has failed before. @return The first failure so far, or 0.
    static int finished(Piece& piece, int problem);

    Piece m_current;
    bool m_isSent = false;  // a piece of the current file
    std::mutex m_mutex;     // guards the rest
    std::condition_variable m_changed;
    std::deque<Piece> m_waiting;
    std::vector<std::vector<char>> m_free;
    std::size_t m_underWay = 0;
    int m_problem = 0;
    bool m_isOver = false;
    std::thread m_thread;
};

}  // namespace altiscope::reader
