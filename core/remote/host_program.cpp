#include "core/remote/host_program.h"

#include "core/base/files/file.h"
#include "core/base/values/parse.h"
#include "core/pack/pack_layout.h"
#include "core/store/file/store_file.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace altiscope::remote {

namespace {

/// Bytes that travel in one script, as a word of base64.
constexpr std::size_t kPieceBytes = std::size_t{3} << 18;

/// An archive is at most so large, as it is held in memory while it is sent: several times what
/// packaging/tarball.sh makes.
constexpr std::uint64_t kMaxArchiveBytes = std::uint64_t{256} << 20;

/// "$1" program.
constexpr std::string_view kFormats = R"sh(
[ -f "$1" ] && [ -x "$1" ] || exit 10
"$1" remote formats
)sh";

/// "$1" folder of programs, "$2" name of the archive there.
constexpr std::string_view kBegin = R"sh(
umask 077
mkdir -p -- "$1" || exit 20
f=$1/$2
[ ! -L "$f" ] && : >>"$f" || exit 20
out size "$(wc -c <"$f")"
)sh";

/// "$1" archive, "$2" its size until now, "$3" what follows.
constexpr std::string_view kPiece = R"sh(
[ "$(($(wc -c <"$1")))" = "$2" ] || exit 21
printf %s "$3" | base64 -d >>"$1" || exit 20
)sh";

/// "$1" folder of programs, "$2" name of the archive, "$3" its SHA-256, "$4" folder of the program. It is tried before
/// it gets its name.
constexpr std::string_view kFinish = R"sh(
umask 077
f=$1/$2; t=$1/.$4.new
if command -v sha256sum >/dev/null 2>&1; then
  [ "$(sha256sum <"$f" | head -c 64)" = "$3" ] || { rm -f -- "$f"; exit 21; }
