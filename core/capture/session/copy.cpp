#include "core/capture/session/copy.h"

#include "core/capture/files/target_scripts.h"
#include "core/capture/targets/process.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <span>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{8} << 20;
constexpr std::size_t kMaxBatch = 200;
constexpr auto kCopyTimeout = std::chrono::hours(24);

/// What a line of 16 KiB per second, or half of what the user allows, takes for the files, of which each costs some
/// time too. What takes longer is no copy.
std::chrono::seconds rsyncTimeout(const std::vector<RemoteFile>& files, const FetchLimits& limits) {
    static constexpr std::uint64_t kSlowest = 16 << 10, kFilesPerSecond = 100, kStart = 45;
    const std::uint64_t rate =
        limits.bytesPerSecond == 0 ? kSlowest : std::min(kSlowest, limits.bytesPerSecond / 2 + 1);
    std::uint64_t bytes = 0;
    for (const RemoteFile& file : files) bytes += file.size;
    const std::uint64_t seconds = kStart + files.size() / kFilesPerSecond + bytes / rate;
    return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), kCopyTimeout);
}

std::string rsyncQuoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("''") : std::string(1, c);
    return text + "'";
}

/// rsync takes an IPv6 address in brackets only.
std::string rsyncHost(const std::string& destination) {
    const auto at = destination.rfind('@');
    const std::string host = destination.substr(at == std::string::npos ? 0 : at + 1);
    if (host.find(':') == std::string::npos) return destination;
    return destination.substr(0, at == std::string::npos ? 0 : at + 1) + "[" + host + "]";
}

/// Appends to, or begins a file of ours; never through a link.
bool writeAt(const std::filesystem::path& path, std::uint64_t offset, std::string_view bytes) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool good = true;
    while (good && !bytes.empty()) {
        const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        good = written > 0;
        if (good) bytes.remove_prefix(static_cast<std::size_t>(written)), offset += static_cast<std::uint64_t>(written);
    }
    return ::close(file) == 0 && good;
}

Error notWritten(const std::filesystem::path& path) { return Error{"capture.fetch.not_written", path, {}, {}}; }

Error changed(const RemoteShell& shell, const std::string& source) {
    return Error{"capture.fetch.changed", source, {}, {{"host", shell.target().name}}};
}

std::uint64_t sizeOf(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(path, error);
    if (!std::filesystem::is_regular_file(status)) {
        std::filesystem::remove_all(path, error);
        return 0;
    }
    return std::filesystem::file_size(path, error);
}

/// Waits after each piece until so many bytes may have come.
class Pace {
public:
    Pace(const FetchLimits& limits, const CancelCheck& cancelCheck)
        : m_rate(limits.bytesPerSecond), m_cancelCheck(cancelCheck) {}

