#include "core/import/archive_writer.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace altiscope::reader {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kMostUnderWay = 8;

/// @return 0 or the system's number.
int writeAll(int file, std::uint64_t offset, std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return 0;
}

}  // namespace

ArchiveWriter::ArchiveWriter() {
    m_free.reserve(kMostUnderWay);
    try {
        m_thread = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no thread is left for it: pieces are written as they come
    }
}

ArchiveWriter::~ArchiveWriter() {
    try {
        end();
    } catch (const std::bad_alloc&) { ::close(m_current.file); }
    if (!m_thread.joinable()) return;
    {
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

int ArchiveWriter::begin(const std::filesystem::path& path) {
    // Never through a link, never into something that is there.
    m_current.file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    m_current.offset = 0;
    return m_current.file < 0 ? errno : 0;
}

void ArchiveWriter::write(std::uint64_t offset, std::span<const char> bytes) {
    while (!bytes.empty()) {
        m_current.bytes.reserve(kPieceBytes);
        if (m_current.bytes.size() == kPieceBytes || m_current.offset + m_current.bytes.size() != offset) {
            send(false);
            m_current.offset = offset;
        }
        const std::size_t part = std::min(bytes.size(), kPieceBytes - m_current.bytes.size());
        m_current.bytes.insert(m_current.bytes.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part));
        bytes = bytes.subspan(part);
        offset += part;
    }
}

void ArchiveWriter::end() {
    if (m_current.file >= 0) send(true);
    m_current.file = -1;
}

void ArchiveWriter::send(bool isLast) {
    m_current.isLast = isLast;
    std::unique_lock lock(m_mutex);
    if (!m_thread.joinable()) {
        m_problem = finished(m_current, m_problem);
        return;
    }
    m_changed.wait(lock, [this] { return m_underWay < kMostUnderWay; });
    Piece next;
    next.file = m_current.file;
    if (!m_free.empty()) {
        next.bytes = std::move(m_free.back());
        m_free.pop_back();
    }
    m_waiting.push_back(std::move(m_current));
    m_current = std::move(next);
    ++m_underWay;
    lock.unlock();
    m_changed.notify_all();
}

int ArchiveWriter::finished(Piece& piece, int problem) {
    if (problem == 0) problem = writeAll(piece.file, piece.offset, piece.bytes);
    if (piece.isLast && ::close(piece.file) != 0 && problem == 0) problem = errno;
    piece.bytes.clear();
    return problem;
}

int ArchiveWriter::problem() {
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

int ArchiveWriter::finish() {
    end();
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_underWay == 0; });
    return m_problem;
}

void ArchiveWriter::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isOver || !m_waiting.empty(); });
        if (m_waiting.empty()) return;
        Piece piece = std::move(m_waiting.front());
        m_waiting.pop_front();
        const int before = m_problem;
        lock.unlock();
        const int problem = finished(piece, before);
        lock.lock();
        m_problem = problem;
        if (m_free.size() < m_free.capacity()) m_free.push_back(std::move(piece.bytes));
        --m_underWay;
        m_changed.notify_all();
    }
}

}  // namespace altiscope::reader
