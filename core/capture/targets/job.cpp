#include "core/capture/targets/job.h"

#include "core/capture/files/target_scripts.h"
namespace altiscope::capture {

Result<std::string> startJob(const RemoteShell& shell, const Launch& launch) {
    const std::vector<std::string> arguments{launch.name, launch.workdir, launch.command, launch.frame};
    const auto reply = shell.run(startJobScript(), arguments);
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
    const auto reply = shell.run(stopJobScript(), arguments);
    if (!reply.ok()) return reply.as<Done>();
    return Done{};
}

}  // namespace altiscope::capture
