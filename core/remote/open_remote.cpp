#include "core/remote/open_remote.h"

#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"
#include "core/base/values/parse.h"
#include "core/capture/session/fetch.h"
#include "core/pack/pack_file.h"
#include "core/remote/fetched_cache.h"
#include "core/remote/host_look.h"
#include "core/remote/host_packs.h"
#include "core/remote/host_program.h"
#include "core/remote/rank_files.h"

#include <QCryptographicHash>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>

namespace altiscope::remote {

namespace {

/// A system refuses longer names of files, with what is added while one is written (NAME_MAX 255).
constexpr std::size_t kMaxNameBytes = 200;
/// Attempts on a line that breaks.
constexpr int kAttempts = 3;

std::string bytesWords(std::uint64_t bytes) { return bytesText(static_cast<std::int64_t>(bytes)); }

std::string filesWords(std::uint64_t files) { return std::to_string(files) + (files == 1 ? " file" : " files"); }

bool isBrokenLine(const Error& error) {
    return error.code == "capture.ssh.unreachable" || error.code == "capture.remote.no_reply";
}

/// Errors with files here name no host.
bool namesHost(const Error& error) {
    return std::any_of(error.parameters.begin(), error.parameters.end(),
                       [](const auto& parameter) { return parameter.first == "host"; });
}

/// Counts bytes of a file that grows while it is fetched, whatever copies it.
class GrowthCounter {
public:
    GrowthCounter(std::vector<std::filesystem::path> files, ProgressSlot& progress)
        : m_files(std::move(files)), m_progress(progress) {
        try {
            m_thread = std::thread([this] {
                while (!m_over) {
                    count();
                    std::this_thread::sleep_for(std::chrono::milliseconds(100));
                }
            });
        } catch (const std::system_error&) {  // no thread is left for it: work goes on without
        }
    }
    ~GrowthCounter() {
        m_over = true;
        if (m_thread.joinable()) m_thread.join();
        count();
    }
    GrowthCounter(const GrowthCounter&) = delete;
    GrowthCounter& operator=(const GrowthCounter&) = delete;

private:
    void count() {
        std::uint64_t bytes = 0;
        std::error_code error;
        for (const auto& file : m_files) {
            const auto size = std::filesystem::file_size(file, error);
            if (!error) bytes += size;
        }
        if (bytes > m_shown) m_progress.addDone(bytes - m_shown), m_shown = bytes;
    }

    std::vector<std::filesystem::path> m_files;
    ProgressSlot& m_progress;
    std::uint64_t m_shown = 0;
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};

/// One opening, from its first look to the files here.
class Opening {
public:
    Opening(const RemoteRequest& request, capture::RemoteShell& shell, ProgressSlot& progress,
            const CancelToken& cancel)
        : m_request(request), m_shell(shell), m_progress(progress), m_cancel(cancel), m_cache(request.importCache) {}

    Result<std::filesystem::path> run() {
        if (!m_cache.isUsable()) return Error{"remote.no_cache", m_cache.folder(), {}, {{"host", host()}}};
        m_progress.setFile(host());
        auto look = lookAtHost(m_shell, m_request.place);
        if (!look.ok()) return look.as<std::filesystem::path>();
        m_look = std::move(look).value();
        if (!m_look.unread.empty())
            say(host() + ": not all of " + m_look.path + " can be read: " + m_look.unread +
                (m_look.unread.ends_with('.') ? "" : "."));
        if (m_request.onlyFiles) return files(true);
        m_pack.ranks = m_request.ranks ? rangesText(*m_request.ranks) : std::string();
        m_pack.key = sourceKey(m_look, {"pack", formatsLine(), m_pack.ranks});
        m_pack.name = m_look.name().substr(0, kMaxNameBytes) + ".altipack";
        m_pack.jobs = packJobs(m_look);
        const std::string entry = entryKey(m_pack.key);
        const auto folder = m_cache.entry(entry) / "pack";
        std::error_code error;
        m_cache.hold(entry);
        if (const auto here = folder / m_pack.name; std::filesystem::exists(folder, error)) {
            m_cache.touch(entry);
            if (hasDirectory(here)) return here;
            say(host() + ": the pack that was fetched is damaged; it is fetched again.");
            std::filesystem::remove_all(folder, error);
        }
        auto size = packThere();
        if (!size.ok()) return size.as<std::filesystem::path>();
        if (!size.value()) return files(false);
        say(host() + ": the pack (" + bytesWords(*size.value()) + ") is fetched.");
        auto done = fetch(m_pack.folder(m_look), {{m_pack.name, *size.value()}}, entry, folder);
        if (!done.ok()) return done.as<std::filesystem::path>();
        auto checked = checkPack(folder);
        if (!checked.ok()) return checked.as<std::filesystem::path>();
        sweepHost();
        return folder / m_pack.name;
    }

private:
    const std::string& host() const { return m_shell.target().name; }
    void say(const std::string& text) const {
        if (m_request.onMessage) m_request.onMessage(text);
    }
    /// "0-3,8", as `--ranks` takes it.
    static std::string rangesText(const std::vector<std::int64_t>& ranks) {
        std::string text = numberRanges(ranks);
        std::erase(text, ' ');
        return text;
    }

