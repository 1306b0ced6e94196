#include "core/capture/targets/job_output.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace altiscope::capture {

namespace {

/// "$1" folder of logs, "$2" processes. A forked process has open what its parent has, so a log counts for the process
/// that it is named after: by its own number, which in a container is another one. A pipe is read by others, and what
/// they write is read here: the flags of a descriptor end with 0 where it is for reading only.
constexpr std::string_view kFindScript = R"sh(
logs=$1; pids=$2; n=0
[ -z "$logs" ] || for f in $(find /proc/[0-9]*/fd -maxdepth 1 -lname '*/dp_*_rank_*.log' 2>/dev/null | head -n 9999); do
  l=$(readlink "$f") || continue
  l=${l##*/}; q=${l%_rank_*}; q=${q##*_}; p=${f#/proc/}; p=${p%%/*}
  case " $known " in *" $p "*) continue ;; esac
  i=$(grep -s '^NSpid:' "/proc/$p/status"); i=${i##*[!0-9]}
  [ "$q" = "$p" ] || [ "$q" = "$i" ] || continue
  [ "$f" -ef "$logs/$l" ] || continue
  n=$((n + 1)); [ $n -le 1000 ] || break
  known="$known $p "; pids="$pids $p"; r=${l##*_rank_}
  printf 'R%s %s %s\0' "$p" "${r%.log}" "$l"
done
seen=
file() {
  case " $seen " in *" $2 "*) return ;; esac
  seen="$seen $2"
  [ -r "$1" ] && printf 'F%s %s %s\0' "$3" "$1" "$(readlink "$1")"
}
for p in $(printf '%s\n' $pids | sort -nu); do
  [ -d "/proc/$p" ] || continue
  open=
  for d in 1 2; do
    k=$(stat -L -c '%F:%d:%i' "/proc/$p/fd/$d" 2>/dev/null) || continue
    k=$(printf %s "$k" | tr ' ' _)
    case $k in
    regular*) [ -r "/proc/$p/fd/$d" ] && open=1; file "/proc/$p/fd/$d" "$k" "$p" ;;
    fifo*)
      case " $seen " in *" $k+ "*) open=1; continue ;; *" $k "*) continue ;; esac
      seen="$seen $k"
      for f in $(find /proc/[0-9]*/fd -maxdepth 1 -lname "pipe:\[${k##*:}\]" 2>/dev/null | head -n 2000); do
        q=${f#/proc/}; q=${q%%/*}
        case $(grep -s '^flags:' "/proc/$q/fdinfo/${f##*/}") in *0) ;; *) continue ;; esac
        for g in "/proc/$q/fd"/*; do
          case $(grep -s '^flags:' "/proc/$q/fdinfo/${g##*/}") in *[12]) ;; *) continue ;; esac
          h=$(stat -L -c '%F:%d:%i' "$g" 2>/dev/null | tr ' ' _)
          case $h in regular*) file "$g" "$h" "$p"; open=1; seen="$seen $k+" ;; esac
        done
      done ;;
    esac
  done
  if [ -n "$open" ]; then printf 'P%s\0' "$p"; else printf 'C%s\0' "$p"; fi
done
exit 0
)sh";

/// "$1" bytes, then "SOURCE", "PATH" of each file, "" before the names of logs. One program reads them all, and writes
/// "==> NAME <==" before each.
constexpr std::string_view kTailScript = R"sh(
size=$1; shift
n=$#; logs=
while [ "$n" -gt 0 ]; do
  a=$1; shift; n=$((n - 1))
  if [ -n "$logs" ]; then [ -f "$a" ] && set -- "$@" "$a"
  elif [ -z "$a" ]; then logs=1
  else
    b=$1; shift; n=$((n - 1))
    if [ -f "$a" ]; then set -- "$@" "$a"
    elif [ -f "$b" ] && [ ! -L "$b" ]; then set -- "$@" "$b"
    fi
  fi
done
[ $# = 0 ] || tail -v -c "$size" -- "$@" 2>/dev/null | tr -d '\000'
printf '\0Z'
)sh";

/// "$1" folder of the job, whose processes are a session of their own.
constexpr std::string_view kWorldScript = R"sh(
p=$(cat -- "$1/job.pid" 2>/dev/null); [ -n "$p" ] || exit 0
for s in /proc/[0-9]*/stat; do
  { read -r l <"$s"; } 2>/dev/null || continue
  set -- ${l##*) }
  [ "$4" = "$p" ] || continue
  tr '\000' '\n' <"${s%/stat}/environ" 2>/dev/null |
    grep -aE '^(WORLD_SIZE|RANK_SIZE|OMPI_COMM_WORLD_SIZE|MS_WORKER_NUM)=[0-9]+$' | head -n 1
done | head -n 1000
exit 0
)sh";

