#include "core/capture/targets/config_edit.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"

namespace altiscope::capture {

Result<ConfigText> readConfig(const RemoteShell& shell, const std::string& path) {
    const std::vector<std::string> arguments{path};
    const auto reply = shell.run(readConfigScript(), arguments);
    if (!reply.ok()) return reply.as<ConfigText>();
    if (reply.value().status != 0) {
        return Error{"capture.config.unreadable", path, {}, {{"host", shell.target().name}}};
    }
    ConfigText config;
    std::string_view rest = reply.value().output;
    while (rest.starts_with("owner=")) {
        const auto zero = rest.find('\0');
        config.owner = rest.substr(6, zero - 6);
        rest.remove_prefix(zero == std::string_view::npos ? rest.size() : zero + 1);
    }
    if (rest.starts_with("text=")) config.text = rest.substr(5);
    return config;
}

Result<Done> writeConfig(const RemoteShell& shell, const std::string& path, const std::optional<std::string>& before,
                         const std::string& after, const std::string& owner, const std::string& ended,
                         const std::optional<std::int64_t>& lastTime) {
    const std::vector<std::string> arguments{path,
                                             owner,
                                             before.value_or(std::string()),
                                             after,
                                             before ? "edit" : "",
                                             ended,
                                             lastTime ? std::to_string(*lastTime) : std::string()};
    const auto reply = shell.run(writeConfigScript(), arguments);
    if (!reply.ok()) return reply.as<Done>();
    const MessageParameters host{{"host", shell.target().name}};
    switch (reply.value().status) {
    case 0: return Done{};
    case 20: {
        const auto records = replyRecords(reply.value().output);
        const auto found = records.find("owner");
        return Error{"capture.config.busy", path, {}, {{"owner", found == records.end() ? "?" : found->second}}};
    }
    case 22: return Error{"capture.config.changed", path, {}, host};
    case 25: {
        const auto records = replyRecords(reply.value().output);
        const auto found = records.find("group");
        const std::string group = found == records.end() ? "?" : found->second;
        return Error{"capture.config.group", path, {}, {{"host", shell.target().name}, {"group", group}}};
    }
    default: return Error{"capture.config.not_written", path, {}, host};
    }
}

Result<Restored> restoreConfig(const RemoteShell& shell, const std::string& path, const std::string& id,
                               bool mayBeUnnamed) {
    const std::vector<std::string> arguments{path, id, mayBeUnnamed ? "yes" : ""};
    const auto reply = shell.run(restoreConfigScript(), arguments);
    if (!reply.ok()) return reply.as<Restored>();
    if (reply.value().status != 0) {
        return Error{"capture.config.not_restored", path, {}, {{"host", shell.target().name}}};
    }
    const auto records = replyRecords(reply.value().output);
    const auto value = [&records](std::string_view key) {
        const auto found = records.find(key);
        return found == records.end() ? std::string() : found->second;
    };
    return Restored{records.contains("others"), value("written"), value("original"), wholeNumber(value("time"))};
}

Result<Done> replaceConfig(const RemoteShell& shell, const std::string& path, const std::string& before,
                           const std::string& after) {
    const std::vector<std::string> arguments{path, before, after};
    const auto reply = shell.run(replaceConfigScript(), arguments);
    if (!reply.ok()) return reply.as<Done>();
    if (reply.value().status == 0) return Done{};
    return Error{"capture.config.changed", path, {}, {{"host", shell.target().name}}};
}

}  // namespace altiscope::capture
