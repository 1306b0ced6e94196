#include "core/remote/host_packs.h"

#include "core/base/values/parse.h"
#include "core/remote/host_scripts.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

namespace altiscope::remote {

namespace {

/// Size of a pack, "$1/$2", and that it was used.
constexpr std::string_view kFind = R"sh(
[ -f "$1/$2" ] && [ ! -L "$1/$2" ] || exit 10
touch -c -- "$1" 2>/dev/null
out size "$(wc -c <"$1/$2")"
)sh";

/// Functions of the scripts below: whether the process that the folder "$1" names still is the one that was started. A
/// home may belong to several nodes, each with numbers of its own: the process of another one lives while its "beat" is
/// young by the clock of the file system.
constexpr std::string_view kRuns = R"sh(
node() { printf '%s %s' "$(uname -n)" "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"; }
here() { [ ! -e "$1/node" ] || [ "$(cat "$1/node")" = "$(node)" ]; }
runs() {
  [ -s "$1/pid" ] && p=$(cat "$1/pid") || return 1
  case $p in '' | *[!0-9]*) return 1 ;; esac
  if here "$1"; then
    [ "$(cut -d ' ' -f 22 "/proc/$p/stat" 2>/dev/null)" = "$(cat "$1/start" 2>/dev/null)" ]
  else
    n=$(cat "$1/node"); [ "${n% *}" != "$(uname -n)" ] && : >"$1/now" || return 1
    a=$(stat -c %Y "$1/now") b=$(stat -c %Y "$1/beat" 2>/dev/null)
    [ $((${a:-0} - ${b:-0})) -lt 120 ]
  fi
}
)sh";

/// "$1" folder, "$2" name, "$3" program, "$4" capture, "$5" threads, "$6" ranks, "$7" cache. One that
/// runs goes on. The lock is for the start alone: one that is older than ten seconds was left by a starter that ended.
constexpr std::string_view kStart = R"sh(
umask 077
for d in "$7" "$7/packs" "$1"; do
  mkdir -p -- "$d" || exit 20
  ours "$d" || { printf '%s\n' "$d is not this account's alone" >&2; exit 20; }
done
i=0
until mkdir -- "$1/lock" 2>/dev/null; do
  i=$((i + 1)); sleep 0.1
  [ $i -lt 100 ] || { rmdir -- "$1/lock" 2>/dev/null; mkdir -- "$1/lock" || exit 20; break; }
done
trap 'rmdir -- "$1/lock" 2>/dev/null' EXIT
runs "$1" && exit 0
[ -f "$1/$2" ] && exit 0
rm -f -- "$1/$2" "$1"/*.tmp.* "$1/rc" "$1/pid" "$1/stop" "$1/log"
: >"$1/log" && : >"$1/beat" && node >"$1/node" || exit 20
nice=; command -v nice >/dev/null 2>&1 && nice='nice -n 19'
set -- "$1" "$2" "$3" "$4" "$5" "$6" "$nice"
setsid sh -c '
  cut -d " " -f 22 "/proc/$$/stat" >"$1/start"; echo "$$" >"$1/.pid" && mv "$1/.pid" "$1/pid"
  while kill -s 0 "$$"; do
    [ -d "$1" ] && [ ! -e "$1/stop" ] || { rm -f -- "$1/pid"; kill -s TERM -- "-$$"; }
    touch -c -- "$1/beat"; sleep 5
  done &
  b=$!
  $7 "$3" pack "$4" --out "$1/$2" --jobs "$5" --no-cache --quiet ${6:+--ranks "$6"} >"$1/log" 2>&1 &
  echo "$!" >"$1/worker"; wait "$!"
  echo "$?" >"$1/.rc" && mv "$1/.rc" "$1/rc"; rm -f -- "$1/pid" "$1/start" "$1/worker"; kill "$b"
' x "$@" </dev/null >/dev/null 2>&1 &
i=0
while [ ! -e "$1/pid" ] && [ ! -e "$1/rc" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
[ -e "$1/pid" ] || [ -e "$1/rc" ] || exit 21
)sh";

/// "$1" folder, "$2" name: how far it is.
constexpr std::string_view kPoll = R"sh(
ls -- "$1" >/dev/null 2>&1  # what a node has heard of the folder may be old
runs "$1" && out runs yes
[ -e "$1/rc" ] && out rc "$(cat "$1/rc")"
[ -f "$1/$2" ] && out size "$(wc -c <"$1/$2")"
here "$1" && [ -s "$1/worker" ] && out read "$(grep rchar "/proc/$(cat "$1/worker")/io" 2>/dev/null)"
[ -s "$1/log" ] && out log "$(tail -c 2000 "$1/log" | tail -n 1)"
exit 0
)sh";

/// "$1" folder.
constexpr std::string_view kStop = R"sh(
runs "$1" || exit 0
here "$1" || { : >"$1/stop"; exit 0; }
kill -s TERM -- "-$p" 2>/dev/null
i=0
while kill -s 0 -- "-$p" 2>/dev/null && [ $i -lt 20 ]; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$p" 2>/dev/null
rm -f -- "$1/pid" "$1/start" "$1/worker" "$1"/*.tmp.*
exit 0
)sh";

/// Records KIND, NAME, bytes, time of use, names within; a '.' ends them.
constexpr std::string_view kList = R"sh(
case ${XDG_CACHE_HOME:-} in /*) c=$XDG_CACHE_HOME/altiscope ;; *) c=$HOME/.cache/altiscope ;; esac
printf '%s\0' "$c"
for d in "$c"/bin/pack[0-9]*-store[0-9]*-* "$c"/bin/.pack[0-9]*-store[0-9]*-* "$c"/packs/*; do
  [ -e "$d" ] && [ ! -L "$d" ] || continue
  kind=pack; case $d in "$c"/bin/*) kind=program ;; esac
  names=$(cd -- "$d" 2>/dev/null && for f in *.altipack; do [ -f "$f" ] && printf '%s ' "$f"; done)
  printf '%s\0%s\0%s\0%s\0%s\0' "$kind" "${d##*/}" "$(du -sk -- "$d" | cut -f 1)" "$(stat -c %Y -- "$d")" "$names"