constexpr std::size_t kTailBytes = 8192, kMaxOutputs = 64, kMaxLogs = 256, kMaxOutput = std::size_t{8} << 20;

/// Without what a cut line has left at the begin, and with one kind of line ends.
std::string wholeLines(std::string_view text) {
    if (text.size() >= kTailBytes) {
        const auto end = text.find_first_of("\r\n");
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    std::string lines(text);
    std::replace(lines.begin(), lines.end(), '\r', '\n');
    return lines;
}

}  // namespace

Result<JobOutputs> findOutputs(const RemoteShell& shell, const std::string& logs,
                               std::span<const std::int64_t> processes) {
    std::string pids;
    for (const std::int64_t process : processes) pids += std::to_string(process) + " ";
    const std::vector<std::string> arguments{logs, pids};
    const auto reply = shell.run(kFindScript, arguments);
    if (!reply.ok()) return reply.as<JobOutputs>();
    JobOutputs found;
    for (std::string_view rest = reply.value().output; !rest.empty();) {
        const std::string_view record = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), record.size() + 1));
        if (record.empty()) continue;
        const std::string_view text = record.substr(1);
        const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
        const auto process = wholeNumber(text.substr(0, first));
        if (!process || *process <= 0) continue;
        if (record[0] == 'P' || record[0] == 'C') {
            ++found.processes;
            found.closed += record[0] == 'C' ? 1 : 0;
        }
        if (second == std::string_view::npos) continue;
        const std::string_view middle = text.substr(first + 1, second - first - 1), last = text.substr(second + 1);
        if (record[0] == 'F' && found.files.size() < kMaxOutputs)
            found.files.push_back({std::string(middle), std::string(last), *process});
        if (record[0] == 'R') found.ranks.push_back({*process, wholeNumber(middle).value_or(-1), std::string(last)});
    }
    std::stable_sort(found.ranks.begin(), found.ranks.end(),
                     [](const RankProcess& a, const RankProcess& b) { return a.rank < b.rank; });
    return found;
}

Result<std::optional<std::int64_t>> worldSize(const RemoteShell& shell, const std::string& jobFolder) {
    const std::vector<std::string> arguments{jobFolder};
    const auto reply = shell.run(kWorldScript, arguments);
    if (!reply.ok()) return reply.as<std::optional<std::int64_t>>();
    std::optional<std::int64_t> size;
    for (std::string_view rest = reply.value().output; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const auto number = wholeNumber(line.substr(line.rfind('=') + 1));
        if (number && *number > 0) size = std::max(size.value_or(0), *number);
    }
    return size;
}

Result<std::vector<FileTail>> readTails(const RemoteShell& shell, std::span<const OutputFile> files,
                                        std::span<const std::string> logs) {
    std::vector<FileTail> tails;
    if (files.empty() && logs.empty()) return tails;
    std::vector<std::string> arguments{std::to_string(kTailBytes)};
    std::set<std::string_view> names;
    for (const OutputFile& file : files.first(std::min(files.size(), kMaxOutputs))) {
        arguments.insert(arguments.end(), {file.source, file.path.starts_with('/') ? file.path : file.source});
        names.insert({file.source, file.path});
    }
    arguments.emplace_back();
    for (const std::string& log : logs.first(std::min(logs.size(), kMaxLogs))) {
        arguments.push_back(log);
        names.insert(log);
    }
    const auto reply = shell.run(kTailScript, arguments, {kMaxOutput});
    if (!reply.ok()) return reply.as<std::vector<FileTail>>();
    std::string_view output = reply.value().output;
    if (!output.ends_with(std::string_view("\0Z", 2))) return tails;
    output.remove_suffix(2);
    static constexpr std::string_view kHead = "==> ", kEnd = " <==";
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string_view line = output.substr(at, end - at);
        const bool isHead = line.starts_with(kHead) && line.ends_with(kEnd) && line.size() > 8 &&
                            names.contains(line.substr(kHead.size(), line.size() - 8));
        if (isHead) tails.push_back({std::string(line.substr(kHead.size(), line.size() - 8)), {}});
        else if (!tails.empty()) tails.back().text += std::string(line) + "\n";
        at = end + 1;
    }
    for (FileTail& tail : tails) tail.text = wholeLines(tail.text);
    return tails;
}

}  // namespace altiscope::capture
