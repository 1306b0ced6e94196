#include "core/remote/host_program.h"

#include "core/base/files/file.h"
#include "core/base/files/own_program.h"
#include "core/base/values/parse.h"
#include "core/pack/pack_layout.h"
#include "core/remote/host_scripts.h"
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

/// As often other clients may begin anew with what is sent.
constexpr int kMaxLosses = 3;

/// "$1" program.
constexpr std::string_view kFormats = R"sh(
[ -f "$1" ] && [ -x "$1" ] || exit 10
"$1" remote formats
)sh";

/// "$1" cache, "$2" folder of a program in it: whether all of it is the account's, and nobody else can change it.
constexpr std::string_view kIsOwn = R"sh(
ours "$1" && ours "$1/bin" && ours "$2" && [ -f "$2/altiscope-cli" ] || exit 10
[ -z "$(find "$2" ! -type l \( -perm -020 -o -perm -002 -o ! -user "$(id -u)" \) 2>&1 | head -n 1)" ]
)sh";

/// Function of the scripts below, which several clients may run at the same time for one archive: takes its lock. One
/// that is older than ten minutes was left by a script that was killed.
constexpr std::string_view kTakeLock = R"sh(
take() {
  k=0
  until mkdir -- "$1" 2>/dev/null; do
    [ -d "$1" ] || k=$((k + 1))
    [ $k -lt 20 ] || return 1
    [ -z "$(find "$1" -prune -mmin +10)" ] || { rmdir -- "$1" 2>/dev/null; continue; }
    sleep 0.1
  done
  l=$1; trap 'rmdir -- "$l" 2>/dev/null' EXIT; trap 'exit 20' HUP INT TERM
}
)sh";

/// "$1" cache, "$2" name of the archive below "bin".
constexpr std::string_view kBegin = R"sh(
umask 077
mkdir -p -- "$1/bin" || exit 20
for d in "$1" "$1/bin"; do
  ours "$d" || { printf '%s\n' "$d is not this account's alone" >&2; exit 20; }
done
f=$1/bin/$2
[ ! -L "$f" ] && : >>"$f" || exit 20
out size "$(wc -c <"$f")"
)sh";

/// "$1" archive, "$2" its size until now, "$3" what follows, "$4" its bytes. Says what size the archive has then, which
/// is another one where somebody else sends the same; nothing if somebody else has put the program there.
constexpr std::string_view kPiece = R"sh(
umask 077
n=$1.$$-$(date +%s%N)
printf %s "$3" | base64 -d >"$n" && [ "$(($(wc -c <"$n")))" = "$4" ] || { rm -f -- "$n"; exit 20; }
take "$1.lock" || { rm -f -- "$n"; exit 20; }
if [ ! -f "$1" ]; then rm -f -- "$n"; exit 0; fi
s=0
[ "$(($(wc -c <"$1")))" != "$2" ] || cat "$n" >>"$1" || s=20
rm -f -- "$n"
out size "$(wc -c <"$1")"
exit $s
)sh";

/// "$1" folder of programs, "$2" name of the archive, "$3" its SHA-256, "$4" folder of the program. It is tried before
/// it gets its name. Where the archive is gone somebody else has put it there.
constexpr std::string_view kFinish = R"sh(
umask 077
f=$1/$2; t=$1/.$4.new
take "$f.lock" || exit 20
if [ ! -f "$f" ] && [ -f "$1/$4/altiscope-cli" ]; then
  said=$("$1/$4/altiscope-cli" remote formats 2>&1 </dev/null) || { printf '%s\n' "$said" >&2; exit 24; }