    /// The same capture on another host is another entry: nobody answers for somebody else.
    std::string entryKey(const std::string& key) const {
        const capture::Target& target = m_shell.target();
        const std::string text = target.destination + '\n' + target.port + '\n' + key;
        return QCryptographicHash::hash(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())),
                                        QCryptographicHash::Sha256)
            .toHex()
            .left(kKeyDigits)
            .toStdString();
    }

    ConsentRequest consent(ConsentRequest::Kind kind) const {
        return {.kind = kind,
                .host = host(),
                .source = m_look.path,
                .bytes = m_look.bytes,
                .files = m_look.files.size(),
                .program = {},
                .packs = m_look.cacheFolder + "/packs",
                .cores = m_pack.jobs};
    }
    bool agrees(const ConsentRequest& request) const { return m_request.agrees && m_request.agrees(request); }

    static bool hasDirectory(const std::filesystem::path& file) {
        const auto opened = pack::PackFile::open(file);
        return opened.ok() && !opened.value()->wholeUntil();
    }

    /// Reads a pack that was fetched, as a host without sha256sum compares nothing. One that is not whole stays neither
    /// here nor there.
    Result<Done> checkPack(const std::filesystem::path& folder) {
        const auto problem = [&]() -> Result<std::string> {
            const auto opened = pack::PackFile::open(folder / m_pack.name);
            if (!opened.ok()) return std::string("is none");
            if (opened.value()->wholeUntil()) return std::string("has no end");
            for (const pack::PackSection& section : opened.value()->sections()) {
                const auto table = opened.value()->table(section);
                if (!table.ok()) return std::string("is damaged");
                for (const pack::BlockEntry& entry : table.value()) {
                    if (m_cancel.cancelled()) return Cancelled{};
                    if (!opened.value()->block(section, entry).ok()) return std::string("is damaged");
                }
            }
            return std::string();
        }();
        if (!problem.ok()) return problem.as<Done>();
        if (problem.value().empty()) return Done{};
        std::error_code error;
        std::filesystem::remove_all(folder, error);
        if (const auto there = listHostCache(m_shell); there.ok() && there.value().folder == m_look.cacheFolder)
            (void)removeFromHost(m_shell, there.value(), {{"pack", m_pack.key, {}, 0, 0}});
        return Error{"remote.pack_failed",
                     m_look.path,
                     {},
                     {{"host", host()}, {"reason", m_pack.name + ", as it was fetched, " + problem.value()}}};
    }

    /// The pack on the host, and its size; nullopt: the user wants files, or there is no other way.
    Result<std::optional<std::uint64_t>> packThere() {
        auto found = findPack(m_shell, m_look, m_pack);
        if (!found.ok() || found.value()) return found;
        auto program = chooseProgram();
        if (!program.ok()) return program.as<std::optional<std::uint64_t>>();
        if (program.value().empty()) return std::optional<std::uint64_t>();
        m_pack.program = program.value();
        say(host() + ": a pack of " + m_look.path + " (" + filesWords(m_look.files.size()) + ", " +
            bytesWords(m_look.bytes) + ") is made there on " + std::to_string(m_pack.jobs) +
            (m_pack.jobs == 1 ? " core." : " cores."));
        CountedPart part(m_progress);
        auto made = again([&] { return makePack(m_shell, m_look, m_pack, part, m_request.isLeft); });
        if (!made.ok()) return made.as<std::optional<std::uint64_t>>();
        return std::optional(made.value());
    }