done
printf '.\0'
)sh";

/// "$1" cache folder, then folders below it.
constexpr std::string_view kRemove = R"sh(
c=$1; shift; n=0
for d; do
  [ -e "$c/$d" ] || continue
  if runs "$c/$d" && here "$c/$d"; then kill -s KILL -- "-$p" 2>/dev/null; fi
  rm -rf -- "$c/$d" && n=$((n + 1))
done
rmdir -- "$c/bin" "$c/packs" "$c" 2>/dev/null
out removed "$n"
)sh";

std::string withRuns(std::string_view script) { return withOwnership(kRuns) + std::string(script); }

std::optional<std::uint64_t> sizeIn(const std::map<std::string, std::string, std::less<>>& records) {
    const auto size = records.find("size");
    return size == records.end() ? std::nullopt : wholeNumber<std::uint64_t>(trimmed(size->second));
}

Error failed(const capture::RemoteShell& shell, const HostLook& look, std::string reason) {
    // The program's name in front of its sentence says nothing here.
    static constexpr std::string_view kProgram = "altiscope-cli: ";
    if (reason.starts_with(kProgram)) reason.erase(0, kProgram.size());
    if (reason.empty()) reason = "the program there ended without a word";
    while (reason.ends_with('.')) reason.pop_back();
    return Error{"remote.pack_failed", look.path, {}, {{"host", shell.target().name}, {"reason", std::move(reason)}}};
}

/// Once the caller has cancelled, unless it leaves the pack to the host.
void stopPack(capture::RemoteShell& shell, const HostLook& look, const HostPack& pack,
              const capture::CancelCheck& isLeft) {
    if (isLeft && isLeft()) return;
    const capture::CancelCheck before = shell.cancelCheck();
    shell.setCancelCheck(isLeft);
    const std::vector<std::string> arguments{pack.folder(look)};
    (void)shell.run(withRuns(kStop), arguments, {std::size_t{1} << 16, std::chrono::seconds(5)});
    shell.setCancelCheck(before);
}

/// How far the worker is: "rchar: 123" of its /proc/PID/io.
void showProgress(std::string_view line, CountedPart& progress) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    progress.reach(wholeNumber<std::uint64_t>(trimmed(line.substr(colon + 1))).value_or(0));
}

Result<std::uint64_t> awaitPack(capture::RemoteShell& shell, const HostLook& look, const HostPack& pack,
                                CountedPart& progress) {
    const std::vector<std::string> arguments{pack.folder(look), pack.name};
    // Small captures are ready at once, large ones take minutes.
    auto pause = std::chrono::milliseconds(100);
    while (true) {
        const auto reply = shell.run(withRuns(kPoll), arguments, {std::size_t{1} << 16, std::chrono::seconds(60)});
        if (!reply.ok()) return reply.as<std::uint64_t>();
        auto records = capture::replyRecords(reply.value().output);
        if (records.contains("rc") && records["rc"] != "0") return failed(shell, look, records["log"]);
        if (records.contains("rc")) {
            const auto size = sizeIn(records);
            if (size && *size > 0) return *size;
            return failed(shell, look, records["log"]);
        }
        // A pack has its name once it is whole.
        if (const auto size = sizeIn(records); size && *size > 0 && !records.contains("runs")) return *size;
        if (!records.contains("runs")) return failed(shell, look, "the program there was ended");
        showProgress(records["read"], progress);
        const auto until = std::chrono::steady_clock::now() + pause;
        while (std::chrono::steady_clock::now() < until) {
            if (shell.cancelCheck() && shell.cancelCheck()()) return Cancelled{};
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        pause = std::min(pause * 2, std::chrono::milliseconds(2000));
    }
}

/// Whether a name of an entry is one of ours.
bool isEntryName(std::string_view kind, std::string_view name) {
    if (kind == "pack") return isSourceKey(name);
    return kind == "program" && !name.empty() && name.find("..") == name.npos &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == name.npos;
}

}  // namespace

