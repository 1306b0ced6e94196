#include "core/capture/targets/ssh_command.h"

#include "core/base/values/parse.h"
#include "core/capture/targets/password.h"
#include "core/capture/targets/process.h"

#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

/// Value of a line of `ssh -G`.
std::string_view configured(std::string_view lines, std::string_view key) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ')
            return line.substr(key.size() + 1);
    }
    return {};
}

/// As ssh reads a value: blanks part words, and "%" begins a name for something else.
std::string quotedPath(const std::string& path) {
    std::string text = "\"";
    for (const char c : path) {
        if (c == '%') text += c;
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}

/// Below the folder that a variable of the environment names; empty if it names none, or one that is too long: the name
/// of a socket is short.
std::string folderBelow(const char* variable, const std::string& name) {
    const char* parent = std::getenv(variable);
    if (parent == nullptr || parent[0] != '/') return {};
    std::string folder = parent;
    folder += name;
    return folder.size() < 40 ? folder : std::string();
}

/// Makes the folder if it is not there. True if it is this user's and nobody else can enter it.
bool isPrivate(const std::string& folder) {
    if (folder.empty()) return false;
    ::mkdir(folder.c_str(), 0700);
    struct stat status {};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid() &&
           (status.st_mode & 077) == 0;
}

}  // namespace

Result<std::vector<std::string>> sshCommand(const Target& target, const std::string& controlPath,
                                            const CancelCheck& cancelCheck, const Askpass& askpass) {
    std::vector<std::string> words{"ssh"};
    if (const char* config = std::getenv("ALTISCOPE_SSH_CONFIG"); config != nullptr && config[0] != '\0') {
        words.insert(words.end(), {"-F", config});
    }
    if (!target.port.empty()) words.insert(words.end(), {"-p", target.port});
    std::vector<std::string> probe = words;
    probe.insert(probe.end(), {"-G", "--", target.destination});
    const auto effective = runProcess(probe, {}, {}, cancelCheck, {});
    if (effective.failed()) return Error{"capture.ssh.missing", {}, {}, {}};
    if (effective.cancelled()) return Cancelled{};
    if (effective.value().status != 0) return sshError(target, effective.value().errors);
    const std::string& lines = effective.value().output;
    if (configured(lines, "userknownhostsfile").find("/dev/null") != std::string_view::npos) {
        return Error{"capture.ssh.no_known_hosts", {}, {}, {{"host", target.name}}};
    }
    const std::string_view checking = configured(lines, "stricthostkeychecking");
    if (checking != "ask" && checking != "true" && checking != "yes") {
        words.insert(words.end(), {"-o", "StrictHostKeyChecking=ask"});
    }
    for (const std::string option :
         {!askpass.program.empty() || canPromptUser() ? "BatchMode=no" : "BatchMode=yes", "ConnectTimeout=10",
          "ServerAliveInterval=5", "ServerAliveCountMax=3", "EscapeChar=none", "ClearAllForwardings=yes",
          "ForwardAgent=no", "ForwardX11=no", "PermitLocalCommand=no", "RequestTTY=no", "RemoteCommand=none",
          "LogLevel=ERROR", "NoHostAuthenticationForLocalhost=no"}) {
        words.insert(words.end(), {"-o", option});
    }
    if (controlPath.empty()) {
        words.insert(words.end(), {"-o", "ControlMaster=no", "-o", "ControlPath=none"});
    } else {
        // The connection is the one of the process that was started with -M, and ends with it.
        words.insert(words.end(), {"-o", "ControlMaster=no", "-o", "ControlPath=" + quotedPath(controlPath), "-o",
                                   "ControlPersist=no"});
    }
    if (!askpass.program.empty()) {
        const std::vector<std::string> environment{"env", "SSH_ASKPASS=" + askpass.program, "SSH_ASKPASS_REQUIRE=force",
                                                   "ALTISCOPE_ASKPASS=" + askpass.socket};
        words.insert(words.begin(), environment.begin(), environment.end());
    }
    return words;
}

std::string controlFolder() {
    const std::string own = "/altiscope-" + std::to_string(::getuid());
    if (const std::string folder = folderBelow("XDG_RUNTIME_DIR", "/altiscope"); isPrivate(folder)) return folder;
    if (const std::string folder = folderBelow("TMPDIR", own); isPrivate(folder)) return folder;
    const std::string last = std::string("/tmp").append(own);
    return isPrivate(last) ? last : std::string();
}

Error sshError(const Target& target, std::string_view errors) {
    const auto says = [errors](std::string_view text) { return errors.find(text) != std::string_view::npos; };
    const MessageParameters parameters{{"host", target.name}, {"reason", std::string(lastLine(errors))}};
    if (says("HOST IDENTIFICATION HAS CHANGED")) return Error{"capture.ssh.key_changed", {}, {}, parameters};
    if (says("Host key verification failed")) return Error{"capture.ssh.key_unknown", {}, {}, parameters};
    if (says("Permission denied")) return Error{"capture.ssh.denied", {}, {}, parameters};
    return Error{"capture.ssh.unreachable", {}, {}, parameters};
}

}  // namespace altiscope::capture