    /// A program on the host that fits; empty: none.
    Result<std::string> chooseProgram() {
        const auto isOwn = isOwnProgram(m_shell, m_look);
        if (!isOwn.ok()) return isOwn.as<std::string>();
        for (const std::string& program :
             {isOwn.value() ? ownProgramThere(m_look) : std::string(), m_look.systemProgram}) {
            if (program.empty()) continue;
            auto request = consent(ConsentRequest::Kind::RunProgram);
            request.program = program;
            if (!m_look.hasPacks && !agrees(request)) {
                m_isDeclined = true;
                return std::string();
            }
            const auto fits = isFittingProgram(m_shell, program);
            if (!fits.ok()) return fits.as<std::string>();
            if (fits.value()) return program;
            say(host() + ": " + program + " does not make packs that this version reads.");
        }
        return putThere();
    }

    Result<std::string> putThere() {
        const auto archive = findProgramArchive(m_request.programFolders, m_look.machine);
        if (!archive) {
            say(host() + ": there is no altiscope-cli that fits, and no altiscope-cli-" + m_look.machine +
                ".tar.gz here to be put there (packaging/tarball.sh makes it).");
            return std::string();
        }
        auto request = consent(ConsentRequest::Kind::PutProgram);
        request.program = m_look.cacheFolder + "/bin";
        request.programBytes = archive->bytes;
        if (!agrees(request)) {
            m_isDeclined = true;
            return std::string();
        }
        say(host() + ": altiscope-cli is put there.");
        CountedPart part(m_progress);
        auto put = again([&] { return putProgram(m_shell, m_look, *archive, part); });
        if (put.failed() && put.error().code == "remote.no_execution") {
            say(host() + ": nothing can be run in " + m_look.cacheFolder + ".");
            return std::string();
        }
        return put;
    }

    /// The capture's own files. @param isWanted  The user said so before; the amount is said in any case.
    Result<std::filesystem::path> files(bool isWanted) {
        std::vector<HostFile> chosen = m_look.files;
        if (m_request.ranks && m_look.isFolder) {
            auto ofRanks = filesOfRanks(m_look.files, *m_request.ranks);
            if (!ofRanks)
                return Error{"remote.ranks_unknown",
                             m_look.path,
                             {},
                             {{"host", host()}, {"ranks", rangesText(*m_request.ranks)}}};
            chosen = std::move(*ofRanks);
        }
        auto request = consent(ConsentRequest::Kind::FetchFiles);
        request.files = chosen.size();
        request.bytes = 0;
        for (const HostFile& file : chosen) request.bytes += file.size;
        const std::string key =
            entryKey(sourceKey(m_look, {"files", m_request.ranks ? rangesText(*m_request.ranks) : std::string("all")}));
        const auto folder = m_cache.entry(key) / "files" / m_look.name();
        std::error_code error;
        const auto opened = m_look.isFolder ? folder : folder / m_look.name();
        m_cache.hold(key);
        if (std::filesystem::exists(folder, error)) {
            m_cache.touch(key);
            return opened;
        }
        if (isWanted) say(consentText(request));
        else if (!agrees(request)) return declined(request);
        std::vector<capture::RemoteFile> wanted;
        for (const HostFile& file : chosen) wanted.push_back({file.name, file.size});
        const std::string from = m_look.isFolder ? m_look.path : m_look.path.substr(0, m_look.path.rfind('/') + 1);
        auto done = fetch(from, wanted, key, folder);
        if (!done.ok()) return done.as<std::filesystem::path>();
        return opened;
    }

    Error declined(const ConsentRequest& files) const {
        const MessageParameters parameters{{"host", host()},
                                           {"files", filesWords(files.files)},
                                           {"bytes", bytesWords(files.bytes)},
                                           {"program", m_look.cacheFolder + "/bin"}};
        return Error{m_isDeclined ? "remote.declined" : "remote.files_declined", m_look.path, {}, parameters};
    }

