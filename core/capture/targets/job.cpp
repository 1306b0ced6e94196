#include "core/capture/targets/job.h"

namespace altiscope::capture {

namespace {

// The user's command may have passwords in it: its file goes when it has run.
constexpr std::string_view kStart = R"sh(
mask=$(umask); umask 077
base=${XDG_STATE_HOME:-$HOME/.local/state}/altiscope/captures
mkdir -p -- "$base" && r=$base/$1 && mkdir -- "$r" || exit 30
out folder "$r"
printf '%s\n' "$3" >"$r/launch.sh" && printf '%s\n' "$4" >"$r/run.sh" || exit 31
cd -- "$2" || exit 32
umask "$mask"
setsid sh -c '
  cut -d " " -f 22 "/proc/$$/stat" >"$1/job.start"; echo "$$" >"$1/.pid" && mv "$1/.pid" "$1/job.pid"
  sh "$1/run.sh" "$1" >"$1/job.log" 2>&1; rc=$?
  rm -f -- "$1/launch.sh"; echo "$rc" >"$1/.rc" && mv "$1/.rc" "$1/job.rc"
' x "$r" </dev/null >/dev/null 2>&1 &
i=0
while [ ! -e "$r/job.pid" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
[ -e "$r/job.pid" ] || exit 33
)sh";

constexpr std::string_view kStop = R"sh(
case $1 in /*) r=$1 ;; *) r=${XDG_STATE_HOME:-$HOME/.local/state}/altiscope/captures/$1 ;; esac
[ -d "$r" ] && : >"$r/stop"
[ -s "$r/job.pid" ] && [ ! -e "$r/job.rc" ] || { rm -f -- "$r/launch.sh"; exit 0; }
p=$(cat "$r/job.pid")
[ "$(cut -d ' ' -f 22 "/proc/$p/stat" 2>/dev/null)" = "$(cat "$r/job.start")" ] || {
  rm -f -- "$r/launch.sh"; exit 0
}
kill -s TERM -- "-$p" 2>/dev/null
i=0
while kill -s 0 -- "-$p" 2>/dev/null && [ $i -lt 20 ]; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$p" 2>/dev/null
rm -f -- "$r/launch.sh"
exit 0
)sh";

}  // namespace

Result<std::string> startJob(const RemoteShell& shell, const Launch& launch) {
    const std::vector<std::string> arguments{launch.name, launch.workdir, launch.command, launch.frame};
    const auto reply = shell.run(kStart, arguments);
    if (!reply.ok()) return reply.as<std::string>();
    const auto records = replyRecords(reply.value().output);
    const auto folder = records.find("folder");
    if (reply.value().status != 0 || folder == records.end()) {
        return Error{"capture.job.not_started", {}, {}, {{"host", shell.target().name}}};
    }
    return folder->second;
}

Result<Done> makeFolder(const RemoteShell& shell, const std::string& path) {
    const std::vector<std::string> arguments{path};
    const auto reply = shell.run("mkdir -p -- \"$1\"", arguments);
    if (!reply.ok()) return reply.as<Done>();
    if (reply.value().status != 0) return Error{"capture.check.results", path, {}, {{"host", shell.target().name}}};
    return Done{};
}

Result<Done> forgetCommand(const RemoteShell& shell, const std::string& folder) {
    const std::vector<std::string> arguments{folder};
    const auto reply = shell.run("rm -f -- \"$1/launch.sh\"", arguments);
    if (!reply.ok()) return reply.as<Done>();
    if (reply.value().status != 0)
        return Error{"capture.job.not_forgotten", folder + "/launch.sh", {}, {{"host", shell.target().name}}};
    return Done{};
}

Result<Done> stopJob(const RemoteShell& shell, const std::string& folder) {
    const std::vector<std::string> arguments{folder};
    const auto reply = shell.run(kStop, arguments);
    if (!reply.ok()) return reply.as<Done>();
    return Done{};
}

}  // namespace altiscope::capture