unsigned packJobs(const HostLook& look) { return std::max(1U, look.cores / 2); }

Result<std::optional<std::uint64_t>> findPack(const capture::RemoteShell& shell, const HostLook& look,
                                              const HostPack& pack) {
    const std::vector<std::string> arguments{pack.folder(look), pack.name};
    const auto reply = shell.run(kFind, arguments);
    if (!reply.ok()) return reply.as<std::optional<std::uint64_t>>();
    if (reply.value().status != 0) return std::optional<std::uint64_t>();
    return sizeIn(capture::replyRecords(reply.value().output));
}

Result<std::uint64_t> makePack(capture::RemoteShell& shell, const HostLook& look, const HostPack& pack,
                               CountedPart& progress, const capture::CancelCheck& isLeft) {
    progress.setTotal(look.bytes);
    const std::vector<std::string> arguments{pack.folder(look),         pack.name,  pack.program,    look.path,
                                             std::to_string(pack.jobs), pack.ranks, look.cacheFolder};
    const auto started = shell.run(withRuns(kStart), arguments);
    if (!started.ok()) {
        if (started.cancelled()) stopPack(shell, look, pack, isLeft);
        return started.as<std::uint64_t>();
    }
    if (started.value().status != 0) return failed(shell, look, std::string(lastLine(started.value().errors)));
    auto size = awaitPack(shell, look, pack, progress);
    if (size.cancelled()) stopPack(shell, look, pack, isLeft);
    return size;
}

Result<HostCache> listHostCache(const capture::RemoteShell& shell) {
    const auto reply = shell.run(kList, {}, {std::size_t{16} << 20, std::chrono::seconds(300)});
    if (!reply.ok()) return reply.as<HostCache>();
    const Error odd{
        "remote.odd_reply", {}, {}, {{"host", shell.target().name}, {"reason", "its list of packs has no end"}}};
    std::vector<std::string_view> words;
    std::string_view rest = reply.value().output;
    while (!rest.empty()) {
        words.push_back(rest.substr(0, rest.find('\0')));
        rest.remove_prefix(std::min(rest.size(), words.back().size() + 1));
    }
    constexpr std::size_t kWords = 5;
    if (words.size() % kWords != 2 || words.back() != "." || !words[0].starts_with('/')) return odd;
    HostCache cache{std::string(words[0]), {}};
    for (std::size_t i = 1; i + 1 < words.size(); i += kWords) {
        const auto kilobytes = wholeNumber<std::uint32_t>(words[i + 2]);
        const auto time = wholeNumber<std::int64_t>(words[i + 3]);
        // A folder of another name is not ours.
        if (!isEntryName(words[i], words[i + 1]) || !kilobytes || !time) continue;
        cache.entries.push_back({std::string(words[i]), std::string(words[i + 1]), std::string(trimmed(words[i + 4])),
                                 std::uint64_t{*kilobytes} * 1024, *time});
    }
    std::stable_sort(cache.entries.begin(), cache.entries.end(),
                     [](const HostEntry& a, const HostEntry& b) { return a.lastUse > b.lastUse; });
    return cache;
}

Result<std::uint64_t> removeFromHost(const capture::RemoteShell& shell, const HostCache& cache,
                                     const std::vector<HostEntry>& entries) {
    std::vector<std::string> arguments{cache.folder};
    for (const HostEntry& entry : entries) {
        if (isEntryName(entry.kind, entry.name))
            arguments.push_back((entry.kind == "pack" ? "packs/" : "bin/") + entry.name);
    }
    const auto reply = shell.run(withRuns(kRemove), arguments, {std::size_t{1} << 16, std::chrono::seconds(600)});
    if (!reply.ok()) return reply.as<std::uint64_t>();
    auto records = capture::replyRecords(reply.value().output);
    const auto removed = wholeNumber<std::uint64_t>(records["removed"]).value_or(0);
    if (removed + 1 < arguments.size())
        return Error{"remote.not_removed",
                     cache.folder,
                     {},
                     {{"host", shell.target().name}, {"reason", std::string(lastLine(reply.value().errors))}}};
    return removed;
}

std::vector<HostEntry> entriesBeyond(const HostCache& cache, std::uint64_t limit, const std::string& kept) {
    std::vector<HostEntry> beyond;
    std::uint64_t bytes = 0;
    for (const HostEntry& entry : cache.entries) {
        if (entry.kind != "pack") continue;
        bytes += entry.bytes;
        if (bytes > limit && entry.name != kept) beyond.push_back(entry);
    }
    return beyond;
}

}  // namespace altiscope::remote
