#include "core/import/archive/archive_writer.h"

#include "core/base/files/write_all.h"

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
constexpr std::size_t kMaxUnderWay = 8;
constexpr std::size_t kSmallFile = std::size_t{64} << 10;

}  // namespace

ArchiveWriter::ArchiveWriter() {
    // The thread gives memory back without requesting any.
    m_free.reserve(kMaxUnderWay + 1);
    try {
        m_thread = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no thread is left for it: pieces are written as they come
    }
}

ArchiveWriter::~ArchiveWriter() {
    if (m_thread.joinable()) {
        {
            const std::lock_guard lock(m_mutex);
            m_isOver = true;
        }
        m_changed.notify_all();
        m_thread.join();
    }
    // A file that was not ended is not wanted.
    if (m_current.file >= 0) ::close(m_current.file);
}

int ArchiveWriter::begin(const std::filesystem::path& path) {
    // Never through a link, never into something that is there.
    m_current.file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    m_current.offset = 0;
    m_isSent = false;
    return m_current.file < 0 ? errno : 0;
}

void ArchiveWriter::write(std::uint64_t offset, std::span<const char> bytes) {
    while (!bytes.empty()) {
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
    const bool isSmall = !m_isSent && m_current.bytes.size() <= kSmallFile;
    if (m_current.file >= 0 && isSmall) writeHere(true);
    else if (m_current.file >= 0) send(true);
    m_current.file = -1;
}

void ArchiveWriter::writeHere(bool isLast) {
    m_current.isLast = isLast;
    const int problem = finished(m_current, 0);
    const std::lock_guard lock(m_mutex);
    if (m_problem == 0) m_problem = problem;
}

void ArchiveWriter::send(bool isLast) {
    m_isSent = true;
    if (!m_thread.joinable()) {
        writeHere(isLast);
        return;
    }
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_underWay < kMaxUnderWay; });
    Piece next;
    next.file = m_current.file;
    if (!m_free.empty()) {
        next.bytes = std::move(m_free.back());
        m_free.pop_back();
    }
    next.bytes.reserve(kPieceBytes);
    m_current.isLast = isLast;
    ++m_underWay;
    m_waiting.push_back(std::exchange(m_current, std::move(next)));
    lock.unlock();
    m_changed.notify_all();
}

int ArchiveWriter::finished(Piece& piece, int problem) {
    if (problem == 0) problem = writeAll(piece.file, piece.bytes, piece.offset);
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
        if (m_problem == 0) m_problem = problem;
        m_free.push_back(std::move(piece.bytes));
        --m_underWay;
        m_changed.notify_all();
    }
}

}  // namespace altiscope::reader