fi
rm -rf -- "$t"; mkdir -- "$t" && tar -xzf "$f" -C "$t" || { rm -rf -- "$t" "$f"; exit 22; }
rm -f -- "$f"
set -- "$1" "$t" "$4" "$t"/*
[ $# -eq 4 ] && [ -f "$4/altiscope-cli" ] || { rm -rf -- "$2"; exit 23; }
said=$("$4/altiscope-cli" remote formats 2>&1 </dev/null) || { rm -rf -- "$2"; printf '%s\n' "$said" >&2; exit 24; }
rm -rf -- "$1/$3"; mv -- "$4" "$1/$3" && rm -rf -- "$2" || exit 20
touch -- "$1/$3"
out formats "$said"
out program "$1/$3/altiscope-cli"
)sh";

/// "$1" folder.
constexpr std::string_view kDrop = R"sh(
rm -rf -- "$1"
)sh";

Error notPut(const capture::RemoteShell& shell, const HostLook& look, const std::string& reason) {
    return Error{"remote.not_put",
                 look.cacheFolder + "/bin",
                 {},
                 {{"host", shell.target().name}, {"reason", reason.empty() ? "no reason was given" : reason}}};
}

std::string reasonOf(const capture::ShellReply& reply) { return std::string(lastLine(reply.errors)); }

std::string sumOf(const std::string& content) {
    return QCryptographicHash::hash(QByteArrayView(content.data(), static_cast<qsizetype>(content.size())),
                                    QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

/// Sends what the host does not have yet.
Result<Done> sendArchive(const capture::RemoteShell& shell, const HostLook& look, const std::string& content,
                         const std::string& name, ProgressSlot& progress) {
    const std::string folder = look.cacheFolder + "/bin";
    const std::vector<std::string> first{folder, name};
    const auto begun = shell.run(kBegin, first);
    if (!begun.ok()) return begun.as<Done>();
    const auto records = capture::replyRecords(begun.value().output);
    const auto size = records.find("size");
    if (begun.value().status != 0 || size == records.end()) return notPut(shell, look, reasonOf(begun.value()));
    std::size_t sent = wholeNumber<std::size_t>(trimmed(size->second)).value_or(content.size() + 1);
    if (sent > content.size()) return notPut(shell, look, "another file has the name " + name);
    progress.addTotal(content.size());
    progress.addDone(sent);
    while (sent < content.size()) {
        const std::size_t bytes = std::min(kPieceBytes, content.size() - sent);
        const std::vector<std::string> piece{
            folder + "/" + name, std::to_string(sent),
            QByteArray::fromRawData(content.data() + sent, static_cast<qsizetype>(bytes)).toBase64().toStdString()};
        const auto reply = shell.run(kPiece, piece, {std::size_t{1} << 16, std::chrono::seconds(600)});
        if (!reply.ok()) return reply.as<Done>();
        if (reply.value().status != 0) {
            const std::vector<std::string> half{folder + "/" + name};
            (void)shell.run(kDrop, half);
            return notPut(shell, look, reasonOf(reply.value()));
        }
        sent += bytes;
        progress.addDone(bytes);
    }
    return Done{};
}

}  // namespace

std::string formatsLine() {
    return "pack " + std::to_string(pack::kPackVersion) + " store " + std::to_string(kStoreFileVersion);
}

std::string programFolderName(const std::string& machine) {
    std::string name = "pack" + std::to_string(pack::kPackVersion) + "-store" + std::to_string(kStoreFileVersion) + "-";
    // A host may say anything.
    for (const char c : machine.substr(0, 20))
        name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c : '_';
    return name;
}

std::vector<std::filesystem::path> standardProgramFolders() {
    if (const char* own = std::getenv("ALTISCOPE_PROGRAMS"); own != nullptr && own[0] != '\0') return {own};
    std::vector<std::filesystem::path> folders;
    std::error_code error;
    if (const auto self = std::filesystem::read_symlink("/proc/self/exe", error); !error) {
        folders.push_back(self.parent_path());
        folders.push_back(self.parent_path().parent_path() / "lib" / "altiscope");
    }
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && data[0] == '/')
        folders.push_back(std::filesystem::path(data) / "altiscope");
    else if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        folders.push_back(std::filesystem::path(home) / ".local/share/altiscope");
    return folders;
}

std::optional<ProgramArchive> findProgramArchive(const std::vector<std::filesystem::path>& folders,
                                                 const std::string& machine) {
    if (machine.empty() || machine.find('/') != machine.npos) return std::nullopt;
    for (const auto& folder : folders) {
        const auto path = folder / ("altiscope-cli-" + machine + ".tar.gz");
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) continue;
        const auto bytes = std::filesystem::file_size(path, error);
        if (!error && bytes > 0) return ProgramArchive{path, bytes};
    }
    return std::nullopt;
}

Result<bool> isFittingProgram(const capture::RemoteShell& shell, const std::string& program) {
    const std::vector<std::string> arguments{program};
    const auto reply = shell.run(kFormats, arguments, {std::size_t{1} << 16, std::chrono::seconds(30)});
    if (!reply.ok()) return reply.as<bool>();
    return reply.value().status == 0 && reply.value().output == formatsLine() + "\n";
}

Result<std::string> putProgram(const capture::RemoteShell& shell, const HostLook& look, const ProgramArchive& archive,
                               ProgressSlot& progress) {
    const auto content = readSmallFile(archive.path, kMaxArchiveBytes);
    if (!content.ok()) return content.as<std::string>();
    const std::string sum = sumOf(content.value()), folder = programFolderName(look.machine);
    const std::string name = "." + folder + "-" + sum.substr(0, 16) + ".part";
    if (auto sent = sendArchive(shell, look, content.value(), name, progress); !sent.ok())
        return sent.as<std::string>();
    const std::vector<std::string> arguments{look.cacheFolder + "/bin", name, sum, folder};
    const auto reply = shell.run(kFinish, arguments, {std::size_t{1} << 16, std::chrono::seconds(600)});
    if (!reply.ok()) return reply.as<std::string>();
    auto records = capture::replyRecords(reply.value().output);
    const std::string host = shell.target().name;
    if (reply.value().status == 24)
        return Error{"remote.no_execution",
                     look.cacheFolder + "/bin",
                     {},
                     {{"host", host}, {"reason", reasonOf(reply.value())}}};
    if (reply.value().status != 0 || !records["program"].starts_with('/'))
        return notPut(shell, look, reasonOf(reply.value()));
    if (records["formats"] != formatsLine()) {
        const std::vector<std::string> wrong{look.cacheFolder + "/bin/" + folder};
        (void)shell.run(kDrop, wrong);
        return Error{"remote.other_version", archive.path, {}, {{"host", host}, {"formats", records["formats"]}}};
    }
    return records["program"];
}

}  // namespace altiscope::remote