    Result<Done> fetch(const std::string& from, const std::vector<capture::RemoteFile>& files, const std::string& key,
                       const std::filesystem::path& folder) {
        std::error_code error;
        std::filesystem::create_directories(folder.parent_path(), error);
        if (error) return Error{"remote.no_cache", folder, {}, {{"host", host()}}};
        m_cache.hold(key);
        m_cache.touch(key);
        std::uint64_t bytes = 0;
        for (const capture::RemoteFile& file : files) bytes += file.size;
        m_cache.sweep(key, bytes);
        auto partial = folder;
        partial += ".partial";
        std::vector<std::filesystem::path> growing;
        for (const capture::RemoteFile& file : files) {
            m_progress.addTotal(file.size);
            growing.push_back(partial / file.name);
        }
        const GrowthCounter counter(std::move(growing), m_progress);
        // Pieces that follow each other can be gone on with, and counted; rsync keeps what it has under other names.
        auto done = again([&] {
            return capture::fetchFiles(m_shell, from.empty() ? "/" : from, files, folder,
                                       {.bytesPerSecond = 0, .usesRsync = false});
        });
        // The folder appears when it is whole: another process was faster.
        if (done.failed() && std::filesystem::is_directory(folder, error)) return Done{};
        if (done.failed() && !namesHost(done.error()))
            return Error{
                "remote.not_fetched", m_look.path, {}, {{"host", host()}, {"reason", errorText(done.error(), "en")}}};
        return done;
    }

    /// A limit on packs of the host; a failure costs space alone, so it is none.
    void sweepHost() {
        const auto cache = listHostCache(m_shell);
        if (!cache.ok() || cache.value().folder != m_look.cacheFolder) return;
        const auto beyond = entriesBeyond(cache.value(), FetchedCache::kDefaultLimit, m_pack.key);
        if (!beyond.empty()) (void)removeFromHost(m_shell, cache.value(), beyond);
    }

    /// Once more where the line broke.
    template <class Work>
    auto again(Work work) -> decltype(work()) {
        auto result = work();
        for (int attempt = 1; attempt < kAttempts && result.failed() && isBrokenLine(result.error()); ++attempt) {
            say(host() + ": the connection broke; it is made anew.");
            const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1 << attempt);
            while (std::chrono::steady_clock::now() < until) {
                if (m_cancel.cancelled()) return Cancelled{};
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
            result = work();
        }
        return result;
    }

    const RemoteRequest& m_request;
    capture::RemoteShell& m_shell;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;
    FetchedCache m_cache;
    HostLook m_look;
    HostPack m_pack;
    bool m_isDeclined = false;  ///< The user did not want a program to be put or run.
};

}  // namespace

std::string consentText(const ConsentRequest& request) {
    const std::string amount = filesWords(request.files) + ", " + bytesWords(request.bytes);
    const std::string cores = std::to_string(request.cores) + (request.cores == 1 ? " core" : " cores");
    const std::string pack =
        "makes a pack of " + request.source + " (" + amount + ") in " + request.packs + ", on at most " + cores +
        " at the lowest priority. This holds until \"altiscope-cli remote remove " + request.host + "\".";
    switch (request.kind) {
    case ConsentRequest::Kind::RunProgram: return request.host + ": " + request.program + " is run there and " + pack;
    case ConsentRequest::Kind::PutProgram:
        return request.host + ": altiscope-cli (" + bytesWords(request.programBytes) + ") is put into " +
               request.program + ", run there, and " + pack;
    case ConsentRequest::Kind::FetchFiles: break;
    }
    return request.host + ": the files of " + request.source + " are fetched: " + amount +
           ". Nothing is put or run there.";
}

Result<std::filesystem::path> openRemote(const RemoteRequest& request, ProgressSlot& progress,
                                         const CancelToken& cancel) {
    auto shell = capture::RemoteShell::open(
        request.place.target, [cancel] { return cancel.cancelled(); }, request.askpass);
    if (!shell.ok()) return shell.as<std::filesystem::path>();
    capture::RemoteShell opened = std::move(shell).value();
    progress.setPhase(ProgressPhase::Scanning);
    return Opening(request, opened, progress, cancel).run();
}

}  // namespace altiscope::remote
