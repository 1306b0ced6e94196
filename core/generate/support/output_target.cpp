#include "core/generate/support/output_target.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace altiscope::generate {

namespace {

Error writeError(const std::filesystem::path& path, const std::string& reason) {
    return Error{
        .code = "generate.write_failed", .file = path.string(), .place = {}, .parameters = {{"reason", reason}}};
}

class DiskStream : public OutputStream {
public:
    DiskStream(int descriptor, std::filesystem::path path, std::atomic<std::uint64_t>& bytes)
        : m_descriptor(descriptor), m_path(std::move(path)), m_bytes(bytes) {}
    ~DiskStream() override {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    DiskStream(const DiskStream&) = delete;
    DiskStream& operator=(const DiskStream&) = delete;

    Result<Done> write(std::string_view text) override {
        while (!text.empty()) {
            const ssize_t written = ::write(m_descriptor, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return writeError(m_path, std::strerror(errno));
            text.remove_prefix(static_cast<std::size_t>(written));
            m_bytes.fetch_add(static_cast<std::uint64_t>(written));
        }
        return Done{};
    }

    Result<Done> close() override {
        const int descriptor = std::exchange(m_descriptor, -1);
        // A network file system may report a full disk only now.
        if (::close(descriptor) != 0) return writeError(m_path, std::strerror(errno));
        return Done{};
    }

private:
    int m_descriptor;
    std::filesystem::path m_path;
    std::atomic<std::uint64_t>& m_bytes;
};

class CountingStream : public OutputStream {
public:
    explicit CountingStream(std::atomic<std::uint64_t>& bytes) : m_bytes(bytes) {}
    Result<Done> write(std::string_view text) override {
        m_bytes.fetch_add(text.size());
        return Done{};
    }
    Result<Done> close() override { return Done{}; }

private:
    std::atomic<std::uint64_t>& m_bytes;
};

}  // namespace

Result<std::unique_ptr<DiskTarget>> DiskTarget::make(const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(folder, error);
    const bool exists = std::filesystem::exists(status);
    if (exists && !std::filesystem::is_directory(status)) {
        return Error{.code = "generate.output_not_folder", .file = folder.string(), .place = {}, .parameters = {}};
    }
    if (exists) {
        const bool empty = std::filesystem::is_empty(folder, error);
        if (error) return writeError(folder, error.message());
        if (!empty)
            return Error{.code = "generate.output_not_empty", .file = folder.string(), .place = {}, .parameters = {}};
        return std::unique_ptr<DiskTarget>(new DiskTarget(folder));
    }
    std::unique_ptr<DiskTarget> target(new DiskTarget(folder));
    const std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
    for (std::filesystem::path missing = whole; !std::filesystem::exists(missing, error);
         missing = missing.parent_path())
        target->m_made.push_back(missing);
    std::filesystem::create_directories(whole, error);
    if (error) return writeError(folder, error.message());
    return target;
}

DiskTarget::~DiskTarget() {
    if (m_keep) return;
    std::error_code error;
    for (const std::filesystem::path& file : m_files) {
        // SQLite's own files go with a database that was not finished.
        for (const char* const ending : {"", "-journal", "-wal", "-shm"})
            std::filesystem::remove(m_folder / (file.string() + ending), error);
    }
    for (const std::filesystem::path& file : m_files) {
        // Up to the first that holds something.
        for (std::filesystem::path folder = file.parent_path();
             !folder.empty() && std::filesystem::remove(m_folder / folder, error);)
            folder = folder.parent_path();
    }
    // A folder that somebody else has put something into since stays.
    for (const std::filesystem::path& made : m_made) std::filesystem::remove(made, error);
}

Result<std::filesystem::path> DiskTarget::place(const std::filesystem::path& relative) {
    std::filesystem::path path = m_folder / relative;
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, error)))
        return writeError(path, std::strerror(EEXIST));
    {
        const std::lock_guard lock(m_mutex);
        m_files.push_back(relative);
    }
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return writeError(path, error.message());
    return path;
}

void DiskTarget::count(const std::filesystem::path& file) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (!error) m_bytes.fetch_add(bytes);
}

Result<std::unique_ptr<OutputStream>> DiskTarget::open(const std::filesystem::path& relative) {
    const Result<std::filesystem::path> placed = place(relative);
    if (!placed.ok()) return placed.as<std::unique_ptr<OutputStream>>();
    const std::filesystem::path& path = placed.value();
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return writeError(path, std::strerror(errno));
    return std::unique_ptr<OutputStream>(std::make_unique<DiskStream>(descriptor, path, m_bytes));
}

Result<Done> writeFile(OutputTarget& target, const std::filesystem::path& relative, std::string_view text) {
    auto stream = target.open(relative);
    if (!stream.ok()) return stream.as<Done>();
    const Result<Done> done = stream.value()->write(text);
    return done.ok() ? stream.value()->close() : done;
}

Result<std::unique_ptr<OutputStream>> CountingTarget::open(const std::filesystem::path&) {
    return std::unique_ptr<OutputStream>(std::make_unique<CountingStream>(m_bytes));
}

}  // namespace altiscope::generate