    Result<Done> took(std::uint64_t bytes) {
        m_bytes += bytes;
        if (m_rate == 0) return Done{};
        const auto due = m_begin + std::chrono::milliseconds(m_bytes * 1000 / m_rate);
        while (std::chrono::steady_clock::now() < due) {
            if (m_cancelCheck && m_cancelCheck()) return Cancelled{};
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return Done{};
    }
    /// So that each piece takes about a second at most.
    std::uint64_t piece() const {
        return m_rate == 0 ? kPieceBytes : std::clamp<std::uint64_t>(m_rate, 64 << 10, kPieceBytes);
    }

private:
    std::uint64_t m_rate, m_bytes = 0;
    const CancelCheck& m_cancelCheck;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

Result<Done> copyLarge(const RemoteShell& shell, const std::string& source, const RemoteFile& file, std::uint64_t from,
                       const std::filesystem::path& folder, Pace& pace) {
    while (from < file.size) {
        const std::uint64_t bytes = std::min(pace.piece(), file.size - from);
        const std::vector<std::string> arguments{source, std::to_string(from), std::to_string(bytes), file.name};
        const auto piece =
            shell.run(readPieceScript(), arguments, {kPieceBytes + (1 << 20), std::chrono::seconds(600)});
        if (!piece.ok()) return piece.as<Done>();
        if (piece.value().output.size() != bytes) return changed(shell, source);
        if (!writeAt(folder / file.name, from, piece.value().output)) return notWritten(folder / file.name);
        from += bytes;
        if (auto done = pace.took(bytes); !done.ok()) return done;
    }
    return Done{};
}

Result<Done> copyBatch(const RemoteShell& shell, const std::string& source, std::span<const RemoteFile* const> batch,
                       const std::filesystem::path& folder) {
    std::vector<std::string> arguments{source};
    std::uint64_t bytes = 0;
    for (const RemoteFile* file : batch) {
        arguments.push_back(std::to_string(file->size));
        arguments.push_back(file->name);
        bytes += file->size;
    }
    const auto reply = shell.run(readBatchScript(), arguments, {bytes + (1 << 20), std::chrono::seconds(600)});
    if (!reply.ok()) return reply.as<Done>();
    if (reply.value().status != 0 || reply.value().output.size() != bytes) return changed(shell, source);
    std::string_view rest = reply.value().output;
    for (const RemoteFile* file : batch) {
        if (!writeAt(folder / file->name, 0, rest.substr(0, file->size))) return notWritten(folder / file->name);
        rest.remove_prefix(file->size);
    }
    return Done{};
}

std::string sumOf(const std::filesystem::path& path) {
    // Not by QFile: a name need not be text.
    std::ifstream file(path, std::ios::binary);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::array<char, 65536> buffer;
    while (file) {
        file.read(buffer.data(), buffer.size());
        hash.addData(QByteArrayView(buffer.data(), static_cast<qsizetype>(file.gcount())));
    }
    if (!file.eof()) return {};
    return hash.result().toHex().toStdString();
}

Result<Done> compareSums(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                         const std::filesystem::path& folder) {
    for (std::size_t first = 0; first < files.size(); first += kMaxBatch) {
        const std::size_t count = std::min(kMaxBatch, files.size() - first);
        std::vector<std::string> arguments{source};
        for (std::size_t i = first; i < first + count; ++i) arguments.push_back(files[i].name);
        const auto sums = shell.run(checksumsScript(), arguments, {std::size_t{1} << 20, kCopyTimeout});
        if (!sums.ok()) return sums.as<Done>();
        if (sums.value().status == 10) return Done{};
        bool good = sums.value().output.size() == count * 64;
        for (std::size_t i = 0; i < count; ++i) {
            const auto path = folder / files[first + i].name;
            if (good && sumOf(path) == sums.value().output.substr(i * 64, 64)) continue;
            good = false;
            std::error_code error;
            std::filesystem::remove(path, error);
        }
        if (!good) return changed(shell, source);
    }
    return Done{};
}

}  // namespace

Result<bool> copyByRsync(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                         const std::filesystem::path& folder, const FetchLimits& limits) {
    if (!shell.target().runtime.empty()) return false;
    if (QStandardPaths::findExecutable(QStringLiteral("rsync")).isEmpty()) return false;
    const auto there = shell.run("command -v rsync >/dev/null 2>&1", {});
    if (!there.ok()) return there.as<bool>();
    if (there.value().status != 0) return false;
    // Told the names one by one, rsync needs time by their square unless it has all of them first.
    std::vector<std::string> words{"rsync",
                                   "--no-inc-recursive",
                                   "-rt",
                                   "--protect-args",
                                   "--no-perms",
                                   "--chmod=F600,D700",
                                   "--timeout=30",
                                   "--partial-dir=" + (folder / kRsyncPieces).string(),
                                   "--files-from=-",
                                   "--from0"};
    // In units of 1024 bytes; 0 would be no limit.
    if (limits.bytesPerSecond > 0)
        words.push_back("--bwlimit=" + std::to_string(std::max<std::uint64_t>(1, limits.bytesPerSecond / 1024)));
    std::string from = source + "/";
    if (!shell.target().isLocal) {
        std::string transport;
        for (const std::string& word : shell.sshWords())
            transport += (transport.empty() ? "" : " ") + rsyncQuoted(word);
        words.insert(words.end(), {"-e", transport});
        from = rsyncHost(shell.target().destination) + ":" + from;
    }
    words.insert(words.end(), {"--", from, folder.string() + "/"});
    std::string names;
    for (const RemoteFile& file : files) names += file.name + '\0';
    const auto ended = runProcess(words, names, {std::size_t{1} << 20, rsyncTimeout(files, limits)},
                                  shell.cancelCheck(), {shell.target().isLocal, true});
    // What speaks no rsync may go on for ever; the pieces say what is wrong.
    if (ended.failed() && ended.error().code == "capture.remote.timeout") return false;
    if (!ended.ok()) return ended.as<bool>();
    return ended.value().status == 0;
}

Result<Done> copyByPieces(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                          const std::filesystem::path& folder, const FetchLimits& limits) {
    Pace pace(limits, shell.cancelCheck());
    std::vector<const RemoteFile*> batch;
    std::uint64_t bytes = 0;
    const auto flush = [&]() -> Result<Done> {
        if (batch.empty()) return Done{};
        auto done = copyBatch(shell, source, batch, folder);
        if (done.ok()) done = pace.took(bytes);
        batch.clear();
        bytes = 0;
        return done;
    };
    for (const RemoteFile& file : files) {
        std::uint64_t have = sizeOf(folder / file.name);
        std::error_code error;
        if (have > file.size) have = 0, std::filesystem::remove(folder / file.name, error);
        if (have == file.size && file.size > 0) continue;
        if (file.size > kPieceBytes / 4) {
            if (auto done = copyLarge(shell, source, file, have, folder, pace); !done.ok()) return done;
            continue;
        }
        batch.push_back(&file);
        bytes += file.size;
        if (batch.size() < kMaxBatch && bytes < kPieceBytes) continue;
        if (auto done = flush(); !done.ok()) return done;
    }
    if (auto done = flush(); !done.ok()) return done;
    return compareSums(shell, source, files, folder);
}

}  // namespace altiscope::capture
