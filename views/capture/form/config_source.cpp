#include "views/capture/form/config_source.h"

#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/preflight.h"

namespace altiscope {

ConfigResult readTargetConfig(const std::string& target, const std::string& workdir, const std::string& file,
                              const capture::Askpass& askpass, const capture::CancelCheck& cancelCheck) {
    ConfigResult result;
    const auto parsed = capture::parseTarget(target);
    if (!parsed || file.empty()) return result;
    const auto shell = capture::RemoteShell::open(*parsed, cancelCheck, askpass);
    if (shell.failed()) result.error = shell.error();
    if (!shell.ok()) return result;
    capture::PreflightRequest needs;
    needs.workdir = workdir;
    needs.config = file;
    const auto flight = capture::preflight(shell.value(), needs);
    if (flight.failed()) result.error = flight.error();
    if (!flight.ok()) return result;
    if (const capture::Check* failure = capture::firstFailure(flight.value().checks)) result.error = failure->problem;
    result.path = flight.value().config;
    if (result.error || result.path.empty()) return result;
    auto config = capture::readConfig(shell.value(), result.path);
    if (config.failed()) result.error = config.error();
    if (!config.ok()) return result;
    result.text = std::move(config.value().text);
    result.owner = std::move(config.value().owner);
    return result;
}

}  // namespace altiscope