else
  if command -v sha256sum >/dev/null 2>&1; then
    [ "$(sha256sum <"$f" | head -c 64)" = "$3" ] || { rm -f -- "$f"; exit 21; }
  fi
  rm -rf -- "$t"; mkdir -- "$t" && tar -xzof "$f" -C "$t" || { rm -rf -- "$t" "$f"; exit 22; }
  rm -f -- "$f"
  chmod -R go-w -- "$t"
  set -- "$1" "$t" "$3" "$4" "$t"/*
  [ $# -eq 5 ] && [ -f "$5/altiscope-cli" ] || { rm -rf -- "$2"; exit 23; }
  said=$("$5/altiscope-cli" remote formats 2>&1 </dev/null) || { rm -rf -- "$2"; printf '%s\n' "$said" >&2; exit 24; }
  rm -rf -- "$1/$4"; mv -- "$5" "$1/$4" && rm -rf -- "$2" || exit 20
  touch -- "$1/$4"
fi
out formats "$said"
out program "$1/$4/altiscope-cli"
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
                         const std::string& name, CountedPart& progress) {
    const std::vector<std::string> first{look.cacheFolder, name};
    const auto begun = shell.run(withOwnership(kBegin), first);
    if (!begun.ok()) return begun.as<Done>();
    const auto records = capture::replyRecords(begun.value().output);
    const auto size = records.find("size");
    int losses = 0;
    if (begun.value().status != 0 || size == records.end()) return notPut(shell, look, reasonOf(begun.value()));
    std::size_t sent = wholeNumber<std::size_t>(trimmed(size->second)).value_or(content.size() + 1);
    if (sent > content.size()) return notPut(shell, look, "another file has the name " + name);
    progress.setTotal(content.size());
    progress.reach(sent);
    const std::string script = std::string(kTakeLock) + std::string(kPiece);
    while (sent < content.size()) {
        const std::size_t bytes = std::min(kPieceBytes, content.size() - sent);
        const std::vector<std::string> piece{
            look.cacheFolder + "/bin/" + name, std::to_string(sent),
            QByteArray::fromRawData(content.data() + sent, static_cast<qsizetype>(bytes)).toBase64().toStdString(),
            std::to_string(bytes)};
        const auto reply = shell.run(script, piece, {std::size_t{1} << 16, std::chrono::seconds(600)});
        if (!reply.ok()) return reply.as<Done>();
        if (reply.value().status != 0) return notPut(shell, look, reasonOf(reply.value()));
        const auto now = capture::replyRecords(reply.value().output);
        if (!now.contains("size")) return Done{};
        const auto there = wholeNumber<std::size_t>(trimmed(now.at("size")));
        // Less is there where somebody else has found a wrong checksum, and begins anew.
        if (!there || *there > content.size() || (*there < sent && ++losses > kMaxLosses))
            return notPut(shell, look, "somebody else changes " + name);
        sent = *there;
        progress.reach(sent);
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
    if (const auto self = ownProgram(); !self.empty()) {
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

std::string ownProgramThere(const HostLook& look) {
    return look.cacheFolder + "/bin/" + programFolderName(look.machine) + "/altiscope-cli";
}

Result<bool> isOwnProgram(const capture::RemoteShell& shell, const HostLook& look) {
    const std::vector<std::string> arguments{look.cacheFolder,
                                             look.cacheFolder + "/bin/" + programFolderName(look.machine)};
    const auto reply = shell.run(withOwnership(kIsOwn), arguments);
    if (!reply.ok()) return reply.as<bool>();
    return reply.value().status == 0;
}

Result<bool> isFittingProgram(const capture::RemoteShell& shell, const std::string& program) {
    const std::vector<std::string> arguments{program};
    const auto reply = shell.run(kFormats, arguments, {std::size_t{1} << 16, std::chrono::seconds(30)});
    if (!reply.ok()) return reply.as<bool>();
    return reply.value().status == 0 && reply.value().output == formatsLine() + "\n";
}

Result<std::string> putProgram(const capture::RemoteShell& shell, const HostLook& look, const ProgramArchive& archive,
                               CountedPart& progress) {
    const auto content = readSmallFile(archive.path, kMaxArchiveBytes);
    if (!content.ok()) return content.as<std::string>();
    const std::string sum = sumOf(content.value()), folder = programFolderName(look.machine);
    const std::string name = "." + folder + "-" + sum.substr(0, 16) + ".part";
    if (auto sent = sendArchive(shell, look, content.value(), name, progress); !sent.ok())
        return sent.as<std::string>();
    const std::vector<std::string> arguments{look.cacheFolder + "/bin", name, sum, folder};
    const auto reply = shell.run(std::string(kTakeLock) + std::string(kFinish), arguments,
                                 {std::size_t{1} << 16, std::chrono::seconds(600)});
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
