#include "core/remote/host_look.h"

#include "core/base/values/parse.h"
#include "core/capture/session/fetch.h"

#include <QCryptographicHash>

#include <algorithm>
#include <string_view>

namespace altiscope::remote {

namespace {

/// "$1" path. Records end with "files"; then the list, whose last record is "0.", or "1." where `find` could not read
/// some of it.
constexpr std::string_view kLook = R"sh(
case $1 in
'~') p=$HOME ;; '~/'*) p=$HOME/${1#'~/'} ;; /*) p=$1 ;; *) p=$HOME/$1 ;;
esac
[ -e "$p" ] || exit 10
[ -r "$p" ] || exit 11
if [ -d "$p" ]; then
  r=$(cd -- "$p" && pwd -P) && [ -x "$p" ] || exit 11
  form='%s %T@ %P\0'; out kind folder
else
  d=$(cd -- "$(dirname -- "$p")" && pwd -P) || exit 11
  r=${d%/}/$(basename -- "$p"); form='%s %T@ %f\0'; out kind file
fi
case ${XDG_CACHE_HOME:-} in /*) c=$XDG_CACHE_HOME/altiscope ;; *) c=$HOME/.cache/altiscope ;; esac
out path "$r"; out cache "$c"; out machine "$(uname -m)"
out cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
[ -d "$c/packs" ] && [ -O "$c/packs" ] && out packs yes
s=$(command -v altiscope-cli 2>/dev/null) && out system "$s"
printf 'files\0'
find -H "$r" -type f -printf "$form"; s=$?
[ $s -le 1 ] || exit 12
printf '%s.\0' "$s"
)sh";

constexpr std::size_t kMaxFiles = 1'000'000;
constexpr std::size_t kMaxListBytes = std::size_t{256} << 20;
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 43;  // so many files of 8 TiB are still a number
constexpr unsigned kMaxCores = 4096;                             // of one machine

std::string debianName(const std::string& machine) {
    if (machine == "x86_64") return "amd64";
    if (machine == "aarch64") return "arm64";
    return machine;
}

Error oddReply(const capture::RemoteShell& shell, std::string reason) {
    return Error{"remote.odd_reply", {}, {}, {{"host", shell.target().name}, {"reason", std::move(reason)}}};
}

/// "SIZE TIME NAME"
std::optional<HostFile> sourceFile(std::string_view record) {
    const std::size_t first = record.find(' ');
    const std::size_t second = first == record.npos ? first : record.find(' ', first + 1);
    if (second == record.npos) return std::nullopt;
    const auto size = wholeNumber<std::uint64_t>(record.substr(0, first));
    const std::string_view time = record.substr(first + 1, second - first - 1), name = record.substr(second + 1);
    constexpr std::size_t kMaxTimeBytes = 40;
    if (!size || *size > kMaxFileBytes || time.size() > kMaxTimeBytes || !capture::isSafeName(name))
        return std::nullopt;
    return HostFile{std::string(name), *size, std::string(time)};
}

Result<Done> readList(const capture::RemoteShell& shell, std::string_view list, std::string_view reason,
                      HostLook& look) {
    static constexpr std::string_view kEnd("0.\0", 3), kEndInPart("1.\0", 3);
    const bool isInPart = list.ends_with(kEndInPart);
    if (!isInPart && !list.ends_with(kEnd)) return oddReply(shell, "its list of files has no end");
    list.remove_suffix(kEnd.size());
    while (!list.empty()) {
        const std::string_view record = list.substr(0, list.find('\0'));
        list.remove_prefix(std::min(list.size(), record.size() + 1));
        auto file = sourceFile(record);
        if (!file) return oddReply(shell, "it lists a file \"" + std::string(record.substr(0, 200)) + "\"");
        if (look.files.size() == kMaxFiles)
            return Error{"remote.too_many",
                         look.path,
                         {},
                         {{"host", shell.target().name}, {"limit", std::to_string(kMaxFiles)}}};
        look.bytes += file->size;
        look.files.push_back(std::move(*file));
    }
    if (isInPart) look.unread = reason.empty() ? "no reason was given" : reason;
    std::sort(look.files.begin(), look.files.end(),
              [](const HostFile& a, const HostFile& b) { return a.name < b.name; });
    return Done{};
}

}  // namespace

std::string HostLook::name() const {
    const std::string_view last = lastPathPart(path);
    return last.empty() ? "capture" : std::string(last);
}

Result<HostLook> lookAtHost(const capture::RemoteShell& shell, const RemotePlace& place) {
    const std::vector<std::string> arguments{place.path};
    const auto reply = shell.run(kLook, arguments, {kMaxListBytes, std::chrono::seconds(300)});
    if (!reply.ok()) return reply.as<HostLook>();
    const std::string host = shell.target().name;
    switch (reply.value().status) {
    case 0: break;
    case 10: return Error{"remote.missing", place.path, {}, {{"host", host}}};
    case 11: return Error{"remote.unreadable", place.path, {}, {{"host", host}}};
    default:
        return Error{"remote.no_listing",
                     place.path,
                     {},
                     {{"host", host}, {"reason", std::string(lastLine(reply.value().errors))}}};
    }
    const std::string_view output = reply.value().output;
    static constexpr std::string_view kFiles("\0files\0", 7);
    const std::size_t list = output.find(kFiles);
    if (list == output.npos) return oddReply(shell, "it lists no files");
    auto records = capture::replyRecords(output.substr(0, list + 1));
    HostLook look;
    look.path = records["path"];
    look.isFolder = records["kind"] == "folder";
    look.machine = debianName(records["machine"]);
    look.cores = std::clamp(wholeNumber<unsigned>(records["cores"]).value_or(1), 1U, kMaxCores);
    look.cacheFolder = records["cache"];
    look.hasPacks = records.contains("packs");
    look.systemProgram = records["system"];
    if (!look.path.starts_with('/') || !look.cacheFolder.starts_with('/'))
        return oddReply(shell, "its folders have no place");
    if (!look.systemProgram.starts_with('/')) look.systemProgram.clear();
    const std::string reason(lastLine(reply.value().errors));
    if (auto done = readList(shell, output.substr(list + kFiles.size()), reason, look); !done.ok())
        return done.as<HostLook>();
    if (look.files.empty() && !look.unread.empty())
        return Error{"remote.no_listing", look.path, {}, {{"host", host}, {"reason", look.unread}}};
    if (look.files.empty()) return Error{"remote.empty", look.path, {}, {{"host", host}}};
    return look;
}

std::string sourceKey(const HostLook& look, const std::vector<std::string>& made) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](std::string_view text) {
        hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
        hash.addData(QByteArrayView("\0", 1));
    };
    for (const std::string& word : made) add(word);
    add(look.path);
    for (const HostFile& file : look.files) {
        add(file.name);
        add(std::to_string(file.size));
        add(file.time);
    }
    return hash.result().toHex().left(kKeyDigits).toStdString();
}

bool isSourceKey(std::string_view text) {
    return text.size() == kKeyDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace altiscope::remote
