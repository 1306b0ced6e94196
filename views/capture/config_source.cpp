#include "views/capture/config_source.h"

#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/preflight.h"

namespace altiscope {

ConfigAnswer readTargetConfig(const std::string& target, const std::string& workdir, const std::string& file,
                              const capture::Askpass& askpass, const capture::Interrupted& interrupted) {
    ConfigAnswer answer;
    const auto parsed = capture::parseTarget(target);
    if (!parsed || file.empty()) return answer;
    const auto shell = capture::RemoteShell::open(*parsed, interrupted, askpass);
    if (shell.failed()) answer.error = shell.error();
    if (!shell.ok()) return answer;
    capture::Needs needs;
    needs.workdir = workdir;
    needs.config = file;
    const auto flight = capture::preflight(shell.value(), needs);
    if (flight.failed()) answer.error = flight.error();
    if (!flight.ok()) return answer;
    if (const capture::Check* failure = flight.value().failure()) answer.error = failure->problem;
    answer.path = flight.value().config;
    if (answer.error || answer.path.empty()) return answer;
    auto config = capture::readConfig(shell.value(), answer.path);
    if (config.failed()) answer.error = config.error();
    if (!config.ok()) return answer;
    answer.text = std::move(config.value().text);
    answer.owner = std::move(config.value().owner);
    return answer;
}

}  // namespace altiscope
